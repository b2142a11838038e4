"""Fase Difensiva (GC-2.7 to 2.15): one attack after the other meets the defence declared for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.dice import Address
from app.engine.findings import Finding
from app.engine.tally import Tally, Term
from app.rulesets.guida.allies import (
    ally_terms,
    at_allies,
    charged_steps,
    is_farther,
    protective_steps,
)
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.effects import has_knockback
from app.rulesets.guida.moves import steps_moved
from app.rulesets.guida.orders import (
    Defence,
)
from app.rulesets.guida.power import Power
from app.rulesets.guida.readings import (
    PreparationScope,
    Scope,
)
from app.rulesets.guida.register import pay
from app.rulesets.guida.senses import smoke_terms
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import counted_use, tally_counter, tally_defend
from app.rulesets.guida.tables import (
    ACTION_DIE,
    ALLY_DEFENCES,
    COUNTERS,
    KNOCKBACK_COST,
    PREPARED_DEFENCE,
)
from app.rulesets.guida.terms import Means
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)


@dataclass(frozen=True, slots=True)
class Force:
    """What clashes have left of a parry's or counter's power; None once it is annulled."""

    index: int
    power: Power | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """A counterattack that goes on toward an opponent: with what bonus, against what.

    ``won``: its defensive half did; one that did not is paid for only when it is launched.
    ``despite`` says that it is launched although its defensive half failed (AMB-45), ``asks``
    that the Master says whether it is (GC-13.16).
    """

    index: int
    opponent: str
    bonus: Term | None
    power: Power | None = None
    suspends: str | None = None
    misses: bool = False
    won: bool = True
    despite: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """Which use of its technique a declared defence is, as counted for one opponent or for all."""

    index: int
    opponent: str
    before: int


@dataclass(frozen=True, slots=True)
class Made:
    """A defence whose own move is settled by now, and the ranges that its score is charged for."""

    index: int
    steps: int


@dataclass(frozen=True, slots=True)
class Label:
    """The modifiers a die of this phase has against one action if all before it works (GC-2.29)."""

    address: Address
    against: str
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A Defensive Phase under way: the scene, and how the declared defences have fared so far.

    ``failed`` gates later defences and the Offensive Phase, ``blocked`` the latter only; ``lost``
    defences failed, ``active`` ones were in time, ``still`` ones do not move (a tie that replaces
    the win). ``arrived`` defences put their user in front of an ally (GC-14.38); ``made`` moves are
    behind one; ``allies`` are those for whom a defence is made, by its place; ``tried`` says that
    the attempt to break free was made (GC-14.22), ``vain`` that an attempt of the post failed.
    ``labels`` are those of the post, where somebody is to be told of changes.
    """

    scene: Scene
    defender: str
    failed: bool = False
    blocked: bool = False
    thrown: bool = False  # a reaction failed (GC-10.12)
    lost: frozenset[int] = frozenset()
    active: frozenset[int] = frozenset()
    still: frozenset[int] = frozenset()
    arrived: frozenset[int] = frozenset()
    made: tuple[Made, ...] = ()
    allies: tuple[tuple[int, str], ...] = ()
    uses: tuple[Use, ...] = ()
    forces: tuple[Force, ...] = ()
    going: tuple[Going, ...] = ()
    tried: bool = False
    vain: bool = False
    labels: tuple[Label, ...] = ()

    @property
    def closed(self) -> bool:
        """Say whether the Offensive Phase is lost (GC-2.12, AMB-45)."""
        return self.blocked or (self.failed and not any(going.despite for going in self.going))


def begin_phase(scene: Scene, defender: str, defences: tuple[Defence, ...]) -> Phase:
    """Open a Defensive Phase, that of a protector included (GC-14.37)."""
    allies = {
        (index, attack.target): None
        for index, defence in enumerate(defences)
        for attack in at_allies(scene, defender)
        if defence.action in ALLY_DEFENCES and attack.id in defence.against
    }
    return Phase(scene=scene, defender=defender, allies=tuple(allies))


@dataclass(frozen=True, slots=True)
class Declared:
    """A defence with its place among those declared, and what its tag changes of its score."""

    index: int
    defence: Defence
    first: bool = False
    correction: tuple[Term, ...] = ()


def declared_for(defences: tuple[Defence, ...], action: str) -> Declared | None:
    """Find the defence declared against an incoming action."""
    rolled = [index for index, one in enumerate(defences) if ACTION_DIE[one.action] is not None]
    for index, defence in enumerate(defences):
        if action in defence.against:
            return Declared(index, defence, first=index in rolled[:1])
    return None


def opponent_of(against: Incoming | Pending) -> str:
    """Give whoever launched an incoming action."""
    return against.attacker if isinstance(against, Incoming) else against.actor


def uses_before(phase: Phase, defender: str, declared: Declared, opponent: str) -> int:
    """Count the uses before this one; a defence that covers several attacks is one (AMB-32)."""
    scoped = phase.scene.options.predictability_scope is Scope.OPPONENT
    for use in phase.uses:
        if use.index == declared.index and (not scoped or use.opponent == opponent):
            return use.before
    tool = declared.defence.tool
    who = phase.scene.who(defender)
    return who.uses_of(tool, opponent if scoped else None) if tool else 0


def tally_of(phase: Phase, defender: str, declared: Declared, against: Incoming | Pending) -> Tally:
    """Add up everything but the die of a declared defence against one incoming action (GC-4.2)."""
    scene, defence = phase.scene, declared.defence
    who = scene.who(defender)
    tool, support = tools_of(who, defence)
    before = uses_before(phase, defender, declared, opponent_of(against))
    steps = steps_moved(scene, defender, defence.move)
    enemy_use = against.use if isinstance(against, Incoming) else 0
    own_use = counted_use(scene.options, tool, before)
    prepared = prepared_defence(scene, who, first=declared.first)
    clouded = (
        *smoke_terms(scene, defender, opponent_of(against)),
        *knock_terms(defence, tool),
    )
    if defence.action in ALLY_DEFENCES and isinstance(against, Incoming):
        steps = protective_steps(scene, defender, defence, against)
        made = [one.steps for one in phase.made if one.index == declared.index]
        steps = charged_steps(scene.options, defence.action, made[0] if made else steps)
        farther = is_farther(scene, defender, against)
        clouded = (*clouded, *ally_terms(who, defence.action, farther=farther))
    if defence.action in COUNTERS and tool is not None:
        return tally_counter(
            scene.options,
            who,
            tool,
            support,
            moved_steps=steps,
            enemy_use=enemy_use,
            own_use=own_use,
            prepared=prepared,
        ).plus(*clouded)
    return tally_defend(
        scene.options,
        who,
        defence.action,
        tool,
        support,
        moved_steps=steps,
        enemy_use=enemy_use,
        own_use=own_use,
        prepared=prepared,
    ).plus(*clouded)


def knock_terms(defence: Defence, tool: Tool | None) -> tuple[Term, ...]:
    """Give what it costs a defence to knock back that has no such effect (AMB-74)."""
    if defence.knock is None or has_knockback(tool):
        return ()
    return (Term("AMB-74", "knockback", Fraction(KNOCKBACK_COST)),)


def prepared_defence(scene: Scene, who: Combatant, *, first: bool) -> Term | None:
    """Give the bonus of a preparation made in the turn before (GC-4.39, AMB-36)."""
    every = scene.options.preparation_bonus_scope is PreparationScope.ALL_DEFENCES
    if who.prepared != who.turn or not (first or every):
        return None
    return Term("GC-4.39", "preparation", Fraction(PREPARED_DEFENCE))


def tools_of(who: Combatant, defence: Defence) -> tuple[Tool | None, tuple[Tool, ...]]:
    """Give what a defence is made with, and the secondary actions tied to it."""
    tool = who.sheet.tool(defence.tool) if defence.tool else None
    return tool, who.sheet.tools_by_id(defence.support)


def activate(
    phase: Phase, defender: str, declared: Declared, opponent: str, *, in_time: bool
) -> tuple[Phase, list[Finding]]:
    """Charge a defence and count its use, once, when it was in time (GC-14.9, AMB-22)."""
    if in_time:
        phase = count_defence(phase, defender, declared, opponent)
    pays = in_time or phase.scene.options.unactivated_defence_costs_ep
    if not pays or declared.index in phase.active:
        return phase, []
    scene = phase.scene
    tool, support = tools_of(scene.who(defender), declared.defence)
    used = (tool, *support) if tool else support
    scene, findings = pay(scene, defender, used)
    return replace(phase, scene=scene, active=phase.active | {declared.index}), findings


def count_defence(phase: Phase, defender: str, declared: Declared, opponent: str) -> Phase:
    """Count the use of a defence, once, or once for each opponent where uses are counted so."""
    scoped = phase.scene.options.predictability_scope is Scope.OPPONENT
    for use in phase.uses:
        if use.index == declared.index and (not scoped or use.opponent == opponent):
            return phase
    before = uses_before(phase, defender, declared, opponent)
    tool, _ = tools_of(phase.scene.who(defender), declared.defence)
    counted = count_use(phase.scene, defender, tool, opponent)
    uses = (*phase.uses, Use(declared.index, opponent, before))
    return replace(phase, scene=counted, uses=uses)


def count_use(scene: Scene, user: str, tool: Tool | None, opponent: str) -> Scene:
    """Count a technique that was carried out; plain weapons are not counted (AMB-32)."""
    if tool is None or tool.means is not Means.TECHNIQUE:
        return scene
    return scene.put(scene.who(user).used(tool.id, opponent))

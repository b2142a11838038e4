"""Fase Offensiva (GC-2.16, GC-4.45): an attack is launched and waits for its target's answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.guida.area_actions import begin
from app.rulesets.guida.area_life import destroy, wear
from app.rulesets.guida.asking import (
    ask_claims,
    ask_continuation,
)
from app.rulesets.guida.blind import radius_hiding
from app.rulesets.guida.blind_launch import settle_launch
from app.rulesets.guida.bond_rulings import ask_improper
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.defence import Going
from app.rulesets.guida.effects import begin_on_user, has_knockback, riders_of
from app.rulesets.guida.moves import apply_move, distance_after, shifts_of, steps_moved
from app.rulesets.guida.orders import (
    AreaPlan,
    Attack,
    Continuation,
    Defence,
    Knock,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.power import Power, tally_power
from app.rulesets.guida.readings import (
    Measured,
    Scope,
)
from app.rulesets.guida.register import pay
from app.rulesets.guida.senses import is_hidden, reveal, smoke_terms
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
    names_of,
)
from app.rulesets.guida.success import counted_use, tally_hit
from app.rulesets.guida.tables import IMPROPER_CONSTRAINT, KNOCKBACK_COST
from app.rulesets.guida.targets import PLACES, ask_targets, several_targets, spread
from app.rulesets.guida.terms import Aim, Bind, Claim, Limb, Means, Stack
from app.rulesets.guida.underway import (
    Incoming,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow:
    """What is launched in an Offensive Phase: a new attack, or a counterattack that goes on.

    ``carried`` is a counter's: paid for and counted apart, with the power that clashes left it;
    ``late`` one's that lost its defensive half, so that what is tied to it begins only now;
    ``asks`` leaves it to the Master whether it goes on at all (GC-13.16).
    """

    target: str
    tool: Tool
    support: tuple[Tool, ...]
    aim: Aim
    limb: Limb | None
    move: Move | None
    claims: tuple[Claim, ...]
    bonuses: tuple[Term, ...] = ()
    power: Power | None = None
    carried: bool = False
    late: bool = False
    suspends: str | None = None
    misses: bool = False
    prefers: tuple[Stack, ...] = ()
    knock: Knock | None = None
    asks: bool = False
    also: tuple[str, ...] = ()
    blind: bool = False
    destroys: str | None = None
    plans: tuple[AreaPlan, ...] = ()
    binds: tuple[Bind, ...] = ()
    bond_die: int | None = None

    @property
    def begins_support(self) -> bool:
        """Say whether its secondary actions begin with it, and did not in a defensive half."""
        return self.late or not self.carried

    @property
    def targets(self) -> tuple[str, ...]:
        """List everybody it is launched at (GC-13.1)."""
        return (self.target, *self.also)


def blow_of(who: Combatant, attack: Attack, bonuses: tuple[Term, ...]) -> Blow:
    """Read the attack that a post declares."""
    return Blow(
        target=attack.target,
        tool=_tool(who, attack.tool),
        support=who.sheet.tools_by_id(attack.support),
        aim=attack.aim,
        limb=attack.limb,
        move=attack.move,
        claims=attack.claims,
        bonuses=bonuses,
        prefers=attack.prefers,
        knock=attack.knock,
        also=attack.also,
        binds=attack.binds,
        destroys=attack.destroys,
        blind=attack.blind,
    )


def continuation_of(who: Combatant, defence: Defence, going: Going) -> Blow:
    """Read how a counterattack goes on (GC-4.69): its costs weigh on this half only (GC-14.13)."""
    then = defence.then or Continuation()
    return Blow(
        target=going.opponent,
        tool=_tool(who, defence.tool or ""),
        support=who.sheet.tools_by_id(defence.support),
        aim=then.aim,
        limb=then.limb,
        move=None,
        claims=then.claims,
        bonuses=(going.bonus,) if going.bonus else (),
        power=going.power,
        carried=True,
        late=not going.won,
        suspends=going.suspends,
        misses=going.misses,
        prefers=then.prefers,
        knock=then.knock,
        asks=going.asks,
        also=tuple(one for one in then.also if one != going.opponent),
        binds=then.binds,
        destroys=then.destroys,
    )


def prepare(scene: Scene, attacker: str, blow: Blow) -> tuple[Scene, Tally, list[Finding]]:
    """Begin the secondary actions of an attack and add up its modifiers, before any die (GC-4.1).

    A secondary action of the Offensive Phase stands as soon as its attack is carried out
    (GC-14.10), so what it grants counts for the attack itself.
    """
    findings: list[Finding] = []
    beginning = (*blow.support, blow.tool) if blow.begins_support else (blow.tool,)
    for used in beginning:
        scene, begun = begin_on_user(scene, attacker, used)
        findings += begun
    tally = tally_at(scene, attacker, blow, blow.target)
    if blow.blind and is_hidden(scene, blow.target, attacker):
        # A label must not tell where somebody is, or what they see, whom its author cannot see.
        guessed = ("distance", "blinded", *(() if Claim.SURPRISE in blow.claims else ("surprise",)))
        for key in guessed:
            tally = tally.without(key)
    return scene, tally, findings


def tally_at(scene: Scene, attacker: str, blow: Blow, target: str) -> Tally:
    """Add up the modifiers against one target: distance and place are its own (GC-14.35)."""
    moved = distance_after(scene, attacker, target, blow.move)
    still = scene.metres(attacker, target)
    after = scene.options.distance_measured is Measured.AFTER_MOVE  # AMB-27
    stands = apply_move(scene, attacker, blow.move, "GC-4.16")[0] if after else scene
    return tally_hit(
        scene.options,
        scene.regulation,
        scene.who(attacker),
        blow.tool,
        blow.support,
        metres=moved if after else still,
        moved_steps=steps_moved(scene, attacker, blow.move),
        aim=blow.aim,
        claims=counted_claims(scene, attacker, blow, target),
        bonuses=(*blow.bonuses, *costs_of(blow), *smoke_terms(stands, attacker, target)),
    )


def costs_of(blow: Blow) -> Iterator[Term]:
    """Give what declared intentions cost the hit score."""
    if blow.binds:  # GC-8.14
        yield Term("GC-8.14", "improper_constraint", Fraction(IMPROPER_CONSTRAINT))
    several = several_targets(blow.tool.attack_kind, len(blow.targets))
    if several is not None:
        yield several
    if blow.knock is not None and not has_knockback(blow.tool):
        yield Term("GC-10.1", "knockback", Fraction(KNOCKBACK_COST))


def counted_claims(scene: Scene, attacker: str, blow: Blow, target: str) -> tuple[Claim, ...]:
    """Give the bonuses that count: those claimed, and a place behind already held (GC-4.30).

    Nobody is behind whom one does not see; an attack from hiding comes as a surprise (GC-14.27).
    """
    unseen = blow.blind and is_hidden(scene, target, attacker)
    held = scene.is_behind(attacker, target) and not unseen
    hiding = is_hidden(scene, attacker, target)
    return (
        *blow.claims,
        *((Claim.FROM_BEHIND,) if held else ()),
        *((Claim.SURPRISE,) if hiding else ()),
    )


def launch(scene: Scene, attacker: str, blow: Blow, face: int) -> tuple[Scene, list[Finding]]:
    """Launch an attack: pay for it, move, fix its score and power, and leave it pending.

    One die serves for all its targets, each of whom answers an attack of its own (GC-14.35).
    """
    blind = blow.blind and is_hidden(scene, blow.target, attacker)  # it may be found by now
    behind = [target for target in blow.targets if scene.is_behind(attacker, target) and not blind]
    hiding = [target for target in blow.targets if is_hidden(scene, attacker, target)]
    scene, _, findings = prepare(scene, attacker, blow)
    hits = {target: tally_at(scene, attacker, blow, target) for target in blow.targets}
    who = scene.who(attacker)
    if not blow.carried:
        scene, paid = pay(scene, attacker, (blow.tool, *blow.support))
        findings += paid
    shifts = shifts_of(scene, attacker, blow.move)
    scene, moved = apply_move(scene, attacker, blow.move, "GC-4.16")
    uses, scene = _count(scene, attacker, blow)
    whole = blow.power or tally_power(scene.options, scene.regulation, who, blow.tool)
    volley: list[Incoming] = []
    for place, target in enumerate(blow.targets):
        power = spread(scene.options, blow.tool.attack_kind, whole, place, len(blow.targets))
        incoming = Incoming(
            id=f"a{scene.posts}{PLACES[place - 1] if place else ''}",
            attacker=attacker,
            target=target,
            tool=blow.tool,
            potential=power.potential,
            stat_bonus=power.stat_bonus,
            power=power.tally,
            category=power.category,
            die=face,
            hit=hits[target],
            aim=blow.aim,
            limb=blow.limb,
            use=uses[target],
            shifts=shifts,
            suspends=None if place else blow.suspends,
            riders=riders_of((blow.tool, *blow.support)),
            claims=_claimed(blow, held=target in behind, hiding=target in hiding),
            behind=target in behind,
            prefers=blow.prefers,
            knock=blow.knock,
            volley=f"a{scene.posts}" if blow.also else None,
            blind=blind,
            binds=blow.binds,
            bond_die=blow.bond_die,
        )
        volley.append(incoming)
    findings += [*moved, *(_launched(scene, incoming) for incoming in volley)]
    curtain = radius_hiding(scene, attacker, blow.target) if blind else None
    scene, among = _among_areas(scene, attacker, blow, whole, face, blind=blind)
    findings += among
    if blind:
        said: Facts = {"attacker": who.sheet.name, "name": blow.tool.name, "hit_die": face}
        findings.append(Finding("GC-9.13", "blind_launched", said))
    if blow.misses:  # GC-4.44: launched, but its target is gone
        names: Facts = {"attacker": who.sheet.name, "name": blow.tool.name}
        return scene, [*findings, Finding("GC-4.44", "hits_nothing", names)]
    scene = replace(scene, incoming=(*scene.incoming, *volley))
    scene = reveal(scene, attacker, blow.targets)
    if blind:
        metres = scene.metres(attacker, blow.target)
        scene, settled = settle_launch(scene, volley[0], metres, curtain)
        findings += settled
    for incoming in volley:
        if incoming in scene.incoming:
            scene, asked = ask_claims(scene, incoming)
            scene, bound = ask_improper(scene, incoming)
            findings += [*asked, *bound]
    scene, asked = ask_targets(scene, tuple(volley))
    findings += asked
    if blow.asks:
        scene, found = ask_continuation(scene, volley[0])
        findings.append(found)
    return scene, findings


def _among_areas(
    scene: Scene, attacker: str, blow: Blow, power: Power, face: int, *, blind: bool
) -> tuple[Scene, list[Finding]]:
    """Meet an area one is to destroy, then wear those one fights in (GC-14.33); begin new ones.

    A blind attack's own begin around its user: where its target is nobody tells (GC-9.1).
    """
    findings: list[Finding] = []
    if blow.destroys is not None:
        scene, findings = destroy(scene, attacker, blow.tool, power.total, blow.destroys)
    scene, worn = wear(scene, attacker, blow.targets, blow.tool, power.category)
    scene, begun = begin(
        scene,
        attacker,
        (blow.tool, *blow.support) if blow.begins_support else (blow.tool,),
        blow.plans,
        around=attacker if blind else blow.target,
        die=face,
        rides=f"a{scene.posts}",
    )
    return scene, [*findings, *worn, *begun]


def _tool(who: Combatant, id: str) -> Tool:
    tool = who.sheet.tool(id)
    if tool is None:
        raise ValueError(f"{id} is not on the sheet; check comes first")
    return tool


def _claimed(blow: Blow, *, held: bool, hiding: bool) -> tuple[Claim, ...]:
    """Give what is claimed against one target; a place behind it that is held needs no claim."""
    claims = dict.fromkeys((*blow.claims, *((Claim.SURPRISE,) if hiding else ())))
    return tuple(claim for claim in claims if not (held and claim is Claim.FROM_BEHIND))


def _count(scene: Scene, attacker: str, blow: Blow) -> tuple[dict[str, int], Scene]:
    """Count a technique's use, against each target (GC-4.31); not a plain weapon's (AMB-32).

    Whatever its targets, an attack is one use where uses are counted over the whole scene.
    """
    scoped = scene.options.predictability_scope is Scope.OPPONENT
    technique = blow.tool.means is Means.TECHNIQUE
    uses: dict[str, int] = {}
    for target in blow.targets:
        before = scene.who(attacker).uses_of(blow.tool.id, target if scoped else None)
        # A counter's use was counted in its defensive half, the first target's just now.
        counted = blow.carried if target == blow.target else not scoped
        uses[target] = counted_use(scene.options, blow.tool, before - counted)
        if technique and not counted:
            scene = scene.put(scene.who(attacker).used(blow.tool.id, target))
    return uses, scene


def _launched(scene: Scene, incoming: Incoming) -> Finding:
    facts: Facts = {
        **names_of(scene, incoming),
        "aim": incoming.aim,
        "hit_score": incoming.hit_score,
        "hit_die": incoming.die,
        "hit": incoming.hit,
        "power": incoming.power,
    }
    return Finding("GC-4.45", "attack_launched", facts)

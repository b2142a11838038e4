"""What a seat may see of a scene; in this edition fights are held in the open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from app.engine.findings import Question
from app.engine.glance import Figure, Glance, Shown
from app.engine.ruleset import Seat
from app.engine.tally import Tally
from app.rulesets.guida.areas import is_inside, potential_of, power_of, radius_of
from app.rulesets.guida.combatants import (
    Bond,
    Combatant,
    Concealed,
    Line,
    Running,
)
from app.rulesets.guida.conditions import held
from app.rulesets.guida.entrants import StackCount
from app.rulesets.guida.forms import size_of
from app.rulesets.guida.levels import bonus_points
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Unseen,
)
from app.rulesets.guida.senses import unseen_by
from app.rulesets.guida.sheet import Sheet
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import AreaForm, Curtain, Stack, Standing, Stat
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)
from app.rulesets.guida.veil import (
    forming_known_to,
    seen_combatant,
    seen_incoming,
    seen_pending,
    shows_incoming,
    shows_pending,
    told_questions,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatView:
    """A stat as the post shows it: base level and signed bonus points, with their working."""

    stat: Stat
    base: int
    points: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantView:
    """A combatant as everyone sees it: vitals on record, what is due, what is in force.

    All its constraints have one value, and attempts to break them so much loosening (GC-8.3).
    ``master`` is whose subordinate it is (GC-2.19), empty too where the seat does not see whose.
    Whoever put an effect or a constraint there, or has yet to post a line, is left out where the
    seat does not see them, and of others so are the sums; a value that is not told is None.
    """

    id: str
    name: str
    team: str
    standing: Standing
    turn: int
    sheet: Sheet
    hp: int
    hp_now: int
    ep: int
    ep_now: int
    stats: tuple[StatView, ...]
    lines: tuple[Line, ...]
    effects: tuple[Running, ...]
    stacks: tuple[StackCount, ...]
    armour_down: bool
    camouflage: Concealed | None
    masking: Concealed | None
    bonds: tuple[Bond, ...]
    bond_value: Tally | None
    loosening: int
    size: int
    master: str
    npc: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingView:
    """An attack on its way, with the score it has to be beaten by."""

    id: str
    attacker: str
    attacker_name: str
    target: str
    target_name: str
    name: str
    hit_score: Fraction
    attack: Incoming


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingView:
    """A generic action that has not taken effect: it may be countered, or a counter holds it."""

    id: str
    actor: str
    actor_name: str
    name: str
    success_score: Fraction
    waits: tuple[str, ...]
    held: bool
    action: Pending


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaView:
    """A control area, formed or ``forming``: how large and strong it is, and who is inside.

    ``distances`` are those of its centre; combatants that the seat cannot see are in neither list,
    nor are they named as its ``creator``.
    """

    id: str
    name: str
    creator: str
    creator_name: str
    form: AreaForm
    curtain: Curtain | None
    radius_m: int
    saturation: int | None
    potential: Fraction
    power: Fraction
    inside: tuple[str, ...]
    distances: tuple[Distance, ...]
    forming: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneView:
    """A scene as one seat sees it: nobody is in it who is hidden from that seat (GC-9.1).

    ``hidden`` says who of those it sees is hidden from whom; ``next`` is empty where it is the
    turn of somebody whom it does not see. ``combatants`` are in the order of their turns, whoever
    is out at any place among them; ``range_ladder_m`` are the bounds of the ranges (AMB-26).
    """

    seat: Seat
    combatants: tuple[CombatantView, ...]
    distances: tuple[Distance, ...]
    behind: tuple[Behind, ...]
    hidden: tuple[Unseen, ...]
    incoming: tuple[IncomingView, ...]
    pending: tuple[PendingView, ...]
    areas: tuple[AreaView, ...]
    questions: tuple[Question, ...]
    next: str
    range_ladder_m: tuple[int, ...]
    paused: bool
    ended: bool


def view(scene: Scene, seat: Seat) -> SceneView:
    """Give what a seat may see of a scene."""
    hidden = unseen_by(scene, seat)
    return SceneView(
        seat=seat,
        combatants=tuple(
            _combatant(seen_combatant(one, seat, hidden), hidden)
            for one in scene.combatants
            if one.id not in hidden
        ),
        distances=tuple(
            sorted(
                (
                    one
                    for one in scene.distances
                    if scene.has(one.a) and scene.has(one.b) and not hidden & {one.a, one.b}
                ),
                key=lambda d: (d.a, d.b),
            )
        ),
        behind=tuple(
            sorted(
                (one for one in scene.behind if not hidden & {one.who, one.whom}),
                key=lambda b: (b.who, b.whom),
            )
        ),
        hidden=tuple(
            sorted(
                (one for one in scene.hidden if not hidden & {one.who, one.observer}),
                key=lambda one: (one.who, one.observer),
            )
        ),
        incoming=tuple(
            _incoming(scene, seen_incoming(one, hidden))
            for one in scene.incoming
            if shows_incoming(one, seat, hidden)
        ),
        pending=tuple(
            _pending(scene, seen_pending(one, hidden))
            for one in scene.pending
            if shows_pending(one, seat, hidden)
        ),
        areas=tuple(_areas(scene, seat)),
        questions=told_questions(scene, scene.questions, seat, hidden),
        next="" if scene.next in hidden else scene.next,
        range_ladder_m=scene.regulation.range_ladder_m,
        paused=scene.paused,
        ended=scene.ended,
    )


def glance(seen: SceneView) -> Glance:
    """Pick hit points and energy, each with what is still to be recorded; nobody wins by rule."""
    return Glance(
        people=tuple(
            Shown(
                id=one.id,
                name=one.name,
                figures=(
                    Figure(key="hp", value=one.hp_now, most=one.sheet.max_hp),
                    Figure(key="ep", value=one.ep_now, most=one.sheet.max_ep),
                ),
                out=one.standing is not Standing.ACTIVE,
            )
            for one in seen.combatants
        )
    )


def _combatant(one: Combatant, hidden: frozenset[str]) -> CombatantView:
    return CombatantView(
        id=one.id,
        name=one.sheet.name,
        team=one.team,
        standing=one.standing,
        turn=one.turn,
        sheet=one.sheet,
        hp=one.hp,
        hp_now=one.hp_now,
        ep=one.ep,
        ep_now=one.ep_now,
        stats=tuple(
            StatView(stat=stat, base=one.sheet.stats.of(stat), points=bonus_points(one, stat))
            for stat in Stat
        ),
        lines=one.lines,
        effects=one.effects,
        stacks=tuple(
            StackCount(stack=stack, count=held(one, stack)) for stack in Stack if held(one, stack)
        ),
        armour_down=one.armour_down,
        camouflage=one.camouflage,
        masking=one.masking,
        bonds=one.bonds,
        bond_value=one.bond_value,
        loosening=one.loosening,
        size=size_of(one),
        master="" if one.master is None or one.master in hidden else one.master,
        npc=one.npc,
    )


def _incoming(scene: Scene, one: Incoming) -> IncomingView:
    return IncomingView(
        id=one.id,
        attacker=one.attacker,
        attacker_name=scene.who(one.attacker).sheet.name,
        target=one.target,
        target_name=scene.who(one.target).sheet.name,
        name=one.tool.name,
        hit_score=one.hit_score,
        attack=one,
    )


def _pending(scene: Scene, one: Pending) -> PendingView:
    return PendingView(
        id=one.id,
        actor=one.actor,
        actor_name=scene.who(one.actor).sheet.name,
        name=one.tool.name if one.tool else one.action,
        success_score=one.success_score,
        waits=one.waits,
        held=one.held,
        action=one,
    )


def _areas(scene: Scene, seat: Seat) -> Iterator[AreaView]:
    unseen = unseen_by(scene, seat)
    seen = [one.id for one in scene.combatants if one.id not in unseen]
    for area in (*scene.areas, *forming_known_to(scene, seat)):
        yield AreaView(
            id=area.id,
            name=area.name,
            creator="" if area.creator in unseen else area.creator,
            creator_name="" if area.creator in unseen else scene.who(area.creator).sheet.name,
            form=area.form,
            curtain=area.curtain,
            radius_m=radius_of(area),
            saturation=area.saturation,
            potential=potential_of(area),
            power=power_of(scene.options, area),
            inside=tuple(id for id in seen if is_inside(scene, area, id)),
            distances=tuple(
                Distance(a=area.id, b=id, metres=scene.metres(area.id, id)) for id in seen
            ),
            forming=area not in scene.areas,
        )

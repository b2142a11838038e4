"""What a seat may decide now, as data: the form and the API offer exactly this."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product

from app.engine.findings import Facts, Obstacle, Violation
from app.engine.ruleset import GM, Awaited, Seat
from app.rulesets.guida.effects import check_effects
from app.rulesets.guida.legality import (
    DEFENCES,
    check_seat,
    cost_of,
    dodge_reach,
)
from app.rulesets.guida.options import BeyondRange
from app.rulesets.guida.orders import Attack, Defence, Turn
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import Combatant, Incoming, Scene
from app.rulesets.guida.success import can_aim
from app.rulesets.guida.terms import Action, Aim, Claim, Limb
from app.rulesets.guida.turn import open_turn
from app.rulesets.guida.uses import usable


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolChoice:
    """A technique or weapon one may use now, and what it costs."""

    id: str
    name: str
    ep: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NotNow:
    """A technique or weapon of the sheet that cannot be used now, and why."""

    id: str
    name: str
    use: str
    why: tuple[Obstacle, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceChoice:
    """A defence one may declare, and what it may be made with; ``bare``: with nothing at all."""

    action: Action
    bare: bool
    tools: tuple[ToolChoice, ...]
    support: tuple[ToolChoice, ...]
    moves: bool
    reach_m: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackChoice:
    """A weapon or technique one may attack one target with, from where one stands."""

    target: str
    target_name: str
    tool: ToolChoice
    aims: tuple[Aim, ...]
    limbs: tuple[Limb, ...]
    claims: tuple[Claim, ...]
    in_range: bool
    max_m: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """All that a combatant may declare in the turn that is open to it.

    ``obstacles`` empty means that the turn is open; ``ep`` is what there is to spend.
    """

    seat: str
    obstacles: tuple[Obstacle, ...]
    incoming: tuple[Incoming, ...] = ()
    defences: tuple[DefenceChoice, ...] = ()
    attacks: tuple[AttackChoice, ...] = ()
    support: tuple[ToolChoice, ...] = ()
    not_now: tuple[NotNow, ...] = ()
    hp: int = 0
    ep: int = 0
    ep_to_spend: int = 0
    orders: tuple[str, ...] = ()


PLAYER_ORDERS = ("manual", "withdraw", "replace_sheet")
GM_ORDERS = (
    "answer",
    "place",
    "manual",
    "set_value",
    "adequacy",
    "pause",
    "resume",
    "close",
    "withdraw",
    "replace_sheet",
)


def awaits(scene: Scene) -> Awaited:
    """Say whose turn it is, and what waits for the Master."""
    blocked = {seat for question in scene.questions for seat in question.blocks}
    over = scene.ended or scene.paused
    return Awaited(
        seats=() if over or scene.next in blocked else (scene.next,),
        questions=scene.questions,
        blocked=(scene.next,) if scene.next in blocked and not over else (),
        paused=scene.paused,
        ended=scene.ended,
    )


def choices(scene: Scene, seat: Seat) -> Choices:
    """List what a seat may decide now."""
    if seat == GM or not scene.has(seat):
        return Choices(seat=seat, obstacles=(), orders=_orders(scene, seat))
    obstacles = tuple(check_seat(scene, seat))
    who = scene.who(seat)
    if obstacles:
        return Choices(
            seat=seat,
            obstacles=obstacles,
            incoming=scene.against(seat),
            hp=who.hp,
            ep=who.ep,
            orders=_orders(scene, seat),
        )
    opened = open_turn(scene, Turn(by=seat)).scene
    return _open(opened, opened.who(seat), _orders(scene, seat))


def turns(offered: Choices, who: Combatant) -> Iterator[Turn]:
    """Go through every turn without moves that these choices allow, within the energy there is."""
    if offered.obstacles:
        return
    for defences in _defence_lists(offered):
        for main in (None, *_attacks(offered)):
            turn = Turn(by=offered.seat, defences=defences, main=main)
            if cost_of(who, turn) <= offered.ep_to_spend and _supports_differ(turn):
                yield turn


def _open(scene: Scene, who: Combatant, orders: tuple[str, ...]) -> Choices:
    tools = who.sheet.tools
    guarding = _supports_of(who, attacking=False)
    incoming = scene.against(who.id)
    defences = tuple(
        DefenceChoice(
            action=action,
            bare=True,
            tools=_usable(scene, who, tools, "guards") if action is Action.GUARD else (),
            support=() if action is Action.NULL_DEFENCE else guarding,
            moves=action is not Action.NULL_DEFENCE,
            reach_m=dodge_reach(scene, who) if action is Action.DODGE else None,
        )
        for action in DEFENCES
    )
    return Choices(
        seat=who.id,
        obstacles=(),
        incoming=incoming,
        defences=defences if incoming else (),
        attacks=tuple(_attack_choices(scene, who)),
        support=_supports_of(who, attacking=True),
        not_now=tuple(_not_now(scene, who)),
        hp=who.hp,
        ep=who.ep,
        ep_to_spend=who.ep_now,
        orders=("turn", *orders),
    )


def _usable(
    scene: Scene, who: Combatant, tools: Iterable[Tool], use: str
) -> tuple[ToolChoice, ...]:
    return tuple(
        _offer(tool)
        for tool in tools
        if tool.ep <= who.ep_now and not any(usable(scene.regulation, tool, "", use))
    )


def _supports_of(who: Combatant, *, attacking: bool) -> tuple[ToolChoice, ...]:
    """List secondary actions; one that settles on a target needs an attack to ride on."""
    return tuple(
        _offer(tool)
        for tool in who.sheet.tools
        if tool.supports
        and tool.ep <= who.ep_now
        and not any(check_effects(tool, "", attacking=attacking))
    )


def _attack_choices(scene: Scene, who: Combatant) -> Iterator[AttackChoice]:
    for target in scene.opponents(who.id):
        metres = scene.metres(who.id, target.id)
        claims = [Claim.SURPRISE]
        if not scene.is_behind(who.id, target.id):
            claims.append(Claim.FROM_BEHIND)
        for tool in who.sheet.tools:
            if tool.ep > who.ep_now or any(usable(scene.regulation, tool, "", "attacks")):
                continue
            aimed = can_aim(scene.options, tool)
            reject = scene.options.beyond_max_range is BeyondRange.REJECT
            yield AttackChoice(
                target=target.id,
                target_name=target.sheet.name,
                tool=_offer(tool),
                aims=tuple(Aim) if aimed else (Aim.BODY,),
                limbs=tuple(Limb) if aimed else (),
                claims=tuple(claims),
                in_range=not reject or tool.max_m is None or metres <= tool.max_m,
                max_m=tool.max_m,
            )


def _not_now(scene: Scene, who: Combatant) -> Iterator[NotNow]:
    for tool in who.sheet.tools:
        for use in ("attacks", "guards", "supports"):
            if getattr(tool, use):
                why: tuple[Obstacle, ...] = tuple(usable(scene.regulation, tool, "", use))
                if tool.ep > who.ep_now:
                    facts: Facts = {"cost": tool.ep, "ep": who.ep_now}
                    why = (*why, Violation("GC-2.6", "not_enough_energy", "", facts))
                if why:
                    yield NotNow(id=tool.id, name=tool.name, use=use, why=why)


def _offer(tool: Tool) -> ToolChoice:
    return ToolChoice(id=tool.id, name=tool.name, ep=tool.ep)


def _orders(scene: Scene, seat: Seat) -> tuple[str, ...]:
    if scene.ended:
        return ()
    if seat == GM:
        state = {"pause": not scene.paused, "resume": scene.paused}
        state["answer"] = bool(scene.questions)
        state["adequacy"] = bool(scene.incoming)
        return tuple(order for order in GM_ORDERS if state.get(order, True))
    if not scene.has(seat) or not scene.who(seat).active:
        return ()
    return PLAYER_ORDERS[:2] if scene.is_engaged(seat) else PLAYER_ORDERS


def _attacks(offered: Choices) -> Iterator[Attack]:
    for choice in offered.attacks:
        if not choice.in_range:
            continue
        aims: list[tuple[Aim, Limb | None]] = [
            pair
            for aim in choice.aims
            for pair in (
                [(aim, limb) for limb in choice.limbs] if aim is Aim.LIMBS else [(aim, None)]
            )
        ]
        for (aim, limb), support, claims in product(
            aims, _subsets(offered.support), _claim_sets(choice.claims)
        ):
            yield Attack(
                target=choice.target,
                tool=choice.tool.id,
                aim=aim,
                limb=limb,
                support=support,
                claims=claims,
            )


def _defence_lists(offered: Choices) -> Iterator[tuple[Defence, ...]]:
    ids = [attack.id for attack in offered.incoming]
    for groups in _groupings(ids):
        options = [list(_made(offered, group)) for group in groups]
        for made in product(*options):
            yield from permutations(made)


def _made(offered: Choices, group: tuple[str, ...]) -> Iterator[Defence]:
    for choice in offered.defences:
        tools = ((None,) if choice.bare else ()) + tuple(tool.id for tool in choice.tools)
        for tool, support in product(tools, _subsets(choice.support)):
            yield Defence(action=choice.action, against=group, tool=tool, support=support)


def _groupings(ids: list[str]) -> Iterator[list[tuple[str, ...]]]:
    """Split any part of the attacks into groups answered together; the rest stays unanswered."""
    if not ids:
        yield []
        return
    first, rest = ids[0], ids[1:]
    for groups in _groupings(rest):
        yield groups
        yield [(first,), *groups]
        for index, group in enumerate(groups):
            yield [*groups[:index], (first, *group), *groups[index + 1 :]]


def _subsets(tools: tuple[ToolChoice, ...]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for tool in tools:
        found += [(*subset, tool.id) for subset in found]
    return found


def _claim_sets(claims: tuple[Claim, ...]) -> list[tuple[Claim, ...]]:
    found: list[tuple[Claim, ...]] = [()]
    for claim in claims:
        found += [(*subset, claim) for subset in found]
    return found


def _supports_differ(turn: Turn) -> bool:
    actions = (*turn.defences, *((turn.main,) if turn.main is not None else ()))
    used = [id for action in actions for id in action.support]
    own = any(action.tool in action.support for action in actions)
    return len(used) == len(set(used)) and not own

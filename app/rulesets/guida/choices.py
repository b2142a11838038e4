"""What a seat may decide now, as data: the form and the API offer exactly this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.findings import Facts, Obstacle, Violation
from app.engine.ruleset import GM, Awaited, Seat
from app.rulesets.guida.defence import opponent_of
from app.rulesets.guida.effects import check_effects
from app.rulesets.guida.generic import annul, confirm, pass_by
from app.rulesets.guida.legality import DEFENCES, MADE_WITH, check_seat, dodge_reach
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.orders import Turn
from app.rulesets.guida.sheet import Heal, Tool
from app.rulesets.guida.state import Combatant, Incoming, Pending, Ruled, Scene
from app.rulesets.guida.success import can_aim
from app.rulesets.guida.tables import COUNTERS, WITH_PREPARATION
from app.rulesets.guida.terms import Action, Aim, AttackForm, Claim, Limb, Secondary, Stat
from app.rulesets.guida.turn import open_turn
from app.rulesets.guida.uses import is_beyond, usable


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolChoice:
    """A technique or weapon one may use now, what it costs, and where it may be aimed."""

    id: str
    name: str
    ep: int
    aims: tuple[Aim, ...] = (Aim.BODY,)
    limbs: tuple[Limb, ...] = ()
    secondary: Secondary = Secondary.QUICK


@dataclass(frozen=True, slots=True, kw_only=True)
class NotNow:
    """A technique or weapon of the sheet that cannot be used now, and why."""

    id: str
    name: str
    use: str
    why: tuple[Obstacle, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FarChoice:
    """A tool that does not reach an opponent from where one stands: it needs a move (AMB-25)."""

    tool: ToolChoice
    max_m: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceChoice:
    """A defence one may declare: against what, made with what.

    ``bare``: with nothing at all; ``continues``: it says how it goes on toward the opponent, so
    that there is one such choice for each of them. ``after_move`` are tools that only a move of
    the same defence brings within range.
    """

    action: Action
    against: tuple[str, ...]
    bare: bool
    tools: tuple[ToolChoice, ...]
    support: tuple[ToolChoice, ...]
    moves: bool
    reach_m: Fraction | None
    continues: bool
    after_move: tuple[FarChoice, ...] = ()


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
class Person:
    """A combatant one may name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspendedChoice:
    """A suspended action: its owner confirms or annuls it before anything else (GC-4.80)."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """All that a combatant may declare in the turn that is open to it.

    ``obstacles`` empty means that the turn is open; ``ep_to_spend`` is what there is to spend.
    ``counter_leaves_main``: a main action may be declared beside a counterattack (AMB-21).
    With a suspended action the rest is what may be declared if it is annulled, and
    ``if_confirmed`` what may be declared if it is confirmed.
    """

    seat: str
    obstacles: tuple[Obstacle, ...]
    suspended: tuple[SuspendedChoice, ...] = ()
    if_confirmed: Choices | None = None
    incoming: tuple[Incoming, ...] = ()
    pending: tuple[Pending, ...] = ()
    defences: tuple[DefenceChoice, ...] = ()
    independents: tuple[ToolChoice, ...] = ()
    attacks: tuple[AttackChoice, ...] = ()
    support: tuple[ToolChoice, ...] = ()
    preparation: tuple[ToolChoice, ...] = ()
    preparation_reach_m: Fraction = Fraction(0)
    generics: tuple[ToolChoice, ...] = ()
    beneficiaries: tuple[Person, ...] = ()
    quiet_support: tuple[ToolChoice, ...] = ()
    counter_leaves_main: bool = False
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
    "impact",
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
    orders = _orders(scene, seat)
    if seat == GM or not scene.has(seat):
        return Choices(seat=seat, obstacles=(), orders=orders)
    obstacles = tuple(check_seat(scene, seat))
    if obstacles:
        who = scene.who(seat)
        return Choices(
            seat=seat,
            obstacles=obstacles,
            incoming=scene.against(seat),
            hp=who.hp,
            ep=who.ep,
            orders=orders,
        )
    opened = open_turn(scene, Turn(by=seat)).scene
    held = opened.suspended(seat)
    annulled, confirmed = opened, opened
    for pending in held:
        annulled = annul(annulled, pending)[0]
        confirmed = confirm(confirmed, pending)[0]
    offered = _open(annulled, annulled.who(seat), ("turn", *orders))
    if not held:
        return offered
    paid = confirmed.who(seat).ep_now >= 0
    return replace(
        offered,
        suspended=tuple(
            SuspendedChoice(id=one.id, name=one.tool.name if one.tool else one.action)
            for one in held
        ),
        # What can no longer be paid for can only be annulled.
        if_confirmed=_open(confirmed, confirmed.who(seat), ("turn", *orders)) if paid else None,
    )


def _open(scene: Scene, who: Combatant, orders: tuple[str, ...]) -> Choices:
    incoming = scene.against(who.id)
    pending = scene.counterable(who.id)
    return Choices(
        seat=who.id,
        obstacles=(),
        incoming=incoming,
        pending=pending,
        defences=tuple(_defences(scene, who, incoming, pending)),
        independents=_supports(who, attacking=False) if incoming else (),
        attacks=tuple(_attacks(scene, who)),
        support=_supports(who, attacking=True),
        preparation=tuple(
            one for one in _supports(who, attacking=False) if one.secondary in WITH_PREPARATION
        ),
        preparation_reach_m=max(Fraction(0), total_level(who, Stat.DEXTERITY).total),
        generics=_usable(scene, who, "generic"),
        beneficiaries=tuple(
            Person(id=one.id, name=one.sheet.name) for one in scene.combatants if one.active
        ),
        quiet_support=_supports(who, attacking=False),
        counter_leaves_main=scene.options.annulled_counter_frees_main_action,
        not_now=tuple(_not_now(scene, who)),
        hp=who.hp,
        ep=who.ep,
        ep_to_spend=who.ep_now,
        orders=orders,
    )


def _defences(
    scene: Scene, who: Combatant, incoming: tuple[Incoming, ...], pending: tuple[Pending, ...]
) -> Iterator[DefenceChoice]:
    for action in DEFENCES:
        against = _answerable(scene, action, incoming, pending)
        if action in COUNTERS:
            yield from _counters(scene, who, action, against)
            continue
        use = MADE_WITH[action]
        tools = _usable(scene, who, use) if use else ()
        bare = use is None or action is Action.GUARD
        if not against or not (bare or tools):
            continue
        null = action is Action.NULL_DEFENCE
        yield DefenceChoice(
            action=action,
            against=against,
            bare=bare,
            tools=tools,
            support=() if null else _supports(who, attacking=False),
            moves=not null,
            reach_m=dodge_reach(scene, who) if action is Action.DODGE else None,
            continues=False,
        )


def _counters(
    scene: Scene, who: Combatant, action: Action, against: tuple[str, ...]
) -> Iterator[DefenceChoice]:
    """Offer a counterattack once for each opponent, with what reaches that one (GC-14.13)."""
    both: tuple[Incoming | Pending, ...] = (*scene.against(who.id), *scene.counterable(who.id))
    authors = {one.id: opponent_of(one) for one in both}
    usable_now = _usable(scene, who, "attacks")
    for opponent in dict.fromkeys(authors[id] for id in against):
        metres = scene.metres(who.id, opponent)
        far = tuple(
            FarChoice(tool=offered, max_m=tool.max_m)
            for offered in usable_now
            for tool in who.sheet.tools_by_id((offered.id,))
            if tool.max_m is not None and is_beyond(scene.options, tool, metres)
        )
        beyond = {one.tool.id for one in far}
        near = tuple(one for one in usable_now if one.id not in beyond)
        if near or far:
            yield DefenceChoice(
                action=action,
                against=tuple(id for id in against if authors[id] == opponent),
                bare=False,
                tools=near,
                support=_supports(who, attacking=False),
                moves=True,
                reach_m=None,
                continues=True,
                after_move=far,
            )


def _answerable(
    scene: Scene, action: Action, incoming: tuple[Incoming, ...], pending: tuple[Pending, ...]
) -> tuple[str, ...]:
    if action is Action.GENERIC_COUNTERATTACK:
        return tuple(one.id for one in pending)
    if action is Action.UNBALANCE:
        return tuple(one.id for one in incoming if one.tool.form is AttackForm.MELEE)
    if action is Action.DIRECT_COUNTERATTACK:
        return tuple(
            one.id
            for one in incoming
            if Ruled(attack=one.id, defence=action, adequate=False) not in scene.ruled
        )
    return tuple(one.id for one in incoming)


def _usable(scene: Scene, who: Combatant, use: str) -> tuple[ToolChoice, ...]:
    return tuple(
        _offer(scene, tool)
        for tool in who.sheet.tools
        if tool.ep <= who.ep_now and not any(usable(scene.regulation, tool, "", use))
    )


def _supports(who: Combatant, *, attacking: bool) -> tuple[ToolChoice, ...]:
    """List secondary actions; one that settles on a target needs an attack to ride on."""
    return tuple(
        ToolChoice(id=tool.id, name=tool.name, ep=tool.ep, secondary=tool.secondary)
        for tool in who.sheet.tools
        if tool.supports
        and tool.ep <= who.ep_now
        and not any(isinstance(effect, Heal) for effect in tool.effects)
        and not any(check_effects(tool, "", attacking=attacking))
    )


def _attacks(scene: Scene, who: Combatant) -> Iterator[AttackChoice]:
    """Offer attacks from where one stands once what nobody counters has taken effect (GC-14.17)."""
    scene, _ = pass_by(scene, who.id)
    for target in scene.opponents(who.id):
        metres = scene.metres(who.id, target.id)
        claims = [Claim.SURPRISE]
        if not scene.is_behind(who.id, target.id):
            claims.append(Claim.FROM_BEHIND)
        for offered in _usable(scene, who, "attacks"):
            (tool,) = who.sheet.tools_by_id((offered.id,))
            yield AttackChoice(
                target=target.id,
                target_name=target.sheet.name,
                tool=offered,
                aims=offered.aims,
                limbs=offered.limbs,
                claims=tuple(claims),
                in_range=not is_beyond(scene.options, tool, metres),
                max_m=tool.max_m,
            )


def _not_now(scene: Scene, who: Combatant) -> Iterator[NotNow]:
    for tool in who.sheet.tools:
        for use in ("attacks", "guards", "parries", "supports", "generic"):
            if not getattr(tool, use):
                continue
            why: tuple[Obstacle, ...] = tuple(usable(scene.regulation, tool, "", use))
            if tool.ep > who.ep_now:
                facts: Facts = {"cost": tool.ep, "ep": who.ep_now}
                why = (*why, Violation("GC-2.6", "not_enough_energy", "", facts))
            if why:
                yield NotNow(id=tool.id, name=tool.name, use=use, why=why)


def _offer(scene: Scene, tool: Tool) -> ToolChoice:
    aimed = can_aim(scene.options, tool)
    return ToolChoice(
        id=tool.id,
        name=tool.name,
        ep=tool.ep,
        aims=tuple(Aim) if aimed else (Aim.BODY,),
        limbs=tuple(Limb) if aimed else (),
        secondary=tool.secondary,
    )


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

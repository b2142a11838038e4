"""What a seat may decide now, as data: the form and the API offer exactly this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Facts, Obstacle, Violation
from app.engine.ruleset import GM, Seat
from app.rulesets.guida.ally_choices import (
    ally_attacks,
    further_targets,
)
from app.rulesets.guida.area_choices import area_choices
from app.rulesets.guida.areas import can_answer
from app.rulesets.guida.arrivals import has_room
from app.rulesets.guida.attempts import check_form
from app.rulesets.guida.blind import kind_of
from app.rulesets.guida.bond_choices import (
    as_freed,
    hampered,
    lacks,
    liberations,
    limits,
    preparation_reach,
    stays,
)
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.defence_choices import defence_choices
from app.rulesets.guida.generic import annul, confirm
from app.rulesets.guida.initial import open_turn
from app.rulesets.guida.legality import check_seat
from app.rulesets.guida.offers import (
    AttackChoice,
    Choices,
    NotNow,
    Person,
    SuspendedChoice,
    ToolChoice,
)
from app.rulesets.guida.orders import (
    Turn,
)
from app.rulesets.guida.places import (
    Unseen,
)
from app.rulesets.guida.senses import unseen_by
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.stealth import check, fit
from app.rulesets.guida.tables import WITH_PREPARATION
from app.rulesets.guida.targets import most_targets
from app.rulesets.guida.terms import Action, Aim, Claim
from app.rulesets.guida.throws import may_recover
from app.rulesets.guida.tool_choices import offer, supports_now, usable_now
from app.rulesets.guida.toward import strikes
from app.rulesets.guida.uses import is_beyond, is_known, usable
from app.rulesets.guida.veil import seen_incoming, seen_pending

PLAYER_ORDERS = ("manual", "withdraw", "replace_sheet")
GM_ORDERS = (
    "answer",
    "place",
    "manual",
    "set_value",
    "adequacy",
    "impact",
    "end_area",
    "pause",
    "resume",
    "close",
    "join",
    "turn_order",
    "withdraw",
    "replace_sheet",
)


def choices(scene: Scene, seat: Seat) -> Choices:
    """List what a seat may decide now."""
    orders = _orders(scene, seat)
    if seat == GM or not scene.has(seat):
        return Choices(seat=seat, obstacles=(), orders=orders)
    obstacles: tuple[Obstacle, ...] = tuple(check_seat(scene, seat))
    opened = scene if obstacles else open_turn(scene, Turn(by=seat)).scene
    # What acts by itself may lack a number: then there is no turn at all (GC-9.4).
    obstacles = obstacles or tuple(check(opened, Turn(by=seat)))
    if obstacles:
        who = scene.who(seat)
        return Choices(
            seat=seat,
            obstacles=obstacles,
            incoming=tuple(
                seen_incoming(one, unseen_by(scene, seat)) for one in scene.against(seat)
            ),
            hp=who.hp,
            ep=who.ep,
            orders=orders,
        )
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
            SuspendedChoice(
                id=one.id,
                name=one.tool.name if one.tool else one.action,
                strikes=strikes(opened, one),
            )
            for one in held
        ),
        # What can no longer be paid for can only be annulled.
        if_confirmed=_open(confirmed, confirmed.who(seat), ("turn", *orders)) if paid else None,
    )


def _open(scene: Scene, who: Combatant, orders: tuple[str, ...]) -> Choices:
    """List what may be declared now, and what after an attempt to break free (GC-14.22)."""
    offered = _offered(scene, who, orders)
    freed = as_freed(scene, who)
    if freed is None:
        return offered
    return replace(offered, if_freed=_offered(freed, freed.who(who.id), orders))


def _offered(scene: Scene, who: Combatant, orders: tuple[str, ...]) -> Choices:
    hidden = unseen_by(scene, who.id)
    incoming = scene.against(who.id)
    pending = tuple(
        one
        for one in scene.counterable(who.id)
        if one.rides is None or can_answer(scene, one, who.id, Action.DODGE)
    )
    return Choices(
        seat=who.id,
        obstacles=(),
        incoming=tuple(seen_incoming(one, hidden) for one in incoming),
        pending=tuple(seen_pending(one, hidden) for one in pending),
        at_allies=ally_attacks(scene, who),
        defences=tuple(defence_choices(scene, who, incoming, pending)),
        independents=supports_now(scene, who, attacking=False) if incoming else (),
        attacks=tuple(_attacks(scene, who)),
        support=supports_now(scene, who, attacking=True),
        preparation=tuple(
            one
            for one in supports_now(scene, who, attacking=False)
            if one.secondary in WITH_PREPARATION and not one.creates_area
        ),
        preparation_reach_m=preparation_reach(scene, who),
        generics=tuple(_generics(scene, who)),
        beneficiaries=tuple(
            Person(id=one.id, name=one.sheet.name)
            for one in scene.combatants
            if one.active and is_known(_answered(scene, who), who, one.id)
        ),
        areas=tuple(area_choices(scene, who)),
        moves_leave_areas=scene.options.in_action_moves_escape_area,
        quiet_support=supports_now(scene, who, attacking=False),
        perceptions=_of_senses(scene, who, Action.PERCEPTION),
        camouflages=_of_senses(scene, who, Action.CAMOUFLAGE),
        maskings=_of_senses(scene, who, Action.MASKING),
        liberations=tuple(offer(scene, who, tool) for tool in liberations(scene, who)),
        stays=stays(scene, who),
        limits=tuple(limits(scene, who)),
        hides_from=tuple(
            Person(id=one.id, name=one.sheet.name)
            for one in scene.opponents(who.id)
            if Unseen(who=who.id, observer=one.id) not in scene.hidden
        ),
        recovers=may_recover(scene, who.id),
        counter_leaves_main=scene.options.annulled_counter_frees_main_action,
        not_now=tuple(_not_now(scene, who)),
        hp=who.hp,
        ep=who.ep,
        ep_to_spend=who.ep_now,
        orders=orders,
    )


def _generics(scene: Scene, who: Combatant) -> Iterator[ToolChoice]:
    """Offer generic actions, each with those it does not reach from where one stands (AMB-25)."""
    for offered in usable_now(scene, who, "generic"):
        tool = who.sheet.tool(offered.id)
        others = (one.id for one in scene.combatants if one.id != who.id)
        far = tuple(
            id
            for id in others
            if tool is not None
            and is_known(scene, who, id)
            and is_beyond(scene.options, tool, scene.metres(who.id, id))
        )
        yield replace(offered, too_far=far)


def _attacks(scene: Scene, who: Combatant) -> Iterator[AttackChoice]:
    ready = usable_now(scene, who, "attacks")
    scene = _answered(scene, who)
    for target in scene.opponents(who.id):
        if not is_known(scene, who, target.id):
            yield from _blind_attacks(scene, who, target, ready)
            continue
        metres = scene.metres(who.id, target.id)
        claims = [Claim.SURPRISE]
        if not scene.is_behind(who.id, target.id):
            claims.append(Claim.FROM_BEHIND)
        for offered in ready:
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
                also=further_targets(scene, who, tool, target.id),
                most_targets=most_targets(tool),
            )


def _answered(scene: Scene, who: Combatant) -> Scene:
    """Give the scene of an Offensive Phase: what came in gives nobody away any more (GC-9.1)."""
    rest = tuple(one for one in scene.incoming if one.target != who.id)
    return replace(scene, incoming=rest)


def _blind_attacks(
    scene: Scene, who: Combatant, target: Combatant, ready: tuple[ToolChoice, ...]
) -> Iterator[AttackChoice]:
    """Offer what one may send where a hidden target could be; its range is not for one to know."""
    for offered in ready:
        tool = who.sheet.tool(offered.id)
        if tool is not None and kind_of(scene.options, tool) is not None:
            yield AttackChoice(
                target=target.id,
                target_name=target.sheet.name,
                tool=offered,
                aims=(Aim.BODY,),
                limbs=(),
                claims=(Claim.SURPRISE,),
                in_range=True,
                max_m=tool.max_m,
                blind=True,
            )


def _of_senses(scene: Scene, who: Combatant, action: Action) -> tuple[ToolChoice, ...]:
    return tuple(
        offer(scene, who, tool)
        for tool in who.sheet.tools
        if tool.ep <= who.ep_now and not any(fit(scene.options, scene.regulation, tool, action, ""))
    )


def _not_now(scene: Scene, who: Combatant) -> Iterator[NotNow]:
    for tool in who.sheet.tools:
        for use in ("attacks", "guards", "parries", "supports", "generic"):
            if not getattr(tool, use):
                continue
            found = usable(scene.regulation, tool, "", use)
            form = check_form(scene, who, tool, "")
            hindered = (*lacks(scene, tool, use), *hampered(scene, who, tool), *form)
            why: tuple[Obstacle, ...] = (*found, *hindered)
            if tool.ep > who.ep_now:
                facts: Facts = {"cost": tool.ep, "ep": who.ep_now}
                why = (*why, Violation("GC-2.6", "not_enough_energy", "", facts))
            if why:
                yield NotNow(id=tool.id, name=tool.name, use=use, why=why)


def _orders(scene: Scene, seat: Seat) -> tuple[str, ...]:
    if scene.ended:
        return ()
    if seat == GM:
        state = {"pause": not scene.paused, "resume": scene.paused}
        state["answer"] = bool(scene.questions)
        state["end_area"] = bool(scene.areas)
        state["join"] = has_room(scene)
        state["adequacy"] = bool(scene.incoming)
        return tuple(order for order in GM_ORDERS if state.get(order, True))
    if not scene.has(seat) or not scene.who(seat).active:
        return ()
    return PLAYER_ORDERS[:2] if scene.is_engaged(seat) else PLAYER_ORDERS

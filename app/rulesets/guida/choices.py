"""What a seat may decide now, as data: the form and the API offer exactly this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Facts, Obstacle, Violation
from app.engine.ruleset import GM, Seat
from app.rulesets.guida.allies import at_allies, works_as
from app.rulesets.guida.ally_choices import (
    ally_attacks,
    further_targets,
    sheltering,
    standing_still,
)
from app.rulesets.guida.area_actions import area_effects, check_area
from app.rulesets.guida.area_choices import area_choices
from app.rulesets.guida.areas import can_answer
from app.rulesets.guida.arrivals import has_room
from app.rulesets.guida.blind import kind_of
from app.rulesets.guida.bond_choices import (
    as_freed,
    can_free,
    hampered,
    improper_binds,
    is_left,
    lacks,
    liberations,
    limits,
    preparation_reach,
    stays,
)
from app.rulesets.guida.defence import opponent_of
from app.rulesets.guida.effects import check_effects, has_knockback
from app.rulesets.guida.generic import annul, confirm
from app.rulesets.guida.initial import open_turn
from app.rulesets.guida.intentions import can_knock, can_throw, recoverable
from app.rulesets.guida.legality import BARE, DEFENCES, check_seat, dodge_reach, made_with
from app.rulesets.guida.offers import (
    AttackChoice,
    Choices,
    DefenceChoice,
    FarChoice,
    NotNow,
    Person,
    SuspendedChoice,
    ToolChoice,
)
from app.rulesets.guida.orders import Turn, Unseen
from app.rulesets.guida.senses import unseen_by
from app.rulesets.guida.sheet import Heal, StackEffect, Tool
from app.rulesets.guida.state import Combatant, Incoming, Pending, Ruled, Scene
from app.rulesets.guida.stealth import fit
from app.rulesets.guida.success import can_aim
from app.rulesets.guida.tables import ALLY_DEFENCES, COUNTERS, TYPE_1, WITH_PREPARATION
from app.rulesets.guida.targets import most_targets
from app.rulesets.guida.terms import Action, Aim, AttackForm, Claim, Limb
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
    obstacles = tuple(check_seat(scene, seat))
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
        defences=tuple(_defences(scene, who, incoming, pending)),
        independents=_supports(scene, who, attacking=False) if incoming else (),
        attacks=tuple(_attacks(scene, who)),
        support=_supports(scene, who, attacking=True),
        preparation=tuple(
            one
            for one in _supports(scene, who, attacking=False)
            if one.secondary in WITH_PREPARATION and not one.creates_area
        ),
        preparation_reach_m=preparation_reach(scene, who),
        generics=tuple(_generics(scene, who)),
        beneficiaries=tuple(
            Person(id=one.id, name=one.sheet.name)
            for one in scene.combatants
            if one.active and is_known(scene, who, one.id)
        ),
        areas=tuple(area_choices(scene, who)),
        moves_leave_areas=scene.options.in_action_moves_escape_area,
        quiet_support=_supports(scene, who, attacking=False),
        perceptions=_of_senses(scene, who, Action.PERCEPTION),
        camouflages=_of_senses(scene, who, Action.CAMOUFLAGE),
        maskings=_of_senses(scene, who, Action.MASKING),
        liberations=tuple(_offer(scene, who, tool) for tool in liberations(scene, who)),
        stays=stays(scene, who),
        limits=tuple(limits(scene, who)),
        hides_from=tuple(
            Person(id=one.id, name=one.sheet.name)
            for one in scene.opponents(who.id)
            if Unseen(who=who.id, observer=one.id) not in scene.hidden
        ),
        recovers=any(throw.thrown == who.id for throw in scene.throws),
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
        for_ally = action in ALLY_DEFENCES
        against = _answerable(scene, who, action, incoming)
        against += tuple(one.id for one in pending if can_answer(scene, one, who.id, action))
        still = standing_still(scene, who, action) if for_ally else ()
        if for_ally and stays(scene, who):  # only what is met without a step is left
            against = tuple(id for id in against if id in still)
        if action in COUNTERS:
            yield from _counters(scene, who, action, against, still)
            continue
        use = made_with(scene.options, action)
        tools = _usable(scene, who, use) if use else ()
        bare = use is None or action in BARE
        if not against or not (bare or tools) or not is_left(scene, who, action):
            continue
        null = action is Action.NULL_DEFENCE
        dodges = works_as(scene.options, action) is Action.DODGE
        yield DefenceChoice(
            action=action,
            against=against,
            bare=bare,
            tools=tuple(
                replace(one, knocks=can_throw(scene, who, action, one.id)) for one in tools
            ),
            support=() if null else _supports(scene, who, attacking=False),
            moves=not null and not stays(scene, who),
            reach_m=dodge_reach(scene, who, action) if dodges else None,
            continues=False,
            must_move=for_ally,
            still=still,
            recovers=recoverable(scene, action, against),
        )


def _counters(
    scene: Scene, who: Combatant, action: Action, against: tuple[str, ...], still: tuple[str, ...]
) -> Iterator[DefenceChoice]:
    """Offer a counterattack once for each opponent, with what reaches that one (GC-14.13).

    One for an ally has to move, but against what it meets ``still`` (GC-13.16).
    """
    both: tuple[Incoming | Pending, ...] = (
        *scene.against(who.id),
        *at_allies(scene, who.id),
        *scene.counterable(who.id),
    )
    authors = {one.id: opponent_of(one) for one in both}
    usable_now = tuple(
        replace(one, knocks=can_throw(scene, who, action, one.id))
        for one in _usable(scene, who, "attacks")
    )
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
                support=_supports(scene, who, attacking=False),
                moves=not stays(scene, who),
                reach_m=None,
                continues=True,
                after_move=far,
                toward=opponent,
                beside=tuple(id for id in against if authors[id] != opponent),
                must_move=action in ALLY_DEFENCES,
                still=still,
            )


def _answerable(
    scene: Scene, who: Combatant, action: Action, incoming: tuple[Incoming, ...]
) -> tuple[str, ...]:
    if action in ALLY_DEFENCES:
        return sheltering(scene, who, action)
    if action is Action.GENERIC_COUNTERATTACK:
        return ()
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
        _offer(scene, who, tool)
        for tool in who.sheet.tools
        if tool.ep <= who.ep_now
        and not hampered(scene, who, tool)
        and not any(usable(scene.regulation, tool, "", use))
        and not lacks(scene, tool, use)
    )


def _supports(scene: Scene, who: Combatant, *, attacking: bool) -> tuple[ToolChoice, ...]:
    """List secondary actions; one that settles on a target needs an attack to ride on."""
    return tuple(
        ToolChoice(
            id=tool.id,
            name=tool.name,
            ep=tool.ep,
            secondary=tool.secondary,
            creates_area=bool(area_effects(tool)),
        )
        for tool in who.sheet.tools
        if tool.supports
        and tool.ep <= who.ep_now
        and not hampered(scene, who, tool)
        and not any(isinstance(effect, Heal) for effect in tool.effects)
        and not any(check_effects(tool, "", attacking=attacking))
        and not any(check_area(scene.regulation, tool, ""))
        and not (attacking and lacks(scene, tool, "attacks"))
    )


def _generics(scene: Scene, who: Combatant) -> Iterator[ToolChoice]:
    """Offer generic actions, each with those it does not reach from where one stands (AMB-25)."""
    for offered in _usable(scene, who, "generic"):
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
    for target in scene.opponents(who.id):
        if not is_known(scene, who, target.id):
            yield from _blind_attacks(scene, who, target)
            continue
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
                also=further_targets(scene, who, tool, target.id),
                most_targets=most_targets(tool),
            )


def _blind_attacks(scene: Scene, who: Combatant, target: Combatant) -> Iterator[AttackChoice]:
    """Offer what one may send where a hidden target could be; its range is not for one to know."""
    for offered in _usable(scene, who, "attacks"):
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
        _offer(scene, who, tool)
        for tool in who.sheet.tools
        if tool.ep <= who.ep_now and not any(fit(scene.options, scene.regulation, tool, action, ""))
    )


def _not_now(scene: Scene, who: Combatant) -> Iterator[NotNow]:
    for tool in who.sheet.tools:
        for use in ("attacks", "guards", "parries", "supports", "generic"):
            if not getattr(tool, use):
                continue
            found = usable(scene.regulation, tool, "", use)
            hindered = (*lacks(scene, tool, use), *hampered(scene, who, tool))
            why: tuple[Obstacle, ...] = (*found, *hindered)
            if tool.ep > who.ep_now:
                facts: Facts = {"cost": tool.ep, "ep": who.ep_now}
                why = (*why, Violation("GC-2.6", "not_enough_energy", "", facts))
            if why:
                yield NotNow(id=tool.id, name=tool.name, use=use, why=why)


def _offer(scene: Scene, who: Combatant, tool: Tool) -> ToolChoice:
    aimed = can_aim(scene.options, tool)
    return ToolChoice(
        id=tool.id,
        name=tool.name,
        ep=tool.ep,
        aims=tuple(Aim) if aimed else (Aim.BODY,),
        limbs=tuple(Limb) if aimed else (),
        secondary=tool.secondary,
        creates_area=bool(area_effects(tool)),
        knocks=can_knock(scene, tool),
        knocks_free=has_knockback(tool),
        transient=tuple(
            dict.fromkeys(
                effect.stack
                for effect in tool.effects
                if isinstance(effect, StackEffect) and effect.stack in TYPE_1
            )
        ),
        binds=improper_binds(scene, tool),
        frees=can_free(scene, who, tool),
    )


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

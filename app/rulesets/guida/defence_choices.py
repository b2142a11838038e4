"""Defences a combatant may declare now: against what, made with what, how they go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.rulesets.guida.allies import at_allies, works_as
from app.rulesets.guida.ally_choices import (
    sheltering,
    standing_still,
)
from app.rulesets.guida.areas import can_answer
from app.rulesets.guida.bond_choices import (
    is_left,
    stays,
)
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.defence import opponent_of
from app.rulesets.guida.intentions import can_throw, recoverable
from app.rulesets.guida.legality import BARE, DEFENCES, made_with
from app.rulesets.guida.offers import (
    DefenceChoice,
    FarChoice,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import ALLY_DEFENCES, COUNTERS
from app.rulesets.guida.terms import Action, AttackForm
from app.rulesets.guida.tool_choices import supports_now, usable_now
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
    Ruled,
)
from app.rulesets.guida.uses import dodge_reach, is_beyond


def defence_choices(
    scene: Scene, who: Combatant, incoming: tuple[Incoming, ...], pending: tuple[Pending, ...]
) -> Iterator[DefenceChoice]:
    """List the defences a combatant may declare, each with what it is made with (GC-2.9)."""
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
        tools = usable_now(scene, who, use) if use else ()
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
            support=() if null else supports_now(scene, who, attacking=False),
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
    in_hand = tuple(
        replace(one, knocks=can_throw(scene, who, action, one.id))
        for one in usable_now(scene, who, "attacks")
    )
    for opponent in dict.fromkeys(authors[id] for id in against):
        metres = scene.metres(who.id, opponent)
        far = tuple(
            FarChoice(tool=offered, max_m=tool.max_m)
            for offered in in_hand
            for tool in who.sheet.tools_by_id((offered.id,))
            if tool.max_m is not None and is_beyond(scene.options, tool, metres)
        )
        beyond = {one.tool.id for one in far}
        far = () if stays(scene, who) else far  # GC-8.7: no move brings it within range
        near = tuple(one for one in in_hand if one.id not in beyond)
        if near or far:
            yield DefenceChoice(
                action=action,
                against=tuple(id for id in against if authors[id] == opponent),
                bare=False,
                tools=near,
                support=supports_now(scene, who, attacking=False),
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

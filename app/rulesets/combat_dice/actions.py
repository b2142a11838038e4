"""Special combat actions and Two Weapon Style (CD-51, CD-60 to CD-67, CD-A15, CD-A20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.engine.findings import Fact, Finding, Violation
from app.rulesets.combat_dice.equipment import has_weapon_in_hand, weapon_row
from app.rulesets.combat_dice.orders import ActionWish, AnswerAction
from app.rulesets.combat_dice.readings import ManeuverUses
from app.rulesets.combat_dice.scores import (
    Scores,
    attack_kind,
    compare,
    scores_of,
    symbols_left,
)
from app.rulesets.combat_dice.state import PLACES, Combat, other
from app.rulesets.combat_dice.tables import (
    ACTION_RULES,
    CONVERSIONS,
    IN_ANY_ROUND,
    MANEUVER_FOR_ACTION,
    SAND_DICE,
    TWO_HANDED,
)
from app.rulesets.combat_dice.terms import (
    Action,
    Attack,
    Phase,
    Score,
    Shield,
    Skill,
    Stage,
    TwoWeapon,
    Use,
    When,
)

STYLES = {  # CD-51
    TwoWeapon.DODGE_TO_ATTACK: (Score.DODGE, Score.ATTACK),
    TwoWeapon.ATTACK_TO_DODGE: (Score.ATTACK, Score.DODGE),
}


def settle_actions(combat: Combat) -> tuple[Combat, list[Finding]]:
    """Let both fighters act in Initiative order, on a tie together; pause where one is asked.

    CD-A20: the second sees what the first did; on a tie both see the scores before either acted.
    """
    findings: list[Finding] = []
    first = combat.playing().first
    groups = (PLACES,) if first is None else ((first,), (other(first),))
    done: list[int] = []
    for group in groups:
        waiting = [place for place in group if not combat.playing().sides[place].acted]
        asked = tuple(place for place in waiting if _is_asked(combat, place))
        if asked:
            combat = _acted(combat, done)
            paused = replace(combat.playing(), asked=asked)
            return replace(combat, stage=Stage.ACT, round=paused), findings
        seen = combat
        for place in waiting:
            acted, told = _act(seen, place)
            findings += told
            if acted is not seen:
                combat = combat.put_side(place, acted.playing().sides[place])
        done += group
    return combat, findings


def _acted(combat: Combat, places: Iterable[int]) -> Combat:
    """Note who has acted before a pause, so that nobody acts twice."""
    for place in places:
        side = combat.playing().sides[place]
        combat = combat.put_side(place, replace(side, acted=True))
    return combat


def styles_open(combat: Combat, place: int) -> tuple[TwoWeapon, ...]:
    """List the conversions that Two Weapon Style offers with these dice (CD-51, CD-A15)."""
    who, side = combat.fighters[place], combat.playing().sides[place]
    if not who.has(Skill.TWO_WEAPON_STYLE) or attack_kind(combat, place) is not Attack.WEAPON:
        return ()
    return tuple(style for style, (frm, _) in STYLES.items() if symbols_left(side, frm))


def actions_open(combat: Combat, place: int) -> tuple[Action, ...]:
    """List the actions that are available and have their dice."""
    return tuple(
        action
        for action in Action
        if is_available(combat, place, action) and _has_dice(combat, place, action)
    )


def is_available(combat: Combat, place: int, action: Action) -> bool:
    """Say whether an action may be taken at all (CD-60, CD-A15)."""
    side, who = combat.playing().sides[place], combat.fighters[place]
    if side.maneuver < MANEUVER_FOR_ACTION:  # CD-60
        return False
    single = combat.options.maneuver_uses is ManeuverUses.SINGLE
    if single and any(use is not Use.ACTION for use in side.uses):  # AMB-CD-8
        return False
    kind, ranged = attack_kind(combat, place), combat.ranged > 0
    if action not in IN_ANY_ROUND and kind is not Attack.WEAPON:  # CD-A15
        return False
    if not combat.options.action_gear:  # AMB-CD-24
        return True
    if action is Action.SHIELD_BASH:
        row = weapon_row(combat.options, who, kind, ranged=ranged)
        return who.shield not in (None, Shield.NONE) and row not in TWO_HANDED
    if action in (Action.PARRY, Action.POMMEL_STRIKE):
        return has_weapon_in_hand(who, ranged=ranged)
    return True


def check_act(combat: Combat, place: int, act: AnswerAction) -> Iterator[Violation]:
    """List what is wrong with an answer about the dice as they lie."""
    orders, who = combat.playing().sides[place].orders, combat.fighters[place]
    facts: dict[str, Fact] = {"name": who.name, "two_weapon": act.two_weapon}
    if act.two_weapon in (TwoWeapon.AUTO, TwoWeapon.ASK):
        yield Violation("CD-51", "style_undecided", "two_weapon", facts)
    elif act.two_weapon is not TwoWeapon.NONE:
        if orders.two_weapon is not TwoWeapon.ASK:
            yield Violation("CD-51", "style_was_ordered", "two_weapon", facts)
        elif act.two_weapon not in styles_open(combat, place):
            yield Violation("CD-51", "style_not_open", "two_weapon", facts)
    if act.action is not None:
        facts = {"name": who.name, "action": act.action}
        if not orders.ask_action:
            yield Violation("CD-60", "action_was_ordered", "action", facts)
        elif act.action not in actions_open(_styled(combat, place, act), place):
            yield Violation("CD-60", "action_not_open", "action", facts)


def styled(combat: Combat, place: int) -> Combat:
    """Return the combat as it is after a Two Weapon Style that was ordered beforehand."""
    return _styled(combat, place, None)


def _is_asked(combat: Combat, place: int) -> bool:
    """Say whether a fighter wants to be asked, and there is something to ask (CD-A20)."""
    side = combat.playing().sides[place]
    if side.answer is not None:
        return False
    if side.orders.two_weapon is TwoWeapon.ASK and styles_open(combat, place):
        return True
    return side.orders.ask_action and bool(actions_open(styled(combat, place), place))


def _act(combat: Combat, place: int) -> tuple[Combat, list[Finding]]:
    side, name = combat.playing().sides[place], combat.fighters[place].name
    findings: list[Finding] = []
    style = _style(combat, place, side.answer)
    if style is not TwoWeapon.NONE:
        combat = _convert(combat, place, STYLES[style])
        facts: dict[str, Fact] = {"fighter": name, "style": style}
        findings.append(Finding("CD-51", "style_used", facts, phase=Phase.MANEUVER))
    wishes = _wishes(combat, place)
    theirs = scores_of(combat, other(place)) if wishes else {}
    for wish in wishes:
        done, told = _try(combat, place, wish, theirs)
        findings += told
        if done is not None:
            return done, findings
    return combat, findings


def _wishes(combat: Combat, place: int) -> tuple[ActionWish, ...]:
    side = combat.playing().sides[place]
    if not side.orders.ask_action:
        return side.orders.actions
    answered = side.answer.action if side.answer is not None else None
    return () if answered is None else (ActionWish(action=answered),)


def _try(
    combat: Combat, place: int, wish: ActionWish, theirs: Scores
) -> tuple[Combat | None, list[Finding]]:
    """Take an action if it is available, has its dice and its condition holds (CD-A20)."""
    rule, name = ACTION_RULES[wish.action], combat.fighters[place].name
    facts: dict[str, Fact] = {"fighter": name, "action": wish.action, "when": wish.when}
    always = wish.when is When.ALWAYS
    if not is_available(combat, place, wish.action):
        refused = Finding("CD-60", "action_refused", facts, phase=Phase.MANEUVER)
        return None, [refused] if always else []
    if not _has_dice(combat, place, wish.action):
        lacking = Finding(rule, "action_no_die", facts, "AMB-CD-24", phase=Phase.MANEUVER)
        return None, [lacking] if always else []
    side = combat.playing().sides[place]
    taken = combat.put_side(place, replace(side, action=wish.action))
    if wish.action in CONVERSIONS:
        taken = _convert(taken, place, CONVERSIONS[wish.action])
    if not always and not _holds(combat, taken, place, wish, theirs):
        return None, []
    return taken, [Finding(rule, "action_used", facts, "AMB-CD-24", phase=Phase.MANEUVER)]


def _holds(before: Combat, after: Combat, place: int, wish: ActionWish, theirs: Scores) -> bool:
    """Compare the lines with and without the conversion; what converts nothing never holds."""
    if wish.action not in CONVERSIONS:  # CD-A20: only `always` can hold for these
        return False
    foe = other(place)
    mine, then = scores_of(before, place), scores_of(after, place)
    match wish.when:
        case When.IF_MISS_TURNS_TO_HIT:
            hit = compare(before, place, mine, theirs).hits
            return not hit and compare(after, place, then, theirs).hits
        case When.IF_HIT_TURNS_TO_MISS:
            hit = compare(before, foe, theirs, mine).hits
            return hit and not compare(after, foe, theirs, then).hits
        case _:
            suffered = compare(before, foe, theirs, mine).damage
            return compare(after, foe, theirs, then).damage < suffered


def _style(combat: Combat, place: int, answer: AnswerAction | None) -> TwoWeapon:
    """Say what Two Weapon Style does; without an order it looks after itself (CD-A20)."""
    wanted = combat.playing().sides[place].orders.two_weapon or TwoWeapon.AUTO
    if wanted is TwoWeapon.ASK:
        wanted = TwoWeapon.NONE if answer is None else answer.two_weapon
    offered = styles_open(combat, place)
    if not offered:
        return TwoWeapon.NONE
    if wanted is not TwoWeapon.AUTO:
        return wanted if wanted in offered else TwoWeapon.NONE
    foe = other(place)
    mine, theirs = scores_of(combat, place), scores_of(combat, foe)
    for style in offered:
        after = _convert(combat, place, STYLES[style])
        then = scores_of(after, place)
        if style is TwoWeapon.DODGE_TO_ATTACK:
            hit = compare(combat, place, mine, theirs).hits
            if not hit and compare(after, place, then, theirs).hits:
                return style
        elif compare(combat, foe, theirs, mine).hits and not compare(after, foe, theirs, then).hits:
            return style
    return TwoWeapon.NONE


def _styled(combat: Combat, place: int, act: AnswerAction | None) -> Combat:
    style = _style(combat, place, act)
    return combat if style is TwoWeapon.NONE else _convert(combat, place, STYLES[style])


def _convert(combat: Combat, place: int, turned: tuple[Score, Score]) -> Combat:
    side = combat.playing().sides[place]
    return combat.put_side(place, replace(side, turned=(*side.turned, turned)))


def _has_dice(combat: Combat, place: int, action: Action) -> bool:
    """Say whether the dice that an action needs are among those rolled (AMB-CD-24)."""
    side = combat.playing().sides[place]
    if action is Action.SAND:  # CD-66
        return symbols_left(side, Score.DAMAGE) >= SAND_DICE
    return action not in CONVERSIONS or symbols_left(side, CONVERSIONS[action][0]) > 0

"""Combat Roll, Initiative and Maneuver (CD-10 to CD-15): who rolls what, who goes first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.engine.findings import Fact, Finding, Later
from app.rulesets.combat_dice.arms import take_up
from app.rulesets.combat_dice.orders import CombatOrders
from app.rulesets.combat_dice.readings import DamageDice, ManeuverUses, Recover, RethrowDice
from app.rulesets.combat_dice.scores import (
    Blow,
    can_attack,
    compare,
    dice_of,
    first_scores_of,
    is_harmless,
    scores_of,
    tally_dice,
    tally_first,
)
from app.rulesets.combat_dice.spells import cast
from app.rulesets.combat_dice.state import (
    PLACES,
    Combat,
    CombatDie,
    CombatFighter,
    CombatSide,
    other,
)
from app.rulesets.combat_dice.tables import MANEUVER_FOR_ACTION
from app.rulesets.combat_dice.terms import Phase, Rethrow, Score, Skill, Specialty, Stage, Use
from app.rulesets.combat_dice.throws import Chain, Throws

# For what one Maneuver score is used, where the orders do not say otherwise (AMB-CD-8).
USES = (Use.DISARMED, Use.KNOCKDOWN, Use.GRAPPLED, Use.DROPPED, Use.REMOUNT, Use.ACTION)


def declare(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Reveal both orders and let what is declared before the roll happen (CD-69c, CD-56)."""
    findings: list[Finding] = []
    for place in PLACES:
        who, orders = combat.fighters[place], combat.playing().sides[place].orders
        struck = who.weapon
        armed, drawn = take_up(who, orders.weapon)
        combat = combat.put(place, armed)
        facts: dict[str, Fact] = {
            "fighter": who.name,
            "weapon": armed.weapon,
            "turn": combat.turn,
            "ranged": combat.ranged > 0,
        }
        findings.append(Finding("CD-2", "declared", facts))
        if drawn:  # CD-A14: a spare ends the Disarm before the roll
            spare: dict[str, Fact] = {"fighter": who.name, "weapon": armed.weapon, "struck": struck}
            findings.append(Finding("CD-A14", "draws", spare, "AMB-CD-15"))
    for place in PLACES:
        combat, told = cast(combat, place, throws)
        findings += told
    for place in PLACES:
        orders, who = combat.playing().sides[place].orders, combat.fighters[place]
        if orders.adrenaline:  # CD-56: paid as the dice are taken up
            lost: dict[str, Fact] = {"fighter": who.name, "points": orders.adrenaline}
            findings.append(Finding("CD-56", "adrenaline", lost, "AMB-CD-22"))
            combat = combat.put(place, replace(who, hp=who.hp - orders.adrenaline))
    return combat, findings


def throw_all(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Let both fighters roll all their combat dice (CD-10, CD-40)."""
    sides = (_throw(combat, 0, throws), _throw(combat, 1, throws))
    combat = combat.put_sides(*sides)
    findings: list[Finding] = []
    for place in PLACES:
        findings.append(_roll_finding(combat, place))
        if pair := sides[place].pair:
            name = combat.fighters[place].name
            seen: dict[str, Fact] = {"fighter": name, "dice": _faces(pair)}
            findings.append(Finding("CD-30", "pair_rolled", seen, "AMB-CD-4"))
    findings += [_score_finding(combat, place) for place in PLACES]
    return combat, findings


def _throw(combat: Combat, place: int, throws: Throws) -> CombatSide:
    who, side = combat.fighters[place], combat.playing().sides[place]
    basic = dice_of(combat.options, who, side.orders.adrenaline)
    dice = tuple(
        CombatDie(face=throws.face(Chain.COMBAT_ROLL, place, number), specialty=kind)
        for number, kind in enumerate(kinds_of(who, basic))
    )
    pair: tuple[int, ...] = ()
    if combat.options.damage_dice is DamageDice.WITH_ROLL:  # AMB-CD-4
        pair = tuple(throws.face(Chain.PAIR, place, number) for number in (0, 1))
    scores = first_scores_of(combat, place, dice)
    return replace(
        side,
        dice=dice,
        pair=pair,
        rolled=basic,
        initiative=scores[Score.INITIATIVE],
        maneuver=scores[Score.MANEUVER],
    )


def kinds_of(who: CombatFighter, basic: int) -> tuple[Specialty | None, ...]:
    """List the dice of a combat roll: basic, specialty, then those of Aids (CD-40, CD-73)."""
    aided = [one.specialty for one in who.conditions.aid for _ in range(one.dice)]
    return (*[None] * basic, *who.specialty, *aided)


def settle_recovery(combat: Combat) -> tuple[Combat, list[Finding]]:
    """Let a Maneuver score of 2 or more cure what it cures (CD-D5, CD-D9, CD-67, AMB-CD-7)."""
    findings: list[Finding] = []
    for place in PLACES:
        side, who = combat.playing().sides[place], combat.fighters[place]
        if side.maneuver < MANEUVER_FOR_ACTION:
            continue
        uses = _uses(combat, who, side.orders)
        combat = combat.put_side(place, replace(side, uses=uses))
        findings += [one for use in uses for one in _recovery(who, use)]
        if combat.options.recover is Recover.AT_ONCE:  # AMB-CD-7: before Initiative is compared
            combat = combat.put(place, recovered(who, uses))
    return (_first_scores(combat) if findings else combat), findings


def recovered(who: CombatFighter, uses: Iterable[Use]) -> CombatFighter:
    """Return a fighter that has got rid of what a Maneuver score was used against."""
    have = who.conditions
    for use in uses:
        match use:
            case Use.DISARMED:
                have = replace(have, disarmed=False)
            case Use.KNOCKDOWN:
                have = replace(have, knockdown=False)
            case Use.GRAPPLED:
                have = replace(have, grappled=False)
            case Use.DROPPED:
                have = replace(have, dropped=())
            case Use.REMOUNT:  # AMB-CD-14
                have = replace(have, mounted=True)
            case Use.ACTION:
                pass  # nothing is cured by what is kept for an action
    return who.with_conditions(have)


def settle_initiative(combat: Combat) -> tuple[Combat, list[Finding]]:
    """Compare Initiative: the higher score acts first, equal ones together (CD-12, CD-13)."""
    mine, theirs = (side.initiative for side in combat.playing().sides)
    first = who_is_first(mine, theirs)
    combat = replace(combat, round=replace(combat.playing(), first=first))
    names = [one.name for one in combat.fighters]
    facts: dict[str, Fact] = {"first": names[0], "second": names[1], "score": mine, "other": theirs}
    if first is None:
        return combat, [Finding("CD-13", "together", facts, phase=Phase.INITIATIVE)]
    if first == 1:
        facts = {"first": names[1], "second": names[0], "score": theirs, "other": mine}
    return combat, [Finding("CD-12", "goes_first", facts, phase=Phase.INITIATIVE)]


def who_is_first(mine: int, theirs: int) -> int | None:
    """Give the place with the higher Initiative; nobody has it on a tie (CD-12, CD-13)."""
    return None if mine == theirs else int(mine < theirs)


def who_may_rethrow(first: int | None, maneuvers: tuple[int, int]) -> int | None:
    """Say who may rethrow: the Initiative winner with the higher Maneuver score (CD-14)."""
    if first is None or maneuvers[first] <= maneuvers[other(first)]:
        return None
    return first


def wants_rethrow(combat: Combat, place: int, orders: CombatOrders) -> bool:
    """Say whether a fighter's standing order takes the rethrow (CD-A12)."""
    if orders.rethrow in (Rethrow.ALWAYS, Rethrow.NEVER):
        return orders.rethrow is Rethrow.ALWAYS
    blow = compare(combat, place, scores_of(combat, place), scores_of(combat, other(place)))
    return wants_better(combat, place, blow)


def wants_better(combat: Combat, place: int, blow: Blow) -> bool:
    """Say whether a blow as the dice lie is none to leave them for (CD-A12)."""
    if not can_attack(combat, place):
        return False
    return not blow.hits or (blow.damage == 0 and not is_harmless(combat, place))


def settle_rethrow(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Open the Maneuver phase: rethrow, leave it, or wait for an answer (CD-14)."""
    first, second = combat.playing().sides
    place = who_may_rethrow(combat.playing().first, (first.maneuver, second.maneuver))
    if place is None:
        return combat, []
    orders = combat.playing().sides[place].orders
    if orders.rethrow is Rethrow.ASK:
        asked = replace(
            combat, stage=Stage.RETHROW, round=replace(combat.playing(), asked=(place,))
        )
        return asked, [_told_rethrow("rethrow_asked", combat, place)]
    return do_rethrow(combat, place, throws, again=wants_rethrow(combat, place, orders))


def do_rethrow(
    combat: Combat, place: int, throws: Throws, *, again: bool, chosen: tuple[int, ...] = ()
) -> tuple[Combat, list[Finding]]:
    """Throw the dice once more, or leave them; scores of the first roll stay (CD-15)."""
    if not again:
        return combat, [_told_rethrow("rethrow_left", combat, place)]
    side, who = combat.playing().sides[place], combat.fighters[place]
    taken = chosen or rethrown(combat, side)
    faces = {one: throws.face(Chain.RETHROW, place, nth) for nth, one in enumerate(sorted(taken))}
    dice = tuple(
        replace(die, face=faces.get(number, die.face)) for number, die in enumerate(side.dice)
    )
    combat = combat.put_side(place, replace(side, dice=dice))
    before = _faces(die.face for die in side.dice)
    facts: dict[str, Fact] = {
        "fighter": who.name,
        "before": before,
        **told(dice),
        "turn": combat.turn,
        "ranged": combat.ranged > 0,
    }
    return combat, [Finding("CD-14", "rethrown", facts, "AMB-CD-3", phase=Phase.MANEUVER)]


def rethrown(combat: Combat, side: CombatSide) -> tuple[int, ...]:
    """List the places of the dice that a rethrow takes up (AMB-CD-3)."""
    subset = combat.options.rethrow_dice is RethrowDice.SUBSET
    keep = side.orders.keep if subset else ()
    return tuple(number for number, die in enumerate(side.dice) if die.symbol not in keep)


def told(dice: Iterable[CombatDie]) -> dict[str, Fact]:
    """Give dice as a finding tells them: basic faces, then specialty kinds and their faces."""
    lying = tuple(dice)
    return {
        "dice": _faces(die.face for die in lying if die.specialty is None),
        "kinds": tuple(str(die.specialty) for die in lying if die.specialty is not None),
        "specialty": _faces(die.face for die in lying if die.specialty is not None),
    }


def _faces(faces: Iterable[int]) -> tuple[str, ...]:
    return tuple(str(face) for face in faces)


def _told_rethrow(key: str, combat: Combat, place: int) -> Finding:
    facts: dict[str, Fact] = {
        "fighter": combat.fighters[place].name,
        "turn": combat.turn,
        "ranged": combat.ranged > 0,
    }
    if key == "rethrow_asked":
        return Finding("CD-14", "rethrow_asked", facts, phase=Phase.MANEUVER)
    return Finding("CD-14", "rethrow_left", facts, phase=Phase.MANEUVER)


def _roll_finding(combat: Combat, place: int) -> Finding:
    who, side = combat.fighters[place], combat.playing().sides[place]
    shown = Later(
        lambda: {
            "fighter": who.name,
            **told(side.dice),
            "basic": tally_dice(combat.options, who, side.orders.adrenaline),
        }
    )
    return Finding("CD-10", "rolled", shown, phase=Phase.COMBAT_ROLL)


def _score_finding(combat: Combat, place: int) -> Finding:
    facts = Later(
        lambda: {
            "fighter": combat.fighters[place].name,
            "attack": tally_first(combat, place, Score.ATTACK),
            "dodge": tally_first(combat, place, Score.DODGE),
            "damage": tally_first(combat, place, Score.DAMAGE),
            "armor": tally_first(combat, place, Score.ARMOR),
            "initiative": tally_first(combat, place, Score.INITIATIVE),
            "maneuver": tally_first(combat, place, Score.MANEUVER),
        }
    )
    return Finding("CD-11", "first_scores", facts, phase=Phase.COMBAT_ROLL)


def _first_scores(combat: Combat) -> Combat:
    """Keep Initiative and Maneuver of the first roll, with what is cured by now (AMB-CD-7)."""
    for place in PLACES:
        side = combat.playing().sides[place]
        scores = first_scores_of(combat, place, side.dice)
        initiative, maneuver = scores[Score.INITIATIVE], scores[Score.MANEUVER]
        changed = replace(side, initiative=initiative, maneuver=maneuver)
        combat = combat.put_side(place, changed)
    return combat


def _uses(combat: Combat, who: CombatFighter, orders: CombatOrders) -> tuple[Use, ...]:
    """List what a Maneuver score cures: everything, or one thing that is chosen (AMB-CD-8)."""
    have = who.conditions
    open_uses = {
        Use.DISARMED: have.disarmed,
        Use.KNOCKDOWN: have.knockdown,
        Use.GRAPPLED: have.grappled,
        Use.DROPPED: bool(have.dropped),
        Use.REMOUNT: combat.options.remount and who.has(Skill.RIDING_HORSE) and not have.mounted,
        Use.ACTION: bool(orders.actions) or orders.ask_action,
    }
    if combat.options.maneuver_uses is ManeuverUses.SHARED:
        return tuple(use for use in USES if open_uses[use] and use is not Use.ACTION)
    preferred = (*orders.uses, *(use for use in USES if use not in orders.uses))
    return tuple(use for use in preferred if open_uses[use])[:1]


def _recovery(who: CombatFighter, use: Use) -> list[Finding]:
    facts: dict[str, Fact] = {"fighter": who.name, "weapon": who.weapon}
    match use:
        case Use.DISARMED:
            return [Finding("CD-D5", "clears_disarmed", facts, "AMB-CD-7")]
        case Use.KNOCKDOWN:
            return [Finding("CD-D9", "clears_knockdown", facts, "AMB-CD-7")]
        case Use.GRAPPLED:
            return [Finding("CD-67", "clears_grappled", facts, "AMB-CD-7")]
        case Use.DROPPED:
            return [
                Finding("CD-A14", "picks_up", {"fighter": who.name, "weapon": weapon}, "AMB-CD-7")
                for weapon in who.conditions.dropped
            ]
        case Use.REMOUNT:
            return [Finding("CD-52", "remounts", facts, "AMB-CD-14")]
        case Use.ACTION:
            return []

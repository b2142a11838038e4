"""A turn, its modifiers, the ranged rounds and a build: from a case to the turn engine and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from app.engine.findings import Finding, Violation
from app.engine.ruleset import GM, Resolution
from app.engine.tally import Tally
from app.ops.combat_dice.fighters import (
    read_fighter,
    read_options,
    words,
    written_status,
)
from app.ops.drawn import QueueDice
from app.ops.given import Given, InputRefused
from app.rulesets.combat_dice.endings import lasting
from app.rulesets.combat_dice.equipment import tally_modifiers
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.orders import (
    ActionWish,
    BuildFighter,
    CombatDeadline,
    CombatOrder,
    CombatOrders,
    FinishFighter,
    OpenCombat,
)
from app.rulesets.combat_dice.scores import tally_dice
from app.rulesets.combat_dice.setup import check_finish
from app.rulesets.combat_dice.sheet import FighterSheet, basic_dice, check_build, spells_due
from app.rulesets.combat_dice.state import Combat, CombatEntrant, CombatSetup
from app.rulesets.combat_dice.terms import (
    Action,
    Rethrow,
    Score,
    Specialty,
    Spell,
    Stage,
    Stay,
    Training,
    TwoWeapon,
    Use,
    Weapon,
    When,
)

SEATS: Final = ("p1", "p2")
RETHROW: Final[dict[object, Rethrow]] = {True: Rethrow.ALWAYS, False: Rethrow.NEVER}
# By finding, the text of its event; {who} is whom it happens to.
EVENTS: Final = {
    "draws": "{who} draws {weapon}",
    "clears_disarmed": "{who} clears disarmed",
    "clears_knockdown": "{who} clears knockdown",
    "clears_grappled": "{who} clears grappled",
    "picks_up": "{who} picks up {weapon}",
    "action_refused": "{who} {action} refused",
    "action_no_die": "{who} {action} no die",
    "action_used": "{who} uses {action}",
    "bleeds": "{who} bleeds {points}",
    "attack_cancelled": "{who} attack cancelled",
    "sanded": "{who} blinded by sand",
    "immune_to_sand": "{who} immune blind",
    "immune_to_injury": "{who} immune blind",
    "cursed": "{who} cursed",
    "injured": "{who} {injury}",
    "falls": "{who} falls {points}",
    "grappled": "{who} grappled",
}


def turn(given: Given) -> dict[str, object]:
    """Play one turn of a combat: both orders are posted, and the second one resolves it."""
    before = _combat(given)
    dice, orders = QueueDice.read(given), given.part("orders")
    first, second = (_read_orders(orders.part(seat), seat) for seat in SEATS)
    played = _post(before, first, dice)
    played = _post(played.state, second, dice)
    findings = played.findings
    while played.state.stage in (Stage.RETHROW, Stage.ACT, Stage.STAY):
        # A case of one turn answers nothing: whoever asked plays the defaults (CD-A21).
        played = _post(played.state, CombatDeadline(by=GM, reason="no answer"), dice)
        findings += played.findings
    dice.finish()
    return _told(before, Resolution(played.state, findings))


def mods(given: Given) -> dict[str, object]:
    """Add up the modifiers of a fighter in a melee round (CD-45)."""
    options, _ = read_options(given)
    who = read_fighter(given, "p1", options)
    have = replace(who.conditions, disarmed=False, knockdown=False, grappled=False)
    orders = _read_orders(given.part("orders").part("p1"), "p1")
    armed = replace(who, conditions=have, weapon=orders.weapon or who.weapon)
    return {
        str(score): tally_modifiers(options, armed, score, orders.spell).total for score in Score
    }


def ranged_rounds(given: Given) -> dict[str, object]:
    """Open a combat, with the die for the ranged rounds if anybody can attack at range."""
    (options, _), dice = read_options(given), QueueDice.read(given)
    named = any(given.has(seat) for seat in SEATS)
    start = _started(options)
    for place, seat in enumerate(SEATS):
        who = read_fighter(given, seat, options)
        # Fighters that are not given can attack at range: the die alone is asked about.
        start = start.put(place, who if named else replace(who, weapons=(Weapon.BOW,)))
    opened = _reopened(start)
    if opened.stage is Stage.OPEN:
        opened = COMBAT_DICE.resolve(opened, OpenCombat(by="p1"), dice.decision()).state
    dice.finish()
    return {"rounds": opened.ranged}


def build(given: Given) -> dict[str, object]:
    """Build a fighter: what is rolled, given up and exchanged (CD-38, CD-39, CD-68)."""
    dice = QueueDice.read(given)
    forgone, charms = given.whole("forgone", 0), given.whole("spell_charms", 0)
    exchanged = given.whole("spells_for_specialty", 0)
    advanced = given.flag("advanced", default=False)
    wrong: list[Violation] = list(check_build(forgone, charms))
    training = Training.ADVANCED if advanced else Training.BASIC
    combat = _started(read_options(given)[0], FighterSheet(name="p1", training=training))
    if advanced:
        combat = COMBAT_DICE.resolve(combat, BuildFighter(by="p1"), dice.decision()).state
    dice.finish()
    who = combat.fighters[0]
    rolled = who.rolled or 0
    choice = FinishFighter(
        by="p1",
        specialty=(Specialty.STRENGTH,) * max(0, rolled - exchanged),
        spells=tuple(Spell)[:exchanged],
    )
    wrong += check_finish(who, choice)
    return {
        "hp": who.hp,
        "basic_dice": basic_dice(forgone),
        "specialty": rolled - exchanged,
        "spells": spells_due(forgone, exchanged, charms),
        "valid": not wrong,
        "codes": [one.code for one in wrong],
    }


def _combat(given: Given) -> Combat:
    options, is_ranged = read_options(given)
    combat = _started(options)
    for place, seat in enumerate(SEATS):
        combat = combat.put(place, read_fighter(given, seat, options))
    ranged = 2 if is_ranged else 0  # another one follows, so that no block ends here
    quiet = given.whole("quiet_turns", 0)
    return replace(combat, stage=Stage.ORDERS, ranged=ranged, quiet=quiet)


def _started(options: CombatOptions, sheet: FighterSheet | None = None) -> Combat:
    first = FighterSheet(name="p1") if sheet is None else sheet
    entrants = (
        CombatEntrant(id="p1", sheet=first),
        CombatEntrant(id="p2", sheet=FighterSheet(name="p2")),
    )
    return COMBAT_DICE.start(CombatSetup(entrants=entrants, options=options))


def _reopened(combat: Combat) -> Combat:
    """Open a combat again whose fighters are not those of its sheets."""
    first, second = combat.fighters
    entrants = tuple(
        CombatEntrant(id=one.id, sheet=replace(one.sheet, weapons=one.weapons))
        for one in (first, second)
    )
    return COMBAT_DICE.start(CombatSetup(entrants=entrants, options=combat.options))


def _post(combat: Combat, order: CombatOrder, dice: QueueDice) -> Resolution[Combat]:
    if obstacles := COMBAT_DICE.check(combat, order):
        raise InputRefused(*dict.fromkeys(one.code for one in obstacles))
    return COMBAT_DICE.resolve(combat, order, dice.decision())


def _read_orders(part: Given, seat: str) -> CombatOrders:
    wishes = tuple(
        ActionWish(action=one.word(Action, "action"), when=one.word(When, "when", When.ALWAYS))
        for one in part.parts("actions")
    )
    if part.has("action"):
        wishes = (ActionWish(action=part.word(Action, "action")),)
    return CombatOrders(
        by=seat,
        weapon=part.word(Weapon, "weapon") if part.has("weapon") else None,
        spell=part.word(Spell, "spell") if part.has("spell") else None,
        target=part.text("target") if part.has("target") else None,
        aid_type=part.word(Specialty, "aid_type") if part.has("aid_type") else None,
        adrenaline=_adrenaline(part),
        rethrow=_rethrow(part),
        keep=words(part, Score, "keep"),
        actions=wishes,
        two_weapon=part.word(TwoWeapon, "two_weapon") if part.has("two_weapon") else None,
        uses=words(part, Use, "uses"),
        stay=part.word(Stay, "stay", Stay.MELEE),
    )


def _adrenaline(part: Given) -> int:
    """Read true as one die; a number stands where a table allows more (AMB-CD-22)."""
    value = part.raw("adrenaline")
    if value is None or isinstance(value, bool):
        return int(bool(value))
    return part.whole("adrenaline")


def _rethrow(part: Given) -> Rethrow:
    value = part.raw("rethrow")
    if isinstance(value, bool):
        return RETHROW[value]
    return part.word(Rethrow, "rethrow", Rethrow.IF_NO_DAMAGE)


def _told(before: Combat, played: Resolution[Combat]) -> dict[str, object]:
    after, findings = played.state, played.findings
    both = tuple(zip(SEATS, after.fighters, strict=True))
    allowed = [one for one in findings if one.key in ("rethrown", "rethrow_left")]
    told: dict[str, object] = {
        "order": _order(findings),
        "rethrow_allowed": allowed[0].facts["fighter"] if allowed else None,
        "rethrow": next((one.facts["fighter"] for one in findings if one.key == "rethrown"), None),
        "dice_count": {
            str(one.facts["fighter"]): _total(one.facts["basic"]) for one in _of(findings, "rolled")
        },
        "scores": _scores(findings),
        "hit": {seat: any(_of(findings, "hit", seat)) for seat in SEATS},
        "damage": {
            seat: next((one.facts["points"] for one in _of(findings, "damage", seat)), 0)
            for seat in SEATS
        },
        "hp": {seat: who.hp for seat, who in both},
        "state": {seat: str(who.condition) for seat, who in both},
        "result": _result(after),
        "next_status": {seat: written_status(who) for seat, who in both},
        "next_dice": {seat: _total(tally_dice(after.options, who)) for seat, who in both},
        "spells_left": {seat: [str(one) for one in who.spells] for seat, who in both},
        "weapons_left": {seat: [str(one) for one in who.weapons] for seat, who in both},
        "weapon": {seat: str(who.weapon) for seat, who in both},
        "quiet_turns": after.quiet,
        "events": list(_events(findings)),
        "ranged_left": after.ranged - 1 if before.ranged and after.ranged else 0,
        "lasting": {seat: _lasting(after, place) for place, seat in enumerate(SEATS)},
    }
    for heal in _of(findings, "healed"):
        told[f"{heal.facts['fighter']}_healed"] = heal.facts["points"]
    return told


def _order(findings: Iterable[Finding]) -> object:
    first = next(iter(_of(findings, "goes_first")), None)
    if first is None:
        return "simultaneous"
    return [first.facts["first"], first.facts["second"]]


def _scores(findings: tuple[Finding, ...]) -> dict[str, dict[str, object]]:
    told: dict[str, dict[str, object]] = {}
    for one in _of(findings, "scores"):
        told[str(one.facts["fighter"])] = {
            str(score): _total(one.facts[str(score)]) for score in Score
        }
    for fell in _of(findings, "scores_fall"):
        told[str(fell.facts["fighter"])] |= {
            "damage": fell.facts["damage"],
            "armor": fell.facts["armor"],
        }
    return told


def _result(combat: Combat) -> str:
    if combat.outcome is None:
        return "continue"
    return f"{combat.outcome.winner} wins" if combat.outcome.winner else "draw"


def _lasting(combat: Combat, place: int) -> dict[str, object]:
    wounds = lasting(combat, place)
    told: dict[str, Any] = {
        name: getattr(wounds, name) for name in ("hurt_arm", "hurt_leg", "break_armor", "blinded")
    }
    return {name: value for name, value in told.items() if value}


def _events(findings: Iterable[Finding]) -> Iterator[str]:
    for one in findings:
        if one.key in EVENTS:
            facts = {key: str(value) for key, value in one.facts.items()}
            yield EVENTS[one.key].format(who=facts["fighter"], **facts)


def _of(findings: Iterable[Finding], key: str, seat: str | None = None) -> list[Finding]:
    return [
        one for one in findings if one.key == key and (seat is None or one.facts["fighter"] == seat)
    ]


def _total(tally: object) -> int:
    return int(tally.total) if isinstance(tally, Tally) else 0

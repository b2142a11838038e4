"""What a warrior is worth, and what a sheet of one's own may show (WD-40 to WD-48, WD-A1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.engine.findings import Facts, Violation
from app.rulesets.warrior_dice.sheet import FACES, FaceOption, Warrior
from app.rulesets.warrior_dice.terms import Kind, Special

# WD-40: a basic warrior.
BASIC_TOTAL: Final = 300
BASIC_PART: Final = 100
ALL_OUT: Final = 10  # WD-41; on the Defence side WD-47
REGAIN: Final = 20  # WD-42
NEUTRALIZE: Final = 20  # WD-43; on the Defence side WD-47
SECOND_ADDER: Final = 40  # WD-44
SECOND_DOUBLER: Final = 20  # WD-45: on either side
NEUTRALIZE_SELF: Final = -20  # WD-46
NO_DAMAGE: Final = 0  # WD-47

# WD-A1
FORCES: Final = range(10, 51, 10)
MOST_ALL_OUT: Final = 1
MOST_NEUTRALIZE: Final = 2
MOST_REGAIN: Final = 2
MOST_NEUTRALIZE_SELF: Final = 1
MOST_NO_DAMAGE: Final = 1
MOST_FURTHER: Final = 1
MOST_OPTIONS: Final = 2
MOST_TWO_OPTION_FACES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """A points value in its three parts (WD-48)."""

    hits: int
    attack: int
    defence: int

    @property
    def total(self) -> int:
        """Add them up."""
        return self.hits + self.attack + self.defence


def points_of(warrior: Warrior) -> Points:
    """Work out the points value: hits and the prices of both sides (WD-48)."""
    attack = defence = 0
    for place, option in enumerate(warrior.options):
        one, other = price_of(option, free=_is_free(warrior, place))
        attack, defence = attack + one, defence + other
    return Points(hits=warrior.hits, attack=attack, defence=defence)


def price_of(option: FaceOption, *, free: bool) -> tuple[int, int]:
    """Give what an option costs on the Attack side and on the Defence side."""
    if option.kind is Kind.ADDER:
        return (0, 0) if free else (SECOND_ADDER, 0)
    if option.kind is Kind.DOUBLER:
        return (0, 0) if free else (SECOND_DOUBLER, SECOND_DOUBLER)
    match option.special:
        case Special.ALL_OUT:
            price = ALL_OUT
        case Special.NEUTRALIZE:
            price = NEUTRALIZE
        case Special.NEUTRALIZE_SELF:
            price = NEUTRALIZE_SELF
        case Special.REGAIN:
            price = REGAIN
        case Special.NO_DAMAGE:
            price = NO_DAMAGE
        case None:
            price = option.force or 0
    return (price, 0) if option.kind is Kind.ATTACK else (0, price)


def check_design(warrior: Warrior, at: str) -> Iterator[Violation]:
    """List every limit that a sheet of one's own breaks, all of them at once (WD-47b, WD-A1)."""
    yield from _check_specials(warrior, at)
    yield from _check_faces(warrior, at)
    if warrior.hits % 10:
        yield Violation("WD-A1", "hits_not_in_tens", f"{at}.hits", {"hits": warrior.hits})
    points = points_of(warrior)
    facts: Facts = {"hits": points.hits, "attack": points.attack, "defence": points.defence}
    parts = (points.hits, points.attack, points.defence)
    if points.total == BASIC_TOTAL:
        if set(parts) != {BASIC_PART}:
            yield Violation("WD-A1", "basic_split", at, facts)
    elif min(parts) * 4 < points.total:
        yield Violation("WD-A1", "uneven_split", at, {**facts, "total": points.total})


def _check_specials(warrior: Warrior, at: str) -> Iterator[Violation]:
    def count(special: Special, *kinds: Kind) -> int:
        return sum(one.special is special and one.kind in kinds for one in warrior.options)

    sides = (Kind.ATTACK, Kind.DEFENCE)
    for special, found, most in (
        (Special.ALL_OUT, count(Special.ALL_OUT, Kind.ATTACK), MOST_ALL_OUT),
        (Special.ALL_OUT, count(Special.ALL_OUT, Kind.DEFENCE), MOST_ALL_OUT),
        (Special.NEUTRALIZE, count(Special.NEUTRALIZE, *sides), MOST_NEUTRALIZE),
        (Special.REGAIN, count(Special.REGAIN, *sides), MOST_REGAIN),
        (Special.NEUTRALIZE_SELF, count(Special.NEUTRALIZE_SELF, *sides), MOST_NEUTRALIZE_SELF),
        (Special.NO_DAMAGE, count(Special.NO_DAMAGE, *sides), MOST_NO_DAMAGE),
    ):
        if found > most:
            facts: Facts = {"special": special, "found": found, "most": most}
            yield Violation("WD-A1", "too_many_specials", f"{at}.options", facts)


def _check_faces(warrior: Warrior, at: str) -> Iterator[Violation]:
    at = f"{at}.options"
    for option in warrior.options:
        if option.force is not None and option.force not in FORCES:
            facts: Facts = {"option": option.name, "force": option.force}
            yield Violation("WD-A1", "force_out_of_bounds", at, facts)
    shared = [face for face in range(1, FACES + 1) if len(warrior.on(face)) > 1]
    for face in range(1, FACES + 1):
        found = len(warrior.on(face))
        if not found:
            yield Violation("WD-A1", "face_blank", at, {"face": face})
        elif found > MOST_OPTIONS:
            yield Violation("WD-A1", "face_crowded", at, {"face": face, "most": MOST_OPTIONS})
    if len(shared) > MOST_TWO_OPTION_FACES:
        facts = {"found": len(shared), "most": MOST_TWO_OPTION_FACES}
        yield Violation("WD-A1", "too_many_shared_faces", at, facts)
    if not any(one.kind in (Kind.ADDER, Kind.DOUBLER) for one in warrior.on(1)):
        yield Violation("WD-A1", "first_face_leads_nowhere", at)
    if not any(one.kind is Kind.DOUBLER for one in warrior.on(2)):
        yield Violation("WD-A1", "second_face_no_doubler", at)
    leads = [place for place, one in enumerate(warrior.options) if _leads_on(one)]
    further = sum(not _is_free(warrior, place) for place in leads)
    if further > MOST_FURTHER:
        yield Violation("WD-A1", "too_many_further", at, {"found": further, "most": MOST_FURTHER})


def _leads_on(option: FaceOption) -> bool:
    return option.kind in (Kind.ADDER, Kind.DOUBLER)


def _is_free(warrior: Warrior, place: int) -> bool:
    """Say whether an option is the Adder or Doubler that every warrior has on its face (WD-3).

    Face 1 may hold a Doubler instead at no price (WD-47).
    """
    option = warrior.options[place]
    if not _leads_on(option) or (option.face == 2 and option.kind is Kind.ADDER):
        return False
    if option.face > 2:
        return False
    return not any(
        other.face == option.face and _leads_on(other) for other in warrior.options[:place]
    )

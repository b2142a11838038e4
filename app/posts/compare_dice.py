"""The dice of a post beside those of its entry: expression, label, modifier, face, total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from app.engine.dice import Address, Roll
from app.engine.findings import Facts
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.posts.compared import (
    Because,
    Compared,
    Other,
    compared,
    reason,
    reasons_of_sum,
)
from app.posts.dice_tag import DiceTag, Factor
from app.posts.layouts.guida import PHASES
from app.posts.names import safe_name
from app.posts.phrases import LANGUAGES
from app.posts.phrases import source as source_of
from app.posts.read import Claim, Reading
from app.posts.results import Roll as ShownRoll
from app.posts.words import RULESET, actions_called, plain
from app.posts.write import PostSource

_ENOUGH: Final = 4  # likeness: the same faces and one thing more
_SHORTEST: Final = 3  # letters by which a source is known when it was written shorter


@dataclass(frozen=True, slots=True)
class DieRow:
    """One number of a die, and the phase in which its die is thrown."""

    row: Compared
    phase: str


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A die that a post shows, as a tag or fallen."""

    claim: Claim
    tag: DiceTag
    roll: ShownRoll | None


def compare_dice(
    reading: Reading, source: PostSource, others: Sequence[Other], *, has_dice: bool
) -> Iterator[DieRow]:
    """Compare every die of a post; ``has_dice`` says whether those of the entry must be there."""
    shown = _shown(reading)
    asked = sorted(source.asked, key=lambda one: _phase_place(one.phase))
    fallen = {roll.address: roll for roll in source.rolls or ()}
    partner = _partners(shown, asked, fallen)
    place = 0
    for number, one in enumerate(asked):
        claimed = partner.get(number)
        if claimed is None and not has_dice:
            continue
        place += 1
        about: Facts = {"place": place, "action": one.action}
        for row in _die(claimed, one, fallen, asked, others, about):
            yield DieRow(row, one.phase)
    for claimed in shown:
        if all(claimed is not one for one in partner.values()):
            place += 1
            yield DieRow(_unknown(claimed, others, place), "")


def _shown(reading: Reading) -> list[_Claimed]:
    tags = [claim for claim in reading.claims if claim.kind == "tag"]
    quotation = reading.paste == "quoted"
    found = [
        _Claimed(claim, one.tag, None)
        for claim, one in zip(tags, reading.tags, strict=False)
        if quotation or not one.quoted
    ]
    found += [_Claimed(one.claim, one.tag, one.roll) for one in reading.rolls]
    return sorted(found, key=lambda one: one.claim.start)


def _partners(
    shown: Sequence[_Claimed], asked: Sequence[Asked], fallen: Mapping[Address, Roll]
) -> dict[int, _Claimed]:
    """Give each die of the entry the die of the post that is most like it, the likest first."""
    likely = sorted(
        (-_likeness(one, die, fallen.get(die.address)), number, abs(number - index), index)
        for number, die in enumerate(asked)
        for index, one in enumerate(shown)
    )
    found: dict[int, _Claimed] = {}
    taken: set[int] = set()
    for likeness, number, _, index in likely:
        if likeness <= -_ENOUGH and number not in found and index not in taken:
            found[number] = shown[index]
            taken.add(index)
    return found


def _likeness(one: _Claimed, die: Asked, roll: Roll | None) -> int:
    tag = one.tag
    called = actions_called(tag.action_name)
    points = 0
    if tag.faces == die.sides:
        points += 3
    if die.action in called:
        points += 4
    elif called:
        points -= 3
    elif not tag.action_name:
        points += 1
    if tag.actor:
        points += 2 if plain(tag.actor) == plain(safe_name(die.actor)) else -2
    targets = {plain(safe_name(target)) for target in die.targets}
    points += 2 * bool(targets & {plain(target) for target in tag.targets})
    items = {plain(safe_name(item)) for item in die.items}
    points += bool(items & {plain(item) for item in tag.items})
    points += tag.declared_modifier == die.tally.total
    if roll is not None and one.roll is not None:
        points += one.roll.faces == (roll.face,)
    return points


def _die(
    one: _Claimed | None,
    die: Asked,
    fallen: Mapping[Address, Roll],
    asked: Sequence[Asked],
    others: Sequence[Other],
    about: Facts,
) -> Iterator[Compared]:
    expected = f"1d{die.sides}"
    if one is None:
        why = reason("GC-4.83", "die_missing", dice=expected, actor=die.actor)
        yield compared("die", "GC-4.83", None, expected, why, about=about)
        return
    tag = one.tag
    roll = fallen.get(die.address)
    dice = f"{tag.count}d{tag.faces}" if tag.faces else None
    wrong = () if dice == expected else (reason("GC-4.34", "wrong_die", sides=die.sides),)
    yield compared("die", "GC-4.34", dice, expected, *wrong, about=about, claim=one.claim)
    has_label = bool(tag.action_name or tag.factors)
    factors = tuple(_factors(tag.factors, die.tally)) if has_label else ()
    if has_label:
        listed, total = tag.listed_modifier, Fraction(die.tally.total)
        yield compared("factors", "GC-4.86", listed, total, *factors, about=about, claim=one.claim)
    modifier = Fraction(die.tally.total)
    if roll is not None and roll.tagged is not None:
        modifier = roll.tagged.declared
    declared = tag.declared_modifier
    why_modifier: tuple[Because, ...] = ()
    if declared is not None and declared != modifier:
        if factors and declared == tag.listed_modifier:
            why_modifier = (reason("GC-4.87", "factors_lead", listed=tag.listed_modifier),)
        elif has_label and tag.listed_modifier == modifier:
            why_modifier = (reason("GC-4.87", "label_says", listed=tag.listed_modifier),)
        else:
            why_modifier = reasons_of_sum(declared, die.tally)
        why_modifier = why_modifier or (reason("GC-4.87", "label_says", listed=modifier),)
    yield compared(
        "modifier", "GC-4.87", declared, modifier, *why_modifier, about=about, claim=one.claim
    )
    if roll is None or one.roll is None:
        return
    yield from _fallen(one, one.roll, roll, modifier, fallen, asked, others, about)


def _fallen(
    one: _Claimed,
    shown: ShownRoll,
    roll: Roll,
    modifier: Fraction,
    fallen: Mapping[Address, Roll],
    asked: Sequence[Asked],
    others: Sequence[Other],
    about: Facts,
) -> Iterator[Compared]:
    face = shown.faces[0] if len(shown.faces) == 1 else None
    why: tuple[Because, ...] = ()
    if face is not None and face != roll.face:
        twin = [
            place
            for place, other in enumerate(asked, 1)
            if other.address != roll.address
            and other.address in fallen
            and fallen[other.address].face == face
            and other.sides == roll.sides
        ]
        number = next(
            (
                other.number
                for other in others
                if any((it.sides, it.face) == (roll.sides, face) for it in other.rolls)
            ),
            0,
        )
        why = (reason("GC-4.34", "face_of_ledger", face=roll.face),)
        if twin:
            why = (*why, reason("GC-4.83", "face_of_other_die", place=twin[0]))
        elif number:
            why = (*why, reason("GC-4.83", "die_of_other_entry", number=number))
    if shown.faces:
        claimed = face if face is not None else ", ".join(map(str, shown.faces))
        yield compared("face", "GC-4.34", claimed, roll.face, *why, about=about, claim=one.claim)
    if shown.total is None:
        return
    total = roll.face + modifier
    follows: tuple[Because, ...] = ()
    if shown.total != total:
        own = shown.reckoned
        if own is not None and own != shown.total:
            follows = (reason("GC-4.87", "total_sum", reckoned=own),)
        else:
            follows = (reason("GC-4.87", "total_follows", total=total),)
    yield compared("total", "GC-4.87", shown.total, total, *follows, about=about, claim=one.claim)


def _unknown(one: _Claimed, others: Sequence[Other], place: int) -> Compared:
    tag = one.tag
    dice = f"{tag.count}d{tag.faces}" if tag.faces else "?"
    number = next(
        (
            other.number
            for other in others
            if any(
                die.action in actions_called(tag.action_name)
                and die.sides == tag.faces
                and die.tally.total == tag.declared_modifier
                for die in other.asked
            )
        ),
        0,
    )
    why = (
        reason("GC-4.83", "die_of_other_entry", number=number)
        if number
        else reason("GC-4.83", "die_unknown")
    )
    named: Facts = {"place": place, "action": tag.action_name[:80] or dice}
    return compared("die", "GC-4.83", dice, None, why, about=named, claim=one.claim)


def _factors(listed: Sequence[Factor], tally: Tally) -> Iterator[Because]:
    """Pair the factors of a label with the terms of a sum, by name and value, name, then value."""
    left, terms = list(listed), list(tally.terms)
    differ: list[tuple[Term, Factor]] = []
    for alike in (_same, _named, _equal):
        for term in list(terms):
            found = next((factor for factor in left if alike(factor, term)), None)
            if found is None:
                continue
            left.remove(found)
            terms.remove(term)
            if found.value != term.value:
                differ.append((term, found))
    for term, found in differ:
        one = Tally((term,))
        yield reason(term.rule, "factor_differs", factor=one, value=found.value)
    for term in terms:
        yield reason(term.rule, "factor_missing", factor=Tally((term,)))
    for factor in left:
        yield reason("GC-4.86", "factor_extra", source=factor.source[:80], value=factor.value)


def _same(factor: Factor, term: Term) -> bool:
    return factor.value == term.value and _named(factor, term)


def _equal(factor: Factor, term: Term) -> bool:
    return factor.value == term.value


def _named(factor: Factor, term: Term) -> bool:
    """Say whether a factor names a term, in either language, whole or shortened."""
    given = plain(factor.source).rstrip(".")
    names = {plain(source_of(one, RULESET, term)) for one in LANGUAGES}
    if term.name:
        names.add(plain(term.name))
    return given in names or (
        len(given) >= _SHORTEST and any(name.startswith(given) for name in names)
    )


def _phase_place(phase: str) -> int:
    return PHASES.index(phase) if phase in PHASES else len(PHASES)

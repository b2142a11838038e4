"""The dice of one decision, looked for in the post that the forum shows.

A die is known by its label, whoever copied it from where: by action, items, actor and targets, and
never by its place. What the post says of it is held three ways, by the modifier that was thrown,
the sum of the label and the printed total; what cannot be is refused with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from app.engine.numbers import spelled
from app.posts.dice_tag import DiceTag
from app.posts.matching import (
    LONGEST_TITLE,
    Wanted,
    flat,
    heads_of,
    key_of,
    keys_of,
    matched,
    thrown_of,
)
from app.posts.read import Reading, ShownRoll, quoted_rolls, read_post
from app.posts.results import Roll
from app.posts.shows import How, Shows
from app.posts.words import shortened

Fact: TypeAlias = "str | int"

MOST_REMARKS: Final = 40
REMARKS: Final = (
    *("edited", "other_die", "label_sum", "other_modifier", "without_label"),
    *("how_learnt", "how_general", "without_digest", "words_changed", "by_order"),
)


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a die cannot be taken from the post; ``code`` is one of the mistakes of a request."""

    code: str
    facts: Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a post that is no mistake, and that everybody should know."""

    code: str
    facts: Mapping[str, Fact]


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtDie:
    """A die as it was found: ``line`` of the pasted text, natural face, and what was thrown."""

    line: int
    text: str
    face: int
    modifier: Fraction
    total: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What a post shows of the dice that are awaited, in their order; None is one with a fault."""

    dice: tuple[BroughtDie | None, ...]
    wrong: tuple[Wrong, ...]
    remarks: tuple[Remark, ...]


def bring(
    text: str,
    wanted: Sequence[Wanted],
    shows: Shows,
    turn: str = "",
    *,
    nameless: bool = False,
) -> Brought:
    """Find the dice that are awaited in a post as the forum shows it.

    ``turn`` is the short name of their entry: a post whose digest names only others is theirs.
    ``nameless`` says that the forum's rolls begin with a button, where no label can be given.
    """
    reading = read_post(text, shows=shows)
    whole = reading.paste == "quoted"
    there = [one for one in reading.rolls if not (whole or one.quoted or _is_ours(one))]
    known = matched(wanted, there, nameless=nameless)
    found, bare = known.found, known.bare
    wrong: list[Wrong] = [*_of_another(reading, turn)] if turn else []
    dice: list[BroughtDie | None] = []
    for place, die in enumerate(wanted):
        mine = found.get(place, [])
        faults = list(_faults(die, mine[0].roll)) if len(mine) == 1 else []
        if len(mine) > 1:
            faults = [Wrong("die_twice", {"die": die.title, **_at(mine)})]
        wrong += faults
        added = die.modifier if place in bare else None
        dice.append(_die(mine[0], added) if mine and not faults else None)
    missing = [place for place in range(len(wanted)) if place not in found]
    if missing:
        elsewhere = quoted_rolls(text, shows)
        awaited = [wanted[place] for place in missing]
        lost = _lost(known.unlabelled, awaited, nameless=nameless)
        wrong += [_missing(die, reading, elsewhere, lost) for die in awaited]
    taken = {one.claim.start for some in found.values() for one in some}
    others = [one for one in there if one.claim.start not in taken]
    pairs = [
        (wanted[place], some[0], bare.get(place, 0))
        for place, some in found.items()
        if len(some) == 1
    ]
    remarks = [
        *(_worded(reading, turn) if turn else ()),
        *_edits(reading),
        *_remarks(pairs),
        *(_other(one) for one in others),
    ]
    return Brought(dice=tuple(dice), wrong=tuple(wrong), remarks=tuple(remarks[:MOST_REMARKS]))


def _of_another(reading: Reading, turn: str) -> Iterator[Wrong]:
    """Refuse the post of another turn: its dice fell for something else."""
    named = [one.turn.partition(".")[0] for one in reading.digests]
    if named and turn not in named:
        yield Wrong("post_of_another", {"turn": named[-1], "expected": turn})


def _worded(reading: Reading, turn: str) -> Iterator[Remark]:
    mine = [one for one in reading.digests if one.turn.partition(".")[0] == turn]
    if not mine:
        yield Remark("without_digest", {})
    elif mine[-1].state == "edited":
        yield Remark("words_changed", {})


def _faults(die: Wanted, roll: Roll) -> Iterator[Wrong]:
    """Hold a shown die against what was to be thrown, and against itself."""
    named: dict[str, Fact] = {"die": die.title}
    if roll.count != 1:
        yield Wrong("die_several", {**named, "count": roll.count})
        return
    if roll.sides != die.sides:
        yield Wrong("die_other_size", {**named, "shown": roll.sides, "sides": die.sides})
        return
    if roll.shown_modifier != roll.modifier:
        told = {"shown": _signed(roll.shown_modifier), "thrown": _signed(roll.modifier)}
        yield Wrong("die_addends_differ", {**named, **told})
        return
    total = roll.total
    (face,) = roll.faces or (0,)
    if not 1 <= face <= die.sides and total is not None and roll.reckoned in (None, total):
        # The face was reckoned from the total, or both are shown and both are wrong.
        bounds = {
            "least": spelled(1 + roll.modifier),
            "most": spelled(die.sides + roll.modifier),
        }
        yield Wrong(
            "die_total_impossible",
            {**named, "thrown": _expression(roll), "total": spelled(total), **bounds},
        )
    elif not 1 <= face <= die.sides:
        yield Wrong("die_face_impossible", {**named, "face": face, "sides": die.sides})
    elif total is not None and roll.reckoned != total:
        sums = {"total": spelled(total), "expected": spelled(face + roll.modifier)}
        yield Wrong("die_total_wrong", {**named, "thrown": _expression(roll), "face": face, **sums})


def _missing(
    die: Wanted,
    reading: Reading,
    elsewhere: Sequence[ShownRoll],
    lost: Mapping[int, Wrong],
) -> Wrong:
    """Say why a die is not there: still to be rolled, quoted, written by us, or not at all."""
    heads, keys = heads_of(die), keys_of(die)
    named: dict[str, Fact] = {"die": die.title}

    def is_it(tag: DiceTag, text: str) -> bool:
        return key_of(tag) in keys or any(head in flat(text) for head in heads)

    tags = [one for one in reading.tags if is_it(one.tag, one.source)]
    if any(not one.quoted for one in tags) and reading.paste != "quoted":
        return Wrong("die_not_rolled", named)
    for one in elsewhere:
        if is_it(one.tag, one.claim.text) and not _is_ours(one):
            return Wrong("die_quoted", {**named, "line": one.claim.line})
    if tags:
        return Wrong("die_quoted", {**named, "line": 1})
    for one in reading.rolls:
        if is_it(one.tag, one.claim.text) and _is_ours(one):
            return Wrong("die_ours", {**named, "line": one.claim.line})
    if (why := lost.get(die.sides)) is not None:
        return Wrong(why.code, {**named, **why.facts})
    return Wrong("die_missing", named)


def _lost(
    unlabelled: Sequence[ShownRoll], awaited: Sequence[Wanted], *, nameless: bool
) -> dict[int, Wrong]:
    """Say of each size why none of the dice without a label could be told from the others."""
    lost: dict[int, Wrong] = {}
    for sides in {one.sides for one in awaited}:
        same = [one for one in unlabelled if one.roll.sides == sides]
        bare = [one for one in same if thrown_of(one.roll) == (1, sides, Fraction(0))]
        if nameless and bare:
            among = sum(one.sides == sides for one in awaited)
            facts: dict[str, Fact] = {"sides": sides, "shown": len(bare), "awaited": among}
            lost[sides] = Wrong("die_nameless", facts)
        elif same:
            lost[sides] = Wrong("die_unlabelled", _at(same))
    return lost


def _at(shown: Sequence[ShownRoll]) -> dict[str, Fact]:
    """Name the lines of some dice, and how many they are."""
    lines = list(dict.fromkeys(one.claim.line for one in shown))
    return {"lines": ", ".join(map(str, lines)), "count": len(lines)}


def _remarks(pairs: Sequence[tuple[Wanted, ShownRoll, int]]) -> Iterator[Remark]:
    """Tell what is odd; the last of each is among how many bare dice it was, 0 for none."""
    for die, shown, bare in pairs:
        roll, tag = shown.roll, shown.tag
        named: dict[str, Fact] = {"die": die.title}
        sums: dict[str, Fact] = {"listed": _signed(die.modifier)}
        if bare or not roll.label.strip():
            yield Remark(
                "by_order" if bare > 1 else "without_label", {**named, "line": shown.claim.line}
            )
        elif tag.factors and tag.listed_modifier != die.modifier:
            yield Remark("label_sum", {**named, **sums, "shown": _signed(tag.listed_modifier)})
        if roll.modifier != die.modifier and not bare:
            yield Remark("other_modifier", {**named, **sums, "thrown": _signed(roll.modifier)})
    hows = {shown.roll.how for _, shown, _ in pairs}
    for how in (How.LEARNT, How.GENERAL):
        if how in hows:
            yield Remark(f"how_{how}", {})


def _edits(reading: Reading) -> Iterator[Remark]:
    for claim in reading.claims:
        if claim.kind == "edited":
            who, when = (str(claim.facts[name] or "")[:60] for name in ("who", "when"))
            yield Remark("edited", {"who": who or "?", "when": when or "?"})


def _other(shown: ShownRoll) -> Remark:
    label = shortened(" ".join(shown.roll.label.split()), LONGEST_TITLE) or _expression(shown.roll)
    return Remark("other_die", {"label": label, "line": shown.claim.line})


def _die(shown: ShownRoll, added: Fraction | None) -> BroughtDie:
    """Give a die as it counts; ``added`` is the modifier where the forum threw without one."""
    roll = shown.roll
    modifier = roll.modifier if added is None else added
    (face,) = roll.faces
    return BroughtDie(
        line=shown.claim.line,
        text=" ".join(shown.claim.text.split()),
        face=face,
        modifier=modifier,
        total=face + modifier,
    )


def _is_ours(shown: ShownRoll) -> bool:
    return shown.roll.how == How.OWN


def _expression(roll: Roll) -> str:
    return f"{roll.count}d{roll.sides}" + (_signed(roll.modifier) if roll.modifier else "")


def _signed(value: Fraction | int) -> str:
    return spelled(Fraction(value), sign=True)

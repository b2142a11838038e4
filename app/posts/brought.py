"""The dice of one decision, looked for in the post that the forum shows.

A die is known by its label, whoever copied it from where: by action, items, actor and targets, and
never by its place. What the post says of it is held three ways, by the modifier that was thrown,
the sum of the label and the printed total; what cannot be is refused with its reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from app.engine.numbers import spelled
from app.posts.bbcode import JOINER
from app.posts.dialects.inert import narrow
from app.posts.dice_tag import DiceTag, read_label
from app.posts.read import Reading, ShownRoll, quoted_rolls, read_post
from app.posts.results import Roll
from app.posts.shows import How, Shows
from app.posts.words import plain

Fact: TypeAlias = "str | int"
Key: TypeAlias = tuple[str, tuple[str, ...], str, tuple[str, ...]]

LONGEST_TITLE: Final = 160
MOST_REMARKS: Final = 40
REMARKS: Final = (
    *("edited", "other_die", "label_sum", "other_modifier", "without_label"),
    *("how_learnt", "how_general", "without_digest", "words_changed"),
)
_QUOTES: Final = str.maketrans("“”„«»’[]", '"""""\'()')


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A die that is awaited: its faces, the sum of its label, and the label in each language."""

    sides: int
    modifier: Fraction
    labels: tuple[str, ...]

    @property
    def title(self) -> str:
        """Say which die it is, without its factors."""
        label = read_label(self.labels[0])
        items = f" [{', '.join(label.items)}]" if label.items else ""
        versus = f" vs {', '.join(label.targets)}" if label.targets else ""
        actor = f" ({label.actor}{versus})" if label.actor else ""
        return f"{label.action_name}{items}{actor}"[:LONGEST_TITLE]


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


def bring(text: str, wanted: Sequence[Wanted], shows: Shows, turn: str = "") -> Brought:
    """Find the dice that are awaited in a post as the forum shows it.

    ``turn`` is the short name of their entry: a post whose digest names only others is theirs.
    """
    reading = read_post(text, shows=shows)
    whole = reading.paste == "quoted"
    there = [one for one in reading.rolls if not (whole or one.quoted or _is_ours(one))]
    found, unlabelled = _matched(wanted, there)
    wrong: list[Wrong] = [*_of_another(reading, turn)] if turn else []
    dice: list[BroughtDie | None] = []
    for place, die in enumerate(wanted):
        mine = found.get(place, [])
        faults = list(_faults(die, mine[0].roll)) if len(mine) == 1 else []
        if len(mine) > 1:
            lines = ", ".join(str(one.claim.line) for one in mine)
            faults = [Wrong("die_twice", {"die": die.title, "lines": lines})]
        wrong += faults
        dice.append(_die(mine[0]) if mine and not faults else None)
    missing = [place for place in range(len(wanted)) if place not in found]
    if missing:
        elsewhere = quoted_rolls(text, shows)
        wrong += [_missing(wanted[place], reading, elsewhere, unlabelled) for place in missing]
    taken = {one.claim.start for some in found.values() for one in some}
    others = [one for one in there if one.claim.start not in taken]
    pairs = [(wanted[place], some[0]) for place, some in found.items() if len(some) == 1]
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


def _matched(
    wanted: Sequence[Wanted], there: Sequence[ShownRoll]
) -> tuple[dict[int, list[ShownRoll]], list[ShownRoll]]:
    """Give each awaited die what the post shows of it; equal labels are met in their order.

    More dice of one label than are awaited all go to the first of them: which one counts is not
    for us to choose. A die without any label is known only where nothing else is thrown like it.
    """
    places: dict[frozenset[Key], list[int]] = defaultdict(list)
    for place, one in enumerate(wanted):
        places[_keys(one)].append(place)
    found: dict[int, list[ShownRoll]] = {}
    for keys, same in places.items():
        mine = [one for one in there if _key_of(one.tag) in keys]
        if len(mine) > len(same):
            sizes = [[one for one in mine if one.roll.sides == wanted[at].sides] for at in same]
            fit = len(same) > 1 and all(len(some) == 1 for some in sizes)
            found |= dict(zip(same, sizes, strict=True)) if fit else {same[0]: mine}
            continue
        found |= {place: [one] for place, one in _by_size(wanted, same, mine)}
    unlabelled = [one for one in there if not one.roll.label.strip()]
    for place, die in enumerate(wanted):
        like = [one for one in wanted if (one.sides, one.modifier) == (die.sides, die.modifier)]
        thrown = (1, die.sides, die.modifier)
        mine = [one for one in unlabelled if _thrown(one.roll) == thrown]
        if place not in found and len(like) == len(mine) == 1:
            found[place] = mine
    return found, unlabelled


def _by_size(
    wanted: Sequence[Wanted], places: Sequence[int], mine: Sequence[ShownRoll]
) -> Iterator[tuple[int, ShownRoll]]:
    """Give the place of each shown die among those of its label: the first left of its size."""
    left = list(places)
    for one in mine:
        fitting = [at for at in left if wanted[at].sides == one.roll.sides] or left
        place = fitting[0]
        left.remove(place)
        yield place, one


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
    unlabelled: Sequence[ShownRoll],
) -> Wrong:
    """Say why a die is not there: still to be rolled, quoted, written by us, or not at all."""
    keys = _keys(die)
    named: dict[str, Fact] = {"die": die.title}

    def is_it(tag: DiceTag) -> bool:
        return _key_of(tag) in keys

    tags = [one for one in reading.tags if is_it(one.tag)]
    if any(not one.quoted for one in tags) and reading.paste != "quoted":
        return Wrong("die_not_rolled", named)
    for one in elsewhere:
        if is_it(one.tag) and not _is_ours(one):
            return Wrong("die_quoted", {**named, "line": one.claim.line})
    if tags:
        return Wrong("die_quoted", {**named, "line": 1})
    for one in reading.rolls:
        if is_it(one.tag) and _is_ours(one):
            return Wrong("die_ours", {**named, "line": one.claim.line})
    same = [one for one in unlabelled if one.roll.sides == die.sides]
    if same:
        lines = ", ".join(str(one.claim.line) for one in same)
        return Wrong("die_unlabelled", {**named, "lines": lines})
    return Wrong("die_missing", named)


def _remarks(pairs: Sequence[tuple[Wanted, ShownRoll]]) -> Iterator[Remark]:
    for die, shown in pairs:
        roll, tag = shown.roll, shown.tag
        named: dict[str, Fact] = {"die": die.title}
        sums: dict[str, Fact] = {"listed": _signed(die.modifier)}
        if not roll.label.strip():
            yield Remark("without_label", {**named, "line": shown.claim.line})
        elif tag.factors and tag.listed_modifier != die.modifier:
            yield Remark("label_sum", {**named, **sums, "shown": _signed(tag.listed_modifier)})
        if roll.modifier != die.modifier:
            yield Remark("other_modifier", {**named, **sums, "thrown": _signed(roll.modifier)})
    hows = {shown.roll.how for _, shown in pairs}
    for how in (How.LEARNT, How.GENERAL):
        if how in hows:
            yield Remark(f"how_{how}", {})


def _edits(reading: Reading) -> Iterator[Remark]:
    for claim in reading.claims:
        if claim.kind == "edited":
            who, when = (str(claim.facts[name] or "")[:60] for name in ("who", "when"))
            yield Remark("edited", {"who": who or "?", "when": when or "?"})


def _other(shown: ShownRoll) -> Remark:
    label = " ".join(shown.roll.label.split())[:LONGEST_TITLE] or _expression(shown.roll)
    return Remark("other_die", {"label": label, "line": shown.claim.line})


def _die(shown: ShownRoll) -> BroughtDie:
    roll = shown.roll
    (face,) = roll.faces
    return BroughtDie(
        line=shown.claim.line,
        text=" ".join(shown.claim.text.split()),
        face=face,
        modifier=roll.modifier,
        total=face + roll.modifier,
    )


def _is_ours(shown: ShownRoll) -> bool:
    return shown.roll.how == How.OWN


def _thrown(roll: Roll) -> tuple[int, int, Fraction]:
    return roll.count, roll.sides, roll.modifier


def _key_of(tag: DiceTag) -> Key:
    return _compared(tag.action_name, tag.items, tag.actor, tag.targets)


def _keys(die: Wanted) -> frozenset[Key]:
    """Give what a die is known by; no forum shows the signs that keep names from being grammar."""
    labels = [read_label(label.replace(JOINER, "")) for label in die.labels]
    return frozenset(
        _compared(one.action_name, one.items, one.actor, one.targets) for one in labels
    )


def _compared(action: str, items: tuple[str, ...], actor: str, targets: tuple[str, ...]) -> Key:
    return _name(action), tuple(map(_name, items)), _name(actor), tuple(map(_name, targets))


def _name(text: str) -> str:
    """Write a name as it survives a forum: some of its characters are shown in another way."""
    bare = text.replace(JOINER, "").replace("\\", "").translate(_QUOTES)
    return plain(narrow(bare))


def _expression(roll: Roll) -> str:
    return f"{roll.count}d{roll.sides}" + (_signed(roll.modifier) if roll.modifier else "")


def _signed(value: Fraction | int) -> str:
    return spelled(Fraction(value), sign=True)

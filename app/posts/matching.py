"""Which of the dice that a post shows is which of those that are awaited.

By its label above all, which forums show each in its own way; else by what was thrown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from app.posts.bbcode import JOINER
from app.posts.dialects.inert import narrow
from app.posts.dice_tag import DiceTag, read_label
from app.posts.paste import bare
from app.posts.read import ShownRoll
from app.posts.results import Roll
from app.posts.traced import Traced
from app.posts.words import plain, shortened

Key: TypeAlias = tuple[str, tuple[str, ...], str, tuple[str, ...]]

LONGEST_TITLE: Final = 160
# Forums and their tags show these in another way, each in its own.
_ALIKE: Final = str.maketrans("“”„«»’[]{}‹›", '"""""\'()()()')
_FACTORS: Final = re.compile(r"(?<=\)): ?\((?=[-+−–])")


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
        return shortened(f"{label.action_name}{items}{actor}", LONGEST_TITLE)


@dataclass(frozen=True, slots=True)
class Matched:
    """What the post shows of each awaited die, by its place; ``bare`` are those of size alone.

    ``unlabelled`` is all that has no label.
    """

    found: dict[int, list[ShownRoll]]
    bare: dict[int, int]
    unlabelled: list[ShownRoll]


def matched(wanted: Sequence[Wanted], there: Sequence[ShownRoll], *, nameless: bool) -> Matched:
    """Give each awaited die what the post shows of it; equal labels are met in their order.

    More dice of one label than are awaited all go to the first of them: which one counts is not
    for us to choose. A die without any label is known only where nothing else is thrown like it.
    """
    places: dict[frozenset[str], list[int]] = defaultdict(list)
    for place, one in enumerate(wanted):
        places[heads_of(one)].append(place)
    found: dict[int, list[ShownRoll]] = {}
    labelled = _by_label(wanted, places, there)
    for heads, same in places.items():
        mine = labelled[heads]
        if len(mine) > len(same):
            sizes = [[one for one in mine if one.roll.sides == wanted[at].sides] for at in same]
            fit = len(same) > 1 and all(len(some) == 1 for some in sizes)
            found |= dict(zip(same, sizes, strict=True)) if fit else {same[0]: mine}
            continue
        found |= {place: [one] for place, one in _by_size(wanted, same, mine)}
    unlabelled = [one for one in there if _has_no_label(one.roll, nameless=nameless)]
    for place, die in enumerate(wanted):
        like = [one for one in wanted if (one.sides, one.modifier) == (die.sides, die.modifier)]
        thrown = (1, die.sides, die.modifier)
        mine = [one for one in unlabelled if thrown_of(one.roll) == thrown]
        # Where no modifier is ever thrown, a die without one says nothing of whose it is.
        known = place not in found and (die.modifier or not nameless)
        if known and len(like) == len(mine) == 1:
            found[place] = mine
    taken = {one.claim.start for some in found.values() for one in some}
    left = [one for one in unlabelled if one.claim.start not in taken]
    awaited = [place for place in range(len(wanted)) if place not in found]
    sized = {place: (one, of) for place, one, of in _bare(wanted, awaited, left, nameless=nameless)}
    found |= {place: [one] for place, (one, _) in sized.items()}
    return Matched(found, {place: of for place, (_, of) in sized.items()}, unlabelled)


def _by_label(
    wanted: Sequence[Wanted],
    groups: Iterable[frozenset[str]],
    there: Sequence[ShownRoll],
) -> Mapping[frozenset[str], list[ShownRoll]]:
    """Sort what is shown by the label it has: letter by letter first, then by what it says.

    A name may hold what would be grammar, and forums lose the signs that keep it from that.
    """
    keys = {heads_of(one): keys_of(one) for one in wanted}
    bares = {heads_of(one): frozenset(_heads(one, _bared)) for one in wanted}
    found: dict[frozenset[str], list[ShownRoll]] = {heads: [] for heads in groups}
    for one in there:
        label, key = flat(one.roll.label), key_of(one.tag)
        same = next((heads for heads in found if _begins(label, heads)), None)
        if same is None:
            bared = [heads for heads in found if _begins(label, bares[heads])]
            same = bared[0] if len(bared) == 1 else None
        same = same or next((heads for heads in found if key in keys[heads]), None)
        if same is not None:
            found[same].append(one)
    return found


def _bare(
    wanted: Sequence[Wanted],
    awaited: Sequence[int],
    unlabelled: Sequence[ShownRoll],
    *,
    nameless: bool,
) -> Iterator[tuple[int, ShownRoll, int]]:
    """Know dice that were thrown without modifier and label by their size; say among how many.

    Several of a size are met in their order, where a forum can give nothing else to know them by.
    """
    for sides in dict.fromkeys(wanted[place].sides for place in awaited):
        places = [place for place in awaited if wanted[place].sides == sides]
        mine = [one for one in unlabelled if thrown_of(one.roll) == (1, sides, Fraction(0))]
        if len(places) == len(mine) and (nameless or len(mine) == 1):
            yield from ((place, one, len(mine)) for place, one in zip(places, mine, strict=True))


def _has_no_label(roll: Roll, *, nameless: bool) -> bool:
    """Say whether a roll has no label; beside a button's roll, "#1" is none either."""
    return not (any(map(str.isalpha, roll.label)) if nameless else roll.label.strip())


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


def thrown_of(roll: Roll) -> tuple[int, int, Fraction]:
    return roll.count, roll.sides, roll.modifier


def key_of(tag: DiceTag) -> Key:
    return _compared(tag.action_name, tag.items, tag.actor, tag.targets)


def keys_of(die: Wanted) -> frozenset[Key]:
    """Give what a die is known by; no forum shows the signs that keep names from being grammar."""
    labels = [read_label(one) for label in die.labels for one in (label, label.replace(JOINER, ""))]
    return frozenset(
        _compared(one.action_name, one.items, one.actor, one.targets) for one in labels
    )


def heads_of(die: Wanted) -> frozenset[str]:
    """Give the labels of a die without their factors, as a forum may show them."""
    return frozenset(_heads(die, str))


def _heads(die: Wanted, shown: Callable[[str], str]) -> Iterator[str]:
    for label in die.labels:
        text = label.replace(JOINER, "")
        ends = [found.start() for found in _FACTORS.finditer(text)]
        yield flat(shown(text[: ends[-1]] if ends else text))


def _bared(label: str) -> str:
    """Write a label without what is a tag to whoever reads a post: a weapon may be called "B"."""
    return bare(Traced.of(label)).text


def _begins(label: str, heads: frozenset[str]) -> bool:
    """Say whether a label is one of these, whatever its factors are."""
    return any(
        label.startswith(head) and label[len(head) :].lstrip()[:1] in ("", ":") for head in heads
    )


def _compared(action: str, items: tuple[str, ...], actor: str, targets: tuple[str, ...]) -> Key:
    return flat(action), tuple(map(flat, items)), flat(actor), tuple(map(flat, targets))


def flat(text: str) -> str:
    """Write a name as it survives a forum: some of its characters are shown in another way."""
    bare = text.replace(JOINER, "").replace("\\", "").translate(_ALIKE)
    return plain(narrow(bare))

"""Read the dice tags of a post and hold each against its label (GC-4.83 to GC-4.87).

The grammar is tolerant (AMB-46): commas between factors, blanks, letters of any alphabet and the
list of weapons are free. What is read is bounded and read in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from app.engine.numbers import exact
from app.posts.bbcode import JOINER, Tag, tokenise
from app.posts.words import actions_called
from app.rulesets.guida.terms import Action

ROLLERS: Final = frozenset({"dice", "roll"})
_WRAP: Final = "wrap"  # a roller where its value says so
# Whoever looks for the hidden, hides or breaks free does that to nobody who could be named; and
# a constraint's own die goes with that of a counter, which has its opponent in its label.
WITHOUT_TARGETS: Final = frozenset(
    {
        *(Action.PERCEPTION, Action.CAMOUFLAGE, Action.MASKING),
        *(Action.LIBERATION, Action.CONSTRAINT),
    }
)
UNROLLED: Final = frozenset({"quote", "citazione", "code", "codice", "noparse", "nobbc", "plain"})
MOST_TAGS: Final = 200
LONGEST_LABEL: Final = 20_000
LONGEST_EXPRESSION: Final = 80
MOST_DICE: Final = 99
MOST_FACES: Final = 1000

ISSUES: Final = (
    *("not_a_tag", "unclosed", "bad_expression", "too_long"),
    *("missing_actors", "modifier_mismatch"),
)

_SIGNS: Final = {"+": 1, "-": -1, "−": -1, "–": -1}  # as typed, and as word processors set it
_NUMBER: Final = "[0-9]{1,9}(?:[./][0-9]{1,8})?"
_EXPRESSION: Final = re.compile(
    rf"([0-9]{{0,2}})\s*d\s*([0-9]{{1,4}})((?:\s*[-+−–]\s*{_NUMBER})*)", re.IGNORECASE
)
_ADDEND: Final = re.compile(r"([-+−–])\s*+([0-9]++(?:[./][0-9]++)?+)")
_VERSUS: Final = re.compile(r"(?<=\s)vs\.?(?=\s)", re.IGNORECASE)
_COMMA: Final = re.compile(rf"(?<!{JOINER}),")
# A label that its forum's tag has no place for: behind the tag, or in braces before the expression.
_BESIDE: Final = re.compile(r"[^\S\n]{0,8}+—[^\S\n]{0,8}+([^\n]++)")
_BRACED: Final = re.compile(r"\s{0,8}+\{([^{}]*+)\}(.{0,100}+)", re.DOTALL)
_NAMED: Final = re.compile(r"\s{0,8}+label\s{0,8}+=\s{0,8}+\"([^\"]*+)\"\s{0,8}+", re.IGNORECASE)
_BARE: Final = re.compile(r"[^-+−–,;()\[\]]*+")
_BRACKETS: Final = re.compile(r"[\[\]()]")
_IN_BRACKETS: Final = re.compile(r"\[[^\[\]]*+\]")


@dataclass(frozen=True, slots=True)
class Factor:
    """One signed number of a label and the source it names."""

    value: Fraction
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a label says: who does what to whom, with what, and which factors count."""

    action_name: str = ""
    items: tuple[str, ...] = ()
    actor: str = ""
    targets: tuple[str, ...] = ()
    factors: tuple[Factor, ...] = ()

    @property
    def total(self) -> Fraction:
        """Add up the factors."""
        return sum((factor.value for factor in self.factors), Fraction(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceTag:
    """A dice tag with its label and everything that is wrong with it.

    ``issues`` are codes of ``ISSUES``; ``count``, ``faces`` and ``declared_modifier`` are None
    where no expression can be read.
    """

    count: int | None = None
    faces: int | None = None
    declared_modifier: Fraction | None = None
    action_name: str = ""
    items: tuple[str, ...] = ()
    actor: str = ""
    targets: tuple[str, ...] = ()
    factors: tuple[Factor, ...] = ()
    listed_modifier: Fraction = Fraction(0)
    issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTag:
    """A dice tag where it stands in a post; a ``quoted`` one is in a quotation or in code."""

    start: int
    end: int
    source: str
    quoted: bool
    tag: DiceTag


def read_tag(text: str) -> DiceTag:
    """Read the first dice tag of a text."""
    found = check_post(text, most=1)
    return found[0].tag if found else DiceTag(issues=("not_a_tag",))


def check_post(text: str, most: int = MOST_TAGS) -> tuple[FoundTag, ...]:
    """Read every dice tag of a post, the first ``most`` of them."""
    found: list[FoundTag] = []
    depth = 0
    opening: Tag | None = None
    for tag in tokenise(text):
        if opening is not None and tag.start < opening.end:
            continue  # brackets of a label that stands in the attribute
        if tag.name in UNROLLED:
            depth = max(0, depth + (-1 if tag.closing else 1))
        wrapped = opening is not None and opening.name == _WRAP and tag.name == _WRAP
        if not (tag.name in ROLLERS or wrapped or _wraps(tag)):
            continue
        if opening is not None:
            closed = tag.closing and tag.name == opening.name
            found.append(_found(text, opening, tag.start, tag.end if closed else None, depth > 0))
        if len(found) == most:
            return tuple(found)
        opening = None if tag.closing else tag
    if opening is not None:
        found.append(_found(text, opening, len(text), None, depth > 0))
    return tuple(found)


def read_label(text: str) -> Label:
    """Read a label: action, weapons and techniques, actors, factors, as far as they are there."""
    text = text.strip()
    pairs = _pairs(text)
    at = next((found.start() for found in _BRACKETS.finditer(text)), len(text))
    early = _ADDEND.search(text, 0, at)
    if early is not None:  # factors at once: the first bracket is the source of one
        action_name = text[: early.start()]
        return Label(action_name=_shown(action_name), factors=_factors(text, early.start(), pairs))
    action_name = text[:at]
    items: list[str] = []
    while text[at : at + 1] == "[":
        end = pairs.get(at, len(text))
        items += _names(text[at + 1 : end])
        at = _skip_blanks(text, end + 1)
    # Where square brackets would break the tag, the items stand in round ones before the actor.
    while text[at : at + 1] == "(" and _is_items(text, at, pairs):
        end = pairs[at]
        items += _names(text[at + 1 : end])
        at = _skip_blanks(text, end + 1)
    actor = ""
    targets: tuple[str, ...] = ()
    if text[at : at + 1] == "(":
        end = pairs.get(at, len(text))
        inside = text[at + 1 : end]
        versus = _VERSUS.search(_IN_BRACKETS.sub(lambda found: "·" * len(found[0]), inside))
        if versus is not None:
            actor = _shown(inside[: versus.start()])
            targets = _names(inside[versus.end() :])
            at = end + 1
        # Else it is the bracket of the factors, which no colon follows.
        elif text[end + 1 : end + 2] == ":" or not _ADDEND.match(inside.lstrip()):
            actor = _shown(inside)
            at = end + 1
    return Label(
        action_name=_shown(action_name.rstrip(" :")),
        items=tuple(items),
        actor=actor,
        targets=targets,
        factors=_factors(text, at, pairs),
    )


def read_expression(text: str) -> tuple[int, int, Fraction] | None:
    """Read ``1d12+6`` as count, faces and modifier; None for anything else."""
    text = text.strip().strip("\"'").strip()
    match = _EXPRESSION.fullmatch(text) if len(text) <= LONGEST_EXPRESSION else None
    if match is None:
        return None
    count, faces = int(match[1] or 1), int(match[2])
    addends = [_number(*addend) for addend in _ADDEND.findall(match[3])]
    if not (1 <= count <= MOST_DICE and 1 <= faces <= MOST_FACES) or None in addends:
        return None
    return count, faces, sum((value for value in addends if value is not None), Fraction(0))


def _found(text: str, opening: Tag, stop: int, end: int | None, quoted: bool) -> FoundTag:
    """Put a tag together from its opening and what stands before ``stop``; unclosed without end."""
    content = text[opening.end : stop]
    expression, label_text = _halves(opening, content)
    closed = opening.end if end is None else end
    if not label_text.strip() or (end is None and expression is not None):
        # Some tags have no place for a label, or no closing one: then it stands behind a dash.
        beside = _BESIDE.match(text, closed, stop if end is None else len(text))
        if beside is not None:
            label_text, end = beside[1], beside.end()
    issues = [] if end is not None else ["unclosed"]
    if expression is None:
        issues.append("bad_expression")
    end = stop if end is None else end
    return FoundTag(
        start=opening.start,
        end=end,
        source=text[opening.start : end],
        quoted=quoted,
        tag=dice_tag(expression, label_text, issues),
    )


def dice_tag(
    expression: tuple[int, int, Fraction] | None, label_text: str, issues: Sequence[str] = ()
) -> DiceTag:
    """Hold what is thrown against a label; ``issues`` are those that are known already."""
    found = list(issues)
    label = Label()
    if len(label_text) > LONGEST_LABEL:
        found.append("too_long")
    else:
        label = read_label(label_text)
        found += _issues(expression, label)
    count, faces, modifier = expression or (None, None, None)
    return DiceTag(
        count=count,
        faces=faces,
        declared_modifier=modifier,
        action_name=label.action_name,
        items=label.items,
        actor=label.actor,
        targets=label.targets,
        factors=label.factors,
        listed_modifier=label.total,
        issues=tuple(found),
    )


def _halves(opening: Tag, content: str) -> tuple[tuple[int, int, Fraction] | None, str]:
    """Tell expression and label apart: forums disagree on which half of a tag holds which."""
    expression = read_expression(opening.value)
    if expression is not None:
        return expression, content
    expression = read_expression(content)
    if expression is not None:
        named = _NAMED.fullmatch(opening.value)
        label = named[1] if named else opening.value
        return expression, "" if _wraps(opening) else label
    braced = _BRACED.fullmatch(content)
    if braced is not None and (expression := read_expression(braced[2])) is not None:
        return expression, braced[1]
    return None, content


def _wraps(tag: Tag) -> bool:
    """Say whether a tag is one that is made a roller by its value."""
    return tag.name == _WRAP and tag.value.strip("\"'").lower() == "dice"


def _issues(expression: tuple[int, int, Fraction] | None, label: Label) -> Iterator[str]:
    alone = actions_called(label.action_name) & WITHOUT_TARGETS  # GC-9.6, GC-8.19
    if not (label.actor and (label.targets or alone)):  # GC-4.84
        yield "missing_actors"
    if expression is not None and expression[2] != label.total:  # GC-4.87
        yield "modifier_mismatch"


def _is_items(text: str, at: int, pairs: Mapping[int, int]) -> bool:
    """Say whether a round bracket holds items: the one that follows it names the actor."""
    end = pairs.get(at)
    if end is None or text[end + 1 : end + 2] == ":":
        return False
    follows = end + 1
    while text[follows : follows + 1].isspace():
        follows += 1
    inside = pairs.get(follows) if text[follows : follows + 1] == "(" else None
    if inside is None or _VERSUS.search(text, at, end):
        return False
    # An actor may be called "-0"; what has a "vs" is no list of factors.
    named = _VERSUS.search(text, follows, inside)
    return named is not None or not _ADDEND.match(text[follows + 1 : inside].lstrip())


def _factors(text: str, at: int, pairs: Mapping[int, int]) -> tuple[Factor, ...]:
    """Read the factors that stand from ``at`` on, inside their bracket if they have one."""
    at = _skip_blanks(text, at)
    stop = pairs.get(at, len(text)) if text[at : at + 1] == "(" else len(text)
    factors: list[Factor] = []
    while (found := _ADDEND.search(text, at, stop)) is not None:
        at = _skip_blanks(text, found.end())
        if text[at : at + 1] in ("[", "(") and at in pairs:
            source, at = text[at + 1 : pairs[at]], pairs[at] + 1
        else:
            bare = _BARE.match(text, at, stop)
            source, at = (bare[0], bare.end()) if bare else ("", at)
        value = _number(found[1], found[2])
        if value is not None:
            factors.append(Factor(value, _shown(source)))
    return tuple(factors)


def _number(sign: str, digits: str) -> Fraction | None:
    try:
        return _SIGNS[sign] * exact(digits)
    except ValueError:
        return None


def _names(text: str) -> tuple[str, ...]:
    shown = (_shown(name) for name in _COMMA.split(text))
    return tuple(name for name in shown if name)


def _shown(name: str) -> str:
    return " ".join(name.replace(JOINER, "").split())


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and (text[at].isspace() or text[at] in f":{JOINER}"):
        at += 1
    return at


def _pairs(text: str) -> dict[int, int]:
    """Pair the brackets of a label; a square one closes over round ones left open inside it."""
    pairs: dict[int, int] = {}
    squares: list[int] = []
    rounds: list[int] = []
    for found in _BRACKETS.finditer(text):
        at = found.start()
        match found[0]:
            case "[":
                squares.append(at)
            case "(":
                rounds.append(at)
            case "]" if squares:
                opened = squares.pop()
                pairs[opened] = at
                while rounds and rounds[-1] > opened:
                    rounds.pop()
            case ")" if rounds and (not squares or rounds[-1] > squares[-1]):
                pairs[rounds.pop()] = at
            case _:
                pass
    return pairs

"""The register of a post beside the computed one: each change, its cause, and their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Finding
from app.engine.tally import Tally
from app.posts.compared import (
    Because,
    Compared,
    Other,
    compared,
    reason,
    reasons_of_sum,
    register_lines,
)
from app.posts.header import read_entries
from app.posts.phrases import LANGUAGES, say
from app.posts.read import Claim, Reading
from app.posts.words import RULESET, plain
from app.posts.write import PostSource
from app.rulesets.guida.terms import Change

_COUNTED: Final = (Change.HP, Change.EP, Change.STACKS)
_GAP: Final = 2  # what it costs to leave a change without a partner, in halves


@dataclass(frozen=True, slots=True)
class _Listed:
    """A change that a post lists."""

    claim: Claim
    unit: str
    amount: int
    cause: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A change that was computed; ``said`` is its line as a post tells it, ``words`` its causes."""

    finding: Finding
    unit: str
    amount: Fraction
    said: str
    sentences: tuple[str, ...]
    words: tuple[str, ...]

    def has_cause(self, cause: str) -> bool:
        """Say whether a cause that somebody wrote is this one, in either language."""
        told = plain(cause)
        if any(word in told for word in self.words):
            return True
        return bool(told) and any(told in sentence for sentence in self.sentences)


def compare_register(
    reading: Reading, source: PostSource, others: Sequence[Other]
) -> Iterator[Compared]:
    """Compare every change of a register, and say which are lacking or unknown (GC-1.4)."""
    if reading.header.register is None:
        why = reason("GC-1.4", "not_in_post", computed=None)
        yield compared("change", "GC-1.4", None, None, why, about={"place": 0, "unit": "none"})
        return
    lines = [_line(finding, source) for finding in register_lines(source.findings)]
    counted = [line for line in lines if line.unit in _COUNTED]
    listed = _without_quoted(_listed(reading), counted)
    pairs = _aligned(listed, counted)
    free = [one for one in listed if all(one is not first for first, _ in pairs)]
    left = [one for one in counted if all(one is not second for _, second in pairs)]
    rows: list[tuple[int, Compared]] = []
    for one, line in pairs:
        rows += [(one.claim.start, row) for row in _pair(one, line)]
    last = max((start for start, _ in rows), default=0)  # what is lacking is told at the end
    for line in left:
        moved = next((one for one in free if _is_same(one, line)), None)
        if moved is None:
            why = reason(line.finding.rule, "line_missing", line=line.said)
            rows.append((last, _row(None, line, why)))
        else:
            free.remove(moved)
            why = reason(line.finding.rule, "out_of_order", line=line.said)
            rows.append((moved.claim.start, _row(moved, line, why)))
    for one in free:
        rows.append((one.claim.start, _row(one, None, _why_unknown(one, pairs, others, source))))
    rows.sort(key=lambda row: row[0])
    for place, (_, row) in enumerate(rows, 1):
        yield replace(row, about={**row.about, "place": place})
    yield from _effects(reading, [line for line in lines if line.unit not in _COUNTED])


def _line(finding: Finding, source: PostSource) -> _Line:
    facts = finding.facts
    words = [str(facts["name"] or "")]
    if facts["subject"]:
        words += [say(one, RULESET, "words", str(facts["subject"])) for one in LANGUAGES]
    amount = facts["amount"]
    return _Line(
        finding=finding,
        unit=str(facts["change"]),
        amount=Fraction(amount) if isinstance(amount, int | Fraction) else Fraction(0),
        said=say(source.language, RULESET, "findings", finding.key, facts),
        sentences=tuple(
            plain(say(one, RULESET, "findings", finding.key, facts)) for one in LANGUAGES
        ),
        words=tuple(plain(word) for word in words if plain(word)),
    )


def _listed(reading: Reading) -> list[_Listed]:
    found: list[_Listed] = []
    for claim in reading.claims:
        amount = claim.facts.get("amount")
        if claim.kind == "change" and isinstance(amount, int):
            unit, cause = str(claim.facts["unit"]), str(claim.facts["cause"])
            found.append(_Listed(claim, unit, amount, cause))
        elif claim.kind == "stacks" and isinstance(amount, int):
            found.append(_Listed(claim, Change.STACKS, amount, str(claim.facts["name"])))
    return found


def _without_quoted(listed: list[_Listed], lines: Sequence[_Line]) -> list[_Listed]:
    """Leave out the changes that only a name or a reason inside a line seems to tell."""
    kept = list(listed)
    for line in lines:
        inside = read_entries([line.said])
        for entry in inside if len(inside) > 1 else ():
            if entry.amount != line.amount:
                twin = next(
                    (one for one in kept if (one.unit, one.amount) == (entry.unit, entry.amount)),
                    None,
                )
                if twin is not None:
                    kept.remove(twin)
    return kept


def _cost(one: _Listed, line: _Line) -> int:
    """Tell how far two changes are from one another, in halves; more than two gaps is never."""
    if one.unit != line.unit:
        return 2 * _GAP + 1
    fits = line.has_cause(one.cause)
    if one.amount == line.amount:
        return 0 if fits else 1
    return 2 if fits else 2 * _GAP + 1


def _aligned(listed: Sequence[_Listed], lines: Sequence[_Line]) -> list[tuple[_Listed, _Line]]:
    """Pair what is listed with what was computed, both in their order, as cheaply as can be."""
    rows, columns = len(listed), len(lines)
    best = [[_GAP * (rows + columns - i - j) for j in range(columns + 1)] for i in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            best[i][j] = min(
                best[i + 1][j + 1] + _cost(listed[i], lines[j]),
                best[i + 1][j] + _GAP,
                best[i][j + 1] + _GAP,
            )
    pairs: list[tuple[_Listed, _Line]] = []
    i = j = 0
    while i < rows and j < columns:
        if best[i][j] == best[i + 1][j + 1] + _cost(listed[i], lines[j]):
            pairs.append((listed[i], lines[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j] + _GAP:
            i += 1
        else:
            j += 1
    return pairs


def _is_same(one: _Listed, line: _Line) -> bool:
    return one.unit == line.unit and one.amount == line.amount and line.has_cause(one.cause)


def _pair(one: _Listed, line: _Line) -> Iterator[Compared]:
    rule = line.finding.rule
    why: tuple[Because, ...] = ()
    if one.amount != line.amount:
        working = line.finding.facts["working"]
        if isinstance(working, Tally) and working.terms:
            # A sum is of damage, without the sign that its line of the register has.
            sign = 1 if working.total == line.amount else -1
            why = reasons_of_sum(Fraction(sign * one.amount), working)
        why = why or (reason(rule, "amount_differs", line=line.said),)
    yield _row(one, line, *why)
    if not line.has_cause(one.cause):
        code = "cause_differs" if one.cause else "cause_missing"
        why = (reason("GC-1.4", code, line=line.said),)
        about = {"unit": one.unit}
        yield compared(
            "cause", rule, one.cause or None, line.said, *why, about=about, claim=one.claim
        )


def _row(one: _Listed | None, line: _Line | None, *why: Because) -> Compared:
    unit = one.unit if one else line.unit if line else ""
    return compared(
        "stacks" if unit == Change.STACKS else "change",
        line.finding.rule if line else "GC-1.4",
        one.amount if one else None,
        line.amount if line else None,
        *why,
        about={"unit": unit, "line": line.said if line else ""},
        claim=one.claim if one else None,
    )


def _why_unknown(
    one: _Listed,
    pairs: Sequence[tuple[_Listed, _Line]],
    others: Sequence[Other],
    source: PostSource,
) -> Because:
    if any(_is_same(one, line) for _, line in pairs):
        return reason("GC-1.4", "line_repeated")
    for other in others:
        for finding in register_lines(other.findings):
            if _is_same(one, _line(finding, source)):
                return reason("GC-1.4", "line_of_other_entry", number=other.number)
    return reason("GC-1.4", "line_unknown")


def _effects(reading: Reading, lines: Sequence[_Line]) -> Iterator[Compared]:
    """Look for the lines that tell of effects and points, in our words or with the same figure."""
    if not lines:
        return
    left = [plain(line) for line in reading.story]
    claims = {plain(str(one.facts["line"])): one for one in reading.unread if "line" in one.facts}
    own: dict[int, str] = {}
    for place, line in enumerate(lines):  # ours first: another's words may resemble them
        said = next((one for one in left if any(it in one for it in line.sentences)), None)
        if said is not None:
            own[place] = said
            left.remove(said)
    figures = [line for line in left if any(map(str.isdigit, line))]
    for place, line in enumerate(lines):
        rule = line.finding.rule
        about = {"name": str(line.finding.facts["name"] or line.said)}
        near = own.get(place) or next((one for one in figures if _has_all(one, line)), None)
        if near is None:
            lacks = reason(rule, "effect_missing", line=line.said)
            yield compared("effect", rule, None, line.amount, lacks, about=about)
            continue
        if near in figures:
            figures.remove(near)
        why: tuple[Because, ...] = ()
        if place not in own and not _has_figure(near, line.amount):
            why = (reason(rule, "effect_differs", line=line.said),)
        claimed, claim = None if why else line.amount, claims.get(near)
        yield compared("effect", rule, claimed, line.amount, *why, about=about, claim=claim)


def _has_all(text: str, line: _Line) -> bool:
    """Say whether a line speaks of an effect by name and subject, with a figure of its own."""
    name = plain(str(line.finding.facts["name"] or ""))
    subjects = line.words[1:] if name else line.words
    return name in text and (not subjects or any(word in text for word in subjects))


def _has_figure(text: str, amount: Fraction) -> bool:
    figure = str(abs(amount))
    return figure in "".join(one if one.isdigit() or one in "./" else " " for one in text).split()

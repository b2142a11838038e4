"""A post held against what was computed, number by number, with the reason of each difference.

Only what is given in is compared, so that nobody learns from it more than they may know; what a
post says beyond that is said to be unknown, and never to be false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from app.engine.findings import Finding
from app.engine.tally import Tally
from app.posts.blocks import Heading, Note
from app.posts.compare_dice import DieRow, compare_dice
from app.posts.compare_register import compare_register
from app.posts.compared import (
    Because,
    Compared,
    Other,
    compared,
    finding_of,
    reason,
    reasons_of_sum,
    register_lines,
)
from app.posts.header import StatNote
from app.posts.paste import heading
from app.posts.read import Claim, Reading
from app.posts.words import phases_called, plain
from app.posts.write import PostSource, write_blocks
from app.rulesets.guida.terms import Phase, Stat

_BALANCE_RULE = {"hp": "GC-2.5", "ep": "GC-2.6"}


def compare_post(
    reading: Reading,
    source: PostSource,
    *,
    others: Sequence[Other] = (),
    has_dice: bool = True,
) -> tuple[Compared, ...]:
    """Compare a post that was read with the entry that it tells, in the order of a post.

    ``others`` are other entries of the same character; ``has_dice`` says whether the dice of the
    entry must stand in its post, fallen or as tags.
    """
    told: list[Compared] = []
    if any(finding.key == "vitals" for finding in source.findings):
        for unit in ("hp", "ep"):
            told += _vital(unit, reading, source.findings, others)
        told += _temporary(reading)
        for stat in Stat:
            told += _stat(stat, reading, source.findings, others)
        told += compare_register(reading, source, others)
    dice = tuple(compare_dice(reading, source, others, has_dice=has_dice))
    return (*told, *_phases(reading, source, dice), *(one.row for one in dice))


def unexplained(reading: Reading, source: PostSource) -> tuple[Claim, ...]:
    """Give what was not understood of a post, without the notes that we wrote into it."""
    ours = {plain(block.text) for block in write_blocks(source) if isinstance(block, Note)}
    return tuple(one for one in reading.unread if plain(str(one.facts.get("line"))) not in ours)


def _claims(reading: Reading, kind: str) -> tuple[Claim, ...]:
    return tuple(claim for claim in reading.claims if claim.kind == kind)


def _vital(
    unit: str, reading: Reading, findings: tuple[Finding, ...], others: Sequence[Other]
) -> Iterator[Compared]:
    vitals = finding_of(findings, "vitals")
    if vitals is None:
        return
    header = reading.header
    claimed = header.hp if unit == "hp" else header.ep
    claim = next(iter(_claims(reading, unit)), None)
    now = _int(vitals, unit)
    because: tuple[Because, ...] = ()
    if claimed is None:
        because = (reason("GC-1.2", "not_in_post", computed=now),)
    elif claimed != now:
        because = tuple(_why_vital(unit, claimed, reading, findings, others))[:3]
    yield compared(unit, "GC-1.2", claimed, now, *because, claim=claim)
    most = header.max_hp if unit == "hp" else header.max_ep
    if most is not None:
        has = _int(vitals, f"max_{unit}")
        because = () if most == has else (reason("GC-1.2", "sheet_says", computed=has),)
        yield compared(f"max_{unit}", "GC-1.2", most, has, *because, claim=claim)


def _why_vital(
    unit: str,
    claimed: int,
    reading: Reading,
    findings: tuple[Finding, ...],
    others: Sequence[Other],
) -> Iterator[Because]:
    """Say why hit points or energy are others: by a limit, a line, the register, another entry."""
    vitals = finding_of(findings, "vitals")
    balance = finding_of(findings, "balance", what=unit)
    if vitals is None or balance is None:
        return
    rule = _BALANCE_RULE[unit]
    now, before = _int(vitals, unit), _int(balance, "before")
    lines = [line for line in register_lines(findings) if line.facts["change"] == unit]
    found = list(_limits(claimed, now, _int(vitals, f"max_{unit}"), lines))
    if claimed == before and lines:
        found.append(reason(rule, "as_before", before=before))
    elif not found:
        found += _one_line(claimed - now, lines)
    known, told = bool(found), False
    if reading.header.register is not None:
        listed = [one.amount for one in reading.header.register if one.unit == unit]
        leads = before + sum(listed)
        known, told = known or claimed == leads, leads == now
        if claimed == leads:
            found.append(reason(rule, "register_leads", before=before, leads=leads))
        else:
            facts = {"before": before, "leads": leads, "claimed": claimed}
            found.append(reason(rule, "not_from_before", **facts))
    if not known:
        number = _entry_with(others, "vitals", unit, claimed)
        counted = {name: balance.facts[name] for name in ("before", "losses", "gains", "now")}
        if number:
            found.append(reason("GC-1.2", "other_entry", number=number))
        elif not told:
            found.append(reason(rule, "engine_counts", **counted))
    yield from found


def _limits(claimed: int, now: int, most: int, lines: Sequence[Finding]) -> Iterator[Because]:
    """Say which limit the rules put and the post does not."""
    if claimed > most >= now:
        yield reason("GC-7.1", "above_maximum", most=most)
    if now == 0 > claimed and any(line.key == "line_hp_floor" for line in lines):
        yield reason("AMB-4", "floor")
    for line in lines:
        working = line.facts["working"]
        for term in working.terms if isinstance(working, Tally) else ():
            if term.key == "up_to_maximum" and claimed - now == -term.value:
                yield reason(term.rule, "capped", most=most)


def _one_line(over: int, lines: Sequence[Finding]) -> Iterator[Because]:
    """Find the one line of the register that was not counted, or twice."""
    for line in lines:
        amount = _int(line, "amount")
        if over in (amount, -amount):
            code = "line_twice" if over == amount else "line_not_counted"
            yield reason(line.rule, code, amount=amount, name=str(line.facts["name"] or ""))
            return


def _temporary(reading: Reading) -> Iterator[Compared]:
    for claim in _claims(reading, "temp"):
        why = reason("GC-1.2", "no_temporary")
        yield compared("temp", "GC-1.2", claim.facts["now"], None, why, claim=claim)


def _stat(
    stat: Stat, reading: Reading, findings: tuple[Finding, ...], others: Sequence[Other]
) -> Iterator[Compared]:
    finding = finding_of(findings, "stat", stat=stat)
    if finding is None:
        return
    base, points = _int(finding, "base"), _int(finding, "points")
    note = next((one for one in reading.header.stats if one.stat is stat), None)
    claim = next((one for one in _claims(reading, "stat") if one.facts["stat"] == stat), None)
    about = {"stat": stat}
    if note is None:
        why = reason("GC-1.3", "not_in_post", computed=base)
        yield compared("base", "GC-1.3", None, base, why, about=about)
        return
    number = _entry_with(others, "stat", "base", note.base, stat=stat)
    wrong: tuple[Because, ...] = ()
    if note.base != base and points and note.base == base + points:
        wrong = (reason("GC-1.3", "total_as_base", base=base, points=points),)
    elif note.base != base and number:
        wrong = (reason("GC-1.3", "other_entry", number=number),)
    elif note.base != base:
        wrong = (reason("GC-1.3", "sheet_says", computed=base),)
    yield compared("base", "GC-1.3", note.base, base, *wrong, about=about, claim=claim)
    wrong = tuple(_why_points(note, finding, points, others))
    yield compared("points", "GC-1.3", note.points, points, *wrong, about=about, claim=claim)


def _why_points(
    note: StatNote, finding: Finding, points: int, others: Sequence[Other]
) -> Iterator[Because]:
    if note.points == points:
        return
    if note.points is None:
        yield reason("GC-1.3", "no_bracket", base=note.base, points=points)
        return
    working = finding.facts["working"]
    why: tuple[Because, ...] = (reason("GC-1.3", "no_points"),)
    if isinstance(working, Tally) and working.terms:
        why = reasons_of_sum(Fraction(note.points), working)
    number = _entry_with(others, "stat", "points", note.points, stat=note.stat)
    if number and why[0].code in ("no_points", "terms_are"):
        why = (*why, reason("GC-1.3", "other_entry", number=number))
    yield from why


def _phases(reading: Reading, source: PostSource, dice: Sequence[DieRow]) -> Iterator[Compared]:
    """Compare which phases the post has, in which order, and under which of them its dice stand."""
    called = phases_called()
    played = [
        called[plain(block.text)]
        for block in write_blocks(source)
        if isinstance(block, Heading) and plain(block.text) in called
    ]
    found: dict[Phase, Claim] = {}
    for claim in _claims(reading, "phase"):
        found.setdefault(called[plain(heading(str(claim.facts["name"])))], claim)
    order = [phase for phase in found if phase in played]
    for phase in Phase:
        there, place = phase in found, found.get(phase)
        if not there and phase not in played:
            continue
        because: list[Because] = []
        if not there:
            because.append(reason("GC-2.2", "phase_missing"))
        elif phase in played and order.index(phase) != sorted(order, key=list(Phase).index).index(
            phase
        ):
            because.append(reason("GC-2.2", "phase_order"))
        strayed = [one for one in dice if one.phase == phase and _under(found, one) is not phase]
        if there and any(_under(found, one) for one in strayed):
            names = tuple(str(one.row.about["place"]) for one in strayed)
            because.append(reason("GC-2.2", "die_in_other_phase", dice=names))
        # A heading beyond those of what was played is no mistake: people tell of a phase, too.
        expected = phase in played or not because
        about = {"phase": phase}
        yield compared("phase", "GC-2.2", there, expected, *because, about=about, claim=place)


def _under(found: dict[Phase, Claim], die: DieRow) -> Phase | None:
    """Give the phase under whose heading a die stands."""
    if die.row.claim is None:
        return None
    above = [(claim.start, phase) for phase, claim in found.items()]
    before = [one for one in above if one[0] <= die.row.claim.start]
    return max(before)[1] if before else None


def _entry_with(
    others: Sequence[Other], key: str, name: str, value: int, stat: Stat | None = None
) -> int:
    """Find another entry that shows a number; 0 where none does."""
    wanted = {name: value} if stat is None else {name: value, "stat": stat}
    return next((one.number for one in others if finding_of(one.findings, key, **wanted)), 0)


def _int(finding: Finding, name: str) -> int:
    value = finding.facts[name]
    return int(value) if isinstance(value, int | Fraction) else 0

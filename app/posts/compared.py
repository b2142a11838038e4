"""What a post says beside what was computed: one number, whether they agree, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from app.engine.dice import Roll
from app.engine.findings import Fact, Facts, Finding
from app.engine.numbers import spelled
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.posts.phrases import SERVICE, find, say
from app.posts.read import Claim
from app.posts.words import RULESET

NUMBERS: Final = (
    *("hp", "max_hp", "ep", "max_ep", "temp", "base", "points"),
    *("change", "stacks", "effect", "cause", "phase"),
    *("die", "factors", "modifier", "face", "total"),
)
REASONS: Final = (
    *("not_in_post", "no_temporary", "other_entry"),
    *("above_maximum", "floor", "capped", "as_before", "line_not_counted", "line_twice"),
    *("register_leads", "not_from_before", "engine_counts", "sheet_says"),
    *("total_as_base", "no_bracket", "no_points"),
    *("sign", "term_left_out", "term_twice", "rounding", "terms_are"),
    *("line_missing", "line_unknown", "line_repeated", "line_of_other_entry", "out_of_order"),
    *("amount_differs", "cause_missing", "cause_differs", "effect_missing", "effect_differs"),
    *("phase_missing", "phase_order", "die_in_other_phase"),
    *("die_missing", "die_unknown", "die_of_other_entry", "wrong_die"),
    *("factor_missing", "factor_extra", "factor_differs", "factors_lead", "label_says"),
    *("face_of_ledger", "face_of_other_die", "total_sum", "total_follows"),
)
SIGNED: Final = frozenset({"points", "change", "stacks", "effect", "modifier", "factors"})
_MOST_TERMS: Final = 40  # of a sum, among which pairs are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Because:
    """Why a number of a post is another one: a code of ``REASONS``, by which rule."""

    rule: str
    code: str
    facts: Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One number of a post beside the computed one; None where one of them is not there.

    ``about`` tells which number of its ``kind`` it is; ``claim`` is its place, if it has one.
    """

    kind: str
    about: Facts
    rule: str
    claimed: Fact
    computed: Fact
    same: bool
    claim: Claim | None = None
    because: tuple[Because, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Another entry of the same character, whose numbers may have got into this post."""

    number: int
    findings: tuple[Finding, ...]
    asked: tuple[Asked, ...] = ()
    rolls: tuple[Roll, ...] = ()


def compared(
    kind: str,
    rule: str,
    claimed: Fact,
    computed: Fact,
    *because: Because,
    about: Mapping[str, Fact] | None = None,
    claim: Claim | None = None,
) -> Compared:
    """Put two numbers side by side; they agree where there is no reason against it."""
    return Compared(
        kind=kind,
        about=about or {},
        rule=rule,
        claimed=claimed,
        computed=computed,
        same=not because,
        claim=claim,
        because=because,
    )


def reason(rule: str, code: str, **facts: Fact) -> Because:
    """Give one reason."""
    return Because(rule=rule, code=code, facts=facts)


def say_number(language: str, one: Compared) -> str:
    """Name the number that was compared."""
    facts = {name: _worded(language, name, fact) for name, fact in one.about.items()}
    return say(language, RULESET, "compared", one.kind, facts)


def say_reason(language: str, because: Because) -> str:
    """Say why a number is another one, and how to mend it."""
    return say(language, RULESET, "reasons", because.code, because.facts)


def say_value(language: str, kind: str, value: Fact) -> str:
    """Write a number as posts do; a dash where it is not there."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return say(language, SERVICE, "words", "yes" if value else "no")
    if isinstance(value, int | Fraction):
        return spelled(Fraction(value), sign=kind in SIGNED)
    return str(value)


def reasons_of_sum(claimed: Fraction, tally: Tally) -> tuple[Because, ...]:
    """Find which terms of a sum somebody left out or counted twice, or tell all of them."""
    over = claimed - tally.total
    terms = tally.terms[:_MOST_TERMS]
    rounded = next((one for one in terms if one.key == "rounding"), None)
    if rounded is not None and abs(over) <= 1:
        return (reason(rounded.rule, "rounding", working=tally),)
    if claimed and claimed == -tally.total:
        return (reason(tally.rules()[0], "sign", computed=tally.total),)
    for term in terms:
        if term.value == -over:
            return (_of_term("term_left_out", term),)
    for term in terms:
        if term.value == over:
            return (_of_term("term_twice", term),)
    for pair in combinations(terms, 2):
        if sum(term.value for term in pair) == -over:
            return tuple(_of_term("term_left_out", term) for term in pair)
    if not terms:
        return ()
    return (reason(terms[0].rule, "terms_are", working=tally),)


def _of_term(code: str, term: Term) -> Because:
    return reason(term.rule, code, factor=Tally((term,)))


def register_lines(findings: tuple[Finding, ...]) -> Iterator[Finding]:
    """Give the lines of the register that a turn published."""
    for finding in findings:
        if finding.key.startswith("line_") and "working" in finding.facts:
            yield finding


def finding_of(findings: tuple[Finding, ...], key: str, **facts: Fact) -> Finding | None:
    """Find the first finding of a key with these facts."""
    for finding in findings:
        same = all(finding.facts.get(name) == fact for name, fact in facts.items())
        if finding.key == key and same:
            return finding
    return None


def _worded(language: str, name: str, fact: Fact) -> Fact:
    """Say an action or a phase by its name, where the language has one."""
    section = {"action": "actions", "phase": "phases"}.get(name)
    if section and isinstance(fact, str) and find(language, RULESET, section, fact):
        return say(language, RULESET, section, fact)
    return fact

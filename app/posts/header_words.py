"""The words of a header and the figures beside them, as patterns; each is made once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from app.posts.words import stats_called, words_for

SIGN: Final = "[-+−–]"
DIGITS: Final = "[0-9]{1,6}"
# Of other games: hit points that go first, which the Guida does not have.
TEMPORARY: Final = frozenset(
    {"temp", "temporanei", "temporary", "pv temporanei", "temp hp", "hp temp"}
)
# Whose count it is in a post that tells several: that of now.
NOW: Final = (
    *("rimanenti", "rimasti", "restanti", "residui", "attuali", "correnti", "finali", "ora"),
    *("adesso", "remaining", "left", "current", "now"),
)
# Before a name: another count than that of now.
_OTHER: Final = re.compile(
    r"(?<![^\W_])(?:max|massimi|massimo|maximum|totali|total|iniziali|initial|starting|persi|lost)"
    r"\.?\s?\Z",
    re.IGNORECASE,
)
# What may stand between a name and its figure: "PV 85", "PV: 85", "PV (85", "PV = 85", "[PV] 85".
_GAP: Final = r"\]?\s?[:=(|]?\s?"
# With dots in it as thousands are written; nothing that goes on as a decimal or as a die.
_NUMBER: Final = rf"(?:[0-9]{{1,3}}[.'’][0-9]{{3}}|{DIGITS})(?![0-9]|[.,'’][0-9]|d[0-9])"
_MOST: Final = r"\s?(?:/|(?:su|of|out\sof)(?![^\W_]))\s?"
_ARROW: Final = r"(?:[-=]{0,2}>|[→⇒➔➜])"
# What it was and what came of it: "100 →", "100 - 15 =", "100/100 − 15 + 3 =".
_BEFORE: Final = (
    rf"(?:{SIGN}?\s?{_NUMBER}(?:{_MOST}{_NUMBER})?(?:\s?{SIGN}\s?{_NUMBER}){{0,6}}"
    rf"\s?(?:{_ARROW}|=)\s?){{0,4}}"
)
# Behind a figure: that it goes on in a way that is not understood.
_GOES_ON: Final = (
    rf"\s?(?:%|{_MOST}[0-9]|{_ARROW}(?!\s?[\w>])"
    rf"|(?:{_ARROW}|[-+−–=*×~…]){{1,3}}\s?[0-9]{{1,6}}+(?!\s?[^\W\d_]))"
)
_VITAL: Final = (
    rf"(?P<before>{_BEFORE})(?P<sign>{SIGN}?)\s?(?P<now>{_NUMBER})"
    rf"(?:{_MOST}(?P<most>{_NUMBER}))?(?!{_GOES_ON})"
)
_STAT: Final = (
    rf"({DIGITS})(?![0-9]|[.,][0-9])"
    rf"(?:\s?\(\s?({SIGN}?)\s?({DIGITS})\s?\)|\s?({SIGN})\s?({DIGITS})(?![0-9]))?"
)
_NOW: Final = rf"(?:\s(?:{'|'.join(sorted(NOW))})(?![^\W_]))?"
PER_TURN: Final = re.compile(
    r"\s?(?:/\s?|(?:a|per|a ogni|ad ogni|every|each)\s)(?:turno|turn)\b", re.IGNORECASE
)
# Behind a number that is the beginning of a sum, as in "PV: -1 − 0 + 3 = 2".
SUM: Final = re.compile(
    rf"(?:\s?{SIGN}\s?{DIGITS}){{1,2}}+\s?(?:=|(?:does not|non)(?![^\W\d_]))", re.IGNORECASE
)
FIRST: Final = re.compile(rf"{SIGN}?\s?{DIGITS}")
STACKS: Final = re.compile(
    rf"(?P<sign>{SIGN})\s?(?P<digits>{DIGITS})\s?stacks?(?![^\W\d_])"
    rf"|(?<![^\W_])stacks?{_GAP}(?P<sign_after>{SIGN})\s?(?P<after>{DIGITS})(?![0-9])",
    re.IGNORECASE,
)
# A figure that is set like those of a header, whatever its name is.
FIELD: Final = re.compile(
    r"(?<![^\W_])(?P<name>[^\W\d_]{2,20}(?:\s[^\W\d_]{1,20})?)\s?[:=]?\s?"
    rf"(?:{DIGITS}\s?/\s?{DIGITS}(?![0-9/])|{DIGITS}\s?\(\s?{SIGN}\s?{DIGITS}\s?\))"
)


REST: Final = re.compile(r"[^|;]{0,80}")  # of a field


@cache
def vital(unit: str) -> re.Pattern[str]:
    """Match a name of ``hp``, ``ep`` or ``temp`` with its figure."""
    return re.compile(rf"{_counted(unit)}(?P<gap>{_GAP}){_VITAL}", re.IGNORECASE)


@cache
def vital_begins(unit: str) -> re.Pattern[str]:
    """Match a name of ``hp``, ``ep`` or ``temp`` up to where a figure of any kind begins."""
    return re.compile(
        rf"(?P<name>{_counted(unit)})(?P<gap>{_GAP})(?={SIGN}?\s?[0-9])", re.IGNORECASE
    )


@cache
def other_vital(unit: str) -> re.Pattern[str]:
    """Match a field whose name has ``hp`` or ``ep`` in it, and is not quite that."""
    named = _named(_words_of(unit), group="(?:")
    word = r"[^\W\d_]{1,20}\.?"
    return re.compile(
        rf"(?:^|[|;,/])\s?(?P<name>(?:{word}\s)?{named}(?:\s{word}){{0,3}})\s?[:=]\s?"
        r"(?P<said>[0-9][^|;]{0,40})",
        re.IGNORECASE,
    )


def is_other(before: str) -> bool:
    """Say whether what stands before a name makes it another count than that of now."""
    return _OTHER.search(before[-20:]) is not None


@cache
def stats() -> re.Pattern[str]:
    """Match a stat with its base and its points."""
    return re.compile(rf"{_named(stats_called())}{_GAP}{_STAT}", re.IGNORECASE)


@cache
def amount() -> re.Pattern[str]:
    """Match ``-12 PV`` and ``PV: -12``."""
    units = words_for("hp", "ep")
    return re.compile(
        rf"(?P<sign>{SIGN})\s?(?P<digits>{DIGITS})\s?"
        rf"{_named(units, group='(?P<word>', free=True)}"
        rf"|{_named(units, group='(?P<word_before>')}{_GAP}(?P<sign_after>{SIGN})\s?"
        rf"(?P<after>{DIGITS})(?![0-9])",
        re.IGNORECASE,
    )


@cache
def figure() -> re.Pattern[str]:
    """Match a number of hit points or energy, whatever its sign."""
    units = words_for("hp", "ep")
    return re.compile(
        rf"{DIGITS}\s?{_named(units, group='(?:', free=True)}"
        rf"|{_named(units, group='(?:')}{_GAP}{SIGN}?\s?{DIGITS}",
        re.IGNORECASE,
    )


@cache
def field() -> re.Pattern[str]:
    """Match a name of the header where a field begins, up to where its figure should stand."""
    return re.compile(rf"(?:^|[|;,/])\s?\[?{_named(_names())}{_NOW}\]?\s?[:=]\s?", re.IGNORECASE)


@cache
def alone() -> re.Pattern[str]:
    """Match a line that is nothing but a name of the header."""
    return re.compile(rf"{_named(_names())}{_NOW}\s?[:=]?", re.IGNORECASE)


@cache
def value() -> re.Pattern[str]:
    """Match a line that is nothing but a figure of the header."""
    return re.compile(rf"{_VITAL}|{_STAT}")


def signed(sign: str, digits: str) -> int:
    """Put sign and digits together, whichever minus was typed."""
    return -int(digits) if sign in ("-", "−", "–") else int(digits)


def whole(digits: str) -> int:
    """Read a number, with what sets its thousands apart."""
    return int("".join(filter(str.isdigit, digits)))


def _words_of(unit: str) -> frozenset[str]:
    return TEMPORARY if unit == "temp" else words_for(unit)


def _counted(unit: str) -> str:
    return _named(_words_of(unit), group="(?:") + _NOW


def _names() -> frozenset[str]:
    return words_for("hp", "ep") | frozenset(stats_called()) | TEMPORARY


def _named(words: Iterable[str], *, group: str = "(", free: bool = False) -> str:
    """Match any of these words as whole words; a ``free`` one may follow a digit."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    either = "|".join(r"\s".join(map(re.escape, word.split())) for word in longest_first)
    before = "" if free else r"(?<![^\W_])"
    return rf"{before}{group}{either})(?![^\W\d_])"

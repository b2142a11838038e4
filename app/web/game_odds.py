"""Pages of odds: how two fighters or armies fare against each other before anybody plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.odds import Method
from app.http.aside import at_length
from app.http.language import Language
from app.posts.phrases import say, sections
from app.services.errors import STATUS, Busy, Malformed, NotFound, Refused
from app.services.odds import GLANCE, WORK, Figure, Notice, OddsAsked, OddsFound, odds_of
from app.web.forms import Nested, TooDeep, nest, text_at
from app.web.odds import percent
from app.web.odds_form import CHOICES, SEATS, first_texts, write_setup
from app.web.pages import page
from app.web.texts import translations
from app.web.troubles import Troubles, troubles_of
from app.web.visit import Here, Visit

router = APIRouter()
RUNS: Final = 150
MORE_RUNS: Final = 1_000
CLOSER: Final = "closer"
ASKED: Final = "show"  # the button: without it the form is only shown


@dataclass(frozen=True, slots=True)
class Bar:
    """A share as a bar: whose it is (nobody's is a draw), how wide of 100, and in words."""

    seat: str
    width: float
    share: str
    error: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning in words, and the address of the same question with what it offers."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Told:
    """The odds of a set-up as a page shows them."""

    exact: bool
    runs: int
    bars: tuple[Bar, ...]
    capped: Bar
    turns: str
    turns_error: str
    warnings: tuple[Warned, ...]
    closer: str


@router.get("/odds")
async def index(here: Here) -> Response:
    """List the games whose odds can be asked for."""
    return page(here, "odds/index.html", games=tuple(CHOICES))


@router.get("/odds/{game}")
async def show(here: Here, game: str) -> Response:
    """Show the form of a game, and the odds of what was filled in."""
    if game not in CHOICES:
        raise NotFound
    try:
        form: dict[str, Nested] = nest(here.request.query_params.multi_items())
    except TooDeep:
        form = {}
    if ASKED not in form:
        return _page(here, game, form or first_texts(game))
    try:
        found = await at_length(odds_of, *_asked(game, form))
    except (Malformed, Refused, Busy) as error:
        troubles = troubles_of(error, here.request)
        return _page(here, game, form, STATUS[type(error)], troubles=troubles)
    return _page(here, game, form, told=_told(here, found))


def _asked(game: str, form: Nested) -> tuple[OddsAsked, int]:
    """Ask for a few games, or for many where somebody wants to wait for closer figures."""
    closer = text_at(form, CLOSER) != ""
    runs, work = (MORE_RUNS, WORK) if closer else (RUNS, GLANCE)
    return OddsAsked(ruleset=game, setup=write_setup(game, form), runs=runs), work


def _page(
    here: Visit,
    game: str,
    form: Nested,
    status: int = 200,
    *,
    troubles: Troubles | None = None,
    told: Told | None = None,
) -> Response:
    return page(
        here,
        f"odds/{game}.html",
        status,
        data=form,
        game=game,
        seats=SEATS,
        troubles=troubles or Troubles(),
        told=told,
        say_word=partial(_word, here.language, game),
        labelled=partial(_labelled, here.language, game),
        said=partial(_said, here.language),
        **CHOICES[game],
    )


def _word(language: Language, game: str, code: str) -> str:
    return say(language, game, "words", code)


def _labelled(
    language: Language, game: str, codes: Iterable[str], thing: str = ""
) -> list[tuple[str, str]]:
    """Name codes for a choice: a ``thing`` has names of its own, by its gender or absence."""
    named = sections(language, game)["terms"]
    return [
        (code, _upfirst(str(named.get(f"{code}_{thing}") or _word(language, game, code))))
        for code in codes
    ]


def _upfirst(text: str) -> str:
    return text[:1].upper() + text[1:]


def _said(language: Language, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    catalogue = translations(language)
    return [(code, catalogue.gettext(text)) for code, text in texts.items()]


def _told(here: Visit, found: OddsFound) -> Told:
    spoken, asked = here.language, here.request.query_params
    exact = found.method is Method.EXACT
    bars = [_bar(one.seat, one.wins, spoken) for one in found.seats]
    return Told(
        exact=exact,
        runs=found.runs,
        bars=(*bars, _bar("", found.draws, spoken)),
        capped=_bar("", found.capped, spoken),
        turns=_tenths(found.turns.value, spoken),
        turns_error="" if found.turns.error is None else _tenths(found.turns.error, spoken),
        warnings=tuple(_warned(here, found.ruleset, one) for one in found.notices),
        closer="" if exact or CLOSER in asked else _again(here, {CLOSER: "1"}),
    )


def _bar(seat: str, figure: Figure, language: Language) -> Bar:
    error = "" if figure.error is None else _tenths(figure.error * 100, language)
    width = float(round(figure.value * 100, 1))
    return Bar(seat=seat, width=width, share=percent(figure.value, language), error=error)


def _warned(here: Visit, game: str, notice: Notice) -> Warned:
    said = say(here.language, game, "notices", notice.code, notice.facts)
    if not notice.offers:
        return Warned(said, "")
    changed = {f"options.{name}": value for name, value in notice.offers.items()}
    return Warned(said, _again(here, changed))


def _again(here: Visit, changed: Mapping[str, str]) -> str:
    """Give the question of this page anew, with some of it changed."""
    return str(here.request.url.include_query_params(**changed).query)


def _tenths(number: Fraction, language: Language) -> str:
    """Write a number with one decimal; an error is never written as nothing."""
    tenths = max(1, round(number * 10)) if number else 0
    return f"{tenths // 10}{',' if language == 'it' else '.'}{tenths % 10}"

"""Templates, one environment a language, and the answer that a filled one becomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from babel.dates import format_datetime
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app import catalogue
from app.catalogue import HOMES, read_once
from app.config import TEMPLATES
from app.engine.findings import Facts
from app.engine.numbers import spelled
from app.engine.tally import Tally, Term
from app.http.language import COOKIE, LANGUAGES, Language
from app.http.zone import UTC, zone_info
from app.posts.phrases import say
from app.posts.write import layout_of
from app.web.back import answers_form, log_in_address
from app.web.forms import moved_at, rows_at, text_at, ticks_at
from app.web.help_topics import topic_of
from app.web.numbers import shown
from app.web.texts import translations
from app.web.troubles import Troubles
from app.web.visit import Visit

A_YEAR = 365 * 24 * 3600  # seconds
RULESET = "guida"
# Filters have no context where a macro was imported without one.
ZONE: Final[ContextVar[str]] = ContextVar("zone", default=UTC)
_EMPTY: Final[Mapping[str, Any]] = {
    "troubles": Troubles(),
    "data": {},
    "failing": "",
    "section": "",
    "reader_unknown": False,
}


@read_once
def environment(language: Language, ruleset: str = RULESET) -> Environment:
    """Make the environment of a language and a game; whatever a template prints is escaped."""
    brought = HOMES[ruleset] / "templates"  # by a game that came as one package
    made = Environment(
        loader=FileSystemLoader((TEMPLATES, brought)),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.install_gettext_translations(  # type: ignore[attr-defined]  # added by the i18n extension
        translations(language), newstyle=True
    )
    made.globals |= {
        "language": language,
        "ruleset_key": ruleset,
        "say": partial(_say, language, ruleset),
        "word": partial(word_of, language, ruleset),
        "rule": partial(rule_in, language),
        "all_books": lambda: tuple(catalogue.books().values()),
        "term_name": partial(term_name, language, ruleset),
        "story_phases": layout_of(ruleset).phases,
        "help_topic": topic_of,
        "text_at": text_at,
        "ticks_at": ticks_at,
        "rows_at": rows_at,
        "moved_at": moved_at,
    }
    made.tests["of_header"] = layout_of(ruleset).is_header
    made.filters |= {
        "spelled": partial(shown, language),
        "signed": partial(shown, language, sign=True),
        "typed": partial(spelled, sign=True),
        "moment": partial(_moment, language),
        "tallies": tallies,
        "table": dict,
        "upfirst": lambda text: text[:1].upper() + text[1:],
        "kind": lambda value: type(value).__name__,
        "pair_of_zone": lambda zone: (zone, zone.replace("_", " ")),
        "pair_of_sheet": lambda sheet: (sheet.id, sheet.name),
        "words": lambda codes: [(code, word_of(language, ruleset, code)) for code in codes],
    }
    return made


def fill(visit: Visit, template: str, context: Mapping[str, Any]) -> str:
    """Fill a template for a visit, in the words of the game that its context is about."""
    scene = context.get("scene")
    ruleset = context.get("ruleset") or (RULESET if scene is None else scene.ruleset)
    found = environment(visit.language, ruleset).get_template(template)
    board = visit.board if scene is None else scene.board
    ZONE.set(visit.zone)
    here = {
        "zone": visit.zone,
        "principal": visit.principal,
        "heading": visit.heading,
        "board_id": board,
        "at_board": f"/boards/{board}",
        "spoken_in": None if answers_form(visit.request) else partial(_spoken_in, visit),
        "now": visit.world.now,
        "log_in_here": log_in_address(visit.request),
    }
    return found.render({**_EMPTY, **here, **context})


def page(visit: Visit, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """Answer with a filled template; a language chosen in the address is remembered."""
    answer = HTMLResponse(fill(visit, template, context), status)
    answer.headers["Content-Language"] = visit.language
    if visit.request.query_params.get("lang") in LANGUAGES:
        answer.set_cookie(
            COOKIE,
            visit.language,
            max_age=A_YEAR,
            secure=visit.settings.secure,
            samesite="lax",
        )
    return answer


def see(address: str) -> Response:
    """Send the browser on to a page of ours after something was done."""
    return RedirectResponse(address, 303)


def _spoken_in(visit: Visit, language: Language) -> str:
    """Give the same page in a language: whatever was asked for is asked for again."""
    asked = visit.request.query_params.multi_items()
    kept = [(name, text) for name, text in asked if name != "lang"]
    return f"?{urlencode([*kept, ('lang', language)])}"


# ------------------------------------------------------------------------- what templates say


def _say(
    language: Language, ruleset: str, section: str, key: str, facts: Facts | None = None
) -> str:
    return say(language, ruleset, section, key, facts or {}, partial(shown, language))


def word(language: Language, code: str) -> str:
    """Say a word of the Guida, or of the service, as people say it."""
    return word_of(language, RULESET, code)


def word_of(language: Language, ruleset: str, code: str) -> str:
    """Say a word of a game as people say it."""
    return say(language, ruleset, "words", str(code), {})


def rule_in(language: Language, id: str) -> Mapping[str, str] | None:
    """Give title and statement of a rule or a ruling; None for an id that no catalogue has."""
    found = catalogue.rules().get(id) or catalogue.rulings().get(id)
    if found is None:
        return None
    return {"title": found.title[language], "statement": found.statement[language]}


def term_name(language: Language, ruleset: str, term: Term) -> str:
    """Name an addend: what the sheet calls its source, and what it is."""
    return say(language, ruleset, "terms", term.key, {"name": term.name or ""})


def tallies(facts: Facts) -> Iterable[tuple[str, Tally]]:
    """Pick the sums among the facts of a finding."""
    return [(name, fact) for name, fact in facts.items() if isinstance(fact, Tally)]


def _moment(language: Language, when: datetime) -> Markup:
    """Write a time in the reader's zone; nobody chose one: in UTC, which scripts make their own."""
    zone = ZONE.get()
    local = when.astimezone(zone_info(zone))
    text = format_datetime(local, "d MMMM y, HH:mm", tzinfo=local.tzinfo, locale=language)
    mark = Markup(" data-local") if zone == UTC else ""
    return Markup('<time datetime="{}"{}>{} {}</time>').format(
        when.isoformat(), mark, text, local.tzname()
    )

"""The rulebook as pages: a list to search, and one for each rule and each reading of a doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from fastapi import APIRouter
from starlette.responses import Response

from app import catalogue
from app.catalogue import Book, Chapter, RuleText, RulingText, TermText
from app.http.aside import aside
from app.ops.casebook import Numbered, casebook
from app.ops.lint import Printed, name_of, printed_tables
from app.services import lookup
from app.services.errors import NotFound
from app.web.board_form import OptionField, option_fields
from app.web.cases import told_case
from app.web.pages import RULESET, page
from app.web.texts import marked, translated
from app.web.visit import Here, Visit

Proof: TypeAlias = tuple[Numbered, bool]  # a case, and whether it passes

router = APIRouter()
MOST_EXAMPLES: Final = 4  # unfolded on a rule's page; the others are links
STATUS: Final = {
    "implemented": marked("applied by this edition"),
    "planned": marked("not applied yet"),
    "narrative": marked("told in the story, decided by nobody's dice"),
    "external": marked("left to other regulations of the forum"),
}
FIELDS: Final = {
    "id": marked("number"),
    "title.it": marked("Italian title"),
    "title.en": marked("English title"),
    "statement.it": marked("Italian statement"),
    "statement.en": marked("English statement"),
    "reason.it": marked("Italian reason"),
    "reason.en": marked("English reason"),
    "title.pt": marked("Portuguese title"),
    "statement.pt": marked("Portuguese statement"),
    "option": marked("option"),
    "glossary": marked("glossary"),
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule or ruling that was found, where, and by which words of the glossary.

    ``texts`` are title and statement in the languages in which they matched, the reader's first.
    """

    found: RuleText | RulingText
    fields: tuple[str, ...]
    terms: tuple[TermText, ...]
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; what is empty does not narrow it down."""

    q: str
    game: str
    chapter: str
    status: str

    @property
    def searching(self) -> bool:
        """Say whether some rules are asked for, and not a whole book."""
        return bool(self.q or self.status or self.chapter)

    def holds(self, one: RuleText | RulingText) -> bool:
        """Say whether a rule or ruling is of the game, the state and the chapter asked for."""
        if self.game and one.ruleset != self.game:
            return False
        if isinstance(one, RulingText):  # it has no chapter and is never “not applied yet”
            return not self.status and not self.chapter
        return self.status in ("", one.status) and self.chapter in ("", str(one.chapter))


@router.get("/rules")
async def index(here: Here) -> Response:
    """Show the books, the chapters and readings of one of them, or what a search finds."""
    wanted = _wanted(here)
    hits = await aside(_hits, here.language, wanted) if wanted.searching else ()
    books = catalogue.books()
    return page(
        here,
        "rules/index.html",
        books=books,
        sizes=Counter(one.ruleset for one in catalogue.rules().values()),
        book=books.get(wanted.game),
        chapters=_chapters(books[wanted.game]) if wanted.game else (),
        rulings=[one for one in catalogue.rulings().values() if one.ruleset == wanted.game],
        statuses=STATUS,
        asked=wanted,
        searching=wanted.searching,
        hits=hits,
        terms=[one for one in lookup.terms_of(wanted.q) if wanted.game in ("", one.ruleset)],
        marks=lookup.marks,
        field_names={key: translated(here.language, text) for key, text in FIELDS.items()},
    )


@router.get("/rules/{rule_id}")
async def show(here: Here, rule_id: str) -> Response:
    """Show a rule with how its doubts are read, or such a reading with the rules it settles."""
    rule = catalogue.rules().get(rule_id)
    ruling = catalogue.rulings().get(rule_id)
    if rule is not None:
        proofs = await aside(_proofs, rule_id)
        rulings = [one for one in map(catalogue.rulings().get, rule.rulings) if one is not None]
        return page(
            here,
            "rules/show.html",
            ruleset=rule.ruleset,
            book=catalogue.books()[rule.ruleset],
            found=rule,
            is_rule=True,
            state=translated(here.language, STATUS.get(rule.status, rule.status)),
            rulings=rulings,
            options={one.id: _options(here, one) for one in rulings},
            proofs=proofs,
            examples=[told_case(one, passed) for one, passed in _shortest(proofs)],
            tables=_tables(rule_id),
            name_of=name_of,
            used_by=(),
        )
    if ruling is None:
        raise NotFound
    return page(
        here,
        "rules/show.html",
        ruleset=ruling.ruleset,
        book=catalogue.books()[ruling.ruleset],
        found=ruling,
        is_rule=False,
        rulings=[],
        options={ruling.id: _options(here, ruling)},
        proofs=(),
        examples=(),
        tables=_tables(rule_id),
        name_of=name_of,
        used_by=[rule for rule in catalogue.rules().values() if rule_id in rule.rulings],
    )


def _wanted(here: Visit) -> Wanted:
    """Read what is asked for; a chapter without its game is one of the Guida."""
    asked = here.request.query_params
    chapter = asked.get("chapter", "")
    game = asked.get("game", "") or (RULESET if chapter else "")
    if game and game not in catalogue.books():
        raise NotFound
    query = asked.get("q", "").strip()[: lookup.LONGEST_QUERY]
    return Wanted(q=query, game=game, chapter=chapter, status=asked.get("status", ""))


def _chapters(book: Book) -> list[tuple[Chapter, list[RuleText]]]:
    rules = [one for one in catalogue.rules().values() if one.ruleset == book.ruleset]
    return [
        (chapter, [one for one in rules if one.chapter == chapter.number])
        for chapter in book.chapters
    ]


def _hits(language: str, wanted: Wanted) -> tuple[Hit, ...]:
    """Find what is asked for; without words everything of a status or chapter, in book order."""
    everything: dict[str, RuleText | RulingText] = {**catalogue.rules(), **catalogue.rulings()}
    matches: Iterable[lookup.Match] = lookup.find(wanted.q) if wanted.q else _unnarrowed(everything)
    found = ((everything[match.id], match) for match in matches)
    return tuple(_hit(language, one, match) for one, match in found if wanted.holds(one))


def _unnarrowed(ids: Iterable[str]) -> Iterable[lookup.Match]:
    return (lookup.Match(id=id, fields=(), terms=(), score=0) for id in ids)


def _hit(language: str, found: RuleText | RulingText, match: lookup.Match) -> Hit:
    matched = {name.partition(".")[2] for name in match.fields} - {""}
    others = () if language in matched else sorted(matched)
    glossary = catalogue.terms(found.ruleset)
    return Hit(
        found=found,
        fields=match.fields,
        terms=tuple(glossary[id] for id in match.terms),
        languages=(language, *others),
    )


def _proofs(rule_id: str) -> tuple[Proof, ...]:
    book = casebook()
    return tuple((one, book.passes(one)) for one in book.by_rule.get(rule_id, ()))


def _shortest(proofs: Iterable[Proof]) -> tuple[Proof, ...]:
    """Choose the shortest case of each operation, so that examples show several sides of a rule."""
    by_op: dict[str, Proof] = {}
    for proof in sorted(proofs, key=lambda proof: len(str(proof[0].case.given))):
        by_op.setdefault(proof[0].case.op, proof)
    return tuple(by_op.values())[:MOST_EXAMPLES]


def _options(here: Visit, ruling: RulingText) -> list[OptionField]:
    """Tell the options of a ruling, each with what it may be set to."""
    fields = option_fields(here.language, ruling.ruleset)
    return [one for one in fields if one.name in ruling.options]


def _tables(id: str) -> tuple[Printed, ...]:
    """Give the printed tables of a rule, or those whose faults a ruling settles."""
    return tuple(
        table for table in printed_tables() if table.rule == id or id in table.known.values()
    )

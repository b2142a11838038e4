"""The rulebook as pages: a list to search, and one for each rule and each reading of a doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeAlias

from fastapi import APIRouter
from starlette.responses import Response

from app import catalogue
from app.catalogue import RuleText, RulingText, TermText
from app.http.aside import aside
from app.ops.casebook import Numbered, casebook, chapter_of
from app.ops.lint import Printed, name_of, printed_tables
from app.services import lookup
from app.services.errors import NotFound
from app.web.board_form import OptionField, option_fields
from app.web.cases import told_case
from app.web.pages import page
from app.web.texts import marked, translated
from app.web.visit import Here

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


@router.get("/rules")
async def index(here: Here) -> Response:
    """List the rules by chapter and the readings, or those that a search finds."""
    asked = here.request.query_params
    query = asked.get("q", "").strip()[: lookup.LONGEST_QUERY]
    status, chapter = asked.get("status", ""), asked.get("chapter", "")
    rules = catalogue.rules().values()
    chapters = [
        (chapter, list(found))
        for chapter, found in groupby(rules, lambda rule: chapter_of(rule.id))
    ]
    searching = bool(query or status or chapter)
    hits = await aside(_hits, here.language, query, status, chapter) if searching else ()
    return page(
        here,
        "rules/index.html",
        chapters=chapters,
        rulings=list(catalogue.rulings().values()),
        statuses=STATUS,
        asked={"q": query, "status": status, "chapter": chapter},
        searching=searching,
        hits=hits,
        terms=lookup.terms_of(query),
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


def _hits(language: str, query: str, status: str, chapter: str) -> tuple[Hit, ...]:
    """Find what is asked for; without words everything of a status or chapter, in book order."""
    everything: dict[str, RuleText | RulingText] = {**catalogue.rules(), **catalogue.rulings()}
    matches: Iterable[lookup.Match] = lookup.find(query) if query else _unnarrowed(everything)
    found = ((everything[match.id], match) for match in matches)
    return tuple(
        _hit(language, one, match) for one, match in found if _is_wanted(one, status, chapter)
    )


def _unnarrowed(ids: Iterable[str]) -> Iterable[lookup.Match]:
    return (lookup.Match(id=id, fields=(), terms=(), score=0) for id in ids)


def _is_wanted(one: RuleText | RulingText, status: str, chapter: str) -> bool:
    if not status and not chapter:
        return True
    if isinstance(one, RulingText):  # it belongs to no chapter and is never “not applied yet”
        return False
    return (not status or one.status == status) and (
        not chapter or str(chapter_of(one.id)) == chapter
    )


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


def _options(here: Here, ruling: RulingText) -> list[OptionField]:
    """Tell the options of a ruling, each with what it may be set to."""
    return [one for one in option_fields(here.language) if one.name in ruling.options]


def _tables(id: str) -> tuple[Printed, ...]:
    """Give the printed tables of a rule, or those whose faults a ruling settles."""
    return tuple(
        table for table in printed_tables() if table.rule == id or id in table.known.values()
    )

"""What a caller may look up: the rules as people read them, and every code of a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar

from starlette.responses import Response

from app import catalogue
from app.api.call import CHECKED, answer
from app.api.operations import operation
from app.api.parameters import GameQuery, RuleId, Status, Words
from app.api.parts import part
from app.api.v1.answers import BookList, ErrorList, ErrorText, FoundIn, RuleList, TermList
from app.catalogue import RuleText, RulingText, UnknownRule
from app.http.aside import aside
from app.http.flaws import Kind
from app.http.language import LANGUAGES, Language
from app.http.problem import kinds
from app.posts.phrases import SERVICE, Phrase, sections
from app.rulesets import RULESETS
from app.services.errors import NotFound
from app.services.lookup import Match, find

router: Final = part("reference", dependencies=[CHECKED])

Text = TypeVar("Text", RuleText, RulingText)

# Under which kind of refusal the phrases of a section stand.
SECTIONS: Final = {"mistakes": "malformed", "violations": "refused", "questions": "refused"}


@router.get("/rules")
@operation(RuleList)
async def list_rules(q: Words = "", game: GameQuery = "", status: Status = None) -> Response:
    """List every rule and every ruling, or those that hold every word of a search."""
    rules: Iterable[RuleText] = _of(game, catalogue.rules().values())
    rulings: Iterable[RulingText] = _of(game, catalogue.rulings().values())
    found: Mapping[str, Match] = {}
    if status is not None:  # a ruling has none
        rules, rulings = [rule for rule in rules if rule.status == status], ()
    if q.strip():
        matches = await aside(find, q)
        found = {match.id: match for match in matches}
        rules = [rule for rule in rules if rule.id in found]
        rulings = [ruling for ruling in rulings if ruling.id in found]
    kept = {rule.id for rule in rules} | {ruling.id for ruling in rulings}
    return answer(
        RuleList(
            rules=tuple(rules),
            rulings=tuple(rulings),
            found=tuple(
                FoundIn(id=match.id, fields=match.fields, terms=match.terms)
                for match in found.values()
                if match.id in kept
            ),
        )
    )


def _of(game: str, texts: Iterable[Text]) -> list[Text]:
    return [one for one in texts if game in ("", one.ruleset)]


@router.get("/rules/{rule_id}")
@operation(RuleText | RulingText)
async def read_rule(rule_id: RuleId) -> Response:
    """Read a rule of a book (GC-5.3), or a ruling of ours (AMB-18)."""
    try:
        return answer(catalogue.rule(rule_id))
    except UnknownRule:
        pass
    try:
        return answer(catalogue.ruling(rule_id))
    except UnknownRule:
        raise NotFound from None


@router.get("/books")
@operation(BookList)
async def list_books() -> Response:
    """List the books of the games with their chapters."""
    return answer(BookList(books=tuple(catalogue.books().values())))


@router.get("/glossary")
@operation(TermList)
async def list_terms(game: GameQuery = "") -> Response:
    """List the words of the games, or of one of them."""
    games = [one for one in catalogue.books() if game in ("", one)]
    terms = (term for one in games for term in catalogue.terms(one).values())
    return answer(TermList(terms=tuple(terms)))


@router.get("/errors")
@operation(ErrorList)
async def list_errors() -> Response:
    """List every code that a refusal can carry."""
    return answer(ErrorList(errors=tuple(error_texts())))


def error_texts() -> Iterator[ErrorText]:
    """Gather the codes: whole refusals, mistakes in a request, and what the rules refuse."""
    for kind in kinds().values():
        messages = {language: (kind.detail[language],) for language in LANGUAGES}
        yield _error(kind.code, "problem", kind, messages)
    for section, whole in SECTIONS.items():
        for file in (SERVICE, *RULESETS):
            phrases = {one: sections(one, file).get(section, {}) for one in LANGUAGES}
            for code in phrases[LANGUAGES[0]]:
                said = {one: tuple(_choices(phrases[one][code])) for one in LANGUAGES}
                yield _error(code, section, kinds()[whole], said)


def _error(
    code: str, section: str, kind: Kind, messages: Mapping[Language, tuple[str, ...]]
) -> ErrorText:
    return ErrorText(
        code=code,
        section=section,
        status=kind.status,
        title={str(language): title for language, title in kind.title.items()},
        messages={str(language): said for language, said in messages.items()},
    )


def _choices(phrase: Phrase) -> Iterator[str]:
    """Give every sentence of a phrase that chooses among several."""
    if isinstance(phrase, str):
        yield phrase
        return
    for name, choice in phrase.items():
        if name != "by":
            yield from _choices(choice)

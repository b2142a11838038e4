"""The code cites the book: every rule, ruling and word that it names is there, in two languages."""

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest

from app import catalogue
from app.rulesets import RULESETS
from app.services.games import board_types
from tests.architecture.emitted import terms_of

APP = Path(__file__).parents[2] / "app"
CITED = re.compile(
    r"\b(?:GC-[0-9]+\.[0-9]+|AMB-(?:[A-Z]+-)?[0-9]+"
    r"|(?<!AMB-)(?:WD|CD|BD)-[A-Z]?[0-9]+(?:\.[0-9]+)?[a-z]?)\b"
)
SOURCES = sorted(
    path for path in [*APP.rglob("*.py"), *APP.rglob("*.toml")] if path.name != "catalogue.toml"
)


def enumerations() -> Iterator[tuple[str, type[StrEnum]]]:
    """Go through the enumerations of every game's words."""
    for game in RULESETS:
        for one in vars(terms_of(game)).values():
            if isinstance(one, type) and issubclass(one, StrEnum) and one is not StrEnum:
                yield game, one


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(APP)))
def test_every_rule_that_is_cited_is_in_the_catalogue(path: Path) -> None:
    cited = set(CITED.findall(path.read_text(encoding="utf-8")))
    assert cited <= set(catalogue.rules()) | set(catalogue.rulings())


def test_every_rule_has_a_text_in_every_language() -> None:
    for text in [*catalogue.rules().values(), *catalogue.rulings().values()]:
        for language in catalogue.LANGUAGES:
            assert text.title[language].strip(), text.id
            assert text.statement[language].strip().endswith((".", "…")), text.id
        assert text.title["it"] != text.title["en"], text.id


def test_every_rule_names_rulings_that_exist() -> None:
    for rule in catalogue.rules().values():
        assert set(rule.rulings) <= set(catalogue.rulings()), rule.id


def test_every_status_is_one_we_know() -> None:
    known = {"planned", "implemented", "narrative", "external"}
    assert {rule.status for rule in catalogue.rules().values()} <= known


def test_every_option_is_offered_by_a_ruling() -> None:
    offered = {option for one in catalogue.rulings().values() for option in one.options}
    for game in RULESETS:
        assert set(board_types(game)["options"].__dataclass_fields__) <= offered


@pytest.mark.parametrize(("game", "enumeration"), list(enumerations()))
def test_every_word_of_the_code_has_one_row_in_the_glossary(
    game: str, enumeration: type[StrEnum]
) -> None:
    for member in enumeration:
        row = catalogue.term(member, game)  # one row: TOML itself refuses a table written twice
        for language in catalogue.LANGUAGES:
            assert row.word[language].strip(), member
            assert row.meaning[language].strip(), member


def test_what_is_not_there_is_an_error() -> None:
    for look_up in (catalogue.rule, catalogue.ruling, catalogue.term):
        with pytest.raises(catalogue.UnknownRule):
            look_up("GC-99.99")
    assert catalogue.terms("no_such_game") == {}

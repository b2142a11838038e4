"""The code cites the book: every rule, ruling and word that it names is there, in two languages."""

from collections.abc import Iterator
from enum import StrEnum
from importlib import import_module
from pathlib import Path

import pytest

from app import catalogue
from app.rulesets import RULESETS
from app.services.games import board_types
from tests.architecture.test_coverage import RULE, RULING

APP = Path(__file__).parents[2] / "app"
SOURCES = sorted(
    path for path in [*APP.rglob("*.py"), *APP.rglob("*.toml")] if path.name != "catalogue.toml"
)


def enumerations() -> Iterator[tuple[str, type[StrEnum]]]:
    """Go through the enumerations of each game's words."""
    for ruleset in RULESETS:
        for one in vars(import_module(f"app.rulesets.{ruleset}.terms")).values():
            if isinstance(one, type) and issubclass(one, StrEnum) and one is not StrEnum:
                yield ruleset, one


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(APP)))
def test_every_rule_that_is_cited_is_in_the_catalogue(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert set(RULE.findall(text)) <= set(catalogue.rules())
    assert set(RULING.findall(text)) <= set(catalogue.rulings())


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


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_option_is_offered_by_a_ruling(ruleset: str) -> None:
    rulings = [one for one in catalogue.rulings().values() if one.ruleset == ruleset]
    offered = {option for one in rulings for option in one.options}
    assert set(board_types(ruleset)["options"].__dataclass_fields__) <= offered


@pytest.mark.parametrize(
    ("ruleset", "enumeration"),
    list(enumerations()),
    ids=[f"{ruleset}.{one.__name__}" for ruleset, one in enumerations()],
)
def test_every_word_of_the_code_has_one_row_in_the_glossary(
    ruleset: str, enumeration: type[StrEnum]
) -> None:
    for member in enumeration:
        row = catalogue.term(member, ruleset)  # one row: TOML itself refuses a table written twice
        for language in catalogue.LANGUAGES:
            assert row.word[language].strip(), member
            assert row.meaning[language].strip(), member


def test_what_is_not_there_is_an_error() -> None:
    for look_up in (catalogue.rule, catalogue.ruling, catalogue.term):
        with pytest.raises(catalogue.UnknownRule):
            look_up("GC-99.99")
    assert catalogue.terms("no_such_game") == {}

"""Rules are found in both languages, by number, by the glossary; accents do not matter."""

import time

import pytest

from app.catalogue import rules, rulings, terms
from app.services.lookup import LONGEST_QUERY, Match, find, fold, marks, terms_of


def found(query: str) -> dict[str, Match]:
    """Find rules, by their ids."""
    return {match.id: match for match in find(query)}


@pytest.mark.parametrize("query", ["GC-4.21", "gc-4.21", "GC 4.21", "gc4.21", "4.21", " GC–4.21 "])
def test_a_rule_is_found_by_its_number_however_it_is_written(query: str) -> None:
    assert list(found(query)) == ["GC-4.21"]
    assert found(query)["GC-4.21"].fields == ("id",)


def test_a_number_is_not_the_beginning_of_another() -> None:
    assert list(found("GC-4.2")) == ["GC-4.2"]


def test_a_chapter_is_found_whole() -> None:
    assert set(found("gc 5")) == {id for id in rules() if id.startswith("GC-5.")}


def test_a_ruling_is_found_by_its_number_and_by_its_option() -> None:
    assert list(found("amb-4")) == ["AMB-4"]
    assert "option" in found("hp_floor")["AMB-4"].fields


@pytest.mark.parametrize(
    "queries", [("schivata", "SCHIVATA", "Schivàta"), ("più", "piu", "PIÙ"), ("metà", "meta'")]
)
def test_accents_and_capitals_do_not_matter(queries: tuple[str, ...]) -> None:
    first, *others = (list(found(query)) for query in queries)
    assert first
    assert all(other == first for other in others)


def test_a_rule_is_found_in_either_language_and_says_in_which() -> None:
    italian, english = found("raddoppia")["GC-4.21"], found("doubles")["GC-4.21"]
    assert "title.it" in italian.fields
    assert not any(name.endswith(".en") for name in italian.fields)
    assert "title.en" in english.fields
    assert not any(name.endswith(".it") for name in english.fields)


def test_a_rule_is_found_by_the_glossarys_other_names_of_what_it_says() -> None:
    match = found("null_defence")["GC-4.46"]
    assert "null_defence" in match.terms
    assert "glossary" in match.fields
    assert {term.id for term in terms_of("Difesa Nulla")} >= {"null_defence"}
    assert {term.id for term in terms_of("null defence")} >= {"null_defence"}


def test_all_words_are_wanted_and_the_beginning_of_a_word_is_enough() -> None:
    both = set(found("mira testa"))
    assert both
    assert both == set(found("mira")) & set(found("testa"))
    assert set(found("schiv")) >= set(found("schivata"))


def test_titles_come_before_statements() -> None:
    order = list(find("protezione"))
    scores = [match.score for match in order]
    assert scores == sorted(scores, reverse=True)
    assert any(name.startswith("title") for name in order[0].fields)


@pytest.mark.parametrize("query", ["", "   ", ".", "'", "…", "zzzz", "GC-99.1"])
def test_what_nobody_says_finds_nothing(query: str) -> None:
    assert find(query) == ()
    assert terms_of(query) == ()


def test_of_an_elision_only_the_noun_is_looked_for() -> None:
    assert list(found("l'attacco")) == list(found("l’attacco")) == list(found("attacco"))


@pytest.mark.parametrize("query", ["(" * 5_000, "a b " * 3_000, "\x00", "%s{}", "[a-z]*", "💥"])
def test_no_query_is_too_much(query: str) -> None:
    find("warm")  # what is read once does not count
    start = time.perf_counter()
    find(query)
    terms_of(query)
    marks("Testa o Corpo", query)
    assert time.perf_counter() - start < 1


def test_words_are_marked_where_they_stand_in_the_text_itself() -> None:
    text = "Più Danni d’Area"
    pieces = marks(text, "piu area")
    assert "".join(piece for piece, _ in pieces) == text
    assert [piece for piece, hit in pieces if hit] == ["Più", "Area"]
    assert marks("", "piu") == ()
    assert marks("niente", "altro") == (("niente", False),)


def test_every_rule_and_ruling_is_found_by_its_own_number_and_title() -> None:
    for id, one in {**rules(), **rulings()}.items():
        assert list(found(id)) == [id]
        for title in one.title.values():
            if len(title) <= LONGEST_QUERY:
                assert id in found(title), title


@pytest.mark.parametrize("query", ["danno", "attack", "difesa", "turno"])
def test_a_rule_is_known_by_the_words_of_its_own_game_alone(query: str) -> None:
    everything = {**rules(), **rulings()}
    for match in find(query):
        assert set(match.terms) <= set(terms(everything[match.id].ruleset))


def test_folding_leaves_words_only() -> None:
    assert fold("L’Àrea più_grande, 2.5") == " l area piu grande 2 5"

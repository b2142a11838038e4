"""Every game has its book on the pages: chapters, rules, doubts, options, cases and codes."""

from __future__ import annotations

import html
import re

import pytest

from app import catalogue
from app.ops.casebook import casebook
from app.posts.phrases import languages_of, sections
from app.rulesets import RULESETS
from app.services.games import board_types
from app.services.readings import keys_of
from app.web.options import OPEN_ENDED
from tests.web.conftest import Client
from tests.web.games.test_frame import defaults_in

OTHERS = tuple(game for game in RULESETS if game != "guida")
READINGS = [(game, option) for game in OTHERS for option in catalogue.readings(game)]


def text_of(page: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def read(client: Client, address: str) -> str:
    """Read a page that is there."""
    answer = client.http.get(address)
    assert answer.status_code == 200, (address, answer.text)
    return str(answer.text)


def results(page: str) -> list[str]:
    """List the rules that a search shows, in their order."""
    return re.findall(r'<h3><a href="/rules/([^"]+)">', page.partition('class="bare results"')[2])


# ------------------------------------------------------------------------------------- the books


def test_the_first_page_of_the_rules_shows_every_book_with_its_chapters(client: Client) -> None:
    page = read(client, "/rules")
    for game, book in catalogue.books().items():
        assert f'href="/rules?game={game}"' in page
        for chapter in book.chapters:
            assert f'href="/rules?game={game}#c{chapter.number}"' in page
            assert chapter.title["it"] in html.unescape(page)


@pytest.mark.parametrize("game", RULESETS)
def test_a_book_shows_all_of_its_rules_and_doubts_and_no_other(client: Client, game: str) -> None:
    page = read(client, f"/rules?game={game}")
    shown = re.findall(r'<li><a class="rule-id" href="/rules/([^"]+)"', page)
    rules = [one.id for one in catalogue.rules().values() if one.ruleset == game]
    rulings = [one.id for one in catalogue.rulings().values() if one.ruleset == game]
    assert shown == [*rules, *rulings]
    for chapter in catalogue.books()[game].chapters:
        assert f'id="c{chapter.number}"' in page


def test_every_rule_stands_in_a_chapter_and_every_chapter_has_rules() -> None:
    for game, book in catalogue.books().items():
        found = {one.chapter for one in catalogue.rules().values() if one.ruleset == game}
        assert found == {one.number for one in book.chapters}
        assert all(catalogue.rule(one.first).chapter == one.number for one in book.chapters)


def test_a_search_over_all_books_says_of_which_game_a_rule_is(client: Client) -> None:
    page = read(client, "/rules?q=morale")
    assert any(id.startswith("BD-") for id in results(page))
    texts = {**catalogue.rules(), **catalogue.rulings()}
    names = re.findall(r'<p class="kicker"><a href="/rules\?game=(\w+)">', page)
    assert names == [texts[id].ruleset for id in results(page)]


@pytest.mark.parametrize(
    ("query", "found"),
    [("WD-18", "WD-18"), ("wd a1", "WD-A1"), ("CD-69c", "CD-69c"), ("bd h12.4", "BD-H12.4")],
)
def test_a_rule_of_any_book_is_found_by_its_number(client: Client, query: str, found: str) -> None:
    assert results(read(client, f"/rules?q={query}"))[0] == found


def test_a_search_may_be_kept_to_a_game_and_a_chapter(client: Client) -> None:
    page = read(client, "/rules?q=danno&game=combat_dice")
    assert results(page)
    assert all(id.startswith(("CD-", "AMB-CD-")) for id in results(page))
    page = read(client, "/rules?game=warrior_dice&chapter=9")
    wanted = [
        one.id
        for one in catalogue.rules().values()
        if one.ruleset == "warrior_dice" and one.chapter == 9
    ]
    assert results(page) == wanted


@pytest.mark.parametrize("address", ["/rules?game=chess", "/boards/board/options?game=chess"])
def test_a_game_that_is_not_played_here_is_not_found(client: Client, address: str) -> None:
    assert client.http.get(address).status_code == 404


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_rule_and_doubt_of_every_game_has_a_page(client: Client, language: str) -> None:
    for table in (catalogue.rules(), catalogue.rulings()):
        for one in table.values():
            if one.ruleset != "guida":
                page = html.unescape(read(client, f"/rules/{one.id}?lang={language}"))
                assert one.statement[language] in page, one.id
                assert catalogue.books()[one.ruleset].name in page


def test_a_doubt_shows_its_options_by_the_names_of_its_own_game(client: Client) -> None:
    page = text_of(read(client, "/rules/AMB-WD-26"))
    assert "Turni al più turn_cap" in page
    page = text_of(read(client, "/rules/AMB-CD-1"))
    assert "Punteggi che si fermano a 0 floor : Attacco, Schivata e Danno" in page


# ----------------------------------------------------------------------------------- the options


@pytest.mark.parametrize(("game", "option"), READINGS)
def test_every_option_and_every_value_of_it_has_a_name(game: str, option: str) -> None:
    for language in languages_of(game):
        said = sections(language, game)
        assert said["options"][option]
        for value in catalogue.readings(game)[option]:
            if value not in (*OPEN_ENDED, "true", "false"):
                assert said["option_values"][f"{option}.{value}"], (language, value)


@pytest.mark.parametrize("game", OTHERS)
def test_no_option_is_named_that_is_not_there(game: str) -> None:
    options = set(board_types(game)["options"].__dataclass_fields__)
    assert set(catalogue.readings(game)) == options
    said = sections("it", game)
    assert set(said["options"]) == options
    for key in said["option_values"]:
        option, _, value = key.partition(".")
        assert value in catalogue.readings(game)[option], key


@pytest.mark.parametrize("game", OTHERS)
def test_everybody_sees_how_the_board_reads_the_doubts_of_a_game(client: Client, game: str) -> None:
    page = read(client, f"/boards/board/options?game={game}")
    for ruling in catalogue.rulings().values():
        assert (f'id="{ruling.id}"' in page) is (ruling.ruleset == game)
    for option, values in catalogue.readings(game).items():
        assert f'id="option-{option}"' in page
        for text in values.values():
            assert text["it"] in html.unescape(page)


def test_a_search_of_the_doubts_goes_through_all_games(client: Client) -> None:
    page = read(client, "/boards/board/options?q=turn_cap")
    found = re.findall(r'<article class="card doubt" id="([^"]+)"', page)
    assert {"AMB-WD-26", "AMB-CD-25", "AMB-BD-29"} <= set(found)
    assert len(re.findall(r'id="option-\w+-turn_cap"', page)) == 3
    page = read(client, "/boards/board/options?q=amb-wd-3")
    assert re.findall(r'<article class="card doubt" id="([^"]+)"', page) == ["AMB-WD-3"]


@pytest.mark.parametrize("game", OTHERS)
def test_the_owner_changes_one_option_of_a_game_and_everybody_sees_it(
    client: Client, game: str
) -> None:
    assert client.http.get(f"/boards/board/games/{game}").status_code == 404
    client.enter(client.site.owner)
    page = read(client, f"/boards/board/games/{game}")
    ticked = re.findall(r'type="checkbox" name="([^"]+)" value="true" checked', page)
    sent = {**defaults_in(page), **dict.fromkeys(ticked, "true")}
    same = client.post(f"/boards/board/games/{game}", sent, follow_redirects=False)
    assert same.headers["location"] == f"/boards/board/games/{game}?saved"
    shown = read(client, f"/boards/board/options?game={game}")
    assert shown.count("Così fin dall") == len(catalogue.readings(game))  # nothing has changed
    wrong = client.post(f"/boards/board/games/{game}", {**sent, "options.turn_cap": "0"})
    assert wrong.status_code == 422
    assert 'href="#f-options.turn_cap"' in wrong.text
    client.post(f"/boards/board/games/{game}", {**sent, "options.turn_cap": "77"})
    told = text_of(read(client, f"/boards/board/options?game={game}"))
    assert "77" in told.partition("turn_cap")[2][:200]
    for other in OTHERS:
        if other != game:
            told = text_of(read(client, f"/boards/board/options?game={other}"))
            assert "77" not in told.partition("turn_cap")[2][:200]


def test_a_limit_is_set_and_taken_away(client: Client) -> None:
    client.enter(client.site.owner)
    sent = defaults_in(read(client, "/boards/board/games/warrior_dice"))
    for typed, told in (("300", "300"), ("", "senza limite")):
        client.post("/boards/board/games/warrior_dice", {**sent, "options.max_points": typed})
        page = text_of(read(client, "/boards/board/options?game=warrior_dice&q=max_points"))
        played = page.partition("max_points")[2].partition("si gioca qui")[0]
        assert told.casefold() in played.casefold()


def test_a_board_of_the_guida_leads_to_those_of_the_others(client: Client) -> None:
    client.enter(client.site.owner)
    page = read(client, "/boards/board/settings")
    for game in OTHERS:
        assert f'href="/boards/board/games/{game}"' in page
    assert client.http.get("/boards/board/games/guida").status_code == 404


def test_the_values_of_options_are_told_by_their_readings() -> None:
    for game, option in READINGS:
        known = catalogue.readings(game)[option]
        default = board_types(game)["options"]()
        assert keys_of(getattr(default, option), known) <= set(known), option


# -------------------------------------------------------------------------------- cases and codes


@pytest.mark.parametrize("game", RULESETS)
def test_the_cases_of_a_game_are_listed_with_what_they_prove(client: Client, game: str) -> None:
    page = read(client, f"/cases?game={game}")
    wanted = [one.id for one in casebook().cases if one.case.game == game]
    assert re.findall(r'cases__what"><a href="/cases/([^"]+)"', page) == wanted[:60]
    total = casebook().coverage(game)[-1]
    assert f"{total.proved} su {total.rules}" in text_of(page)
    ops = {one.case.op for one in casebook().cases if one.case.game == game}
    offered = page.partition('id="op"')[2].partition("</select>")[0]
    assert set(re.findall(r'<option value="(\w+)"', offered)) == ops


@pytest.mark.parametrize("game", OTHERS)
def test_every_refusal_of_every_game_is_among_the_codes(client: Client, game: str) -> None:
    page = read(client, "/docs/errors")
    assert len(re.findall(r'<tr id="([^"]+)"', page)) == len(
        set(re.findall(r'<tr id="([^"]+)"', page))
    )
    name = html.escape(catalogue.books()[game].name)
    for code in sections("it", game)["violations"]:
        assert f"<code>{code}</code></th><td>{name}</td>" in page.replace("<wbr>", ""), code


def test_the_first_page_names_the_games(client: Client) -> None:
    page = html.unescape(read(client, "/"))
    for book in catalogue.books().values():
        assert page.count(f">{book.name}</a>") == 2  # above the scenes, and at the foot


def test_a_rule_stands_in_the_language_of_its_book_too(client: Client) -> None:
    for one in catalogue.rules().values():
        assert ("pt" in one.title) is ("pt" in one.statement) is (one.ruleset == "battle_dice")
    page = html.unescape(read(client, "/rules/BD-H4.3"))
    original = re.search(r'<section lang="pt"[^>]*>(.*?)</section>', page, re.DOTALL)
    assert original is not None
    assert text_of(original[1]).strip() == (
        "Armas de Cerco 3-4: Armadura Pesada As próximas 1D3 baixas são ignoradas."
    )
    assert "BD-H4.3" in results(read(client, "/rules?q=armadura pesada"))
    assert 'lang="pt"' not in read(client, "/rules/WD-1")

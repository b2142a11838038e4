"""Whole fights on boards whose forum rolls: the test is the forum, and posts are only pasted."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from app.persistence.tables import FIRST_BOARD
from app.services.boards import change_board
from app.services.shapes import BoardChanges, Roller
from tests.web.conftest import Duel, Site, Visitor
from tests.web.test_play import SIX_POSTS, confirm_surprise, copied, take_seats, write_turn

# What the dice of each post show, in the order of its tags.
FACES = ((5,), (20, 1), (12, 8), (6,), (12,), (10,))
MARKUP = re.compile(r"\[/?(?:b|i)\]|\[url=[^\]]*\]|\[/url\]|\u2060")


@dataclass(frozen=True)
class Thrown:
    """A tag that the forum found in a post: what to throw, and the label."""

    sides: int
    modifier: int
    label: str


@dataclass(frozen=True)
class Forum:
    """A forum: the format of its board, its tag, and how it shows what it threw."""

    dialect: str
    tag: re.Pattern[str]
    show: Callable[[Thrown, int], str]

    def thrown(self, post: str) -> list[Thrown]:
        """Find the tags of a post, as the forum's own code does."""
        return [
            Thrown(int(found["sides"]), int(found["modifier"] or 0), bare(found["label"]))
            for found in self.tag.finditer(post)
        ]

    def roll(self, post: str, faces: tuple[int, ...]) -> str:
        """Publish a post: each tag becomes its result, and a page shows no markup."""
        thrown, left = iter(self.thrown(post)), iter(faces)
        shown = self.tag.sub(lambda _: self.show(next(thrown), next(left)), post)
        assert next(left, None) is None, "as many tags as faces"
        return bare(shown)


def bare(text: str) -> str:
    """Take away what a page does not show."""
    return MARKUP.sub("", text)


def spaced(modifier: int) -> str:
    """Write a modifier with blanks around its sign."""
    return f" {'-' if modifier < 0 else '+'} {abs(modifier)}" if modifier else ""


def expression(thrown: Thrown) -> str:
    """Write what was thrown."""
    return f"1d{thrown.sides}" + (f"{thrown.modifier:+}" if thrown.modifier else "")


def feathertail(thrown: Thrown, face: int) -> str:
    """Show a roll as MyBB does with the plugin Dice Rolls."""
    added = spaced(thrown.modifier)
    shown = f"{expression(thrown)} → {face + thrown.modifier} ({face}{added})"
    return f"{shown} — {thrown.label}"


def home_made(thrown: Thrown, face: int) -> str:
    """Show a roll as a forum of nobody's knowledge does."""
    total = face + thrown.modifier
    return f"✦ {thrown.label} ✦ {expression(thrown)} » {face}{spaced(thrown.modifier)} » {total} ✦"


EXPRESSION = r"1d(?P<sides>[0-9]+)(?P<modifier>[+-][0-9]+)?"
MYBB = Forum(
    "mybb_feathertail", re.compile(rf"\[dice={EXPRESSION}\] — (?P<label>[^\n]+)"), feathertail
)
FREE = Forum("guida", re.compile(rf"\[dice={EXPRESSION}\](?P<label>.+?)\[/dice\]"), home_made)


def set_board(site: Site, forum: Forum) -> None:
    """Let the board's forum roll, and write posts in its format."""
    changes = BoardChanges(dice=Roller.FORUM, dialect=forum.dialect)
    change_board(site.db, site.world, site.principal, FIRST_BOARD, changes)


def teach(page: Page, forum: Forum) -> None:
    """Teach the board, as its owner, how the forum shows a roll."""
    page.goto("/boards/board/settings")
    page.get_by_role("link", name="Insegna come il tuo forum mostra un tiro").click()
    label = "Attacco [Katana] (Rin vs Kai): (+6 [Destrezza])"
    page.get_by_label("Un tiro, copiato dalla pagina").fill(forum.show(Thrown(12, 6, label), 8))
    page.get_by_label("La sua etichetta").fill(label)
    page.get_by_label("Che cosa è stato tirato").fill("1d12+6")
    page.get_by_label("Numero naturale").fill("7")
    page.get_by_label("Totale").fill("14")
    page.get_by_role("button", name="Impara da qui").click()
    expect(page.get_by_text("Dado e totale danno il numero naturale 8").first).to_be_visible()
    page.get_by_label("Numero naturale").fill("8")
    page.get_by_role("button", name="Impara da qui").click()
    expect(page.get_by_text("l'esempio è stato riletto senza differenze")).to_be_visible()
    expect(page.get_by_text("imparato da un esempio, non verificato")).to_be_visible()


def paste(page: Page, text: str) -> None:
    """Paste a post into the page of the turn, and let its dice be read."""
    page.get_by_label("Il post come lo mostra il forum").fill(text)
    page.get_by_role("button", name="Leggi i dadi").click()


def bring(page: Page, text: str, faces: tuple[int, ...]) -> None:
    """Bring the dice of a turn by its post: see them die by die, and let them count."""
    paste(page, text)
    table = page.get_by_role("table", name="Ciò che si è letto, dado per dado")
    expect(table.locator("tbody tr")).to_have_count(len(faces))
    assert [int(one) for one in table.locator("strong").all_inner_texts()] == list(faces)
    page.get_by_role("button", name="Consegna questi dadi").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()
    expect(page.get_by_text("Dadi tirati dal forum e letti dal suo post.").first).to_be_visible()


def refuse_wrong_ones(page: Page, forum: Forum, post: str, faces: tuple[int, ...]) -> None:
    """Paste what cannot count, one thing after the other: each is named, and the turn waits on."""
    first = forum.thrown(post)[0]
    right = forum.roll(post, faces)
    too_much = forum.show(first, faces[0]).replace(
        str(faces[0] + first.modifier), str(first.sides + first.modifier + 1)
    )
    for wrong, said in (
        (post, "non è ancora tirato"),
        (right.replace(first.label, "Un'altra cosa"), "nessun risultato con la sua etichetta"),
        (right.replace(bare(forum.show(first, faces[0])), bare(too_much)), "il totale"),
        (f"[quote]{right}[/quote]", "solo in una citazione"),
    ):
        paste(page, wrong)
        expect(page.get_by_role("alert")).to_contain_text(said)
        expect(page.get_by_role("alert")).to_contain_text("I dadi non sono ancora consegnati")
        assert page.get_by_label("Il post come lo mostra il forum").input_value() == wrong
        expect(page.get_by_role("button", name="Consegna questi dadi")).to_have_count(0)


def surrender(page: Page, duel: Duel) -> None:
    """Give up, as a player."""
    page.goto(duel.path)
    page.get_by_text("Che altro può fare Hollow").click()
    form = page.locator("form:has([name=standing])")
    form.get_by_label("Come").select_option(value="surrendered")
    form.get_by_label("Motivo, pubblico").fill("Basta così.")
    form.get_by_role("button", name="Lascia lo scontro").click()


@pytest.mark.parametrize(
    "forum", [FREE, pytest.param(MYBB, marks=pytest.mark.slow)], ids=lambda one: one.dialect
)
def test_a_whole_fight_is_played_by_pasting_what_the_forum_shows(
    site: Site, visitor: Visitor, forum: Forum
) -> None:
    set_board(site, forum)
    if forum is FREE:
        teach(visitor(site.owner), forum)
    duel = site.open_duel(None)
    pages = take_seats(visitor, duel)
    for number, (seat, choices) in enumerate(SIX_POSTS):
        page, faces = pages[seat], FACES[number]
        write_turn(page, duel, choices)
        post = copied(page)
        if number == 2:
            refuse_wrong_ones(page, forum, post, faces)
        bring(page, forum.roll(post, faces), faces)
        assert not forum.thrown(copied(page)), "what has fallen is rolled no more"
        if number == 0:
            confirm_surprise(pages["gm"], duel)
    surrender(pages["hollow"], duel)
    expect(pages["hollow"].get_by_text("finita").first).to_be_visible()
    history = visitor(duel.gm)
    history.goto(f"{duel.path}/dice")
    shown = history.get_by_text("Dadi tirati dal forum e letti dal suo post.")
    expect(shown).to_have_count(len(SIX_POSTS))

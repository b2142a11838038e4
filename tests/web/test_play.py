"""Six posts through the pages, by two players and a Master, with the dice of either side."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Page, expect

from app.posts.dice_tag import check_post, read_label
from app.services.shapes import (
    Roller,
)
from tests.web.conftest import Duel, Site, Visitor

SETTLED = re.compile(r"1d\d+([+-]\d+)?: \((\d+)\)([+-]\d+)? = (-?\d+)(?:\[/b\])? — ")
# What the dice of each post show: every defence is in time, so that every attack is launched.
FACES = ((5,), (20, 1), (12, 8), (6,), (12,), (10,))
DICE = sum(map(len, FACES))

SIX_POSTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("hollow", {"attack": "Artigli Affilati (0 PE)", "claim": "Attacco a Sorpresa"}),
    ("quincy", {"answer": "Protezione", "attack": "Arco Spirituale (5 PE)", "metres": "20"}),
    ("hollow", {"answer": "Schivata", "attack": "Fiamma Pura (10 PE)", "aim": "Testa"}),
    ("quincy", {"answer": "Difesa Nulla", "attack": "Arco Spirituale (5 PE)"}),
    ("hollow", {"answer": "Protezione"}),
    ("quincy", {"attack": "Arco Spirituale (5 PE)", "aim": "Arti", "limb": "Gambe"}),
)


def take_seats(visitor: Visitor, duel: Duel) -> dict[str, Page]:
    """Let two players and a Master open their links, each in a browser of their own."""
    return {
        **{seat: visitor(secret) for seat, secret in duel.seats.items()},
        "gm": visitor(duel.gm),
    }


def write_turn(page: Page, duel: Duel, choices: dict[str, str]) -> None:
    """Fill in the turn form as a player would, and send it."""
    page.goto(duel.path)
    page.get_by_role("link", name="Scrivi il turno di").click()
    if answer := choices.get("answer"):
        page.get_by_role("radio", name=answer).first.check()
    if attack := choices.get("attack"):
        page.get_by_role("radio", name="Attacco", exact=True).check()
        page.get_by_label("Con che cosa, contro chi").select_option(label=attack)
    if aim := choices.get("aim"):
        page.get_by_role("radio", name=aim).check()
    if limb := choices.get("limb"):
        page.get_by_label("Quali arti").select_option(label=limb)
    if claim := choices.get("claim"):
        page.get_by_role("checkbox", name=claim).check()
    if metres := choices.get("metres"):
        move = page.locator("details:has([name^='main.move.'])")
        move.locator("summary").click()
        move.get_by_label("Metri da").fill(metres)
    page.get_by_label("Il tuo racconto").last.fill("Si batte [b]con onore[/b].")
    expect(page.locator("#preview")).to_contain_text("con onore")
    expect(page.locator("#preview")).to_contain_text("Così il turno è valido")
    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()


def copied(page: Page, button: str = "Copia il post") -> str:
    """Press a copy button, see and hear that it was copied, and read the clipboard."""
    page.wait_for_load_state("load")
    page.evaluate("navigator.clipboard.writeText('')")
    button_found = page.get_by_role("button", name=button, exact=True)
    button_found.click()
    expect(button_found.locator("xpath=..").get_by_text("Copiato")).to_be_visible()
    expect(page.locator("#announcer")).to_have_text("Copiato")
    return str(page.evaluate("navigator.clipboard.readText()"))


def settled_dice(post: str) -> Iterator[tuple[int, int]]:
    """Give the modifier of each settled die of a post, and what its label adds up to."""
    for line in post.splitlines():
        found = SETTLED.search(line)
        if found is not None:
            modifier = int(found[1] or 0)
            assert int(found[2]) + modifier == int(found[4]), line
            yield modifier, int(read_label(line[found.end() :]).total)


def confirm_surprise(gm: Page, duel: Duel) -> None:
    """Let the Master confirm the claim of the first post, with a reason."""
    gm.goto(f"{duel.path}/gm")
    form = gm.locator("form:has([name=question])")
    form.get_by_label("Motivo, pubblico").fill("Non lo vedeva arrivare.")
    form.get_by_role("button", name="Conferma").click()
    expect(gm.get_by_text("Fatto: è la voce")).to_be_visible()
    expect(gm.get_by_text("Nessuna domanda aperta.")).to_be_visible()


def test_six_posts_with_the_dice_of_the_service(site: Site, visitor: Visitor) -> None:
    site.world.throw(face for faces in FACES for face in faces)
    duel = site.open_duel()
    pages = take_seats(visitor, duel)
    balanced = 0
    for number, (seat, choices) in enumerate(SIX_POSTS):
        write_turn(pages[seat], duel, choices)
        post = copied(pages[seat])
        assert "[dice" not in post, "the forum would roll again what the service rolled"
        assert "[b]con onore" not in post, "what a player types is no tag"
        for modifier, total in settled_dice(post):
            assert modifier == total, post
            balanced += 1
        if number == 0:
            confirm_surprise(pages["gm"], duel)
    assert balanced == DICE
    pages["gm"].goto(duel.path)
    expect(pages["gm"].locator("article.entry")).to_have_count(len(SIX_POSTS) + 1)
    answer = pages["gm"].locator("#entry-2")
    answer.locator("summary").first.click()
    expect(answer).to_contain_text("Non lo vedeva arrivare.")


def test_six_posts_with_the_dice_of_the_forum(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel(Roller.FORUM)
    pages = take_seats(visitor, duel)
    balanced = 0
    for number, (seat, choices) in enumerate(SIX_POSTS):
        page = pages[seat]
        write_turn(page, duel, choices)
        tags = check_post(copied(page))
        for index, found in enumerate(tags):
            assert found.tag.issues == ()
            assert found.tag.declared_modifier == found.tag.listed_modifier
            alone = check_post(copied(page, f"Copia il dado {index + 1}"))
            assert [one.tag for one in alone] == [found.tag]
        assert len(tags) == len(FACES[number])
        bring_dice(page, [tag.tag.faces for tag in tags], FACES[number])
        expect(
            page.get_by_text("Dadi tirati dal forum, numeri scritti a mano.").first
        ).to_be_visible()
        post = copied(page)
        assert "[dice" not in post
        for modifier, total in settled_dice(post):
            assert modifier == total, post
            balanced += 1
        if number == 0:
            confirm_surprise(pages["gm"], duel)
    assert balanced == DICE


def bring_dice(page: Page, sides: list[int | None], faces: tuple[int, ...]) -> None:
    """Give back what the forum rolled: one field for each tag of the post, of its own size."""
    expect(page.get_by_text("riporta qui i dadi")).to_be_visible()
    for number, (most, face) in enumerate(zip(sides, faces, strict=True), 1):
        page.get_by_label(f"Dado {number}: 1d{most}").fill(str(face))
    page.get_by_role("button", name="Consegna i dadi").click()

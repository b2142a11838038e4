"""Dice that players can verify, from the first visit to the check of the file, in browsers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.engine.seal import SealedDice, seal_of
from app.services.dice_shapes import DiceRead
from app.services.sealing import go_on_everywhere, read_dice
from tests.web.conftest import Duel, Site, Visitor
from tests.web.test_play import copied, write_turn

FOUR_POSTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("hollow", {"attack": "Artigli Affilati (0 PE)"}),
    ("quincy", {"answer": "Difesa Nulla", "attack": "Arco Spirituale (5 PE)", "metres": "20"}),
    ("hollow", {"answer": "Difesa Nulla", "attack": "Fiamma Pura (10 PE)"}),
    ("quincy", {"answer": "Difesa Nulla", "attack": "Arco Spirituale (5 PE)"}),
)
HEAD = re.compile(r"(?:impronta|head) ([0-9a-f]{64})")
VERDICTS = {"it-IT": "Tutto torna", "en-GB": "Everything fits"}


@pytest.fixture
def site(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Run the service with the dice of production."""
    monkeypatch.setattr(site.world, "dice", SealedDice)
    return site


def dice_of(site: Site, duel: Duel) -> DiceRead:
    """Ask the service where the dice of a scene stand."""
    return read_dice(site.db, site.principal, duel.id)


def come_by(page: Page, duel: Duel) -> None:
    """Look at a scene as a player does, and leave when the page has done what it does by itself."""
    page.goto(duel.path)
    page.wait_for_load_state("networkidle")


def saved(page: Page, duel: Duel, folder: Path) -> Path:
    """Download the ledger."""
    page.goto(f"{duel.path}/dice")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("verbale|ledger")).first.click()
    path = folder / "ledger.jsonl"
    download.value.save_as(path)
    return path


def verdict(page: Page, file: Path, head: str) -> str:
    """Check a downloaded file against a head typed in, cut off from the service."""
    page.goto("/verify")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.locator("input[type=file]").set_input_files(file)
    page.locator("[name=head]").fill(head)
    page.locator("form[data-verify] button").first.click()
    said = page.locator("[data-verify-verdict]")
    expect(said).not_to_be_empty()
    expect(said).not_to_contain_text("…")
    page.context.set_offline(False)
    return said.inner_text()


def test_a_scene_is_sealed_played_downloaded_and_verified(
    site: Site, visitor: Visitor, tmp_path: Path
) -> None:
    duel = site.open_duel(seal_hours=24)
    pages = {seat: visitor(secret) for seat, secret in duel.seats.items()}
    for seat in ("hollow", "quincy", "hollow"):  # the first to come shows its salt when it is back
        come_by(pages[seat], duel)
        expect(pages[seat].get_by_role("heading", level=1)).to_have_text("Duello al ponte")
    seats = dice_of(site, duel).seats
    assert all(one.salt and seal_of(duel.id, one.seat, one.salt) == one.seal for one in seats)

    heads: list[str] = []
    for seat, choices in FOUR_POSTS:
        write_turn(pages[seat], duel, choices)
        heads += HEAD.findall(copied(pages[seat]))
    assert len(set(heads)) == len(FOUR_POSTS)
    file = saved(pages["hollow"], duel, tmp_path)
    lines = file.read_bytes().splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds[:5] == ["open", "seal", "seal", "salt", "salt"]
    # Each post quoted the head of the one before, so that its author has signed all of the past.
    quoted = [json.loads(line).get("saw") for line in lines[5:]]
    assert quoted[1:] == heads[:-1]

    bent = tmp_path / "bent.jsonl"
    face = re.compile(rb'("faces":\[)(\d+)')
    rolled = next(place for place, line in enumerate(lines) if b'"kind":"roll"' in line)
    lines[rolled] = face.sub(lambda m: m[1] + str(int(m[2]) % 12 + 1).encode(), lines[rolled])
    bent.write_bytes(b"".join(line + b"\n" for line in lines))
    assert bent.read_bytes() != file.read_bytes()
    for locale, good in VERDICTS.items():
        page = visitor(locale=locale)
        assert good in verdict(page, file, heads[-1])
        assert good not in verdict(page, bent, heads[-1])
        assert good not in verdict(page, file, heads[0])


def test_a_seat_that_never_comes_holds_nobody_up_past_the_limit(
    site: Site, visitor: Visitor
) -> None:
    duel = site.open_duel(seal_hours=24)
    page = visitor(duel.seats["hollow"])
    come_by(page, duel)
    write_turn(page, duel, {"attack": "Artigli Affilati (0 PE)"})
    waits = page.get_by_text("Mancano ancora:")
    expect(waits).to_contain_text("Quincy")
    assert dice_of(site, duel).waits == "seals"

    site.world.wait(timedelta(hours=25))
    assert go_on_everywhere(site.db, site.world) == []  # what the service does by itself meanwhile
    come_by(page, duel)
    page.goto(f"{duel.path}/entries/1")
    expect(waits).to_have_count(0)
    post = copied(page)
    assert "Hanno giocato senza un sale proprio: Quincy" in post
    assert HEAD.search(post)
    dice = dice_of(site, duel)
    assert (dice.waits, dice.rolls) == ("", 1)
    assert {one.seat: bool(one.salt) for one in dice.seats} == {"hollow": True, "quincy": False}

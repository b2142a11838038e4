"""Whatever sum a finding carries can be unfolded: it has a caption, and the pages open."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.engine.findings import Finding
from app.engine.tally import Tally
from app.http.language import LANGUAGES, Language
from app.ops.cases import read_cases
from app.ops.given import Given
from app.ops.guida.wire import play
from app.posts.phrases import SERVICE, sections
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.orders import Attack, Knock, LiberationAttempt, Order, Turn
from app.rulesets.guida.places import Distance, Unseen
from app.rulesets.guida.sheet import Constraint, Liberation
from app.rulesets.guida.terms import Bind
from app.web.pages import environment
from tests.architecture.emitted import emissions
from tests.unit.guida.build import entrant, hit, suffer, tool
from tests.unit.guida.build_stealth import cloak, radar
from tests.web.conftest import Client, Duel

CASES = Path(__file__).parents[1] / "cases" / "guida"
HIDDEN = (Unseen(who="bo", observer="ada"),)
# Facts that no fight gives, and that are no sums.
PLAIN = {"master", "team", "next", "order", "hidden", "spent", "precedent", "most"}


@cache
def findings() -> tuple[Finding, ...]:
    """Play every fight of the cases, and give whatever was found in them."""
    cases = [case for path in CASES.rglob("*.json") for case in read_cases(path, named=True)]
    fights = [Given(case.given) for case in cases if case.op == "transcript"]
    played = [made for fight in fights for made in play(fight)[1]]
    return tuple(found for made in played for found in made.findings)


def with_sums() -> list[Finding]:
    """Give the findings with a sum, one for each key and choice of sums."""
    kinds: dict[tuple[str, tuple[str, ...]], Finding] = {}
    for found in findings():
        sums = [name for name, fact in found.facts.items() if _is_told(fact)]
        if sums:
            kinds.setdefault((found.key, tuple(sums)), found)
    return list(kinds.values())


def _is_told(fact: object) -> bool:
    return isinstance(fact, Tally) and bool(fact.terms)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sum_of_a_finding_is_shown_under_its_caption(language: Language) -> None:
    shown: Any = (
        environment(language)
        .get_template("_findings.html")
        .make_module({"at_board": "/boards/board"})
    )
    captions = sections(language, SERVICE)["facts"]
    several = with_sums()
    assert {found.key for found in several} >= {
        *("detected", "camouflaged", "reaction_failed", "liberation_failed", "label_superseded"),
    }
    for found in several:
        text = str(shown.findings([found]))
        for name, fact in found.facts.items():
            if _is_told(fact):
                caption = str(captions[name]).replace("'", "&#39;")
                assert f"<caption>{caption}</caption>" in text, (found.key, name)


def test_every_fact_of_the_rules_is_known_to_be_a_sum_or_not() -> None:
    seen = [(name, fact) for found in findings() for name, fact in found.facts.items()]
    sums = {name for name, fact in seen if isinstance(fact, Tally)}
    captions = set(sections("it", SERVICE)["facts"])
    known = captions | {name for name, _ in seen} | PLAIN
    named = {
        name: one.where for one in emissions() if one.section == "findings" for name in one.facts
    }
    assert sums <= captions
    assert {name: at for name, at in named.items() if name not in known} == {}
    assert not PLAIN & {name for name, _ in seen}


# ---------------------------------------------------------------------------- the pages themselves


def pages_of(duel: Duel, entries: int) -> Iterable[str]:
    """Name the pages that tell of what happened."""
    yield from (duel.path, f"{duel.path}/gm", duel.turn("ada"), duel.turn("bo"))
    yield from (f"{duel.path}/entries/{number}" for number in range(1, entries + 1))


def played(client: Client, fighters: tuple[Entrant, ...], *posts: Any, **more: Any) -> str:
    """Play posts, each an order and its dice, open every page as the Master, and join them."""
    duel = client.site.open_duel(
        entrants=fighters, distances=(Distance(a="ada", b="bo", metres=5),), **more
    )
    for order, *faces in posts:
        client.site.world.throw(faces)
        client.site.decide(duel, order)
    client.enter(duel.gm)
    texts = []
    for language in LANGUAGES:
        for path in pages_of(duel, len(posts)):
            page = client.http.get(f"{path}?lang={language}")
            assert page.status_code == 200, path
            texts.append(page.text)
    return "".join(texts)


def test_the_pages_tell_of_a_perception(client: Client) -> None:
    fighters = (entrant("ada", radar()), entrant("bo"))
    text = played(
        client, fighters, (Turn(by="ada", perception="radar"), 9), first="ada", hidden=HIDDEN
    )
    assert "Modificatore del dado" in text
    assert "Modifier of the die" in text


def test_the_pages_tell_of_a_camouflage(client: Client) -> None:
    fighters = (entrant("ada"), entrant("bo", cloak()))
    text = played(
        client, fighters, (Turn(by="bo", camouflage="cloak"), 9), first="bo", hidden=HIDDEN
    )
    assert "Modificatore del dado" in text
    assert "Modifier of the die" in text


@pytest.mark.parametrize("face", [1, 12])
def test_the_pages_tell_of_a_reaction_to_a_knockback(client: Client, face: int) -> None:
    fighters = (entrant("ada", tool(potential_bonus=4)), entrant("bo"))
    blow = Turn(by="ada", main=Attack(target="bo", tool="blade", knock=Knock()))
    reaction = Turn(by="bo", defences=(suffer("a1", reacts=True),))
    text = played(client, fighters, (blow, 6), (reaction, face), first="ada")
    assert "Valore di Sbalzo" in text
    assert "Knockback value" in text


@pytest.mark.parametrize("face", [1, 12])
def test_the_pages_tell_of_an_attempt_to_break_free(client: Client, face: int) -> None:
    bond = Constraint(binds=(Bind.MOVEMENT_LIMITATION,))
    rope = tool("rope", stat_bonus=7, potential_bonus=4, effects=(bond,))
    wrench = tool("wrench", attacks=False, effects=(Liberation(),), potential_bonus=3, stat_bonus=7)
    attempt = LiberationAttempt(tool="wrench")
    posts: tuple[tuple[Order, int], ...] = (
        (Turn(by="ada", main=hit(tool="rope")), 9),
        (Turn(by="bo", defences=(suffer("a1"),)), 1),
        (Turn(by="ada"), 1),
        (Turn(by="bo", liberation=attempt), face),
    )
    fighters = (entrant("ada", rope), entrant("bo", wrench))
    text = played(client, fighters, *posts, first="ada")
    assert "Valore del Costringimento" in text
    assert "Value of the constraint" in text

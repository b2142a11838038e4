"""A counterattack that goes on, and a heal that it suspends and its owner confirms all the same."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from playwright.sync_api import Locator, Page, expect

from app.rulesets.guida.sheet import Heal, Tool
from app.rulesets.guida.state import (
    Setup,
)
from app.rulesets.guida.terms import Category
from tests.support.fights import CLAWS, FLAME, HOLLOW, duel
from tests.web.conftest import Duel, Site, Visitor

HANDS = Tool(
    id="hands",
    name="Mani Guaritrici",
    generic=True,
    potential=Fraction(20),
    category=Category.D,
    stat_bonus=Fraction(5),
    ep=8,
    effects=(Heal(),),
)
FACES = (5, 18, 7)  # the heal, the counterattack on it, the blow it goes on with


def wounded() -> Setup:
    """Set up a duel in which the Hollow is hurt and can heal."""
    setup = duel()
    sheet = replace(HOLLOW, tools=(CLAWS, FLAME, HANDS))
    return replace(
        setup, entrants=(replace(setup.entrants[0], sheet=sheet, hp=90), setup.entrants[1])
    )


def open_form(page: Page, fight: Duel, seat: str) -> None:
    """Open the turn form of a seat."""
    page.goto(fight.turn(seat))
    expect(page.get_by_role("heading", name="Turno di")).to_be_visible()


def seen(page: Page, label: str) -> Locator:
    """Find the field of a label that is shown now."""
    return page.get_by_label(label, exact=True).locator("visible=true")


def send(page: Page) -> None:
    """Wait until the preview finds nothing to mend, and send the turn."""
    expect(page.locator("#preview")).to_contain_text("Così il turno è valido")
    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()


def test_a_countered_heal_is_confirmed_and_a_counterattack_goes_on(
    site: Site, visitor: Visitor
) -> None:
    site.world.throw(iter(FACES))
    opening = wounded()
    fight = site.open_duel(entrants=opening.entrants)
    hollow, quincy = visitor(fight.seats["hollow"]), visitor(fight.seats["quincy"])

    open_form(hollow, fight, "hollow")
    hollow.get_by_role("radio", name="Azione Generica", exact=True).check()
    hollow.get_by_label("Tecnica", exact=True).select_option(label="Mani Guaritrici (8 PE)")
    hollow.get_by_label("Per chi").select_option(label="Hollow")
    send(hollow)

    quincy.goto(fight.path)
    expect(quincy.get_by_role("heading", name="Azioni Generiche in corso")).to_be_visible()
    expect(quincy.locator("main")).to_contain_text("la può contrattaccare: Quincy")
    open_form(quincy, fight, "quincy")
    expect(quincy.get_by_role("radio", name="Schivata")).to_have_count(0)
    expect(quincy.get_by_text("da battere: 11")).to_be_visible()
    quincy.get_by_role("radio", name="Attacco", exact=True).check()
    quincy.get_by_role("radio", name="Contrattacco su Azione Generica").check()
    expect(quincy.get_by_role("radio", name="Attacco", exact=True)).to_be_hidden()
    expect(quincy.get_by_text("impegna l'unica Azione Principale")).to_be_visible()
    seen(quincy, "Con").select_option(label="Arco Spirituale (5 PE)")
    quincy.get_by_role("radio", name="Arti").check()
    expect(quincy.locator("#preview")).to_contain_text("scegli braccia o gambe")
    seen(quincy, "Quali arti").select_option(label="Gambe")
    send(quincy)
    before = site.view(fight)
    assert [one.held for one in before.pending] == [True]
    assert [one.attack.aim for one in before.incoming] == ["limbs"]

    hollow.goto(fight.path)
    expect(hollow.get_by_text("Hollow la conferma o la annulla al prossimo Turno")).to_be_visible()
    open_form(hollow, fight, "hollow")
    expect(hollow.locator("#preview")).to_contain_text("1 cosa da correggere")
    hollow.get_by_role("radio", name="Annulla").check()
    dodge = hollow.get_by_role("radio", name="Schivata")
    dodge.check()
    hollow.get_by_role("radio", name="Conferma").check()
    expect(dodge).to_be_hidden()
    hollow.get_by_role("radio", name="Niente").check()
    send(hollow)
    after = site.view(fight)
    assert after.pending == ()
    assert after.incoming == ()
    names = {line.key for one in after.combatants if one.id == "hollow" for line in one.lines}
    assert {"damage", "heal"} <= names
    expect(hollow.locator("main")).to_contain_text(re.compile("conferma.*Mani Guaritrici"))


def test_a_counterattack_on_an_attack_goes_on_toward_its_author(
    site: Site, visitor: Visitor
) -> None:
    site.world.throw(iter((3, 18, 9)))
    fight = site.open_duel()
    hollow, quincy = visitor(fight.seats["hollow"]), visitor(fight.seats["quincy"])
    open_form(hollow, fight, "hollow")
    hollow.get_by_role("radio", name="Attacco", exact=True).check()
    hollow.get_by_label("Con che cosa, contro chi").select_option(label="Artigli Affilati (0 PE)")
    send(hollow)
    open_form(quincy, fight, "quincy")
    quincy.get_by_role("radio", name="Contrattacco Diretto").check()
    seen(quincy, "Con").select_option(label="Arco Spirituale (5 PE)")
    quincy.get_by_role("radio", name="Testa").check()
    quincy.get_by_role("checkbox", name="Attacco a Sorpresa").check()
    send(quincy)
    view = site.view(fight)
    assert [(one.attacker, one.attack.aim) for one in view.incoming] == [("quincy", "head")]
    assert [question.code for question in view.questions] == ["claim_surprise"]

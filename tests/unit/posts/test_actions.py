"""Posts of every action of chapters 1 to 7: the dice, the outcomes, and which dice counted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.dice import Address, RecordedDice, Roll
from app.engine.findings import Finding
from app.engine.ruleset import GM
from app.posts.blocks import Block, Die, Heading, Note, RegisterLine
from app.posts.dialects import DIALECTS, render
from app.posts.dice_tag import check_post, read_label
from app.posts.layouts.guida import LAYOUT
from app.posts.phrases import LANGUAGES, say
from app.posts.write import write_blocks
from app.rulesets.guida import orders
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Defence,
    Generic,
    Independent,
    Movement,
    Preparation,
    Suspended,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.readings import (
    MovementCounter,
)
from app.rulesets.guida.rulings import (
    Impact,
    Withdraw,
)
from app.rulesets.guida.state import (
    Scene,
    Underway,
)
from app.rulesets.guida.terms import Action, Category, Standing
from tests.unit.posts.battles import NAMES, actions_of, battle, battlefield
from tests.unit.posts.fights import Played, Told
from tests.unit.posts.hostile import hostile_name, hostile_text, rolled

# A fight is many posts, so a quarter of the usual number of them will do.
A_QUARTER = settings(max_examples=settings.default.max_examples // 4)
seeds = st.integers(0, 10_000)
told = st.builds(Told, hostile_text, hostile_text, hostile_text)
names = st.lists(hostile_name, min_size=13, max_size=13)
UNUSED = "Il dado resta agli atti ma non conta: ciò per cui è stato lanciato non è avvenuto."


def throw(scene: Scene, order: orders.Order, *faces: int) -> Played:
    """Decide an order with these faces, in the order in which its dice are asked for."""
    obstacles = GUIDA.check(scene, order)
    assert obstacles == (), obstacles
    plan = GUIDA.plan(scene, order)
    rolls = tuple(
        Roll(asked.address, asked.sides, face)
        for asked, face in zip(plan.asked, faces, strict=True)
    )
    return Played(plan, rolls, GUIDA.resolve(scene, order, RecordedDice(rolls)))


def told_in(played: Played, phase: str, language: str = "it") -> list[str]:
    """Return the dice and notes of one phase of a post, as plain text."""
    parts: dict[str, list[Block]] = {}
    heading = ""
    for block in write_blocks(played.source(language)):
        if isinstance(block, Heading):
            heading = block.text
        parts.setdefault(heading, []).append(block)
    written = render(parts.get(say(language, "guida", "phases", phase), []), language, "plain")
    rolled_by = say(language, "guida", "provenance", "service")
    lines = [line.removeprefix("• ") for line in written.split("\n")[1:]]
    return [line for line in lines if line != rolled_by]


def attacked(tool: str = "wave", face: int = 8) -> Played:
    """Let the Hollow attack the Quincy."""
    return throw(battlefield(NAMES), Turn(by="h", main=Attack(target="q", tool=tool)), face)


def countered(first: int, second: int, tool: str = "blade") -> Played:
    """Let the Quincy answer with a counterattack of these dice."""
    counter = Defence(action=Action.COUNTERATTACK, against=("a1",), tool=tool, then=Continuation())
    return throw(attacked().result.state, Turn(by="q", defences=(counter,)), first, second)


def test_a_counterattack_has_a_die_in_each_phase() -> None:
    played = countered(14, 9, tool="claw")
    assert [(die.address, die.sides, die.phase) for die in played.plan.asked] == [
        (Address(0), 18, "defensive"),
        (Address(0, 1), 12, "offensive"),
    ]
    open_post = render(write_blocks(played.open_source()), "it", "guida")
    assert re.findall(r"\[dice=.*\[/dice\]", open_post) == [
        "[dice=1d18+8]Contrattacco [Artigli] (Quincy vs Hollow): "
        "(+2 [Bonus Arma], +6 [Destrezza])[/dice]",
        "[dice=1d12+12]Contrattacco in Fase Offensiva [Artigli] (Quincy vs Hollow): "
        "(+2 [Raggio 0–5 m], +2 [Bonus Arma], +2 [Contrattacco riuscito], +6 [Destrezza])[/dice]",
    ]


def test_a_comparison_shows_both_workings_and_what_is_left() -> None:
    assert told_in(countered(14, 9), "defensive") == [
        "1d18+6: (14)+6 = 20 — Contrattacco [Zanpakutō] (Quincy vs Hollow): (+6 [Destrezza])",
        "Contrattacco di Quincy contro Getsuga di Hollow: Colpire 20 contro Colpire 14, in tempo.",
        "Confronto di Potenza: Getsuga di Hollow, +17 [Potenziale di Getsuga], "
        "+6 [Bonus Statistica] = 23, contro Contrattacco di Quincy, "
        "+16 [Potenziale di Zanpakutō], +6 [Bonus Statistica] = 22. "
        "Differenza 1, Categoria D: Attacco e Difesa si annullano.",
        "Quincy evita del tutto Getsuga di Hollow.",
    ]


def test_the_second_die_of_an_annulled_counterattack_is_on_record_but_unused() -> None:
    assert told_in(countered(14, 9), "offensive") == [
        "1d12+10: (9)+10 = 19 — Contrattacco in Fase Offensiva [Zanpakutō] (Quincy vs Hollow): "
        "(+2 [Raggio 0–5 m], +2 [Contrattacco riuscito], +6 [Destrezza])",
        UNUSED,
        "Il Contrattacco di Quincy non prosegue, e non resta un'altra Azione Principale.",
    ]


def test_a_counterattack_that_is_too_late_closes_the_phase() -> None:
    defensive, offensive = (told_in(countered(3, 9), phase) for phase in ("defensive", "offensive"))
    assert defensive[1].endswith("Colpire 9 contro Colpire 14, troppo tardi.")
    assert offensive[1:] == [UNUSED, "La Difesa è fallita: Quincy perde la Fase Offensiva."]


@pytest.mark.parametrize(
    ("attack", "parry", "said"),
    [
        ("wave", "blade", "Differenza 1, Categoria D: Attacco e Difesa si annullano."),
        (
            "claw",
            "blade",
            "Differenza 3, Categoria C: l'Attacco è annullato e della Difesa resta la metà, "
            "con Potenza 14.",
        ),
        ("blade", "blade", "La Potenza è pari: Attacco e Difesa si annullano."),
        (
            "jab",
            "blade",
            "Differenza 5, Categoria C: l'Attacco è annullato e la Difesa resta intatta, "
            "con Potenza 22.",
        ),
    ],
)
def test_every_end_of_a_comparison_is_said(attack: str, parry: str, said: str) -> None:
    tool, scene = attack, battlefield(NAMES)
    if attack == "jab":
        tool, scene = "claw", replace_tool(scene, "claw", potential=Fraction(12))
    scene = throw(scene, Turn(by="h", main=Attack(target="q", tool=tool)), 8).result.state
    defence = Defence(action=Action.PARRY, against=("a1",), tool=parry)
    found = told_in(throw(scene, Turn(by="q", defences=(defence,)), 18), "defensive")
    assert any(line.startswith("Confronto di Potenza") and line.endswith(said) for line in found)


@pytest.mark.parametrize(
    ("potential", "said"),
    [
        (
            19,
            "Differenza 3, Categoria D: la Difesa è annullata e l'Attacco prosegue dimezzato, "
            "con Potenza 15.5.",
        ),
        (
            20,
            "Differenza 4, Categoria D: la Difesa è annullata e l'Attacco prosegue intatto, "
            "con Potenza 26.",
        ),
    ],
)
def test_an_attack_that_a_parry_cannot_stop_goes_on(potential: int, said: str) -> None:
    wide = replace_tool(battlefield(NAMES), "wave", potential=Fraction(potential))
    scene = throw(wide, Turn(by="h", main=Attack(target="q", tool="wave")), 6).result.state
    parry = Defence(action=Action.PARRY, against=("a1",), tool="blade")
    found = told_in(throw(scene, Turn(by="q", defences=(parry,)), 18), "defensive")
    assert any(line.startswith("Confronto di Potenza") and line.endswith(said) for line in found)
    assert "Parata di Quincy non basta a fermare Getsuga di Hollow." in found


def test_a_defence_that_a_comparison_used_up_has_nothing_left_for_the_next_attack() -> None:
    scene = battlefield(NAMES)
    for by, turn in (("h", None), ("q", "blade"), ("r", "claw")):
        main = Attack(target="h", tool=turn) if turn else None
        scene = throw(scene, Turn(by=by, main=main), *((2,) if turn else ())).result.state
    against = tuple(attack.id for attack in scene.against("h"))
    parry = Defence(action=Action.PARRY, against=against, tool="blade")
    found = told_in(throw(scene, Turn(by="h", defences=(parry,)), 18), "defensive")
    assert (
        "Il Confronto di prima non ha lasciato a Hollow nulla da opporre ad Artigli di Rin, "
        "che arriva in pieno."
    ) in found


def replace_tool(scene: Scene, id: str, **changes: object) -> Scene:
    """Change a technique of the first combatant."""
    who = scene.combatants[0]
    tools = tuple(replace(tool, **changes) if tool.id == id else tool for tool in who.sheet.tools)
    return scene.put(replace(who, sheet=replace(who.sheet, tools=tools)))


def test_a_direct_counterattack_lets_the_blow_through_and_goes_on() -> None:
    counter = Defence(action=Action.DIRECT_COUNTERATTACK, against=("a1",), tool="blade")
    played = throw(attacked().result.state, Turn(by="q", defences=(counter,)), 8, 5)
    assert told_in(played, "defensive")[1:3] == [
        "Contrattacco Diretto di Quincy contro Getsuga di Hollow: pareggio a 14, "
        "il Contrattacco è in tempo.",
        "Getsuga di Hollow colpisce Quincy in pieno, Danni 16. Il calcolo sta a Hollow, "
        "nella sua prossima Fase Iniziale; poi Quincy li segna nel Registro.",
    ]
    assert told_in(played, "offensive") == [
        "1d12+11: (5)+11 = 16 — Contrattacco Diretto in Fase Offensiva [Zanpakutō] "
        "(Quincy vs Hollow): (+2 [Raggio 0–5 m], +3 [Contrattacco riuscito], +6 [Destrezza])",
        "Quincy lancia Zanpakutō contro Hollow: Probabilità di Colpire 16, dado 5.",
    ]


def test_of_two_counterattacks_that_survive_one_goes_on() -> None:
    scene = attacked().result.state
    second = Turn(by="r", main=Attack(target="h", tool="wave"))
    scene = throw(scene, Turn(by="q", main=Attack(target="h", tool="wave")), 3).result.state
    scene = throw(scene, second, 3).result.state
    against = [attack.id for attack in scene.against("h")]
    counters = tuple(
        Defence(
            action=Action.DIRECT_COUNTERATTACK,
            against=(id,),
            tool="blade",
            then=Continuation(first=place == 1),
        )
        for place, id in enumerate(against)
    )
    played = throw(scene, Turn(by="h", defences=counters), 17, 4, 16, 7)
    offensive = told_in(played, "offensive")
    assert offensive[0].startswith("1d12+11: (4)+11 = 15 — Contrattacco Diretto in Fase Offensiva")
    assert offensive[1] == UNUSED
    assert offensive[2].startswith("1d12+9: (7)+9 = 16 — Contrattacco Diretto in Fase Offensiva")
    assert offensive[3:] == [
        "Contrattacco Diretto di Hollow si ferma qui, perché ne prosegue uno soltanto.",
        "Hollow lancia Zanpakutō contro Rin: Probabilità di Colpire 16, dado 7.",
    ]


@pytest.mark.parametrize(("face", "said"), [(8, "è in tempo"), (7, "non riesce")])
def test_an_independent_secondary_action_has_a_die_of_its_own(face: int, said: str) -> None:
    independent = Independent(tool="regrowth", against="a1")
    turn = Turn(by="q", independents=(independent,))
    played = throw(attacked().result.state, turn, face)
    lines = told_in(played, "defensive")
    assert lines[:2] == [
        f"1d18+6: ({face})+6 = {face + 6} — Azione Secondaria Indipendente [Rigenero] "
        "(Quincy vs Hollow): (+6 [Destrezza])",
        f"Rigenero, Azione Secondaria Indipendente di Quincy, {said} contro Getsuga di Hollow: "
        f"{face + 6} contro 14.",
    ]
    assert ("Rigenero comincia su Quincy: Rigenerazione, per 3 Turni." in lines) is (face == 8)


def test_a_movement_is_launched_and_caught_half_way() -> None:
    move = Move(distances=(Reach(to="q", metres=20),))
    launched = throw(battlefield(NAMES), Turn(by="h", main=Movement(move=move)), 5)
    assert told_in(launched, "offensive") == [
        "1d15+6: (5)+6 = 11 — Spostamento (Hollow vs Quincy, Rin): "
        "(+2 [Bonus Spostamento], -2 [Spostamento], +6 [Destrezza])",
        "Hollow comincia uno Spostamento: punteggio 11, dado 5. "
        "Si compie se nessun avversario lo ferma con un Contrattacco.",
    ]
    counter = Defence(action=Action.GENERIC_COUNTERATTACK, against=("g1",), tool="blade")
    caught = throw(launched.result.state, Turn(by="q", defences=(counter,)), 5, 6)
    assert told_in(caught, "defensive") == [
        "1d18+6: (5)+6 = 11 — Contrattacco su Azione Generica [Zanpakutō] (Quincy vs Hollow): "
        "(+6 [Destrezza])",
        "Contrattacco di Quincy allo Spostamento di Hollow: 11 contro 11, in tempo. "
        "Lo Spostamento s'interrompe.",
        "Hollow si sposta rispetto a Quincy: da 4 m a 12 m.",
    ]
    missed = throw(launched.result.state, Turn(by="q", defences=(counter,)), 4, 6)
    assert told_in(missed, "offensive")[-2:] == [
        "Quincy lancia Zanpakutō contro Hollow: Probabilità di Colpire 12, dado 6.",
        "Zanpakutō di Quincy parte, ma chi doveva colpire non è più lì.",
    ]


def test_a_movement_may_be_suspended_instead() -> None:
    options = Options(movement_counter_mode=MovementCounter.SUSPENDED_ACTION)
    move = Move(distances=(Reach(to="q", metres=20),))
    scene = battlefield(NAMES, options)
    scene = throw(scene, Turn(by="h", main=Movement(move=move)), 5).result.state
    counter = Defence(action=Action.GENERIC_COUNTERATTACK, against=("g1",), tool="blade")
    scene = throw(scene, Turn(by="q", defences=(counter,)), 9, 6).result.state
    scene = throw(scene, Turn(by="r")).result.state
    choice = Suspended(action="g1", confirm=True)
    assert told_in(throw(scene, Turn(by="h", suspended=(choice,))), "initial")[0] == (
        "Hollow conferma lo Spostamento sospeso: subisce in pieno il Contrattacco e poi lo compie."
    )


def suspended() -> Scene:
    """Suspend a heal of the Hollow by a counterattack of the Quincy."""
    heal = Turn(by="h", main=Generic(tool="cure"))
    launched = throw(battlefield(NAMES), heal, 5)
    assert told_in(launched, "offensive") == [
        "1d12+6: (5)+6 = 11 — Azione Generica [Cura] (Hollow vs Quincy, Rin): (+6 [Destrezza])",
        "Hollow comincia un'Azione Generica, Cura: punteggio 11, dado 5. "
        "Ha effetto se nessun avversario la precede con un Contrattacco.",
    ]
    counter = Defence(action=Action.GENERIC_COUNTERATTACK, against=("g1",), tool="blade")
    won = throw(launched.result.state, Turn(by="q", defences=(counter,)), 9, 6)
    assert told_in(won, "defensive")[1:] == [
        "Contrattacco di Quincy a Cura di Hollow: 15 contro 11, in tempo. "
        "L'azione è sospesa, e Hollow la conferma o la annulla nella sua prossima Fase Iniziale.",
    ]
    return throw(won.result.state, Turn(by="r")).result.state


def test_a_suspended_heal_that_is_confirmed_suffers_the_counter_and_heals() -> None:
    choice = Suspended(action="g1", confirm=True)
    prepares = Turn(by="h", suspended=(choice,), main=Preparation())
    played = throw(suspended(), prepares)
    assert told_in(played, "initial") == [
        "Hollow conferma Cura, che era in sospeso: subisce in pieno il Contrattacco "
        "e poi compie l'azione.",
        "Zanpakutō di Quincy colpisce Hollow in pieno, Danni 16. Il calcolo sta a Quincy, "
        "nella sua prossima Fase Iniziale; poi Hollow li segna nel Registro.",
        "L'Armatura di Hollow è superata e per ora non protegge più.",
        "Cura di Hollow ha effetto.",
        "Hollow spende 5 PE per Cura: si segnano nel suo prossimo post.",
        "Con Cura, Hollow recupera +11 [Potenziale di Cura], +4 [Bonus Statistica], "
        "-3.2 [Del Bonus Statistica conta un quinto], -5.9 [Si dimezza], -0.9 [Arrotondamento] "
        "= 5 PV, che si segnano nel suo prossimo post.",
    ]
    assert told_in(played, "offensive") == [
        "Hollow si prepara, e ne ha un bonus nel prossimo Turno."
    ]


def test_a_suspended_heal_that_is_annulled_leaves_its_counter_to_defend_from() -> None:
    choice = Suspended(action="g1", confirm=False)
    counter = Defence(action=Action.DODGE, against=("a2",))
    attack = Attack(target="q", tool="blade", support=("boost",))
    turn = Turn(by="h", suspended=(choice,), defences=(counter,), main=attack)
    played = throw(suspended(), turn, 12, 4)
    assert told_in(played, "initial") == [
        "Hollow annulla Cura, che era in sospeso: non spende nulla e può difendersi dal "
        "Contrattacco."
    ]
    assert told_in(played, "defensive")[1].startswith(
        "Schivata di Hollow contro Zanpakutō di Quincy: Difendere 18 contro Colpire 16"
    )
    assert told_in(played, "offensive")[1:3] == [
        "Sonìdo comincia su Hollow: +2 Destrezza, per 2 Turni.",
        "Hollow spende 3 PE per Sonìdo: si segnano nel suo prossimo post.",
    ]


def test_what_is_confirmed_is_kept_apart_from_what_is_launched_with_the_same_technique() -> None:
    use = Turn(by="h", main=Generic(tool="boost"))
    scene = throw(battlefield(NAMES), use, 1).result.state
    counter = Defence(action=Action.GENERIC_COUNTERATTACK, against=("g1",), tool="blade")
    scene = throw(scene, Turn(by="q", defences=(counter,)), 9, 6).result.state
    scene = throw(scene, Turn(by="r")).result.state
    attack = Attack(target="q", tool="blade", support=("boost",))
    choice = Suspended(action="g1", confirm=True)
    played = throw(scene, Turn(by="h", suspended=(choice,), main=attack), 4)
    again = "Sonìdo comincia su Hollow: +2 Destrezza, per 2 Turni."
    spent = "Hollow spende 3 PE per Sonìdo: si segnano nel suo prossimo post."
    assert told_in(played, "initial")[-3:] == ["Sonìdo di Hollow ha effetto.", spent, again]
    assert told_in(played, "offensive")[1:3] == [again, spent]


def test_an_opponents_action_that_takes_effect_is_none_of_the_initial_phase() -> None:
    scene = throw(battlefield(NAMES), Turn(by="h", main=Generic(tool="cure")), 5).result.state
    counter = Defence(action=Action.GENERIC_COUNTERATTACK, against=("g1",), tool="blade")
    scene = throw(scene, Turn(by="q", defences=(counter,)), 9, 6).result.state
    scene = throw(scene, Turn(by="r", main=Generic(tool="regrowth")), 9).result.state
    choice = Suspended(action="g1", confirm=True)
    played = throw(scene, Turn(by="h", suspended=(choice,)))
    assert told_in(played, "initial")[-1].startswith("Con Cura, Hollow recupera")
    assert told_in(played, "offensive")[0] == "Rigenero di Rin ha effetto."


def test_what_a_counterattack_costs_belongs_to_its_defensive_half() -> None:
    launched = throw(battlefield(NAMES), Turn(by="h", main=Generic(tool="cure")), 5)
    counter = Defence(action=Action.GENERIC_COUNTERATTACK, against=("g1",), tool="wave")
    won = throw(launched.result.state, Turn(by="q", defences=(counter,)), 9, 6)
    spent = "Quincy spende 4 PE per Getsuga: si segnano nel suo prossimo post."
    assert told_in(won, "defensive")[-1] == spent
    assert told_in(won, "offensive")[1:] == [
        "Quincy lancia Getsuga contro Hollow: Probabilità di Colpire 14, dado 6."
    ]


def test_an_action_whose_counter_is_gone_takes_effect_at_the_start_of_the_turn() -> None:
    surrender = Withdraw(by="q", combatant="q", standing=Standing.SURRENDERED, reason="Basta.")
    scene = throw(suspended(), surrender).result.state
    played = throw(scene, Turn(by="h", main=Preparation()))
    initial = told_in(played, "initial")
    assert initial[0] == "Cura di Hollow ha effetto."
    assert initial[1].endswith("sono segnati in questo post.")
    assert initial[-1].startswith("Con Cura, Hollow recupera")
    assert initial[-1].endswith("segnati in questo post.")
    assert len(told_in(played, "offensive")) == 1


@pytest.mark.parametrize(
    ("faces", "metres", "counted"),
    [
        ((1, 12), (4, 4), "1d18+6: (12)+6 = 18 — "),
        ((1, 1), (4, 20), "1d18+2: (1)+2 = 3 — "),
        ((1, 1), (20, 4), "1d18+6: (1)+6 = 7 — "),
        ((1, 1), (4, 4), "1d18+6: (1)+6 = 7 — "),
    ],
)
def test_of_two_like_defences_the_one_that_failed_by_itself_is_unused(
    faces: tuple[int, int], metres: tuple[int, int], counted: str
) -> None:
    underway = tuple(
        Underway(attacker="q", target="h", tool="blade", die=12, modifier=20) for _ in range(2)
    )
    scene = battlefield(NAMES, underway=underway)
    # Declared the other way round: the second one meets the first attack, and fails.
    defences = tuple(
        Defence(
            action=Action.PARRY,
            against=(id,),
            tool="blade",
            move=Move(distances=(Reach(to="q", metres=far),)),
        )
        for id, far in zip(("a2", "a1"), metres, strict=True)
    )
    found = told_in(throw(scene, Turn(by="h", defences=defences), *faces), "defensive")
    assert found.count(UNUSED) == 1
    used = [one for one, after in pairwise(found) if one.startswith("1d18") and after != UNUSED]
    assert len(used) == 1
    assert used[0].startswith(counted)


def test_a_regeneration_ends_the_turn_and_is_recorded_in_the_next() -> None:
    scene = throw(battlefield(NAMES), Turn(by="h", loose=("regrowth",)), 5).result.state
    scene = throw(scene, Turn(by="q")).result.state
    passed = throw(scene, Turn(by="r"))
    assert told_in(passed, "offensive") == [
        "Rigenero di Hollow ha effetto.",
        "Hollow spende 2 PE per Rigenero: si segnano nel suo prossimo post.",
        "Rigenero comincia su Hollow: Rigenerazione, per 3 Turni.",
    ]
    first = throw(passed.result.state, Turn(by="h"))
    assert told_in(first, "offensive") == [
        "Rigenerazione di Hollow con Rigenero: +2 [Livelli della Statistica] = 2 PV, "
        "che si segnano nel suo prossimo post."
    ]
    scene = throw(first.result.state, Turn(by="q")).result.state
    scene = throw(scene, Turn(by="r")).result.state
    blocks = write_blocks(throw(scene, Turn(by="h")).source())
    assert RegisterLine("Rigenerazione da Rigenero: +2 PV") in blocks


def test_additional_and_environmental_damage_are_told_apart() -> None:
    scene = attacked("claw", 12).result.state
    struck = throw(scene, Turn(by="q"))
    assert told_in(struck, "defensive")[1:5] == [
        "Artigli di Hollow colpisce Quincy in pieno, Danni 26. Il calcolo sta a Hollow, "
        "nella sua prossima Fase Iniziale; poi Quincy li segna nel Registro.",
        "L'Armatura di Quincy è superata e per ora non protegge più.",
        "Danno Aggiuntivo di Artigli a Quincy: 3.",
        "Quincy riceve una Stack di Stordimento.",
    ]
    thrown = Impact(
        by=GM,
        attacker="h",
        target="q",
        die=12,
        category=Category.S,
        stat_bonus=Fraction(5),
        reason="Contro il muro.",
    )
    impact = throw(struck.result.state, thrown)
    assert Note(
        "Danno Ambientale di Quincy per il colpo di Hollow: +18 [Potenziale Ambientale], "
        "+5 [Bonus Statistica], -4 [Resistenza], -9.5 [Si dimezza], -0.5 [Arrotondamento] = 9 PV. "
        "Contro il muro.",
        "GC-6.18",
        "AMB-55",
    ) in write_blocks(impact.source(provenance=""))
    overtaken = impact.result.findings[1]
    assert say("it", "guida", "findings", overtaken.key, overtaken.facts) == (
        "Il Danno Aggiuntivo di Quincy, 3 PV, non conta più: "
        "nello stesso Turno di Hollow ce n'è uno più forte."
    )
    scene = throw(impact.result.state, Turn(by="r")).result.state
    calculated = throw(scene, Turn(by="h"))
    posted = told_in(calculated, "initial")
    assert posted[0].startswith("Danni di Artigli a Quincy: +14 [Potenziale di Artigli]")
    assert posted[-1].startswith("Danno Ambientale di Quincy: +18 [Potenziale Ambientale]")
    blocks = write_blocks(throw(calculated.result.state, Turn(by="q")).source())
    lines = [block.text for block in blocks if isinstance(block, RegisterLine)]
    assert lines[0] == "Danni da Artigli: -26 PV"
    assert lines[-1] == "Danno Ambientale: -9 PV. Contro il muro."
    assert not any("Aggiuntivo" in line for line in lines)


def test_a_preparation_says_what_it_removes_and_gives() -> None:
    setup = battlefield(NAMES)
    alone = throw(setup, Turn(by="h", main=Preparation()))
    assert told_in(alone, "offensive") == [
        "Hollow si prepara, e ne ha un bonus nel prossimo Turno."
    ]
    with_tonic = throw(setup, Turn(by="h", main=Preparation(support=("tonic",))))
    assert told_in(with_tonic, "offensive")[0] == (
        "Hollow si prepara, ma con un'Azione Secondaria: nel prossimo Turno non ha il bonus."
    )


def test_unbalance_and_a_failed_defence_after_it() -> None:
    scene = attacked("blade").result.state
    scene = throw(scene, Turn(by="q", main=Attack(target="h", tool="blade")), 12).result.state
    scene = throw(scene, Turn(by="r", main=Attack(target="h", tool="blade")), 12).result.state
    against = [attack.id for attack in scene.against("h")]
    defences = tuple(Defence(action=Action.UNBALANCE, against=(id,)) for id in against)
    played = throw(scene, Turn(by="h", defences=defences), 2, 8)
    assert told_in(played, "defensive")[:3] == [
        "1d8+6: (2)+6 = 8 — Sbilanciamento (Hollow vs Quincy): (+6 [Destrezza])",
        "1d8+6: (8)+6 = 14 — Sbilanciamento (Hollow vs Rin): (+6 [Destrezza])",
        UNUSED,
    ]


@A_QUARTER
@given(seed=seeds)
def test_a_die_is_called_unused_exactly_where_its_face_does_not_matter(seed: int) -> None:
    for played in battle(NAMES, seed, 10):
        said = LAYOUT.unused(played.result.findings, played.plan.asked, played.rolls)
        idle = set()
        for roll in played.rolls:
            other = replace(roll, face=roll.face % roll.sides + 1)
            dice = RecordedDice(tuple(other if one is roll else one for one in played.rolls))
            if GUIDA.resolve(played.scene, played.order, dice).findings == played.result.findings:
                idle.add(roll.address)
        assert said == idle


def test_fights_by_chance_know_every_action_and_outcome() -> None:
    actions: Counter[Action] = Counter()
    found: Counter[str] = Counter()
    for seed in range(30):
        for played in battle(NAMES, seed, 14):
            actions.update(actions_of(played))
            found.update(finding.key for finding in played.result.findings)
    undiced = {Action.NULL_DEFENCE, Action.PREPARATION}
    assert set(actions) == set(Action) - undiced
    assert {"prepared", "null_defence", "power_comparison", "healed", "regenerated"} <= set(found)
    assert {"suspended_confirmed", "suspended_annulled", "hits_nothing", "impact"} <= set(found)


@A_QUARTER
@given(names=names, told=told, language=st.sampled_from(LANGUAGES), seed=seeds)
def test_every_live_tag_is_balanced_whatever_the_action(
    names: list[str], told: Told, language: str, seed: int
) -> None:
    for played in battle(names, seed, 6):
        text = render(write_blocks(played.open_source(language, told)), language, "guida")
        tags = check_post(text)
        assert [one.tag.issues for one in tags] == [()] * len(played.plan.asked)
        assert {(one.tag.faces, one.tag.declared_modifier) for one in tags} == {
            (asked.sides, asked.tally.total) for asked in played.plan.asked
        }


@pytest.mark.parametrize("language", LANGUAGES)
@A_QUARTER
@given(names=names, told=told, seed=seeds)
def test_what_the_service_rolled_is_never_rolled_again_whatever_the_action(
    language: str, names: list[str], told: Told, seed: int
) -> None:
    for played in battle(names, seed, 6):
        blocks = write_blocks(played.source(language, told))
        for dialect in DIALECTS:
            assert rolled(render(blocks, language, dialect)) == []


@A_QUARTER
@given(seed=seeds)
def test_every_settled_line_adds_up_whatever_the_action(seed: int) -> None:
    for played in battle(NAMES, seed, 10):
        text = render(write_blocks(played.source()), "it", "plain")
        lines = re.findall(r"^1d(\d+)(\S*): \((\d+)\)(\S*) = (\S+) — (.*)$", text, re.MULTILINE)
        assert len(lines) == len(played.rolls) == len(played.plan.asked)
        for _, modifier, face, again, total, label in lines:
            assert modifier == again
            assert int(face) + int(modifier or 0) == int(total)
            assert read_label(label).total == int(modifier or 0)


@A_QUARTER
@given(language=st.sampled_from(LANGUAGES), seed=seeds)
def test_every_finding_of_every_action_is_said_once(language: str, seed: int) -> None:
    for played in battle(NAMES, seed, 10):
        source = played.source(language)
        blocks = write_blocks(source)
        said = Counter(block.text for block in blocks if isinstance(block, Note | RegisterLine))
        expected = Counter(sentence(language, finding) for finding in source.findings)
        del expected[""]
        for text, times in expected.items():
            assert "  " not in text
            assert said[text] == times
        dice = [block for block in blocks if isinstance(block, Die)]
        assert all(die.face is not None for die in dice)


def sentence(language: str, finding: Finding) -> str:
    """Say a finding, or nothing where the header shows it in fields."""
    if finding.key in ("vitals", "stat"):
        return ""
    return say(language, "guida", "findings", finding.key, finding.facts)


@A_QUARTER
@given(seed=seeds)
def test_what_is_settled_before_the_dice_is_told_in_the_initial_phase(seed: int) -> None:
    for played in battle(NAMES, seed, 10):
        if not played.plan.findings:
            continue
        dealt = LAYOUT.deal(played.result.findings)
        before = [one for one in played.plan.findings if not LAYOUT.is_header(one)]
        assert list(dealt["initial"]) == before


def test_one_die_covers_several_attacks_and_is_written_once() -> None:
    scene = attacked("claw").result.state
    scene = throw(scene, Turn(by="q", main=Attack(target="h", tool="claw")), 2).result.state
    scene = throw(scene, Turn(by="r", main=Attack(target="h", tool="claw")), 2).result.state
    against = tuple(attack.id for attack in scene.against("h"))
    parry = Defence(action=Action.PARRY, against=against, tool="blade")
    lines = told_in(throw(scene, Turn(by="h", defences=(parry,)), 18), "defensive")
    assert [line for line in lines if line.startswith("1d")] == [
        "1d18+6: (18)+6 = 24 — Parata [Zanpakutō] (Hollow vs Quincy, Rin): (+6 [Destrezza])"
    ]
    assert sum(line.startswith("Confronto di Potenza") for line in lines) == 2

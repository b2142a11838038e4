"""The turn form makes the order it shows, and leads every objection back to its field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.engine.dice import ScriptedDice
from app.persistence.codec import decode
from app.rulesets.guida.choices import choices
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Attack, Defence, Move, Reach, Turn
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import Scene, Underway
from app.rulesets.guida.terms import Action, Aim, Claim, Limb
from app.rulesets.guida.turn import MAIN_PLACE
from app.rulesets.guida.view import view
from app.web.forms import nest
from app.web.turn_form import carried_over, first_texts, pick, write_turn
from tests.support.fights import attack, duel


def scene(**changes: Any) -> Scene:
    """Begin a fight in which two attacks come at the Quincy, whose turn it is."""
    coming = [
        Underway(attacker="hollow", target="quincy", tool=tool, die=5, modifier=9)
        for tool in ("claws", "flame")
    ]
    return GUIDA.start(duel(first="quincy", underway=tuple(coming), **changes))


def written(scene: Scene, seat: str, **texts: str) -> Any:
    """Fill in the form of a seat; two underscores stand for a dot."""
    offered = choices(scene, seat)
    data = first_texts(offered, view(scene, seat))
    typed = [(name.replace("__", "."), text) for name, text in texts.items()]
    for name, text in typed:
        place: Any = data
        *path, last = name.split(".")
        for part in path:
            place = place[int(part)] if isinstance(place, list) else place.setdefault(part, {})
        place[last] = text
    return write_turn(data, seat, offered)


def order(scene: Scene, seat: str, **texts: str) -> Turn:
    """Read the order of a form."""
    turn: Turn = decode(Turn, written(scene, seat, **texts).order)
    return turn


def ids(scene: Scene) -> list[str]:
    """Give the ids of the attacks on their way."""
    return [attack.id for attack in scene.incoming]


def test_an_untouched_form_is_a_turn_without_defences_moves_or_attack() -> None:
    here = scene()
    turn = order(here, "quincy")
    assert (turn.defences, turn.main) == ((), None)
    assert turn.figures is not None
    assert (turn.figures.hp, turn.figures.ep) == (180, 120)
    assert GUIDA.check(here, turn) == ()


def test_each_attack_gets_its_own_defence_in_the_order_of_the_story() -> None:
    here = scene()
    one, two = ids(here)
    turn = order(
        here,
        "quincy",
        **{
            f"answers__{two}__action": "dodge",
            f"answers__{one}__action": "guard",
            f"answers__{one}__with__guards": "bow",
        },
    )
    assert turn.defences == (
        Defence(action=Action.GUARD, against=(one,), tool="bow"),
        Defence(action=Action.DODGE, against=(two,)),
    )


def test_one_defence_may_answer_both() -> None:
    here = scene()
    one, two = ids(here)
    turn = order(
        here,
        "quincy",
        **{f"answers__{one}__action": "dodge", f"answers__{two}__action": f"with:{one}"},
    )
    assert turn.defences == (Defence(action=Action.DODGE, against=(one, two)),)


def test_what_a_chosen_defence_cannot_take_is_left_out() -> None:
    here = scene()
    one, _ = ids(here)
    fields = {f"answers__{one}__with__guards": "bow", f"answers__{one}__move__distances__0__metres": "9"}
    null = order(here, "quincy", **{f"answers__{one}__action": "null_defence", **fields})
    assert null.defences == (Defence(action=Action.NULL_DEFENCE, against=(one,)),)
    dodge = order(
        here,
        "quincy",
        **{f"answers__{one}__action": "dodge", **fields, f"answers__{one}__move__behind": "hollow"},
    )
    moved = Move(distances=(Reach(to="hollow", metres=9),))
    assert dodge.defences == (Defence(action=Action.DODGE, against=(one,), move=moved),)


def test_an_attack_with_everything() -> None:
    here = GUIDA.start(duel())
    turn = order(
        here,
        "hollow",
        main__pick=pick("quincy", "claws"),
        main__aim="limbs",
        main__limb="legs",
        main__claims="surprise",
        main__move__distances__0__metres="8",
        main__move__behind="quincy",
    )
    move = Move(distances=(Reach(to="quincy", metres=8),), behind=("quincy",))
    assert turn.main == Attack(
        target="quincy",
        tool="claws",
        aim=Aim.LIMBS,
        limb=Limb.LEGS,
        claims=(Claim.SURPRISE,),
        move=move,
    )


def test_an_aim_that_the_tool_cannot_take_is_left_out() -> None:
    wide = Tool(**{**_fields(duel().entrants[0].sheet.tools[0]), "attack_kind": "area"})
    setup = duel()
    sheet = replace(setup.entrants[0].sheet, tools=(wide,))
    entrants = (replace(setup.entrants[0], sheet=sheet), setup.entrants[1])
    here = GUIDA.start(replace(setup, entrants=entrants))
    turn = order(here, "hollow", main__pick=pick("quincy", "claws"), main__aim="head")
    assert turn.main is not None
    assert turn.main.aim is Aim.BODY


def _fields(tool: Tool) -> dict[str, Any]:
    return {name: getattr(tool, name) for name in tool.__dataclass_fields__}


def test_every_objection_finds_the_field_it_came_from() -> None:
    here = scene(metres=150)
    one, two = ids(here)
    found = written(
        here,
        "quincy",
        **{
            f"answers__{two}__action": "dodge",
            f"answers__{two}__move__distances__0__metres": "10",
            "main__pick": pick("hollow", "bow"),
            "main__aim": "limbs",
            "figures__hp": "cento",
        },
    )
    turn: Turn = decode(Turn, {**found.order, "figures": None})
    fields = {found.rename(obstacle.field) for obstacle in GUIDA.check(here, turn)}
    assert fields == {f"answers.{two}.move.distances.0.metres", "main.pick", "main.limb"}
    assert found.rename("order.figures.hp") == "figures.hp"
    assert found.rename("order.defences[0].against[0]") == f"answers.{two}.action"
    assert one not in fields


def test_a_form_for_an_older_scene_keeps_words_and_choices_and_takes_new_numbers() -> None:
    old = GUIDA.start(duel())
    form = first_texts(choices(old, "hollow"), view(old, "hollow"))
    main: Any = form["main"]
    main.update({"pick": pick("quincy", "claws"), "aim": "head"})
    form["narration"] = {"offensive": "Salta."}
    new = GUIDA.start(duel(metres=30))
    carried: Any = carried_over(form, choices(new, "hollow"), view(new, "hollow"))
    assert carried["narration"]["offensive"] == "Salta."
    assert (carried["main"]["pick"], carried["main"]["aim"]) == ("quincy/claws", "head")
    assert carried["main"]["move"]["distances"][0]["metres"] == "30"
    main["move"]["distances"][0]["metres"] = "7"  # this one was typed
    again: Any = carried_over(form, choices(new, "hollow"), view(new, "hollow"))
    assert again["main"]["move"]["distances"][0]["metres"] == "7"


def test_answers_to_attacks_that_are_gone_go_with_them() -> None:
    here = scene()
    one, _ = ids(here)
    form = nest([(f"answers.{one}.action", "dodge"), (f"answers.{one}.attack", one)])
    calm = GUIDA.start(duel(first="quincy"))
    carried: Any = carried_over(form, choices(calm, "quincy"), view(calm, "quincy"))
    assert carried["answers"] == {}


def test_a_turn_that_the_form_offers_is_legal_and_can_be_resolved() -> None:
    here = GUIDA.start(duel())
    turn = order(here, "hollow", main__pick=pick("quincy", "claws"))
    assert GUIDA.check(here, turn) == ()
    dice = ScriptedDice.of((MAIN_PLACE, 12, 6))
    expected = GUIDA.resolve(here, replace(attack(by="hollow"), figures=turn.figures), dice)
    assert GUIDA.resolve(here, turn, dice) == expected

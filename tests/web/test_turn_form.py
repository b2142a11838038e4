"""The turn form makes the order it shows, and leads every objection back to its field."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.engine.dice import Address, RecordedDice, Roll, ScriptedDice
from app.persistence.codec import decode, encode
from app.rulesets.guida.choices import choices
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Defence,
    Figures,
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
from app.rulesets.guida.plan import COUNTER_INDEX, MAIN_PLACE
from app.rulesets.guida.sheet import Heal, Sheet, StatPoints, Tool
from app.rulesets.guida.state import (
    Scene,
    Underway,
)
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AttackForm,
    Category,
    Claim,
    Limb,
    Secondary,
    Stat,
)
from app.rulesets.guida.view import view
from app.web.forms import nest
from app.web.turn_blow import pick
from app.web.turn_cards import cards
from app.web.turn_fill import carried_over, first_texts, shown_turn
from app.web.turn_form import write_turn
from tests.support.fights import BOW, CLAWS, FLAME, HOLLOW, QUINCY, attack, duel


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
    fields = {
        f"answers__{one}__with__guards": "bow",
        f"answers__{one}__move__distances__0__metres": "9",
    }
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


TONIC = Tool(
    id="tonic pure",
    name="Tonico",
    supports=True,
    secondary=Secondary.TONIC,
    ep=2,
    effects=(StatPoints(stat=Stat.DEXTERITY, points=2, turns=1),),
)
SALVE = replace(TONIC, id="salve", name="Unguento")
HANDS = Tool(
    id="hands",
    name="Mani",
    generic=True,
    potential=Fraction(10),
    category=Category.D,
    stat_bonus=Fraction(5),
    ep=8,
    effects=(Heal(),),
)
WIDE = replace(BOW, id="wide", attack_kind="area")
FULL: Sheet = replace(
    QUINCY,
    tools=(replace(BOW, parries=True), replace(CLAWS, parries=True), TONIC, SALVE, HANDS, WIDE),
)


def rich() -> Scene:
    """Begin with two attacks at a Quincy who has something for every action."""
    setup = duel()
    entrants = (setup.entrants[0], replace(setup.entrants[1], sheet=FULL))
    return scene(entrants=entrants)


def healing(held: bool = False) -> Scene:
    """Begin a heal of the Hollow; ``held``: the Quincy's counterattack has suspended it."""
    setup = duel()
    sheet = replace(HOLLOW, tools=(CLAWS, FLAME, HANDS))
    hollow = replace(setup.entrants[0], sheet=sheet, hp=90)
    here = GUIDA.start(replace(setup, entrants=(hollow, setup.entrants[1])))
    heal = Turn(by="hollow", main=Generic(tool="hands"))
    here = GUIDA.resolve(here, heal, ScriptedDice.of((MAIN_PLACE, 12, 5))).state
    if held:
        (pending,) = here.pending
        counter = Defence(
            action=Action.GENERIC_COUNTERATTACK,
            against=(pending.id,),
            tool="bow",
            then=Continuation(),
        )
        turn = Turn(by="quincy", defences=(counter,))
        rolls = (Roll(Address(0), 18, 18), Roll(Address(0, COUNTER_INDEX), 12, 7))
        here = GUIDA.resolve(here, turn, RecordedDice(rolls)).state
    return here


A, B = "a1", "a2"
STEP = Move(distances=(Reach(to="hollow", metres=12),), behind=("hollow",))
THEN = Continuation(aim=Aim.LIMBS, limb=Limb.ARMS, claims=(Claim.SURPRISE,), first=True)
TURNS: dict[str, Turn] = {
    "a parry and a dodge": Turn(
        defences=(
            Defence(action=Action.PARRY, against=(A,), tool="claws", support=("tonic pure",)),
            Defence(action=Action.DODGE, against=(B,), move=replace(STEP, behind=())),
        )
    ),
    "one parry for both": Turn(
        defences=(Defence(action=Action.PARRY, against=(A, B), tool="bow"),)
    ),
    "an unbalance": Turn(defences=(Defence(action=Action.UNBALANCE, against=(A,), move=STEP),)),
    "two counters": Turn(
        defences=(
            Defence(
                action=Action.COUNTERATTACK,
                against=(A,),
                tool="claws",
                then=Continuation(aim=Aim.HEAD, claims=(Claim.SURPRISE, Claim.FROM_BEHIND)),
            ),
            Defence(
                action=Action.DIRECT_COUNTERATTACK, against=(B,), tool="bow", move=STEP, then=THEN
            ),
        )
    ),
    "an independent secondary action": Turn(
        independents=(
            Independent(tool="salve", against=B),
            Independent(tool="tonic pure", against=A),
        )
    ),
    "an attack": Turn(
        main=Attack(
            target="hollow",
            tool="claws",
            aim=Aim.LIMBS,
            limb=Limb.LEGS,
            support=("salve",),
            move=STEP,
            claims=(Claim.FROM_BEHIND,),
        )
    ),
    "a preparation": Turn(main=Preparation(move=replace(STEP, behind=()), support=("salve",))),
    "a bare preparation": Turn(main=Preparation()),
    "a movement": Turn(main=Movement(move=STEP, support=("salve", "tonic pure"))),
    "a heal": Turn(main=Generic(tool="hands", beneficiary="hollow", support=("salve",), move=STEP)),
    "a generic action": Turn(main=Generic(tool="hands")),
    "loose secondary actions": Turn(loose=("salve", "tonic pure")),
    "one loose secondary action": Turn(loose=("tonic pure",)),
}


def sent(tree: Any, name: str = "") -> list[tuple[str, str]]:
    """Send a tree as a browser sends the fields that show it."""
    if isinstance(tree, dict):
        parts = [(f"{name}.{key}".lstrip("."), part) for key, part in tree.items()]
        return [one for key, part in parts for one in sent(part, key)]
    if isinstance(tree, list):
        ticks = all(isinstance(part, str) for part in tree)
        rows = [(name if ticks else f"{name}.{index}", part) for index, part in enumerate(tree)]
        return [one for key, part in rows for one in sent(part, key)]
    return [(name, tree)]


def again(here: Scene, turn: Turn) -> Turn:
    """Show a turn in the form, send the form, and read the order it makes."""
    offered = choices(here, turn.by)
    form = nest(sent(shown_turn(turn, offered, view(here, turn.by))))
    read: Turn = decode(Turn, write_turn(form, turn.by, offered).order)
    return read


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_a_turn_that_is_shown_and_sent_back_is_the_same(turn: Turn) -> None:
    here = rich()
    assert ids(here) == [A, B]
    turn = replace(turn, by="quincy", figures=Figures(hp=17, ep=3))
    assert decode(Turn, encode(turn)) == turn
    assert again(here, turn) == turn


def test_a_counter_of_a_generic_action_is_shown_and_sent_back() -> None:
    here = healing()
    (pending,) = here.pending
    counter = Defence(
        action=Action.GENERIC_COUNTERATTACK, against=(pending.id,), tool="bow", then=THEN
    )
    turn = Turn(by="quincy", defences=(counter,), figures=Figures(hp=180, ep=120))
    assert again(here, turn) == turn
    assert GUIDA.check(here, turn) == ()


@pytest.mark.parametrize("confirm", [True, False])
def test_the_choice_on_a_suspended_action_is_shown_and_sent_back(confirm: bool) -> None:
    here = healing(held=True)
    (pending,) = here.pending
    chosen = Suspended(action=pending.id, confirm=confirm)
    turn = Turn(by="hollow", suspended=(chosen,), figures=Figures(hp=90, ep=100))
    assert again(here, turn) == turn
    assert GUIDA.check(here, turn) == ()


def test_what_comes_of_a_confirmed_action_is_not_answered() -> None:
    here = healing(held=True)
    (pending,) = here.pending
    (card,) = cards(choices(here, "hollow"))
    assert card.only_if == f"suspended.{pending.id}=annul"
    form = {f"suspended__{pending.id}": "confirm", f"answers__{card.id}__action": "dodge"}
    found = written(here, "hollow", **form)
    obstacles = GUIDA.check(here, decode(Turn, found.order))
    fields = {found.rename(one.field) for one in obstacles}
    assert fields == {f"answers.{card.id}.action", "defences"}
    undecided = written(here, "hollow")
    obstacles = GUIDA.check(here, decode(Turn, undecided.order))
    assert [undecided.rename(one.field) for one in obstacles] == [f"suspended.{pending.id}"]


def test_a_card_offers_what_may_answer_it_and_nothing_else() -> None:
    arrow = Underway(attacker="hollow", target="quincy", tool="flame", die=5, modifier=9)
    setup = duel(first="quincy", underway=(arrow,))
    entrants = (setup.entrants[0], replace(setup.entrants[1], sheet=FULL))
    (card,) = cards(choices(GUIDA.start(replace(setup, entrants=entrants)), "quincy"))
    assert FLAME.form is AttackForm.PROJECTILE
    assert Action.UNBALANCE not in {one.action for one in card.defences}
    assert Action.GENERIC_COUNTERATTACK not in {one.action for one in card.defences}
    assert {hand.use: hand.bare for hand in card.hands} == {
        "guards": True,
        "parries": False,
        "attacks": False,
    }
    (generic,) = cards(choices(healing(), "quincy"))
    assert [one.action for one in generic.defences] == [Action.GENERIC_COUNTERATTACK]


def test_a_continuation_takes_no_aim_that_its_tool_cannot_take() -> None:
    fields = {f"answers__{A}__action": "counterattack", f"answers__{A}__then__aim": "head"}
    turn = order(rich(), "quincy", **fields, **{f"answers__{A}__with__attacks": "wide"})
    assert turn.defences[0].then == Continuation()


def test_a_counter_may_be_made_with_what_only_a_move_brings_near() -> None:
    setup = duel(metres=20)
    sheet = replace(QUINCY, tools=(BOW, CLAWS))
    here = scene(entrants=(setup.entrants[0], replace(setup.entrants[1], sheet=sheet)), metres=20)
    hands = {hand.use: hand for hand in cards(choices(here, "quincy"))[0].hands}
    assert [tool.id for tool in hands["attacks"].tools] == ["bow"]
    assert [(far.tool.id, far.max_m) for far in hands["attacks"].far] == [("claws", 10)]
    assert cards(choices(here, "quincy"))[0].blow.aimed == ("bow", "claws")
    fields = {
        f"answers__{A}__action": "counterattack",
        f"answers__{A}__with__attacks": "claws",
        f"answers__{A}__then__aim": "head",
    }
    still = order(here, "quincy", **fields)
    assert [one.code for one in GUIDA.check(here, still)] == ["beyond_max_range"]
    near = order(here, "quincy", **fields, **{f"answers__{A}__move__distances__0__metres": "10"})
    assert near.defences[0].then == Continuation(aim=Aim.HEAD)
    assert GUIDA.check(here, near) == ()


def test_what_is_wrong_with_other_actions_stands_beside_its_field() -> None:
    here = rich()
    counter = written(
        here,
        "quincy",
        **{
            f"answers__{A}__action": "counterattack",
            f"answers__{A}__then__aim": "limbs",
            "main__kind": "preparation",
        },
    )
    found = {counter.rename(one.field) for one in GUIDA.check(here, decode(Turn, counter.order))}
    assert found == {f"answers.{A}.with.attacks", "main.kind"}
    far = written(
        here,
        "quincy",
        main__kind="preparation",
        main__preparation__support="hands",
        main__preparation__move__distances__0__metres="90",
    )
    found = {far.rename(one.field) for one in GUIDA.check(here, decode(Turn, far.order))}
    assert found >= {
        "main.preparation.support",
        "main.preparation.move.distances.0.metres",
    }
    still = written(here, "quincy", main__kind="movement")
    assert still.rename("order.main.move") == "main.movement.move"
    loose = written(here, "quincy", main__kind="loose", loose__first="claws")
    found = {loose.rename(one.field) for one in GUIDA.check(here, decode(Turn, loose.order))}
    assert found == {"loose.first"}

"""What chapters 8 to 13 add to a turn: the form shows it, and makes the same order again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.persistence.codec import decode, encode
from app.rulesets.guida.choices import choices
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    AreaPlan,
    Attack,
    Continuation,
    Defence,
    Figures,
    Generic,
    Knock,
    LiberationAttempt,
    Movement,
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
    Move,
    Reach,
    Unseen,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, AreaForm, Bind, Stack
from app.rulesets.guida.underway import (
    ControlArea,
    Incoming,
)
from app.rulesets.guida.view import view
from app.web.forms import nest
from app.web.turn_blow import main_blow, pick
from app.web.turn_bound import hanging, whole
from app.web.turn_cards import Card, cards, plans
from app.web.turn_fill import first_texts, shown_turn
from app.web.turn_form import write_turn
from app.web.written import Written
from tests.support.fights import duel
from tests.web.melee import melee
from tests.web.test_turn_form import sent

ONE, TWO, THREE = "a1", "a2", "a3"  # from the Hollow, from the Beast, from the Beast at the mate
FIGURES = Figures(hp=180, ep=120)
BETWEEN = Move(distances=(Reach(to="beast", metres=3), Reach(to="mate", metres=2)))


def scene(*, bound: bool = False, **changes: Any) -> Scene:
    """Begin the fight of four, the Quincy's turn; the Hollow's attack knocks back."""
    made = GUIDA.start(melee(bound=bound, **changes))
    throwing = (replace(one, knock=Knock()) if one.id == ONE else one for one in made.incoming)
    return replace(made, incoming=tuple(throwing))


def with_area(made: Scene) -> Scene:
    """Let an area of the Quincy's stand there, made with the technique that can feed it."""
    area = ControlArea(
        id="area9",
        creator="quincy",
        tool="dome of ash",
        name="Cenere",
        form=AreaForm.EXPANSIVE,
        saturation=6,
    )
    ids = [who.id for who in made.combatants]
    places = [Distance(a="area9", b=id, metres=Fraction(40)) for id in ids]
    return replace(made.placed(places, made.behind), areas=(area,))


def written(here: Scene, form: dict[str, str]) -> Written:
    """Fill in the Quincy's form beyond what it starts with."""
    offered = whole(choices(here, "quincy"))
    fields = [*sent(first_texts(offered, view(here, "quincy"))), *form.items()]
    typed = dict(fields)
    return write_turn(nest(typed.items()), "quincy", offered)


def order(here: Scene, form: dict[str, str]) -> Turn:
    """Read the order that a form makes."""
    turn: Turn = decode(Turn, written(here, form).order)
    return turn


def card_of(here: Scene, id: str) -> Card:
    """Give the card of an incoming action."""
    return next(one for one in cards(whole(choices(here, "quincy"))) if one.id == id)


def guard(*against: str, **more: Any) -> Defence:
    """Guard with the bow."""
    return Defence(action=Action.GUARD, against=against, tool="bow", **more)


BOW_ATTACK = Attack(target="hollow", tool="bow")
TURNS: dict[str, Turn] = {
    "several targets": Turn(main=replace(BOW_ATTACK, also=("beast",))),
    "a wave": Turn(main=Attack(target="beast", tool="wave", also=("hollow",))),
    "an improper constraint": Turn(
        main=replace(BOW_ATTACK, binds=(Bind.ARM_BLOCK, Bind.LEG_BLOCK))
    ),
    "a knockback": Turn(main=replace(BOW_ATTACK, knock=Knock(metres=4, object_m=3))),
    "as far as it goes": Turn(main=replace(BOW_ATTACK, knock=Knock())),
    "stacks in order": Turn(
        main=Attack(target="hollow", tool="daze", prefers=(Stack.OFF_BALANCE,))
    ),
    "hiding": Turn(
        main=Movement(move=Move(distances=(Reach(to="beast", metres=30),)), hides=("beast",))
    ),
    "senses": Turn(perception="eye", camouflage="haze", masking="veil"),
    "an area": Turn(
        main=Generic(tool="dome of ash"),
        areas=(
            AreaPlan(
                tool="dome of ash", around="hollow", distances=(Reach(to="quincy", metres=12),)
            ),
        ),
    ),
    "an area beside a guard": Turn(
        defences=(guard(ONE, support=("dome of ash",)),),
        areas=(AreaPlan(tool="dome of ash", around="mate"),),
    ),
    "a reaction": Turn(defences=(guard(ONE, reacts=True),)),
    "a reaction of a guard for both": Turn(defences=(guard(ONE, TWO, reacts=True),)),
    "a defence that throws": Turn(
        defences=(
            Defence(action=Action.GUARD, against=(TWO,), tool="shield", knock=Knock(object_m=2)),
        )
    ),
    "in the ally's place": Turn(
        defences=(Defence(action=Action.ALLY_GUARD, against=(THREE,), tool="bow", move=BETWEEN),)
    ),
    "a null defence for the ally": Turn(
        defences=(Defence(action=Action.ALLY_NULL_DEFENCE, against=(THREE,), move=BETWEEN),)
    ),
    "a counter that binds and throws": Turn(
        defences=(
            Defence(
                action=Action.COUNTERATTACK,
                against=(ONE,),
                tool="bow",
                then=Continuation(
                    also=("beast",), binds=(Bind.MOVEMENT_BLOCK,), knock=Knock(metres=2)
                ),
            ),
        )
    ),
    "a counter on two": Turn(
        defences=(
            Defence(
                action=Action.COUNTERATTACK,
                against=(ONE, TWO),
                tool="bow",
                then=Continuation(toward="beast"),
            ),
        )
    ),
}
IN_BONDS: dict[str, Turn] = {
    "an attempt first": Turn(liberation=LiberationAttempt(tool="wrench"), defences=(guard(ONE),)),
    "an attempt between": Turn(
        liberation=LiberationAttempt(tool="wrench", after=1),
        defences=(Defence(action=Action.DODGE, against=(ONE,)), guard(TWO)),
    ),
    "an attempt with a technique's attack": Turn(
        defences=(Defence(action=Action.DODGE, against=(ONE, TWO)),),
        liberation=LiberationAttempt(tool="wrench", after=1),
        main=BOW_ATTACK,
    ),
}
BY_AREA: dict[str, Turn] = {
    "feeding": Turn(
        main=Generic(tool="dome of ash"), areas=(AreaPlan(tool="dome of ash", feeds="area9"),)
    ),
    "destroying by an attack": Turn(main=Attack(target="hollow", tool="wave", destroys="area9")),
    "destroying by a counter": Turn(
        defences=(
            Defence(
                action=Action.COUNTERATTACK,
                against=(ONE,),
                tool="bow",
                then=Continuation(destroys="area9"),
            ),
        )
    ),
    "into the area": Turn(
        main=Movement(
            move=Move(
                distances=(Reach(to="hollow", metres=20), Reach(to="area9", metres=0)),
            )
        )
    ),
}


def again(here: Scene, turn: Turn) -> Turn:
    """Show a turn in the form, send the form, and read the order it makes."""
    offered = whole(choices(here, turn.by))
    form = nest(sent(shown_turn(turn, offered, view(here, turn.by))))
    read: Turn = decode(Turn, write_turn(form, turn.by, offered).order)
    return read


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_a_turn_is_shown_and_sent_back_the_same_and_is_legal(turn: Turn) -> None:
    turn = replace(turn, by="quincy", figures=FIGURES)
    assert decode(Turn, encode(turn)) == turn
    assert again(scene(), turn) == turn
    assert GUIDA.check(scene(), turn) == ()


@pytest.mark.parametrize("turn", IN_BONDS.values(), ids=IN_BONDS)
def test_a_turn_in_bonds_is_shown_and_sent_back_the_same(turn: Turn) -> None:
    turn = replace(turn, by="quincy", figures=FIGURES)
    here = scene(bound=True)
    assert again(here, turn) == turn
    assert GUIDA.check(here, turn) == ()


@pytest.mark.parametrize("turn", BY_AREA.values(), ids=BY_AREA)
def test_a_turn_about_an_area_is_shown_and_sent_back_the_same(turn: Turn) -> None:
    turn = replace(turn, by="quincy", figures=FIGURES)
    here = with_area(scene())
    assert again(here, turn) == turn
    assert GUIDA.check(here, turn) == ()


def test_a_plain_duel_offers_nothing_of_all_this() -> None:
    here = GUIDA.start(duel())
    offered = whole(choices(here, "hollow"))
    blow = main_blow(offered)
    assert (blow.also, blow.more, blow.blind, blow.prefers) == ((), (), (), ())
    assert plans(offered) == ()
    assert not hanging(choices(here, "hollow")).anything
    assert (offered.liberations, offered.perceptions, offered.at_allies) == ((), (), ())


def test_what_is_offered_with_each_weapon_is_its_own() -> None:
    offered = whole(choices(scene(), "quincy"))
    blow = main_blow(offered)
    bow, wave, daze = (pick("hollow", tool) for tool in ("bow", "wave", "daze"))
    assert bow in blow.knocks
    assert bow not in blow.knocks_free
    assert pick("hollow", "shield") in blow.knocks_free
    assert wave not in blow.knocks
    assert {bow, wave} <= set(blow.also[0].when)
    assert {one.id for one in blow.prefers} == {Stack.STUN, Stack.OFF_BALANCE}
    assert all(daze in one.when and bow not in one.when for one in blow.prefers)


def test_what_the_chosen_weapon_cannot_take_is_left_out() -> None:
    form = {
        "main.kind": "attack",
        "main.pick": pick("hollow", "wave"),
        "main.binds": "arm_block",
        "main.knock.on": "true",
        "main.prefers": "stun",
        "main.frees": "true",
    }
    assert order(scene(), form).main == Attack(target="hollow", tool="wave")


def test_the_same_defence_is_offered_only_where_it_may_answer_both() -> None:
    arrow = replace(scene().incoming[1], tool=melee().entrants[1].sheet.tools[0])
    here = scene()
    assert isinstance(arrow, Incoming)
    here = replace(here, incoming=(here.incoming[0], arrow, here.incoming[2]))
    ((shared,), (other,)) = (card_of(here, TWO).with_, card_of(scene(), TWO).with_)
    assert Action.UNBALANCE in other.actions
    assert Action.UNBALANCE not in shared.actions
    assert {Action.GUARD, Action.DODGE, Action.COUNTERATTACK} <= set(shared.actions)
    assert card_of(here, THREE).with_ == ()  # an ally's defence answers nothing of one's own
    for action in other.actions:
        tool = {"guard": "bow", "parry": "bow"}.get(action, "")
        tool = "bow" if "counterattack" in action else tool
        answers = Defence(
            action=action,
            against=(ONE, TWO),
            tool=tool or None,
            then=Continuation() if "counterattack" in action else None,
        )
        assert GUIDA.check(scene(), Turn(by="quincy", defences=(answers,))) == (), action


def test_a_recovery_is_offered_after_the_attack_that_throws_alone() -> None:
    assert {"guard", "null_defence"} <= set(card_of(scene(), ONE).recovering)
    assert "dodge" not in card_of(scene(), ONE).recovering
    assert card_of(scene(), TWO).recovering == ()


def test_what_a_bound_fighter_could_do_once_free_is_marked() -> None:
    here = scene(bound=True)
    held = hanging(choices(here, "quincy"))
    assert Action.GUARD in held.actions
    assert Action.DODGE not in held.actions
    assert "bow" in held.tools
    assert not held.moves
    assert [one.id for one in whole(choices(here, "quincy")).liberations] == ["wrench"]


def test_an_attempt_stands_where_the_form_says() -> None:
    here = scene(bound=True)
    form = {
        f"answers.{ONE}.action": "dodge",
        f"answers.{TWO}.action": f"with:{ONE}",
        "liberation.tool": "wrench",
    }
    assert order(here, form).liberation == LiberationAttempt(tool="wrench", after=0)
    for after in (ONE, TWO):
        placed = order(here, {**form, "liberation.after": after}).liberation
        assert placed == LiberationAttempt(tool="wrench", after=1)


def test_an_attack_on_somebody_hidden_is_blind() -> None:
    here = GUIDA.start(melee(hidden=(Unseen(who="hollow", observer="quincy"),), underway=()))
    turn = order(here, {"main.kind": "attack", "main.pick": pick("hollow", "bow")})
    assert turn.main == Attack(target="hollow", tool="bow", blind=True)
    assert GUIDA.check(here, turn) == ()


def test_objections_to_all_this_find_their_fields() -> None:
    form = {
        f"answers.{THREE}.action": "ally_guard",
        f"answers.{THREE}.with.guards": "bow",
        "main.kind": "movement",
        "main.movement.hides": "mate",
        "main.movement.move.distances.0.metres": "8",
        "perception": "bow",
        "reacts": "true",
    }
    found = written(scene(), form)
    fields = {found.rename(one.field) for one in GUIDA.check(scene(), decode(Turn, found.order))}
    assert fields == {
        f"answers.{THREE}.move",
        "main.movement.hides",
        "perception",
        "reacts",
    }
    bad = written(scene(), {**form, "main.kind": "attack", "main.pick": pick("hollow", "bow")})
    assert bad.rename("order.main.also[0]") == "main.also"
    thrown = {"main.kind": "attack", "main.pick": pick("hollow", "bow"), "main.knock.on": "true"}
    knocking = written(scene(), {**thrown, "main.knock.metres": "far"})
    assert knocking.rename("order.main.knock.metres") == "main.knock.metres"
    guarded = written(
        scene(),
        {
            f"answers.{TWO}.action": "guard",
            f"answers.{TWO}.with.guards": "shield",
            f"answers.{TWO}.knock.guards.on": "true",
        },
    )
    assert guarded.rename("order.defences[0].knock") == f"answers.{TWO}.knock.guards.on"
    area = written(
        scene(),
        {
            "main.kind": "generic_action",
            "main.generic_action.tool": "dome of ash",
            "plans.0.distances.0.metres": "12",
        },
    )
    assert area.rename("order.areas[0].distances[0].metres") == "plans.0.distances.0.metres"

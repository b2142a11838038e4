"""A post held against its entry, by everybody as far as they may know the entry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.persistence.codec import encode, write_json
from app.posts.dialects import render
from app.posts.write import PostSource, write_blocks
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.orders import Turn
from app.rulesets.guida.places import Distance, Unseen
from app.rulesets.guida.rulings import Place
from app.services import comparing, scenes
from app.services.access import ANONYMOUS, Principal
from app.services.comparing import PostCompared, PostToCompare
from app.services.errors import Conflict, NotFound
from app.services.shapes import Roller
from tests.support.fights import HOLLOW, attack, duel
from tests.support.table import Table, set_table

HIDE = Place(hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")


def post_of(table: Table, number: int) -> str:
    """Write the post of an entry, as the Master sees it."""
    entry = scenes.read_entry(table.db, table.gm, table.id, number)
    source = PostSource(
        ruleset=entry.ruleset,
        language=entry.language,
        findings=entry.findings,
        asked=entry.asked,
        rolls=entry.rolls,
        narration=entry.narration,
        provenance=entry.provenance,
        proof=None if entry.proof is None else entry.proof.facts(),
    )
    return render(write_blocks(source), entry.language, entry.dialect)


def compare(table: Table, who: Principal, text: str, **which: object) -> PostCompared:
    """Compare a text, for somebody."""
    post = PostToCompare(text=text, **which)
    return comparing.compare_post(table.db, who, table.id, post)


def wrong(found: PostCompared) -> dict[str, list[str]]:
    """Tell the differences by kind, with their reasons."""
    return {one.kind: [why.code for why in one.because] for one in found.numbers if not one.same}


def everybody(table: Table) -> tuple[Principal, ...]:
    """List all who may ask."""
    return (*table.players.values(), table.gm, table.owner, ANONYMOUS)


def test_the_post_of_an_entry_agrees_for_everybody(table: Table) -> None:
    table.decide("hollow", attack())
    table.dodge()
    for who in everybody(table):
        for number in (1, 2):
            found = compare(table, who, post_of(table, number), entry=number)
            assert (wrong(found), found.same, found.unread) == ({}, True, ())
            assert found.numbers


def test_without_a_number_it_is_the_last_turn_in_effect(table: Table) -> None:
    table.decide("hollow", attack())
    table.dodge()
    text = post_of(table, 1)
    assert compare(table, ANONYMOUS, text).entry == 2
    assert compare(table, ANONYMOUS, text, seat="hollow").entry == 1
    table.void()
    found = compare(table, ANONYMOUS, text)
    assert (found.entry, found.seat, found.same) == (1, "hollow", True)


def test_a_post_of_another_entry_is_said_to_be_so(table: Table) -> None:
    table.world.throw([9])
    table.decide("hollow", attack())
    table.dodge()
    table.world.throw([5])
    table.decide("hollow", attack())
    found = compare(table, ANONYMOUS, post_of(table, 1), entry=3)
    assert "die_of_other_entry" in wrong(found)["face"]


@pytest.mark.parametrize("dice", Roller)
def test_dice_that_still_wait_stand_in_the_post_where_the_forum_rolls(
    table: Table, dice: Roller
) -> None:
    table = set_table(table.db, table.world, dice=dice, owner=table.owner)
    table.decide("hollow", attack())
    text = post_of(table, 1)
    found = compare(table, ANONYMOUS, text)
    assert found.same
    without = text[: text.index("1d12")]
    assert wrong(compare(table, ANONYMOUS, without))["die"] == ["die_missing"]


def test_a_turn_of_somebody_hidden_is_compared_only_by_those_who_see_it(table: Table) -> None:
    table.decide("hollow", Turn())
    table.decide("quincy", Turn())
    table.decide("gm", HIDE)
    before = post_of(table, 1)
    table.decide("hollow", Turn(loose=()))
    number = table.version - 1
    text = post_of(table, number)
    for who in (table.players["hollow"], table.gm, table.owner):
        assert compare(table, who, text, entry=number).same
        assert compare(table, who, text, seat="hollow").entry == number
    for who in (table.players["quincy"], ANONYMOUS):
        # What is in the post makes no difference: nothing is told of what is right in it.
        for pasted in (text, before, text.replace("200", "199")):
            with pytest.raises(Conflict) as caught:
                compare(table, who, pasted, entry=number)
            assert caught.value.code == "nothing_to_compare"
        assert compare(table, who, before, seat="hollow").entry == 1


def test_of_a_die_that_is_hidden_from_a_reader_nothing_is_told(table: Table) -> None:
    wolf = Entrant(id="wolf", team="day", sheet=replace(HOLLOW, name="Lupo"))
    setup = duel()
    three = replace(
        setup,
        entrants=(*setup.entrants, wolf),
        distances=(
            *setup.distances,
            Distance(a="hollow", b="wolf", metres=9),
            Distance(a="quincy", b="wolf", metres=9),
        ),
        hidden=(Unseen(who="hollow", observer="wolf"),),
        first="quincy",
    )
    table = set_table(table.db, table.world, setup=three, owner=table.owner)
    table.world.throw([8])
    table.decide("quincy", attack("hollow", "bow"))
    text = post_of(table, 1)
    shown = "(8)+"
    assert text.count(shown) == 1
    assert compare(table, table.players["quincy"], text).same
    blind = [
        compare(table, table.players["wolf"], pasted, entry=1)
        for pasted in (text, text.replace(shown, "(3)+"))
    ]
    assert wrong(blind[0]) == wrong(blind[1]) == {"die": ["die_unknown"]}
    for found in blind:
        told = write_json(encode([one for one in found.numbers if one.kind != "die"]))
        assert "Arco" not in told
        assert all(one.computed is None for one in found.numbers if one.kind == "die")


def test_what_has_no_post_cannot_be_compared(table: Table) -> None:
    table.decide("hollow", attack())
    table.void()
    with pytest.raises(Conflict) as caught:
        compare(table, table.gm, "PV: 3/4", entry=2)
    assert caught.value.code == "nothing_to_compare"
    for which in ({"entry": 9}, {"seat": "nobody"}, {}):
        with pytest.raises(NotFound):
            compare(table, table.gm, "PV: 3/4", **which)

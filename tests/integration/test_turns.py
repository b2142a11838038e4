"""Deciding in a scene: who may, what is kept, and what is refused without a trace."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.persistence.codec import encode
from app.persistence.database import Database
from app.rulesets import RULESETS
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.rulings import (
    Close,
    Manual,
    Pause,
)
from app.rulesets.guida.terms import Change
from app.services import amending, offered, scenes, turns
from app.services.access import ANONYMOUS, Principal
from app.services.entry_shapes import (
    Decided,
    Narration,
)
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused, Stale
from app.services.shapes import (
    EntryKind,
    Roller,
    Status,
)
from tests.support.counting import counted
from tests.support.fights import attack, defend, duel
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

UNKNOWN = ("nowhere", "", "a" * 65, "nul\0", "\ud800", "../x", "scéna")


def strike(table: Table, **more: object) -> Decided:
    """Let the Hollow attack."""
    return table.decide("hollow", attack(), **more)


def nothing_happened(table: Table) -> None:
    """Assert that the scene is as it was opened, and that no die fell."""
    scene = scenes.read_scene(table.db, table.gm, table.id)
    assert (scene.version, scene.entries, scene.waiting) == (1, (), None)
    assert table.world.thrown == []


# --------------------------------------------------------------------------------- what is kept


def test_a_turn_is_kept_with_its_dice_its_story_and_its_findings(table: Table) -> None:
    table.world.throw([11])
    story = Narration(offensive="Il Hollow balza.\nColpisce 🐉.")
    decided = strike(table, narration=story)
    entry = scenes.read_entry(table.db, ANONYMOUS, table.id, 1)
    assert decided == Decided(number=1, version=2, status=Status.RESOLVED)
    assert entry.order == replace(attack(), by="hollow")
    assert [(roll.sides, roll.face) for roll in entry.rolls or ()] == [(12, 11)]
    assert (entry.provenance, entry.seat, entry.act) == ("service", "hollow", "turn")
    assert entry.narration == story
    assert entry.asked == GUIDA.plan(GUIDA.start(duel()), entry.order).asked
    assert entry.findings
    assert entry.at == table.world.now()


def test_the_snapshot_moves_with_the_entry(table: Table) -> None:
    before = table.state()
    strike(table)
    after = table.state()
    assert after != before
    assert [one.target for one in after.incoming] == ["quincy"]
    assert scenes.read_scene(table.db, ANONYMOUS, table.id).awaited.seats == ("quincy",)


def test_entries_are_in_the_order_of_their_numbers_even_if_the_clock_goes_back(
    table: Table,
) -> None:
    strike(table)
    table.world.wait(-timedelta(hours=1))
    table.dodge()
    read = scenes.read_entries(table.db, ANONYMOUS, table.id)
    lines = scenes.read_scene(table.db, ANONYMOUS, table.id).entries
    assert [entry.number for entry in read] == [line.number for line in lines] == [1, 2]
    assert read[1].at < read[0].at


def test_entries_are_read_page_by_page(table: Table) -> None:
    strike(table)
    table.dodge()
    pages = [
        scenes.read_entries(table.db, ANONYMOUS, table.id, after=after, limit=1)
        for after in (0, 1, 2, 2**70)
    ]
    assert [[entry.number for entry in page] for page in pages] == [[1], [2], [], []]


def test_an_order_may_come_as_json_data(table: Table) -> None:
    table.decide("hollow", encode(attack()))
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, 1).order.main == attack().main


def test_a_scene_that_ends_is_marked_as_ended(table: Table) -> None:
    table.decide("gm", Close(reason="Finita."))
    scene = scenes.read_scene(table.db, ANONYMOUS, table.id)
    assert scene.ended_at == table.world.now()
    assert scene.awaited.ended
    with pytest.raises(Refused):
        strike(table)
    table.void()
    assert scenes.read_scene(table.db, ANONYMOUS, table.id).ended_at is None


# ------------------------------------------------------------------------------------ who may


def test_an_order_without_a_name_is_given_by_the_one_seat_that_is_held(table: Table) -> None:
    strike(table)
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, 1).seat == "hollow"


def test_a_master_without_a_seat_decides_as_the_master(table: Table) -> None:
    table.decide("gm", Pause(reason="Cena."))
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, 1).seat == "gm"


def test_whoever_holds_two_seats_must_say_which(table: Table) -> None:
    both = Principal(table.players["hollow"].grants + table.players["quincy"].grants)
    table.players["both"] = both
    with pytest.raises(Malformed) as caught:
        table.decide("both", attack())
    assert [(one.field, one.code) for one in caught.value.mistakes] == [("order.by", "missing")]
    table.decide("both", attack(by="hollow"))
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, 1).seat == "hollow"


@pytest.mark.parametrize("who", ["gm", "owner"])
def test_the_master_and_the_owner_may_post_on_behalf_of_a_player(table: Table, who: str) -> None:
    table.players["owner"] = table.owner
    table.decide(who, attack(by="hollow"))
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, 1).seat == "hollow"


@pytest.mark.parametrize("seat", ["hollow", "gm", "nobody", "spectator"])
def test_nobody_decides_as_somebody_else(table: Table, seat: str) -> None:
    with pytest.raises(NotFound):
        table.decide("quincy", attack(by=seat))
    nothing_happened(table)


def test_strangers_decide_nothing(table: Table) -> None:
    other = set_table(table.db, FixedWorld(seed="other"), owner=table.owner)
    for stranger in (ANONYMOUS, other.gm, other.players["hollow"]):
        table.players["stranger"] = stranger
        for act in (
            lambda: table.decide("stranger", attack()),
            lambda: table.decide("stranger", attack(by="hollow")),
            lambda: table.void(who=table.players["stranger"]),
            lambda: turns.preview(table.db, table.players["stranger"], table.id, attack()),
            lambda: offered.choices(table.db, table.players["stranger"], table.id, "hollow"),
            lambda: scenes.read_scene(table.db, table.players["stranger"], table.id, "hollow"),
        ):
            with pytest.raises(NotFound):
                act()
    nothing_happened(table)


def test_a_player_cannot_take_back_or_amend(table: Table) -> None:
    strike(table)
    with pytest.raises(NotFound):
        table.void(who=table.players["hollow"])
    submission = table.submission(Pause(reason="No."))
    with pytest.raises(NotFound):
        amending.amend(table.db, table.world, table.players["hollow"], table.id, 1, submission)


@pytest.mark.parametrize("scene_id", UNKNOWN, ids=ascii)
def test_a_scene_that_is_not_there_is_not_found(table: Table, scene_id: str) -> None:
    submission = table.submission(attack(by="hollow"))
    for act in (
        lambda: turns.decide(table.db, table.world, table.owner, scene_id, submission),
        lambda: turns.preview(table.db, table.owner, scene_id, attack(by="hollow")),
        lambda: scenes.read_scene(table.db, table.owner, scene_id),
        lambda: scenes.read_entry(table.db, table.owner, scene_id, 1),
        lambda: scenes.read_entries(table.db, table.owner, scene_id),
    ):
        with pytest.raises(NotFound):
            act()


@pytest.mark.parametrize("number", [0, 2, -1, 2**31, 2**63, 2**70])
def test_an_entry_that_is_not_there_is_not_found(table: Table, number: int) -> None:
    strike(table)
    with pytest.raises(NotFound):
        scenes.read_entry(table.db, table.gm, table.id, number)
    with pytest.raises(NotFound):
        table.give("gm", number, 3)
    with pytest.raises(NotFound):
        table.amend(number, Pause(reason="No."))


# ------------------------------------------------------------------------------ what is refused


def test_what_the_rules_forbid_is_refused_without_a_trace(table: Table) -> None:
    with pytest.raises(Refused) as caught:
        table.decide("quincy", attack(target="hollow", tool="bow"))
    assert caught.value.obstacles
    nothing_happened(table)


def test_what_is_not_understood_is_refused_with_every_field(table: Table) -> None:
    order = {"kind": "turn", "main": {"kind": "attack", "target": "", "tool": 5}, "seed": 1}
    with pytest.raises(Malformed) as caught:
        table.decide("hollow", order)
    assert {one.field for one in caught.value.mistakes} == {
        "order.main.target",
        "order.main.tool",
        "order.seed",
    }
    nothing_happened(table)


def test_no_way_into_a_scene_goes_round_the_bounds(table: Table) -> None:
    for act, field in (
        (lambda: table.decide("hollow", attack(tool="claws\0")), "order.main.tool"),
        (lambda: strike(table, narration=Narration(initial="a\0")), "narration.initial"),
        (lambda: strike(table, narration=Narration(offensive="x" * 20_001)), "narration.offensive"),
        (lambda: table.void("\ud800"), "reason"),
        (lambda: table.void(""), "reason"),
        (lambda: set_table(table.db, table.world, owner=table.owner, title="a\0"), "title"),
        (
            lambda: set_table(table.db, table.world, owner=table.owner, setup=duel(first="\0")),
            "setup.first",
        ),
    ):
        with pytest.raises(Malformed) as caught:
            act()
        assert [one.field for one in caught.value.mistakes] == [field]
    nothing_happened(table)


def test_lengths_are_those_of_characters_on_either_database(table: Table) -> None:
    def opened(title: str, name: str) -> str:
        first, second = duel().entrants
        setup = duel(entrants=(replace(first, sheet=replace(first.sheet, name=name)), second))
        made = set_table(table.db, table.world, owner=table.owner, title=title, setup=setup)
        scene = scenes.read_scene(made.db, made.gm, made.id)
        assert (scene.title, scene.view.combatants[0].name) == (title, name)
        return made.id

    assert opened("🐉" * 80, "👩🏽\u200d🚀" * 20)
    for length in (81, 255, 10_000):
        for title, name, field in (
            ("🐉" * length, "Hollow", "title"),
            ("Duello", "🐉" * length, "setup.entrants[0].sheet.name"),
        ):
            with pytest.raises(Malformed) as caught:
                opened(title, name)
            assert [(one.field, one.code) for one in caught.value.mistakes] == [(field, "too_long")]
    story = "🐉" * 20_000
    strike(table, narration=Narration(offensive=story))
    entry = scenes.read_entry(table.db, table.gm, table.id, 1)
    assert entry.narration is not None
    assert entry.narration.offensive == story


def test_a_turn_made_for_an_older_version_is_stale(table: Table) -> None:
    strike(table)
    with pytest.raises(Stale) as caught:
        table.dodge(version=1)
    assert caught.value.version == 2
    with pytest.raises(Stale):
        table.dodge(version=3)
    assert len(scenes.read_scene(table.db, ANONYMOUS, table.id).entries) == 1


def test_of_two_masters_who_saw_the_same_version_the_second_is_told(table: Table) -> None:
    change = Manual(combatant="hollow", change=Change.HP, amount=-5, reason="Caduta.")
    table.decide("gm", change, version=1)
    table.players["owner"] = table.owner
    with pytest.raises(Stale):
        table.decide("owner", change, version=1)
    assert table.state().who("hollow").hp_now == 195


# ----------------------------------------------------------------------------- the client's key


def test_the_same_call_gets_the_same_answer_and_no_new_dice(table: Table) -> None:
    key = table.key()
    first = strike(table, version=1, key=key)
    table.dodge()
    thrown = list(table.world.thrown)
    again = [strike(table, version=version, key=key) for version in (1, 2, 3)]
    assert again == [first] * 3
    assert table.world.thrown == thrown
    assert len(scenes.read_scene(table.db, ANONYMOUS, table.id).entries) == 2


def test_a_key_does_not_serve_for_another_order(table: Table) -> None:
    key = table.key()
    strike(table, key=key)
    for order, narration in (
        (attack(tool="flame"), None),
        (attack(), Narration(initial="Un'altra storia.")),
    ):
        with pytest.raises(KeyReused):
            table.decide("hollow", order, key=key, narration=narration)
    assert table.world.thrown == [7]


def test_keys_of_different_people_do_not_meet(table: Table) -> None:
    key = table.key()
    strike(table, key=key)
    assert table.dodge(key=key).number == 2


def test_a_key_of_one_scene_does_not_answer_in_another(table: Table) -> None:
    other = set_table(table.db, FixedWorld(seed="other"), owner=table.owner)
    table.players["owner"] = other.players["owner"] = table.owner
    key = table.key()
    table.decide("owner", attack(by="hollow"), key=key)
    with pytest.raises(KeyReused):
        other.decide("owner", attack(by="hollow"), key=key)


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("short", "too_short"),
        ("k" * 201, "too_long"),
        ("key with a blank", "bad_text"),
        ("kéy-000001", "bad_text"),
        ("key-0001\n", "bad_text"),
        ("key-0001\0", "bad_text"),
    ],
)
def test_a_key_is_plain_and_of_a_sound_length(table: Table, key: str, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        strike(table, key=key)
    assert [(one.field, one.code) for one in caught.value.mistakes] == [("key", code)]
    nothing_happened(table)


def test_a_refused_order_may_be_mended_under_the_same_key(table: Table) -> None:
    key = table.key()
    with pytest.raises(Refused):
        table.decide("hollow", attack(tool="sword"), key=key)
    assert table.decide("hollow", attack(), key=key).number == 1


# ------------------------------------------------------------------------------ the forum rolls


def test_where_the_forum_rolls_a_turn_waits_for_its_dice(forum_table: Table) -> None:
    before = forum_table.state()
    decided = strike(forum_table)
    entry = scenes.read_entry(forum_table.db, ANONYMOUS, forum_table.id, 1)
    scene = scenes.read_scene(forum_table.db, ANONYMOUS, forum_table.id)
    assert decided == Decided(number=1, version=2, status=Status.DECLARED)
    assert (scene.waiting, scene.version, scene.dice) == (1, 2, Roller.FORUM)
    assert forum_table.state() == before
    assert entry.rolls is None
    assert entry.asked
    assert entry.findings  # what is settled before the dice
    assert forum_table.world.thrown == []


def test_nothing_else_is_accepted_while_dice_are_awaited(forum_table: Table) -> None:
    strike(forum_table)
    for act in (
        lambda: forum_table.decide("quincy", defend()),
        lambda: forum_table.decide("hollow", attack()),
        lambda: forum_table.decide("gm", Pause(reason="Aspettate.")),
        lambda: forum_table.amend(1, Pause(reason="Aspettate.")),
        lambda: turns.preview(
            forum_table.db, forum_table.players["quincy"], forum_table.id, defend()
        ),
    ):
        with pytest.raises(Conflict) as caught:
            act()
        assert caught.value.code == "dice_awaited"


@pytest.mark.parametrize(("who", "told_by"), [("hollow", "hollow"), ("gm", "gm")])
def test_the_faces_of_the_forum_decide_the_turn(forum_table: Table, who: str, told_by: str) -> None:
    strike(forum_table)
    decided = forum_table.give(who, 1, 4)
    entry = scenes.read_entry(forum_table.db, ANONYMOUS, forum_table.id, 1)
    assert decided == Decided(number=1, version=3, status=Status.RESOLVED)
    assert [roll.face for roll in entry.rolls or ()] == [4]
    assert (entry.provenance, entry.dice_by) == ("typed", told_by)
    assert scenes.read_scene(forum_table.db, ANONYMOUS, forum_table.id).waiting is None
    assert forum_table.state().incoming[0].die == 4
    assert forum_table.world.thrown == []


def test_forum_and_service_decide_alike_with_the_same_faces(
    table: Table, forum_table: Table
) -> None:
    table.world.throw([4, 9])
    strike(table)
    table.dodge()
    strike(forum_table)
    forum_table.give("hollow", 1, 4)
    forum_table.dodge()
    forum_table.give("quincy", 2, 9)
    assert table.state() == forum_table.state()


@pytest.mark.parametrize(
    ("faces", "field", "code"),
    [
        ((), "faces", "too_short"),
        ((3, 3), "faces", "too_long"),
        ((0,), "faces[0]", "out_of_range"),
        ((13,), "faces[0]", "out_of_range"),
    ],
)
def test_faces_that_these_dice_cannot_show_are_refused(
    forum_table: Table, faces: tuple[int, ...], field: str, code: str
) -> None:
    strike(forum_table)
    with pytest.raises(Malformed) as caught:
        forum_table.give("hollow", 1, *faces)
    assert [(one.field, one.code) for one in caught.value.mistakes] == [(field, code)]
    assert scenes.read_scene(forum_table.db, ANONYMOUS, forum_table.id).waiting == 1


def test_the_opponent_does_not_tell_my_dice(forum_table: Table) -> None:
    strike(forum_table)
    with pytest.raises(NotFound):
        forum_table.give("quincy", 1, 1)


def test_dice_are_told_once(forum_table: Table) -> None:
    strike(forum_table)
    key = forum_table.key()
    first = forum_table.give("hollow", 1, 4, version=2, key=key)
    assert forum_table.give("hollow", 1, 4, version=2, key=key) == first
    with pytest.raises(KeyReused):
        forum_table.give("hollow", 1, 12, key=key)
    with pytest.raises(Conflict) as caught:
        forum_table.give("hollow", 1, 12)
    assert caught.value.code == "dice_not_awaited"
    with pytest.raises(Stale):
        forum_table.give("hollow", 1, 12, version=2)


def test_a_turn_without_dice_is_decided_at_once_there_too(forum_table: Table) -> None:
    strike(forum_table)
    forum_table.give("hollow", 1, 4)
    decided = forum_table.decide("quincy", defend())
    assert decided.status is Status.RESOLVED
    entry = scenes.read_entry(forum_table.db, ANONYMOUS, forum_table.id, 2)
    assert (entry.rolls, entry.provenance) == ((), "")


def test_a_declared_turn_can_be_taken_back(forum_table: Table) -> None:
    before = forum_table.state()
    strike(forum_table)
    forum_table.void()
    scene = scenes.read_scene(forum_table.db, ANONYMOUS, forum_table.id)
    assert (scene.waiting, forum_table.state()) == (None, before)
    assert strike(forum_table).number == 3


# ---------------------------------------------------------------------------------- taking back


def test_what_is_taken_back_stays_on_record_and_counts_no_more(table: Table) -> None:
    states = [table.state()]
    strike(table)
    states.append(table.state())
    table.dodge()
    assert table.void("Difesa sbagliata.").number == 3
    assert table.state() == states[1]
    table.void()
    assert table.state() == states[0]
    scene = scenes.read_scene(table.db, ANONYMOUS, table.id)
    assert [(line.kind, line.voids, line.voided_by) for line in scene.entries] == [
        (EntryKind.ORDER, None, 4),
        (EntryKind.ORDER, None, 3),
        (EntryKind.VOID, 2, None),
        (EntryKind.VOID, 1, None),
    ]
    assert scene.entries[2].reason == "Difesa sbagliata."
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, 2).rolls


def test_a_turn_taken_back_and_made_again_has_other_dice(table: Table) -> None:
    table.world.throw([11, 4])
    faces = []
    for number in (1, 3):
        assert strike(table).number == number
        entry = scenes.read_entry(table.db, ANONYMOUS, table.id, number)
        faces.append([roll.face for roll in entry.rolls or ()])
        if number == 1:
            table.void("Non valeva.")
    assert faces == [[11], [4]]
    assert len(table.world.thrown) == 2


def test_there_is_an_end_to_taking_back(table: Table) -> None:
    with pytest.raises(Conflict) as caught:
        table.void()
    assert caught.value.code == "nothing_to_void"
    strike(table)
    table.void()
    with pytest.raises(Conflict):
        table.void()


# ----------------------------------------------------------------------------- another edition


def test_a_scene_of_another_edition_is_read_but_does_not_go_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(table)
    monkeypatch.setitem(RULESETS, "guida", replace(GUIDA, edition="next"))
    scene = scenes.read_scene(table.db, ANONYMOUS, table.id)
    assert (scene.edition, scene.current, len(scene.entries)) == (GUIDA.edition, False, 1)
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, 1).findings
    for act in (
        lambda: table.dodge(),
        lambda: table.void(),
        lambda: table.amend(1, Pause(reason="No.")),
        lambda: turns.preview(table.db, table.players["quincy"], table.id, defend()),
    ):
        with pytest.raises(Conflict) as caught:
            act()
        assert caught.value.code == "other_edition"


def test_a_state_that_this_edition_cannot_read_leaves_the_entries_readable(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(table)
    changed = replace(GUIDA, edition="next", state=Close, orders=(Pause,))
    monkeypatch.setitem(RULESETS, "guida", changed)
    scene = scenes.read_scene(table.db, ANONYMOUS, table.id)
    entry = scenes.read_entry(table.db, ANONYMOUS, table.id, 1)
    assert scene.view is None
    assert entry.order["kind"] == "turn"
    assert entry.findings


# ------------------------------------------------------------------------------------- preview


def test_a_preview_throws_no_die_and_writes_nothing(table: Table) -> None:
    player = table.players["hollow"]
    with counted(table.db) as count:
        previews = [turns.preview(table.db, player, table.id, attack()) for _ in range(3)]
    assert all(one == previews[0] for one in previews)
    assert previews[0].plan is not None
    assert previews[0].forecast is not None
    assert previews[0].forecast.laws
    assert (table.world.thrown, count.commits) == ([], 0)
    assert not [one for one in count.statements if not one.startswith(("SELECT", "BEGIN"))]
    nothing_happened(table)


def test_a_preview_says_what_stands_in_the_way(table: Table) -> None:
    found = turns.preview(table.db, table.players["hollow"], table.id, attack(tool="sword"))
    assert found.obstacles
    assert (found.plan, found.forecast, found.seat) == (None, None, "hollow")


def test_a_preview_without_odds_is_the_same_otherwise(table: Table) -> None:
    player = table.players["hollow"]
    whole = turns.preview(table.db, player, table.id, attack())
    assert turns.preview(table.db, player, table.id, attack(), odds=False) == replace(
        whole, forecast=None
    )


def test_the_dice_do_not_depend_on_how_many_previews_came_before(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, FixedWorld(3, 5))
    for tool in ("claws", "flame"):
        turns.preview(table.db, table.players["hollow"], table.id, attack(tool=tool))
    strike(table)
    assert table.world.thrown == [3]

"""Beings of a Shadow campaign: entered, fighting, changed by each duel, banished and followed."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.persistence.codec import encode
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.warrior_dice.printed import sheet_of
from app.rulesets.warrior_dice.sheet import PrintedWarrior
from app.services import beings, boards, links, replay, scenes
from app.services.access import ANONYMOUS, Principal
from app.services.being_shapes import BeingCause, BeingRead, BeingState
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused, Stale
from app.services.shapes import BoardChanges, OpenScene
from tests.support.table import Table, known, owner_of, set_table
from tests.support.world import SealedWorld

PRINTED = {
    "miranda": {"kind": "printed", "warrior": "miranda_thorne"},
    "gregor": {"kind": "printed", "warrior": "gregor_kaprov"},
    "jasmine": {"kind": "printed", "warrior": "jasmine"},
}


class Camp:
    """A board with a campaign: its owner, and beings with the links of their owners."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.world = SealedWorld()
        self.owner = owner_of(db, self.world)
        self.ids: dict[str, str] = {}
        self.links: dict[str, Principal] = {}

    def enter(self, name: str, sheet: Any = None) -> str:
        """Let a being enter, and open its link."""
        sheet = sheet or PRINTED[name]
        made = beings.add_being(self.db, self.world, self.owner, FIRST_BOARD, sheet, self.key())
        return self.known(name, made.being_id, made.secret)

    def known(self, name: str, being_id: str, secret: str) -> str:
        """Open the link of a being."""
        self.ids[name] = being_id
        self.links[name] = known(links.principal_of_secret(self.db, self.world, secret))
        return being_id

    def key(self) -> str:
        """Make a new key."""
        return f"key-{self.world.token()}"

    def read(self, name: str) -> BeingRead:
        """Read a being as its owner."""
        return beings.read_being(self.db, self.links[name], self.ids[name])

    def duel(self, one: str, other: str, **more: Any) -> Table:
        """Open a Shadow duel for two beings."""
        entrants = [{"id": seat, "sheet": {"being": self.ids[seat]}} for seat in (one, other)]
        setup = {"entrants": entrants, "shadow": True, "first": one, **more}
        return set_table(self.db, self.world, ruleset="warrior_dice", setup=setup, owner=self.owner)

    def killed(self, loser: str, winner: str) -> Table:
        """Let one being be killed by another, which resigns at full hits (WD-A8), and reform."""
        table = self.duel(loser, winner)
        table.decide(loser, {"kind": "resign"})
        if table.state().stage != "over":
            table.decide(loser, {"kind": "reform"})
        return table


@pytest.fixture
def camp(db: Database) -> Camp:
    """Set up a campaign of two."""
    made = Camp(db)
    for name in ("miranda", "gregor"):
        made.enter(name)
    return made


@pytest.fixture
def small(sqlite: Database) -> Camp:
    """Set up a campaign of two, for what does not depend on the database."""
    made = Camp(sqlite)
    for name in ("miranda", "gregor"):
        made.enter(name)
    return made


def test_a_being_enters_with_its_whole_sheet(camp: Camp) -> None:
    miranda = camp.read("miranda")
    assert miranda.sheet == sheet_of(PrintedWarrior(warrior="miranda_thorne"))
    assert (miranda.name, miranda.points, miranda.xp) == ("Miranda Thorne", 300, 0)
    assert (miranda.state, miranda.version, miranda.fighting) == (BeingState.ACTIVE, 1, False)
    (first,) = miranda.versions
    assert (first.cause, first.scene, first.changes) == (BeingCause.ENTERED, None, ())
    assert [one.name for one in beings.list_beings(camp.db, camp.owner, FIRST_BOARD)] == [
        "Gregor Kaprov",
        "Miranda Thorne",
    ]


def test_the_same_key_enters_the_same_being_once(small: Camp) -> None:
    key = small.key()
    made = beings.add_being(
        small.db, small.world, small.owner, FIRST_BOARD, PRINTED["jasmine"], key
    )
    again = beings.add_being(
        small.db, small.world, small.owner, FIRST_BOARD, PRINTED["jasmine"], key
    )
    assert (again, again.replayed) == (made, True)
    with pytest.raises(KeyReused):
        beings.add_being(small.db, small.world, small.owner, FIRST_BOARD, PRINTED["gregor"], key)
    assert len(beings.list_beings(small.db, small.owner, FIRST_BOARD)) == 3


def test_a_duel_writes_what_it_leaves_of_both(camp: Camp) -> None:
    table = camp.killed("miranda", "gregor")
    loser, winner = camp.read("miranda"), camp.read("gregor")
    assert (loser.points, loser.sheet.hits) == (290, 90)  # WD-64, WD-65, by default
    assert (winner.points, winner.xp) == (300, 5)  # WD-50
    version = loser.versions[-1]
    assert (version.number, version.cause) == (2, BeingCause.DUEL)
    assert (version.scene, version.entry) == (table.id, 2)
    assert version.outcome is not None
    assert (version.outcome.killed, version.outcome.won) == (True, False)
    assert [(one.what, one.before, one.after) for one in version.changes] == [("hits", 100, 90)]
    assert loser.versions[0].sheet.hits == 100  # nothing is overwritten
    assert [(one.what, one.after) for one in winner.versions[-1].changes] == [("xp", 5)]
    assert replay.check_scenes(camp.db).equal == (table.id,)


def test_the_next_duel_begins_with_what_the_last_one_left(camp: Camp) -> None:
    camp.killed("miranda", "gregor")
    table = camp.killed("miranda", "gregor")
    miranda, gregor = table.state().fighters
    assert (miranda.start_hits, miranda.points) == (90, 290)
    assert gregor.earned == 1  # WD-49: it has beaten a lower one
    assert camp.read("miranda").points == 280
    assert len(camp.read("gregor").duels) == 2


def test_ten_xp_buy_the_trait_of_a_killed_being(camp: Camp) -> None:
    camp.killed("miranda", "gregor")
    table = camp.duel("gregor", "miranda")
    table.decide("gregor", {"kind": "resign"})
    table.decide("gregor", {"kind": "reform"})
    assert camp.read("miranda").fighting  # what its 10 XP buy is still awaited
    bought = {"what": "new_attack", "face": 4, "absorbs": "Fanged Bite"}
    table.decide("miranda", {"kind": "spend", "purchases": [bought]})
    miranda = camp.read("miranda")
    assert miranda.sheet.on(4)[1].trait
    assert ("trait", "Fanged Bite", 10) in {
        (one.what, one.name, one.after) for one in miranda.versions[-1].changes
    }
    assert (miranda.points, miranda.xp) == (300, 0)
    camp.duel("miranda", "gregor")  # two traits: a sheet that has grown is let in


def test_a_being_is_in_one_running_duel_at_a_time(camp: Camp) -> None:
    camp.enter("jasmine")
    table = camp.duel("miranda", "gregor")
    assert camp.read("miranda").fighting
    with pytest.raises(Conflict) as caught:
        camp.duel("jasmine", "miranda")
    assert caught.value.code == "being_is_fighting"
    assert caught.value.facts == {"name": "Miranda Thorne"}
    with pytest.raises(Conflict):
        beings.retire_being(camp.db, camp.world, camp.owner, camp.ids["miranda"], 1)
    table.decide("gm", {"kind": "close", "reason": "Nessuno gioca più."})
    camp.duel("jasmine", "miranda")


@pytest.mark.parametrize("how", ["closed", "drawn"])
def test_what_nobody_wins_gives_nothing_and_kills_nobody(small: Camp, how: str) -> None:
    table = small.duel("miranda", "gregor")
    if how == "closed":
        table.decide("gm", {"kind": "close", "reason": "Fine."})
    else:
        table.decide("miranda", {"kind": "draw"})
        table.decide("gregor", {"kind": "draw"})
    for name in ("miranda", "gregor"):
        being = small.read(name)
        assert (being.points, being.xp, being.state) == (300, 0, BeingState.ACTIVE)
        assert being.versions[-1].cause is BeingCause.DUEL
        assert being.versions[-1].changes == ()
        outcome = being.versions[-1].outcome
        assert outcome is not None
        assert (outcome.won, outcome.killed, outcome.earned) == (False, False, 0)


def test_taking_the_deciding_entry_back_gives_the_being_back(camp: Camp) -> None:
    table = camp.killed("miranda", "gregor")
    table.void()
    miranda, gregor = camp.read("miranda"), camp.read("gregor")
    assert (miranda.points, gregor.xp) == (300, 0)
    assert miranda.versions[-1].cause is BeingCause.TAKEN_BACK
    assert miranda.versions[-1].scene == table.id
    assert [one.number for one in miranda.versions] == [1, 2, 3]
    assert miranda.fighting
    table.decide("miranda", {"kind": "reform", "face": 3})
    assert camp.read("miranda").versions[-1].changes[0].name == "Dodge"
    assert camp.read("miranda").points == 290


def test_what_a_being_has_fought_on_from_is_not_taken_back(camp: Camp) -> None:
    camp.enter("jasmine")
    first = camp.killed("miranda", "gregor")
    second = camp.duel("miranda", "jasmine")
    version = first.version
    with pytest.raises(Conflict) as caught:
        first.void()
    assert caught.value.code == "being_moved_on"
    assert first.version == version
    assert camp.read("gregor").xp == 5  # nothing of it was written
    second.decide("gm", {"kind": "close", "reason": "Fine."})
    with pytest.raises(Conflict):
        first.void()


def test_a_being_below_thirty_points_is_banished_and_another_enters(camp: Camp) -> None:
    change = BoardChanges(options={"warrior_dice": {"banish_below": 300}})
    boards.change_board(camp.db, camp.world, camp.owner, FIRST_BOARD, change)
    camp.killed("miranda", "gregor")
    gone = camp.read("miranda")
    assert (gone.state, gone.points) == (BeingState.BANISHED, 300)
    with pytest.raises(Conflict) as caught:
        camp.duel("miranda", "gregor")
    assert caught.value.code == "being_not_active"
    enter = beings.add_successor
    with pytest.raises(Conflict) as caught:
        enter(camp.db, camp.world, camp.owner, camp.ids["gregor"], PRINTED["jasmine"], camp.key())
    assert caught.value.code == "being_not_banished"
    owner, old = camp.links["miranda"], camp.ids["miranda"]
    gregor = camp.links["gregor"]
    with pytest.raises(NotFound):
        enter(camp.db, camp.world, gregor, old, PRINTED["jasmine"], camp.key())
    made = enter(camp.db, camp.world, owner, old, PRINTED["jasmine"], camp.key())
    camp.known("jasmine", made.being_id, made.secret)
    assert camp.read("jasmine").follows == old
    assert camp.read("miranda").successor == made.being_id
    with pytest.raises(Conflict) as caught:
        enter(camp.db, camp.world, owner, old, PRINTED["jasmine"], camp.key())
    assert caught.value.code == "being_has_successor"
    camp.duel("jasmine", "gregor")


def own_sheet(**changes: Any) -> dict[str, Any]:
    """Write a sheet of one's own that may enter."""
    warrior: dict[str, Any] = encode(sheet_of(PrintedWarrior(warrior="miranda_thorne")))
    warrior.pop("declared", None)
    return {**warrior, "kind": "warrior", "name": "Vesper", "printed": "", **changes}


def test_who_may_not_enter_is_told_every_reason(small: Camp) -> None:
    def codes(sheet: Any, old: str | None = None) -> set[str]:
        try:
            if old is None:
                beings.add_being(
                    small.db, small.world, small.owner, FIRST_BOARD, sheet, small.key()
                )
            else:
                key = small.key()
                beings.add_successor(small.db, small.world, small.owner, old, sheet, key)
        except Refused as refused:
            return {one.code for one in refused.obstacles}
        return set()

    options = own_sheet()["options"]
    untrained = [{**one, "trait": False} for one in options]
    assert codes(own_sheet()) == set()
    assert codes(own_sheet(xp=10)) == {"enters_with_xp"}
    assert codes(own_sheet(options=untrained)) == {"one_trait"}
    assert codes(own_sheet(hits=110, xp=1, options=untrained[:-1])) >= {
        *("enters_with_xp", "one_trait", "face_blank")
    }
    assert codes({"kind": "printed", "warrior": "nobody"}) == {"unknown_warrior"}
    assert codes({"kind": "printed", "warrior": "demon_lord"}) == set()
    change = BoardChanges(options={"warrior_dice": {"banish_below": 300}})
    boards.change_board(small.db, small.world, small.owner, FIRST_BOARD, change)
    small.killed("miranda", "gregor")
    gone = small.ids["miranda"]
    assert codes({"kind": "printed", "warrior": "demon_lord"}, gone) == {
        *("enters_basic", "one_trait")
    }
    assert codes({"kind": "printed", "warrior": "darian_cross"}, gone) == set()


def test_no_two_active_beings_are_taken_for_one_another(small: Camp) -> None:
    with pytest.raises(Malformed) as caught:
        small.enter("again", PRINTED["miranda"])
    assert [(one.field, one.code) for one in caught.value.mistakes] == [
        ("sheet.name", "being_name_taken")
    ]
    made = beings.add_being(
        small.db,
        small.world,
        small.owner,
        FIRST_BOARD,
        PRINTED["miranda"],
        small.key(),
        name="Miranda la Nera",
    )
    small.known("again", made.being_id, made.secret)
    assert small.read("again").sheet.name == "Miranda la Nera"
    small.duel("again", "miranda")
    for name in ("miranda  thorne", "Mirаnda Thorne"):  # the second has a Cyrillic letter
        with pytest.raises(Malformed) as caught:
            beings.add_being(
                small.db,
                small.world,
                small.owner,
                FIRST_BOARD,
                PRINTED["jasmine"],
                small.key(),
                name=name,
            )
        assert caught.value.mistakes[0].field == "name"


def test_beings_are_shown_to_masters_and_their_owners_alone(small: Camp) -> None:
    table = small.killed("miranda", "gregor")
    db, ids = small.db, small.ids
    assert [one.id for one in beings.list_beings(db, small.links["miranda"], FIRST_BOARD)] == [
        ids["miranda"]
    ]
    for who in (ANONYMOUS, table.players["miranda"]):
        assert beings.list_beings(db, who, FIRST_BOARD) == ()
        with pytest.raises(NotFound):
            beings.read_being(db, who, ids["miranda"])
    with pytest.raises(NotFound):
        beings.read_being(db, small.links["gregor"], ids["miranda"])
    other = set_table(db, small.world, owner=small.owner)
    seen = beings.read_being(db, other.gm, ids["miranda"])  # the address of a scene is a key to it
    assert [one.scene for one in seen.versions] == [None, None]
    assert [one.scene for one in seen.duels] == [None]
    assert small.read("miranda").duels[0].scene == table.id
    for who in (ANONYMOUS, small.links["miranda"]):
        with pytest.raises(NotFound):
            beings.add_being(db, small.world, who, FIRST_BOARD, PRINTED["jasmine"], small.key())


def test_a_retired_being_stays_to_be_read_and_fights_no_more(camp: Camp) -> None:
    owner, being = camp.links["miranda"], camp.ids["miranda"]
    with pytest.raises(Stale):
        beings.retire_being(camp.db, camp.world, owner, being, 7)
    gone = beings.retire_being(camp.db, camp.world, owner, being, 1)
    assert (gone.state, gone.version) == (BeingState.RETIRED, 2)
    with pytest.raises(Conflict) as caught:
        camp.duel("miranda", "gregor")
    assert caught.value.code == "being_not_active"


def test_a_new_link_takes_the_place_of_a_lost_one(small: Camp) -> None:
    before = small.links["miranda"]
    secret = beings.reissue_being_link(small.db, small.world, small.owner, small.ids["miranda"])
    assert before.beings() == (small.ids["miranda"],)
    small.known("miranda", small.ids["miranda"], secret)
    assert small.read("miranda").version == 1
    opened = links.open_link(small.db, small.world, secret)
    assert (opened.scene_id, opened.seat) == (None, small.ids["miranda"])
    assert len(beings.list_beings(small.db, small.owner, FIRST_BOARD)) == 2


def test_a_set_up_names_each_being_once_and_only_those_that_are_ones_own(small: Camp) -> None:
    def wrong(first: object, second: object, who: Principal, ruleset: str) -> dict[str, str]:
        entrants = [{"id": "a", "sheet": {"being": first}}, {"id": "b", "sheet": {"being": second}}]
        opening = OpenScene(title="Duello", setup={"entrants": entrants}, ruleset=ruleset)
        with pytest.raises(Malformed) as caught:
            scenes.open_scene(small.db, small.world, who, FIRST_BOARD, opening, small.key())
        return {one.field: one.code for one in caught.value.mistakes}

    miranda = small.ids["miranda"]
    at = "setup.entrants[{}].sheet.being"
    assert wrong(miranda, miranda, small.owner, "warrior_dice") == {at.format(1): "duplicate"}
    assert wrong(miranda, "nobody", small.owner, "warrior_dice") == {at.format(1): "missing"}
    assert wrong(7, miranda, small.owner, "warrior_dice") == {at.format(0): "wrong_type"}
    assert wrong(miranda, miranda, small.owner, "guida")


def test_what_a_being_was_cannot_be_changed(camp: Camp) -> None:
    for change in ("UPDATE being_versions SET points = 0", "DELETE FROM being_versions"):
        with pytest.raises(DBAPIError), camp.db.write() as connection:
            connection.execute(text(change))


def test_a_game_without_a_campaign_knows_no_beings(small: Camp) -> None:
    with pytest.raises(Malformed) as caught:
        beings.add_being(small.db, small.world, small.owner, FIRST_BOARD, {}, small.key(), "guida")
    assert [(one.field, one.code) for one in caught.value.mistakes] == [("ruleset", "no_campaign")]

"""Scenes whose dice wait for a public beacon, here one whose rounds stand in a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.integrations.beacon import recorded_beacon, spelled
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import Preparation, Turn
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Close, Place
from app.services import extras, links, scenes, sealing
from app.services.access import ANONYMOUS, Principal
from app.services.dice_shapes import DiceRead, NewCheck
from app.services.errors import Conflict, Malformed, NotFound
from app.services.ledger_check import check_ledger
from app.services.shapes import OpenScene, Status
from tests.support.checked import (
    LIMIT,
    file_of,
    give_salts,
    go_on,
    kinds_of,
    lines_of,
    of_kind,
    seal,
    show,
    verified,
)
from tests.support.fights import attack, duel
from tests.support.table import Table, known, owner_of
from tests.support.world import START, SealedWorld

CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
PERIOD = 30
GENESIS = int(START.timestamp()) - 10 * PERIOD
DUE = 12
"""The first round that is out 30 seconds after ``START`` or later: round 11 is at ``START``."""


def signature_of(number: int) -> bytes:
    """Sign a round, as nobody does."""
    return hashlib.sha512(b"round %d" % number).digest()[:48]


class File:
    """The file of a beacon, into which somebody writes rounds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rounds: dict[str, str] = {}
        self.write()

    def write(self, *numbers: int) -> None:
        """Add rounds."""
        self.rounds |= {str(number): signature_of(number).hex() for number in numbers}
        fields = {"chain_hash": CHAIN, "genesis": GENESIS, "period": PERIOD, "rounds": self.rounds}
        self.path.write_text(json.dumps(fields), encoding="ascii")


@pytest.fixture
def file(tmp_path: Path) -> File:
    """Begin a file without any round."""
    return File(tmp_path / "beacon.json")


@pytest.fixture
def table(sqlite: Database, file: File) -> Table:
    """Set a table whose dice wait for the beacon; its seats have given their salts."""
    world = SealedWorld()
    world.beacon = recorded_beacon(file.path)
    made = open_with_beacon(sqlite, world, seal_hours=24)
    give_salts(made)
    return made


def open_with_beacon(db: Database, world: SealedWorld, **more: Any) -> Table:
    """Open a scene with the beacon of a world."""
    owner = owner_of(db, world)
    opening = OpenScene(title="Duello", setup=duel(), beacon=True, **more)
    opened = scenes.open_scene(db, world, owner, FIRST_BOARD, opening, f"open-{world.token()}")

    def enter(secret: str) -> Principal:
        return known(links.principal_of_secret(db, world, secret))

    players = {seat: enter(secret) for seat, secret in opened.seat_secrets.items()}
    return Table(db, world, owner, enter(opened.gm_secret), players, opened)


def status(table: Table, number: int = 1) -> Status:
    """Say how far an entry has come."""
    return scenes.read_entry(table.db, ANONYMOUS, table.id, number).status


def give_up(table: Table, who: Principal | None = None) -> DiceRead:
    """Do without the beacon."""
    who = who or table.gm
    return sealing.give_up_beacon(table.db, table.world, who, table.id, "Il faro tace.")


def refused(code: str, act: Callable[[], Any]) -> None:
    """Insist that something is refused, and why."""
    with pytest.raises(Conflict) as conflict:
        act()
    assert conflict.value.code == code


def test_a_turn_names_its_round_and_waits_until_the_file_has_it(table: Table, file: File) -> None:
    assert lines_of(table)[0]["beacon"] == CHAIN
    assert table.decide("hollow", attack()).status is Status.DECLARED
    (accept,) = of_kind(table, "accept")
    assert (accept["waits"], accept["round"]) == ("beacon", DUE)
    read = sealing.read_dice(table.db, ANONYMOUS, table.id)
    assert (read.waits, read.beacon, read.beacon_round, read.until) == ("beacon", CHAIN, DUE, None)
    for others in ((), (DUE - 1,), (DUE + 1, DUE + 2)):  # never another round
        file.write(*others)
        table.world.wait(timedelta(hours=1))
        assert go_on(table) == []
        assert status(table) is Status.DECLARED
    refused("dice_awaited", lambda: table.decide("quincy", Turn()))
    file.write(DUE)
    assert go_on(table) == []
    assert status(table) is Status.RESOLVED
    (roll,) = of_kind(table, "roll")
    assert roll["beacon"] == spelled(CHAIN, DUE, signature_of(DUE))
    assert roll["beacon"] == f"{CHAIN}:{DUE}:{hashlib.sha256(signature_of(DUE)).hexdigest()}"
    assert roll["signature"] == signature_of(DUE).hex()
    assert sealing.read_dice(table.db, ANONYMOUS, table.id).beacon_round is None
    assert verified(table).rolls == 1


def test_each_turn_waits_for_a_round_of_its_own(table: Table, file: File) -> None:
    table.decide("hollow", attack())
    file.write(DUE)
    go_on(table)
    table.world.wait(timedelta(seconds=45))
    assert table.dodge().status is Status.DECLARED
    assert [line["round"] for line in of_kind(table, "accept")] == [DUE, DUE + 2]
    go_on(table)
    assert status(table, 2) is Status.DECLARED  # the round of the turn before is no use to it
    file.write(DUE + 2)
    go_on(table)
    assert [line["beacon"].split(":")[1] for line in of_kind(table, "roll")] == ["12", "14"]
    assert verified(table).rolls == 2


def test_a_round_that_is_out_already_is_never_taken(table: Table, file: File) -> None:
    """Whoever declares a turn must not know what its dice will be made of."""
    file.write(*range(1, DUE))
    table.decide("hollow", attack())
    assert of_kind(table, "accept")[0]["round"] == DUE
    assert status(table) is Status.DECLARED


def test_the_beacon_changes_the_dice(table: Table, file: File) -> None:
    """The same seed and the same salts: without what the beacon said the faces do not follow."""
    table.decide("hollow", attack())
    file.write(DUE)
    go_on(table)
    (place,) = [n for n, kind in enumerate(kinds_of(table)) if kind == "roll"]
    data, _ = file_of(table)
    lines = data.splitlines()
    found = 0
    for number in range(DUE + 1, DUE + 9):
        line = json.loads(lines[place])
        line["beacon"] = spelled(CHAIN, number, signature_of(number))
        line["signature"] = signature_of(number).hex()
        forged = b"\n".join([*lines[:place], json.dumps(line).encode(), *lines[place + 1 :], b""])
        codes = {fault.code for fault in check_ledger(forged, None).faults}
        assert "beacon_differs" in codes  # another round than the one that was named
        found += "faces_differ" in codes
    assert found  # and, but for a die that shows the same by chance, other faces


def test_a_turn_that_waits_for_salts_too_keeps_the_round_of_its_acceptance(
    sqlite: Database, file: File
) -> None:
    world = SealedWorld()
    world.beacon = recorded_beacon(file.path)
    table = open_with_beacon(sqlite, world, seal_hours=24)
    table.decide("hollow", attack())
    (accept,) = of_kind(table, "accept")
    assert (accept["waits"], accept["round"]) == ("seals", DUE)
    file.write(DUE, DUE + 1)
    assert go_on(table) == []
    assert status(table) is Status.DECLARED
    table.world.wait(timedelta(minutes=5))
    give_salts(table)
    assert status(table) is Status.RESOLVED
    assert of_kind(table, "roll")[0]["beacon"].split(":")[1] == str(DUE)
    verified(table)


def test_after_the_salts_came_the_round_may_still_be_missing(sqlite: Database, file: File) -> None:
    world = SealedWorld()
    world.beacon = recorded_beacon(file.path)
    table = open_with_beacon(sqlite, world, seal_hours=24)
    table.decide("hollow", attack())
    seal(table, "hollow")
    world.wait(LIMIT)
    go_on(table)
    assert show(table, "hollow").waits == "beacon"
    assert status(table) is Status.DECLARED
    file.write(DUE)
    go_on(table)
    assert status(table) is Status.RESOLVED
    verified(table)


def test_the_master_does_without_the_beacon_a_day_after_its_round_and_not_before(
    table: Table, file: File
) -> None:
    refused("beacon_not_awaited", lambda: give_up(table))
    table.decide("hollow", attack())
    refused("beacon_not_late", lambda: give_up(table))
    table.world.wait(timedelta(hours=24, seconds=PERIOD - 1))
    before = lines_of(table)
    refused("beacon_not_late", lambda: give_up(table))
    for who in (*table.players.values(), ANONYMOUS):
        with pytest.raises(NotFound):
            give_up(table, who)
    assert lines_of(table) == before
    table.world.wait(timedelta(seconds=1))
    file.write(DUE + 1)
    give_up(table)
    assert kinds_of(table)[-2:] == ["fallback", "roll"]
    (fallback,) = of_kind(table, "fallback")
    assert (fallback["entry"], fallback["round"]) == (1, DUE)
    assert fallback["reason"] == "Il faro tace."
    assert of_kind(table, "roll")[0]["beacon"] == ""
    assert "signature" not in of_kind(table, "roll")[0]
    assert status(table) is Status.RESOLVED
    verified(table)
    refused("beacon_not_awaited", lambda: give_up(table))
    table.dodge()  # the next turn waits again
    assert status(table, 2) is Status.DECLARED
    verified(table)


def test_a_turn_that_was_taken_back_leaves_no_round_behind(table: Table, file: File) -> None:
    table.decide("hollow", attack())
    table.void()
    assert sealing.read_dice(table.db, ANONYMOUS, table.id).beacon_round is None
    file.write(DUE)
    assert go_on(table) == []
    assert "roll" not in kinds_of(table)
    table.world.wait(timedelta(days=3))
    refused("beacon_not_awaited", lambda: give_up(table))
    assert "fallback" not in kinds_of(table)
    verified(table)
    table.decide("hollow", attack())
    assert of_kind(table, "accept")[1]["round"] > DUE
    assert status(table, 3) is Status.DECLARED


def test_hidden_dice_wait_for_no_beacon_and_say_so_to_nobody(table: Table, file: File) -> None:
    gone = (Unseen(who="hollow", observer="quincy"),)
    table.decide("gm", Place(by=GM, hidden=gone, reason="Sparito."))
    assert table.decide("hollow", Turn(main=Preparation())).status is Status.RESOLVED
    check = NewCheck(label="Percezione", sides=20, key=table.key())
    extras.roll_check(table.db, table.world, table.gm, table.id, check)
    assert kinds_of(table)[-2:] == ["hidden", "check"]
    table.decide("gm", Close(by=GM, reason="Fine."))
    assert verified(table).sealed == 0


def test_a_hidden_turn_that_waits_for_salts_names_no_round(sqlite: Database, file: File) -> None:
    """Not even that of a turn which was taken back before it."""
    world = SealedWorld()
    world.beacon = recorded_beacon(file.path)
    table = open_with_beacon(sqlite, world, seal_hours=24)
    table.decide("hollow", attack())
    table.void()
    gone = (Unseen(who="hollow", observer="quincy"),)
    table.decide("gm", Place(by=GM, hidden=gone, reason="Sparito."))
    table.decide("hollow", Turn(main=Preparation()))
    assert "round" not in of_kind(table, "accept")[1]
    give_salts(table)
    assert status(table, 4) is Status.RESOLVED
    verified(table)


def test_a_file_that_is_being_written_is_waited_for(table: Table, file: File) -> None:
    table.decide("hollow", attack())
    file.path.write_text('{"chain_hash": "52db', encoding="ascii")
    assert go_on(table) == []
    file.path.unlink()
    assert go_on(table) == []
    assert status(table) is Status.DECLARED
    file.write(DUE)
    assert go_on(table) == []
    assert status(table) is Status.RESOLVED
    verified(table)


def test_a_service_that_lost_its_beacon_rolls_nothing_in_its_place(
    table: Table, file: File
) -> None:
    table.decide("hollow", attack())
    file.write(DUE)
    beacon, table.world.beacon = table.world.beacon, None
    table.world.wait(timedelta(days=2))
    ((scene, error),) = go_on(table)
    assert (scene, error.code) == (table.id, "beacon_missing")
    refused("beacon_missing", lambda: give_up(table))
    assert sealing.read_dice(table.db, ANONYMOUS, table.id).waits == "beacon"
    table.world.beacon = beacon
    assert go_on(table) == []
    verified(table)


def test_no_scene_is_opened_with_a_beacon_that_is_not_there(sqlite: Database) -> None:
    world = SealedWorld()
    with pytest.raises(Malformed) as wrong:
        open_with_beacon(sqlite, world)
    assert [(one.field, one.code) for one in wrong.value.mistakes] == [("beacon", "no_beacon")]


def test_a_turn_taken_back_after_its_round_keeps_its_roll(table: Table, file: File) -> None:
    """Else a Master who knows the seeds could take turns back until a round is to their liking."""
    table.decide("hollow", attack())
    file.write(DUE)
    table.world.wait(timedelta(minutes=2))
    table.void()
    assert kinds_of(table)[-3:] == ["accept", "roll", "void"]
    assert of_kind(table, "roll")[0]["beacon"].startswith(f"{CHAIN}:{DUE}:")
    table.decide("hollow", attack())
    (_, second) = of_kind(table, "accept")
    assert second["round"] > DUE
    file.write(second["round"])
    go_on(table)
    assert [line["r"] for line in of_kind(table, "roll")] == [1, 2]
    verified(table)


def test_a_turn_taken_back_before_its_round_has_no_roll(table: Table) -> None:
    table.decide("hollow", attack())
    table.void()
    assert kinds_of(table)[-2:] == ["accept", "void"]
    verified(table)

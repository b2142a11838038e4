"""Whole scenes of random turns and salts, thrown again from their files alone (G9).

It is the short script that throws them again: nothing in it comes from us.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from app.engine.ruleset import GM, Seat
from app.engine.seal import seal_of
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.rulings import Close
from app.services import cup, extras, scenes, sealing, turns
from app.services.access import ANONYMOUS
from app.services.boards import change_board
from app.services.dice_shapes import NewCheck
from app.services.entry_shapes import Submission
from app.services.errors import ArbitroError
from app.services.ledger_check import check_ledger
from app.services.shapes import BoardChanges
from tests.property.strategies import legal_turn
from tests.support.checked import file_of, go_on, lines_of, rederived
from tests.support.fights import duel
from tests.support.table import Table, owner_of, set_table
from tests.support.toy import Cup, Game, Give, House, Stop, Throw, Thrower
from tests.support.world import SealedWorld

FEW, MANY = 200, 1_000
OF_THE_GUIDA = 40  # every so many scenes one is a whole duel: those are far slower
ORDERS = 4
DAY = timedelta(hours=24)


def throwers(pick: Random) -> Game:
    """Bring two to four together, with dice of all sizes."""
    sides = [100, *(pick.randint(2, 100) for _ in range(pick.randint(1, 3)))]
    return Game(
        entrants=tuple(
            Thrower(id=id, sheet=Cup(name=f"Cup — «{id}» 🎲", sides=size))
            for id, size in zip("abcd", sides, strict=False)
        ),
        options=House(target=99),
    )


def give_some_salts(table: Table, pick: Random) -> None:
    """Let each seat give a salt, seal one alone, waive it, or never come."""
    does = {
        seat: pick.choice(("show", "show", "show", "seal", "waive", "")) for seat in _seats(table)
    }
    salts = {seat: secrets.token_hex(16) for seat in does}
    for seat, what in does.items():
        who = table.players[seat]
        if what == "waive":
            sealing.waive(table.db, table.world, who, table.id, seat)
        elif what:
            text = seal_of(table.id, seat, salts[seat])
            sealing.seal(table.db, table.world, who, table.id, seat, text)
    for _ in range(3):
        for seat, what in does.items():
            if what == "show":
                try:
                    sealing.show(
                        table.db, table.world, table.players[seat], table.id, seat, salts[seat]
                    )
                except ArbitroError:  # a seat is missing, or all began anew
                    continue
        table.world.wait(DAY)
        go_on(table)


def _seats(table: Table) -> list[Seat]:
    return sorted(table.players)


def a_throw(table: Table, pick: Random) -> Any:
    """Pick what is done next in the small game, by whoever's turn it is."""
    seat = table.state().throwers[table.state().next].id
    if pick.random() < 0.8:
        return seat, Throw(by=seat, times=pick.randint(1, 2))
    return "gm", Give(by=GM, points=pick.randint(-9, 9), reason="«Perché sì» 🎲")


def a_turn(table: Table, pick: Random) -> Any:
    """Pick a legal turn of a duel."""
    state = table.state()
    awaited = scenes.read_scene(table.db, table.gm, table.id).awaited
    if not awaited.seats:
        return "gm", Close(by=GM, reason="Fine.")
    return "gm", legal_turn(pick, state, awaited.seats[0])


def play(table: Table, pick: Random, *, toy: bool) -> None:
    """Play a scene to its end, with the Master's own dice and second thoughts in between."""
    for _ in range(ORDERS):
        read = scenes.read_scene(table.db, table.gm, table.id)
        if read.ended_at is not None:
            break
        if pick.random() < 0.3 and read.waiting is None:
            hidden = pick.random() < 0.5
            size, count = pick.randint(2, 10_000), pick.randint(1, 9)
            check = NewCheck(label="?", sides=size, count=count, hidden=hidden, key=table.key())
            try:
                extras.roll_check(table.db, table.world, table.gm, table.id, check)
            except ArbitroError:  # the salts are missing still
                continue
        who, order = a_throw(table, pick) if toy else a_turn(table, pick)
        head = file_of(table)[1] if pick.random() < 0.5 else ""
        sent = Submission(order=order, version=table.version, key=table.key(), head=head)
        principal = table.gm if who == "gm" else table.players[who]
        decided = turns.decide(table.db, table.world, principal, table.id, sent)
        if decided.status == "declared":
            give_some_salts(table, pick)
        elif pick.random() < 0.15:
            table.void()
    if scenes.read_scene(table.db, table.gm, table.id).ended_at is None:
        table.decide("gm", Stop(by=GM, reason="Fine.") if toy else Close(by=GM, reason="Fine."))


def simulated(db: Database, many: int, seed: str) -> Iterator[Table]:
    """Play many scenes."""
    world = SealedWorld(seed=seed)
    owner = owner_of(db, world)
    change_board(db, world, owner, FIRST_BOARD, BoardChanges(options={"toy": {"target": 99}}))
    for number in range(many):
        pick = Random(f"{seed} {number}")
        toy = number % OF_THE_GUIDA != 0
        setup = throwers(pick) if toy else duel()
        ruleset = "toy" if toy else "guida"
        hours = pick.choice((0, 24, 24))
        table = set_table(db, world, owner=owner, setup=setup, ruleset=ruleset, seal_hours=hours)
        play(table, pick, toy=toy)
        yield table


def fallen(table: Table) -> list[list[int]]:
    """Give what the dice of a scene show to those who read it, entry by entry."""
    entries = scenes.read_entries(table.db, ANONYMOUS, table.id)
    return [[roll.face for roll in one.rolls] for one in entries if one.rolls]


def told(table: Table) -> list[list[int]]:
    """Give what the rolls in its ledger show."""
    return [
        [face for one in line["dice"] for face in one.get("faces", ())]
        for line in lines_of(table)
        if line["kind"] == "roll"
    ]


def check_all(tables: Iterator[Table]) -> Counter[str]:
    """Throw all scenes again; give what was in their ledgers."""
    found: Counter[str] = Counter()
    for table in tables:
        data, head = file_of(table)
        assert rederived(data, head) == len(told(table))
        assert sorted(told(table)) == sorted(fallen(table))
        report = check_ledger(data, head)
        assert (report.faults, report.sealed) == ((), 0)
        found.update(line["kind"] for line in lines_of(table))
        found.update("salts" for line in lines_of(table) if line.get("salt"))
    return found


@pytest.fixture
def short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make chains of 64 seeds: how long they are the file says, and the script does not ask."""
    monkeypatch.setattr(cup, "LINKS", 64)


def test_random_scenes_are_thrown_again_from_their_files_alone(
    sqlite: Database, toy: None, short_chains: None
) -> None:
    found = check_all(simulated(sqlite, FEW, "few"))
    assert found["open"] == FEW
    assert found["roll"] > 2 * FEW
    assert min(found[kind] for kind in ("check", "hidden", "void", "redo", "salts", "accept")) > 9


@pytest.mark.slow
def test_a_thousand_scenes_are_thrown_again_from_their_files_alone(
    sqlite: Database, toy: None
) -> None:
    assert check_all(simulated(sqlite, MANY, "many"))["roll"] > 2 * MANY


def test_one_changed_face_anywhere_is_found(
    sqlite: Database, toy: None, short_chains: None
) -> None:
    tried = 0
    for table in simulated(sqlite, 6, "changed"):
        data, _ = file_of(table)
        lines = data.splitlines()
        for place, line in enumerate(lines):
            read = json.loads(line)
            for dice in read["dice"] if read["kind"] == "roll" else ():
                for die in range(dice["count"]):
                    kept = dice["faces"][die]
                    dice["faces"][die] = kept % dice["sides"] + 1
                    changed = json.dumps(read, ensure_ascii=False).encode()
                    forged = [*lines[:place], changed, *lines[place + 1 :]]
                    with pytest.raises(ValueError, match="should show"):
                        rederived(b"".join(one + b"\n" for one in forged), "")
                    dice["faces"][die] = kept
                    tried += 1
    assert tried > 12

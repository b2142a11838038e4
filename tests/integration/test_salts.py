"""The salts of the seats, from the first seal to the first roll, with a clock that is turned."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.engine.seal import LINKS, mix_of, roll_key, seal_of, seed_of, top_seed
from app.persistence import queries_ledger as ledgers
from app.persistence.database import Database
from app.persistence.queries_ledger import SceneDice
from app.rulesets.guida.orders import Turn
from app.rulesets.guida.rulings import Manual
from app.rulesets.guida.terms import Change
from app.services import extras, scenes, sealing, turns
from app.services.access import ANONYMOUS, Principal
from app.services.dice_shapes import NewCheck
from app.services.entry_shapes import EntryRead, Ordered, Series
from app.services.errors import ArbitroError, Conflict, Malformed, NotFound
from app.services.shapes import Roller, Status
from tests.integration.test_concurrency import at_once
from tests.integration.test_wordings import post_of
from tests.support.checked import (
    LIMIT,
    give_salts,
    go_on,
    kinds_of,
    lines_of,
    of_kind,
    salt_for,
    seal,
    set_sealed_table,
    show,
    verified,
    waive,
)
from tests.support.fights import QUINCY, attack
from tests.support.table import Table
from tests.support.world import KEYS

MINUTE = timedelta(minutes=1)


@pytest.fixture
def sealed(sqlite: Database) -> Table:
    """Set a table that waits a day for its salts."""
    return set_sealed_table(sqlite)


def entry(table: Table, number: int = 1) -> EntryRead:
    """Read an entry as anybody may."""
    return scenes.read_entry(table.db, ANONYMOUS, table.id, number)


def faces(table: Table, number: int = 1) -> list[int]:
    """Give what the dice of an entry show."""
    return [roll.face for roll in entry(table, number).rolls or ()]


def dice_of(table: Table) -> SceneDice:
    """Read where the dice of a scene stand."""
    with table.db.read() as connection:
        found = ledgers.standing(connection, table.id).dice
    assert found is not None
    return found


def expected(table: Table, salts: dict[str, str], number: int = 1) -> int:
    """Work out by hand what the first die of a roll shows."""
    top = top_seed(KEYS.keys["test"], table.id, dice_of(table).noise)
    seed = seed_of(table.id, top, number, LINKS)
    key = roll_key(seed, table.id, number, mix_of(salts))
    die = entry(table, number).asked[0]
    face: int = table.world.dice(key).face(die.address, die.sides)
    return face


def refused(code: str, act: Any, *args: Any, **more: Any) -> None:
    """Insist that something is refused, and why."""
    with pytest.raises(Conflict) as conflict:
        act(*args, **more)
    assert conflict.value.code == code


def test_salts_that_all_seats_gave_are_in_the_first_roll(sealed: Table) -> None:
    give_salts(sealed)
    assert sealed.decide("hollow", attack()).status is Status.RESOLVED
    assert kinds_of(sealed) == ["open", "seal", "seal", "salt", "salt", "roll"]
    both = {seat: salt_for(seat) for seat in sealed.players}
    assert faces(sealed) == [expected(sealed, both)]
    assert verified(sealed).rolls == 1


def test_no_salt_is_shown_before_every_seat_has_sealed(sealed: Table) -> None:
    seal(sealed, "hollow")
    refused("seals_awaited", show, sealed, "hollow")
    assert not seal(sealed, "hollow").reveal
    assert seal(sealed, "quincy").reveal
    read = show(sealed, "hollow")
    assert {one.seat: one.salt for one in read.seats} == {
        "hollow": salt_for("hollow"),
        "quincy": None,
    }
    verified(sealed)


def test_a_turn_waits_for_the_salts_and_the_last_one_rolls_it(sealed: Table) -> None:
    assert sealed.decide("hollow", attack()).status is Status.DECLARED
    assert entry(sealed).rolls is None
    read = sealing.read_dice(sealed.db, ANONYMOUS, sealed.id)
    assert (read.waits, read.until) == ("seals", sealed.world.time + LIMIT)
    refused("dice_awaited", sealed.decide, "gm", Manual(**_BURN))
    for step, seat in ((seal, "quincy"), (seal, "hollow"), (show, "hollow")):
        step(sealed, seat)
        assert entry(sealed).status is Status.DECLARED
        assert go_on(sealed) == []
        assert entry(sealed).status is Status.DECLARED
    assert show(sealed, "quincy").waits == ""
    assert entry(sealed).status is Status.RESOLVED
    assert faces(sealed) == [expected(sealed, {seat: salt_for(seat) for seat in sealed.players})]
    accept, roll = of_kind(sealed, "accept"), of_kind(sealed, "roll")
    assert (accept[0]["waits"], accept[0]["entry"]) == ("seals", 1)
    assert {"request", "turn", "act"}.isdisjoint(roll[0])
    verified(sealed)
    sealed.dodge()
    assert verified(sealed).rolls == 2


_BURN: dict[str, Any] = {"combatant": "hollow", "change": Change.HP, "amount": -1, "reason": "Fu."}


def test_what_needs_no_dice_waits_for_nobody(sealed: Table) -> None:
    assert sealed.decide("gm", Manual(**_BURN)).status is Status.RESOLVED
    assert sealed.decide("hollow", Turn()).status is Status.RESOLVED
    assert dice_of(sealed).since is None
    assert kinds_of(sealed) == ["open", "order", "order"]
    verified(sealed)


def test_after_the_limit_a_missing_seat_has_none_and_the_present_one_still_shows(
    sealed: Table,
) -> None:
    sealed.decide("hollow", attack())
    seal(sealed, "hollow")
    sealed.world.wait(LIMIT - MINUTE)
    assert go_on(sealed) == []
    assert "salt" not in kinds_of(sealed)
    sealed.world.wait(MINUTE)
    assert go_on(sealed) == []
    assert of_kind(sealed, "salt")[0].items() >= {"seat": "quincy", "salt": ""}.items()
    assert of_kind(sealed, "salt")[0]["missing"] == "limit"
    assert entry(sealed).status is Status.DECLARED
    assert show(sealed, "hollow").seats[1].missing == "limit"
    assert faces(sealed) == [expected(sealed, {"hollow": salt_for("hollow"), "quincy": ""})]
    seal(sealed, "quincy")  # too late, and harmless
    assert kinds_of(sealed) == ["open", "accept", "seal", "salt", "salt", "roll"]
    verified(sealed)


def test_where_nobody_comes_the_turn_is_rolled_without_salts(sealed: Table) -> None:
    sealed.decide("hollow", attack())
    sealed.world.wait(LIMIT)
    assert go_on(sealed) == []
    assert entry(sealed).status is Status.RESOLVED
    assert faces(sealed) == [expected(sealed, {"hollow": "", "quincy": ""})]
    assert kinds_of(sealed) == ["open", "accept", "salt", "salt", "roll"]
    assert go_on(sealed) == []
    assert verified(sealed).lines == 5
    with sealed.db.read() as connection:
        assert ledgers.scenes_that_wait(connection) == ()


def test_a_seat_that_sealed_and_does_not_show_begins_all_anew_once_and_then_has_none(
    sealed: Table,
) -> None:
    anchor = dice_of(sealed).anchor
    sealed.decide("hollow", attack())
    seal(sealed, "hollow")
    seal(sealed, "quincy")
    show(sealed, "hollow")
    sealed.world.wait(LIMIT)
    assert go_on(sealed) == []
    (redo,) = of_kind(sealed, "redo")
    assert redo["why"] == "unrevealed"
    assert redo["anchor"] == dice_of(sealed).anchor != anchor
    assert all(one.salt is None for one in sealing.read_dice(sealed.db, ANONYMOUS, sealed.id).seats)
    assert go_on(sealed) == []
    assert entry(sealed).status is Status.DECLARED
    seal(sealed, "hollow", 1)
    seal(sealed, "quincy", 1)
    show(sealed, "hollow", 1)
    sealed.world.wait(LIMIT)
    assert go_on(sealed) == []
    assert len(of_kind(sealed, "redo")) == 1
    assert faces(sealed) == [expected(sealed, {"hollow": salt_for("hollow", 1), "quincy": ""})]
    verified(sealed)


def test_a_new_chain_has_other_dice(sealed: Table) -> None:
    salts = {seat: salt_for(seat) for seat in sealed.players}
    sealed.decide("hollow", attack())
    old = dice_of(sealed)
    for seat in sealed.players:
        seal(sealed, seat)
    sealed.world.wait(LIMIT)
    go_on(sealed)
    new = dice_of(sealed)
    assert (old.noise, old.anchor) != (new.noise, new.anchor)
    assert (old.secret_noise, old.committed) == (new.secret_noise, new.committed)
    give_salts(sealed)
    assert faces(sealed) == [expected(sealed, salts)]
    verified(sealed)


def test_another_device_takes_the_place_of_the_first_while_no_salt_is_shown(sealed: Table) -> None:
    seal(sealed, "hollow")
    seal(sealed, "quincy")
    seal(sealed, "hollow", 1)
    assert "redo" not in kinds_of(sealed)
    with pytest.raises(Malformed):
        show(sealed, "hollow")
    show(sealed, "hollow", 1)
    show(sealed, "quincy")
    sealed.decide("hollow", attack())
    salts = {"hollow": salt_for("hollow", 1), "quincy": salt_for("quincy")}
    assert faces(sealed) == [expected(sealed, salts)]
    verified(sealed)


@pytest.mark.parametrize("seat", ["hollow", "quincy"])
def test_another_device_after_a_salt_was_shown_begins_all_anew_but_once_only(
    sealed: Table, seat: str
) -> None:
    """Whoever saw a salt could choose their own by it."""
    seal(sealed, "hollow")
    seal(sealed, "quincy")
    show(sealed, "hollow")
    read = seal(sealed, seat, 1)
    assert [one["why"] for one in of_kind(sealed, "redo")] == ["other_device"]
    assert [bool(one.seal) for one in read.seats] == [one.seat == seat for one in read.seats]
    other = "quincy" if seat == "hollow" else "hollow"
    seal(sealed, other)
    show(sealed, other)
    refused("salts_shown", seal, sealed, seat, 2)
    show(sealed, seat, 1)
    sealed.decide("hollow", attack())
    assert faces(sealed) == [expected(sealed, {seat: salt_for(seat, 1), other: salt_for(other)})]
    verified(sealed)


def test_whoever_begins_all_anew_gives_the_others_the_whole_time_again(sealed: Table) -> None:
    sealed.decide("hollow", attack())
    seal(sealed, "hollow")
    seal(sealed, "quincy")
    show(sealed, "quincy")
    sealed.world.wait(LIMIT - MINUTE)
    assert seal(sealed, "hollow", 1).until == sealed.world.time + LIMIT
    sealed.world.wait(2 * MINUTE)
    assert go_on(sealed) == []
    assert "salt" not in kinds_of(sealed)[kinds_of(sealed).index("redo") :]
    seal(sealed, "quincy", 1)
    show(sealed, "quincy", 1)
    show(sealed, "hollow", 1)
    assert entry(sealed).status is Status.RESOLVED
    verified(sealed)


def test_a_seat_may_play_without_a_salt_so_that_nobody_waits(sealed: Table) -> None:
    sealed.decide("hollow", attack())
    waive(sealed, "hollow")
    waive(sealed, "hollow")
    seal(sealed, "hollow")  # it said so, and it holds
    assert [line["missing"] for line in of_kind(sealed, "salt")] == ["waived"]
    assert entry(sealed).status is Status.DECLARED
    waive(sealed, "quincy")
    assert faces(sealed) == [expected(sealed, {"hollow": "", "quincy": ""})]
    verified(sealed)


def test_whoever_has_seen_the_others_salts_cannot_do_without_its_own_unnoticed(
    sealed: Table,
) -> None:
    """Both of its futures would be known to an operator who plays that seat."""
    for seat in ("hollow", "quincy"):
        seal(sealed, seat)
    show(sealed, "hollow")
    waive(sealed, "quincy")
    assert [line["why"] for line in of_kind(sealed, "redo")] == ["unrevealed"]
    assert dice_of(sealed).redone
    seal(sealed, "hollow")
    show(sealed, "hollow")
    sealed.decide("hollow", attack())
    read = entry(sealed)
    assert read.proof is not None
    assert (read.proof.without, read.proof.anchor) == (("quincy",), dice_of(sealed).anchor)
    assert read.proof.names == (QUINCY.name,)
    assert "Hanno giocato senza un sale proprio: Quincy" in post_of(sealed, 1)
    verified(sealed)


def test_one_seat_waives_and_the_other_needs_not_wait_to_show(sealed: Table) -> None:
    waive(sealed, "quincy")
    assert seal(sealed, "hollow").reveal
    show(sealed, "hollow")
    assert sealed.decide("hollow", attack()).status is Status.RESOLVED
    assert faces(sealed) == [expected(sealed, {"hollow": salt_for("hollow"), "quincy": ""})]
    verified(sealed)


def test_a_salt_that_does_not_fit_its_seal_is_refused_and_nothing_is_stored(sealed: Table) -> None:
    seal(sealed, "hollow")
    seal(sealed, "quincy")
    before = lines_of(sealed)
    copied = seal_of(sealed.id, "quincy", salt_for("quincy"))
    for text, code in ((salt_for("hollow", 1), "salt_differs"), ("0" * 31, "not_hex")):
        with pytest.raises(Malformed) as wrong:
            sealing.show(
                sealed.db, sealed.world, sealed.players["hollow"], sealed.id, "hollow", text
            )
        assert [one.code for one in wrong.value.mistakes] == [code]
    for text in (copied[:-1], copied.upper(), "g" * 64, f"{copied}\n"):
        with pytest.raises(Malformed):
            sealing.seal(
                sealed.db, sealed.world, sealed.players["hollow"], sealed.id, "hollow", text
            )
    assert lines_of(sealed) == before


def test_a_seal_that_was_copied_from_a_neighbour_opens_nothing(sealed: Table) -> None:
    seal(sealed, "quincy")
    copied = seal_of(sealed.id, "quincy", salt_for("quincy"))
    hollow = sealed.players["hollow"]
    sealing.seal(sealed.db, sealed.world, hollow, sealed.id, "hollow", copied)
    show(sealed, "quincy")
    with pytest.raises(Malformed) as wrong:
        sealing.show(sealed.db, sealed.world, hollow, sealed.id, "hollow", salt_for("quincy"))
    assert [one.code for one in wrong.value.mistakes] == ["salt_differs"]


@pytest.mark.parametrize("who", ["quincy", "gm", "owner", "nobody"])
def test_only_who_holds_a_seat_gives_its_salt(sealed: Table, who: str) -> None:
    people = {"gm": sealed.gm, "owner": sealed.owner, "nobody": ANONYMOUS, **sealed.players}
    principal: Principal = people[who]
    for act in (seal, show):
        with pytest.raises(NotFound):
            act(sealed, "hollow", by=principal)
    with pytest.raises(NotFound):
        sealing.waive(sealed.db, sealed.world, principal, sealed.id, "hollow")
    assert kinds_of(sealed) == ["open"]


def test_after_the_first_roll_nothing_about_salts_changes(sealed: Table) -> None:
    give_salts(sealed)
    sealed.decide("hollow", attack())
    before = (lines_of(sealed), dice_of(sealed))
    seal(sealed, "hollow", 1)
    show(sealed, "hollow", 1)
    waive(sealed, "quincy")
    sealed.world.wait(2 * LIMIT)
    go_on(sealed)
    assert (lines_of(sealed), dice_of(sealed)) == before
    sealed.dodge()
    verified(sealed)


def test_the_same_seal_and_salt_sent_again_are_one(sealed: Table) -> None:
    for _ in range(2):
        for seat in sealed.players:
            seal(sealed, seat)
    for _ in range(2):
        for seat in sealed.players:
            show(sealed, seat)
            seal(sealed, seat)
    assert kinds_of(sealed) == ["open", "seal", "seal", "salt", "salt"]


@pytest.mark.parametrize("hidden", [False, True])
def test_the_masters_own_dice_wait_for_the_salts_too(sealed: Table, hidden: bool) -> None:
    check = NewCheck(label="Percezione", sides=20, hidden=hidden, key=sealed.key())
    args = (sealed.db, sealed.world, sealed.gm, sealed.id, check)
    refused("salts_awaited", extras.roll_check, *args)
    assert kinds_of(sealed) == ["open"]
    give_salts(sealed)
    extras.roll_check(*args)
    assert kinds_of(sealed)[-1] == ("hidden" if hidden else "check")
    # They froze the salts: a seat that could still choose would choose by what it saw.
    refrozen = lines_of(sealed)
    seal(sealed, "hollow", 1)
    waive(sealed, "hollow")
    assert lines_of(sealed) == refrozen
    sealed.decide("hollow", attack())
    verified(sealed)


def test_after_the_limit_the_masters_dice_fall_without_the_missing_salts(sealed: Table) -> None:
    sealed.decide("hollow", attack())
    sealed.world.wait(LIMIT)
    check = NewCheck(label="Percezione", sides=20, key=sealed.key())
    extras.roll_check(sealed.db, sealed.world, sealed.gm, sealed.id, check)
    assert kinds_of(sealed) == ["open", "accept", "salt", "salt", "check"]
    assert go_on(sealed) == []  # the turn that waited is not forgotten
    assert entry(sealed).status is Status.RESOLVED
    verified(sealed)


def test_where_the_forum_rolls_the_masters_dice_wait_for_nobody(sqlite: Database) -> None:
    """No turn of such a scene waits for salts, so that the wait would never begin."""
    table = set_sealed_table(sqlite, dice=Roller.FORUM)
    assert not sealing.read_dice(sqlite, ANONYMOUS, table.id).open
    check = NewCheck(label="Percezione", sides=20, key=table.key())
    extras.roll_check(sqlite, table.world, table.gm, table.id, check)
    assert kinds_of(table)[-1] == "check"
    verified(table)


def test_a_turn_that_was_taken_back_while_it_waited_is_never_rolled(sealed: Table) -> None:
    sealed.decide("hollow", attack())
    sealed.void()
    give_salts(sealed)
    sealed.world.wait(LIMIT)
    assert go_on(sealed) == []
    assert "roll" not in kinds_of(sealed)
    assert sealed.decide("hollow", attack()).status is Status.RESOLVED
    assert [line["entry"] for line in of_kind(sealed, "roll")] == [3]
    assert verified(sealed).rolls == 1


def test_of_a_series_nothing_is_decided_while_the_salts_are_missing(sealed: Table) -> None:
    orders = (
        Ordered(order=attack(by="hollow")),
        Ordered(order=Manual(by=GM, **_BURN)),
    )
    series = Series(orders=orders, version=sealed.version, key=sealed.key())
    refused(
        "dice_between", turns.decide_several, sealed.db, sealed.world, sealed.gm, sealed.id, series
    )
    assert kinds_of(sealed) == ["open"]
    assert dice_of(sealed).since is None


def test_a_scene_that_cannot_go_on_does_not_hold_up_the_others(
    sealed: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = set_sealed_table(sealed.db, seed="other", owner=sealed.owner)
    for one in (sealed, other):
        one.decide("hollow", attack())
    with sealed.db.write() as connection:
        ledgers.move_dice(connection, sealed.id, key_name="lost")
    other.world.wait(LIMIT)
    failed = sealing.go_on_everywhere(other.db, other.world)
    assert [(id, error.code) for id, error in failed] == [(sealed.id, "dice_key_lost")]
    assert entry(sealed).status is Status.DECLARED
    assert "salt" not in kinds_of(sealed)
    assert entry(other).status is Status.RESOLVED
    verified(other)


def test_the_last_salts_given_at_once_roll_the_turn_once(db: Database) -> None:
    table = set_sealed_table(db)
    table.decide("hollow", attack())
    at_once(2, lambda index: seal(table, ("hollow", "quincy")[index]))
    answers = at_once(6, lambda index: show(table, ("hollow", "quincy")[index % 2]))
    assert not [one for one in answers if isinstance(one, ArbitroError)]
    assert Counter(kinds_of(table)) == {"open": 1, "accept": 1, "seal": 2, "salt": 2, "roll": 1}
    assert entry(table).status is Status.RESOLVED
    verified(table)


def test_many_who_go_on_after_the_limit_at_once_go_on_once(db: Database) -> None:
    table = set_sealed_table(db)
    table.decide("hollow", attack())
    table.world.wait(LIMIT)
    assert at_once(6, lambda _: go_on(table)) == [[]] * 6
    assert kinds_of(table) == ["open", "accept", "salt", "salt", "roll"]
    verified(table)


def test_a_turn_and_the_last_salt_at_once_end_in_one_roll(db: Database) -> None:
    for seed in range(3):
        table = set_sealed_table(db, seed=f"race {seed}")
        seal(table, "hollow")
        seal(table, "quincy")
        show(table, "hollow")
        version, key = table.version, table.key()
        acts = (
            lambda table=table, version=version, key=key: table.decide(
                "hollow", attack(), version=version, key=key
            ),
            lambda table=table: show(table, "quincy"),
        )
        answers = at_once(2, lambda index, acts=acts: acts[index]())
        assert not [one for one in answers if isinstance(one, Exception)]
        assert entry(table).status is Status.RESOLVED
        assert kinds_of(table).count("roll") == 1
        verified(table)

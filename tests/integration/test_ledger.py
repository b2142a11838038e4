"""The ledger of a scene: only ever added to, one line for each decision, checkable from outside."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.engine.dice import Address
from app.engine.ruleset import GM
from app.persistence.codec import encode, write_json
from app.persistence.database import Database
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.orders import Continuation, Defence, Turn
from app.rulesets.guida.places import Distance, Unseen
from app.rulesets.guida.rulings import Answer, Close, Manual, Place
from app.rulesets.guida.terms import Action, Change, Claim
from app.services import amending, extras, proofs, scenes, sealing, turns
from app.services.access import ANONYMOUS, Principal, Role
from app.services.dice_shapes import NewCheck
from app.services.entering import in_ledger
from app.services.entry_shapes import Narration, Ordered, Series, Submission
from app.services.errors import ArbitroError, Conflict
from app.services.ledger_check import check_ledger
from app.services.shapes import Roller, Status
from tests.integration.test_many import summon
from tests.support.checked import (
    file_of,
    give_salts,
    go_on,
    lines_of,
    of_kind,
    rederived,
    seal,
    set_sealed_table,
    verified,
)
from tests.support.fights import HOLLOW, attack, duel
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

STORY = Narration(offensive="Dal tetto, senza un rumore.")


@pytest.fixture
def sealed(db: Database) -> Table:
    """Set a table at which nobody is waited for, with the dice of production."""
    return set_sealed_table(db, seal_hours=0)


def burn(amount: int = -1) -> Manual:
    """Let the Master hurt the Hollow."""
    return Manual(by=GM, combatant="hollow", change=Change.HP, amount=amount, reason="Fuoco.")


def submit(table: Table, who: str, order: Any, **more: Any) -> Any:
    """Submit an order that quotes a head, or nothing."""
    submission = replace(table.submission(order), **more)
    principal = table.gm if who == "gm" else table.players[who]
    return turns.decide(table.db, table.world, principal, table.id, submission)


# ------------------------------------------------------------------------------ only added to


def rows(db: Database) -> list[Any]:
    """Read the table as it is stored."""
    with db.read() as connection:
        return [tuple(row) for row in connection.execute(text("SELECT * FROM ledger"))]


ADD = "INSERT INTO ledger (scene, number, entry, line, head) VALUES (:scene, 9, NULL, :line, 'b')"


IN_BOTH = (
    "UPDATE ledger SET line = :line WHERE scene = :scene AND number = 1",
    "UPDATE ledger SET head = 'a'",
    "UPDATE ledger SET entry = 7 WHERE scene = :scene",
    "DELETE FROM ledger WHERE scene = :scene AND number = 3",
    "DELETE FROM ledger",
    "INSERT INTO ledger VALUES (:scene, 3, NULL, :line, 'a')"
    " ON CONFLICT (scene, number) DO UPDATE SET line = excluded.line",
)
IN_SQLITE = (
    "REPLACE INTO ledger VALUES (:scene, 3, NULL, :line, 'a')",
    "REPLACE INTO ledger SELECT scene, 9, entry, :line, head FROM ledger WHERE number = 3",
)
IN_POSTGRESQL = ("TRUNCATE ledger CASCADE", "TRUNCATE ledger, sealed_lines")


def test_nothing_in_a_ledger_is_changed_or_taken_away(sealed: Table) -> None:
    sealed.decide("hollow", attack())
    before = rows(sealed.db)
    values = {"scene": sealed.id, "line": b"{}"}
    for statement in (*IN_BOTH, *(IN_SQLITE if sealed.db.is_sqlite else IN_POSTGRESQL)):
        with pytest.raises(DBAPIError, match="only added to"), sealed.db.write() as connection:
            connection.execute(text(statement), values)
        assert rows(sealed.db) == before, statement
    with sealed.db.write() as connection:  # the control: by the same way a line is added
        connection.execute(text(ADD), values)
    assert len(rows(sealed.db)) == len(before) + 1
    assert {*before} < {*rows(sealed.db)}


# ------------------------------------------------------------------------ one line, one entry


def entered(table: Table) -> list[tuple[int, str]]:
    """List the lines about entries: which, and of which kind."""
    return [(line["entry"], line["kind"]) for line in lines_of(table) if "entry" in line]


def check_proofs(table: Table) -> None:
    """Insist that each entry points to its newest line, with the head that it has in the file."""
    data, head = file_of(table)
    found = check_ledger(data, head)
    newest = {line.get("entry"): place for place, line in enumerate(lines_of(table))}
    entries = scenes.read_entries(table.db, ANONYMOUS, table.id)
    assert entries
    for entry in entries:
        assert entry.proof is not None
        place = newest[entry.number]
        line = json.loads(data.splitlines()[place])
        assert (entry.proof.line, entry.proof.kind) == (place, line["kind"])
        assert entry.proof.head == found.heads[place]
        assert (entry.proof.roll, entry.proof.seed) == (
            (line["r"], line["seed"]) if line["kind"] == "roll" else (None, None)
        )
        alone = scenes.read_entry(table.db, ANONYMOUS, table.id, entry.number)
        assert alone.proof == entry.proof


def test_every_decision_has_a_line_of_its_own_kind(sealed: Table) -> None:
    sealed.decide("hollow", attack())
    sealed.dodge()
    sealed.decide("hollow", Turn())
    sealed.decide("gm", burn())
    sealed.void()
    sealed.amend(3, burn(-2))
    sealed.decide("gm", summon())
    sealed.decide("quincy", attack("hollow", "bow", claims=(Claim.SURPRISE,)))
    question = sealed.state().questions[0].id
    sealed.decide("gm", Answer(by=GM, question=question, choice="deny", reason="No."))
    kinds = [*("roll", "roll", "order", "order", "void", "amend", "order", "roll")]
    assert entered(sealed)[:8] == list(enumerate(kinds, start=1))
    assert entered(sealed)[8:] == [(9, "order")]
    assert verified(sealed).rolls == 3
    check_proofs(sealed)
    (void,) = of_kind(sealed, "void")
    assert (void["voids"], void["reason"]) == (4, "Era un errore.")
    (amended,) = of_kind(sealed, "amend")
    assert (amended["before"], amended["seat"]) == (3, GM)


def test_of_a_series_each_order_has_a_line(sealed: Table) -> None:
    orders = (
        Ordered(order=attack(by="hollow"), narration=STORY),
        Ordered(order=burn()),
        Ordered(order=Manual(by="hollow", **_SCRATCH)),
    )
    series = Series(orders=orders, version=sealed.version, key=sealed.key())
    turns.decide_several(sealed.db, sealed.world, sealed.gm, sealed.id, series)
    assert entered(sealed) == [(1, "roll"), (2, "order"), (3, "order")]
    assert STORY.offensive in of_kind(sealed, "roll")[0]["request"]
    verified(sealed)
    check_proofs(sealed)


_SCRATCH: dict[str, Any] = {
    "combatant": "hollow",
    "change": Change.EP,
    "amount": -1,
    "reason": "Uno sforzo.",
}


def test_dice_of_the_forum_are_declared_in_one_line_and_told_in_another(db: Database) -> None:
    table = set_sealed_table(db, dice=Roller.FORUM)
    table.decide("hollow", attack())
    assert entered(table) == [(1, "accept")]
    assert of_kind(table, "accept")[0]["waits"] == "forum"
    check_proofs(table)
    table.give("hollow", 1, 9)
    assert entered(table) == [(1, "accept"), (1, "forum")]
    assert [one["faces"] for one in of_kind(table, "forum")[0]["dice"] if one["count"]] == [[9]]
    table.decide("quincy", Turn())
    assert entered(table)[-1] == (2, "order")
    verified(table)
    check_proofs(table)


COUNTER = Turn(
    by="quincy",
    defences=(
        Defence(action=Action.COUNTERATTACK, against=("a1",), tool="bow", then=Continuation()),
    ),
)


def test_dice_of_two_sizes_at_one_place_of_the_rules_have_each_their_own(sealed: Table) -> None:
    """The dice of a counterattack, say: no place of a ledger has dice of two sizes."""
    sealed.decide("hollow", attack())
    sealed.decide("quincy", COUNTER)
    entry = scenes.read_entry(sealed.db, ANONYMOUS, sealed.id, 2)
    assert len({die.address.place for die in entry.asked}) == 1
    assert len({die.sides for die in entry.asked}) == 2
    places = of_kind(sealed, "roll")[1]["dice"]
    dice = [one for one in places if one["count"]]
    assert all(one in dice or one == {"count": 0, "faces": []} for one in places)
    assert [one["sides"] for one in dice] == [die.sides for die in entry.asked]
    assert [one["faces"] for one in dice] == [[roll.face] for roll in entry.rolls or ()]
    verified(sealed)


def test_the_forums_dice_of_two_sizes_are_possible_ones(db: Database) -> None:
    table = set_sealed_table(db, dice=Roller.FORUM)
    table.decide("hollow", attack())
    table.give("hollow", 1, 9)
    table.decide("quincy", COUNTER)
    asked = scenes.read_entry(db, ANONYMOUS, table.id, 2).asked
    table.give("quincy", 2, *(die.sides for die in asked))
    assert len({die.sides for die in asked}) == 2
    verified(table)


def test_the_place_of_a_die_in_a_ledger_depends_on_that_die_alone() -> None:
    addresses = [Address(place, index) for place in range(100) for index in range(40)]
    found = {in_ledger(address) for address in addresses}
    assert len(found) == len(addresses)
    assert {one.index for one in found} == {0}
    assert all(in_ledger(Address(place)) == Address(place) for place in range(100))
    with pytest.raises(ValueError, match="below 100"):
        in_ledger(Address(100))


def test_a_refused_order_leaves_no_line(sealed: Table) -> None:
    before = lines_of(sealed)
    with pytest.raises(ArbitroError):
        sealed.decide("hollow", attack(tool="nothing"))
    with pytest.raises(ArbitroError):
        sealed.decide("quincy", attack("hollow", "bow"))
    assert lines_of(sealed) == before


def test_what_was_asked_for_stands_in_the_line_byte_by_byte(sealed: Table) -> None:
    told = Narration(initial='«Perché?» — 🎲 "\\ \n riga', offensive="\u0000".strip("\u0000"))
    submit(sealed, "hollow", attack(), narration=told)
    (roll,) = of_kind(sealed, "roll")
    request = json.loads(roll["request"])
    assert request["narration"]["initial"] == told.initial
    assert request["order"]["main"]["target"] == "quincy"
    verified(sealed)


# ------------------------------------------------------------------------------------- heads


def test_a_quoted_head_stands_in_the_line_and_one_of_elsewhere_is_refused(sealed: Table) -> None:
    other = set_sealed_table(sealed.db, seed="other", owner=sealed.owner, seal_hours=0)
    own, foreign = file_of(sealed)[1], file_of(other)[1]
    before, version = lines_of(sealed), sealed.version
    for wrong in (foreign, own[::-1], own.upper() if own.upper() != own else "x", "0" * 64):
        with pytest.raises(Conflict) as conflict:
            submit(sealed, "hollow", attack(), head=wrong)
        assert conflict.value.code == "head_unknown"
    assert (lines_of(sealed), sealed.version) == (before, version)
    assert scenes.read_entries(sealed.db, ANONYMOUS, sealed.id) == ()
    submit(sealed, "hollow", attack(), head=own)
    assert of_kind(sealed, "roll")[0]["saw"] == own
    # An older head of the same history is one too: whoever quotes it has seen that much.
    submit(sealed, "gm", burn(), head=own)
    assert of_kind(sealed, "order")[0]["saw"] == own
    series = Series(
        orders=(Ordered(order=burn()),), version=sealed.version, key=sealed.key(), head=foreign
    )
    with pytest.raises(Conflict):
        turns.decide_several(sealed.db, sealed.world, sealed.gm, sealed.id, series)
    amendment = Submission(order=burn(), version=sealed.version, key=sealed.key(), head=foreign)
    with pytest.raises(Conflict):
        amending.amend(sealed.db, sealed.world, sealed.gm, sealed.id, 1, amendment)
    assert [entry for entry, _ in entered(sealed)] == [1, 2]
    verified(sealed)


def test_a_turn_that_waits_keeps_the_head_that_it_quoted(db: Database) -> None:
    table = set_sealed_table(db)
    head = file_of(table)[1]
    submit(table, "hollow", attack(), head=head)
    give_salts(table)
    assert of_kind(table, "accept")[0]["saw"] == head
    assert "saw" not in of_kind(table, "roll")[0]
    verified(table)


# --------------------------------------------------------------------------- what is of before


def of_before(table: Table) -> Table:
    """Make a scene as it was before there were ledgers, by copying one without its ledger."""
    old = "a-scene-of-long-before"
    with table.db.write() as connection:
        columns = [*scenes_columns(connection)]
        kept = [name for name in columns if name not in ("id", "scheme")]
        names = ", ".join(kept)
        connection.execute(
            text(
                f"INSERT INTO scenes (id, scheme, {names})"
                f" SELECT :old, 'system', {names} FROM scenes WHERE id = :id"
            ),
            {"old": old, "id": table.id},
        )

    def moved(principal: Principal) -> Principal:
        return Principal(
            tuple(
                grant if grant.role is Role.OWNER else replace(grant, scene_id=old)
                for grant in principal.grants
            )
        )

    return replace(
        table,
        gm=moved(table.gm),
        players={seat: moved(one) for seat, one in table.players.items()},
        opened=replace(table.opened, scene_id=old),
    )


def scenes_columns(connection: Any) -> list[str]:
    """Name the columns of the table of scenes."""
    return [*connection.execute(text("SELECT * FROM scenes")).keys()]


def test_a_scene_of_before_goes_on_with_the_dice_it_had_and_says_so(
    db: Database, world: FixedWorld
) -> None:
    old = of_before(set_table(db, world, seal_hours=24))
    world.throw([11, 4])
    assert old.decide("hollow", attack()).status is Status.RESOLVED
    old.dodge()
    assert world.thrown == [11, 4]
    entry = scenes.read_entry(db, ANONYMOUS, old.id, 1)
    assert [roll.face for roll in entry.rolls or ()] == [11]
    assert (entry.proof, entry.provenance) == (None, Roller.SERVICE.value)
    assert scenes.read_scene(db, ANONYMOUS, old.id).scheme == "system"
    assert proofs.read_ledger(db, old.id).lines == ()
    old.void()
    check = NewCheck(label="Percezione", sides=20, key=old.key())
    for refused in (
        lambda: sealing.read_dice(db, ANONYMOUS, old.id),
        lambda: seal(old, "hollow"),
        lambda: extras.roll_check(db, world, old.gm, old.id, check),
        lambda: extras.promise(db, world, old.gm, old.id, GM, "Una trappola.", old.key()),
        lambda: extras.tell(db, world, old.gm, old.id, 1, old.key()),
    ):
        with pytest.raises(Conflict) as conflict:
            refused()
        assert conflict.value.code == "dice_uncheckable"
    with pytest.raises(Conflict) as conflict:
        submit(old, "gm", burn(), head="0" * 64)
    assert conflict.value.code == "head_unknown"
    assert extras.read_extras(db, ANONYMOUS, old.id) == ()
    assert go_on(old) == []
    submit(old, "gm", Close(by=GM, reason="Fine."))
    assert scenes.read_scene(db, ANONYMOUS, old.id).ended_at is not None


# --------------------------------------------------------------------- what may not be known


def test_the_ledger_tells_no_story_that_an_entry_keeps_back(db: Database) -> None:
    """One of two hidden attacks and is seen; the other one is not, so the story stays untold."""
    friend = Entrant(id="friend", team="night", sheet=replace(HOLLOW, name="Ombra"))
    setup = duel(
        entrants=(*duel().entrants, friend),
        distances=tuple(
            Distance(a=a, b=b, metres=Fraction(5))
            for a, b in (("hollow", "quincy"), ("friend", "quincy"), ("friend", "hollow"))
        ),
    )
    table = set_sealed_table(db, seal_hours=0, setup=setup)
    gone = tuple(Unseen(who=id, observer="quincy") for id in ("hollow", "friend"))
    submit(table, "gm", Place(by=GM, hidden=gone, reason="Spariti."))
    submit(table, "hollow", attack(), narration=STORY)
    entry = scenes.read_entry(db, table.players["quincy"], table.id, 2)
    assert (entry.seat, entry.order, entry.narration) == ("hollow", None, Narration())
    assert entry.rolls
    assert STORY.offensive not in write_json(encode(proofs.read_ledger(db, table.id)))
    verified(table)
    submit(table, "gm", Close(by=GM, reason="Fine."))
    assert STORY.offensive in write_json(encode(proofs.read_ledger(db, table.id)))
    assert verified(table).sealed == 0


def test_one_hidden_who_shows_itself_is_told_in_full(db: Database) -> None:
    table = set_sealed_table(db, seal_hours=0)
    gone = (Unseen(who="hollow", observer="quincy"),)
    submit(table, "gm", Place(by=GM, hidden=gone, reason="Sparito."))
    submit(table, "hollow", attack(), narration=STORY)
    assert scenes.read_entry(db, ANONYMOUS, table.id, 2).narration == STORY
    assert STORY.offensive in write_json(encode(proofs.read_ledger(db, table.id)))
    verified(table)


def test_what_is_decided_in_hiding_after_the_end_is_told_at_once(db: Database) -> None:
    table = set_sealed_table(db, seal_hours=0)
    submit(table, "gm", Place(by=GM, hidden=(Unseen(who="hollow", observer="quincy"),), reason="—"))
    submit(table, "hollow", Turn(), narration=STORY)
    submit(table, "gm", Close(by=GM, reason="Fine."))
    assert verified(table).sealed == 0
    table.amend(2, burn())
    assert "sealed" in of_kind(table, "amend")[0]
    assert verified(table).sealed == 0
    extras.promise(db, table.world, table.gm, table.id, GM, "Troppo tardi.", table.key())
    assert verified(table).sealed == 0
    check = NewCheck(label="?", sides=20, hidden=True, key=table.key())
    extras.roll_check(db, table.world, table.gm, table.id, check)
    assert verified(table).sealed == 0
    (last, *_) = extras.read_extras(db, ANONYMOUS, table.id)
    assert last.faces is not None


def test_two_files_of_one_scene_are_the_same_and_a_cut_one_is_not(sealed: Table) -> None:
    sealed.decide("hollow", attack())
    earlier, head_then = file_of(sealed)
    sealed.dodge()
    later, head = file_of(sealed)
    assert later.startswith(earlier)
    assert rederived(later, head) == 2
    assert check_ledger(earlier, head_then).ok
    assert [fault.code for fault in check_ledger(earlier, head).faults] == ["head_differs"]
    assert [fault.code for fault in check_ledger(later, head_then).faults] == ["head_earlier"]

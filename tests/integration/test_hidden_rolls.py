"""Dice and declarations that are sealed: told by whom they belong to, or else at the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.engine.dice import Address
from app.engine.ruleset import GM
from app.engine.seal import hidden_commitment, mix_of, roll_key
from app.persistence import queries_ledger as ledgers
from app.persistence.codec import encode, write_json
from app.persistence.database import Database
from app.rulesets.guida.orders import Preparation, Turn
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Answer, Close, Manual, Place
from app.rulesets.guida.terms import Change
from app.services import extras, proofs, scenes, sealing
from app.services.access import ANONYMOUS, Principal
from app.services.cup import BATCH
from app.services.dice_shapes import Extra, Made, NewCheck
from app.services.entry_shapes import Narration
from app.services.errors import Conflict, KeyReused, Malformed, NotFound
from app.services.keyring import Keyring
from app.services.shapes import Roller
from tests.support.checked import (
    file_of,
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
)
from tests.support.fights import attack
from tests.support.table import Table, set_table
from tests.support.world import KEYS, SealedWorld

CLOSE = Close(by=GM, reason="Fine.")
STORY = Narration(initial="Nel buio, il Hollow affila gli artigli.")
GONE = Place(by=GM, hidden=(Unseen(who="hollow", observer="quincy"),), reason="Sparito.")


@pytest.fixture
def sealed(sqlite: Database) -> Table:
    """Set a table whose seats have given their salts."""
    table = set_sealed_table(sqlite)
    give_salts(table)
    return table


def roll(table: Table, *, who: Principal | None = None, key: str = "", **more: Any) -> Made:
    """Throw dice of the Master's own, hidden unless somebody says otherwise."""
    new = NewCheck(**{"label": "Percezione", "sides": 20, "hidden": True, **more}, key="")
    new = replace(new, key=key or table.key())
    return extras.roll_check(table.db, table.world, who or table.gm, table.id, new)


def promise(table: Table, seat: str, text: str, key: str = "") -> Made:
    """Seal a declaration of a seat's."""
    who = table.gm if seat == GM else table.players[seat]
    return extras.promise(table.db, table.world, who, table.id, seat, text, key or table.key())


def tell(table: Table, who: Principal, line: int, key: str = "") -> Made:
    """Tell what a line has sealed."""
    return extras.tell(table.db, table.world, who, table.id, line, key or table.key())


def seen(table: Table, who: Principal, line: int) -> Extra:
    """Read what somebody is told of a line."""
    (found,) = [one for one in extras.read_extras(table.db, who, table.id) if one.line == line]
    return found


def people(table: Table) -> dict[str, Principal]:
    """List everybody."""
    return {"gm": table.gm, "owner": table.owner, "nobody": ANONYMOUS, **table.players}


# -------------------------------------------------------------------- the Master's own rolls


def test_a_hidden_roll_is_the_masters_until_it_is_told(sealed: Table) -> None:
    made = roll(sealed, count=3)
    assert made.head == file_of(sealed)[1]
    (line,) = of_kind(sealed, "hidden")
    assert line.keys() == {"kind", "at", "q", "sealed"}
    own = seen(sealed, sealed.gm, made.line)
    assert (own.mine, own.text, own.sides, own.opened) == (True, "Percezione", 20, None)
    assert own.faces is not None
    assert len(own.faces) == 3
    for who in (ANONYMOUS, *sealed.players.values()):
        other = seen(sealed, who, made.line)
        assert (other.mine, other.text, other.sides, other.faces) == (False, "", None, None)
        with pytest.raises(NotFound):
            tell(sealed, who, made.line)
    assert "Percezione" not in write_json(encode(proofs.read_ledger(sealed.db, sealed.id)))
    assert verified(sealed).sealed == 2  # the set-up is the other one
    told = tell(sealed, sealed.gm, made.line)
    assert kinds_of(sealed)[told.line] == "opened"
    for who in (ANONYMOUS, *sealed.players.values()):
        assert seen(sealed, who, made.line).faces == own.faces
        assert seen(sealed, who, made.line).opened == told.line
    assert verified(sealed).sealed == 1


def test_a_hidden_roll_uses_the_next_secret_that_was_committed_to(sealed: Table) -> None:
    lines = [roll(sealed, label=f"Prova {place}").line for place in range(3)]
    for line in reversed(lines):  # told in any order, used in one
        tell(sealed, sealed.gm, line)
    assert [line["q"] for line in of_kind(sealed, "hidden")] == [1, 2, 3]
    committed = lines_of(sealed)[0]["hidden"]
    opened = {line["of"]: line for line in of_kind(sealed, "opened")}
    salts = {seat: salt_for(seat) for seat in sealed.players}
    for place, number in enumerate(lines):
        secret = bytes.fromhex(opened[number]["secret"])
        assert hidden_commitment(sealed.id, place + 1, secret) == committed[place]
        payload = json.loads(opened[number]["payload"])
        assert (payload["seat"], payload["label"]) == (GM, f"Prova {place}")
        (dice,) = payload["dice"]
        key = roll_key(secret, sealed.id, place + 1, mix_of(salts))
        assert dice["faces"] == [sealed.world.dice(key).face(Address(0, 0), 20)]
    verified(sealed)


def test_more_secrets_are_committed_to_before_they_are_used(sealed: Table) -> None:
    for _ in range(BATCH + 2):
        roll(sealed, sides=6)
    kinds = kinds_of(sealed)
    assert kinds.count("batch") == 1
    assert kinds.index("batch") == kinds.index("hidden") + BATCH
    assert of_kind(sealed, "batch")[0]["from"] == BATCH + 1
    assert verified(sealed).hidden == BATCH + 2
    sealed.decide("gm", CLOSE)
    assert verified(sealed).sealed == 0


def test_an_open_check_is_of_the_second_chain_and_burns_no_roll_of_the_first(
    sealed: Table,
) -> None:
    made = roll(sealed, hidden=False, sides=100, count=2)
    roll(sealed, hidden=False)
    sealed.decide("hollow", attack())
    roll(sealed)
    sealed.dodge()
    roll(sealed, hidden=False)
    assert [line["r"] for line in of_kind(sealed, "check")] == [1, 2, 3]
    assert [line["r"] for line in of_kind(sealed, "roll")] == [1, 2]
    found = seen(sealed, ANONYMOUS, made.line)
    assert (found.kind, found.text, found.sides, found.opened) == ("check", "Percezione", 100, None)
    assert found.faces is not None
    assert len(found.faces) == 2
    report = verified(sealed)
    assert (report.rolls, report.checks, report.hidden) == (2, 3, 1)
    with pytest.raises(NotFound):  # there is nothing to tell
        tell(sealed, sealed.gm, made.line)


@pytest.mark.parametrize("who", ["hollow", "quincy", "nobody"])
@pytest.mark.parametrize("hidden", [False, True])
def test_only_the_master_throws_beside_the_orders(sealed: Table, who: str, hidden: bool) -> None:
    before = lines_of(sealed)
    with pytest.raises(NotFound):
        roll(sealed, who=people(sealed)[who], hidden=hidden)
    assert lines_of(sealed) == before


@pytest.mark.parametrize(
    "more",
    [{"sides": 1}, {"sides": 10_001}, {"count": 0}, {"count": 101}, {"label": ""}],
)
def test_dice_that_nobody_has_are_refused(sealed: Table, more: dict[str, Any]) -> None:
    before = lines_of(sealed)
    with pytest.raises(Malformed):
        roll(sealed, **more)
    assert lines_of(sealed) == before


def test_a_roll_and_a_declaration_sent_again_are_one(sealed: Table) -> None:
    for act in (
        lambda key: roll(sealed, key=key),
        lambda key: roll(sealed, key=key, hidden=False),
        lambda key: promise(sealed, "hollow", "Una trappola.", key),
    ):
        key = sealed.key()
        first = act(key)
        before = lines_of(sealed)
        again = act(key)
        assert (again, again.replayed, lines_of(sealed)) == (first, True, before)
    with pytest.raises(KeyReused):
        promise(sealed, "hollow", "Nessuna trappola.", key)


# ------------------------------------------------------------------------------ declarations


@pytest.mark.parametrize("seat", ["hollow", GM])
def test_a_declaration_is_told_by_whoever_made_it_and_by_nobody_else(
    sealed: Table, seat: str
) -> None:
    made = promise(sealed, seat, "Una trappola\nsotto la terza tegola. 🎲")
    owns = {"gm", "owner"} if seat == GM else {seat}
    for name, who in people(sealed).items():
        found = seen(sealed, who, made.line)
        assert (found.kind, found.seat, found.mine) == ("promise", seat, name in owns)
        assert bool(found.text) is (name in owns)
        if name not in owns:
            with pytest.raises(NotFound):
                tell(sealed, who, made.line)
            if name not in ("gm", "owner"):
                assert "tegola" not in write_json(
                    encode(extras.read_extras(sealed.db, who, sealed.id))
                )
    assert "tegola" not in write_json(encode(proofs.read_ledger(sealed.db, sealed.id)))
    teller = sealed.gm if seat == GM else sealed.players[seat]
    key = sealed.key()
    told = tell(sealed, teller, made.line, key)
    assert tell(sealed, teller, made.line, key).replayed
    with pytest.raises(Conflict) as conflict:
        tell(sealed, teller, made.line)
    assert conflict.value.code == "already_told"
    assert kinds_of(sealed).count("opened") == 1
    assert seen(sealed, ANONYMOUS, made.line).opened == told.line
    assert "tegola" in seen(sealed, ANONYMOUS, made.line).text
    verified(sealed)


@pytest.mark.parametrize("who", ["gm", "quincy", "nobody"])
def test_nobody_declares_for_another(sealed: Table, who: str) -> None:
    before = lines_of(sealed)
    with pytest.raises(NotFound):
        extras.promise(
            *(sealed.db, sealed.world, people(sealed)[who], sealed.id),
            *("hollow", "Mi arrendo.", sealed.key()),
        )
    assert lines_of(sealed) == before


@pytest.mark.parametrize("text", ["", "x" * 4_001, "a\x00b"])
def test_a_declaration_says_something_and_not_too_much(sealed: Table, text: str) -> None:
    with pytest.raises(Malformed):
        promise(sealed, "hollow", text)


def test_lines_that_seal_nothing_of_ones_own_cannot_be_told(sealed: Table) -> None:
    sealed.decide("gm", GONE)
    sealed.decide("hollow", Turn(main=Preparation()), narration=STORY)
    (hidden,) = [n for n, kind in enumerate(kinds_of(sealed)) if kind == "hidden"]
    for line in (0, 1, 2, hidden, len(lines_of(sealed)), 10_000):
        with pytest.raises(NotFound):
            tell(sealed, sealed.gm, line)
    assert "opened" not in kinds_of(sealed)


def test_two_declarations_of_the_same_words_do_not_look_alike(sealed: Table) -> None:
    for seat in ("hollow", "hollow", "quincy", GM):
        promise(sealed, seat, "No.")
    assert len({line["sealed"] for line in of_kind(sealed, "promise")}) == 4


# ------------------------------------------------------------------------- the end of a scene


def test_at_the_end_everything_is_told_and_stays_so(sealed: Table) -> None:
    promise(sealed, "hollow", "Una trappola.")
    told = promise(sealed, "quincy", "Un'altra.")
    tell(sealed, sealed.players["quincy"], told.line)
    roll(sealed)
    sealed.decide("gm", GONE)
    sealed.decide("hollow", Turn(main=Preparation()), narration=STORY)
    assert verified(sealed).sealed >= 4
    sealed.decide("gm", CLOSE)
    report = verified(sealed)
    assert (report.sealed, report.opened) == (0, kinds_of(sealed).count("opened"))
    assert kinds_of(sealed).count("opened") == len({one["of"] for one in of_kind(sealed, "opened")})
    assert STORY.initial in write_json(encode(proofs.read_ledger(sealed.db, sealed.id)))
    assert json.loads(of_kind(sealed, "opened")[1]["payload"]).keys() >= {"entrants"}
    sealed.void("Non ancora.")
    assert verified(sealed).lines == report.lines + 1 + _opened_since(sealed, report.lines)
    for extra in extras.read_extras(sealed.db, ANONYMOUS, sealed.id):
        assert extra.opened is not None
    later = promise(sealed, "hollow", "Una terza.")
    assert seen(sealed, ANONYMOUS, later.line).text == ""
    sealed.decide("gm", CLOSE)
    assert seen(sealed, ANONYMOUS, later.line).text == "Una terza."
    assert verified(sealed).sealed == 0


def _opened_since(table: Table, line: int) -> int:
    return kinds_of(table)[line:].count("opened")


# --------------------------------------------------------------------- somebody who is hidden


def scratch(amount: int) -> Manual:
    """Let the Hollow scratch itself."""
    return Manual(combatant="hollow", change=Change.HP, amount=amount, reason="Graffiato.")


def test_the_ledger_of_somebody_hidden_is_sealed_line_by_line(sealed: Table) -> None:
    sealed.decide("gm", GONE)
    sealed.decide("hollow", scratch(-3))
    roll(sealed)
    sealed.decide("hollow", Turn(main=Preparation()), narration=STORY)
    sealed.decide("quincy", Turn(), narration=Narration(initial="Dove sei?"))
    sealed.void("Ripensaci, Hollow.")
    hidden = of_kind(sealed, "hidden")
    assert [line["q"] for line in hidden] == list(range(1, len(hidden) + 1))
    assert [line.get("entry") for line in hidden][:3] == [2, None, 3]
    public = write_json(encode(proofs.read_ledger(sealed.db, sealed.id)))
    for secret in ("Graffiato", "artigli", "Dove sei", "Ripensaci"):
        assert secret not in public
    assert {"request", "seat", "act", "turn", "dice"}.isdisjoint(hidden[0])
    for entry in (2, 3):
        proof = scenes.read_entry(sealed.db, ANONYMOUS, sealed.id, entry).proof
        assert proof is not None
        assert (proof.kind, proof.roll, proof.seed) == ("hidden", None, None)
    assert verified(sealed).faults == ()
    sealed.decide("gm", CLOSE)
    told = write_json(encode(proofs.read_ledger(sealed.db, sealed.id)))
    for secret in ("Graffiato", "artigli", "Ripensaci"):
        assert secret in told
    assert verified(sealed).sealed == 0


def test_a_hidden_turn_waits_for_salts_like_any_other(sqlite: Database) -> None:
    """Whether it has dice must not be read off its waiting."""
    table = set_sealed_table(sqlite)
    table.decide("gm", GONE)
    table.decide("hollow", Turn(main=Preparation()), narration=STORY)
    (accept,) = of_kind(table, "accept")
    assert (accept["waits"], "sealed" in accept, "request" in accept) == ("seals", True, False)
    give_salts(table)
    assert [line["entry"] for line in of_kind(table, "hidden")] == [2]
    verified(table)
    table.decide("gm", CLOSE)
    report = verified(table)
    assert (report.sealed, report.hidden) == (0, 1)


def test_an_attack_out_of_hiding_is_told_with_its_secret(sealed: Table) -> None:
    sealed.decide("gm", GONE)
    sealed.decide("hollow", attack())
    kinds = kinds_of(sealed)
    assert kinds[-2:] == ["hidden", "opened"]
    (told,) = of_kind(sealed, "opened")
    dice = [one for one in json.loads(told["payload"])["dice"] if one["count"]]
    entry = scenes.read_entry(sealed.db, sealed.players["quincy"], sealed.id, 2)
    assert [roll.face for roll in entry.rolls or ()] == [f for one in dice for f in one["faces"]]
    (question,) = [one for one in sealed.state().questions if one.id.endswith("surprise")]
    sealed.decide("gm", Answer(by=GM, question=question.id, choice="deny", reason="L'ha sentito."))
    sealed.dodge()
    report = verified(sealed)
    assert (report.hidden, report.rolls) == (1, 1)


def test_where_the_forum_rolls_the_dice_of_somebody_hidden_are_sealed_too(
    sqlite: Database,
) -> None:
    table = set_sealed_table(sqlite, dice=Roller.FORUM)
    table.decide("gm", GONE)
    table.decide("hollow", attack(), narration=STORY)
    assert "sealed" in of_kind(table, "accept")[0]
    table.give("hollow", 2, 9)
    (forum,) = of_kind(table, "forum")
    assert "dice" not in forum
    verified(table)
    table.decide("gm", CLOSE)
    assert verified(table).sealed == 0


def test_where_the_forum_rolls_a_hidden_decision_without_dice_waits_for_nobody(
    sqlite: Database,
) -> None:
    table = set_sealed_table(sqlite, dice=Roller.FORUM)
    table.decide("gm", GONE)
    table.decide("hollow", Turn(main=Preparation()), narration=STORY)
    assert kinds_of(table)[-3:] == ["salt", "salt", "hidden"]
    assert all(line["missing"] for line in of_kind(table, "salt"))
    verified(table)
    roll(table, hidden=False)
    verified(table)


# ------------------------------------------------------------------------------- a lost key


def lost(table: Table, name: str = "new") -> Table:
    """Give the same table to a service that has another key alone."""
    world = SealedWorld(seed="after the loss")
    world.keys = Keyring({name: b"k" * 32}, name)
    return replace(table, world=world)


def refused(act: Callable[[], Any]) -> None:
    """Insist that the key is what is missing."""
    with pytest.raises(Conflict) as conflict:
        act()
    assert conflict.value.code == "dice_key_lost"


@pytest.mark.parametrize("name", ["new", "test"])
def test_without_the_key_no_die_falls_and_nothing_is_half_done(sealed: Table, name: str) -> None:
    """Another key of the same name is another key: its seeds would not lead to the anchor."""
    sealed.decide("hollow", attack())
    promise(sealed, "hollow", "Una trappola.")
    roll(sealed)
    table, before = lost(sealed, name), lines_of(sealed)
    version = table.version
    refused(lambda: table.dodge())
    refused(lambda: roll(table))
    refused(lambda: roll(table, hidden=False))
    assert (lines_of(table), table.version) == (before, version)
    assert len(scenes.read_entries(table.db, ANONYMOUS, table.id)) == 1
    with table.db.read() as connection:
        row = ledgers.standing(connection, table.id).dice
    assert row is not None
    assert (row.rolls, row.hidden, row.checks) == (1, 1, 0)
    # Whatever needs no die goes on, up to the end, and everything sealed can be told.
    promise(table, "quincy", "Una risposta.")
    table.decide("gm", scratch(-1))
    table.decide("gm", CLOSE)
    report = verified(table)
    assert (report.sealed, report.rolls, report.hidden) == (0, 1, 1)
    assert sealing.read_dice(table.db, ANONYMOUS, table.id).key == "test"
    assert table.world.keys.get("test") != KEYS.get("test")


def test_without_the_key_a_turn_goes_on_waiting_and_with_it_again_it_is_rolled(
    sqlite: Database,
) -> None:
    table = set_sealed_table(sqlite)
    table.decide("hollow", attack())
    seal(table, "hollow")
    seal(table, "quincy")
    show(table, "hollow")
    gone, before = lost(table), lines_of(table)
    refused(lambda: show(gone, "quincy"))
    assert lines_of(table) == before
    assert go_on(gone) == []  # it waits for a salt, for which no key is needed
    show(table, "quincy")
    assert kinds_of(table)[-1] == "roll"
    verified(table)


def test_an_old_scene_rolls_with_its_own_key_after_a_new_one_was_put_in_front(
    sealed: Table,
) -> None:
    world = SealedWorld(seed="rotated")
    world.keys = Keyring({"new": b"k" * 32, **KEYS.keys}, "new")
    table = replace(sealed, world=world)
    table.decide("hollow", attack())
    verified(table)
    fresh = set_table(table.db, world, owner=table.owner)
    fresh.decide("hollow", attack())
    assert [lines_of(one)[0]["key"] for one in (table, fresh)] == ["test", "new"]
    verified(fresh)

"""What the Master decides is told to whoever plays and may know it: what, about whom, and why."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.terms import Claim
from app.services import amending, claims, clock, inbox, members, reviews, taking_back, turns
from app.services.access import Principal, Role
from app.services.channels import Channel, Mute
from app.services.clock_shapes import NewVacation
from app.services.desk_shapes import Reviewing, Verdict
from app.services.entry_shapes import Submission, TakeBack
from app.services.inbox import Wishes
from app.services.notices import OF_THE_BOARD, Telling
from app.services.shapes import Roller
from app.services.told import Message
from tests.integration.test_battle_dice import muster, set_battle
from tests.integration.test_combat_dice import KITS
from tests.integration.test_deadlines import duel as warriors
from tests.integration.test_notices import told
from tests.support.counting import counted
from tests.support.fights import attack, defend
from tests.support.people import signed_up
from tests.support.table import Table, set_table
from tests.support.world import START, FixedWorld, SealedWorld

HURT = {"kind": "set_value", "combatant": "hollow", "change": "hp", "value": 50}
LINE = {"kind": "manual", "combatant": "hollow", "change": "ep", "amount": -5}
UNSEEN = {"kind": "place", "hidden": [{"who": "hollow", "observer": "quincy"}]}
WHY = "Era già ferito."


def of_kind(table: Table, who: str | Principal, kind: Telling, language: str = "it") -> list[Any]:
    """Read what somebody was told of one kind, the oldest first."""
    return [one for one in told(table, who, language) if one.kind is kind]


def heard(table: Table, *kinds: Telling) -> set[str]:
    """Say who of those at the table was told something of these kinds."""
    at = (*table.players, GM)
    return {who for who in at if any(of_kind(table, who, kind) for kind in kinds)}


def overseer(table: Table, role: Role = Role.GM) -> Principal:
    """Let somebody with an account oversee the board as well."""
    person = signed_up(table.db, table.world, "Urahara")
    with table.db.write() as connection:
        members.give_role(connection, table.world, FIRST_BOARD, person.id, role)
    return person.now


def on_board(table: Table, language: str = "it") -> list[Message]:
    """Read what the whole board was told; no feed of it may be there before."""
    token = inbox.new_board_feed(table.db, table.world, table.owner, FIRST_BOARD)
    return list(inbox.read_feed(table.db, token, language).notices)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (HURT, "Valore fissato, Hollow"),
        (LINE, "Riga a mano, Hollow"),
        ({"kind": "place", "behind": []}, "Posizioni corrette"),
        ({"kind": "pause"}, "Pausa"),
        ({"kind": "turn_order", "sequence": ["quincy", "hollow"]}, "Ordine dei Turni"),
    ],
)
def test_every_player_is_told_what_the_master_ruled_and_why(
    sqlite: Database, world: FixedWorld, order: dict[str, Any], said: str
) -> None:
    table = set_table(sqlite, world)
    table.decide("gm", {**order, "reason": WHY})
    for who in table.players:
        (one,) = of_kind(table, who, Telling.RULED)
        assert one.title == "Duello: il Master ha deciso"
        assert one.text == f"Il Master ha deciso con la voce 1: {said}. {WHY}"
        assert one.path == f"/scenes/{table.id}/entries/1"
    assert heard(table, Telling.RULED) == set(table.players)  # whoever did it knows
    assert [one.kind for one in on_board(table)].count(Telling.RULED) == 1
    assert Telling.RULED in OF_THE_BOARD


def test_a_scene_that_was_paused_goes_on_and_both_are_told(
    sqlite: Database, world: FixedWorld
) -> None:
    for table in (set_table(sqlite, world), warriors(sqlite, SealedWorld(seed="duel"))):
        for kind in ("pause", "resume"):
            table.decide("gm", {"kind": kind, "reason": WHY})
        for who in table.players:
            assert [one.text for one in of_kind(table, who, Telling.RULED)] == [
                f"Il Master ha deciso con la voce 1: Pausa. {WHY}",
                f"Il Master ha deciso con la voce 2: Ripresa. {WHY}",
            ]


def test_the_end_is_told_once(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    table.decide("gm", {"kind": "close", "reason": WHY})
    assert heard(table, Telling.RULED) == set()
    assert heard(table, Telling.ENDED) == {*table.players, GM}
    (one,) = of_kind(table, "hollow", Telling.ENDED, "en")
    assert one.text == f"The Master has ended the scene: nobody is awaited any more. {WHY}"


def test_an_end_that_nobody_ordered_has_no_reason(sqlite: Database) -> None:
    table = set_battle(sqlite)
    muster(table)
    table.decide("ada", {"kind": "concede"})
    (one,) = of_kind(table, "bo", Telling.ENDED)
    assert one.text == "La scena è finita: non si aspetta più nessuno."


def test_an_answer_is_told_with_what_was_chosen(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    claim = Attack(target="quincy", tool="claws", claims=(Claim.SURPRISE,))
    table.decide("hollow", Turn(main=claim))
    (question,) = table.state().questions
    answer = {"kind": "answer", "question": question.id, "choice": "deny", "reason": WHY}
    table.decide("gm", answer)
    (one,) = of_kind(table, "hollow", Telling.RULED, "en")
    assert one.text.startswith("The Master has decided by entry 2: ")
    assert one.text.endswith(WHY)
    assert ": Risposta del Master: " in of_kind(table, "hollow", Telling.RULED)[0].text
    assert heard(table, Telling.RULED) == set(table.players)


def test_nobody_is_told_what_was_ruled_about_somebody_hidden_from_them(
    sqlite: Database, world: FixedWorld
) -> None:
    table = set_table(sqlite, world)
    table.decide("gm", {**UNSEEN, "reason": "Si è dileguato."})
    table.decide("gm", {**HURT, "reason": WHY})
    assert [one.text.endswith(WHY) for one in of_kind(table, "hollow", Telling.RULED)] == [
        False,
        True,
    ]
    assert all(WHY not in one.text for one in [*told(table, "quincy"), *on_board(table)])
    table.void("Vecchia ferita.")
    assert heard(table, Telling.TAKEN_BACK) == {"hollow"}
    assert all(one.kind is not Telling.TAKEN_BACK for one in on_board(table))


def test_an_answer_about_somebody_hidden_is_not_told(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    table.decide("gm", {**UNSEEN, "reason": "Si è dileguato."})
    table.decide("hollow", {**LINE, "reason": "Uno sforzo."})
    (question,) = table.state().questions
    answer = {"kind": "answer", "question": question.id, "choice": "confirm", "reason": WHY}
    table.decide("gm", answer)
    assert of_kind(table, "hollow", Telling.RULED)[-1].text.endswith(WHY)
    assert all(WHY not in one.text for one in [*told(table, "quincy"), *on_board(table)])


def test_a_turn_in_a_players_place_is_told_but_not_one_that_nobody_else_plays(
    sqlite: Database, world: FixedWorld
) -> None:
    table = set_table(sqlite, world)
    table.decide("gm", attack(by="hollow"))
    (one,) = of_kind(table, "hollow", Telling.RULED)
    assert one.text == "Il Master ha giocato la voce 1 al posto di Hollow: Turno."
    assert heard(table, Telling.RULED) == set(table.players)
    coming = [one.id for one in table.state().incoming]
    table.decide("quincy", defend(*coming))
    assert len(of_kind(table, "hollow", Telling.RULED)) == 1
    both = Principal((*table.gm.grants, *table.players["hollow"].grants))
    given = table.submission(attack(by="hollow"))
    turns.decide(table.db, table.world, both, table.id, given)  # their own seat, though a Master
    assert len(of_kind(table, "quincy", Telling.RULED)) == 1


def test_what_is_sealed_is_told_to_whose_place_it_was_only(sqlite: Database) -> None:
    entrants = [{"id": seat, "sheet": KITS[seat]} for seat in KITS]
    setup = {"entrants": entrants}
    table = set_table(sqlite, SealedWorld(), ruleset="combat_dice", setup=setup)
    table.decide("ann", {"kind": "open"})
    table.decide("gm", {"kind": "orders", "by": "ann"})
    assert heard(table, Telling.RULED) == {"ann"}


def test_a_turn_in_a_players_place_is_told_while_its_dice_are_awaited(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world, dice=Roller.FORUM)
    table.decide("gm", attack(by="hollow"))
    assert heard(table, Telling.RULED) == set(table.players)
    table.give("gm", 1, 5)
    assert len(of_kind(table, "hollow", Telling.RULED)) == 1
    with counted(db) as count:
        table.dodge()
    assert count.commits == 1


def test_an_amendment_is_told_and_so_is_the_approval_that_it_costs(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world)
    other = overseer(table)
    table.decide("hollow", attack())
    table.dodge()
    for number in (1, 2):
        good = Reviewing(verdict=Verdict.APPROVED, version=0, key=f"key-good-{number}")
        reviews.review(db, world, table.gm, table.id, number, good)
    table.amend(2, {**HURT, "combatant": "quincy", "reason": WHY})
    for who in table.players:
        (one,) = of_kind(table, who, Telling.RULED)
        assert one.text == (
            "Il Master ha messo la voce 3 davanti alla 2: Valore fissato, Quincy. "
            f"Ciò che segue è stato rigiocato con gli stessi dadi. {WHY}"
        )
    assert heard(table, Telling.APPROVAL_LOST) == {"quincy"}
    (lost,) = of_kind(table, "quincy", Telling.APPROVAL_LOST, "en")
    assert lost.title == "Duello: entry 2 is to be looked over again"
    assert "because of entry 3" in lost.text
    assert lost.path == f"/scenes/{table.id}/entries/2"
    (mine,) = of_kind(table, other, Telling.APPROVAL_LOST)
    assert "La voce 2, di Quincy, era approvata" in mine.text
    assert mine.path == f"/boards/{FIRST_BOARD}/desk/{table.id}/2"


def test_an_amendment_is_told_though_it_is_written_as_a_seat_of_their_own(
    sqlite: Database, world: FixedWorld
) -> None:
    table = set_table(sqlite, world)
    table.decide("hollow", attack())
    table.dodge()
    both = Principal((*table.gm.grants, *table.players["hollow"].grants))
    given = table.submission({**LINE, "by": "hollow", "reason": WHY})
    amending.amend(sqlite, world, both, table.id, 2, given)
    assert heard(table, Telling.RULED) == {"quincy"}


def test_what_was_taken_back_is_told_with_the_reason(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world)
    table.decide("hollow", attack())
    table.void("Bersaglio sbagliato.")
    for who in table.players:
        (one,) = of_kind(table, who, Telling.TAKEN_BACK)
        assert one.title == "Duello: voce 1 annullata"
        assert one.text == (
            "La voce 1, di Hollow, è annullata e non conta più: Bersaglio sbagliato."
        )
        assert one.path == f"/scenes/{table.id}/entries/1"
    assert heard(table, Telling.TAKEN_BACK) == set(table.players)
    table.decide("gm", {**HURT, "reason": WHY})
    table.void("Non lo era.")
    last = of_kind(table, "quincy", Telling.TAKEN_BACK, "en")[-1]
    assert last.text == "Entry 3, of the Master, is taken back and no longer counts: Non lo era."


def test_a_withdrawal_is_told_to_the_others_and_to_the_master(
    sqlite: Database, world: FixedWorld
) -> None:
    table = set_table(sqlite, world, dice=Roller.FORUM)
    table.decide("hollow", attack())
    back = TakeBack(reason="Ci ripenso.", version=table.version, key=table.key())
    player = table.players["hollow"]
    taking_back.withdraw(sqlite, world, player, table.id, 1, back)
    assert heard(table, Telling.TAKEN_BACK) == {"quincy", GM}


def test_an_absence_is_told_to_the_master_unless_it_is_the_masters_word(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world)
    new = NewVacation(seat="hollow", begins=START, ends=START + timedelta(days=3))
    clock.say_away(db, world, table.gm, table.id, new)
    assert heard(table, Telling.AWAY) == set()
    clock.say_away(db, world, table.players["hollow"], table.id, new)
    (one,) = of_kind(table, GM, Telling.AWAY)
    assert one.title == "Duello: Hollow è assente"
    assert one.text == (
        "Hollow è assente da 2025-03-29 14:00 UTC a 2025-04-01 14:00 UTC: quelle ore non contano."
    )
    assert one.path == f"/scenes/{table.id}/clock"
    clock.come_back(db, world, table.players["hollow"], table.id, 2)
    assert of_kind(table, GM, Telling.AWAY)[-1].title == "Duello: Hollow è di nuovo presente"
    assert heard(table, Telling.AWAY) == {GM}


def test_each_kind_can_be_kept_away_by_each_way(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    player = table.players["hollow"]
    token = inbox.new_feed(sqlite, world, player, FIRST_BOARD)
    muted = (Mute(channel=Channel.INBOX, kind=Telling.RULED),)
    inbox.change_wishes(sqlite, player, Wishes(muted=muted))
    table.decide("gm", {**HURT, "reason": WHY})
    assert of_kind(table, "hollow", Telling.RULED) == []
    kinds = [one.kind for one in inbox.read_feed(sqlite, token, "it").notices]
    assert kinds.count(Telling.RULED) == 1
    assert len(of_kind(table, "quincy", Telling.RULED)) == 1


def test_the_same_call_again_tells_nothing_more_and_costs_one_commit(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world)
    given: Submission = table.submission({**HURT, "reason": WHY})
    with counted(db) as count:
        turns.decide(db, world, table.gm, table.id, given)
    assert count.commits == 1
    assert len([one for one in count.statements if not one.startswith("BEGIN")]) <= 10
    turns.decide(db, world, table.gm, table.id, given)
    assert len(of_kind(table, "hollow", Telling.RULED)) == 1


def test_a_master_who_plays_a_seat_too_is_not_told_what_they_did(
    sqlite: Database, world: FixedWorld
) -> None:
    table = set_table(sqlite, world)
    both = signed_up(sqlite, world, "Urahara")
    with sqlite.write() as connection:
        members.give_role(connection, world, FIRST_BOARD, both.id, Role.GM)
    claims.claim(sqlite, world, both.now, table.opened.seat_secrets["quincy"])
    given = table.submission({**HURT, "by": GM, "reason": WHY})
    turns.decide(sqlite, world, both.now, table.id, given)
    assert of_kind(table, both.now, Telling.RULED) == []
    assert len(of_kind(table, "hollow", Telling.RULED)) == 1

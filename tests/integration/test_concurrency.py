"""Many at once: one turn, one set of dice, and everybody is answered."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from app.config import Settings
from app.persistence import queries_books, queries_notices, queries_people
from app.persistence.codec import encode, write_json
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import books, claims, desk, inbox, members, people, replay, scenes, sheets, turns
from app.services.access import ANONYMOUS
from app.services.answers import digest
from app.services.channels import Channel, Mute
from app.services.desk_shapes import TurnPlace
from app.services.entry_shapes import (
    Decided,
)
from app.services.errors import Conflict, KeyReused, Stale
from app.services.inbox import Wishes
from app.services.notices import Telling
from app.services.people_shapes import NewBoard
from app.services.run import LONG, run, takes_long
from app.services.shapes import (
    OpenScene,
    Roller,
    Status,
)
from tests.support.fights import HOLLOW, attack, duel
from tests.support.people import signed_up
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

HANG = 30.0  # seconds: a limit against hanging, not a measure
MANY = 50
BURN = {
    "kind": "manual",
    "combatant": "hollow",
    "change": "hp",
    "amount": -1,
    "reason": "Fuoco.",
}


def at_once(count: int, act: Callable[[int], Any]) -> list[Any]:
    """Do something in many threads that start together; give what each got or raised."""
    gate = threading.Barrier(count)

    def one(index: int) -> Any:
        gate.wait()
        try:
            return act(index)
        except Exception as error:
            return error

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_one_call_sent_many_times_is_one_turn_with_one_answer(table: Table) -> None:
    key = table.key()
    order = attack()
    answers = at_once(MANY, lambda _: table.decide("hollow", order, version=1, key=key))
    assert {write_json(encode(replace(answer, replayed=False))) for answer in answers} == {
        write_json(encode(Decided(number=1, version=2, status=Status.RESOLVED)))
    }
    assert len(table.world.thrown) == 1
    assert len(scenes.read_entries(table.db, ANONYMOUS, table.id)) == 1
    assert replay.check_scenes(table.db).equal == (table.id,)


def test_of_many_different_calls_exactly_one_wins(table: Table) -> None:
    order = attack()
    keys = [table.key() for _ in range(MANY)]
    answers = at_once(MANY, lambda index: table.decide("hollow", order, version=1, key=keys[index]))
    kinds = Counter(type(answer) for answer in answers)
    assert kinds == {Decided: 1, Stale: MANY - 1}
    assert len(table.world.thrown) == 1
    assert len(scenes.read_entries(table.db, ANONYMOUS, table.id)) == 1


def test_a_round_of_dice_told_by_many_is_told_once(forum_table: Table) -> None:
    forum_table.decide("hollow", attack())
    keys = [forum_table.key() for _ in range(12)]
    answers = at_once(
        12,
        lambda index: forum_table.give("gm", 1, 1 + index, version=2, key=keys[index]),
    )
    assert Counter(type(answer) for answer in answers) == {Decided: 1, Stale: 11}
    entry = scenes.read_entry(forum_table.db, ANONYMOUS, forum_table.id, 1)
    assert len(entry.rolls or ()) == 1


def test_scenes_are_not_in_each_others_way(db: Database, world: FixedWorld) -> None:
    first = set_table(db, world)
    tables = [first] + [set_table(db, world, owner=first.owner) for _ in range(7)]
    answers = at_once(
        8, lambda index: tables[index].decide("hollow", attack(), version=1, key=f"key-{index:08}")
    )
    assert {type(answer) for answer in answers} == {Decided}
    assert len(replay.check_scenes(db).equal) == 8


def test_many_readers_before_a_write_do_not_make_it_fail(table: Table) -> None:
    """A reader that becomes a writer is refused at once by SQLite; ours never do that."""
    version = table.version

    def read_and_write(index: int) -> int:
        wins = 0
        for turn in range(6):
            now = scenes.read_scene(table.db, table.gm, table.id).version
            try:
                table.decide("gm", BURN, version=now, key=f"key-{index:04}-{turn:04}")
                wins += 1
            except Stale:
                pass
        return wins

    answers = at_once(8, read_and_write)
    assert all(isinstance(answer, int) for answer in answers), answers
    assert table.version == version + sum(answers)
    assert table.state().who("hollow").hp_now == 200 - sum(answers)


def test_an_opening_sent_many_times_is_one_scene_with_one_set_of_links(table: Table) -> None:
    opening, key = OpenScene(title="Nuova", setup=duel()), table.key()
    answers = at_once(
        12,
        lambda _: scenes.open_scene(table.db, table.world, table.owner, FIRST_BOARD, opening, key),
    )
    assert len({str(replace(answer, replayed=False)) for answer in answers}) == 1
    assert [answer.replayed for answer in answers].count(False) == 1
    assert len(scenes.list_scenes(table.db, table.owner, FIRST_BOARD)) == 2


def test_of_many_who_save_one_sheet_the_first_is_kept(table: Table) -> None:
    kept = sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, HOLLOW, table.key())
    answers = at_once(
        12,
        lambda _: sheets.save_sheet(table.db, table.world, table.gm, kept.id, HOLLOW, 1),
    )
    assert Counter(type(answer).__name__ for answer in answers) == {"SheetRead": 1, "Stale": 11}


def looked_over(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Look over a desk."""
    return (
        lambda _: desk.look(table.db, table.world, table.owner, FIRST_BOARD),
        lambda: desk.read_desk(table.db, table.owner, FIRST_BOARD, desk.DeskFilter()).fresh == 0,
    )


def seen(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Mark a turn as viewed, and as not viewed."""
    table.decide("hollow", attack())
    place = TurnPlace(scene_id=table.id, number=1)
    return (
        lambda index: desk.see(table.db, table.world, table.owner, place, seen=index % 2 > 0),
        lambda: desk.read_desk(table.db, table.owner, FIRST_BOARD, desk.DeskFilter()).open == 1,
    )


def noted(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Write one's own note."""
    return (
        lambda index: desk.write_note(
            table.db, table.world, table.owner, FIRST_BOARD, "", f"Nota {index}."
        ),
        lambda: desk.read_note(table.db, table.owner, FIRST_BOARD).text.startswith("Nota "),
    )


def muted(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Say what one does not want to hear; one answer is kept whole."""
    kinds = tuple(Telling)
    pairs = [
        {Mute(channel=Channel.INBOX, kind=kind) for kind in (kinds[0], kinds[1 + index])}
        for index in range(AGAIN)
    ]

    def kept() -> bool:
        return set(inbox.read_wishes(table.db, table.gm, MAILING).muted) in pairs

    def wish(index: int) -> None:
        inbox.change_wishes(table.db, table.gm, Wishes(muted=tuple(pairs[index])))

    return wish, kept


def taken(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Decide what scenes take of the book."""

    def kept() -> bool:
        with table.db.read() as connection:
            return queries_books.takes(connection, FIRST_BOARD) == "pieces"

    return lambda _: books.change_book(table.db, table.owner, FIRST_BOARD, "pieces"), kept


def founded(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Make a board by one form that is sent many times."""
    person = signed_up(table.db, table.world, "Kaito")
    me = person.now
    return (
        lambda _: members.create_board(
            table.db, table.world, me, NewBoard(name="Seireitei"), "key-of-one-form"
        ),
        lambda: len(members.list_boards(table.db, person.now)) == 1,
    )


def claimed(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Take a seat as one's own."""
    person = signed_up(table.db, table.world, "Kaito")
    me, secret = person.now, table.opened.seat_secrets["hollow"]
    return (
        lambda _: claims.claim(table.db, table.world, me, secret),
        lambda: len(people.read_me(table.db, me).keys) == 1,
    )


def fed(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Make a new address for one's feed."""
    made: list[str] = []

    def kept() -> bool:
        return in_force(table, made) == 1

    return (
        lambda _: made.append(inbox.new_feed(table.db, table.world, table.gm, FIRST_BOARD)),
        kept,
    )


def fed_to_all(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Make a new address for the feed of a board."""
    made: list[str] = []
    return (
        lambda _: made.append(inbox.new_board_feed(table.db, table.world, table.owner, "board")),
        lambda: in_force(table, made) == 1,
    )


def in_force(table: Table, tokens: list[str]) -> int:
    """Count the feeds that lead somewhere."""
    with table.db.read() as connection:
        return sum(bool(queries_notices.feed(connection, digest(token))) for token in tokens)


def let_in_again(table: Table) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    """Make a link by which somebody sets a new password."""
    person = signed_up(table.db, table.world, "Kaito")
    made: list[str] = []

    def kept() -> bool:
        with table.db.read() as connection:
            found = [queries_people.one_time(connection, digest(token)) for token in made]
        return sum(one is not None for one in found) == 1

    return lambda _: made.append(people.reset_link(table.db, table.world, person.name)), kept


AGAIN = 10
MAILING = Settings(smtp_host="mail.example")


@pytest.mark.parametrize(
    "form",
    [
        *(looked_over, seen, noted, muted, taken, founded, claimed, fed, fed_to_all),
        let_in_again,
    ],
    ids=lambda form: form.__name__,
)
def test_a_form_that_comes_many_times_at_once_counts_once(table: Table, form: Any) -> None:
    act, kept = form(table)
    answers = at_once(AGAIN, act)
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert kept()


def test_of_many_addresses_at_once_one_is_written_to(table: Table) -> None:
    answers = at_once(
        AGAIN,
        lambda index: inbox.set_address(
            table.db, table.world, table.gm, MAILING, f"kaito{index}@example.org", "it"
        ),
    )
    assert Counter(type(answer) for answer in answers) == {type(None): 1, Conflict: AGAIN - 1}


def test_one_key_in_two_scenes_at_once_serves_in_one(table: Table) -> None:
    """Each scene has its own lock, and the key is of whoever oversees both."""
    other = set_table(table.db, table.world, owner=table.owner)
    for at in range(AGAIN):
        calls = [(one, one.submission(BURN, key=f"key-{at:08}")) for one in (table, other)]
        answers = at_once(
            2,
            lambda index, calls=calls: turns.decide(
                table.db, table.world, table.owner, calls[index][0].id, calls[index][1]
            ),
        )
        assert Counter(type(answer) for answer in answers) == {Decided: 1, KeyReused: 1}


def test_a_turn_is_seen_whole_or_not_at_all(table: Table) -> None:
    """Whoever reads while turns are posted sees a version, its entries and its state together."""
    stop = threading.Event()
    torn: list[Any] = []

    def watch() -> int:
        looks = 0
        while not stop.is_set():
            scene = scenes.read_scene(table.db, ANONYMOUS, table.id)
            looks += 1
            hurt = 200 - scene.view.combatants[0].hp_now
            if not (scene.version - 1 == len(scene.entries) == hurt):
                torn.append((scene.version, len(scene.entries), hurt))
        return looks

    with ThreadPoolExecutor(3) as pool:
        watchers = [pool.submit(watch) for _ in range(3)]
        for turn in range(25):
            table.decide("gm", BURN, version=turn + 1)
        stop.set()
        assert all(watcher.result() for watcher in watchers)
    assert torn == []


@pytest.mark.parametrize("dice", list(Roller))
def test_use_cases_run_from_an_event_loop(db: Database, world: FixedWorld, dice: Roller) -> None:
    table = set_table(db, world, dice=dice)

    async def read_many() -> list[Any]:
        return await asyncio.gather(
            *(run(db, scenes.read_scene, ANONYMOUS, table.id) for _ in range(30))
        )

    assert {scene.version for scene in asyncio.run(read_many())} == {1}


def test_what_takes_long_keeps_nobody_waiting(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world)
    read = threading.Event()

    @takes_long
    def long(_: Database) -> bool:
        return read.wait(HANG)  # ends only if somebody is served meanwhile

    async def short() -> None:
        await asyncio.sleep(0)  # the other one has begun by now
        await run(db, scenes.read_scene, ANONYMOUS, table.id)
        read.set()

    async def both() -> bool:
        return (await asyncio.gather(run(db, long), short()))[0]

    assert asyncio.run(both())


def test_odds_are_among_what_takes_long() -> None:
    assert turns.preview in LONG

"""Scenes: opened from a set-up, and read as the reader may see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from app.engine.ruleset import Awaited, Played, Seat
from app.engine.seal import SCHEME
from app.engine.text import Name
from app.persistence import queries
from app.persistence.codec import checked, load, store
from app.persistence.database import Database
from app.persistence.queries import SceneHead, SceneNow
from app.persistence.queries_access import add_secrets, board_now
from app.persistence.queries_ledger import Salt, last_line
from app.persistence.queries_thread import add_imported
from app.services.access import Principal, Role
from app.services.answers import call, remember, remembered
from app.services.boards import board_read, check_dialect, check_may_open
from app.services.called import names_in
from app.services.campaign import call_beings, seat_beings
from app.services.casting import as_cast
from app.services.cup import open_cup
from app.services.entries import Around, entry_lines, entry_read
from app.services.entry_shapes import (
    EntryRead,
)
from app.services.errors import Malformed, Mistake, NotFound
from app.services.games import Game, game, known_game, roster_of
from app.services.ledger import Ledger
from app.services.notices import tell_opened
from app.services.opening import read_setup
from app.services.proofs import proofs_of
from app.services.scene_found import found
from app.services.secret import derived_secret, secret_row
from app.services.shapes import (
    AnswerWithin,
    BoardRead,
    DeadlineRead,
    EntryKind,
    Language,
    OpenedScene,
    OpenScene,
    Roller,
    SceneLine,
    SceneRead,
)
from app.services.sight import eyes_of
from app.services.templates import of_scene, read_of_scene
from app.services.threads import thread_kept
from app.services.ticking import begin_clock
from app.services.until import running, until
from app.services.world import World

MOST_LISTED = 100
MOST_TOLD = 12  # entries in one post


@dataclass(frozen=True, slots=True)
class _Made:
    """What is remembered of an opening: enough to derive the same secrets from the same key."""

    scene_id: str
    seats: tuple[str, ...]
    salt: str

    def told(self, key: str) -> OpenedScene:
        return OpenedScene(
            scene_id=self.scene_id,
            gm_secret=derived_secret(self.salt, key, Role.GM, None),
            seat_secrets={
                seat: derived_secret(self.salt, key, Role.SEAT, seat) for seat in self.seats
            },
        )


def open_scene(
    db: Database,
    world: World,
    principal: Principal,
    board_id: str,
    opening: OpenScene,
    key: str,
) -> OpenedScene:
    """Open a scene, if the board lets this principal; the same key gives the same scene again."""
    ruleset = known_game(opening.ruleset, "ruleset")
    title: str = checked(Name, opening.title, "title")
    if opening.dialect is not None:
        check_dialect(opening.dialect, "dialect")
    before = thread_kept(opening.thread, "thread")
    this = call(principal.callers(board_id), key, "open_scene", board_id, opening)
    with db.write() as connection:
        board = board_read(board_now(connection, board_id, lock=True))
        check_may_open(board, principal)
        mine = principal.scene_ids()
        done = remembered(connection, this, lambda was: load(_Made, was).scene_id in mine)
        if done is not None:
            return replace(load(_Made, done).told(key), replayed=True)
        called = call_beings(connection, principal, board_id, ruleset, opening.setup)
        setup = read_setup(connection, principal, board, ruleset, called.setup)
        state = ruleset.start(setup)
        hours: int | None = checked(AnswerWithin | None, opening.answer_within, "answer_within")
        awaited = ruleset.awaits(state)
        answer = until(ruleset, state, awaited, hours, world.now())
        made = _Made(world.scene_id(), _linked(roster_of(ruleset, setup, state)), world.token())
        queries.add_scene(
            connection,
            id=made.scene_id,
            board=board_id,
            title=title,
            ruleset=ruleset.key,
            edition=ruleset.edition,
            language=opening.language or board.language,
            dialect=opening.dialect or board.dialect,
            dice=_roller(board, opening, ruleset),
            scheme=SCHEME,
            templates=of_scene(connection, board.template, opening.setup),
            setup=store(setup),
            state=store(state),
            awaited=store(awaited),
            awaited_names=store(names_in(ruleset, state, awaited.seats)),
            asks=len(awaited.questions),
            since=world.now(),
            version=1,
            last=0,
            waiting=None,
            created_at=world.now(),
            ended_at=None,
            answer_within=hours,
            **answer._asdict(),
        )
        begin_clock(connection, made.scene_id, answer.answer_by, world.now(), board_id)
        seat_beings(connection, made.scene_id, setup, called)
        add_imported(connection, made.scene_id, before)
        _open_ledger(connection, world, board, opening, made, ruleset, store(setup))
        opened = made.told(key)
        rows = [secret_row(world, opened.gm_secret, Role.GM, board_id, made.scene_id)]
        for seat, secret in opened.seat_secrets.items():
            rows.append(secret_row(world, secret, Role.SEAT, board_id, made.scene_id, seat))
        add_secrets(connection, rows)
        tell_opened(connection, made.scene_id, ruleset, state, world.now())
        remember(connection, this, made, world.now())
    return opened


def _open_ledger(
    connection: Connection,
    world: World,
    board: BoardRead,
    opening: OpenScene,
    made: _Made,
    ruleset: Game,
    setup: str,
) -> None:
    """Publish by what the dice of a new scene are fixed, before the first of them is thrown."""
    beacon = world.beacon if opening.beacon else None
    if opening.beacon and beacon is None:
        raise Malformed(Mistake("beacon", "no_beacon"))
    dice = _roller(board, opening, ruleset)
    hours = board.seal_hours if opening.seal_hours is None else opening.seal_hours
    if dice == Roller.FORUM:  # no turn waits for salts there, and the Master's own dice must not
        hours = 0
    cup = open_cup(
        connection,
        world,
        Ledger.of(connection, made.scene_id, world.now()),
        setup,
        hours,
        None if beacon is None else beacon.chain_hash,
        {
            "dice": dice,
            "ruleset": ruleset.key,
            "edition": ruleset.edition,
            "seats": list(made.seats),
        },
    )
    salts = [Salt(seat, "", None, "") for seat in made.seats]
    cup.set_salts(salts)


def _roller(board: BoardRead, opening: OpenScene, ruleset: Game) -> Roller:
    """Say who rolls in a new scene; raise Malformed for a forum that cannot know which dice."""
    if not ruleset.draws:
        return opening.dice or board.dice
    if opening.dice is Roller.FORUM:
        raise Malformed(Mistake("dice", "dice_follow_dice"))
    return Roller.SERVICE


def list_scenes(
    db: Database,
    principal: Principal,
    board: str | None,
    *,
    after: str | None = None,
    limit: int = 50,
) -> tuple[SceneLine, ...]:
    """List the scenes a principal has to do with, newest first, of one board or of all.

    Members of a board see all of its scenes. ``after`` is the id of the last scene of the page
    before.
    """
    among, boards = principal.scene_ids(), principal.member_of()
    page = max(1, min(limit, MOST_LISTED))
    with db.read() as connection:
        heads = queries.scene_heads(connection, among, boards, after, page, board=board)
        awaited = {head.id: _awaited(connection, principal, head) for head in heads}
    return tuple(
        SceneLine(
            id=head.id,
            board=head.board,
            title=head.title,
            ruleset=head.ruleset,
            version=head.version,
            awaited=awaited[head.id],
            waiting=head.waiting,
            created_at=head.created_at,
            ended_at=head.ended_at,
            answer_by=head.answer_by if head.waiting is None and awaited[head.id].seats else None,
        )
        for head in heads
    )


def read_scene(
    db: Database, principal: Principal, scene_id: str, seat: Seat | None = None
) -> SceneRead:
    """Read a scene as the principal sees it, or as one of the seats it may act as."""
    with db.read() as connection:
        return scene_read(connection, principal, scene_id, seat)


def scene_read(
    connection: Connection, principal: Principal, scene_id: str, seat: Seat | None = None
) -> SceneRead:
    """Read a scene together with more of it, at one moment."""
    scene = found(queries.scene_now(connection, scene_id))
    heads = queries.entry_heads(connection, scene_id)
    last = last_line(connection, scene_id)
    principal = as_cast(principal, scene)
    if seat is not None and not principal.may_act(scene, seat):
        raise NotFound
    eyes = principal.sees_as(scene) if seat is None else seat
    ruleset = game(scene.ruleset)
    every = eyes_of(principal, scene) if seat is None else (seat,)
    view, awaited, seats, has_default = _seen(ruleset, scene, eyes, every)
    deadline = DeadlineRead(
        answer_within=scene.answer_within,
        answer_by=running(scene) if awaited.seats else None,
        has_default=has_default,
    )
    return SceneRead(
        id=scene.id,
        board=scene.board,
        title=scene.title,
        ruleset=scene.ruleset,
        edition=scene.edition,
        current=scene.edition == ruleset.edition,
        language=Language(scene.language),
        dialect=scene.dialect,
        dice=Roller(scene.dice),
        scheme=scene.scheme,
        head="" if last is None else last.head,
        version=scene.version,
        seat=eyes,
        is_gm=principal.is_gm(scene),
        mine=principal.seats(scene_id),
        seats=seats,
        view=view,
        awaited=awaited,
        waiting=scene.waiting,
        entries=entry_lines(heads, every),
        created_at=scene.created_at,
        ended_at=scene.ended_at,
        deadline=deadline,
        templates=read_of_scene(scene.templates),
    )


def read_entry(db: Database, principal: Principal, scene_id: str, number: int) -> EntryRead:
    """Read one entry in full, as far as the principal may know it."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        entry = queries.entry_full(connection, scene_id, number)
        if entry is None:
            raise NotFound
        around = Around.of(connection, scene_id, (entry,))
        proofs = proofs_of(connection, scene, (number,))
    eyes = eyes_of(as_cast(principal, scene), scene)
    return entry_read(game(scene.ruleset), scene, entry, around, eyes, proofs.get(entry.number))


def read_entries(
    db: Database, principal: Principal, scene_id: str, *, after: int = 0, limit: int = 50
) -> tuple[EntryRead, ...]:
    """Read entries in their order, from the one after ``after``, as far as one may know them."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        page = max(1, min(limit, MOST_LISTED))
        entries = queries.entries_full(connection, scene_id, max(0, after), page)
        around = Around.of(connection, scene_id, entries)
        proofs = proofs_of(connection, scene, (entry.number for entry in entries))
    ruleset = game(scene.ruleset)
    eyes = eyes_of(as_cast(principal, scene), scene)
    return tuple(
        entry_read(ruleset, scene, entry, around, eyes, proofs.get(entry.number))
        for entry in entries
    )


def read_span(
    db: Database, principal: Principal, scene_id: str, first: int, last: int
) -> tuple[EntryRead, ...]:
    """Read the entries in a row that can be told as one post, from ``first`` to ``last``.

    What was taken back, or is hidden from the reader, is left out; raises NotFound for a span that
    is none, or that has nothing in it.
    """
    if not 0 < first <= last < first + MOST_TOLD:
        raise NotFound
    entries = read_entries(db, principal, scene_id, after=first - 1, limit=last - first + 1)
    told = tuple(
        one for one in entries if one.kind is EntryKind.ORDER and one.seat and one.voided_by is None
    )
    if not told:
        raise NotFound
    return told


def _linked(roster: tuple[Played, ...]) -> tuple[Seat, ...]:
    """List the seats that get a link: the Master plays the others, or their masters' players do."""
    return tuple(one.seat for one in roster if not one.npc and one.by is None)


def _awaited(connection: Connection, principal: Principal, head: SceneHead) -> Awaited:
    """Tell whose turn it is in a scene of a list, as far as the principal may know."""
    stored = load(Awaited, head.awaited)
    scene = None if principal.is_gm(head) else queries.scene_now(connection, head.id)
    ruleset = game(head.ruleset)
    if scene is None:
        return stored
    try:
        state = load(ruleset.state, scene.state)
    except Malformed:
        if scene.edition == ruleset.edition:
            raise
        return replace(stored, seats=(), blocked=(), questions=())
    return _awaited_by(ruleset, state, eyes_of(as_cast(principal, scene), scene))


def _awaited_by(ruleset: Game, state: Any, eyes: tuple[Seat, ...]) -> Awaited:
    """Tell whose turn it is as far as any of these eyes may know."""
    first, *others = (ruleset.awaits_for(state, seat) for seat in eyes)
    for other in others:
        seen = first.questions
        first = replace(
            first,
            seats=tuple(dict.fromkeys((*first.seats, *other.seats))),
            blocked=tuple(dict.fromkeys((*first.blocked, *other.blocked))),
            # Eyes that see less tell the same question with fewer names.
            questions=tuple({one.id: one for one in (*seen, *other.questions, *seen)}.values()),
        )
    return first


def _seen(
    ruleset: Game, scene: SceneNow, eyes: Seat, every: tuple[Seat, ...]
) -> tuple[Any, Awaited, tuple[Seat, ...], bool]:
    """See a scene through somebody's eyes; one of another edition perhaps only from outside."""
    try:
        state = load(ruleset.state, scene.state)
        cast = roster_of(ruleset, load(ruleset.setup, scene.setup), state)
    except Malformed:
        if scene.edition == ruleset.edition:
            raise
        return None, Awaited(seats=(), ended=True), (), False
    seats = tuple(one.seat for one in cast)
    lapses = ruleset.lapse(state, "") is not None
    return ruleset.view(state, eyes), _awaited_by(ruleset, state, every), seats, lapses

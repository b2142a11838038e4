"""Several turns in one go: those of the Master's characters, or of one player's, that follow.

Each has a short form: one answer to whatever comes at it, one main action, a story. Whatever needs
more is written on the page of its own turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import Response

from app.posts.templates import write_posts
from app.rulesets.guida.offers import Choices
from app.rulesets.guida.terms import Standing
from app.services.entry_shapes import Narration, Ordered, Series
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused, Stale
from app.services.offered import choices_in_a_row
from app.services.run import run
from app.services.scenes import read_scene, read_span
from app.services.shapes import Roller, SceneRead
from app.services.turns import decide_several
from app.web.entries import source_of
from app.web.forms import Nested, at, form_name, rows_at, text_at, whole_of
from app.web.games import PAGES
from app.web.pages import page, see
from app.web.stage import stage_of
from app.web.strip import strip_of
from app.web.troubles import troubles_of
from app.web.turn_blow import pick
from app.web.turn_cards import Card, cards, use_in
from app.web.turn_form import write_turn
from app.web.visit import Here, Id, Number, Visit, version_in
from app.web.written import Written

router = APIRouter()
Form = dict[str, Nested]
MOST: Final = 12
ALIKE: Final = "alike"
ATTACK: Final = "attack:"
STATUS: Final = {Refused: 409, Conflict: 409, Stale: 412}


@dataclass(frozen=True, slots=True)
class Reply:
    """One way to answer: the defence, and what it is made with."""

    value: str
    action: str
    tool: str


@dataclass(frozen=True, slots=True)
class Short:
    """The short form of one turn: whose it is, what may be answered how, whom it may attack."""

    seat: str
    name: str
    offered: Choices
    cards: tuple[tuple[Card, tuple[Reply, ...]], ...]
    blows: tuple[tuple[str, str, str], ...]


def in_a_row(scene: SceneRead) -> tuple[str, ...]:
    """List the seats whose turns follow from now on and whom the reader plays.

    The Master's are those that nobody else plays.
    """
    if scene.ruleset in PAGES or scene.view is None:
        return ()
    if scene.waiting is not None or not scene.current:
        return ()
    people = [one for one in scene.view.combatants if one.standing is Standing.ACTIVE]
    ids = [one.id for one in people]
    if scene.view.next not in ids or scene.view.next not in scene.awaited.seats:
        return ()
    first = ids.index(scene.view.next)
    mine = set(scene.mine) | ({one.id for one in people if one.npc} if scene.is_gm else set())
    return tuple(takewhile(lambda id: id in mine, ids[first:] + ids[:first]))[:MOST]


@router.get("/scenes/{scene_id}/several")
async def write(here: Here, scene_id: Id) -> Response:
    """Show the short forms of the turns that follow."""
    return await _form_page(here, scene_id)


@router.post("/scenes/{scene_id}/several")
async def send(here: Here, scene_id: Id) -> Response:
    """Decide the turns, all of them or none; where one is refused, show the forms as they were."""
    form = await here.form()
    scene = await run(here.db, read_scene, here.principal, scene_id)
    now = in_a_row(scene)
    seats = _chosen(form, now)
    if seats != now[: len(seats)]:  # somebody has decided some of them, or the order is another
        late = troubles_of(Stale(scene.version), here.request)
        return await _form_page(here, scene_id, STATUS[Stale], data=form, troubles=late)
    offered = await run(here.db, choices_in_a_row, here.principal, scene_id, seats)
    written = [_written(form, place, offered[seat]) for place, seat in enumerate(seats)]
    orders = tuple(
        Ordered(
            order=one.order,
            narration=Narration(offensive=text_at(form, f"turns.{place}.story").strip()),
        )
        for place, one in enumerate(written)
    )
    series = Series(
        orders=orders,
        version=version_in(form),
        key=text_at(form, "key"),
        head=text_at(form, "head"),
    )
    try:
        done = await run(here.db, decide_several, here.world, here.principal, scene_id, series)
    except (Malformed, Refused, Conflict, Stale, KeyReused) as error:
        troubles = troubles_of(error, here.request, lambda path: _field(path, written))
        status = STATUS.get(type(error), 422)
        return await _form_page(here, scene_id, status, data=form, troubles=troubles)
    first, last = done.entries[0].number, done.entries[-1].number
    return see(f"/scenes/{scene_id}/joint/{first}/{last}?sent")


@router.get("/scenes/{scene_id}/joint/{first}/{last}")
async def joint(here: Here, scene_id: Id, first: Number, last: Number) -> Response:
    """Show the posts of several entries as one text to paste."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    entries = await run(here.db, read_span, here.principal, scene_id, first, last)
    sources = [source_of(entry, scene) for entry in entries]
    texts = write_posts(sources, scene.dialect)
    return page(
        here,
        "entries/joint.html",
        scene=scene,
        entries=entries,
        stage=stage_of(scene, here.language),
        text=texts[scene.dialect],
        others=[(name, text) for name, text in texts.items() if name != scene.dialect],
        sent="sent" in here.request.query_params,
    )


async def _form_page(
    here: Visit, scene_id: str, status: int = 200, *, data: Form | None = None, **context: Any
) -> Response:
    """Fill the page with the turns that follow now; what was written goes with its seat."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    seats = in_a_row(scene)
    stage = stage_of(scene, here.language)
    left = () if data is None else tuple(_left(data, seats, stage.names))
    if not seats and not (scene.is_gm or scene.mine):
        raise NotFound
    if not seats and not left:
        return see(f"/scenes/{scene_id}")
    offered = {}
    if seats:
        offered = await run(here.db, choices_in_a_row, here.principal, scene_id, seats)
    return page(
        here,
        "turns/several.html",
        status,
        **{
            "scene": scene,
            "stage": stage,
            "strip": strip_of(scene.view, scene.mine),
            "shorts": [_short(seat, stage.names[seat], offered[seat]) for seat in seats],
            "rolled_here": scene.dice is Roller.SERVICE,
            "new_key": here.world.token,
            "data": {} if data is None else _moved(data, seats),
            "left": left,
            **context,
        },
    )


def _written_for(form: Form) -> dict[str, Form]:
    """List the rows of a form by the seats that they were written for."""
    found: dict[str, Form] = {}
    for place in rows_at(form, "turns")[:MOST]:
        row = at(form, f"turns.{place}")
        if isinstance(row, dict) and (seat := text_at(row, "seat")):
            found[seat] = row
    return found


def _moved(form: Form, seats: tuple[str, ...]) -> Form:
    """Put each row of a form where its seat stands now; a form that names no seats stays."""
    rows = _written_for(form)
    if not rows:
        return form
    first = text_at(form, "turns.0.main")
    for seat, row in rows.items():
        if text_at(row, "main") == ALIKE:  # what it is like may stand somewhere else now
            rows[seat] = {**row, "main": first}
    moved: list[Nested] = [rows.get(seat, {}) for seat in seats]
    kept = {name: part for name, part in form.items() if name != "count"}
    return {**(form if tuple(rows) == seats else kept), "turns": moved}


def _left(
    form: Form, seats: tuple[str, ...], names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Give the stories of turns that are no longer to be written, each with its name."""
    for seat, row in _written_for(form).items():
        story = text_at(row, "story").strip()
        if seat not in seats and story:
            yield names.get(seat, seat), story


def _chosen(form: Form, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Take as many of the turns as the form says: those that it names, or else that follow now."""
    count = whole_of(text_at(form, "count"), 2) or 0
    named = tuple(_written_for(form))
    if named and 1 <= count <= len(named):
        return named[:count]
    if not seats or not 1 <= count <= len(seats):
        raise NotFound
    return seats[:count]


def _short(seat: str, name: str, offered: Choices) -> Short:
    return Short(
        seat=seat,
        name=name,
        offered=offered,
        cards=tuple((card, tuple(_replies(card, offered))) for card in cards(offered)),
        blows=tuple(
            (f"{ATTACK}{pick(way.target, way.tool.id)}", way.tool.name, way.target_name)
            for way in offered.attacks
            if way.in_range and not way.blind
        ),
    )


def _replies(card: Card, offered: Choices) -> Iterator[Reply]:
    """List the answers that need no move: each with each tool that it can be made with."""
    for defence in card.defences:
        if defence.action in card.going:
            continue
        if use_in(offered, defence.action) is None or not defence.tools:
            yield Reply(f"{defence.action}/", str(defence.action), "")
            continue
        if any(hand.bare for hand in card.hands if defence.action in hand.actions):
            yield Reply(f"{defence.action}/", str(defence.action), "")
        for tool in defence.tools:
            yield Reply(f"{defence.action}/{quote(tool.id)}", str(defence.action), tool.name)


def _written(form: Nested, place: int, offered: Choices) -> Written:
    """Make the turn of a short form by way of the long one."""
    row = f"turns.{place}"
    answers: dict[str, Nested] = {}
    replies = at(form, f"{row}.reply")
    for id in replies if isinstance(replies, dict) else ():
        action, _, tool = text_at(form, f"{row}.reply.{id}").partition("/")
        if action:
            use = use_in(offered, action) or ""
            answers[id] = {"action": action, "with": {use: tool}, "then": {"aim": "body"}}
    chosen = text_at(form, f"{row}.main")
    if chosen == ALIKE:
        chosen = text_at(form, "turns.0.main")
    main: dict[str, Nested] = {"kind": chosen}
    if chosen.startswith(ATTACK):
        main = {"kind": "attack", "pick": chosen.removeprefix(ATTACK), "aim": "body"}
    long: dict[str, Nested] = {"answers": answers, "main": main}
    return write_turn(long, offered.seat, offered)


def _field(path: str, written: list[Written]) -> str:
    """Lead from a path in the series to the field of the short form that it came from."""
    number, _, rest = form_name(path).removeprefix("orders.").partition(".")
    if not number.isdecimal() or int(number) >= len(written):
        return ""
    part, _, within = rest.partition(".")
    if part != "order":
        return f"turns.{number}.story"
    field = written[int(number)].rename(within)
    if field.startswith("answers."):
        return f"turns.{number}.reply.{field.split('.')[1]}"
    return f"turns.{number}.main"

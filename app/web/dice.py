"""The dice of a scene: by what they are fixed, how they fell, and what is rolled or sealed beside.

Everything on this page but one's own is read from the ledger, so that it is alike to everybody.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.ruleset import GM
from app.engine.seal import SCHEME
from app.engine.text import Reason
from app.http.language import Language
from app.persistence.codec import checked, decode
from app.posts.dialects import render
from app.posts.opening import OpeningSource, opening_blocks
from app.posts.phrases import find, say
from app.services.beacons import late_at
from app.services.dice_shapes import DiceRead, NewCheck
from app.services.errors import STATUS, NotFound
from app.services.extras import promise, read_extras, roll_check, tell
from app.services.proofs import ledger_file, read_ledger
from app.services.rolls import RollTold, read_rolls
from app.services.run import run
from app.services.scenes import read_scene
from app.services.sealing import give_up_beacon, read_dice
from app.services.shapes import Roller, SceneRead
from app.web.forms import Nested, lift, text_at, whole_of
from app.web.orders import REFUSALS
from app.web.pages import page, see
from app.web.stage import stage_of
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Visit

router = APIRouter()
A_PAGE: Final = 20
Form: TypeAlias = dict[str, Nested]
LINES: Final = "application/x-ndjson"


@router.get("/scenes/{scene_id}/dice")
async def show(here: Here, scene_id: Id) -> Response:
    """Show the dice of a scene to whoever has its address."""
    return await _dice_page(here, scene_id, done=here.request.query_params.get("done", ""))


@router.get("/scenes/{scene_id}/ledger.jsonl")
async def download(here: Here, scene_id: Id) -> Response:
    """Hand out the ledger as it stands, byte by byte as it was hashed."""
    ledger = await run(here.db, read_ledger, scene_id)
    if not ledger.lines:
        raise NotFound
    name = f'attachment; filename="arbitro-{scene_id}.jsonl"'
    return Response(ledger_file(ledger), media_type=LINES, headers={"Content-Disposition": name})


@router.post("/scenes/{scene_id}/dice/throw")
async def throw(here: Here, scene_id: Id) -> Response:
    """Throw dice of the Master's, in the open or hidden."""
    form = await here.form()

    async def act() -> int:
        asked: Any = lift(NewCheck, {name: text_at(form, name) for name in NewCheck.__slots__})
        new = decode(NewCheck, asked)
        made = await run(here.db, roll_check, here.world, here.principal, scene_id, new)
        return made.line

    return await _sent(here, scene_id, form, "throw-", act)


@router.post("/scenes/{scene_id}/dice/seal")
async def seal(here: Here, scene_id: Id) -> Response:
    """Seal a declaration of a seat's, or of the Master's."""
    form = await here.form()

    async def act() -> int:
        said = [text_at(form, name) for name in ("seat", "text", "key")]
        made = await run(here.db, promise, here.world, here.principal, scene_id, *said)
        return made.line

    return await _sent(here, scene_id, form, "seal-", act)


@router.post("/scenes/{scene_id}/dice/tell")
async def reveal(here: Here, scene_id: Id) -> Response:
    """Tell what a line has sealed."""
    form = await here.form()
    line = whole_of(text_at(form, "line"))
    if line is None:
        raise NotFound

    async def act() -> int:
        key = text_at(form, "key")
        await run(here.db, tell, here.world, here.principal, scene_id, line, key)
        return line

    return await _sent(here, scene_id, form, "tell-", act)


@router.post("/scenes/{scene_id}/dice/beacon")
async def do_without(here: Here, scene_id: Id) -> Response:
    """Throw the dice that wait for a beacon without it."""
    form = await here.form()

    async def act() -> None:
        reason: str = checked(Reason, text_at(form, "reason"), "reason")
        await run(here.db, give_up_beacon, here.world, here.principal, scene_id, reason)

    return await _sent(here, scene_id, form, "beacon-", act)


async def _sent(
    here: Visit, scene_id: str, form: Form, within: str, act: Callable[[], Awaitable[int | None]]
) -> Response:
    """Do what a form asks for; where it is refused, show the page with the form as it was."""
    try:
        line = await act()
    except REFUSALS as error:
        troubles = troubles_of(error, here.request)
        refused = {"data": form, "failing": within, "troubles": troubles}
        return await _dice_page(here, scene_id, STATUS[type(error)], **refused)
    return see(f"/scenes/{scene_id}/dice" + ("" if line is None else f"?done={line}#done"))


async def _dice_page(here: Visit, scene_id: str, status: int = 200, **context: Any) -> Response:
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if scene.scheme == SCHEME:
        context = {**await _told(here, scene), **context}
    stage = stage_of(scene, here.language)
    return page(
        here,
        "scenes/dice.html",
        status,
        **{"scene": scene, "stage": stage, "new_key": here.world.token, "done": "", **context},
    )


async def _told(here: Visit, scene: SceneRead) -> dict[str, Any]:
    """Gather what the page tells of dice that can be checked."""
    dice = await run(here.db, read_dice, here.principal, scene.id)
    extras = await run(here.db, read_extras, here.principal, scene.id)
    read = await run(here.db, read_rolls, scene.id)
    by_line = {one.line: one for one in read.rolls}
    rolls, older = _page_of(here, [one for one in read.rolls if one.entry is not None])
    may = scene.current and scene.ended_at is None
    own = (*((GM,) if scene.is_gm else ()), *here.principal.held(scene.id))
    return {
        "dice": dice,
        "redone": read.redone,
        "post": render(_opening(here, scene, dice), scene.language, scene.dialect),
        "extras": [(one, by_line.get(one.line)) for one in extras],
        "rolls": rolls,
        "older": older,
        "ready": _ready(dice, here.world.now()),
        "may_throw": may and scene.is_gm,
        "own": own if may else (),
        "spoken": partial(spoken, here.language, scene.ruleset),
        "late_at": (late := late_at(here.world, dice.beacon, dice.beacon_round)),
        "is_late": late is not None and here.world.now() >= late,
    }


def _opening(here: Visit, scene: SceneRead, dice: DiceRead) -> Any:
    return opening_blocks(
        OpeningSource(
            language=scene.language,
            scheme=dice.scheme,
            match=dice.match,
            anchor=dice.anchor if scene.dice is Roller.SERVICE else "",
            head=dice.head,
            key=dice.key,
            where=f"{here.settings.base_url}/verify?scene={scene.id}",
        )
    )


def spoken(language: Language, ruleset: str, label: str) -> str:
    """Say the phase and the action that a label of the rules begins with; names stay as they are.

    A ledger is in no language, so that its labels hold the codes of the rules.
    """
    phase, action, *rest = [*label.split(" ", 2), ""]
    known = find(language, ruleset, "phases", phase) and find(language, ruleset, "actions", action)
    if not known:
        return label
    said = (say(language, ruleset, "phases", phase), say(language, ruleset, "actions", action))
    if phase == action:  # of games whose dice have no modifiers
        return " · ".join(part for part in (said[0], rest[0].removesuffix(" +0")) if part)
    return " · ".join(part for part in (*said, rest[0]) if part)


def _ready(dice: DiceRead, now: datetime) -> bool:
    """Say whether dice can fall now: no salt is awaited, or none is waited for any longer."""
    thrown = dice.rolls + dice.hidden + dice.checks
    awaited = any(one.salt is None for one in dice.seats)
    over = not dice.wait_hours or (dice.until is not None and now >= dice.until)
    return bool(thrown) or not awaited or over


def _page_of(here: Visit, rolls: list[RollTold]) -> tuple[list[RollTold], int]:
    """Pick the rolls of one page, and say before which line those of the next one stand."""
    before = whole_of(here.request.query_params.get("before", ""))
    if before is not None:
        rolls = [one for one in rolls if one.line < before]
    shown = rolls[:A_PAGE]
    return shown, shown[-1].line if len(rolls) > A_PAGE else 0

"""Opening a scene from an old thread: paste its posts, see what was read, complete the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode
from app.posts.thread import MOST_POSTS, Trouble, say_trouble, split_named
from app.posts.thread_drafts import EntrantDraft
from app.services.errors import Malformed
from app.services.run import run
from app.services.scenes import read_scene
from app.services.thread_shapes import ThreadFound, ThreadToRead
from app.services.threads import read_old_posts, read_thread
from app.web.forms import Nested, at, rows_at, text_at
from app.web.opening import Failed, form_context, links_page, opened_from
from app.web.pages import page
from app.web.rows import Row, Rows, change_rows
from app.web.setup_form import SETUP_ROWS, first_texts
from app.web.troubles import Troubles, troubles_of
from app.web.visit import Here, Id, Visit

router = APIRouter()
ROWS: Final[Mapping[str, Rows]] = {"posts": Rows(MOST_POSTS, lambda *_: {"who": "", "text": ""})}


@router.get("/boards/{board_id}/scenes/import")
async def ask(here: Here) -> Response:
    """Ask for the posts of an old thread."""
    empty: Row = {"who": "", "text": ""}
    return await _posts_page(here, {**first_texts(here.world.token()), "posts": [empty]})


@router.post("/boards/{board_id}/scenes/import")
async def take(here: Here) -> Response:
    """Read the posts, change a row of the form, or open the scene that goes on from them."""
    data = await here.form()
    what = text_at(data, "do", "read")
    fresh = ""
    if what in ("posts", "add:posts") or what.startswith("remove:posts."):
        change_rows(data, what, ROWS)
        return await _posts_page(here, data)
    _split(data)
    try:
        thread = decode(ThreadToRead, {"posts": _posts(data)})
        found = await run(here.db, read_thread, here.principal, here.board, thread)
    except Malformed as error:
        return await _posts_page(here, data, 422, troubles_of(error, here.request))
    if what == "read":
        _fill(data, found)
    elif what == "open":
        opened = await opened_from(here, data, _posts(data))
        if not isinstance(opened, Failed):
            return await links_page(here, data, opened)
        return await _setup_page(here, data, found, failed=opened)
    else:
        fresh = change_rows(data, what, SETUP_ROWS)
    return await _setup_page(here, data, found, fresh=fresh)


@router.get("/scenes/{scene_id}/thread")
async def show(here: Here, scene_id: Id) -> Response:
    """Show the posts from before a scene, as they were, with their marks."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    posts = await run(here.db, read_old_posts, here.principal, scene_id)
    return page(here, "scenes/thread.html", scene=scene, posts=posts, said=_said(here))


async def _posts_page(
    here: Visit, data: dict[str, Nested], status: int = 200, troubles: Troubles | None = None
) -> Response:
    return page(
        here,
        "scenes/_old_posts.html" if here.partly else "scenes/import.html",
        status,
        **await form_context(here, data),
        address=f"{here.at_board}/scenes/import",
        troubles=troubles or Troubles(),
        found=None,
        rest=[(name, text) for name, text in _fields(data) if not name.startswith("posts.")],
    )


async def _setup_page(
    here: Visit,
    data: dict[str, Nested],
    found: ThreadFound,
    *,
    fresh: str = "",
    failed: Failed | None = None,
) -> Response:
    context = await form_context(here, data)
    return page(
        here,
        "scenes/_new.html" if here.partly else "scenes/import.html",
        failed.status if failed else 200,
        **context,
        address=f"{here.at_board}/scenes/import",
        fresh=fresh,
        troubles=failed.troubles if failed else Troubles(),
        found=found,
        thread=_posts(data),
        all_fields=list(_fields(data)),
        said=_said(here),
    )


def _said(here: Visit) -> Any:
    def said(trouble: Trouble) -> str:
        return say_trouble(here.language, trouble)

    return said


def _fields(tree: Nested, name: str = "") -> Iterator[tuple[str, str]]:
    """Give every text of a form under its name, to be sent along; not what was to be done."""
    if isinstance(tree, str):
        if name != "do":
            yield name, tree
    else:
        for key, one in tree.items() if isinstance(tree, dict) else enumerate(tree):
            # Boxes that are ticked under one name have no places of their own.
            ticked = isinstance(tree, list) and isinstance(one, str)
            yield from _fields(one, name if ticked else f"{name}.{key}" if name else str(key))


def _posts(data: dict[str, Nested]) -> list[dict[str, str]]:
    rows = [f"posts.{index}" for index in rows_at(data, "posts")]
    return [{"who": text_at(data, f"{at}.who"), "text": text_at(data, f"{at}.text")} for at in rows]


def _split(data: dict[str, Nested]) -> None:
    """Make a row of its own of each post that stands with others in one, and drop empty rows."""
    data["posts"] = [
        {"who": who, "text": part}
        for one in _posts(data)
        for who, part in split_named(one["who"], one["text"])
    ]


def _fill(data: dict[str, Nested], found: ThreadFound) -> None:
    """Fill the combatants in as far as the posts tell; what was typed of others stays."""
    typed = at(data, "entrants")
    rows = [one for one in typed if isinstance(one, dict)] if isinstance(typed, list) else []
    known = {text_at(row, "sheet.name").casefold(): row for row in rows}
    made: list[Nested] = [
        _filled(known.get(draft.sheet.name.casefold(), {}), draft) for draft in found.entrants
    ]
    lacking = range(len(made), 2)  # a scene has two at least
    made += [
        {"id": f"p{number + 1}", "team": "AB"[number], "~from": "here", "sheet": {}}
        for number in lacking
    ]
    data["entrants"] = made


def _filled(row: Row, draft: EntrantDraft) -> Row:
    sheet = at(row, "sheet")
    known: Row = dict(sheet) if isinstance(sheet, dict) else {}
    told = {"name": draft.sheet.name, "link": draft.sheet.link}
    told |= _texts(max_hp=draft.sheet.max_hp, max_ep=draft.sheet.max_ep)
    stats: Row = {
        name: str(getattr(draft.sheet.stats, name))
        for name in ("strength", "dexterity", "constitution", "intelligence")
    }
    return {
        **row,
        "id": draft.id,
        "team": text_at(row, "team", draft.team),
        "~from": "here",
        "sheet": {**known, **{name: text for name, text in told.items() if text}, "stats": stats},
        **_texts(hp=draft.hp, ep=draft.ep),
        "~stacks": {one.stack.value: str(one.count) for one in draft.stacks},
        "~points": {one.stat.value: f"{one.points:+}" for one in draft.points},
    }


def _texts(**numbers: int | None) -> dict[str, str]:
    return {name: str(number) for name, number in numbers.items() if number is not None}

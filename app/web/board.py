"""The board, to its owner: who may do what, and how the Guida is read here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode, encode
from app.posts.dialects import DIALECTS
from app.rulesets import RULESETS
from app.services.boards import SETTINGS, change_board, read_board
from app.services.errors import Malformed, NotFound, Refused
from app.services.games import board_types
from app.services.run import run
from app.services.shapes import (
    BoardChanges,
    Joining,
    Language,
    Openers,
    Roller,
)
from app.web.board_form import (
    TABLES,
    option_fields,
    rename,
    shown_regulation,
    stat_bonus_choices,
    write_options,
    write_regulation,
)
from app.web.board_texts import SETTING_NAMES, SETTING_VALUES
from app.web.forms import Nested, lift, shown, text_at
from app.web.pages import RULESET, page, see
from app.web.sheet_form import CHOICES
from app.web.texts import translated
from app.web.troubles import Troubles, troubles_of
from app.web.visit import Here, Visit

router = APIRouter()


@router.get("/boards/{board_id}/settings")
async def show(here: Here) -> Response:
    """Show the settings to the owner."""
    board = await run(here.db, read_board, here.board)
    texts: Any = {name: shown(str(getattr(board, name))) for name in SETTINGS}
    texts["options"] = shown(encode(board.options[RULESET]))
    texts["regulation"] = shown_regulation(shown(encode(board.regulation[RULESET])))
    return _form_page(here, texts, saved="saved" in here.request.query_params)


@router.post("/boards/{board_id}/settings")
async def change(here: Here) -> Response:
    """Change the settings that new scenes copy."""
    form = await here.form()
    read: Any = lift(BoardChanges, {name: text_at(form, name) for name in SETTINGS})
    read["name"] = text_at(form, "name")  # an empty one is no name, and not one left as it is
    read["options"] = {RULESET: write_options(form, RULESET)}
    read["regulation"] = {RULESET: write_regulation(form)}
    try:
        changes = decode(BoardChanges, read)
        await run(here.db, change_board, here.world, here.principal, here.board, changes)
    except (Malformed, Refused) as error:
        return _form_page(here, form, 422, troubles=troubles_of(error, here.request, rename))
    return see(f"{here.at_board}/settings?saved")


def _form_page(
    here: Visit,
    data: dict[str, Nested],
    status: int = 200,
    *,
    saved: bool = False,
    troubles: Troubles | None = None,
) -> Response:
    if not here.principal.is_owner(here.board):
        raise NotFound
    return page(
        here,
        "board/edit.html",
        status,
        data=data,
        saved=saved,
        troubles=troubles or Troubles(),
        game=RULESET,
        with_options=[game for game in RULESETS if "options" in board_types(game)],
        options=option_fields(here.language, RULESET),
        tables=TABLES,
        categories=CHOICES["category"],
        bonuses=stat_bonus_choices(here.language),
        languages=tuple(Language),
        dialects=tuple(DIALECTS),
        rollers=tuple(Roller),
        names={name: translated(here.language, text) for name, text in SETTING_NAMES.items()},
        openers=_choices(here.language, "openers", Openers),
        joinings=_choices(here.language, "joining", Joining),
    )


def _choices(speech: str, setting: str, values: Iterable[str]) -> list[tuple[str, str]]:
    """List what a setting may be, each with what it is called."""
    return [(str(one), translated(speech, SETTING_VALUES[setting, str(one)])) for one in values]

"""The board, to its owner: how each of the other games is read here."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.catalogue import books
from app.persistence.codec import decode, encode
from app.services.boards import change_board, read_board
from app.services.errors import Malformed, NotFound, Refused
from app.services.games import board_types
from app.services.run import run
from app.services.shapes import BoardChanges
from app.web.board_form import option_fields, rename, write_options
from app.web.forms import Nested, shown
from app.web.pages import RULESET, page, see
from app.web.troubles import Troubles, troubles_of
from app.web.visit import Here, Id, Visit

router = APIRouter()


@router.get("/boards/{board_id}/games/{game}")
async def show(here: Here, game: Id) -> Response:
    """Show the owner the options of a game."""
    _known(here, game)
    board = await run(here.db, read_board, here.board)
    texts: Any = {"options": shown(encode(board.options[game]))}
    return _form_page(here, game, texts, saved="saved" in here.request.query_params)


@router.post("/boards/{board_id}/games/{game}")
async def change(here: Here, game: Id) -> Response:
    """Change the options that new scenes of a game copy."""
    _known(here, game)
    form = await here.form()
    try:
        changes = decode(BoardChanges, {"options": {game: write_options(form, game)}})
        await run(here.db, change_board, here.world, here.principal, here.board, changes)
    except (Malformed, Refused) as error:
        troubles = troubles_of(error, here.request, partial(rename, ruleset=game))
        return _form_page(here, game, form, 422, troubles=troubles)
    return see(f"{here.at_board}/games/{game}?saved")


def _known(here: Visit, game: str) -> None:
    """Raise NotFound for anybody but the owner, and for a game without options of its own.

    Those of the Guida stand on the board's first page, beside its numbers.
    """
    if not here.principal.is_owner(here.board) or game not in books() or game == RULESET:
        raise NotFound
    if "options" not in board_types(game):
        raise NotFound


def _form_page(
    here: Visit,
    game: str,
    data: dict[str, Nested],
    status: int = 200,
    *,
    saved: bool = False,
    troubles: Troubles | None = None,
) -> Response:
    return page(
        here,
        "board/game.html",
        status,
        ruleset=game,
        game=game,
        book=books()[game],
        data=data,
        saved=saved,
        troubles=troubles or Troubles(),
        options=option_fields(here.language, game),
    )

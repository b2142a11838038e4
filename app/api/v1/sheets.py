"""Stored sheets, which scenes copy when they are opened."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer, tag
from app.api.operations import operation
from app.api.parameters import KEYED, BoardId, Key, SheetId, Version
from app.api.parts import part
from app.api.v1.answers import SheetList
from app.api.v1.bodies import ChangedSheet, NewSheet
from app.services import sheets
from app.services.shapes import (
    SheetRead,
)

router: Final = part("sheets")


@router.get("/boards/{board_id}/sheets")
@operation(SheetList, refuses=("not_found",))
async def list_sheets(here: Here, board_id: BoardId) -> Response:
    """List the stored sheets."""
    found = await here.run(sheets.list_sheets, here.principal, board_id)
    return answer(SheetList(sheets=found))


@router.post("/boards/{board_id}/sheets", status_code=201)
@operation(SheetRead, body=NewSheet, status=201, refuses=("not_found", "key_reused"))
async def add_sheet(here: Here, board_id: BoardId, key: Key) -> Response:
    """Store a new sheet."""
    new = await here.read(NewSheet)
    kept = await here.run(
        sheets.add_sheet,
        here.world,
        here.principal,
        board_id,
        new.sheet,
        key,
        ruleset=new.ruleset,
        model=new.model,
        template=new.template,
        sources=new.sources,
    )
    where = {"Location": f"/api/v1/sheets/{kept.id}"}
    return answer(kept, 201, {**tag(kept.version), **where})


@router.get("/sheets/{sheet_id}")
@operation(SheetRead)
async def read_sheet(here: Here, sheet_id: SheetId) -> Response:
    """Read a stored sheet."""
    kept = await here.run(sheets.read_sheet, here.principal, sheet_id)
    return answer(kept, headers=tag(kept.version))


@router.put("/sheets/{sheet_id}", dependencies=[KEYED])
@operation(SheetRead, body=ChangedSheet)
async def replace_sheet(here: Here, sheet_id: SheetId, version: Version) -> Response:
    """Replace a stored sheet."""
    new = await here.read(ChangedSheet)
    kept = await here.run(
        sheets.save_sheet,
        here.world,
        here.principal,
        sheet_id,
        new.sheet,
        version,
        model=new.model,
        template=new.template,
        sources=new.sources,
    )
    return answer(kept, headers=tag(kept.version))

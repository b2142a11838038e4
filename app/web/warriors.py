"""The warriors of Warrior Dice as pages: their tables, their duels, a workshop for one's own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app.http.aside import aside, at_length
from app.persistence.codec import decode
from app.rulesets.warrior_dice.design import Points, points_of
from app.rulesets.warrior_dice.printed import PRINTED
from app.rulesets.warrior_dice.sheet import Warrior
from app.rulesets.warrior_dice.terms import Battlefield
from app.services import duels
from app.services.duel_shapes import DesignQuestion, DuelOdds, DuelQuestion, Matchup
from app.services.errors import Malformed, NotFound, Refused
from app.web.forms import Nested, text_at
from app.web.odds import percent
from app.web.pages import page
from app.web.texts import marked, translated
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Visit
from app.web.warrior_form import WHATS, Written, blank_design, write_design

router = APIRouter()
STEPS: Final = 10  # shades of the heat map from bad to good, besides the even one
GROUPS: Final = (
    (marked("Core warriors"), "WD-T1", 20),
    (marked("Lord of the Rings"), "WD-T21", 13),
    (marked("Warhammer Fantasy"), "WD-T34", 2),
    (marked("Slayer Dice"), "WD-T36", 12),
    (marked("Shadow Warriors"), "WD-T48", 4),
)
FIELDS: Final = (
    marked("Beach: every Attack −10"),
    marked("Alley: bystanders may end it"),
    marked("Warehouse: every Defence +10"),
    marked("Corporate Boardroom: no All Out attacks"),
    marked("Place of Darkness: every Attack +10"),
    marked("Unholy Site: one Defence of 40 may heal"),
    marked("Opera House: every Defence −10"),
    marked("Rocky Ground: every Force −10"),
    marked("Parking Garage: bystanders may end it"),
    marked("Nexus to the Shadow Realm: every Force doubled"),
)
BEGINS: Final = (
    ("roll", marked("the starting roll decides")),
    ("first", marked("the first one")),
    ("second", marked("the second one")),
)
assert len(FIELDS) == len(Battlefield)


@router.get("/warriors")
async def index(here: Here) -> Response:
    """Show every printed warrior with its table."""
    everybody = await aside(duels.roster)
    groups = []
    at = 0
    for title, _, count in GROUPS:
        groups.append((translated(here.language, title), everybody[at : at + count]))
        at += count
    return page(here, "warriors/index.html", groups=groups, share=_share(here))


@router.get("/warriors/matrix")
async def matrix(here: Here) -> Response:
    """Show the chances of every printed warrior against every other as a heat map."""
    found = await aside(duels.matrix)
    names = {one.id: one for one in await aside(duels.roster)}
    rows = [
        (names[id], [(round(chance * 100), shade(chance)) for chance in row])
        for id, row in zip(found.warriors, found.wins, strict=True)
    ]
    heads = [names[id] for id in found.warriors]
    return page(here, "warriors/matrix.html", rows=rows, heads=heads, share=_share(here))


@router.get("/warriors/matrix.csv")
async def matrix_csv() -> Response:
    """Give the same as a table for spreadsheets."""
    head = {"Content-Disposition": 'attachment; filename="warriors.csv"'}
    text = await aside(duels.matrix_csv)
    return Response(text, headers=head, media_type="text/csv; charset=utf-8")


@router.get("/warriors/duel")
async def duel(here: Here) -> Response:
    """Ask for two warriors, and show what becomes of their duel."""
    asked = here.request.query_params
    chosen = {name: asked.get(name, "") for name in ("first", "second", "battlefield", "begins")}
    best = asked.get("best", "") == "1"
    found: DuelOdds | None = None
    error: Malformed | Refused | None = None
    if chosen["first"] and chosen["second"]:
        try:
            found = await at_length(duels.duel_odds, _question(chosen, best=best))
        except (Malformed, Refused) as refused:
            error = refused
    status = 200 if error is None else 422 if isinstance(error, Malformed) else 409
    return page(
        here,
        "warriors/duel.html",
        status,
        data=chosen,
        asked=chosen,
        best=best,
        found=found,
        bars=_bars(found) if found else (),
        roster=await aside(duels.roster),
        fields=[(str(n), f"{n} {translated(here.language, t)}") for n, t in enumerate(FIELDS, 1)],
        begins=[(code, translated(here.language, text)) for code, text in BEGINS],
        share=_share(here),
        **({"troubles": troubles_of(error, here.request)} if error else {}),
    )


@router.get("/warriors/design")
async def design(here: Here) -> Response:
    """Show the workshop, with a printed warrior to begin from."""
    id = here.request.query_params.get("from", "samurai")
    if id not in PRINTED:
        raise NotFound
    return _workshop(here, blank_design(PRINTED[id].sheet))


@router.post("/warriors/design")
async def try_design(here: Here) -> Response:
    """Check a design, and hold it against every printed warrior."""
    data = await here.form()
    written = write_design(data)
    try:
        sheet = decode(Warrior, written.sheet, "sheet")
    except Malformed as error:
        return _workshop(here, data, written, error=error)
    try:
        found = await at_length(duels.matchups, DesignQuestion(sheet=sheet))
    except (Malformed, Refused) as error:
        return _workshop(here, data, written, error=error, points=points_of(sheet))
    return _workshop(here, data, written, points=points_of(sheet), found=found)


@router.get("/warriors/{warrior_id}")
async def show(here: Here, warrior_id: Id) -> Response:
    """Show one warrior, and how it does against every other."""
    return page(
        here,
        "warriors/show.html",
        one=await aside(duels.warrior, warrior_id),
        matchups=await aside(duels.matchups_of, warrior_id),
        english={id: one.english for id, one in PRINTED.items()},
        share=_share(here),
    )


def shade(chance: Fraction) -> int:
    """Give the shade of a chance, from 0 for a sure defeat to ``STEPS`` for a sure victory."""
    return round(chance * STEPS)


def _share(here: Visit) -> Callable[[Fraction], str]:
    """Give what writes a chance in the reader's language."""
    return lambda chance: percent(chance, here.language)


def _question(chosen: dict[str, str], *, best: bool) -> DuelQuestion:
    field = chosen["battlefield"]
    return decode(
        DuelQuestion,
        {
            "first": {"kind": "printed", "warrior": chosen["first"]},
            "second": {"kind": "printed", "warrior": chosen["second"]},
            "battlefield": int(field) if field.isascii() and field.isdecimal() else None,
            "begins": chosen["begins"] or "roll",
            "best_choices": best,
        },
    )


def _bars(found: DuelOdds) -> tuple[tuple[int, float], ...]:
    """Give every turn with its height in hundredths of the most likely one."""
    most = max(found.ends, default=Fraction(1)) or 1
    return tuple(
        (turn, float(round(100 * one / most, 1))) for turn, one in enumerate(found.ends, 1)
    )


def _workshop(
    here: Visit,
    data: dict[str, Nested],
    written: Written | None = None,
    *,
    error: Malformed | Refused | None = None,
    points: Points | None = None,
    found: tuple[Matchup, ...] = (),
) -> Response:
    status = 200 if error is None else 422 if isinstance(error, Malformed) else 409
    more = {}
    if error is not None and written is not None:
        more["troubles"] = troubles_of(error, here.request, written.rename)
    return page(
        here,
        "warriors/design.html",
        status,
        data=data,
        name=text_at(data, "name"),
        whats=[(code, translated(here.language, text)) for code, text in WHATS],
        points=points,
        matchups=found,
        mean=sum((one.win for one in found), Fraction(0)) / max(1, len(found)),
        english={id: one.english for id, one in PRINTED.items()},
        share=_share(here),
        **more,
    )

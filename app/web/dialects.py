"""How each forum's post looks: one small sample, written in every format that a board may have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.dice import Address, Roll
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.http.language import Language
from app.posts.blocks import Block, Field, Heading, Prose, RegisterLine, SheetLink, Title
from app.posts.dialects import DIALECTS, render
from app.posts.label import write_die
from app.posts.phrases import say
from app.rulesets.guida.terms import Action, Phase
from app.services.boards import read_board
from app.services.patterns import has_pattern
from app.services.run import run
from app.web.pages import RULESET, page
from app.web.texts import marked, translated
from app.web.visit import Here

router = APIRouter()
# What a sample tells: a story with a smiley and a number in brackets, which forums like to spoil.
STORY: Final = marked("He leaps from the roof (it is 8) and strikes! :)")
TOOL: Final = marked("Sharp Claws")
_ASKED: Final = Asked(
    address=Address(0),
    sides=12,
    phase=Phase.OFFENSIVE,
    action=Action.ATTACK,
    actor="Hollow",
    targets=("Quincy",),
    items=(),
    tally=Tally(
        (
            Term("GC-4.6", "distance", Fraction(2), name="0–5 m"),
            Term("GC-4.23", "aim_limbs", Fraction(-1)),
            Term("GC-4.33", "dexterity", Fraction(6)),
        )
    ),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """One format with its sample; ``automatic`` says that its dice are read without a sample."""

    key: str
    text: str
    tagged: bool
    automatic: bool


@router.get("/boards/{board_id}/dialects")
async def show(here: Here) -> Response:
    """Show a sample post in every format; the board's own is marked."""
    board = await run(here.db, read_board, here.board)
    blocks = sample(here.language)
    return page(
        here,
        "board/dialects.html",
        chosen=board.dialect,
        taught=await run(here.db, has_pattern, here.board),
        shown=[
            Shown(
                key=key,
                text=render(blocks, here.language, key),
                tagged=dialect.tag is not None,
                automatic=dialect.verified,
            )
            for key, dialect in DIALECTS.items()
        ],
    )


def sample(language: Language) -> tuple[Block, ...]:
    """Write the sample: a header, a story, a die that the forum is to roll, and a fallen one."""
    asked = replace(_ASKED, items=(translated(language, TOOL),))
    fallen = (Roll(asked.address, asked.sides, 8),)
    vitals = {"hp": 85, "max_hp": 100}
    return (
        Title("Hollow"),
        SheetLink(say(language, RULESET, "post", "sheet_link"), "https://forum.example/?t=1"),
        Field(
            say(language, RULESET, "post", "hp"), say(language, RULESET, "post", "hp_value", vitals)
        ),
        Heading(say(language, RULESET, "post", "register")),
        RegisterLine(say(language, RULESET, "post", "nothing_changed")),
        Heading(say(language, RULESET, "phases", Phase.OFFENSIVE)),
        Prose(translated(language, STORY)),
        write_die(language, RULESET, asked, None, live=True),
        write_die(language, RULESET, asked, fallen, live=False),
    )

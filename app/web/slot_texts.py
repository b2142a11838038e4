"""What stands in each slot of a template, in words."""

from __future__ import annotations

from typing import Final

from app.web.texts import marked

_TITLE = marked("the name of this phase")
_WHOLE = marked("the whole phase: story, dice and outcomes together")
_STORY = marked("the story of this phase, with the dice that stand in it")
_DICE = marked("the dice of this phase that do not stand in the story, line by line")
_FOUND = marked("what came of it, line by line")

SLOT_TEXTS: Final = {
    "nome": marked("the character's name"),
    "scheda": marked("the link to the sheet"),
    "titolo_pv": marked("the words “Hit points”"),
    "pv": marked("hit points, such as 72/100"),
    "titolo_pe": marked("the words “Energy points”"),
    "pe": marked("energy points, such as 41/60"),
    "statistiche": marked("the stats, line by line: a name and a value"),
    "titolo_registro": marked("the word “Register”"),
    "registro": marked("the register, line by line"),
    **{
        name: text
        for phase in ("iniziale", "difensiva", "offensiva")
        for name, text in (
            (f"titolo_{phase}", _TITLE),
            (phase, _WHOLE),
            (f"narrazione_{phase}", _STORY),
            (f"dadi_{phase}", _DICE),
            (f"esiti_{phase}", _FOUND),
        )
    },
    "verbale": marked("who rolled, and how the dice can be checked, line by line"),
}

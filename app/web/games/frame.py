"""What a game brings to the pages: its set-up, its state at a glance, and what a seat decides.

The frame is the same for every game that has a record of this kind: opening a scene, its page with
the history, the page on which a seat decides, the Master's page, entries, posts and dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from app.http.language import Language
from app.web.forms import Nested
from app.web.rows import Rows
from app.web.texts import marked
from app.web.written import Written

Form: TypeAlias = dict[str, Nested]
Context: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Deed:
    """What an order of the Master's is called, and what comes of it: both message ids."""

    title: str
    does: str


def no_wait(does: str) -> Deed:
    """Say what is decided for whoever is not waited for."""
    return Deed(marked("Wait no longer"), does)


DEEDS: Final[Mapping[str, Deed]] = {
    "pause": Deed(
        marked("Pause the scene"),
        marked("Until you resume it nobody decides anything, and no deadline runs."),
    ),
    "resume": Deed(
        marked("Resume the scene"),
        marked("It goes on where it stood, and whoever was awaited is awaited again."),
    ),
    "close": Deed(
        marked("Close the scene"),
        marked("It ends at once. Nobody wins, unless somebody has won already."),
    ),
    "set_value": Deed(
        marked("Set a value"),
        marked("It puts right what was counted wrong; from now on the new value counts."),
    ),
    "deadline": no_wait(
        marked("Whatever is awaited is decided as the rules say for whoever does not answer.")
    ),
}


def findings_tell(_order: Any, _names: Mapping[str, str], _language: Language) -> tuple[str, ...]:
    """Leave it to the findings of an entry to say what was ordered."""
    return ()


def press_nothing(_form: Form, _what: str) -> None:
    """Do nothing for a button: a set-up without buttons of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePages:
    """One game on the pages; templates are named below ``templates``, ``name`` is a message id.

    ``first_setup`` fills a new set-up form, ``setup_rows`` are its rows that come and go,
    ``press_setup`` does what another button of it says, and ``write_setup`` makes the set-up of
    what was filled in. ``glance`` and ``glance_template`` show
    a view; ``names`` gives the name of each seat in it. ``order_template`` has a form for each
    thing that ``offered`` lets a seat decide, ``write_order`` makes the order of the form that was
    sent; ``told`` tells an order that has come to light, line by line, where findings do not.
    ``sets`` are the words for what the Master may set to a value by hand; ``deeds`` are orders of
    the Master's that are called otherwise than in other games, each under its kind.
    Contexts are of the game alone; the frame adds what it has in common with others.
    """

    key: str
    name: str
    setup_template: str
    first_setup: Callable[[], Form]
    setup_rows: Mapping[str, Rows]
    setup_context: Callable[[Form, Language], Context]
    write_setup: Callable[[Form], Written]
    press_setup: Callable[[Form, str], None] = press_nothing
    names: Callable[[Any], Mapping[str, str]]
    glance_template: str
    glance: Callable[[Any, Language], Context]
    order_template: str
    order_context: Callable[[Any, Any, Language], Context]
    write_order: Callable[[Form, str, Any], Written]
    told: Callable[[Any, Mapping[str, str], Language], tuple[str, ...]] = findings_tell
    sets: tuple[str, ...] = ()
    deeds: Mapping[str, Deed] = field(default_factory=dict)

    def deed(self, kind: str) -> Deed | None:
        """Say what an order of the Master's is called, and what comes of it."""
        return self.deeds.get(kind) or DEEDS.get(kind)

"""What the use cases need to know of a game, read off its record and its types.

Beyond the record there are a few habits that every ruleset keeps: a set-up lists its seats as
``entrants``, each with an ``id``; an entrant may hold a ``sheet``; a set-up's ``options`` and
``regulation`` are the board's; an order says in ``by`` who gives it, and in ``reason`` why.
The first of a ruleset's orders is its turn: what a player posts when it is theirs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, TypeAlias, get_args, get_type_hints

from app.catalogue import read_once
from app.engine.ruleset import GM, Played, Ruleset, Seat
from app.persistence.codec import Malformed as Damaged
from app.persistence.codec import checked, decode, load, union_of
from app.rulesets import RULESETS
from app.services.access import InScene, Principal
from app.services.errors import Malformed, Mistake, NotFound

Game: TypeAlias = Ruleset[Any, Any, Any]

OF_THE_BOARD: Final = ("options", "regulation")


def game(key: str) -> Game:
    """Find a ruleset; raise NotFound for one that is not played here."""
    ruleset = RULESETS.get(key)
    if ruleset is None:
        raise NotFound
    return ruleset


def known_game(key: str, field: str) -> Game:
    """Find the ruleset that a client named in a field; raise Malformed for an unknown one."""
    if key not in RULESETS:
        raise Malformed(Mistake(field, "unknown_choice", {"choices": tuple(RULESETS)}))
    return RULESETS[key]


def read_kept(ruleset: Game, wanted: type[Any], text: str, edition: str) -> Any:
    """Read what a scene keeps; None for what another edition kept and this one cannot read.

    Raises Malformed where it was this edition that kept it.
    """
    try:
        return load(wanted, text)
    except Damaged:
        if edition == ruleset.edition:
            raise
        return None


def seats_of(setup: Any) -> tuple[Seat, ...]:
    """List the seats of a scene as it begins."""
    return tuple(entrant.id for entrant in setup.entrants)


def roster_of(ruleset: Game, setup: Any, state: Any) -> tuple[Played, ...]:
    """List the seats of a scene as it stands, and who plays each."""
    return ruleset.roster(state) or tuple(Played(seat=seat) for seat in seats_of(setup))


@read_once
def board_types(ruleset_key: str) -> dict[str, Any]:
    """Tell what a game's set-up takes from the board, and of which types."""
    hints = get_type_hints(RULESETS[ruleset_key].setup, include_extras=True)
    return {name: hints[name] for name in OF_THE_BOARD if name in hints}


@read_once
def sheet_type(ruleset_key: str) -> Any:
    """Tell of which type the sheets of a game are; None for a game without sheets."""
    entrants = get_type_hints(RULESETS[ruleset_key].setup)["entrants"]
    return get_type_hints(get_args(entrants)[0], include_extras=True).get("sheet")


def read_order(ruleset: Game, order: object, at: str = "order") -> Any:
    """Read an order of a game from JSON data, or hold one that was made in code to its bounds."""
    wanted = union_of(ruleset.orders)
    if isinstance(order, ruleset.orders):
        return checked(wanted, order, at)
    return decode(wanted, order, at)


def signed(order: Any, principal: Principal, scene: InScene, *, as_gm: bool = False) -> Any:
    """Fill in who gives an order, where that was left open; raise NotFound for another's seat."""
    if not order.by:
        seats = principal.held(scene.id)
        if as_gm or (not seats and principal.is_gm(scene)):
            return replace(order, by=GM)
        if len(seats) != 1:
            raise (Malformed(Mistake("order.by", "missing")) if seats else NotFound())
        return replace(order, by=seats[0])
    if not principal.may_act(scene, order.by):
        raise NotFound
    return order


def act_of(order: Any) -> str:
    """Name the kind of an order."""
    kind = getattr(order, "kind", "")
    return kind if isinstance(kind, str) else ""


def reason_of(order: Any) -> str:
    """Give the public reason of an order, if it has one."""
    reason = getattr(order, "reason", "")
    return reason if isinstance(reason, str) else ""

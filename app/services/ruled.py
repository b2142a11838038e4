"""What the Master decided in a scene, told to whoever plays there and may know of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from app.engine.ruleset import GM, SPECTATOR, Seat, Veil
from app.persistence.queries_reviews import authors
from app.services.access import Principal
from app.services.called import name_in
from app.services.games import act_of
from app.services.notices import CLOSE, LAPSES, Teller, Telling
from app.services.sight import veil_over

UNTOLD: Final = (*LAPSES, CLOSE)
"""Orders of the Master that are told otherwise: a deadline that has passed, the end of a scene."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """An entry that was just added, as far as others are told of it.

    ``seat`` is whose it is, ``veils`` what of it may not be known; ``voids`` and ``before`` name
    the entry that it takes back, or stands in front of.
    """

    number: int
    order: Any
    seat: Seat
    veils: tuple[Veil, ...]
    reason: str
    voids: int | None = None
    before: int | None = None


def concerns_others(entered: Entered, principal: Principal, scene_id: str) -> bool:
    """Say whether an entry is more than what a player decides for a seat of their own."""
    if entered.order is None or entered.before is not None:
        return True
    return entered.order.by not in principal.seats(scene_id)


def tell_entered(
    teller: Teller, entered: Entered, principal: Principal, lost: tuple[int, ...]
) -> None:
    """Tell what was decided and taken back, and whose approval is ``lost``, to all but the doer."""
    told = _Telling(teller, principal.secrets())
    asked = lost if entered.voids is None else (*lost, entered.voids)
    whose = authors(teller.connection, teller.scene.id, asked)
    if entered.voids is not None:
        told.taken_back(entered, whose[entered.voids])
    elif concerns_others(entered, principal, teller.scene.id) and (how := told.how(entered)):
        told.ruled(entered, how)
    for number in lost:
        told.lost(number, whose[number], entered.number)


@dataclass(frozen=True, slots=True)
class _Telling:
    """Tells everybody but those whose keys the doer holds."""

    teller: Teller
    doer: frozenset[str]

    def how(self, entered: Entered) -> str:
        """Say how the Master decided: by an order, in front of an entry, in a player's place.

        Whoever plays for a seat that nobody else holds takes nobody's place.
        """
        by = entered.order.by
        if by == GM and act_of(entered.order) in UNTOLD:
            return ""
        if entered.before is not None:
            return "amendment"
        if by == GM:
            return "order"
        holders = [key.id for key, seats in self.teller.players().items() if by in seats]
        return "in_place" if holders and self.doer.isdisjoint(holders) else ""

    def ruled(self, entered: Entered, how: str) -> None:
        """Tell what the Master decided."""
        order = entered.order
        facts: dict[str, str | int] = {
            "how": how,
            "act": act_of(order),
            "choice": _text(order, "choice") if order.by == GM else "",
            "number": entered.number,
            "before": entered.before or 0,
            "reason": entered.reason,
        }
        about = _text(order, "combatant") or _text(order, "target")
        about = about or _text(getattr(order, "entrant", None), "id")
        seats = {"who": order.by, "about": "" if how == "in_place" else about}
        self._all(Telling.RULED, entered.veils, facts, seats)

    def taken_back(self, entered: Entered, author: Seat) -> None:
        """Tell which entry no longer counts, and why; of a player's own doing the Master too."""
        facts: dict[str, str | int] = {"number": entered.voids or 0, "reason": entered.reason}
        self._all(Telling.TAKEN_BACK, entered.veils, facts, {"who": author})
        if entered.seat != GM:
            named = self._named(GM, {"who": author})
            self.teller.tell(Telling.TAKEN_BACK, (GM,), unless=self.doer, **facts, **named)

    def lost(self, number: int, author: Seat, cause: int) -> None:
        """Tell author and Master that a turn has to be looked over again."""
        facts: dict[str, str | int] = {"number": number, "cause": cause}
        for key, seats in self.teller.players().items():
            if author in seats and key.id not in self.doer:
                who = self._named(author, {"who": author})
                self.teller.tell_key(Telling.APPROVAL_LOST, key, author, **facts, **who)
        who = self._named(GM, {"who": author})
        self.teller.tell(Telling.APPROVAL_LOST, (GM,), unless=self.doer, **facts, **who)

    def _all(
        self,
        kind: Telling,
        veils: tuple[Veil, ...],
        facts: dict[str, str | int],
        seats: dict[str, Seat],
    ) -> None:
        """Tell every player, and the whole board, who may know all of an entry."""
        for key, eyes in self.teller.players().items():
            if key.id not in self.doer and _knows(veils, eyes):
                named = self._named(eyes[0], seats)
                self.teller.tell_key(kind, key, eyes[0], **facts, **named)
        if _knows(veils, (SPECTATOR,)):
            self.teller.tell_board(kind, ("",), **facts, **self._named(SPECTATOR, seats))

    def _named(self, eye: Seat, seats: dict[str, Seat]) -> dict[str, str]:
        """Name seats as one sees them; the Master has no name."""
        view = self.teller.ruleset.view(self.teller.state, eye)
        return {
            fact: name_in(view, seat) if seat not in ("", GM) else ""
            for fact, seat in seats.items()
        }


def _knows(veils: Iterable[Veil], eyes: tuple[Seat, ...]) -> bool:
    veil = veil_over(veils, eyes)
    return veil is None or not (veil.author or veil.story)


def _text(order: Any, field: str) -> str:
    found = getattr(order, field, "")
    return found if isinstance(found, str) else ""

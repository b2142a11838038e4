"""What the ledger says of an entry: in the open, or sealed where not everybody may know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from app.engine.dice import Address, Roll
from app.engine.numbers import spelled
from app.engine.ruleset import GM, Asked, Seat, Veil
from app.engine.seal import turn_digest
from app.persistence.codec import write_json
from app.persistence.queries_ledger import sealed
from app.services.cup import Cup, Thrown

Json: TypeAlias = dict[str, Any]

_PLACES: Final = 100
"""More than the rules have places; a die beside another one stands as far behind it."""


def in_ledger(address: Address) -> Address:
    """Give the place that a die has in a ledger: one of its own.

    There a place has dice of one size, while rules put dice of several sizes beside one another.
    It follows from the die's own address alone, so that dropping one die never moves another.
    """
    if address.place >= _PLACES:
        raise ValueError(f"the place of a die is below {_PLACES}, not {address.place}")
    return Address(address.place + _PLACES * address.index)


def dice_told(asked: Sequence[Asked], rolls: Sequence[Roll], *, drawn: bool = False) -> list[Json]:
    """Write dice as a ledger has them: one item for each place, in their order.

    Dice that were ``drawn`` keep the places and indices that the rules gave them.
    """
    labels = {one.address: one for one in asked}
    places: dict[int, list[tuple[Asked, Roll]]] = {}
    for roll in sorted(rolls, key=lambda roll: roll.address):
        place = (roll.address if drawn else in_ledger(roll.address)).place
        places.setdefault(place, []).append((labels[roll.address], roll))
    free: Json = {"count": 0, "faces": []}
    return [
        _item(places[place]) if place in places else free
        for place in range(max(places, default=-1) + 1)
    ]


def _item(dice: Sequence[tuple[Asked, Roll]]) -> Json:
    asked, first = dice[0]
    rolls = [roll for _, roll in dice]
    if len({roll.sides for roll in rolls}) > 1:
        raise ValueError(f"a place has dice of one size, unlike {first.address}")
    item: Json = {
        "label": label_of(asked),
        "count": len(rolls),
        "sides": first.sides,
        "faces": [roll.face for roll in rolls],
    }
    if any(roll.tagged for roll in rolls):
        item["tagged"] = [str(roll.tagged.declared) for roll in rolls if roll.tagged is not None]
    return item


def label_of(asked: Asked) -> str:
    """Say what a die is for, in no language."""
    words = [asked.phase, asked.action, asked.actor]
    if asked.targets:
        words += [">", *asked.targets]
    return " ".join([*(word for word in words if word), spelled(asked.tally.total, sign=True)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Entering:
    """An entry on its way into the ledger; ``order`` and ``narration`` are as they are stored."""

    number: int
    order: str | None
    narration: str | None
    seat: Seat
    act: str
    veils: tuple[Veil, ...] = ()
    saw: str = ""
    voids: int | None = None
    before: int | None = None
    corrects: int | None = None
    reason: str = ""

    @property
    def request(self) -> str:
        """Give the order as it was asked for, byte by byte; of a correction only the story."""
        if self.corrects is not None:
            return f'{{"narration":{self.narration}}}'
        return f'{{"order":{self.order},"narration":{self.narration or "null"}}}'

    def into(
        self, cup: Cup, asked: Sequence[Asked], thrown: Thrown | None = None, waits: str = ""
    ) -> None:
        """Add the line of the entry: of a declared one, of one with dice, or of any other."""
        if self.voids is not None:
            whose = {} if self.seat == GM else {"seat": self.seat}
            self._add(cup, "void", {"reason": self.reason, **whose}, {"voids": self.voids})
        elif self.corrects is not None:
            self._add(cup, "correct", self.told(cup), {"corrects": self.corrects})
        elif waits:
            awaited = cup.row.beacon_round if waits != "forum" else None
            self._add(cup, "accept", self.told(cup), {"waits": waits, "round": awaited})
        elif self.before is not None:
            self._add(cup, "amend", self.told(cup), {"before": self.before})
        elif thrown is None:
            self._add(cup, "order", self.told(cup), {})
        elif thrown.secret is not None:
            dice = dice_told(asked, thrown.rolls, drawn=thrown.drawn)
            hide(cup, {**self.told(cup), "dice": dice}, thrown, self.number, self.saw)
            if not self.veils:
                open_last(cup)
        else:
            dice = dice_told(asked, thrown.rolls, drawn=thrown.drawn)
            self._add(cup, "roll", self.told(cup), {**thrown.fields, "dice": dice})

    def told(self, cup: Cup) -> Json:
        """Give what its line tells of an order."""
        turn = turn_digest(cup.match, self.number, self.request)
        act = {"act": self.act} if self.act else {}
        return {"seat": self.seat, **act, "turn": turn, "request": self.request}

    def _add(self, cup: Cup, kind: str, told: Json, fields: Json) -> None:
        """Add a line that tells everything, or seals what somebody may not know."""
        fields = {**fields, "saw": self.saw or None}
        if not self.veils:
            cup.ledger.add(kind, self.number, **told, **fields)
        else:
            seal(cup, kind, told, fields, entry=self.number)


def seal(
    cup: Cup,
    kind: str,
    secret: Json,
    told: Json,
    *,
    seat: Seat = GM,
    entry: int | None = None,
    secret_of_roll: str | None = None,
) -> int:
    """Add a line that seals one part of what it is about and tells another."""
    nonce = cup.world.noise()
    return cup.ledger.add_sealed(
        kind, write_json(secret), nonce, seat=seat, entry=entry, secret=secret_of_roll, told=told
    )


def hide(cup: Cup, secret: Json, thrown: Thrown, entry: int | None, saw: str = "") -> int:
    """Add the line of a hidden roll."""
    told = {**thrown.fields, "saw": saw or None}
    return seal(cup, "hidden", secret, told, entry=entry, secret_of_roll=thrown.secret)


def open_last(cup: Cup) -> None:
    """Tell at once what the newest line has sealed, since everybody may know it after all."""
    *_, last = sealed(cup.connection, cup.match, closed=True)
    cup.ledger.open(last)


def hides(veils: Sequence[Veil]) -> bool:
    """Say whether somebody may not know of dice, or of who decided at all."""
    return any(one.author or one.dice for one in veils)

"""The dice cup of a scene: which seed the next roll has, and when it may be thrown (pbf1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection

from app.engine.dice import Address, Dice, Roll
from app.engine.ruleset import GM
from app.engine.seal import (
    LINKS,
    SCHEME,
    check_match,
    hidden_commitment,
    hidden_secret,
    key_print,
    mix_of,
    roll_key,
    seed_of,
    top_seed,
)
from app.persistence import queries_ledger as queries
from app.persistence.queries_ledger import Salt, SceneDice
from app.services.errors import Conflict
from app.services.ledger import Ledger
from app.services.world import World

BATCH: Final = 64
"""How many secrets for hidden rolls are committed to at once."""

Wanted: TypeAlias = Iterable[tuple[Address, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrown:
    """Dice as they fell, and what the ledger says of the throw; a hidden one has its ``secret``.

    ``drawn`` says that they fell one after the other, as the rules asked for them.
    """

    rolls: tuple[Roll, ...]
    fields: dict[str, Any]
    secret: str | None = None
    drawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A throw whose dice are fixed and have not been looked at: what throws them, what is told."""

    dice: Dice
    fields: dict[str, Any]
    secret: str | None = None

    def throw(self, wanted: Wanted) -> Thrown:
        """Look at dice, each by its address and its sides."""
        rolls = tuple(Roll(at, sides, self.dice.face(at, sides)) for at, sides in wanted)
        return Thrown(rolls=rolls, fields=self.fields, secret=self.secret)


@dataclass(slots=True)
class Cup:
    """The dice of one scene, in the transaction in which they are thrown."""

    connection: Connection
    world: World
    ledger: Ledger
    row: SceneDice
    _salts: tuple[Salt, ...] | None = None

    @classmethod
    def of(cls, connection: Connection, world: World, scene: str, now: datetime) -> Cup | None:
        """Find the dice of a scene; None for one whose dice cannot be checked."""
        found = queries.standing(connection, scene)
        if found.dice is None:
            return None
        ledger = Ledger.after(connection, scene, now, found.last)
        return cls(connection, world, ledger, found.dice, found.salts)

    @property
    def match(self) -> str:
        """Give the id by which the scene is named in every digest."""
        return self.ledger.scene_id

    @property
    def salts(self) -> tuple[Salt, ...]:
        """List what the seats have given, by seat."""
        if self._salts is None:
            self._salts = queries.salts(self.connection, self.match)
        return self._salts

    def set_salts(self, rows: Iterable[Salt]) -> None:
        """Put what seats have given in the place of what they gave before."""
        queries.set_salts(self.connection, self.match, rows)
        self._salts = None

    def begin(self, beacon: str = "", signature: str | None = None) -> Begun:
        """Begin the next roll of the chain, whose dice nobody can know before."""
        number = self.row.rolls + 1
        seed = self._seed(self.match, self.row.noise, number)
        key = roll_key(seed, self.match, number, self._mix(), beacon)
        self.move(rolls=number, frozen=True)
        fields = {"r": number, "seed": seed.hex(), "beacon": beacon, "signature": signature}
        return Begun(dice=self.world.dice(key), fields=fields)

    def throw_check(self, wanted: Wanted) -> Thrown:
        """Throw the next roll of the second chain, which burns none of the first."""
        number = self.row.checks + 1
        match = check_match(self.match)
        seed = self._seed(match, self.row.secret_noise, number)
        key = roll_key(seed, match, number, self._mix())
        self.move(checks=number, frozen=True)
        fields = {"r": number, "seed": seed.hex(), "beacon": ""}
        return Begun(dice=self.world.dice(key), fields=fields).throw(wanted)

    def begin_hidden(self) -> Begun:
        """Begin a roll by a secret of its own, so that its faces can stay sealed."""
        number = self.row.hidden + 1
        if number > self.row.committed:
            self.commit()
        secret = self._secret(number)
        key = roll_key(secret, self.match, number, self._mix())
        self.move(hidden=number, frozen=True)
        return Begun(dice=self.world.dice(key), fields={"q": number}, secret=secret.hex())

    def _secret(self, number: int) -> bytes:
        return hidden_secret(self._master(), self.match, self.row.secret_noise, number)

    def commit(self) -> None:
        """Commit to more secrets for hidden rolls."""
        first = self.row.committed + 1
        self.ledger.add("batch", hidden=self.commitments(first), **{"from": first})
        self.move(committed=self.row.committed + BATCH)

    def commitments(self, first: int = 1) -> list[str]:
        """Make the commitments to the next secrets."""
        numbers = range(first, first + BATCH)
        return [hidden_commitment(self.match, one, self._secret(one)) for one in numbers]

    def redo(self, why: str) -> None:
        """Begin anew with another chain, before the first roll."""
        noise = self.world.noise()
        self.move(noise=noise, anchor=self._anchor(noise), redone=True)
        self.ledger.add("redo", anchor=self.row.anchor, why=why)

    def move(self, **values: Any) -> None:
        """Note where the dice have come to."""
        queries.move_dice(self.connection, self.match, **values)
        self.row = self.row._replace(**values)

    def _seed(self, match: str, noise: bytes, number: int) -> bytes:
        if number > self.row.links:
            raise Conflict("dice_used_up")
        top = top_seed(self._master(), match, noise)
        return seed_of(match, top, number, self.row.links)

    def _anchor(self, noise: bytes) -> str:
        return self._seed(self.match, noise, 0).hex()

    def _master(self) -> bytes:
        key = self.world.keys.get(self.row.key_name)
        # A key of the same name that is another would roll on, and spoil the ledger for good.
        if key is None or key_print(key, self.match) != self.row.key_print:
            raise Conflict("dice_key_lost")
        return key

    def _mix(self) -> bytes:
        return mix_of({row.seat: row.salt for row in self.salts if row.salt is not None})


def open_cup(
    connection: Connection,
    world: World,
    ledger: Ledger,
    payload: str,
    wait_hours: int,
    beacon: str | None,
    told: Mapping[str, object],
) -> Cup:
    """Fix the dice of a new scene by the current master key, and begin its ledger.

    ``payload`` is the set-up, which the first line seals; what is ``told`` stands in it.
    """
    name, key = world.keys.current_key()
    row = SceneDice(
        key_name=name,
        key_print=key_print(key, ledger.scene_id),
        noise=world.noise(),
        secret_noise=world.noise(),
        anchor="",
        links=LINKS,
        wait_hours=wait_hours,
        beacon=beacon,
        rolls=0,
        hidden=0,
        committed=BATCH,
        checks=0,
        frozen=False,
        redone=False,
        since=None,
        beacon_round=None,
    )
    cup = Cup(connection, world, ledger, row)
    cup.row = row._replace(anchor=cup._anchor(row.noise))
    queries.add_dice(connection, ledger.scene_id, cup.row)
    opening = {
        "scheme": SCHEME,
        "match": cup.match,
        "anchor": cup.row.anchor,
        "links": LINKS,
        "key": name,
        "wait_hours": wait_hours,
        "beacon": beacon,
        "checks": cup._seed(check_match(cup.match), row.secret_noise, 0).hex(),
        "hidden": cup.commitments(),
    }
    ledger.add_sealed("open", payload, world.noise(), seat=GM, told={**opening, **told})
    return cup

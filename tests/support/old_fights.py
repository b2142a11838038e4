"""Fights as earlier code decided them, to be held against what today's code makes of them.

`python -m tests.support.old_fights` records them anew, which only a new edition of a game may need.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from app.engine.dice import RecordedDice, Roll
from app.engine.findings import Finding
from app.persistence.codec import load, store, union_of
from app.rulesets import RULESETS
from tests.property.many_fights import fight
from tests.unit.battle_dice.games import battle_of
from tests.unit.combat_dice.games import play as combat_of
from tests.unit.warrior_dice.play import any_duel

FOLDER: Final = Path(__file__).resolve().parents[1] / "integration" / "old_fights"
RANDOM: Final[dict[str, Any]] = {
    "guida": lambda seed: fight(seed).steps,
    "battle_dice": battle_of,
    "combat_dice": combat_of,
    "warrior_dice": any_duel,
}
SEEDS: Final = {
    "guida": (3, 5, 8),
    "battle_dice": (2, 7),
    "combat_dice": (4, 9),
    "warrior_dice": (1, 6),
}


@dataclass(frozen=True)
class OldFight:
    """A fight: the game's edition, its first state, and each decision with what came of it.

    A decision is the stored order, the stored dice, and the digest of state and findings after it.
    """

    game: str
    edition: str
    first: str
    decided: tuple[tuple[str, str, str], ...]


def digest_of(state: Any, findings: tuple[Finding, ...]) -> str:
    """Give 16 hex digits that stand for a state and for what was found on the way to it."""
    told = json.dumps([store(state), store(tuple(findings))])
    return sha256(told.encode()).hexdigest()[:16]


def played_again(old: OldFight) -> Iterator[tuple[str, str]]:
    """Play a fight again from its record; give each digest as it was, and as it is now."""
    ruleset = RULESETS[old.game]
    state = load(ruleset.state, old.first)
    for order, rolls, digest in old.decided:
        dice = RecordedDice(load(tuple[Roll, ...], rolls))
        done = ruleset.resolve(state, load(union_of(ruleset.orders), order), dice)
        state = done.state
        yield digest, digest_of(state, done.findings)


def _record(game: str, seed: int) -> OldFight:
    ruleset = RULESETS[game]
    steps: list[Any] = list(RANDOM[game](seed))
    orders = union_of(ruleset.orders)
    return OldFight(
        game,
        ruleset.edition,
        store(steps[0].before),
        tuple(
            (
                store(one.order, orders),
                store(tuple(one.rolls)),
                digest_of(one.after, tuple(one.findings)),
            )
            for one in steps
        ),
    )


def read_old_fight(path: Path) -> OldFight:
    """Read a recorded fight."""
    return load(OldFight, gzip.decompress(path.read_bytes()).decode())


def record() -> None:
    """Write every fight of the list."""
    for game, seeds in SEEDS.items():
        for seed in seeds:
            path = FOLDER / f"{game}_{seed}.json.gz"
            path.write_bytes(gzip.compress(store(_record(game, seed)).encode(), mtime=0))


if __name__ == "__main__":
    record()

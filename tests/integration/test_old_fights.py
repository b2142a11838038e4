"""A fight that was decided before is the same under today's code, whatever was changed in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rulesets import RULESETS
from tests.support.old_fights import FOLDER, played_again, read_old_fight

FIGHTS = sorted(FOLDER.glob("*.json.gz"))


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.name.partition(".")[0])
def test_an_old_fight_comes_out_as_it_did(path: Path) -> None:
    old = read_old_fight(path)
    assert old.edition == RULESETS[old.game].edition, "a new edition needs fights of its own"
    assert len(old.decided) >= 5
    for number, (was, now) in enumerate(played_again(old), 1):
        assert now == was, f"decision {number} comes out otherwise: is this another edition?"


def test_every_game_has_old_fights() -> None:
    assert {read_old_fight(path).game for path in FIGHTS} == set(RULESETS)

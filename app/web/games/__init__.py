"""The games that share one frame of pages, by key; the Guida has pages of its own."""

from __future__ import annotations

from typing import Final

from app.web.games.battle_dice import BATTLE_DICE
from app.web.games.combat_dice import COMBAT_DICE
from app.web.games.frame import GamePages
from app.web.games.warrior_dice import WARRIOR_DICE

PAGES: Final[dict[str, GamePages]] = {
    one.key: one for one in (WARRIOR_DICE, COMBAT_DICE, BATTLE_DICE)
}

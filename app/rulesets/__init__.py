"""The games, by key: the only place that names them all."""

from __future__ import annotations

from typing import Any, Final

from app.engine.ruleset import Ruleset
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.guida.game import GUIDA
from app.rulesets.warrior_dice.game import WARRIOR_DICE

# A ruleset is generic over its own types; whoever looks one up by key does not know them.
RULESETS: Final[dict[str, Ruleset[Any, Any, Any]]] = {
    GUIDA.key: GUIDA,
    WARRIOR_DICE.key: WARRIOR_DICE,
    COMBAT_DICE.key: COMBAT_DICE,
    BATTLE_DICE.key: BATTLE_DICE,
}

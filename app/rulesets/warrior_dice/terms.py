"""The words of Warrior Dice: one enumeration for each list that the rules give."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a result of a face is; specials count on the side they are paid for (WD-3, WD-47)."""

    ADDER = "adder"
    DOUBLER = "doubler"
    ATTACK = "attack"
    DEFENCE = "defence"


class Special(StrEnum):
    """A result without a Force of its own (WD-4, WD-23 to WD-32)."""

    ALL_OUT = "all_out"
    NEUTRALIZE = "neutralize"
    NEUTRALIZE_SELF = "neutralize_self"
    REGAIN = "regain"
    NO_DAMAGE = "no_damage"


class Side(StrEnum):
    """What a final result counts as (WD-11, WD-12, WD-74)."""

    ATTACK = "attack"
    DEFENCE = "defence"
    LOST = "lost"


class Phase(StrEnum):
    """The parts of a turn, in their order; bystanders come before it (WD-9, WD-72)."""

    BYSTANDERS = "bystanders"
    ATTACK = "attack"
    DEFENCE = "defence"
    DAMAGE = "damage"


class Result(StrEnum):
    """How a turn ended."""

    TURN = "turn"
    ENDS_DEFENCE = "turn_ends_defence"
    ENDS_HEAL = "turn_ends_heal"
    LOST = "attack_lost"
    NEUTRALIZED_SELF = "neutralized_self"
    SKIPPED = "skipped"
    NO_WINNER = "battle_ends_no_winner"
    DEFEATED = "defeated"
    YIELDED = "yielded"


class Ending(StrEnum):
    """How a duel ended (WD-6, WD-62, WD-72, WD-A6, WD-A8)."""

    DEFEAT = "defeat"
    YIELD = "yield"
    RESIGNATION = "resignation"
    BYSTANDERS = "bystanders"
    TURN_CAP = "turn_cap"
    AGREED_DRAW = "agreed_draw"
    CLOSED = "closed"


class Stage(StrEnum):
    """Where a duel stands."""

    OPENING = "opening"
    FIGHT = "fight"
    AFTERMATH = "aftermath"
    OVER = "over"


class Keep(StrEnum):
    """Which die of a Doubler is kept (WD-A9)."""

    BEST = "best"
    FIRST = "first"
    SECOND = "second"
    ASK = "ask"


class FaceOrder(StrEnum):
    """Which option of a face is used that has several (WD-39, WD-D3)."""

    BEST = "best"
    FIRST = "first"
    ASK = "ask"


class ReforgeOrder(StrEnum):
    """When Narsil is reforged (WD-37)."""

    NEVER = "never"
    AT_ONCE = "at_once"
    AT_HITS = "at_hits"


class YieldOrder(StrEnum):
    """What answers an offer to yield (WD-61)."""

    NEVER = "never"
    ALWAYS = "always"
    ASK = "ask"


class TradeOrder(StrEnum):
    """When a Defence is given up on the Unholy Site (WD-76)."""

    NEVER = "never"
    IF_LOST_20 = "if_lost_20"
    ALWAYS = "always"
    ASK = "ask"


class Pace(StrEnum):
    """How far one post carries the duel."""

    COUNTED = "counted"
    UNTIL_DECISION = "until_decision"
    TO_THE_END = "to_the_end"


class Buy(StrEnum):
    """What 10 XP buy (WD-52)."""

    RAISE = "raise"
    HITS = "hits"
    NEW_ATTACK = "new_attack"
    NEW_DEFENCE = "new_defence"


class DuelValue(StrEnum):
    """What the Master may set by hand."""

    HITS = "hits"


class Battlefield(StrEnum):
    """Where a duel takes place, in the order of the die (WD-71 to WD-80)."""

    BEACH = "beach"
    ALLEY = "alley"
    WAREHOUSE = "warehouse"
    BOARDROOM = "boardroom"
    DARKNESS = "darkness"
    UNHOLY_SITE = "unholy_site"
    OPERA_HOUSE = "opera_house"
    ROCKY_GROUND = "rocky_ground"
    PARKING_GARAGE = "parking_garage"
    NEXUS = "nexus"

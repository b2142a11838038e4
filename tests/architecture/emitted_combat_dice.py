"""Keys of Combat Dice that are variables where they are made, and what they may be."""

from app.rulesets.combat_dice import tables

# Rows without modifiers never become the term of a sum.
_EQUIPMENT = (
    *(str(one) for one, row in tables.WEAPONS.items() if row.change),
    *(f"{one}_armor" for one, row in tables.ARMORS.items() if row.change),
    *(f"{one}_shield" for one, row in tables.SHIELDS.items() if row.change),
    *(str(one) for one, row in tables.ATTACK_SPELLS.items() if row.change),
    *(str(one) for one in tables.SKILLS),
)
_CONDITIONS = (
    *("shield_spell", "hurt_arm", "hurt_leg", "break_armor"),
    *("disarmed", "knockdown", "grappled", "escalation"),
)
VARIABLES = {
    ("equipment", "tally_modifiers"): (*_EQUIPMENT, *_CONDITIONS),
    ("scores", "_turned"): (*(str(one) for one in tables.CONVERSIONS), "two_weapon_style"),
}

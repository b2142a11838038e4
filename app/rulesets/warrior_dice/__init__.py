"""Warrior Dice: two warriors, one ten-sided die each, and whoever is down first has lost."""

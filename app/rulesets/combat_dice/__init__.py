"""Combat Dice: two fighters, six symbols, five phases a turn."""

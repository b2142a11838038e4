"""How far one post carries a duel: its own turn, those that are missed, and more at a fast pace."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.engine.dice import Dice
from app.engine.findings import Finding
from app.engine.ruleset import Asked, Resolution
from app.rulesets.warrior_dice.state import Duel, Midway
from app.rulesets.warrior_dice.telling import answer
from app.rulesets.warrior_dice.terms import Pace, Stage
from app.rulesets.warrior_dice.turn import play_turn
from app.rulesets.warrior_dice.waiting import asking

MOST_OF_A_POST: Final = 2_000  # dice; after a turn that brings them to so many the post ends


def play_post(duel: Duel, dice: Dice, reforge: bool) -> Resolution[Duel]:
    """Play a turn with an attack, and whatever follows it without another post."""
    left = duel.turns_per_post if duel.pace is Pace.COUNTED else duel.options.turn_cap
    return _run(duel, dice, Midway(reforge=reforge, left=left))


def go_on(duel: Duel, dice: Dice, choice: str) -> Resolution[Duel]:
    """Go on with a paused turn, now that it has its answer."""
    midway, asked = duel.midway, asking(duel)
    if midway is None or asked is None:
        raise ValueError("nothing is asked; check comes first")
    answers = (*midway.answers, (asked.point, choice))
    played = _run(duel, dice, replace(midway, answers=answers, asking=None))
    told = answer(asked, choice, duel.turn + 1)
    return Resolution(played.state, (told, *played.findings), played.drawn)


def _run(duel: Duel, dice: Dice, midway: Midway) -> Resolution[Duel]:
    findings: list[Finding] = []
    drawn: list[Asked] = []
    left, played = midway.left, 0
    while duel.stage is Stage.FIGHT:
        missed = not midway.faces and bool(duel.who(duel.next).skip)
        if not missed and left == 0:
            break
        # WD-A7: a missed turn awaits nobody, is recorded at once and takes no post.
        done = play_turn(replace(duel, midway=Midway() if missed else midway), dice, played)
        duel = done.state
        findings += done.findings
        drawn += done.drawn
        played += 1
        if duel.midway is not None or len(drawn) >= MOST_OF_A_POST:
            break
        if not missed:
            left -= 1
            midway = Midway(left=left)
    return Resolution(duel, tuple(findings), tuple(drawn))

"""What a seat may see of a duel: everything but the standing orders of somebody else."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.glance import Figure, Glance, Shown
from app.engine.ruleset import GM, SPECTATOR, Played, Said, Seat, Veil
from app.rulesets.warrior_dice.campaign import value_of
from app.rulesets.warrior_dice.faces import options_on
from app.rulesets.warrior_dice.ground import named
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import StandingOrders
from app.rulesets.warrior_dice.sheet import FACES, FaceOption, Warrior
from app.rulesets.warrior_dice.state import Asking, Duel, Fighter
from app.rulesets.warrior_dice.terms import Battlefield, Ending, Pace, Stage
from app.rulesets.warrior_dice.waiting import asking, up_next


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterView:
    """A fighter as a seat sees it; ``standing`` is None for another's (WD-A9).

    ``table`` lists what each face shows now, ``points`` the value at the start, ``now`` that of
    today's sheet.
    """

    id: str
    name: str
    warrior: Warrior
    table: tuple[FaceOption, ...]
    hits: int
    start_hits: int
    points: int
    now: int
    skip: int
    reforged: bool
    unholy_used: bool
    ready: bool
    earned: int
    xp_due: bool
    reform_due: bool
    killed: bool
    banished: bool
    standing: StandingOrders | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingAfter:
    """What a campaign keeps of a fighter: its sheet with XP, and what became of it (WD-64, WD-67).

    ``grown`` goes into the set-up of its next duel beside the sheet (WD-A1).
    """

    id: str
    warrior: Warrior
    points_before: int
    points: int
    earned: int
    killed: bool
    banished: bool
    grown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelOutcome:
    """How a duel ended, and with what sheets both leave it."""

    ending: Ending
    winner: str
    turns: int
    beings: tuple[BeingAfter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelView:
    """A duel as a seat sees it; ``asking`` is what a paused turn waits for.

    ``fallen`` are the dice of a paused turn so far; ``outcome`` is there when the duel is over.
    """

    stage: Stage
    options: DuelOptions
    shadow: bool
    battlefield: Battlefield | None
    pace: Pace
    turns_per_post: int
    turn: int
    next: str
    fighters: tuple[FighterView, ...]
    asking: Asking | None
    fallen: tuple[int, ...]
    draw_offered: str
    paused: bool
    ending: Ending | None
    winner: str
    outcome: DuelOutcome | None


def view(duel: Duel, seat: Seat) -> DuelView:
    """Give what a seat may see."""
    return DuelView(
        stage=duel.stage,
        options=duel.options,
        shadow=duel.shadow,
        battlefield=None if duel.battlefield is None else named(duel.battlefield),
        pace=duel.pace,
        turns_per_post=duel.turns_per_post,
        turn=duel.turn,
        next=up_next(duel) if duel.stage is Stage.FIGHT else "",
        fighters=tuple(_seen(duel, one, seat) for one in duel.fighters),
        asking=asking(duel),
        fallen=duel.midway.faces if duel.midway else (),
        draw_offered=duel.draw_offered,
        paused=duel.paused,
        ending=duel.ending,
        winner=duel.winner,
        outcome=outcome(duel),
    )


def glance(seen: DuelView) -> Glance:
    """Pick the hits that each fighter has left (WD-6)."""
    return Glance(
        people=tuple(
            Shown(
                id=one.id,
                name=one.name,
                figures=(Figure(key="hits", value=one.hits, most=one.start_hits),),
                out=one.hits <= 0,
            )
            for one in seen.fighters
        ),
        winners=(seen.winner,) if seen.winner else (),
    )


def outcome(duel: Duel) -> DuelOutcome | None:
    """Give the record that outlives a duel, None while it is not over."""
    if duel.ending is None or duel.stage is not Stage.OVER:
        return None
    return DuelOutcome(
        ending=duel.ending,
        winner=duel.winner,
        turns=duel.turn,
        beings=tuple(
            BeingAfter(
                id=one.id,
                warrior=one.warrior,
                points_before=one.points,
                points=value_of(duel.options, one.warrior),
                earned=one.earned,
                killed=one.killed,
                banished=one.banished,
            )
            for one in duel.fighters
        ),
    )


def veils(before: Duel, after: Duel, author: Seat, _said: Said) -> tuple[Veil, ...]:
    """Hide an order that sets standing orders from whoever else looks on (WD-A9)."""
    if not before.has(author) or before.who(author).standing == after.who(author).standing:
        return ()
    others = (before.other(author).id, SPECTATOR)
    return tuple(Veil(seat=seat, story=True) for seat in others)


def roster(duel: Duel) -> tuple[Played, ...]:
    """List the two seats (WD-1)."""
    return tuple(Played(seat=one.id) for one in duel.fighters)


def _seen(duel: Duel, one: Fighter, seat: Seat) -> FighterView:
    return FighterView(
        id=one.id,
        name=one.name,
        warrior=one.warrior,
        table=tuple(
            option for face in range(1, FACES + 1) for option in options_on(duel.options, one, face)
        ),
        hits=one.hits,
        start_hits=one.start_hits,
        points=one.points,
        now=value_of(duel.options, one.warrior),
        skip=one.skip,
        reforged=one.reforged,
        unholy_used=one.unholy_used,
        ready=one.ready,
        earned=one.earned,
        xp_due=one.xp_due,
        reform_due=one.reform_due,
        killed=one.killed,
        banished=one.banished,
        standing=one.standing if seat in (one.id, GM) else None,
    )

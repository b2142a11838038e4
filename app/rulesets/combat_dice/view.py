"""What a seat may see: everything but sealed orders, and what of them has not come out yet."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.glance import Figure, Glance, Shown
from app.engine.ruleset import GM, SPECTATOR, Said, Seat, Veil
from app.engine.tally import Tally
from app.rulesets.combat_dice.equipment import tally_modifiers
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.orders import CombatOrder, CombatOrders
from app.rulesets.combat_dice.scores import scores_of, tally_dice
from app.rulesets.combat_dice.state import PLACES, Combat, CombatDie, CombatFighter, CombatOutcome
from app.rulesets.combat_dice.terms import Action, Condition, Score, Spell, Stage, Weapon


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreModifier:
    """What changes one score, with its sources (CD-45)."""

    score: Score
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatFighterView:
    """A fighter as everybody sees it: ``posted`` says that sealed orders are in."""

    id: str
    name: str
    fighter: CombatFighter
    condition: Condition
    basic_dice: Tally
    modifiers: tuple[ScoreModifier, ...]
    posted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatRollView:
    """What lies on the table in a turn that waits for an answer.

    Only what shows in the roll is told of the orders: weapon, spell, adrenaline. Policies and
    answers stay sealed until they are carried out.
    """

    fighter: str
    weapon: Weapon
    spell: Spell | None
    adrenaline: int
    dice: tuple[CombatDie, ...]
    pair: tuple[int, ...]
    scores: tuple[int, ...]
    action: Action | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatView:
    """A combat as one seat sees it; ``own`` are the orders that the seat itself has sealed."""

    seat: Seat
    options: CombatOptions
    stage: Stage
    turn: int
    ranged: int
    quiet: int
    fighters: tuple[CombatFighterView, ...]
    table: tuple[CombatRollView, ...]
    first: str | None
    own: CombatOrders | None
    draws: tuple[str, ...]
    outcome: CombatOutcome | None


def view(combat: Combat, seat: Seat) -> CombatView:
    """Give what a seat may see; nobody but its author sees a sealed order, the Master neither."""
    place = combat.place_of(seat)
    first = combat.round.first if combat.round is not None else None
    return CombatView(
        seat=seat,
        options=combat.options,
        stage=combat.stage,
        turn=combat.turn,
        ranged=combat.ranged,
        quiet=combat.quiet,
        fighters=tuple(_fighter(combat, one) for one in PLACES),
        table=tuple(_rolled(combat, one) for one in PLACES) if _lies(combat) else (),
        first=None if first is None else combat.fighters[first].id,
        own=None if place is None else combat.posted[place],
        draws=combat.draws,
        outcome=combat.outcome,
    )


def glance(seen: CombatView) -> Glance:
    """Pick the hit points of both fighters; whoever has none is out (CD-22)."""
    winner = None if seen.outcome is None else seen.outcome.winner
    return Glance(
        people=tuple(
            Shown(
                id=one.id,
                name=one.name,
                figures=(Figure(key="hp", value=one.fighter.hp, most=one.fighter.max_hp),),
                out=one.condition is not Condition.UP,
            )
            for one in seen.fighters
        ),
        winners=() if winner is None else (winner,),
    )


def veils(before: Combat, after: Combat, author: Seat, said: Said) -> tuple[Veil, ...]:
    """Keep the story of sealed orders and of answers from everybody but their author.

    What of them came out is told by the findings (CD-69c, CD-A20). The one that lets the turn be
    played to its end is sealed no more. Before it is decided, both states are the same one.
    """
    sealed = before.stage in (Stage.ORDERS, Stage.ACT, Stage.STAY)
    open_words = any(one.key in ("resigns", "draw_offered") for one in said.findings)
    place = before.place_of(author)
    if not sealed or open_words or place is None:
        return ()
    if after is not before and not _is_sealed(after, place):
        return ()
    seats = (*(one.id for one in before.fighters), SPECTATOR, GM)
    return tuple(Veil(seat=seat, story=True) for seat in seats if seat != author)


def lifts(combat: Combat, order: CombatOrder) -> bool:
    """Say whether sealed orders have come to light: once no turn is left that they are for."""
    place = combat.place_of(order.by)
    return place is None or not _is_sealed(combat, place)


def _is_sealed(combat: Combat, place: int) -> bool:
    """Say whether a fighter has orders that are to be played, or answers of a turn that waits."""
    if combat.stage is Stage.ENDED:
        return False
    return combat.round is not None or combat.posted[place] is not None


def _lies(combat: Combat) -> bool:
    return combat.round is not None and combat.stage in (Stage.RETHROW, Stage.ACT)


def _fighter(combat: Combat, place: int) -> CombatFighterView:
    who = combat.fighters[place]
    return CombatFighterView(
        id=who.id,
        name=who.name,
        fighter=who,
        condition=who.condition,
        basic_dice=tally_dice(combat.options, who),
        modifiers=tuple(
            ScoreModifier(
                score=score,
                tally=tally_modifiers(
                    combat.options, who, score, ranged=combat.ranged > 0, quiet=combat.quiet
                ),
            )
            for score in Score
        ),
        posted=combat.posted[place] is not None,
    )


def _rolled(combat: Combat, place: int) -> CombatRollView:
    who, side = combat.fighters[place], combat.playing().sides[place]
    return CombatRollView(
        fighter=who.id,
        weapon=who.weapon,
        spell=side.orders.spell,
        adrenaline=side.orders.adrenaline,
        dice=side.dice,
        pair=side.pair,
        scores=tuple(scores_of(combat, place)[score] for score in Score),
        action=side.action,
    )

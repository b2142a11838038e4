"""A duel as a finite Markov chain: its states before attacks, and the moves between them.

A state is a moment before a turn that is not missed. Missed turns are steps within a move: they
are bound to happen, though bystanders may come by (WD-23, WD-72).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from app.rulesets.warrior_dice.campaign import may_yield
from app.rulesets.warrior_dice.ground import ENDS_ON, ground_of
from app.rulesets.warrior_dice.neutralizing import neutralized
from app.rulesets.warrior_dice.readings import IntruderEvery
from app.rulesets.warrior_dice.reforging import may_reforge, wants_reforge
from app.rulesets.warrior_dice.sheet import FACES
from app.rulesets.warrior_dice.solver.laws import Book
from app.rulesets.warrior_dice.solver.turns import Effect, Turns, class_of
from app.rulesets.warrior_dice.state import Duel, Fighter
from app.rulesets.warrior_dice.terms import YieldOrder

MOST_STATES: Final = 8_000
MOST_SKIPS: Final = 40  # AMB-WD-11, where they add up: more at once are taken for so many
FIRST_CAP: Final = 200  # beyond the hits; doubled until what lies above cannot matter
MOST_CAP: Final = 1 << 14
TAIL: Final = 1e-14
UNSEEN: Final = 1 - ENDS_ON / FACES  # WD-72: nobody comes by


class TooLarge(Exception):
    """The duel has more states than can be worked out."""


class Stand(NamedTuple):
    """How a fighter stands: hits, phases to miss, whether it has reforged and traded."""

    hits: int
    skip: int
    reforged: bool
    traded: bool


class State(NamedTuple):
    """Whose attack is next (0 or 1), and how both stand."""

    up: int
    stands: tuple[Stand, Stand]


class Move(NamedTuple):
    """A way from a state to another, with the turns that it takes."""

    chance: float
    to: int
    turns: int


@dataclass(slots=True)
class Node:
    """What may come of a state: moves, and the chances that the duel ends with its turn.

    ``draws`` tells after how many turns bystanders end it.
    """

    moves: list[Move] = field(default_factory=list)
    wins: list[float] = field(default_factory=lambda: [0.0, 0.0])
    draws: dict[int, float] = field(default_factory=dict)


class Graph:
    """Every state that a duel can come to, numbered as it is found."""

    def __init__(self, duel: Duel, turns: Turns | None = None) -> None:
        self.duel = duel
        self.ground = ground_of(duel.battlefield)
        self.turns = turns or turns_of(duel)
        self.states: list[State] = []
        self.nodes: list[Node] = []
        self._numbers: dict[State, int] = {}
        self._as_it_stands: dict[tuple[int, Stand], Fighter] = {}
        self._effects: dict[tuple[object, object, object], list[tuple[Effect, float]]] = {}
        number = [one.id for one in duel.fighters].index(duel.next)
        self._rolls = self._rolled(number)
        self.start = self.begun_by(number)

    def begun_by(self, place: int) -> Node:
        """Give the missed turns that come before the first attack, when somebody begins.

        Bystanders that come in every other turn come in those of ``next`` (AMB-WD-18).
        """
        stands = [
            Stand(one.hits, one.skip, one.reforged, one.unholy_used) for one in self.duel.fighters
        ]
        start = Node()
        self._enter(start, 1.0, place, stands, 0)
        self.explore()
        return start

    def _rolled(self, starter: int) -> tuple[bool, bool]:
        """Say before whose turns bystanders are rolled for (AMB-WD-18)."""
        if not self.ground.bystanders:
            return (False, False)
        if self.duel.options.intruder_every is IntruderEvery.TURN:
            return (True, True)
        odd = starter if self.duel.turn % 2 == 0 else 1 - starter
        return (odd == 0, odd == 1)

    def explore(self) -> None:
        """Find every state that can follow."""
        while len(self.nodes) < len(self.states):
            if len(self.states) > MOST_STATES:
                raise TooLarge
            self.nodes.append(self._node(self.states[len(self.nodes)]))

    def fighter(self, place: int, stand: Stand) -> Fighter:
        """Give a fighter as it stands."""
        key = (place, stand)
        found = self._as_it_stands.get(key)
        if found is None:
            one = self.duel.fighters[place]
            found = self._as_it_stands[key] = replace(
                one,
                hits=stand.hits,
                skip=stand.skip,
                reforged=stand.reforged,
                used_reforge=one.used_reforge or stand.reforged,
                unholy_used=stand.traded,
            )
        return found

    def attacker(self, state: State) -> Stand:
        """Give how the attacker stands when it rolls: a standing order may reforge first."""
        stand = state.stands[state.up]
        who = self.fighter(state.up, stand)
        reforges = may_reforge(who) and wants_reforge(who)
        return stand._replace(reforged=True) if reforges else stand

    def effects(self, state: State) -> list[tuple[Effect, float]]:
        """Give the law of the turn that begins in a state."""
        attacker = self.fighter(state.up, self.attacker(state))
        defender = self.fighter(1 - state.up, state.stands[1 - state.up])
        key = (state.up, class_of(attacker), class_of(defender))
        found = self._effects.get(key)
        if found is None:
            law = self.turns.law(attacker, defender)
            found = self._effects[key] = [one for one in law.items() if one[1] > 0]
        return found

    def _node(self, state: State) -> Node:
        return self.node_of(state, self.effects(state))

    def node_of(self, state: State, effects: Iterable[tuple[Effect, float]]) -> Node:
        """Follow every effect of a turn to where it leads."""
        node = Node()
        live = 1.0
        if self._rolls[state.up]:
            node.draws[1] = 1 - UNSEEN
            live = UNSEEN
        for effect, chance in effects:
            self.follow(node, chance * live, state, effect)
        return node

    def follow(self, node: Node, chance: float, state: State, effect: Effect) -> None:
        """Add to a node what an effect leads to, with hits clamped (WD-6, WD-28)."""
        up = state.up
        attacker, defender = self.attacker(state), state.stands[1 - up]
        options = self.duel.options
        own, theirs = self.duel.fighters[up], self.duel.fighters[1 - up]
        hits = min(theirs.start_hits, defender.hits + effect.heals_defender)
        hits = max(0, hits - effect.damage)
        if hits and effect.heals_late:
            hits = min(theirs.start_hits, hits + effect.heals_late)
        if not hits or (effect.damage and self._yields(theirs, hits)):
            node.wins[up] += chance
            return
        skip = defender.skip
        stands = [
            Stand(
                min(own.start_hits, attacker.hits + effect.heals_attacker),
                neutralized(options, 0) if effect.stuns_attacker else 0,
                attacker.reforged,
                attacker.traded or effect.attacker_trades,
            ),
            Stand(
                hits,
                min(MOST_SKIPS, neutralized(options, skip)) if effect.stuns_defender else skip,
                defender.reforged,
                defender.traded or effect.defender_trades,
            ),
        ]
        self._enter(node, chance, 1 - up, stands if up == 0 else stands[::-1], 1)

    def unseen(self, up: int) -> float:
        """Give the chance that no bystanders come by at the start of somebody's turn."""
        return UNSEEN if self._rolls[up] else 1.0

    def worth(self, state: State, effect: Effect, values: Sequence[float]) -> float:
        """Give what an effect is worth to the first of the two, by the values of states."""
        node = Node()
        self.follow(node, 1.0, state, effect)
        further = (move.chance * values[move.to] for move in node.moves if move.to < len(values))
        return node.wins[0] + sum(further)

    def _yields(self, fighter: Fighter, hits: int) -> bool:
        """Say whether a being of Shadow yields after a blow, by its standing order (WD-61)."""
        willing = self.duel.shadow and fighter.standing.surrender is YieldOrder.ALWAYS
        return willing and may_yield(hits, fighter.start_hits)

    def _enter(self, node: Node, chance: float, up: int, stands: list[Stand], turns: int) -> None:
        """Pass the turns that are missed, and add the move to the next attack."""
        while stands[up].skip:
            turns += 1
            if self._rolls[up]:
                node.draws[turns] = node.draws.get(turns, 0.0) + chance * (1 - UNSEEN)
                chance *= UNSEEN
            stands[up] = stands[up]._replace(skip=stands[up].skip - 1)
            up = 1 - up
        state = State(up, (stands[0], stands[1]))
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        node.moves.append(Move(chance, number, turns))


def turns_of(duel: Duel) -> Turns:
    """Give the laws of turns between the two, exact to where more Force makes no difference."""
    return turns_in(Book(duel.options, ground_of(duel.battlefield)), duel)


def turns_in(book: Book, duel: Duel) -> Turns:
    """Raise the cap of Forces until what lies above it cannot matter, by either's attacks.

    A blow above the cap is wrongly weighed only if the Defence that meets it is as strong but for
    the hits: both tails together are less likely than ``TAIL``.
    """
    most = max(one.start_hits for one in duel.fighters)
    cap = FIRST_CAP * (1 + -(-most // FIRST_CAP))  # the same for most: their laws are shared
    while True:
        turns = Turns(book, cap)
        unsure = max(_unsure(turns, duel, up, cap - most) for up in (0, 1))
        if unsure < TAIL or cap > MOST_CAP:
            return turns
        cap *= 2


def _unsure(turns: Turns, duel: Duel, up: int, strong: int) -> float:
    worst = 0.0
    attacker, defender = duel.fighters[up], duel.fighters[1 - up]
    for reforged in {attacker.reforged, attacker.reforged or attacker.warrior.reforges}:
        law = turns.attack(replace(attacker, reforged=reforged))
        above = [(one, chance) for one, chance in law.items() if one.total >= turns.cap]
        for one, chance in above:
            meets = turns.defence(defender, one)
            stops = sum(likely for stop, likely in meets.items() if stop.total > strong)
            worst = max(worst, chance * stops)
    return worst

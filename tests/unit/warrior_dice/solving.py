"""Duels to be solved, and a slim loop that plays them die by die with the engine's own chains."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random
from typing import Any

from app.rulesets.warrior_dice.chain import (
    BLANK,
    Lift,
    Rolled,
    follow,
    keeps_second,
    standing_option,
)
from app.rulesets.warrior_dice.faces import heals_in_attack
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import StandingOrders
from app.rulesets.warrior_dice.ranking import Moment, rank_face
from app.rulesets.warrior_dice.sheet import PrintedWarrior
from app.rulesets.warrior_dice.solver.graph import Graph, Node, State
from app.rulesets.warrior_dice.solver.laws import Shown
from app.rulesets.warrior_dice.solver.turns import Effect
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup
from app.rulesets.warrior_dice.terms import Kind, Phase, Stage
from app.rulesets.warrior_dice.turn import play_turn
from tests.unit.warrior_dice.play import RandomDice

SEATS = ("anna", "bruno")
PAIRS = (
    ("guerriero", "elfo"),
    ("cavaliere", "barbaro"),
    ("mago", "gladiatore"),
    ("chierico", "troll"),
    ("werewolf", "vampire_slayer"),
    ("gimli", "boromir"),
    ("frodo_baggins", "samwise_gamgee"),
    ("demon_lord", "witch_450"),
    ("master_vampire", "creep_of_the_week"),
    ("moria_orcs", "legolas"),
)


def duel_of(
    first: str,
    second: str,
    options: DuelOptions | None = None,
    *,
    standing: tuple[StandingOrders, StandingOrders] | None = None,
    begins: str | None = "anna",
    **more: Any,
) -> Duel:
    """Set up a duel of two printed warriors."""
    orders = standing or (StandingOrders(), StandingOrders())
    setup = DuelSetup(
        entrants=tuple(
            Duellist(id=seat, sheet=PrintedWarrior(warrior=warrior), standing=order)
            for seat, warrior, order in zip(SEATS, (first, second), orders, strict=True)
        ),
        options=options or DuelOptions(),
        first=begins,
        roll_battlefield=False,
        **more,
    )
    assert WARRIOR_DICE.check_setup(setup) == ()
    return WARRIOR_DICE.start(setup)


def through_the_engine(duel: Duel, chance: Random) -> str:
    """Play a duel with the engine to its end, with nobody asked; give who wins."""
    while duel.stage is Stage.FIGHT:
        duel = play_turn(replace(duel, midway=None), RandomDice(chance)).state
    return duel.winner


class Fork:
    """What lies behind a die: for each face a result, another fork, or this one once more."""

    def __init__(self, slim: SlimDuel, moment: Moment, lifts: tuple[Lift, ...]) -> None:
        self.slim = slim
        self.moment = moment
        self.lifts = lifts
        self.faces: list[Fork | int | None] = [None] * 11
        ranks = [0, *(rank_face(moment, face) for face in range(1, 11))]
        order = moment.fighter.standing.doubler
        self.second = [[keeps_second(order, one, other) for other in ranks] for one in ranks]

    def behind(self, face: int) -> Fork | int:
        """Follow a face by the engine's own functions; a Doubler leads back to this fork."""
        option = standing_option(self.moment, face)
        found: Fork | int = self
        if option is None:
            found = self.slim.number(BLANK)
        elif option.kind is not Kind.DOUBLER:
            led = follow(self.moment, option, self.lifts)
            if isinstance(led, Rolled):
                found = self.slim.number(led)
            else:
                found = Fork(self.slim, self.moment, led)
        self.faces[face] = found
        return found


class SlimDuel:
    """A duel to be played often: dice and chains as in the engine, but nothing is told."""

    def __init__(self, duel: Duel, seed: int) -> None:
        self.graph = Graph(duel)
        self.shown: list[Shown] = []
        self._random = Random(seed).random
        self._attacks: dict[int, Fork] = {}
        self._defences: dict[tuple[int, int], Fork] = {}
        self._after: dict[tuple[int, int, int], int] = {}

    def number(self, rolled: Rolled) -> int:
        """Number what matters of a result."""
        option = rolled.option
        shown = Shown(
            side=rolled.side,
            special=rolled.special,
            total=rolled.total,
            bonus=rolled.bonus,
            heals=option is not None and heals_in_attack(self.graph.duel.options, option),
            numeric=option is not None and option.numeric,
        )
        if shown not in self.shown:
            self.shown.append(shown)
        return self.shown.index(shown)

    def play(self) -> int:
        """Play once, without a cap; give 0 or 1 for who wins, 2 for nobody."""
        at = self.graph.start.moves[0].to
        while at >= 0:
            at = self._turn(at)
        return -at - 1

    def _turn(self, at: int) -> int:
        root = self._attacks.get(at)
        state = self.graph.states[at]
        if root is None:
            attacker = self.graph.fighter(state.up, self.graph.attacker(state))
            moment = self.graph.turns.moment(attacker, Phase.ATTACK)
            root = self._attacks[at] = Fork(self, moment, ())
        attack = self._rolled(root)
        key = (at, attack, -1)
        after = self._after.get(key)
        if after is not None:
            return after
        shown = self.shown[attack]
        ends = self.graph.turns.ends(root.moment.fighter, shown)
        if ends is not None:
            return self._after.setdefault(key, self._to(state, ends))
        met = self._defences.get((at, attack))
        if met is None:
            defender = self.graph.fighter(1 - state.up, state.stands[1 - state.up])
            met = Fork(self, self.graph.turns.moment(defender, Phase.DEFENCE, shown), ())
            self._defences[at, attack] = met
        key = (at, attack, self._rolled(met))
        after = self._after.get(key)
        if after is None:
            effect = self.graph.turns.meets(met.moment.fighter, shown, self.shown[key[2]])
            after = self._after[key] = self._to(state, effect)
        return after

    def _rolled(self, fork: Fork) -> int:
        roll = self._random
        face = int(roll() * 10) + 1
        while True:
            behind = fork.faces[face]
            if behind is None:
                behind = fork.behind(face)
            if behind.__class__ is int:
                return behind
            if behind is fork:
                face, other = int(roll() * 10) + 1, int(roll() * 10) + 1
                if fork.second[face][other]:
                    face = other
            else:
                fork = behind
                face = int(roll() * 10) + 1

    def _to(self, state: State, effect: Effect) -> int:
        node = Node()
        self.graph.follow(node, 1.0, state, effect)
        for place in (0, 1):
            if node.wins[place]:
                return -1 - place
        return node.moves[0].to


def standard_errors(share: float, chance: float, count: int) -> float:
    """Tell by how many standard errors a share of so many duels differs from a chance."""
    return abs(share - chance) / sqrt(chance * (1 - chance) / count)

"""The best choice at every Doubler, in every state of a duel: policies improved until they stand.

A chooser keeps the die that is worth more to it there and then, knowing all that may follow;
everything else it does by its standing orders. The other either keeps to all of its orders, or
chooses as well: then both choices are the best against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import mul
from typing import Final, TypeAlias

from app.rulesets.warrior_dice.chain import BLANK, Lift, Rolled, follow
from app.rulesets.warrior_dice.ground import TRADE_FROM
from app.rulesets.warrior_dice.ranking import Moment
from app.rulesets.warrior_dice.sheet import FaceOption
from app.rulesets.warrior_dice.solver.graph import MOST_STATES, Graph, State, TooLarge
from app.rulesets.warrior_dice.solver.laws import Group, Lifts, Roll, Shown, grouped
from app.rulesets.warrior_dice.solver.limit import Limit
from app.rulesets.warrior_dice.solver.turns import Effect, Turns, class_of
from app.rulesets.warrior_dice.state import Duel, Fighter
from app.rulesets.warrior_dice.terms import Phase

SETTLED: Final = 1e-11
MOST_ROUNDS: Final = 60
UNLIKELY: Final = 1e-10  # an attack that is rarer is met by standing orders
RARE: Final = 1e-12  # lifts that are less likely count as the result of a chain that is cut
Worth: TypeAlias = Callable[[Shown], float]
Ends: TypeAlias = dict[Shown, float]


class Grove:
    """Trees of rolls; it remembers what options lead to under which lifts."""

    def __init__(self) -> None:
        self._led: dict[object, Lifts | Rolled] = {}
        self._trees: dict[object, Tree] = {}

    def tree(self, turns: Turns, moment: Moment, cap: int) -> Tree:
        """Give the tree of a roll; Forces of ``cap`` and more count as that."""
        key = (moment.fighter.id, class_of(moment.fighter), moment.phase, cap)
        full = (*key, moment.force, moment.neutralize)
        tree = self._trees.get(full)
        if tree is None:
            tree = self._trees[full] = Tree(self, Roll(turns.book, moment, cap), moment)
        return tree

    def follow(self, moment: Moment, option: FaceOption, lifts: Lifts) -> Lifts | Rolled:
        """Say what an option leads to."""
        bare = (option.kind, option.force, option.special, option.untyped)
        key = (bare, moment.phase, lifts)
        led = self._led.get(key)
        if led is None:
            led = self._led[key] = follow(moment, option, lifts)
        return led


class Tree:
    """The lifts that a roll may come to, each with what every group of faces leads to then.

    It is grown die by die; of lifts that make the same of every result, one stands for all. A row
    holds for every group the number of a result, or that of a later row, counted after them.
    """

    def __init__(self, grove: Grove, roll: Roll, moment: Moment) -> None:
        groups = grouped(moment)
        self.groups: tuple[Group, ...] = tuple(one for one in groups if not one.doubles)
        self.shares = [one.single for one in self.groups]
        self.doubler = sum(one.single for one in groups if one.doubles)
        self.ends: list[Shown] = []
        numbers: dict[Shown, int] = {}
        rows: list[list[Shown | int]] = []
        level: dict[object, tuple[Lifts, float]] = {(): ((), 1.0)}
        while level:
            after: dict[object, tuple[Lifts, float]] = {}
            first = len(rows) + len(level)
            for lifts, chance in level.values():
                row: list[Shown | int] = []
                for group in self.groups:
                    led: Lifts | Rolled = BLANK
                    if group.option is not None:
                        led = grove.follow(moment, group.option, lifts)
                    likely = 2 * chance * group.single  # at most, whatever is chosen
                    if isinstance(led, Rolled) or likely < RARE:
                        row.append(roll.told(led if isinstance(led, Rolled) else BLANK))
                        continue
                    key = self._key(grove, roll, moment, led)
                    known = after.setdefault(key, (led, likely))
                    after[key] = (known[0], max(known[1], likely))
                    row.append(first + list(after).index(key))
                rows.append(row)
            level = after
        for row in rows:
            for one in row:
                if not isinstance(one, int):
                    numbers.setdefault(one, len(numbers))
        self.ends = list(numbers)
        size = len(self.ends)
        self.rows = [
            [size + one if isinstance(one, int) else numbers[one] for one in row] for row in rows
        ]

    def _key(self, grove: Grove, roll: Roll, moment: Moment, lifts: Lifts) -> object:
        """Tell lifts apart by what they make of every result."""
        shown: list[object] = [Lift.ALL_OUT in lifts]
        for group in self.groups:
            if group.option is not None:
                led = grove.follow(moment, group.option, lifts)
                shown.append(roll.told(led) if isinstance(led, Rolled) else None)
        return tuple(shown)

    def best(self, worth: Worth, sign: int) -> tuple[float, Ends]:
        """Give what a roll is worth under the best choices, and the law of its results then."""
        size, shares = len(self.ends), self.shares
        values = [sign * worth(end) for end in self.ends] + [0.0] * len(self.rows)
        choices: list[tuple[list[int], int]] = []
        for number in range(len(self.rows) - 1, -1, -1):
            row = [values[at] for at in self.rows[number]]
            order = sorted(range(len(row)), key=row.__getitem__)
            doubled, below = self._kept(row, order) if self.doubler else (0.0, 0)
            choices.append((order, below))
            values[size + number] = sum(map(mul, shares, row)) + self.doubler * doubled
        return sign * values[size], self._law(choices[::-1])

    def _kept(self, row: list[float], order: list[int]) -> tuple[float, int]:
        """Value the better of two dice, and tell how many groups a kept Doubler is better than.

        A kept Doubler leads to two dice again, so that its worth is the very one that is sought.
        """
        twice, double = 0.0, self.doubler
        passed = above = 0.0
        for at in order:
            share = self.shares[at]
            twice += row[at] * share * (2 * passed + share)
            passed += share
            above += row[at] * share
        passed = 0.0
        for below, at in enumerate(order):
            again = double * (2 * passed + double)
            worth = (twice + 2 * double * above) / (1 - again) if again < 1 else row[at]
            if worth <= row[at]:
                return worth, below
            passed += self.shares[at]
            above -= row[at] * self.shares[at]
        again = double * (2 * passed + double)
        return (twice / (1 - again) if again < 1 else 0.0), len(order)

    def _law(self, choices: list[tuple[list[int], int]]) -> Ends:
        size, double = len(self.ends), self.doubler
        masses = [0.0] * (size + len(self.rows))
        masses[size] = 1.0
        for number, row in enumerate(self.rows):
            mass = masses[size + number]
            if not mass:
                continue
            order, below = choices[number]
            passed = 0.0
            again = 0.0
            kept: list[float] = []
            for place, at in enumerate(order):
                if place == below:
                    again = double * (2 * passed + double)
                    passed += double
                share = self.shares[at]
                kept.append(share * (2 * passed + share))
                passed += share
            if below == len(order):
                again = double * (2 * passed + double)
            rolled = mass * double / (1 - again) if again < 1 else 0.0
            for place, at in enumerate(order):
                masses[row[at]] += mass * self.shares[at] + rolled * kept[place]
        return {end: mass for end, mass in zip(self.ends, masses, strict=False) if mass}


class Improver:
    """A duel in which some choose, with the policy and the values that were found last."""

    def __init__(self, duel: Duel, turns: Turns, chooses: tuple[bool, bool]) -> None:
        self.graph = Graph(duel, turns)
        self.turns = turns
        self.chooses = chooses
        self._grove = Grove()
        self._trees: dict[object, Tree] = {}
        self._met: dict[object, Mapping[Effect, float]] = {}
        self._cap = turns.cap
        self.gap = 1.0  # how much a better choice could still gain anywhere

    def solve(self) -> float:
        """Improve the choices until none can be bettered; give the chance of the first of both.

        Where a starting roll is due, either begins as often.
        """
        starts = [self.graph.start]
        if self.graph.duel.rolls_first:
            starts = [self.graph.begun_by(place) for place in (0, 1)]
        values = self._values()
        for _ in range(MOST_ROUNDS):
            self._improve(values)
            values = self._values()
            if self.gap < SETTLED:
                break
        chances = [move.chance * values[move.to] for one in starts for move in one.moves]
        return sum(chances) / len(starts)

    def _values(self) -> list[float]:
        return Limit(self.graph).expected([node.wins[0] for node in self.graph.nodes])

    def _improve(self, values: list[float]) -> None:
        graph = self.graph
        self.gap = 0.0
        for number in range(len(graph.nodes)):
            state = graph.states[number]
            found, effects = self._chosen(state, values)
            node = graph.node_of(state, effects.items())
            self.gap = max(self.gap, abs(found - values[number]))
            graph.nodes[number] = node
        graph.explore()  # a choice may lead where standing orders never did

    def _chosen(self, state: State, values: list[float]) -> tuple[float, Mapping[Effect, float]]:
        """Choose the best in a state, given what every other is worth."""
        up, graph, turns = state.up, self.graph, self.turns
        attacker = graph.fighter(up, graph.attacker(state))
        defender = graph.fighter(1 - up, state.stands[1 - up])
        worths: dict[Effect, float] = {}

        def worth(effect: Effect) -> float:
            found = worths.get(effect)
            if found is None:
                found = worths[effect] = graph.worth(state, effect, values)
            return found

        meets: dict[Shown, tuple[float, Mapping[Effect, float]]] = {}
        likely = turns.attack(attacker)

        def met(attack: Shown) -> float:
            known = meets.get(attack)
            if known is None:
                ends = turns.ends(attacker, attack)
                if ends is not None:
                    known = (worth(ends), {ends: 1.0})
                else:
                    chooses = self.chooses[1 - up] and likely.get(attack, 0.0) > UNLIKELY
                    law = (
                        self._defended(defender, attack, worth, 1 if up else -1)
                        if chooses
                        else self._met_law(defender, attack)
                    )
                    known = (sum(worth(one) * chance for one, chance in law.items()), law)
                meets[attack] = known
            return known[0]

        if self.chooses[up]:
            moment = turns.moment(attacker, Phase.ATTACK)
            tree = self._grove.tree(turns, moment, self._cap)
            total, shares = tree.best(met, -1 if up else 1)
        else:
            shares = likely
            total = sum(met(attack) * chance for attack, chance in shares.items())
        effects: dict[Effect, float] = {}
        for attack, share in shares.items():
            met(attack)
            for effect, chance in meets[attack][1].items():
                effects[effect] = effects.get(effect, 0.0) + share * chance
        return self._with_bystanders(state, total), effects

    def _met_law(self, defender: Fighter, attack: Shown) -> Mapping[Effect, float]:
        key = (defender.id, class_of(defender), attack)
        law = self._met.get(key)
        if law is None:
            law = self._met[key] = self.turns.met_law(defender, attack)
        return law

    def _with_bystanders(self, state: State, total: float) -> float:
        return total * self.graph.unseen(state.up)

    def _defended(
        self, defender: Fighter, attack: Shown, worth: Callable[[Effect], float], sign: int
    ) -> Mapping[Effect, float]:
        turns = self.turns
        most = defender.start_hits
        effects: dict[Shown, Effect] = {}

        def value(stop: Shown) -> float:
            effect = effects.get(stop)
            if effect is None:
                effect = turns.meets(defender, attack, stop)
                effect = effects[stop] = effect._replace(damage=min(most, effect.damage))
            return worth(effect)

        key = (defender.id, class_of(defender), attack)
        tree = self._trees.get(key)
        if tree is None:
            moment = turns.moment(defender, Phase.DEFENCE, attack)
            cap = max(attack.total, attack.bonus, TRADE_FROM)  # no Defence stops more than all
            tree = self._trees[key] = self._grove.tree(turns, moment, cap)
        _, shares = tree.best(value, sign)
        law: dict[Effect, float] = {}
        for stop, share in shares.items():
            effect = effects[stop]
            law[effect] = law.get(effect, 0.0) + share
        return law


def best_choices(
    duel: Duel, turns: Turns, chooses: tuple[bool, bool], most: int = MOST_STATES
) -> float:
    """Give the first one's chance without a cap when those choose who are to (WD-A9).

    Raises TooLarge for a duel of more than ``most`` states.
    """
    improver = Improver(duel, turns, chooses)
    if len(improver.graph.states) > most:
        raise TooLarge
    return improver.solve()

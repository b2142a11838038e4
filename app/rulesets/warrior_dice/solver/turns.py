"""The law of one turn: every way it can go, and how likely, as far as hits do not bound it (WD-9).

The order of things is that of ``turn``; a test holds both to each other, blow by blow.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final, NamedTuple

from app.rulesets.warrior_dice.ground import TRADE_HEALS
from app.rulesets.warrior_dice.healing import REGAINS, may_trade, wants_trade
from app.rulesets.warrior_dice.neutralizing import lands
from app.rulesets.warrior_dice.ranking import Moment, indifferent_from
from app.rulesets.warrior_dice.readings import HealTiming, UnholyFrom
from app.rulesets.warrior_dice.solver.laws import Book, Law, Shown
from app.rulesets.warrior_dice.state import Fighter
from app.rulesets.warrior_dice.terms import Phase, Side, Special, TradeOrder


class Effect(NamedTuple):
    """What a turn does: hits that come back before and after the damage, phases to miss, trades."""

    damage: int = 0
    heals_attacker: int = 0
    heals_defender: int = 0
    heals_late: int = 0
    stuns_attacker: bool = False
    stuns_defender: bool = False
    attacker_trades: bool = False
    defender_trades: bool = False


NOTHING: Final = Effect()


class Meeting:
    """What may meet an attack: stops by their Force, each with its chance, and all others."""

    def __init__(
        self, plain: Iterable[tuple[Shown, float]], others: tuple[tuple[Shown, float], ...]
    ) -> None:
        self.stops = tuple(sorted(plain, key=lambda one: one[0].total))
        self.others = others
        self._totals = [one.total for one, _ in self.stops]
        self._below = [0.0, *accumulate(chance for _, chance in self.stops)]

    def damages(self, force: int, most: int) -> Iterator[tuple[int, float]]:
        """Tell how likely an attack does which damage, against stops alone (WD-15, WD-16)."""
        weak, strong = bisect_right(self._totals, force - most), bisect_left(self._totals, force)
        yield most, self._below[weak]
        for stop, chance in self.stops[weak:strong]:
            yield force - stop.total, chance
        yield 0, self._below[-1] - self._below[strong]


@dataclass(slots=True)
class Turns:
    """The laws of turns between two warriors, whichever of them attacks."""

    book: Book
    cap: int
    _laws: dict[object, dict[Effect, float]] = field(default_factory=dict)
    _rolls: dict[object, Law] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict)
    _meetings: dict[object, Meeting] = field(default_factory=dict)

    def law(self, attacker: Fighter, defender: Fighter) -> dict[Effect, float]:
        """Give the law of a turn in which the attacker misses nothing."""
        key = (attacker.id, class_of(attacker), class_of(defender))
        law = self._laws.get(key)
        if law is None:
            law = self._laws[key] = self._composed(attacker, defender)
        return law

    def _composed(self, attacker: Fighter, defender: Fighter) -> dict[Effect, float]:
        law: dict[Effect, float] = {}
        for shown, chance in self.attack(attacker).items():
            effect = self.ends(attacker, shown)
            if effect is not None:
                law[effect] = law.get(effect, 0.0) + chance
                continue
            for effect, likely in self.met_law(defender, shown).items():
                law[effect] = law.get(effect, 0.0) + chance * likely
        return law

    def met_law(self, defender: Fighter, attack: Shown) -> dict[Effect, float]:
        """Give the law of what comes of an attack that does not end the turn."""
        heals = class_of(defender)
        numbers = (self._number(defender), attack.total, attack.bonus, defender.start_hits)
        special = attack.special.value if attack.special else ""
        key = (*numbers, special, heals, defender.standing.trade.value, self.cap)
        law = self.book.meetings.get(key)
        if law is None:
            law = self.book.meetings[key] = self._met_law(defender, attack)
        return law

    def _number(self, fighter: Fighter) -> int:
        known = self._known.get(fighter.id)
        if known is None:
            known = self._known[fighter.id] = self.book.known(fighter)
        return known

    def _met_law(self, defender: Fighter, attack: Shown) -> dict[Effect, float]:
        law: dict[Effect, float] = {}
        most = defender.start_hits  # no blow takes more
        meeting = self._met(defender, attack)
        others = meeting.others
        if attack.special is None:
            for damage, likely in meeting.damages(attack.total, most):
                effect = Effect(damage)
                law[effect] = law.get(effect, 0.0) + likely
        else:
            others = (*others, *meeting.stops)
        for stop, likely in others:
            effect = self.meets(defender, attack, stop)
            effect = effect._replace(damage=min(most, effect.damage))
            law[effect] = law.get(effect, 0.0) + likely
        return law

    def _met(self, defender: Fighter, attack: Shown) -> Meeting:
        """Give what meets an attack, the plain stops by their Force."""
        moment = self.moment(defender, Phase.DEFENCE, attack)
        key = (defender.id, class_of(defender), moment.force, moment.neutralize)
        found = self._meetings.get(key)
        if found is None:
            law = self.defence(defender, attack).items()
            plain = [one for one in law if self._only_stops(defender, one[0])]
            others = tuple(one for one in law if not self._only_stops(defender, one[0]))
            found = self._meetings[key] = Meeting(plain, others)
        return found

    def _only_stops(self, defender: Fighter, shown: Shown) -> bool:
        if shown.side is not Side.DEFENCE:
            return True  # WD-17: it stops nothing
        return shown.special is None and not self._trades(defender, shown)

    def attack(self, attacker: Fighter) -> Law:
        """Give the law of an attack roll (WD-10)."""
        return self._roll(attacker, Phase.ATTACK, None)

    def defence(self, defender: Fighter, attack: Shown) -> Law:
        """Give the law of the roll that meets an attack (WD-13)."""
        return self._roll(defender, Phase.DEFENCE, attack)

    def _roll(self, fighter: Fighter, phase: Phase, attack: Shown | None) -> Law:
        moment = self.moment(fighter, phase, attack)
        key = (fighter.id, class_of(fighter), moment.force, moment.neutralize, phase)
        law = self._rolls.get(key)
        if law is None:
            law = self.book.law(moment, self.cap, (self._number(fighter), *key[1:]))
            self._rolls[key] = law
        return law

    def moment(self, fighter: Fighter, phase: Phase, attack: Shown | None = None) -> Moment:
        """Say who rolls, and against what."""
        moment = Moment(
            options=self.book.options,
            ground=self.book.ground,
            fighter=fighter,
            phase=phase,
            neutralize=attack is not None and attack.special is Special.NEUTRALIZE,
        )
        if attack is None or not attack.total:
            return moment
        return replace(moment, force=min(attack.total, indifferent_from(moment)))

    def ends(self, attacker: Fighter, shown: Shown) -> Effect | None:
        """Say what a turn does that ends with its Attack phase; None where it goes on (WD-11)."""
        options = self.book.options
        if shown.side is Side.LOST:
            return NOTHING
        if shown.special is Special.REGAIN:
            return Effect(heals_attacker=REGAINS + shown.bonus if shown.heals else 0)
        if shown.side is Side.DEFENCE:
            trades = options.unholy_from is UnholyFrom.ANY_DEFENCE and self._trades(attacker, shown)
            return Effect(heals_attacker=TRADE_HEALS, attacker_trades=True) if trades else NOTHING
        if shown.special is Special.NEUTRALIZE_SELF:
            return Effect(stuns_attacker=True)
        if shown.special is Special.NO_DAMAGE and not options.roll_vs_no_damage:
            return NOTHING
        return None

    def meets(self, defender: Fighter, attack: Shown, defence: Shown) -> Effect:
        """Say what comes of an attack that meets a defence (WD-14 to WD-17)."""
        blocks = defence.side is Side.DEFENCE
        trades = blocks and self._trades(defender, defence)
        blocks &= not trades
        regains = REGAINS + defence.bonus if defence.special is Special.REGAIN else 0
        late = self.book.options.heal_timing is HealTiming.AFTER_DAMAGE
        stopped = defence.total if blocks else 0
        neutralizes = attack.special is Special.NEUTRALIZE
        force = attack.bonus if neutralizes else attack.total
        if attack.special is Special.NO_DAMAGE:
            force = 0
        return Effect(
            damage=max(0, force - stopped),
            heals_defender=TRADE_HEALS if trades else 0 if late else regains,
            heals_late=regains if late else 0,
            stuns_attacker=blocks and defence.special is Special.NEUTRALIZE,
            stuns_defender=neutralizes and lands(stopped),
            defender_trades=trades,
        )

    def _trades(self, fighter: Fighter, shown: Shown) -> bool:
        may = shown.numeric and may_trade(self.book.ground, fighter, shown.total)
        return may and wants_trade(fighter)


def class_of(fighter: Fighter) -> tuple[int, bool, bool]:
    """Give what matters of a fighter's state for the law of a turn."""
    return (matters(fighter), fighter.reforged, fighter.unholy_used)


def matters(fighter: Fighter) -> int:
    """Give how many lost hits matter: to Regain, and to an order to trade (WD-D1, WD-76)."""
    if fighter.standing.trade is TradeOrder.IF_LOST_20:
        return min(TRADE_HEALS, fighter.lost)
    regains = any(one.special is Special.REGAIN for one in fighter.warrior.options)
    return min(REGAINS, fighter.lost) if regains else 0

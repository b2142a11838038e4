"""The standing policy: what each raw face is worth, so that the better one is used (WD-D1, WD-D2).

Values are doubled: half of an incoming Force need not be whole, and no comparison changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.rulesets.warrior_dice.faces import counts_in, options_on
from app.rulesets.warrior_dice.ground import Ground
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.sheet import FaceOption
from app.rulesets.warrior_dice.state import Fighter
from app.rulesets.warrior_dice.terms import Kind, Phase, Special

CANCELS_NEUTRALIZE: Final = 20  # WD-24


@dataclass(frozen=True, slots=True)
class Constants:
    """What results are worth that lead on to other dice."""

    all_out: int
    neutralize: int
    doubler: int
    adder: int


# WD-A11, by what the battlefield does to the side in question.
UNCHANGED: Final = Constants(28, 25, 21, 19)
LESSENED: Final = Constants(18, 16, 14, 14)
RAISED: Final = Constants(38, 34, 28, 24)
TWOFOLD: Final = Constants(56, 50, 42, 38)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Who rolls where and at whom, and against what: a ``force``, or a Neutralize (WD-D2)."""

    options: DuelOptions
    ground: Ground
    fighter: Fighter
    phase: Phase
    target: str = ""
    force: int = 0
    neutralize: bool = False


def rank_face(moment: Moment, face: int) -> int:
    """Rank a raw face by the best of its options (WD-D3)."""
    shown = options_on(moment.options, moment.fighter, face)
    return max((rank(moment, option) for option in shown), default=0)


def best_of(moment: Moment, shown: Iterable[FaceOption]) -> FaceOption:
    """Choose the option that ranks highest; a tie keeps the first one (WD-D3)."""
    return max(shown, key=lambda option: rank(moment, option))


def indifferent_from(moment: Moment) -> int:
    """Give an incoming Force from which on no rank of the Defence phase changes (WD-D2)."""
    worth = _constants(moment)
    shown = moment.fighter.warrior.options
    forces = [one.force or 0 for one in shown if one.kind is Kind.DEFENCE]
    most = moment.ground.changed(Kind.DEFENCE, max(forces, default=0))
    return max(most, 2 * max(worth.all_out, worth.doubler, worth.adder))


def rank(moment: Moment, option: FaceOption) -> int:
    """Give twice the value of an option in the phase (WD-D1, WD-D2)."""
    if moment.phase is Phase.ATTACK:
        return 2 * _in_attack(moment, option)
    return _against_neutralize(moment, option) if moment.neutralize else _in_defence(moment, option)


def _constants(moment: Moment) -> Constants:
    if moment.ground.times > 1:
        return TWOFOLD
    added = moment.ground.added(Kind.ATTACK if moment.phase is Phase.ATTACK else Kind.DEFENCE)
    return UNCHANGED if not added else RAISED if added > 0 else LESSENED


def _in_attack(moment: Moment, option: FaceOption) -> int:  # WD-D1
    worth = _constants(moment)
    if option.kind is Kind.ADDER:
        return worth.adder
    if option.kind is Kind.DOUBLER:
        return worth.doubler
    if option.special is Special.REGAIN:
        heals = counts_in(moment.options, option, Phase.ATTACK) and moment.fighter.lost >= 10
        return 9 if heals else 0
    if option.kind is Kind.DEFENCE:
        return 0
    match option.special:
        case Special.ALL_OUT:
            return -1 if moment.ground.no_all_out else worth.all_out
        case Special.NEUTRALIZE:
            return worth.neutralize
        case Special.NEUTRALIZE_SELF:
            return -20
        case Special.NO_DAMAGE:
            return 1
        case _:
            return moment.ground.changed(Kind.ATTACK, option.force or 0)


def _in_defence(moment: Moment, option: FaceOption) -> int:  # WD-D2
    worth, incoming = _constants(moment), moment.force
    match option.kind:
        case Kind.ADDER:
            return min(incoming, 2 * worth.adder)
        case Kind.DOUBLER:
            return min(incoming, 2 * worth.doubler)
        case Kind.ATTACK:
            return 0
        case Kind.DEFENCE:
            pass
    match option.special:
        case Special.ALL_OUT:
            return min(incoming, 2 * worth.all_out)
        case None:
            return 2 * min(moment.ground.changed(Kind.DEFENCE, option.force or 0), incoming)
        case special:
            return 2 * _specials(moment, special)


def _against_neutralize(moment: Moment, option: FaceOption) -> int:  # WD-D2
    match option.kind:
        case Kind.ADDER:
            return 100
        case Kind.DOUBLER:
            return 120
        case Kind.ATTACK:
            return 0
        case Kind.DEFENCE:
            pass
    match option.special:
        case Special.ALL_OUT:
            return 80
        case None:
            force = moment.ground.changed(Kind.DEFENCE, option.force or 0)
            return 200 if force >= CANCELS_NEUTRALIZE else 0
        case special:
            return 2 * _specials(moment, special)


def _specials(moment: Moment, special: Special) -> int:
    if special is Special.NEUTRALIZE:
        return 20
    return min(10, moment.fighter.lost) if special is Special.REGAIN else 0

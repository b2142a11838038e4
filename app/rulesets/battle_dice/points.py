"""Points of commanders, spellcasters and cavalry (BD-30, BD-40, BD-50): set against each other."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from app.engine.findings import Finding
from app.engine.tally import Tally, Term
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.effects import carry_out
from app.rulesets.battle_dice.field import Field, Host
from app.rulesets.battle_dice.rows import roll_row
from app.rulesets.battle_dice.tables import MAGIC, MANOEUVRE, TACTICAL, Table
from app.rulesets.battle_dice.terms import Kind, Pool

# Each pool: the dice that give points, the rule that they do by, the table.
SOURCES: Final[dict[Pool, tuple[Kind, str, Table]]] = {
    Pool.TACTICAL: (Kind.D4, "BD-30", TACTICAL),  # BD-32
    Pool.MAGIC: (Kind.D12, "BD-40", MAGIC),  # BD-42
    Pool.MANOEUVRE: (Kind.D10, "BD-50", MANOEUVRE),  # BD-52
}
# The comparison is the same in all three (BD-41, BD-51 refer to BD-31).
COMPARED_BY: Final = {Pool.TACTICAL: "BD-31", Pool.MAGIC: "BD-41", Pool.MANOEUVRE: "BD-51"}


def tally_points(host: Host, pool: Pool) -> Tally:
    """Add up a side's points: dice, gains, losses, what was carried over; never below 0.

    Only manoeuvre points are carried over (BD-V3, AMB-BD-17).
    """
    kind, rule, _ = SOURCES[pool]
    tally = Tally((Term(rule, "dice", Fraction(host.scoring(kind))),))
    if pool is Pool.MANOEUVRE and host.carried:
        tally = tally.plus(Term("BD-V3", "carried", Fraction(host.carried)))
    for gain in host.gains:
        if gain.pool is pool:
            points = Fraction(gain.points)
            taken = Term("BD-51", "taken", points)
            tally = tally.plus(taken if points < 0 else Term("BD-51", "gained", points))
    if tally.total < 0:
        tally = tally.plus(Term("AMB-BD-17", "not_below_zero", -tally.total))
    return tally


def settle_points(field: Field, course: Course, pool: Pool) -> Field:
    """Compare points; the higher side rolls on the table once for each that is left (BD-31)."""
    first, second = (tally_points(host, pool) for host in field.hosts)
    ahead = int(first.total - second.total)
    winner = 0 if ahead > 0 else 1
    name = field.hosts[winner].name if ahead else None
    _, _, table = SOURCES[pool]
    course.say(
        Finding(
            COMPARED_BY[pool],
            "points_compared",
            {
                "pool": pool,
                "first": field.hosts[0].name,
                "first_points": first,
                "first_total": int(first.total),
                "second": field.hosts[1].name,
                "second_points": second,
                "second_total": int(second.total),
                "ahead": name,
                "left": abs(ahead),
            },
        )
    )
    effects = [roll_row(field, course, winner, table) for _ in range(abs(ahead))]
    return carry_out(field, course, effects)

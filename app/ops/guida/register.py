"""Chapter 1, the figures of a post: what a stat comes to, and when a change is recorded."""

from __future__ import annotations

from app.ops.given import Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    REPLY,
    arriving,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    read_stacks,
    tool,
    with_points,
)
from app.posts.phrases import say
from app.rulesets.guida.levels import bonus_points, total_level
from app.rulesets.guida.orders import (
    Attack,
    Turn,
)
from app.rulesets.guida.sheet import StatPoints, Stats
from app.rulesets.guida.terms import Stat


def stat_total(given: Given) -> dict[str, object]:
    """Add up a stat (GC-1.3), Dexterity where conditions are given."""
    stat = Stat.DEXTERITY
    stats = Stats(dexterity=given.whole("base_level"))
    bearer = fighter(DEFENDER, stats=stats, stacks=read_stacks(given.part("conditions")))
    who = opened(duel(read_rules(given), fighter(ATTACKER), bearer, first=DEFENDER), DEFENDER)
    who = with_points(
        who, [StatPoints(stat=stat, points=points) for points in given.wholes("bonus_points")]
    )
    points = bonus_points(who, stat).total
    return {
        "total_level": total_level(who, stat).total,
        "notation": say(
            "it", "guida", "post", "stat_value", {"base": stats.dexterity, "points": int(points)}
        ),
    }


def snapshot(given: Given) -> dict[str, object]:
    """Play a turn with blows and expenses, and read the vitals of that post and of the next one."""
    start, during = given.part("start"), given.part("during_turn")
    blows = [tool(f"blow-{index}", hurt) for index, hurt in enumerate(during.wholes("damage"))]
    costs = [tool(f"cost-{index}", ep=ep) for index, ep in enumerate(during.wholes("expenses"))]
    bearer = fighter(DEFENDER, *costs, hp=start.whole("hp"), ep=start.whole("ep"))
    scene = duel(
        read_rules(given),
        fighter(ATTACKER, *blows),
        bearer,
        underway=[arriving(blow.id, 20) for blow in blows],
        first=DEFENDER,
    )
    spend = Attack(target=ATTACKER, tool=REPLY, support=tuple(cost.id for cost in costs))
    first = post(scene, Turn(by=DEFENDER, main=spend), [6])
    between = post(first.after, Turn(by=ATTACKER))
    after = post(between.after, Turn(by=DEFENDER))
    return {
        name: {"hp": vitals["hp"], "ep": vitals["ep"]}
        for name, made in (("this_post", first), ("next_initial_phase", after))
        for vitals in made.facts("vitals")
    }

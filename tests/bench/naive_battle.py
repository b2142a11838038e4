"""A Battle Dice battle as somebody would write it in an afternoon: one loop, no reasons, no log.

The peer of P22. It plays the default readings and default orders for the two example armies, with
dragons on one side and archmages on the other, and must come out as the rules do.
"""

from __future__ import annotations

from random import Random
from typing import Any

FROM = {4: 4, 6: 5, 8: 7, 10: 8, 12: 10}
STEP = {20: 1, 4: 2, 12: 3, 10: 4, 8: 5, 6: 6}
EXPENDABLE = {6: 0, 8: 1, 10: 2, 12: 3, 4: 4, 20: 5}
PRECIOUS = {20: 0, 12: 1, 10: 2, 8: 3, 4: 4, 6: 5}
TO_ONE = {8: 0, 6: 1, 12: 2, 10: 3, 4: 4, 20: 5}
ARMIES = ({4: 2, 6: 4, 8: 4, 10: 4, 12: 2, 20: 4}, {4: 1, 6: 5, 8: 6, 10: 0, 12: 6, 20: 2})
DRAGON = ("missile", "combat", "combat", "to_one", "manoeuvre", "ignore")


def battle(rng: Random) -> tuple[int | None, int]:
    """Play a battle; give the winner, None for a draw, and the number of turns."""
    sides: list[dict[str, Any]] = [
        {"dice": [[kind, 0, place] for kind, n in army.items() for _ in range(n)],
         "lost": [], "ignore": 0, "carry": 0}
        for place, army in enumerate(ARMIES)
    ]  # fmt: skip
    for turn in range(1, 51):
        ended, winner = one_turn(rng, sides)
        if ended:
            return winner, turn
    one, two = (len(side["dice"]) for side in sides)
    return (None if one == two else int(one < two)), 50


def one_turn(  # noqa: C901  # one loop, as it would be written by hand
    rng: Random, sides: list[dict[str, Any]]
) -> tuple[bool, int | None]:
    """Play the eight steps of a turn."""
    rand = rng.randint
    for side in sides:
        for die in side["dice"]:
            die[1] = rand(1, die[0])
        side |= {"from": dict(FROM), "casualties": 0, "plus": 0, "minus": 0, "first": set(),
                 "points": {"tactical": 0, "magic": 0, "manoeuvre": side["carry"]},
                 "due": {"missile": 0, "combat": 0}, "carry": 0}  # fmt: skip
    now = [1]

    def pending(side: dict[str, Any], die: list[int]) -> bool:
        return STEP[die[0]] > now[0] and die[1] >= side["from"][die[0]]

    def remove(side: dict[str, Any], gone: list[list[int]]) -> None:
        ids = {id(die) for die in gone}
        side["dice"] = [die for die in side["dice"] if id(die) not in ids]
        for die in gone:
            die[1] = 0
        side["lost"] += gone
        side["casualties"] += len(gone)

    def choose(side: dict[str, Any], count: int, of: list[list[int]] | None = None) -> Any:
        dice = side["dice"] if of is None else of
        ranked = sorted(dice, key=lambda d: (pending(side, d), EXPENDABLE[d[0]], d[1]))
        return ranked[:count]

    def absorb(side: dict[str, Any], count: int) -> int:
        ignored = min(side["ignore"], count) if side["dice"] else 0
        side["ignore"] -= ignored
        return count - ignored

    def best(side: dict[str, Any], dice: list[list[int]], order: dict[int, int]) -> Any:
        return sorted(dice, key=lambda d: (not pending(side, d), order[d[0]], -d[1]))

    def roll_magic(place: int) -> tuple[int, str, int]:
        face = rand(1, 10)
        if face == 3:
            return roll_manoeuvre(place)
        if face == 10:
            return roll_tactical(place)
        return place, *(
            ("losses", rand(1, 3)) if face == 1
            else ("restore", rand(1, 3)) if face == 2
            else ("to_one", rand(1, 6)) if face == 4
            else ("control", 1) if face == 5
            else ("summon", rand(1, 3)) if face == 6
            else ("death", 1) if face == 7
            else ("minus", 1) if face == 8
            else ("immobilize", rand(1, 3))
        )  # fmt: skip

    def roll_tactical(place: int) -> tuple[int, str, int]:
        face = rand(1, 6)
        if face in (1, 5):
            return place, ("manoeuvre", "restore")[face == 5], rand(1, 3 if face == 1 else 6)
        return place, {2: "plus", 3: "charge", 4: "fire", 6: "initiative"}[face], 1

    def roll_manoeuvre(place: int) -> tuple[int, str, int]:
        face = (rand(1, 10) + 1) // 2
        if face == 3:
            return place, "surround", 1
        return place, {1: "losses", 2: "to_one", 4: "ignore", 5: "losses"}[face], rand(1, 3)

    def carry_out(  # noqa: C901  # likewise
        effects: list[tuple[int, str, int]], kills: tuple[int, int] = (0, 0)
    ) -> None:
        for place, what, n in effects:
            side, enemy = sides[place], sides[1 - place]
            if what == "ignore":
                side["ignore"] += n
            elif what in ("tactical", "magic", "manoeuvre"):
                side["points"][what] += n
            elif what == "immobilize":
                enemy["points"]["manoeuvre"] -= n
            elif what in ("charge", "fire"):
                side["from"][6 if what == "charge" else 8] = 4 if what == "charge" else 6
            elif what == "plus":
                side["plus"] += 1
            elif what in ("minus", "surround"):
                enemy["minus"] += 1
                side["carry"] += what == "surround"
            elif what in ("missile", "combat"):
                side["due"][what] += n
        for place in (0, 1):
            enemy = sides[1 - place]
            heroes = [die for die in enemy["dice"] if die[0] == 20]
            if kills[place] and heroes:
                left = absorb(enemy, kills[place])
                remove(enemy, choose(enemy, left, heroes))
        for place, what, n in effects:
            enemy = sides[1 - place]
            if what == "losses" and enemy["dice"]:
                remove(enemy, choose(enemy, absorb(enemy, n)))
            elif what == "death" and enemy["dice"]:
                picked = best(enemy, enemy["dice"], PRECIOUS)[:1]
                if absorb(enemy, 1):
                    remove(enemy, picked)
        takers = [place for place, what, _ in effects if what == "control"]
        taken = [best(sides[1 - p], sides[1 - p]["dice"], PRECIOUS)[: takers.count(p)]
                 for p in (0, 1)]  # fmt: skip
        for place in (0, 1):
            ids = {id(die) for die in taken[place]}
            enemy = sides[1 - place]
            enemy["dice"] = [die for die in enemy["dice"] if id(die) not in ids]
            sides[place]["dice"] = sides[place]["dice"] + taken[place]
        for place, what, n in effects:
            if what == "to_one":
                enemy = sides[1 - place]
                open_ = [
                    d for d in enemy["dice"] if d[0] != 20 and d[1] > 1 and STEP[d[0]] > now[0]
                ]
                for die in best(enemy, open_, TO_ONE)[:n]:
                    die[1] = 1
        for place, what, n in effects:
            side = sides[place]
            if what == "restore":
                back = sorted(side["lost"], key=lambda d: PRECIOUS[d[0]])[:n]
                ids = {id(die) for die in back}
                side["lost"] = [die for die in side["lost"] if id(die) not in ids]
                side["dice"] = side["dice"] + back
            elif what == "summon":
                side["dice"] = side["dice"] + [[6, 0, place] for _ in range(n)]
        for place, what, _ in effects:
            if what == "initiative":
                side = sides[place]
                more = hits(side, 8, "missile") > hits(side, 6, "combat")
                side["first"].add("missile" if more else "combat")

    def hits(side: dict[str, Any], kind: int, what: str) -> int:
        least = side["from"][kind]
        return sum(d[0] == kind and d[1] >= least for d in side["dice"]) + side["due"][what]

    def over() -> tuple[bool, int | None] | None:
        left = [place for place in (0, 1) if sides[place]["dice"]]
        if len(left) == 2:
            return None
        return True, left[0] if left else None

    effects: list[tuple[int, str, int]] = []
    heroes = [[die for die in side["dice"] if die[0] == 20] for side in sides]
    for place in (0, 1):
        remove_later = [die for die in heroes[place] if die[1] <= 2]
        heroes[place] = [die for die in heroes[place] if die[1] > 2]
        remove(sides[place], remove_later)
    kills = [0, 0]
    for place in (0, 1):
        kills[place] = sum(13 <= die[1] <= 16 for die in heroes[place])
        for die in heroes[place]:
            if die[1] < 17:
                continue
            if die[2] == 0:
                effects.append((place, DRAGON[rand(1, 6) - 1], rand(1, 3)))
            elif rand(1, 6) <= 4:
                effects.append(roll_magic(place))
            else:
                effects.append((place, "magic", rand(1, 3)))
    carry_out(effects, (kills[0], kills[1]))
    if ended := over():
        return ended
    for step, (pool, kind, roll) in enumerate(
        (("tactical", 4, roll_tactical), ("magic", 12, roll_magic),
         ("manoeuvre", 10, roll_manoeuvre)), 2,
    ):  # fmt: skip
        now[0] = step
        totals = [
            max(0, side["points"][pool]
                + sum(d[0] == kind and d[1] >= side["from"][kind] for d in side["dice"]))
            for side in sides
        ]  # fmt: skip
        ahead = totals[0] - totals[1]
        carry_out([roll(0 if ahead > 0 else 1) for _ in range(abs(ahead))])
        if ended := over():
            return ended
    for step, what, kind in ((5, "missile", 8), (6, "combat", 6)):
        now[0] = step
        first = [place for place in (0, 1) if what in sides[place]["first"]]
        if len(first) == 1:
            for place in (first[0], 1 - first[0]):
                enemy = sides[1 - place]
                remove(enemy, choose(enemy, absorb(enemy, hits(sides[place], kind, what))))
        else:
            dealt = [hits(side, kind, what) for side in sides]
            left = [absorb(sides[place], dealt[1 - place]) for place in (0, 1)]
            picked = [choose(sides[place], left[place]) for place in (0, 1)]
            for place in (0, 1):
                remove(sides[place], picked[place])
        if ended := over():
            return ended
    one, two = (side["casualties"] for side in sides)
    if one == two:
        return False, None
    tester = int(one < two)
    side = sides[tester]
    count = sum(rand(1, die[0]) in (2, 3) for die in side["dice"])
    count += sum(rand(1, 6) for _ in range(side["plus"]))
    count -= sum(rand(1, 6) for _ in range(side["minus"]))
    return count < side["casualties"], 1 - tester

"""Chapter 9, and blindness: who is found, what a masking covers, who may be struck unseen."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

from app.engine.ruleset import GM
from app.engine.tally import Tally
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    REPLY,
    Rules,
    arriving,
    begin,
    bonus_of,
    duel,
    fighter,
    post,
    read_rules,
    tool,
)
from app.rulesets.guida.blind import band, fails_up_to
from app.rulesets.guida.blind import volley_class as class_of
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.initial import open_turn
from app.rulesets.guida.levels import is_sightless, total_level
from app.rulesets.guida.orders import (
    Attack,
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
    Unseen,
)
from app.rulesets.guida.readings import CamouflageRoll
from app.rulesets.guida.rulings import (
    Place,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.sheet import Blinding, Camouflage, Masking, Perception, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
    Setup,
)
from app.rulesets.guida.stealth import concentration_of
from app.rulesets.guida.terms import AttackKind, Stat, Talent
from app.rulesets.guida.underway import (
    Concentration,
)

SENSE, COVER = "sense", "cover"
FAR = 100  # a bonus no perception of these scenes comes near


def detection(given: Given) -> dict[str, object]:
    """Let targets camouflage themselves, or not, each in its turn, and an observer look for all.

    A camouflage's ``attempt_die`` is the one that falls where each attempt has its own (AMB-68).
    """
    look = given.part("perception")
    rules = read_rules(given)
    bonus, held = look.number("stat_bonus"), look.number("concentration", 0)
    targets = given.parts("targets")
    seen = _sense(bonus, given.whole("detection_radius_m"), look.number("potential_bonus", 0))
    again = rules.options.camouflage_roll is CamouflageRoll.PER_ATTEMPT
    worn = [one.part("camouflage") if one.has("camouflage") else None for one in targets]
    hiders = [
        fighter(f"T{index}", *(() if cover is None else (_cover(cover.number("stat_bonus")),)))
        for index, cover in enumerate(worn)
    ]
    metres = [one.number("distance_m") for one in targets]
    scene = _around(rules, fighter(ATTACKER, seen), hiders, metres)
    for hider, cover in zip(hiders, worn, strict=True):
        wears = Turn(by=hider.id, camouflage=None if cover is None else COVER)
        falls = cover is not None and not again
        scene = post(scene, wears, [cover.whole("die")] if cover and falls else ()).after
    kept = tuple(
        Concentration(observer=ATTACKER, target=one.id, value=int(held)) for one in hiders if held
    )
    scene = dataclasses.replace(scene, concentration=kept)
    anew = [1 if one is None else one.whole("attempt_die", one.whole("die")) for one in worn]
    faces = [look.whole("die"), *(anew if again else ())]
    done = post(scene, Turn(by=ATTACKER, perception=SENSE), faces)
    concealed = [done.after.who(hider.id).camouflage for hider in hiders]
    return {
        "perception_value": Fraction(str(done.facts("perceived")[0]["value"])) + held,
        "camouflage_values": [
            0 if one is None else one.value + (die if again else 0)
            for one, die in zip(concealed, anew, strict=True)
        ],
        "detected": [not is_hidden(done.after, hider.id, ATTACKER) for hider in hiders],
    }


def concentration_track(given: Given) -> dict[str, object]:
    """Hide a target anew in every round, camouflaged or not, and try to find it, or not."""
    observer = fighter(ATTACKER, _sense(Fraction(0), 50))
    hider = fighter(DEFENDER, tool(COVER, stat_bonus=Fraction(FAR), effects=(Camouflage(turns=1),)))
    scene = _around(read_rules(given), observer, [hider], [Fraction(5)])
    used: list[object] = []
    after: list[object] = []
    for one in given.parts("turns"):
        camouflaged, attempt = one.flag("camouflaged"), one.flag("attempt")
        covered = Turn(by=DEFENDER, camouflage=COVER if camouflaged else None)
        scene = post(scene, covered, [1] if camouflaged else ()).after
        pair = Unseen(who=DEFENDER, observer=ATTACKER)
        scene = post(scene, Place(by=GM, hidden=(pair,), reason="-")).after
        looks = Turn(by=ATTACKER, perception=SENSE if attempt else None)
        done = post(scene, looks, [1] if attempt else ())
        scene = done.after
        told = done.facts("detected", "not_detected")
        bonus = told[0]["bonus"] if told else None
        used.append((bonus_of(bonus, "concentration") or 0) if isinstance(bonus, Tally) else None)
        after.append(concentration_of(scene, ATTACKER, DEFENDER))
    return {"used": used, "after": after}


def masking(given: Given) -> dict[str, object]:
    """Let one observer after the other look at somebody masked and in plain sight."""
    value = given.number("masking_value")
    wanted = given.numbers("perception_values")
    mask = tool(COVER, stat_bonus=value - 1, effects=(Masking(),))
    watchers = [
        fighter(f"O{index}", _sense(perceived - 1, 50)) for index, perceived in enumerate(wanted)
    ]
    scene = duel(read_rules(given), fighter(ATTACKER, mask), *watchers)
    scene = post(scene, Turn(by=ATTACKER, masking=COVER), [1]).after
    revealed: list[bool] = []
    for watcher in watchers:
        done = post(scene, Turn(by=watcher.id, perception=SENSE), [1])
        scene = done.after
        revealed.append(done.has("masking_fails"))
    return {
        "features_revealed": revealed,
        "position_hidden": [is_hidden(scene, ATTACKER, one.id) for one in watchers],
    }


def hidden_attack(given: Given) -> dict[str, object]:
    """Ask whether an attack on somebody, hidden or in sight, blind or not, could be posted."""
    rules = read_rules(given)
    legal: list[bool] = []
    for case in given.parts("cases"):
        hidden = (Unseen(who=DEFENDER, observer=ATTACKER),) if case.flag("hidden") else ()
        scene = duel(rules, fighter(ATTACKER), fighter(DEFENDER))
        scene = post(scene, Place(by=GM, hidden=hidden, reason="-")).after
        attack = Attack(target=DEFENDER, tool=REPLY, blind=case.flag("blind"))
        legal.append(not GUIDA.check(scene, Turn(by=ATTACKER, main=attack)))
    return {"legal": legal}


def blind_attack(given: Given) -> dict[str, object]:
    """Say which blind attacks fail by themselves, by the radius of the area and the natural die."""
    options = read_rules(given).options
    kind = given.word(AttackKind, "attack_kind")
    pairs = [_pair(pair) for pair in given.items("cases")]
    beyond = [bool(one) for one in given.items("beyond_max_range")]
    beyond += [False] * (len(pairs) - len(beyond))
    pairs += [(Fraction(0), Fraction(12))] * (len(beyond) - len(pairs))
    return {
        "automatic_failure": [
            out or die <= fails_up_to(kind, band(options, radius))
            for (radius, die), out in zip(pairs, beyond, strict=True)
        ]
    }


def volley_class(given: Given) -> dict[str, object]:
    """Say as which kind of attack volleys count; null for one that the options refuse."""
    options = read_rules(given).options
    return {"treated_as": [class_of(options, shots) for shots in given.wholes("volley_sizes")]}


def blinded(given: Given) -> dict[str, object]:
    """Blind somebody with a blow, and see what is left of Dexterity and of those around."""
    rules = read_rules(given)
    metres = given.numbers("distances_m")
    results: list[dict[str, object]] = []
    for case in given.parts("cases"):
        talents = (case.word(Talent, "talent"),) if case.has("talent") else ()
        scene = _blinded_by_a_blow(rules, given.whole("dexterity"), talents, metres)
        bearer = scene.who(DEFENDER)
        results.append(
            {
                "blinded": is_sightless(bearer),
                "dexterity": total_level(bearer, Stat.DEXTERITY).total,
                "hidden": [
                    is_hidden(scene, f"W{index}", DEFENDER) for index, _ in enumerate(metres)
                ],
            }
        )
    return {"results": results}


def _blinded_by_a_blow(
    rules: Rules, dexterity: int, talents: tuple[Talent, ...], metres: Iterable[Fraction]
) -> Scene:
    """Give the scene as the one who was hit opens its next turn."""
    flash = tool("flash", 0, effects=(Blinding(),))
    hit = fighter(DEFENDER, stats=Stats(dexterity=dexterity))
    hit = dataclasses.replace(hit, sheet=dataclasses.replace(hit.sheet, talents=talents))
    placed = list(metres)
    watchers = [fighter(f"W{index}") for index, _ in enumerate(placed)]
    scene = duel(
        rules,
        fighter(ATTACKER, flash),
        hit,
        *watchers,
        underway=[arriving(flash.id, 20)],
        first=DEFENDER,
    )
    distances = [
        Distance(a=DEFENDER, b=one.id, metres=far)
        for one, far in zip(watchers, placed, strict=True)
    ]
    scene = scene.placed(distances, scene.behind)
    scene = post(scene, Turn(by=DEFENDER)).after
    return open_turn(scene, Turn(by=DEFENDER)).scene


def _sense(bonus: Fraction, radius_m: int, potential: Fraction = Fraction(0)) -> Tool:
    effects = (Perception(radius_m=radius_m),)
    return tool(SENSE, stat_bonus=bonus, potential_bonus=potential, effects=effects)


def _cover(bonus: Fraction) -> Tool:
    return tool(COVER, stat_bonus=bonus, effects=(Camouflage(),))


def _around(
    rules: Rules, observer: Entrant, hiders: list[Entrant], metres: list[Fraction]
) -> Scene:
    """Start a scene of one observer and those hidden from it, who post first."""
    far = {hider.id: one for hider, one in zip(hiders, metres, strict=True)}
    everybody = (*hiders, observer)
    return begin(
        Setup(
            entrants=(*(dataclasses.replace(one, team="hiders") for one in hiders), observer),
            distances=tuple(
                Distance(a=one.id, b=other.id, metres=far.get(one.id, Fraction(5)))
                for one, other in combinations(everybody, 2)
            ),
            hidden=tuple(Unseen(who=one.id, observer=observer.id) for one in hiders),
            first=everybody[0].id,
            options=rules.options,
            regulation=rules.regulation,
        )
    )


def _pair(item: object) -> tuple[Fraction, Fraction]:
    if not isinstance(item, list) or len(item) != 2:
        raise CaseError(f"{item!r} is not a pair of radius and die")
    return Fraction(str(item[0])), Fraction(str(item[1]))

"""Chapter 10: how far one is thrown, into what, and who may recover."""

from __future__ import annotations

from fractions import Fraction

from app.engine.ruleset import GM
from app.engine.tally import Term
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    REPLY,
    Post,
    Rules,
    Scored,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    scored,
    tool,
)
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.knockback import tally_distance
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Knock,
    Turn,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.sheet import Knockback, Modifier, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Category, Score, Stat
from app.rulesets.guida.underway import (
    Throw,
)

HARD = 100  # a score that whoever attacks or defends in vain does not reach


def knockback_distance(given: Given) -> dict[str, object]:
    """Work out the greatest distance of a throw, for each category (GC-10.4)."""
    rules = read_rules(given)
    stats = Stats(strength=given.whole("target_strength"))
    scene = duel(rules, fighter(ATTACKER), fighter(DEFENDER, stats=stats), first=DEFENDER)
    strength = total_level(opened(scene, DEFENDER), Stat.STRENGTH)
    far = []
    for category in given.items("categories"):
        throw = Throw(
            thrower=ATTACKER,
            thrown=DEFENDER,
            name="",
            die=given.whole("die"),
            category=Category(str(category)),
            potential_bonus=Term("GC-8.5", "potential_bonus", given.number("potential_bonus")),
            stat_bonus=given.number("stat_bonus"),
            knock=Knock(),
            by_defence=given.flag("caused_by_defence", False),
        )
        far.append(tally_distance(rules.options, throw, strength).total)
    return {"max_knockback_distance": far}


def knockback_choice(given: Given) -> dict[str, object]:
    """Throw somebody as far as was chosen, and against something that stands near (GC-14.25)."""
    results = []
    for case in given.parts("cases"):
        wall = 1 if case.flag("against_object", False) else None
        chosen = case.whole("chosen_m") if case.has("chosen_m") else None
        far = given.whole("max_knockback_distance")
        flown = _fly(read_rules(given), far, Knock(metres=chosen), None)
        results.append(
            {
                "legal": True,
                "distance_m": _metres(flown),
                "environmental_damage": wall is not None
                and _fly(read_rules(given), far, Knock(metres=chosen, object_m=wall), None).has(
                    "impact"
                ),
            }
        )
    return {"results": results}


def reaction(given: Given) -> dict[str, object]:
    """Let the one who is thrown try to recover, or not (GC-10.8 to GC-10.12)."""
    rules = read_rules(given)
    far = given.whole("distance_m")
    tried = given.flag("attempted", True)
    blow = given.part("knockback")
    die = given.whole("reaction_die") if tried else None
    dexterity = given.whole("dexterity", 0)
    guarded = given.text("defence") == "guard_success"
    if not guarded and given.text("defence") != "null_defence":
        raise CaseError(f"this edition has no defence {given.text('defence')!r}")
    thrown = _Blow(
        die=blow.whole("die", LAUNCH),
        category=blow.word(Category, "category", Category.D),
        stat_bonus=blow.number("stat_bonus", 0),
        by_defence=blow.flag("caused_by_defence", False),
    )
    made = thrown.land(rules, far, Knock(object_m=1), die, dexterity=dexterity, guarded=guarded)
    open_field = thrown.land(rules, far, Knock(), die, dexterity=dexterity, guarded=guarded)
    told = made.facts("reaction_succeeded", "reaction_failed")
    return {
        "allowed": True,
        **({"knockback_value": told[0]["knockback_value"]} if told else {}),
        **({"reaction_value": told[0]["reaction_value"]} if told else {}),
        "success": made.has("reaction_succeeded") if told else None,
        "distance_m": _metres(open_field),
        "environmental_damage": made.has("impact", "impact_not_strongest"),
        "offensive_phase": "allowed" if made.has("attack_launched") else "blocked",
    }


def reaction_eligibility(given: Given) -> dict[str, object]:
    """Ask after which defences a reaction is legal, and is rolled for, in play (GC-10.8)."""
    return {"allowed": [_may_react(read_rules(given), str(end)) for end in given.items("defences")]}


class _Blow:
    """A blow that throws its target back, with the numbers of a case."""

    def __init__(
        self, *, die: int, category: Category, stat_bonus: Fraction, by_defence: bool
    ) -> None:
        self.die = die
        self.category = category
        self.stat_bonus = stat_bonus
        self.by_defence = by_defence

    def land(
        self,
        rules: Rules,
        far: int,
        knock: Knock,
        reaction: int | None,
        *,
        dexterity: int,
        guarded: bool,
    ) -> Post:
        """Let it throw its target exactly so far, who then attacks, if it still can."""
        half = Fraction(self.die, 2) if self.by_defence else self.die
        # The distance is wished for: the potential bonus makes any wish possible.
        wish = Knock(metres=far, object_m=knock.object_m)
        ram = _ram(self.category, self.stat_bonus, max(Fraction(0), far - half - self.stat_bonus))
        if self.by_defence:
            return self._by_defence(rules, ram, wish, reaction, dexterity)
        return _struck(rules, ram, wish, self.die, reaction, dexterity=dexterity, guarded=guarded)

    def _by_defence(
        self, rules: Rules, ram: Tool, knock: Knock, reaction: int | None, dexterity: int
    ) -> Post:
        """Let the one who is to be thrown attack, and be thrown back by a parry."""
        weak = tool("weak", 0, category=Category.D)
        scene = duel(
            rules,
            fighter(ATTACKER, ram),
            fighter(DEFENDER, weak, stats=Stats(dexterity=dexterity)),
            first=DEFENDER,
        )
        scene = post(scene, Turn(by=DEFENDER, main=Attack(target=ATTACKER, tool="weak")), [1]).after
        parry = Defence(
            action=Action.PARRY, against=(scene.incoming[0].id,), tool=ram.id, knock=knock
        )
        scene = _granted(post(scene, Turn(by=ATTACKER, defences=(parry,)), [self.die]).after)
        reacts = reaction is not None
        turn = Turn(by=DEFENDER, reacts=reacts, main=Attack(target=ATTACKER, tool=REPLY))
        return post(scene, turn, [*([reaction] if reaction is not None else []), LAUNCH])


def _ram(category: Category, stat_bonus: Fraction, potential_bonus: Fraction) -> Tool:
    return tool(
        "ram",
        HARD,
        category=category,
        stat_bonus=stat_bonus,
        potential_bonus=potential_bonus,
        effects=(Knockback(),),
        modifiers=(
            Modifier(name="sure", score=Score.HIT, points=HARD),
            Modifier(name="firm", score=Score.DEFEND, points=HARD),
        ),
    )


def _struck(
    rules: Rules,
    ram: Tool,
    knock: Knock,
    die: int,
    reaction: int | None,
    *,
    dexterity: int,
    guarded: bool,
) -> Post:
    """Throw the defender, after a null defence or a guard, and let it attack if it still can."""
    shield = scored(Action.GUARD, 3 * HARD)
    scene = duel(
        rules,
        fighter(ATTACKER, ram),
        fighter(DEFENDER, shield.effort, stats=Stats(dexterity=dexterity)),
    )
    main = Attack(target=DEFENDER, tool=ram.id, knock=knock)
    scene = _granted(post(scene, Turn(by=ATTACKER, main=main), [die]).after)
    action = Action.GUARD if guarded else Action.NULL_DEFENCE
    defence = Defence(
        action=action,
        against=(scene.incoming[0].id,),
        support=(shield.effort.id,) if guarded else (),
        reacts=reaction is not None,
    )
    turn = Turn(by=DEFENDER, defences=(defence,), main=Attack(target=ATTACKER, tool=REPLY))
    faces = [
        *(shield.faces if guarded else ()),
        *([reaction] if reaction is not None else []),
        LAUNCH,
    ]
    return post(scene, turn, faces)


def _fly(rules: Rules, far: int, knock: Knock, reaction: int | None) -> Post:
    """Throw somebody who could be thrown exactly so far."""
    ram = _ram(Category.D, Fraction(0), Fraction(far - LAUNCH))
    return _struck(rules, ram, knock, LAUNCH, reaction, dexterity=0, guarded=False)


def _granted(scene: Scene) -> Scene:
    """Let the Master confirm whatever waits for him."""
    for asked in scene.questions:
        order = Answer(by=GM, question=asked.id, choice="confirm", reason="so be it")
        scene = post(scene, order).after
    return scene


def _metres(made: Post) -> Fraction:
    thrown = made.facts("thrown")
    return Fraction(str(thrown[0]["metres"])) if thrown else Fraction(0)


def _may_react(rules: Rules, end: str) -> bool:
    """Declare a reaction with a defence that ends so, and see whether it is rolled for."""
    if end not in _ENDS:
        raise CaseError(f"this edition has no {end!r}")
    action, score = _ENDS[end]
    ram = _ram(Category.D, Fraction(0), Fraction(HARD))
    made: Scored = scored(action, score, weapon=tool("weapon", 9 * HARD))
    scene = duel(rules, fighter(ATTACKER, ram), fighter(DEFENDER, *made.tools))
    main = Attack(target=DEFENDER, tool=ram.id, knock=Knock())
    scene = post(scene, Turn(by=ATTACKER, main=main), [LAUNCH]).after
    declared = made.against(scene.incoming[0].id)
    turn = Turn(by=DEFENDER, defences=(_reacting(declared),))
    if GUIDA.check(scene, turn):
        return False
    played = post(scene, turn, [*made.faces, 1])
    return played.has("reaction_failed", "reaction_succeeded")


def _reacting(defence: Defence) -> Defence:
    return Defence(
        action=defence.action,
        against=defence.against,
        tool=defence.tool,
        support=defence.support,
        reacts=True,
    )


# Whatever a case calls a defence with its end: what is declared, and the score it comes to.
_ENDS = {
    "null_defence": (Action.NULL_DEFENCE, 0),
    "guard_success": (Action.GUARD, 3 * HARD),
    "guard_failure": (Action.GUARD, 3),
    "parry_success": (Action.PARRY, 3 * HARD),
    "dodge_success": (Action.DODGE, 3 * HARD),
    "unbalance_success": (Action.UNBALANCE, 3 * HARD),
}

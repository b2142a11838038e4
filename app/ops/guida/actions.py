"""Chapters 2 and 4: kinds of action, what hangs on what, preparations and movements."""

from __future__ import annotations

from dataclasses import replace

from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    REPLY,
    Coming,
    Post,
    Scored,
    bonus_of,
    choose,
    duel,
    fighter,
    ids_of,
    launched,
    post,
    read_rules,
    read_stacks,
    scored,
    tool,
)
from app.ops.guida.success import metres_off, stacks_of
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.initial import main_of
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Independent,
    Movement,
    Preparation,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.sheet import Stats, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Phase, Secondary

SCORE = 10  # of what comes at somebody in these scenes


def action_limit(given: Given) -> dict[str, object]:
    """Let each controlled character post twice in a round, and count main actions (GC-2.17)."""
    controlled, opponents = given.whole("controlled_characters"), given.whole("opponents")
    own = [f"{ATTACKER}{index}" for index in range(controlled)]
    others = [f"{DEFENDER}{index}" for index in range(opponents)]
    scene = duel(
        read_rules(given),
        *(replace(fighter(id), team=ATTACKER) for id in own),
        *(replace(fighter(id), team=DEFENDER) for id in others),
        first=own[0],
    )
    limit = 0
    for id in own:
        for target in (others * 2)[:2]:
            turn = Turn(by=id, main=Attack(target=target, tool=REPLY))
            if not GUIDA.check(scene, turn):
                scene = post(scene, turn, [LAUNCH]).after
                limit += 1
    return {"limit": limit, "legal": given.whole("main_actions") <= limit}


def action_class(given: Given) -> dict[str, object]:
    """Post these actions in one Offensive Phase, and see what each of them is (GC-2.20 to 2.24).

    A main action that does not succeed is countered, and given up by its owner.
    """
    if given.text("phase") != "offensive":
        raise CaseError("secondary actions without a main one belong to the Offensive Phase")
    parts = given.parts("actions")
    kinds = {part.text("id"): part.text("class") for part in parts}
    fails = any(not part.flag("succeeds", True) for part in parts)
    first = [part.text("id") for part in parts if part.flag("most_relevant", False)]
    mains = [id for id, kind in kinds.items() if kind == "main"]
    rest = [id for id in (*first, *kinds) if id not in mains]
    secondary = tuple(dict.fromkeys(rest))
    main = Generic(tool=mains[0], support=secondary) if mains else None
    turn = Turn(by=ATTACKER, main=main, loose=() if mains else secondary)
    counter = scored(Action.GENERIC_COUNTERATTACK, 100 if fails else 0)
    scene = duel(
        read_rules(given),
        fighter(ATTACKER, *(tool(id, ep=1) for id in kinds)),
        fighter(DEFENDER, *counter.tools),
    )
    made = post(scene, turn, [LAUNCH])
    acting = main_of(turn)
    own = acting.tool if isinstance(acting, Generic) else ""
    counterable = {one.tool.id for one in made.after.counterable(DEFENDER) if one.tool}
    rolled = {die.items[0] for die in made.plan.asked}
    carried = _carried_out(made.after, counter, fails=fails)
    return {
        id: {
            "class": "main" if id == own else "secondary",
            "rolls": id in rolled,
            "counterable": id in counterable,
            "succeeds": id in carried,
        }
        for id in kinds
    }


def action_chain(given: Given) -> dict[str, object]:
    """Post a sequence of actions some of which build on others (GC-2.28, GC-2.29, GC-14.11).

    An action that names what it builds on and does not fail by itself is a secondary action of
    that; one that says it builds on nothing is an independent secondary; any other is a main
    defence. Each costs energy if it is carried out, and meets an attack of its own if it rolls.
    """
    parts = given.parts("actions")
    ids = [part.text("id") for part in parts]
    fails = {part.text("id"): not part.flag("succeeds", True) for part in parts}
    after = {part.text("id"): [str(one) for one in part.items("depends_on")] for part in parts}
    alone = {part.text("id") for part in parts if part.has("depends_on")}
    alone -= {id for id in ids if after[id]}
    tied = {id: _root(id, after, fails) for id in ids if after[id] and not fails[id]}
    made = {
        id: scored(
            Action.INDEPENDENT_SECONDARY if id in alone else Action.DODGE,
            0 if fails[id] else 100,
            id,
            ep=1,
        )
        for id in ids
        if id not in tied
    }
    scene = launched(
        read_rules(given),
        [Coming(id=f"against-{id}", score=SCORE) for id in made],
        fighter(
            DEFENDER,
            *(used for one in made.values() for used in one.tools),
            *(tool(id, ep=1) for id in tied),
        ),
    )
    incoming = ids_of(scene)
    turn = Turn(
        by=DEFENDER,
        defences=tuple(
            one.against(
                incoming[f"against-{id}"],
                also=tuple(other for other, root in tied.items() if root == id),
            )
            for id, one in made.items()
            if id not in alone
        ),
        independents=tuple(
            Independent(tool=id, against=incoming[f"against-{id}"]) for id in made if id in alone
        ),
    )
    played = post(scene, turn, [1] * len(made))
    paid = {str(facts["name"]) for facts in played.facts("energy_spent")}
    outrun = played.facts("speed_attacker_wins", "independent_outpaced")
    lost = {str(facts["name"]).removeprefix("against-") for facts in outrun}
    return {
        "results": {
            id: "failure" if id in lost else ("success" if id in paid else "annulled") for id in ids
        }
    }


def preparation(given: Given) -> dict[str, object]:
    """Prepare, and play the next turn with its answers (GC-4.35 to GC-4.40)."""
    kinds = [str(kind) for kind in given.items("secondary")]
    follow = given.part("next_turn")
    answers = [Action(str(action)) for action in follow.items("answers")]
    attacked = follow.flag("defensive_phase", False)
    made = [scored(action, SCORE, f"effort-{index}") for index, action in enumerate(answers)]
    who = fighter(
        DEFENDER,
        *_secondaries(kinds),
        *(used for one in made for used in one.tools),
        stats=Stats(dexterity=given.whole("dexterity")),
        stacks=read_stacks(given.part("stacks")),
    )
    authors = [f"{ATTACKER}{index}" for index in range(max(len(made), 1))]
    others = [replace(fighter(id, tool(f"blow-{id}")), team=ATTACKER) for id in authors]
    scene = duel(read_rules(given), who, *others, first=DEFENDER, metres=1000)
    turn = Turn(by=DEFENDER, main=_prepare(authors[0], given.whole("move_m", 0), kinds))
    if GUIDA.check(scene, turn):
        return {"legal": False}
    prepared = post(scene, turn)
    offered = GUIDA.choices(prepared.after, authors[0])
    stacks = stacks_of(prepared.after.who(DEFENDER))
    scene = prepared.after
    for id in authors:
        main = Attack(target=DEFENDER, tool=f"blow-{id}") if attacked else None
        scene = post(scene, Turn(by=id, main=main), [LAUNCH] if main else []).after
    incoming = [one.id for one in scene.against(DEFENDER)]
    defences = tuple(one.against(id) for one, id in zip(made, incoming, strict=False))
    plan = GUIDA.plan(
        scene,
        Turn(by=DEFENDER, defences=defences, main=Attack(target=authors[0], tool=REPLY)),
    )
    bonuses = {
        phase: [bonus_of(die.tally, "preparation") or 0 for die in plan.asked if die.phase == phase]
        for phase in (Phase.DEFENSIVE, Phase.OFFENSIVE)
    }
    return {
        "legal": True,
        "counterable": bool(offered.pending or offered.defences),
        "stacks": stacks,
        "next_turn_success_bonus": max(bonuses[Phase.DEFENSIVE], default=0),
        "next_turn_hit_bonus": max(bonuses[Phase.OFFENSIVE], default=0),
    }


def preparation_legality(given: Given) -> dict[str, object]:
    """Ask the turn engine whether these may be done while preparing (GC-4.37, GC-4.38)."""
    rules, dexterity = read_rules(given), given.whole("dexterity")
    legal = []
    for part in given.parts("cases"):
        kinds = [str(kind) for kind in part.items("secondary")]
        who = fighter(ATTACKER, *_secondaries(kinds), stats=Stats(dexterity=dexterity))
        scene = duel(rules, who, fighter(DEFENDER), metres=1000)
        main = _prepare(DEFENDER, part.whole("move_m", 0), kinds)
        legal.append(not GUIDA.check(scene, Turn(by=ATTACKER, main=main)))
    return {"legal": legal}


def movement_score(given: Given) -> dict[str, object]:
    """Add up the success score of a movement (GC-4.42)."""
    rules = read_rules(given)
    stats = Stats(dexterity=given.whole("dexterity"))
    who = fighter(ATTACKER, stats=stats, stacks=read_stacks(given.part("stacks")))
    end = metres_off(rules, given.whole("range_steps", 0))
    scene = duel(rules, who, fighter(DEFENDER), metres=metres_off(rules, 0))
    move = Move(distances=(Reach(to=DEFENDER, metres=end),))
    (die,) = GUIDA.plan(scene, Turn(by=ATTACKER, main=Movement(move=move))).asked
    return {
        "die_faces": die.sides,
        "modifier": die.tally.total,
        "success_score": given.whole("die") + die.tally.total,
    }


def _carried_out(scene: Scene, counter: Scored, *, fails: bool) -> set[str]:
    """Let the opponent counter a generic action or let it pass; name what was paid for."""
    posts: list[Post] = []
    if fails:
        (pending,) = ids_of(scene).values()
        posts.append(
            post(scene, Turn(by=DEFENDER, defences=(counter.against(pending),)), counter.faces)
        )
        held = posts[0].after
        given_up = choose(held, ATTACKER, confirm=False)
        posts.append(post(held, Turn(by=ATTACKER, suspended=given_up)))
    else:
        posts.append(post(scene, Turn(by=DEFENDER)))
    return {str(facts["name"]) for made in posts for facts in made.facts("energy_spent")}


def _root(id: str, after: dict[str, list[str]], fails: dict[str, bool]) -> str:
    """Follow an action down to a main one it hangs on: to one that fails, if there is any."""
    if fails[id] or not after[id]:
        return id
    roots = [_root(one, after, fails) for one in after[id]]
    return next((root for root in roots if fails[root]), roots[-1])


def _prepare(toward: str, metres: int, kinds: list[str]) -> Preparation:
    move = Move(distances=(Reach(to=toward, metres=1000 - metres),)) if metres else None
    return Preparation(move=move, support=tuple(f"secondary-{n}" for n in range(len(kinds))))


def _secondaries(kinds: list[str]) -> list[Tool]:
    """Make a secondary action of each kind; an attack is none that goes with a preparation."""
    words = set(Secondary)
    return [
        tool(
            f"secondary-{index}",
            attacks=kind == Action.ATTACK,
            secondary=Secondary(kind) if kind in words else Secondary.QUICK,
        )
        for index, kind in enumerate(kinds)
    ]

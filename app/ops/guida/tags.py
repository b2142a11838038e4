"""Chapters 1, 2 and 4, the written post: template, register, dice tags, one roll an action."""

from __future__ import annotations

from app import catalogue
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    REPLY,
    arriving,
    duel,
    fighter,
    read_rules,
    refuse,
    scored,
    tool,
)
from app.posts.dice_tag import DiceTag, read_tag
from app.posts.header import Entry, Header, StatNote, read_entries
from app.posts.lint import lint_register, lint_sequence, missing_parts, missing_rolls
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Figures,
    Turn,
)
from app.rulesets.guida.plan import MAIN_PLACE
from app.rulesets.guida.terms import Action, Stat


def post_lint(given: Given) -> dict[str, object]:
    """Hold a post against the template (GC-1.1 to GC-1.4)."""
    post = given.part("post")
    stats = post.part("stats")
    shown = {Stat(name): stats.part(name) for name in stats.names()}
    listed = [str(line) for line in post.items("register")]
    header = Header(
        sheet_link=post.text("sheet_link", ""),
        hp=post.whole("hp") if post.has("hp") else None,
        ep=post.whole("ep") if post.has("ep") else None,
        stats=tuple(
            StatNote(
                stat=stat,
                base=part.whole("base_level"),
                points=part.whole("bonus_points") if part.has("bonus_points") else None,
            )
            for stat, part in shown.items()
        ),
        register=read_entries(listed) if post.has("register") else None,
    )
    for absent in ("hp", "ep", "register"):
        post.raw(absent)
    missing = missing_parts(header)
    return {"valid": not missing, "missing": missing}


def register_check(given: Given) -> dict[str, object]:
    """Hold a register against GC-2.5 and GC-2.6."""
    options = read_rules(given).options
    now = Header(
        hp=given.whole("hp_now"),
        ep=given.whole("ep_now"),
        register=tuple(
            Entry(amount=sign * amount, unit=unit)
            for key, unit, sign in (
                ("damage", "hp", -1),
                ("healing", "hp", 1),
                ("expenses", "ep", -1),
                ("energy_gains", "ep", 1),
            )
            for amount in given.wholes(key)
        ),
    )
    before = Figures(hp=given.whole("hp_prev"), ep=given.whole("ep_prev"))
    over = {
        issue.facts["what"]: issue.facts["discrepancy"]
        for issue in lint_register(options, before, now)
    }
    found: dict[str, object] = {}
    for unit in ("hp", "ep"):
        found |= {f"{unit}_balanced": unit not in over, f"{unit}_discrepancy": over.get(unit, 0)}
    return found


def sequence_lint(given: Given) -> dict[str, object]:
    """Hold what a reader counted in a post against GC-2.30."""
    issues = lint_sequence(given.whole("sequences"), conditional=given.flag("has_conditionals"))
    violations = [issue.code for issue in issues]
    return {"valid": not violations, "violations": violations}


def dice_tag(given: Given) -> dict[str, object]:
    """Read one dice tag and hold it against its label (GC-4.85 to GC-4.87)."""
    tag = read_tag(given.text("tag"))
    return {
        "count": tag.count,
        "faces": tag.faces,
        "declared_modifier": tag.declared_modifier,
        "action_name": tag.action_name,
        "items": tag.items,
        "actor": tag.actor,
        "targets": tag.targets,
        "factors": [{"value": one.value, "source": one.source} for one in tag.factors],
        "listed_modifier": tag.listed_modifier,
        "issues": tag.issues,
    }


def roll_count(given: Given) -> dict[str, object]:
    """Ask the turn engine which dice a post needs, and look for them in it (GC-4.83).

    Each roll is one tag of its action; a counterattack needs two (GC-14.13).
    """
    actions = {part.text("id"): part.word(Action, "action") for part in given.parts("actions")}
    mains = [id for id, action in actions.items() if action is Action.ATTACK]
    if len(mains) > 1:
        raise CaseError("a turn has one main action")
    made = {id: scored(action, 0, id) for id, action in actions.items() if id not in mains}
    scene = duel(
        read_rules(given),
        fighter(ATTACKER, *(tool(f"against-{id}") for id in made)),
        fighter(DEFENDER, *(used for one in made.values() for used in one.tools)),
        underway=[arriving(f"against-{id}", 10) for id in made],
        first=DEFENDER,
    )
    turn = Turn(
        by=DEFENDER,
        defences=tuple(one.against(f"a{place}") for place, one in enumerate(made.values(), 1)),
        main=Attack(target=ATTACKER, tool=REPLY) if mains else None,
    )
    refuse(GUIDA.check(scene, turn))
    asked = GUIDA.plan(scene, turn).asked
    owners = [
        mains[0] if die.address.place == MAIN_PLACE else list(made)[die.address.place]
        for die in asked
    ]
    rolls = [str(roll) for roll in given.items("rolls")]
    tags = []
    for die, owner in zip(asked, owners, strict=True):
        if owner in rolls:
            rolls.remove(owner)
            word = catalogue.term(die.action).word["it"]
            tags.append(DiceTag(count=1, faces=die.sides, action_name=word, actor=die.actor))
    lacking = missing_rolls(asked, tags)
    missing = [id for die, id in zip(asked, owners, strict=True) if die in lacking]
    return {"valid": not missing, "missing_rolls": list(dict.fromkeys(missing))}

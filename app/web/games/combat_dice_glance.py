"""Where a combat stands, at a glance: both fighters, what they suffer from, the dice that lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.engine.tally import Tally
from app.http.language import Language
from app.rulesets.combat_dice.arms import at_hand
from app.rulesets.combat_dice.state import CombatDie, CombatFighter
from app.rulesets.combat_dice.tables import SPECIALTIES
from app.rulesets.combat_dice.terms import Armor, Condition, Score, Shield, Skill, Spell, Weapon
from app.rulesets.combat_dice.view import CombatFighterView, CombatRollView, CombatView
from app.web.games.combat_dice_words import ARMORS, SHIELDS, UNLISTED, said
from app.web.games.frame import Context
from app.web.texts import marked, translated


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One thing that a fighter suffers from or profits by: how often, and for how many turns."""

    text: str
    times: int = 1
    turns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DieFace:
    """A die as it is drawn; ``score`` is what it shows, empty for a blank or a specialty miss."""

    face: int
    score: str
    specialty: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterCard:
    """A fighter as its card shows it."""

    id: str
    name: str
    hp: int
    max_hp: int
    condition: Condition
    dice: Tally
    specialty: tuple[tuple[str, int], ...]
    gear: tuple[str, ...]
    weapon: Weapon
    spells: tuple[Spell, ...]
    chips: tuple[Chip, ...]
    modifiers: tuple[tuple[Score, Tally], ...]
    posted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """What a fighter has rolled in the turn that waits."""

    name: str
    dice: tuple[DieFace, ...]
    pair: tuple[int, ...]
    scores: tuple[int, ...]
    spell: Spell | None
    action: str


def names(view: CombatView) -> Mapping[str, str]:
    """Name both fighters."""
    return {one.id: one.name for one in view.fighters}


def glance(view: CombatView, language: Language) -> Context:
    """Gather what the page of a scene shows of a combat."""
    called = names(view)
    return {
        "view": view,
        "called": called,
        "cards": tuple(_card(one, language) for one in view.fighters),
        "scores": tuple(Score),
        "table": tuple(_row(one, called) for one in view.table),
        "winner": "" if view.outcome is None else called.get(view.outcome.winner or "", ""),
    }


def dice_of(dice: tuple[CombatDie, ...]) -> tuple[DieFace, ...]:
    """Draw dice as they lie."""
    return tuple(
        DieFace(
            face=one.face,
            score="" if one.symbol is None else str(one.symbol),
            specialty="" if one.specialty is None else str(one.specialty),
        )
        for one in dice
    )


def _row(rolled: CombatRollView, called: Mapping[str, str]) -> TableRow:
    return TableRow(
        name=called[rolled.fighter],
        dice=dice_of(rolled.dice),
        pair=rolled.pair,
        scores=rolled.scores,
        spell=rolled.spell,
        action=rolled.action or "",
    )


def _card(one: CombatFighterView, language: Language) -> FighterCard:
    who = one.fighter
    aided = (aid.specialty for aid in who.conditions.aid for _ in range(aid.dice))
    kinds = [*who.specialty, *aided]
    return FighterCard(
        id=one.id,
        name=one.name,
        hp=who.hp,
        max_hp=who.max_hp,
        condition=one.condition,
        dice=one.basic_dice,
        specialty=tuple((str(kind), kinds.count(kind)) for kind in SPECIALTIES if kind in kinds),
        gear=tuple(_gear(who, language)),
        weapon=who.weapon,
        spells=who.spells,
        chips=tuple(_chips(who, language)),
        modifiers=tuple((row.score, row.tally) for row in one.modifiers),
        posted=one.posted,
    )


def _gear(who: CombatFighter, language: Language) -> Iterator[str]:
    """List what a fighter carries besides the weapon in use, and what it has learned."""
    spare = list(at_hand(who))
    if who.weapon in spare:
        spare.remove(who.weapon)
    yield from (said(one, language) for one in spare)
    if who.armor is not Armor.NONE:
        yield translated(language, ARMORS[who.armor])
    if who.shield not in (None, Shield.NONE):
        yield translated(language, SHIELDS[who.shield or UNLISTED])
    yield from (said(one, language) for one in who.skills)


def _chips(who: CombatFighter, language: Language) -> Iterator[Chip]:
    """List conditions, with how often and for how long (AMB-CD-10, AMB-CD-16)."""
    have = who.conditions
    for code, times in (
        ("stunned", have.stun),
        ("hurt_arm", have.hurt_arm),
        ("hurt_leg", have.hurt_leg),
        ("break_armor", have.break_armor),
    ):
        if times:
            yield Chip(text=said(code, language), times=times)
    for code in ("disarmed", "knockdown", "grappled"):
        if getattr(have, code):
            yield Chip(text=said(code, language))
    if have.held:
        yield Chip(text=translated(language, marked("Held: neither hits nor dodges")), turns=1)
    if have.blinded:
        yield Chip(text=said("blinded", language))
    elif have.blind_temp:
        yield Chip(text=said("blinded", language), turns=have.blind_temp)
    yield from (Chip(text=said("bleeding", language), turns=turns) for turns in have.bleeding)
    for one in have.curse:
        yield Chip(text=f"{said('curse', language)} −{one.dice}", turns=one.turns)
    for aid in have.aid:
        yield Chip(
            text=f"{said('aid', language)}: {said(aid.specialty, language)} +{aid.dice}",
            turns=aid.turns,
        )
    if have.shield_spell:
        yield Chip(text=translated(language, marked("Shield spell")), turns=have.shield_spell)
    if have.extra:
        yield Chip(text=translated(language, marked("One more die after a feint")))
    for weapon in have.dropped:
        yield Chip(text=f"{said('dropped', language)}: {said(weapon, language)}")
    if who.has(Skill.RIDING_HORSE) and not have.mounted:
        yield Chip(text=translated(language, marked("Off the horse")))

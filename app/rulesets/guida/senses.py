"""Who is hidden from whom (GC-9.1), and who cannot see (GC-11.26 to 11.28, GC-14.29)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Finding, Question
from app.engine.ruleset import GM, Seat
from app.engine.tally import Term
from app.rulesets.guida.areas import is_smoked
from app.rulesets.guida.levels import is_sightless, senses_otherwise
from app.rulesets.guida.places import (
    Unseen,
)
from app.rulesets.guida.state import (
    Scene,
    ask,
)
from app.rulesets.guida.tables import BLINDED_DEXTERITY, BLINDED_SIGHT_M
from app.rulesets.guida.underway import (
    Pending,
)

SOMEBODY: Final = "???"  # in place of a name that is not to be told, in any language


def is_hidden(scene: Scene, who: str, observer: str) -> bool:
    """Say whether a combatant is hidden from another, who has not located it (GC-9.1).

    Nobody is from the own team, nobody who is out of the fight, and nobody whose attack one has
    yet to answer.
    """
    one, other = scene.who(who), scene.who(observer)
    if one.team == other.team or not one.active or _shows_itself(scene, who, observer):
        return False
    pair = Unseen(who=who, observer=observer)
    if pair in scene.hidden:
        return True
    return pair not in scene.located and is_out_of_sight(scene, who, observer)


def _shows_itself(scene: Scene, who: str, observer: str) -> bool:
    """Say whether what a combatant has on its way gives it away to another (GC-14.27)."""
    attacks = any(one.attacker == who for one in scene.against(observer))
    return attacks or any(one.actor == who and observer in one.waits for one in scene.pending)


def is_out_of_sight(scene: Scene, who: str, observer: str) -> bool:
    """Say whether blindness or smoke alone keeps one from seeing another (GC-11.27, GC-14.29)."""
    metres = scene.metres(who, observer)
    if metres > BLINDED_SIGHT_M and is_sightless(scene.who(observer)):
        return True
    clouded = metres > scene.options.smoke_hidden_beyond_m and is_smoked(scene, observer, who)
    return clouded and not senses_otherwise(scene.who(observer))


def is_blinded(scene: Scene, bearer: str, against: str) -> bool:
    """Say whether a combatant is blinded in dealing with another (GC-11.26, GC-14.29)."""
    who = scene.who(bearer)
    if is_sightless(who):
        return True
    return not senses_otherwise(who) and is_smoked(scene, bearer, against)


def smoke_terms(scene: Scene, bearer: str, against: str) -> tuple[Term, ...]:
    """Give what smoke takes from a score against one opponent (GC-14.29).

    Whoever is blinded at all has lost that Dexterity already: it is no stack (GC-11.26).
    """
    if is_sightless(scene.who(bearer)) or not is_blinded(scene, bearer, against):
        return ()
    return (Term("GC-14.29", "blinded", Fraction(BLINDED_DEXTERITY)),)


def can_hide(scene: Scene) -> bool:
    """Say whether anything in a scene could hide anybody; most scenes know nothing of the kind."""
    blinded = any(is_sightless(one) for one in scene.combatants)
    return bool(scene.hidden or scene.areas or blinded)


def unseen_by(scene: Scene, seat: Seat) -> frozenset[str]:
    """List who is hidden from a seat; a spectator sees only what every opponent sees (GC-9.1)."""
    if seat == GM or not can_hide(scene):
        return frozenset()
    if scene.has(seat):
        return frozenset(one.id for one in scene.combatants if is_hidden(scene, one.id, seat))
    return frozenset(
        one.id
        for one in scene.combatants
        if any(is_hidden(scene, one.id, other.id) for other in scene.opponents(one.id))
    )


def reveal(scene: Scene, who: str, observers: Iterable[str]) -> Scene:
    """Let observers know where a combatant is, until it hides from them again (GC-14.27)."""
    pairs = {Unseen(who=who, observer=id) for id in observers}
    veiled = {pair for pair in pairs if is_out_of_sight(scene, pair.who, pair.observer)}
    return replace(scene, hidden=scene.hidden - pairs, located=scene.located | veiled)


def hide(scene: Scene, who: str, observer: str) -> Scene:
    """Take a combatant out of an observer's sight (GC-9.3)."""
    pair = frozenset({Unseen(who=who, observer=observer)})
    return replace(scene, hidden=scene.hidden | pair, located=scene.located - pair)


def forget_located(scene: Scene) -> Scene:
    """Let a detection that nothing hangs on any more go, so that the next smoke hides anew."""
    kept = {
        pair
        for pair in scene.located
        if scene.who(pair.who).active and is_out_of_sight(scene, pair.who, pair.observer)
    }
    return replace(scene, located=frozenset(kept))


def claim_hiding(scene: Scene, pending: Pending) -> tuple[Scene, list[Finding]]:
    """Ask the Master whether a movement really broke the sight of those it names (GC-9.3)."""
    findings: list[Finding] = []
    who = scene.who(pending.actor)
    for observer in pending.hides:
        other = scene.who(observer)
        if not (who.active and other.active) or is_hidden(scene, who.id, observer):
            continue
        names = {"who": who.sheet.name, "other": other.sheet.name}
        question = Question(
            id=f"q-{pending.id}-hides-{observer}",
            rule="GC-9.3",
            code="hides",
            choices=("confirm", "deny"),
            about=observer,
            by=who.id,
            blocks=(observer,),
            details=tuple(names.items()),
        )
        scene = ask(scene, question)
        findings.append(Finding("GC-9.3", "asked_hides", names))
    return scene, findings

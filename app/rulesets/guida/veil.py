"""What a seat may not know of a decision (GC-9.1): whatever concerns somebody hidden from it.

Whoever is hidden both before and after a decision stays hidden in the telling of it. A finding is
about a combatant whose name is among its facts; that somebody takes part at all is no secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.engine.findings import Fact, Finding, Question
from app.engine.ruleset import GM, SPECTATOR, Said, Seat, Veil
from app.rulesets.guida.combatants import (
    Combatant,
    Line,
)
from app.rulesets.guida.senses import SOMEBODY, can_hide, unseen_by
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.underway import (
    ControlArea,
    Incoming,
    Pending,
)

SEPARATOR = " > "  # between two names in a fact that tells how they stand to each other


def veils(before: Scene, after: Scene, author: Seat, said: Said) -> tuple[Veil, ...]:
    """Say what each seat may not know of a decision that led from one scene to another.

    Where dice are awaited both scenes are the same: whoever is hidden then is hidden in it.
    """
    return tuple(_veils(before, after, author, said)) if can_hide(after) else ()


def _veils(before: Scene, after: Scene, author: Seat, said: Said) -> Iterator[Veil]:
    entering = frozenset(one.id for one in after.combatants if not before.has(one.id))
    names = {one.id: {one.sheet.name} for one in after.combatants}
    for one in before.combatants:
        names[one.id].add(one.sheet.name)
    for seat in (*names, SPECTATOR):
        # Nobody has seen one who enters unseen before that.
        hidden = (unseen_by(before, seat) | entering) & unseen_by(after, seat)
        if not hidden:
            continue
        secret = {name for id in hidden for name in names[id]}
        known = {name for id in names if id not in hidden for name in names[id]}
        everyone = secret | known
        by_hidden = author in hidden
        withheld = tuple(
            place
            for place, found in enumerate(said.findings)
            if _names(found, secret, everyone) or (by_hidden and not _names(found, known, everyone))
        )
        own = author == seat
        dice = tuple(
            die.address
            for die in said.asked
            if not own and (by_hidden or secret.intersection((die.actor, *die.targets)))
        )
        # Whether a post concerns the hidden is not to be read off its absence: while anybody is,
        # no other player's order and story are shown, whatever came of them.
        ruled = author == GM and not (withheld or dice)
        story = not own and not ruled
        if story or withheld:
            yield Veil(seat=seat, author=by_hidden, story=story, findings=withheld, dice=dice)


def shows_incoming(attack: Incoming, seat: Seat, hidden: frozenset[str]) -> bool:
    """Say whether a seat may know of an attack: always of one it has to answer (GC-14.27)."""
    return attack.target == seat or not hidden.intersection((attack.attacker, attack.target))


def shows_pending(action: Pending, seat: Seat, hidden: frozenset[str]) -> bool:
    """Say whether a seat may know of a generic action: always of its own, or one it may counter."""
    people = {action.actor, action.beneficiary or action.actor}
    return seat in (action.actor, *action.waits) or not hidden.intersection(people)


def forming_known_to(scene: Scene, seat: Seat) -> Iterator[ControlArea]:
    """Go through the areas on their way into being that a seat may know of (GC-9.1)."""
    hidden = unseen_by(scene, seat)
    for pending in scene.pending:
        if shows_pending(pending, seat, hidden):
            yield from (one.area for one in pending.creates if one.feeds is None)


def seen_incoming(attack: Incoming, hidden: frozenset[str]) -> Incoming:
    """Leave out of an attack where its move led with regard to whoever is hidden."""
    shifts = tuple(one for one in attack.shifts if one.other not in hidden)
    return replace(attack, shifts=shifts) if hidden else attack


def seen_pending(action: Pending, hidden: frozenset[str]) -> Pending:
    """Leave whoever is hidden out of a generic action: its move, whom it helps, who may counter."""
    if not hidden:
        return action
    move = action.move
    if move is not None:
        reaches = tuple(one for one in move.distances if one.to not in hidden)
        behind = tuple(id for id in move.behind if id not in hidden)
        move = replace(move, distances=reaches, behind=behind) if reaches else None
    return replace(
        action,
        move=move,
        beneficiary="" if action.beneficiary in hidden else action.beneficiary,
        waits=tuple(id for id in action.waits if id not in hidden),
        hides=tuple(id for id in action.hides if id not in hidden),
    )


def seen_combatant(one: Combatant, seat: Seat, hidden: frozenset[str]) -> Combatant:
    """Leave whoever is hidden out of what a combatant bears: who did it, and by which sum.

    What it comes to stays: it is in the bearer's register, and so is what it is called (GC-1.4).
    The bearer keeps the sums as well, since the blow was told to it in full.
    """
    if not hidden:
        return one
    own = one.id == seat
    bound = any(bond.user in hidden for bond in one.bonds)
    return replace(
        one,
        lines=tuple(_seen_line(line, hidden, own=own) for line in one.lines),
        effects=tuple(
            replace(running, user="", tool="") if running.user in hidden else running
            for running in one.effects
        ),
        bonds=tuple(
            replace(bond, user="", max_range_m=bond.max_range_m if own else None)
            if bond.user in hidden
            else bond
            for bond in one.bonds
        ),
        bond_value=None if bound and not own else one.bond_value,
    )


def _seen_line(line: Line, hidden: frozenset[str], *, own: bool) -> Line:
    if line.poster in hidden:
        line = replace(line, poster=None)
        return line if own else replace(line, working=None, attack=None, reason="")
    # Who is behind a line that nobody has to post, it does not say: a heal, the end of a bond.
    return line if own or line.poster is not None else replace(line, working=None)


def told_questions(
    scene: Scene, asked: Iterable[Question], seat: Seat, hidden: frozenset[str]
) -> tuple[Question, ...]:
    """Give what a seat may know of the questions to the Master: that it waits, it always may.

    In one that keeps it waiting, whoever is hidden from it has no name (GC-9.1); whoever attacks
    it is no secret, since it has to answer that attack (GC-14.27).
    """
    if not hidden:
        return tuple(asked)
    foes = {one.attacker for one in scene.incoming if one.target == seat}
    unknown = hidden - foes
    names = {scene.who(id).sheet.name for id in unknown}
    everyone = {one.sheet.name for one in scene.combatants}
    return tuple(
        _blotted(one, unknown, names, everyone)
        if seat in one.blocks
        else replace(one, blocks=tuple(id for id in one.blocks if id not in hidden))
        for one in asked
        if seat in one.blocks or _shows_question(scene, one, seat, hidden)
    )


def _blotted(
    asked: Question, hidden: frozenset[str], names: set[str], everyone: set[str]
) -> Question:
    details = (
        (key, SOMEBODY if _is_about(value, names, everyone) else value)
        for key, value in asked.details
    )
    return replace(
        asked,
        by="" if asked.by in hidden else asked.by,
        about="" if asked.about in hidden else asked.about,
        blocks=tuple(id for id in asked.blocks if id not in hidden),
        details=tuple(details),
    )


def _shows_question(scene: Scene, asked: Question, seat: Seat, hidden: frozenset[str]) -> bool:
    attacks = {one.id: (one.attacker, one.target) for one in scene.incoming}
    told = {scene.who(id).sheet.name for id in hidden}
    everyone = {one.sheet.name for one in scene.combatants}
    named = any(_is_about(one, told, everyone) for _, one in asked.details)
    if seat == asked.by:  # what is asked about a blind attack hangs on where its target is
        blind = asked.code.startswith("blind_radius") and named
        return not blind and not hidden.intersection(attacks.get(asked.about, ()))
    people = {asked.by, asked.about, *attacks.get(asked.about, ())}
    return not (hidden & people) and not named


def _names(found: Finding, names: set[str], everyone: set[str]) -> bool:
    return any(_is_about(fact, names, everyone) for fact in found.facts.values())


def _is_about(fact: Fact, names: set[str], everyone: set[str]) -> bool:
    """Say whether a fact is one of some names, or tells how one of them stands to anybody."""
    if isinstance(fact, tuple):
        return any(_is_about(one, names, everyone) for one in fact)
    if not isinstance(fact, str):
        return False
    if fact in everyone:
        return fact in names
    # A name may hold the separator: only two names of this scene, whole, make a pair.
    return SEPARATOR in fact and any(
        fact in (f"{one}{SEPARATOR}{other}", f"{other}{SEPARATOR}{one}")
        for one in names
        for other in everyone
    )

"""Where a die does not count with the label that the post gave it (GC-2.29), and why."""

from __future__ import annotations

from app.engine.dice import Address
from app.engine.findings import Facts, Finding
from app.engine.tally import Tally
from app.rulesets.guida.defence import Phase
from app.rulesets.guida.terms import Action
from app.rulesets.guida.terms import Phase as Stage
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)


def check_label(
    phase: Phase,
    defender: str,
    action: Action,
    at: Address,
    against: Incoming | Pending,
    counts: Tally,
) -> list[Finding]:
    """Say so where a die of this phase does not count with its label (GC-2.29).

    The label of a defence against several attacks is that of the first; how the others differ by
    themselves is no change of it.
    """
    own = [label for label in phase.labels if label.address == at]
    known = {own[0].tally.total} if own else {counts.total}
    known |= {label.tally.total for label in own if label.against == against.id}
    if counts.total in known:
        return []
    name = phase.scene.who(defender).sheet.name
    return [supersede(name, Stage.DEFENSIVE, action, own[0].tally, counts, why_changed(phase))]


def why_changed(phase: Phase) -> str:
    """Say what of the Defensive Phase, if anything, did not go as the post was written."""
    if phase.lost:
        return "defence_failed"
    if phase.vain:
        return "not_freed"
    if phase.still:  # a tie in place of the win, or a constraint
        return "not_moved"
    return "other"


def supersede(
    name: str, stage: Stage, action: Action, written: Tally, counts: Tally, why: str
) -> Finding:
    """Say that what counts for a die is not what its label says (GC-2.29)."""
    facts: Facts = {
        "bearer": name,
        "phase": stage,
        "action": action,
        "written": written,
        "counts": counts,
        "difference": counts.total - written.total,
        "why": why,
    }
    return Finding("GC-2.29", "label_superseded", facts)

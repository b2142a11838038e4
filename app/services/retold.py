"""Which entry a pasted post tells, by its digest: this one, an older wording of it, or another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeAlias

from sqlalchemy import Connection

from app.engine.ruleset import GM, SPECTATOR, Said, Seat
from app.persistence import queries
from app.persistence.codec import load
from app.persistence.queries import EntryFull, SceneNow
from app.persistence.queries_ledger import lines_about
from app.posts.dialects import plain
from app.posts.digest import Digest, find_digests, turn_name
from app.posts.templates import write_text
from app.posts.write import PostSource, write_blocks
from app.services.dice_shapes import Proof
from app.services.entries import Around, entry_read
from app.services.entry_shapes import EntryRead
from app.services.games import game
from app.services.log import decisions_of, read_stored_order, state_after
from app.services.proofs import proofs_of
from app.services.shapes import EntryKind, Roller
from app.services.sight import findings_seen, veil_over

RETOLD = ("this", "older", "altered", "other", "unknown", "withheld", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retold:
    """Which entry a post tells: one of ``RETOLD``, and by its digest which wording of it.

    ``this``: the entry as it is told now · ``older``: the same entry as it was told before a
    correction or an amendment · ``altered``: it bears the digest of this entry above other words ·
    ``other``: a post of another entry · ``unknown``: it names this entry, with a digest that was
    never its own · ``withheld``: only who may know more of the entry can tell · ``none``: it has
    no digest.
    """

    state: str
    wording: int | None = None


def source_of(entry: EntryRead) -> PostSource:
    """Gather what the post of an entry is written from."""
    return PostSource(
        ruleset=entry.ruleset,
        language=entry.language,
        findings=entry.findings,
        asked=entry.asked,
        rolls=entry.rolls,
        narration=entry.narration,
        provenance=entry.provenance,
        proof=None if entry.proof is None else entry.proof.facts(),
        turn=entry.turn,
        wording=len(entry.wordings) or 1,
        numbered=entry.numbered,
        template=entry.template,
    )


def retold(
    connection: Connection,
    scene: SceneNow,
    entry: EntryFull,
    digests: tuple[Digest, ...],
    eyes: tuple[Seat, ...],
) -> Retold:
    """Hold the digests of a post against those that the post of an entry has and had.

    A digest can be reckoned by anybody, so that whoever compares could guess at what is withheld:
    to these eyes nothing is compared that they may not see.
    """
    around = Around.of(connection, scene.id, (entry,))
    seen = entry_read(game(scene.ruleset), scene, entry, around, eyes)
    if not seen.seat:
        return Retold(state="withheld")
    if not digests:
        return Retold(state="none")
    name = turn_name(scene.id, entry.number)
    mine = [one for one in digests if one.turn.partition(".")[0] == name]
    if not mine or entry.kind != EntryKind.ORDER:
        return Retold(state="other")
    last = mine[-1]
    newest = len(around.wordings.get(entry.number, ())) + 1
    knows_all = seen == replace(
        entry_read(game(scene.ruleset), scene, entry, around, (entry.seat,)), order=seen.order
    )
    readers = ((entry.seat,), (GM,), (SPECTATOR,)) if knows_all else (eyes, (SPECTATOR,))
    for source, is_now in _sources(connection, scene, entry, around, readers):
        for wording in range(1, newest + 1):
            told = _worded(source, entry, around, wording, scene.id)
            if last.digest in _digests(told, scene.dialect):
                state = "this" if is_now and wording == newest else "older"
                state = "altered" if last.state == "edited" else state
                return Retold(state=state, wording=wording)
    return Retold(state="unknown" if knows_all else "withheld", wording=last.wording)


Readers: TypeAlias = tuple[tuple[Seat, ...], ...]


def _sources(
    connection: Connection, scene: SceneNow, entry: EntryFull, around: Around, readers: Readers
) -> Iterator[tuple[PostSource, bool]]:
    """Give what the post is and was written from, as each reader sees it."""
    ruleset = game(scene.ruleset)
    proof = proofs_of(connection, scene, (entry.number,)).get(entry.number)
    proofs = [proof]
    if proof is not None and proof.names:  # posts once said who gave no salt by their seats
        proofs.append(replace(proof, names=()))
    for eyes, by in product(readers, proofs):
        read = entry_read(ruleset, scene, entry, around, eyes, by)
        source = source_of(read)
        yield source, True
        if read.first_findings is not None:
            yield replace(source, findings=read.first_findings), False
    if scene.dice == Roller.FORUM and entry.rolls is not None and scene.edition == ruleset.edition:
        yield from _declared(connection, scene, entry, around, readers)


def _declared(
    connection: Connection, scene: SceneNow, entry: EntryFull, around: Around, readers: Readers
) -> Iterator[tuple[PostSource, bool]]:
    """Give what the post was written from while the forum was still to roll its dice.

    There it stays as it is: its tags are what the dice are read from.
    """
    ruleset = game(scene.ruleset)
    log = queries.logged_orders(connection, scene.id)
    before = [one for one in decisions_of(ruleset, log) if one.number < entry.number]
    state: Any = state_after(ruleset, load(ruleset.setup, scene.setup), before)
    order = read_stored_order(ruleset, entry.order or "")
    plan = ruleset.plan(state, order)
    veils = ruleset.veils(state, state, order.by, Said(plan.asked, plan.findings))
    lines = lines_about(connection, scene.id, (entry.number,))
    proof = (
        Proof(scheme=scene.scheme, line=lines[0].number, head=lines[0].head, kind="accept")
        if lines
        else None
    )
    for eyes in readers:
        read = entry_read(ruleset, scene, entry, around, eyes, proof)
        findings = findings_seen(plan.findings, veil_over(veils, eyes))
        source = replace(source_of(read), findings=findings, asked=plan.asked, rolls=None)
        yield source, read.first_findings is None


def _worded(
    source: PostSource, entry: EntryFull, around: Around, wording: int, scene_id: str
) -> PostSource:
    texts = [entry.narration, *(one.narration for one in around.wordings.get(entry.number, ()))]
    text = texts[wording - 1]
    told = source.narration
    if text is not None and told is not None:
        told = load(type(told), text)
    turn = turn_name(scene_id, entry.number, wording)
    return replace(source, narration=told, turn=turn, wording=wording)


def _digests(source: PostSource, dialect: str) -> set[str]:
    """Give the digests of a post, in its template and in the formats that have none."""
    texts = (write_text(source, dialect), plain.render(write_blocks(source), source.language))
    return {one.digest for text in texts for one in find_digests(text)[-1:]}

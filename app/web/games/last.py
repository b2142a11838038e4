"""What was decided last in a scene, told as its post tells it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.posts.blocks import Block
from app.posts.write import write_blocks
from app.services.entry_shapes import EntryRead
from app.services.shapes import EntryKind, SceneRead
from app.web.entries import source_of
from app.web.visit import Visit


def last_told(here: Visit, scene: SceneRead, entries: Iterable[EntryRead]) -> tuple[Block, ...]:
    """Tell the newest decision in effect, without story and proof, to whoever looks."""
    for entry in entries:
        if entry.kind is EntryKind.ORDER and entry.seat and entry.voided_by is None:
            source = replace(
                source_of(entry, scene),
                language=here.language,
                narration=None,
                provenance="",
                proof=None,
                turn="",
                wording=1,
            )
            return write_blocks(source) if entry.findings else ()
    return ()

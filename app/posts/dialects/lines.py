"""How blocks are set under one another, and the few words that dialects say themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.posts.blocks import Block, Die, Heading, Prose, Title
from app.posts.phrases import SERVICE, say


def gathered(blocks: Sequence[Block], write: Callable[[Block], str]) -> str:
    """Write each block on lines of its own; parts and paragraphs stand apart.

    A die inside the story has a line of its own and no gap: the sentence goes on behind it.
    """
    lines: list[str] = []
    before: Block | None = None
    for block in blocks:
        apart = isinstance(block, Title | Heading | Prose) or isinstance(before, Prose)
        if lines and apart and not isinstance(before, Heading) and not _goes_on(before, block):
            lines.append("")
        lines.append(write(block))
        before = block
    return "\n".join(lines)


def _goes_on(before: Block | None, block: Block) -> bool:
    return any(isinstance(one, Die) and one.inside for one in (before, block))


def pending(language: str) -> str:
    """Say that a die is thrown by the service, once the decision is made."""
    return say(language, SERVICE, "dice", "pending")


def added_here(language: str) -> str:
    """Say that the modifier of a die is added by the service, since the forum throws without."""
    return say(language, SERVICE, "dice", "added_here")


def to_throw(language: str) -> str:
    """Say that a die is still to be thrown."""
    return say(language, SERVICE, "dice", "to_throw")

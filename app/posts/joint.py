"""Several decisions as one post: those of a pack whose turns follow one another."""

from __future__ import annotations

from collections.abc import Iterable

from app.posts.dialects import render
from app.posts.write import PostSource, write_blocks


def write_joint(sources: Iterable[PostSource], dialect: str) -> str:
    """Write one text, in which each decision is told as it would be alone, in their order."""
    return "\n\n".join(render(write_blocks(one), one.language, dialect) for one in sources)

"""One small module for each forum family: how it writes a post, and a die above all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from app.posts.blocks import Block
from app.posts.dialects import guida, plain

Render: TypeAlias = Callable[[Sequence[Block], str], str]

DIALECTS: Final = MappingProxyType[str, Render]({"guida": guida.render, "plain": plain.render})
WITH_TAGS: Final = frozenset({"guida"})  # whose open dice are tags that a forum rolls


def render(blocks: Sequence[Block], language: str, dialect: str) -> str:
    """Write a post in a dialect; raise KeyError for one that is not there."""
    return DIALECTS[dialect](blocks, language)

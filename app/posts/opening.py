"""The post that opens a scene: by what its dice are fixed, before the first of them falls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.posts.blocks import Block, Field, Title
from app.posts.phrases import SERVICE, say


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningSource:
    """What the opening post says; ``anchor`` is empty where no seeds throw the scene's dice.

    ``where`` is the address at which anybody can check them.
    """

    language: str
    scheme: str
    match: str
    anchor: str
    head: str
    key: str
    where: str


def opening_blocks(source: OpeningSource) -> tuple[Block, ...]:
    """Write the opening post as blocks; digests stand alone, so that they can be picked up."""
    title = "opening" if source.anchor else "opening_ledger"
    return (Title(say(source.language, SERVICE, "dice", title)), *_fields(source))


def _fields(source: OpeningSource) -> Iterator[Field]:
    for name in ("scheme", "match", "anchor", "head", "key", "where"):
        if value := getattr(source, name):
            yield Field(say(source.language, SERVICE, "dice", f"opening_{name}"), value)

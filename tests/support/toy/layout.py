"""The post of the toy: whose throw it is, then dice and outcome."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.findings import Finding
from app.posts.blocks import Block, Title
from app.posts.layout import Layout
from app.posts.phrases import say


def header(language: str, findings: Sequence[Finding]) -> tuple[Block, ...]:
    """Name whoever threw; nothing for what the Master does."""
    thrown = [one for one in findings if one.key in ("thrown", "chased")]
    return tuple(Title(say(language, "toy", "post", "turn_of", one.facts)) for one in thrown)


LAYOUT = Layout(
    phases=("",),
    is_header=lambda _finding: False,
    header=header,
    deal=lambda findings: {"": findings},
    unused=lambda _findings, _asked, _rolls: frozenset(),
)

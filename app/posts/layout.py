"""What a ruleset says about its post: its phases, its header, and where each finding stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.engine.dice import Address, Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.posts.blocks import Block

Dealt: TypeAlias = Mapping[str, Sequence[Finding]]
Tell: TypeAlias = Callable[
    [str, Sequence[Finding], Sequence[Asked], "Sequence[Roll] | None"], tuple[Block, ...]
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The plan of a ruleset's post.

    ``header`` writes what stands above the story, in a language, and is empty for an order that
    is no turn; ``is_header`` says which findings it takes; ``deal`` deals the others out to
    ``phases``. ``unused`` names the dice that fell for actions which never came to be.
    ``tell`` writes a whole post of a game that tells its dice itself, below the one story: in a
    language, from findings, the dice that were asked for and those that fell.
    """

    phases: tuple[str, ...]
    is_header: Callable[[Finding], bool]
    header: Callable[[str, Sequence[Finding]], tuple[Block, ...]]
    deal: Callable[[Sequence[Finding]], Dealt]
    unused: Callable[[Sequence[Finding], Sequence[Asked], Sequence[Roll]], frozenset[Address]]
    tell: Tell | None = None


def told_by(tell: Tell) -> Layout:
    """Make the layout of a game that writes its posts by itself."""
    return Layout(
        phases=("",),
        is_header=lambda _finding: False,
        header=lambda _language, _findings: (),
        deal=lambda findings: {"": findings},
        unused=lambda _findings, _asked, _rolls: frozenset(),
        tell=tell,
    )

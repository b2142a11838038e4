"""What a refusal consists of, whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.http.language import Language


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of refusal: its status, and its title and sentence in each language."""

    code: str
    status: int
    title: Mapping[Language, str]
    detail: Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing to mend: where it is, its code, the rule that asks for it, the sentence for it."""

    field: str
    code: str
    messages: Mapping[Language, str]
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a request was not carried out, with everything that is to be mended.

    ``left_off`` counts what is to be mended beyond the flaws that are told.
    """

    kind: Kind
    messages: Mapping[Language, str]
    flaws: tuple[Flaw, ...] = ()
    left_off: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """Give the HTTP status."""
        return self.kind.status

"""What the API answers about the summary of a fight."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from app.services.summaries import SummaryRead


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSummary:
    """A link to a summary: its token, and the address at which a browser opens it."""

    token: str
    address: str
    made_at: datetime
    replayed: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryTold:
    """A summary, and in a line how the fight stands or went, in the language of the scene."""

    summary: SummaryRead
    result: str

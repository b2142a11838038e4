"""A row of the table that holds every option to a played scene; a chapter has its own rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.rulesets.guida.options import (
    Regulation,
)


@dataclass(frozen=True)
class Row:
    """One field, another setting, a scene played under either, and what the two come to."""

    field: str
    value: Any
    played: Callable[[dict[str, Any]], Any]
    usual: Any
    other: Any
    regulation: Regulation | None = None

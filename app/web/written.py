"""What a form becomes: JSON for the service, and the way back from its paths to the fields."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.web.forms import Json, form_name


@dataclass(frozen=True, slots=True)
class Written:
    """An order or a set-up as JSON, and which field of the form each part of it came from."""

    order: dict[str, Json]
    origins: dict[str, str] = field(default_factory=dict)

    def rename(self, path: str) -> str:
        """Lead from a path in the order to the field of the form that it came from."""
        path = form_name(path)
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            origin = self.origins.get(".".join(parts[:length]))
            if origin is not None:
                return origin
        return path

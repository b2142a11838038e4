"""The story that goes with a decision, read from its form."""

from __future__ import annotations

from dataclasses import fields

from app.persistence.codec import decode
from app.services.entry_shapes import Narration
from app.web.forms import Nested, text_at


def narration_in(form: Nested) -> Narration:
    """Read the story of each phase; raise Malformed naming the fields of the form."""
    names = [field.name for field in fields(Narration)]
    data = {name: text_at(form, f"narration.{name}") for name in names}
    return decode(Narration, data, "narration")

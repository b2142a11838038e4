"""Where a view names somebody who is hidden from whom it is for (GC-9.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.engine.ruleset import Seat
from app.persistence.codec import encode
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.senses import unseen_by
from app.rulesets.guida.state import Scene

# Of a team everybody knows the name, and a fighter alone may lend it its own.
NO_TRACE = ("team",)


def traces(scene: Scene, seat: Seat) -> list[str]:
    """List the places at which what a seat sees names whoever is hidden from it, by id or name.

    What it asked the Master itself, it may read as it put it.
    """
    hidden = unseen_by(scene, seat)
    told = hidden | {scene.who(id).sheet.name for id in hidden}
    told -= {one.sheet.name for one in scene.combatants if one.id not in hidden}
    seen = GUIDA.view(scene, seat)
    seen = replace(seen, questions=tuple(one for one in seen.questions if one.by != seat))
    waits = GUIDA.awaits_for(scene, seat)
    waits = replace(waits, questions=seen.questions)
    return [*_traces(encode(seen), told, "view"), *_traces(encode(waits), told, "awaits")]


def _traces(data: Any, told: frozenset[str], at: str) -> Iterator[str]:
    if isinstance(data, dict):
        for key, part in data.items():
            if key not in NO_TRACE:
                yield from _traces(part, told, f"{at}.{key}")
    elif isinstance(data, list):
        for place, part in enumerate(data):
            yield from _traces(part, told, f"{at}.{place}")
    elif isinstance(data, str) and (data in told or told & set(re.split(r"[-,:/ ]+", data))):
        yield f"{at} = {data}"

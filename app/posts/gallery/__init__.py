"""Templates to begin with: five designs, each for BBCode and for forums that take HTML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.posts.template import Template, Written


@dataclass(frozen=True, slots=True)
class Design:
    """A design by its key: what it is called and what it is for, by language, and its templates."""

    key: str
    name: Mapping[str, str]
    about: Mapping[str, str]
    templates: Mapping[Written, Template]


@cache
def designs() -> tuple[Design, ...]:
    """Read the designs in the order in which they are shown."""
    return tuple(_read(path) for path in sorted(Path(__file__).parent.glob("*.toml")))


def _read(path: Path) -> Design:
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    return Design(
        key=path.stem.partition("_")[2],
        name=read["name"],
        about=read["about"],
        templates={one: Template(markup=one, text=read[one.value].strip()) for one in Written},
    )

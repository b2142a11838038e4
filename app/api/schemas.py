"""Types as JSON Schema, with what a field holds where its type leaves that to the ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final, TypeAlias, get_type_hints

from app.engine.ruleset import Ruleset
from app.persistence.codec import json_schema, union_of
from app.rulesets import RULESETS

Schema: TypeAlias = dict[str, Any]
AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]

STORED_SHEET: Final[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
FROM_THE_BOARD: Final = ("options", "regulation")


class Schemas:
    """The schemas of a document: each dataclass once, under ``components``."""

    def __init__(self, ref: str) -> None:
        self.ref = ref
        self._found: dict[str, Schema] = {}

    def of(self, annotation: Any) -> Schema:
        """Describe a type by reference to the components; raise ValueError if two share a name."""
        schema = json_schema(annotation, self.ref)
        for name, part in schema.pop("$defs", {}).items():
            if self._found.setdefault(name, part) != part:
                raise ValueError(f"two types of the API are called {name}")
        return schema

    def components(self) -> Mapping[str, Schema]:
        """Give every type that was met, with what the rulesets put into its open fields."""
        closed = deepcopy(self._found)
        for (name, field), describe in OPEN_FIELDS.items():
            if name in closed:
                closed[name]["properties"][field] = _any_of(
                    [describe(self, ruleset) for ruleset in RULESETS.values()]
                )
        return {**self._found, **closed}

    def name_of(self, schema: Mapping[str, Any]) -> str:
        """Give the name of the component that a schema refers to."""
        return str(schema["$ref"]).removeprefix(self.ref)

    def add(self, name: str, schema: Schema) -> Schema:
        """Put a schema of our own among the components."""
        self._found[name] = schema
        return {"$ref": self.ref + name}

    def copy_of(self, schema: Mapping[str, Any]) -> Schema:
        """Copy the component that a schema refers to, to change the copy."""
        return deepcopy(self._found[self.name_of(schema)])


def _any_of(branches: list[Schema]) -> Schema:
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _order(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return schemas.of(union_of(ruleset.orders))


def _order_if_any(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return {"anyOf": [_order(schemas, ruleset), {"type": "null"}]}


def _returned_by(function: Callable[..., Any]) -> Any:
    return get_type_hints(function)["return"]


def _view(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return schemas.of(_returned_by(ruleset.view))


def _view_if_any(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return {"anyOf": [_view(schemas, ruleset), {"type": "null"}]}


def _choices(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return schemas.of(_returned_by(ruleset.choices))


def _setup(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return schemas.of(ruleset.setup)


def _entrants(setup: Mapping[str, Any]) -> Schema:
    items: Schema = setup["properties"]["entrants"]["items"]
    return items


def _sheet(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    setup = schemas.copy_of(_setup(schemas, ruleset))
    sheet: Schema = schemas.copy_of(_entrants(setup))["properties"]["sheet"]
    return sheet


def _opening(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    """Describe a set-up to open a scene with: stored sheets by id, nothing that the board gives."""
    setup = schemas.copy_of(_setup(schemas, ruleset))
    entrant = schemas.copy_of(_entrants(setup))
    entrant["properties"]["sheet"] = {"anyOf": [entrant["properties"]["sheet"], STORED_SHEET]}
    for setting in FROM_THE_BOARD:
        setup["properties"].pop(setting, None)
    setup["properties"]["entrants"]["items"] = schemas.add("OpeningEntrant", entrant)
    return schemas.add("OpeningSetup", setup)


# Fields that hold whatever their ruleset says: the component, the field, what stands there.
OPEN_FIELDS: Final[Mapping[tuple[str, str], Callable[[Schemas, AnyRuleset], Schema]]] = {
    ("NewOrder", "order"): _order,
    ("Step", "order"): _order,
    ("EntryRead", "order"): _order_if_any,
    ("OpenScene", "setup"): _opening,
    ("Adjudication", "setup"): _setup,
    ("NewSheet", "sheet"): _sheet,
    ("ChangedSheet", "sheet"): _sheet,
    ("SheetRead", "sheet"): _sheet,
    ("SceneRead", "view"): _view_if_any,
    ("FightTold", "view"): _view,
    ("SeatChoices", "choices"): _choices,
}

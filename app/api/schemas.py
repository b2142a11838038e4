"""Types as JSON Schema, with what a field holds where its type leaves that to the ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final, TypeAlias, get_type_hints

from app.engine.ruleset import Ruleset
from app.persistence.codec import json_schema, union_of
from app.rulesets import RULESETS
from app.services.copies import MOST

Schema: TypeAlias = dict[str, Any]
AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]

STORED_SHEET: Final[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
FILLED: Final = ("choice", "reason")
FROM_THE_BOARD: Final = ("options", "regulation")


class Schemas:
    """The schemas of a document: each dataclass once, under ``components``.

    Bounds are what the codec holds a body to; a type that is only ever answered has none.
    """

    def __init__(self, ref: str) -> None:
        self.ref = ref
        self._found: dict[str, Schema] = {}
        self._sent: set[str] = set()

    def sent(self, annotation: Any) -> Schema:
        """Describe the type of a body."""
        schema = self.of(annotation)
        self._sent.add(self.name_of(schema))
        return schema

    def of(self, annotation: Any) -> Schema:
        """Describe a type by reference to the components; raise ValueError if two share a name."""
        schema = json_schema(annotation, self.ref)
        for name, part in schema.pop("$defs", {}).items():
            if self._found.setdefault(name, part) != part:
                raise ValueError(f"two types of the API are called {name}")
        return schema

    def components(self) -> Mapping[str, Schema]:
        """Give every type that was met, with what the rulesets put into its open fields."""
        filled: dict[tuple[str, str], Schema] = {}
        for (name, field), describe in OPEN_FIELDS.items():
            branches = [describe(self, ruleset) for ruleset in RULESETS.values()]
            filled[name, field] = branches[0] if len(branches) == 1 else {"anyOf": branches}
        closed = deepcopy(self._found)
        for (name, field), schema in filled.items():
            closed[name]["properties"][field] = schema
        for part in closed.values():
            part["properties"].pop("replayed", None)  # goes into a header (app.api.call.answer)
        bounded = self._within(closed, self._sent)
        return {
            name: part if name in bounded else without_bounds(part) for name, part in closed.items()
        }

    def _within(self, components: Mapping[str, Schema], names: Iterable[str]) -> set[str]:
        """Find every component that these refer to, themselves included."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += [ref.removeprefix(self.ref) for ref in _refs(components[name])]
        return found

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


BOUNDS: Final = frozenset(
    ("minLength", "maxLength", "pattern", "minItems", "maxItems", "minimum", "maximum")
)


def without_bounds(schema: Any) -> Any:
    """Take the bounds out of a schema, at every depth; fields that are called so stay."""
    if isinstance(schema, list):
        return [without_bounds(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: without_bounds(part) for name, part in value.items()}
        if key == "properties"
        else without_bounds(value)
        for key, value in schema.items()
        if key not in BOUNDS
    }


def _refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _refs(part)
    elif isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for part in schema.values():
            yield from _refs(part)


def _order(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return schemas.of(union_of(ruleset.orders))


def _given_order(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    """Describe an order that is sent: for a sheet in it, the id of a stored one will do.

    An answer that cites a precedent need not repeat what that says.
    """
    orders = deepcopy(_order(schemas, ruleset))
    for branch in orders.get("oneOf", ()):
        kind = branch["allOf"][0]
        known, given = kind["$ref"], _with_stored(schemas, kind)["$ref"]
        kind["$ref"] = given
        mapping = orders["discriminator"]["mapping"]
        mapping |= {name: given for name, ref in mapping.items() if ref == known}
    return orders


def _with_stored(schemas: Schemas, part: Schema) -> Schema:
    name = schemas.name_of(part)
    given = schemas.copy_of(part)
    fields = given["properties"]
    if "entrant" in fields:
        fields["entrant"] = _with_stored(schemas, fields["entrant"])
    elif "sheet" in fields:
        fields["sheet"] = {"anyOf": [fields["sheet"], STORED_SHEET]}
    elif "precedent" in fields:  # it fills them in
        given["required"] = [name for name in given["required"] if name not in FILLED]
    else:
        return part
    return schemas.add(f"Given{name}", given)


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
    entrant["properties"]["copies"] = {"type": "integer", "minimum": 1, "maximum": MOST}
    for setting in FROM_THE_BOARD:
        setup["properties"].pop(setting, None)
    setup["properties"]["entrants"]["items"] = schemas.add("OpeningEntrant", entrant)
    return schemas.add("OpeningSetup", setup)


# Fields that hold whatever their ruleset says: the component, the field, what stands there.
OPEN_FIELDS: Final[Mapping[tuple[str, str], Callable[[Schemas, AnyRuleset], Schema]]] = {
    ("NewOrder", "order"): _given_order,
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

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

    def of(self, annotation: Any, ruleset: AnyRuleset | None = None) -> Schema:
        """Describe a type by reference to the components; raise ValueError if two share a name.

        A type of a game that shares its name with another bears the game's name before its own.
        """
        schema = json_schema(annotation, self.ref)
        parts = schema.pop("$defs", {})
        if ruleset is not None:
            schema, parts = self._told_apart(schema, parts, ruleset)
        for name, part in parts.items():
            if self._found.setdefault(name, part) != part:
                raise ValueError(f"two types of the API are called {name}")
        return schema

    def _told_apart(
        self, schema: Schema, parts: Mapping[str, Schema], ruleset: AnyRuleset
    ) -> tuple[Schema, Mapping[str, Schema]]:
        """Rename what another type is called already, and whatever refers to it and is too."""
        refs: dict[str, str] = {}
        while True:
            told = {name: _referring(part, refs) for name, part in parts.items()}
            clash = [
                name
                for name, part in told.items()
                if self.ref + name not in refs and self._found.get(name, part) != part
            ]
            if not clash:
                break
            refs |= {self.ref + name: self.ref + _of_game(ruleset, name) for name in clash}
        names = {name: refs.get(self.ref + name, self.ref + name) for name in told}
        renamed = {names[name].removeprefix(self.ref): part for name, part in told.items()}
        return _referring(schema, refs), renamed

    def components(self) -> Mapping[str, Schema]:
        """Give every type that was met, with what the rulesets put into its open fields."""
        filled: dict[tuple[str, str], Schema] = {}
        for (name, field), describe in OPEN_FIELDS.items():
            described = (describe(self, ruleset) for ruleset in RULESETS.values())
            branches = [one for one in described if one is not None]
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

    def add(self, name: str, schema: Schema, ruleset: AnyRuleset | None = None) -> Schema:
        """Put a schema of our own among the components, by a game's name where that is taken."""
        if ruleset is not None and self._found.get(name, schema) != schema:
            name = _of_game(ruleset, name)
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


def _of_game(ruleset: AnyRuleset, name: str) -> str:
    """Put a game's name before a type's."""
    return "".join(word.capitalize() for word in ruleset.key.split("_")) + name


def _referring(schema: Any, refs: Mapping[str, str]) -> Any:
    """Copy a schema with other names for what it refers to."""
    if isinstance(schema, list):
        return [_referring(part, refs) for part in schema]
    if isinstance(schema, dict):
        return {key: _referring(part, refs) for key, part in schema.items()}
    return refs.get(schema, schema) if isinstance(schema, str) else schema


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
    return schemas.of(union_of(ruleset.orders), ruleset)


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
    return schemas.of(_returned_by(ruleset.view), ruleset)


def _view_if_any(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return {"anyOf": [_view(schemas, ruleset), {"type": "null"}]}


def _choices(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return schemas.of(_returned_by(ruleset.choices), ruleset)


def _setup(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    return schemas.of(ruleset.setup, ruleset)


def _setup_with_odds(schemas: Schemas, ruleset: AnyRuleset) -> Schema | None:
    """Describe a set-up of a game that plays itself."""
    return None if ruleset.autoplay is None else _setup(schemas, ruleset)


def _entrants(setup: Mapping[str, Any]) -> Schema:
    items: Schema = setup["properties"]["entrants"]["items"]
    return items


def _sheet(schemas: Schemas, ruleset: AnyRuleset) -> Schema | None:
    """Describe the sheets of a game; there are games without."""
    setup = schemas.copy_of(_setup(schemas, ruleset))
    sheet: Schema | None = schemas.copy_of(_entrants(setup))["properties"].get("sheet")
    return sheet


def _opening(schemas: Schemas, ruleset: AnyRuleset) -> Schema:
    """Describe a set-up to open a scene with: stored sheets by id, nothing that the board gives."""
    setup = schemas.copy_of(_setup(schemas, ruleset))
    entrant = schemas.copy_of(_entrants(setup))
    if sheet := entrant["properties"].get("sheet"):
        entrant["properties"]["sheet"] = {"anyOf": [sheet, STORED_SHEET]}
    entrant["properties"]["copies"] = {"type": "integer", "minimum": 1, "maximum": MOST}
    for setting in FROM_THE_BOARD:
        setup["properties"].pop(setting, None)
    setup["properties"]["entrants"]["items"] = schemas.add("OpeningEntrant", entrant, ruleset)
    return schemas.add("OpeningSetup", setup, ruleset)


# Fields that hold whatever their ruleset says: the component, the field, what stands there.
OPEN_FIELDS: Final[Mapping[tuple[str, str], Callable[[Schemas, AnyRuleset], Schema | None]]] = {
    ("NewOrder", "order"): _given_order,
    ("Step", "order"): _order,
    ("EntryRead", "order"): _order_if_any,
    ("OpenScene", "setup"): _opening,
    ("Adjudication", "setup"): _setup,
    ("OddsAsked", "setup"): _setup_with_odds,
    ("NewSheet", "sheet"): _sheet,
    ("ChangedSheet", "sheet"): _sheet,
    ("SheetRead", "sheet"): _sheet,
    ("SceneRead", "view"): _view_if_any,
    ("FightTold", "view"): _view,
    ("SeatChoices", "choices"): _choices,
}

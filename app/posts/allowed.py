"""What the HTML of a template may have: tags, attributes, and styles that leave everything legible.

It is a list of what is allowed, for what keeps a part of a post from being seen, or acts, has more
spellings than anybody can list. The preview cleans by the same list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

_Rule: TypeAlias = Callable[[str], bool]

SMALLEST: Final = 8  # pixels; what is smaller is not read
# Not those that fold away, nor those that a browser shows only without something else.
_TAGS: Final = """
    a abbr b big blockquote br caption center cite code col colgroup dd del div dl dt em figcaption
    figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike
    strong sub sup table tbody td tfoot th thead tr tt u ul
"""
TAGS: Final = frozenset(_TAGS.split())
VOID: Final = frozenset({"br", "col", "hr", "img"})
SHRINKING: Final = frozenset({"small", "sub", "sup"})

_HEX: Final = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_NAME: Final = re.compile(r"[a-z]{3,20}", re.IGNORECASE)
_MIXED: Final = re.compile(r"rgb\( ?[0-9]{1,3} ?, ?[0-9]{1,3} ?, ?[0-9]{1,3} ?\)", re.IGNORECASE)
_VEILED: Final = re.compile(
    r"rgba\( ?[0-9]{1,3} ?, ?[0-9]{1,3} ?, ?[0-9]{1,3} ?, ?[01]?\.?[0-9]{1,3} ?\)", re.IGNORECASE
)
_FAMILY: Final = re.compile(r"[A-Za-z0-9 ,'\"-]{1,200}")
_LENGTH: Final = re.compile(r"(-?[0-9]{0,4}(?:\.[0-9]{1,3})?)(px|pt|em|rem|%|)", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://[^\s\"'<>\\`]{1,2000}", re.IGNORECASE)
_PIXELS: Final = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0}
_UNCOLOURED: Final = {"transparent", "currentcolor", "inherit", "initial", "unset", "revert"}


def colour(value: str) -> bool:
    """Say whether a value is a colour that covers what is below it."""
    if value.lower() in _UNCOLOURED:
        return False
    return any(one.fullmatch(value) for one in (_HEX, _NAME, _MIXED))


def same_colour(one: str, other: str) -> bool:
    """Say whether two colours are surely the same."""
    return bool(one) and _long(one) == _long(other)


def _long(value: str) -> str:
    value = value.lower().replace(" ", "")
    return "#" + "".join(sign * 2 for sign in value[1:]) if re.fullmatch("#.{3}", value) else value


def _size(value: str) -> tuple[float, str] | None:
    """Read a length: how much, in pixels or percent; a bare number has no unit."""
    found = _LENGTH.fullmatch(value)
    if found is None or not re.search("[0-9]", found[1]):
        return None
    unit = found[2].lower()
    return (float(found[1]) * _PIXELS[unit], "px") if unit in _PIXELS else (float(found[1]), unit)


def _between(
    least: float, most: float, percent: tuple[float, float] | None = None, *words: str
) -> _Rule:
    """Allow a length within bounds, or a share, or one of some words."""

    def rule(value: str) -> bool:
        if value.lower() in words:
            return True
        match _size(value):
            case (amount, "px"):
                return least <= amount <= most
            case (amount, "%"):
                return percent is not None and percent[0] <= amount <= percent[1]
            case (amount, ""):
                return amount == 0 and least <= 0
            case _:
                return False

    return rule


def _each(rule: _Rule, most: int = 4) -> _Rule:
    return lambda value: 1 <= len(value.split()) <= most and all(map(rule, value.split()))


def _words(words: str) -> _Rule:
    allowed = frozenset(words.split())
    return lambda value: value.lower() in allowed


def _line_height(value: str) -> bool:
    match _size(value):
        case (amount, ""):
            return 1 <= amount <= 4
        case _:
            return _between(10, 80, (100, 400), "normal")(value)


def _font_size(value: str) -> bool:
    # A share of what is around shrinks again with each element, so it may only grow.
    if value.lower().endswith("em") and not value.lower().endswith("rem"):
        return _between(16, 48)(value)
    named = ("x-small", "small", "medium", "large", "x-large", "xx-large", "larger")
    return _between(SMALLEST, 72, (100, 300), *named)(value)


def _family(value: str) -> bool:
    return bool(_FAMILY.fullmatch(value))


def _background(value: str) -> bool:
    return colour(value) or value.lower() == "transparent" or bool(_VEILED.fullmatch(value))


_LINES: Final = _words("none solid dashed dotted double groove ridge inset outset")


def _border(value: str) -> bool:
    spaced = re.sub(r"\s*,\s*", ",", value)
    thick = _between(0, 20, None, "thin", "medium", "thick")
    return all(thick(one) or _LINES(one) or _background(one) for one in spaced.split())


_SPACE: Final = _between(0, 100, (0, 25))
_MARGIN: Final = _between(0, 100, (0, 25), "auto")
_WIDTH: Final = _between(20, 2_000, (5, 100), "auto", "none", "fit-content", "max-content")
_SIDES: Final = ("", "-top", "-right", "-bottom", "-left")
_TEXT: Final[Mapping[str, _Rule]] = {
    "color": colour,
    "background": _background,
    "background-color": _background,
    "font-family": _family,
    "font-size": _font_size,
    "font-style": _words("normal italic oblique"),
    "font-weight": _words("normal bold bolder lighter 100 200 300 400 500 600 700 800 900"),
    "font-variant": _words("normal small-caps"),
    "letter-spacing": _between(-1, 10, None, "normal"),
    "line-height": _line_height,
    "text-align": _words("left right center justify start end"),
    "text-decoration": _words("none underline overline line-through"),
    "text-transform": _words("none uppercase lowercase capitalize"),
    "vertical-align": _words("baseline top middle bottom sub super text-top text-bottom"),
    "white-space": _words("normal pre-line pre-wrap"),
    "overflow-wrap": _words("normal anywhere break-word"),
    "word-wrap": _words("normal break-word"),
    "word-break": _words("normal break-word break-all"),
    "list-style-type": _words("none disc circle square decimal lower-roman upper-roman"),
}
_SHAPE: Final[Mapping[str, _Rule]] = {
    "display": _words("block inline inline-block table table-row table-cell flex inline-flex"),
    "float": _words("none left right"),
    "clear": _words("none left right both"),
    "flex-wrap": _words("nowrap wrap"),
    "justify-content": _words("start end center flex-start flex-end space-between space-around"),
    "align-items": _words("start end center flex-start flex-end stretch baseline"),
    "gap": _each(_SPACE, 2),
    "width": _WIDTH,
    "max-width": _WIDTH,
    "min-width": _between(0, 800, (0, 100), "auto"),
    "border-collapse": _words("collapse separate"),
    "border-spacing": _each(_between(0, 20), 2),
    "border-radius": _each(_between(0, 200, (0, 50))),
    "border-color": _each(_background),
    "border-style": _each(_LINES),
    "border-width": _each(_between(0, 20)),
    **{f"padding{side}": _each(_SPACE) for side in _SIDES},
    **{f"margin{side}": _each(_MARGIN) for side in _SIDES},
    **{f"border{side}": _border for side in _SIDES},
}
_STYLES: Final[Mapping[str, _Rule]] = {**_TEXT, **_SHAPE}
STYLES: Final = frozenset(_STYLES)


def declarations(style: str) -> Iterator[tuple[str, str]]:
    """Give what a style declares: each property with its value."""
    for one in style.split(";"):
        if one.strip():
            name, _, value = one.partition(":")
            given = re.sub(r"\s*!\s*important\s*\Z", "", value.strip(), flags=re.IGNORECASE)
            yield name.strip().lower(), given


def bad_declaration(style: str) -> str | None:
    """Give the first declaration of a style that is not allowed."""
    for name, value in declarations(style):
        if name not in _STYLES or not _STYLES[name](value):
            return f"{name}:{value}" if value else name
    return None


def address(value: str) -> bool:
    """Say whether an address leads to the web, and nowhere else."""
    return bool(_ADDRESS.fullmatch(value))


def _any(value: str) -> bool:
    return len(value) <= 300


def _count(value: str) -> bool:
    return bool(re.fullmatch("[0-9]{1,2}", value))


def _broad(value: str) -> bool:
    return _WIDTH(f"{value}px" if value.isdigit() else value)


_ALIGN: Final = _words("left right center justify")
_VALIGN: Final = _words("top middle bottom baseline")
_CELL: Final[Mapping[str, _Rule]] = {
    "width": _broad,
    "colspan": _count,
    "rowspan": _count,
    "bgcolor": colour,
    "valign": _VALIGN,
}
_EVERYWHERE: Final[Mapping[str, _Rule]] = {
    "style": lambda value: bad_declaration(value) is None,
    "align": _ALIGN,
    "title": _any,
}
_ATTRIBUTES: Final[Mapping[str, Mapping[str, _Rule]]] = {
    "a": {"href": address},
    "img": {"src": address, "alt": _any, "width": _broad},
    "font": {
        "color": colour,
        "face": _family,
        "size": lambda value: bool(re.fullmatch(r"\+?[1-7]", value)),
    },
    "table": {
        "border": _count,
        "cellpadding": _count,
        "cellspacing": _count,
        "width": _broad,
        "bgcolor": colour,
    },
    "tr": {"bgcolor": colour, "valign": _VALIGN},
    "td": _CELL,
    "th": _CELL,
}
_ADDRESSES: Final = frozenset({"href", "src"})
# For the preview, in which nothing leads away and nothing is loaded.
SHOWN: Final[Mapping[str, frozenset[str]]] = {
    "*": frozenset(_EVERYWHERE),
    **{tag: frozenset(rules) - _ADDRESSES for tag, rules in _ATTRIBUTES.items()},
}


def bad_attribute(tag: str, name: str, value: str) -> str | None:
    """Give what of an attribute of a tag is not allowed, as one may look for it in the text."""
    rule = _ATTRIBUTES.get(tag, {}).get(name) or _EVERYWHERE.get(name)
    if rule is not None and rule(value.strip()):
        return None
    return (bad_declaration(value) if name == "style" else None) or f"{name}={value}"

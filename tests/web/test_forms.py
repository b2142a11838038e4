"""What a form shows of a value makes that very value again, and mistakes find their fields."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.persistence.codec import decode, encode
from app.persistence.errors import Malformed
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Attack,
    Turn,
)
from app.rulesets.guida.places import Distance, Reach
from app.rulesets.guida.sheet import Armour, Sheet, Tool
from app.web.board_form import AIMABLE, write_options
from app.web.forms import TooDeep, at, form_name, lift, nest, shown, text_at
from app.web.rows import change_rows
from app.web.sheet_form import EFFECTS, ROWS
from tests.support.fights import HOLLOW, QUINCY
from tests.support.values import values_of
from tests.web.conftest import Client


def sent(tree: Any, name: str = "") -> list[tuple[str, str]]:
    """Send a tree as a browser sends the fields that show it; an unticked box sends nothing."""
    if isinstance(tree, dict):
        return [
            one for key, part in tree.items() for one in sent(part, f"{name}.{key}".lstrip("."))
        ]
    if isinstance(tree, list):
        return [one for index, part in enumerate(tree) for one in sent(part, f"{name}.{index}")]
    return [(name, tree.replace("\n", "\r\n"))]


@pytest.mark.parametrize("sheet", [HOLLOW, QUINCY], ids=lambda sheet: sheet.name)
def test_a_sheet_that_is_shown_and_sent_back_is_the_same(sheet: Sheet) -> None:
    form = nest(sent(shown(encode(sheet))))
    assert decode(Sheet, lift(Sheet, form)) == sheet


@given(values_of(Sheet))
def test_any_sheet_that_is_shown_and_sent_back_is_the_same(sheet: Sheet) -> None:
    assert decode(Sheet, lift(Sheet, nest(sent(shown(encode(sheet)))))) == sheet


@given(values_of(Options), st.sets(st.sampled_from(AIMABLE)))
def test_any_options_that_are_shown_and_sent_back_are_the_same(
    options: Options, aimable: set[str]
) -> None:
    options = replace(options, aimable_kinds=tuple(sorted(aimable)))
    form = {"options": nest(sent(shown(encode(options))))}
    assert decode(Options, write_options(form, "guida")) == options


def test_ranges_are_read_from_one_line_of_text() -> None:
    read = lift(Regulation, {"range_ladder_m": " 5, 10;25 60 "})
    assert decode(Regulation, read).range_ladder_m == (5, 10, 25, 60)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("7", 7), ("+3", 3), ("−2", -2), ("2,5", Fraction(5, 2)), ("8/3", Fraction(8, 3))],
)
def test_numbers_are_read_as_italians_write_them(typed: str, meant: Any) -> None:
    tool = {"id": "t", "name": "Lama", "stat_bonus": typed}
    data: Any = lift(Sheet, {"name": "A", "max_hp": "9", "max_ep": "9", "tools": [tool]})
    data["stats"] = {}
    assert decode(Sheet, data).tools[0].stat_bonus == meant


@pytest.mark.parametrize(
    ("typed", "facts"),
    [
        ("1.000", ("1000", "1", "0")),
        ("1,000", ("1000", "1", "0")),
        (" -12.500 ", ("-12500", "-12", "5")),
        ("1.125", ("1125", "1", "1250")),
    ],
)
def test_a_number_that_may_be_a_thousand_or_one_is_refused_with_both(
    typed: str, facts: tuple[str, ...]
) -> None:
    with pytest.raises(Malformed) as refusal:
        decode(Distance, lift(Distance, {"a": "x", "b": "y", "metres": typed}))
    (mistake,) = refusal.value.mistakes
    assert (mistake.field, mistake.code) == ("metres", "ambiguous_number")
    assert tuple(mistake.facts.values()) == facts


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1000", 1000),
        ("1,0", 1),
        ("1.0", 1),
        ("1.0000", 1),
        ("0.125", Fraction(1, 8)),
        ("1.1250", Fraction(9, 8)),
    ],
)
def test_a_number_that_may_be_only_one_is_read(typed: str, meant: Fraction) -> None:
    assert decode(Distance, lift(Distance, {"a": "x", "b": "y", "metres": typed})).metres == meant


def test_a_number_of_three_decimals_is_shown_so_that_it_can_be_sent_back() -> None:
    far = Distance(a="x", b="y", metres=Fraction(9, 8))
    assert decode(Distance, lift(Distance, nest(sent(shown(encode(far)))))) == far


@pytest.mark.parametrize("typed", ["７", "1e3", "nove", "1_000", "0x10", "9" * 30, "٣"])
def test_what_is_no_number_of_ours_is_refused_at_its_field(typed: str) -> None:
    form = nest([*sent(shown(encode(HOLLOW))), ("armour.name", "Guscio")])
    assert isinstance(form["tools"], list)
    form = nest(
        [
            (name, typed if name == "tools.1.optimal_m" else text)
            for name, text in sent(shown(encode(HOLLOW)))
        ]
    )
    with pytest.raises(Malformed) as refusal:
        decode(Sheet, lift(Sheet, form), "sheet")
    assert [form_name(one.field) for one in refusal.value.mistakes] == ["tools.1.optimal_m"]


def test_rows_that_were_removed_leave_no_gap() -> None:
    tree = nest([("tools.0.name", "Uno"), ("tools.7.name", "Otto"), ("tools.10.name", "Undici")])
    assert [text_at(tree, f"tools.{index}.name") for index in range(3)] == ["Uno", "Otto", "Undici"]


def test_a_row_of_a_thousand_digits_is_no_row() -> None:
    long = "9" * 5000
    assert nest([(f"tools.{long}.name", "Uno")]) == {"tools": {long: {"name": "Uno"}}}
    assert at({"tools": ["Uno"]}, f"tools.{long}") is None
    assert change_rows({"tools": ["Uno"]}, f"remove:tools.{long}", ROWS) == ""


def test_boxes_of_one_name_make_a_list_and_one_box_does_too() -> None:
    two = nest([("support", "a"), ("support", "b")])
    one = nest([("support", "a")])
    typed = {"target": "x", "tool": "y"}
    assert lift(Attack, {**typed, **two})["support"] == ["a", "b"]
    assert lift(Attack, {**typed, **one})["support"] == ["a"]


def test_fields_that_serve_the_page_are_no_part_of_the_data() -> None:
    assert lift(Reach, {"to": "a", "metres~was": "5", "~effect": "heal"}) == {"to": "a"}


def test_a_field_that_no_type_knows_is_named_and_not_dropped() -> None:
    with pytest.raises(Malformed) as refusal:
        decode(Turn, lift(Turn, {"by": "a", "wings": "2"}))
    assert [(one.field, one.code) for one in refusal.value.mistakes] == [("wings", "unknown_field")]


def test_a_name_as_deep_as_a_well_is_refused() -> None:
    with pytest.raises(TooDeep):
        nest([(".".join("a" * 5000), "x")])


@given(
    st.lists(
        st.tuples(st.text("ab.01~", max_size=8), st.text(max_size=3)),
        max_size=8,
    )
)
def test_no_names_of_fields_can_break_the_tree(items: list[tuple[str, str]]) -> None:
    tree = nest(items)
    lift(Sheet, tree)
    for name, _ in items:
        at(tree, name)


def test_rows_come_and_go_without_touching_the_others() -> None:
    tree = nest(sent(shown(encode(HOLLOW))))
    fresh = change_rows(tree, "add:tools", ROWS)
    assert (fresh, text_at(tree, f"{fresh}.id")) == ("tools.2", "t1")
    assert change_rows(tree, "add:tools.0.modifiers", ROWS) == "tools.0.modifiers.1"
    assert change_rows(tree, "remove:tools.1", ROWS) == ""
    assert [text_at(tree, f"tools.{index}.id") for index in range(2)] == ["claws", "t1"]


@pytest.mark.parametrize(
    "what",
    [
        "add:",
        "add:stats",
        "add:nowhere.tools",
        "remove:tools.9",
        "remove:tools",
        "remove:",
        "x:tools",
    ],
)
def test_a_button_that_is_none_of_ours_changes_nothing(what: str) -> None:
    tree = nest(sent(shown(encode(HOLLOW))))
    before = nest(sent(shown(encode(HOLLOW))))
    change_rows(tree, what, ROWS)
    assert tree == before


def test_the_sheet_editor_has_a_field_for_everything_a_sheet_says(client: Client) -> None:
    client.enter(client.site.owner)
    form = {"do": "add:tools.0.effects", "key": "k"}
    row = "tools.0.effects"
    form |= {f"{row}.{index}.kind": kind for index, kind in enumerate(EFFECTS)}
    form |= {"tools.0.name": "Lama", "tools.0.modifiers.0.name": "Filo"}
    shown = client.post("/boards/board/sheets/new", form).text
    names = {f"tools.0.{one.name}" for one in fields(Tool)} - {
        "tools.0.effects",
        "tools.0.modifiers",
    }
    names |= {f"armour.{one.name}" for one in fields(Armour)}
    for index, kind in enumerate(EFFECTS.values()):
        many = {"binds"}
        names |= {f"{row}.{index}.{one.name}" for one in fields(kind) if one.name not in many}
    missing = {name for name in names if f'name="{name}"' not in shown}
    assert missing == set()

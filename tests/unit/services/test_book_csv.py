"""A book as a spreadsheet: what is written can be read again, and starts no formula anywhere."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.persistence.json_lines import lines_of
from app.rulesets.guida import sheet as guida
from app.rulesets.guida.sheet import Armour, Modifier, Tool
from app.rulesets.guida.terms import Bind, Category, Means, Score, Stack, Stat
from app.services.book_csv import COLUMNS, write_table
from app.services.book_import import pack_text
from app.services.book_packs import CSV, JSON, Brought, read_pack, write_pack
from app.services.book_shapes import ArmourPiece, BonusPiece, Piece, ToolPiece
from app.services.cells import guarded, inert, unguarded
from app.services.errors import Malformed

HEAD = "id,kind,name,potential,effects,modifiers\n"
MARKS = tuple("=+-@＝＋－＠")
NAMES = (
    st.text(
        st.characters(exclude_categories=("C", "Z")) | st.sampled_from(' ;,"=+-@|＝＋－＠'),
        min_size=1,
        max_size=30,
    )
    .map(str.strip)
    .filter(bool)
)
WHOLE = st.integers(0, 9999)
NUMBERS = st.one_of(
    WHOLE.map(Fraction),
    st.decimals(0, 9999, places=3).map(Fraction),
    st.fractions(0, 99, max_denominator=9),
)
EFFECTS: Any = st.one_of(
    st.builds(guida.StackEffect, stack=st.sampled_from(Stack), count=st.integers(1, 99)),
    st.builds(
        guida.StatPoints,
        stat=st.sampled_from(Stat),
        points=st.integers(-99, 99),
        turns=st.none() | st.integers(1, 99),
    ),
    st.builds(
        guida.Constraint,
        binds=st.lists(st.sampled_from(Bind), max_size=3, unique=True).map(tuple),
        deals_damage=st.booleans(),
    ),
    st.builds(guida.AdditionalDamage, potential=NUMBERS, stat_bonus=NUMBERS),
    st.just(guida.Heal()),
)
BONUSES = st.builds(
    Modifier, name=NAMES, score=st.sampled_from(Score), points=st.integers(-9999, 9999)
)
TOOLS = st.builds(
    Tool,
    id=st.just("t"),
    name=NAMES,
    means=st.sampled_from(Means),
    attacks=st.booleans(),
    potential=st.none() | NUMBERS,
    category=st.none() | st.sampled_from(Category),
    stat_bonus=st.none() | NUMBERS,
    max_m=st.none() | WHOLE,
    ep=WHOLE,
    modifiers=st.lists(BONUSES, max_size=3).map(tuple),
    effects=st.lists(EFFECTS, max_size=3).map(tuple),
)
PIECES: Any = st.one_of(
    TOOLS.map(lambda one: ToolPiece(data=one)),
    st.builds(Armour, name=NAMES, potential=NUMBERS, blocks_pure=st.booleans()).map(
        lambda one: ArmourPiece(id="t", data=one)
    ),
    BONUSES.map(lambda one: BonusPiece(id="t", data=one)),
)


def read(text: str, kind: str = CSV) -> tuple[Brought, ...]:
    """Read a pack."""
    return read_pack(text.encode(), kind)


def wrong(text: str, kind: str = CSV) -> list[tuple[str, str]]:
    """Give line, field and code of everything that is wrong with a pack."""
    try:
        found = [mistake for one in read(text, kind) for mistake in one.mistakes]
    except Malformed as error:
        found = list(error.mistakes)
    return [(one.field, one.code) for one in found]


@settings(max_examples=150)
@given(piece=PIECES, language=st.sampled_from(("it", "en")))
def test_a_piece_that_is_written_as_a_row_is_read_as_the_same_piece(
    piece: Piece, language: str
) -> None:
    (brought,) = read(write_table([piece], language))
    assert brought.mistakes == ()
    assert brought.piece == piece


@settings(max_examples=80)
@given(piece=PIECES)
def test_a_piece_that_is_written_as_a_document_is_read_as_the_same_piece(piece: Piece) -> None:
    (brought,) = read(pack_text(write_pack([piece])), JSON)
    assert (brought.piece, brought.mistakes) == (piece, ())


@given(text=st.text(st.sampled_from("ab;,\n\"'=+-@＝＠ \t\r\u3000"), max_size=12))
def test_what_keeps_a_text_from_being_a_formula_is_taken_away_again(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("cell", ["\t=1", "\r=1", "\tx", "\r", " ＝1", "\u3000@x", '"=1', "'\t=1"])
def test_no_text_begins_a_formula_after_what_a_spreadsheet_skips(cell: str) -> None:
    assert inert(cell).strip('" \u3000').startswith("'")
    assert unguarded(inert(cell)) == cell


@pytest.mark.parametrize("cell", ["3", "-3", "+1.5", "-1/2", "", "x=1", "a-b"])
def test_what_is_no_formula_stays_as_it_is(cell: str) -> None:
    assert inert(cell) == cell


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize(
    "name",
    [
        "=cmd|' /C calc'!A0",
        "+1",
        "-1",
        "@SUM(A1)",
        "a;=1+1",
        'a;"=1+1"',
        "a,=1",
        "'=1",
        "＝1+1",
        "＠a",
        "＋1",
        "－1",
    ],
)
def test_no_cell_begins_a_formula_whichever_separator_a_spreadsheet_takes(
    name: str, mark: str
) -> None:
    bonus = Modifier(name=name, score=Score.HIT, points=-3)
    pieces = (
        ToolPiece(data=Tool(id="t", name=name, modifiers=(bonus,))),
        BonusPiece(id="u", data=bonus),
    )
    for language in ("it", "en"):
        table = write_table(pieces, language)
        for cells in csv.reader(io.StringIO(table), delimiter=mark):
            for cell in cells:
                assert cell == "-3" or not cell.strip('" ').startswith(MARKS), cell
        assert [one.piece for one in read(table)] == list(pieces)


def test_the_titles_may_be_in_any_order_and_cells_may_be_missing() -> None:
    (one,) = read("Name;KIND;id;attacks\n\nLama;weapon;lama;sì\n")
    assert one.piece == ToolPiece(
        data=Tool(id="lama", name="Lama", means=Means.WEAPON, attacks=True)
    )
    assert one.line == 3


def test_a_table_of_an_old_spreadsheet_keeps_its_accents() -> None:
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        raw = "id;kind;name\nx;weapon;Sonìdo\n".encode(encoding)
        assert read_pack(raw, CSV)[0].piece == ToolPiece(
            data=Tool(id="x", name="Sonìdo", means=Means.WEAPON)
        )


@pytest.mark.parametrize(
    ("row", "field", "code"),
    [
        ("x,weapon,X,1.000,,", "potential", "ambiguous_number"),
        ("x,weapon,X,NaN,,", "potential", "not_a_number"),
        ("x,weapon,X,1e9,,", "potential", "not_a_number"),
        ("x,weapon,X,٣,,", "potential", "not_a_number"),
        (f"x,weapon,X,{'9' * 5000},,", "potential", "too_long"),
        (f"x,weapon,X,{'9' * 3000},,", "potential", "not_a_number"),
        ("x,weapon,X,99999,,", "potential", "out_of_range"),
        ("x,weapon,,,,", "name", "missing"),
        ("x,spell,X,,,", "kind", "unknown_choice"),
        ("x,armour,X,4,heal,", "effects", "not_of_this_kind"),
        ("x,weapon,X,,stacks stack=burn,", "effects[0].count", "missing"),
        ("x,weapon,X,,stacks stack=fire count=2,", "effects[0].stack", "unknown_choice"),
        ("x,weapon,X,,stacks stack=burn count=2 count=3,", "effects[0].count", "duplicate"),
        ("x,weapon,X,,stacks burn 2,", "effects[0]", "effect_cell"),
        ("x,weapon,X,,fireball,", "effects[0].kind", "unknown_choice"),
        ("x,weapon,X,,,Bonus +2", "modifiers[0]", "modifier_cell"),
        ("x,weapon,X,,,,,,y", "columns[9]", "unknown_field"),
        ("x,weapon,X\u202e,,,", "name", "bad_text"),
    ],
)
def test_each_mistake_of_a_row_is_told_with_line_field_and_code(
    row: str, field: str, code: str
) -> None:
    assert (f"lines[3].{field}", code) in wrong(f"{HEAD}a,weapon,A,,,\n{row}\n")


def test_what_is_wrong_with_the_titles_is_said_of_them() -> None:
    assert wrong("id,kind,titel,kind\nx,weapon,X,y\n") == [
        ("lines[1].columns[3]", "column_unknown"),
        ("lines[1].kind", "duplicate"),
        ("lines[1].name", "missing"),
    ]
    assert wrong("") == [(f"lines[1].{name}", "missing") for name in ("id", "kind", "name")]


def test_a_cell_that_is_never_closed_is_named_by_its_line() -> None:
    assert wrong(f'{HEAD}a,weapon,A,,,\nb,weapon,"B,,,\n')[-1] == ("lines[3]", "table_unreadable")


def test_an_id_stands_once_in_a_pack() -> None:
    assert wrong(f"{HEAD}a,weapon,A,,,\na,weapon,B,,,\n") == [("lines[3].id", "duplicate")]


def test_a_pack_is_bounded() -> None:
    rows = "".join(f"p{number},weapon,P{number},,,\n" for number in range(501))
    assert ("lines[502]", "too_long") in wrong(HEAD + rows)
    assert wrong("x" * 300_000) == [("", "too_long")]
    many = ",".join(['{"kind":"tool"}'] * 501)
    assert wrong(f'{{"format":"arbitro-book/1","pieces":[{many}]}}', JSON) == [
        ("lines[1].pieces", "too_long")
    ]


DOCUMENT = """{
 "format": "arbitro-book/1",
 "pieces": [
  {"kind": "armour", "id": "a",
   "data": {"name": "A", "potential": 4}},
  %s
 ]
}"""


@pytest.mark.parametrize(
    ("piece", "mistake"),
    [
        ('{"kind": "armour", "id": "b",\n"data": {"name": "B"}}', (7, "data.potential", "missing")),
        ('{"kind": "shield", "id": "b"}', (6, "kind", "unknown_choice")),
        (
            '{"kind": "armour", "id": "a", "data": {"name": "B", "potential": 1}}',
            (6, "id", "duplicate"),
        ),
        (
            '{"kind": "bonus", "id": "b", "data": {"name": "B",\n\n"score": 1, "points": 1}}',
            (8, "data.score", "wrong_type"),
        ),
        (
            '{"kind": "bonus", "id": "b", "rule": "x", "data": {"name": "B", "score": "hit_score", '
            '"points": 1}}',
            (6, "rule", "unknown_field"),
        ),
    ],
)
def test_each_mistake_of_a_document_is_told_with_its_line(
    piece: str, mistake: tuple[int, str, str]
) -> None:
    line, field, code = mistake
    told = [(f"lines[{line}].pieces[1].{field}", code)]
    assert [one for one in wrong(DOCUMENT % piece, JSON) if one[1] == code][:1] == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{\n"format": "arbitro-book/1",\n"pieces": [,]}', [("lines[3]", "not_json")]),
        (
            '{"format": "arbitro-book/1", "pieces": [\n{"x": NaN}]}',
            [("lines[2].pieces[0].x", "not_a_number")],
        ),
        (
            '{"format": "arbitro-book/1", "pieces": [\n{"x": ' + "9" * 5000 + "}]}",
            [("lines[2].pieces[0].x", "not_a_number")],
        ),
        (
            '{"format": "arbitro-book/1", "pieces": [{"x": 1,\n"x": 2}]}',
            [("lines[2].pieces[0].x", "duplicate")],
        ),
        ('{"format": "other", "pieces": []}', [("lines[1].format", "unknown_choice")]),
        ('{"format": "arbitro-book/1"}', [("lines[1].pieces", "missing")]),
        ('{"format": "arbitro-book/1", "pieces": {}}', [("lines[1].pieces", "wrong_type")]),
        ("[]", [("lines[1]", "wrong_type")]),
        ("[" * 100_000, [("lines[1]", "too_deep")]),
    ],
)
def test_a_hostile_document_is_refused_with_the_line(
    text: str, told: list[tuple[str, str]]
) -> None:
    assert wrong(text, JSON) == told


def test_every_value_of_a_document_has_its_line() -> None:
    text = '{"a":\n[1,\n{"b": "]}"},\n []], "c": {\n}, "d":\n"x\\"y"}'
    assert lines_of(text) == {
        "": 1,
        "a": 2,
        "a[0]": 2,
        "a[1]": 3,
        "a[1].b": 3,
        "a[2]": 4,
        "c": 4,
        "d": 6,
    }


def test_the_table_has_a_column_for_every_field() -> None:
    assert set(COLUMNS) >= {"potential", "max_targets", "blocks_pure", "score", "points", "effects"}
    assert len(set(COLUMNS)) == len(COLUMNS)

"""The codec: exact both ways for what the rules use, and deaf to everything else."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.engine.dice import Roll
from app.engine.findings import Finding, Question
from app.engine.ruleset import Asked, Awaited, Plan
from app.engine.tally import Tally, Term
from app.engine.text import Between, Length
from app.persistence.codec import (
    MISTAKES,
    Malformed,
    Mistake,
    checked,
    decode,
    encode,
    json_schema,
    load,
    read_json,
    store,
    union_of,
    write_json,
)
from app.rulesets import RULESETS
from app.services.entry_shapes import (
    Narration,
)
from tests.support.values import values_of

GAMES = list(RULESETS.values())
# What a client may send, and what only we write: states hold numbers that came of calculations.
FROM_OUTSIDE: list[Any] = [
    *(order for game in GAMES for order in game.orders),
    *(game.setup for game in GAMES),
    Narration,
]
FROM_INSIDE: list[Any] = [
    *(game.state for game in GAMES),
    tuple[Finding, ...],
    tuple[Asked, ...],
    tuple[Roll, ...],
    Plan,
    Awaited,
    Question,
]
thoroughly = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking a whole set-up takes minutes
)


class Colour(StrEnum):
    """Two words."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One of two shapes."""

    kind: ClassVar[str] = "box"
    size: Annotated[int, Between(1, 9)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bag:
    """The other one."""

    kind: ClassVar[str] = "bag"
    name: Annotated[str, Length(1, 5)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Something that may be left out."""

    text: Annotated[str, Length(2, 9)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A bit of everything."""

    title: Annotated[str, Length(1, 10)]
    story: Annotated[str, Length(0, 20, lines=True)] = ""
    weight: Annotated[Fraction, Between(0, 100)] = Fraction(1)
    colours: frozenset[Colour] = frozenset()
    things: Annotated[tuple[Box | Bag, ...], Length(0, 3)] = ()
    pair: tuple[int, str] | None = None
    open: bool = False


def mistakes(wanted: Any, data: object, at: str = "") -> dict[str, str]:
    """Decode what cannot be decoded; give the code of each field's mistake."""
    with pytest.raises(Malformed) as caught:
        decode(wanted, data, at)
    for one in caught.value.mistakes:
        assert set(one.facts) == set(MISTAKES[one.code]), one
    return {one.field: one.code for one in caught.value.mistakes}


# --------------------------------------------------------------------------------- both ways


@pytest.mark.parametrize("wanted", FROM_OUTSIDE, ids=lambda one: one.__name__)
@thoroughly
@given(data=st.data())
def test_whatever_a_client_may_send_comes_back_as_it_was(wanted: Any, data: st.DataObject) -> None:
    value = data.draw(values_of(wanted))
    sent = write_json(encode(value)).encode()
    if len(sent) < 200_000:
        assert decode(wanted, read_json(sent)) == value
    assert load(wanted, store(value)) == value


@pytest.mark.parametrize("wanted", FROM_INSIDE, ids=str)
@thoroughly
@given(data=st.data())
def test_whatever_is_stored_comes_back_as_it_was(wanted: Any, data: st.DataObject) -> None:
    value = data.draw(values_of(wanted))
    assert load(wanted, store(value, wanted)) == value


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@thoroughly
@given(data=st.data())
def test_a_word_tells_which_order_it_is(game: Any, data: st.DataObject) -> None:
    wanted = union_of(game.orders)
    value = data.draw(values_of(wanted))
    assert type(decode(wanted, read_json(store(value).encode()))) is type(value)


@given(st.fractions())
def test_a_stored_fraction_keeps_every_digit(value: Fraction) -> None:
    assert load(Fraction, store(value)) == value


@pytest.mark.parametrize(
    "fact",
    [
        "1/3",
        Fraction(1, 3),
        3,
        Fraction(35, 2),
        True,
        None,
        ("a", "b"),
        Tally((Term("R", "k", 2),)),
    ],
    ids=repr,
)
def test_a_fact_keeps_its_kind(fact: Any) -> None:
    finding = Finding("R-1", "key", {"fact": fact})
    back = load(Finding, store(finding))
    assert back == finding
    assert isinstance(back.facts["fact"], str) == isinstance(fact, str)
    assert isinstance(back.facts["fact"], bool) == isinstance(fact, bool)


def test_sets_are_written_in_one_order() -> None:
    one = Shelf(title="a", colours=frozenset([Colour.RED, Colour.BLUE]))
    assert encode(one)["colours"] == ["blue", "red"]


def test_numbers_are_written_as_people_write_them() -> None:
    written = {
        text: store(Fraction(text)) for text in ("7", "17.5", "8/3", "-0.25", "123456789012345678")
    }
    assert written == {
        "7": "7",
        "17.5": "17.5",
        "8/3": '"8/3"',
        "-0.25": "-0.25",
        "123456789012345678": "123456789012345678",
    }


def test_bounds_that_became_narrower_do_not_lock_out_what_is_stored() -> None:
    assert load(Box, '{"kind":"box","size":12345}').size == 12345


def test_a_value_made_in_code_is_held_to_the_same_bounds() -> None:
    sound = Shelf(title="a", weight=Fraction("17.5"), things=(Box(size=9),))
    assert checked(Shelf, sound) == sound
    with pytest.raises(Malformed) as caught:
        checked(Shelf, Shelf(title="a\0", weight=Fraction(101), things=(Box(size=10),)), "shelf")
    assert [one.field for one in caught.value.mistakes] == [
        "shelf.title",
        "shelf.weight",
        "shelf.things[0].size",
    ]


# ----------------------------------------------------------------------- what is not understood


def test_every_mistake_is_named_at_once() -> None:
    data = {
        "title": "",
        "story": "x" * 21,
        "weight": "101",
        "colours": ["red", "green", "red"],
        "things": [{"kind": "box", "size": 0}, {"size": 1}, {"kind": "cup"}],
        "pair": [1],
        "open": 1,
        "extra": None,
    }
    assert mistakes(Shelf, data, "shelf") == {
        "shelf.title": "too_short",
        "shelf.story": "too_long",
        "shelf.weight": "out_of_range",
        "shelf.colours[1]": "unknown_choice",
        "shelf.things[0].size": "out_of_range",
        "shelf.things[1].kind": "missing",
        "shelf.things[2].kind": "unknown_choice",
        "shelf.pair": "too_short",
        "shelf.open": "wrong_type",
        "shelf.extra": "unknown_field",
    }


def test_a_list_that_is_too_long_is_one_mistake_not_one_for_each_item() -> None:
    assert mistakes(Shelf, {"title": "a", "things": [5] * 500}) == {"things": "too_long"}


def test_a_set_names_nothing_twice() -> None:
    assert mistakes(Shelf, {"title": "a", "colours": ["red", "red"]}) == {"colours": "duplicate"}


@pytest.mark.parametrize(
    ("size", "code"),
    [
        (True, "wrong_type"),
        (None, "wrong_type"),
        (2.0, "wrong_type"),
        ("５", "not_a_number"),
        ("5", "not_a_number"),
        ("\u22123", "not_a_number"),
        (Decimal("2.5"), "wrong_type"),
        (Decimal("1e15"), "out_of_range"),
        (Decimal("1e999999999"), "wrong_type"),
        (Decimal("NaN"), "wrong_type"),
        (10, "out_of_range"),
        (2**63, "out_of_range"),
        ([1], "wrong_type"),
    ],
    ids=repr,
)
def test_what_is_no_whole_number(size: object, code: str) -> None:
    assert mistakes(Box, {"size": size}) == {"size": code}


@pytest.mark.parametrize(
    ("weight", "code"),
    [
        (True, "wrong_type"),
        (0.5, "wrong_type"),
        ({}, "wrong_type"),
        ("", "not_a_number"),
        ("1/0", "not_a_number"),
        ("٣", "not_a_number"),
        ("1e5", "not_a_number"),
        ("Infinity", "not_a_number"),
        ("9" * 25, "not_a_number"),
        ("1,000", "ambiguous_number"),
        ("1,000,000", "not_a_number"),
        ("0,125", "not_a_number"),
        (Decimal("1e999999999"), "not_a_number"),
        (Decimal("1e-999999999"), "not_a_number"),
        (Decimal("NaN"), "not_a_number"),
        ("-1", "out_of_range"),
    ],
    ids=repr,
)
def test_what_is_no_number(weight: object, code: str) -> None:
    assert mistakes(Shelf, {"title": "a", "weight": weight}) == {"weight": code}


@pytest.mark.parametrize("whole", [5, Decimal("5.0"), Decimal("5e0")], ids=repr)
def test_a_whole_number_may_be_written_as_a_decimal(whole: object) -> None:
    assert decode(Box, {"size": whole}) == Box(size=5)


@pytest.mark.parametrize("weight", [17, Decimal("17.5"), "35/2", "17.5"], ids=repr)
def test_a_number_is_read_exactly_however_it_is_written(weight: object) -> None:
    assert decode(Shelf, {"title": "a", "weight": weight}).weight == Fraction(str(weight))


@pytest.mark.parametrize(
    "text",
    [
        "a\0",
        "Kaito\n",
        "a\tb",
        "Kai\u202enimdA",
        "\u2066x",
        "a\ud800",
        "\x85",
        "\x1b[0m",
        "a\u2028b",
        "a\ufffe",
        "a\uffff",
    ],
    ids=ascii,
)
def test_text_that_would_misbehave_somewhere_is_refused(text: str) -> None:
    assert mistakes(Shelf, {"title": text}) == {"title": "bad_text"}


def test_a_name_of_blanks_is_no_name() -> None:
    assert mistakes(Shelf, {"title": " \u00a0 "}) == {"title": "too_short"}


def test_lines_are_kept_and_end_alike() -> None:
    assert decode(Shelf, {"title": "a", "story": "a\r\nb\rc\td"}).story == "a\nb\nc\td"
    assert mistakes(Shelf, {"title": "a", "story": "a\x0bb"}) == {"story": "bad_text"}
    assert mistakes(Shelf, {"title": "a", "story": "a\uffffb"}) == {"story": "bad_text"}


def test_lengths_are_counted_in_characters_not_bytes() -> None:
    assert decode(Shelf, {"title": "🐉" * 10}).title == "🐉" * 10
    assert mistakes(Shelf, {"title": "🐉" * 11}) == {"title": "too_long"}


def test_what_may_be_left_out_takes_its_default() -> None:
    assert decode(Shelf, {"title": "a"}) == Shelf(title="a")
    assert mistakes(Shelf, {}) == {"title": "missing"}


def test_what_may_be_left_out_may_also_be_left_empty() -> None:
    assert decode(Label, {"text": ""}) == decode(Label, {}) == Label()
    assert mistakes(Label, {"text": " "}) == {"text": "too_short"}
    assert "minLength" not in json_schema(Label)["$defs"]["Label"]["properties"]["text"]


@pytest.mark.parametrize("data", [None, [], "x", 5], ids=repr)
def test_a_record_is_an_object(data: object) -> None:
    assert mistakes(Shelf, data) == {"": "wrong_type"}


def test_a_kind_may_be_given_where_it_is_not_needed_but_not_another_one() -> None:
    assert decode(Box, {"kind": "box", "size": 1}) == Box(size=1)
    assert mistakes(Box, {"kind": "bag", "size": 1}) == {"kind": "unknown_choice"}


def test_what_a_type_refuses_itself_is_a_mistake_not_an_error() -> None:
    data = {"address": {"place": 0}, "sides": 6, "face": 7}
    assert mistakes(Roll, data) == {"": "wrong_type"}


# --------------------------------------------------------------------------------- hostile JSON


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b"{'a':1}", "not_json"),
        (b'{"a":1,}', "not_json"),
        (b'{"a":1} x', "not_json"),
        (b"\xff\xfe{\x00}\x00", "not_json"),
        ("\ufeff{}".encode(), "not_json"),
        ('{"a":"é"}'.encode("latin-1"), "not_json"),
        (b'{"a":"\xed\xa0\x80"}', "not_json"),
        (b'{"a":01}', "not_json"),
        (b'{"a":NaN}', "not_a_number"),
        (b'{"a":-Infinity}', "not_a_number"),
        (b'{"a":' + b"9" * 25 + b"}", "not_a_number"),
        (b'{"a":' + b"9" * 5000 + b"}", "not_a_number"),
        (b'{"a":0.' + b"1" * 30 + b"}", "not_a_number"),
        (b'{"a":1,"a":1}', "duplicate"),
        (b'{"a":"\\u0000"}', "bad_text"),
        (b'{"a":"\\ud800"}', "bad_text"),
        (b'{"\\ud800":1}', "bad_text"),
        (b"[" * 42 + b"]" * 42, "too_deep"),
        (b"[" * 100_000, "too_deep"),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "too_long"),
        (b'"' + b"x" * 300_000 + b'"', "too_long"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_hostile_json_is_refused_by_a_code(raw: bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_json(raw)
    assert [one.code for one in caught.value.mistakes] == [code]
    assert set(caught.value.mistakes[0].facts) == set(MISTAKES[code])


def test_the_path_of_a_broken_value_is_named() -> None:
    with pytest.raises(Malformed) as caught:
        read_json(b'{"a":[1,{"b":NaN}],"c":{"d":1,"d":2}}')
    assert caught.value.mistakes == (Mistake("a[1].b", "not_a_number"), Mistake("c.d", "duplicate"))


def test_no_number_passes_through_a_float() -> None:
    data = read_json(b'{"a":0.1,"b":17.50,"c":9007199254740993}')
    assert data == {"a": Decimal("0.1"), "b": Decimal("17.50"), "c": 9007199254740993}


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    with suppress(Malformed):
        data = read_json(raw)
        decode(union_of([Box, Bag]), data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.decimals(places=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["kind", "by", "main", "target", "title", "things", "sheet"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_decoded_or_refused(data: Any) -> None:
    for wanted in (Shelf, union_of([Box, Bag]), *FROM_OUTSIDE):
        with suppress(Malformed):
            decode(wanted, data)


# -------------------------------------------------------------------------------------- schema


def test_the_schema_says_what_the_codec_reads() -> None:
    schema = json_schema(Shelf)
    shelf = schema["$defs"]["Shelf"]
    assert schema["$ref"] == "#/$defs/Shelf"
    assert shelf["required"] == ["title"]
    assert shelf["additionalProperties"] is False
    assert shelf["properties"]["title"]["maxLength"] == 10
    assert shelf["properties"]["things"]["items"]["discriminator"]["mapping"] == {
        "box": "#/$defs/Box",
        "bag": "#/$defs/Bag",
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_type_of_a_game_has_a_schema(game: Any) -> None:
    for wanted in (game.setup, game.state, union_of(game.orders)):
        schema = json_schema(wanted, ref="#/components/schemas/")
        assert all(part for part in schema["$defs"].values())


def test_a_type_that_cannot_be_served_is_told_at_once() -> None:
    with pytest.raises(TypeError):
        decode(dict[int, int] | complex, {})

"""A label lists every factor with its sign, and adds up to the modifier of its die."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.dice import Address, Roll
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.posts.bbcode import JOINER
from app.posts.blocks import Die
from app.posts.dialects import DIALECTS, render
from app.posts.dice_tag import read_label, read_tag
from app.posts.label import write_die, write_label
from app.posts.names import safe_name
from app.posts.phrases import LANGUAGES, sections
from tests.unit.posts.hostile import HOSTILE, active, hostile_name, rolled

KEYS = sorted(key for key, said in sections("it", "guida")["terms"].items() if said)

numbers = st.integers(-99999, 99999).map(Fraction) | st.decimals(
    -99, 99, places=2, allow_nan=False
).map(Fraction)
term = st.builds(
    Term,
    rule=st.just("GC-4.4"),
    key=st.sampled_from(KEYS),
    value=numbers,
    name=hostile_name,
    board=st.booleans(),
)
asked = st.builds(
    Asked,
    address=st.just(Address(0)),
    sides=st.sampled_from([8, 12, 15, 18, 24]),
    phase=st.just("offensive"),
    action=st.sampled_from(["attack", "guard", "dodge"]),
    actor=hostile_name,
    targets=st.lists(hostile_name, min_size=1, max_size=3).map(tuple),
    items=st.lists(hostile_name, max_size=4).map(tuple),
    tally=st.lists(term, max_size=8).map(lambda terms: Tally(tuple(terms))),
)

EXAMPLE = Asked(
    address=Address(50),
    sides=12,
    phase="offensive",
    action="attack",
    actor="Hollow",
    targets=("Quincy",),
    items=("Artigli Affilati", "Sonìdo"),
    tally=Tally(
        (
            Term("GC-4.6", "distance", Fraction(2), name="0–5 m"),
            Term("GC-4.4", "modifier", Fraction(2), name="Bonus Arma"),
            Term("GC-4.23", "aim_limbs", Fraction(-1)),
            Term("GC-4.33", "dexterity", Fraction(6)),
        )
    ),
)
LABEL = (
    "Attacco [Artigli Affilati, Sonìdo] (Hollow vs Quincy): "
    "(+2 [Raggio 0–5 m], +2 [Bonus Arma], -1 [Mirato agli arti], +6 [Destrezza])"
)


def shown(name: str) -> str:
    """Return a name as a reader sees it."""
    return " ".join(name.replace(JOINER, "").split())


def test_a_label_has_the_form_of_the_book() -> None:
    assert write_label("it", "guida", EXAMPLE) == LABEL


def test_a_live_die_is_a_tag_and_a_fallen_one_a_line() -> None:
    live = write_die("it", "guida", EXAMPLE, None, live=True)
    fallen = write_die("it", "guida", EXAMPLE, [Roll(Address(50), 12, 8)], live=True)
    assert render([live], "it", "guida") == f"[dice=1d12+9]{LABEL}[/dice]"
    assert render([fallen], "it", "guida") == f"[b]1d12+9: (8)+9 = 17[/b] — {LABEL}"
    assert render([fallen], "it", "plain") == f"1d12+9: (8)+9 = 17 — {LABEL}"
    assert render([live], "it", "plain") == f"Da tirare: 1d12+9 — {LABEL}"


def test_a_die_that_the_service_will_throw_is_no_tag() -> None:
    waiting = write_die("it", "guida", EXAMPLE, None, live=False)
    for dialect in DIALECTS:
        text = render([waiting], "it", dialect)
        assert rolled(text) == []
        assert "1d12+9: lo tira Arbitro" in text


def test_a_die_that_has_fallen_cannot_be_made_live() -> None:
    with pytest.raises(ValueError, match="not rolled again"):
        Die(sides=12, modifier=Fraction(0), label="x", face=3, live=True)


@pytest.mark.parametrize(
    ("modifier", "expression", "result"),
    [
        (Fraction(0), "1d12", "1d12: (8) = 8"),
        (Fraction(-3), "1d12-3", "1d12-3: (8)-3 = 5"),
        (Fraction(-20), "1d12-20", "1d12-20: (8)-20 = -12"),
        (Fraction(5, 2), "1d12+2.5", "1d12+2.5: (8)+2.5 = 10.5"),
    ],
)
def test_a_modifier_is_spelled_with_its_sign(
    modifier: Fraction, expression: str, result: str
) -> None:
    die = Die(sides=12, modifier=modifier, label="x", face=8)
    assert (die.expression, die.result) == (expression, result)


@pytest.mark.parametrize("language", LANGUAGES)
@given(asked=asked)
def test_what_a_label_lists_is_the_modifier_of_its_die(language: str, asked: Asked) -> None:
    die = write_die(language, "guida", asked, None, live=True)
    tag = read_tag(render([die], language, "guida"))
    assert tag.issues == ()
    assert (tag.count, tag.faces) == (1, asked.sides)
    assert tag.declared_modifier == tag.listed_modifier == asked.tally.total
    assert [factor.value for factor in tag.factors] == [term.value for term in asked.tally.terms]
    assert all(factor.source for factor in tag.factors)


@given(asked)
def test_a_label_is_read_back_as_it_was_asked(asked: Asked) -> None:
    label = read_label(write_label("it", "guida", asked))
    assert label.action_name in ("Attacco", "Protezione", "Schivata")
    assert label.actor == shown(safe_name(asked.actor))
    assert label.targets == tuple(shown(safe_name(name)) for name in asked.targets)
    assert label.items == tuple(shown(safe_name(name)) for name in asked.items)


@given(asked)
def test_a_label_holds_no_tag_but_its_own(asked: Asked) -> None:
    die = write_die("it", "guida", asked, None, live=True)
    text = render([die], "it", "guida")
    assert len(rolled(text)) == 2
    assert len(active(text)) == 2
    assert text.startswith(f"[dice={die.expression}]")
    assert text.endswith("[/dice]")
    assert text.count("[/dice]") == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_forges_a_factor(name: str) -> None:
    tally = EXAMPLE.tally.plus(Term("GC-4.4", "modifier", Fraction(1), name=name))
    forged = replace(EXAMPLE, actor=name, targets=(name,), items=(name, name), tally=tally)
    tag = read_tag(render([write_die("it", "guida", forged, None, live=True)], "it", "guida"))
    assert tag.issues == ()
    assert tag.listed_modifier == 10
    assert (len(tag.items), len(tag.targets), len(tag.factors)) == (2, 1, 5)


@given(hostile_name)
def test_a_safe_name_stays_as_it_is_when_made_safe_again(name: str) -> None:
    assert safe_name(safe_name(name)) == safe_name(name)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Artigli Affilati", "Artigli Affilati"),
        ("Hollow (clone)", "Hollow (clone)"),
        ("Ascia] +9 [Forza", "Ascia} +9 {Forza"),
        ("a) b (c", "a} b {c"),
        ("Lama, la Grande", f"Lama{JOINER}, la Grande"),
        ("Tizio vs Caio", f"Tizio v{JOINER}s Caio"),
        ("due\nrighe", "due righe"),
        ("  ", "—"),
        ("🐉 Drago", "🐉 Drago"),
    ],
)
def test_a_safe_name_stays_readable(name: str, safe: str) -> None:
    assert safe_name(name) == safe

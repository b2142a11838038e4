"""Post linting: what a post lacks, what does not add up, and hints that are no more than that."""

import random
import re
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.dice import Address
from app.engine.ruleset import Asked
from app.engine.tally import Tally
from app.posts.dialects import DIALECTS, WITH_TAGS, render
from app.posts.dice_tag import MOST_TAGS
from app.posts.header import MOST_ENTRIES
from app.posts.lint import CODES, MOST_HINTS, Issue, Lint, lint_post, say_issue, vitals_of
from app.posts.phrases import LANGUAGES
from app.posts.write import write_blocks
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Figures,
    Turn,
)
from tests.unit.posts.battles import NAMES, battle, battlefield
from tests.unit.posts.fights import play
from tests.unit.posts.hostile import hostile_text

HANG = 20.0  # seconds: ten times what a long text may take
A_QUARTER = settings(max_examples=settings.default.max_examples // 4)
A_TENTH = settings(max_examples=settings.default.max_examples // 10)

POST = """[b]Hollow[/b]
[url=https://x.test/?t=1]Scheda[/url]
PV: 85/100 | PE: 40/60
Forza 12 (+3) | Destrezza 10 (-2) | Costituzione 8 (+0) | Intelligenza 6 (+0)

Registro
• Danni da Freccia: -12 PV
• Spesa per Sonìdo: -5 PE

Fase Difensiva
Si scosta di lato.
[dice=1d12+8]Schivata (Hollow vs Quincy): (+8 [Destrezza])[/dice]

Fase Offensiva
E colpisce.
[dice=1d12+10]Attacco [Artigli] (Hollow vs Quincy): (+2 [Raggio 0–5 m], +8 [Destrezza])[/dice]
"""
BEFORE = Figures(hp=97, ep=45)


def codes(lint: Lint) -> list[str]:
    """Return the codes of what is wrong."""
    return [issue.code for issue in lint.issues]


def die(action: str, sides: int, actor: str = "Hollow") -> Asked:
    """Ask for a die."""
    return Asked(
        address=Address(0),
        sides=sides,
        phase="defensive",
        action=action,
        actor=actor,
        targets=("Quincy",),
        items=(),
        tally=Tally(),
    )


def test_a_complete_post_that_balances_is_valid() -> None:
    lint = lint_post(POST, before=BEFORE)
    assert codes(lint) == []
    assert lint.valid
    assert lint.header.sheet_link == "https://x.test/?t=1"
    assert len(lint.tags) == 2


@pytest.mark.parametrize(
    ("gone", "code"),
    [
        (r"\[url.*\]\n", "missing_sheet_link"),
        (r"PV: 85/100 \| ", "missing_hp"),
        (r"PE: 40/60", "missing_ep"),
        (r"Forza 12 \(\+3\) \| ", "missing_stats"),
        (r"Registro\n(•.*\n)*", "missing_register"),
    ],
)
def test_each_part_that_is_missing_is_named(gone: str, code: str) -> None:
    post, count = re.subn(gone, "", POST)
    assert count == 1
    assert codes(lint_post(post)) == [code]


def test_nothing_at_all_lacks_everything() -> None:
    parts = ("sheet_link", "hp", "ep", "stats", "register")
    assert codes(lint_post("")) == [f"missing_{part}" for part in parts]


def test_a_stat_without_its_bracket_is_reported() -> None:
    lint = lint_post(POST.replace("8 (+0)", "8"))
    assert [(issue.code, issue.rule) for issue in lint.issues] == [("stat_notation", "GC-1.3")]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (Figures(hp=98, ep=45), [("hp_unbalanced", "GC-2.5", -1)]),
        (Figures(hp=97, ep=40), [("ep_unbalanced", "GC-2.6", 5)]),
        (Figures(hp=97, ep=45), []),
    ],
)
def test_a_register_is_added_up_from_the_post_before(
    before: Figures, expected: list[tuple[str, str, int]]
) -> None:
    lint = lint_post(POST, before=before)
    assert [(one.code, one.rule, one.facts["discrepancy"]) for one in lint.issues] == expected


def test_gains_count_unless_the_board_says_otherwise() -> None:
    post = POST.replace("• Spesa", "• Cura: +2 PV\n• Spesa")
    healed = Figures(hp=95, ep=45)
    assert codes(lint_post(post, before=healed)) == []
    strict = Options(register_counts_gains=False)
    assert codes(lint_post(post, before=healed, options=strict)) == ["hp_unbalanced"]


def test_the_post_before_gives_the_figures_to_start_from() -> None:
    assert vitals_of("PV: 97/100\nPE: 45/60") == BEFORE
    assert vitals_of("<b>PV</b> 97<br><b>PE</b> 45") == BEFORE
    assert vitals_of("PV: 97/100") is None


def test_a_line_that_is_not_understood_is_a_hint() -> None:
    lint = lint_post(POST.replace("-12 PV", "12 PV"))
    assert codes(lint) == ["unread_line"]
    assert lint.valid


def test_each_tag_is_held_against_its_label() -> None:
    lint = lint_post(POST.replace("1d12+8", "1d12+7"))
    assert [(one.code, one.tag, dict(one.facts)) for one in lint.issues] == [
        ("modifier_mismatch", 0, {"declared": Fraction(7), "listed": Fraction(8)})
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[dice=1d12+8]", "[dice=1d24+8]", ["wrong_die"]),
        ("[dice=1d12+8]", "[dice=2d12+8]", ["several_dice"]),
        ("(Hollow vs Quincy): (+8", "(Hollow): (+8", ["missing_actors"]),
        ("(+8 [Destrezza])[/dice]\n\nFase", "(+8 [Destrezza])\n\nFase", ["unclosed"]),
        ("Attacco [Artigli]", "Mossa segreta", []),
        (
            "[dice=1d12+8]Schivata",
            "[quote][dice=1d24+9]Parata[/dice][/quote][dice=1d12+8]Schivata",
            [],
        ),
    ],
)
def test_tags_are_checked_one_by_one(old: str, new: str, expected: list[str]) -> None:
    assert old in POST
    found = codes(lint_post(POST.replace(old, new, 1)))
    assert [code for code in found if code in expected] == expected
    assert bool(expected) is bool(found)


def test_each_action_needs_one_roll_and_only_one() -> None:
    needed = [die("dodge", 12), die("attack", 12)]
    assert codes(lint_post(POST, needed=needed)) == []
    lint = lint_post(POST, needed=[*needed, die("guard", 24)])
    assert [(one.code, one.facts["action"], one.facts["sides"]) for one in lint.issues] == [
        ("missing_roll", "guard", 24)
    ]
    again = POST.replace(
        "[dice=1d12+8]",
        "[dice=1d12+8]Schivata (Hollow vs Quincy): (+8 [Destrezza])[/dice][dice=1d12+8]",
        1,
    )
    lint = lint_post(again, needed=needed)
    assert [(one.code, one.facts["name"]) for one in lint.issues] == [("extra_roll", "Schivata")]


@pytest.mark.parametrize("name", ["Contrattacco in Fase Offensiva", "Contrattacco"])
def test_a_counterattack_needs_both_of_its_dice(name: str) -> None:
    first = "[dice=1d18+8]Contrattacco [Artigli] (Hollow vs Quincy): (+8 [Destrezza])[/dice]\n"
    second = f"[dice=1d12+8]{name} [Artigli] (Hollow vs Quincy): (+8 [Destrezza])[/dice]\n"
    header = POST[: POST.index("Fase Difensiva")]
    assert codes(lint_post(header + first + second)) == []
    lint = lint_post(header + first)
    assert [(one.code, one.rule, one.facts["sides"]) for one in lint.issues] == [
        ("missing_half", "GC-14.13", 12)
    ]
    assert [one.facts["sides"] for one in lint_post(header + second).issues] == [18]


def test_a_turn_has_one_main_action() -> None:
    attack = POST[POST.index("[dice=1d12+10]") :]
    assert codes(lint_post(POST + attack)) == ["several_main_actions"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Se lo colpisce, allora lo afferra.",
        "se mi colpisce salto, altrimenti resto fermo",
        "Nel caso in cui schivasse, userebbe il Sonìdo.",
        "Qualora cadesse, si rialzerebbe.",
        "If he dodges, then I strike again.",
        "QUALORA…",
    ],
)
def test_a_hypothetical_is_a_hint_and_never_a_fault(sentence: str) -> None:
    lint = lint_post(f"{POST}\n{sentence}", before=BEFORE)
    assert codes(lint) == ["hypothetical"]
    assert lint.issues[0].hint
    assert lint.issues[0].rule == "GC-2.30"
    assert lint.valid


@pytest.mark.parametrize(
    "sentence",
    [
        "Si chiese se fosse vero. Allora colpì.",
        "Pensò a sé, e allora colpì.",
        "Disse: forse. Altrimenti no.",
        "[quote]Se cade, allora scappo.[/quote]",
        "The thief then ran, if slowly.",
    ],
)
def test_other_prose_is_let_be(sentence: str) -> None:
    assert codes(lint_post(f"{POST}\n{sentence}")) == []


def test_hints_are_few_however_many_sentences_there_are() -> None:
    lint = lint_post(POST + "Qualora cada, resta. " * 500)
    assert codes(lint) == ["hypothetical"] * MOST_HINTS


def test_what_is_longer_than_can_be_counted_is_said_to_be_so() -> None:
    roll = POST[POST.index("[dice=1d12+8]") : POST.index("\n\nFase Offensiva")]
    few = POST.replace(roll, roll * (MOST_TAGS - 2), 1)
    assert "too_many_dice" not in codes(lint_post(few))
    many = lint_post(POST.replace(roll, roll * MOST_TAGS, 1))
    assert (codes(many), many.valid) == (["too_many_dice"], False)
    spent = "• Spesa per Sonìdo: -5 PE"
    long = lint_post(POST.replace(spent, f"{spent}\n" * MOST_ENTRIES, 1), before=BEFORE)
    assert (codes(long), long.valid) == (["register_too_long"], False)


def test_a_line_is_read_to_its_end_however_long_it_is() -> None:
    # On one line, as some editors paste it; the last change is what makes it balance.
    spent = "• Spesa per Sonìdo: -5 PE"
    long = f"• {'Graffi e polvere ' * 60}: -5 PE"
    assert codes(lint_post(POST.replace(spent, long), before=BEFORE)) == []
    late = "\n" * 3_000 + POST
    assert codes(lint_post(late, before=BEFORE)) == []


def test_a_post_pasted_as_html_is_read_too() -> None:
    html = "<div>" + POST.replace("\n", "<br>\n").replace("[b]", "<b>").replace("[/b]", "</b>")
    assert codes(lint_post(html, before=BEFORE)) == []


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("language", LANGUAGES)
@A_TENTH
@given(seed=st.integers(0, 10_000))
def test_what_arbitro_writes_itself_is_complete_and_balances(
    language: str, dialect: str, seed: int
) -> None:
    vitals: dict[object, Figures] = {}
    for decided in battle(NAMES, seed, 10):
        if not isinstance(decided.order, Turn):
            continue
        who = decided.order.by
        text = render(write_blocks(decided.open_source(language)), language, dialect)
        needed = decided.plan.asked if dialect in WITH_TAGS else ()
        lint = lint_post(text, before=vitals.get(who), needed=needed)
        expected = ["missing_sheet_link"]  # these sheets have no link
        assert codes(lint) == expected, text
        now = decided.result.state.who(who)
        assert (lint.header.hp, lint.header.ep) == (now.hp, now.ep)
        vitals[who] = Figures(hp=now.hp, ep=now.ep)


def test_a_count_over_its_maximum_is_a_hint() -> None:
    lint = lint_post(POST.replace("85/100", "300/100").replace("40/60", "61/60"))
    assert [(one.code, one.rule, one.hint, dict(one.facts)) for one in lint.issues] == [
        ("hp_above_most", "GC-1.2", True, {"now": 300, "most": 100}),
        ("ep_above_most", "GC-1.2", True, {"now": 61, "most": 60}),
    ]
    assert lint.valid


def test_a_balance_is_really_added_up() -> None:
    chance = random.Random(3)
    scene = battlefield(NAMES)
    played = play(scene, Turn(by="h"), chance)
    text = render(write_blocks(played.source()), "it", "plain")
    assert "missing_register" not in codes(lint_post(text))
    wrong = lint_post(text, before=Figures(hp=61, ep=80))
    assert "hp_unbalanced" in codes(wrong)
    assert GUIDA.check(scene, Turn(by="h")) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_issue_can_be_said(language: str) -> None:
    facts = {
        "part": "hp",
        "stat": "strength",
        "base": 8,
        "line": "x",
        "sentence": "x",
        "before": 1,
        "now": 2,
        "losses": 3,
        "gains": 4,
        "discrepancy": -5,
        "declared": Fraction(6),
        "listed": Fraction(9),
        "action": "parry",
        "faces": 12,
        "sides": 18,
        "count": 2,
        "actor": "Rin",
        "name": "Parata",
        "sequences": 2,
        "most": 200,
        "face": 13,
        "shown": Fraction(7),
        "total": 14,
        "reckoned": Fraction(13),
    }
    said = {say_issue(language, Issue(rule="GC-1.1", code=code, facts=facts)) for code in CODES}
    assert len(said) == len(CODES)


@given(hostile_text)
def test_no_text_upsets_the_linter(text: str) -> None:
    for issue in lint_post(text, before=BEFORE).issues:
        assert say_issue("it", issue)


@pytest.mark.parametrize(
    "text",
    [
        "se " * 20_000,
        "se allora " * 6_000,
        "[dice=1d12]" * 5_000,
        "[dice=1d12]Attacco (A vs B)[/dice]" * 1_700,
        "[dice=1d18]Contrattacco (A vs B)[/dice]" * 1_500,
        "." * 60_000,
        "[" * 60_000,
        "Qualora " * 7_000,
        POST * 80,
    ],
)
def test_linting_takes_no_long_time(text: str) -> None:
    start = time.perf_counter()
    lint_post(text, before=BEFORE)
    assert time.perf_counter() - start < HANG

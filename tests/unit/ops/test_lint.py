"""The tables as printed: their known faults are found, and they are those that the rules use."""

import io
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from app.catalogue import HOMES, rules, rulings
from app.engine.steps import Steps
from app.ops.lint import LintError, lint_paths, name_of, printed_tables, read_tables
from app.rulesets.guida import tables

BY_ID = {table.id: table for table in printed_tables()}
CHAPTERS = {id.partition(".")[0] for id in rules()}
STEPS: dict[str, Steps] = {
    "predictable_attack": tables.PREDICTABLE,
    "burn_malus": tables.BURN_MALUS,
    "ablaze_damage": tables.ABLAZE_DAMAGE,
    "freezing_damage": tables.FREEZING_DAMAGE,
    "freezing_malus": tables.FREEZING_MALUS,
    "expansive_radius": tables.EXPANSIVE_RADIUS_M,
    "poison_curtain": tables.POISON_CURTAIN_STACKS,
}
DECAYS = {
    "ablaze_decay": tables.CONDITION_DECAY,
    "freezing_decay": tables.CONDITION_DECAY,
    "saturation_decay": tables.SATURATION_DECAY,
}


def written(folder: Path, text: str) -> Path:
    """Write a file of tables."""
    path = folder / "bands.toml"
    path.write_text(text, encoding="utf-8")
    return path


def one_table(rows: str, more: str = "", kind: str = "bands") -> str:
    """Write one table."""
    return (
        f'[tables.one]\nrule = "GC-9.9"\nlines = "L1"\nkind = "{kind}"\n'
        'title = {it = "Una", en = "One"}\nfrom = 1\nwhole = true\n'
        f"rows = [{rows}]\n{more}"
    )


def linted(path: Path) -> tuple[int, str]:
    """Lint a file."""
    out = io.StringIO()
    return lint_paths([path], out), out.getvalue()


def test_the_faults_of_the_guida_are_found_and_settled() -> None:
    assert set(map(name_of, BY_ID["blind_area"].defects)) == {
        *("gap >25 … <26", "overlap 60", "overlap 100"),
    }
    assert set(map(name_of, BY_ID["volley_class"].defects)) == {
        *("gap 6–19", "gap 101–999", "gap >1000"),
    }
    out = io.StringIO()
    assert lint_paths([], out) == 0
    assert "KNOWN  GC-9.14 blind_area: overlap 60 m (“26-60m” and “60-100m”): AMB-71" in (
        out.getvalue()
    )
    assert out.getvalue().splitlines()[-1] == f"{len(BY_ID)} tables, 13 known faults, 0 to mend"


@pytest.mark.parametrize("id", sorted(BY_ID))
def test_a_table_is_of_a_rule_and_its_faults_are_settled_by_a_ruling(id: str) -> None:
    table = BY_ID[id]
    assert table.rule in rules() or table.rule.partition(".")[0] not in CHAPTERS
    assert table.stale == ()
    assert {name_of(defect) for defect in table.defects} == set(table.known)
    if table.rule in rules():
        assert set(table.known.values()) <= set(rulings())
    assert all(table.title.values())
    assert table.title["it"] != table.title["en"]


@pytest.mark.parametrize("id", sorted(STEPS))
def test_the_printed_steps_are_those_that_the_rules_use(id: str) -> None:
    rows = tuple((int(low), int(value)) for low, value in BY_ID[id].rows)
    assert rows == STEPS[id].rows


@pytest.mark.parametrize("id", sorted(DECAYS))
def test_the_printed_decay_is_that_which_the_rules_use(id: str) -> None:
    rows = [(int(band.rstrip("+").split("-")[0]), Fraction(lost)) for band, lost in BY_ID[id].rows]
    assert rows == [(one.threshold, Fraction(one.loss, one.every)) for one in DECAYS[id]]


def test_the_printed_margins_are_those_that_the_rules_use() -> None:
    for category, margins in tables.COMPARISON_MARGINS.items():
        table = BY_ID[f"comparison_{category.value.lower()}"]
        assert table.rule == margins.rule
        assert table.rows == (("0", "0"), (str(margins.halved), "1/2"), (str(margins.intact), "1"))


def test_the_other_printed_bands_are_those_that_the_rules_use() -> None:
    cost = tuple((int(row[0].split()[0]), -int(row[1])) for row in BY_ID["static_cost"].rows)
    assert cost == tables.STATIC_AREA_COST
    volleys = [(f"{low}-{high}", kind) for low, high, kind in tables.VOLLEY_CLASSES[:2]]
    assert BY_ID["volley_class"].rows[:2] == tuple((band, str(kind)) for band, kind in volleys)
    failing = zip(*tables.BLIND_FAILURE.values(), strict=True)
    assert [row[1] for row in BY_ID["blind_area"].rows] == [f"{a} / {b}" for a, b in failing]


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        (one_table('["1-5", 1], ["6+", 2]'), 0, "1 tables, 0 known faults, 0 to mend"),
        (one_table('["1-5", 1], ["7+", 2]'), 1, "FAILED GC-9.9 one: gap 6"),
        (one_table('["1-6", 1], ["6+", 2]'), 1, "FAILED GC-9.9 one: overlap 6"),
        (one_table("[1, 5], [3, 5]", kind="steps"), 1, "FAILED GC-9.9 one: turn 3"),
        (
            one_table(
                '["1-6", 1], ["6+", 2]',
                '[[tables.one.known]]\nruling = "AMB-1"\nfaults = ["overlap 6"]\n',
            ),
            0,
            "KNOWN  GC-9.9 one: overlap 6 (“1-6” and “6+”): AMB-1",
        ),
        (
            one_table(
                '["1-5", 1], ["6+", 2]',
                '[[tables.one.known]]\nruling = "AMB-1"\nfaults = ["overlap 6"]\n',
            ),
            1,
            "overlap 6 is listed as known and is not there",
        ),
        (one_table('["many", 1]'), 1, "one: many is no band and no step"),
        (one_table("", kind="bands"), 1, "one has no rows"),
        (one_table('["1+", 1]', kind="rings"), 1, "a table is of bands or of steps, not of rings"),
        (one_table('["1+", 1]').replace('rule = "GC-9.9"\n', ""), 1, "one lacks rule"),
        (one_table('["1+", 1, 2]'), 1, "one is not written as a table"),
        ("[tables]\n", 1, "it holds no tables"),
        ("no toml", 1, "it is not TOML"),
    ],
)
def test_a_file_is_told_what_is_wrong_with_it(
    tmp_path: Path, text: str, status: int, told: str
) -> None:
    ended, output = linted(written(tmp_path, text))
    assert told in output
    assert ended == status


def test_a_file_that_is_not_there_fails(tmp_path: Path) -> None:
    ended, output = linted(tmp_path / "none.toml")
    assert (ended, "it cannot be read" in output) == (1, True)
    with pytest.raises(LintError):
        read_tables(tmp_path / "none.toml")


def test_seeded_faults_in_the_tables_of_the_guida_fail(tmp_path: Path) -> None:
    text = (HOMES["guida"] / "bands.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["tables"]
    for sound, seeded, fault in (
        ('["6-10", 1]', '["7-10", 1]', "gap 6"),
        ('["8-15", 1]', '["7-15", 1]', "overlap 7"),
        ("[10, -6]", "[10, -3]", "turn 10"),
        ('["60-100m", "8 / 6"]', '["61-100m", "8 / 6"]', "gap >60 … <61"),
    ):
        assert sound in text
        ended, output = linted(written(tmp_path, text.replace(sound, seeded, 1)))
        assert ended == 1
        assert f": {fault}" in output

"""``arbitro verify``: a ledger that was downloaded, a head from the forum, and no database."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app import cli
from tests.support.ledgers import short
from tests.support.spoilt import Spoilt, spoilt

LEDGER = short()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Download a ledger."""
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(LEDGER.data)
    return path


@pytest.fixture
def italian(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sit at an Italian terminal."""
    for name in ("LC_ALL", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sit at an English terminal."""
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")


def verify(*words: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(cli.app, ["verify", *map(str, words)])


def test_a_sound_ledger_passes_in_italian(file: Path, italian: None) -> None:
    result = verify(file, LEDGER.head)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "Tutto torna.",
        "Righe: 12. Tiri: 3; prove del Master: 1; tiri coperti: 1. Aperti: 1; ancora sigillati: 0.",
    ]


def test_a_sound_ledger_passes_in_english(file: Path, english: None) -> None:
    result = verify(file, LEDGER.head)
    assert result.exit_code == 0
    assert result.output.startswith("Everything fits.\nLines: 12.")


def test_each_fault_has_a_line_that_says_where_it_is(file: Path, english: None) -> None:
    file.write_bytes(LEDGER.data.replace(b'"faces":[', b'"faces":[2', 1))
    result = verify(file, LEDGER.head)
    assert result.exit_code == 1
    head, dice, *_, verdict, _ = result.output.splitlines()
    assert head.startswith("The ledger is not the one of the posted head")
    assert dice.startswith("Line 6: Place 0 says 2")
    assert verdict == "Not everything fits."


def test_without_a_head_the_command_says_what_is_missing(file: Path, italian: None) -> None:
    result = verify(file)
    assert result.exit_code == 1
    assert result.output.startswith("Manca l’impronta pubblicata nel forum")


@pytest.mark.parametrize("one", list(spoilt()), ids=lambda one: one.code)
def test_every_fault_can_be_said(one: Spoilt, file: Path, italian: None) -> None:
    file.write_bytes(one.data)
    result = verify(file, one.head)
    assert result.exit_code == 1, result.output
    assert "Non tutto torna." in result.output


def test_a_file_that_cannot_be_read_is_another_matter(tmp_path: Path, italian: None) -> None:
    result = verify(tmp_path / "nowhere.jsonl", LEDGER.head)
    assert result.exit_code == 2
    assert result.stderr.startswith("Il file non si può leggere:")
    assert verify(tmp_path, LEDGER.head).exit_code == 2

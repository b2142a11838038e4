"""Headers as people write them: read where they can be, and otherwise said to be missing."""

import time

import pytest
from hypothesis import given

from app.posts.header import MOST_ENTRIES, Entry, Header, StatNote, read_entries, read_header
from app.posts.paste import as_bbcode, bare_lines
from app.posts.read import read_post
from app.rulesets.guida.terms import Stat
from tests.unit.posts.hostile import hostile_text

HANG = 20.0  # seconds: ten times what a long text may take


@pytest.mark.parametrize(
    ("text", "hp", "ep"),
    [
        ("PV 85/100\nPE 40/60", (85, 100), (40, 60)),
        ("PV: 85\nPE: 40", (85, None), (40, None)),
        ("HP 85/100 EP 40/60", (85, 100), (40, 60)),
        ("hp: 85/100; ep: 40/60;", (85, 100), (40, 60)),
        ("PV 85/100 | PE 40/60", (85, 100), (40, 60)),
        ("PV 85/100 / PE 40/60", (85, 100), (40, 60)),
        ("PV 85 - PE 40", (85, None), (40, None)),
        ("Punti Vita: 85/100\nPunti Energia: 40/60", (85, 100), (40, 60)),
        ("PUNTI  VITA = 85\nPunti Energia (40/60)", (85, None), (40, 60)),
        ("[b]PV[/b]: 85/100\n[b]PE[/b]: 40", (85, 100), (40, None)),
        ("[table][tr][td]PV[/td][td]85[/td][/tr][tr][td]PE[/td][td]40[/td][/tr][/table]",) * 1
        + ((85, None), (40, None)),
        ("<b>PV</b>: 85/100<br>PE:&nbsp;40", (85, 100), (40, None)),
        ("PV: −3/100, PE: 0/60", (-3, 100), (0, 60)),
        ("PV85 PE40", (85, None), (40, None)),
        ("Un duello.\n\nPV: 85/100\nPE: 40/60", (85, 100), (40, 60)),
        ("PV:\nPE: ", (None, None), (None, None)),
        ("Le sue PVC 12 e il PEC 4", (None, None), (None, None)),
        ("HP c/m", (None, None), (None, None)),
        ("PV 1.085/1.100 PE 40/60", (1085, 1100), (40, 60)),
        ("PV: 100 → 85\nPE: 60 -> 40", (85, None), (40, None)),
        ("PV 100/100 => 85/100 | PE 60 > 40/60", (85, 100), (40, 60)),
        ("PV: 100-15=85/100\nPE: 60 − 25 + 5 = 40", (85, 100), (40, None)),
        ("Registro\n-3 PE\nPV: 100 - 15 = 85/100", (85, 100), (None, None)),
        ("Punti Vita rimanenti: 85 su 100\nPE attuali 40", (85, 100), (40, None)),
        ("HP left: 85 out of 100; current EP: 40 of 60", (85, 100), (40, 60)),
        ("Max PV: 100\nPV: 85\nPE massimi: 60\nPE: 40", (85, None), (40, None)),
        ("PV: 85. Poi\nPE: 40, forse", (85, None), (40, None)),
        ("PV 85 - 12 PE", (85, None), (None, None)),
    ],
)
def test_vitals_are_read_in_every_common_way(
    text: str, hp: tuple[int | None, int | None], ep: tuple[int | None, int | None]
) -> None:
    header = read_header(as_bbcode(text))
    assert (header.hp, header.max_hp) == hp
    assert (header.ep, header.max_ep) == ep


def unread(text: str) -> list[tuple[str, str]]:
    """List what is said not to be read, each with its place in the text."""
    return [(one.kind, one.text) for one in read_post(text).unread]


@pytest.mark.parametrize(
    "text",
    [
        "PV 85,5/100",
        "PV: 85.5",
        "PV 1.085.000",
        "PV: 1,085/1,100",
        "PV 85/100,5",
        "PV 85/100/120",
        "PV: 100-15",
        "PV: 1d6",
        "PV: 85%",
        "PV 85-90",
        "PV: 100 → ?",
        "PV: −85,5",
    ],
)
def test_a_figure_that_is_not_understood_is_none_and_is_said(text: str) -> None:
    # What a sentence says later is not taken instead.
    reading = read_post(f"{text} | PE: 40\n\nCon PV 30 si rialza.")
    assert (reading.header.hp, reading.header.ep) == (None, 40)
    assert [(one.kind, one.text.strip()) for one in reading.unread] == [("strange_field", text)]


@pytest.mark.parametrize("text", ["PV massimi: 100", "Max PV: 100", "PV a fine turno: 85/100"])
def test_a_count_under_another_name_is_said_where_that_of_now_is_not_there(text: str) -> None:
    assert read_header(text).hp is None
    assert unread(text) == [("other_field", text)]
    assert "other_field" not in dict(unread(f"PV: 85\n{text}"))


def test_a_second_count_that_says_otherwise_is_told() -> None:
    text = "PV 85/100\nPE 40/60\n\nSi rialza con PV 12.\n\nPV 70/100 | PE: 40"
    assert read_header(text) == Header(hp=85, max_hp=100, ep=40, max_ep=60)
    assert unread(text) == [("second_field", "PV 70/100")]


@pytest.mark.parametrize(
    ("text", "base", "points"),
    [
        ("Forza 12 (+3)", 12, 3),
        ("Forza: 12 (-2)", 12, -2),
        ("forza 12 ( − 2 )", 12, -2),
        ("Forza 12+3", 12, 3),
        ("Strength: 12 (+0)", 12, 0),
        ("Forza: 12", 12, None),
        ("Destrezza 9 (+1) | Forza 12 (+3)", 12, 3),
    ],
)
def test_a_stat_is_read_with_its_points(text: str, base: int, points: int | None) -> None:
    found = read_header(text).stats
    assert StatNote(stat=Stat.STRENGTH, base=base, points=points) in found


@pytest.mark.parametrize(
    "text",
    [
        "[url=https://x.test/?t=1]Scheda[/url]",
        "Scheda: [url]https://x.test/?t=1[/url]",
        "Scheda: https://x.test/?t=1",
        "Rin | PV 85/100 | PE 40/60 | Scheda: https://x.test/?t=1",
        "PV 85/100 | Scheda: https://x.test/?t=1| PE 40/60",
        "PV 85/100; Scheda https://x.test/?t=1; PE 40/60",
        "Rin - PV 85/100 - Scheda: https://x.test/?t=1, Forza 12 (+3)",
        "[b]Link alla Scheda[/b]: [url=https://x.test/?t=1]Hollow[/url]",
        '<a target="_blank" href="https://x.test/?t=1">Scheda</a>',
    ],
)
def test_a_sheet_link_is_found(text: str) -> None:
    assert read_header(as_bbcode(text)).sheet_link == "https://x.test/?t=1"


def test_another_link_is_no_sheet() -> None:
    assert read_header("[url=https://x.test]Musica[/url] https://y.test").sheet_link == ""


@pytest.mark.parametrize(
    "text",
    [
        "Registro\n-12 PV Attacco (Quincy)\n-3 PE",
        "[b]Registro[/b]\n\n• Danni da Artigli: -12 PV\n• PE: -3\n\nStoria di -50 PV",
        "== REGISTRO ==\n- 12 Punti Vita\n−3 Punti Energia\nFase Iniziale\n-50 PV",
        "Registro: -12 PV, -3 PE",
        "<p>Registro</p><ul><li>-12 PV</li><li>-3 PE</li></ul><p>Fase Difensiva</p>-50 PV",
        "Register\n-12hp\n-3 ep",
    ],
)
def test_a_register_is_read_to_its_end(text: str) -> None:
    header = read_header(as_bbcode(text))
    assert header.register == (Entry(amount=-12, unit="hp"), Entry(amount=-3, unit="ep"))
    assert header.unread == ()


def test_a_register_without_changes_is_there_and_an_empty_one_is_not() -> None:
    assert read_header("Registro\nNessuna variazione").register == ()
    assert read_header("Registro\n\n").register is None
    assert read_header("PV 10").register is None


def test_a_line_without_a_sign_is_not_guessed() -> None:
    header = read_header("Registro\nDanni subiti: 12 PV\n-3 PE\nSonìdo: +2 Destrezza")
    assert header.register == (Entry(amount=-3, unit="ep"),)
    assert header.unread == ("Danni subiti: 12 PV",)


def test_what_is_paid_each_turn_later_is_no_change_of_now() -> None:
    lines = ["Sonìdo: -9 PE a ogni Turno", "Blut: -4 PE/turno", "Haste: -2 EP every turn"]
    assert read_entries(lines) == ()


def test_changes_are_not_taken_for_vitals_nor_vitals_for_changes() -> None:
    assert read_header("Registro\nPE: -3").ep is None
    running_on = read_header("Registro\nPE: -3\nPV: 85/100\nPE: 40/60")
    assert (running_on.hp, running_on.ep) == (85, 40)
    assert running_on.register == (Entry(amount=-3, unit="ep"),)
    assert running_on.unread == ()


def test_what_others_wrote_is_not_read() -> None:
    quoted = "[quote=Rin]PV 10/10 PE 10/10\nForza 1 (+1)[/quote]\nPV 85"
    assert read_header(quoted) == Header(hp=85)
    html = "<blockquote>PV 10 PE 10</blockquote>PV 85"
    assert read_header(as_bbcode(html)) == Header(hp=85)


def test_a_quotation_left_open_hides_nothing() -> None:
    assert read_header("[quote]PV 85").hp == 85
    assert bare_lines("a[/quote]b") == ["a b"]


def test_entities_and_addresses_are_told_apart() -> None:
    assert as_bbcode("a&nbsp;b &lt;c&gt; &#8722;3 ?x=1&copy=2") == "a\u00a0b <c> −3 ?x=1&copy=2"


@given(hostile_text)
def test_no_text_upsets_the_reader(text: str) -> None:
    read_header(as_bbcode(text))


@pytest.mark.parametrize(
    "text",
    [
        "PV " * 20_000,
        "PV: 1" * 12_000,
        "Registro\n" + "-1 PV " * 10_000,
        "Registro\n" * 6_000,
        "[quote]" * 8_000,
        "[quote]" * 4_000 + "[/quote]" * 4_000,
        "<a href=" * 7_000,
        "<" * 60_000,
        "<b " * 20_000,
        "&" * 60_000,
        "Forza 1 (" * 6_000,
        "-" * 60_000,
        "[url]" * 12_000 + "[/url]" * 500,
        "[url=x]Scheda" * 4_000,
        " " * 60_000,
        "1 " * 30_000,
        "|PV a a:1" * 6_000,
        "Scheda https://x " * 3_500,
        "PV: 1" + "-1" * 30_000,
        "PV 1.000" * 8_000,
        "1 → " * 15_000,
        "PV 1 → " * 8_000,
        "PV 1/1+1=" * 6_000,
        "PV 1-" * 15_000,
    ],
)
def test_a_long_text_takes_no_long_time(text: str) -> None:
    start = time.perf_counter()
    header = read_header(as_bbcode(text))
    assert time.perf_counter() - start < HANG
    assert len(header.register or ()) <= MOST_ENTRIES


@pytest.mark.parametrize(
    "balance",
    [
        "PV: -1 − 0 + 0 = -1, il Registro quadra.",
        "HP: -1 − 4 = -5, the register balances; the 3 gained are not counted.",
        "HP: -1 − 4 + 2 does not make -5, the difference is -2.",
        "PV: -1 − 4 + 2 non fa -5, la differenza è -2.",
    ],
)
def test_a_balance_that_begins_below_zero_is_no_change(balance: str) -> None:
    lines = [balance, "Danni: -3 PV"]
    assert [one.amount for one in read_entries(lines)] == [-3]


def test_a_balance_shows_no_vitals_of_its_own() -> None:
    read = read_header("Registro\nDanni: -3 PV\nPV: 60 − 3 + 0 = 57, il Registro quadra.\n")
    assert (read.hp, read.register) == (None, (Entry(amount=-3, unit="hp"),))

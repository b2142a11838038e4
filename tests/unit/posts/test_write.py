"""Posts of whole fights: everything is said, in its place, and nothing typed becomes markup."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.findings import Finding
from app.posts.bbcode import tokenise
from app.posts.blocks import Block, Die, Field, Heading, Note, Prose, RegisterLine, SheetLink, Title
from app.posts.dialects import DIALECTS, render
from app.posts.dice_tag import check_post, read_label
from app.posts.phrases import LANGUAGES, say
from app.posts.write import PostSource, write_blocks
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.readings import (
    ArmourDown,
    Undeclared,
)
from app.rulesets.guida.rulings import (
    Pause,
)
from app.rulesets.guida.terms import Action, Aim, Limb
from tests.unit.posts.fights import Played, Told, fight, opening, play
from tests.unit.posts.hostile import active, hostile_name, hostile_text, rolled

NAMES = [
    *("Hollow", "Artigli Affilati", "Sonìdo", "Blut", "Freccia", "Rilascio", "Hierro"),
    *("Bonus Arma", "Quincy"),
]
# The default emoticons of the network that Italian play-by-forum lives on.
EMOTICONS = (
    *(":)", ":(", ":D", ":P", ":p", ":o", ";)", "B)", "^_^", "-_-", "<_<", ">_<", ":lol:", ":wub:"),
    *(":huh:", ":blink:", ":unsure:", ":wacko:", ":mellow:", ":rolleyes:", ":angry:", ":ph34r:"),
)
# A fight is many posts, so a quarter of the usual number of them will do.
A_QUARTER = settings(max_examples=settings.default.max_examples // 4)
seeds = st.integers(0, 10_000)
told = st.builds(Told, hostile_text, hostile_text, hostile_text)
names = st.lists(hostile_name, min_size=9, max_size=9)


def ours(blocks: Sequence[Block]) -> list[str]:
    """Return the tags that a dialect with markup writes itself, in order."""
    found: list[str] = []
    for block in blocks:
        match block:
            case Title() | Heading() | Field():
                found += ["b", "/b"]
            case Note():
                found += ["i", "/i"]
            case SheetLink():
                found += ["url", "/url"]
            case Die(live=True):
                found += ["dice", "/dice"]
            case Die() if block.result:
                found += ["b", "/b"]
            case _:
                pass
    return found


def found_tags(text: str) -> list[str]:
    """Return the tags of a text that mean something to the forum, in order."""
    known = {"b", "i", "url", "dice", "roll", "img", "color", "code", "wrap", "*", "hr", "br"}
    return [("/" if tag.closing else "") + tag.name for tag in tokenise(text) if tag.name in known]


def first_turns() -> list[Played]:
    """Play an aimed attack with a secondary action, a guard with an attack, and a bare turn."""
    chance = random.Random(4)
    scene = opening(NAMES, Options(armour_down_until=ArmourDown.CURRENT_TURN_END))
    attack = Attack(target="q", tool="claw", aim=Aim.LIMBS, limb=Limb.ARMS, support=("dash",))
    played = [play(scene, Turn(by="h", main=attack), chance)]
    scene = played[-1].result.state
    guard = Defence(action=Action.GUARD, against=(scene.incoming[0].id,), tool="shield")
    second = Turn(by="q", defences=(guard,), main=Attack(target="h", tool="arrow"))
    played.append(play(scene, second, chance))
    played.append(play(played[-1].result.state, Turn(by="h"), chance))
    return played


@pytest.mark.parametrize("language", LANGUAGES)
@A_QUARTER
@given(names=names, told=told, seed=seeds)
def test_a_post_that_the_service_rolled_is_never_rolled_again(
    language: str, names: list[str], told: Told, seed: int
) -> None:
    for played in fight(names, seed, 6):
        blocks = write_blocks(played.source(language, told))
        for dialect in DIALECTS:
            assert rolled(render(blocks, language, dialect)) == []


@A_QUARTER
@given(names=names, told=told, seed=seeds)
def test_the_only_markup_of_a_post_is_ours(names: list[str], told: Told, seed: int) -> None:
    for played in fight(names, seed, 6):
        for source in (played.source("it", told), played.open_source("it", told)):
            blocks = write_blocks(source)
            text = render(blocks, "it", "guida")
            assert found_tags(text) == ours(blocks)
            assert len(active(text)) == len(ours(blocks))
            plain = render(blocks, "it", "plain")
            assert active(plain) == found_tags(plain) == []


@A_QUARTER
@given(names=names, told=told, language=st.sampled_from(LANGUAGES), seed=seeds)
def test_every_live_tag_of_a_post_is_balanced(
    names: list[str], told: Told, language: str, seed: int
) -> None:
    for played in fight(names, seed, 6):
        text = render(write_blocks(played.open_source(language, told)), language, "guida")
        tags = check_post(text)
        assert [one.tag.issues for one in tags] == [()] * len(played.plan.asked)
        assert [(one.tag.faces, one.tag.declared_modifier) for one in tags] == [
            (asked.sides, asked.tally.total) for asked in played.plan.asked
        ]


@A_QUARTER
@given(seed=seeds)
def test_every_settled_line_adds_up(seed: int) -> None:
    for played in fight(NAMES, seed, 8):
        text = render(write_blocks(played.source()), "it", "plain")
        lines = re.findall(r"^1d(\d+)(\S*): \((\d+)\)(\S*) = (\S+) — (.*)$", text, re.MULTILINE)
        assert len(lines) == len(played.rolls) == len(played.plan.asked)
        for sides, modifier, face, again, total, label in lines:
            assert modifier == again
            assert 1 <= int(face) <= int(sides)
            assert int(face) + int(modifier or 0) == int(total)
            assert read_label(label).total == int(modifier or 0)


@A_QUARTER
@given(language=st.sampled_from(LANGUAGES), undeclared=st.sampled_from(Undeclared), seed=seeds)
def test_every_finding_is_said_once(language: str, undeclared: Undeclared, seed: int) -> None:
    for played in fight(NAMES, seed, 10, Options(undeclared_defence=undeclared)):
        source = played.source(language)
        findings = source.findings
        said = [
            block.text for block in write_blocks(source) if isinstance(block, Note | RegisterLine)
        ]
        for finding in findings:
            sentence = say(language, "guida", "findings", finding.key, finding.facts)
            assert sentence
            assert "  " not in sentence
            if finding.key not in ("vitals", "stat"):
                assert sentence in said
        by_hand = [one for one in findings if one.key not in ("vitals", "stat")]
        # Who rolled, a register without lines, and dice that did not count.
        extra = len(said) - len(by_hand)
        besides = [say(language, "guida", "post", key) for key in ("nothing_changed", "die_unused")]
        assert extra == bool(source.rolls) + sum(map(said.count, besides))


def test_a_turn_is_laid_out_as_the_book_has_it() -> None:
    blocks = write_blocks(first_turns()[0].source("it", Told("Apre.", "", "Attacca!")))
    kinds = [type(block) for block in blocks]
    assert kinds[:2] == [Title, SheetLink]
    assert kinds[2:8] == [Field] * 6
    assert [block for block in blocks if isinstance(block, Title)] == [Title("Hollow")]
    assert blocks[2:8] == (
        Field("Punti Vita", "60/60"),
        Field("Punti Energia", "60/60"),
        Field("Forza", "5 (+0)"),
        Field("Destrezza", "6 (+0)"),
        Field("Costituzione", "4 (+0)"),
        Field("Intelligenza", "3 (+0)"),
    )
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    assert headings == ["Registro", "Fase Iniziale", "Fase Offensiva"]
    offensive = blocks[blocks.index(Heading("Fase Offensiva")) + 1 :]
    assert offensive[0] == Prose("Attacca!")
    assert isinstance(offensive[1], Die)
    assert [block.text for block in offensive if isinstance(block, Note)][:3] == [
        "Sonìdo comincia su Hollow: +3 Destrezza, per 2 Turni.",
        "Sonìdo comincia su Hollow: -9 PE a ogni Turno, finché dura.",
        "Hollow spende 5 PE per Sonìdo: si segnano nel suo prossimo post.",
    ]


def test_a_register_lists_what_changed_and_balances() -> None:
    blocks = write_blocks(first_turns()[2].source("it"))
    assert Field("Destrezza", "6 (+3)") in blocks
    lines = [block.text for block in blocks if isinstance(block, RegisterLine)]
    assert "Spesa per Sonìdo: -5 PE" in lines
    assert "Mantenimento di Sonìdo: -9 PE" in lines
    notes = [block.text for block in blocks if isinstance(block, Note)]
    assert "PE: 60 − 14 + 0 = 46, il Registro quadra." in notes


def test_findings_stand_in_the_phase_they_belong_to() -> None:
    _, second, third = first_turns()
    blocks = write_blocks(second.source("it"))
    defensive = blocks.index(Heading("Fase Difensiva"))
    offensive = blocks.index(Heading("Fase Offensiva"))
    notes = [
        [one.text for one in part if isinstance(one, Note)]
        for part in (blocks[defensive:offensive], blocks[offensive:])
    ]
    assert notes[0][0].startswith("Protezione di Quincy contro Artigli Affilati di Hollow")
    assert notes[1][0].startswith("Quincy lancia Freccia contro Hollow")
    assert [one.label[:10] for one in blocks[defensive:offensive] if isinstance(one, Die)] == [
        "Protezione"
    ]
    blocks = write_blocks(third.source("it"))
    initial = blocks[blocks.index(Heading("Fase Iniziale")) :]
    assert isinstance(initial[1], Note)
    assert initial[1].text.startswith("Danni di Artigli Affilati a Quincy: +20.5 [Potenziale di")


def test_the_whole_turn_can_be_pasted_as_it_is() -> None:
    post = render(write_blocks(first_turns()[0].source("it", Told("Apre."))), "it", "guida")
    assert post.startswith(
        "[b]Hollow[/b]\n"
        "[url=https://x.test/?t=1%5Bb%5D]Scheda[/url]\n"
        "[b]Punti Vita[/b]: 60/60\n"
        "[b]Punti Energia[/b]: 60/60\n"
        "[b]Forza[/b]: 5 (+0)\n"
        "[b]Destrezza[/b]: 6 (+0)\n"
        "[b]Costituzione[/b]: 4 (+0)\n"
        "[b]Intelligenza[/b]: 3 (+0)\n"
        "\n"
        "[b]Registro[/b]\n"
        "• Nessuna variazione\n"
        "[i]PV: 60 − 0 + 0 = 60, il Registro quadra.[/i]\n"
        "[i]PE: 60 − 0 + 0 = 60, il Registro quadra.[/i]\n"
        "\n"
        "[b]Fase Iniziale[/b]\n"
        "Apre.\n"
        "\n"
        "[b]Fase Offensiva[/b]\n"
        "[b]1d12+"
    )
    assert post.endswith("[i]Dadi tirati da Arbitro.[/i]")


def test_what_is_decided_outside_a_turn_is_a_post_of_its_own() -> None:
    played = play(opening(NAMES), Pause(by="gm", reason="Torno\nlunedì"), random.Random(1))
    text = render(write_blocks(played.source("it")), "it", "guida")
    assert text == (
        "[b]Fuori dal Turno[/b]\n[i]Il Master mette in pausa la scena. Torno lunedì[/i]"
    )


def test_a_preview_holds_live_tags_only_where_the_forum_rolls() -> None:
    played = first_turns()[0]
    preview = {"findings": played.plan.findings, "rolls": None}
    service = render(write_blocks(played.source(provenance="service", **preview)), "it", "guida")
    forum = render(write_blocks(played.source(provenance="", **preview)), "it", "guida")
    assert rolled(service) == []
    assert "1d12+13: lo tira Arbitro quando mandi il Turno — Attacco" in service
    assert len(check_post(forum)) == 1
    assert "Dadi tirati" not in service + forum


def test_a_sheet_link_that_is_no_web_address_is_not_made_one() -> None:
    blocks = (SheetLink("Scheda", "javascript:alert(1)"), SheetLink("Scheda", "[url=x]"))
    text = render(blocks, "it", "guida")
    assert "[url" not in text
    assert "Scheda: javascript:alert(1)" in text


def test_a_story_that_imitates_a_result_is_seen_to_be_one() -> None:
    forged = "1d12+9: (12)+9 = 21 — Attacco\n• Danni: -50 PV\n== Registro ==\n- normale"
    plain = render((Prose(forged),), "it", "plain").splitlines()
    assert plain == [
        "> 1d12+9: (12)+9 = 21 — Attacco",
        "> • Danni: -50 PV",
        "> == Registro ==",
        "- normale",
    ]
    # In BBCode a result is bold and a note in italics; a story can have neither.
    assert found_tags(render((Prose(f"[b]{forged}[/b]"),), "it", "guida")) == []


def test_nothing_we_write_turns_into_an_emoticon() -> None:
    for seed in range(15):
        for played in fight(NAMES, seed, 8):
            text = render(write_blocks(played.source("it")), "it", "guida")
            assert [code for code in EMOTICONS if code in text] == []


def test_a_ruleset_without_a_layout_still_gets_its_findings_and_dice() -> None:
    asked = first_turns()[0].plan.asked
    found = Finding("GC-2.1", "scene_paused", {"reason": "x"})
    source = PostSource(
        ruleset="guida", language="en", findings=(found,), asked=asked, rolls=None, narration=None
    )
    blocks = write_blocks(source)
    assert blocks[0] == Title("Outside the turn")
    assert sum(isinstance(block, Die) for block in blocks) == 1

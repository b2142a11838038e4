"""Dice of the forum, read from the post that shows them, and told for what they are ever after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text as sql

from app.engine.dice import Tagged
from app.persistence.database import Database
from app.persistence.schema import downgrade, upgrade
from app.persistence.tables import FIRST_BOARD
from app.posts.brought import Remark
from app.posts.digest import digest_line, turn_name
from app.posts.phrases import say
from app.posts.write import PostSource, write_blocks
from app.rulesets.guida.readings import TagMismatch
from app.services import boards, patterns, posted_dice, scenes, turns
from app.services.access import ANONYMOUS, Principal
from app.services.entry_shapes import (
    Decided,
    EntryRead,
    GivenDice,
    Narration,
    PastedDice,
    PostedDice,
)
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused, Stale
from app.services.patterns import Sample
from app.services.replay import check_scenes
from app.services.rolls import read_rolls
from app.services.shapes import BoardChanges, Roller
from tests.support.checked import of_kind, set_sealed_table, verified
from tests.support.fights import attack
from tests.support.table import Table, owner_of, set_table
from tests.support.world import FixedWorld

LISTED = 10  # the claws at their best range, +2 of the weapon, +6 of Dexterity
LABEL = "Attacco [Artigli Affilati] (Hollow vs Quincy): (+2 [Raggio], +2 [Bonus Arma], +6 [X])"
POST = f"Salta giù.\n\n1d12+{LISTED} → 14 (4 + {LISTED}) — {LABEL}\n"


def seated(db: Database, world: FixedWorld, dialect: str = "mybb_feathertail") -> Table:
    """Open a scene on a board whose forum rolls, with an attack that waits for its die."""
    owner = owner_of(db, world)
    boards.change_board(db, world, owner, FIRST_BOARD, BoardChanges(dialect=dialect))
    table = set_table(db, world, dice=Roller.FORUM, owner=owner)
    table.decide("hollow", attack())
    return table


def paste(table: Table, text: str = POST, who: Principal | None = None, **more: Any) -> Decided:
    """Paste the post that the forum shows."""
    posted = PostedDice(
        text=text,
        version=more.pop("version", table.version),
        key=more.pop("key", None) or table.key(),
    )
    by = who or table.players["hollow"]
    give = posted_dice.give_posted_dice
    return give(table.db, table.world, by, table.id, 1, posted, **more)


def look(table: Table, text: str = POST, who: Principal | None = None) -> PastedDice:
    """Read a post without letting anything count."""
    by = who or table.players["hollow"]
    return posted_dice.read_posted_dice(table.db, by, table.id, 1, text)


def noticed(remarks: Iterable[Remark]) -> list[str]:
    """List what was noticed in posts of this file, none of which has its last line."""
    first, *others = (one.code for one in remarks)
    assert first == "without_digest"
    return others


def entry(table: Table) -> EntryRead:
    """Read the attack as anybody may."""
    return scenes.read_entry(table.db, ANONYMOUS, table.id, 1)


def test_a_pasted_post_decides_the_turn_as_typed_faces_do(db: Database, world: FixedWorld) -> None:
    table = seated(db, world)
    typed = set_table(db, world, dice=Roller.FORUM, owner=table.owner)
    typed.decide("hollow", attack())
    typed.give("hollow", 1, 4)
    decided = paste(table)
    read = entry(table)
    assert (decided.number, decided.version) == (1, 3)
    assert [roll.face for roll in read.rolls or ()] == [4]
    assert (read.provenance, read.dice_by) == ("forum", "hollow")
    assert noticed(read.dice_remarks) == []
    assert table.state() == typed.state()
    assert table.id in check_scenes(db).equal


def test_looking_at_a_post_first_changes_nothing_however_often(
    db: Database, world: FixedWorld
) -> None:
    table = seated(db, world)
    before = table.version
    seen = [look(table) for _ in range(5)]
    assert len({repr(one) for one in seen}) == 1
    (die,) = seen[0].dice
    assert (seen[0].ready, die.face, die.modifier, die.total, die.line) == (True, 4, 10, 14, 3)
    other = look(table, POST.replace("14 (4", "22 (12"))
    assert (other.ready, other.dice[0].face) == (True, 12)
    assert (table.version, entry(table).rolls, world.thrown) == (before, None, [])
    paste(table)
    assert [roll.face for roll in entry(table).rolls or ()] == [4]
    with pytest.raises(Conflict):
        look(table)


def test_a_wrong_post_is_refused_whole_and_the_turn_waits_on(
    db: Database, world: FixedWorld
) -> None:
    table = seated(db, world)
    before = (table.version, table.state())
    for text, code in (
        ("Nulla.", "die_missing"),
        (POST.replace("14", "15"), "die_total_wrong"),
        (POST.replace("14 (4", "30 (20"), "die_total_impossible"),
        (f"[quote]{POST}[/quote]", "die_quoted"),
        (f"[dice=1d12+10] — {LABEL}", "die_not_rolled"),
        (f"{POST}{POST}", "die_twice"),
    ):
        with pytest.raises(Malformed) as caught:
            paste(table, text)
        assert [(one.field, one.code) for one in caught.value.mistakes] == [("text", code)]
        found = look(table, text)
        assert (found.ready, [one.code for one in found.mistakes]) == (False, [code])
    assert before == (table.version, table.state())
    assert entry(table).rolls is None
    paste(table)


def signed(table: Table, text: str, number: int = 1, scene: str = "") -> str:
    """Write the line with the digest below a post."""
    turn = turn_name(scene or table.id, number)
    return f"{text}\n{digest_line('it', turn, text)}\n"


def test_the_post_of_another_turn_is_refused_by_name(db: Database, world: FixedWorld) -> None:
    table = seated(db, world)
    other = set_table(db, world, dice=Roller.FORUM, owner=table.owner)
    for text in (signed(table, POST, 3), signed(table, POST, 1, other.id)):
        with pytest.raises(Malformed) as caught:
            paste(table, text)
        assert [one.code for one in caught.value.mistakes] == ["post_of_another"]
        assert not look(table, text).ready
    assert look(table, signed(table, POST)).remarks == ()
    quoting = f"{signed(table, 'Un altro post.', 3)}\n{signed(table, POST)}"
    assert look(table, quoting).ready
    changed = signed(table, POST).replace("Salta giù.", "Vola via.")
    assert [one.code for one in look(table, changed).remarks] == ["words_changed"]
    paste(table, changed)
    assert [one.code for one in entry(table).dice_remarks] == ["words_changed"]


def test_a_post_is_taken_once(db: Database, world: FixedWorld) -> None:
    table = seated(db, world)
    key = table.key()
    first = paste(table, version=2, key=key)
    again = paste(table, version=2, key=key)
    assert (again, again.replayed) == (replace(first, replayed=True), True)
    with pytest.raises(KeyReused):
        paste(table, POST.replace("14 (4", "15 (5"), version=2, key=key)
    with pytest.raises(Stale):
        paste(table, version=2)
    with pytest.raises(Conflict):
        paste(table)


@pytest.mark.parametrize("who", ["quincy", "stranger"])
def test_nobody_else_brings_or_reads_my_dice(db: Database, world: FixedWorld, who: str) -> None:
    table = seated(db, world)
    by = table.players.get(who, ANONYMOUS)
    with pytest.raises(NotFound):
        paste(table, who=by)
    with pytest.raises(NotFound):
        look(table, who=by)


# ---------------------------------------------------------------- another modifier than the label


def test_a_modifier_that_the_tag_had_goes_the_way_of_a_typed_one(
    db: Database, world: FixedWorld
) -> None:
    table = seated(db, world)
    other = POST.replace("1d12+10 → 14 (4 + 10)", "1d12+7 → 11 (4 + 7)")
    assert noticed(look(table, other).remarks) == ["other_modifier"]
    paste(table, other)
    read = entry(table)
    (roll,) = read.rolls or ()
    assert (roll.face, roll.tagged) == (4, Tagged(7, LISTED))
    assert noticed(read.dice_remarks) == ["other_modifier"]
    assert "modifier_mismatch" in {finding.key for finding in read.findings}


def test_a_board_may_refuse_it_then_too(db: Database, world: FixedWorld) -> None:
    owner = owner_of(db, world)
    options = {"guida": {"dice_tag_mismatch": TagMismatch.REJECT.value}}
    changes = BoardChanges(dialect="mybb_feathertail", options=options)
    boards.change_board(db, world, owner, FIRST_BOARD, changes)
    table = set_table(db, world, dice=Roller.FORUM, owner=owner)
    table.decide("hollow", attack())
    with pytest.raises(Refused):
        paste(table, POST.replace("1d12+10 → 14 (4 + 10)", "1d12+7 → 11 (4 + 7)"))
    paste(table)


def test_what_is_noticed_stays_with_the_dice(db: Database, world: FixedWorld) -> None:
    table = seated(db, world)
    paste(table, f"{POST}\nEdited by Kai - 3/5/2024, 21:10")
    _, remark = entry(table).dice_remarks
    assert (remark.code, remark.facts["who"]) == ("edited", "Kai")


# ---------------------------------------------------------------------------- how they came here


def ways(table: Table) -> dict[str, Any]:
    """Give a way to bring the die of a table, for each that there is."""
    given = GivenDice(faces=(4,), version=2, key=table.key())
    plain = (table.db, table.world)
    here = (table.id, 1, given)
    return {
        "forum": lambda: paste(table, by_plugin=True),
        "typed": lambda: turns.give_dice(*plain, table.gm, *here, by_plugin=True),
        "plugin": lambda: turns.give_dice(*plain, table.owner, *here, by_plugin=True),
        "plugin by post": lambda: paste(table, who=table.owner, by_plugin=True),
        "typed by the owner": lambda: turns.give_dice(*plain, table.owner, *here),
    }


@pytest.mark.parametrize(
    "way", ["forum", "typed", "plugin", "plugin by post", "typed by the owner"]
)
def test_how_dice_came_here_is_told_wherever_they_are(sqlite: Database, way: str) -> None:
    table = set_sealed_table(sqlite, dice=Roller.FORUM)
    changes = BoardChanges(dialect="mybb_feathertail")
    boards.change_board(sqlite, table.world, table.owner, FIRST_BOARD, changes)
    table.decide("hollow", attack())
    ways(table)[way]()
    how = way.split(" ")[0]
    read = entry(table)
    assert read.provenance == how
    (line,) = of_kind(table, "forum")
    assert line["how"] == how
    assert [one.how for one in read_rolls(sqlite, table.id).rolls] == [how]
    assert [one.provenance for one in scenes.read_scene(sqlite, ANONYMOUS, table.id).entries] == [
        how
    ]
    verified(table)
    source = PostSource(
        ruleset="guida",
        language="it",
        findings=read.findings,
        asked=read.asked,
        rolls=read.rolls,
        narration=Narration(),
        provenance=read.provenance,
    )
    told = say("it", "guida", "provenance", how)
    assert [getattr(one, "text", "") for one in write_blocks(source)].count(told) == 1


def test_what_was_given_before_there_was_a_choice_was_typed(
    db: Database, world: FixedWorld
) -> None:
    table = seated(db, world)
    paste(table)
    downgrade(db, "0005")
    assert _provenances(db) == ["forum"]
    upgrade(db)
    assert _provenances(db) == ["typed"]


def _provenances(db: Database) -> list[str]:
    with db.read() as connection:
        return list(connection.execute(sql("SELECT provenance FROM entries")).scalars())


# --------------------------------------------------------------------------- what a board learnt

SAMPLE = Sample(
    sample="✦ Punch ✦ 1d12+6 » 8 + 6 » 14 ✦", label="Punch", die="1d12+6", natural=8, total="14"
)
SHOWN = f"✦ {LABEL} ✦ 1d12+10 » 4 + 10 » 14 ✦"


def test_a_board_reads_by_what_it_learnt_until_it_forgets(db: Database, world: FixedWorld) -> None:
    table = seated(db, world, dialect="guida")
    assert [one.code for one in look(table, SHOWN).mistakes] == ["die_missing"]
    learnt = patterns.learn_pattern(db, table.owner, FIRST_BOARD, SAMPLE).learnt
    assert learnt is not None
    assert (learnt.label, learnt.die, learnt.natural, learnt.total) == ("Punch", "1d12+6", 8, "14")
    assert patterns.read_pattern(db, table.owner, FIRST_BOARD).learnt == learnt
    assert (look(table, SHOWN).ready, look(table, SHOWN).dice[0].face) == (True, 4)
    patterns.forget_pattern(db, table.owner, FIRST_BOARD)
    assert patterns.read_pattern(db, table.owner, FIRST_BOARD).learnt is None
    assert not look(table, SHOWN).ready
    patterns.learn_pattern(db, table.owner, FIRST_BOARD, SAMPLE)
    paste(table, SHOWN)
    assert noticed(entry(table).dice_remarks) == ["how_learnt"]


def test_what_a_board_learnt_stays_through_other_changes(db: Database, world: FixedWorld) -> None:
    table = seated(db, world)
    learnt = patterns.learn_pattern(db, table.owner, FIRST_BOARD, SAMPLE)
    boards.change_board(db, world, table.owner, FIRST_BOARD, BoardChanges(name="Altrove"))
    assert patterns.read_pattern(db, table.owner, FIRST_BOARD) == learnt


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"label": "Kick"}, "label", "sample_absent"),
        ({"die": "1d12+7"}, "die", "sample_absent"),
        ({"die": "Punch", "label": ""}, "die", "sample_bad_die"),
        ({"total": "quattordici"}, "total", "sample_bad_total"),
        ({"natural": 7}, "natural", "sample_natural"),
        ({"label": "12+6"}, "sample", "sample_overlapping"),
        ({"sample": "✦ Punch ✦ 1d12+6 » 14 + 6 » 20 ✦", "total": "20"}, "total", ""),
    ],
)
def test_a_sample_that_cannot_be_understood_is_refused_by_its_part(
    sqlite: Database, world: FixedWorld, changes: dict[str, Any], field: str, code: str
) -> None:
    owner = owner_of(sqlite, world)
    with pytest.raises(Malformed) as caught:
        patterns.learn_pattern(sqlite, owner, FIRST_BOARD, replace(SAMPLE, **changes))
    (mistake,) = caught.value.mistakes
    assert (mistake.field, mistake.code) == (field, code or "sample_impossible_total")
    assert patterns.read_pattern(sqlite, owner, FIRST_BOARD).learnt is None


def test_only_the_owner_teaches(db: Database, world: FixedWorld) -> None:
    table = seated(db, world)
    for who in (table.gm, table.players["hollow"], ANONYMOUS):
        for act in (
            lambda who=who: patterns.learn_pattern(db, who, FIRST_BOARD, SAMPLE),
            lambda who=who: patterns.forget_pattern(db, who, FIRST_BOARD),
            lambda who=who: patterns.read_pattern(db, who, FIRST_BOARD),
        ):
            with pytest.raises(NotFound):
                act()


@pytest.mark.parametrize("dialect", ["forumotion", "xenforo"])
def test_a_forum_without_modifiers_gives_the_face_and_the_turn_its_total(
    db: Database, world: FixedWorld, dialect: str
) -> None:
    table = seated(db, world, dialect=dialect)
    typed = set_table(db, world, dice=Roller.FORUM, owner=table.owner)
    typed.decide("hollow", attack())
    typed.give("hollow", 1, 4)
    post = "Il membro 'Hollow' ha effettuato la seguente azione: Lancio dadi\n\n'1d12' : 4"
    with pytest.raises(Malformed) as caught:
        paste(table, f"{post}\n'1d12' : 9")
    assert [one.code for one in caught.value.mistakes] == ["die_nameless"]
    (die,) = look(table, post).dice
    assert (die.face, die.modifier, die.total) == (4, LISTED, 4 + LISTED)
    paste(table, post)
    read = entry(table)
    assert [(roll.face, roll.tagged) for roll in read.rolls or ()] == [(4, None)]
    assert "modifier_mismatch" not in {finding.key for finding in read.findings}
    assert "without_label" in [one.code for one in read.dice_remarks]
    assert table.state() == typed.state()

"""Templates of posts as the services keep them, on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.persistence.codec import encode
from app.persistence.tables import FIRST_BOARD
from app.posts.gallery import designs
from app.posts.template import Template, Written
from app.posts.templates import write_text
from app.services import boards, scenes, sheets, turns
from app.services.entry_shapes import Narration, Ordered, Series
from app.services.errors import Malformed
from app.services.shapes import BoardChanges
from app.web.entries import source_of
from tests.support.fights import HOLLOW, attack
from tests.support.table import Table, set_table

DESIGN = designs()[0].templates


def test_a_board_keeps_a_template_and_its_format_must_take_it(table: Table) -> None:
    def change(changes: BoardChanges) -> Template:
        return boards.change_board(
            table.db, table.world, table.owner, FIRST_BOARD, changes
        ).template

    assert boards.read_board(table.db, FIRST_BOARD).template == Template()
    html = DESIGN[Written.HTML]
    assert change(BoardChanges(template=html)) == html
    assert change(BoardChanges(name="Altra")) == html
    with pytest.raises(Malformed) as refused:
        change(BoardChanges(dialect="nodebb"))
    assert [(one.field, one.code) for one in refused.value.mistakes] == [
        ("dialect", "template_no_html")
    ]
    with pytest.raises(Malformed) as wrong:
        change(BoardChanges(template=Template(text="{{ pv }}"), name=""))
    assert {one.field for one in wrong.value.mistakes} == {"name", "template.text"}
    assert boards.read_board(table.db, FIRST_BOARD).template == html
    assert change(BoardChanges(template=Template(), dialect="nodebb")) == Template()


def test_a_board_of_bbcode_keeps_its_template_from_a_format_that_reads_none(table: Table) -> None:
    def change(changes: BoardChanges) -> Template:
        return boards.change_board(
            table.db, table.world, table.owner, FIRST_BOARD, changes
        ).template

    bbcode = DESIGN[Written.BBCODE]
    assert change(BoardChanges(template=bbcode)) == bbcode
    for changes, field in (
        (BoardChanges(dialect="plain"), "dialect"),
        (BoardChanges(dialect="nodebb", template=bbcode), "template.text"),
    ):
        with pytest.raises(Malformed) as refused:
            change(changes)
        assert [(one.field, one.code) for one in refused.value.mistakes] == [
            (field, "template_no_bbcode")
        ]
    assert boards.read_board(table.db, FIRST_BOARD).dialect == "guida"


def test_a_scene_takes_along_what_holds_when_it_is_opened(table: Table) -> None:
    bbcode = DESIGN[Written.BBCODE]
    boards.change_board(
        table.db, table.world, table.owner, FIRST_BOARD, BoardChanges(template=bbcode)
    )
    later = set_table(table.db, table.world, owner=table.owner)
    for one, marked in ((table, False), (later, True)):
        one.decide("hollow", attack())
        entry = scenes.read_entry(one.db, one.gm, one.id, 1)
        scene = scenes.read_scene(one.db, one.gm, one.id)
        text = write_text(source_of(entry, scene), entry.dialect)
        assert ("❦" in text) is marked
    assert "template" not in encode(entry)  # nobody is sent it with every entry


def test_a_sheet_keeps_its_template_until_another_is_given(table: Table) -> None:
    own = DESIGN[Written.BBCODE]
    kept = sheets.add_sheet(
        table.db, table.world, table.gm, FIRST_BOARD, HOLLOW, table.key(), template=own
    )
    again = sheets.save_sheet(table.db, table.world, table.gm, kept.id, HOLLOW, kept.version)
    assert again.template == own
    gone = sheets.save_sheet(
        table.db, table.world, table.gm, kept.id, HOLLOW, again.version, template=Template()
    )
    assert gone.template == Template()


def test_a_story_with_a_place_too_many_is_refused_and_nothing_is_decided(table: Table) -> None:
    story = Narration(offensive="{dado} {dado 2}")
    submission = replace(table.submission(attack(by="hollow")), narration=story)
    with pytest.raises(Malformed) as refused:
        turns.decide(table.db, table.world, table.players["hollow"], table.id, submission)
    assert [(one.field, one.code) for one in refused.value.mistakes] == [
        ("narration.offensive", "die_place_unknown")
    ]
    series = Series(
        orders=(Ordered(order=encode(attack(by="hollow")) | {"kind": "turn"}, narration=story),),
        version=submission.version,
        key=table.key(),
    )
    with pytest.raises(Malformed) as of_series:
        turns.decide_several(table.db, table.world, table.gm, table.id, series)
    assert of_series.value.mistakes[0].field == "orders[0].narration.offensive"
    assert scenes.read_entries(table.db, table.gm, table.id) == ()
    told = replace(submission, narration=Narration(offensive="Colpisce {dado}."))
    turns.decide(table.db, table.world, table.players["hollow"], table.id, told)
    entry = scenes.read_entry(table.db, table.gm, table.id, 1)
    assert entry.numbered == entry.asked

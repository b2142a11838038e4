"""The words of a post are corrected: dice, order and findings stay, and every wording is kept."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.persistence.codec import encode, write_json
from app.persistence.schema import downgrade
from app.persistence.tables import FIRST_BOARD
from app.posts.blocks import Die, Note
from app.posts.dialects import DIALECTS, render
from app.posts.digest import find_digests
from app.posts.write import write_blocks
from app.rulesets.guida.orders import Preparation, Turn
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Place
from app.services import proofs, replay, scenes
from app.services.access import ANONYMOUS, Principal
from app.services.entry_shapes import EntryRead, Narration, Reworded, Rewording
from app.services.errors import Conflict, Malformed, NotFound
from app.services.ledger_check import check_ledger
from app.services.posts import EntryPlace, PostToCheck, check_post
from app.services.shapes import EntryKind, Roller
from app.services.wordings import correct
from app.web.entries import source_of
from tests.support.checked import set_sealed_table, waive
from tests.support.fights import attack
from tests.support.table import Table, set_table

FIRST = Narration(initial="L'aria si fa pesnte.", offensive="Scatta e colpisce.")
SECOND = Narration(initial="L'aria si fa pesante.", offensive="Scatta e colpisce.")
SECRET = "Nel buio, il Hollow affila gli artigli."
HIDE = Place(hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")


def reword(
    table: Table, who: str, number: int, story: Narration, wording: int = 1, key: str = ""
) -> Reworded:
    """Correct a story as somebody at the table."""
    principal = table.gm if who == "gm" else table.players[who]
    rewording = Rewording(narration=story, wording=wording, key=key or table.key())
    return correct(table.db, table.world, principal, table.id, number, rewording)


def read(table: Table, number: int, principal: Principal = ANONYMOUS) -> EntryRead:
    """Read an entry."""
    return scenes.read_entry(table.db, principal, table.id, number)


def sound(table: Table) -> None:
    """Replay the scene and check its ledger."""
    assert table.id in replay.check_scenes(table.db).equal
    ledger = proofs.read_ledger(table.db, table.id)
    faults = check_ledger(proofs.ledger_file(ledger), ledger.head).faults
    # The world of the tests throws faces of its own, which no seed leads to.
    assert {one.code for one in faults} <= {"faces_differ"}


@pytest.fixture
def told(table: Table) -> Table:
    """Let a turn be posted with a slip of the pen in it, and be answered."""
    table.decide("hollow", attack(), narration=FIRST)
    table.dodge()
    return table


@pytest.mark.parametrize("who", ["hollow", "gm"])
def test_only_the_words_change(told: Table, who: str) -> None:
    before, state, version = read(told, 1), told.state(), told.version
    made = reword(told, who, 1, SECOND)
    after = read(told, 1)
    assert (made.number, made.corrects, made.wording) == (3, 1, 2)
    assert after.narration == SECOND
    assert [(one.entry, one.narration) for one in after.wordings] == [(1, FIRST), (3, SECOND)]
    assert (after.order, after.rolls, after.findings) == (
        before.order,
        before.rolls,
        before.findings,
    )
    assert (told.state(), told.version) == (state, version)
    line = scenes.read_scene(told.db, ANONYMOUS, told.id).entries[2]
    assert (line.kind, line.corrects, line.seat) == (EntryKind.CORRECTION, 1, who)
    assert read(told, 3).narration == SECOND
    sound(told)


def test_the_post_says_that_it_was_corrected_and_has_a_new_digest(told: Table) -> None:
    scene = scenes.read_scene(told.db, ANONYMOUS, told.id)
    first = write_blocks(source_of(read(told, 1), scene))
    reword(told, "hollow", 1, SECOND)
    second = write_blocks(source_of(read(told, 1), scene))
    assert [one for one in first if isinstance(one, Die)] == [
        one for one in second if isinstance(one, Die)
    ]
    assert any(isinstance(one, Note) and "stesura 2" in one.text for one in second)
    for key in DIALECTS:
        (old,) = find_digests(render(first, "it", key))
        (new,) = find_digests(render(second, "it", key))
        assert (old.state, new.state) == ("unchanged", "unchanged")
        assert (old.wording, new.wording, new.entry) == (1, 2, 1)
        assert old.digest != new.digest


def test_a_wording_can_be_corrected_again_and_none_is_lost(told: Table) -> None:
    stories = [Narration(initial=f"Stesura {number}.") for number in range(2, 5)]
    for number, story in enumerate(stories, 1):
        reword(told, "hollow", 1, story, number)
    entry = read(told, 1)
    assert [one.narration for one in entry.wordings] == [FIRST, *stories]
    assert entry.corrected_by == (3, 4, 5)
    assert entry.turn.endswith("-1.4")
    sound(told)


def test_the_scene_goes_on_from_where_it_was(told: Table) -> None:
    version = told.version
    reword(told, "hollow", 1, SECOND)
    decided = told.decide("hollow", attack(), version=version)  # a form that was open meanwhile
    assert decided.number == 4
    told.void()
    reword(told, "quincy", 2, SECOND)
    assert read(told, 4).voided_by == 5
    sound(told)


def test_a_turn_that_waits_for_the_forum_keeps_waiting(db: object, table: Table) -> None:
    forum = set_table(table.db, table.world, dice=Roller.FORUM, owner=table.owner)
    declared = forum.decide("hollow", attack(), narration=FIRST)
    version = forum.version
    reword(forum, "hollow", declared.number, SECOND)
    reword(forum, "gm", declared.number, FIRST, 2)
    scene = scenes.read_scene(forum.db, ANONYMOUS, forum.id)
    assert (scene.waiting, scene.version) == (1, version)
    faces = [8] * len(read(forum, 1).asked)
    forum.give("hollow", 1, *faces, version=version)
    assert forum.dodge().number == 4
    sound(forum)


def test_a_turn_that_waits_for_salts_keeps_waiting_and_can_be_taken_back(table: Table) -> None:
    sealed = set_table(table.db, table.world, seal_hours=24, owner=table.owner)
    sealed.decide("hollow", attack(), narration=FIRST)
    reword(sealed, "hollow", 1, SECOND)
    assert scenes.read_scene(sealed.db, ANONYMOUS, sealed.id).waiting == 1
    assert sealed.void().number == 3
    assert read(sealed, 1).voided_by == 3
    sound(sealed)


@pytest.mark.parametrize("who", ["quincy", "stranger"])
def test_nobody_else_corrects_a_story(told: Table, who: str) -> None:
    other = set_table(told.db, told.world, owner=told.owner)
    principal = other.gm if who == "stranger" else told.players["quincy"]
    with pytest.raises(NotFound):
        correct(
            *(told.db, told.world, principal, told.id, 1),
            Rewording(narration=SECOND, wording=1, key=told.key()),
        )
    assert read(told, 1).wordings == ()


def test_what_cannot_be_corrected_is_refused_with_its_reason(told: Table) -> None:
    with pytest.raises(Malformed) as same:
        reword(told, "hollow", 1, FIRST)
    assert [(one.field, one.code) for one in same.value.mistakes] == [("narration", "same_words")]
    made = reword(told, "hollow", 1, SECOND, key="the-same-key")
    assert reword(told, "hollow", 1, SECOND, key="the-same-key") == made  # nothing twice
    for number, wording, code in ((1, 1, "other_wording"), (made.number, 1, "no_story")):
        with pytest.raises(Conflict) as refused:
            reword(told, "gm", number, FIRST, wording)
        assert refused.value.code == code
    void = told.void()
    for number, code in ((2, "story_taken_back"), (void.number, "no_story")):
        with pytest.raises(Conflict) as refused:
            reword(told, "gm", number, SECOND)
        assert refused.value.code == code
    with pytest.raises(NotFound):
        reword(told, "gm", 99, SECOND)
    sound(told)


def test_an_amended_turn_is_corrected_like_any_other(told: Table) -> None:
    from app.rulesets.guida.rulings import SetValue
    from app.rulesets.guida.terms import Change

    hurt = SetValue(combatant="quincy", change=Change.HP, value=50, reason="Era già ferito.")
    reword(told, "quincy", 2, SECOND)
    told.amend(2, hurt)
    reword(told, "quincy", 2, FIRST, 2)
    entry = read(told, 2)
    assert entry.amended_by == (4,)
    assert entry.corrected_by == (3, 5)
    assert entry.narration == FIRST
    sound(told)


def test_a_hidden_story_stays_hidden_in_all_its_wordings(table: Table) -> None:
    table.decide("gm", HIDE)
    table.decide("hollow", Turn(main=Preparation()), narration=Narration(offensive="Nel bui."))
    reword(table, "hollow", 2, Narration(offensive=SECRET))
    for principal in (table.players["quincy"], ANONYMOUS):
        scene = scenes.read_scene(table.db, principal, table.id)
        assert (scene.entries[2].seat, scene.entries[2].corrects) == ("", 2)
        entries = scenes.read_entries(table.db, principal, table.id)
        for one in (scene, *entries, *(read(table, number, principal) for number in (2, 3))):
            said = write_json(encode(one))
            assert "Nel bu" not in said
            assert "hollow" not in write_json(encode(getattr(one, "wordings", ())))
    ledger = proofs.read_ledger(table.db, table.id)
    assert not any("affila" in line for line in ledger.lines)
    kinds = [json.loads(line)["kind"] for line in ledger.lines]
    assert "correct" in kinds
    for principal in (table.players["hollow"], table.gm):
        assert read(table, 2, principal).narration.offensive == SECRET
        assert read(table, 3, principal).narration.offensive == SECRET
    sound(table)


def told_by(table: Table, number: int, text: str) -> tuple[str, int | None]:
    """Say which entry a pasted post tells."""
    place = EntryPlace(scene_id=table.id, number=number)
    found = check_post(table.db, ANONYMOUS, FIRST_BOARD, PostToCheck(text=text, entry=place)).retold
    assert found is not None
    return found.state, found.wording


def post_of(table: Table, number: int) -> str:
    """Write the post of an entry as its page shows it."""
    entry = read(table, number)
    scene = scenes.read_scene(table.db, ANONYMOUS, table.id)
    return render(write_blocks(source_of(entry, scene)), "it", entry.dialect)


def test_a_pasted_post_is_known_by_its_digest(told: Table) -> None:
    first, answer = post_of(told, 1), post_of(told, 2)
    assert told_by(told, 1, first) == ("this", 1)
    assert told_by(told, 2, answer) == ("this", 1)
    assert told_by(told, 1, answer) == ("other", None)
    assert told_by(told, 1, "Niente.") == ("none", None)
    (digest,) = (one.digest for one in find_digests(first))
    assert told_by(told, 1, first.replace(digest, "0" * 16)) == ("unknown", 1)
    assert told_by(told, 1, f"Un'altra storia.\n{first[-200:]}") == ("altered", 1)
    reword(told, "hollow", 1, SECOND)
    assert told_by(told, 1, first) == ("older", 1)
    assert told_by(told, 1, post_of(told, 1)) == ("this", 2)


def test_a_post_that_the_forum_rolls_is_known_before_and_after(table: Table) -> None:
    forum = set_table(table.db, table.world, dice=Roller.FORUM, owner=table.owner)
    forum.decide("hollow", attack(), narration=FIRST)
    pasted = post_of(forum, 1)
    assert "[dice=" in pasted
    assert told_by(forum, 1, pasted) == ("this", 1)
    forum.give("hollow", 1, *[8] * len(read(forum, 1).asked))
    assert told_by(forum, 1, pasted) == ("this", 1)  # the forum's roll stays where it is
    assert told_by(forum, 1, post_of(forum, 1)) == ("this", 1)
    reword(forum, "hollow", 1, SECOND)
    assert told_by(forum, 1, pasted) == ("older", 1)


def test_a_post_that_says_by_seats_who_gave_no_salt_is_known_as_it_was(table: Table) -> None:
    sealed = set_sealed_table(table.db, seed="salts", owner=table.owner)
    for seat in ("hollow", "quincy"):
        waive(sealed, seat)
    sealed.decide("hollow", attack(), narration=FIRST)
    entry = read(sealed, 1)
    assert entry.proof is not None
    by_seat = replace(entry, proof=replace(entry.proof, names=()))
    scene = scenes.read_scene(sealed.db, ANONYMOUS, sealed.id)
    before = render(write_blocks(source_of(by_seat, scene)), "it", entry.dialect)
    assert "senza un sale proprio: hollow, quincy" in before
    assert "senza un sale proprio: Hollow, Quincy" in post_of(sealed, 1)
    assert told_by(sealed, 1, before) == told_by(sealed, 1, post_of(sealed, 1)) == ("this", 1)


def test_nobody_learns_by_guessing_who_posted_from_hiding(table: Table) -> None:
    table.decide("gm", HIDE)
    table.decide("hollow", Turn(main=Preparation()), narration=Narration(offensive=SECRET))
    scene = scenes.read_scene(table.db, table.gm, table.id)
    entry = scenes.read_entry(table.db, table.gm, table.id, 2)
    right = render(write_blocks(source_of(entry, scene)), "it", entry.dialect)
    wrong = "Niente."
    place = EntryPlace(scene_id=table.id, number=2)
    for who in (table.players["quincy"], ANONYMOUS):
        told = [
            check_post(table.db, who, FIRST_BOARD, PostToCheck(text=text, entry=place)).retold
            for text in (right, wrong)
        ]
        assert [one and one.state for one in told] == ["withheld", "withheld"]
    for who in (table.players["hollow"], table.gm):
        known = check_post(table.db, who, FIRST_BOARD, PostToCheck(text=right, entry=place)).retold
        assert known is not None
        assert known.state == "this"


def test_the_version_before_is_refused_a_scene_with_corrections(told: Table) -> None:
    reword(told, "hollow", 1, SECOND)
    with pytest.raises(RuntimeError, match="corrected"):
        downgrade(told.db, "0005")
    assert read(told, 1).narration == SECOND

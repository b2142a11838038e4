"""Figures over time, moments, summaries and exports: what they tell, and to whom they tell less."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.engine.ruleset import SPECTATOR
from app.persistence.codec import encode, write_json
from app.persistence.database import Database
from app.posts.phrases import say
from app.posts.write import LAYOUTS
from app.rulesets import RULESETS
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Manual, Place
from app.rulesets.guida.terms import Change
from app.services import summaries
from app.services.access import ANONYMOUS, Principal
from app.services.entry_shapes import Narration
from app.services.errors import KeyReused, NotFound
from app.services.export import SceneExport, export_scene
from app.services.export_csv import DICE, LINES, write_csv
from app.services.export_csv import Table as Sheet
from app.services.export_markdown import write_log
from app.services.luck import LuckPoint, scene_luck
from app.services.moments import Moment, MomentKind
from app.services.scenes import read_scene
from app.services.snippets import outcome, snippets
from app.services.summaries import SummaryRead
from app.services.timeline import Timeline, scene_timeline
from tests.integration.test_battle_dice import muster, set_battle
from tests.integration.test_combat_dice import set_combat
from tests.integration.test_warrior_dice import set_duel
from tests.support.fights import HOLLOW, QUINCY, attack, duel
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

HIDE = Place(hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")
SHOW = Place(hidden=(), reason="si vede di nuovo")
EVIL = '=HYPERLINK("http://evil.example"),<b>[url=x]*a*\n'


def seen_by(table: Table, principal: Principal = ANONYMOUS) -> Timeline:
    """Read the figures of a scene."""
    return scene_timeline(table.db, principal, table.id)


def values(timeline: Timeline) -> dict[str, dict[str, tuple[int | None, ...]]]:
    """Give the values of everybody, by name and figure."""
    return {
        one.name: {figure.key: figure.values for figure in one.figures} for one in timeline.people
    }


def hurt(who: str, amount: int) -> Manual:
    """Let the Master take hit points from somebody."""
    return Manual(combatant=who, change=Change.HP, amount=-amount, reason="Cade.", by="gm")


def summed_up(table: Table) -> SummaryRead:
    """Share the summary of a scene and read it by its link."""
    link = summaries.share(table.db, table.world, table.gm, table.id, table.key())
    return summaries.read_summary(table.db, link.token)


def exported(table: Table, principal: Principal = ANONYMOUS, **more: Any) -> SceneExport:
    """Export a scene."""
    return export_scene(table.db, principal, table.id, **more)


def rows_of(text: str) -> list[dict[str, str]]:
    """Read a table as a spreadsheet does."""
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


# ----------------------------------------------------------------------------- figures over time


def test_everybodys_figures_are_told_decision_by_decision(table: Table) -> None:
    table.decide("gm", hurt("quincy", 9))
    table.decide("hollow", attack())
    timeline = seen_by(table)
    assert [(one.entry, one.seat, one.act) for one in timeline.steps] == [
        (0, "", ""),
        (1, "gm", "manual"),
        (2, "hollow", "turn"),
    ]
    assert values(timeline) == {
        "Hollow": {"hp": (200, 200, 200), "ep": (100, 100, 100)},
        "Quincy": {"hp": (180, 171, 171), "ep": (120, 120, 120)},
    }
    assert timeline.winners == ()


def test_the_last_step_is_where_the_scene_stands(table: Table) -> None:
    for _ in range(3):
        table.decide("hollow", attack())
        table.decide("quincy", attack("hollow", "bow"))
    view = read_scene(table.db, table.gm, table.id).view
    assert {
        name: (one["hp"][-1], one["ep"][-1]) for name, one in values(seen_by(table)).items()
    } == {one.name: (one.hp_now, one.ep_now) for one in view.combatants}


def test_what_was_taken_back_is_no_step_and_an_amendment_stands_before_its_turn(
    table: Table,
) -> None:
    table.decide("gm", hurt("quincy", 9))
    table.void()
    turn = table.decide("hollow", attack())
    table.amend(turn.number, hurt("hollow", 5))
    timeline = seen_by(table)
    assert [one.entry for one in timeline.steps] == [0, 4, 3]
    assert values(timeline)["Hollow"]["hp"] == (200, 195, 195)
    assert values(timeline)["Quincy"]["hp"] == (180, 180, 180)


def test_figures_of_the_hidden_stay_out_and_come_back_when_they_show_themselves(
    table: Table,
) -> None:
    table.decide("gm", HIDE)
    table.decide("gm", hurt("hollow", 7))
    table.decide("gm", SHOW)
    for principal in (table.players["quincy"], ANONYMOUS):
        assert values(seen_by(table, principal))["Hollow"]["hp"] == (200, None, None, 193)
    for principal in (table.players["hollow"], table.gm, table.owner):
        assert values(seen_by(table, principal))["Hollow"]["hp"] == (200, 200, 193, 193)


@pytest.mark.parametrize("lost", [7, 31])
def test_two_worlds_that_differ_in_somebody_hidden_look_alike(table: Table, lost: int) -> None:
    table.decide("gm", HIDE)
    table.decide("gm", hurt("hollow", lost))
    told = [
        write_json(encode(seen_by(table))),
        write_json(encode(seen_by(table, table.players["quincy"]))),
        write_json(encode(summed_up(table).timeline)),
        write_json(encode(summed_up(table).moments)),
        write_csv(exported(table), Sheet.LINES, "it"),
        write_log(exported(table)),
    ]
    for text in told:
        assert "Cade" not in text
        assert f"{200 - lost}" not in text
        assert f"-{lost}" not in text


@pytest.mark.parametrize(("opened", "key"), [(set_duel, "hits"), (set_combat, "hp")])
def test_a_duel_and_a_combat_have_figures_of_their_own(
    sqlite: Database, opened: Callable[[Database], Table], key: str
) -> None:
    people = values(seen_by(opened(sqlite)))
    assert len(people) == 2
    for figures in people.values():
        assert list(figures) == [key]
        assert (figures[key][0] or 0) > 0


def test_an_army_has_its_dice_once_both_lists_are_in(sqlite: Database) -> None:
    battle = set_battle(sqlite)
    assert [one.figures for one in seen_by(battle).people] == [(), ()]
    muster(battle)
    assert [one["army"] for one in values(seen_by(battle)).values()] == [(None, None, 20)] * 2
    battle.decide("ada", {"kind": "concede"})
    summary = summed_up(battle)
    assert summary.timeline.winners == ("bo",)
    name = next(one.name for one in summary.timeline.people if one.id == "bo")
    assert outcome(summary) == f"Vince {name}."


def test_whoever_falls_in_a_combat_is_remembered(sqlite: Database) -> None:
    combat = set_combat(sqlite)
    combat.decide("ben", {"kind": "open"})
    while combat.state().outcome is None:
        for seat in ("ann", "ben"):
            combat.decide(seat, {"kind": "orders", "turns": 10})
    found = summed_up(combat)
    assert found.ended_at is not None
    fallen = [one.name for one in found.timeline.people if one.out]
    defeats = [one.who for one in found.moments if one.kind is MomentKind.DEFEAT]
    assert sorted(defeats) == sorted(fallen)
    winners = [one.name for one in found.timeline.people if one.id in found.timeline.winners]
    assert not set(winners) & set(fallen)
    assert outcome(found).startswith(f"Vince {winners[0]}" if winners else "Lo scontro è finito.")


def test_a_scene_of_another_edition_has_no_figures_but_a_summary(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.decide("hollow", attack())
    monkeypatch.setitem(RULESETS, "guida", replace(GUIDA, edition="next"))
    assert seen_by(table) == Timeline(readable=False)
    assert summed_up(table).decisions == 1
    assert exported(table).entries[0].number == 1


def test_a_scene_that_is_not_there_has_no_figures(table: Table) -> None:
    for use in (scene_timeline, export_scene):
        with pytest.raises(NotFound):
            use(table.db, table.gm, "nowhere")


def test_luck_adds_up_entry_by_entry(table: Table) -> None:
    table.world.throw([9, 2])
    table.decide("hollow", attack())
    table.dodge()
    courses = {one.actor: one.course for one in scene_luck(table.db, ANONYMOUS, table.id).actors}
    assert courses["Hollow"] == (LuckPoint(entry=1, count=1, sum=9, expected=Fraction(13, 2)),)
    assert courses["Quincy"][-1].entry == 2


@pytest.mark.parametrize(
    ("game", "keys"),
    [
        ("guida", ("hp", "ep")),
        ("warrior_dice", ("hits",)),
        ("combat_dice", ("hp",)),
        ("battle_dice", ("army",)),
    ],
)
def test_every_figure_has_a_word_in_both_languages(game: str, keys: tuple[str, ...]) -> None:
    for language in ("it", "en"):
        assert all(say(language, game, "figures", key, {}) for key in keys)


# ------------------------------------------------------------------------------------- moments


def test_the_hardest_blow_the_best_die_and_the_rulings_are_remembered(table: Table) -> None:
    table.world.throw([11])
    table.decide("hollow", attack())
    table.decide("gm", hurt("quincy", 4))
    table.decide("gm", hurt("quincy", 9))
    table.void()
    moments = summed_up(table).moments
    assert [(one.kind, one.entry) for one in moments] == [
        (MomentKind.ROLL, 1),
        (MomentKind.BLOW, 2),
        (MomentKind.RULING, 2),
        (MomentKind.TAKEN_BACK, 4),
    ]
    assert moments[0] == Moment(kind=MomentKind.ROLL, entry=1, who="Hollow", amount=11, sides=12)
    assert (moments[1].who, moments[1].before, moments[1].amount) == ("Quincy", 180, 4)
    assert (moments[3].about, moments[3].reason) == (3, "Era un errore.")


def test_a_value_that_the_master_puts_right_is_nobodys_blow(table: Table) -> None:
    right = {"kind": "set_value", "by": "gm", "combatant": "quincy", "change": "hp"}
    table.decide("gm", hurt("quincy", 4))
    table.decide("gm", {**right, "value": 60, "reason": "Errore mio."})
    table.decide("gm", {**right, "value": 170, "reason": "Anzi."})
    table.void()
    blows = [one for one in summed_up(table).moments if one.kind is MomentKind.BLOW]
    assert [(one.entry, one.amount) for one in blows] == [(1, 4)]


def test_a_die_that_decides_nothing_is_not_the_best(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.world.throw([11])
    table.decide("hollow", attack())
    unused = frozenset(one.address for one in exported(table).entries[0].asked)
    told = replace(LAYOUTS["guida"], unused=lambda _findings, _asked, _rolls: unused)
    monkeypatch.setitem(LAYOUTS, "guida", told)
    assert summed_up(table).moments == ()


def test_dice_whose_faces_are_things_are_not_compared(sqlite: Database) -> None:
    combat = set_combat(sqlite)
    combat.decide("ben", {"kind": "open"})
    for seat in ("ann", "ben"):
        combat.decide(seat, {"kind": "orders"})
    assert any(one.rolls for one in exported(combat).entries)
    assert MomentKind.ROLL not in [one.kind for one in summed_up(combat).moments]


def test_a_blow_across_the_time_out_of_sight_is_none(table: Table) -> None:
    table.decide("gm", HIDE)
    table.decide("gm", hurt("hollow", 50))
    table.decide("gm", SHOW)
    assert MomentKind.BLOW not in [one.kind for one in summed_up(table).moments]


# ----------------------------------------------------------------------------------- summaries


def test_a_summary_is_a_spectators_whoever_reads_it(table: Table) -> None:
    table.decide("gm", HIDE)
    table.decide("gm", hurt("hollow", 50))
    summary = summed_up(table)
    assert summary.timeline == seen_by(table)
    assert summary.timeline != seen_by(table, table.gm)
    assert [one.reason for one in summary.moments] == ["si è dileguato"]


def test_only_the_master_shares_and_takes_back(table: Table) -> None:
    for principal in (ANONYMOUS, *table.players.values()):
        with pytest.raises(NotFound):
            summaries.share(table.db, table.world, principal, table.id, table.key())
        with pytest.raises(NotFound):
            summaries.unshare(table.db, table.world, principal, table.id)
        with pytest.raises(NotFound):
            summaries.shared_link(table.db, principal, table.id)
    for principal in (table.gm, table.owner):
        assert summaries.shared_link(table.db, principal, table.id) is None
        link = summaries.share(table.db, table.world, principal, table.id, table.key())
        assert summaries.shared_link(table.db, principal, table.id) == link
        summaries.unshare(table.db, table.world, principal, table.id)


def test_a_link_that_was_revoked_or_replaced_opens_nothing(table: Table) -> None:
    first = summaries.share(table.db, table.world, table.gm, table.id, table.key())
    second = summaries.share(table.db, table.world, table.gm, table.id, table.key())
    assert first.token != second.token
    assert len(second.token) >= 43
    assert summaries.read_summary(table.db, second.token).scene_id == table.id
    summaries.unshare(table.db, table.world, table.gm, table.id)
    for token in (first.token, second.token, "nothing", "../etc", ""):
        with pytest.raises(NotFound):
            summaries.read_summary(table.db, token)
    assert summaries.shared_link(table.db, table.gm, table.id) is None


def test_the_same_call_gives_the_same_link_and_another_call_is_refused(table: Table) -> None:
    first = summaries.share(table.db, table.world, table.gm, table.id, "key-of-sharing")
    again = summaries.share(table.db, table.world, table.gm, table.id, "key-of-sharing")
    assert (again.token, again.replayed) == (first.token, True)
    other = set_table(table.db, table.world, owner=table.owner)
    summaries.share(table.db, table.world, table.owner, table.id, "key-of-owner")
    with pytest.raises(KeyReused):
        summaries.share(table.db, table.world, table.owner, other.id, "key-of-owner")


def test_a_snippet_keeps_hostile_names_as_text(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world, title='[img]x[/img]<script>*a* "')
    texts = snippets(summed_up(table), "https://arbitro.example/s/abc")
    assert "[img]" not in texts["bbcode"]
    assert "[url=https://arbitro.example/s/abc]" in texts["bbcode"]
    assert "<script" not in texts["html"]
    assert "[img]" not in texts["html"]
    assert '<a href="https://arbitro.example/s/abc">' in texts["html"]
    assert "<script" not in texts["markdown"]
    assert "\\*a\\*" in texts["markdown"]
    assert "(<https://arbitro.example/s/abc>)" in texts["markdown"]


def test_a_snippet_keeps_what_its_markup_can_hold(db: Database, world: FixedWorld) -> None:
    summary = summed_up(set_table(db, world, title="La volpe 🦊"))
    texts = snippets(summary, "https://arbitro.example/s/abc")
    assert "La volpe □" in texts["bbcode"]  # of a forum that nobody knows
    assert "La volpe &#129418;" in texts["html"]
    assert "La volpe 🦊" in texts["markdown"]
    own = snippets(summary, "https://arbitro.example/s/abc", "guida")["bbcode"]
    assert "La volpe 🦊" in own
    assert own.startswith("[b]")
    assert "[b]" in snippets(summary, "https://arbitro.example/s/abc", "nodebb")["bbcode"]


# ------------------------------------------------------------------------------------- exports


def test_an_export_has_all_that_the_reader_may_know(table: Table) -> None:
    table.decide("gm", HIDE)
    table.decide("gm", hurt("hollow", 7))
    mine, theirs = exported(table, table.gm), exported(table)
    assert (mine.format, mine.version, mine.next) == ("arbitro-scene", 1, None)
    assert [one.number for one in mine.entries] == [one.number for one in theirs.entries] == [1, 2]
    assert mine.scene.seat == "gm"
    assert theirs.scene.seat == SPECTATOR
    assert "Cade" in write_json(encode(mine))
    assert "Cade" not in write_json(encode(theirs))


def test_a_long_scene_is_handed_out_in_pieces(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        table.decide("gm", hurt("quincy", 1))
    whole = exported(table).entries
    monkeypatch.setattr("app.services.export.MOST_EXPORTED", 2)
    monkeypatch.setattr("app.services.whole.AT_A_TIME", 1)
    pieces, after = [], 0
    while True:
        piece = exported(table, after=after)
        pieces += piece.entries
        assert len(piece.entries) <= 2
        if piece.next is None:
            break
        after = piece.next
    assert tuple(pieces) == whole
    assert write_log(exported(table)).rstrip().endswith("La scena continua dopo la voce 2.")


def test_tables_have_a_row_for_each_line_and_each_die(table: Table) -> None:
    table.world.throw([11])
    table.decide("hollow", attack())
    table.decide("gm", hurt("quincy", 4))
    found = exported(table)
    text = write_csv(found, Sheet.LINES, "it")
    assert text.splitlines()[0] == ",".join(LINES)
    lines = rows_of(text)
    assert len(lines) == sum(len(one.findings) for one in found.entries)
    assert {one["part"] for one in lines} == {"register", "story"}
    (die,) = rows_of(write_csv(found, Sheet.DICE, "it"))
    assert tuple(die) == DICE
    assert (die["actor"], die["sides"], die["face"], die["counts"]) == ("Hollow", "12", "11", "yes")
    assert int(die["total"]) == 11 + int(die["modifier"])
    table.void()
    table.void()
    assert [one["counts"] for one in rows_of(write_csv(exported(table), Sheet.DICE, "it"))] == [
        "no"
    ]


@pytest.mark.parametrize("mark", [";", ","])
def test_no_cell_begins_a_formula_whichever_separator_a_spreadsheet_takes(
    table: Table, mark: str
) -> None:
    table.decide("gm", replace(hurt("quincy", 4), reason=f"Annullo{mark}=HYPERLINK(A1)"))
    text = write_csv(exported(table), Sheet.LINES, "it")
    assert "HYPERLINK" in text
    assert f"{mark}=" not in text


def hostile(db: Database, world: FixedWorld) -> Table:
    """Set a table for somebody whose name is a formula, markup and three cells at once."""
    name = EVIL.strip()
    sheets = (replace(HOLLOW, name=name), QUINCY)
    entrants = tuple(
        replace(one, sheet=sheet) for one, sheet in zip(duel().entrants, sheets, strict=True)
    )
    table = set_table(db, world, setup=replace(duel(), entrants=entrants))
    story = Narration(offensive="=1+1\n# Titolo\n<img src=x onerror=alert(1)>\n[url=x]y[/url]")
    table.decide("hollow", attack(), narration=story)
    return table


def test_no_cell_of_a_table_is_a_formula(db: Database, world: FixedWorld) -> None:
    table = hostile(db, world)
    for sheet in Sheet:
        for row in rows_of(write_csv(exported(table), sheet, "it")):
            assert not [cell for cell in row.values() if cell[:1] in tuple("=+@\t\r")]
            assert not [
                cell
                for cell in row.values()
                if cell.startswith("-") and not cell[1:].replace(".", "").isdecimal()
            ]
    (die,) = rows_of(write_csv(exported(table), Sheet.DICE, "it"))
    assert die["actor"] == f"'{EVIL.strip()}"  # one cell, with its quotes and commas


def test_a_log_keeps_hostile_names_and_stories_as_text(db: Database, world: FixedWorld) -> None:
    log = write_log(exported(hostile(db, world)))
    assert "<img" not in log
    assert "<b>" not in log
    assert "[url=" not in log
    assert "\n# Titolo" not in log
    assert "*a*" not in log.replace("\\*a\\*", "")
    assert log.startswith("# Duello\n\n")
    assert log.endswith("\n")


def test_a_log_renders_as_the_post_reads(table: Table) -> None:
    table.decide("hollow", attack(), narration=Narration(offensive="Balza.\nE colpisce."))
    log = write_log(exported(table))
    assert "**Punti Vita**: 200/200  \n**Punti Energia**: 100/100  \n" in log
    assert "### Registro\n- Nessuna variazione\n" in log
    assert "Balza.  \nE colpisce." in log
    assert "•" not in log


def test_a_log_tells_every_entry_in_order_with_what_became_of_it(table: Table) -> None:
    table.decide("hollow", attack(), narration=Narration(offensive="Balza."))
    table.decide("gm", hurt("quincy", 4))
    table.void("Non valeva.")
    log = write_log(exported(table))
    places = [log.index(f"\n## {number}. ") for number in (1, 2, 3)]
    assert places == sorted(places)
    assert "Balza." in log
    assert "Annullata dalla voce 3: non conta più." in log
    assert "Motivo: Non valeva." in log

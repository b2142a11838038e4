"""A scene that goes on from an old thread: as the posts tell, which are kept as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.persistence.codec import encode
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.posts.lint import LONGEST
from app.rulesets.guida.entrants import Entrant, PointsNow
from app.rulesets.guida.orders import Turn
from app.rulesets.guida.terms import Stat
from app.services import scenes, threads
from app.services.access import ANONYMOUS
from app.services.errors import KeyReused, Malformed, NotFound
from app.services.shapes import OpenScene
from app.services.thread_shapes import MOST_CHARACTERS, OldPost, ThreadToRead
from tests.support.fights import HOLLOW, QUINCY, attack, duel
from tests.support.table import Table, owner_of, set_table
from tests.support.world import FixedWorld

FIRST = OldPost(
    text="Hollow\nScheda: https://forum.example/?t=1\nPV: 190/200 | PE: 95/100\n"
    "Forza 8 (+0) | Destrezza 6 (+2) | Costituzione 5 (+0) | Intelligenza 2 (+0)\n\n"
    "Registro\nDanni da Freccia: -10 PV\nSpesa per Sonìdo: -5 PE\n\nFase Offensiva\n"
    "Attacco [Artigli] (Hollow vs Quincy): (+2 [Bonus Arma], +8 [Destrezza]) "
    "1d12+10: (7)+10 = 17\n"
)
SECOND = OldPost(
    text="Scheda: https://forum.example/?t=2\nPV: 166/180 | PE: 120/120\n"
    "Forza 4 (+0) | Destrezza 9 (+0) | Costituzione 4 (-1) | Intelligenza 6 (+0)\n\n"
    "Registro\nDanni da Artigli: -14 PV\nUstione da Artigli: +2 Stack\n",
    who="Quincy",
)


def opened(db: Database, world: FixedWorld) -> Table:
    """Read the thread, complete the sheets, and open the scene that goes on from it."""
    thread = (FIRST, SECOND)
    found = threads.read_thread(db, ANONYMOUS, FIRST_BOARD, ThreadToRead(posts=thread))
    sheets = {sheet.name: sheet for sheet in (HOLLOW, QUINCY)}
    entrants = tuple(
        Entrant(
            id=one.sheet.name.lower(),
            team=one.team,
            sheet=sheets[one.sheet.name],
            hp=one.hp,
            ep=one.ep,
            stacks=one.stacks,
            points=one.points,
        )
        for one in found.entrants
    )
    return set_table(db, world, setup=replace(duel(), entrants=entrants), thread=thread)


def test_a_scene_begins_as_the_posts_end_and_goes_on(db: Database, world: FixedWorld) -> None:
    table = opened(db, world)
    seen = {one.id: one for one in scenes.read_scene(db, table.gm, table.id).view.combatants}
    assert (seen["hollow"].hp_now, seen["hollow"].ep_now) == (190, 95)
    assert (seen["quincy"].hp_now, seen["quincy"].ep_now) == (166, 120)
    points = {
        id: {stat.stat: int(stat.points.total) for stat in one.stats} for id, one in seen.items()
    }
    assert points["hollow"][Stat.DEXTERITY] == 2
    table.decide("hollow", attack())
    table.dodge()
    vitals = {
        found.facts["bearer"]: found.facts
        for number in (1, 2)
        for found in scenes.read_entry(db, table.gm, table.id, number).findings
        if found.key == "vitals"
    }
    assert [(one["hp"], one["ep"]) for one in vitals.values()] == [(190, 95), (166, 120)]
    shown = scenes.read_entry(db, table.gm, table.id, 2).findings
    constitution = next(one for one in shown if one.facts.get("stat") == Stat.CONSTITUTION)
    assert constitution.facts["points"] == -1  # by its burns, and not twice


def test_points_that_last_some_turns_end_by_themselves(db: Database, world: FixedWorld) -> None:
    held = PointsNow(stat=Stat.STRENGTH, points=3, name="Furia", turns=2)
    setup = duel()
    first, second = setup.entrants
    entrants = (replace(first, points=(held,)), second)
    table = set_table(db, world, setup=replace(setup, entrants=entrants))
    shown = []
    for _ in range(3):
        table.decide("hollow", Turn())
        found = scenes.read_entry(db, table.gm, table.id, table.version - 1).findings
        strength = next(one for one in found if one.facts.get("stat") == Stat.STRENGTH)
        shown.append(strength.facts["points"])
        table.decide("quincy", Turn())
    assert shown == [3, 3, 0]


def test_the_old_posts_are_kept_as_they_were_and_anybody_may_read_them(
    db: Database, world: FixedWorld
) -> None:
    table = opened(db, world)
    for who in (ANONYMOUS, table.gm, *table.players.values()):
        lines = threads.list_old_posts(db, who, table.id)
        assert [(one.number, one.who) for one in lines] == [(1, "Hollow"), (2, "Quincy")]
        posts = threads.read_old_posts(db, who, table.id)
        assert [one.text for one in posts] == [FIRST.text, SECOND.text]
        assert [one.dice for one in posts] == [1, 0]
    # They are no entries, and the ledger knows nothing of their dice.
    assert scenes.read_scene(db, table.gm, table.id).entries == ()
    assert threads.list_old_posts(db, ANONYMOUS, set_table(db, world, owner=table.owner).id) == ()
    for use_case in (threads.list_old_posts, threads.read_old_posts):
        with pytest.raises(NotFound):
            use_case(db, ANONYMOUS, "nothing")


def test_opening_twice_with_one_key_keeps_one_scene_and_its_posts_once(
    db: Database, world: FixedWorld
) -> None:
    owner = owner_of(db, world)
    opening = OpenScene(title="Duello", setup=duel(), thread=(FIRST, SECOND))
    first = scenes.open_scene(db, world, owner, FIRST_BOARD, opening, "a-key-of-import")
    again = scenes.open_scene(db, world, owner, FIRST_BOARD, opening, "a-key-of-import")
    assert (first.scene_id, again.replayed) == (again.scene_id, True)
    assert len(threads.list_old_posts(db, owner, first.scene_id)) == 2
    other = replace(opening, thread=(FIRST,))
    with pytest.raises(KeyReused):
        scenes.open_scene(db, world, owner, FIRST_BOARD, other, "a-key-of-import")


def test_a_thread_that_is_too_long_is_refused_at_its_field(db: Database, world: FixedWorld) -> None:
    owner = owner_of(db, world)
    longest = OldPost(text="a" * LONGEST)
    whole = (longest,) * (MOST_CHARACTERS // LONGEST)
    assert threads.read_thread(db, owner, FIRST_BOARD, ThreadToRead(posts=whole)).people == ()
    with pytest.raises(Malformed) as caught:
        threads.read_thread(db, owner, FIRST_BOARD, ThreadToRead(posts=(*whole, FIRST)))
    (mistake,) = caught.value.mistakes
    assert (mistake.field, mistake.code) == ("posts", "too_long")
    opening = OpenScene(title="Duello", setup=duel(), thread=(*whole, FIRST))
    with pytest.raises(Malformed) as caught:
        scenes.open_scene(db, world, owner, FIRST_BOARD, opening, "a-key-of-import")
    assert [one.field for one in caught.value.mistakes] == ["thread"]
    assert scenes.list_scenes(db, owner, FIRST_BOARD) == ()


@pytest.mark.parametrize(
    "bad", [OldPost(text=""), OldPost(text="\x00"), OldPost(text="a", who="A" * 81)]
)
def test_no_way_into_a_scene_goes_round_the_bounds_of_a_post(
    db: Database, world: FixedWorld, bad: OldPost
) -> None:
    opening = OpenScene(title="Duello", setup=duel(), thread=(FIRST, bad))
    with pytest.raises(Malformed) as caught:
        scenes.open_scene(db, world, owner_of(db, world), FIRST_BOARD, opening, "a-key-of-import")
    assert caught.value.mistakes[0].field.startswith("thread[1].")


def test_what_was_read_of_a_thread_can_be_sent_to_open_it(db: Database, world: FixedWorld) -> None:
    found = threads.read_thread(db, ANONYMOUS, FIRST_BOARD, ThreadToRead(posts=(FIRST, SECOND)))
    setup = {
        "entrants": encode(found.entrants),
        "distances": [{"a": "p1", "b": "p2", "metres": 10}],
    }
    opening = OpenScene(title="Duello", setup=setup, thread=(FIRST, SECOND))
    done = scenes.open_scene(
        db, world, owner_of(db, world), FIRST_BOARD, opening, "a-key-of-import"
    )
    view = scenes.read_scene(db, ANONYMOUS, done.scene_id).view
    assert [one.hp_now for one in view.combatants] == [190, 166]

"""Old threads read post by post: nothing is fatal, and everybody ends as the posts tell."""

from __future__ import annotations

import random
from typing import Any

import pytest

from app.posts.dialects import DIALECTS, render
from app.posts.phrases import LANGUAGES, sections
from app.posts.thread import (
    MOST_PEOPLE,
    MOST_TROUBLES,
    TROUBLES,
    ThreadRead,
    read_thread,
    say_trouble,
    split_named,
    split_posts,
)
from app.posts.write import write_blocks
from app.rulesets.guida.terms import Stack, Stat
from tests.unit.posts.fights import fight
from tests.unit.posts.hostile import HOSTILE
from tests.unit.posts.test_compare import NAMES, STORY

HEADER = (
    "Scheda: https://x.test/?t=1\nPV: {hp}/200 | PE: {ep}/100\n"
    "Forza 8 (+0) | Destrezza 6 ({points:+}) | Costituzione 5 (+0) | Intelligenza 2 (+0)\n"
    "\nRegistro\n{register}\n"
)


def post(hp: int = 190, ep: int = 95, points: int = 0, register: str = "Nessuna variazione") -> str:
    """Write a header as people do."""
    return HEADER.format(hp=hp, ep=ep, points=points, register=register)


def told(thread: ThreadRead) -> list[list[tuple[int | None, str]]]:
    """List the troubles of each post, by line and code, and say each of them."""
    for one in thread.posts:
        for trouble in one.troubles:
            assert all(say_trouble(language, trouble) for language in LANGUAGES)
    return [[(it.line, it.code) for it in one.troubles] for one in thread.posts]


def test_a_register_is_added_up_from_the_same_characters_post_before() -> None:
    posts = [
        ("Hollow", post(hp=200, ep=100)),
        ("Quincy", post(hp=170)),
        ("hollow ", post(hp=190, ep=100, register="Danni da Arco: -7 PV")),
        ("Quincy", post(hp=170)),
    ]
    thread = read_thread(posts)
    assert told(thread) == [[], [], [(2, "hp_unbalanced")], []]
    hollow, quincy = thread.people
    assert (hollow.name, hollow.posts, hollow.hp) == ("Hollow", (1, 3), 190)
    assert (quincy.posts, quincy.hp, quincy.max_hp, quincy.max_ep) == ((2, 4), 170, 200, 100)


def test_whose_a_post_is_is_given_or_told_by_its_dice_or_its_first_line() -> None:
    die = "Attacco (Hollow vs Quincy): (+8 [Destrezza]) 1d12+8: (7)+8 = 15\n"
    posts = [("", post() + die), ("", "Quincy\n" + post()), ("", "Chi lo sa\n" + post())]
    thread = read_thread(posts)
    assert [one.who for one in thread.posts] == ["Hollow", "Quincy", ""]
    assert told(thread)[2] == [(None, "who_unknown")]
    assert [one.name for one in thread.people] == ["Hollow", "Quincy"]
    given = read_thread([("Lupo", post() + die)])
    assert given.posts[0].who == "Lupo"


def test_dice_of_a_quotation_do_not_say_whose_a_post_is() -> None:
    die = "[quote][dice=1d12+8]Attacco (Hollow vs Quincy): (+8 [Destrezza])[/dice][/quote]\n"
    thread = read_thread([("", "Risponde.\n" + die + post())])
    assert thread.posts[0].who == ""


def test_stacks_add_up_and_what_they_give_is_no_bonus_of_its_own() -> None:
    more = "Storpiatura Articolare da Artigli: +2 Stack"
    less = "Storpiatura Articolare, durata finita: -1 Stack"
    thread = read_thread([("A", post(register=more)), ("A", post(points=-1, register=less))])
    (one,) = thread.people
    assert [(it.stack, it.count) for it in one.stacks] == [(Stack.MAIM_ARTICULAR, 1)]
    dexterity = next(it for it in one.stats if it.stat is Stat.DEXTERITY)
    assert (dexterity.base, dexterity.points, dexterity.others) == (6, -1, 2)


def test_what_no_post_tells_stays_open() -> None:
    (one,) = read_thread([("A", "PV: 85\nSi volta.")]).people
    assert (one.hp, one.max_hp, one.ep, one.max_ep, one.stats) == (85, None, None, None, ())


def test_errors_name_their_post_and_their_line() -> None:
    text = post(register="Mi sono stancato molto") + (
        "\nFase Offensiva\nAttacco (A vs B): (+8 [Destrezza]) 1d12+8: (7)+8 = 16\n"
    )
    thread = read_thread([("A", post()), ("A", text), ("A", "Tutto tace.")])
    assert told(thread) == [
        [],
        [(9, "wrong_total"), (6, "register_line")],
        [(None, "nothing_read")],
    ]
    assert [[it.post for it in one.troubles] for one in thread.posts] == [[], [2, 2], [3]]


def test_a_change_that_the_forum_marks_is_told() -> None:
    thread = read_thread([("A", post() + "\nEdited by A - 3/4/2021, 14:11\n")])
    assert thread.posts[0].edited


def test_more_people_than_a_scene_holds_are_told_and_left_out() -> None:
    posts = [(f"P{number}", post()) for number in range(MOST_PEOPLE + 1)]
    thread = read_thread(posts)
    assert len(thread.people) == MOST_PEOPLE
    assert told(thread)[-1] == [(None, "too_many_people")]


def test_a_post_full_of_faults_lists_the_first_of_them() -> None:
    die = "Attacco (A vs B): (+8 [Destrezza]) 1d12+8: (7)+8 = 16\n"
    (listed,) = told(read_thread([("A", post() + die * 150)]))
    assert len(listed) == MOST_TROUBLES + 1
    assert listed[-1] == (None, "more_troubles")


def test_several_posts_in_one_box_are_cut_at_a_line_of_plus_signs() -> None:
    assert split_posts("uno\n+++\ndue\n ++++ \n\ntre\n+++\n") == ("uno", "due", "tre")
    assert split_posts("+3 Stack\n--- \n===") == ("+3 Stack\n--- \n===",)
    assert split_posts(" \n+++\n") == ()


KAI = "[b]Kai[/b]\n" + post(hp=70) + "\nFase Difensiva\nSchiva."
RIN = "Rin\n" + post() + "\nColpisce."


@pytest.mark.parametrize("between", ["\n\n", "\n\n\n", "\n\nPosted on 3/5/2024, 21:10\n"])
def test_posts_that_were_pasted_together_are_cut_where_a_header_begins(between: str) -> None:
    parts = split_posts(RIN + between + KAI + between + RIN)
    assert [part.split("\n")[0] for part in parts] == ["Rin", "[b]Kai[/b]", "Rin"]
    assert [one.header.hp for one in read_thread([("", part) for part in parts]).posts] == [
        190,
        70,
        190,
    ]
    assert split_posts(RIN) == (RIN,)
    # The name of the field is that of its first post, and of what stands below a line of plus.
    named = split_named("Rin", RIN + between + KAI + "\n+++\n" + RIN)
    assert [who for who, _ in named] == ["Rin", "", "Rin"]


@pytest.mark.parametrize(
    "text",
    [
        "Si volta, e parla a lungo.\n\n" + RIN + "\n\n" + KAI,  # headers at the foot?
        post() + "\n\nUn famiglio la segue.\n" + KAI,  # no paragraph of its own
    ],
)
def test_where_another_post_is_not_sure_to_begin_it_is_only_said(text: str) -> None:
    assert split_posts(text) == (text.strip("\n"),)
    (listed,) = told(read_thread([("Rin", text)]))
    assert "second_header" in [code for _, code in listed]


def test_what_a_turn_came_to_at_the_foot_of_a_post_begins_no_other() -> None:
    text = RIN + "\n\nPV: 180/200 | PE: 90/100\n"
    assert split_posts(text) == (text.strip("\n"),)
    (listed,) = told(read_thread([("Rin", text)]))
    assert [code for _, code in listed] == ["second_field", "second_field"]


def test_a_familiar_right_below_its_master_begins_no_post() -> None:
    both = "Rin\nPV 9/10 PE 8/9\nForza 8 (+0)\n\nKon\nPV 5/6 PE 3/4\nForza 2 (+0)\n\nVa."
    assert split_posts(both) == (both,)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_our_own_posts_are_cut_apart_in_every_dialect(dialect: str) -> None:
    plays = [one for one in fight(NAMES, 4, 8) if one.plan.asked]
    texts = [render(write_blocks(one.source("it", STORY)), "it", dialect) for one in plays]
    assert all(len(split_posts(text)) == 1 for text in texts)
    parts = split_posts("\n\n".join(texts))
    assert [" ".join(part.split()) for part in parts] == [" ".join(text.split()) for text in texts]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_thread_of_our_own_posts_ends_where_the_fight_stands(dialect: str) -> None:
    plays = [one for one in fight(NAMES, 4, 14) if one.plan.asked]
    posts = [("", render(write_blocks(one.source("it", STORY)), "it", dialect)) for one in plays]
    thread = read_thread(posts)
    last: dict[object, Any] = {}
    for one in plays:
        for found in one.result.findings:
            if found.key == "vitals":
                last[found.facts["bearer"]] = found.facts
    assert {one.name: (one.hp, one.max_hp, one.ep, one.max_ep) for one in thread.people} == {
        name: (facts["hp"], facts["max_hp"], facts["ep"], facts["max_ep"])
        for name, facts in last.items()
    }


def test_no_hostile_thread_upsets_the_reader() -> None:
    chance = random.Random(5)
    for _ in range(40):
        posts = [
            (chance.choice(["", "A", chance.choice(HOSTILE)[:80]]), chance.choice(HOSTILE))
            for _ in range(4)
        ]
        told(read_thread(posts))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_has_a_phrase(language: str) -> None:
    assert set(sections(language, "guida")["thread"]) == set(TROUBLES)

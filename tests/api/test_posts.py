"""A whole post checked through the API: each thing that can be wrong, beside a post that is not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from app.api.openapi import examples_of
from app.http.language import LANGUAGES
from app.posts.dice_tag import MOST_TAGS
from app.posts.header import MOST_ENTRIES
from app.posts.lint import CODES, LONGEST, MOST_HINTS
from app.posts.thread import MOST_POSTS
from tests.api.conftest import Api, Table
from tests.api.test_examples import answered_as_described
from tests.unit.posts.hostile import HOSTILE

WRONG, SOUND = examples_of("check_post").values()
POST, BEFORE = SOUND["text"], SOUND["before"]
DODGE = POST[POST.index("[dice=1d12+8]") : POST.index("\n\nFase Offensiva")]
ATTACK = POST[POST.index("[dice=1d12+10]") :]
SPENT = "• Spesa per Sonìdo: -5 PE"
LIVE = re.escape(DODGE)
FALLEN = "Schivata (Hollow vs Quincy): (+8 [Destrezza]) 1d12+8: "
COUNTER = "[dice=1d18+8]Contrattacco [Artigli] (Hollow vs Quincy): (+8 [Destrezza])[/dice]"

# What is done to a sound post, and what is then said: where, under which code, by which rule.
SPOILT = {
    "no link": (r"\[url.*\]\n", "", "issues", "missing_sheet_link", "GC-1.1"),
    "no hit points": (r"PV: 85/100 \| ", "", "issues", "missing_hp", "GC-1.2"),
    "no energy": (r" \| PE: 40/60", "", "issues", "missing_ep", "GC-1.2"),
    "hit points over": ("85/100", "85/80", "hints", "hp_above_most", "GC-1.2"),
    "energy over": ("40/60", "40/30", "hints", "ep_above_most", "GC-1.2"),
    "a stat too few": (r"Forza 12 \(\+3\) \| ", "", "issues", "missing_stats", "GC-1.3"),
    "no register": (r"Registro\n(•.*\n)*", "", "issues", "missing_register", "GC-1.4"),
    "a bare stat": (r"8 \(\+0\)", "8", "issues", "stat_notation", "GC-1.3"),
    "hit points off": ("-12 PV", "-11 PV", "issues", "hp_unbalanced", "GC-2.5"),
    "energy off": ("-5 PE", "-6 PE", "issues", "ep_unbalanced", "GC-2.6"),
    "a line unread": (SPENT, f"{SPENT}\n• Graffi: 3 PV", "hints", "unread_line", "GC-1.4"),
    "a long register": (
        SPENT,
        f"{SPENT}\n" * MOST_ENTRIES,
        *("issues", "register_too_long", "GC-1.4"),
    ),
    "many dice": (re.escape(DODGE), DODGE * MOST_TAGS, "issues", "too_many_dice", "GC-4.83"),
    "an open tag": (r"\[/dice\]\n\n", "\n\n", "tag", "unclosed", "GC-4.85"),
    "no expression": ("1d12.8", "uno", "tag", "bad_expression", "GC-4.85"),
    "a long label": (r"Schivata \(", f"Schivata ({'a' * 20_001}", "tag", "too_long", "GC-4.85"),
    "no target": (
        r"Schivata \(Hollow vs Quincy\)",
        "Schivata (Hollow)",
        *("tag", "missing_actors", "GC-4.84"),
    ),
    "a wrong sum": (r"1d12\+8", "1d12+9", "tag", "modifier_mismatch", "GC-4.87"),
    "a wrong die": (r"1d12\+8", "1d24+8", "tag", "wrong_die", "GC-4.34"),
    "two dice in one": (r"1d12\+8", "2d12+8", "tag", "several_dice", "GC-4.83"),
    "a face too high": (
        re.escape(DODGE),
        FALLEN + "(13)+8 = 21",
        "tag",
        "impossible_face",
        "GC-4.85",
    ),
    "a modifier altered": (
        re.escape(DODGE),
        FALLEN + "(5)+7 = 12",
        "tag",
        "shown_modifier",
        "GC-4.87",
    ),
    "a total altered": (LIVE, f"{FALLEN}(5)+8 = 14", "tag", "wrong_total", "GC-4.87"),
    "half a counterattack": (re.escape(DODGE), COUNTER, "issues", "missing_half", "GC-14.13"),
    "two attacks": (re.escape(ATTACK), ATTACK * 2, "issues", "several_main_actions", "GC-2.17"),
    "a hypothesis": ("E colpisce", "Se cade, allora colpisce", "hints", "hypothetical", "GC-2.30"),
}
# What only an entry brings out, what only the post before does, and what no text can be.
ELSEWHERE = {"missing_roll", "extra_roll", "before_unread", "sheet_link_unseen"}
NEVER = {"not_a_tag", "conditional_sequence"}  # a tag alone; a post that a person has read


def check(api: Api, text: str, **more: Any) -> Any:
    """Check a post, and hold the answer against its description."""
    answer = api("POST", "/posts/check", {"text": text, **more})
    answered_as_described("check_post", answer)
    return answer


def told(found: Any) -> list[tuple[str, str, str]]:
    """List everything that was said of a post: where, under which code, by which rule."""
    said = [("tag", one) for tag in found["tags"] for one in tag["issues"]]
    said += [(where, one) for where in ("issues", "hints") for one in found[where]]
    return [(where, one["code"], one["rule"]) for where, one in said]


def test_a_sound_post_is_valid_and_told_as_it_was_read(api: Api) -> None:
    found = check(api, POST, before=BEFORE).json()
    assert (found["valid"], told(found)) == (True, [])
    assert found["before"] == {"hp": 97, "ep": 45}
    header = found["header"]
    assert (header["hp"], header["max_hp"], header["ep"], header["max_ep"]) == (85, 100, 40, 60)
    assert header["sheet_link"] == "https://forum.example/?t=1"
    assert header["register"] == [{"amount": -12, "unit": "hp"}, {"amount": -5, "unit": "ep"}]
    assert [one["base"] for one in header["stats"]] == [12, 10, 8, 6]
    assert [(one["source"], one["quoted"]) for one in found["tags"]] == [
        (DODGE, False),
        (ATTACK.strip(), False),
    ]


@pytest.mark.parametrize("name", SPOILT)
def test_each_thing_that_is_wrong_is_told_and_nothing_else(api: Api, name: str) -> None:
    old, new, *expected = SPOILT[name]
    spoilt, count = re.subn(old, lambda _: new, POST, count=1)
    assert count == 1
    found = check(api, spoilt, before=BEFORE).json()
    assert told(found) == [tuple(expected)]
    assert found["valid"] is (expected[0] == "hints")


def test_every_code_is_told_by_some_post() -> None:
    assert {row[3] for row in SPOILT.values()} | ELSEWHERE | NEVER == set(CODES)


def test_a_copied_page_is_not_faulted_for_the_address_that_it_cannot_show(api: Api) -> None:
    rendered = re.sub(r"\[dice=[^]]*\].*?\[/dice\]", "", re.sub(r"\[url.*\]", "Scheda", POST))
    rendered = re.sub(r"\[/?[a-z]+\]", "", rendered)
    found = check(api, rendered, before=BEFORE).json()
    assert (found["valid"], told(found)) == (True, [("hints", "sheet_link_unseen", "GC-1.1")])


def test_an_issue_says_its_facts_and_how_to_mend_it_in_both_languages(api: Api) -> None:
    italian = api("POST", "/posts/check", WRONG).json()
    english = api("POST", "/posts/check?lang=en", WRONG).json()
    assert told(italian) == told(english)
    assert len(told(italian)) == 5
    (unbalanced,) = (one for one in italian["issues"] if one["code"] == "ep_unbalanced")
    assert unbalanced["facts"] == {
        "what": "ep",
        "before": 45,
        "now": 38,
        "losses": 5,
        "gains": 0,
        "discrepancy": -2,
    }
    for found, language in zip((italian, english), LANGUAGES, strict=True):
        for one in [*found["issues"], *found["hints"], *found["tags"][0]["issues"]]:
            assert one["message"] == one["messages"][language]
            assert one["messages"]["it"] != one["messages"]["en"]


def test_without_the_post_before_the_register_is_not_added_up(api: Api) -> None:
    wrong = POST.replace("-12 PV", "-11 PV")
    found = check(api, wrong).json()
    assert (found["valid"], found["before"], told(found)) == (True, None, [])
    assert check(api, wrong, before="  \n").json() == found


def test_a_post_before_that_cannot_be_read_is_said_to_be_so(api: Api) -> None:
    found = check(api, POST, before="PV: 97/100, e null'altro").json()
    assert told(found) == [("hints", "before_unread", "GC-2.5")]
    assert (found["valid"], found["before"]) == (True, None)


def test_the_board_says_whether_gains_count(api: Api) -> None:
    healed = POST.replace(SPENT, f"{SPENT}\n• Cura: +2 PV")
    before = BEFORE.replace("97", "95")
    assert check(api, healed, before=before).json()["valid"]
    options = {"options": {"guida": {"register_counts_gains": False}}}
    assert api("PATCH", "/boards/board", options, secret=api.owner).status_code == 200
    found = check(api, healed, before=before).json()
    assert told(found) == [("issues", "hp_unbalanced", "GC-2.5")]


def declared(table: Table) -> tuple[dict[str, Any], str]:
    """Declare the first attack of the examples; give its entry's place, and the post to paste."""
    order = next(iter(examples_of("submit_order").values()))["order"]
    number = table.decide(table.gm, order).json()["number"]
    written = table.api("GET", f"/scenes/{table.id}/entries/{number}").json()["posts"]["guida"]
    return {"scene_id": table.id, "number": number}, written


def test_an_entry_says_which_dice_its_post_must_hold(api: Api) -> None:
    place, post = declared(api.open_scene(dice="forum"))
    found = check(api, post, entry=place).json()
    assert (found["valid"], told(found), len(found["tags"])) == (True, [], 1)
    tag = found["tags"][0]["source"]
    without = check(api, post.replace(tag, ""), entry=place).json()
    assert told(without) == [("issues", "missing_roll", "GC-4.83")]
    assert without["issues"][0]["facts"] == {"action": "attack", "sides": 12, "actor": "Hollow"}
    dodge = "[dice=1d12]Schivata (Hollow vs Quincy)[/dice]"
    twice = check(api, post.replace(tag, tag + dodge), entry=place).json()
    assert told(twice) == [("issues", "extra_roll", "GC-4.83")]
    assert not without["valid"]
    assert not twice["valid"]


def test_a_post_that_shows_what_the_service_rolled_needs_no_tag(api: Api) -> None:
    place, post = declared(api.open_scene(dice="service"))
    found = check(api, post, entry=place).json()
    assert found["valid"]
    assert [one["source"] for one in found["tags"]] == ["1d12+15: (11)+15 = 26"]


def test_a_post_is_read_under_the_options_of_its_scene(api: Api) -> None:
    place, _ = declared(api.open_scene(dice="service"))
    options = {"options": {"guida": {"register_counts_gains": False}}}
    assert api("PATCH", "/boards/board", options, secret=api.owner).status_code == 200
    healed = POST.replace(SPENT, f"{SPENT}\n• Cura: +2 PV")
    before = BEFORE.replace("97", "95")
    assert check(api, healed, before=before, entry=place).json()["valid"]
    assert not check(api, healed, before=before).json()["valid"]


@pytest.mark.parametrize("place", [{"scene_id": "nothing", "number": 1}, {"number": 99}])
def test_an_entry_that_is_not_there_is_not_found(
    api: Api, table: Table, place: dict[str, Any]
) -> None:
    body = {"text": POST, "entry": {"scene_id": table.id, **place}}
    answer = api("POST", "/posts/check", body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("field", ["text", "before"])
def test_a_post_that_is_too_long_is_refused_and_never_cut(api: Api, field: str) -> None:
    fitting = POST + "." * (LONGEST - len(POST))
    longest = {"text": POST, field: fitting}
    assert api("POST", "/posts/check", longest).status_code == 200
    answer = api("POST", "/posts/check", {**longest, field: fitting + "."})
    assert answer.status_code == 422
    (wrong,) = answer.json()["errors"]
    assert (wrong["field"], wrong["code"]) == (field, "too_long")
    assert str(LONGEST) in wrong["messages"]["it"].replace(".", "")
    assert "Incolla soltanto questo post" in wrong["messages"]["it"]
    assert "Paste this post alone" in wrong["messages"]["en"]
    assert wrong["messages"]["it"] != wrong["messages"]["en"]


def test_the_end_of_the_longest_post_is_read(api: Api) -> None:
    room = LONGEST - len(POST)
    for filler in ("\n", "a ", "Parole, parole. "):
        late = filler * (room // len(filler)) + "\n"[: room % len(filler)] + "\n" + POST
        found = check(api, late[-LONGEST:], before=BEFORE).json()
        assert (found["valid"], told(found)) == (True, []), filler


def test_line_ends_of_any_system_are_read(api: Api) -> None:
    found = check(api, POST.replace("\n", "\r\n"), before=BEFORE).json()
    assert (found["valid"], told(found)) == (True, [])


@pytest.mark.parametrize("bad", [*HOSTILE, *(part * 400 for part in HOSTILE)], ids=repr)
def test_no_text_makes_it_fail_and_no_answer_grows_beyond_measure(api: Api, bad: str) -> None:
    for body in ({"text": bad}, {"text": POST + bad, "before": bad}):
        answer = api("POST", "/posts/check", body)
        assert answer.status_code in (200, 422)
        if answer.status_code == 422:
            codes = {one["code"] for one in answer.json()["errors"]}
            assert codes <= {"bad_text", "too_long"}
        else:
            answered_as_described("check_post", answer)
            assert len(answer.content) < 1_000_000


def test_hints_are_few_however_many_hypotheses_there_are(api: Api) -> None:
    found = check(api, POST + "Qualora cada, resta. " * 1_000, before=BEFORE).json()
    assert told(found) == [("hints", "hypothetical", "GC-2.30")] * MOST_HINTS
    assert found["valid"]


def read(api: Api, text: str, **more: Any) -> Any:
    """Read a pasted post, and hold the answer against its description."""
    answer = api("POST", "/read", {"text": text, **more})
    answered_as_described("read_post", answer)
    assert len(answer.content) < 1_000_000
    return answer.json()


def test_a_pasted_post_is_read_with_the_place_of_everything(api: Api) -> None:
    pasted, _ = examples_of("read_post").values()
    found = read(api, **pasted)
    assert (found["paste"], found["edited"], found["left_out"]) == ("rendered", True, 0)
    assert [one["text"] for one in found["unread"]] == ["Mi sono stancato molto"]
    for one in found["claims"] + found["unread"]:
        assert one["text"] == pasted["text"][one["start"] : one["end"]]
        assert one["text"] in pasted["text"].split("\n")[one["line"] - 1]
        assert one["message"] == one["messages"]["it"] != one["messages"]["en"]
    assert told(found["checked"]) == [("tag", "wrong_total", "GC-4.87")]


def test_the_guidas_wrong_example_is_found_and_its_right_one_has_no_fault(api: Api) -> None:
    _, wrong = examples_of("read_post").values()
    guard = "[dice=1d24+6]Protezione (Hollow vs Quincy): (+2 [Bonus Protezione] +4 [Destrezza])"
    for text, expected in (
        (wrong["text"], [("tag", "modifier_mismatch", "GC-4.87")]),
        (f"{guard}[/dice]", []),
    ):
        found = read(api, text)["checked"]
        assert [one for one in told(found) if one[0] == "tag"] == expected


def test_a_pasted_post_is_added_up_from_the_one_before(api: Api) -> None:
    assert told(read(api, POST, before=BEFORE)["checked"]) == []
    off = read(api, POST, before="PV: 98/100 | PE: 45/60")
    assert told(off["checked"]) == [("issues", "hp_unbalanced", "GC-2.5")]


@pytest.mark.parametrize(
    "piece",
    [
        "Schivata (A vs B): (+8 [Destrezza]) 1d12+8: (14)+8 = 13\n",
        "[dice=1d12]x (A vs B): (+1 [F], +2 [G])[/dice]\n",
        "Registro\n" + "Stanco. " * 30 + "\n-1 PV\n",
        "PV: molti | Rei 30/50 | ",
    ],
    ids=range(4),
)
def test_what_is_read_of_the_longest_post_is_bounded(api: Api, piece: str) -> None:
    text = ("PV 85/100\nRegistro\n" + piece * (LONGEST // len(piece)))[:LONGEST]
    assert read(api, text)["checked"]["valid"] is False


def compare(api: Api, table: Table, text: str, **more: Any) -> Any:
    """Compare a post with an entry, and hold the answer against its description."""
    answer = api("POST", f"/scenes/{table.id}/compare", {"text": text, **more})
    if answer.status_code == 200:
        answered_as_described("compare_post", answer)
        assert len(answer.content) < 1_000_000
    return answer


def test_each_difference_of_a_post_is_told_with_place_rule_and_reason(api: Api) -> None:
    table = api.open_scene()
    order = next(iter(examples_of("submit_order").values()))["order"]
    table.decide(table.gm, order)
    post = api("GET", f"/scenes/{table.id}/entries/1").json()["posts"]["guida"]
    assert compare(api, table, post).json()["same"] is True
    wrong = post.replace("100/100", "90/100")
    found = compare(api, table, wrong, entry=1).json()
    (one,) = (number for number in found["numbers"] if not number["same"])
    assert (one["kind"], one["claimed"], one["computed"]) == ("hp", 90, 100)
    place = one["place"]
    assert wrong[place["start"] : place["end"]] == place["text"]
    assert [(why["rule"], why["code"]) for why in one["because"]] == [("GC-2.5", "not_from_before")]
    for why in one["because"]:
        assert why["message"] == why["messages"]["it"] != why["messages"]["en"]


@pytest.mark.parametrize("bad", [*HOSTILE, *(part * 400 for part in HOSTILE)], ids=repr)
def test_no_text_upsets_a_comparison(api: Api, bad: str) -> None:
    table = api.open_scene()
    order = next(iter(examples_of("submit_order").values()))["order"]
    table.decide(table.gm, order)
    answer = compare(api, table, POST + bad)
    assert answer.status_code in (200, 422)
    if answer.status_code == 422:
        assert {one["code"] for one in answer.json()["errors"]} <= {"bad_text", "too_long"}


@pytest.mark.parametrize(
    "piece", ["Registro\n" + "-1 PV, +1 Stack\n", DODGE, "Forza 1 (+1) ", "Fase Difensiva\n"]
)
def test_what_is_compared_of_the_longest_post_is_bounded(api: Api, piece: str) -> None:
    table = api.open_scene()
    order = next(iter(examples_of("submit_order").values()))["order"]
    table.decide(table.gm, order)
    text = ("PV 85/100\nRegistro\n" + piece * (LONGEST // len(piece)))[:LONGEST]
    assert compare(api, table, text).json()["same"] is False


THREAD = next(iter(examples_of("read_thread").values()))["posts"]
# What a text must not hold that is stored or shown, each with what is said of it.
REFUSED = {
    "a NUL": ("PV: 3/4\x00", "bad_text"),
    "a direction turned around": ("Kai\u202enimdA", "bad_text"),
    "half a character": ("\ud800", "bad_text"),
    "nothing": ("", "too_short"),
    "too much": ("a" * (LONGEST + 1), "too_long"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_database_should_keep_is_refused_at_its_post(api: Api, name: str) -> None:
    text, code = REFUSED[name]
    posts = [*THREAD, {"text": text}]
    opening = {**examples_of("open_scene")["Dall'inizio"], "thread": posts}
    for path, body, field in (
        ("/threads/read", {"posts": posts}, "posts.2.text"),
        ("/boards/board/scenes", opening, "thread.2.text"),
    ):
        content = json.dumps(body).encode()
        answer = api("POST", path, content, secret=api.owner)
        assert answer.status_code == 422, answer.text
        assert [(one["field"], one["code"]) for one in answer.json()["errors"]] == [(field, code)]
    assert api("GET", "/scenes", secret=api.owner).json()["scenes"] == []


@pytest.mark.parametrize("who", ["Kaito\n", "Kai\u202enimdA", "a" * 81, "\x00"])
def test_a_name_of_an_old_post_is_one_line_of_one_direction(api: Api, who: str) -> None:
    answer = api("POST", "/threads/read", {"posts": [{"text": "PV: 3/4", "who": who}]})
    assert answer.status_code == 422
    assert [one["field"] for one in answer.json()["errors"]] == ["posts.0.who"]


@pytest.mark.parametrize("bad", HOSTILE, ids=repr)
def test_an_old_post_is_given_back_as_it_was_pasted(api: Api, bad: str) -> None:
    thread = [{"text": f"{POST}{bad}", "who": "Rin [/b][dice]1d20[/dice]"}]
    opening = {**examples_of("open_scene")["Dall'inizio"], "thread": thread}
    answer = api("POST", "/boards/board/scenes", opening, secret=api.owner)
    if answer.status_code == 422:
        assert {one["code"] for one in answer.json()["errors"]} == {"bad_text"}
        return
    kept = api("GET", f"/scenes/{answer.json()['scene_id']}/thread")
    answered_as_described("read_old_posts", kept)
    (one,) = kept.json()["posts"]
    assert (one["text"], one["who"]) == (thread[0]["text"], thread[0]["who"])


def test_more_posts_than_a_scene_keeps_are_refused(api: Api) -> None:
    posts = [{"text": "PV: 3/4", "who": "A"}] * (MOST_POSTS + 1)
    answer = api("POST", "/threads/read", {"posts": posts})
    assert answer.status_code == 422
    assert [(one["field"], one["code"]) for one in answer.json()["errors"]] == [
        ("posts", "too_long")
    ]
    assert api("POST", "/threads/read", {"posts": posts[1:]}).status_code == 200

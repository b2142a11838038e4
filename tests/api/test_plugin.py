"""A forum plugin plays a whole scene with nothing but the secrets of its seats."""

import re
from typing import Any

import pytest

from app.posts.dice_tag import check_post
from tests.api.conftest import Api, Table

TAG = re.compile(r"\[dice=1d([0-9]+)([+-][0-9]+)?\](.*?)\[/dice\]")
POSTS = 6
# What the post of each number meets the attack before it with; the first meets none.
DEFENCES = [
    {},
    {"action": "dodge"},
    {"action": "guard", "tool": "artigli"},
    {"action": "guard", "tool": "arco"},
    {"action": "null_defence"},
    {"action": "dodge"},
]
WEAPONS = {"hollow": "artigli", "quincy": "arco"}


def turn_of(table: Table, seat: str, number: int) -> dict[str, Any]:
    """Answer what is coming with the next kind of defence, and attack."""
    secret = table.seats[seat]
    scene = table.api("GET", f"/scenes/{table.id}", secret=secret).json()
    assert scene["mine"] == [seat]
    assert scene["awaited"]["seats"] == [seat]
    view = scene["view"]
    coming = [attack["id"] for attack in view["incoming"] if attack["target"] == seat]
    other = next(one["id"] for one in view["combatants"] if one["id"] != seat)
    defences = [{**DEFENCES[number], "against": coming}] if coming else []
    attack = {"kind": "attack", "target": other, "tool": WEAPONS[seat]}
    return {"kind": "turn", "by": seat, "defences": defences, "main": attack}


def play(table: Table) -> list[Any]:
    """Play six posts, giving the forum's dice wherever they are awaited; return the entries."""
    api, entries = table.api, []
    for number in range(POSTS):
        seat = ("hollow", "quincy")[number % 2]
        secret = table.seats[seat]
        order = turn_of(table, seat, number)
        body = {"order": order, "narration": {"offensive": f"Il post numero {number + 1}."}}

        tried = api("POST", f"/scenes/{table.id}/preview", body, secret=secret, key=None).json()
        assert tried["obstacles"] == []
        assert tried["seat"] == seat

        done = table.decide(secret, order, **body["narration"])
        assert done.status_code == 201, done.text
        address = f"/scenes/{table.id}/entries/{done.json()['number']}"
        assert done.headers["location"].endswith(address)
        if done.json()["status"] == "declared":
            done = give_dice(table, secret, address)
        assert done.json()["status"] == "resolved"
        entries.append(api("GET", address, secret=secret).json())
    return entries


def give_dice(table: Table, secret: str, address: str) -> Any:
    """Read the live tags of a declared post, let the forum roll them, and tell what fell."""
    declared = table.api("GET", address, secret=secret).json()
    post = declared["posts"]["guida"]
    live = check_post(post)
    asked = declared["entry"]["asked"]
    assert len(live) == len(asked)
    assert [one.tag.issues for one in live] == [()] * len(live)
    scene = table.api("GET", f"/scenes/{table.id}", secret=secret).json()
    assert scene["waiting"] == declared["entry"]["number"]
    faces = [1 + (3 * index + scene["version"]) % one["sides"] for index, one in enumerate(asked)]
    return table.api(
        "POST", f"{address}/dice", {"faces": faces}, secret=secret, version=scene["version"]
    )


def test_six_posts_with_the_services_dice(api: Api) -> None:
    entries = play(api.open_scene())
    assert len(entries) == POSTS
    for told in entries:
        assert told["entry"]["provenance"] == "service"
        assert "[dice" not in told["posts"]["guida"]
        assert " = " in told["posts"]["plain"]
        assert f"Il post numero {told['entry']['number']}." in told["posts"]["guida"]
        assert len(told["texts"]) == len(told["entry"]["findings"])
    assert {finding["key"] for told in entries for finding in told["entry"]["findings"]} > {
        "attack_launched"
    }


def paste(table: Table, secret: str, address: str) -> Any:
    """Let the forum roll the live tags of a declared post, and send the post as it shows it."""
    declared = table.api("GET", address, secret=secret).json()
    post = TAG.sub(_rolled, declared["posts"]["guida"])
    seen = table.api("POST", f"{address}/dice/read", {"text": post}, secret=secret, key=None)
    assert seen.status_code == 200, seen.text
    assert (seen.json()["ready"], seen.json()["mistakes"]) == (True, [])
    assert all(one["face"] == 1 + one["sides"] // 2 for one in seen.json()["dice"])
    return table.api(
        "POST", f"{address}/dice/post", {"text": post}, secret=secret, version=table.version
    )


def _rolled(tag: re.Match[str]) -> str:
    face, modifier = 1 + int(tag[1]) // 2, int(tag[2] or 0)
    return f"{tag[3]}: 1d{tag[1]}{tag[2] or ''}: ({face}){tag[2] or ''} = {face + modifier}"


@pytest.mark.parametrize(("who", "provenance"), [("player", "forum"), ("owner", "plugin")])
def test_six_posts_that_the_forum_shows(
    api: Api, monkeypatch: pytest.MonkeyPatch, who: str, provenance: str
) -> None:
    def by_post(table: Table, secret: str, address: str) -> Any:
        return paste(table, api.owner if who == "owner" else secret, address)

    monkeypatch.setattr(f"{__name__}.give_dice", by_post)
    entries = play(api.open_scene(dice="forum"))
    assert [told["entry"]["provenance"] for told in entries] == [provenance] * POSTS
    said = "Letto in modo generico, perché non si sa come questo forum mostra i tiri"
    assert all(told["remarks"][0].startswith(said) for told in entries)


def test_a_wrong_post_names_each_die_in_both_languages_and_changes_nothing(api: Api) -> None:
    table = api.open_scene(dice="forum")
    number = table.decide(table.seats["hollow"], turn_of(table, "hollow", 0)).json()["number"]
    address = f"/scenes/{table.id}/entries/{number}"
    before = (table.version, api("GET", address).content)
    hollow = {"secret": table.seats["hollow"], "version": table.version}
    body = {"text": "Non ho ancora tirato."}
    refused = api("POST", f"{address}/dice/post", body, **hollow)
    assert (refused.status_code, refused.json()["code"]) == (422, "malformed")
    assert {(one["field"], one["code"]) for one in refused.json()["errors"]} == {
        ("text", "die_missing")
    }
    for one in refused.json()["errors"]:
        assert "Hollow" in one["messages"]["it"]
        assert one["messages"]["it"].startswith("Manca il dado")
        assert one["messages"]["en"].startswith("The die")
    assert (table.version, api("GET", address).content) == before


def test_six_posts_with_the_forums_dice(api: Api) -> None:
    entries = play(api.open_scene(dice="forum"))
    assert [told["entry"]["provenance"] for told in entries] == ["typed"] * POSTS
    assert all("[dice" not in told["posts"]["guida"] for told in entries)


def test_while_dice_are_awaited_nothing_else_is_decided(api: Api) -> None:
    table = api.open_scene(dice="forum")
    secret = table.seats["hollow"]
    first = table.decide(secret, turn_of(table, "hollow", 0))
    assert first.json()["status"] == "declared"
    again = table.decide(secret, turn_of_the_same(first))
    assert (again.status_code, again.json()["code"]) == (409, "dice_awaited")


def turn_of_the_same(first: Any) -> dict[str, Any]:
    """Give some order, which one does not matter."""
    assert first.status_code == 201
    return {"kind": "turn", "by": "hollow"}


@pytest.mark.parametrize("faces", [[13], [0], [1, 2], [], ["8"], [8.5], [True], [None]])
def test_the_forums_dice_are_as_many_and_as_large_as_asked(api: Api, faces: list[Any]) -> None:
    table = api.open_scene(dice="forum")
    secret = table.seats["hollow"]
    number = table.decide(secret, turn_of(table, "hollow", 0)).json()["number"]
    answer = api(
        "POST",
        f"/scenes/{table.id}/entries/{number}/dice",
        {"faces": faces},
        secret=secret,
        version=table.version,
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert answer.json()["errors"][0]["field"].startswith("faces")


@pytest.mark.parametrize("modifiers", [[1, 2], ["six"], [10_000], [True], 6])
def test_modifiers_of_tags_are_numbers_and_one_for_each_die(api: Api, modifiers: Any) -> None:
    table = api.open_scene(dice="forum")
    number = table.decide(table.gm, turn_of(table, "hollow", 0)).json()["number"]
    body = {"faces": [4], "modifiers": modifiers}
    address = f"/scenes/{table.id}/entries/{number}/dice"
    answer = api("POST", address, body, secret=table.gm, version=table.version)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert answer.json()["errors"][0]["field"].startswith("modifiers")


def test_dice_that_the_board_refuses_are_named_and_may_be_given_again(api: Api) -> None:
    board = api("GET", "/boards/board", secret=api.owner)
    changes = {"options": {"guida": {"dice_tag_mismatch": "reject"}}}
    assert api("PATCH", "/boards/board", changes, secret=api.owner).status_code == 200, board.text
    table = api.open_scene(dice="forum")
    number = table.decide(table.gm, turn_of(table, "hollow", 0)).json()["number"]
    address = f"/scenes/{table.id}/entries/{number}/dice"
    refused = api(
        "POST",
        address,
        {"faces": [4], "modifiers": [0]},
        secret=table.gm,
        version=table.version,
    )
    assert (refused.status_code, refused.json()["code"]) == (409, "refused")
    (error,) = refused.json()["errors"]
    assert (error["field"], error["code"]) == ("modifiers.0", "modifier_mismatch")
    given = api(
        "POST",
        address,
        {"faces": [4], "modifiers": [None]},
        secret=table.gm,
        version=table.version,
    )
    assert given.status_code == 201, given.text


def test_a_preview_never_rolls_and_never_counts(table: Table) -> None:
    secret = table.seats["hollow"]
    body = {"order": turn_of(table, "hollow", 0), "narration": {}}
    before = table.version
    tries = {
        table.api("POST", f"/scenes/{table.id}/preview", body, secret=secret).text for _ in range(5)
    }
    assert len(tries) == 1
    assert table.version == before


def test_a_preview_says_everything_that_stands_in_the_way(table: Table) -> None:
    attack = {"kind": "attack", "target": "hollow", "tool": "nothing", "aim": "limbs"}
    body = {"order": {"kind": "turn", "by": "hollow", "main": attack}}
    tried = table.api(
        "POST", f"/scenes/{table.id}/preview?lang=en", body, secret=table.seats["hollow"]
    ).json()
    assert tried["plan"] is None
    assert tried["obstacles"]
    for one in tried["obstacles"]:
        assert one["message"] == one["messages"]["en"] != one["messages"]["it"]
        assert one["rule"]

"""One way through the whole API, with the bodies that its document shows.

Run as a program it writes down what was answered, for the document to show that too:
``python -m tests.api.story``.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from app.api.openapi import ANSWERS, examples_of
from app.api.operations import OPERATIONS as NOTED
from app.config import Settings
from app.engine.seal import seal_of
from app.main import create_app
from app.persistence.database import Database
from app.persistence.schema import upgrade
from app.persistence.tables import FIRST_BOARD
from app.services.boards import owner_link
from tests.api.conftest import BASE, DUEL, Api, FixedWorld, Table, banish, signed_up

LONG, FEW = 12, 2  # of a list as long as a book, the document shows the beginning
Told = tuple[str, Any]
QUIET: dict[str, Any] = {"jobs": False, "jobs_every": 3600}


def tell(api: Api, addresses: Mapping[str, tuple[str, str]]) -> Iterator[Told]:
    """Call every operation, each with every example; yield its name and what was answered."""

    def call(name: str, how: Callable[[], Mapping[str, Any]] = dict, **places: Any) -> list[Told]:
        method, path = addresses[name]
        return [
            (name, api(method, path.format(**{"board_id": FIRST_BOARD, **places}), body, **how()))
            for body in examples_of(name).values() or [None]
        ]

    def owner() -> dict[str, Any]:
        return {"secret": api.owner}

    yield from call("read_board", owner)
    yield from call("learn_pattern", owner)
    yield from call("read_pattern", owner)
    yield from call("forget_pattern", owner)
    yield from (sheets := call("add_sheet", owner))
    sheet_id = sheets[0][1].json()["id"]
    yield from call("read_sheet", owner, sheet_id=sheet_id)
    yield from call("replace_sheet", lambda: {**owner(), "version": 1}, sheet_id=sheet_id)
    yield from call("list_sheets", owner)
    yield from (opened := call("open_scene", owner))
    scene = opened[0][1].json()
    table = Table(api, scene["scene_id"], scene["gm"]["secret"], {})
    here: dict[str, Any] = {"scene_id": table.id}

    def master() -> dict[str, Any]:
        return {"secret": table.gm, "version": table.version}

    for seat, link in scene["seats"].items():  # so that no turn waits for their salts
        api("POST", f"/scenes/{table.id}/waivers", {"seat": seat}, secret=link["secret"])
    yield from call("list_choices", master, seat="hollow", **here)
    yield from call("preview_order", master, **here)
    yield from (decided := call("submit_order", master, **here))
    yield from call("read_entry", master, number=1, **here)
    yield from call("correct_story", master, number=1, **here)
    yield from call("amend_turn", master, number=decided[1][1].json()["number"], **here)
    yield from call("void_decision", master, **here)
    yield from call("list_entries", master, **here)
    yield from call("read_luck", master, **here)
    yield from call("read_timeline", master, **here)
    yield from call("read_export", master, **here)
    yield from (shared := call("share_summary", master, **here))
    yield from call("read_shared_summary", master, **here)
    yield from call("read_summary", token=shared[0][1].json()["token"])
    yield from call("revoke_summary", master, **here)
    yield from call("list_suggestions", master, **here)  # the last answer was taken back
    yield from call("list_precedents")
    yield from call("read_precedent", precedent=1)
    yield from call("retire_precedent", owner, precedent=1)
    yield from call("list_ambiguities")
    yield from call("read_scene_options", **here)
    yield from call("read_scene", master, **here)
    yield from call("list_scenes", master)
    yield from call("list_links", master, **here)
    yield from call("reissue_seat_link", master, seat="hollow", **here)
    yield from call("revoke_seat_link", master, seat="hollow", **here)

    fresh = api.open_scene()
    seen = {"secret": fresh.gm, "version": fresh.version}
    yield from call("submit_series", lambda: seen, scene_id=fresh.id)
    yield from call("read_joint_post", lambda: seen, scene_id=fresh.id, first=1, last=2)
    yield from call("compare_post", scene_id=fresh.id)

    yield from tell_of_reviews(api, call)
    yield from tell_of_people(api, call)
    yield from tell_of_beings(api, call)
    late = api.open_scene(**DUEL, answer_within=24)
    for_late: dict[str, Any] = {"scene_id": late.id}
    yield from call("set_deadline", lambda: {"secret": late.gm}, **for_late)
    yield from tell_of_time(call, late, owner)
    api("PUT", f"/scenes/{late.id}/deadline", {"answer_within": 1}, secret=late.gm)
    api.world.moment += timedelta(hours=1)
    yield from call(
        "apply_default",
        lambda: {"secret": late.seats["quincy"], "version": late.version},
        **for_late,
    )

    forum = api.open_scene(dice="forum")
    order = next(iter(examples_of("submit_order").values()))["order"]
    number = forum.decide(forum.gm, order).json()["number"]
    waiting = {"secret": forum.gm, "version": forum.version}
    yield from call("give_dice", lambda: waiting, scene_id=forum.id, number=number)
    yield from tell_of_posts(api, call, order)

    yield from tell_of_dice(api, call)
    yield from call("reissue_gm_link", owner, **here)
    yield from call("revoke_gm_link", owner, **here)
    yield from call("change_board", owner)
    old = api.open_scene(thread=next(iter(examples_of("read_thread").values()))["posts"])
    yield from call("read_old_posts", scene_id=old.id)
    yield from tell_of_the_book(api, call)  # from then on scenes take approved pieces only
    for name in ("adjudicate", "tell_odds", "check_tags", "check_post", "read_post", "read_thread"):
        yield from call(name)
    for name in ("list_rules", "list_books", "list_terms", "list_errors"):
        yield from call(name)
    yield from call("read_rule", rule_id="GC-4.87")
    for name in ("list_warriors", "read_duel_matrix", "work_out_duel", "work_out_matchups"):
        yield from call(name)
    yield from call("read_warrior", warrior_id="guerriero")
    for name in ("list_cases", "read_coverage"):
        yield from call(name)
    yield from call("read_case", case_id="A-5-1")


def tell_of_time(
    call: Callable[..., list[Told]], late: Table, owner: Callable[[], dict[str, Any]]
) -> Iterator[Told]:
    """Call the operations about clocks and notices, around a duel in which somebody is late."""
    here: dict[str, Any] = {"scene_id": late.id}

    def master() -> dict[str, Any]:
        return {"secret": late.gm}

    def player() -> dict[str, Any]:
        return {"secret": late.seats["hollow"]}

    yield from call("set_board_time", owner)
    yield from call("read_board_time", owner)
    yield from call("set_clock", master, **here)
    yield from call("stop_clock", master, **here)
    yield from call("let_clock_go_on", master, **here)
    yield from (made := call("add_vacation", player, **here))
    number = made[0][1].json()["vacations"][0]["number"]
    yield from call("end_vacation", player, number=number, **here)
    yield from call("read_clock", master, **here)
    yield from call("list_notices", player)
    yield from call("mark_notices_read", player)
    yield from call("set_notice_settings", player)
    yield from call("read_notice_settings", player)
    for name in ("make_feed", "revoke_feed"):
        yield from call(name, player)
    for name in ("make_board_feed", "revoke_board_feed"):
        yield from call(name, owner)


def tell_of_people(api: Api, call: Callable[..., list[Told]]) -> Iterator[Told]:
    """Call the operations about people: a board of somebody's own, and who comes and goes."""
    rin, sol = signed_up(api, "Rin"), signed_up(api, "Sol")
    yield from (made := call("make_board", rin.how))
    here = {"board_id": made[0][1].json()["board_id"]}
    yield from (asked := call("invite", rin.how, **here))
    yield from call("list_invitations", rin.how, **here)
    invited = {"secret": asked[0][1].json()["secret"]}  # that of an example would not hold
    yield "accept_invitation", sol("POST", "/invitations/accept", invited)
    yield from call("list_members", rin.how, **here)
    sols = {**here, "person_id": sol.person}
    yield from call("set_role", rin.how, **sols)
    invitation = rin("GET", f"/boards/{here['board_id']}/invitations").json()["invitations"][0]
    yield from call("revoke_invitation", rin.how, invitation_id=invitation["id"], **here)
    yield from call("remove_member", rin.how, **sols)
    rin("PATCH", f"/boards/{here['board_id']}", {"joining": "open"})
    yield from call("join_board", sol.how, **here)
    table = api.open_scene()
    kept = {"secret": table.seats["hollow"]}
    yield "keep_link", sol("POST", "/me/keys", kept)
    yield from call("read_me", sol.how)
    yield from call("list_boards", sol.how)
    master = {"secret": table.gm}
    yield from (claims := call("list_claims", lambda: master, scene_id=table.id))
    key = {"key_id": claims[0][1].json()["claims"][0]["key"]}
    yield from call("revoke_claim", lambda: master, scene_id=table.id, **key)
    again = sol("POST", "/me/keys", kept).json()["keys"]
    mine = next(one["id"] for one in again if one["role"] == "seat")
    yield from call("give_up_key", sol.how, key_id=mine)
    sol.how()  # whoever comes next is nobody


def tell_of_beings(api: Api, call: Callable[..., list[Told]]) -> Iterator[Told]:
    """Call the operations about beings: of one that fights and is banished, and of another."""

    def owner() -> dict[str, Any]:
        return {"secret": api.owner}

    yield from (entered := call("add_being", owner))
    gone, other = (answer.json()["being_id"] for _, answer in entered)
    before = api("GET", "/boards/board").json()["options"]["warrior_dice"]
    banish(api, gone)
    yield from call("read_being", owner, being_id=gone)
    yield from call("list_beings", owner)
    yield from call("add_successor", owner, being_id=gone)
    yield from call("reissue_being_link", owner, being_id=other)
    yield from call("retire_being", lambda: {**owner(), "version": 1}, being_id=other)
    api("PATCH", "/boards/board", {"options": {"warrior_dice": before}}, **owner())


def tell_of_reviews(api: Api, call: Callable[..., list[Told]]) -> Iterator[Told]:
    """Call the operations of the Master's desk: about a turn of a player, and the board."""
    table = api.open_scene()
    order = next(iter(examples_of("submit_order").values()))["order"]
    number = table.decide(table.seats["hollow"], order).json()["number"]
    here: dict[str, Any] = {"scene_id": table.id, "number": number}

    def master() -> dict[str, Any]:
        return {"secret": table.gm}

    def reviewing() -> dict[str, Any]:
        where = f"/scenes/{table.id}/entries/{number}/review"
        return {**master(), "version": api("GET", where, **master()).json()["version"]}

    yield from call("list_reviews", master)
    yield from call("mark_seen", master, **here)
    yield from call("decide_review", reviewing, **here)
    yield from call("read_review", master, **here)
    yield from call("preview_amendment", master, **here)
    yield from call("count_errors", master)
    yield from call("list_waiting", master)
    yield from call("mark_looked", master)
    yield from call("write_note", master)
    yield from call("read_note", master)
    yield from call("read_audit", master, scene_id=table.id)


def tell_of_the_book(api: Api, call: Callable[..., list[Told]]) -> Iterator[Told]:
    """Call the operations about the book: a piece is sent back, mended, used and retired."""

    def owner() -> dict[str, Any]:
        return {"secret": api.owner}

    def at(version: int) -> Callable[[], dict[str, Any]]:
        return lambda: {**owner(), "version": version}

    yield from (proposed := call("propose_piece", owner))
    piece_id = proposed[0][1].json()["id"]
    for version, name in enumerate(
        ("return_piece", "propose_version", "approve_piece", "retire_piece"), start=1
    ):
        yield from call(name, at(version), piece_id=piece_id)
    yield from call("import_book", owner)
    yield from call("read_piece", owner, piece_id=piece_id)
    for name in ("list_pieces", "read_book_trail", "export_book", "read_book", "change_book"):
        yield from call(name, owner)
    yield from call("read_book_schema")
    api("PUT", "/book", {"takes": "anything"}, **owner())


def tell_of_posts(api: Api, call: Callable[..., list[Told]], order: Any) -> Iterator[Told]:
    """Call the operations about posts in which the forum shows its dice, and a turn taken back."""
    for names in (("read_posted_dice", "give_posted_dice"), ("withdraw_turn",)):
        table = api.open_scene(dice="forum")
        number = table.decide(table.gm, order).json()["number"]
        waiting = {"secret": table.gm, "version": table.version}
        for name in names:
            yield from call(name, lambda now=waiting: now, scene_id=table.id, number=number)


def tell_of_dice(api: Api, call: Callable[..., list[Told]]) -> Iterator[Told]:
    """Call the operations about dice: a scene in which one seat has a salt, and another none."""
    table = api.open_scene(seal_hours=24)
    here: dict[str, Any] = {"scene_id": table.id}

    def hollow() -> dict[str, Any]:
        return {"secret": table.seats["hollow"]}

    def master() -> dict[str, Any]:
        return {"secret": table.gm}

    yield from call("seal_salt", hollow, **here)
    yield from call("waive_salt", lambda: {"secret": table.seats["quincy"]}, **here)
    salt = next(iter(examples_of("show_salt").values()))["salt"]
    seal = {"seat": "hollow", "seal": seal_of(table.id, "hollow", salt)}
    api("POST", f"/scenes/{table.id}/seals", seal, **hollow())
    yield from call("show_salt", hollow, **here)
    yield from call("roll_check", master, **here)
    yield from (made := call("promise", master, **here))
    yield from call("list_extras", master, **here)
    yield from call("tell_sealed", master, line=made[0][1].json()["line"], **here)
    yield from call("read_dice", master, **here)
    yield from call("read_ledger", master, **here)

    api.world.beacon = SilentBeacon()
    late = api.open_scene(beacon=True)
    order = next(iter(examples_of("submit_order").values()))["order"]
    late.decide(late.gm, order)
    api.world.moment += timedelta(days=2)
    yield from call("give_up_beacon", lambda: {"secret": late.gm}, scene_id=late.id)


@dataclass(frozen=True)
class SilentBeacon:
    """A beacon of which no round can ever be had."""

    chain_hash: str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    genesis: int = 1_700_000_000
    period: int = 30

    def get(self, number: int) -> bytes | None:  # no round at all
        """Give nothing."""
        return None


def shortened(answer: Any) -> Any:
    """Leave of each long list only the beginning."""
    return {
        key: value[:FEW] if isinstance(value, list) and len(value) > LONG else value
        for key, value in answer.items()
    }


def main() -> None:
    """Write down the first answer of every operation."""
    from tests.api.test_examples import ADDRESSES

    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'story.sqlite3'}"
        database = Database(url)
        upgrade(database)
        world = FixedWorld()
        secret = owner_link(database, world, FIRST_BOARD)
        database.close()
        told: dict[str, Any] = {}
        app = create_app(Settings(database_url=url, base_url=BASE, **QUIET), world)
        with TestClient(app, base_url=BASE) as client:
            for name, answer in tell(Api(client, secret, world), ADDRESSES):
                if answer.status_code >= 400:
                    raise SystemExit(f"{name}: {answer.text}")
                if NOTED[name].answer is not None:
                    told.setdefault(name, shortened(answer.json()))
    text = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)
    ANSWERS.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

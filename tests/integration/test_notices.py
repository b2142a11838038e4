"""Notices: who is told what, once, by which ways; and never what they may not know."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from app.config import Settings
from app.engine.ruleset import GM
from app.integrations.mail import Mail, written
from app.integrations.webhook import HookFault, HookPoster, is_public, target_of
from app.jobs.work import Worker
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import board_time, boards, claims, inbox, jobs, links, members, reviews
from app.services.access import ANONYMOUS, Principal, Role
from app.services.board_time import BoardTimeChange
from app.services.channels import Channel, Mute
from app.services.desk_shapes import Mark, Reviewing, Verdict
from app.services.errors import Conflict, Malformed, NotFound
from app.services.inbox import Wishes
from app.services.notices import Telling
from app.services.sending import Couriers
from app.services.shapes import BoardChanges, Joining
from app.services.told import Message
from tests.integration.test_deadlines import duel
from tests.integration.test_jobs import Sink
from tests.support.fights import attack
from tests.support.people import board_of, signed_up
from tests.support.table import Table, known, owner_of, set_table
from tests.support.world import START, FixedWorld

MAILS = Settings(smtp_host="mail.example", base_url="https://arbitro.example")
HOOK = "https://hooks.example/api/webhooks/1/secret"


def told(table: Table, who: str | Principal, language: str = "it") -> list[Message]:
    """Read somebody's inbox, the oldest first."""
    principal = who if isinstance(who, Principal) else {**table.players, GM: table.gm}[who]
    return list(inbox.read_inbox(table.db, principal, FIRST_BOARD, language).notices)[::-1]


def test_your_turn_says_what_to_answer_and_until_when(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world, answer_within=24)
    (first,) = told(table, "hollow", "en")
    assert (first.kind, first.title) == (Telling.YOUR_TURN, "Duello: it is the turn of Hollow")
    assert first.text == "It is the turn of Hollow. To answer: a turn."
    assert first.until == START + timedelta(hours=24)
    table.decide("hollow", attack())
    (second,) = told(table, "quincy")
    assert second.text.startswith("Tocca a Quincy. Da decidere: gli attacchi in arrivo: ")
    assert "(Hollow)" in second.text
    assert len(told(table, "hollow")) == 1


def test_a_stage_of_a_game_is_named_and_so_is_the_end(sqlite: Database, world: FixedWorld) -> None:
    table = duel(sqlite, world)
    assert told(table, "anna", "en")[0].text.endswith("a turn, or a choice about its dice.")
    table.decide("anna", {"kind": "resign"})
    assert told(table, "bruno")[-1].kind in (Telling.ENDED, Telling.YOUR_TURN)


def test_a_question_goes_to_the_master_and_to_nobody_else(
    sqlite: Database, world: FixedWorld
) -> None:
    table = set_table(sqlite, world)
    line = {"kind": "manual", "combatant": "hollow", "change": "ep", "amount": -5}
    table.decide("hollow", {**line, "reason": "Uno sforzo."})
    (asked,) = told(table, GM)
    assert asked.kind is Telling.QUESTION
    assert asked.path == f"/scenes/{table.id}/gm"
    assert len(asked.text) > len("Si chiede al Master: ")
    assert all(one.kind is not Telling.QUESTION for one in told(table, "quincy"))


def test_nothing_is_told_if_nothing_was_decided(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    with pytest.raises(Exception, match=r".*"):
        table.decide("quincy", attack(target="hollow"))  # it is not their turn
    assert told(table, "quincy") == []


def test_a_review_is_told_to_whose_turn_it_was(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    table.decide("hollow", attack())
    marks = (Mark(on="figure.hp", why="Sono 12."),)
    back = Reviewing(
        verdict=Verdict.RETURNED, version=0, key="key-back", note="Rivedi.", marks=marks
    )
    reviews.review(sqlite, world, table.gm, table.id, 1, back)
    found = told(table, "hollow")[-1]
    assert (found.kind, found.path) == (Telling.RETURNED, f"/scenes/{table.id}/entries/1")
    assert found.title == "Duello: voce 1 restituita"
    assert found.text == "Il Master restituisce la voce 1 a Hollow, da rivedere: Rivedi.; Sono 12."
    approved = Reviewing(verdict=Verdict.APPROVED, version=1, key="key-good")
    for _ in range(2):  # the same call again tells nothing more
        reviews.review(sqlite, world, table.gm, table.id, 1, approved)
    (again,) = (one for one in told(table, "hollow", "en") if one.kind is Telling.APPROVED)
    assert again.text == "The Master has approved entry 1, of Hollow."
    assert all(one.kind is not Telling.APPROVED for one in told(table, "quincy"))


def test_the_inbox_is_read_marked_and_paged(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world)
    for _ in range(3):
        table.decide("hollow", attack())
        table.void()
    who = table.players["hollow"]
    assert inbox.count_unread(db, who) == 7  # four times its turn, and three entries taken back
    page = inbox.read_inbox(db, who, FIRST_BOARD, "it", limit=3)
    assert page.more
    rest = inbox.read_inbox(db, who, FIRST_BOARD, "it", before=page.notices[-1].uid)
    assert (len(rest.notices), rest.more) == (4, False)
    assert inbox.mark_read(db, world, table.players["quincy"], [page.notices[0].uid]) == 0
    assert inbox.mark_read(db, world, who, [page.notices[0].uid]) == 1
    assert len(inbox.read_inbox(db, who, FIRST_BOARD, "it", unread=True).notices) == 6
    assert inbox.mark_read(db, world, who, None) == 6
    with pytest.raises(NotFound):
        inbox.read_inbox(db, ANONYMOUS, FIRST_BOARD, "it")
    assert inbox.count_unread(db, ANONYMOUS) == 0


def test_each_way_does_without_the_kinds_that_are_not_wanted(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world)
    who = table.players["hollow"]
    token = inbox.new_feed(db, world, who, FIRST_BOARD)
    muted = (Mute(channel=Channel.INBOX, kind=Telling.YOUR_TURN),)
    inbox.change_wishes(db, who, Wishes(muted=muted))
    assert told(table, "hollow") == []
    assert inbox.count_unread(db, who) == 0
    assert len(inbox.read_feed(db, token, "it").notices) == 1
    inbox.change_wishes(db, who, Wishes(muted=(Mute(channel=Channel.FEED, kind=muted[0].kind),)))
    assert inbox.read_feed(db, token, "it").notices == ()
    assert len(told(table, "hollow")) == 1
    for wrong in ((Mute(channel=Channel.HOOK, kind=Telling.ENDED),), muted * 2):
        with pytest.raises(Malformed):
            inbox.change_wishes(db, who, Wishes(muted=wrong))


def test_a_feed_ends_with_its_address_and_with_the_key_it_tells_of(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world)
    first = inbox.new_feed(db, world, table.players["hollow"], FIRST_BOARD)
    second = inbox.new_feed(db, world, table.players["hollow"], FIRST_BOARD)
    with pytest.raises(NotFound):
        inbox.read_feed(db, first, "it")
    assert inbox.read_feed(db, second, "it").notices
    links.revoke(db, world, table.gm, table.id, Role.SEAT, "hollow")
    with pytest.raises(NotFound):
        inbox.read_feed(db, second, "it")
    with pytest.raises(NotFound):
        inbox.new_board_feed(db, world, table.gm, FIRST_BOARD)
    board = inbox.new_board_feed(db, world, table.owner, FIRST_BOARD)
    (one,) = inbox.read_feed(db, board, "en").notices
    assert one.text == "It is the turn of Hollow."
    inbox.revoke_board_feed(db, world, table.owner, FIRST_BOARD)
    with pytest.raises(NotFound):
        inbox.read_feed(db, board, "it")


def test_the_board_is_told_nothing_of_who_is_hidden(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    feed = inbox.new_board_feed(sqlite, world, table.owner, FIRST_BOARD)
    gone = [{"who": "hollow", "observer": "quincy"}]
    table.decide("gm", {"kind": "place", "hidden": gone, "reason": "Si è dileguato."})
    table.decide("hollow", {"kind": "turn", "by": "hollow"})
    table.decide("quincy", {"kind": "turn", "by": "quincy"})  # then it is the hidden one's turn
    told_to_hollow = [one.kind for one in told(table, "hollow")]
    assert told_to_hollow == [Telling.YOUR_TURN, Telling.RULED, Telling.YOUR_TURN]
    heard = [one.text for one in inbox.read_feed(sqlite, feed, "en").notices[::-1]]
    assert heard[0::2] == ["It is the turn of Hollow.", "It is the turn of Quincy."]
    assert heard[1] == "The Master has decided by entry 1: positions corrected. Si è dileguato."
    assert all("Hollow" not in one.text for one in told(table, "quincy"))


# -------------------------------------------------------------------------------------- mails


def confirmed(table: Table, who: Principal, sink: Sink, address: str) -> str:
    """Let somebody's notices go to an address; give the token of its mails."""
    db, world = table.db, table.world
    inbox.set_address(db, world, who, MAILS, address, "it")
    send(table, sink)
    assert sink.sent[-1].to == address
    token = sink.sent[-1].text.split("/mail/")[1].split()[0]
    inbox.confirm_address(db, world, token)
    return token


def send(table: Table, sink: Any = None, hook: HookPoster | None = None) -> int:
    """Let the service send what is due."""
    couriers = Couriers("https://arbitro.example", sink or Sink(), hook or HookPoster())
    return asyncio.run(Worker(table.db, table.world, couriers, "sender").look())


def test_a_mail_goes_out_once_the_address_was_confirmed_and_until_it_is_stopped(
    db: Database, world: FixedWorld
) -> None:
    table, sink = set_table(db, world, answer_within=24), Sink()
    who = table.players["quincy"]
    inbox.set_address(db, world, who, MAILS, "anna@example.org", "it")
    table.decide("hollow", attack())
    send(table, sink)
    assert [one.subject for one in sink.sent] == ["Arbitro: conferma il tuo indirizzo"]
    token = sink.sent[0].text.split("/mail/")[1].split()[0]
    inbox.confirm_address(db, world, token)
    table.void()
    table.decide("hollow", attack())
    send(table, sink)
    send(table, sink)
    assert len(sink.sent) == 3
    assert sink.sent[1].subject == "Duello: voce 1 annullata"
    mail = sink.sent[2]
    assert mail.subject == "Duello: tocca a Quincy"
    assert "Entro 2025-03-30 14:00 UTC." in mail.text
    assert f"https://arbitro.example/scenes/{table.id}" in mail.text
    headers = dict(mail.headers)
    assert headers["List-Unsubscribe"] == f"<https://arbitro.example/mail/{token}/stop>"
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    inbox.stop_mails(db, token)
    inbox.stop_mails(db, token)
    table.void()
    table.decide("hollow", attack())
    assert send(table, sink) == 0
    with pytest.raises(NotFound):
        inbox.confirm_address(db, world, token)


def test_a_kind_that_is_not_wanted_by_mail_is_not_sent(sqlite: Database, world: FixedWorld) -> None:
    table, sink = set_table(sqlite, world), Sink()
    who = table.players["quincy"]
    confirmed(table, who, sink, "anna@example.org")
    muted = (Mute(channel=Channel.MAIL, kind=Telling.YOUR_TURN),)
    inbox.change_wishes(sqlite, who, Wishes(muted=muted))
    table.decide("hollow", attack())
    send(table, sink)
    assert len(sink.sent) == 1  # the one that asked to confirm


def test_a_mail_that_fails_is_sent_later_under_the_same_name(
    db: Database, world: FixedWorld
) -> None:
    table, sink = set_table(db, world), Sink()
    confirmed(table, table.players["quincy"], sink, "anna@example.org")
    table.decide("hollow", attack())
    send(table, Sink(OSError("no route")))
    (waits,) = (one for one in jobs.list_jobs(db) if one.kind == "mail")
    assert waits.last_error == "OSError: no route"
    world.wait(jobs.FIRST_PAUSE)
    send(table, sink)
    assert sink.sent[-1].id == f"notice.{waits.subject}"


def test_nobody_fills_a_letter_box_through_us(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    who = table.players["quincy"]
    for wrong in ("anna", "anna@example", "a b@example.org", "a@example.org\nBcc: b@example.org"):
        with pytest.raises(Malformed):
            inbox.set_address(sqlite, world, who, MAILS, wrong, "it")
    with pytest.raises(Malformed):
        inbox.set_address(sqlite, world, who, Settings(), "anna@example.org", "it")
    inbox.set_address(sqlite, world, who, MAILS, "anna@example.org", "it")
    with pytest.raises(Conflict) as caught:
        inbox.set_address(sqlite, world, who, MAILS, "bea@example.org", "it")
    assert caught.value.code == "mail_too_soon"
    world.wait(inbox.BETWEEN_CONFIRMATIONS)
    inbox.set_address(sqlite, world, who, MAILS, "bea@example.org", "it")
    sink = Sink()
    send(table, sink)
    assert [one.to for one in sink.sent] == ["bea@example.org"]


def too_soon(db: Database, world: FixedWorld, who: Principal, address: str) -> bool:
    """Ask for mails to an address; say whether that is too soon."""
    try:
        inbox.set_address(db, world, who, MAILS, address, "it")
    except Conflict as error:
        return error.code == "mail_too_soon"
    return False


@pytest.mark.parametrize("how", ["empty", "stop"])
def test_nobody_asks_again_by_taking_the_address_away(
    db: Database, world: FixedWorld, how: str
) -> None:
    table, sink = set_table(db, world), Sink()
    who, other = table.players["quincy"], table.players["hollow"]
    assert not too_soon(db, world, who, "anna@example.org")
    for address in ("anna@example.org", "Anna@Example.org", "bea@example.org"):
        send(table, sink)
        if how == "stop":
            inbox.stop_mails(db, sink.sent[0].text.split("/mail/")[1].split()[0])
        else:
            inbox.set_address(db, world, who, MAILS, "", "it")
        told = inbox.read_wishes(db, who, MAILS)
        assert (told.address, told.confirmed) == ("", False)
        assert too_soon(db, world, who, address)
    # Nor does anybody else ask for the same one, while they may ask for another.
    assert too_soon(db, world, other, "ANNA@example.org")
    assert not too_soon(db, world, other, "caio@example.org")
    world.wait(inbox.BETWEEN_CONFIRMATIONS)
    assert not too_soon(db, world, who, "anna@example.org")
    send(table, sink)
    assert [one.to for one in sink.sent] == [
        f"{name}@example.org" for name in ("anna", "caio", "anna")
    ]


def test_nobody_asks_again_by_leaving_and_coming_back(db: Database, world: FixedWorld) -> None:
    owner = owner_of(db, world)
    boards.change_board(db, world, owner, FIRST_BOARD, BoardChanges(joining=Joining.OPEN))
    person = signed_up(db, world, "Mallory")
    for address, late in (("a@example.org", False), ("b@example.org", True)):
        members.join(db, world, person.now, FIRST_BOARD)
        assert too_soon(db, world, person.now, address) is late
        members.set_role(db, world, person.now, FIRST_BOARD, person.id, None)


def test_what_was_taken_away_is_not_kept_and_its_old_link_confirms_nothing(
    db: Database, world: FixedWorld
) -> None:
    table, sink = set_table(db, world), Sink()
    who = table.players["quincy"]
    token = confirmed(table, who, sink, "anna@example.org")
    inbox.set_address(db, world, who, MAILS, "", "it")
    with pytest.raises(NotFound):
        inbox.confirm_address(db, world, token)
    with db.read() as connection:
        (row,) = connection.execute(text("SELECT * FROM mailboxes")).all()
    assert not any("anna" in str(value).lower() for value in row)
    with pytest.raises(NotFound):
        inbox.confirm_address(db, world, row.token)
    table.decide("hollow", attack())
    assert send(table, sink) == 0


def test_a_mail_cannot_be_given_another_header() -> None:
    mail = Mail(to="a@example.org", subject="Duello\nBcc: b@example.org", text="x", id="1")
    with pytest.raises(ValueError, match="linefeed"):
        written(mail, "arbitro@example.org")
    fine = written(Mail(to="a@example.org", subject="È ora", text="Sì.", id="1"), "a@b.example")
    assert (fine["Subject"], fine["Message-ID"]) == ("È ora", "<1@b.example>")


# ----------------------------------------------------------------------------------- webhooks


@contextmanager
def sink_of_hooks(answer: bytes) -> Iterator[tuple[list[bytes], Any]]:
    """Listen on the loopback; whoever connects gets an answer and what they sent is kept."""
    heard: list[bytes] = []
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = server.accept()
            except OSError:
                return
            with line:
                line.settimeout(5)
                data = b""
                while b"\r\n\r\n" not in data:
                    data += line.recv(65536)
                head, _, body = data.partition(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                while len(body) < length:
                    body += line.recv(65536)
                heard.append(head + b"\r\n\r\n" + body)
                line.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    address = server.getsockname()
    try:
        yield heard, lambda *_: socket.create_connection(address, timeout=5)
    finally:
        server.close()


ACCEPTED = b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
MOVED = b"HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"


def test_a_webhook_hears_what_everybody_may_know(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world, title="Duello *finale* @everyone", answer_within=24)
    board_time.change_board_time(db, table.owner, FIRST_BOARD, BoardTimeChange(webhook=HOOK))
    with sink_of_hooks(ACCEPTED) as (heard, connect):
        asked: list[str] = []
        reached: list[str] = []

        def reach(address: str, *rest: Any) -> Any:
            reached.append(address)
            return connect()

        hook = HookPoster(
            resolve=lambda host, _port: asked.append(host) or ("93.184.215.14",),
            connect=reach,
            secure=lambda raw, _host: raw,
        )
        table.decide("hollow", attack())
        send(table, hook=hook)
        send(table, hook=hook)
    (request,) = heard
    head, _, body = request.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /api/webhooks/1/secret HTTP/1.1")
    assert b"Host: hooks.example" in head
    sent = json.loads(body)
    assert sent["allowed_mentions"] == {"parse": []}
    assert sent["content"].startswith("Tocca a Quincy\\.") or "Tocca a Quincy" in sent["content"]
    assert "Entro 2025-03-30 14:00 UTC." in sent["content"]
    assert (asked, reached) == (["hooks.example"], ["93.184.215.14"])


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "255.255.255.255", "224.0.0.1", "198.18.0.1", "192.0.2.1"),
        *("::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
        *("64:ff9b:1::7f00:1", "fec0::1", "::127.0.0.1", "::ffff:0:127.0.0.1"),
        *("2002:7f00:1::", "64:ff9b::7f00:1", "fe80::1%eth0", "2001:db8::1", "localhost", ""),
    ],
)
def test_nothing_is_sent_to_a_machine_that_is_not_public(address: str) -> None:
    assert not is_public(address)
    reached: list[str] = []
    for found in ((address,), ("93.184.215.14", address)):
        hook = HookPoster(
            resolve=lambda _host, _port, found=found: found,
            connect=lambda *at: reached.append(at[0]),
        )
        with pytest.raises(HookFault, match="not a public one"):
            hook.post(HOOK, b"{}")
    assert reached == []


def test_public_machines_are_public() -> None:
    assert is_public("93.184.215.14")
    assert is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")


def test_a_name_that_answers_differently_the_second_time_gains_nothing() -> None:
    answers = iter([("93.184.215.14",), ("127.0.0.1",)])
    reached: list[str] = []

    def refuse(address: str, *_rest: Any) -> Any:
        reached.append(address)
        raise ConnectionRefusedError

    hook = HookPoster(resolve=lambda *_: next(answers), connect=refuse)
    with pytest.raises(HookFault, match="does not answer"):
        hook.post(HOOK, b"{}")
    assert reached == ["93.184.215.14"]  # the very one that was looked at
    with pytest.raises(HookFault, match="not a public one"):
        hook.post(HOOK, b"{}")


def test_a_redirection_is_not_followed() -> None:
    with sink_of_hooks(MOVED) as (heard, connect):
        hook = HookPoster(
            resolve=lambda *_: ("93.184.215.14",), connect=connect, secure=lambda raw, _host: raw
        )
        with pytest.raises(HookFault, match="answered 302"):
            hook.post(HOOK, b"{}")
    assert len(heard) == 1


@pytest.mark.parametrize(
    "address",
    [
        *(
            "https://a..b/",
            "https://.example.com/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://localhost/",
            "https://%31%32%37.0.0.1/",
            f"https://{'a' * 64}.example/",
            "http://hooks.example/",
            "ftp://hooks.example/",
            "hooks.example",
            "https://",
            "https:///x",
        ),
        *(
            "https://user@hooks.example/",
            "https://user:x@hooks.example/",
            "https://h.example:8443/",
        ),
        *("https://hooks.example/ x", "https://hooks.example/\r\nX: y", "https://h.example:x/"),
        *("https://h.example/" + "x" * 500, "https://[::1/", "https://hóoks.example/"),
    ],
)
def test_an_address_that_nothing_is_sent_to_is_refused_when_it_is_typed(
    sqlite: Database, world: FixedWorld, address: str
) -> None:
    with pytest.raises(HookFault):
        target_of(address)
    table = set_table(sqlite, world)
    with pytest.raises(Malformed):
        board_time.change_board_time(
            sqlite, table.owner, FIRST_BOARD, BoardTimeChange(webhook=address)
        )


def test_only_the_owner_says_how_the_board_keeps_time_and_sees_where_it_tells(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world)
    change = BoardTimeChange(remind_hours=6, zone="Europe/Rome", webhook=HOOK)
    with pytest.raises(NotFound):
        board_time.change_board_time(db, table.gm, FIRST_BOARD, change)
    nowhere = BoardTimeChange(zone="Europe/Nowhere")
    with pytest.raises(Malformed) as caught:
        board_time.change_board_time(db, table.owner, FIRST_BOARD, nowhere)
    assert [one.code for one in caught.value.mistakes] == ["zone_unknown"]
    kept = board_time.change_board_time(db, table.owner, FIRST_BOARD, change)
    assert (kept.zone, kept.webhook) == ("Europe/Rome", "hooks.example/…")
    assert board_time.read_board_time(db, table.gm, FIRST_BOARD).webhook == ""
    again = BoardTimeChange(zone="UTC")
    assert board_time.change_board_time(
        db, table.owner, FIRST_BOARD, again
    ).webhook  # null leaves it
    gone = BoardTimeChange(webhook="")
    assert not board_time.change_board_time(db, table.owner, FIRST_BOARD, gone).webhook


def test_who_opened_several_links_hears_of_all_of_them(sqlite: Database, world: FixedWorld) -> None:
    first = set_table(sqlite, world)
    second = set_table(sqlite, world, owner=first.owner, title="Altrove")
    grants = (*first.players["hollow"].grants, *second.players["hollow"].grants)
    who = Principal(grants)
    assert {one.scene for one in told(first, who)} == {"Duello", "Altrove"}
    token = inbox.new_feed(sqlite, world, who, FIRST_BOARD)
    assert len(inbox.read_feed(sqlite, token, "it").notices) == 2
    assert not inbox.read_wishes(sqlite, who, MAILS).missing
    third = set_table(sqlite, world, owner=first.owner)
    more = Principal((*grants, *third.players["hollow"].grants))
    assert inbox.read_wishes(sqlite, more, MAILS).missing
    assert known(who) is who


def test_what_was_to_be_sent_when_the_service_was_killed_is_sent_after_it(
    db: Database, world: FixedWorld
) -> None:
    table, sink = set_table(db, world), Sink()
    confirmed(table, table.players["quincy"], sink, "anna@example.org")
    table.decide("hollow", attack())
    (job,) = jobs.take(db, world, "killed")  # and nobody ever hears of this worker again
    assert send(table, sink) == 0
    world.wait(jobs.LEASE)
    send(table, sink)
    send(table, sink)
    assert [one.id for one in sink.sent[1:]] == [f"notice.{job.subject}"]


def test_no_notice_is_kept_of_a_turn_that_was_not(
    db: Database, world: FixedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = set_table(db, world, answer_within=24)

    def fail(*_args: object, **_more: object) -> None:
        raise RuntimeError("after everything was told")

    before = [one.id for one in jobs.list_jobs(db)]
    monkeypatch.setattr("app.services.turns.remember", fail)
    with pytest.raises(RuntimeError):
        table.decide("hollow", attack())
    assert told(table, "quincy") == []
    assert [one.id for one in jobs.list_jobs(db)] == before


def test_whoever_oversees_the_board_hears_what_its_masters_are_asked(
    sqlite: Database, world: FixedWorld
) -> None:
    table = set_table(sqlite, world)
    rin, sol = signed_up(sqlite, world, "Rin"), signed_up(sqlite, world, "Sol")
    with sqlite.write() as connection:
        members.give_role(connection, world, FIRST_BOARD, rin.id, Role.GM)
        members.give_role(connection, world, FIRST_BOARD, sol.id, Role.PLAYER)
    other = board_of(sol)
    line = {"kind": "manual", "combatant": "hollow", "change": "ep", "amount": -5}
    table.decide("hollow", {**line, "reason": "Uno sforzo."})
    assert [one.kind for one in told(table, rin.now)] == [Telling.QUESTION]
    assert told(table, sol.now) == []  # a player of the board, and the owner of another one
    assert sol.now.is_owner(other)


def test_a_seat_that_was_claimed_is_told_everything_once(
    sqlite: Database, world: FixedWorld
) -> None:
    table = set_table(sqlite, world)
    rin = signed_up(sqlite, world, "Rin")
    secret = table.opened.seat_secrets["quincy"]
    rin.cookie = links.open_link(sqlite, world, secret, rin.cookie).cookie
    claims.claim(sqlite, world, rin.now, secret)
    table.decide("hollow", attack())
    (only,) = told(table, rin.now)
    assert only.kind is Telling.YOUR_TURN
    assert inbox.count_unread(sqlite, rin.now) == 1


def test_a_master_by_link_and_by_account_is_asked_once(sqlite: Database, world: FixedWorld) -> None:
    table = set_table(sqlite, world)
    rin = signed_up(sqlite, world, "Rin")
    with sqlite.write() as connection:
        members.give_role(connection, world, FIRST_BOARD, rin.id, Role.GM)
    rin.cookie = links.open_link(sqlite, world, table.opened.gm_secret, rin.cookie).cookie
    line = {"kind": "manual", "combatant": "hollow", "change": "ep", "amount": -5}
    table.decide("hollow", {**line, "reason": "Uno sforzo."})
    assert [one.kind for one in told(table, rin.now)] == [Telling.QUESTION]

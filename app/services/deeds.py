"""What a Master does beside entries: noted in the transaction that does it, for all to read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection

from app.persistence.codec import write_json
from app.persistence.queries_audit import add_deed
from app.services.access import Principal, ScenePlace
from app.services.world import World

ARROW: Final = " → "
"""What stands between what something was and what it is."""


class DeedKind(StrEnum):
    """What was done: to a deadline, the clock, an absence, a link, a setting or an option."""

    DEADLINE = "deadline"
    LINK = "link"
    LINK_REVOKED = "link_revoked"
    SETTING = "setting"
    OPTION = "option"
    CLOCK_STOPPED = "clock_stopped"
    CLOCK_WENT_ON = "clock_went_on"
    AWAY = "away"
    BACK = "back"
    SUMMARY = "summary"
    SUMMARY_REVOKED = "summary_revoked"


def note_deed(
    connection: Connection,
    world: World,
    principal: Principal,
    board: str,
    kind: DeedKind,
    *,
    scene: str | None = None,
    about: str = "",
    change: str = "",
) -> None:
    """Note what somebody did, beside doing it."""
    add_deed(
        connection,
        id=world.token(),
        board=board,
        scene=scene,
        kind=kind.value,
        about=about,
        change=change,
        at=world.now(),
        key_id=principal.any_secret(board)
        if scene is None
        else principal.secret_for(ScenePlace(scene, board)),
    )


def note_options(
    connection: Connection,
    world: World,
    principal: Principal,
    board: str,
    ruleset: str,
    before: Mapping[str, object],
    after: Mapping[str, object],
) -> None:
    """Note each option of a game that a board reads otherwise from now on."""
    for name, value in after.items():
        if before.get(name) != value:
            note_deed(
                connection,
                world,
                principal,
                board,
                DeedKind.OPTION,
                about=f"{ruleset}.{name}",
                change=f"{write_json(before.get(name))}{ARROW}{write_json(value)}",
            )

"""A battle that tests open and play through the forms, each player with a browser of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from starlette.testclient import TestClient

from app.persistence.tables import FIRST_BOARD
from app.services.boards import change_board
from app.services.shapes import BoardChanges
from tests.web.conftest import Client, Site

ADA = {"d4": "2", "d6": "4", "d8": "4", "d10": "4", "d12": "2", "d20": "4"}
BO = {"d4": "1", "d6": "5", "d8": "6", "d12": "6", "d20": "2"}
LIST = {"p1": (ADA, "dragon"), "p2": (BO, "archmage")}
HIDDEN = re.compile(r'type="hidden" name="(version|head|key)" value="([^"]*)"')
ANSWERED = 303


def let(site: Site, **options: Any) -> None:
    """Let the board read some doubts of the game otherwise."""
    changes = BoardChanges(options={"battle_dice": options})
    change_board(site.db, site.world, site.principal, FIRST_BOARD, changes)


def setup_form(**more: str) -> dict[str, str]:
    """Fill in the form that opens a battle; nobody's number is waited for."""
    names = {"entrants.0.name": "Ada la Rossa", "entrants.1.name": "Bo"}
    told = {"title": "Pianura", "key": "k" * 22, "do": "open", "seal_hours": "0"}
    return {**told, "~armies": "secret", **names, **more}


def army_fields(path: str, units: dict[str, str], hero: str) -> dict[str, str]:
    """Fill in an army list."""
    return {
        **{f"{path}.units.{kind}": count for kind, count in units.items()},
        f"{path}.~hero": hero,
    }


@dataclass
class Battle:
    """An opened battle, and a browser for each player, the Master and a passer-by."""

    client: Client
    path: str
    http: dict[str, Any]
    answers: list[str] = field(default_factory=list)

    def page(self, who: str, path: str = "") -> str:
        """Read a page of the scene."""
        answer = self.http[who].get(self.path + path)
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def post(self, who: str, path: str, data: dict[str, Any]) -> Any:
        """Send a form of a page of the scene."""
        headers = {"Sec-Fetch-Site": "same-origin"}
        return self.http[who].post(
            self.path + path, data=data, headers=headers, follow_redirects=False
        )

    def decide(self, seat: str, kind: str, **data: Any) -> Any:
        """Send a decision from the page on which a seat decides."""
        hidden = dict(HIDDEN.findall(self.page(seat, f"/turn/{seat}")))
        fields = {"kind": kind, "by": seat, "within": f"{kind}-", "do": "send", **hidden}
        return self.post(seat, f"/turn/{seat}", {**fields, **data})

    def done(self, seat: str, kind: str, **data: Any) -> str:
        """Send a decision that is taken; give the page of its entry."""
        answer = self.decide(seat, kind, **data)
        assert answer.status_code == ANSWERED, answer.text
        return self.page(seat, answer.headers["location"].removeprefix(self.path))

    def refused(self, seat: str, kind: str, **data: Any) -> str:
        """Send a decision that is not taken; give the page that says why."""
        answer = self.decide(seat, kind, **data)
        assert answer.status_code in {409, 422}, answer.text
        return str(answer.text)

    def muster(self, seat: str) -> str:
        """Muster the usual army."""
        return self.done(seat, "muster", **army_fields("army", *LIST[seat]))


def open_battle(client: Client, **more: str) -> Battle:
    """Open a battle through its form."""
    client.enter(client.site.owner)
    opened = client.post("/boards/board/scenes/new/battle_dice", setup_form(**more))
    assert opened.status_code == 201, opened.text
    found = re.search(r'href="(/scenes/[^"/]+)/gm"', opened.text)
    assert found is not None
    links = re.findall(r'value="[^"]*(/k/[^"]+)"', opened.text)
    http = {}
    for who, link in zip(("gm", "p1", "p2", "guest"), (*links, ""), strict=True):
        # The application runs already: this is one more browser that looks at it.
        http[who] = TestClient(client.site.app, base_url="https://arbitro.example")
        http[who].headers["Accept-Language"] = "it"
        if link:
            http[who].post(link, headers={"Sec-Fetch-Site": "same-origin"})
    return Battle(client, found[1], http)


def error_at(page: str, name: str, within: str = "") -> str:
    """Give what a page says beside a field of one of its forms."""
    id = re.escape(f"e-{within}{name}")
    found = re.search(rf'id="{id}" data-error-for="[^"]*">(.*?)</p>', page, re.DOTALL)
    assert found is not None, name
    return re.sub(r"<[^>]+>", "", found[1]).strip()

"""Every form of the pages, with each of its fields left out: refused perhaps, but never a fault.

The forms are those that the pages of the town show, so that a new one is tried from its first day.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from app.persistence.queries_access import Remembered
from app.services import answers
from tests.web.pages_asked import FORMS, KEY, ROUTES, address
from tests.web.town import Town

ROLES = ("owner", "opponent", "somebody", "anonymous")
TYPED = frozenset({"text", "search", "email", "number", "password", "url"})
REFUSED = "\u202e\0"  # no text of ours may hold this
LEAST_FORMS = 70
MANY = 25  # of a form with more fields each is left out once, with what is typed refused
# Pages show these only where something else was done before.
UNSEEN: dict[str, dict[str, str]] = {
    "/boards/{board}/books/pieces/{piece}/approve": {"version": "1", "reason": "Bene."},
    "/boards/{board}/books/pieces/{piece}/return": {"version": "1", "reason": "No."},
    "/boards/{board}/books/pieces/{piece}/retire": {"version": "1", "reason": "Basta."},
    "/boards/{board}/desk/note": {"scene": "{scene}", "number": "1", "text": "Da vedere."},
}


@dataclass
class Form:
    """Where a form goes, what it sends untouched, and which of its fields somebody types."""

    role: str
    path: str
    fields: dict[str, str] = field(default_factory=dict)
    typed: set[str] = field(default_factory=set)
    buttons: dict[str, str] = field(default_factory=dict)


class Reader(HTMLParser):
    """Gathers the forms of a page that change something, each with every box ticked."""

    def __init__(self, role: str, path: str) -> None:
        super().__init__()
        self.role, self.path = role, path
        self.forms: list[Form] = []
        self.by_id: dict[str, Form] = {}
        self.now: Form | None = None
        self.open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, or a control of one."""
        told = {name: value or "" for name, value in attrs}
        name, value = told.get("name", ""), told.get("value", "")
        if tag == "form":
            self.now = None
            if told.get("method") == "post":
                self.now = Form(self.role, told.get("action") or self.path)
                self.forms.append(self.now)
                self.by_id[told.get("id", "")] = self.now
            return
        form = self.by_id.get(told["form"]) if "form" in told else self.now
        if form is None:
            return
        if tag == "button" and "formaction" in told:
            self.forms.append(Form(self.role, told["formaction"], form.fields, form.typed))
        elif tag == "button" and name:
            form.buttons.setdefault(name, value)
        elif tag in ("textarea", "select") and name:
            self.open = name
            form.fields.setdefault(name, "")
            if tag == "textarea":
                form.typed.add(name)
        elif tag == "option" and self.open and ("selected" in told or not form.fields[self.open]):
            form.fields[self.open] = value
        elif tag == "input" and name:
            kind = told.get("type", "text")
            if kind != "radio" or "checked" in told or name not in form.fields:
                form.fields[name] = value
            if kind in TYPED:
                form.typed.add(name)

    def handle_endtag(self, tag: str) -> None:
        """Leave a form, or a control with an end."""
        if tag == "form":
            self.now = None
        elif tag in ("textarea", "select"):
            self.open = ""

    def handle_data(self, data: str) -> None:
        """Note what stands in a text area."""
        if self.now is not None and self.open in self.now.typed:
            self.now.fields[self.open] += data


def shape(name: str) -> str:
    """Name the rows of a list alike: one of them is tried."""
    return re.sub(r"\.\d+(?=\.|$)", ".0", name)


def forms_of(town: Town, client: Any) -> Iterator[Form]:
    """Give every form, once, as whoever first meets it."""
    places = {
        "board": town.here.board,
        "scene": town.here.scene.scene_id,
        "piece": town.here.piece,
    }
    for path, unseen in UNSEEN.items():
        fields = {name: value.format(**places) for name, value in unseen.items()}
        yield Form("owner", path.format(**places), fields, {"reason", "text"} & set(fields))
    for route, least in FORMS.items():
        yield Form("owner", address(town, route), {**least(town)})
    met = set()
    for role in ROLES:
        for route in (one for one in ROUTES if one.startswith("GET ")):
            path = address(town, route, {"seat": "quincy"})
            page = town.ask(client, role, "GET", path)
            if page.status_code != 200 or "html" not in page.headers["content-type"]:
                continue
            reader = Reader(role, path)
            reader.feed(page.text)
            for form in reader.forms:
                this = (form.path, frozenset(map(shape, form.fields)))
                if this not in met:
                    met.add(this)
                    yield form


def ways(form: Form) -> Iterator[tuple[str, dict[str, str]]]:
    """Leave out nothing, everything, and each field; what is typed as it was, or refused."""
    whole = {**form.fields, **form.buttons}
    spoilt = {**whole, **dict.fromkeys(form.typed, REFUSED)}
    yield from (("nothing", whole), ("everything", {}), ("nothing, refused", spoilt))
    for name in {shape(one): one for one in whole}.values():
        if len(whole) <= MANY:
            yield name, without(whole, name)
        yield f"{name}, refused", without(spoilt, name)


def without(fields: dict[str, str], name: str) -> dict[str, str]:
    """Leave out a field."""
    return {one: text for one, text in fields.items() if one != name}


def test_no_form_without_one_of_its_fields_is_a_fault(town: Town, tmp_path: Path) -> None:
    faults = []
    with town.copy(tmp_path) as client:
        forms = list(forms_of(town, client))
        for form in forms:
            for left_out, sent in ways(form):
                # Twice: the second time whatever it is about may be over.
                for _ in range(1 if "refused" in left_out else 2):
                    answer = town.ask(client, form.role, "POST", form.path, sent)
                    if answer.status_code >= 500:
                        faults.append((form.path, left_out))
                put_back(town.path, tmp_path / "copy.sqlite3")
    assert len(forms) > LEAST_FORMS
    assert faults == []


def put_back(town: Path, copy: Path) -> None:
    """Let the file be as it was before the last form."""
    with sqlite3.connect(town) as source, sqlite3.connect(copy) as target:
        source.backup(target)


SAID = "era già stato inviato con altro dentro"
FREE = frozenset({"name", "title", "reason", "note", "text", "label"})
LEAST_KEYED = 30


def test_a_key_that_was_used_loses_nothing_of_what_was_typed(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes back in the browser and sends a form again sends another one with its key."""
    tried = 0
    with town.copy(tmp_path) as client:
        found = list(forms_of(town, client))
        forms = [form for form in found if "key" in form.fields]
        board = f"/boards/{town.here.board}"
        sheet = next(form for form in found if form.path.endswith("/sheet/quincy"))
        forms.append(Form("owner", f"{board}/sheets/new", {**sheet.fields, **KEY}, {"name"}))
        piece = {"data.name": "Lama", "data.supports": "true", "data.ep": "5", **KEY}
        forms.append(Form("owner", f"{board}/books/new?kind=tool", piece))
        pack = {"do": "keep", "text": "id;kind;name\nx;weapon;X\n", **KEY}
        forms.append(Form("owner", f"{board}/books/import", pack))
        turn = f"/scenes/{town.here.scene.scene_id}/turn/quincy"
        forms.append(Form("opponent", turn, {"version": "2", **KEY}))
        used = Remembered("another form", "")
        monkeypatch.setattr(answers.queries, "remembered", lambda *_: used)
        for form in forms:
            key, story = "key-used-before", dict.fromkeys(form.typed & FREE, "Scritto a mano")
            sent = {**form.fields, **form.buttons, **story, "key": key}
            answer = town.ask(client, form.role, "POST", form.path, sent)
            assert "Idempotency" not in answer.text, form.path
            if SAID not in answer.text:
                continue
            tried += 1
            assert answer.status_code == 422, form.path
            assert f'value="{key}"' not in answer.text, form.path
            assert not story or "Scritto a mano" in answer.text, form.path
    assert tried >= LEAST_KEYED

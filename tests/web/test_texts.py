"""Every text of the pages is said in Italian, with the same facts in it."""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from app.config import ROOT
from app.web.texts import LOCALE, catalogue_path, translated

KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "marked": None}
FACTS = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")


def in_the_code() -> set[str | tuple[str, ...]]:
    """Collect what pages and templates say."""
    with (LOCALE / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    found: set[str | tuple[str, ...]] = set()
    for folder in ("app/web", "templates"):
        wanted = [(pattern.removeprefix(f"{folder}/"), kind) for pattern, kind in methods]
        settings = {pattern.removeprefix(f"{folder}/"): some for pattern, some in options.items()}
        extracted = extract_from_dir(ROOT / folder, wanted, settings, keywords=KEYWORDS)
        for _, _, message, _, _ in extracted:
            found.add(message if isinstance(message, str) else tuple(message)[:2])
    return found


def italian() -> Catalog:
    """Read the Italian catalogue."""
    with catalogue_path("it").open("rb") as file:
        return read_po(file, locale="it", abort_invalid=True)


def key_of(message: Message) -> str | tuple[str, ...]:
    """Give a message's text, or its two forms."""
    return message.id if isinstance(message.id, str) else tuple(message.id)


def test_the_italian_catalogue_says_every_text_and_no_other() -> None:
    said = {key_of(message) for message in italian() if message.id}
    wanted = in_the_code()
    assert len(wanted) > 300
    assert said - wanted == set()
    assert wanted - said == set()


def test_no_translation_is_missing_or_doubtful() -> None:
    for message in italian():
        if message.id:
            strings = message.string if isinstance(message.string, tuple) else (message.string,)
            assert all(strings), message.id
            assert not message.fuzzy, message.id


def test_a_translation_names_the_same_facts() -> None:
    for message in italian():
        if not message.id:
            continue
        pairs = zip(
            (message.id,) if isinstance(message.id, str) else message.id,
            (message.string,) if isinstance(message.string, str) else message.string,
            strict=True,
        )
        for english, translation in pairs:
            assert set(FACTS.findall(english)) == set(FACTS.findall(translation)), english


def test_a_text_is_said_in_both_languages_without_a_build_step() -> None:
    assert translated("it", "Send the turn") == "Manda il turno"
    assert translated("en", "Send the turn") == "Send the turn"
    assert not list(Path(LOCALE).rglob("*.mo"))


def test_each_text_has_one_translation() -> None:
    written = catalogue_path("it").read_text(encoding="utf-8")
    texts = re.findall(r"^msgid (.+?)(?=^msg(?:str|id_plural))", written, re.DOTALL | re.MULTILINE)
    assert sorted({one for one in texts if texts.count(one) > 1}) == []

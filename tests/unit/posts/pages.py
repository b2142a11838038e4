"""What each forum's page shows of a post that we wrote: tags gone, its dice fallen, faces drawn."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.unit.posts.forums import SHOWS, Rolled

# How each forum's tag holds what is thrown, and the label where it is inside.
TAGS: dict[str, str] = {
    "guida": r"\[dice=(?P<thrown>[^\]]+)\](?P<label>.*?)\[/dice\]",
    "phpbb_fancydice": r"\[dice\](?P<thrown>[^\[]+)\[/dice\]",
    "mybb_feathertail": r"\[dice=(?P<thrown>[^\]]+)\]",
    "mybb_cortalabs": r"\[roll=(?P<label>[^\]]*)\](?P<thrown>[^\[]+)\[/roll\]",
    "mybb_vaultbb": r'\[dice=label="(?P<label>[^"]*)"\](?P<thrown>[^\[]+)\[/dice\]',
    "smf_rolls": r"\[roll\]\{(?P<label>[^}]*)\} (?P<thrown>[^\[]+)\[/roll\]",
    "smf_rpg": r"\[dice=(?P<label>[^\]]*)\](?P<thrown>[^\[]+)\[/dice\]",
    "vbulletin": r"\[dice\](?P<thrown>[^\[]+)\[/dice\]",
    "discourse_dice": r"\[wrap=dice\](?P<thrown>[^\[]+)\[/wrap\]",
    "discourse_roller": r"\[roll (?P<thrown>[^\]]+)\]",
    "paizo": r"\[dice=(?P<label>[^\]]*)\](?P<thrown>[^\[]+)\[/dice\]",
}
MARKDOWN = frozenset({"discourse_dice", "discourse_roller", "nodebb"})
_BBCODE = re.compile(r"\[(?:/?(?:b|i|heading)|heading=2|url=[^\]]*|/url)\]")
_SMILEY = re.compile(r"(?<!\w)(?::\)|:D|;\)|:P|:lol:|xD)(?!\w)")
_ESCAPED = re.compile(r"\\([\\`*_~|#>+=-])")
_KEPT = 0xE000  # escaped signs wait in the private area while emphasis is taken out


def page(key: str, text: str, chance: random.Random) -> tuple[str, list[tuple[str, int, int]]]:
    """Show a post as its forum does; give the page, and thrown, face and total of each roll."""
    fallen: list[tuple[str, int, int]] = []
    below: list[str] = []

    def show(found: re.Match[str]) -> str:
        thrown = found["thrown"]
        faces, _, added = thrown.partition("d")[2].partition("+")
        if "-" in faces:
            faces, _, added = faces.partition("-")
            added = f"-{added}"
        rolled = Rolled(
            label=found["label"] if "label" in found.re.groupindex else "",
            faces=int(faces),
            naturals=(chance.randint(1, int(faces)),),
            modifier=int(added or 0),
        )
        fallen.append((thrown, rolled.naturals[0], rolled.total))
        if key == "mybb_vaultbb":  # the dice stand under the post, with what they are for
            below.append(f"{rolled.label}\n{_own(rolled)}")
            return ""
        return SHOWS.get(key, _unknown)(rolled)

    if key in TAGS:
        text = re.sub(TAGS[key], show, text)
    if key != "plain":
        text = _markdown(text) if key in MARKDOWN else _BBCODE.sub("", text)
        text = _SMILEY.sub("", text)
    text = re.sub(r"&#([0-9]{5,7});", lambda found: chr(int(found[1])), text)
    return "\n".join([text, *below]), fallen


def _own(rolled: Rolled) -> str:
    return f"{rolled.expression} ({rolled.naturals[0]}){rolled.added} = {rolled.total}"


def _unknown(rolled: Rolled) -> str:
    fell = f"({rolled.naturals[0]}){rolled.added} = {rolled.total}"
    return f"{rolled.label}: {rolled.expression} → {fell}"


def _markdown(text: str) -> str:
    text = _ESCAPED.sub(lambda found: chr(_KEPT + ord(found[1])), text)
    text = re.sub(r"^## ", "", text, flags=re.MULTILINE)
    text = re.sub(r"\[([^\[\]\n]*)\]\(<[^>\n]*>\)", r"\1", text)
    text = text.replace("*", "")
    return re.sub("[\ue000-\ue0ff]", lambda found: chr(ord(found[0]) - _KEPT), text)


def two_lines(text: str) -> str:
    """Put a label that stands behind a box of dice on the line below it."""
    return re.sub(r"(\(Total = -?\d+\)|= -?\d+) — ", r"\1\n— ", text)


NOISE: tuple[Callable[[str], str], ...] = (
    lambda text: f"« Older   Newer »\nAvatar\nRin\nGroup: Utenti\nPosts: 1,204\n\n{text}\n\nShare",
    lambda text: f"CITAZIONE (Rin @ 3/4/2021, 11:00)\n{text}\nEdited by Rin - 3/4/2021, 12:00",
    lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
    lambda text: f"[quote=Rin]{text}[/quote]",
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "\n\n").replace(" ", "\u00a0"),
    lambda text: text.replace("\u2060", ""),
)

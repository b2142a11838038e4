"""What is wrong with a form, in the reader's words, each thing beside its field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from app.http.language import language_of
from app.http.refusals import problem_of
from app.services.errors import ArbitroError, KeyReused
from app.services.world import World
from app.web.forms import Nested, form_name
from app.web.texts import marked, translated


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing to mend: the field it is about, the sentence, the rule that asks for it."""

    field: str
    text: str
    rule: str = ""


USED: Final = marked(
    "This form was sent before with something else in it, and that was done. Look at what came of "
    "it: if you want this as well, send the form again."
)


class Troubles:
    """Everything that is wrong with a form; templates ask for a field or for all of it."""

    def __init__(self, troubles: Iterable[Trouble] = ()) -> None:
        self._all = tuple(dict.fromkeys(troubles))

    def __iter__(self) -> Iterator[Trouble]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def of(self, field: str) -> tuple[str, ...]:
        """Give the sentences about one field."""
        return tuple(trouble.text for trouble in self._all if trouble.field == field)

    def under(self, field: str) -> bool:
        """Say whether anything is wrong with a field or with what lies in it."""
        return any(
            trouble.field == field or trouble.field.startswith(f"{field}.") for trouble in self._all
        )


def renew_key(data: dict[str, Nested], error: ArbitroError, world: World) -> None:
    """Let a form that is shown again be sent again, where another one was sent with its key."""
    if isinstance(error, KeyReused):
        data["key"] = world.token()


def troubles_of(
    error: ArbitroError, request: Request, rename: Callable[[str], str] = form_name
) -> Troubles:
    """Say a refusal to a reader; ``rename`` leads from the paths of an order to those of a form."""
    found = problem_of(error, request)
    language = language_of(request)
    if isinstance(error, KeyReused):  # to whom reads a page, its key is no word
        return Troubles([Trouble("", translated(language, USED))])
    if not found.flaws:
        return Troubles([Trouble("", found.messages[language])])
    return Troubles(
        Trouble(rename(flaw.field), flaw.messages[language], flaw.rule or "")
        for flaw in found.flaws
    )

"""The odds of a set-up before anybody plays it."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, about, answer
from app.api.operations import operation
from app.api.parts import part
from app.api.v1.answers import NoticeTold, OddsTold
from app.http.aside import at_length
from app.http.language import LANGUAGES, Language
from app.posts.phrases import say
from app.services.odds import Notice, OddsAsked, OddsFound, odds_of

router: Final = part("stateless")


@router.post("/odds")
@operation(OddsTold, body=OddsAsked, refuses=("refused", "busy"))
async def tell_odds(here: Here) -> Response:
    """Tell how a set-up ends when everybody plays by standing and default orders."""
    asked = await here.read(OddsAsked)
    with about("setup"):
        found = await at_length(odds_of, asked)
    return answer(odds_told(found, here.language))


def odds_told(found: OddsFound, language: Language) -> OddsTold:
    """Say the odds of a set-up, its warnings in words."""
    return OddsTold(
        ruleset=found.ruleset,
        method=found.method,
        runs=found.runs,
        seats=found.seats,
        draws=found.draws,
        capped=found.capped,
        turns=found.turns,
        warnings=tuple(_told(one, found.ruleset, language) for one in found.notices),
    )


def _told(notice: Notice, ruleset: str, language: Language) -> NoticeTold:
    messages = {
        str(one): say(one, ruleset, "notices", notice.code, notice.facts) for one in LANGUAGES
    }
    return NoticeTold(
        code=notice.code,
        message=messages[language],
        messages=messages,
        offers=notice.offers,
    )

"""A post as its forum would show it, in a frame of its own in which nothing runs."""

from __future__ import annotations

from typing import Any, Final

import nh3
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.http.headers import FRAMED, FRAMED_POLICY
from app.posts.allowed import SHOWN, STYLES, TAGS
from app.posts.dialects import DIALECTS
from app.posts.look import as_shown, dice_in_html
from app.posts.template import Template, Written
from app.posts.template_sample import sample
from app.posts.templates import check_template, fill, say_fault
from app.web.pages import fill as fill_page
from app.web.visit import Visit

_ATTRIBUTES: Final = {tag: set(names) for tag, names in SHOWN.items()}


def look(here: Visit, template: Template, dialect: str, language: str) -> Response:
    """Answer with the sample turn as it looks in a template, and as the text to paste."""
    faults = check_template(template, dialect, language) if template.text.strip() else ()
    context: dict[str, Any] = {
        "faults": [say_fault(here.language, fault) for fault in faults],
        "empty": not template.text.strip(),
        "shown": None,
        "text": "",
    }
    if not faults and not context["empty"]:
        text = fill(sample(language, live=False), template, dialect)
        context |= {"text": text, "shown": Markup(shown(text, template, dialect))}  # noqa: S704  # made of escaped or cleaned parts
    answer = HTMLResponse(fill_page(here, "board/look.html", context))
    answer.headers[FRAMED] = FRAMED_POLICY
    return answer


def shown(text: str, template: Template, dialect: str) -> str:
    """Give the HTML of a post: made of its BBCode, or its own, cleaned of all that acts."""
    if template.markup is Written.HTML:
        return dice_in_html(_cleaned(text))
    markup = DIALECTS[dialect].markup
    return as_shown(text, markdown=markup is not None and not markup.brackets)


def _cleaned(text: str) -> str:
    return nh3.clean(
        text,
        tags=set(TAGS),
        attributes=_ATTRIBUTES,
        link_rel=None,
        filter_style_properties=set(STYLES),
    )

"""A refusal as a page: what is wrong, and what to do next."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from app.http.context import shared
from app.http.flaws import Problem
from app.http.language import language_of
from app.services.access import ANONYMOUS
from app.web.back import answers_form, steps_up
from app.web.forms import form_name
from app.web.pages import page
from app.web.troubles import Trouble, Troubles
from app.web.visit import Visit


def problem_page(request: Request, problem: Problem) -> Response:
    """Show a refusal; to htmx, which puts it into a page that is already there, in short."""
    common = shared(request)
    here = Visit(
        request=request,
        language=language_of(request),
        principal=ANONYMOUS,
        settings=common.settings,
        db=common.database,
        world=common.world,
    )
    troubles = Troubles(
        Trouble(form_name(flaw.field), flaw.messages[here.language], flaw.rule or "")
        for flaw in problem.flaws
    )
    return page(
        here,
        "problems/short.html" if here.partly else "problems/show.html",
        problem.status,
        state=problem.status,
        code=problem.kind.code,
        problem_title=problem.kind.title[here.language],
        detail=problem.messages[here.language],
        troubles=troubles,
        reader_unknown=True,  # nobody has been asked who they are
        steps_up=steps_up(request) if answers_form(request) else 0,
    )

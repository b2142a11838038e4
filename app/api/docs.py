"""The API's own description, and the page that shows it with nothing but our own files."""

from __future__ import annotations

import json
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.api import v1
from app.api.openapi import describe
from app.catalogue import read_once
from app.http.language import Language, language_of

router: Final = APIRouter(include_in_schema=False)

TITLES: Final[dict[Language, str]] = {"it": "API di Arbitro", "en": "Arbitro's API"}
SILENT: Final[dict[Language, str]] = {
    "it": "Questa pagina ha bisogno di JavaScript. Il documento OpenAPI è in",
    "en": "This page needs JavaScript. The OpenAPI document is at",
}
PAGE: Final = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/vendor/swagger-ui.css">
<script src="/static/vendor/swagger-ui-bundle.js" defer></script>
<script src="/api/docs/start.js" defer></script>
</head>
<body>
<noscript><p>{silent} <a href="/api/v1/openapi.json">/api/v1/openapi.json</a></p></noscript>
<main id="api"></main>
</body>
</html>
"""
# A file of its own, because the content policy refuses scripts inside a page.
# `validatorUrl: null` keeps the badge of a foreign validator away. The groups begin closed, with a
# field to filter them by: who looks for one call among well over a hundred sees all the groups.
START: Final = """SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
});
"""


@router.get("/api/docs")
async def show_docs(request: Request) -> Response:
    """Show the document of the API, to read and to try."""
    language = language_of(request)
    return HTMLResponse(
        PAGE.format(language=language, title=TITLES[language], silent=SILENT[language]),
        headers={"Content-Language": language, "Vary": "Accept-Language"},
    )


@router.get("/api/docs/start.js")
async def start_docs() -> Response:
    """Give the few lines that start the page."""
    return Response(START, media_type="text/javascript")


@router.get("/api/v1/openapi.json")
async def show_document(request: Request) -> Response:
    """Give the OpenAPI document, in the language of the request."""
    language = language_of(request)
    return Response(
        _document(language),
        media_type="application/json",
        headers={"Content-Language": language, "Vary": "Accept-Language"},
    )


@read_once
def _document(language: Language) -> str:
    return json.dumps(describe(v1.ROUTES, language), ensure_ascii=False)

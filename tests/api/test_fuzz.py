"""The whole API under inputs made from its own description: no failure, no undescribed answer."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.python.asgi import get_client
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from app.api import v1
from app.api.openapi import describe, examples_of
from app.ops.casebook import casebook
from app.persistence.tables import FIRST_BOARD
from app.services.boards import owner_link
from tests.api.conftest import FixedWorld
from tests.api.test_examples import OPERATIONS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]
# Small enough for every run; the profile "long" of tests/conftest.py asks for fifty times as much.
EXAMPLES = max(6, settings.default.max_examples // 16)


@cache
def operations() -> dict[str, Any]:
    """Read the document as a client would, by the ids of its operations."""
    schema = schemathesis.openapi.from_dict(describe(v1.ROUTES, "it"))
    found = [result.ok() for result in schema.get_all_operations()]
    return {one.definition.raw["operationId"]: one for one in found}


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_nothing_made_from_the_document_makes_the_api_fail(
    app: FastAPI, world: FixedWorld, name: str
) -> None:
    operation = operations()[name]

    @given(case=operation.as_strategy(), real=st.booleans())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    def sent(case: Any, real: bool) -> None:
        if real and "scene_id" in case.path_parameters:  # else nothing is ever found there
            case.path_parameters |= {"scene_id": scene_id}
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {owner}"}
        response = case.call(session=client, base_url="http://testserver")
        case.validate_response(response, checks=CHECKS)

    if "case" in name:
        casebook().coverage()  # the first reader waits for them all; this client would not
    with get_client(app) as client:
        owner = owner_link(app.state.shared.database, world, FIRST_BOARD)
        scene_id = opened(client, owner)
        sent()


def opened(client: Any, owner: str) -> str:
    """Open a scene, and give its id."""
    opening = next(iter(examples_of("open_scene").values()))
    headers = {"Authorization": f"Bearer {owner}", "Idempotency-Key": "key-of-the-scene"}
    address = "http://testserver/api/v1/boards/board/scenes"
    answer = client.post(address, json=opening, headers=headers)
    return str(answer.json()["scene_id"])

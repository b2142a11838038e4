"""Whatever the Master orders beyond a player's turn says why, or is refused, in every game."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.persistence.codec import Malformed, decode, encode, union_of
from app.rulesets import RULESETS
from tests.property.strategies import WILD, of


def needs_reason(order: type) -> bool:
    """Say whether an order has a reason that cannot be left out."""
    return any(one.name == "reason" and one.default is MISSING for one in fields(order))


RULINGS = [
    (game, order) for game, one in RULESETS.items() for order in one.orders if needs_reason(order)
]


@pytest.mark.parametrize(("game", "kind"), RULINGS, ids=lambda one: getattr(one, "__name__", one))
@given(st.data())
@settings(max_examples=8)
def test_an_order_with_an_empty_reason_is_refused_at_its_field(
    game: str, kind: type, data: Any
) -> None:
    orders = union_of(RULESETS[game].orders)
    given = encode(data.draw(of(kind, WILD)), orders)
    blank = data.draw(st.sampled_from(["", " ", "\t\n", "\u00a0"]))
    with pytest.raises(Malformed) as caught:
        decode(orders, {**given, "reason": blank})
    assert ("reason", "too_short") in {(one.field, one.code) for one in caught.value.mistakes}


def test_the_rulings_of_the_guida_need_a_reason() -> None:
    assert len([kind for game, kind in RULINGS if game == "guida"]) >= 14

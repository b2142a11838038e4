"""What a register lists leads from the vitals of one post to those of the next, in every fight."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.posts.dialects import GUIDA, render
from app.posts.read import read_post
from app.posts.write import write_blocks
from app.rulesets.guida.options import Options
from app.rulesets.guida.readings import HpFloor
from tests.unit.posts.fights import fight
from tests.unit.posts.test_compare import NAMES, STORY


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), floor=st.sampled_from(HpFloor))
def test_vitals_and_listed_changes_are_what_was_there_before(seed: int, floor: HpFloor) -> None:
    before: dict[object, tuple[int, int]] = {}
    checked = 0
    for one in fight(NAMES, seed, 12, Options(hp_floor=floor)):
        vitals = next((it.facts for it in one.result.findings if it.key == "vitals"), None)
        if vitals is None:
            continue
        header = read_post(render(write_blocks(one.source("it", STORY)), "it", GUIDA)).header
        assert header.hp is not None
        assert header.ep is not None
        was = before.get(vitals["bearer"], (60, 60))
        for unit, then, now in (("hp", was[0], header.hp), ("ep", was[1], header.ep)):
            amounts = [it.amount for it in header.register or () if it.unit == unit]
            losses = -sum(amount for amount in amounts if amount < 0)
            gains = sum(amount for amount in amounts if amount > 0)
            assert now + losses - gains == then
        before[vitals["bearer"]] = (header.hp, header.ep)
        checked += 1
    assert checked

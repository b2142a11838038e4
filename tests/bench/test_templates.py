"""Ratio of a board's own template to a plain one of the same text; printed, never a failure."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from jinja2 import Environment

from app.posts.dialects import DIALECTS, GUIDA
from app.posts.gallery import Design, designs
from app.posts.slots import pen, values
from app.posts.template import Written
from app.posts.template_sample import RULESET, sample
from app.posts.templates import fill, ready
from app.posts.write import write_parts
from tests.bench.ratios import compare

TURNS = 100


def often(work: Callable[[], object]) -> Callable[[], None]:
    """Do something as often as is needed to time it."""

    def repeated() -> None:
        for _ in range(TURNS):
            work()

    return repeated


@pytest.mark.parametrize("design", designs(), ids=lambda design: design.key)
def test_the_ratio_of_a_template_is_printed(design: Design) -> None:
    """A whole turn, its values written for the forum and set in text; then the setting alone."""
    source = sample("it", live=False)
    template = design.templates[Written.BBCODE]
    writer = pen(DIALECTS[GUIDA], "it", template.markup)
    plain = Environment(trim_blocks=True, lstrip_blocks=True).from_string(template.text)

    def given() -> dict[str, object]:
        return dict(values(write_parts(source), RULESET, "it", writer, ready(template).slots))

    once = given()
    assert plain.render(once).strip() == fill(source, template, GUIDA)
    ours, other = often(lambda: fill(source, template, GUIDA)), often(lambda: plain.render(given()))
    print()
    print(
        compare(f"P11 a turn in the board's template “{design.key}” / plain", ours, other, "≤ 1.2")
    )
    ours = often(lambda: ready(template).compiled.render(once))
    other = often(lambda: plain.render(once))
    print(compare(f"P11 the same without its values “{design.key}” / plain", ours, other, "≤ 1.2"))

"""Posts set in a template of the board's or of a character's own: checked, compiled once, filled.

The language is Jinja's, as far as ``template_check`` lets it; the environment is sandboxed besides,
has no loader, and nothing in it can be reached by name but the slots.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from jinja2 import Template as Compiled
from jinja2 import TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from app.posts.dialects import DIALECTS, offered
from app.posts.dialects.record import Dialect
from app.posts.imitated import Own, foreign, imitations, notes_in, too_small
from app.posts.lint import lint_reading
from app.posts.phrases import SERVICE, say
from app.posts.read import Reading, read_post
from app.posts.slots import pen, takes, values
from app.posts.template import Fault, Template, Written
from app.posts.template_check import CODES as CHECKED
from app.posts.template_check import DEEPEST, faults_of, used_in
from app.posts.template_sample import sample
from app.posts.write import PostSource, digested, write_blocks, write_parts

CODES: Final = (
    *(*CHECKED, "template_no_html", "template_no_bbcode", "template_imitates"),
    *("template_slot_unread", "template_own_dice"),
)
_KEPT: Final = 128  # compiled templates; a board has a handful
_BREAKS: Final = re.compile(r"\s*\n\s*")


class NoTemplate(ValueError):
    """A text that is no template: everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(", ".join(fault.code for fault in faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Ready:
    """A template that was checked and compiled, and the slots that it has."""

    compiled: Compiled
    slots: frozenset[str]
    own: Own


def _environment() -> ImmutableSandboxedEnvironment:
    made = ImmutableSandboxedEnvironment(
        autoescape=False,  # what is filled in was made inert by the forum's dialect
        trim_blocks=True,
        lstrip_blocks=True,
        cache_size=0,
    )
    for names in (made.globals, made.filters, made.tests):
        names.clear()
    return made


_ENVIRONMENT: Final = _environment()


def ready(template: Template) -> Ready:
    """Compile a template, or give it as it was compiled before; raise NoTemplate for what is none.

    What is none is not kept, so that wrong texts do not push out the good ones.
    """
    return _ready(template.markup, template.text)


@lru_cache(maxsize=_KEPT)
def _ready(markup: Written, text: str) -> Ready:
    try:
        return _compiled(markup, text)
    except RecursionError:
        raise NoTemplate([Fault(code="template_too_big", facts={"most": DEEPEST})]) from None


def _compiled(markup: Written, text: str) -> Ready:
    try:
        tree = _ENVIRONMENT.parse(text)
    except TemplateSyntaxError as error:
        # What Jinja says of it is English, and about its own insides.
        raise NoTemplate([Fault(code="template_syntax", facts={"line": error.lineno})]) from None
    if faults := faults_of(tree):
        raise NoTemplate(faults)
    own = Own(tree)
    if faults := tuple(imitations(own)):
        raise NoTemplate(faults)
    if markup is Written.HTML:
        # A forum makes an empty line of every line break, also between the parts of a table.
        for data in tree.find_all(nodes.TemplateData):
            data.data = _BREAKS.sub(" ", data.data)
    code = _ENVIRONMENT.compile(tree)
    compiled = Compiled.from_code(_ENVIRONMENT, code, {}, None)
    return Ready(compiled, used_in(tree), own)


def fill(source: PostSource, template: Template, dialect: str) -> str:
    """Write a turn with a template, in the format of its forum; raise NoTemplate for what is none.

    An order that is no turn has no header to set, and is written as it is without a template.
    """
    known = DIALECTS[dialect]
    parts = write_parts(source)
    if not parts.header:
        return known.write(write_blocks(source), source.language)
    made = ready(template)
    writer = pen(known, source.language, template.markup)
    given = values(parts, source.ruleset, source.language, writer, made.slots)
    text = made.compiled.render(given).strip()
    # Whatever else a template says is digested, too: so the line comes after all of it.
    signed = writer.blocks(digested(source, text))
    return f"{text}\n{signed}" if signed else text


def write_text(source: PostSource, dialect: str) -> str:
    """Write a post with the template that it has, where that is one for this format.

    A post can always be had: a template that this version no longer takes is left out.
    """
    template = source.template
    known = DIALECTS[dialect]
    if template is not None and template.text and takes(known, template.markup):
        try:
            if not _of_format(ready(template), known, source.language):
                return fill(source, template, dialect)
        except NoTemplate:
            pass
    return DIALECTS[dialect].write(write_blocks(source), source.language)


def write_posts(sources: Sequence[PostSource], dialect: str) -> dict[str, str]:
    """Write decisions as one text, in each format offered; templates are for a board's own one."""
    return {
        name: "\n\n".join(
            write_text(one, name)
            if name == dialect
            else DIALECTS[name].write(write_blocks(one), one.language)
            for one in sources
        )
        for name in offered(dialect)
    }


def check_template(template: Template, dialect: str, language: str) -> tuple[Fault, ...]:
    """List what is wrong with a template, which has to serve in this format.

    A sample turn is written with it and read back: whatever a post must hold has to be found in it
    as it is found in a post without a template (GC-1.1 to GC-1.4, GC-4.83).
    """
    known = DIALECTS[dialect]
    if not takes(known, template.markup):
        word = say(language, "guida", "words", dialect)
        return (Fault(code="template_no_html", facts={"dialect": word}),)
    try:
        made = ready(template)
    except NoTemplate as error:
        return error.faults
    if faults := _of_format(made, known, language):
        return faults
    found: dict[tuple[str, object], Fault] = {}
    for live in (False, True):
        source = sample(language, live=live)
        written, filled = (
            known.write(write_blocks(source), language),
            fill(source, template, dialect),
        )
        plain, mine = read_post(written), read_post(filled)
        for fault in _differences(plain, mine, live=live and known.has_tags):
            found.setdefault((fault.code, fault.facts.get("slot")), fault)
        # One that is put together of choices is seen only in what they give.
        if notes := _notes(filled) - _notes(written):
            facts: dict[str, str | int] = {"line": 1, "said": min(notes)[:80]}
            found.setdefault(
                ("template_imitates", ""), Fault(code="template_imitates", facts=facts)
            )
    return tuple(found.values())


def _of_format(made: Ready, known: Dialect, language: str) -> tuple[Fault, ...]:
    """List what a format does not take of a template that is one for others."""
    word = say(language, "guida", "words", known.key)
    strange = [
        Fault(code="template_no_bbcode", facts={"line": line, "tag": tag, "dialect": word})
        for tag, line in foreign(made.own, known)
    ]
    return (*strange[:1], *too_small(made.own, known))


def _notes(text: str) -> Counter[str]:
    return Counter(said for said, _ in notes_in(text))


def say_fault(language: str, fault: Fault) -> str:
    """Say what is wrong with a template, and how to mend it."""
    return say(language, SERVICE, "mistakes", fault.code, fault.facts)


def _differences(plain: Reading, mine: Reading, *, live: bool) -> list[Fault]:
    """Compare what is read of a post with a template to what is read of it without."""
    one, other = plain.header, mine.header
    slots = {
        "scheda": one.sheet_link == other.sheet_link,
        "pv": (one.hp, one.max_hp) == (other.hp, other.max_hp),
        "pe": (one.ep, one.max_ep) == (other.ep, other.max_ep),
        "statistiche": one.stats == other.stats,
        "registro": one.register == other.register,
    }
    wrong = [slot for slot, same in slots.items() if not same]
    expected, told = _dice(plain, live=live), _dice(mine, live=live)
    if expected - told:
        wrong.append("dadi")
    faults = [Fault(code="template_slot_unread", facts={"slot": slot}) for slot in wrong]
    if told.total() > expected.total():
        faults.append(Fault(code="template_own_dice", facts={}))
    known = Counter(issue.code for issue in lint_reading(plain).issues if not issue.hint)
    new = Counter(issue.code for issue in lint_reading(mine).issues if not issue.hint) - known
    if new and not faults:
        faults.append(Fault(code="template_slot_unread", facts={"slot": "registro"}))
    return faults


def _dice(reading: Reading, *, live: bool) -> Counter[object]:
    if live:
        return Counter(
            (found.tag.faces, found.tag.declared_modifier, found.tag.actor, found.quoted)
            for found in reading.tags
        )
    return Counter(
        (one.roll.sides, one.roll.faces, one.roll.modifier, one.roll.total, one.tag.actor)
        for one in reading.rolls
    )

"""What a template may say: text, slots, ``if`` a slot is filled, ``for`` each line of a slot.

It is a list of what is allowed: no call, no attribute, no filter, no text that is made. Text of
the players comes in only where a forum reads it as text. And whether something could be left out
is settled here, once for all posts: what must be there is placed where nothing can keep it away,
or only its own emptiness can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from jinja2 import nodes

from app.posts.bbcode import DICE_TAGS, tokenise
from app.posts.slots import APART, LISTS, NEEDED, PHASES, SHORT, SLOTS
from app.posts.template import Fault
from app.posts.template_tags import Tags

CODES: Final = (
    *("template_syntax", "template_not_allowed", "template_unknown_slot", "template_in_tag"),
    *("template_open_tag", "template_forbidden", "template_unbalanced", "template_loop"),
    *("template_line_twice", "template_line_missing"),
    *("template_slot_twice", "template_slot_missing", "template_too_big"),
)
MOST_NODES: Final = 800
MOST_SHORT: Final = 40  # places of one slot that may stand often
DEEPEST: Final = 12
LONGEST_LOOP: Final = 2_000  # characters of text that each line of a list repeats

# Their content is an address, or shown as it is, or nothing at all: no place for a post.
_WORDS: Final = """
    url link email mail img image media embed video youtube vimeo flash mp3 audio swf attachment
    quote cite citazione code codice php sql css js xml html dohtml tex latex math pre tt icode
    plain noparse nobbc user mention member thread topic post postquote wrap diceresult
    hide hidden spoiler spoil collapse toggle accordion details
"""
_CLOSED: Final = DICE_TAGS | frozenset(_WORDS.split())
_NEVER: Final = nodes.Const(False)  # a test after which nothing is sure


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk is: the tests and the loop around, and the names that the loop gives."""

    tests: tuple[nodes.Expr, ...] = ()
    loop: str = ""
    names: tuple[str, ...] = ()
    depth: int = 0


def faults_of(tree: nodes.Template) -> tuple[Fault, ...]:
    """List everything that keeps a text from being a template, in its order."""
    walk = _Walk()
    walk.body(tree.body, _Place())
    if walk.nodes > MOST_NODES:
        return (Fault(code="template_too_big", facts={"most": MOST_NODES}),)
    return (*walk.faults, *walk.missing())


def used_in(tree: nodes.Template) -> frozenset[str]:
    """Name the slots that a template has, printed or asked about."""
    return frozenset(name.name for name in tree.find_all(nodes.Name) if name.name in SLOTS)


class _Walk:
    def __init__(self) -> None:
        self.tags = Tags()
        self.begun = 1  # the line on which the text behind the last slot begins
        self.faults: list[Fault] = []
        self.nodes = 0
        self._count: dict[str, int] = {}
        self._sure: set[str] = set()

    def body(self, body: Sequence[nodes.Node], place: _Place) -> None:
        """Go through a part of a template; what opens in it must close in it."""
        open_before = ""
        self.tags.enter()
        for node in body:
            self.nodes += 1
            if self.nodes > MOST_NODES or place.depth > DEEPEST:
                self.nodes = MOST_NODES + 1
                return
            match node:
                case nodes.Output():
                    open_before = self._output(node, place, open_before)
                case nodes.If():
                    self._closed(node, open_before, "{% if %}")
                    self._choice(node, place)
                    open_before = ""
                case nodes.For():
                    self._closed(node, open_before, "{% for %}")
                    self._loop(node, place)
                    open_before = ""
                case _:
                    self._refuse("template_not_allowed", node, what=type(node).__name__.lower())
        if body:
            self._closed(body[-1], open_before, "{% end… %}" if place.depth else "")
        self.faults += self.tags.leave()

    def missing(self) -> Iterator[Fault]:
        """Name what a post must hold and some post would not."""
        for slot in NEEDED:
            if slot in self._sure:
                continue
            parts = [f"{part}_{slot}" for part in APART] if slot in PHASES else [slot]
            lacking = [part for part in parts if part not in self._sure]
            for one in [slot] if len(lacking) == len(APART) else lacking:
                yield Fault(code="template_slot_missing", facts={"slot": one})

    # ------------------------------------------------------------------ what is printed

    def _output(self, node: nodes.Output, place: _Place, text: str) -> str:
        """Go through text and slots; give the text behind the last slot."""
        for one in node.nodes:
            self.nodes += 1
            if isinstance(one, nodes.TemplateData):
                self.begun = self.begun if text else one.lineno
                text += one.data
                continue
            self._closed(one, text, _said(one))
            text = ""
            if isinstance(one, nodes.Name):
                self._slot(one, place)
            else:
                self._refuse("template_not_allowed", one, what=type(one).__name__.lower())
        return text

    def _closed(self, node: nodes.Node, text: str, what: str) -> None:
        """Refuse a place within a tag, or in an element that takes no text of a post."""
        line = node.lineno
        if _is_open(text):
            facts: dict[str, str | int] = {"line": line, "slot": what}
            self.faults.append(Fault(code="template_in_tag", facts=facts))
            return
        # A forum may read HTML also in what is meant as BBCode, and BBCode always.
        found = list(self.tags.read(text, self.begun))
        self.faults += found
        if any(fault.code == "template_forbidden" for fault in found):
            return
        opened: list[str] = []
        for tag in tokenise(text):
            if tag.name not in _CLOSED:
                continue
            if not tag.closing:
                opened.append(tag.name)
            elif tag.name in opened:
                opened.remove(tag.name)
        if opened:
            facts = {"line": line, "tag": opened[-1]}
            self.faults.append(Fault(code="template_open_tag", facts=facts))

    def _slot(self, node: nodes.Name, place: _Place) -> None:
        name = node.name
        if name in place.names:
            self._count[name] = self._count.get(name, 0) + 1
            if self._count[name] > 1:
                self._refuse("template_line_twice", node, slot=name)
            return
        if name not in SLOTS:
            self._refuse("template_unknown_slot", node, slot=name)
            return
        if place.loop and name not in SHORT:
            self._refuse("template_loop", node, slot=name)
            return
        self._place(node, name, place)

    def _place(self, node: nodes.Node, name: str, place: _Place) -> None:
        self._count[name] = self._count.get(name, 0) + 1
        part, _, phase = name.rpartition("_")
        again = self._count[name] > (MOST_SHORT if name in SHORT else 1)
        if phase in PHASES and part in ("", *APART):
            others = [f"{one}_{phase}" for one in APART] if not part else [phase]
            again = again or any(self._count.get(one) for one in others)
        if again:
            self._refuse("template_slot_twice", node, slot=name)
        elif all(_follows(test, name) for test in place.tests):
            self._sure.add(name)

    # ------------------------------------------------------------- what is chosen, and repeated

    def _choice(self, node: nodes.If, place: _Place) -> None:
        assert isinstance(node.test, nodes.Expr)
        self._test(node.test, place)
        inner = _Place((*place.tests, node.test), place.loop, place.names, place.depth + 1)
        self.body(node.body, inner)
        # What stands behind "else" is there only without something else: nothing is sure there.
        never = _Place((*place.tests, _NEVER), place.loop, place.names, place.depth + 1)
        for other in node.elif_:
            self._choice(other, never)
        self.body(node.else_, never)

    def _test(self, test: nodes.Expr, place: _Place) -> None:
        self.nodes += 1
        match test:
            case nodes.Name(name=name) if name in SLOTS or name in place.names:
                pass
            case nodes.Name(name=name):
                self._refuse("template_unknown_slot", test, slot=name)
            case nodes.Not(node=inner):
                self._test(inner, place)
            case nodes.And(left=left, right=right) | nodes.Or(left=left, right=right):
                self._test(left, place)
                self._test(right, place)
            case nodes.Getattr(node=nodes.Name(name="loop"), attr="first" | "last") if place.loop:
                pass
            case _:
                self._refuse("template_not_allowed", test, what=type(test).__name__.lower())

    def _loop(self, node: nodes.For, place: _Place) -> None:
        slot = node.iter.name if isinstance(node.iter, nodes.Name) else ""
        names = _names(node.target)
        plain = not (node.test or node.recursive or node.else_)
        if slot not in LISTS or place.loop or not plain or len(names) != LISTS[slot]:
            self._refuse("template_loop", node, slot=slot or "…")
            return
        if set(names) & {*SLOTS, "loop"}:
            self._refuse("template_loop", node, slot=slot)
            return
        length = sum(len(one.data) for one in node.find_all(nodes.TemplateData))
        if length > LONGEST_LOOP:
            self.faults.append(Fault(code="template_too_big", facts={"most": LONGEST_LOOP}))
            return
        for name in names:
            self._count[name] = 0
        faults = len(self.faults)
        self.body(node.body, _Place((_NEVER,), slot, names, place.depth + 1))
        if len(self.faults) > faults:
            return
        # Each line has to be printed, whichever line it is.
        lacking = [name for name in names if name not in _surely_printed(node.body)]
        if lacking:
            self._refuse("template_line_missing", node, slot=lacking[0])
            return
        self._place(node, slot, place)

    def _refuse(self, code: str, node: nodes.Node, **facts: str) -> None:
        self.faults.append(Fault(code=code, facts={"line": node.lineno, **facts}))


def _is_open(text: str) -> bool:
    """Say whether a text ends within a tag, or where an address of a link could begin."""
    if text.rfind("[") > text.rfind("]"):
        return True
    sign = text.rfind("<")
    if sign > text.rfind(">") and not text[sign + 1 : sign + 2].isspace():
        return True
    link = text.rfind("](")
    return link >= 0 and not {")", "\n"} & set(text[link:])


def _surely_printed(body: Sequence[nodes.Node]) -> set[str]:
    """Name what the top of a loop's body prints: a choice might leave it out."""
    return {
        one.name
        for node in body
        if isinstance(node, nodes.Output)
        for one in node.nodes
        if isinstance(one, nodes.Name)
    }


def _follows(test: nodes.Expr, slot: str) -> bool:
    """Say whether a test surely holds where a slot has something in it."""
    match test:
        case nodes.Name(name=name):
            # A phase has something in it as soon as any of its parts has.
            return name == slot or (name in PHASES and slot.endswith(f"_{name}"))
        case nodes.Or(left=left, right=right):
            named = {one.name for one in test.find_all(nodes.Name)}
            whole = slot in PHASES and {f"{part}_{slot}" for part in APART} <= named
            return _follows(left, slot) or _follows(right, slot) or (whole and _only_or(test))
        case nodes.And(left=left, right=right):
            return _follows(left, slot) and _follows(right, slot)
        case _:
            return False


def _only_or(test: nodes.Expr) -> bool:
    match test:
        case nodes.Or(left=left, right=right):
            return _only_or(left) and _only_or(right)
        case _:
            return isinstance(test, nodes.Name)


def _said(node: nodes.Node) -> str:
    return f"{{{{ {node.name} }}}}" if isinstance(node, nodes.Name) else "{{ … }}"


def _names(target: nodes.Node) -> tuple[str, ...]:
    if isinstance(target, nodes.Name):
        return (target.name,)
    if isinstance(target, nodes.Tuple):
        names = tuple(one.name for one in target.items if isinstance(one, nodes.Name))
        return names if len(set(names)) == len(target.items) else ()
    return ()

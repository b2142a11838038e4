"""The post of Combat Dice: turn by turn, dice in a table, each comparison, and who stands how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from app.engine.dice import Roll
from app.engine.findings import Finding
from app.engine.numbers import spelled
from app.engine.ruleset import Asked
from app.engine.tally import Tally
from app.posts.blocks import Block, Heading, Line, Piece, Style, Table
from app.posts.layout import told_by
from app.posts.phrases import say as say_in

RULESET: Final = "combat_dice"
Told: TypeAlias = Sequence[Mapping[str, Any]]
SCORES: Final = ("attack", "dodge", "damage", "armor", "initiative", "maneuver")
COMPARED: Final = SCORES[:4]  # Initiative and Maneuver stay those of the first roll (CD-15)
_BOLD: Final = frozenset({"goes_down", "combat_ends", "style_used", "action_used"})
# What lets a turn go on that waited, and what is told of it then.
_GO_ON: Final = frozenset({"answered", "default_played", "rethrown", "rethrow_left"})
_IN_TURN: Final = frozenset({"rethrown", "rethrow_left", "scores", "action_used", "style_used"})
_TERMS: Final = frozenset(
    {
        *("stunned", "hurt_arm", "hurt_leg", "break_armor", "disarmed", "knockdown"),
        *("grappled", "after_feint", "held", "blinded", "cursed", "shield_spell"),
    }
)


def tell(
    language: str,
    findings: Sequence[Finding],
    _asked: Sequence[Asked],
    _rolls: Sequence[Roll] | None,
) -> tuple[Block, ...]:
    """Write a whole post; a decision that plays several turns tells one after the other."""
    teller = _Teller(language)
    if any(one.key == "declared" for one in findings):  # then the orders speak for themselves
        findings = [one for one in findings if one.key != "orders_sealed"]
    return tuple(block for turn in _turns(findings) for block in teller.turn(turn))


def _turns(findings: Iterable[Finding]) -> Iterator[list[Finding]]:
    """Split findings where a turn begins; what comes before the first is a part of its own."""
    turn: list[Finding] = []
    number: object = None
    for finding in findings:
        if finding.key == "declared" and finding.facts["turn"] != number:
            number = finding.facts["turn"]
            if turn:
                yield turn
            turn = []
        turn.append(finding)
    if turn:
        yield turn


class _Teller:
    """Writes turns in one language."""

    def __init__(self, language: str) -> None:
        self._post = partial(say_in, language, RULESET, "post")
        self._say = partial(say_in, language, RULESET)

    def turn(self, findings: Sequence[Finding]) -> Iterator[Block]:
        """Write one turn, or what was decided outside of any."""
        declared = [one for one in findings if one.key == "declared"]
        going_on = [one for one in findings if one.key in _GO_ON]
        if declared or (going_on and any(one.key in _IN_TURN for one in findings)):
            yield Heading(self._post("turn", (declared or going_on)[0].facts))
        if declared:
            held = " · ".join(self._post("holds", one.facts) for one in declared)
            yield _line(declared[0], Piece(held))
        first = [one.facts for one in findings if one.key == "first_scores"]
        lasting = [one.facts for one in findings if one.key == "scores"]
        told: set[str] = set()
        for finding in findings:
            if finding.key in ("first_scores", "scores"):
                if finding.key not in told:
                    table = self._rolled(first) if finding.key == "first_scores" else None
                    yield from (table,) if table else self._now(first, lasting)
                told.add(finding.key)
            elif finding.key != "declared":
                yield self._told(finding)

    def _told(self, finding: Finding) -> Line:
        facts: Mapping[str, Any] = finding.facts
        match finding.key:
            case "rethrown":
                return _line(finding, *self._rethrown(facts))
            case "hit" | "miss":
                shown = {**facts, "sign": ">" if finding.key == "hit" else "≤"}
                result = _bold(self._post(finding.key))
                return _line(finding, self._before("attacks", shown), result)
            case "damage":
                shown = {**facts, "armor": _in_brackets(facts["armor"])}
                points = _bold(self._post("points", facts))
                return _line(finding, self._before("wound", shown), points)
            case "no_damage":
                unhurt = Piece(self._post("unhurt"))
                return _line(finding, self._before("no_wound", facts), unhurt)
            case "injured":
                return _line(finding, *self._injured(facts))
            case "value_set":
                text = self._say("findings", "value_set", facts)
                return _line(finding, _bold(self._post("set_value")), Piece(f": {text}"))
            case "status":
                return _line(finding, Piece(self._stands(facts)))
            case _:
                text = self._say("findings", finding.key, facts)
                return _line(finding, _bold(text) if finding.key in _BOLD else Piece(text))

    def _rolled(self, first: Told) -> Table:
        """Set dice, modifiers and scores of the combat roll beside one another (CD-11, CD-45)."""
        rows = [
            (self._say("words", "combat_roll"), *(self._say("words", score) for score in SCORES))
        ]
        for facts in first:
            sums = [facts[score] for score in SCORES]
            dice = [_dice_in(one) for one in sums]
            added = [one.total - count for one, count in zip(sums, dice, strict=True)]
            rows += [
                (self._post("dice", facts), *map(str, dice)),
                (self._post("modifiers"), *(spelled(one, sign=bool(one)) for one in added)),
                (self._post("score"), *(spelled(one.total) for one in sums)),
            ]
        return Table(tuple(rows))

    def _now(self, first: Told, lasting: Told) -> Iterator[Table]:
        """Set the scores that are compared side by side, where they are not those of the roll."""
        before = [[facts[score].total for score in COMPARED] for facts in first]
        after = [[facts[score].total for score in COMPARED] for facts in lasting]
        if before == after:
            return
        head = (self._post("scores_now"), *(self._say("words", score) for score in COMPARED))
        names = [str(facts["fighter"]) for facts in lasting]
        rows = ((name, *map(spelled, sums)) for name, sums in zip(names, after, strict=True))
        yield Table((head, *rows))

    def _rethrown(self, facts: Mapping[str, Any]) -> Iterator[Piece]:
        yield self._before("rethrows", facts)
        yield Piece(" ".join(facts["before"]), Style.STRUCK)
        yield Piece(" → ")
        yield _bold(" ".join((*facts["dice"], *facts["specialty"])))

    def _injured(self, facts: Mapping[str, Any]) -> Iterator[Piece]:
        dice = facts["dice"]
        shown = {**facts, "dice": " + ".join(dice), "sum": sum(map(int, dice))}
        yield self._before("table", shown)
        word = self._say("words", facts["injury"])
        yield _bold(self._post("condition", {"what": word, "turns": facts["turns"]}))

    def _before(self, key: str, facts: Mapping[str, Any]) -> Piece:
        """Say what leads up to the words that stand out."""
        return Piece(f"{self._post(key, facts)} ")

    def _stands(self, facts: Mapping[str, Any]) -> str:
        """Say hit points, dice of the next turn, conditions and their turns (CD-9)."""
        conditions = (self._condition(one) for one in facts.get("conditions", ()))
        stands = self._post("stands", {**facts, "dice": int(facts["dice"].total)})
        return " · ".join((stands, *conditions))

    def _condition(self, written: str) -> str:
        code, times, turns = written.split(":")
        what, _, which = code.partition("/")
        if which:
            said = self._post("dropped", {"weapon": which})
        else:
            said = self._say("terms" if what in _TERMS else "words", what)
        if times != "1":
            said = self._post("times", {"what": said, "times": times})
        return self._post("condition", {"what": said, "turns": int(turns)})


def _line(finding: Finding, *pieces: Piece) -> Line:
    return Line(pieces, finding.rule, finding.ruling)


def _bold(text: str) -> Piece:
    return Piece(text, Style.BOLD)


def _dice_in(tally: Tally) -> int:
    return int(sum(term.value for term in tally.terms if term.key == "dice"))


def _in_brackets(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


LAYOUT: Final = told_by(tell)

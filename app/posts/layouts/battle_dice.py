"""The post of Battle Dice: a section for each step, successes in bold, and how the armies stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.engine.dice import Address, Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.engine.tally import Tally
from app.posts.blocks import Block, Heading, Line, Piece, Style, Title
from app.posts.layout import Layout, told_by
from app.posts.layouts.battle_names import RULESET, die_name, headed, named
from app.posts.layouts.battle_parts import Parts, parted
from app.posts.layouts.battle_tables import after_table, lost_table, muster_table
from app.posts.phrases import say
from app.rulesets.battle_dice.tables import (
    DESERTS_TO,
    MORALE_FACES,
    SCORES_FROM,
    SLAYS_FROM,
)
from app.rulesets.battle_dice.terms import Cast, Kind, Step

# Rows that lead to another table, whose row is then told below them.
LEAD_ON: Final = frozenset({"magic_speed", "magic_command", "archmage_magic"})
_BOLD: Final = re.compile(r"\*\*")
# Successes, with 13 to 16 on a D20, which slay a hero (BD-22).
_STANDS_OUT: Final = {**SCORES_FROM, Kind.D20: SLAYS_FROM}


def tell(
    language: str,
    findings: Sequence[Finding],
    asked: Sequence[Asked],
    rolls: Sequence[Roll] | None,
) -> tuple[Block, ...]:
    """Write the post of a decision."""
    if not findings:
        return ()
    faces = {} if rolls is None else {roll.address: roll.face for roll in rolls}
    return tuple(_Teller(language, asked, faces).post(parted(findings)))


LAYOUT: Final[Layout] = told_by(tell)


@dataclass(frozen=True, slots=True)
class _Teller:
    language: str
    asked: Sequence[Asked]
    faces: Mapping[Address, int]

    def post(self, parts: Parts) -> Iterator[Block]:
        """Write all of it."""
        yield Title(self.say("title"))
        if parts.turn:
            key = "turn_resumed" if parts.resumed else "turn"
            yield Heading(headed(self.language, "post", key, turn=parts.turn))
        mustered = [one for one in parts.before if one.key == "army_revealed"]
        yield from self.sentences([one for one in parts.before if one not in mustered])
        if mustered:
            yield muster_table(self.language, mustered)
        for step, found in parts.steps.items():
            yield Heading(headed(self.language, "phases", step))
            yield from self.step(step, found)
        yield from self.after(parts)

    def say(self, key: str, **facts: object) -> str:
        """Say a phrase of the post."""
        return say(self.language, RULESET, "post", key, facts)

    def step(self, step: Step, found: Sequence[Finding]) -> Iterator[Block]:
        """Write what has happened in one step."""
        if step is Step.ROLL:
            yield from self.rolled(found)
            return
        actors = iter(dict.fromkeys(one.actor for one in self.asked if one.phase == Step.MORALE))
        told: list[Finding] = []
        for one in found:
            if one.key not in ("morale_tested", "points_compared"):
                told.append(one)
                continue
            yield from self.sentences(told)
            told = []
            if one.key == "points_compared":
                yield from self.points(one)
            else:
                yield from self.morale(one, next(actors, ""))
        yield from self.sentences(told)

    def rolled(self, found: Iterable[Finding]) -> Iterator[Line]:
        """Write all dice of both sides, a line per kind, successes in bold (BD-14)."""
        side = ""
        for one in found:
            if one.facts["side"] != side:
                side = str(one.facts["side"])
                yield Line((Piece(side, Style.BOLD),))
            kind = Kind(str(one.facts["kind"]))
            faces = one.facts["faces"]
            assert isinstance(faces, tuple)
            shown = [_face(kind, int(str(face))) for face in faces]
            yield self.dice(kind, shown, one.rule)

    def morale(self, test: Finding, actor: str) -> Iterator[Line]:
        """Write the dice of a morale test, those that count in bold, and its end (BD-72)."""
        fell: dict[tuple[str, int], list[int]] = {}
        for one in self.asked:
            if one.phase == Step.MORALE and one.actor == actor and one.address in self.faces:
                fell.setdefault((one.action, one.sides), []).append(self.faces[one.address])
        for (cast, sides), faces in fell.items():
            if cast == Cast.MORALE:
                shown = [_piece(face, bold=face in MORALE_FACES) for face in faces]
                yield self.dice(Kind(f"d{sides}"), shown, "BD-72")
            else:
                name = say(self.language, RULESET, "actions", cast)
                yield Line((Piece(f"{name}: {' '.join(map(str, faces))}"),), "AMB-BD-15")
        yield Line(_marked(self.say("morale", **test.facts)), test.rule, test.ruling)

    def dice(self, kind: Kind, faces: Sequence[Piece], rule: str) -> Line:
        """Write like dice in a row."""
        pieces = [Piece(f"{die_name(self.language, kind)}:")]
        for face in faces:
            pieces += [Piece(" "), face]
        return Line(tuple(pieces), rule)

    def points(self, one: Finding) -> Iterator[Line]:
        """Write how points compare; where more than dice count, term by term (BD-31)."""
        name = named(self.language, str(one.facts["pool"]))
        facts = {**one.facts, "name": name[:1].upper() + name[1:]}
        yield Line(_marked(self.say("compared", **facts)), one.rule)
        for place in ("first", "second"):
            tally = one.facts[f"{place}_points"]
            if isinstance(tally, Tally) and len(tally.terms) > 1:
                total = one.facts[f"{place}_total"]
                text = self.say("sum", side=one.facts[place], points=tally, total=total)
                yield Line((Piece(text),), "AMB-BD-17")

    def sentences(self, found: Sequence[Finding]) -> Iterator[Line]:
        """Write findings as sentences; a roll on a table and what came of it are one line."""
        line: list[str] = []
        row: Finding | None = None
        for one in found:
            if one.key == "value_set":
                yield Line((Piece(self.say("set_value"), Style.BOLD), self.ruled(one)), one.rule)
                continue
            if one.key in ("row_chosen", "amount_rolled") and row is not None:
                line.append(self.sentence(one))
                continue
            leads = row is not None and row.facts.get("row") in LEAD_ON
            if row is not None:
                yield _line(line, row)
            line, row = [f"→ {self.sentence(one)}" if leads else self.sentence(one)], None
            if one.key in ("row_rolled", "custom_row_rolled"):
                row = one
            else:
                yield _line(line, one)
        if row is not None:
            yield _line(line, row)

    def ruled(self, one: Finding) -> Piece:
        """Write what the Master has set, behind its label."""
        return Piece(f": {self.sentence(one)}")

    def sentence(self, one: Finding) -> str:
        """Write one finding."""
        if one.key == "dice_lost":
            return self.say("lost", **{**one.facts, "dice": _by_kind(one.facts["dice"])})
        if one.key == "hits" and isinstance(tally := one.facts["hits"], Tally):
            return self.say("hits", **one.facts, parts=tally if len(tally.terms) > 1 else "")
        return say(self.language, RULESET, "findings", one.key, one.facts)

    def after(self, parts: Parts) -> Iterator[Block]:
        """Write the casualties, the armies as they stand, and how it ended or what it waits for."""
        armies = [one for one in parts.after if one.key == "army_after"]
        if armies:
            lost = lost_table(self.language, parts, armies)
            if lost is not None:
                yield Heading(headed(self.language, "post", "casualties"))
                yield lost
            yield Heading(headed(self.language, "post", "after"))
            yield after_table(self.language, armies)
        for one in parts.after:
            if one.key != "army_after":
                yield Line((Piece(self.sentence(one), Style.BOLD),), one.rule, one.ruling)


def _line(sentences: Sequence[str], one: Finding) -> Line:
    return Line((Piece(" ".join(sentences)),), one.rule, one.ruling)


def _face(kind: Kind, face: int) -> Piece:
    """Write a die of the Roll step: a success in bold, a deserter struck (BD-20)."""
    if kind is Kind.D20 and face <= DESERTS_TO:
        return Piece(str(face), Style.STRUCK)
    return _piece(face, bold=face >= _STANDS_OUT[kind])


def _piece(face: int, *, bold: bool) -> Piece:
    return Piece(str(face), Style.BOLD if bold else Style.PLAIN)


def _marked(text: str) -> tuple[Piece, ...]:
    """Read what stands between two pairs of asterisks as bold."""
    parts = _BOLD.split(text)
    return tuple(
        Piece(part, Style.BOLD if number % 2 else Style.PLAIN)
        for number, part in enumerate(parts)
        if part
    )


def _by_kind(dice: object) -> str:
    """Gather lost dice by their kind: ``D6 1 3, D8 2``; one without a result is only counted."""
    assert isinstance(dice, tuple)
    kinds: dict[str, list[str]] = {}
    for one in dice:
        kind, _, result = str(one).partition(" ")
        kinds.setdefault(kind, []).append(result or "–")
    return ", ".join(f"{kind}: {' '.join(results)}" for kind, results in kinds.items())

"""Two worlds that differ only in somebody hidden look equal to those it is hidden from (GC-9.1).

The worlds are fights played so far, in which somebody hides, and the same with another sheet,
other wounds, another place. What a seat sees, may do, is refused, is told in advance and is told
afterwards must not differ. A failure names its seed.
"""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from app.engine.dice import RecordedDice
from app.engine.ruleset import GM, SPECTATOR, Said, Seat
from app.rulesets.guida.combatants import (
    Combatant,
    Concealed,
)
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    AreaPlan,
    Attack,
    Generic,
    Order,
    Turn,
)
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Reach,
    Unseen,
)
from app.rulesets.guida.rulings import (
    Place,
)
from app.rulesets.guida.senses import is_hidden, unseen_by
from app.rulesets.guida.sheet import Area, Blinding, Camouflage, Masking, Perception, Sheet, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import AreaForm, Category, Curtain, Talent
from app.rulesets.guida.underway import (
    Concentration,
    Incoming,
    Pending,
)
from app.services.sight import findings_seen, veil_over
from tests.property.strategies import answer, legal_turn, step
from tests.property.test_every_action import a_setup, a_sheet
from tests.property.traces import traces

FEW = 80
MANY = 2_000
POSTS = 8
OF_SENSES = (
    Tool(id="radar", name="Radar", stat_bonus=Fraction(4), effects=(Perception(radius_m=40),)),
    Tool(id="cloak", name="Manto", stat_bonus=Fraction(9), effects=(Camouflage(turns=3),)),
    Tool(id="mask", name="Maschera", stat_bonus=Fraction(3), effects=(Masking(),)),
    Tool(
        id="flash",
        name="Lampo",
        attacks=True,
        potential=Fraction(5),
        category=Category.C,
        stat_bonus=Fraction(0),
        effects=(Blinding(turns=2),),
    ),
    Tool(
        id="smoke",
        name="Fumo",
        generic=True,
        effects=(Area(form=AreaForm.EXPANSIVE, saturation=8, curtain=Curtain.SMOKE),),
    ),
)


@dataclasses.dataclass(frozen=True)
class Worlds:
    """A scene, the same scene with somebody in it changed, and who cannot tell them apart."""

    one: Scene
    other: Scene
    hider: str
    observer: str


def sensing(sheet: Sheet) -> Sheet:
    """Give a sheet the techniques of chapter 9 and of smoke."""
    return replace(sheet, tools=(*sheet.tools, *OF_SENSES))


def worlds(seed: int) -> Worlds | None:
    """Play a fight for a while and let somebody hide; None where it is over before."""
    pick = Random(seed)
    setup = a_setup(pick)
    setup = replace(
        setup, entrants=tuple(replace(one, sheet=sensing(one.sheet)) for one in setup.entrants)
    )
    scene = GUIDA.start(setup)
    for _ in range(pick.randint(0, POSTS)):
        if scene.ended:
            return None
        scene = step(scene, next_order(pick, scene), pick).after
    active = [one.id for one in scene.combatants if one.active]
    if scene.ended:
        return None
    hider = pick.choice(active)
    others = [one.id for one in scene.opponents(hider)]
    observer = pick.choice(others)
    pairs = {Unseen(who=hider, observer=observer)}
    pairs |= {Unseen(who=hider, observer=id) for id in others if pick.randint(0, 1)}
    hidden = tuple(sorted(pairs, key=lambda one: one.observer))
    for _ in range(POSTS):  # it is not hidden while something it did is still to be answered
        scene = step(scene, Place(by=GM, hidden=hidden, reason="gone"), pick).after
        if is_hidden(scene, hider, observer):
            return Worlds(scene, another(pick, scene, hider, observer), hider, observer)
        scene = step(scene, next_order(pick, scene), pick).after
        if scene.ended or not scene.who(observer).active:
            return None
    return None


def next_order(pick: Random, scene: Scene) -> Order:
    """Pick the next decision; now and then something of chapter 9 with it."""
    awaited = GUIDA.awaits(scene)
    if scene.questions and (not awaited.seats or pick.randint(0, 1)):
        return answer(pick, scene)
    (seat,) = awaited.seats
    turn = legal_turn(pick, scene, seat)
    offered = GUIDA.choices(scene, seat)
    for field, tools in (
        ("perception", offered.perceptions),
        ("camouflage", offered.camouflages),
        ("masking", offered.maskings),
    ):
        if tools and pick.randint(0, 2) == 0:
            more = replace(turn, **{field: pick.choice(tools).id})
            turn = turn if GUIDA.check(scene, more) else more
    return turn


def another(pick: Random, scene: Scene, hider: str, observer: str) -> Scene:
    """Change everything about the hider that the observer does not have before its eyes.

    An attack whose reach it waits for stays: that it has to wait, it cannot but know (GC-13.2).
    So does what it did to the hider and has yet to tell (GC-6.8).
    """
    waits = {one.about for one in scene.questions if observer in one.blocks}
    gone = {one.id for one in scene.incoming if lost(one, hider, observer)} - waits
    changed = replace(
        scene.put(changed_one(pick, scene.who(hider), observer)),
        incoming=tuple(one for one in scene.incoming if one.id not in gone),
        pending=tuple(one for one in scene.pending if not kept_secret(one, hider, observer)),
        questions=tuple(
            one
            for one in scene.questions
            if one.about not in gone
            and (hider not in (one.by, one.about) or one.blocks or one.by == observer)
        ),
        concentration=tuple(
            Concentration(observer=id, target=hider, value=pick.choice((2, 4)))
            for id in (one.id for one in scene.opponents(hider))
        ),
        behind=frozenset(
            {one for one in scene.behind if hider not in (one.who, one.whom)}
            | {Behind(who=observer, whom=hider)}
        ),
    )
    places = [one for one in scene.distances if hider in (one.a, one.b)]
    places.sort(key=lambda one: (one.a, one.b))  # the same in every run
    far = [
        Distance(a=one.a, b=one.b, metres=Fraction(pick.choice((1, 7, 30, 200)))) for one in places
    ]
    return changed.placed(far, changed.behind)


def changed_one(pick: Random, who: Combatant, observer: str) -> Combatant:
    """Make somebody of the same name else: other sheet, other vitals, nothing pending of others."""
    sheet = replace(sensing(a_sheet(pick, who.id)), name=who.sheet.name)
    if pick.randint(0, 1):
        sheet = replace(sheet, talents=(Talent.ALTERNATIVE_SENSES_TO_SIGHT,))
    return replace(
        who,
        sheet=sheet,
        hp=pick.randint(1, 500),
        ep=pick.randint(0, 500),
        turn=who.turn + 1,
        lines=tuple(one for one in who.lines if one.poster == observer and not one.posted),
        effects=(),
        lots=(),
        uses=(),
        armour_down=not who.armour_down,
        prepared=who.turn + 2,
        camouflage=None if who.camouflage else concealed(pick),
        masking=None if who.masking else concealed(pick),
    )


def concealed(pick: Random) -> Concealed:
    """Make a camouflage or masking."""
    from app.engine.tally import Tally

    return Concealed(name="Manto", tool="cloak", die=pick.randint(1, 12), score=Tally(), until=None)


def lost(attack: Incoming, hider: str, observer: str) -> bool:
    """Say whether an attack is out of the observer's sight."""
    return hider in (attack.attacker, attack.target) and attack.target != observer


def kept_secret(action: Pending, hider: str, observer: str) -> bool:
    """Say whether a generic action is out of the observer's sight."""
    mine = observer in (action.actor, *action.waits)
    return hider in (action.actor, action.beneficiary) and not mine


def told(before: Scene, after: Scene, order: Order, findings: object, asked: object, seat: Seat):
    """Give what a seat is told of a decision."""
    veil = veil_over(GUIDA.veils(before, after, order.by, Said(asked, findings)), (seat,))
    return findings_seen(findings, veil)


def shown(before: Scene, after: Scene, order: Order, said: Said, seat: Seat) -> bool:
    """Say whether a seat may read the order and story of a decision."""
    veil = veil_over(GUIDA.veils(before, after, order.by, said), (seat,))
    return veil is None or not veil.story


@pytest.mark.parametrize("seed", range(FEW))
def test_two_worlds_look_equal_to_those_who_cannot_tell_them_apart(seed: int) -> None:
    hold(seed)


@pytest.mark.slow
def test_many_pairs_of_worlds_look_equal() -> None:
    for seed in range(FEW, MANY):
        hold(seed)


def hold(seed: int) -> None:
    """Compare what the seats without sight see of both worlds, now and after what they may do."""
    pair = worlds(seed)
    if pair is None:
        return
    one, other = pair.one, pair.other
    for seat in eyes(one, other, pair.observer):
        assert GUIDA.view(one, seat) == GUIDA.view(other, seat), (seed, seat)
        assert GUIDA.awaits_for(one, seat) == GUIDA.awaits_for(other, seat), (seed, seat)
        assert GUIDA.choices(one, seat) == GUIDA.choices(other, seat), (seed, seat)
    for world in (one, other):
        for seat in (pair.observer, SPECTATOR):
            assert traces(world, seat) == [], (seed, seat)
    turn = Turn(by=pair.observer)
    assert GUIDA.check(one, turn) == GUIDA.check(other, turn), seed
    hinted = Turn(by=pair.observer, main=Attack(target=pair.hider, tool="t0"))
    assert GUIDA.check(one, hinted) == GUIDA.check(other, hinted), seed
    near = (Reach(to=pair.hider, metres=3),)
    for plan in (AreaPlan(tool="smoke", around=pair.hider), AreaPlan(tool="smoke", distances=near)):
        placed = Turn(by=pair.observer, main=Generic(tool="smoke"), areas=(plan,))
        assert GUIDA.check(one, placed) == GUIDA.check(other, placed) != (), seed
    blind = Turn(by=pair.observer, main=Attack(target=pair.hider, tool="t0", blind=True))
    assert GUIDA.check(one, blind) == GUIDA.check(other, blind), seed
    if not GUIDA.check(one, blind):
        assert GUIDA.plan(one, blind).asked == GUIDA.plan(other, blind).asked, seed
        assert GUIDA.forecast(one, blind) == GUIDA.forecast(other, blind), seed
    if GUIDA.awaits(one).seats == (pair.observer,):
        after_a_turn(Random(seed), pair)
    if GUIDA.awaits(one).seats == (pair.hider,):
        after_a_secret_turn(Random(seed), pair)


def eyes(one: Scene, other: Scene, observer: str) -> tuple[Seat, ...]:
    """List who looks: the observer, and a spectator.

    A spectator sees only what everybody sees, since the hider may be one: whom the hider's own
    eyes make out, in smoke or blinded, is the one thing that shows there.
    """
    alike = unseen_by(one, SPECTATOR) == unseen_by(other, SPECTATOR)
    return (observer, SPECTATOR) if alike else (observer,)


def after_a_turn(pick: Random, pair: Worlds) -> None:
    """Let the observer post the same in both worlds, as long as it leaves the hider alone."""
    turn = legal_turn(pick, pair.one, pair.observer)
    assert not GUIDA.check(pair.other, turn)
    plan, twin = GUIDA.plan(pair.one, turn), GUIDA.plan(pair.other, turn)
    assert plan.asked == twin.asked
    touched = isinstance(turn.main, Attack) and pair.hider in (turn.main.target, *turn.main.also)
    if touched:
        return
    assert GUIDA.forecast(pair.one, turn) == GUIDA.forecast(pair.other, turn)
    played = step(pair.one, turn, pick)
    dice = RecordedDice(played.rolls)
    again = GUIDA.resolve(pair.other, turn, dice)
    for seat in eyes(played.after, again.state, pair.observer):
        first = told(pair.one, played.after, turn, played.findings, plan.asked, seat)
        second = told(pair.other, again.state, turn, again.findings, twin.asked, seat)
        assert first == second
        here, there = Said(plan.asked, played.findings), Said(twin.asked, again.findings)
        read = shown(pair.one, played.after, turn, here, seat)
        assert read == shown(pair.other, again.state, turn, there, seat)
        assert GUIDA.view(played.after, seat) == GUIDA.view(again.state, seat)


def after_a_secret_turn(pick: Random, pair: Worlds) -> None:
    """Of what somebody hidden does, nothing is told but what happens to those in sight."""
    turn = legal_turn(pick, pair.one, pair.hider)
    played = step(pair.one, turn, pick)
    if not is_hidden(played.after, pair.hider, pair.observer):
        return
    name = pair.one.who(pair.hider).sheet.name
    said = Said(played.plan.asked, played.findings)
    (veil,) = (
        one
        for one in GUIDA.veils(pair.one, played.after, pair.hider, said)
        if one.seat == pair.observer
    )
    assert veil.author
    assert veil.story
    assert set(veil.dice) == {die.address for die in played.plan.asked}
    for found in findings_seen(played.findings, veil):
        assert name not in [str(fact) for fact in found.facts.values()]

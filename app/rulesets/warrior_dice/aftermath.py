"""After a duel: XP are spent, and a killed being reforms (WD-52, WD-64, WD-68)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Facts, Finding, Violation
from app.engine.ruleset import Resolution
from app.rulesets.warrior_dice.campaign import (
    buy,
    cut_hits,
    cut_option,
    default_cut,
    is_banished,
    is_spent,
    may_cut_force,
    may_cut_hits,
    purchases_in,
    value_of,
)
from app.rulesets.warrior_dice.endings import banish, settled
from app.rulesets.warrior_dice.orders import Purchase, ReformBeing, SpendXp
from app.rulesets.warrior_dice.sheet import FaceOption, Warrior
from app.rulesets.warrior_dice.state import Duel, Fighter
from app.rulesets.warrior_dice.terms import Buy, Kind

NEW = (Buy.NEW_ATTACK, Buy.NEW_DEFENCE)


def check_spending(duel: Duel, order: SpendXp) -> Iterator[Violation]:
    """List what keeps purchases from being made; each sees what those before it have changed."""
    fighter = duel.who(order.by)
    if not fighter.xp_due:
        yield Violation("WD-52", "nothing_to_spend", "by", {"name": fighter.name})
        return
    warrior = fighter.warrior
    most = purchases_in(warrior.xp)
    if len(order.purchases) > most:
        facts: Facts = {"xp": warrior.xp, "most": most, "found": len(order.purchases)}
        yield Violation("WD-52", "too_few_xp", "purchases", facts)
        return
    absorbed = 0
    for place, purchase in enumerate(order.purchases):
        at = f"purchases.{place}"
        found = list(_check(duel, fighter, warrior, purchase, at))
        if purchase.absorbs:
            absorbed += 1
            if absorbed > 1:  # WD-68: one trait of the loser
                found.append(Violation("WD-68", "one_trait_only", f"{at}.absorbs"))
        yield from found
        if not found:
            warrior = buy(warrior, purchase)


def spend(duel: Duel, order: SpendXp) -> Resolution[Duel]:
    """Buy what 10 XP each pay for (WD-52, WD-54)."""
    fighter = duel.who(order.by)
    findings = []
    for purchase in order.purchases:
        before = fighter.warrior
        fighter = replace(fighter, warrior=buy(before, purchase))
        findings.append(_bought(duel, before, fighter.warrior, purchase))
    if not order.purchases:
        facts: Facts = {"name": fighter.name, "xp": fighter.warrior.xp}
        findings.append(Finding("WD-A7", "xp_kept", facts))
    return Resolution(settled(duel.put(replace(fighter, xp_due=False))), tuple(findings))


def check_reforming(duel: Duel, order: ReformBeing) -> Iterator[Violation]:
    """List what keeps a cost from being paid (WD-A5)."""
    fighter = duel.who(order.by)
    if not fighter.reform_due:
        yield Violation("WD-64", "nothing_to_reform", "by", {"name": fighter.name})
    elif order.face is None:
        if not may_cut_hits(fighter.warrior.hits):
            facts: Facts = {"name": fighter.name, "hits": fighter.warrior.hits}
            yield Violation("WD-A5", "hits_at_floor", "face", facts)
    else:
        option = fighter.warrior.option(order.face, order.option)
        if option is None:
            yield _missing(order.face, order.option, "option")
        elif not may_cut_force(option.force):
            yield Violation("WD-A5", "force_at_floor", "option", {"option": option.name})


def reform(duel: Duel, order: ReformBeing) -> Resolution[Duel]:
    """Let a killed being reform at the cost its owner chose (WD-64)."""
    fighter = duel.who(order.by)
    option = None
    if order.face is not None:
        option = fighter.warrior.option(order.face, order.option)
    return reformed(duel, fighter, option)


def reform_by_default(duel: Duel, fighter: Fighter) -> Resolution[Duel]:
    """Let a being reform whose owner did not choose in time (WD-A5)."""
    return reformed(duel, fighter, default_cut(fighter.warrior))


def reformed(duel: Duel, fighter: Fighter, option: FaceOption | None) -> Resolution[Duel]:
    """Take 10 off an option or off the starting hits, for good (WD-64, WD-65)."""
    if option is None:
        warrior = cut_hits(fighter.warrior)
        name, left = "", warrior.hits
    else:
        warrior = cut_option(fighter.warrior, option)
        name, left = option.name, (option.force or 0) - 10
    points = value_of(duel.options, warrior)
    facts: Facts = {"name": fighter.name, "option": name, "left": left, "points": points}
    findings = [Finding("WD-64", "reformed", facts)]
    fighter = replace(fighter, warrior=warrior, reform_due=False)
    duel = duel.put(fighter)
    if is_banished(duel.options, points) or is_spent(warrior):
        duel, gone = banish(duel, fighter)
        findings.append(gone)
    return Resolution(settled(duel), tuple(findings))


def absorbable(duel: Duel, fighter: Fighter) -> tuple[FaceOption, ...]:
    """List the traits a fighter may take on: those of a Shadow being it has killed (WD-68)."""
    loser = duel.other(fighter.id)
    if not duel.shadow or duel.winner != fighter.id or not loser.killed:
        return ()
    return tuple(option for option in loser.warrior.options if option.trait)


def _check(
    duel: Duel, fighter: Fighter, warrior: Warrior, purchase: Purchase, at: str
) -> Iterator[Violation]:
    if purchase.what is Buy.HITS:
        return
    if purchase.what is Buy.RAISE:
        option = warrior.option(purchase.face, purchase.option)
        if option is None:
            yield _missing(purchase.face, purchase.option, f"{at}.option")
        elif not option.numeric:  # AMB-WD-16
            yield Violation("WD-52", "nothing_to_raise", f"{at}.option", {"option": option.name})
        return
    if not purchase.name and not purchase.absorbs:
        yield Violation("WD-52", "new_option_unnamed", f"{at}.name")
    most = duel.options.max_options_per_face
    if most is not None and len(warrior.on(purchase.face)) >= most:
        facts: Facts = {"face": purchase.face, "most": most}
        yield Violation("WD-53", "face_full", f"{at}.face", facts)
    if purchase.absorbs:
        kind = Kind.ATTACK if purchase.what is Buy.NEW_ATTACK else Kind.DEFENCE
        traits = [one for one in absorbable(duel, fighter) if one.name == purchase.absorbs]
        if not traits:
            yield Violation("WD-68", "no_such_trait", f"{at}.absorbs", {"trait": purchase.absorbs})
        elif kind is not traits[0].kind:  # of the same kind as the trait
            yield Violation("WD-68", "trait_of_other_kind", f"{at}.what", {"trait": traits[0].name})


def _missing(face: int, option: int, at: str) -> Violation:
    return Violation("WD-39", "no_such_option", at, {"face": face, "option": option})


def _bought(duel: Duel, before: Warrior, after: Warrior, purchase: Purchase) -> Finding:
    points = value_of(duel.options, after)
    facts: Facts = {"name": after.name, "xp": after.xp, "points": points}
    if purchase.what is Buy.HITS:
        return Finding("WD-52", "bought_hits", {**facts, "hits": after.hits})
    if purchase.what is Buy.RAISE:
        option = before.option(purchase.face, purchase.option)
        name = "" if option is None else option.name
        force = 0 if option is None else (option.force or 0) + 10
        return Finding("WD-52", "bought_force", {**facts, "option": name, "force": force})
    new = after.options[-1]
    row: Facts = {**facts, "option": new.name, "face": new.face, "kind": new.kind}
    if purchase.absorbs:
        return Finding("WD-68", "absorbed", {**row, "trait": purchase.absorbs})
    return Finding("WD-53", "bought_option", row)

"""What the turn form offers to whoever is bound: all of it, and what hangs on breaking free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.rulesets.guida.offers import Choices, DefenceChoice, ToolChoice
from app.rulesets.guida.terms import Action


def whole(offered: Choices) -> Choices:
    """Join what is open to whoever is bound and what an attempt to break free would open.

    What the attempt itself may be made with is only in the first of the two (GC-14.22).
    """
    freed = offered.if_freed
    if freed is None:
        return offered
    frees = {tool.id for tool in tools_in(offered) if tool.frees}

    def mended(tool: ToolChoice) -> ToolChoice:
        return replace(tool, frees=tool.id in frees)

    def mended_way(way: DefenceChoice) -> DefenceChoice:
        far = tuple(replace(one, tool=mended(one.tool)) for one in way.after_move)
        return replace(way, tools=tuple(map(mended, way.tools)), after_move=far)

    return replace(
        offered,
        incoming=freed.incoming,
        pending=freed.pending,
        at_allies=freed.at_allies,
        defences=tuple(map(mended_way, freed.defences)),
        independents=freed.independents,
        attacks=tuple(replace(way, tool=mended(way.tool)) for way in freed.attacks),
        support=freed.support,
        preparation=freed.preparation,
        preparation_reach_m=freed.preparation_reach_m,
        generics=freed.generics,
        quiet_support=freed.quiet_support,
        not_now=freed.not_now,
    )


def tools_in(offered: Choices) -> Iterator[ToolChoice]:
    """Go through all that is offered to be used, as often as it is."""
    yield from (way.tool for way in offered.attacks)
    for way in offered.defences:
        yield from (*way.tools, *(far.tool for far in way.after_move), *way.support)
    yield from (*offered.independents, *offered.support, *offered.quiet_support)
    yield from (*offered.preparation, *offered.generics)


@dataclass(frozen=True, slots=True)
class Hanging:
    """What can be done only if an attempt to break free has worked before (GC-14.22)."""

    actions: tuple[Action, ...] = ()
    tools: tuple[str, ...] = ()
    moves: bool = False

    @property
    def anything(self) -> bool:
        """Say whether there is anything of the kind."""
        return bool(self.actions or self.tools or self.moves)


def hanging(now: Choices) -> Hanging:
    """Say what of the whole that is offered cannot be done as one is bound ``now``."""
    if now.if_freed is None:
        return Hanging()
    actions = {way.action for way in now.defences}
    tools = {tool.id for tool in tools_in(now)}
    later = (tool.id for tool in tools_in(now.if_freed) if tool.id not in tools)
    return Hanging(
        actions=tuple(one.action for one in now.if_freed.defences if one.action not in actions),
        tools=tuple(dict.fromkeys(later)),
        moves=now.stays,
    )

"""Findings, refusals and posts as sentences, for callers that have no templates of ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.api.v1.answers import (
    EntryTold,
    FightTold,
    Issue,
    JointPost,
    OrderPreview,
    PostedDiceRead,
    Sentence,
    StepTold,
    TagChecked,
    TagsChecked,
)
from app.api.v1.spoken import spoken
from app.engine.findings import Finding, Obstacle
from app.http.flaws import Flaw
from app.http.language import Language
from app.http.refusals import flaws_of, flaws_of_mistakes
from app.posts.brought import Remark
from app.posts.dialects import GUIDA
from app.posts.dice_tag import FoundTag
from app.posts.phrases import SERVICE, say
from app.posts.templates import write_posts
from app.posts.write import PostSource
from app.services.entry_shapes import (
    EntryRead,
    Narration,
    PastedDice,
    Preview,
)
from app.services.errors import Mistake
from app.services.retold import source_of
from app.services.shapes import (
    Adjudged,
    Adjudicated,
    EntryKind,
    Roller,
    SceneRead,
)


def sentences(obstacles: Iterable[Obstacle], language: Language, at: str) -> tuple[Sentence, ...]:
    """Say everything that stands in the way of what is found at ``at`` in the body."""
    return _sentences(flaws_of(obstacles, at), language)


def mistakes_told(mistakes: Iterable[Mistake], language: Language) -> tuple[Sentence, ...]:
    """Say everything that cannot be understood."""
    return _sentences(flaws_of_mistakes(mistakes), language)


def _sentences(flaws: Iterable[Flaw], language: Language) -> tuple[Sentence, ...]:
    return tuple(
        Sentence(
            field=flaw.field,
            code=flaw.code,
            rule=flaw.rule,
            message=flaw.messages[language],
            messages={str(key): text for key, text in flaw.messages.items()},
        )
        for flaw in flaws
    )


def texts(findings: Iterable[Finding], ruleset: str, language: str) -> tuple[str, ...]:
    """Say each finding, in their order."""
    return tuple(say(language, ruleset, "findings", one.key, one.facts) for one in findings)


def posts(source: PostSource, dialect: str) -> Mapping[str, str]:
    """Write a post in a scene's dialect, the Guida's and plain text."""
    return write_posts([source], dialect)


def told(entry: EntryRead, language: Language) -> EntryTold:
    """Tell an entry: its findings in the reader's language, its post in the scene's."""
    return EntryTold(
        entry=entry,
        texts=texts(entry.findings, entry.ruleset, language),
        remarks=remarks_told(entry.dice_remarks, language),
        # Of the unseen there is no post to paste, and none of a correction by itself.
        posts=posts(source_of(entry), entry.dialect) if _has_post(entry) else {},
    )


def remarks_told(remarks: Iterable[Remark], language: Language) -> tuple[str, ...]:
    """Say what was noticed in a post whose dice were read."""
    return tuple(say(language, SERVICE, "post_remarks", one.code, one.facts) for one in remarks)


def pasted_told(found: PastedDice, language: Language) -> PostedDiceRead:
    """Tell what a pasted post shows of the dice that are awaited."""
    return PostedDiceRead(
        ready=found.ready,
        dice=found.dice,
        mistakes=_sentences(flaws_of_mistakes(found.mistakes), language),
        remarks=remarks_told(found.remarks, language),
    )


def _has_post(entry: EntryRead) -> bool:
    return bool(entry.seat) and entry.kind is not EntryKind.CORRECTION


def joint_told(entries: Sequence[EntryRead]) -> JointPost:
    """Tell the posts of several entries as one."""
    sources = [source_of(one) for one in entries]
    dialect = entries[0].dialect if entries else GUIDA
    return JointPost(
        entries=tuple(one.number for one in entries),
        posts=write_posts(sources, dialect),
    )


def preview_told(
    found: Preview, scene: SceneRead, narration: Narration, language: Language
) -> OrderPreview:
    """Tell what an order would meet; its post is in the scene's language, its dice still open."""
    findings = () if found.plan is None else found.plan.findings
    source = (
        None
        if found.plan is None
        else PostSource(
            ruleset=scene.ruleset,
            language=scene.language,
            findings=findings,
            asked=found.plan.asked,
            rolls=None,
            narration=narration,
            provenance="service" if scene.dice is Roller.SERVICE else "",
            numbered=found.plan.asked,
            template=scene.templates.of(found.seat),
        )
    )
    return OrderPreview(
        seat=found.seat,
        obstacles=sentences(found.obstacles, language, "order"),
        plan=found.plan,
        forecast=found.forecast,
        texts=texts(findings, scene.ruleset, language),
        posts={} if source is None else posts(source, scene.dialect),
    )


def fight_told(played: Adjudicated, ruleset: str, language: Language) -> FightTold:
    """Tell what came of a fight, its posts in the reader's language."""
    return FightTold(
        steps=tuple(
            # Dice that are refused stand beside the order, which was not.
            _step_told(step, f"steps.{index}{'' if step.asked else '.order'}", ruleset, language)
            for index, step in enumerate(played.steps)
        ),
        view=played.view,
        awaited=played.awaited,
    )


def _step_told(step: Adjudged, at: str, ruleset: str, language: Language) -> StepTold:
    source = PostSource(
        ruleset=ruleset,
        language=language,
        findings=step.findings,
        asked=step.asked,
        rolls=step.rolls,
    )
    return StepTold(
        seat=step.seat,
        obstacles=sentences(step.obstacles, language, at),
        asked=step.asked,
        rolls=step.rolls,
        findings=step.findings,
        texts=texts(step.findings, ruleset, language),
        posts={} if step.obstacles else posts(source, GUIDA),
    )


def tags_told(found: Iterable[FoundTag], language: Language) -> TagsChecked:
    """Tell what is wrong with each dice tag of a text."""
    tags = tuple(_tag_told(one, language) for one in found)
    return TagsChecked(sound=not any(one.issues for one in tags), tags=tags)


def _tag_told(found: FoundTag, language: Language) -> TagChecked:
    tag = found.tag
    facts = {"declared": tag.declared_modifier, "listed": tag.listed_modifier}
    return TagChecked(
        start=found.start,
        end=found.end,
        source=found.source,
        quoted=found.quoted,
        tag=tag,
        issues=tuple(_issue(code, facts, language) for code in tag.issues),
    )


def _issue(code: str, facts: Mapping[str, object], language: Language) -> Issue:
    said = spoken(language, lambda one: say(one, SERVICE, "tag_issues", code, facts))
    return Issue(code=code, **said)

"""A whole post read, checked and compared, before or after it is published; nothing is stored."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import BoardQuery, SceneId
from app.api.parts import part
from app.api.v1.post_answers import (
    DifferenceReason,
    NumberCompared,
    PostChecked,
    PostClaim,
    PostClaims,
    PostIssue,
    PostNumbers,
    PostRetold,
    PostTag,
)
from app.api.v1.spoken import spoken
from app.http.language import Language
from app.persistence.tables import FIRST_BOARD
from app.posts.compared import Because, Compared, say_number, say_reason
from app.posts.lint import Issue, say_issue
from app.posts.phrases import SERVICE, say
from app.posts.read import Claim, say_claim
from app.services import comparing, posts
from app.services.comparing import PostToCompare
from app.services.posts import PostRead, PostToCheck, PostToRead
from app.services.retold import Retold

router: Final = part("stateless")


@router.post("/posts/check")
@operation(PostChecked, body=PostToCheck, refuses=("not_found",))
async def check_post(here: Here, board: BoardQuery = FIRST_BOARD) -> Response:
    """Hold a whole post against its template, its register, its dice and its one story."""
    post = await here.read(PostToCheck)
    read = await here.run(posts.check_post, here.principal, board, post)
    return answer(_told(read, here.language))


@router.post("/read")
@operation(PostClaims, body=PostToRead, refuses=("not_found",))
async def read_post(here: Here, board: BoardQuery = FIRST_BOARD) -> Response:
    """Read a pasted post without any scene: each claim with its place, and what is wrong."""
    post = await here.read(PostToRead)
    read = await here.run(posts.read_post, here.principal, board, post)
    reading = read.reading
    told = PostClaims(
        paste=reading.paste,
        edited=reading.edited,
        claims=tuple(_claim(one, here.language) for one in reading.claims),
        unread=tuple(_claim(one, here.language) for one in reading.unread),
        left_out=reading.left_out,
        checked=_told(read, here.language),
    )
    return answer(told)


@router.post("/scenes/{scene_id}/compare")
@operation(PostNumbers, body=PostToCompare, refuses=("not_found", "nothing_to_compare"))
async def compare_post(here: Here, scene_id: SceneId) -> Response:
    """Hold a pasted post against the entry that it tells, number by number."""
    post = await here.read(PostToCompare)
    found = await here.run(comparing.compare_post, here.principal, scene_id, post)
    told = PostNumbers(
        entry=found.entry,
        seat=found.seat,
        same=found.same,
        edited=found.edited,
        numbers=tuple(_number(one, here.language) for one in found.numbers),
        unread=tuple(_claim(one, here.language) for one in found.unread),
    )
    return answer(told)


def _number(one: Compared, language: Language) -> NumberCompared:
    return NumberCompared(
        kind=one.kind,
        name=say_number(language, one),
        about=one.about,
        rule=one.rule,
        claimed=one.claimed,
        computed=one.computed,
        same=one.same,
        place=None if one.claim is None else _claim(one.claim, language),
        because=tuple(_because(why, language) for why in one.because),
    )


def _because(why: Because, language: Language) -> DifferenceReason:
    return DifferenceReason(
        rule=why.rule,
        code=why.code,
        facts=why.facts,
        **spoken(language, lambda one: say_reason(one, why)),
    )


def _told(read: PostRead, language: Language) -> PostChecked:
    """Tell what is wrong with a post: in each of its tags, around them, and as hints."""

    def told_of(tag: int | None, *, hint: bool = False) -> tuple[PostIssue, ...]:
        return tuple(
            _issue(issue, language)
            for issue in read.issues
            if (issue.tag, issue.hint) == (tag, hint)
        )

    return PostChecked(
        valid=read.valid,
        header=read.header,
        before=read.before,
        tags=tuple(
            PostTag(source=one.source, quoted=one.quoted, tag=one.tag, issues=told_of(place))
            for place, one in enumerate(read.tags)
        ),
        issues=told_of(None),
        hints=told_of(None, hint=True),
        retold=_retold(read.retold, language),
    )


def _retold(found: Retold | None, language: Language) -> PostRetold | None:
    if found is None:
        return None
    facts = {"wording": found.wording}
    return PostRetold(
        state=found.state,
        wording=found.wording,
        **spoken(language, lambda one: say(one, SERVICE, "retold", found.state, facts)),
    )


def _issue(issue: Issue, language: Language) -> PostIssue:
    return PostIssue(
        rule=issue.rule,
        code=issue.code,
        facts=issue.facts,
        **spoken(language, lambda one: say_issue(one, issue)),
    )


def _claim(claim: Claim, language: Language) -> PostClaim:
    return PostClaim(
        kind=claim.kind,
        start=claim.start,
        end=claim.end,
        line=claim.line,
        text=claim.text,
        facts=claim.facts,
        **spoken(language, lambda one: say_claim(one, claim)),
    )

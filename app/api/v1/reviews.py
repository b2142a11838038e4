"""The Master's desk: turns to review over all scenes, decisions about them, and the trail."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, about, answer, tag
from app.api.operations import operation
from app.api.parameters import (
    KEYED,
    Act,
    AfterNumber,
    AfterPlace,
    BoardId,
    GameQuery,
    Key,
    Limit,
    Number,
    OfScene,
    OnlyDiffering,
    OnlyFresh,
    ReviewState,
    SceneId,
    SeatQuery,
    Version,
)
from app.api.parts import part
from app.api.v1.bodies import NewNote, NewOrder, NewReview, NewSeen
from app.api.v1.review_answers import (
    AmendmentTold,
    EntryChangeTold,
    Looked,
    OwnNoteTold,
    Seen,
    WaitingList,
)
from app.api.v1.telling import texts
from app.api.v1.turns import AT_THIS_POINT, read_new_order
from app.services import amending, audit, desk, desk_errors, reviews, scenes
from app.services.desk_shapes import (
    DeskRead,
    Review,
    Reviewed,
    Reviewing,
    ReviewRead,
    TurnPlace,
)

router: Final = part("reviews")


@router.get("/boards/{board_id}/reviews")
@operation(DeskRead)
async def list_reviews(
    here: Here,
    board_id: BoardId,
    state: ReviewState = Review.OPEN.value,
    scene: OfScene = None,
    seat: SeatQuery = None,
    act: Act = None,
    game: GameQuery = "",
    differs: OnlyDiffering = False,
    fresh: OnlyFresh = False,
    place: AfterPlace = None,
    limit: Limit = 50,
) -> Response:
    """Read a page of the desk, the oldest turn first."""
    wanted = desk.DeskFilter(
        state=Review(state),
        scene_id=scene or "",
        seat=seat or "",
        act=act or "",
        ruleset=game,
        differs=differs,
        fresh=fresh,
    )
    read = desk.read_desk
    return answer(await here.run(read, here.principal, board_id, wanted, after=place, limit=limit))


@router.get("/boards/{board_id}/reviews/waiting")
@operation(WaitingList)
async def list_waiting(here: Here, board_id: BoardId) -> Response:
    """List the scenes that go on, with whom they wait for."""
    return answer(WaitingList(scenes=await here.run(desk.read_waiting, here.principal, board_id)))


@router.get("/boards/{board_id}/reviews/errors")
@operation(desk_errors.DeskErrors)
async def count_errors(here: Here, board_id: BoardId) -> Response:
    """Count what goes wrong, by player and by kind of number."""
    return answer(await here.run(desk_errors.read_errors, here.principal, board_id))


@router.post("/boards/{board_id}/reviews/looked", dependencies=[KEYED])
@operation(Looked)
async def mark_looked(here: Here, board_id: BoardId) -> Response:
    """Note that everything on the desk was looked over by now."""
    return answer(Looked(at=await here.run(desk.look, here.world, here.principal, board_id)))


@router.get("/boards/{board_id}/reviews/note")
@operation(OwnNoteTold)
async def read_note(here: Here, board_id: BoardId, scene: OfScene = None) -> Response:
    """Read one's own note, about a scene or about the board."""
    note = await here.run(desk.read_note, here.principal, board_id, scene or "")
    return answer(OwnNoteTold(scene_id=scene, text=note.text))


@router.put("/boards/{board_id}/reviews/note", dependencies=[KEYED])
@operation(OwnNoteTold, body=NewNote, refuses=("not_found",))
async def write_note(here: Here, board_id: BoardId) -> Response:
    """Write one's own note; an empty one is forgotten."""
    new = await here.read(NewNote)
    place = new.scene_id or ""
    note = await here.run(desk.write_note, here.world, here.principal, board_id, place, new.text)
    return answer(OwnNoteTold(scene_id=new.scene_id, text=note.text))


@router.get("/scenes/{scene_id}/entries/{number}/review")
@operation(ReviewRead)
async def read_review(here: Here, scene_id: SceneId, number: Number) -> Response:
    """Read how a turn stands on the desk, and every decision about it."""
    found = await here.run(reviews.read_review, here.principal, scene_id, number)
    return answer(found, headers=tag(found.version))


@router.post("/scenes/{scene_id}/entries/{number}/review", status_code=201)
@operation(
    Reviewed,
    body=NewReview,
    status=201,
    refuses=("key_reused", "dice_awaited", "not_in_effect"),
)
async def decide_review(
    here: Here, scene_id: SceneId, number: Number, version: Version, key: Key
) -> Response:
    """Approve a turn, or return it with marks on single numbers."""
    new = await here.read(NewReview)
    reviewing = Reviewing(
        verdict=new.verdict, marks=new.marks, note=new.note, version=version, key=key
    )
    done = await here.run(reviews.review, here.world, here.principal, scene_id, number, reviewing)
    where = {"Location": f"/api/v1/scenes/{scene_id}/entries/{number}/review"}
    return answer(done, 201, {**tag(done.version), **where})


@router.put("/scenes/{scene_id}/entries/{number}/seen", dependencies=[KEYED])
@operation(Seen, body=NewSeen)
async def mark_seen(here: Here, scene_id: SceneId, number: Number) -> Response:
    """Mark a turn as viewed for oneself, or take the mark away."""
    new = await here.read(NewSeen)
    place = TurnPlace(scene_id=scene_id, number=number)
    await here.run(desk.see, here.world, here.principal, place, seen=new.seen)
    return answer(Seen(seen=new.seen))


@router.post("/scenes/{scene_id}/entries/{number}/amend/preview")
@operation(
    AmendmentTold,
    body=NewOrder,
    refuses=("refused", "not_in_effect", "other_dice_needed", *AT_THIS_POINT),
)
async def preview_amendment(here: Here, scene_id: SceneId, number: Number) -> Response:
    """Say what an order in front of an entry would change from there to now; nothing is stored."""
    new = await read_new_order(here, scene_id, NewOrder)
    with about("order"):
        found = await here.run(
            amending.preview_amendment,
            here.world,
            here.principal,
            scene_id,
            number,
            new.order,
        )
    scene = await here.run(scenes.read_scene, here.principal, scene_id)
    told = AmendmentTold(
        entry=found.entry,
        texts=texts(found.findings, scene.ruleset, here.language),
        numbers=found.numbers,
        entries=tuple(
            EntryChangeTold(
                number=one.number,
                seat=one.seat,
                act=one.act,
                before=texts(one.before, scene.ruleset, here.language),
                after=texts(one.after, scene.ruleset, here.language),
                reopens=one.reopens,
            )
            for one in found.entries
        ),
    )
    return answer(told)


@router.get("/scenes/{scene_id}/audit")
@operation(audit.Audit)
async def read_audit(
    here: Here, scene_id: SceneId, after: AfterNumber = 0, limit: Limit = 50
) -> Response:
    """Read what Masters did in a scene, in its order."""
    found = await here.run(audit.read_audit, here.principal, scene_id, after=after, limit=limit)
    return answer(found)

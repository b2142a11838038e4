"""The parameters that routes share; what they may be is checked before any route is entered."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from fastapi import Depends, Header, Path, Query

TOKEN: Final = r"^[A-Za-z0-9_-]{1,64}$"
IN_LINE: Final = r"^[^\x00-\x1f\x7f-\x9f]+$"
RULE_ID: Final = r"^[A-Z]{2,5}-[A-Za-z0-9.-]{1,16}$"  # GC-5.3, WD-A1, BD-H12.4, AMB-WD-3
LARGEST: Final = 999_999_999

BoardId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
SceneId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
SheetId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
PersonId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
InvitationId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
KeyId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
BeingId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
PieceId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
Number: TypeAlias = Annotated[int, Path(ge=1, le=LARGEST)]
Line: TypeAlias = Annotated[int, Path(ge=0, le=LARGEST)]
First: TypeAlias = Annotated[int, Path(ge=1, le=LARGEST)]
Last: TypeAlias = Annotated[int, Path(ge=1, le=LARGEST)]
SeatPath: TypeAlias = Annotated[str, Path(max_length=40, pattern=IN_LINE)]
RuleId: TypeAlias = Annotated[
    str,
    Path(pattern=RULE_ID),
]

CaseId: TypeAlias = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]

WarriorId: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
Format: TypeAlias = Annotated[str, Query(alias="format", pattern=r"^(json|csv)$")]

Precedent: TypeAlias = Annotated[int, Path(ge=1, le=LARGEST)]
QuestionCode: TypeAlias = Annotated[str | None, Query(pattern=r"^[a-z0-9_]{1,64}$")]
InForce: TypeAlias = Annotated[bool | None, Query()]
BeforeNumber: TypeAlias = Annotated[int | None, Query(ge=1, le=LARGEST)]

PieceKindQuery: TypeAlias = Annotated[
    str | None, Query(alias="kind", pattern=r"^(technique|weapon|armour|bonus|sheet)$")
]
PieceStateQuery: TypeAlias = Annotated[
    str | None, Query(alias="standing", pattern=r"^(proposed|returned|approved|retired)$")
]
Words: TypeAlias = Annotated[str, Query(max_length=100)]
GameQuery: TypeAlias = Annotated[str, Query(pattern=r"^[a-z0-9_]{0,64}$")]
Status: TypeAlias = Annotated[
    str | None, Query(pattern=r"^(implemented|planned|narrative|external)$")
]
Chapter: TypeAlias = Annotated[int | None, Query(ge=0, le=999)]
OpName: TypeAlias = Annotated[str | None, Query(pattern=r"^[a-z0-9_]{1,64}$")]
Result: TypeAlias = Annotated[str | None, Query(pattern=r"^(passed|failed)$")]
RuleQuery: TypeAlias = Annotated[str | None, Query(pattern=RULE_ID)]

SeatQuery: TypeAlias = Annotated[
    str | None,
    Query(max_length=40, pattern=IN_LINE),
]
# Where nothing else says it, the board whose readings and rolls a pasted post is read by.
BoardQuery: TypeAlias = Annotated[str, Query(alias="board", pattern=TOKEN)]
OfBoard: TypeAlias = Annotated[str | None, Query(alias="board", pattern=TOKEN)]
AfterId: TypeAlias = Annotated[str | None, Query(pattern=TOKEN)]
AfterNumber: TypeAlias = Annotated[int, Query(ge=0, le=LARGEST)]
Limit: TypeAlias = Annotated[int, Query(ge=1, le=100)]

ReviewState: TypeAlias = Annotated[
    str, Query(pattern=r"^(open|returned|approved|dice|dropped)$", alias="state")
]
OfScene: TypeAlias = Annotated[str | None, Query(alias="scene", pattern=TOKEN)]
Act: TypeAlias = Annotated[str | None, Query(alias="act", pattern=r"^[a-z0-9_]{1,64}$")]
OnlyDiffering: TypeAlias = Annotated[bool, Query(alias="differs")]
OnlyFresh: TypeAlias = Annotated[bool, Query(alias="fresh")]
AfterPlace: TypeAlias = Annotated[
    str | None, Query(alias="place", pattern=r"^[0-9]{1,17}\.[0-9]{1,9}\.[A-Za-z0-9_-]{1,64}$")
]

Key: TypeAlias = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[\x21-\x7e]{8,200}$",
    ),
]


def keyed(key: Key) -> None:  # asked for, so that every changing call looks alike
    """Ask for a key where the use case needs none: carried out twice, it comes to the same."""


KEYED: Final = Depends(keyed)


def seen_version(
    tag: Annotated[
        str,
        Header(
            alias="If-Match",
            pattern=r'^"(0|[1-9][0-9]{0,8})"$',
        ),
    ],
) -> int:
    """Read the version that the caller has seen."""
    return int(tag.strip('"'))


Version: TypeAlias = Annotated[int, Depends(seen_version)]

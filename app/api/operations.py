"""What each operation takes and gives, said beside its route and read by the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

Route = TypeVar("Route", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The body an operation reads, what it answers with which status, and how it may refuse.

    ``refuses`` lists the codes beyond those that follow from its method and parameters, ``besides``
    the media types of texts that it gives instead where a parameter asks for them, each with an
    example.
    """

    answer: Any
    body: Any = None
    status: int = 200
    refuses: tuple[str, ...] = ()
    besides: tuple[tuple[str, str], ...] = ()


OPERATIONS: Final[dict[str, Operation]] = {}


def operation(
    answer: Any,
    *,
    body: Any = None,
    status: int = 200,
    refuses: tuple[str, ...] = (),
    besides: tuple[tuple[str, str], ...] = (),
) -> Callable[[Route], Route]:
    """Note what an operation takes and gives, under the name of its function."""

    def note(route: Route) -> Route:
        OPERATIONS[route.__name__] = Operation(
            answer=answer, body=body, status=status, refuses=refuses, besides=besides
        )
        return route

    return note

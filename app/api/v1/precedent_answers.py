"""What the API answers about precedents and readings, with the words for it."""

from __future__ import annotations

from dataclasses import dataclass

from app.http.language import Language
from app.posts.phrases import say
from app.services.precedent_shapes import (
    Circumstance,
    Difference,
    PrecedentRead,
    Suggested,
    Suggestion,
)
from app.services.readings import Ambiguity


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecedentTold:
    """A precedent, and in words which kind of question it answers, how, and about what."""

    precedent: PrecedentRead
    kind: str
    answer: str
    circumstances: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecedentList:
    """A page of precedents; ``next`` is what to ask the following page before."""

    precedents: tuple[PrecedentTold, ...]
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionTold:
    """A precedent that may fit: what is alike, also in words, and what is not."""

    suggested: PrecedentTold
    alike: tuple[Circumstance, ...]
    different: tuple[Difference, ...]
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSuggestions:
    """What may fit one open question, the most alike first."""

    question: str
    code: str
    situation: tuple[Circumstance, ...]
    suggestions: tuple[SuggestionTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionList:
    """Every open question of a scene with the precedents that may fit it."""

    questions: tuple[QuestionSuggestions, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbiguityList:
    """The doubtful points of the book, in its order."""

    ambiguities: tuple[Ambiguity, ...]


def precedent_told(one: PrecedentRead, language: Language) -> PrecedentTold:
    """Tell a precedent in a language."""
    return PrecedentTold(
        precedent=one,
        kind=say(language, one.ruleset, "question_kinds", one.code),
        answer=say(language, one.ruleset, "choices", one.choice),
        circumstances=_said(one.situation, one.ruleset, language),
    )


def suggested_told(one: Suggested, language: Language) -> QuestionSuggestions:
    """Tell what is suggested for a question."""
    return QuestionSuggestions(
        question=one.question,
        code=one.code,
        situation=one.situation,
        suggestions=tuple(_suggestion_told(each, language) for each in one.suggestions),
    )


def _suggestion_told(one: Suggestion, language: Language) -> SuggestionTold:
    return SuggestionTold(
        suggested=precedent_told(one.precedent, language),
        alike=one.alike,
        different=one.different,
        because=_said(one.alike, one.precedent.ruleset, language),
    )


def _said(facts: tuple[Circumstance, ...], ruleset: str, language: Language) -> tuple[str, ...]:
    return tuple(
        say(language, ruleset, "situations", fact.key, {"value": fact.value}) for fact in facts
    )

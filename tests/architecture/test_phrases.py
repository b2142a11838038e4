"""Whatever has a code has a sentence in every language, and it asks for nothing unknown."""

import re
from collections.abc import Iterator
from enum import StrEnum

import pytest

from app.persistence.errors import MISTAKES
from app.posts import dice_tag, lint, phrases
from app.posts.dialects import DIALECTS
from app.posts.phrases import (
    LANGUAGES,
    SERVICE,
    Phrase,
    _Saying,
    find,
    languages_of,
    placeholders,
    say,
    sections,
)
from app.rulesets import RULESETS
from app.rulesets.guida import choices, damage, orders, sheet, terms
from app.services import ledger_check
from tests.architecture.emitted import LINES, QUESTIONS, Emission, book_of, emissions, lines
from tests.architecture.emitted import choices as answers

FILES = (*RULESETS, SERVICE)
# A book may have a language of its own besides Italian and English.
WRITTEN = [(language, file) for file in FILES for language in languages_of(file)]
EMISSIONS = [(ruleset, one) for ruleset in RULESETS for one in emissions(ruleset)]
# Emoticons of the network's default set and its relatives; a result must not turn into a picture.
EMOTICONS = (
    *(":)", ":(", ":D", ":P", ":p", ":o", ":O", ";)", "B)", "8)", ":lol:", ":wub:", ":huh:"),
    *("^_^", "-_-", "<_<", ">_<", ":blink:", ":unsure:", ":wacko:", "<3", ":/"),
)


def enumerations(ruleset: str) -> list[type[StrEnum]]:
    """Return the enumerations of a game's words."""
    found = [one for one in vars(book_of(ruleset).terms).values() if isinstance(one, type)]
    return [one for one in found if issubclass(one, StrEnum) and one is not StrEnum]


def written(language: str, file: str) -> Iterator[tuple[str, str, Phrase]]:
    """Go through every phrase of a file, with its section and key."""
    for section, rows in sections(language, file).items():
        for key, phrase in rows.items():
            yield section, key, phrase


def texts(phrase: Phrase) -> Iterator[str]:
    """Go through the sentences that a phrase chooses among."""
    if isinstance(phrase, str):
        yield phrase
    else:
        for key, value in phrase.items():
            if key != "by":
                yield from texts(value)


def shape(phrase: Phrase) -> object:
    """Return what must be alike in all languages: the choices, and the facts of each."""
    if isinstance(phrase, str):
        return frozenset(placeholders(phrase))
    return {key: value if key == "by" else shape(value) for key, value in phrase.items()}


@pytest.mark.parametrize("file", FILES)
def test_all_languages_say_the_same_things_with_the_same_facts(file: str) -> None:
    said = {
        language: {
            (section, key): shape(phrase) for section, key, phrase in written(language, file)
        }
        for language in languages_of(file)
    }
    assert said["it"]
    for language in said:
        assert said["it"] == said[language], language


@pytest.mark.parametrize(
    ("ruleset", "emission"),
    EMISSIONS,
    ids=[f"{ruleset}.{one.section}.{one.key}" for ruleset, one in EMISSIONS],
)
def test_every_key_that_the_rules_emit_has_a_phrase_of_known_facts(
    ruleset: str, emission: Emission
) -> None:
    for language in languages_of(ruleset):
        phrase = find(language, ruleset, emission.section, emission.key)
        assert phrase is not None, f"{emission.where}: {emission.section}.{emission.key}"
        unknown = {name for name, _ in placeholders(phrase)} - emission.facts
        assert emission.more or not unknown, f"{emission.where} does not give {unknown}"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_phrase_is_left_that_nothing_emits(ruleset: str) -> None:
    emitted = {(one.section, one.key) for of, one in EMISSIONS if of == ruleset}
    for section in ("findings", "violations", "questions", "terms"):
        written = sections("it", ruleset).get(section, {})
        assert [key for key in written if (section, key) not in emitted] == []


def test_the_tables_that_expand_keys_hold_what_the_rules_hold() -> None:
    assert lines() == set(LINES)
    asked = {one.key for of, one in EMISSIONS if of == "guida" and one.section == "questions"}
    assert asked == set(QUESTIONS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_rules_can_be_said(language: str) -> None:
    codes = [member for one in [*enumerations("guida"), damage.Hit] for member in one]
    codes += [order.kind for order in orders.ORDERS]
    codes += [one.kind for one in vars(sheet).values() if hasattr(one, "kind")]
    codes += [*choices.PLAYER_ORDERS, *choices.GM_ORDERS, *DIALECTS, *answers()]
    assert codes
    for code in codes:
        assert say(language, "guida", "words", code)


@pytest.mark.parametrize(("language", "ruleset"), [one for one in WRITTEN if one[1] in RULESETS])
def test_every_word_of_every_game_can_be_said(ruleset: str, language: str) -> None:
    codes = [member for one in enumerations(ruleset) for member in one]
    codes += [order.kind for order in RULESETS[ruleset].orders]
    for code in codes:
        assert say(language, ruleset, "words", code)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_post_names_can_be_said(language: str) -> None:
    for action in terms.Action:
        assert say(language, "guida", "actions", action)
    for phase in terms.Phase:
        assert say(language, "guida", "phases", phase)
    for answer in answers():
        assert say(language, "guida", "choices", answer)


@pytest.mark.parametrize(("language", "words"), [("it", "tu|tuo|tua|tuoi|tue"), ("en", "you|your")])
def test_a_question_speaks_of_the_master_for_everybody_reads_it(language: str, words: str) -> None:
    for key, phrase in sections(language, "guida")["questions"].items():
        for text in texts(phrase):
            assert not re.search(rf"\b({words})\b|confermi\b", text, re.IGNORECASE), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_mistake_of_the_codec_has_a_phrase_of_its_facts(language: str) -> None:
    assert set(sections(language, SERVICE)["mistakes"]) == set(MISTAKES)
    for code, facts in MISTAKES.items():
        phrase = sections(language, SERVICE)["mistakes"][code]
        assert {name for name, _ in placeholders(phrase)} <= set(facts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_of_a_ledger_has_a_sentence_that_any_checker_can_fill_in(language: str) -> None:
    said = sections(language, SERVICE)["ledger_faults"]
    assert set(said) == set(ledger_check.FAULTS)
    for code, phrase in said.items():
        # Browsers fill them in too, and know facts by their name alone.
        assert isinstance(phrase, str), code
        assert phrase.endswith("."), code
        assert {*placeholders(phrase)} <= {(fact, "") for fact in ledger_check.FAULTS[code]}, code


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_issue_of_a_dice_tag_has_a_phrase(language: str) -> None:
    assert set(sections(language, SERVICE)["tag_issues"]) == set(dice_tag.ISSUES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_issue_of_a_post_has_a_phrase(language: str) -> None:
    said = {*sections(language, "guida")["post_issues"], *dice_tag.ISSUES}
    assert said == set(lint.CODES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sum_that_is_shown_has_a_caption(language: str) -> None:
    shown = {"hit", "power", "working", "defend"}  # the facts of findings that are tallies
    shown |= {"success", "counter", "attack_working", "defence_working", "written", "counts"}
    shown |= {"bond_working", "bonus", "reaction", "knockback"}
    assert shown <= set(sections(language, SERVICE)["facts"])


@pytest.mark.parametrize(("language", "file"), WRITTEN)
def test_phrases_use_known_forms_and_end_like_sentences(language: str, file: str) -> None:
    for section, key, phrase in written(language, file):
        at = f"{language}/{file} {section}.{key}"
        assert all(form in phrases.FORMS for _, form in placeholders(phrase)), at
        for text in texts(phrase):
            assert text == text.strip(), at
            if section in ("violations", "mistakes", "tag_issues", "post_issues"):
                assert text.endswith((".", "}")), at
                # What is wrong, and how to mend it: two halves, or two sentences.
                assert re.search(r"[:;,.] ", text), at


@pytest.mark.parametrize(("language", "file"), WRITTEN)
def test_no_phrase_contains_markup_or_an_emoticon(language: str, file: str) -> None:
    for section, key, phrase in written(language, file):
        for text in texts(phrase):
            at = f"{language}/{file} {section}.{key}: {text}"
            if section != "tag_issues":  # which talk about tags, on pages that escape them
                assert not set(text) & set("[]<>&"), at
            assert not any(emoticon in text for emoticon in EMOTICONS), at
            # A number before ")" may make one; the stats' "12 (+3)" is the book's own (GC-1.3).
            assert not re.search(r"\{(?!points:\+)\w+(?::(?!word)[^}]*)?\}\)", text), at


def test_an_unknown_key_is_an_error_and_not_an_empty_sentence() -> None:
    with pytest.raises(phrases.MissingPhrase):
        say("it", "guida", "findings", "no_such_key", {})
    with pytest.raises(phrases.MissingPhrase):
        say("it", "guida", "findings", "energy_spent", {"bearer": "Hollow"})


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [
        ("it", "Akane", "Turno di Rin: tocca ad Akane"),
        ("it", "Àlvaro", "Turno di Rin: tocca ad Àlvaro"),
        ("it", "Hollow", "Turno di Rin: tocca a Hollow"),
        ("en", "Akane", "Turno di Rin: tocca a Akane"),
    ],
)
def test_a_preposition_fits_the_name_that_follows(language: str, name: str, said: str) -> None:
    filled = _Saying(language, "guida").filled(
        "Turno di {by}: tocca a {next}", {"by": "Rin", "next": name}
    )
    assert filled == said


def test_what_only_ends_in_the_letter_is_no_preposition() -> None:
    assert _Saying("it", "guida").filled("Arma {name}", {"name": "Ascia"}) == "Arma Ascia"

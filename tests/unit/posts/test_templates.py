"""Templates of posts: what they may say, what they can never lose, and whose text stays text."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.posts.bbcode import tokenise
from app.posts.blocks import Die
from app.posts.dialects import DIALECTS, GUIDA, WITH_TAGS, offered
from app.posts.gallery import designs
from app.posts.inset import misplaced, set_in
from app.posts.lint import missing_parts
from app.posts.read import read_post
from app.posts.slots import SLOTS, takes
from app.posts.template import LONGEST_TEMPLATE, SceneTemplates, Template, Written
from app.posts.template_check import LONGEST_LOOP, MOST_NODES
from app.posts.template_sample import sample
from app.posts.templates import (
    CODES,
    NoTemplate,
    check_template,
    fill,
    ready,
    say_fault,
    write_posts,
    write_text,
)
from app.posts.write import write_blocks
from tests.unit.posts.fights import Told, fight
from tests.unit.posts.hostile import HOSTILE, active, hostile_text

NAMES = [
    *("Hollow", "Artigli Affilati", "Sonìdo", "Blut", "Freccia", "Rilascio", "Hierro"),
    *("Bonus Arma", "Quincy"),
]
FEW = settings(max_examples=settings.default.max_examples // 4)
WHOLE = """{{ nome }}
{{ scheda }}
PV {{ pv }}
PE {{ pe }}
{{ statistiche }}

Registro
{{ registro }}

{{ iniziale }}

{{ difensiva }}

{{ offensiva }}

{{ verbale }}"""
IN_HTML = "<br><br>" + WHOLE.replace("\n", "<br>\n")
GALLERY = [
    pytest.param(template, id=f"{design.key}-{markup.value}")
    for design in designs()
    for markup, template in design.templates.items()
]


def codes(text: str, markup: Written = Written.BBCODE, dialect: str = GUIDA) -> set[str]:
    """Give the codes of what is wrong with a text as a template."""
    return {
        fault.code for fault in check_template(Template(markup=markup, text=text), dialect, "it")
    }


def without(slot: str) -> str:
    """Give the whole template without one of its slots."""
    return WHOLE.replace(f"{{{{ {slot} }}}}", "")


# ----------------------------------------------------------------------------- what it may say


@pytest.mark.parametrize(
    "escape",
    [
        "{{ nome.__class__.__mro__ }}",
        "{{ ''.__class__ }}",
        "{{ nome['__class__'] }}",
        "{{ nome|attr('__class__') }}",
        "{{ cycler.__init__.__globals__ }}",
        "{{ lipsum(10000) }}",
        "{{ range(10**9) }}",
        "{{ 'a' * 10**9 }}",
        "{{ nome * 1000 }}",
        "{{ nome ~ nome }}",
        "{{ 2 ** 99999 }}",
        "{% for x in range(1000000000) %}{{ x }}{% endfor %}",
        "{% for x in registro recursive %}{{ loop(registro) }}{% endfor %}",
        "{% for x in registro %}{% for y in registro %}{{ x }}{% endfor %}{% endfor %}",
        "{% for x in registro if x %}{{ x }}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}",
        "{% set nome = 1 %}",
        "{% include 'board/edit.html' %}",
        "{% import 'board/edit.html' as x %}",
        "{% extends 'base.html' %}",
        "{% block x %}{% endblock %}",
        "{% call nome() %}{% endcall %}",
        "{% filter upper %}x{% endfilter %}",
        "{% with x = nome %}{{ x }}{% endwith %}",
        "{{ self }}",
        "{{ loop }}",
        "{% if nome == 'x' %}y{% endif %}",
        "{% if nome is defined %}y{% endif %}",
        "{% if loop.first %}y{% endif %}",
    ],
)
def test_nothing_but_slots_can_be_reached(escape: str) -> None:
    found = codes(WHOLE + escape)
    assert found, escape
    assert found <= set(CODES)
    with pytest.raises(NoTemplate):
        ready(Template(text=WHOLE + escape))


def test_a_template_is_bounded_in_every_way() -> None:
    assert codes(WHOLE + "{{ nome }}" * 41) == {"template_slot_twice"}
    assert codes("{{ nome }}" * MOST_NODES) == {"template_too_big"}
    deep = "{% if nome %}" * 40 + "{% endif %}" * 40
    assert codes(WHOLE + deep) == {"template_too_big"}
    deeper = "{% if nome %}" * 900 + "{% endif %}" * 900
    assert len(deeper) > LONGEST_TEMPLATE  # which no request gets past
    assert codes(deeper) <= {"template_too_big", "template_syntax"}
    for nested in ("{{ " + "(" * 5000, "{% if " + "not " * 2800 + "nome %}x{% endif %}"):
        assert codes(WHOLE + nested) <= {"template_too_big", "template_syntax"}, nested[:20]
    long = "{% for riga in registro %}" + "x" * (LONGEST_LOOP + 1) + "{{ riga }}{% endfor %}"
    assert "template_too_big" in codes(WHOLE.replace("{{ registro }}", long))


def test_a_template_is_compiled_once() -> None:
    assert ready(Template(text=WHOLE)) is ready(Template(text=WHOLE))
    assert ready(Template(text=WHOLE)).slots < set(SLOTS)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{{ nome", "template_syntax"),
        ("{% if nome %}", "template_syntax"),
        ("{{ nom }}", "template_unknown_slot"),
        ("[{{ nome }}]", "template_in_tag"),
        ("[color={{ nome }}]x[/color]", "template_in_tag"),
        ("<a title={{ nome }}>", "template_in_tag"),
        ("<{{ nome }}>", "template_in_tag"),
        ("[x](y{{ nome }})", "template_in_tag"),
        ("[b{% if nome %}]{% endif %}", "template_in_tag"),
        ("[img]{{ nome }}[/img]", "template_open_tag"),
        ("[url=https://x.test]{{ nome }}[/url]", "template_open_tag"),
        ("[code]{% if nome %}x{% endif %}[/code]", "template_open_tag"),
        ("{% if nome %}[code]{% endif %}{{ nome }}", "template_open_tag"),
        ("[quote]{{ nome }}[/quote]", "template_open_tag"),
        ("{% for x in statistiche %}{{ x }}{% endfor %}", "template_loop"),
        ("{% for nome in registro %}{{ nome }}{% endfor %}", "template_loop"),
        ("{% for x in nome %}{{ x }}{% endfor %}", "template_loop"),
        ("{{ offensiva }}", "template_slot_twice"),
        ("{{ dadi_offensiva }}", "template_slot_twice"),
        ("[dice=1d20+5]mio[/dice]", "template_own_dice"),
        ("[b]1d12+3: (4)+3 = 7[/b] — Attacco (Io vs Te): (+3 [Forza])", "template_own_dice"),
    ],
)
def test_each_fault_is_named_and_says_how_to_mend_it(text: str, code: str) -> None:
    found = check_template(Template(text=f"{WHOLE}\n{text}"), GUIDA, "it")
    assert code in {fault.code for fault in found}
    for language in ("it", "en"):
        said = [say_fault(language, fault) for fault in found]
        assert all(len(sentence) > 30 for sentence in said)
    line = [fault.facts["line"] for fault in found if "line" in fault.facts]
    assert all(one >= len(WHOLE.splitlines()) for one in line if isinstance(one, int))


@pytest.mark.parametrize(
    "markup",
    ["<script>", "<ScRiPt >", "<img src=x onerror=alert(1)>", "<iframe>", "<form>", "<!-- ",
     "<a href='javascript:x'>", "<div style='display : none'>", "<style>", "<meta http-equiv=x>",
     "<div o{# #}nclick=x>"],
)  # fmt: skip
def test_html_that_acts_or_hides_is_refused(markup: str) -> None:
    assert codes(WHOLE + markup, Written.HTML) & {"template_forbidden", "template_in_tag"}


@pytest.mark.parametrize(
    "markup",
    [
        *("<img src=x/onerror=alert(1)>", "<b/onclick=alert(1)>x</b>", "<b onclick='x'>x</b>"),
        *("<b\nonclick=x>x</b>", "<svg onload=x></svg>", "<b x='>' onclick=x>x</b>"),
        *('<a href="java&#115;cript:alert(1)">x</a>', '<a href="java\nscript:x">x</a>'),
        *('<a href="data:text/html,x">x</a>', '<a href="//x.test">x</a>', "<img src='/x'>"),
        *("<div hidden>x</div>", "<details>x</details>", '<div class="hidden">x</div>', "<p id=x>"),
        *("<!-- x -->", "<?x?>", "<!DOCTYPE html>", "</script>", "<textarea>", "<https://x/on=y>"),
    ],
)
def test_only_listed_tags_and_attributes_stand_in_a_template(markup: str) -> None:
    # A forum may read HTML in what is meant as BBCode, too.
    for written in Written:
        found = check_template(Template(markup=written, text=f"{WHOLE}\n{markup}"), GUIDA, "it")
        assert "template_forbidden" in {fault.code for fault in found}, (written, found)
        assert found[0].facts["line"] == len(WHOLE.splitlines()) + 1


@pytest.mark.parametrize(
    "style",
    [
        *("display:none", "display : none", "DISPLAY:NONE", "display:contents", "d\\isplay:none"),
        *("visibility:hidden", "opacity:0", "opacity:.1", "position:fixed", "transform:scale(0)"),
        *("font-size:0", "font-size:7px", "font-size:5pt", "font-size:.4em", "font-size:50%"),
        *("font:0 serif", "font-size:smaller", "font-size:999px", "line-height:0"),
        *("line-height:.1", "letter-spacing:-20px", "text-indent:-999px", "z-index:9"),
        *("margin-left:-9999px", "margin:0 0 0 -9px", "margin-left:9999px", "padding:99%"),
        *("height:0", "max-height:0", "overflow:hidden", "width:0", "max-width:1px"),
        *("clip:rect(0,0,0,0)", "clip-path:inset(100%)", "left:-9999px", "filter:blur(9px)"),
        *("background:url(https://x.test/a.png)", "background:URL('x')", "width:expression(1)"),
        *("color:var(--x)", "color:transparent", "color:#fff0", "color:rgba(0,0,0,0)"),
        *("color:currentColor", "@import 'x'", "color:/**/red", "color:red;/* x */"),
        *("display&#58;none", "color:#FFF;background:#ffffff", "nonsense", "border:9999px solid"),
    ],
)
def test_a_style_hides_nothing_however_it_is_written(style: str) -> None:
    for text in (f'<div style="{style}">{WHOLE}</div>', f"{WHOLE}<b style='{style}'>x</b>"):
        if "'" in style and text.startswith(WHOLE):
            continue
        assert "template_forbidden" in codes(text, Written.HTML), text[-60:]


def test_a_colour_is_not_that_of_what_it_stands_on() -> None:
    hidden = f"<div style='background:#ABC'><b>x</b><i style='color:#aabbcc'>x</i></div>{IN_HTML}"
    assert codes(hidden, Written.HTML) == {"template_forbidden"}
    assert codes(hidden.replace("#aabbcc", "#000"), Written.HTML) == set()
    table = f"<table bgcolor=#abc><tr><td><font color=#aabbcc>x</font></td></tr></table>{IN_HTML}"
    assert codes(table, Written.HTML) == {"template_forbidden"}


@pytest.mark.parametrize("sign", ["\u202e", "\u2067", "&#8238;", "&#x202E;"])
def test_nothing_turns_the_figures_around(sign: str) -> None:
    text = WHOLE.replace("{{ pv }}", f"{sign}{{{{ pv }}}}")
    (fault,) = check_template(Template(text=text), GUIDA, "it")
    assert (fault.code, fault.facts["line"]) == ("template_forbidden", 2)


def test_what_designers_need_is_allowed() -> None:
    text = (
        "<div style=\"margin:0 auto;max-width:600px;font-family:'Open Sans',serif !important;"
        'border:1px solid rgba(0, 0, 0, .2);font-size:1.2em;float:left;border-radius:50%">'
        '<table border="1" width="90%" cellpadding="4"><tr><td colspan="2" bgcolor="#eee">'
        '<a href="https://x.test/?a=1&amp;b=2">x</a><br/><hr></td></tr></table>'
        '<img src="https://x.test/a.png" alt="x &gt; y" width="300">1 < 2 &amp; 3 <3'
        f"<small>x</small><sup>2</sup></div>{IN_HTML}"
    )
    assert check_template(Template(markup=Written.HTML, text=text), GUIDA, "it") == ()
    bbcode = f"[list][*]a[/list][size=12][I]x[/I][/size][hr][1] [really]\n\n{WHOLE}"
    assert check_template(Template(text=bbcode), GUIDA, "it") == ()


@pytest.mark.parametrize(
    "text",
    [
        *("[b]", "[/b]", "[b][i]x[/b][/i]", "[center]x[/i]", "[table][tr][td]x[/tr][/table]"),
        *("<div>", "</div>", "<b><i>x</b></i>", "<div/>", "[b]<i>[/b]</i>", "</br>"),
        "{% if nome %}[b]{% endif %}x[/b]",
        "{% if nome %}[b]x{% else %}[/b]{% endif %}",
        "[b]{% if nome %}[/b]{% endif %}",
        "{% if nome %}<div>{% endif %}x{% if nome %}</div>{% endif %}",
    ],
)
def test_each_tag_is_closed_where_it_was_opened(text: str) -> None:
    for markup in Written:
        assert "template_unbalanced" in codes(f"{WHOLE}\n{text}", markup), markup
    assert "template_unbalanced" in codes(f"{text}\n{WHOLE}")


def test_a_tag_that_is_left_open_is_named_with_its_line() -> None:
    (fault,) = check_template(Template(text=f"\n[b]\n{WHOLE}"), GUIDA, "it")
    assert (fault.code, fault.facts) == ("template_unbalanced", {"line": 2, "tag": "[b]"})
    loop = "{% for riga in registro %}\n<div>{{ riga }}\n{% endfor %}"
    found = check_template(
        Template(markup=Written.HTML, text=WHOLE.replace("{{ registro }}", loop)), GUIDA, "it"
    )
    line = WHOLE.splitlines().index("{{ registro }}") + 2
    assert {"line": line, "tag": "<div>"} in [fault.facts for fault in found]


@pytest.mark.parametrize("tag", ["hide", "HIDDEN", "spoiler", "spoiler=x", "collapse"])
def test_no_slot_stands_in_what_is_folded_away(tag: str) -> None:
    close = tag.partition("=")[0]
    for inside in (WHOLE, "{{ nome }}"):
        text = WHOLE.replace(inside, f"[{tag}]{inside}[/{close}]")
        assert codes(text) == {"template_open_tag"}
    assert codes(f"{WHOLE}[{tag}]Il mio disegno[/{close}]") == set()


@pytest.mark.parametrize(
    ("tag", "dialect", "legible"),
    [
        *(("size=1", GUIDA, False), ("size=7", GUIDA, False), ("size=8", GUIDA, True)),
        *(("size='1'", GUIDA, False), ("size=1px", "smf_rolls", False)),
        *(("size=8pt", "smf_rolls", True), ("size=10%", "phpbb_rolls", False)),
        *(("size=50", "phpbb_rolls", False), ("size=85", "phpbb_rolls", True)),
        *(("size=4", "xenforo", True), ("size=0", "xenforo", False), ("size=-5", GUIDA, False)),
        *(("size=x-small", "mybb_feathertail", True), ("size=0.1em", "smf_rolls", False)),
        *(("color=transparent", GUIDA, False), ("color=#fff0", GUIDA, False)),
        *(("small][small", GUIDA, False), ("sub", GUIDA, True)),
    ],
)
def test_bbcode_leaves_everything_legible(tag: str, dialect: str, legible: bool) -> None:
    names = [one.partition("=")[0] for one in tag.split("][")]
    text = f"[{tag}]{WHOLE}" + "".join(f"[/{one}]" for one in reversed(names))
    assert codes(text, dialect=dialect) == (set() if legible else {"template_forbidden"})


@pytest.mark.parametrize(
    "said",
    [
        *("Dadi tirati da Arbitro.", "[b]Dadi[/b] tirati\nda  ARBITRO", "Dice thrown by Arbitro."),
        "Dadi tirati dal forum e confermati dal suo plugin.",
        "Dadi {% if nome %}tirati da{% endif %} Arbitro",
        "Impronta del post vzOU5452-1: 2acc4d53c2b34a51; parole: 55; righe con dadi: 1.",
        "Impronta del post x-{{ pv }}: {{ pv }}; parole: 55; righe con dadi: 1.",
        "Verbale arbitro-1: riga 7, impronta abcd",
        "Il testo è stato corretto: questa è la stesura 2. I dadi sono quelli di prima.",
        "The text was corrected: this is wording 2. The dice are the same as before.",
    ],
)
def test_a_template_does_not_speak_for_arbitro(said: str) -> None:
    found = check_template(Template(text=f"{WHOLE}\n\n{said}"), GUIDA, "it")
    assert {fault.code for fault in found} == {"template_imitates"}
    assert all(isinstance(one.facts["line"], int) and one.facts["said"] for one in found)
    assert len(found) == 1
    assert codes(f"{WHOLE}\nDadi e verbale del nostro forum, con impronta propria") == set()


def test_what_choices_put_together_is_read_as_it_will_stand() -> None:
    split = "Dadi {% if nome %}tirati{% else %}mai{% endif %} da Arbitro"
    assert codes(f"{WHOLE}\n{split}") == {"template_imitates"}


@pytest.mark.parametrize("key", ["discourse_dice", "discourse_roller", "nodebb", "plain"])
def test_bbcode_is_for_forums_that_read_it(key: str) -> None:
    found = check_template(Template(text=f"{WHOLE}\n[b]x[/b]"), key, "it")
    assert [fault.code for fault in found] == ["template_no_bbcode"]
    assert found[0].facts["tag"] == "[b]"
    assert "[b]" in say_fault("it", found[0])
    assert codes(f"{WHOLE}\n**x** [a](https://x.test) [1] <https://x.test>", dialect=key) == set()


def test_what_is_wrong_with_a_template_is_said_in_one_language() -> None:
    for text in ("{{ nome", "{% if nome %}", "{{ }}", "{% endfor %}"):
        (fault,) = check_template(Template(text=text), GUIDA, "it")
        assert say_fault("it", fault) == (
            "Riga 1: il modello non si capisce. Controlla che ogni {{ nome }}, {% if %} e {% for %}"
            " sia scritto e chiuso per intero."
        )


def test_html_is_for_forums_of_bbcode() -> None:
    design = designs()[0].templates[Written.HTML]
    for key, dialect in DIALECTS.items():
        expected = set() if takes(dialect, Written.HTML) else {"template_no_html"}
        assert codes(design.text, Written.HTML, key) == expected, key


# ------------------------------------------------------------------- what it can never lose


@pytest.mark.parametrize(
    "slot",
    [
        "scheda",
        "pv",
        "pe",
        "statistiche",
        "registro",
        "iniziale",
        "difensiva",
        "offensiva",
        "verbale",
    ],
)
def test_what_a_post_must_hold_is_asked_for_by_name(slot: str) -> None:
    found = check_template(Template(text=without(slot)), GUIDA, "it")
    assert ("template_slot_missing", slot) in {
        (fault.code, fault.facts.get("slot")) for fault in found
    }


@pytest.mark.parametrize(
    ("instead", "complete"),
    [
        ("{% if offensiva %}{{ offensiva }}{% endif %}", True),
        ("{% if nome %}{{ offensiva }}{% endif %}", False),
        ("{% if not offensiva %}{{ offensiva }}{% endif %}", False),
        ("{% if pv and offensiva %}{{ offensiva }}{% endif %}", False),
        ("{% if pv or offensiva %}{{ offensiva }}{% endif %}", True),
        ("{% if pv %}x{% else %}{{ offensiva }}{% endif %}", False),
        ("{% if pv %}x{% elif offensiva %}{{ offensiva }}{% endif %}", False),
        ("{{ narrazione_offensiva }}{{ dadi_offensiva }}", False),
        ("{{ narrazione_offensiva }}\n{{ dadi_offensiva }}\n{{ esiti_offensiva }}", True),
        (
            "{% if offensiva %}{{ narrazione_offensiva }}\n{% for x in dadi_offensiva %}{{ x }}\n"
            "{% endfor %}{{ esiti_offensiva }}{% endif %}",
            True,
        ),
        (
            "{{ narrazione_offensiva }}{% for x in dadi_offensiva %}{% if loop.first %}{{ x }}"
            "{% endif %}{% endfor %}{{ esiti_offensiva }}",
            False,
        ),
        ("{% for x in registro %}{% endfor %}{{ offensiva }}", False),
        (
            "{% if narrazione_offensiva or dadi_offensiva or esiti_offensiva %}{{ offensiva }}"
            "{% endif %}",
            True,
        ),
        ("{% if narrazione_offensiva or dadi_offensiva %}{{ offensiva }}{% endif %}", False),
    ],
)
def test_what_some_post_would_lose_is_refused(instead: str, complete: bool) -> None:
    text = WHOLE.replace("{{ offensiva }}", instead)
    found = codes(text)
    assert (found == set()) is complete, found


@FEW
@given(st.integers(0, 10_000), st.sampled_from([p.values[0] for p in GALLERY]))
def test_no_die_and_no_finding_of_a_fight_is_lost(seed: int, template: Template) -> None:
    """Each die and each sentence of a turn stands in its post, once, whatever happened in it."""
    played = next(fight(NAMES, seed, 1))
    source = played.source(told=Told("Uno {dado}", "Due {dado}", "Tre {dado}."))
    source = replace(source, numbered=source.asked)
    plain = write_text(source, GUIDA)
    mine = write_text(replace(source, template=template), GUIDA)
    one, other = read_post(plain), read_post(mine)
    assert other.header == one.header
    assert missing_parts(other.header) == missing_parts(one.header)
    faces = [
        sorted((r.roll.sides, r.roll.faces, r.tag.action_name) for r in x.rolls)
        for x in (one, other)
    ]
    assert faces[0] == faces[1]
    shown = read_words(mine)
    for block in write_blocks(source):
        words = read_words(block.label if isinstance(block, Die) else getattr(block, "text", ""))
        assert words in shown, block


def read_words(text: str) -> str:
    """Give a text as bare words, whatever markup it is in."""
    text = re.sub(
        r"<[^<>]*>|\[/?[a-z]+(?:=[^\]]*)?\]", " ", html.unescape(text).replace("\u2060", "")
    )
    return " ".join(text.split())


# -------------------------------------------------------------------------- whose text stays text


@pytest.mark.parametrize("template", GALLERY)
def test_each_design_serves_in_each_format_and_keeps_every_claim(template: Template) -> None:
    for key, dialect in DIALECTS.items():
        if not takes(dialect, Written.HTML):
            # Neither HTML nor BBCode is anything to these forums.
            code = "template_no_html" if template.markup is Written.HTML else "template_no_bbcode"
            assert codes(template.text, template.markup, key) == {code}
            continue
        for language in ("it", "en"):
            assert check_template(template, key, language) == (), (key, language)
        for live in (True, False):
            source = sample("it", live=live)
            text = fill(source, template, key)
            read = read_post(text)
            plain = read_post(DIALECTS[key].write(write_blocks(source), "it"))
            assert missing_parts(read.header) == missing_parts(plain.header), key
            assert (read.header.hp, read.header.ep) == (72, 41), key
            assert len(read.header.register or ()) == 2
            if live and key in WITH_TAGS:
                assert len(re.findall(r"1d12\+[79]", text)) == 2
            if not live:
                assert [one.roll.faces for one in read.rolls] == [(11,), (8,)], key


@pytest.mark.parametrize("template", GALLERY)
@pytest.mark.parametrize("typed", [*HOSTILE[:40], "{{ 7 * 7 }}", "{% raw %}", "<script>x</script>"])
def test_what_somebody_typed_is_no_markup_in_any_design(template: Template, typed: str) -> None:
    source = replace(
        sample("it", live=False), narration=Told(typed, typed, typed), template=template
    )
    calm = replace(source, narration=Told("Calmo.", "Calmo.", "Calmo."))
    for key in (GUIDA, "xenforo", "mybb_cortalabs"):
        text = write_text(source, key)
        assert typed != "{{ 7 * 7 }}" or text.count(typed) == 3
        ours = [tag.name for tag in tokenise(write_text(calm, key)) if active(f"[{tag.name}]")]
        assert [tag.name for tag in tokenise(text) if active(f"[{tag.name}]")] == ours
        assert "<script" not in text


@FEW
@given(hostile_text, st.sampled_from([p.values[0] for p in GALLERY]))
def test_whatever_is_typed_html_shows_it_as_text(typed: str, template: Template) -> None:
    source = replace(sample("it", live=False), narration=Told(typed, "", ""), template=template)
    text = write_text(source, GUIDA)
    if template.markup is Written.HTML:
        plain = write_text(replace(source, narration=Told("", "", "")), GUIDA)
        names = re.findall(r"<([a-z]+)", text)
        assert set(names) <= set(re.findall(r"<([a-z]+)", plain)) | {"br", "div", "b", "i"}
        assert "<script" not in text


def test_a_post_without_a_template_is_as_it_was_and_other_formats_have_none() -> None:
    source = sample("it", live=False)
    template = designs()[0].templates[Written.BBCODE]
    for key in DIALECTS:
        plain = DIALECTS[key].write(write_blocks(source), "it")
        assert write_text(source, key) == plain
        texts = write_posts([replace(source, template=template)], key)
        assert set(texts) == set(offered(key))
        # Where its tags would be seen as they are, the post is written without it.
        assert (texts[key] != plain) is takes(DIALECTS[key], Written.HTML)
        assert (
            texts["plain"] == DIALECTS["plain"].write(write_blocks(source), "it") or key == "plain"
        )
    in_html = designs()[0].templates[Written.HTML]
    assert write_text(replace(source, template=in_html), "nodebb") == write_text(source, "nodebb")


def test_a_seat_without_a_template_posts_in_the_boards() -> None:
    own, board = Template(text="x"), Template(text="y")
    templates = SceneTemplates(board=board, seats={"hollow": own})
    assert (templates.of("hollow"), templates.of("quincy")) == (own, board)


# ------------------------------------------------------------------------------ dice in the story


@pytest.mark.parametrize(
    ("text", "dice", "pieces"),
    [
        ("Salta {dado} e va.", "A", ["Salta", "A", "e va."]),
        ("{dado} poi {dado}", "AB", ["A", "poi", "B"]),
        ("{dado 2} poi {DIE}", "AB", ["B", "poi", "A"]),
        ("Colpisce {dado}. Ride.", "A", ["Colpisce.", "A", "Ride."]),
        ("{dado 3}", "AB", ["{dado 3}"]),
        ("{dado 1}{dado 1}", "A", ["A", "{dado 1}"]),
        ("{dado}", "", ["{dado}"]),
        ("{ dado }", "A", ["{ dado }"]),
    ],
)
def test_dice_stand_where_the_story_says(text: str, dice: str, pieces: list[str]) -> None:
    found, placed = set_in(text, list(dice))
    assert found == pieces
    assert len(placed) == sum(piece in dice for piece in found if len(piece) == 1)


def test_a_place_without_a_die_is_named() -> None:
    def found(text: str, count: int) -> list[str]:
        return [one.code for one in misplaced(text, count)]

    assert found("{dado} {dado 2}", 2) == []
    assert found("{dado 3}", 2) == ["die_place_unknown"]
    assert found("{dado 0}", 2) == ["die_place_unknown"]
    assert found("{dado 1} {dado 1}", 2) == ["die_placed_twice"]
    assert found("{dado} {dado}", 1) == ["die_places_too_many"]


@given(
    st.lists(st.sampled_from(["{dado}", "{dado 1}", "{dado 2}", "{die 9}", "va ", "[b]"])),
    st.integers(0, 3),
)
def test_no_die_is_placed_twice_and_no_word_is_lost(parts: list[str], count: int) -> None:
    text = "".join(parts)
    dice = list(range(count))
    pieces, placed = set_in(text, [(die,) for die in dice])
    there = [piece[0] for piece in pieces if isinstance(piece, tuple)]
    assert sorted(there) == sorted(placed)
    assert len(set(there)) == len(there)
    words = "".join(piece for piece in pieces if isinstance(piece, str)).replace(" ", "")
    assert text.replace(" ", "").count("[b]") == words.count("[b]")
    assert text.count("va") == words.count("va")


@pytest.mark.parametrize("key", sorted(DIALECTS))
@pytest.mark.parametrize("live", [True, False])
def test_a_die_in_the_story_is_read_back_in_every_format(key: str, live: bool) -> None:
    source = sample("it", live=live)
    below = replace(source, numbered=None, narration=Told("", "Schiva", ""))
    above = replace(source, narration=Told("", "Schiva {dado} e ride", ""))
    texts = [DIALECTS[key].write(write_blocks(one), "it") for one in (below, above)]
    assert "{dado}" not in texts[1]
    dice = [[(r.roll.sides, r.roll.faces, r.tag.actor) for r in read_post(x).rolls] for x in texts]
    assert dice[0] == dice[1]
    tags = [[(t.tag.faces, t.tag.actor) for t in read_post(x).tags] for x in texts]
    assert tags[0] == tags[1]


def test_a_story_from_before_has_no_places() -> None:
    source = replace(sample("it", live=False), numbered=None)
    assert "{dado}" in write_text(source, GUIDA)

"""Templates of posts, as their owners meet them: chosen, seen, saved, and written with."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from app.http.headers import CONTENT_POLICY, FRAMED_POLICY
from app.persistence.codec import encode
from app.persistence.tables import FIRST_BOARD
from app.posts.gallery import designs
from app.posts.read import read_post
from app.posts.template import Template, Written
from app.services.boards import change_board, read_board
from app.services.scenes import open_scene
from app.services.shapes import BoardChanges, OpenScene
from app.services.sheets import add_sheet, save_sheet
from tests.support.fights import HOLLOW, attack, duel
from tests.web.conftest import Client, Duel, Site, Visitor
from tests.web.test_safety import active_parts

DESIGNS = {design.key: design for design in designs()}
INK = DESIGNS["ink"].templates[Written.BBCODE]
SEEN = re.compile(r'<textarea id="post-text"[^>]*>\n(.*?)</textarea>', re.DOTALL)


def fields(template: Template) -> dict[str, str]:
    """Give the fields of the form for a template."""
    return {"template.markup": template.markup.value, "template.text": template.text}


def post_of(client: Client, duel: Duel, number: int = 1) -> str:
    """Read the text to paste of an entry, as its page shows it."""
    page = client.http.get(f"{duel.path}/entries/{number}").text
    found = SEEN.search(page)
    assert found is not None
    return html.unescape(found[1])


def test_a_design_is_chosen_seen_and_found_in_the_next_post(site: Site, visitor: Visitor) -> None:
    page = visitor(site.owner)
    page.goto("/boards/board/template")
    page.get_by_role("link", name=re.compile("Usa questo.*Inchiostro, BBCode")).click()
    expect(page.get_by_text("«Inchiostro» è nel modulo")).to_be_visible()
    page.locator("iframe.look").scroll_into_view_if_needed()
    look = page.frame_locator("iframe.look")
    expect(look.get_by_text("Fase Offensiva", exact=True)).to_be_visible()
    # The preview follows what is written, and says what is wrong with it.
    field = page.get_by_label("Modello", exact=True)
    field.fill(INK.text.replace("{{ pe }}", ""))
    expect(look.get_by_text("Manca pe")).to_be_visible()
    field.fill(INK.text.replace("━", "="))
    expect(look.get_by_text("============").first).to_be_visible()
    page.get_by_role("button", name="Salva il modello").click()
    expect(page.get_by_text("Le scene aperte da adesso in poi")).to_be_visible()
    scene = site.open_duel()
    site.decide(scene, attack(by="hollow"))
    page.goto(f"{scene.path}/entries/1")
    text = page.locator("#post-text").input_value()
    assert text.startswith("[color=#c23a2b][b]============")
    assert "[color=#c23a2b]◆[/color] [u][b]Fase Offensiva" in text


def test_what_is_no_template_is_said_line_by_line_and_not_kept(client: Client) -> None:
    client.enter(client.site.owner)
    bad = Template(
        text="{{ nome.__class__ }}\n{% for x in range(9) %}{{ x }}{% endfor %}\n[{{ pv }}]"
    )
    answer = client.post("/boards/board/template", fields(bad))
    assert answer.status_code == 422
    page = html.unescape(answer.text)
    for said in ("Riga 1: qui non si può usare «getattr»", "Riga 2:", "Riga 3:", "Manca offensiva"):
        assert said in page, said
    assert bad.text in page  # nothing that was written is lost
    assert read_board(client.site.db, FIRST_BOARD).template == Template()


def test_nobody_but_the_owner_sees_the_page_and_a_player_sees_no_preview(client: Client) -> None:
    scene = client.site.open_duel()
    client.enter(scene.seats["hollow"])
    assert client.http.get("/boards/board/template").status_code == 404
    assert client.post("/boards/board/template", fields(INK)).status_code == 404
    assert client.post("/boards/board/template/look", fields(INK)).status_code == 404
    client.enter(scene.gm)  # a Master tries templates of sheets
    assert client.http.get("/boards/board/template").status_code == 404
    assert client.post("/boards/board/template/look", fields(INK)).status_code == 200


@pytest.mark.parametrize("markup", list(Written))
def test_a_preview_runs_nothing_whatever_is_written(client: Client, markup: Written) -> None:
    client.enter(client.site.owner)
    design = DESIGNS["steel"].templates[markup]
    answer = client.post("/boards/board/template/look", fields(design))
    assert answer.headers["Content-Security-Policy"] == FRAMED_POLICY
    assert (
        client.http.get("/boards/board/template").headers["Content-Security-Policy"]
        == CONTENT_POLICY
    )
    # What forums would not run either is taken away, or was refused before.
    nasty = design.text + '<img src="https://x.test/a.png" onerror="alert(1)"><b>fine</b>'
    shown = client.post(
        "/boards/board/template/look", fields(Template(markup=markup, text=nasty))
    ).text
    assert "<img" not in shown
    assert "<script" not in shown


@pytest.mark.parametrize(
    "bad",
    [
        "[url=JaVa&#9;script:alert(1)]x[/url]",
        "[url]javascript:alert(1)[/url]",
        '[img]x" onerror=alert(1)[/img]',
        "[color=red;background:url(//e)]x[/color]",
        "<a href='JaVa&#9;script:alert(1)'>x</a>",
        "<a href=javascript:alert(1)>x</a>",
        '<p style="background:url(//e.test/a)">x</p>',
        '<p style="background:\\75rl(//e.test/a)">x</p>',
        '<p style="width:expression(alert(1))" onclick="alert(1)">x</p>',
        '<img src="x" onerror="alert(1)"><svg onload="alert(1)"></svg>',
        '<iframe srcdoc="<script>alert(1)</script>"></iframe><base href="//e.test/">',
        "<style>body{background:url(//e.test/a)}</style>",
        '<meta http-equiv="refresh" content="0;url=//e.test/"><form action="//e.test/">',
    ],
)
@pytest.mark.parametrize("markup", list(Written))
def test_no_script_comes_through_an_address_of_a_template(
    client: Client, markup: Written, bad: str
) -> None:
    client.enter(client.site.owner)
    sound = DESIGNS["steel"].templates[markup]
    ours = active_parts(client.post("/boards/board/template/look", fields(sound)).text)
    text = sound.text + bad
    answer = client.post("/boards/board/template/look", fields(Template(markup=markup, text=text)))
    assert answer.headers["Content-Security-Policy"] == FRAMED_POLICY
    # Colours are what a template is for; what they could fetch is not.
    found = active_parts(answer.text)
    assert [one for one in found if " style=" not in one and one not in ours] == []
    assert found.count("style") <= ours.count("style")
    assert [one for one in found if re.search(r"url\s*\(|expression|:\s*fixed", one)] == []


def test_a_preview_leads_nowhere_and_loads_nothing(client: Client) -> None:
    client.enter(client.site.owner)
    design = DESIGNS["steel"].templates[Written.HTML]
    linked = (
        '<a href="https://x.test/away">Il forum</a><img src="https://x.test/a.png" alt="Drago">'
    )
    nice = Template(markup=Written.HTML, text=f"{design.text}{linked}")
    shown = client.post("/boards/board/template/look", fields(nice)).text
    frame, _, text = shown.partition("<details")
    assert "Il forum" in frame
    assert "Drago" in frame
    assert "x.test" not in frame
    assert "x.test" in text  # but the post to paste has them
    hidden = Template(markup=Written.HTML, text=f"<div style='opacity:0'>{design.text}</div>")
    refused = html.unescape(client.post("/boards/board/template/look", fields(hidden)).text)
    assert "Riga 1: «opacity:0» non può stare in un modello" in refused


@pytest.mark.parametrize("key", sorted(DESIGNS))
def test_names_stay_text_in_a_post_of_html(client: Client, key: str) -> None:
    site = client.site
    template = DESIGNS[key].templates[Written.HTML]
    change_board(site.db, site.world, site.principal, FIRST_BOARD, BoardChanges(template=template))
    name = "<script>alert(1)</script> & [b]x[/b]"
    scene = _opened(site, name)
    site.decide(scene, attack(by="hollow"))
    text = post_of(client, scene)
    assert "<script" not in text
    assert "&lt;" in text
    assert "[b]x" not in text
    header = read_post(text).header
    assert (header.hp, header.ep) == (200, 100)


def _opened(site: Site, name: str, sheet: Any = None) -> Duel:
    setup = encode(duel())
    for one in setup["entrants"]:
        if one["id"] == "hollow":
            one["sheet"] = sheet or {**one["sheet"], "name": name}
    setup = {key: part for key, part in setup.items() if key not in ("options", "regulation")}
    opening = OpenScene(title="Duello", setup=setup, seal_hours=0)
    opened = open_scene(
        site.db, site.world, site.principal, FIRST_BOARD, opening, site.world.token()
    )
    return Duel(opened.scene_id, opened.gm_secret, dict(opened.seat_secrets))


def test_a_character_posts_in_its_own_and_an_open_scene_keeps_what_it_took_along(
    client: Client,
) -> None:
    site = client.site
    change_board(site.db, site.world, site.principal, FIRST_BOARD, BoardChanges(template=INK))
    own = DESIGNS["notebook"].templates[Written.BBCODE]
    kept = add_sheet(
        site.db,
        site.world,
        site.principal,
        FIRST_BOARD,
        encode(HOLLOW),
        site.world.token(),
        template=own,
    )
    assert kept.template == own
    scene = _opened(site, "", kept.id)
    gone = BoardChanges(template=Template())
    change_board(site.db, site.world, site.principal, FIRST_BOARD, gone)
    save_sheet(
        site.db,
        site.world,
        site.principal,
        kept.id,
        encode(HOLLOW),
        kept.version,
        template=Template(),
    )
    site.decide(scene, attack(by="hollow"))
    assert "[color=#4a7d4f][b]Fase Offensiva" in post_of(client, scene)
    later = _opened(site, "", kept.id)
    site.decide(later, attack(by="hollow"))
    assert "[color=" not in post_of(client, later)


def test_the_sheet_has_a_template_of_its_own_in_its_form(client: Client) -> None:
    client.enter(client.site.owner)
    assert 'name="template.text"' in client.http.get("/boards/board/sheets/new").text
    form = {"name": "Nona", "max_hp": "100", "max_ep": "50", "stats.strength": "5", "do": "save"}
    form["key"] = "sheet-of-test"
    refused = client.post("/boards/board/sheets/new", {**form, **fields(Template(text="{{ pv }}"))})
    assert refused.status_code == 422
    assert "Manca scheda" in html.unescape(refused.text)
    saved = client.post("/boards/board/sheets/new", {**form, **fields(INK)}, follow_redirects=False)
    assert saved.status_code == 303, saved.text[:2000]
    shown = html.unescape(client.http.get(saved.headers["Location"]).text)
    assert INK.text in shown


def test_a_die_stands_in_the_story_and_a_place_without_one_is_refused(client: Client) -> None:
    scene = client.site.open_duel()
    client.enter(scene.seats["hollow"])
    turn = scene.turn("hollow")
    form = {"key": "a-key-of-the-test", "version": "1", "main.pick": "quincy/claws", "do": "send"}
    form["narration.offensive"] = "Colpisce {dado}. E ride."
    wrong = {**form, "narration.offensive": "Colpisce {dado} e {dado 2}"}
    for do in ("preview", "send"):
        refused = client.post(turn, {**wrong, "do": do})
        said = html.unescape(refused.text)
        assert "Il dado 2 non c’è in questa Fase" in said, do
        assert 'data-field="narration.offensive"' in said, do
    sent = client.post(turn, form, follow_redirects=False)
    assert sent.status_code == 303, sent.text[:3000]
    text = post_of(client, scene)
    assert re.search(r"Colpisce\.\n\[b\]1d12\+\d+: \(\d+\)\+\d+ = \d+\[/b\] — .*\nE ride\.", text)
    assert len(read_post(text).rolls) == 1


def test_a_design_is_seen_at_once_also_without_scripts(client: Client) -> None:
    client.enter(client.site.owner)
    chosen = client.http.get("/boards/board/template?design=ink&markup=bbcode").text
    (source,) = re.findall(r'<iframe class="look" name="look" src="([^"]+)"', chosen)
    frame = client.http.get(html.unescape(source))
    assert frame.headers["Content-Security-Policy"] == FRAMED_POLICY
    assert "Fase Offensiva" in frame.text
    assert (
        "Fase Offensiva" not in client.http.get("/boards/board/template/look").text
    )  # nothing kept yet

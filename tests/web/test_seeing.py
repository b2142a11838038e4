"""Pages to look at a fight with, to take it along and to share it, and what they keep back."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Manual, Place
from app.rulesets.guida.terms import Change
from app.services.entry_shapes import Narration, Submission
from app.services.scenes import read_scene
from app.services.turns import decide
from app.web.paper import on_paper
from app.web.sheet_form import EFFECTS, effect_kinds
from tests.support.fights import HOLLOW, QUINCY, attack, duel
from tests.web.conftest import Client, Duel
from tests.web.test_luck import play, said, take_back

HIDE = Place(by="gm", hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")
EVIL = '"><img src=x onerror=alert(1)> {{ 7 }}'


def hurt(who: str, amount: int) -> Manual:
    """Let the Master take hit points from somebody."""
    return Manual(combatant=who, change=Change.HP, amount=-amount, reason="Cade.", by="gm")


def told(client: Client, scene: Duel, story: str) -> None:
    """Let the Hollow attack with a story."""
    site = client.site
    version = read_scene(site.db, site.principal, scene.id).version
    submission = Submission(
        order=attack(by="hollow"),
        version=version,
        key=site.world.token(),
        narration=Narration(offensive=story),
    )
    decide(site.db, site.world, site.principal, scene.id, submission)


def cells(text: str) -> list[list[str]]:
    """Read the rows of the table of figures."""
    table = text.split('class="plot-table"', 1)[1].split("</table>", 1)[0]
    return [
        [
            " ".join(re.sub(r"<[^>]+>", " ", cell).split())
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)
        ]
        for row in table.split("<tr")[1:]
    ]


# ------------------------------------------------------------------------------------ timeline


def test_a_drawing_of_figures_has_a_title_a_description_and_a_table_that_says_the_same(
    client: Client,
) -> None:
    scene = client.site.open_duel()
    client.site.decide(scene, hurt("quincy", 9))
    text = client.http.get(f"{scene.path}/timeline").text
    for key, title in (("hp", "PV voce per voce"), ("ep", "PE voce per voce")):
        assert f'aria-labelledby="plot-{key}-title plot-{key}-desc"' in text
        assert f'<title id="plot-{key}-title">{title}</title>' in text
    assert "Quincy: da 180 a 171, minimo 171." in text
    rows = cells(text)
    assert rows[0] == ["Voce", "Chi", "Hollow PV", "Quincy PV", "Hollow PE", "Quincy PE"]
    assert rows[1] == ["0", "l'inizio", "200", "180", "100", "120"]
    assert rows[2] == ["1", "Master", "200", "171 (−9)", "100", "120"]
    pasted = html.unescape(
        text.split('id="timeline-text"', 1)[1].split(">", 1)[1].split("</textarea>")[0]
    )
    assert pasted.strip().splitlines()[2].split("\t") == ["1", "Master", "200", "171", "100", "120"]
    english = said(client.http.get(f"{scene.path}/timeline?lang=en"))
    assert "HP entry by entry" in english


def test_each_line_has_a_dash_a_mark_and_its_name(client: Client) -> None:
    scene = client.site.open_duel()
    client.site.decide(scene, hurt("quincy", 9))
    text = client.http.get(f"{scene.path}/timeline").text
    drawing = text.split('<svg class="plot"', 1)[1].split("</svg>", 1)[0]
    assert "plot__curve--0" in drawing
    assert "plot__curve--1" in drawing
    assert drawing.count("<circle") >= 2
    assert drawing.count("<rect") >= 2
    assert ">Hollow</text>" in drawing
    assert ">Quincy</text>" in drawing


def test_figures_of_the_hidden_are_drawn_for_nobody_who_may_not_know(client: Client) -> None:
    scene = client.site.open_duel()
    client.site.decide(scene, HIDE)
    client.site.decide(scene, hurt("hollow", 61))
    rows = cells(client.http.get(f"{scene.path}/timeline").text)
    assert [row[2] for row in rows[1:]] == ["200", "–", "–"]
    assert "139" not in client.http.get(f"{scene.path}/timeline").text
    client.enter(scene.gm)
    assert [row[2] for row in cells(client.http.get(f"{scene.path}/timeline").text)[1:]] == [
        "200",
        "200",
        "139 (−61)",
    ]


def test_a_scene_that_has_just_begun_says_what_comes_next(client: Client) -> None:
    scene = client.site.open_duel()
    assert "le linee cominciano con il primo Turno" in said(
        client.http.get(f"{scene.path}/timeline")
    )
    for page in ("timeline", "log", "export.json", "share"):
        assert client.http.get(f"/scenes/nowhere/{page}").status_code == 404


def test_luck_is_drawn_over_time_with_a_table(client: Client) -> None:
    scene = client.site.open_duel()
    play(client.site, scene, 9, 2)
    text = client.http.get(f"{scene.path}/luck").text
    assert 'id="luck-course-title"' in text
    assert "Hollow: alla fine +2,5 rispetto all&#39;atteso." in text
    rows = cells(text)
    assert rows[1] == ["1", "9 su 6,5 (+2,5)", "–"]
    assert rows[2] == ["2", "9 su 6,5 (+2,5)", "2 su 6,5 (−4,5)"]


# ----------------------------------------------------------------------------- log and exports


def test_the_log_tells_all_entries_in_order_in_pages_or_whole(client: Client) -> None:
    scene = client.site.open_duel()
    for _ in range(23):
        client.site.decide(scene, hurt("quincy", 1))
    first = client.http.get(f"{scene.path}/log").text
    assert re.findall(r'id="entry-(\d+)"', first) == [str(one) for one in range(1, 11)]
    assert f'href="{scene.path}/log?after=10"' in first
    second = client.http.get(f"{scene.path}/log?after=10").text
    assert f'href="{scene.path}/log"' in second
    third = client.http.get(f"{scene.path}/log?after=20").text
    assert re.findall(r'id="entry-(\d+)"', third) == ["21", "22", "23"]
    assert f'href="{scene.path}/log?after=10"' in third
    whole = client.http.get(f"{scene.path}/log?all=1").text
    assert re.findall(r'id="entry-(\d+)"', whole) == [str(one) for one in range(1, 24)]
    assert client.http.get(f"{scene.path}/log?after=x").status_code == 200


def test_the_log_has_stories_rules_and_what_was_taken_back(client: Client) -> None:
    scene = client.site.open_duel()
    told(client, scene, "Balza dal tetto.")
    client.site.decide(scene, hurt("quincy", 4))
    take_back(client.site, scene)
    text = client.http.get(f"{scene.path}/log?all=1").text
    assert "Balza dal tetto." in text
    assert 'href="/rules/GC-4.45"' in text
    assert "annullata dalla voce 3" in said(client.http.get(f"{scene.path}/log?all=1"))
    assert "Era un errore." in text


def test_the_log_withholds_what_the_scene_does(client: Client) -> None:
    scene = client.site.open_duel()
    client.site.decide(scene, HIDE)
    client.site.decide(scene, hurt("hollow", 61))
    for page in ("log?all=1", "export.json", "export.md", "export.csv?table=lines"):
        assert "Cade." not in client.http.get(f"{scene.path}/{page}").text
    client.enter(scene.gm)
    assert "Cade." in client.http.get(f"{scene.path}/log?all=1").text


def test_a_scene_is_taken_along_as_a_file(client: Client) -> None:
    scene = client.site.open_duel()
    play(client.site, scene, 9)
    kinds = {
        "json": "application/json",
        "csv?table=lines": "text/csv; charset=utf-8",
        "csv?table=dice": "text/csv; charset=utf-8",
        "md": "text/markdown; charset=utf-8",
    }
    for kind, media in kinds.items():
        answer = client.http.get(f"{scene.path}/export.{kind}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == media
        assert answer.headers["content-disposition"].startswith('attachment; filename="arbitro-')
        assert answer.headers["x-content-type-options"] == "nosniff"
    data = json.loads(client.http.get(f"{scene.path}/export.json").text)
    assert (data["format"], data["version"], data["scene"]["id"]) == ("arbitro-scene", 1, scene.id)
    assert data == client.http.get(f"/api/v1/scenes/{scene.id}/export").json()
    text = client.http.get(f"{scene.path}/export.csv?table=dice").content.decode("utf-8-sig")
    assert [row["face"] for row in csv.DictReader(io.StringIO(text, newline=""))] == ["9"]
    for wrong in ("export.xml", "export.csv?table=none"):
        assert client.http.get(f"{scene.path}/{wrong}").status_code == 404


def test_the_page_of_a_scene_leads_to_all_of_it(client: Client) -> None:
    scene = client.site.open_duel()
    play(client.site, scene, 9)
    text = client.http.get(scene.path).text
    for page in ("timeline", "log", "luck"):
        assert f'href="{scene.path}/{page}"' in text
    assert f'href="{scene.path}/share"' not in text
    client.enter(scene.gm)
    assert f'href="{scene.path}/share"' in client.http.get(scene.path).text


# ----------------------------------------------------------------------------------- summaries


def shared(client: Client, scene: Duel) -> str:
    """Let the Master share the summary of a scene; give the path of its link."""
    client.enter(scene.gm)
    form = client.http.get(f"{scene.path}/share").text
    key = re.findall(r'name="key" value="([^"]+)"', form)[0]
    answer = client.post(f"{scene.path}/share", {"do": "make", "key": key})
    assert answer.status_code == 200
    (path,) = set(re.findall(r'value="https://arbitro.example(/s/[\w-]+)"', answer.text))
    return path


def test_a_master_shares_a_summary_and_takes_it_back(client: Client) -> None:
    scene = client.site.open_duel()
    play(client.site, scene, 9)
    path = shared(client, scene)
    stranger = client.http.__class__(client.site.app, base_url="https://arbitro.example")
    page = stranger.get(path)
    assert page.status_code == 200
    assert "Duello al ponte" in page.text
    share = client.http.get(f"{scene.path}/share").text
    assert f"[url=https://arbitro.example{path}]" in share
    again = client.post(f"{scene.path}/share", {"do": "make", "key": "another-key-of-it"})
    assert path not in again.text
    assert stranger.get(path).status_code == 404
    newer = re.findall(r'value="https://arbitro.example(/s/[\w-]+)"', again.text)[0]
    assert stranger.get(newer).status_code == 200
    revoked = client.post(f"{scene.path}/share", {"do": "revoke"})
    assert "Il link non apre più niente." in revoked.text
    assert stranger.get(newer).status_code == 404


def test_a_form_without_its_key_is_refused_and_shares_nothing(client: Client) -> None:
    scene = client.site.open_duel()
    client.enter(scene.gm)
    assert client.post(f"{scene.path}/share", {"do": "make"}).status_code == 422
    assert "/s/" not in client.http.get(f"{scene.path}/share").text


def test_nobody_but_the_master_sees_or_changes_the_link(client: Client) -> None:
    scene = client.site.open_duel()
    for secret in (None, scene.seats["hollow"]):
        if secret:
            client.enter(secret)
        assert client.http.get(f"{scene.path}/share").status_code == 404
        answer = client.post(f"{scene.path}/share", {"do": "make", "key": "a-key-of-the-test"})
        assert answer.status_code == 404


def test_a_summary_shows_as_a_preview_and_in_no_search(client: Client) -> None:
    scene = client.site.open_duel()
    play(client.site, scene, 9)
    path = shared(client, scene)
    text = client.http.get(path).text
    metas = dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)">', text))
    assert metas["og:title"] == "Duello al ponte"
    assert metas["og:url"] == f"https://arbitro.example{path}"
    assert "Hollow 200/200 PV" in metas["og:description"]
    assert '<meta name="robots" content="noindex">' in text
    assert client.http.get(path).headers["x-robots-tag"] == "noindex"
    assert f'href="/verify?scene={scene.id}"' in text
    english = client.http.get(f"{path}?lang=en").text
    assert "Summary of a fight" in english


def test_a_summary_shows_the_master_no_more_than_a_spectator(client: Client) -> None:
    scene = client.site.open_duel()
    client.site.decide(scene, HIDE)
    client.site.decide(scene, hurt("hollow", 61))
    text = client.http.get(shared(client, scene)).text  # the Master's own browser
    assert "139" not in text
    assert "Cade." not in text
    assert "scende da" not in text


def test_moments_are_told_in_words(client: Client) -> None:
    scene = client.site.open_duel()
    client.site.world.throw([11])
    client.site.decide(scene, attack(by="hollow"))
    client.site.decide(scene, hurt("quincy", 4))
    client.site.decide(scene, hurt("quincy", 9))
    take_back(client.site, scene)
    words = said(client.http.get(shared(client, scene)))
    assert "Il dado migliore: Hollow fa 11 su 12." in words
    assert "Il colpo più duro: Quincy scende da 180 a 176 PV." in words
    assert "Il Master ha annullato la voce 3." in words


def test_hostile_names_stay_text_on_every_page(client: Client) -> None:
    sheets = (replace(HOLLOW, name=EVIL), QUINCY)
    setup = duel()
    entrants = tuple(
        replace(one, sheet=sheet) for one, sheet in zip(setup.entrants, sheets, strict=True)
    )
    scene = client.site.open_duel(entrants=entrants)
    told(client, scene, EVIL)
    path = shared(client, scene)
    for page in (
        f"{scene.path}/timeline",
        f"{scene.path}/log?all=1",
        f"{scene.path}/luck",
        f"{scene.path}/share",
        path,
    ):
        text: Any = client.http.get(page).text
        assert "<img src=x" not in text, page
        assert "onerror=alert" in text, page


@pytest.mark.parametrize("path", ["/s/nothing", "/s/..%2Fetc", "/s/" + "x" * 65])
def test_a_link_that_never_was_leads_nowhere(client: Client, path: str) -> None:
    assert client.http.get(path).status_code == 404


# -------------------------------------------------------------------------------------- sheets


def test_a_sheet_is_read_and_printed_with_all_that_is_on_it(client: Client) -> None:
    client.enter(client.site.owner)
    client.site.keep_sheets()
    sheets = client.http.get("/boards/board/sheets").text
    (address,) = re.findall(r'href="(/sheets/[\w-]+)"><bdi>Quincy</bdi>', sheets)
    assert f'href="{address}/paper"' in client.http.get(address).text
    page = said(client.http.get(f"{address}/paper"))
    for text in ("Quincy", "180", "Arco Spirituale", "Costo in PE 5", "Destrezza 9"):
        assert text in page, text
    assert client.http.get("/sheets/nothing/paper").status_code == 404


def test_sheets_on_paper_are_for_those_who_may_see_them(client: Client) -> None:
    client.site.keep_sheets()
    scene = client.site.open_duel()
    paper = f"{scene.path}/sheet/hollow/paper"
    assert "Artigli Affilati" in client.http.get(paper).text
    client.site.decide(scene, HIDE)
    assert client.http.get(paper).status_code == 404
    assert client.http.get(f"{scene.path}/sheet/nobody/paper").status_code == 404
    assert client.http.get("/scenes/nowhere/sheet/hollow/paper").status_code == 404
    client.enter(scene.gm)
    assert "Artigli Affilati" in client.http.get(paper).text


@pytest.mark.parametrize("kind", EFFECTS)
def test_every_effect_of_a_sheet_is_told_in_words(kind: str) -> None:
    fields = effect_kinds("it")[kind].fields
    given: dict[str, Any] = {
        field.name: {
            "tick": True,
            "ticks": field.choices[:2],
            "choice": (*field.choices, "")[0],
        }.get(field.shape, 3)
        for field in fields
    }
    tool = replace(QUINCY.tools[0], name="Prova", effects=(EFFECTS[kind](**given),))
    (found,) = on_paper(replace(QUINCY, tools=(tool,)), "it")
    (line,) = found.effects
    for field in fields:
        assert field.label in line

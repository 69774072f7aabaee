"""Studies over HTTP: made and changed by their owner, read by whoever has the link."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from ekoes.server.http.studies import StudyInfo
from ekoes.tables.lessons import lesson_of
from tests.kit.client import PASSWORD, Browser, Json, new_name, post, sign_in, sign_up
from tests.kit.server import Server, ekoes
from tests.server.test_analysis_board import decisions, record_after

STUDIES = "/api/studies"
TITLE = {"en": {"title": "Camps"}}
POSITION = lesson_of("eko", "build").position.to_json()


def chapter(title: str = "First", **more: Any) -> Json:
    return {"words": {"en": {"title": title}}, "position": POSITION} | more


def made(browser: Browser, **more: Any) -> str:
    """Make a study with one chapter; return its address."""
    body = {"game": "eko", "words": TITLE, "chapter": chapter()} | more
    return f"{STUDIES}/{post(browser, STUDIES, 201, **body)['id']}"


def refused(browser: Browser, method: str, path: str, body: Json | None = None) -> tuple[int, str]:
    answer = browser.http.request(method, path, json=body)
    return answer.status_code, answer.json()["code"]


def put(browser: Browser, path: str, body: Json) -> None:
    answer = browser.http.put(path, json=body)
    assert answer.status_code == 204, answer.text


def game_of(browser: Browser, count: int = 3) -> str:
    """Return the record of an analysis board after some decisions."""
    record: str = post(browser, "/api/eko/analysis", 200, options={"players": 2, "seed": 7})["record"]
    return record_after(record, decisions(record, count))


def test_study_is_made_by_a_guest_and_read_with_the_link(browser: Browser, server: Server) -> None:
    study = made(browser)
    name = post(
        browser, f"{study}/chapters", 201, **chapter("Second", record=game_of(browser), position=None)
    )["name"]
    shown = server.browser().get(study)
    StudyInfo.model_validate(shown)
    assert (shown["game"], shown["by"], shown["yours"], shown["words"]) == ("eko", None, False, TITLE)
    assert [one["words"]["en"]["title"] for one in shown["chapters"]] == ["First", "Second"]
    assert (shown["chapters"][0]["position"], shown["chapters"][1]["name"]) == (POSITION, name)
    assert browser.get(study)["yours"]
    (listed,) = (one for one in browser.get(STUDIES)["studies"] if one["id"] == shown["id"])
    assert (listed["title"], listed["chapters"], listed["game"]) == ("Camps", 2, "eko")
    assert server.browser().get(STUDIES)["studies"] == []


def test_studies_of_ours_are_listed_for_all_and_read_by_all(browser: Browser) -> None:
    for sample in browser.get(STUDIES)["samples"]:
        shown = browser.get(f"{STUDIES}/{sample['id']}")
        StudyInfo.model_validate(shown)
        assert (shown["game"], shown["words"]) == (sample["game"], sample["words"])
        assert (shown["by"], shown["yours"], len(shown["chapters"])) == (None, False, sample["chapters"])
    assert browser.http.delete(f"{STUDIES}/{sample['id']}").status_code == 404


def test_chapters_are_changed_reordered_and_deleted(browser: Browser) -> None:
    study = made(browser)
    first = browser.get(study)["chapters"][0]["name"]
    second = post(browser, f"{study}/chapters", 201, **chapter("Second"))["name"]
    put(browser, f"{study}/chapters/{first}", chapter("Changed", marks=["0,1"]))
    put(browser, study, {"words": {"cs": {"title": "Tábory"}}, "order": [second, first]})
    shown = browser.get(study)
    assert shown["words"] == {"cs": {"title": "Tábory"}}
    assert [(one["name"], one["words"]["en"]["title"]) for one in shown["chapters"]] == [
        (second, "Second"),
        (first, "Changed"),
    ]
    wrong = {"words": TITLE, "order": [first]}
    assert refused(browser, "PUT", study, wrong) == (409, "study/changed")
    assert browser.http.delete(f"{study}/chapters/{second}").status_code == 204
    assert refused(browser, "DELETE", f"{study}/chapters/{second}") == (404, "study/no-chapter")
    assert refused(browser, "DELETE", f"{study}/chapters/{first}") == (409, "study/last-chapter")
    assert browser.http.delete(study).status_code == 204
    assert refused(browser, "GET", study) == (404, "study/not-found")


def test_only_the_owner_changes_a_study(browser: Browser, server: Server) -> None:
    study, other = made(browser), server.browser()
    name = browser.get(study)["chapters"][0]["name"]
    before = browser.get(study)
    for method, path, body in (
        ("PUT", study, {"words": TITLE, "order": [name]}),
        ("DELETE", study, None),
        ("POST", f"{study}/chapters", chapter()),
        ("PUT", f"{study}/chapters/{name}", chapter("Mine")),
        ("DELETE", f"{study}/chapters/{name}", None),
    ):
        assert refused(other, method, path, body) == (403, "study/not-yours")
    assert browser.get(study) == before


def test_administrator_removes_a_study_of_a_guest(browser: Browser, server: Server) -> None:
    study = made(browser)
    number = study.rpartition("/")[2]
    shown = json.loads(ekoes("admin", "study", number, "--data", server.data))
    assert (shown["study"], shown["by"], shown["removed"]) == (number, None, False)
    assert browser.get(study)["yours"]
    ekoes("admin", "study", number, "--remove", "--why", "advertising", "--data", server.data)
    assert refused(browser, "GET", study) == (404, "study/not-found")
    action = json.loads(ekoes("admin", "audit", "--most", "1", "--data", server.data))
    assert (action["did"], action["words"].split(": ")[0]) == ("remove-study", f"study {number}")
    assert action["words"].endswith("advertising")


def test_task_of_a_chapter_is_for_the_page_to_play(browser: Browser, server: Server) -> None:
    record = game_of(browser, 4)
    study = made(browser, chapter={"words": TITLE, "record": record, "task": {"seat": 1}})
    (shown,) = server.browser().get(study)["chapters"]
    assert (shown["task"], shown["record"]) == ({"seat": 1}, record)


def test_game_that_is_dealt_from_a_seed_is_stored_with_its_board(browser: Browser) -> None:
    short = '[Game "eko"]\n[Format "1"]\n[Players "2"]\n[Seed "5"]\n\nresult: open\n'
    study = made(browser, chapter={"words": TITLE, "record": short})
    assert '[Tiles "' in browser.get(study)["chapters"][0]["record"]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"game": "chess"}, 422, "message/bad-type"),
        ({"words": {}}, 422, "position"),
        ({"words": {"xx": {"title": "X"}}}, 422, "position"),
        ({"chapter": {"words": TITLE}}, 422, "message/bad-type"),
        ({"chapter": chapter(position=POSITION | {"players": 9})}, 422, "position"),
        ({"chapter": {"words": TITLE, "record": "no record"}}, 422, "record"),
        ({"chapter": chapter(task={"goal": {"beauty": 1}})}, 422, "position"),
        ({"chapter": chapter(colour="red")}, 422, "message/unknown-key"),
    ],
)
def test_invalid_studies_are_refused(browser: Browser, change: Json, status: int, code: str) -> None:
    body = {"game": "eko", "words": TITLE, "chapter": chapter()} | change
    assert refused(browser, "POST", STUDIES, body) == (status, code)


def test_race_has_studies_too(browser: Browser) -> None:
    plan = {"options": {"players": 2, "seed": 3}}
    record = post(browser, "/api/ekko/analysis", 200, **plan)["record"]
    study = made(browser, game="ekko", chapter={"words": TITLE, "record": record})
    assert browser.get(study)["chapters"][0]["record"] == record


def test_study_has_a_quarter_of_a_mebibyte_at_most(browser: Browser) -> None:
    long = {tag: {"title": "Long", "text": "x" * 2000} for tag in ("en", "fr", "de", "cs")}
    study, count = made(browser), 0
    while (answer := browser.http.post(f"{study}/chapters", json=chapter(words=long))).status_code == 201:
        count += 1
    assert (answer.status_code, answer.json()["code"]) == (422, "study/too-long")
    assert 10 < count < 40


def test_studies_of_a_guest_become_the_accounts_and_are_exported_and_deleted(server: Server) -> None:
    browser, name = server.browser(), new_name()
    sign_up(browser, name)
    post(browser, "/api/account/sign-out")
    study = made(browser)
    sign_in(browser, name)
    assert (browser.get(study)["by"], browser.get(study)["yours"]) == (name, True)
    archive = zipfile.ZipFile(io.BytesIO(browser.http.get("/api/account/export").content))
    (exported,) = json.loads(archive.read("studies.json"))
    assert exported["content"]["words"] == TITLE
    post(browser, "/api/account/delete", password=PASSWORD)
    assert refused(browser, "GET", study) == (404, "study/not-found")


def test_page_of_a_study_is_for_people_with_the_link(browser: Browser) -> None:
    study = made(browser).removeprefix(f"{STUDIES}/")
    for path, status in (
        (f"/eko/study/{study}", 200),
        (f"/eko/study/{study}/c2", 200),
        ("/eko/study/none", 404),
    ):
        answer = browser.http.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == status
        assert ("x-robots-tag" in answer.headers) == (status == 200)
    assert browser.http.get("/eko/study").status_code == 200

"""The archive, and the previews of links."""

from __future__ import annotations

import re
from io import BytesIO
from zipfile import ZipFile

import pytest

from ekoes.records import read_record
from tests.kit.client import Browser
from tests.kit.server import Server

PNG = b"\x89PNG\r\n\x1a\n"


def played(server: Server, names: tuple[str, str], *, public: bool = True, **options: object) -> str:
    """Play a game that the second one gives up; return its table."""
    one, other = server.browser(), server.browser()
    table = one.create({"kind": "here", "name": names[0]}, "open", public=public, **options)
    with other.open(table) as socket:
        assert socket.ask("sit", seat=1, name=names[1])["type"] == "ack"
        assert socket.order("resign", seat=1)["type"] == "ack"
    return table


def found(browser: Browser, query: str) -> list[str]:
    return [game["table"] for game in browser.get(f"/api/archive?{query}")["games"]]


def test_public_game_is_found_and_one_by_link_is_not(server: Server, browser: Browser) -> None:
    public = played(server, ("Archie", "Vera"), variants=["moon"])
    linked = played(server, ("Archie", "Lena"), public=False)
    assert found(browser, "player=archie") == [public]
    assert found(browser, "player=archie&player=VERA&winner=Archie&option=variants:moon&game=eko") == [public]
    assert found(browser, "player=archie&winner=vera") == []
    assert found(browser, "player=archie&rated=true") == []
    for table, listed in ((public, True), (linked, False)):
        game = browser.get(f"/api/games/{table}")
        assert (game["public"], game["reason"]) == (listed, "resignation")
        assert (game["pictured"], game["colours"]) == (True, [0, 1])
        robots = re.search('<meta name="robots" content="noindex"', browser.http.get(f"/games/{table}").text)
        assert (robots is None) is listed


def test_answer_is_had_as_one_file(server: Server, browser: Browser) -> None:
    tables = [played(server, ("Filip", name)) for name in ("Ann", "Ben")]
    answer = browser.http.get("/api/archive/records?player=filip")
    with ZipFile(BytesIO(answer.content)) as file:
        assert sorted(file.namelist()) == sorted([*(f"{table}.txt" for table in tables), "games.json"])
        record = read_record(file.read(f"{tables[0]}.txt").decode())
    assert record.names == ("Filip", "Ann")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("players=0", "players"),
        ("since=yesterday", "since"),
        ("option=moon", "option"),
        ("after=here", "after"),
        ("after=0001-01-01T00:00:00%2B14:00~x", "after"),
        ("after=9999-12-31T23:59:59-14:00~x", "after"),
        ("colour=red", "colour"),
        ("player=" + "&player=".join("abcde"), "player"),
    ],
)
def test_search_names_what_it_does_not_understand(browser: Browser, query: str, field: str) -> None:
    answer = browser.http.get(f"/api/archive?{query}")
    assert answer.status_code == 422
    assert answer.json()["field"].startswith(field)


def test_link_says_who_plays_and_how_it_ended(server: Server, browser: Browser) -> None:
    table = played(server, ('Eve"><script>', "Mallory & Co"))
    text = browser.http.get(f"/t/{table}", headers={"Host": "elsewhere.example"}).text
    assert "elsewhere.example" not in text
    assert "<script>" not in text.partition("</head>")[0].replace('<script type="module"', "")
    named = dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)" />', text))
    assert named["og:title"] == "Ekö · Eve&quot;&gt;&lt;script&gt; – Mallory &amp; Co"
    assert named["og:description"].endswith("♛ Eve&quot;&gt;&lt;script&gt;, Mallory &amp; Co")
    assert named["twitter:card"] == "summary_large_image"
    assert named["twitter:image"] == named["og:image"]
    assert named["og:image"].startswith("/api/")
    assert "og:url" not in named
    picture = browser.http.get(named["og:image"].replace("&amp;", "&"))
    assert picture.content.startswith(PNG)
    assert picture.content[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)
    tag = {"if-none-match": picture.headers["etag"]}
    assert browser.http.get(named["og:image"], headers=tag).status_code == 304


def test_game_has_an_animation_after_its_end_and_pictures_of_its_moments(
    server: Server, browser: Browser
) -> None:
    address = f"/api/tables/{browser.create('here', 'open')}"
    assert browser.get(f"{address}/game.gif", 409)["code"] == "table/not-over"
    assert browser.get(f"{address}/picture.png?decisions=1", 404)["code"] == "table/not-found"

    address = f"/api/tables/{played(server, ('Gil', 'Gus'))}"
    film = browser.http.get(f"{address}/game.gif")
    assert film.content.startswith(b"GIF89a")
    assert (film.headers["content-type"], film.headers["cache-control"]) == (
        "image/gif",
        "public, max-age=86400",
    )
    tag = {"if-none-match": film.headers["etag"]}
    assert browser.http.get(f"{address}/game.gif", headers=tag).status_code == 304
    assert browser.http.get("/api/tables/nowhere/game.gif").status_code == 404
    begin, end = (browser.http.get(f"{address}/picture.png{query}") for query in ("?decisions=0", ""))
    assert begin.content.startswith(PNG)
    assert begin.headers["etag"] != end.headers["etag"]


def test_table_of_cards_has_a_picture_while_it_runs(server: Server, browser: Browser) -> None:
    table = browser.create_race("here", "skilled", calm=True)
    address = f"/api/tables/{table}/picture.png"
    assert browser.http.get(address).content.startswith(PNG)
    drawing = browser.http.get(address.replace("png", "svg"))
    assert drawing.headers["content-type"] == "image/svg+xml"
    assert drawing.text.startswith("<svg")
    assert "max-age" in drawing.headers["cache-control"]
    assert browser.http.get("/api/tables/nowhere/picture.png").status_code == 404
    assert "og:image" not in browser.http.get("/t/nowhere").text

"""What it takes to install the site, and which answers a browser may keep for the time without a network."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from cardsdb.site.sharing import HEADER
from cardsdb.site.static_files import DARK, LIGHT

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def manifest(client: Client) -> Any:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    return json.loads(answer.content)


def test_the_manifest_says_all_that_a_browser_asks_before_it_installs(client: Client) -> None:
    said = manifest(client)
    assert (said["short_name"], said["start_url"], said["scope"], said["display"]) == (
        "Cutout",
        "/",
        "/",
        "standalone",
    )
    shapes = {(icon["sizes"], icon["purpose"]) for icon in said["icons"]}
    assert shapes == {
        (size, purpose) for size in ("any", "192x192", "512x512") for purpose in ("any", "maskable")
    }
    for shortcut in said["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200


def test_every_icon_is_there_and_as_large_as_the_manifest_says(client: Client) -> None:
    for icon in manifest(client)["icons"]:
        path = finders.find(icon["src"].removeprefix(site_settings.STATIC_URL))
        assert path, icon["src"]
        with open(path, "rb") as file:
            data = file.read()
        if icon["type"] == "image/svg+xml":
            assert data.startswith(b"<svg ")
        else:
            assert "{}x{}".format(*Image.open(BytesIO(data)).size) == icon["sizes"]
            assert len(data) < 4_000


def test_every_page_links_the_manifest_and_has_the_colours_of_its_head(client: Client) -> None:
    page = client.get("/").content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    for scheme, colour in (("light", LIGHT), ("dark", DARK)):
        assert (
            f'<meta name="theme-color" media="(prefers-color-scheme: {scheme})" content="{colour}">' in page
        )
    sheet = finders.find("cutout/cutout.css")
    assert sheet
    with open(sheet, encoding="utf-8") as file:
        assert re.findall(r"--desk: (#\w+)", file.read())[:2] == [LIGHT, DARK]


def test_the_worker_stands_at_the_root_and_is_asked_for_anew_each_time(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer["Cache-Control"] and "Cookie" not in answer.get("Vary", "")
    policy = answer["Content-Security-Policy"]
    assert (
        "worker-src 'self'" in policy and "manifest-src 'self'" in policy and "connect-src 'self'" in policy
    )


def test_what_the_worker_takes_with_it_is_there(client: Client) -> None:
    worker = client.get("/service-worker.js").content.decode()
    files, pages = (
        json.loads(found)
        for found in re.findall(r"^const (?:FILES|PAGES) = (\[.*\]);$", worker, re.MULTILINE)
    )
    assert [
        name
        for name in files
        if not finders.find(name.removeprefix("/static/")) and not name.startswith("/static/fonts/")
    ] == []
    for page in pages:
        answer = client.get(page)
        assert (answer.status_code, answer[HEADER]) == (200, "public")


def test_a_release_changes_the_worker(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    before = client.get("/service-worker.js").content
    monkeypatch.setattr("cardsdb.site.static_files.static", lambda name: f"/static/{name}.new")
    assert client.get("/service-worker.js").content != before


# -- which answers may be kept ---------------------------------------------------------

KEPT_FOR_ALL = (
    "/",
    "/cards/",
    "/cards/spycraft/kai/",
    "/games/spycraft/",
    "/games/spycraft/rules/",
    "/sets/",
    "/games.css",
    "/check/",
    "/offline/",
)


@pytest.mark.parametrize("path", KEPT_FOR_ALL)
def test_what_says_the_same_to_everybody_may_be_kept_for_everybody(client: Client, path: str) -> None:
    assert (client.get(path)[HEADER], client.head(path)[HEADER]) == ("public", "public")


@pytest.mark.parametrize("path", ["/cards/spycraft/kai/face.svg", "/cards/spycraft/kai/face.png"])
def test_faces_are_kept_in_a_room_of_their_own(client: Client, path: str) -> None:
    assert client.get(path)[HEADER] == "face"


NEVER_KEPT = (
    *(
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/account/",
        "/account/delete/",
        "/account/export.zip",
    ),
    *(
        "/accounts/2fa/",
        "/accounts/email/",
        "/accounts/logout/",
        "/admin/",
        "/admin/login/",
        "/decks/new/",
        "/decks/import/",
        "/d/",
    ),
    *("/print/", "/pictures/", "/api/v1/cards/", "/api/v1/decks/", "/nothing/", "/service-worker.js"),
)


@pytest.mark.parametrize("path", NEVER_KEPT)
def test_what_nobody_marked_is_not_kept(client: Client, path: str) -> None:
    assert not client.get(path).has_header(HEADER)


def test_an_answer_to_something_sent_is_not_kept(client: Client) -> None:
    answer = client.post("/check/", {"game": "spycraft", "text": "2 Kai"})
    assert (answer.status_code, answer.has_header(HEADER)) == (200, False)

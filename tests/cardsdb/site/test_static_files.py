"""Static files under hashed names, packed and unpacked; and what it takes to install the site."""

from __future__ import annotations

import gzip
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from PIL import Image

from cardsdb.games import games
from cardsdb.site.sharing import HEADER
from cardsdb.site.static_files import DARK, LIGHT, HashedFiles, colour_class, game_colours, with_static_files
from tests.support.pages import page

STYLE = "a { color: red; }" * 100


def test_a_collected_file_has_its_hashed_name_and_any_other_its_plain_one(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path
    assert HashedFiles().url("site.css") == "/static/site.css"
    paths = {"paths": {"site.css": "site.1.css"}, "version": "1.1", "hash": ""}
    (tmp_path / "staticfiles.json").write_text(json.dumps(paths))
    assert HashedFiles().url("site.css") == "/static/site.1.css"
    assert HashedFiles().url("cutout/forgotten.svg") == "/static/cutout/forgotten.svg"


@pytest.mark.parametrize("name", ["cutout/favicon.svg", "cutout/cutout.css"])
@pytest.mark.django_db
def test_icon_and_worker_are_those_that_were_collected(client, monkeypatch, name):
    """A release changes the worker, so that browsers fetch what is new."""
    monkeypatch.setitem(staticfiles_storage.hashed_files, name, "cutout/new.1a2b")
    assert "/static/cutout/new.1a2b" in client.get("/service-worker.js").text
    if name.endswith(".svg"):
        assert client.get("/favicon.ico")["Location"] == "/static/cutout/new.1a2b"


# -- files that are made of others -----------------------------------------------------


def assembled(folder: Path, **texts: str) -> Path:
    """What the first of these files is collected as (``site_css`` is ``cutout/site.css``)."""
    storage = HashedFiles(location=folder)
    names = [f"cutout/{name.replace('_', '.')}" for name in texts]
    for name, text in zip(names, texts.values(), strict=True):
        (folder / "cutout").mkdir(exist_ok=True)
        (folder / name).write_text(text)
    collected = storage.post_process({name: (storage, name) for name in names})
    # Its packed twins come after it under the same name.
    return folder / next(hashed for name, hashed, _ in [*collected] if name == names[0])


def test_a_style_sheet_is_collected_with_what_it_imports_once_in_its_place(tmp_path):
    whole = assembled(
        tmp_path,
        site_css='/* All */\n@import "deck.css";\n@import "fan.css";\na { b: c }\n',
        deck_css='@import "fan.css";\nd { e: f }\n',
        fan_css="g { h: i }\n",
    )
    assert whole.read_text() == "/* All */\ng { h: i }\nd { e: f }\na { b: c }\n"


def test_scripts_that_are_put_together_do_not_see_one_anothers_names(tmp_path):
    whole = assembled(
        tmp_path,
        site_js='import "./a.js";\nimport "./b.js";\n',
        a_js="const WAIT = 1;\n",
        b_js="const WAIT = 2;\n",
    )
    assert whole.read_text() == "{\nconst WAIT = 1;\n}\n{\nconst WAIT = 2;\n}\n"


def test_what_the_editor_waits_for_stands_before_its_parts(tmp_path):
    page = Path(finders.find("cutout/editor_page.js") or "").read_text()
    assembled(tmp_path, page_js=re.sub(r'import "./\w+.js"', 'import "./part.js"', page), part_js="part();\n")
    (collected,) = tmp_path.glob("cutout/page.*.js")
    whole = collected.read_text()
    assert 0 < whole.index("await ") < whole.index("part();")


def test_a_changed_part_changes_the_name_of_the_whole(tmp_path):
    before, after = (
        assembled(tmp_path, site_css='@import "a.css";\n', a_css=part)
        for part in ("a { b: c }\n", "a { b: d }\n")
    )
    assert before != after


def test_the_stylesheet_has_the_colours_of_the_games_in_it(tmp_path):
    assert (
        assembled(tmp_path, cutout_css='@import "/games.css";\na { b: c }\n').read_text()
        == f"{game_colours()}a {{ b: c }}\n"
    )


# -- files as they are sent ------------------------------------------------------------


def collect(folder: Path) -> Any:
    """A style sheet, collected by the storage of the site; its name."""
    (folder / "site.css").write_text(STYLE)
    storage = HashedFiles(location=folder)
    collected = [*storage.post_process({"site.css": (storage, "site.css")})]
    return next(hashed for name, hashed, _ in collected if name == "site.css")


def answer(path: str, **environ: str) -> tuple[str, dict[str, str], bytes]:
    """What the site answers, its pages left aside: status, headers by name in small letters, body."""
    started: list[Any] = []
    setup_testing_defaults(environ := {"PATH_INFO": path, **environ})
    site = with_static_files(lambda _, start: start("404 Not Found", []) or [b"a page of the site"])
    parts = site(environ, lambda status, headers: started.extend((status, headers)))
    body = b"".join(parts)
    if hasattr(parts, "close"):
        parts.close()
    return started[0], {name.lower(): value for name, value in started[1]}, body


@pytest.mark.parametrize(
    ("takes", "packing", "unpack"),
    [("gzip, br", "br", brotli.decompress), ("gzip", "gzip", gzip.decompress), ("", None, bytes)],
)
def test_a_static_file_is_sent_in_the_best_packing_that_the_browser_takes(
    tmp_path, settings, takes, packing, unpack
):
    settings.STATIC_ROOT = tmp_path
    name = collect(tmp_path)
    status, headers, body = answer(f"/static/{name}", HTTP_ACCEPT_ENCODING=takes)
    assert (status, headers.get("content-encoding")) == ("200 OK", packing)
    assert unpack(body).decode() == STYLE
    assert len(body) < len(STYLE) / 2 or not packing
    assert headers["vary"] == "Accept-Encoding"


def test_a_file_named_by_its_hash_is_kept_for_years_and_another_for_an_hour(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path
    hashed, plain = (
        answer(f"/static/{name}")[1]["cache-control"] for name in (collect(tmp_path), "site.css")
    )
    assert "immutable" in hashed
    assert plain == "max-age=3600, public"


def test_a_static_file_lets_a_browser_do_nothing_else_with_it(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path
    headers = answer(f"/static/{collect(tmp_path)}")[1]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path", ["/", "/static/", "/static/none.css", "/static/../secret_key", "/static/%2e%2e/secret_key"]
)
def test_what_is_no_static_file_is_the_sites(tmp_path, settings, path):
    settings.STATIC_ROOT = tmp_path / "static"
    (tmp_path / "secret_key").write_text("a secret")
    assert answer(path)[0::2] == ("404 Not Found", b"a page of the site")


# -- colours of the games -----------------------------------------------------------------


@pytest.mark.django_db
def test_every_colour_of_a_value_has_a_rule_of_its_own(client):
    names = [rule.split(" ")[0] for rule in game_colours().splitlines()]
    assert len(names) == len(set(names))
    assert f".{colour_class(games()['spycraft'], 'Nine Tiger')}" in names
    assert client.get("/games.css").text == game_colours()


# -- without a network --------------------------------------------------------------------


@pytest.mark.django_db
def test_the_manifest_says_all_that_a_browser_asks_before_it_installs(client):
    answer = client.get("/manifest.webmanifest")
    said = answer.json()
    assert answer["Content-Type"] == "application/manifest+json"
    assert {said[name] for name in ("short_name", "start_url", "scope", "display")} == {
        "Cutout",
        "/",
        "standalone",
    }
    assert {(icon["sizes"], icon["purpose"]) for icon in said["icons"]} == {
        (size, purpose) for size in ("any", "192x192", "512x512") for purpose in ("any", "maskable")
    }
    assert [client.get(shortcut["url"]).status_code for shortcut in said["shortcuts"]] == [200, 200]
    for icon in said["icons"]:
        data = found(icon["src"]).read_bytes()
        if icon["type"] == "image/svg+xml":
            assert data.startswith(b"<svg ")
        else:
            assert "{}x{}".format(*Image.open(BytesIO(data)).size) == icon["sizes"] and len(data) < 4_000


def found(address: str) -> Path:
    path = finders.find(address.removeprefix("/static/"))
    assert path, address
    return Path(path)


@pytest.mark.django_db
def test_every_page_links_the_manifest_and_has_the_colours_of_its_head(client):
    head = page(client, "/").one("head")
    assert head.one("link", rel="manifest")["href"] == "/manifest.webmanifest"
    for scheme, colour in (("light", LIGHT), ("dark", DARK)):
        media = f"(prefers-color-scheme: {scheme})"
        assert head.one("meta", name="theme-color", media=media)["content"] == colour
    sheet = found("/static/cutout/cutout.css").read_text(encoding="utf-8")
    assert re.findall(r"--desk: (#\w+)", sheet)[:2] == [LIGHT, DARK]


@pytest.mark.django_db
def test_the_worker_stands_at_the_root_is_asked_for_anew_and_finds_what_it_takes_with_it(client):
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer["Cache-Control"] and "Cookie" not in answer.get("Vary", "")
    policy = answer["Content-Security-Policy"].split("; ")
    assert {"worker-src 'self'", "manifest-src 'self'", "connect-src 'self'"} <= set(policy)
    declared = re.findall(r"^const (?:FILES|PAGES) = (\[.*\]);$", answer.text, re.MULTILINE)
    files, pages = map(json.loads, declared)
    # The letters are made when the site is prepared.
    assert all(found(name) for name in files if not name.startswith("/static/fonts/")) and pages
    assert {(client.get(one).status_code, client.get(one)[HEADER]) for one in pages} == {(200, "public")}

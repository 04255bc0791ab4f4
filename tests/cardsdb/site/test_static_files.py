"""Static files: hashed names, imports, compression, headers; colours of games; service worker and
manifest.
"""

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


def test_a_collected_file_has_a_hashed_name_and_any_other_a_plain_one(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path
    assert HashedFiles().url("site.css") == "/static/site.css"
    paths = {"paths": {"site.css": "site.1.css"}, "version": "1.1", "hash": ""}
    (tmp_path / "staticfiles.json").write_text(json.dumps(paths))
    assert HashedFiles().url("site.css") == "/static/site.1.css"
    assert HashedFiles().url("cutout/forgotten.svg") == "/static/cutout/forgotten.svg"


@pytest.mark.parametrize("name", ["cutout/favicon.svg", "cutout/cutout.css"])
@pytest.mark.django_db
def test_the_worker_and_the_icon_use_hashed_names(client, monkeypatch, name):
    """So a release changes the worker, and browsers fetch the new files."""
    monkeypatch.setitem(staticfiles_storage.hashed_files, name, "cutout/new.1a2b")
    assert "/static/cutout/new.1a2b" in client.get("/service-worker.js").text
    if name.endswith(".svg"):
        assert client.get("/favicon.ico")["Location"] == "/static/cutout/new.1a2b"


# -- files that are made of others -----------------------------------------------------


def assembled(folder: Path, **texts: str) -> Path:
    """Collect files (``site_css``: ``cutout/site.css``). Return the path of the first, hashed."""
    storage = HashedFiles(location=folder)
    names = [f"cutout/{name.replace('_', '.')}" for name in texts]
    for name, text in zip(names, texts.values(), strict=True):
        (folder / "cutout").mkdir(exist_ok=True)
        (folder / name).write_text(text)
    collected = storage.post_process({name: (storage, name) for name in names})
    # Its compressed copies come after it under the same name.
    return folder / next(hashed for name, hashed, _ in [*collected] if name == names[0])


def test_an_import_in_a_style_sheet_is_replaced_by_the_file_once(tmp_path):
    whole = assembled(
        tmp_path,
        site_css='/* All */\n@import "deck.css";\n@import "fan.css";\na { b: c }\n',
        deck_css='@import "fan.css";\nd { e: f }\n',
        fan_css="g { h: i }\n",
    )
    assert whole.read_text() == "/* All */\ng { h: i }\nd { e: f }\na { b: c }\n"


def test_imported_scripts_do_not_see_each_others_names(tmp_path):
    whole = assembled(
        tmp_path,
        site_js='import "./a.js";\nimport "./b.js";\n',
        a_js="const WAIT = 1;\n",
        b_js="const WAIT = 2;\n",
    )
    assert whole.read_text() == "{\nconst WAIT = 1;\n}\n{\nconst WAIT = 2;\n}\n"


def test_a_changed_import_changes_the_hashed_name(tmp_path):
    before, after = (
        assembled(tmp_path, site_css='@import "a.css";\n', a_css=part)
        for part in ("a { b: c }\n", "a { b: d }\n")
    )
    assert before != after


def test_the_main_style_sheet_contains_the_colours_of_the_games(tmp_path):
    assert (
        assembled(tmp_path, cutout_css='@import "/games.css";\na { b: c }\n').read_text()
        == f"{game_colours()}a {{ b: c }}\n"
    )


# -- files as they are sent ------------------------------------------------------------


def collect(folder: Path) -> Any:
    """Collect a style sheet with the storage of the site. Return its hashed name."""
    (folder / "site.css").write_text(STYLE)
    storage = HashedFiles(location=folder)
    collected = [*storage.post_process({"site.css": (storage, "site.css")})]
    return next(hashed for name, hashed, _ in collected if name == "site.css")


def answer(path: str, **environ: str) -> tuple[str, dict[str, str], bytes]:
    """Return status, headers (with lower-case names) and body of the answer to a path."""
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
def test_a_static_file_is_sent_in_the_best_compression_that_the_browser_accepts(
    tmp_path, settings, takes, packing, unpack
):
    settings.STATIC_ROOT = tmp_path
    name = collect(tmp_path)
    status, headers, body = answer(f"/static/{name}", HTTP_ACCEPT_ENCODING=takes)
    assert (status, headers.get("content-encoding")) == ("200 OK", packing)
    assert unpack(body).decode() == STYLE
    assert len(body) < len(STYLE) / 2 or not packing
    assert headers["vary"] == "Accept-Encoding"


def test_a_file_with_a_hashed_name_is_immutable_and_another_is_cached_for_an_hour(tmp_path, settings):
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
def test_every_colour_of_a_value_has_one_css_rule(client):
    names = [rule.split(" ")[0] for rule in game_colours().splitlines()]
    assert len(names) == len(set(names))
    assert f".{colour_class(games()['spycraft'], 'Nine Tiger')}" in names
    assert client.get("/games.css").text == game_colours()


# -- without a network --------------------------------------------------------------------


@pytest.mark.django_db
def test_the_manifest_names_pages_that_open_and_icons_of_their_stated_sizes(client):
    app = client.get("/manifest.webmanifest").json()
    assert [client.get(shortcut["url"]).status_code for shortcut in app["shortcuts"]] == [200, 200]
    for icon in app["icons"]:
        data = found(icon["src"]).read_bytes()
        is_drawing = icon["type"] == "image/svg+xml" and data.startswith(b"<svg ")
        assert is_drawing or "{}x{}".format(*Image.open(BytesIO(data)).size) == icon["sizes"], icon


def found(address: str) -> Path:
    """Return the file behind the address of a static file."""
    path = finders.find(address.removeprefix("/static/"))
    assert path, address
    return Path(path)


@pytest.mark.django_db
def test_every_page_states_the_colours_of_the_style_sheet_as_its_theme(client):
    head = page(client, "/").one("head")
    assert head.one("link", rel="manifest")["href"] == "/manifest.webmanifest"
    colours = [
        head.one("meta", name="theme-color", media=f"(prefers-color-scheme: {scheme})")["content"]
        for scheme in ("light", "dark")
    ]
    sheet = found("/static/cutout/cutout.css").read_text(encoding="utf-8")
    assert re.findall(r"--desk: (#\w+)", sheet)[:2] == colours == [LIGHT, DARK]


@pytest.mark.django_db
def test_the_files_and_pages_that_the_worker_keeps_exist_and_the_worker_itself_is_not_cached(client):
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer["Cache-Control"] and "Cookie" not in answer.get("Vary", "")
    declared = re.findall(r"^const (?:FILES|PAGES) = (\[.*\]);$", answer.text, re.MULTILINE)
    files, pages = map(json.loads, declared)
    # Fonts are generated when the site is set up.
    assert all(found(name) for name in files if not name.startswith("/static/fonts/")) and pages
    assert {client.get(one).headers.get(HEADER) for one in pages} == {"public"}

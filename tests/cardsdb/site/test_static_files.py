"""Static files under hashed names, packed and unpacked."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client

from cardsdb.site.static_files import HashedFiles, game_colours, with_static_files

STYLE = "a { color: red; }" * 100


@pytest.fixture
def collected(tmp_path: Path, settings: Any) -> HashedFiles:
    """Static files of which one was collected."""
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").write_text(
        json.dumps({"paths": {"site.css": "site.1.css"}, "version": "1.1", "hash": ""})
    )
    return HashedFiles()


def test_a_collected_file_has_its_hashed_name(collected: HashedFiles) -> None:
    assert collected.url("site.css") == "/static/site.1.css"


def test_a_file_that_was_not_collected_keeps_its_plain_name(collected: HashedFiles) -> None:
    assert collected.url("cutout/forgotten.svg") == "/static/cutout/forgotten.svg"


def test_before_collecting_names_are_plain(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    assert HashedFiles().url("site.css") == "/static/site.css"


@pytest.mark.django_db
def test_the_icon_that_browsers_look_for_leads_to_the_one_that_is_there(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardsdb.site.static_files.static", lambda name: f"{static(name)}?hashed")
    response = client.get("/favicon.ico")
    assert (response.status_code, response["Location"]) == (302, "/static/cutout/favicon.svg?hashed")


# -- files that are made of others -----------------------------------------------------


def assembled(folder: Path, **texts: str) -> Path:
    """What the first of these files is collected as (``site_css`` is ``cutout/site.css``)."""
    storage = HashedFiles(location=folder)
    names = [f"cutout/{name.replace('_', '.')}" for name in texts]
    for name, text in zip(names, texts.values(), strict=True):
        (folder / "cutout").mkdir(exist_ok=True)
        (folder / name).write_text(text)
    collected = {
        name: hashed for name, hashed, _ in storage.post_process({name: (storage, name) for name in names})
    }
    return folder / collected[names[0]]


def test_a_style_sheet_is_collected_with_what_it_imports_in_its_place(tmp_path: Path) -> None:
    whole = assembled(
        tmp_path,
        site_css='/* All */\n@import "deck.css";\na { b: c }\n',
        deck_css='@import "fan.css";\nd { e: f }\n',
        fan_css="g { h: i }\n",
    )
    assert whole.read_text() == "/* All */\ng { h: i }\nd { e: f }\na { b: c }\n"


def test_what_two_import_is_there_once(tmp_path: Path) -> None:
    whole = assembled(
        tmp_path,
        site_css='@import "a.css";\n@import "b.css";\n',
        a_css='@import "b.css";\n',
        b_css="c { d: e }\n",
    )
    assert whole.read_text() == "c { d: e }\n"


def test_scripts_that_are_put_together_do_not_see_one_anothers_names(tmp_path: Path) -> None:
    whole = assembled(
        tmp_path,
        site_js='import "./a.js";\nimport "./b.js";\n',
        a_js="const WAIT = 1;\n",
        b_js="const WAIT = 2;\n",
    )
    assert whole.read_text() == "{\nconst WAIT = 1;\n}\n{\nconst WAIT = 2;\n}\n"


def test_what_the_editor_waits_for_stands_before_its_parts(tmp_path: Path) -> None:
    page = Path(finders.find("cutout/editor_page.js") or "").read_text()
    assembled(tmp_path, page_js=re.sub(r'import "./\w+.js"', 'import "./part.js"', page), part_js="part();\n")
    (collected,) = tmp_path.glob("cutout/page.*.js")
    whole = collected.read_text()
    assert 0 < whole.index("await ") < whole.index("part();")


def test_a_changed_part_changes_the_name_of_the_whole(tmp_path: Path) -> None:
    before, after = (
        assembled(tmp_path, site_css='@import "a.css";\n', a_css=part)
        for part in ("a { b: c }\n", "a { b: d }\n")
    )
    assert before != after


def test_the_stylesheet_has_the_colours_of_the_games_in_it(tmp_path: Path) -> None:
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
    tmp_path: Path, settings: Any, takes: str, packing: str | None, unpack: Any
) -> None:
    settings.STATIC_ROOT = tmp_path
    name = collect(tmp_path)
    status, headers, body = answer(f"/static/{name}", HTTP_ACCEPT_ENCODING=takes)
    assert (status, headers.get("content-encoding")) == ("200 OK", packing)
    assert unpack(body).decode() == STYLE
    assert len(body) < len(STYLE) / 2 or not packing
    assert headers["vary"] == "Accept-Encoding"


def test_a_file_named_by_its_hash_is_kept_for_years_and_another_for_an_hour(
    tmp_path: Path, settings: Any
) -> None:
    settings.STATIC_ROOT = tmp_path
    hashed, plain = (
        answer(f"/static/{name}")[1]["cache-control"] for name in (collect(tmp_path), "site.css")
    )
    assert "immutable" in hashed
    assert plain == "max-age=3600, public"


def test_a_static_file_lets_a_browser_do_nothing_else_with_it(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    headers = answer(f"/static/{collect(tmp_path)}")[1]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path", ["/", "/static/", "/static/none.css", "/static/../secret_key", "/static/%2e%2e/secret_key"]
)
def test_what_is_no_static_file_is_the_sites(tmp_path: Path, settings: Any, path: str) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    (tmp_path / "secret_key").write_text("a secret")
    assert answer(path)[0::2] == ("404 Not Found", b"a page of the site")

"""Static files under hashed names, packed and unpacked."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

import brotli
import pytest
from django.templatetags.static import static
from django.test import Client

from cardsdb.site.static_files import HashedFiles, with_static_files

STYLE = "a { color: red; }" * 100


@pytest.fixture
def collected(tmp_path: Path, settings: Any) -> HashedFiles:
    """Static files of which one was collected."""
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").write_text(json.dumps({"paths": {"site.css": "site.1.css"}, "version": "1.1", "hash": ""}))
    return HashedFiles()


def test_a_collected_file_has_its_hashed_name(collected: HashedFiles) -> None:
    assert collected.url("site.css") == "/static/site.1.css"


def test_a_file_that_was_not_collected_keeps_its_plain_name(collected: HashedFiles) -> None:
    assert collected.url("cutout/forgotten.svg") == "/static/cutout/forgotten.svg"


def test_before_collecting_names_are_plain(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    assert HashedFiles().url("site.css") == "/static/site.css"


def test_the_icon_that_browsers_look_for_leads_to_the_one_that_is_there(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.site.static_files.static", lambda name: f"{static(name)}?hashed")
    response = client.get("/favicon.ico")
    assert (response.status_code, response["Location"]) == (302, "/static/cutout/favicon.svg?hashed")


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
    ("takes", "packing", "unpack"), [("gzip, br", "br", brotli.decompress), ("gzip", "gzip", gzip.decompress), ("", None, bytes)]
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


def test_a_file_named_by_its_hash_is_kept_for_years_and_another_for_an_hour(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    hashed, plain = (answer(f"/static/{name}")[1]["cache-control"] for name in (collect(tmp_path), "site.css"))
    assert "immutable" in hashed
    assert plain == "max-age=3600, public"


def test_a_static_file_lets_a_browser_do_nothing_else_with_it(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    headers = answer(f"/static/{collect(tmp_path)}")[1]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("path", ["/", "/static/", "/static/none.css", "/static/../secret_key", "/static/%2e%2e/secret_key"])
def test_what_is_no_static_file_is_the_sites(tmp_path: Path, settings: Any, path: str) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    (tmp_path / "secret_key").write_text("a secret")
    assert answer(path)[0::2] == ("404 Not Found", b"a page of the site")

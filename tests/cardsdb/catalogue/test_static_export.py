"""The catalogue as a folder: every link leads to a page of the folder, and no folder of anybody else is touched."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.core.management import call_command

from cardsdb.games import games
from cardsdb.models import Card

pytestmark = pytest.mark.django_db


def export(folder: Path, *options: str) -> tuple[int, str]:
    """(exit status, what was said on either stream)."""
    said = io.StringIO()
    try:
        call_command("export_static", str(folder), *options, stdout=said, stderr=said)
    except SystemExit as stop:
        return int(stop.code or 0), said.getvalue()
    return 0, said.getvalue()


class Links(HTMLParser):
    """The addresses and the ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]
        self.ids |= {value for name, value in attrs if name == "id" and value}


def small(folder: Path, *options: str) -> Path:
    """The smaller games, for speed."""
    assert export(folder, "--game", "agentdecker", *options)[0] == 0
    return folder


def test_every_link_leads_to_a_file_of_the_folder(tmp_path: Path) -> None:
    folder = small(tmp_path / "out")
    pages = list(folder.rglob("*.html"))
    assert len(pages) > 10
    for page in pages:
        read = Links(page.read_text(encoding="utf-8"))
        for link in read.found:
            parts = urlsplit(link)
            if parts.scheme:
                assert link in {games()["agentdecker"].credit.work_url, games()["agentdecker"].credit.licence_url}  # type: ignore[union-attr]
            elif parts.path:
                assert not parts.path.startswith("/") and (page.parent / unquote(parts.path)).is_file(), f"{page}: {link}"
            else:
                assert parts.fragment in read.ids, f"{page}: {link}"


def test_every_card_has_its_page_and_its_face(tmp_path: Path) -> None:
    folder = small(tmp_path / "out")
    codes = set(Card.objects.current().in_game("agentdecker").values_list("code", flat=True))
    assert {path.stem for path in (folder / "agentdecker" / "cards").iterdir()} == codes
    assert {path.stem for path in (folder / "agentdecker" / "faces").iterdir()} == codes
    assert all(path.read_text(encoding="utf-8").startswith("<svg xmlns") for path in (folder / "agentdecker" / "faces").iterdir())


def test_sets_have_pages_that_link_to_their_cards(tmp_path: Path) -> None:
    assert export(tmp_path / "out", "--game", "steamspy")[0] == 0
    (page,) = (tmp_path / "out" / "steamspy" / "sets").iterdir()
    known = Card.objects.current().in_game("steamspy").exclude(prints=None).count()
    assert page.read_text(encoding="utf-8").count('href="../cards/') == known


def test_a_long_list_goes_on_on_further_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.catalogue.static_export.PER_PAGE", 3)
    folder = small(tmp_path / "out") / "agentdecker" / "types"
    cards = [Links(page.read_text(encoding="utf-8")).found for page in folder.iterdir()]
    listed = [link for links in cards for link in links if link.startswith("../cards/")]
    assert any(path.stem.endswith("-2") for path in folder.iterdir())
    assert len(listed) == len(set(listed)) == Card.objects.current().in_game("agentdecker").count()


def test_every_page_of_a_credited_game_carries_its_credit(tmp_path: Path) -> None:
    for page in small(tmp_path / "out").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "Manuel Correia" in text and "by-nc/4.0" in text, page


def test_the_same_catalogue_gives_the_same_files(tmp_path: Path) -> None:
    first, second = small(tmp_path / "one"), small(tmp_path / "two")
    names = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert names == sorted(path.relative_to(second) for path in second.rglob("*") if path.is_file())
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in names)


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    status, said = export(tmp_path, "--game", "agentdecker")
    assert (status, [path.name for path in tmp_path.iterdir()]) == (2, ["mine.txt"])
    assert "--replace" in said


def test_replace_spares_a_folder_that_is_no_export(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert export(tmp_path, "--game", "agentdecker", "--replace")[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_replace_leaves_nothing_of_the_earlier_export(tmp_path: Path) -> None:
    folder = small(tmp_path / "out")
    (folder / "stale.html").write_text("old")
    small(folder, "--replace")
    assert not (folder / "stale.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    assert export(tmp_path / "out", "--game", "agentdecker")[0] == 2


def test_an_unknown_game_is_refused(tmp_path: Path) -> None:
    status, said = export(tmp_path / "out", "--game", "chess")
    assert (status, (tmp_path / "out").exists()) == (2, False)
    assert "spycraft" in said


def test_an_empty_catalogue_is_refused(tmp_path: Path) -> None:
    Card.objects.update(retired=True)
    assert export(tmp_path / "out")[0] == 2


def test_a_name_with_markup_stays_a_name(tmp_path: Path) -> None:
    Card.objects.filter(game="agentdecker").update(name="<script>alert(1)</script>")
    folder = small(tmp_path / "out")
    assert all("<script" not in page.read_text(encoding="utf-8") for page in folder.rglob("*.html"))


def test_nothing_is_said_of_progress_where_nobody_watches(tmp_path: Path) -> None:
    _, said = export(tmp_path / "out", "--game", "agentdecker")
    assert said.count("\n") == 1 and "\r" not in said

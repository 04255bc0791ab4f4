"""Faces of the catalogue's cards are drawn once and read one by one; whatever is not there, or not as it was, is drawn as ever."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

import printing
from cardsdb.games import games, look_in
from cardsdb.games.kit import Card, Game
from printing.faces import digest
from printing.render import kept_faces
from printing.render.kept_faces import keep_faces, kept_face
from printing.render.svg import card_svg
from printing.templatetags.printing_tags import card_face
from tests import ROOT
from tests.support.data_games import site_data

__all__ = ["site_data"]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has opened no file."""
    start(monkeypatch)


def start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_faces, "_known", WeakKeyDictionary())


@pytest.fixture
def game(site_data: Path) -> Game:
    """A game of which the process has read the cards, as for any page of a card."""
    game = games()["agentdecker"]
    assert game.card("") is None
    return game


@pytest.fixture
def kept(game: Game, site_data: Path) -> Iterator[Path]:
    """The file of the game's faces."""
    assert keep_faces([game]) == [game]
    yield site_data / "faces" / "agentdecker.faces"


def test_every_card_is_kept_as_it_would_be_drawn(game: Game, kept: Path) -> None:
    assert [kept_face(card, game) for card in game.cards] == [card_svg(card, game) for card in game.cards]


def test_no_cards_are_read_for_a_face(game: Game, kept: Path) -> None:
    card, not_read = game.cards[0], replace(game)
    assert kept_face(card, not_read) is None and "cards" not in vars(not_read)
    assert not_read.card(card.code) and kept_face(card, not_read)


def test_a_page_draws_only_what_is_not_kept(game: Game, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(card: Card, *_: Any, **__: Any) -> str:
        drawn.append(card.name)
        return "drawn"

    monkeypatch.setattr("printing.templatetags.printing_tags.card_svg", draw)
    card = game.cards[0]
    assert card_face(game, card).startswith("<svg")
    assert card_face(game, card, at_a_glance=True) == "drawn"
    assert card_face(game, card, picture="one of somebody's own") == "drawn"  # type: ignore[arg-type]
    assert card_face(game, replace(card, name="Another")) == "drawn"
    kept.unlink()
    start(monkeypatch)
    assert card_face(game, card) == "drawn"
    assert drawn == [card.name, card.name, "Another", card.name]


def test_the_same_card_out_of_the_database_has_the_same_face(game: Game, kept: Path) -> None:
    card = game.cards[0]
    assert kept_face(replace(card, facts=dict(card.facts)), game) == card_svg(card, game)


@pytest.mark.parametrize("said", [{"text": "A text of my own"}, {"facts": {}}, {"code": "not-there"}, {"note": "x"}], ids=str)
def test_a_card_that_says_something_else_is_not_kept(game: Game, kept: Path, said: dict[str, Any]) -> None:
    assert kept_face(replace(game.cards[0], **said), game) is None


def test_nothing_is_drawn_twice(game: Game, kept: Path) -> None:
    written = kept.stat().st_mtime_ns
    assert keep_faces([game]) == []
    assert kept.stat().st_mtime_ns == written


@pytest.mark.parametrize("other", ["cards", "code", "game"])
def test_a_file_of_something_else_counts_as_none_and_is_written_anew(
    game: Game, kept: Path, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    start(monkeypatch)
    if other == "cards":
        game = replace(game)
        vars(game).update(cards=(*game.cards[1:], replace(game.cards[0], name="Another")), cards_digest="another")
    elif other == "code":
        monkeypatch.setattr(kept_faces, "digest_of_drawing", lambda game: "newer")
    else:
        kept.rename(kept.with_stem("spynet"))
        game = games()["spynet"]
    card = game.card(game.cards[1].code)
    assert card and kept_face(card, game) is None
    assert keep_faces([game]) == [game]
    assert kept_face(card, game) == card_svg(card, game)


@pytest.mark.parametrize("left", [0, digest.DIGEST, 60, 100])
def test_a_file_that_ends_too_soon_is_written_anew(game: Game, kept: Path, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    whole = kept.read_bytes()
    kept.write_bytes(whole[:left])
    start(monkeypatch)
    assert kept_face(game.cards[0], game) is None
    assert keep_faces([game]) == [game]
    assert kept.read_bytes() == whole


@pytest.mark.parametrize("at", [digest.DIGEST, 2 * digest.DIGEST, 2 * digest.DIGEST + 4])
def test_places_that_are_damaged_are_not_gone_by(game: Game, kept: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    damage(kept, at)
    start(monkeypatch)
    assert {kept_face(card, game) for card in game.cards} == {None}


def test_a_damaged_face_is_drawn_and_the_others_are_read(game: Game, kept: Path) -> None:
    damage(kept, kept.stat().st_size - 1)
    faces = [kept_face(card, game) for card in sorted(game.cards, key=lambda card: card.code)]
    assert faces[-1] is None and None not in faces[:-1]


def damage(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_a_process_goes_on_with_the_file_that_it_opened(game: Game, kept: Path) -> None:
    card = game.cards[0]
    assert kept_face(card, game)
    other = kept.with_name("other")
    other.write_bytes(b"of another version")
    other.replace(kept)
    assert kept_face(card, game) == card_svg(card, game)


def test_a_process_finds_faces_that_are_drawn_after_its_start(game: Game) -> None:
    assert kept_face(game.cards[0], game) is None
    keep_faces([game])
    assert kept_face(game.cards[0], game)


def test_faces_of_games_that_are_gone_and_what_a_stop_left_are_removed(game: Game, kept: Path) -> None:
    (kept.parent / "gone.faces").touch()
    (left := kept.parent / "agentdecker.123").touch()
    os.utime(left, (0, 0))
    # Another process may be writing this one.
    (begun := kept.parent / "agentdecker.124").touch()
    assert keep_faces([game]) == []
    assert set(kept.parent.iterdir()) == {kept, begun}


def test_a_game_of_very_many_cards_is_drawn_as_it_is_asked_for(game: Game, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_faces, "MAX_CARDS", len(game.cards) - 1)
    assert keep_faces([game]) == []
    assert not kept.exists()
    assert kept_face(game.cards[0], game) is None


def test_a_card_that_cannot_be_drawn_keeps_no_other_from_it(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = game.cards[0]

    def draw(card: Card, *words: Any, **options: Any) -> str:
        return str(1 // 0) if card is bad else card_svg(card, *words, **options)

    monkeypatch.setattr(kept_faces, "card_svg", draw)
    assert keep_faces([game]) == [game]
    assert kept_face(bad, game) is None
    assert kept_face(game.cards[1], game)


def test_where_nothing_can_be_written_faces_are_drawn(game: Game, site_data: Path) -> None:
    (site_data / "faces").write_text("a file where the folder should be")
    assert keep_faces([game]) == []
    assert kept_face(game.cards[0], game) is None


def test_without_a_folder_of_data_nothing_is_kept(game: Game) -> None:
    look_in(None)
    assert keep_faces([game]) == []
    assert kept_face(game.cards[0], game) is None


def test_the_digest_is_of_all_code_of_ours_that_draws() -> None:
    code = "import sys, printing.render.svg as s; print(*(m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)))"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    house = Path(printing.__file__).parent
    used = {Path(path).relative_to(house).parts[0] for path in told if Path(path).is_relative_to(house)} - {"__init__.py"}
    assert used <= set(digest.ROOMS)


@pytest.mark.parametrize("name", ["face.py", "game.toml", "sets.csv"])
def test_the_digest_changes_with_what_a_game_declares(game: Game, tmp_path: Path, name: str) -> None:
    told = set()
    for place, text in (("one", "1"), ("two", "2")):
        (tmp_path / place).mkdir()
        (tmp_path / place / name).write_text(text)
        told |= {digest.digest_of_drawing(replace(game, folder=tmp_path / place)) for _ in range(2)}
    assert len(told) == 2

"""What one print brings along in files: texts and pictures, for this print alone."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import pytest

from cardsdb.box.intake import add_wish
from cardsdb.faults import Refused
from cardsdb.games import games
from printing.management.commands.print_deck import brought
from printing.request.print_request import Brought
from tests.support.packages import zipped
from tests.support.pictures import coded, painted

GAME = games()["spycraft"]


def test_nothing_brings_nothing(tmp_path: Path) -> None:
    assert brought(GAME, "", "", tmp_path) == Brought("spycraft")


def test_texts_come_with_what_was_not_understood(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("name,text\nKai,Invented words.\nNobody,x,y,z\n")
    found = brought(GAME, str(tmp_path / "mine.csv"), "", tmp_path)
    assert dict(found.texts) == {"kai": "Invented words."} and found.remarks and not found.pictures


def test_pictures_are_placed_by_their_names(tmp_path: Path) -> None:
    picture = coded(painted())
    (tmp_path / "mine.zip").write_bytes(zipped({"Kai.jpg": picture, "Termite.png": b"no picture"}))
    found = brought(GAME, "", str(tmp_path / "mine.zip"), tmp_path)
    assert list(found.pictures) == [("kai", "front")] and not found.texts


@pytest.mark.parametrize(
    ("name", "data", "code"), [("gone.csv", None, "unreadable"), ("empty.csv", b"", "empty")]
)
def test_a_file_that_cannot_be_read_is_refused_by_its_name(
    tmp_path: Path, name: str, data: bytes | None, code: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    for given in ((str(tmp_path / name), ""), ("", str(tmp_path / name))):
        with pytest.raises(Refused) as refused:
            brought(GAME, *given, tmp_path)
        (fault,) = refused.value.faults
        assert (fault.code, fault.where) == (code, str(tmp_path / name))


def test_a_command_says_what_pictures_are_and_what_becomes_of_their_bleed() -> None:
    parser = ArgumentParser()
    add_wish(parser)
    assert vars(parser.parse_args([])) == {"pictures_as": "", "pictures_bleed": "cut"}
    assert vars(parser.parse_args(["--pictures-as", "art", "--pictures-bleed", "keep"])) == {
        "pictures_as": "art",
        "pictures_bleed": "keep",
    }

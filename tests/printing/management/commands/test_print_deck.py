"""What one print of the command brings along in files: texts and pictures, for this print alone. What else
it writes and says is tried with the files that it makes.
"""

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


def test_texts_come_with_what_was_not_understood_and_pictures_are_placed_by_their_names(
    tmp_path: Path,
) -> None:
    assert brought(GAME, "", "", tmp_path) == Brought("spycraft")
    (tmp_path / "mine.csv").write_text("name,text\nKai,Invented words.\nNobody,x,y,z\n")
    pictures = {"Kai.jpg": coded(painted()), "Termite.png": b"no picture"}
    (tmp_path / "mine.zip").write_bytes(zipped(pictures))
    found = brought(GAME, str(tmp_path / "mine.csv"), str(tmp_path / "mine.zip"), tmp_path)
    assert dict(found.texts) == {"kai": "Invented words."} and found.remarks
    assert list(found.pictures) == [("kai", "front")]


@pytest.mark.parametrize(
    ("name", "data", "code"), [("gone.csv", None, "unreadable"), ("empty.csv", b"", "empty")]
)
def test_a_file_that_cannot_be_read_is_refused_by_its_name(
    tmp_path: Path, name: str, data: bytes | None, code: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    for given in ((str(path), ""), ("", str(path))):
        with pytest.raises(Refused) as refused:
            brought(GAME, *given, tmp_path)
        assert [(fault.code, fault.where) for fault in refused.value.faults] == [(code, str(path))]


def test_a_command_says_what_pictures_are_and_what_becomes_of_their_bleed() -> None:
    parser = ArgumentParser()
    add_wish(parser)
    assert vars(parser.parse_args([])) == {"pictures_as": "", "pictures_bleed": "cut"}
    given = ["--pictures-as", "art", "--pictures-bleed", "keep"]
    assert vars(parser.parse_args(given)) == {"pictures_as": "art", "pictures_bleed": "keep"}

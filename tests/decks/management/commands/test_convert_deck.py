"""The command that converts a deck."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command


def convert(capfdbinary: Any, *args: str) -> tuple[int, bytes, str]:
    """Exit status, standard output and standard error of ``convert_deck``."""
    try:
        call_command("convert_deck", *args)
        status = 0
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    out, err = capfdbinary.readouterr()
    return status, out, err.decode()


def test_convert_deck_writes_the_file_and_reports_losses_as_lines_of_json(
    tmp_path: Path, capfdbinary: Any, agency_text: str
) -> None:
    source, target = tmp_path / "deck.txt", tmp_path / "deck.cod"
    source.write_text(agency_text + "\n1 Nobody At All\n", encoding="utf-8")
    status, out, err = convert(
        capfdbinary, str(source), "--game", "spycraft", "--to", "cod", "-o", str(target)
    )
    assert (status, out) == (0, b"")
    assert ElementTree.parse(target).getroot().tag == "cockatrice_deck"
    losses = [json.loads(line) for line in err.splitlines()]
    assert all(set(loss) == {"code", "message", "where"} for loss in losses)
    assert "4 cards of Leaders folded into main." in [loss["message"] for loss in losses]
    assert "line_kept" in [loss["code"] for loss in losses]


def test_convert_deck_writes_bytes_with_the_formats_own_line_ends(tmp_path: Path, capfdbinary: Any) -> None:
    source = tmp_path / "deck.txt"
    source.write_text("2 Zoë | ally", encoding="utf-8")
    status, out, _ = convert(capfdbinary, str(source), "--game", "steamspy", "--to", "csv")
    assert status == 0
    assert (
        out.splitlines(keepends=True)[0]
        == b"section,count,name,set,number,type,code,facts,note,tags,keep\r\n"
    )
    assert "Zoë".encode() in out


@pytest.mark.parametrize(
    ("text", "game", "said"),
    [
        (b"2 Kai", "chess", "There is no game"),
        (b"\xff\xfe\xff", "spycraft", "not UTF-8"),
        (b"2 Nobody At All", "spycraft", "Nobody At All"),
    ],
)
def test_convert_deck_exits_2_when_nothing_could_be_read(
    tmp_path: Path, capfdbinary: Any, text: bytes, game: str, said: str
) -> None:
    source = tmp_path / "deck.txt"
    source.write_bytes(text)
    status, out, err = convert(capfdbinary, str(source), "--game", game, "--to", "json")
    assert (status, out) == (2, b"")
    assert said in err


def test_convert_deck_exits_2_without_the_file(tmp_path: Path, capfdbinary: Any) -> None:
    status, _, err = convert(capfdbinary, str(tmp_path / "none.txt"), "--game", "spycraft", "--to", "json")
    assert status == 2
    assert "No such file" in err


def test_convert_deck_exits_2_where_standard_input_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    def read(size: int) -> bytes:
        raise IsADirectoryError(21, "Is a directory")

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=SimpleNamespace(read=read)))
    status, _, err = convert(capfdbinary, "-", "--to", "json")
    assert (status, err) == (2, "-: Is a directory.\n")


def test_convert_deck_says_where_it_could_not_write(tmp_path: Path) -> None:
    source = tmp_path / "deck.txt"
    source.write_text("2 Kai")
    with pytest.raises(CommandError, match="No such file"):
        call_command(
            "convert_deck",
            str(source),
            "--game",
            "spycraft",
            "--to",
            "json",
            "-o",
            str(tmp_path / "none" / "deck.json"),
        )

"""The command ``convert_deck``."""

import json
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from tests.support.commands import listed

__all__ = ["listed"]


def convert(capfdbinary, *args) -> tuple[int, bytes, str]:
    """Exit status, standard output and standard error of ``convert_deck``."""
    try:
        call_command("convert_deck", *args)
        status = 0
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    out, err = capfdbinary.readouterr()
    return status, out, err.decode()


def test_convert_deck_writes_the_file_and_reports_losses_as_lines_of_json(tmp_path, capfdbinary, agency_text):
    source, target = tmp_path / "deck.txt", tmp_path / "deck.cod"
    source.write_text(agency_text + "\n1 Nobody At All\n", encoding="utf-8")
    status, out, err = convert(
        capfdbinary, str(source), "--game", "spycraft", "--to", "cod", "-o", str(target)
    )
    assert (status, out) == (0, b"")
    assert ElementTree.parse(target).getroot().tag == "cockatrice_deck"
    losses = [json.loads(line) for line in err.splitlines()]
    assert all(set(loss) == {"code", "message", "where"} for loss in losses)
    assert "4 cards of Leaders put among those of main." in [loss["message"] for loss in losses]
    assert "line_kept" in [loss["code"] for loss in losses]


def test_convert_deck_writes_bytes_with_the_formats_own_line_ends(tmp_path, capfdbinary):
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
    ("text", "game", "message"),
    [
        (b"2 Kai", "chess", "There is no game"),
        (b"\xff\xfe\xff", "spycraft", "not UTF-8"),
        (b"2 Nobody At All", "spycraft", "Nobody At All"),
        (None, "spycraft", "No such file"),
    ],
)
def test_convert_deck_exits_with_2_if_nothing_could_be_read(tmp_path, capfdbinary, text, game, message):
    source = tmp_path / "deck.txt"
    if text is not None:
        source.write_bytes(text)
    status, out, err = convert(capfdbinary, str(source), "--game", game, "--to", "json")
    assert (status, out) == (2, b"")
    assert message in err


def test_convert_deck_says_where_it_could_not_write(tmp_path):
    source, target = tmp_path / "deck.txt", tmp_path / "none" / "deck.json"
    source.write_text("2 Kai")
    with pytest.raises(CommandError, match="No such file"):
        call_command("convert_deck", str(source), "--game", "spycraft", "--to", "json", "-o", str(target))


def test_convert_deck_reads_the_format_of_the_option_from(tmp_path, capfdbinary):
    source = tmp_path / "deck"
    source.write_text("1 KAI\n")
    asked = (str(source), "--game", "spycraft", "--to", "json", "--from")
    assert json.loads(convert(capfdbinary, *asked, "gccg")[1])["cards"][0]["name"] == "Kai"
    status, _, err = convert(capfdbinary, *asked, "mpc")
    assert status == 2 and "XML" in err


def test_convert_deck_reports_losses_of_reading(tmp_path, capfdbinary):
    source = tmp_path / "deck.cod"
    cards = '<zone name="main"><card number="1" name="Kai"/></zone>'
    source.write_text(f'<cockatrice_deck version="1"><bannerCard>x</bannerCard>{cards}</cockatrice_deck>')
    status, _, err = convert(capfdbinary, str(source), "--to", "text")
    assert (status, [json.loads(line)["code"] for line in err.splitlines()]) == (0, ["element_dropped"])

"""Archives, pictures of cards, and what may be asked of files besides the sheets: opened again and
measured.
"""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import IO
from zipfile import ZIP_STORED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Card
from printing.exports.card_pictures import (
    Member,
    card_pictures,
    each_once,
    file_options,
    plain_name,
    with_bleed,
)
from printing.exports.export import FIELDS, ExportOptions, read_export_options
from printing.exports.kinds import EXPORT_KINDS
from printing.faces.strokes import Drawing, Line, Rect, TextRun
from printing.faces.strokes import Path as Shape
from printing.job.job import Job
from printing.job.pieces import MissingCharacters
from printing.options.values import BadOption, read_options
from tests.support.exports import bytes_of, opened, picture, starter, zip_of
from tests.support.programs import run

HOSTILE = ("../../etc/passwd", "C:\\Windows\\win.ini", "con", "a/b", "…", "a\u202egnp.exe", "Kai", "kai!")
PIXEL = 25_400 / 300


# -- archives and names -------------------------------------------------------------


def test_an_archive_has_the_same_bytes_twice_and_no_dates() -> None:
    members = [Member("a.txt", b"one"), Member("cards/b.png", b"two" * 1000)]
    data = zip_of(members)
    assert data == zip_of(members)
    infos = ZipFile(io.BytesIO(data)).infolist()
    assert [(info.filename, info.date_time, info.compress_type) for info in infos] == [
        ("a.txt", (1980, 1, 1, 0, 0, 0), ZIP_STORED),
        ("cards/b.png", (1980, 1, 1, 0, 0, 0), ZIP_STORED),
    ]


def test_a_member_may_be_written_piece_by_piece_so_that_no_memory_holds_it() -> None:
    def pieces(file: IO[bytes]) -> None:
        for letter in (b"a", b"b"):
            file.write(letter * 1000)

    assert zip_of([Member("a.txt", pieces)]) == zip_of([Member("a.txt", b"a" * 1000 + b"b" * 1000)])


def test_sizes_stand_before_each_member_so_that_any_program_can_read_along(tmp_path: Path) -> None:
    data = zip_of([Member("a.txt", b"one")])
    # Bit 3 would say that size and checksum come later.
    assert not int.from_bytes(data[6:8], "little") & 8
    (tmp_path / "a.zip").write_bytes(data)
    run("unzip", "-t", str(tmp_path / "a.zip"))


@given(st.text(max_size=200))
def test_a_name_leads_nowhere_else(words: str) -> None:
    assert re.fullmatch("[a-z0-9][a-z0-9-]{0,59}", plain_name(words))


@given(st.lists(st.sampled_from(["a", "a-2", "b"]), max_size=8))
def test_no_name_stands_twice(names: list[str]) -> None:
    unique = each_once(names)
    assert len(set(unique)) == len(names)
    assert all(one.startswith(name) for one, name in zip(unique, names, strict=True))


def test_cards_with_hostile_names_stay_in_the_archive() -> None:
    game = games()["spycraft"]
    cards = [
        Card("spycraft", f"written-{number}", name, "agent", {}, written=True)
        for number, name in enumerate(HOSTILE)
    ]
    job = Job(
        game,
        tuple((card, 1) for card in cards if card.name != HOSTILE[5]),
        options=file_options(read_options({})),
    )
    names = opened(card_pictures(job, dpi=150)).namelist()
    assert all(re.fullmatch(r"README\.txt|[a-z0-9][a-z0-9-]*\.png", name) for name in names)
    assert {"01x-etc-passwd.png", "01x-kai.png", "01x-kai-2.png", "01x-card.png"} <= set(names)


# -- pictures of cards -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "dpi", "size"), [("png", 300, (744, 1039)), ("webp", 150, (372, 520)), ("jpeg", 150, (372, 520))]
)
def test_there_is_a_picture_for_each_different_card(kind: str, dpi: int, size: tuple[int, int]) -> None:
    job, _ = starter("spycraft")
    job = replace(job, entries=job.entries[:3])
    archive = opened(card_pictures(job, kind, dpi))
    suffix = "jpg" if kind == "jpeg" else kind
    counts = [f"{count:02d}x-{plain_name(card.name)}.{suffix}" for card, count in job.entries]
    assert archive.namelist() == ["README.txt", *counts, f"back.{suffix}"]
    for name in archive.namelist()[1:]:
        shown = picture(archive, name)
        assert (shown.format, shown.mode, shown.size) == (kind.upper(), "RGB", size)


@pytest.mark.parametrize("kind", ["png", "webp", "jpeg"])
def test_pictures_say_whose_the_game_is(kind: str) -> None:
    job, _ = starter("agentdecker")
    archive = opened(card_pictures(replace(job, entries=job.entries[:1]), kind, 150))
    assert "Manuel Correia" in archive.read("README.txt").decode()
    assert "CC BY-NC 4.0" in archive.read("README.txt").decode()
    assert all(b"Manuel Correia" in archive.read(name) for name in archive.namelist())


def test_cards_in_two_sections_are_one_picture_with_all_copies() -> None:
    game = games()["spycraft"]
    card = game.cards[0]
    job = Job(
        game, ((card, 2), (game.cards[1], 1), (card, 3)), options=file_options(read_options({"copies": "2"}))
    )
    assert opened(card_pictures(job, dpi=150)).namelist()[1] == f"10x-{plain_name(card.name)}.png"


def test_bleed_is_part_of_a_picture_where_it_is_asked_for() -> None:
    job, _ = starter("spycraft")
    job = replace(
        job,
        entries=job.entries[:1],
        options=EXPORT_KINDS["cards"].options(
            read_options({"bleed": "2"}), read_export_options({}), job.game
        ),
    )
    archive = opened(card_pictures(job))
    assert picture(archive, archive.namelist()[1]).size == (round(67_000 / PIXEL), round(92_000 / PIXEL))
    assert "2 mm of bleed" in archive.read("README.txt").decode()


@pytest.mark.parametrize(
    ("side", "names"), [("fronts", ["README.txt", "02x-x.png"]), ("backs", ["README.txt", "back.png"])]
)
def test_one_side_alone_is_to_be_had(side: str, names: list[str]) -> None:
    game = games()["spycraft"]
    job = Job(
        game, ((replace(game.cards[0], name="X"), 2),), options=file_options(read_options({"side": side}))
    )
    assert opened(card_pictures(job, dpi=150)).namelist() == names


def test_a_drawing_with_its_bleed_is_the_same_drawing_further_in() -> None:
    strokes = (
        Rect(-3, -3, 16, 26, "#000000"),
        Line(0, 1, 2, 3, 1, "#000000"),
        TextRun(1, 2, "a", "sans", 3, 4, "#000000"),
        Shape((("M", (1, 2)), ("C", (1, 2, 3, 4, 5, 6)), ("Z", ())), "#000000"),
    )
    moved = with_bleed(Drawing("X", 10, 20, strokes), 3)
    assert (moved.width, moved.height) == (16, 26)
    assert moved.strokes == (
        Rect(0, 0, 16, 26, "#000000"),
        Line(3, 4, 5, 6, 1, "#000000"),
        TextRun(4, 5, "a", "sans", 3, 4, "#000000"),
        Shape((("M", (4, 5)), ("C", (4, 5, 6, 7, 8, 9)), ("Z", ())), "#000000"),
    )


def test_a_character_without_a_letter_is_refused_before_the_first_byte() -> None:
    game = games()["spycraft"]
    job = Job(game, ((replace(game.cards[0], name="秘密"), 1),), options=file_options(read_options({})))
    with pytest.raises(MissingCharacters):
        EXPORT_KINDS["cards"](job, read_export_options({}))


# -- what may be asked for -----------------------------------------------------------------


def test_fields_have_the_defaults_that_are_declared() -> None:
    usual = read_export_options({})
    assert (usual.dpi, usual.image, usual.base_url, usual.radius) == ("300", "png", "", None)
    assert {field.name for field in FIELDS} == set(ExportOptions.__dataclass_fields__)
    assert all(
        set(output.fields) <= set(ExportOptions.__dataclass_fields__) for output in EXPORT_KINDS.values()
    )


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "https://",
        "https://a.org/?x=/",
        "//a.org/",
        "https://a.org/ b/",
        'https://a.org/"/',
        "x",
        "http://[/",
    ],
)
def test_an_address_that_no_picture_can_have_is_refused(address: str) -> None:
    with pytest.raises(BadOption, match="Address of the pictures must be"):
        read_export_options({"base_url": address})


@pytest.mark.parametrize("slug", sorted(EXPORT_KINDS))
def test_a_file_has_the_same_bytes_twice(slug: str) -> None:
    job, deck = starter("agentdecker")
    output, wanted = EXPORT_KINDS[slug], read_export_options({"dpi": "150"})
    job = replace(job, entries=job.entries[:3], options=output.options(read_options({}), wanted, job.game))
    lists = [(job, replace(deck, entries=deck.entries[:3]))]
    one, two = output(job, wanted, lists), output(job, wanted, lists)
    assert bytes_of(one) == bytes_of(two)
    assert (one.key, one.filename) == (two.key, f"agentdecker-{plain_name(job.title)}-{output.file}")
    assert output(job, replace(wanted, service="mpc", dpi="300"), lists).key != one.key

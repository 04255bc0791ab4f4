"""Archives of pictures of cards, opened again and measured."""

import io
import re
from dataclasses import replace
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
)
from printing.exports.export import read_export_options
from printing.exports.kinds import EXPORT_KINDS
from printing.job.job import Job
from printing.options.values import read_options
from tests.support.exports import opened, picture, starter, zip_of
from tests.support.programs import run

SPYCRAFT = games()["spycraft"]
HOSTILE = ("../../etc/passwd", "C:\\Windows\\win.ini", "con", "a/b", "…", "Kai", "kai!")


def job_of(*entries: tuple[Card, int], **words: str) -> Job:
    return Job(SPYCRAFT, entries, options=file_options(read_options(words)))


# -- archives and names -------------------------------------------------------------


MEMBERS = [Member("a.txt", b"a" * 1000 + b"b" * 1000), Member("cards/b.png", b"two" * 1000)]


def test_an_archive_has_the_same_bytes_each_time():
    def written_in_pieces(file: IO[bytes]) -> None:
        for letter in (b"a", b"b"):
            file.write(letter * 1000)

    assert zip_of(MEMBERS) == zip_of(MEMBERS) == zip_of([Member("a.txt", written_in_pieces), MEMBERS[1]])


def test_an_archive_states_no_date_and_is_read_by_other_programs(tmp_path):
    data = zip_of(MEMBERS)
    members = ZipFile(io.BytesIO(data)).infolist()
    assert [(info.filename, info.date_time, info.compress_type) for info in members] == [
        (member.name, (1980, 1, 1, 0, 0, 0), ZIP_STORED) for member in MEMBERS
    ]
    # Flag 3 would say that size and checksum follow the data, which some programs cannot read.
    assert not int.from_bytes(data[6:8], "little") & 8
    (tmp_path / "a.zip").write_bytes(data)
    run("unzip", "-t", str(tmp_path / "a.zip"))


@given(st.text(max_size=200))
def test_a_plain_name_contains_no_path(words):
    assert re.fullmatch("[a-z0-9][a-z0-9-]{0,59}", plain_name(words))


@given(st.lists(st.sampled_from(["a", "a-2", "b"]), max_size=8))
def test_numbers_make_every_name_unique(names):
    unique = each_once(names)
    assert len(set(unique)) == len(names)
    assert all(numbered.startswith(name) for numbered, name in zip(unique, names, strict=True))


def test_cards_with_hostile_names_stay_in_the_archive():
    cards = [
        Card("spycraft", f"written-{number}", name, "agent", {}, written=True)
        for number, name in enumerate(HOSTILE)
    ]
    names = opened(card_pictures(job_of(*((card, 1) for card in cards)), dpi=150)).namelist()
    assert all(re.fullmatch(r"README\.txt|[a-z0-9][a-z0-9-]*\.png", name) for name in names)
    assert {"01x-etc-passwd.png", "01x-kai.png", "01x-kai-2.png", "01x-card.png"} <= set(names)


# -- pictures of cards -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "dpi", "size"), [("png", 300, (744, 1039)), ("webp", 150, (372, 520)), ("jpeg", 150, (372, 520))]
)
def test_each_different_card_has_a_picture_with_the_credit(kind, dpi, size):
    job, _ = starter("agentdecker")
    job = replace(job, entries=job.entries[:2], options=file_options(read_options({"trim": "standard"})))
    archive, suffix = opened(card_pictures(job, kind, dpi)), "jpg" if kind == "jpeg" else kind
    fronts = [f"{count:02d}x-{plain_name(card.name)}.{suffix}" for card, count in job.entries]
    # The backs follow the fronts.
    assert archive.namelist()[:4] == ["README.txt", *fronts, f"back.{suffix}"]
    for name in archive.namelist()[1:]:
        shown = picture(archive, name)
        assert (shown.format, shown.mode, shown.size) == (kind.upper(), "RGB", size)
    assert all(b"Manuel Correia" in archive.read(name) for name in archive.namelist())
    assert b"CC BY-NC 4.0" in archive.read("README.txt")


def test_cards_in_two_sections_are_one_picture_with_all_copies():
    card, other = SPYCRAFT.cards[:2]
    job = job_of((card, 2), (other, 1), (card, 3), copies="2")
    assert opened(card_pictures(job, dpi=150)).namelist()[1] == f"10x-{plain_name(card.name)}.png"


def test_pictures_include_the_bleed_that_is_asked_for():
    options = EXPORT_KINDS["cards"].options(read_options({"bleed": "2"}), read_export_options({}), SPYCRAFT)
    archive = opened(
        card_pictures(replace(job_of((SPYCRAFT.cards[0], 1)), options=options, about=("of Leaders",)))
    )
    # 67 x 92 mm at 300 pixels per inch.
    assert picture(archive, archive.namelist()[1]).size == (791, 1087)
    readme = archive.read("README.txt")
    assert b"2 mm of bleed" in readme and b"1 card of Leaders" in readme


@pytest.mark.parametrize(("side", "name"), [("fronts", "02x-x.png"), ("backs", "back.png")])
def test_one_side_may_be_left_out(side, name):
    job = job_of((replace(SPYCRAFT.cards[0], name="X"), 2), side=side)
    assert opened(card_pictures(job, dpi=150)).namelist() == ["README.txt", name]

"""What the print page says of a file before it is made is true of the file that is made: of the games by
whose sheets it was measured.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from printing.exports.parts import Estimate, amount, estimate
from printing.job.job import Job
from printing.request.lists import pasted_list
from tests.support.game_folders import own_games
from tests.support.pictures import coded, painted, picture_folder, store_picture
from tests.support.print_lists import job_for
from tests.support.rendering import ink, picture_job
from tests.support.sheets import make_sheets

__all__ = ["picture_folder"]

STYLES = ("light", "full", "saver", "outline")
OTHERWISE = {
    "light": {"backs": "long"},
    "full": {"backs": "gutterfold", "trim": "mini"},
    "saver": {"ruled": "yes", "backs": "separate"},
    "outline": {"extras": "tokens,reference,register"},
}


def job_of(slug: str, **options: str) -> Job:
    starter = max(games()[slug].starters, key=lambda one: len(one.text))
    return job_for(
        pasted_list(slug, starter.text), {"paper": "a4", **options}, None, "https://cutout.example"
    )


@pytest.mark.engine("sqlite")
@pytest.mark.django_db
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", own_games())
def test_the_size_is_that_of_the_file(slug: str, style: str) -> None:
    for options in ({}, OTHERWISE[style]):
        job = job_of(slug, style=style, **options)
        made = len(make_sheets(job).data)
        assert 0.7 <= estimate(job).size / made <= 1.4, (options, estimate(job).size, made)


@pytest.mark.engine("sqlite")
@pytest.mark.django_db
@pytest.mark.parametrize("backs", ["none", "long"])
@pytest.mark.parametrize("slug", own_games())
def test_the_ink_is_that_of_the_sheets(slug: str, backs: str) -> None:
    """The measure of the ink saver's own test, on eighteen cards of a deck."""
    jobs = {style: job_of(slug, style=style, backs=backs) for style in STYLES}
    taken = {
        style: sum(ink(make_sheets(replace(job, entries=job.entries[:18])).data, 6))
        for style, job in jobs.items()
    }
    for style, job in jobs.items():
        true = taken[style] / taken["full"]
        assert 0.6 <= estimate(job).ink / true <= 1.6, (style, estimate(job).ink, true)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_own_pictures_weigh_what_they_are_stored_with_and_once(picture_folder: object, kind: str) -> None:
    refs = [store_picture(coded(painted(size=(800 + number, 1_100)), kind)) for number in range(3)]
    job = picture_job(*refs, count=4)
    assert 0.8 <= estimate(job).size / len(make_sheets(job).data) <= 1.25
    assert estimate(job).ink_words.endswith("besides your own pictures")


@pytest.mark.parametrize(
    ("size", "words"), [(184_321, "200 kB"), (999_000, "1 MB"), (2_449_000, "2 MB"), (31_900_000, "30 MB")]
)
def test_one_figure_is_said_of_a_size_that_is_reckoned(size: int, words: str) -> None:
    assert Estimate(size, 1, "full").size_words.replace("\N{NO-BREAK SPACE}", " ") == words


def test_two_figures_are_said_and_no_more() -> None:
    assert [
        amount(size).replace("\N{NO-BREAK SPACE}", " ")
        for size in (0, 4_000, 184_321, 999_000, 2_449_000, 31_900_000)
    ] == [
        "10 kB",
        "10 kB",
        "180 kB",
        "1000 kB",
        "2.4 MB",
        "32 MB",
    ]
    assert (
        Estimate(1, 0.44, "light").ink_words.replace("\N{NO-BREAK SPACE}", " ")
        == "light (about 45 % of full)"
    )
    assert (
        Estimate(1, 0.01, "saver").ink_words.replace("\N{NO-BREAK SPACE}", " ")
        == "very light (about 5 % of full)"
    )
    assert Estimate(1, 1, "full").ink_words == "full"

"""Progress is told in whole pages, each once, and moves while cards are drawn as well as while pages are
made.
"""

from __future__ import annotations

from io import BytesIO
from types import SimpleNamespace
from typing import cast

import pytest

from cardsdb.games import games
from printing.job.job import Job
from printing.options.values import read_options
from printing.render.files import PrintProgress, write_sheets


@pytest.mark.parametrize("pictures", [False, True])
@pytest.mark.parametrize(("pages", "cards"), [(1, 1), (7, 3), (426, 479), (5, 100)])
def test_every_page_is_told_once_whatever_the_numbers(pages: int, cards: int, pictures: bool) -> None:
    told = list[int]()
    progress = PrintProgress(
        told.append, cast(Job, SimpleNamespace(pages=pages, distinct=range(cards))), pictures
    )
    for card in range(1, cards + 1):
        progress.card(card)
    assert told == ([] if pictures else list(range(1, pages // 2 + 1)))
    for page in range(1, pages + 1):
        progress.page(page)
    assert told == list(range(1, pages + 1))


@pytest.mark.parametrize("backs", ["none", "long", "separate"])
def test_a_print_tells_all_its_pages_and_begins_before_the_first_is_drawn(backs: str) -> None:
    cards = tuple((card, 3) for card in games()["spycraft"].cards[:12])
    job, told, out = (
        Job(games()["spycraft"], cards, options=read_options({"backs": backs})),
        list[int](),
        BytesIO(),
    )
    write_sheets(job, out, told.append)
    assert told == list(range(1, job.pages + 1))


def test_a_print_that_is_stopped_while_its_cards_are_drawn_writes_nothing() -> None:
    class Stopped(Exception):
        pass

    def stop(page: int) -> None:
        raise Stopped

    cards = tuple((card, 9) for card in games()["spycraft"].cards[:12])
    out = BytesIO()
    with pytest.raises(Stopped):
        write_sheets(Job(games()["spycraft"], cards, options=read_options({})), out, stop)
    assert out.getvalue() == b""

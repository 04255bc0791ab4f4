"""``manage.py load_cards`` brings the database up to date with the folders, and reports the changes."""

import pytest

from cardsdb.games import games
from cardsdb.models import Card
from tests.support.commands import run

pytestmark = pytest.mark.django_db


def test_cards_get_the_prints_of_their_folder_and_those_that_left_it_are_retired():
    kai = Card.objects.get(game="spycraft", code="kai")
    kai.prints.create(set_code="OLD", number="1")
    Card.objects.filter(pk=kai.pk).update(digest="", retired=True)
    names = {"name": "Stray", "name_folded": "stray", "sort_name": "stray"}
    stray = Card.objects.create(game="spycraft", code="stray", type="agent", **names)
    assert "(0 added, 1 changed, 1 retired)" in run("load_cards").out
    known = games()["spycraft"].card("kai")
    assert known is not None
    assert [(row.set_code, row.number) for row in kai.prints.all()] == [
        (print_.set, print_.number) for print_ in known.prints
    ]
    kai.refresh_from_db()
    stray.refresh_from_db()
    assert stray.retired and not kai.retired

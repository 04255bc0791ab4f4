"""``manage.py load_cards`` brings the database up to date with the folders, and reports the changes."""

import pytest

from cardsdb.games import games
from cardsdb.models import Card
from tests.support.commands import run

pytestmark = pytest.mark.django_db


def test_a_changed_card_gets_the_prints_of_its_folder_and_loses_older_ones():
    kai = Card.objects.get(game="spycraft", code="kai")
    kai.prints.create(set_code="OLD", number="1")
    Card.objects.filter(pk=kai.pk).update(digest="")
    assert "(0 added, 1 changed, 0 retired)" in run("load_cards").out
    known = games()["spycraft"].card("kai")
    assert known is not None
    assert [(row.set_code, row.number) for row in kai.prints.all()] == [
        (print_.set, print_.number) for print_ in known.prints
    ]


def test_a_card_that_left_its_folder_is_retired_and_a_returned_one_is_current():
    Card.objects.create(
        game="spycraft", code="stray", name="Stray", name_folded="stray", sort_name="stray", type="agent"
    )
    Card.objects.filter(code="kai").update(retired=True)
    assert "(0 added, 1 changed, 1 retired)" in run("load_cards").out
    assert Card.objects.get(code="stray").retired and not Card.objects.get(code="kai").retired

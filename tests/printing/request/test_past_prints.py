"""Prints that were made are remembered for who made them, with the cards that their decks had; what a deck had added
since is told, and printed alone.
"""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from cardsdb.identity.viewer import Viewer
from decks.models import Deck, Visibility
from printing.models import PastPrint
from printing.request import past_prints
from printing.request.past_prints import Added, added_since, address_of, last_print, remember_print
from printing.request.print_request import PrintFields, PrintRequest
from tests.support.saved_decks import save_list

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
LIST = "2 Kai\n1 Li"
ANN = Viewer(browser="ann's browser")


@pytest.fixture
def deck() -> Deck:
    made = save_list("spycraft", LIST, name="Dragons")
    Deck.objects.filter(pk=made.pk).update(visibility=Visibility.PUBLIC)
    return made


def edited(deck: Deck, text: str) -> Deck:
    return deck


def asked(viewer: Viewer = ANN, **fields: str) -> PrintRequest:
    data = QueryDict(mutable=True)
    data.update(fields)
    return PrintRequest.parse(PrintFields(data, False, viewer))

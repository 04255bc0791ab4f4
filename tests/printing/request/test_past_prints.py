"""Prints that were made are remembered for who made them, with the cards that their decks had; what a deck
had added since is told, and printed alone.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils import timezone

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from decks.core.judging import judge_text
from decks.models import Deck, Visibility, new_deck
from printing.models import PastPrint
from printing.request.past_prints import MAX_PRINTS, Added, added_since, last_print, remember_print
from printing.request.print_request import PrintFields, PrintRequest
from tests.support.saved_decks import save_list

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ANN, BEN = Viewer(browser="ann's browser"), Viewer(browser="ben's browser")
SETTINGS = {"paper": "letter", "marks": "none"}


def made(text: str = "2 Kai\n1 Li", name: str = "Dragons") -> Deck:
    deck, _ = new_deck()
    save_list(deck, judge_text(games()["spycraft"], text), name=name, visibility=Visibility.PUBLIC)
    return Deck.objects.get(pk=deck.pk)


def changed(deck: Deck, text: str) -> Deck:
    save_list(deck, judge_text(games()["spycraft"], text), name=deck.name)
    return Deck.objects.get(pk=deck.pk)


def asked(address: str, viewer: Viewer = ANN) -> PrintRequest:
    return PrintRequest.parse(PrintFields(QueryDict(address), False, viewer))


def printed(deck: Deck, viewer: Viewer = ANN, /, **options: str) -> PastPrint:
    """The deck printed with these options, and the print as it is remembered. A day lies between two
    prints.
    """
    PastPrint.objects.update(made=timezone.now() - timedelta(days=1))
    data = QueryDict(mutable=True)
    data.update({"deck": deck.link, **SETTINGS, **options})
    request = PrintRequest.parse(PrintFields(data, False, viewer))
    assert request.refusal is None, request.refusal and request.refusal.faults
    remember_print(viewer, request, "Dragons", "3 cards, 1 sheet")
    return PastPrint.objects.of(viewer)[0]


def added(deck: Deck, viewer: Viewer = ANN) -> Added | None:
    past = last_print(PastPrint.objects.of(viewer), deck)
    return added_since(past, deck, deck.decklist().entries)


def counts(request: PrintRequest) -> dict[str, int]:
    """The copies of each card that a request prints."""
    assert request.refusal is None, request.refusal and request.refusal.faults
    return {entry.card.name: entry.count for one in request.selections for entry in one.entries}


def refusal(request: PrintRequest) -> str:
    assert request.refusal
    return request.refusal.faults[0].message


def test_a_print_is_remembered_with_its_cards_settings_and_day():
    deck = made()
    assert added(deck) is None
    past = printed(deck)
    assert (past.title, past.extent, past.made.date()) == (
        "Dragons",
        "3 cards, 1 sheet",
        timezone.now().date(),
    )
    assert QueryDict(past.address).dict() == {"deck": deck.link, **SETTINGS}
    li = next(entry.card.code for entry in deck.decklist() if entry.count == 1)
    assert past.cards == {str(deck.pk): {"kai": 2, li: 1}}
    assert added(deck) is None


def test_what_was_added_since_is_told_and_printed_alone_with_the_same_settings():
    deck = made()
    past = printed(deck)
    deck = changed(deck, "4 Kai\n3 Termite")
    new = added(deck)
    assert new and (new.past, new.number, new.names) == (past, 5, "2 × Kai and 3 × Termite")
    assert QueryDict(new.address).dict() == {"deck": deck.link, "since": f"print {past.pk}", **SETTINGS}
    request = asked(new.address)
    assert counts(request) == {"Kai": 2, "Termite": 3}
    assert "added since the print of" in request.selections[0].words[0]


def test_once_it_is_printed_it_is_not_added_any_more_and_its_address_prints_it_again():
    deck = made()
    first = printed(deck)
    deck = changed(deck, "4 Kai\n1 Li")
    new = added(deck)
    printed(deck, since=f"print {first.pk}")
    assert new and added(deck) is None and counts(asked(new.address)) == {"Kai": 2}
    again = added(changed(deck, "5 Kai\n1 Li"))
    assert again and (again.number, counts(asked(again.address))) == (1, {"Kai": 1})


def test_what_was_not_chosen_of_the_added_stays_added_and_what_was_left_out_of_the_first_print_is_not():
    deck = made()
    printed(deck, counts="Li=0")
    assert added(deck) is None
    deck = changed(deck, "4 Kai\n1 Li\n3 Termite")
    printed(deck, counts="Kai=0,Li=0")
    new = added(deck)
    assert new and new.names == "2 × Kai"


def test_choices_of_cards_places_and_parts_do_not_hold_for_added_cards_but_owned_ones_are_left_out():
    deck = made()
    printed(deck, counts="Kai=1", only="deck, leaders", skip="1", missing="yes", one_each="yes")
    new = added(changed(deck, "4 Kai\n1 Li"))
    assert new and set(QueryDict(new.address)) == {"deck", "since", "missing", *SETTINGS}


def test_decks_that_were_printed_together_have_that_print_each():
    one, two = made(), made("3 Termite", "Others")
    printed(one, deck=f"{one.link},{two.link}")
    two = changed(two, "4 Termite")
    new = added(two)
    assert added(one) is None and new and counts(asked(new.address)) == {"Termite": 1}


def test_no_print_of_somebody_else_says_what_was_added():
    deck = made()
    past = printed(deck)
    deck = changed(deck, "4 Kai")
    assert added(deck, BEN) is None
    for viewer in (BEN, Viewer(), Viewer(User.objects.create_user("cy").pk, browser=ANN.browser)):
        assert "is in no print of yours" in refusal(asked(f"deck={deck.link}&since=print+{past.pk}", viewer))


def test_what_was_in_no_print_of_theirs_is_refused_in_words():
    past, other = printed(made()), made("1 Li", "Others")
    for asking in (
        f"deck={other.link}&since=print+{past.pk}",
        f"card=spycraft/kai&since=print+{past.pk}",
        f"deck={other.link}&since=print+999999999999999999",
    ):
        assert "is in no print of yours" in refusal(asked(asking))
    assert refusal(asked(f"deck={other.link}&since=print+{'9' * 30}"))


def test_where_nothing_was_added_since_the_print_says_so():
    deck = made()
    past = printed(deck)
    request = asked(f"deck={deck.link}&since=print+{past.pk}")
    assert counts(request) == {}
    assert request.selections[0].empty.startswith("No card was added to “Dragons” since the print of")


def test_the_number_of_prints_is_bounded_and_the_oldest_goes():
    deck, before = made(), timezone.now() - timedelta(days=9)
    PastPrint.objects.bulk_create(
        PastPrint(
            browser=viewer.browser, address=f"{number}", cards={}, made=before + timedelta(hours=number)
        )
        for viewer in (ANN, BEN)
        for number in range(MAX_PRINTS)
    )
    last = printed(deck)
    mine, theirs = (list(PastPrint.objects.of(viewer)) for viewer in (ANN, BEN))
    assert len(mine) == len(theirs) == MAX_PRINTS and mine[0] == last
    assert "0" not in {one.address for one in mine}


def test_a_pasted_list_is_not_remembered():
    data = QueryDict("game=spycraft&text=2+Kai")
    remember_print(ANN, PrintRequest.parse(PrintFields(data, True, ANN)), "Pasted", "2 cards")
    assert not PastPrint.objects.exists()


def test_the_same_print_made_again_is_one_and_so_are_the_parts_of_a_big_one():
    deck = made()
    printed(deck)
    deck = changed(deck, "4 Kai")
    past = printed(deck)
    assert list(PastPrint.objects.all()) == [past] and added(deck) is None
    for part in "12":
        printed(deck, part=part)
    assert list(PastPrint.objects.all()) == [past] and "part" not in QueryDict(past.address)
    printed(deck, marks="edges")
    assert PastPrint.objects.count() == 2


def test_single_cards_beside_a_deck_are_printed_again_and_counted_for_no_deck():
    deck = made()
    remember_print(ANN, asked(f"deck={deck.link}&card=spycraft/termite"), "Dragons", "4 cards")
    past = PastPrint.objects.get()
    assert list(past.cards) == [str(deck.pk)] and "card=spycraft/termite" in past.address

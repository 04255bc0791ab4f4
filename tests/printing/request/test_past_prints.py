"""Past prints: each is remembered for its viewer with the cards of its decks, and the cards added to a deck
since then are counted and printed alone.
"""

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


def public_deck(text: str = "2 Kai\n1 Li", name: str = "Dragons") -> Deck:
    """A new public deck with this list."""
    deck, _ = new_deck()
    save_list(deck, judge_text(games()["spycraft"], text), name=name, visibility=Visibility.PUBLIC)
    return Deck.objects.get(pk=deck.pk)


def changed(deck: Deck, text: str) -> Deck:
    """The deck after this list was saved to it."""
    save_list(deck, judge_text(games()["spycraft"], text), name=deck.name)
    return Deck.objects.get(pk=deck.pk)


def request_for(address: str, viewer: Viewer = ANN) -> PrintRequest:
    return PrintRequest.parse(PrintFields(QueryDict(address), pasted=False, viewer=viewer))


def printed(deck: Deck, viewer: Viewer = ANN, /, **options: str) -> PastPrint:
    """Print the deck with these options, a day after all prints before it, and return the past print."""
    PastPrint.objects.update(made=timezone.now() - timedelta(days=1))
    data = QueryDict(mutable=True)
    data.update({"deck": deck.link, **SETTINGS, **options})
    request = PrintRequest.parse(PrintFields(data, pasted=False, viewer=viewer))
    assert request.refusal is None, request.refusal and request.refusal.faults
    remember_print(viewer, request, "Dragons", "3 cards, 1 sheet")
    return PastPrint.objects.of(viewer)[0]


def added(deck: Deck, viewer: Viewer = ANN) -> Added | None:
    past = last_print(PastPrint.objects.of(viewer), deck)
    return added_since(past, deck, deck.decklist().entries)


def counts(request: PrintRequest) -> dict[str, int]:
    """The copies of each card that a request prints."""
    assert request.refusal is None, request.refusal and request.refusal.faults
    return {entry.card.name: entry.count for chosen in request.selections for entry in chosen.entries}


def refusal(request: PrintRequest) -> str:
    """The message of the request's first fault."""
    assert request.refusal
    return request.refusal.faults[0].message


def test_a_past_print_has_its_title_extent_day_settings_and_cards():
    deck = public_deck()
    assert added(deck) is None
    past = printed(deck)
    assert (past.title, past.extent) == ("Dragons", "3 cards, 1 sheet")
    assert past.made.date() == timezone.now().date()
    assert QueryDict(past.address).dict() == {"deck": deck.link, **SETTINGS}
    li = next(entry.card.code for entry in deck.decklist() if entry.count == 1)
    assert past.cards == {str(deck.pk): {"kai": 2, li: 1}}
    assert added(deck) is None


def test_added_cards_are_printed_alone_with_the_same_settings():
    deck = public_deck()
    past = printed(deck)
    deck = changed(deck, "4 Kai\n3 Termite")
    new = added(deck)
    assert new and (new.past, new.number, new.names) == (past, 5, "2 × Kai and 3 × Termite")
    assert QueryDict(new.address).dict() == {"deck": deck.link, "since": f"print {past.pk}", **SETTINGS}
    request = request_for(new.address)
    assert counts(request) == {"Kai": 2, "Termite": 3}
    assert "added since the print of" in request.selections[0].words[0]


def test_printed_additions_are_settled_and_their_address_still_prints_them():
    deck = public_deck()
    first = printed(deck)
    deck = changed(deck, "4 Kai\n1 Li")
    new = added(deck)
    printed(deck, since=f"print {first.pk}")
    assert new and added(deck) is None and counts(request_for(new.address)) == {"Kai": 2}
    again = added(changed(deck, "5 Kai\n1 Li"))
    assert again and (again.number, counts(request_for(again.address))) == (1, {"Kai": 1})


def test_cards_left_out_of_the_first_print_are_settled():
    deck = public_deck()
    printed(deck, counts="Li=0")
    assert added(deck) is None


def test_added_cards_that_a_narrowed_print_left_out_stay_added():
    deck = public_deck()
    printed(deck)
    deck = changed(deck, "4 Kai\n1 Li\n3 Termite")
    printed(deck, counts="Kai=0,Li=0")
    new = added(deck)
    assert new and new.names == "2 × Kai"


def test_added_cards_are_printed_without_other_choices_of_cards():
    deck = public_deck()
    printed(deck, counts="Kai=1", only="deck, leaders", skip="1", missing="yes", one_each="yes")
    new = added(changed(deck, "4 Kai\n1 Li"))
    assert new and set(QueryDict(new.address)) == {"deck", "since", "missing", *SETTINGS}


def test_a_print_of_two_decks_counts_for_each_of_them():
    dragons, others = public_deck(), public_deck("3 Termite", "Others")
    printed(dragons, deck=f"{dragons.link},{others.link}")
    others = changed(others, "4 Termite")
    new = added(others)
    assert added(dragons) is None and new and counts(request_for(new.address)) == {"Termite": 1}


def test_a_past_print_of_another_viewer_is_not_used():
    deck = public_deck()
    past = printed(deck)
    deck = changed(deck, "4 Kai")
    assert added(deck, BEN) is None
    for viewer in (BEN, Viewer(), Viewer(User.objects.create_user("cy").pk, browser=ANN.browser)):
        assert "is in no print of yours" in refusal(
            request_for(f"deck={deck.link}&since=print+{past.pk}", viewer)
        )


def test_lists_that_were_not_in_the_past_print_are_refused_with_that_reason():
    past, other = printed(public_deck()), public_deck("1 Li", "Others")
    for address in (
        f"deck={other.link}&since=print+{past.pk}",
        f"card=spycraft/kai&since=print+{past.pk}",
        f"deck={other.link}&since=print+999999999999999999",
    ):
        assert "is in no print of yours" in refusal(request_for(address))
    # A number too large for the database is no number of a print.
    assert refusal(request_for(f"deck={other.link}&since=print+{'9' * 30}"))


def test_a_print_of_added_cards_without_any_has_that_reason():
    deck = public_deck()
    past = printed(deck)
    request = request_for(f"deck={deck.link}&since=print+{past.pk}")
    assert counts(request) == {}
    assert request.selections[0].empty.startswith("No card was added to “Dragons” since the print of")


def test_a_print_beyond_the_limit_replaces_the_oldest_of_the_same_viewer():
    deck, before = public_deck(), timezone.now() - timedelta(days=9)
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
    assert "0" not in {past.address for past in mine}


def test_a_print_of_a_pasted_list_is_not_remembered():
    data = QueryDict("game=spycraft&text=2+Kai")
    fields = PrintFields(data, pasted=True, viewer=ANN)
    remember_print(ANN, PrintRequest.parse(fields), "Pasted", "2 cards")
    assert not PastPrint.objects.exists()


def test_the_same_print_made_again_updates_its_row():
    deck = public_deck()
    printed(deck)
    deck = changed(deck, "4 Kai")
    past = printed(deck)
    assert list(PastPrint.objects.all()) == [past] and added(deck) is None
    # A print in several files is the same print.
    printed(deck, part="1")
    assert list(PastPrint.objects.all()) == [past] and "part" not in QueryDict(past.address)
    printed(deck, marks="edges")
    assert PastPrint.objects.count() == 2


def test_single_cards_beside_a_deck_count_for_no_deck():
    deck = public_deck()
    remember_print(ANN, request_for(f"deck={deck.link}&card=spycraft/termite"), "Dragons", "4 cards")
    past = PastPrint.objects.get()
    assert list(past.cards) == [str(deck.pk)] and "card=spycraft/termite" in past.address

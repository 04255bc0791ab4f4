"""The limits of a deck: it is never too large to be sent back as text, whichever way it was stored."""

from bisect import bisect_left
from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Marks
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.identity.viewer import Viewer
from decks.core.content import MAX_LENGTHS, DeckContent, refuse_beyond_limits
from decks.models import Deck, DeckRevision
from decks.saving.save import save_edit
from tests.support.made_decks import make_deck
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

GAME = games()["spycraft"]
CARDS = [card for card in GAME.cards if GAME.type_named(card.type).in_decks]
# The largest marks of one line: a note of 300 characters, and 20 tags of 40.
MARKS = Marks("n" * 300, tuple(f"{n:02d}" + "t" * 38 for n in range(20)))


def marked(cards: int, marks: Marks = MARKS) -> Decklist:
    """A deck of this number of cards, each with the largest marks."""
    return Decklist(tuple(Entry(card, 1, "deck", marks) for card in CARDS[:cards]), {}, "Big")


@pytest.fixture
def user():
    return User.objects.create_user("big")


@pytest.fixture
def deck(client, user):
    client.force_login(user)
    return make_deck(client, "2 Kai", name="Big")


def test_a_change_that_makes_a_deck_too_large_is_refused_and_nothing_is_stored(deck, user):
    with pytest.raises(Refused, match="Shorten notes") as refused:
        save_edit(deck.link, Viewer(user.pk), lambda content: replace(content, deck=marked(400)))
    assert refused.value.faults[0].code == "too_large"
    stored = Deck.objects.get(pk=deck.pk)
    assert (stored.revision, stored.lines.count(), DeckRevision.objects.of(deck.pk).count()) == (0, 1, 1)


def test_a_stored_deck_beyond_the_limits_cannot_be_forked(client, deck):
    deck.lines.update(note="n" * 400)
    answer = page_of(client.post(f"/decks/{deck.link}/fork/", follow=True))
    assert "may have 300 characters" in answer.text
    assert client.post(f"/api/v1/decks/{deck.link}/fork/").status_code == 400
    assert Deck.objects.count() == 1


def test_the_largest_deck_can_be_saved_again_from_its_text_and_over_the_api(client, deck, user):
    # The largest number of marked cards that fits. Decks of fewer fit too, so halving finds it.
    most = bisect_left(range(len(CARDS)), True, key=lambda cards: not fits(marked(cards + 1)))
    assert fits(marked(most))
    assert not fits(marked(most + 1))
    save_edit(deck.link, Viewer(user.pk), lambda content: replace(content, deck=marked(most)))
    form = client.get(f"/decks/{deck.link}/edit/text/").context["form"].initial
    # As browsers send it.
    text = form["text"].replace("\n", "\r\n")
    assert MAX_BYTES * 3 // 4 < len(text) <= MAX_BYTES
    answer = client.post(f"/decks/{deck.link}/edit/text/", {**form, "text": text, "notes": "More."})
    assert answer.status_code == 302
    address = f"/api/v1/decks/{deck.link}/"
    body = {"game": "spycraft", "name": "Big", "text": client.get(address).json()["text"]}
    answer = client.put(address, body, content_type="application/json")
    assert answer.status_code == 200


def fits(deck: Decklist) -> bool:
    """True if the deck is within all limits."""
    try:
        refuse_beyond_limits(GAME, DeckContent(deck, GAME.formats[0].slug))
    except Refused:
        return False
    return True


def test_a_deck_of_a_thousand_cards_without_marks_fits():
    entries = tuple(Entry(card, 99, section.slug) for section in GAME.sections for card in CARDS)[:1_000]
    assert len(entries) == 1_000
    assert fits(Decklist(entries, {}, "All"))


@pytest.mark.parametrize("field", ["name", "notes"])
def test_the_limits_of_the_content_are_those_of_the_columns(field):
    column = Deck._meta.get_field(field)
    assert column.max_length == MAX_LENGTHS[field]

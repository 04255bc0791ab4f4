"""Own texts of cards, through their pages (``printing.web.own_views``) down to ``cardsdb.box.texts``. Their
privacy is tested in tests/printing/web/test_own_privacy.py, and their print in test_assembly.py.
"""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.box.texts import claim_texts, clean_text, save_text, texts_of, with_text
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit.model.cards import MAX_TEXT
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.models import OwnBox, OwnText
from printing.faces.compose import compose, has_notes
from printing.request.printed_texts import points_of
from tests.support.drawings import words_of
from tests.support.pages import page, page_of

SPYCRAFT = games()["spycraft"]
KAI = next(card for card in SPYCRAFT.cards if card.type == "agent")
ADDRESS = f"/print/texts/spycraft/{KAI.code}/"
WORDS = "It counts double on Tuesdays."

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def drawn(card: object) -> str:
    """All words on the drawn face of a card."""
    return words_of(compose(card, SPYCRAFT, SPYCRAFT.trim))


def test_a_card_with_an_own_text_does_not_name_it_our_summary():
    card = SPYCRAFT.card("acrobatic-escape")
    assert card
    assert "summary" in drawn(card)
    assert "summary" not in drawn(with_text(card, {card.code: f"{WORDS}\n{WORDS}"}))


def test_the_list_of_texts_takes_as_many_queries_for_many_cards_as_for_one(client):
    counts = []
    for cards in (SPYCRAFT.cards[:1], SPYCRAFT.cards[1:20]):
        for card in cards:
            client.post(reverse("card_text", args=["spycraft", card.code]), {"text": WORDS})
        with CaptureQueriesContext(connection) as queries:
            answer = client.get("/print/texts/")
        counts.append(len(queries))
        assert cards[0].name in page_of(answer).text
    assert counts[0] == counts[1]


def test_a_text_is_shown_to_its_author_alone_until_it_is_emptied(client):
    client.post(ADDRESS, {"text": WORDS})
    assert page(client, ADDRESS).field("text").value == WORDS
    own = texts_of(Viewer(browser=OwnBox.objects.get().browser or ""), SPYCRAFT)
    assert own == {KAI.code: WORDS}
    assert "Tuesdays" in drawn(with_text(KAI, own)) and "Tuesdays" not in drawn(KAI)
    for stranger in (Viewer(browser="somebody else's"), Viewer()):
        assert texts_of(stranger, SPYCRAFT) == {}
    client.post(ADDRESS, {"text": "  \r\n "})
    assert not OwnText.objects.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * (MAX_TEXT + 1), "are the most"),
        ("one\ntwo \N{SLEUTH OR SPY}", "Line 2: U+1F575"),
        ("a\x02b", "Line 1: U+0002"),
    ],
)
def test_a_text_that_cannot_be_printed_is_refused_and_stays_in_the_form(client, text, message):
    client.post(ADDRESS, {"text": WORDS})
    shown = page_of(client.post(ADDRESS, {"text": text}), status=400)
    assert message in shown.text
    # HTML cannot contain U+0002, so only the beginning is compared.
    assert (shown.field("text").value or "").startswith(text[:1])
    assert OwnText.objects.get().text == WORDS


@pytest.mark.both_databases
def test_markup_in_a_text_is_shown_as_words(client):
    words = "</textarea><script>alert(1)</script>"
    client.post(ADDRESS, {"text": words})
    assert page(client, ADDRESS).field("text").value == words
    for address in (ADDRESS, "/print/texts/"):
        scripts = page(client, address).all("script")
        sources = [script.get("src") for script in scripts]
        assert not [source for source in sources if source is None or "alert" in source]


@pytest.mark.both_databases
def test_an_account_takes_over_the_texts_of_a_browser_but_keeps_its_own():
    user = User.objects.create_user("reader")
    visitor = Viewer(user.pk, browser=hashed("token"))
    other = SPYCRAFT.cards[-1]
    save_text(visitor, SPYCRAFT, KAI.code, "the account's")
    for code in (KAI.code, other.code):
        save_text(Viewer(browser=visitor.browser), SPYCRAFT, code, "the browser's")
    assert claim_texts(visitor) == 1
    assert texts_of(visitor, SPYCRAFT) == {KAI.code: "the account's", other.code: "the browser's"}


def test_the_page_of_a_card_without_room_for_a_text_says_so(client):
    cards = ((game, card) for game in games().values() for card in game.cards)
    game, card = next((game, card) for game, card in cards if not has_notes(game, card.type))
    address = reverse("card_text", args=[game.slug, card.code])
    assert "no room for a text" in page(client, address).text


@settings(max_examples=40)
@given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Co", "Cn", "Cs"]), max_size=300))
def test_cleaning_a_text_twice_changes_nothing_more_and_keeps_all_words(text):
    try:
        clean = clean_text(text)
    except Refused:
        return
    assert clean_text(clean) == clean
    assert clean.split() == text.split()


def test_the_page_of_a_text_warns_if_it_prints_too_small_to_read(client):
    for text, is_small in ((f"{WORDS} " * 65, True), (WORDS, False)):
        client.post(ADDRESS, {"text": text})
        points = points_of(with_text(KAI, {KAI.code: text.strip()}), SPYCRAFT, SPYCRAFT.trim)
        warning = f"Your text is set in {points:g} pt, which is hard to read"
        assert (warning in page(client, ADDRESS).text) is is_small

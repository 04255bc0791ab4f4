"""People's own text for cards on its pages, from printing.web.own_views to cardsdb.box.texts. That nobody
else sees it is tried in tests/printing/web/test_own_privacy.py, what of it is printed in test_assembly.py.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.box.texts import claim_texts, clean_text, save_text, texts_of, with_text
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit.model.cards import MAX_TEXT
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.models import OwnBox, OwnText
from printing.faces.compose import compose, has_notes
from printing.faces.strokes import TextRun
from printing.request.assembly import points_of
from tests.support.pages import page, page_of

SPYCRAFT = games()["spycraft"]
KAI = next(card for card in SPYCRAFT.cards if card.type == "agent")
ADDRESS = f"/print/texts/spycraft/{KAI.code}/"
WORDS = "It counts double on Tuesdays."

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def drawn(card: object) -> str:
    strokes = compose(card, SPYCRAFT, SPYCRAFT.trim).strokes
    return " ".join(stroke.text for stroke in strokes if isinstance(stroke, TextRun))


def test_an_own_text_is_not_said_to_be_our_summary():
    card = SPYCRAFT.card("acrobatic-escape")
    assert card
    assert "summary" in drawn(card)
    assert "summary" not in drawn(with_text(card, {card.code: f"{WORDS}\n{WORDS}"}))


def test_texts_are_listed_with_the_cards_names_in_as_many_queries_for_many_as_for_one(client):
    counts = []
    for cards in (SPYCRAFT.cards[:1], SPYCRAFT.cards[1:20]):
        for card in cards:
            client.post(reverse("card_text", args=["spycraft", card.code]), {"text": WORDS})
        with CaptureQueriesContext(connection) as queries:
            answer = client.get("/print/texts/")
        counts.append(len(queries))
        assert cards[0].name in page_of(answer).text
    assert counts[0] == counts[1]


def test_a_text_is_kept_for_its_author_stands_on_their_card_and_goes_when_it_is_emptied(client):
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
def test_a_text_that_cannot_be_printed_is_said_and_not_lost(client, text, message):
    client.post(ADDRESS, {"text": WORDS})
    shown = page_of(client.post(ADDRESS, {"text": text}), status=400)
    assert message in shown.text
    # HTML has no way to hold U+0002.
    assert (shown.field("text").value or "").startswith(text[:1])
    assert OwnText.objects.get().text == WORDS


@pytest.mark.both_databases
def test_hostile_words_stay_words(client):
    words = "</textarea><script>alert(1)</script>"
    client.post(ADDRESS, {"text": words})
    assert page(client, ADDRESS).field("text").value == words
    for address in (ADDRESS, "/print/texts/"):
        scripts = page(client, address).all("script")
        assert not [one for one in scripts if "alert" in (one.get("src") or "") or one.get("src") is None]


def test_a_card_that_does_not_exist_takes_no_text(client):
    assert client.post("/print/texts/spycraft/no-such-card/", {"text": WORDS}).status_code == 404
    assert client.get("/print/texts/nogame/x/").status_code == 404


@pytest.mark.both_databases
def test_a_browsers_texts_go_along_to_the_account_and_never_over_its_own():
    user = User.objects.create_user("reader")
    visitor = Viewer(user.pk, browser=hashed("token"))
    other = SPYCRAFT.cards[-1]
    save_text(visitor, SPYCRAFT, KAI.code, "the account's")
    for code in (KAI.code, other.code):
        save_text(Viewer(browser=visitor.browser), SPYCRAFT, code, "the browser's")
    assert claim_texts(visitor) == 1
    assert texts_of(visitor, SPYCRAFT) == {KAI.code: "the account's", other.code: "the browser's"}


def test_a_face_without_room_says_so_instead_of_losing_the_text(client):
    cards = ((game, card) for game in games().values() for card in game.cards)
    game, card = next((game, card) for game, card in cards if not has_notes(game, card.type))
    address = reverse("card_text", args=[game.slug, card.code])
    assert "no room for a text" in page(client, address).text


@given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Co", "Cn", "Cs"]), max_size=300))
def test_what_is_kept_is_kept_as_it_is_from_then_on(text):
    try:
        clean = clean_text(text)
    except Refused:
        return
    assert clean_text(clean) == clean
    assert clean.split() == text.split()


def test_a_text_that_prints_too_small_to_read_is_said_on_its_page(client):
    for text, is_small in ((f"{WORDS} " * 65, True), (WORDS, False)):
        client.post(ADDRESS, {"text": text})
        points = points_of(with_text(KAI, {KAI.code: text.strip()}), SPYCRAFT, SPYCRAFT.trim)
        said = f"Your text is set in {points:g} pt, which is hard to read"
        assert (said in page(client, ADDRESS).text) is is_small

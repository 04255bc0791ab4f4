"""People's own text for cards: kept for them, printed for them, shown to nobody else."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
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
from printing.faces.wording import OWN_WORDS
from printing.request.assembly import points_of, small_texts
from printing.request.lists import pasted_list
from tests.support.print_lists import job_for

SPYCRAFT = games()["spycraft"]
KAI = next(card for card in SPYCRAFT.cards if card.type == "agent")
ADDRESS = f"/print/texts/spycraft/{KAI.code}/"
WORDS = "It counts double on Tuesdays."

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def drawn(card: object) -> str:
    strokes = compose(card, SPYCRAFT, SPYCRAFT.trim).strokes  # type: ignore[arg-type]
    return " ".join(stroke.text for stroke in strokes if isinstance(stroke, TextRun))


def test_a_text_is_kept_for_its_author_and_stands_on_their_card(client: Client) -> None:
    client.post(ADDRESS, {"text": WORDS})
    page = client.get(ADDRESS).content.decode()
    assert "<textarea" in page and WORDS in page
    box = OwnBox.objects.get()
    own = texts_of(Viewer(browser=box.browser or ""), SPYCRAFT)
    assert own == {KAI.code: WORDS}
    assert "Tuesdays" in drawn(with_text(KAI, own))
    assert "Tuesdays" not in drawn(KAI)


def test_an_own_text_is_not_said_to_be_our_summary() -> None:
    card = SPYCRAFT.card("acrobatic-escape")
    assert card
    assert "summary" in drawn(card)
    assert "summary" not in drawn(with_text(card, {card.code: f"{WORDS}\n{WORDS}"}))


def test_a_sheet_says_whose_the_words_on_its_cards_are(client: Client) -> None:
    client.post(ADDRESS, {"text": WORDS})
    viewer = Viewer(browser=OwnBox.objects.get().browser or "")
    lists = [pasted_list("spycraft", text) for text in (f"2 {KAI.name}", "2 Acrobatic Escape")]
    assert [OWN_WORDS in job_for(one, {}, viewer).notes().credit for one in lists] == [True, False]


def test_nobody_else_sees_a_text_anywhere(client: Client) -> None:
    client.post(ADDRESS, {"text": WORDS})
    stranger = Client()
    for address in (
        ADDRESS,
        "/print/texts/",
        f"/cards/spycraft/{KAI.code}/",
        f"/cards/spycraft/{KAI.code}/face.svg",
    ):
        assert "Tuesdays" not in stranger.get(address).content.decode()
    assert "Tuesdays" not in client.get(f"/api/v1/cards/spycraft/{KAI.code}/").content.decode()
    assert texts_of(Viewer(browser="somebody else's"), SPYCRAFT) == {}
    assert texts_of(Viewer(), SPYCRAFT) == {}


def test_texts_are_listed_with_the_cards_names_in_as_many_queries_for_many_as_for_one(client: Client) -> None:
    counts = []
    for cards in (SPYCRAFT.cards[:1], SPYCRAFT.cards[1:20]):
        for card in cards:
            client.post(reverse("card_text", args=["spycraft", card.code]), {"text": WORDS})
        with CaptureQueriesContext(connection) as queries:
            page = client.get("/print/texts/").content.decode()
        counts.append(len(queries))
        assert cards[0].name in unescape(page)
    assert counts[0] == counts[1]


def test_an_empty_text_takes_it_away(client: Client) -> None:
    client.post(ADDRESS, {"text": WORDS})
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
def test_a_text_that_cannot_be_printed_is_said_and_not_lost(client: Client, text: str, message: str) -> None:
    client.post(ADDRESS, {"text": WORDS})
    answer = client.post(ADDRESS, {"text": text})
    assert answer.status_code == 400
    assert message in answer.content.decode()
    assert text[:3] in answer.content.decode()
    assert OwnText.objects.get().text == WORDS


@pytest.mark.both_databases
def test_hostile_words_stay_words(client: Client) -> None:
    client.post(ADDRESS, {"text": "<script>alert(1)</script>"})
    for address in (ADDRESS, "/print/texts/"):
        assert "<script>alert" not in client.get(address).content.decode()


def test_a_card_that_does_not_exist_takes_no_text(client: Client) -> None:
    assert client.post("/print/texts/spycraft/no-such-card/", {"text": WORDS}).status_code == 404
    assert client.get("/print/texts/nogame/x/").status_code == 404


@pytest.mark.both_databases
def test_a_browsers_texts_go_along_to_the_account_and_never_over_its_own() -> None:
    user = User.objects.create_user("reader")
    visitor = Viewer(user.pk, browser=hashed("token"))
    other = SPYCRAFT.cards[-1]
    save_text(visitor, SPYCRAFT, KAI.code, "the account's")
    for code in (KAI.code, other.code):
        save_text(Viewer(browser=visitor.browser), SPYCRAFT, code, "the browser's")
    assert claim_texts(visitor) == 1
    assert texts_of(visitor, SPYCRAFT) == {KAI.code: "the account's", other.code: "the browser's"}


def test_a_face_without_room_says_so_instead_of_losing_the_text(client: Client) -> None:
    game, card = next(
        (game, card) for game in games().values() for card in game.cards if not has_notes(game, card.type)
    )
    assert (
        "no room for a text" in client.get(reverse("card_text", args=[game.slug, card.code])).content.decode()
    )


@given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Co", "Cn", "Cs"]), max_size=300))
def test_what_is_kept_is_kept_as_it_is_from_then_on(text: str) -> None:
    try:
        clean = clean_text(text)
    except Refused:
        return
    assert clean_text(clean) == clean
    assert clean.split() == text.split()


LONG = "It counts double on Tuesdays. " * 65


def test_the_size_of_a_text_is_that_of_its_letters() -> None:
    card = replace(KAI, text=LONG, sentences=())
    runs = [
        one
        for one in compose(card, SPYCRAFT, SPYCRAFT.trim).strokes
        if isinstance(one, TextRun) and "Tuesdays" in one.text
    ]
    assert {round(run.size * 72 / 25_400, 1) for run in runs} == {points_of(card, SPYCRAFT, SPYCRAFT.trim)}
    assert (
        points_of(card, SPYCRAFT, SPYCRAFT.trim)
        < 5
        < points_of(replace(KAI, text=WORDS, sentences=()), SPYCRAFT, SPYCRAFT.trim)
    )


def test_a_text_that_prints_too_small_to_read_is_said_on_its_page_and_with_the_sheets(client: Client) -> None:
    author = User.objects.create_user("ada")
    visitor = Viewer(user_id=author.pk)
    client.force_login(author)
    save_text(visitor, SPYCRAFT, KAI.code, LONG)
    points = points_of(with_text(KAI, texts_of(visitor, SPYCRAFT)), SPYCRAFT, SPYCRAFT.trim)
    assert f"Your text is set in {points:g} pt, which is hard to read" in client.get(ADDRESS).content.decode()
    remark = f"{KAI.name}: your text is set in {points:g} pt. Shorten it to print it larger."
    listed = pasted_list("spycraft", f"2 {KAI.name}")
    assert remark in job_for(listed, {}, visitor).remarks()
    assert not [one for one in job_for(listed, {"style": "outline"}, visitor).remarks() if "your text" in one]
    save_text(visitor, SPYCRAFT, KAI.code, WORDS)
    assert "hard to read" not in client.get(ADDRESS).content.decode()
    assert not [one for one in job_for(listed, {}, visitor).remarks() if "your text" in one]


def test_cutouts_own_words_are_nobodys_small_text() -> None:
    assert list(small_texts(SPYCRAFT, SPYCRAFT.cards, (44_000, 68_000))) == []

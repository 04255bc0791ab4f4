"""A deck's own page: its cards as faces or rows, a hand that the address names, the numbers beside, what can
be done in one row.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Pile
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.play.opening import Deal, Opening
from decks.core.figures import hand_of
from decks.formats.xml_decks import hash_of
from decks.models import Deck
from decks.statistics.numbers import MAX_DEALT, opening_hand
from tests.support.pages import Page, page
from tests.support.public_decks import make_deck, starter

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


@pytest.fixture
def tiger(client: Client) -> Deck:
    return make_deck(client, "Nine Tiger", starter("spycraft", "nine-tiger"))


def dealt(shown: Page) -> list[str]:
    return [face["aria-label"] for face in shown.one("section", id="hand").all("svg")]


# -- the cards ---------------------------------------------------------------------------------


def test_the_cards_are_faces_or_rows_as_the_address_says(client: Client, tiger: Deck) -> None:
    faces = page(client, f"/decks/{tiger.link}/")
    assert faces.has(class_="fan-across") and not faces.has(class_="deck-list")
    rows = page(client, f"/decks/{tiger.link}/?view=rows")
    assert "Kai" in rows.one(class_="deck-list").text and not rows.has(class_="fan-across")
    views = {link.text: link.get("aria-current") for link in rows.one("nav", class_="deck-views").all("a")}
    assert views == {"Faces": None, "Rows": "true"}


def test_all_faces_of_a_deck_come_as_one_picture_of_which_each_shows_its_part(
    client: Client, tiger: Deck
) -> None:
    main = page(client, f"/decks/{tiger.link}/").one("main")
    faces, cards = main.all("svg", class_="face-in-strip"), [entry.card for entry in tiger.decklist()]
    assert len(faces) == len(cards) + 7 and {face["aria-label"] for face in faces} == {
        card.name for card in cards
    }
    strip = main.one("image", id="faces")
    whole = main.one("img")
    assert str(whole["src"]) == f"/cards/spycraft/{cards[0].code}/face.svg" and whole["alt"] == cards[0].name
    alike = sorted((card.type, card.code) for card in cards)
    assert str(strip["href"]) == f"/cards/spycraft/faces.svg?of={','.join(code for _, code in alike)}"
    drawn = ElementTree.fromstring(client.get(str(strip["href"])).content)
    parts = {
        f"{part.get('x')} 0 {part.get('width')} {part.get('height')}" for part in drawn.findall("{*}svg")
    }
    assert {face["viewbox"] for face in faces} == parts and strip["width"] == str(88_000 * len(cards))


def test_people_are_shown_as_far_as_their_skills_and_others_as_far_as_their_names(
    client: Client, tiger: Deck
) -> None:
    groups = page(client, f"/decks/{tiger.link}/").all("section", class_="fan-group")
    wide = {group.one("h2").text.split()[0]: group.has(class_="fan-skills") for group in groups}
    assert wide == {"Leaders": True, "Agents": True, "Actions": False, "Gear": False}


def test_numbers_that_stand_low_on_a_card_are_shown_in_its_fan_too(client: Client) -> None:
    mulder = make_deck(client, "Mulder", starter("xfiles", "deck-mulder"), game="xfiles")
    groups = page(client, f"/decks/{mulder.link}/").all("section", class_="fan-group")
    shown = {one.one("h2").text: (one.has(class_="fan-skills"), one.has(class_="fan-deep")) for one in groups}
    assert (shown["Agents 1"], shown["Adversaries 7"], shown["Sites 15"]) == (
        (True, False),
        (True, True),
        (False, False),
    )


def test_a_deck_of_cards_without_pages_has_no_card_at_hand(client: Client) -> None:
    deck = make_deck(client, "Nora", starter("steamspy", "level-1-character"), game="steamspy")
    assert not page(client, f"/decks/{deck.link}/").has("aside", class_="whole-card")


# -- on paper ----------------------------------------------------------------------------------


def lines(paper: Page) -> list[list[str]]:
    return [[cell.text for cell in row.all("td")][1:] for row in paper.all("tr") if row.has("td")]


@pytest.mark.parametrize("view", ["", "?view=rows"])
def test_the_paper_has_every_line_with_its_numbers_and_its_deciding_words(
    client: Client, tiger: Deck, view: str
) -> None:
    paper = page(client, f"/decks/{tiger.link}/{view}").one("section", class_="paper")
    told = lines(paper)
    assert ["2", "Kai", "7", "2", "7", "3", "2", "3"] in told
    assert ["2", "Poisoned!", "3", "Intel Combat X"] in told
    assert len(told) == len(tiger.decklist().entries) + 5 + 4


def test_the_paper_says_what_else_is_brought(client: Client, tiger: Deck) -> None:
    paper = page(client, f"/decks/{tiger.link}/").one("section", class_="paper")
    brought = [what for (what,) in (line for line in lines(paper) if len(line) == 1)]
    assert brought == [
        "Mission Deck",
        "Activation tokens",
        "Wound markers",
        "Exposed markers",
        "Action used markers",
    ]


def test_the_paper_names_the_deck_that_it_is_played_with_and_how_many_tokens(
    client: Client, tiger: Deck
) -> None:
    missions = make_deck(client, "All missions", starter("spycraft", "mission-deck-base"))
    Deck.objects.filter(pk=tiger.pk).update(partner=missions)
    assert ["All missions"] in lines(page(client, f"/decks/{tiger.link}/").one("section", class_="paper"))
    mulder = make_deck(client, "Mulder", starter("xfiles", "deck-mulder"), game="xfiles")
    told = lines(page(client, f"/decks/{mulder.link}/").one("section", class_="paper"))
    assert ["RP tokens to begin with: 5"] in told


def test_the_paper_has_the_code_of_the_list_and_the_address_of_a_deck_that_is_shared(
    client: Client, tiger: Deck
) -> None:
    code = hash_of(games()["spycraft"], tiger.decklist())
    Deck.objects.filter(pk=tiger.pk).update(visibility="private")
    paper = page(client, f"/decks/{tiger.link}/").one("section", class_="paper").text
    assert code in paper and tiger.link not in paper
    Deck.objects.filter(pk=tiger.pk).update(visibility="public")
    assert (
        f"/decks/{tiger.link}/" in page(client, f"/decks/{tiger.link}/").one("section", class_="paper").text
    )


# -- the hand ----------------------------------------------------------------------------------


def test_a_hand_is_dealt_by_the_seed_in_the_address_and_shown_to_everybody_alike(
    client: Client, tiger: Deck
) -> None:
    game = games()["spycraft"]
    (pile,) = game.piles_for("agency", tiger.decklist())
    names = [card.name for drawn in hand_of(pile, tiger.decklist(), "lucky").drawn for card in drawn.cards]
    address = f"/decks/{tiger.link}/?hand=lucky"
    assert len(names) == 7 and dealt(page(client, address)) == names == dealt(page(Client(), address))


def test_the_link_deals_another_hand_and_keeps_the_view(client: Client, tiger: Deck) -> None:
    shown = page(client, f"/decks/{tiger.link}/?view=rows&hand=lucky")
    again = shown.one("section", id="hand").link("Deal again")
    assert again.startswith("?view=rows&hand=") and again.endswith("#hand") and "lucky" not in again
    assert shown.one("nav", class_="deck-views").link("Faces") == "?hand=lucky"
    other = page(client, f"/decks/{tiger.link}/{again.removesuffix('#hand')}")
    assert len(dealt(other)) == 7 and other.has(class_="deck-list")


def test_an_address_without_a_seed_shows_the_same_hand_each_time(client: Client, tiger: Deck) -> None:
    assert dealt(page(client, f"/decks/{tiger.link}/")) == dealt(page(Client(), f"/decks/{tiger.link}/"))


@pytest.mark.parametrize("seed", ["", "x" * 41, "<b>", "a b", "\u0661"])
def test_a_seed_that_is_none_is_named_and_the_deck_still_shown(
    client: Client, tiger: Deck, seed: str
) -> None:
    shown = page(client, f"/decks/{tiger.link}/", {"hand": seed}, status=400)
    assert "a seed is 1 to 40 letters" in shown.one("section", id="hand").text
    assert shown.one("h1").text == "Nine Tiger" and not dealt(shown)


def test_a_game_with_two_piles_deals_from_both(client: Client) -> None:
    deck = make_deck(client, "All of it", starter("agentdecker", "set"), game="agentdecker")
    shown = page(client, f"/decks/{deck.link}/")
    assert [pile.text for pile in shown.one("section", id="hand").all("h3")] == [
        "Obstacles: The line 6",
        "Your deck: Hand 4",
    ]


def test_where_no_source_states_an_opening_there_is_no_hand(client: Client) -> None:
    deck = make_deck(client, "Basics", "1 First Aid", game="xfiles", format="basic")
    assert not page(client, f"/decks/{deck.link}/").has("section", id="hand")


def test_a_secret_card_is_never_dealt(client: Client) -> None:
    deck = make_deck(client, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")
    game, cards = games()["xfiles"], deck.decklist()
    secret = {entry.card.name for entry in cards if game.is_secret(entry.section, entry.card.type)}
    hands = [opening_hand(game, "advanced", cards, f"s{n}") for n in range(40)]
    assert secret and all(
        hand and hand.only and not secret & {card.name for card in hand.only.cards} for hand in hands
    )


def test_a_deal_of_very_many_shows_the_first(sixth_game: Any) -> None:
    card = next(card for card in sixth_game.cards if sixth_game.types_by_slug[card.type].in_decks)
    generous = replace(sixth_game, opening=Opening((Pile("all", "All", (Deal("Everything", 500),)),)))
    deck = read_deck(generous, f"99 {card.name}").deck
    hand = opening_hand(generous, generous.formats[0].slug, deck, "a")
    assert hand and hand.only and len(hand.only.cards) == MAX_DEALT


# -- the numbers beside --------------------------------------------------------------------------


def test_the_numbers_that_the_game_names_stand_beside_the_deck(client: Client, tiger: Deck) -> None:
    titles = [
        part.text
        for part in page(client, f"/decks/{tiger.link}/")
        .one(class_="in-brief")
        .all(class_="statistics-title")
    ]
    assert titles == ["Cards by type", "Expense", "Skills of all agents"]


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_every_game_names_some_of_its_numbers_for_its_decks(game: Any) -> None:
    for one in game.starters[:4]:
        deck = read_deck(game, one.text).deck
        assert 1 <= len(game.measure(deck, in_brief=True)) <= 4
        assert set(game.measure(deck, in_brief=True)) <= set(game.measure(deck))


def test_a_game_that_names_none_shows_its_first_few(sixth_game: Any) -> None:
    deck = read_deck(sixth_game, sixth_game.starters[0].text).deck
    plain = replace(sixth_game, statistics=())
    assert plain.measure(deck, in_brief=True) == plain.measure(deck)[:3]


# -- what can be done ----------------------------------------------------------------------------


def buttons(shown: Page) -> list[str]:
    return [
        part.text.split(":")[0]
        for part in shown.one(class_="deck-buttons").all()
        if part._element.tag in ("a", "button")
    ]


def test_all_that_can_be_done_stands_in_one_row(client: Client, tiger: Deck) -> None:
    assert buttons(page(client, f"/decks/{tiger.link}/")) == [
        "Edit",
        "Print",
        "Share",
        "Copy",
        "Download",
        "Make private",
    ]
    assert buttons(page(Client(), f"/decks/{tiger.link}/")) == [
        "Print",
        "Share",
        "Save as my deck",
        "Download",
    ]


def test_a_deck_is_published_and_taken_back_with_one_button(client: Client, tiger: Deck) -> None:
    Deck.objects.update(visibility="private")
    for wanted, words in (("public", "Publish"), ("private", "Make private")):
        shown = page(client, f"/decks/{tiger.link}/")
        assert words in buttons(shown)
        (form,) = [part for part in shown.all("form") if part["action"].endswith("/publish/")]
        assert client.post(form["action"], form.sent).status_code == 302
        assert Deck.objects.get().visibility == wanted
    assert Client().get(f"/decks/{tiger.link}/").status_code == 404


def test_a_link_to_a_hand_leads_search_engines_to_the_deck(client: Client, tiger: Deck) -> None:
    head = page(client, f"/decks/{tiger.link}/?hand=lucky").one("link", rel="canonical")
    assert head["href"] == f"http://testserver/decks/{tiger.link}/"

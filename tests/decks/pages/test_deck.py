"""A deck's page: cards as faces or rows, an opening hand, statistics, buttons, partner deck, printed page,
and the data for search engines and other sites.
"""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Pile
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.play.opening import Deal, Opening
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card, Edition
from decks.core.figures import hand_of
from decks.formats.xml_decks import hash_of
from decks.models import Deck
from decks.pages.deck import Partner, partner_of, partner_problem
from decks.statistics.numbers import MAX_DEALT, opening_hand
from tests.support.made_decks import named_deck, starter
from tests.support.pages import Page, Part, page, page_of

# SQLite is enough here: tests/house/test_permissions.py asks for each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
SPYCRAFT = games()["spycraft"]


@pytest.fixture
def tiger(client):
    return named_deck(client, "Nine Tiger", starter("spycraft", "nine-tiger"))


def mulder(client, **values) -> Deck:
    return named_deck(client, "Mulder", starter("xfiles", "deck-mulder"), game="xfiles", **values)


def shown(client, deck: Deck, rest="", status=200) -> Page:
    return page(client, f"/decks/{deck.link}/{rest}", status=status)


# -- the cards ---------------------------------------------------------------------------------


def test_the_cards_are_shown_as_faces_or_rows_with_the_statistics_that_the_game_chooses(client, tiger):
    faces, rows = shown(client, tiger), shown(client, tiger, "?view=rows")
    assert faces.has(class_="fan-across") and not faces.has(class_="deck-list")
    assert "Kai" in rows.one(class_="deck-list").text and not rows.has(class_="fan-across")
    views = {link.text: link.get("aria-current") for link in rows.one("nav", class_="deck-views").all("a")}
    assert views == {"Faces": None, "Rows": "true"}
    titles = faces.one(class_="in-brief").all(class_="statistics-title")
    assert [title.text for title in titles] == ["Cards by type", "Expense", "Skills of all agents"]


def test_all_faces_of_a_deck_come_in_one_picture_of_which_each_card_shows_its_part(client, tiger):
    main = shown(client, tiger).main
    faces, cards = main.all("svg", class_="face-in-strip"), [entry.card for entry in tiger.decklist()]
    # The seven further faces are those of the opening hand.
    assert len(faces) == len(cards) + 7
    assert {face["aria-label"] for face in faces} == {card.name for card in cards}
    # The picture of all faces, each 88,000 units wide, and the enlarged card.
    strip, whole = main.one("image", id="faces"), main.one("img")
    assert (whole["src"], whole["alt"]) == (f"/cards/spycraft/{cards[0].code}/face.svg", cards[0].name)
    by_type = sorted((card.type, card.code) for card in cards)
    assert strip["href"] == f"/cards/spycraft/faces.svg?of={','.join(code for _, code in by_type)}"
    drawn = ElementTree.fromstring(client.get(strip["href"]).content)
    parts = {
        f"{part.get('x')} 0 {part.get('width')} {part.get('height')}" for part in drawn.findall("{*}svg")
    }
    assert {face["viewbox"] for face in faces} == parts and strip["width"] == str(88_000 * len(cards))


def test_cards_that_are_written_in_retired_or_of_a_section_that_is_gone_are_shown(client):
    deck = named_deck(client, "Dragons", "2 Kai\n1 Nightingale | agent | combat: 3")
    deck.lines.update(section="gone")
    Card.objects.filter(game="spycraft", code="kai").update(retired=True)
    Edition.objects.create()
    for visitor in (client, Client()):
        rows = shown(visitor, deck, "?view=rows").one(class_="deck-list").text
        assert "Kai" in rows and "Nightingale" in rows


def test_a_head_request_does_not_use_up_the_edit_link(client, tiger):
    client.head(f"/decks/{tiger.link}/")
    assert "/decks/edit/#" in shown(client, tiger).one(class_="notice").text


# -- the printed page ----------------------------------------------------------------------------------


def paper(client, deck: Deck, rest="") -> Part:
    return shown(client, deck, rest).one("section", class_="paper")


def lines(paper: Part) -> list[list[str]]:
    """The rows of the printed table, each without its first cell, which is a box to tick."""
    return [[cell.text for cell in row.all("td")][1:] for row in paper.all("tr") if row.has("td")]


@pytest.mark.parametrize("view", ["", "?view=rows"])
def test_the_printed_page_lists_every_line_with_its_facts_and_the_things_to_bring(client, tiger, view):
    printed = lines(paper(client, tiger, view))
    assert ["2", "Kai", "7", "2", "7", "3", "2", "3"] in printed
    assert ["2", "Poisoned!", "3", "Intel Combat X"] in printed
    # Beside the cards: five things to bring and four games to score.
    assert len(printed) == len(tiger.decklist().entries) + 5 + 4
    markers = ["Activation tokens", "Wound markers", "Exposed markers", "Action used markers"]
    assert [line for line in printed if len(line) == 1] == [[thing] for thing in ("Mission Deck", *markers)]


def test_the_printed_page_names_the_partner_deck_and_the_number_of_tokens(client, tiger):
    missions = named_deck(client, "All missions", starter("spycraft", "mission-deck-base"))
    Deck.objects.filter(pk=tiger.pk).update(partner=missions)
    assert ["All missions"] in lines(paper(client, tiger))
    assert ["RP tokens to begin with: 5"] in lines(paper(client, mulder(client)))


def test_the_printed_page_has_the_code_of_the_list_and_the_address_of_a_shared_deck(client, tiger):
    code = hash_of(SPYCRAFT, tiger.decklist())
    for visibility in ("public", "private"):
        Deck.objects.filter(pk=tiger.pk).update(visibility=visibility)
        text = paper(client, tiger).text
        assert (code in text, f"/decks/{tiger.link}/" in text) == (True, visibility == "public")


# -- the hand ----------------------------------------------------------------------------------


def dealt(deck_page: Page) -> list[str]:
    return [face["aria-label"] for face in deck_page.one("section", id="hand").all("svg")]


def test_the_seed_in_the_address_deals_every_visitor_the_same_hand(client, tiger):
    (pile,) = SPYCRAFT.piles_for("agency", tiger.decklist())
    names = [card.name for drawn in hand_of(pile, tiger.decklist(), "lucky").drawn for card in drawn.cards]
    assert len(names) == 7
    assert all(dealt(shown(visitor, tiger, "?hand=lucky")) == names for visitor in (client, Client()))
    assert dealt(shown(client, tiger)) == dealt(shown(Client(), tiger)), "without a seed too"


def test_the_link_deals_another_hand_and_keeps_the_view(client, tiger):
    first = shown(client, tiger, "?view=rows&hand=lucky")
    again = first.one("section", id="hand").link("Deal again")
    assert again.startswith("?view=rows&hand=") and again.endswith("#hand") and "lucky" not in again
    assert first.one("nav", class_="deck-views").link("Faces") == "?hand=lucky"
    assert first.one("link", rel="canonical")["href"] == f"http://testserver/decks/{tiger.link}/"
    other = shown(client, tiger, again.removesuffix("#hand"))
    assert len(dealt(other)) == 7 and other.has(class_="deck-list")


@pytest.mark.parametrize("seed", ["", "x" * 41, "a b"])
def test_an_invalid_seed_is_reported_and_the_deck_is_still_shown(client, tiger, seed):
    refused = page(client, f"/decks/{tiger.link}/", {"hand": seed}, status=400)
    assert "a seed is 1 to 40 letters" in refused.one("section", id="hand").text
    assert refused.one("h1").text == "Nine Tiger" and not dealt(refused)


def test_a_game_with_two_piles_deals_from_both(client):
    deck = named_deck(client, "All of it", starter("agentdecker", "set"), game="agentdecker")
    piles = shown(client, deck).one("section", id="hand").all("h3")
    assert [pile.text for pile in piles] == ["Obstacles: The line 6", "Your deck: Hand 4"]


def test_a_format_without_a_stated_opening_deals_no_hand(client):
    deck = named_deck(client, "Basics", "1 First Aid", game="xfiles", format="basic")
    assert not shown(client, deck).has("section", id="hand")


def test_a_secret_card_is_never_dealt(client):
    game, cards = games()["xfiles"], mulder(client).decklist()
    secret = {entry.card.name for entry in cards if game.is_secret(entry.section, entry.card.type)}
    assert secret
    for n in range(40):
        hand = opening_hand(game, "advanced", cards, f"s{n}")
        assert hand and hand.only and not secret & {card.name for card in hand.only.cards}


def test_of_a_very_large_hand_only_the_first_cards_are_shown(sixth_game):
    card = next(card for card in sixth_game.cards if sixth_game.types_by_slug[card.type].in_decks)
    generous = replace(sixth_game, opening=Opening((Pile("all", "All", (Deal("Everything", 500),)),)))
    deck = read_deck(generous, f"99 {card.name}").deck
    hand = opening_hand(generous, generous.formats[0].slug, deck, "a")
    assert hand and hand.only and len(hand.only.cards) == MAX_DEALT


# -- statistics beside the deck --------------------------------------------------------------------------


def test_a_game_that_chooses_no_statistics_shows_the_first_three(sixth_game):
    deck = read_deck(sixth_game, sixth_game.starters[0].text).deck
    plain = replace(sixth_game, statistics=())
    assert plain.measure(deck, in_brief=True) == plain.measure(deck)[:3]


# -- buttons ----------------------------------------------------------------------------


def test_one_button_publishes_a_deck_and_makes_it_private_again(client, tiger):
    Deck.objects.update(visibility="private")
    for wanted, words in (("public", "Publish"), ("private", "Make private")):
        deck_page = shown(client, tiger)
        assert words in deck_page.one(class_="deck-buttons").text
        form = deck_page.one("form", action=f"/decks/{tiger.link}/publish/")
        assert client.post(form["action"], form.sent).status_code == 302
        assert Deck.objects.get().visibility == wanted
    shown(Client(), tiger, status=404)


def test_without_a_script_the_deck_as_text_can_be_unfolded_in_place_of_the_button(client, tiger):
    deck_page = shown(client, tiger)
    button = deck_page.one("button", text="Copy as text", hidden=True)
    field = deck_page.one("textarea", id=button["data-copy"])
    assert field.parent.tag == "details" and "2 Kai" in (field.value or "").splitlines()


def test_deleting_asks_first(client, tiger):
    question = shown(client, tiger, "delete/").main
    assert question.one("h1").text == "Delete “Nine Tiger”?" and "permanently" in question.text
    assert Deck.objects.exists()
    answer = page_of(client.post(f"/decks/{tiger.link}/delete/", follow=True))
    assert "is deleted" in answer.one(class_="notice").text and not Deck.objects.exists()


# -- data for search engines and other sites -----------------------------


def test_a_public_decks_page_has_linked_data_with_the_address_of_each_card(client):
    deck = named_deck(client, "</script><b>", "2 Nightjar | agent | power: 3\n1 Hitman\n", game="spynet")
    answer = Client().get(f"/decks/{deck.link}/")
    deck_page = page_of(answer)
    data = deck_page.one("script", type="application/ld+json").json
    assert (data["@type"], data["name"]) == ("ItemList", "</script><b>")
    assert deck_page.has(
        "meta", property="og:image", content=f"http://testserver/decks/{deck.link}/picture.png"
    )
    found = {item["name"]: item.get("url") for item in data["itemListElement"]}
    address = found.pop("1 Hitman")
    assert found == {"2 Nightjar": None}, "a card that is written in has no page"
    assert address == "http://testserver/cards/spynet/hitman/" and page(client, address)


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_deck_that_is_not_public_asks_not_to_be_indexed(client, visibility):
    deck = named_deck(client, "Dragons", "2 Kai", visibility=visibility)
    assert shown(client, deck).has("meta", name="robots", content="noindex")


# -- partners --------------------------------------------------------------------


@pytest.fixture
def pair():
    """(an agency deck, the mission deck that it names as its partner, the agency's author)."""
    agency, missions = (
        named_deck(Client(), slug, starter("spycraft", slug), visibility="unlisted")
        for slug in ("banshee-net", "mission-deck-base")
    )
    Deck.objects.filter(pk=agency.pk).update(partner=missions)
    agency.refresh_from_db()
    return agency, missions, Viewer(key_hash=agency.edit_hash)


def partner_seen_by(viewer: Viewer, deck: Deck) -> Partner | None:
    deck = Deck.objects.get(pk=deck.pk)
    return partner_of(deck, viewer, deck.is_editable_by(viewer))


def test_a_deck_page_shows_its_partner_with_both_verdicts(client, pair):
    assert shown(client, pair[0]).link("mission-deck-base") == f"/decks/{pair[1].link}/"
    partner = partner_seen_by(Viewer(), pair[0])
    assert partner and partner.judged.verdict == "legal"


def test_a_partner_that_is_private_is_not_shown_to_strangers(pair):
    agency, missions, author = pair
    Deck.objects.filter(pk=missions.pk).update(visibility="private")
    assert partner_seen_by(author, agency) is None
    assert partner_seen_by(Viewer(key_hash=missions.edit_hash), agency) is not None


def test_a_partner_shows_the_deck_that_names_it_only_if_that_is_public_and_of_its_own_author(pair):
    agency, missions, _ = pair
    Deck.objects.filter(pk=agency.pk).update(visibility="public")
    assert partner_seen_by(Viewer(), missions) is None
    Deck.objects.filter(pk=missions.pk).update(owner=User.objects.create_user("another"))
    assert partner_seen_by(Viewer(), missions) is None, "the two decks have different authors"
    Deck.objects.update(owner=User.objects.create_user("author"))
    assert (partner := partner_seen_by(Viewer(), missions)) and partner.deck == agency
    Deck.objects.filter(pk=agency.pk).update(visibility="unlisted")
    assert partner_seen_by(Viewer(), missions) is None


def test_partners_are_of_one_game_and_of_formats_that_share_no_section(client, tiger, pair):
    agency, missions, _ = pair
    assert partner_problem(agency, missions) == ""
    assert "its own partner" in partner_problem(agency, agency)
    assert "another game" in partner_problem(agency, mulder(client))
    assert "its format must be" in partner_problem(agency, tiger)

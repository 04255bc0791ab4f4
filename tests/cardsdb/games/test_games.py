"""All game folders keep the contract, the data of the five games is what their documents say, and a sixth
game needs nothing but its folder.
"""

from collections import Counter

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Severity
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.models import Card, Edition
from tests.support.new_game import assert_is_decked_and_printed, verdict_on
from tests.support.pages import page

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_game_folder_keeps_the_contract(slug):
    assert problems(games()[slug]) == []


@pytest.mark.parametrize("slug", sorted(games()))
def test_every_citation_names_a_section_or_lines(slug):
    citations = games()[slug].citations.values()
    assert [citation.code for citation in citations if not (citation.lines or citation.section)] == []


@pytest.mark.parametrize("slug", sorted(games()))
def test_no_starter_is_illegal(slug):
    game = games()[slug]
    for starter in game.starters:
        format = game.formats_by_slug[starter.format]
        report = game.judge(read_deck(game, starter.text, format).deck, format)
        assert Severity.ILLEGAL not in {violation.severity for violation in report.violations}, starter.slug


@pytest.mark.parametrize(("slug", "cards", "prints"), [("spycraft", 858, 858), ("xfiles", None, 856)])
def test_a_game_has_every_card_and_print_of_its_official_list(slug, cards, prints):
    game = games()[slug]
    assert cards is None or len(game.cards) == cards
    assert sum(len(card.prints) for card in game.cards) == prints


def test_spycraft_cards_are_in_their_sets():
    counts = Counter(print_.set for card in games()["spycraft"].cards for print_ in card.prints)
    assert counts == {"ON": 349, "EA": 162, "DB": 161, "ML": 139, "PR": 45, "FP": 2}


@pytest.mark.parametrize(
    ("code", "key"), [("li", "craft"), ("li", "transport"), ("mother-of-clouds", "expense")]
)
def test_where_the_rulebook_disagrees_both_values_are_kept(code, key):
    card = games()["spycraft"].card(code)
    assert card is not None
    assert key in card.disagreements()


def test_an_unknown_number_is_absent_and_never_zero():
    (kit,) = (card for card in games()["spycraft"].cards if card.name == "First Aid Kit")
    assert kit.fact("expense") is None


@pytest.mark.django_db
def test_a_sixth_game_is_a_folder_and_nothing_else(sixth_game, client):
    """Catalogue, search words, rules page, verdict, deck page, sheet and API, with no other edit."""
    from cardsdb.catalogue.loader import load

    assert problems(sixth_game) == []
    load(sixth_game)
    assert "Sealed Box" in page(client, "/cards/deaddrop/sealed-box/").text
    assert "Dead Drop" in page(client, "/").text
    assert "at most two copies" in page(client, "/games/deaddrop/rules/").text
    answer = client.get("/api/v1/cards/", {"q": "weight>=7"}).json()
    assert [card["key"] for card in answer["results"]] == ["deaddrop/sealed-box"]
    assert verdict_on(client, "deaddrop", "3 Zorka") == ("illegal", ["DD-2"])
    assert_is_decked_and_printed(client, "deaddrop", "2 Zorka\n1 Sealed Box", "Zorka")
    assert client.get("/api/v1/games/deaddrop/").json()["rules"][0]["code"] == "DD-1"


def test_a_type_a_document_and_a_face_that_left_the_folder_still_have_a_name(sixth_game):
    card_type = sixth_game.type_named("double-agent")
    assert (card_type.name, card_type.in_decks) == ("Double agent", False)
    assert sixth_game.document_named("old-list").title == "old-list"
    assert sixth_game.face_named("double-agent").elements


@pytest.mark.both_databases
@pytest.mark.django_db
def test_a_retired_card_whose_type_and_source_left_the_folder_is_still_shown_and_printed(client):
    Card.objects.create(
        game="spycraft",
        code="stray",
        name="Stray",
        name_folded="stray",
        sort_name="stray",
        type="double-agent",
        facts={"craft": 3, "left": "behind"},
        sources={"": [{"document": "old-list"}]},
        retired=True,
    )
    Edition.objects.create()
    card = "/cards/spycraft/stray/"
    addresses = [card, *(f"{card}face.{kind}" for kind in ("svg", "png", "pdf")), f"/api/v1{card}"]
    addresses.append("/compare/?card=spycraft/stray&card=spycraft/kai")
    answers = {address: client.get(address).status_code for address in addresses}
    assert answers == dict.fromkeys(addresses, 200)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/cards/agentdecker/hide/", 200), ("/nowhere/", 404)]
)
def test_every_page_credits_agent_decker(client, path, status):
    shown = page(client, path, status=status)
    assert "Agent Decker by Manuel Correia, CC BY-NC 4.0" in shown.text
    assert {
        "https://creativecommons.org/licenses/by-nc/4.0/",
        "https://gamesbymanuel.com/portfolio/agent-decker/",
    } <= set(shown.links)

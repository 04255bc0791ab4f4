"""Every game folder keeps the contract; a sixth game is a folder and nothing else."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Severity
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.models import Card, Edition
from tests.support.game_folders import own_games

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_game_folder_keeps_the_contract(slug: str) -> None:
    assert problems(games()[slug]) == []


def test_there_are_five_games() -> None:
    assert sorted(own_games()) == ["agentdecker", "spycraft", "spynet", "steamspy", "xfiles"]


@pytest.mark.parametrize("slug", sorted(games()))
def test_every_fact_of_every_card_has_a_source(slug: str) -> None:
    game = games()[slug]
    without = [(card.code, key) for card in game.cards for key in card.facts if not card.claims(key)]
    assert without == []
    assert all(
        claim.document in game.documents
        for card in game.cards
        for claims in card.sources.values()
        for claim in claims
    )


@pytest.mark.parametrize("slug", sorted(games()))
def test_every_rule_can_be_found_with_its_lines_and_certainty(slug: str) -> None:
    for citation in games()[slug].citations.values():
        assert citation.lines or citation.section, citation.code
        assert citation.certainty in ("stated", "inferred", "conflicting", "outside")


@pytest.mark.parametrize("slug", sorted(games()))
def test_starters_are_not_illegal(slug: str) -> None:
    game = games()[slug]
    for starter in game.starters:
        format = game.formats_by_slug[starter.format]
        report = game.judge(read_deck(game, starter.text, format).deck, format)
        assert Severity.ILLEGAL not in {violation.severity for violation in report.violations}, starter.slug


@pytest.mark.parametrize(("slug", "cards", "prints"), [("spycraft", 858, 858), ("xfiles", None, 856)])
def test_the_official_lists_are_whole(slug: str, cards: int | None, prints: int) -> None:
    game = games()[slug]
    assert cards is None or len(game.cards) == cards
    assert sum(len(card.prints) for card in game.cards) == prints


def test_spycraft_cards_are_in_their_sets() -> None:
    counts = Counter(print_.set for card in games()["spycraft"].cards for print_ in card.prints)
    assert counts == {"ON": 349, "EA": 162, "DB": 161, "ML": 139, "PR": 45, "FP": 2}


@pytest.mark.parametrize(
    ("code", "key"), [("li", "craft"), ("li", "transport"), ("mother-of-clouds", "expense")]
)
def test_where_the_rulebook_disagrees_both_values_are_kept(code: str, key: str) -> None:
    card = games()["spycraft"].card(code)
    assert card is not None
    assert key in card.disagreements()


def test_an_unknown_number_is_absent_and_never_zero() -> None:
    unknown = [card for card in games()["spycraft"].cards if card.name == "First Aid Kit"]
    assert [card.fact("expense") for card in unknown] == [None]


@pytest.mark.django_db
def test_a_sixth_game_is_a_folder_and_nothing_else(sixth_game: Any, client: Any) -> None:
    """Catalogue, search words, rules page, verdict, deck page, sheet and API, with no other edit."""
    from cardsdb.catalogue.loader import load

    assert problems(sixth_game) == []
    load(sixth_game)
    assert "Sealed Box" in client.get("/cards/deaddrop/sealed-box/").content.decode()
    assert "Dead Drop" in client.get("/").content.decode()
    assert "at most two copies" in client.get("/games/deaddrop/rules/").content.decode()
    answer = client.get("/api/v1/cards/", {"q": "weight>=7"}).json()
    assert [card["key"] for card in answer["results"]] == ["deaddrop/sealed-box"]

    body = json.dumps({"game": "deaddrop", "text": "3 Zorka"})
    verdict = client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
    assert (verdict["verdict"], [v["code"] for v in verdict["violations"]]) == ("illegal", ["DD-2"])

    made = client.post("/decks/new/", {"game": "deaddrop", "name": "Run", "text": "2 Zorka\n1 Sealed Box"})
    page = client.get(made["Location"]).content.decode()
    assert "Legal" in page and "Zorka" in page
    sheet = client.get(f"/print/sheets.pdf?deck={made['Location'].split('/')[2]}")
    assert sheet.content.startswith(b"%PDF")
    assert client.get("/api/v1/games/deaddrop/").json()["rules"][0]["code"] == "DD-1"
    assert client.get("/games.css").content.decode().count(".game-deaddrop") == 1


def test_a_type_a_document_and_a_face_that_left_the_folder_still_have_a_name(sixth_game: Any) -> None:
    assert (sixth_game.type_named("double-agent").name, sixth_game.type_named("double-agent").in_decks) == (
        "Double agent",
        False,
    )
    assert sixth_game.document_named("old-list").title == "old-list"
    assert sixth_game.face_named("double-agent").elements


def test_a_declared_type_document_and_face_are_themselves(sixth_game: Any) -> None:
    card_type, document = sixth_game.types[0], next(iter(sixth_game.documents.values()))
    assert sixth_game.type_named(card_type.slug) is card_type
    assert sixth_game.document_named(document.key) is document
    assert sixth_game.face_named(card_type.slug) is sixth_game.faces[card_type.slug]


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "/cards/spycraft/stray/",
        "/cards/spycraft/stray/face.svg",
        "/cards/spycraft/stray/face.png",
        "/cards/spycraft/stray/face.pdf",
        "/api/v1/cards/spycraft/stray/",
        "/compare/?card=spycraft/stray&card=spycraft/kai",
    ],
)
def test_a_retired_card_whose_type_and_source_left_the_folder_is_still_shown_and_printed(
    client: Any, address: str
) -> None:
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
    assert client.get(address).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/games/",
        "/cards/?q=guard",
        "/cards/agentdecker/hide/",
        "/compare/",
        "/decks/",
        "/games/agentdecker/rules/",
        "/check/",
        "/nowhere/",
    ],
)
def test_every_page_credits_agent_decker(client: Any, path: str) -> None:
    page = client.get(path).content.decode()
    assert "Agent Decker by Manuel Correia, CC BY-NC 4.0" in page
    assert "https://creativecommons.org/licenses/by-nc/4.0/" in page
    assert "https://gamesbymanuel.com/portfolio/agent-decker/" in page

"""The glossary of each game: sources, letters, the terms that a card's page explains, and its search."""

import re

import pytest

from cardsdb.catalogue.as_json import glossary_json
from cardsdb.games import games
from cardsdb.games.kit import Card


@pytest.mark.parametrize("slug", sorted(games()))
def test_every_term_cites_a_document_and_has_an_anchor_of_its_own(slug):
    game = games()[slug]
    first = next(iter(game.documents), "")
    for entry in game.glossary:
        # Only the rulebook itself has line numbers; other documents are cited by page or section.
        assert entry.source.section and bool(entry.source.lines) == (entry.source.document == first), (
            entry.term
        )
        numbers = [int(number) for number in re.findall("[0-9]+", entry.source.lines)]
        assert 0 not in numbers and numbers == sorted(numbers), entry.term
    slugs = [entry.slug for entry in game.glossary]
    assert len(slugs) == len(set(slugs)) and all(slugs)


def test_the_article_of_a_term_does_not_count_in_the_alphabet():
    krypt = next(entry for entry in games()["spycraft"].glossary if entry.term == "The Krypt")
    assert krypt.letter == "K"


SPYCRAFT = games()["spycraft"]


def terms_of(card: Card) -> list[str]:
    return [entry.term for entry in SPYCRAFT.terms_for(card)]


def test_the_terms_on_a_card_come_first():
    agent = next(
        card for card in SPYCRAFT.cards if card.type == "agent" and card.fact("faction") == "The Krypt"
    )
    assert {"Agent", "The Krypt"} <= set(terms_of(agent)[:3])


def test_the_terms_that_explain_facts_of_a_card_are_among_its_terms():
    mission = next(
        card for card in SPYCRAFT.cards if card.type == "mission" and card.number("victory_points")
    )
    assert {"Mission", "Objective", "Victory points", "Cover"} <= set(terms_of(mission))


def test_a_flag_that_is_no_is_not_explained():
    gear = next(card for card in SPYCRAFT.cards if card.fact("unique") is False and card.type == "gear")
    assert "Unique" not in terms_of(gear)


def test_a_card_has_eight_terms_at_most():
    assert max(len(game.terms_for(card)) for game in games().values() for card in game.cards) == 8


@pytest.mark.django_db
def test_the_search_looks_in_terms_and_meanings(client):
    letters = client.get("/games/spynet/glossary/", {"q": "ADD OWNER"}).context["letters"]
    assert letters == []
    letters = client.get("/games/spynet/glossary/", {"q": "owner power"}).context["letters"]
    assert [entry.term for _, entries in letters for entry in entries] == ["Agent"]


@pytest.mark.django_db
@pytest.mark.parametrize("sought", ["<b>", "x" * 5_000, "\x01", "²", "{{ 1 }}"])
def test_strange_words_in_the_search_are_answered_and_escaped(client, sought):
    page = client.get("/games/spynet/glossary/", {"q": sought})
    assert page.status_code == 200 and b"<b>" not in page.content and len(page.content) < 60_000


def test_the_json_of_a_glossary_carries_the_credit():
    entries = glossary_json(games()["agentdecker"])
    assert all(entry["credit"]["licence"] == "CC BY-NC 4.0" and entry["source"]["lines"] for entry in entries)

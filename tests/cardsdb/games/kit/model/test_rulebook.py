"""The glossary of each game: sources, letters, the terms that a card's page explains, and its search."""

import re

import pytest

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
    # The article of a term does not count in the alphabet.
    assert "T" not in {entry.letter for entry in game.glossary if entry.term.startswith("The ")}


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
@pytest.mark.parametrize(("sought", "terms"), [("ADD OWNER", []), ("owner power", ["Agent"])])
def test_the_search_looks_in_terms_and_meanings(client, sought, terms):
    letters = client.get("/games/spynet/glossary/", {"q": sought}).context["letters"]
    assert [entry.term for _, entries in letters for entry in entries] == terms


@pytest.mark.django_db
@pytest.mark.parametrize("sought", ["<b>", "x" * 5_000, "\x01", "²", "{{ 1 }}"])
def test_strange_words_in_the_search_are_answered_and_escaped(client, sought):
    page = client.get("/games/spynet/glossary/", {"q": sought})
    assert page.status_code == 200 and b"<b>" not in page.content and len(page.content) < 60_000

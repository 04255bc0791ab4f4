"""``GameFolder``: names of what the folder declares or no longer declares, addresses of documents, and the
digest of cards.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit.folder.contents import digest_of

SPYCRAFT, AGENT_DECKER = games()["spycraft"], games()["agentdecker"]


@pytest.mark.parametrize("word", ["copies_at_least", "Copies at least", " COPIES-AT-LEAST "])
def test_a_fact_is_named_in_any_case_with_spaces_hyphens_or_underscores(word):
    fact = games()["spynet"].fact_named(word)
    assert fact and fact.title == "Copies at least"


def test_a_word_that_names_no_fact_gives_none():
    assert SPYCRAFT.fact_named("shoe size") is None


def test_a_type_without_a_slug_is_that_of_an_unknown_card():
    assert SPYCRAFT.type_named("").name == "Unknown card"


def test_a_document_that_is_shown_whole_has_an_address_on_the_site_with_its_first_line():
    (key,) = (key for key, document in AGENT_DECKER.documents.items() if document.file)
    address = f"/games/agentdecker/documents/{key}/"
    assert AGENT_DECKER.address_of(key) == address
    assert AGENT_DECKER.address_of(key, "12-14, 20") == f"{address}#line-12"


def test_a_document_that_is_not_declared_has_no_address():
    assert SPYCRAFT.address_of("old-list", "3") == ""


def test_other_cards_may_stand_in_for_those_of_the_folder_without_changing_its_digest(sixth_game):
    copy = sixth_game.with_cards(sixth_game.cards[:1])
    assert copy.cards == sixth_game.cards[:1]
    assert copy.folder_digest == sixth_game.folder_digest


def test_the_digest_depends_on_what_cards_are_and_not_on_their_order(sixth_game):
    cards = sixth_game.cards
    assert digest_of(reversed(cards)) == digest_of(cards)
    assert digest_of((replace(cards[0], note="Changed."), *cards[1:])) != digest_of(cards)

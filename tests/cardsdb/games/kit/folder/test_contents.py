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
    assert games()["spynet"].fact_named(f"{word} 2") is None


def test_a_type_without_a_slug_is_that_of_an_unknown_card():
    assert SPYCRAFT.type_named("").name == "Unknown card"


def test_a_document_that_is_shown_whole_has_an_address_on_the_site_with_its_first_line():
    (key,) = (key for key, document in AGENT_DECKER.documents.items() if document.file)
    address = f"/games/agentdecker/documents/{key}/"
    assert AGENT_DECKER.address_of(key) == address
    assert AGENT_DECKER.address_of(key, "12-14, 20") == f"{address}#line-12"
    assert SPYCRAFT.address_of("old-list", "3") == ""  # a document that is not declared


def test_the_digest_of_a_folder_depends_on_what_its_cards_are_and_not_on_their_order(sixth_game):
    cards = sixth_game.cards
    assert sixth_game.folder_digest == digest_of(cards) == digest_of(reversed(cards))
    assert digest_of((replace(cards[0], note="Changed."), *cards[1:])) != digest_of(cards)
    # Other cards may stand in for those of the folder.
    copy = sixth_game.with_cards(cards[:1])
    assert (copy.cards, copy.folder_digest) == (cards[:1], digest_of(cards))

"""What the lines of the games' ``effects.csv`` must keep besides the contract."""

import pytest

from cardsdb.games import games
from tests.support.game_folders import own_games

EVERY_GAME = pytest.mark.parametrize("slug", own_games())


@EVERY_GAME
def test_only_entries_that_are_no_cards_have_a_sentence_instead_of_lines(slug):
    game = games()[slug]
    sentences = [card for card in game.cards if card.text and not card.facts.get("does")]
    assert [card.code for card in sentences if game.types_by_slug[card.type].in_decks] == []


@EVERY_GAME
def test_every_explained_word_occurs_in_a_line(slug):
    game = games()[slug]
    words = game.effect_words
    assert words
    lines = "\n".join(card.text for card in game.cards)
    assert [word for word in (*words.moments, *words.verbs, *words.targets) if word not in lines] == []


def test_the_bonuses_of_steam_spys_lines_are_those_of_its_facts():
    cards = [card for card in games()["steamspy"].cards if card.type in ("corporation", "organisation")]
    assert len(cards) == 12
    for card in cards:
        (encounter,) = card.words("encounter_type")
        kind = "skill" if card.type == "corporation" else "action"
        assert f"any {encounter} {kind} of own character +{card.number(f'{kind}_bonus')}" in card.text
        for trait in card.words("trait"):
            assert f"{trait} +{card.number('trait_bonus')}" in card.text

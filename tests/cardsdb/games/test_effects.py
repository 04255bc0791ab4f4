"""What the games' own lines must keep besides the contract."""

import pytest

from cardsdb.games import games
from tests.support.game_folders import own_games

EVERY_GAME = pytest.mark.parametrize("slug", own_games())


@EVERY_GAME
def test_what_a_card_does_is_told_in_lines_and_only_what_is_no_card_in_a_sentence(slug):
    game = games()[slug]
    sentences = [card for card in game.cards if card.text and not card.facts.get("does")]
    assert [card.code for card in sentences if game.types_by_slug[card.type].in_decks] == []


@EVERY_GAME
def test_no_word_is_explained_that_no_line_has(slug):
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
        what, bonus = (
            ("skill", card.number("skill_bonus"))
            if card.type == "corporation"
            else ("action", card.number("action_bonus"))
        )
        assert f"any {encounter} {what} of own character +{bonus}" in card.text
        for trait in card.words("trait"):
            assert f"{trait} +{card.number('trait_bonus')}" in card.text

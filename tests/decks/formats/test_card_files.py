"""Files of cards hold their facts and texts, and each can be brought again: every card finds itself and its
text.
"""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from cardsdb.box.comparing import compare
from cardsdb.box.reading.container import open_file
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.rows import guessed
from cardsdb.games import games
from decks.formats.card_files import CARD_FILES, card_database

TEXTS = ("Zeppelin.\nSecond line.", '=1+1, "quoted"; <b>&amp;', "Tab\tand\u2019s \u2014 Łódź")
CHOSEN = {
    slug: [card for card in games()[slug].cards if games()[slug].type_named(card.type).in_decks][:30]
    for slug in games()
}


@pytest.mark.parametrize("slug", sorted(games()))
@pytest.mark.parametrize("name", sorted(CARD_FILES))
def test_what_is_written_can_be_brought_again(name: str, slug: str) -> None:
    game, kind = games()[slug], CARD_FILES[name]
    cards = [
        replace(card, text=TEXTS[number % 3].replace("<b>&amp;", "[KEY]"), sentences=())
        for number, card in enumerate(CHOSEN[slug])
    ]
    file = f"cards{kind.suffix}"
    package = package_of(open_file(io.BytesIO(kind.write(game, cards).encode()), file), file)
    found = compare(package, game, guessed(package, game), None)
    wanted = {card.code: " ".join(card.text.split()) for card in cards}
    read = {code: " ".join(new.text.split()) for code, new in found.texts.items()}
    twins = {card.code for card in cards if sum(other.name == card.name for other in game.cards) > 1}
    assert {code: text for code, text in read.items() if code not in twins} == {
        c: t for c, t in wanted.items() if c not in twins
    }
    assert not [problem for problem in found.not_understood if "may be" not in problem.reason]


def test_a_formula_is_none_in_a_table() -> None:
    card = replace(CHOSEN["spycraft"][0], text="=1+1", sentences=())
    assert "'=1+1" in CARD_FILES["csv"].write(games()["spycraft"], [card])


def test_agent_deckers_cards_carry_their_credit() -> None:
    for kind in CARD_FILES.values():
        assert "Manuel Correia" in kind.write(games()["agentdecker"], CHOSEN["agentdecker"][:1])


def test_the_card_file_of_a_game_and_of_all_its_cards_is_the_same() -> None:
    game = games()["spynet"]
    assert card_database(game, game.cards) == CARD_FILES["cockatrice"].write(game, game.cards)

"""The terms that every game's view has: what speaks for a card beside those of a deck. Roles, needs and
proposals are tested in ``tests/cardsdb/games/kit/complete``.
"""

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry
from cardsdb.games.kit.play.roles import View

XFILES = games()["xfiles"]
HEALERS = [card for card in XFILES.cards if card.type == "event" and card.words("does") == ("heal",)]


def view_of(*cards):
    return View(XFILES.cards, Decklist(tuple(Entry(card, 1, "bureau") for card in cards)), "")


def test_a_card_that_does_what_none_of_its_type_does_here_says_its_first_two_deeds():
    several = next(card for card in XFILES.cards if len(card.words("does")) > 2)
    assert view_of().new(several) == (True, " and ".join(several.words("does")[:2]))


def test_what_another_card_of_its_type_does_here_is_not_new_and_of_another_type_is():
    first, second = HEALERS[:2]
    assert view_of(first).new(second) == (False, "")
    other = next(card for card in XFILES.cards if card.type != "event" and "heal" in card.words("does"))
    assert view_of(other).new(second) == (True, "heal")


def test_a_card_goes_with_one_that_its_text_names_and_not_with_others():
    shutting = next(card for card in XFILES.cards if card.name == "Shutting Down The X-Files")
    mulder = next(card for card in XFILES.cards if card.name == "Agent Fox Mulder")
    assert view_of(mulder).partner(shutting) == (2, "Agent Fox Mulder")
    assert view_of().partner(shutting)[0] < 0

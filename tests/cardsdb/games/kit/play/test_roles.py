"""The terms ``new`` and ``partner``, which the ``View`` of every game has. Roles, needs and proposals are
tested in ``tests/cardsdb/games/kit/complete``.
"""

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry
from cardsdb.games.kit.play.roles import View

XFILES = games()["xfiles"]
HEALERS = [card for card in XFILES.cards if card.type == "event" and card.words("does") == ("heal",)]


def view_of(*cards):
    return View(XFILES.cards, Decklist(tuple(Entry(card, 1, "bureau") for card in cards)), "")


def test_verbs_that_no_card_of_the_type_has_are_new_and_the_first_two_are_named():
    several = next(card for card in XFILES.cards if len(card.words("does")) > 2)
    assert view_of().new(several) == (True, " and ".join(several.words("does")[:2]))
    first, second = HEALERS[:2]
    assert view_of(first).new(second) == (False, "")
    other = next(card for card in XFILES.cards if card.type != "event" and "heal" in card.words("does"))
    assert view_of(other).new(second) == (True, "heal")


def test_a_card_is_the_partner_of_a_card_that_its_text_names_and_of_no_other():
    shutting = next(card for card in XFILES.cards if card.name == "Shutting Down The X-Files")
    mulder = next(card for card in XFILES.cards if card.name == "Agent Fox Mulder")
    assert view_of(mulder).partner(shutting) == (2, "Agent Fox Mulder")
    assert view_of().partner(shutting)[0] < 0

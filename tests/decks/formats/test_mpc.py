"""Print orders for MPC Autofill: every slot is filled once, and orders are read by their slots."""

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import export, read_any
from tests.support.awkward_names import NAMES, codes, everything, tree
from tests.support.deck_files import cards


def test_mpc_fills_every_slot_once(game):
    reading = everything(game)
    written = export("mpc", game, reading)
    root = tree(written)
    assert [child.tag for child in root] == ["details", "fronts", "cardback"]
    slots = [int(slot) for text in root.iter("slots") for slot in (text.text or "").split(",")]
    assert sorted(slots) == list(range(reading.deck.size))
    assert root.findtext("details/quantity") == str(reading.deck.size)
    twoshy = next(card for card in root.iter("card") if card.findtext("query") == "2Shy")
    assert (twoshy.findtext("id"), twoshy.findtext("sourceType")) == ("cards/c3.png", "Local File")
    assert len((twoshy.findtext("slots") or "").split(",")) == 5
    assert codes(written)["section_folded"] == 2


def test_mpc_gives_written_in_cards_of_one_name_their_own_pictures(game):
    reading = read_deck(game, "Deck:\n1 Zoë | agent | level: 1\nSideboard:\n1 Zoë | agent | level: 2")
    names = [name.text for name in tree(export("mpc", game, reading)).iter("name")]
    assert len(names) == 2
    assert names[1] == (names[0] or "").replace(".png", "-2.png")


def test_mpc_says_when_an_order_is_too_large(game):
    names = "\n".join(f"90 {name}" for name in NAMES[:7])
    assert codes(export("mpc", game, read_deck(game, names)))["order_too_large"] == 1


def test_mpc_counts_copies_by_slots():
    text = (
        "<order><details><quantity>5</quantity><bracket>18</bracket></details><fronts><card><id>1OAw4</id><slots>3,0</slots>"
        "<name>Kai (Bold).png</name><query>kai</query></card>"
        "<card><id>cards/termite.png</id><slots>1</slots><name>termite.png</name></card></fronts>"
        "<cardback>16g</cardback></order>"
    )
    read = read_any(games()["spycraft"], text.encode(), "")
    assert cards(read.reading) == [(2, "Kai"), (1, "Termite")]
    assert [loss.code for loss in read.losses] == ["slots_unfilled"]

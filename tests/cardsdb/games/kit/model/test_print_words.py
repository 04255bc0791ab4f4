"""Words behind a card's name in a list: a print, a cost, or a number that may be a count."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.print_words import set_codes

AURA = "Aura Of Invulnerability"
# (words behind the name, label of the print)
PRINTS = [
    ("(TRU) 1", "TRU 1"),
    ("(TRU 1)", "TRU 1"),
    ("[TRU#1/354]", "TRU 1"),
    ("TRU 001/354", "TRU 1"),
    ("(The Truth Is Out There) 1", "TRU 1"),
    ("- Premiere Edition", "PRE 1"),
    ("(premiere)", "PRE 1"),
    ("(XF97-0001v2)", "TRU 1"),
]
# (words behind the name, what the notice says is not known)
UNKNOWN = [
    ("(TRU) 99", "99"),
    ("(Promotional cards)", "pro"),
    ("(101361) 3", "x1 3"),
    ("(Set1 #1821)", "set1 1821"),
    ("#12 #blue", "12"),
    ("[ZZZ]", "zzz"),
]


def xfiles(text: str) -> Reading:
    return read_deck(games()["xfiles"], text)


@pytest.mark.parametrize(("words", "label"), PRINTS, ids=[words for words, _ in PRINTS])
def test_a_print_is_known_by_its_set_number_or_code(words, label):
    reading = xfiles(f"2 {AURA} {words}")
    assert [(entry.count, entry.marks.prints.label) for entry in reading.deck] == [(2, label)]
    assert (reading.notices, reading.unread) == ((), ())


@pytest.mark.parametrize(("words", "ignored"), UNKNOWN, ids=[words for words, _ in UNKNOWN])
def test_an_unknown_print_is_told_and_is_no_tag(words, ignored):
    reading = xfiles(f"2 {AURA} {words}")
    (notice,), (entry,) = reading.notices, reading.deck
    assert notice.message.startswith(f"No print “{ignored}” of {AURA} is known")
    assert (entry.count, entry.marks.tags) == (2, ("blue",) * words.count("blue"))


def test_a_set_is_known_by_its_code_its_name_and_a_long_first_word():
    assert set_codes({"PRE": "Premiere Edition"}) == {
        "premiere-edition": "pre",
        "premiere": "pre",
        "pre": "pre",
    }
    assert set_codes({"OT": "On Target"}) == {"on-target": "ot", "ot": "ot"}


@pytest.mark.parametrize("line", ["2 XF97-0001v2", "2 TRU 1", "2 xf97-0001V2 #blue"])
def test_a_print_alone_names_its_card(line):
    (entry,) = xfiles(line).deck
    assert (entry.count, entry.card.name, entry.marks.prints.label) == (2, AURA, "TRU 1")


def test_every_print_is_read_by_its_set_and_number_and_by_its_code():
    game = games()["xfiles"]
    prints = [(card, print_) for card in game.cards for print_ in card.prints]
    for card, print_ in prints:
        label = card.print_meant(print_.set, print_.number or print_.code)
        for words in filter(None, (f"({print_.set}) {print_.number}", print_.code)):
            (entry,) = read_deck(game, f"2 {card.name} {words}").deck
            assert (entry.card, entry.marks.prints.label) == (card, label)


@pytest.mark.parametrize("words", ["#4", "(qty 4)", "(No. 4)", "(quantity 4)"])
def test_a_line_without_a_count_but_with_a_number_behind_the_name_is_unread(words):
    reading = xfiles(f"{AURA} {words}")
    assert [unread.text for unread in reading.unread] == [f"{AURA} {words}"]


@pytest.mark.parametrize(
    ("words", "is_cost"),
    [
        *((words, True) for words in ("(0 RP)", "0 RP", ", 0 rp", "(0 RP) #blue")),
        *((words, False) for words in ("(4 RP)", "(0 CP)", "0 RP 4")),
    ],
)
def test_the_cost_of_a_card_and_no_other_may_stand_behind_its_name(words, is_cost):
    found = [(entry.count, entry.card.name) for entry in xfiles(f"2 First Aid {words}").deck]
    assert found == [(2, "First Aid")] * is_cost

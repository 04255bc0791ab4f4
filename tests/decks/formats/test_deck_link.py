"""Links that hold a whole deck: the deck survives, and a link that lost characters is refused."""

import re
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats.deck_link import BadLink, read_link, write_link

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]


def counts(deck: Decklist) -> list[tuple[str, str, int]]:
    return sorted((entry.section, entry.card.code, entry.count) for entry in deck)


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_every_starter_survives_its_link(game):
    for starter in game.starters:
        deck = read_deck(game, starter.text).deck
        address = write_link(game, deck, game.formats_by_slug[starter.format])
        linked = read_link(f"https://example.org/d/#{address}", games())
        again = read_deck(game, linked.text)
        assert counts(again.deck) == counts(deck), starter.slug
        assert (again.deck.name, dict(again.deck.details)) == (deck.name, dict(deck.details))
        assert (linked.game, again.format) == (game.slug, starter.format)


CARDS = [card for card in XFILES.cards if card.type != "x-file"]


@given(
    st.lists(st.tuples(st.sampled_from(CARDS), st.integers(1, 99)), unique_by=lambda pair: pair[0].code),
    st.text(max_size=40),
)
@settings(max_examples=40, deadline=None)
def test_any_cards_and_names_survive_a_link(pairs, name):
    name = " ".join("".join(character for character in name if character.isprintable()).split())
    deck = Decklist(tuple(Entry(card, count, "bureau") for card, count in pairs), name=name)
    fragment = write_link(XFILES, deck, XFILES.formats[0], "D1.at_least=40")
    assert re.fullmatch(r"[A-Za-z0-9/._~%:=-]+", fragment), "every program takes it for part of the address"
    linked = read_link(fragment, games())
    assert (counts(read_deck(XFILES, linked.text).deck), linked.house) == (counts(deck), "D1.at_least=40")


def fragment() -> str:
    starter = next(starter for starter in SPYCRAFT.starters if starter.slug == "nine-tiger")
    deck = read_deck(SPYCRAFT, starter.text).deck
    return write_link(SPYCRAFT, deck, SPYCRAFT.formats_by_slug[starter.format])


WHOLE = fragment()


@given(st.integers(8, len(WHOLE) - 1), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_a_link_that_lost_characters_is_refused(cut, length):
    with pytest.raises(BadLink):
        read_link(WHOLE[:cut] + WHOLE[cut + length :], games())


def test_a_program_that_encodes_an_address_once_more_does_no_harm():
    encoded = WHOLE.replace(":", "%3A").replace("=", "%3D")
    assert encoded != WHOLE
    assert read_link(encoded, games()) == read_link(WHOLE, games())


@pytest.mark.parametrize("end", [".", ")", ").", ",", "”", " \n", ">"])
def test_punctuation_after_a_link_is_ignored(end):
    assert read_link(f"(https://example.org/d/#{WHOLE}{end}", games()) == read_link(WHOLE, games())


def with_checksum(body: str) -> str:
    return f"{body}/{crc32(body.encode()):08x}"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "begins with"),
        ("https://example.org/decks/abc/", "begins with"),
        ("cutout1/" + "a/" * 9_000, "longer than"),
        ("cutout1/chess/standard/2de7a6d6", "checksum"),
        (with_checksum("cutout1/chess/standard/kai"), "."),
        (with_checksum("cutout2/spycraft/agency/kai"), "."),
        (with_checksum("cutout1/spycraft"), "."),
        (with_checksum("cutout1/spycraft/agency/<b>"), "."),
    ],
)
def test_invalid_links_are_refused_with_a_message(address, words):
    with pytest.raises(BadLink, match=words):
        read_link(address, games())


def test_a_card_that_left_the_game_stays_in_the_text_by_its_code():
    linked = read_link(with_checksum("cutout1/spycraft/agency/deck:/2.kai/3.somebody-gone"), games())
    assert [unread.text for unread in read_deck(SPYCRAFT, linked.text).unread] == ["3 somebody-gone"]

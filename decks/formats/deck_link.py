"""A whole deck as the end of an address, readable without a database, and still in twenty years.

``decks/pages/sharing.py`` writes and reads such addresses with ``write_link`` and ``read_link``.

``cutout1/spycraft/agency/n=Nine%20Tiger/leaders:/li-cong/deck:/2.kai/3.shiatsu/5c0f91ab``

The words are separated by ``/``: the edition of this notation, the game, the format; then in any order

- ``n=`` the deck's name, ``h=`` its house rules, ``d=key=value`` a detail;
- ``section:`` the section of the cards that follow;
- cards: ``kai`` a code, ``2.kai`` two copies, ``eve~TRU%20154`` a print, ``w=Made%20Up%20%7C%20agent`` a
  written-in card, as a line of a list describes it.

The last word is the CRC-32 of everything before its ``/``, decoded, in eight hexadecimal digits. Text is
percent-encoded UTF-8. Notes and other marks are left out. Addresses of this edition are in use, so its
notation must not change: a change needs a new edition. Tests: ``tests/decks/formats/test_deck_link.py``.
"""

import re
from typing import NamedTuple
from urllib.parse import quote, unquote
from zlib import crc32

from cardsdb.games.kit import Decklist, Entry, Format, Game, Marks, Prints
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.listtext.line import line_for
from cardsdb.games.kit.model.decklist import by_print

EDITION = "cutout1"
# Characters of an address.
MAX_LINK = 16_000
# A card: "2.kai" (count, code), "eve~TRU 154" (code, print), "2.w=Made Up | agent" (count, written-in card).
_CARD = re.compile(
    r"(?:(?P<count>[1-9][0-9]?)\.)?(?:w=(?P<written>[^\n]+)|(?P<code>[a-z0-9][a-z0-9-]*)(?:~(?P<print>[\w"
    r" .-]{1,80}))?)"
)


class BadLink(ValueError):
    """The address is no deck. The message is for the person who opened it."""


class LinkedDeck(NamedTuple):
    """A deck read from an address: the slugs of its game and format, its list as text for ``read_deck``, and
    its house rules.
    """

    game: str
    format: str
    text: str
    house: str = ""


def write_link(game: Game, deck: Decklist, format: Format, house: str = "") -> str:
    """Return the deck as the part of an address after ``#``."""
    words = [EDITION, game.slug, format.slug]
    words += [f"n={_quoted(deck.name)}"] if deck.name else []
    words += [f"h={_quoted(house)}"] if house else []
    words += [f"d={_quoted(key)}={_quoted(str(value))}" for key, value in deck.details.items()]
    deck = by_print(deck)
    for section in dict.fromkeys(entry.section for entry in deck):
        words.append(f"{section}:")
        words += [_card(game, entry) for entry in deck.in_section(section)]
    body = "/".join(words)
    return f"{body}/{_checksum(body)}"


def read_link(address: str, games: dict[str, Game]) -> LinkedDeck:
    """Read the deck of an address, or of its part after ``#``. Raise BadLink. Cards that the game no longer
    has stay in the text as their codes.
    """
    body = _checked(address)
    # Some programs that pass addresses on also encode ":" and "=", so decode words before looking at them.
    edition, *words = map(unquote, body.split("/"))
    if edition != EDITION:
        raise BadLink("This address was made by a newer Cutout; open it there.")
    if len(words) < 2:
        raise BadLink("This address names no game and no format.")
    game = games.get(words[0])
    if game is None:
        raise BadLink(f"This deck is for a game “{words[0][:40]}”, which this site does not have.")
    return _deck(game, words[1], words[2:])


def _checked(address: str) -> str:
    """Return the address without its checksum. Raise BadLink if that is wrong: without it, an address that
    was cut off would look like a smaller deck.
    """
    # Punctuation of the sentence around an address is not part of it.
    fragment = re.sub(r"[^0-9a-zA-Z]+$", "", address.rpartition("#")[2])
    if len(fragment) > MAX_LINK:
        raise BadLink(f"This address is longer than {MAX_LINK:,} characters; no deck is.")
    # Compare without the number; ``read_link`` has the message for a newer edition.
    if not fragment.startswith(EDITION[:-1]):
        raise BadLink("This is not the address of a deck: there the part after # begins with “cutout1/”.")
    body, _, checksum = fragment.rpartition("/")
    if checksum.lower() != _checksum(body):
        raise BadLink(
            "A part of this address was lost or changed: its checksum is wrong. Copy the whole address again."
        )
    return body


def _checksum(body: str) -> str:
    """Return the checksum of the decoded text, since programs may encode it in another way."""
    return f"{crc32(unquote(body).encode()):08x}"


def _deck(game: Game, format: str, words: list[str]) -> LinkedDeck:
    """Return the deck that the words after game and format describe. Raise BadLink for an unknown word.

    A card is looked for before a section, because a written-in card may end with ``:``.
    """
    name = house = ""
    details: dict[str, int | str] = {}
    sections: dict[str, list[str]] = {}
    section = ""
    for word in words:
        if word.startswith("n="):
            name = " ".join(word[2:].split())
        elif word.startswith("h="):
            house = word[2:]
        elif word.startswith("d="):
            key, _, value = word[2:].partition("=")
            details[key] = value
        elif match := _CARD.fullmatch(word):
            sections.setdefault(section, []).append(_line(game, match))
        elif word.endswith(":"):
            section = word[:-1]
        else:
            raise BadLink(f"“{word[:40]}” in this address is not a card.")
    blocks = [write_deck(game, Decklist((), details, name), game.formats_by_slug.get(format)).strip()]
    for slug, lines in sections.items():
        # Under "Deck", cards of a section that the game no longer has go to the section for their type.
        known = game.sections_by_slug.get(slug)
        blocks.append("\n".join([f"{known.name if known else 'Deck'}:", *lines]))
    return LinkedDeck(game.slug, format, "\n\n".join(filter(None, blocks)) + "\n", house)


def _line(game: Game, match: re.Match[str]) -> str:
    """Return the card of an address as a line of a list."""
    count = int(match["count"] or 1)
    if match["written"]:
        return f"{count} {match['written']}"
    if card := game.card(match["code"]):
        return line_for(game, Entry(card, count, "", Marks(prints=Prints.of(match["print"] or ""))))
    return f"{count} {match['code']}"


def _card(game: Game, entry: Entry) -> str:
    """Return an entry as a word of an address."""
    count = f"{entry.count}." if entry.count > 1 else ""
    if not entry.card.written:
        prints = f"~{_quoted(str(entry.marks.prints))}" if entry.marks.prints else ""
        return count + entry.card.code + prints
    line = " ".join(line_for(game, Entry(entry.card, 1, "")).split())
    return f"{count}w={_quoted(line.partition(' ')[2])}"


def _quoted(text: str) -> str:
    return quote(text, safe="")

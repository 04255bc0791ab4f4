"""A pasted list, read: names that a misspelt line may mean, and the comments of a list as notes.

``judging.judge_text``, the editor, the forms, the API and the commands read lists with ``read_text``. Lines
are understood in ``cardsdb/games/kit/listtext``, where ``Reading`` and ``Unread`` are defined.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Format, Game, NameIndex
from cardsdb.games.kit.listtext.deck import ListTooLarge, read_deck
from cardsdb.games.kit.listtext.line import name_in
from cardsdb.games.kit.listtext.reading import Reading, Unread, split_heading
from cardsdb.games.kit.model.names import digits_of, surely_meant

# Unread lines that get suggestions of names: each search compares with every name of the game, and a list may
# have thousands of unread lines.
MAX_SUGGESTED = 30
# Names offered for a misspelt line, of the game's cards and of own cards each.
MAX_NAMES = 3
# The blank and the sign that begin a set, a number or a mark behind a name: ``Kai (ON) 12``, ``Kai #flex``.
_BEHIND = re.compile(r"\s[(\[#^]")


def read_text(
    game: Game, text: str, format: Format | None = None, also: Iterable[Card] = (), *, titled: bool = True
) -> Reading:
    """Read a pasted list, with suggestions for names that are unknown. Raise Refused with status 413 if it is
    too large.

    ``also``: retired and own cards that the list may name besides the cards of the game. ``titled``: see
    ``read_deck``.
    """
    also = tuple(also)
    try:
        reading = read_deck(game, text, format, also, titled=titled)
    except ListTooLarge as error:
        raise Refused(Fault("too_large", str(error), "text"), status=413) from None
    if not reading.unread:
        return reading
    own = NameIndex(also)
    first = (_with_suggestions(game, own, line) for line in reading.unread[:MAX_SUGGESTED])
    return replace(reading, unread=(*first, *reading.unread[MAX_SUGGESTED:]))


def _with_suggestions(game: Game, own: NameIndex, unread: Unread) -> Unread:
    """Return the line; if it names no known card, with names that it may mean.

    ``suggestions``: names of the ``own`` cards first, then of the game's. ``likely``: the name that the line
    surely means, else empty.
    """
    if unread.code != "unknown_card":
        return unread
    name = name_in(split_heading(game, unread.text)[1])
    # First without the text behind the name, then as it was typed. Both texts, and both indexes, may give the
    # same name; a dict keeps it once, in order.
    texts = dict.fromkeys((_BEHIND.split(name, maxsplit=1)[0], name))
    labels: dict[str, None] = {}
    for index in (own, game.name_index):
        cards = (card for text in texts for card in index.cards_like(text, MAX_NAMES))
        alike = dict.fromkeys(map(index.label, cards))
        labels |= dict.fromkeys([*alike][:MAX_NAMES])
    suggestions = tuple(labels)
    # Other digits mean another card: "Agent 7" is not a slip of "Agent 8".
    is_sole = len(suggestions) == 1 and digits_of(name) == digits_of(suggestions[0])
    likely = suggestions[0] if is_sole else surely_meant(name, suggestions)
    return replace(unread, suggestions=suggestions, likely=likely)


def with_comments(notes: str, reading: Reading) -> str:
    """Return the notes of a deck, followed by those comments of the list that are not yet lines of the
    notes.
    """
    known = notes.splitlines()
    new = (comment for comment in reading.comments if comment not in known)
    return "\n".join(filter(None, (notes, *new)))

"""The content of a deck as one immutable value, ``DeckContent``: everything that its author writes.

Edits (``edits.py``), comparing and merging (``diff.py``) and the history (``decks/saving``) all work on this
value. ``as_json`` writes one state of the history, ``content_of_json`` reads it; a change must still read the
states that sites have stored. ``refuse_beyond_limits``, which saving calls, keeps every deck small enough to
be stored, and to be sent back as text when it is edited. Tests: of limits
``tests/decks/core/test_content.py``, of JSON ``test_diff.py`` there, of secret cards
``tests/decks/models/test_deck.py``, of own cards ``tests/printing/web/test_own_cards.py``.
"""

import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import MAX_HOUSE_RULES, Card, CardType, Decklist, Entry, Game, Marks, Prints, Section
from cardsdb.games.kit.listtext.deck import MAX_BYTES, MAX_ENTRIES, write_deck
from cardsdb.games.kit.listtext.line import MAX_COUNT, WRITTEN_IN, covered_card, written_code
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.marks import MAX_NOTE, MAX_PRINTS, MAX_TAG, MAX_TAGS

# Characters; equal to the column lengths of ``Deck``, so a larger number needs a migration. Forms check them
# earlier, with friendlier messages; ``refuse_beyond_limits`` covers all other ways in, such as the API.
MAX_LENGTHS = {"name": 120, "notes": 5_000, "house rules": MAX_HOUSE_RULES}
# Bytes of JSON for one state of the history. A deck may keep hundreds of states.
MAX_STATE = 256 * 1024


@dataclass(frozen=True)
class DeckContent:
    """All that the author of a deck decides. Not included: its address, its owner, who may see it.

    ``deck`` holds the name, the cards with their marks, and the details; ``format`` is the slug of a format
    of the game; ``house`` is the stored text of the house rules and the league, empty for none.

    A new field of a deck needs, in this order:

    - here: the field, ``as_json``, ``content_of_json``, ``as_reading``, and its limit in ``_too_long``;
    - the table: a column and a migration, ``Deck._write`` and ``content`` in ``decks/models``;
    - edits: ``OtherChange.words`` and ``_stated`` in ``diff.py``, which compares and merges; ``described`` in
      ``edits.py``; ``Judged.content`` in ``judging.py``;
    - a line of a list, in ``cardsdb/games/kit/listtext``: ``Reading`` and the reader of ``deck.py``, with
      ``DeckComments`` in ``kit/model/marks.py``;
    - files, in ``decks/formats``: ``Parsed``, ``json_deck.py``, ``tables.py``, ``text.py``, ``placing.py``,
      and ``notes.py`` for all formats that have no place for it;
    - pages: ``SettingsForm`` in ``decks/web/forms.py`` and its template, ``deck_settings``, ``_save``,
      ``_form_after`` and ``_with_theirs`` in ``decks/editor/form_pages.py``, the page of a deck;
    - the API: ``DeckSerializer``, ``store`` and ``_whole`` in ``decks/api``, ``[StoredDeck]`` and
      ``[Content]`` in ``answers.toml``; CONTRIBUTING.md says how its samples are made anew;
    - papers: ``docs/api.md``, ``docs/commands.md``, ``CHANGELOG.md``.

    Empty is ``""`` or ``()``, of a number None, since 0 may be a value: ``form_pages.py`` tells these as
    none. States of the history from before the field lack its key: ``content_of_json`` reads it with ``get``,
    and their JSON stays as it is if ``as_json`` leaves out an empty value.

    Tests: ``with_all_marks`` in ``tests/decks/formats/test_writing.py`` and the deck with all fields in
    ``tests/decks/pages/test_sharing.py``, which fails until each is in files; ``core/test_diff.py``,
    ``saving/test_stale_pages.py``, ``editor/test_form_pages.py``, ``api/test_decks.py`` and
    ``pages/test_deck.py`` there.
    """

    deck: Decklist
    format: str
    house: str = ""
    notes: str = ""
    tags: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the content as JSON for the history. A card of the catalogue is stored as its code only, a
        card that was written in with all its facts (``written_json``). For example::

            {"name": "Dragons", "format": "agency", "house": "", "notes": "", "tags": [], "details": {},
             "lines": [{"section": "deck", "count": 2, "code": "kai", "tags": ["flex"]}]}
        """
        return {
            "name": self.deck.name,
            "format": self.format,
            "house": self.house,
            "notes": self.notes,
            "tags": list(self.tags),
            "details": dict(self.deck.details),
            "lines": [_line(entry) for entry in self.deck],
        }

    def as_reading(self) -> Reading:
        """Return the content as ``export`` (``decks/formats``) writes it to a file."""
        notes = "\n".join(self.notes.splitlines())
        return Reading(self.deck, format=self.format, notes=notes, tags=self.tags, house=self.house)


def content_of_json(
    game: str, data: Mapping[str, Any], card_named: Callable[[str], Card | None]
) -> DeckContent:
    """Return the content that ``as_json`` wrote.

    ``card_named`` maps a code to a card of the game, or to None if the game no longer has it. Such a card
    stays in the deck, with its code as its name.
    """
    entries = []
    for line in data["lines"]:
        if "written" in line:
            card = written_card(game, line["written"])
        else:
            code = line["code"]
            card = card_named(code) or Card(game, code, code, "", written=True)
        tags, prints = tuple(line.get("tags", ())), Prints.read(line.get("print", ""))
        marks = Marks(line.get("note", ""), tags, line.get("keep", False), prints)
        entries.append(Entry(card, line["count"], line["section"], marks))
    deck = Decklist(tuple(entries), data["details"], data["name"])
    return DeckContent(deck, data["format"], data["house"], data["notes"], tuple(data["tags"]))


def written_json(card: Card) -> dict[str, Any]:
    """Return the JSON of a card that the author of a list wrote in. ``written_card`` is its inverse."""
    facts = {key: list(value) if isinstance(value, tuple) else value for key, value in card.facts.items()}
    return {"code": card.code, "name": card.name, "type": card.type, "facts": facts}


def short_json(card: Card) -> dict[str, Any]:
    """Return ``{"card": key, "name": name}``; the key is None for a card that was written in."""
    return {"card": None if card.written else card.key, "name": card.name}


def written_card(game: str, data: Mapping[str, Any]) -> Card:
    """Return the written-in card that ``written_json`` stored."""
    facts = {key: tuple(value) if isinstance(value, list) else value for key, value in data["facts"].items()}
    # The key "" of ``sources`` is for the whole card.
    return Card(
        game, data["code"], data["name"], data["type"], facts, sources={"": (WRITTEN_IN,)}, written=True
    )


def name_alone(card: Card) -> Card:
    """Return a copy of an own card that keeps only its name and type, for visitors who may not see its
    set.
    """
    return written_card(
        card.game, {"code": written_code(card.name), "name": card.name, "type": card.type, "facts": {}}
    )


def with_names_alone(entries: Iterable[Entry], codes: Collection[str]) -> tuple[Entry, ...]:
    """Return the entries, with the cards of these codes reduced by ``name_alone``."""
    return tuple(
        replace(entry, card=name_alone(entry.card)) if entry.card.code in codes else entry
        for entry in entries
    )


def _line(entry: Entry) -> dict[str, Any]:
    """Return the JSON of an entry. Empty marks are left out to keep states small."""
    card, marks = entry.card, entry.marks
    line: dict[str, Any] = {"section": entry.section, "count": entry.count}
    line |= {"written": written_json(card)} if card.written else {"code": card.code}
    line |= {"note": marks.note} if marks.note else {}
    line |= {"tags": list(marks.tags)} if marks.tags else {}
    line |= {"print": str(marks.prints)} if marks.prints else {}
    line |= {"keep": True} if marks.keep else {}
    return line


def by_type(
    game: Game, section: Section, entries: Iterable[Entry]
) -> list[tuple[CardType, tuple[Entry, ...]]]:
    """Group a section's entries by card type. Return (type, its entries) for each type that occurs.

    Types stand in the order of the game. Within a type, entries are sorted by the fact that the section names
    as its ``order``, else they stay in the order of the list.
    """
    by_slug: dict[str, list[Entry]] = {}
    for entry in entries:
        by_slug.setdefault(entry.card.type, []).append(entry)
    # A retired card may have a type that the game no longer has; such a type comes last.
    slugs = dict.fromkeys([*game.types_by_slug, *by_slug])
    return [
        (game.type_named(slug), tuple(_ordered(section, by_slug[slug]))) for slug in slugs if slug in by_slug
    ]


def _ordered(section: Section, entries: list[Entry]) -> list[Entry]:
    """Return the entries sorted by the section's number, lowest first; cards without that number come
    last.
    """

    def sort_key(entry: Entry) -> float:
        number = entry.card.number(section.order) if section.order else None
        return math.inf if number is None else number

    return sorted(entries, key=sort_key)


# -- secret cards, such as the X-File of an X-Files deck ---------------------------------


def without_secrets(game: Game, deck: Decklist) -> Decklist:
    """Return the deck without its secret cards, as a stranger may see it."""
    return replace(
        deck, entries=tuple(entry for entry in deck if not game.is_secret(entry.section, entry.card.type))
    )


def with_secrets_covered(game: Game, deck: Decklist) -> Decklist:
    """Return the deck with secret cards replaced by nameless cards of the same type: of the X-Files card
    ``1 Duane Barry`` strangers see ``1 A secret X-File``.

    So a stranger's deck keeps its size, but does not tell which cards are secret. Covered cards of one
    section and type become one entry. Secret cards of unknown type are left out.
    """
    # Key -> entry; entries with the same key are joined.
    entries: dict[tuple[object, ...], Entry] = {}
    for place, entry in enumerate(deck):
        if game.is_secret(entry.section, entry.card.type):
            if not entry.card.type:
                continue
            entry = Entry(covered_card(game, entry.card.type), entry.count, entry.section)
        # An open card is never joined with another: its place in the deck is a key that no other entry has.
        key = (entry.section, entry.card.code) if entry.card.covered else (place,)
        if key in entries:
            entry = replace(entry, count=entry.count + entries[key].count)
        entries[key] = entry
    return replace(deck, entries=tuple(entries.values()))


# -- limits of size --------------------------------------------------------------


def refuse_beyond_limits(game: Game, content: DeckContent) -> None:
    """Raise Refused if the content is too long for a column, for one state of the history, or to be sent as a
    list.
    """
    if faults := list(_too_long(content)):
        raise Refused(*faults)
    text = write_deck(game, content.deck, game.formats_by_slug.get(content.format))
    # Browsers send each line end as two bytes, CR and LF.
    list_bytes = len(text.encode("utf-8", "replace")) + text.count("\n")
    state_bytes = len(json.dumps(content.as_json()))
    if list_bytes > MAX_BYTES or state_bytes > MAX_STATE:
        # Both limits are equal.
        sentence = (
            f"With its notes and tags the deck would have {max(list_bytes, state_bytes) // 1024 + 1:,} KB;"
            f" there is room for {MAX_BYTES // 1024}. Shorten notes, remove tags, or make two decks of it."
        )
        raise Refused(Fault("too_large", sentence, "text"))


def _too_long(content: DeckContent) -> Iterator[Fault]:
    """Yield a fault for each text, count or mark that is beyond its limit."""
    texts = {"name": content.deck.name, "notes": content.notes, "house rules": content.house}
    for label, text in texts.items():
        if len(text) > (most := MAX_LENGTHS[label]):
            yield Fault(
                "too_long", f"The {label} may have {most:,} characters; these are {len(text):,}.", label
            )
    if len(content.deck.entries) > MAX_ENTRIES:
        yield Fault("too_many_cards", f"A deck holds {MAX_ENTRIES:,} different cards at most.", "text")
    for entry in content.deck:
        name, count, marks = entry.card.name, entry.count, entry.marks
        if not 1 <= count <= MAX_COUNT:
            yield Fault("bad_count", f"{name}: 1 to {MAX_COUNT} copies, not {count}.", "count")
        if len(str(marks.prints)) > MAX_PRINTS:
            yield Fault("too_long", f"The prints of {name} may have {MAX_PRINTS} characters.", "print")
        if len(marks.note) > MAX_NOTE:
            yield Fault("too_long", f"The note on {name} may have {MAX_NOTE} characters.", "note")
    for tags in (content.tags, *(entry.marks.tags for entry in content.deck)):
        if len(tags) > MAX_TAGS or any(len(tag) > MAX_TAG for tag in tags):
            yield Fault("too_long", f"At most {MAX_TAGS} tags of {MAX_TAG} characters each.", "tags")

"""All that an author writes of a deck, as one value, which is edited, compared, merged and stored in the
deck's history.

It is bounded so that every column has room for it and its text can be sent back to be saved: what is stored
can be edited.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import MAX_HOUSE_RULES, Card, CardType, Decklist, Entry, Game, Marks, Prints, Section
from cardsdb.games.kit.listtext.deck import MAX_BYTES, MAX_ENTRIES, write_deck
from cardsdb.games.kit.listtext.line import MAX_COUNT, WRITTEN_IN, covered_card, written_code
from cardsdb.games.kit.model.marks import MAX_NOTE, MAX_PRINTS, MAX_TAG, MAX_TAGS

# The lengths of the columns of ``Deck``, where a longer one wants a migration. Forms refuse more in kinder
# words; this bounds what comes by other ways.
MAX_LENGTHS = {"name": 120, "notes": 5_000, "house rules": MAX_HOUSE_RULES}
# Bytes of one state in the history, which holds hundreds of them.
MAX_STATE = 256 * 1024


@dataclass(frozen=True)
class DeckContent:
    """A deck without its address and its readers: the list with details, name and marks, the format, house
    rules, notes, tags.
    """

    deck: Decklist
    format: str
    house: str = ""
    notes: str = ""
    tags: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The JSON that ``content_of_json`` reads. Cards of the catalogue stand by their code alone."""
        return {
            "name": self.deck.name,
            "format": self.format,
            "house": self.house,
            "notes": self.notes,
            "tags": list(self.tags),
            "details": dict(self.deck.details),
            "lines": [_line(entry) for entry in self.deck],
        }


def content_of_json(
    game: str, data: Mapping[str, Any], card_named: Callable[[str], Card | None]
) -> DeckContent:
    """The content that ``as_json`` wrote. ``card_named``: code -> card of the game; a card that is gone keeps
    its code as its name.
    """
    entries = []
    for line in data["lines"]:
        if "written" in line:
            card = written_card(game, line["written"])
        else:
            code = line["code"]
            card = card_named(code) or Card(game, code, code, "", written=True)
        note, tags, prints = (
            line.get("note", ""),
            tuple(line.get("tags", ())),
            Prints.read(line.get("print", "")),
        )
        marks = Marks(note, tags, line.get("keep", False), prints)
        entries.append(Entry(card, line["count"], line["section"], marks))
    deck = Decklist(tuple(entries), data["details"], data["name"])
    return DeckContent(deck, data["format"], data["house"], data["notes"], tuple(data["tags"]))


def written_json(card: Card) -> dict[str, Any]:
    """The JSON of a card that the list's author wrote in; ``written_card`` reads it."""
    facts = {key: list(value) if isinstance(value, tuple) else value for key, value in card.facts.items()}
    return {"code": card.code, "name": card.name, "type": card.type, "facts": facts}


def short_json(card: Card) -> dict[str, Any]:
    """The JSON of a card in short: its key, None of one that was written in, and its name."""
    return {"card": None if card.written else card.key, "name": card.name}


def written_card(game: str, data: Mapping[str, Any]) -> Card:
    facts = {key: tuple(value) if isinstance(value, list) else value for key, value in data["facts"].items()}
    return Card(
        game, data["code"], data["name"], data["type"], facts, sources={"": (WRITTEN_IN,)}, written=True
    )


def name_alone(card: Card) -> Card:
    """An own card for visitors who may not see its set: written in by its name and its type."""
    return written_card(
        card.game, {"code": written_code(card.name), "name": card.name, "type": card.type, "facts": {}}
    )


def with_names_alone(entries: Iterable[Entry], codes: Collection[str]) -> tuple[Entry, ...]:
    """The entries with the names alone of the cards of these codes."""
    return tuple(
        replace(one, card=name_alone(one.card)) if one.card.code in codes else one for one in entries
    )


def _line(entry: Entry) -> dict[str, Any]:
    card, marks = entry.card, entry.marks
    line: dict[str, Any] = {"section": entry.section, "count": entry.count}
    line |= {"written": written_json(card)} if card.written else {"code": card.code}
    line |= {"note": marks.note} if marks.note else {}
    line |= {"tags": list(marks.tags)} if marks.tags else {}
    line |= {"print": str(marks.prints)} if marks.prints else {}
    return line | ({"keep": True} if marks.keep else {})


def by_type(
    game: Game, section: Section, entries: Iterable[Entry]
) -> list[tuple[CardType, tuple[Entry, ...]]]:
    """The types that the section has cards of, each with its lines, ordered by the section's number if it has
    one, else as written.
    """
    by_slug: dict[str, list[Entry]] = {}
    for entry in entries:
        by_slug.setdefault(entry.card.type, []).append(entry)
    # A retired card may be of a type that the game no longer has; such a type comes last.
    order = [slug for slug in dict.fromkeys([*game.types_by_slug, *by_slug]) if slug in by_slug]
    return [(game.type_named(slug), tuple(_ordered(section, by_slug[slug]))) for slug in order]


def _ordered(section: Section, entries: list[Entry]) -> list[Entry]:
    """The entries by the section's number, least first; cards without the number come last."""

    def place(entry: Entry) -> tuple[bool, float]:
        value = entry.card.facts.get(section.order) if section.order else None
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        return (True, 0) if number is None else (False, number)

    return sorted(entries, key=place)


# -- what a stranger may see ---------------------------------------------------------


def without_secrets(game: Game, deck: Decklist) -> Decklist:
    """The deck as a stranger may see it."""
    return replace(
        deck, entries=tuple(entry for entry in deck if not game.is_secret(entry.section, entry.card.type))
    )


def with_secrets_covered(game: Game, deck: Decklist) -> Decklist:
    """The deck with a card of its type alone in the place of each that a stranger may not see: it counts, and
    is not told.
    """
    entries: dict[tuple[str, str], Entry] = {}
    for entry in deck:
        if game.is_secret(entry.section, entry.card.type):
            if not entry.card.type:
                continue
            entry = Entry(covered_card(game, entry.card.type), entry.count, entry.section)
        key = (entry.section, entry.card.code) if entry.card.covered else ("", str(len(entries)))
        entries[key] = replace(entry, count=entry.count + entries[key].count) if key in entries else entry
    return replace(deck, entries=tuple(entries.values()))


# -- how large a deck may be -----------------------------------------------------


def refuse_beyond_limits(game: Game, content: DeckContent) -> None:
    """Raises Refused for content that is too long for a column, for a state of the history, or to be sent as
    a list.
    """
    if faults := list(_too_long(content)):
        raise Refused(*faults)
    text = write_deck(game, content.deck, game.formats_by_slug.get(content.format))
    # A form sends each end of a line as two characters.
    listed = len(text.encode("utf-8", "replace")) + text.count("\n")
    state = len(json.dumps(content.as_json()))
    if listed > MAX_BYTES or state > MAX_STATE:
        sentence = (
            f"With its notes and tags the deck would have {max(listed, state) // 1024 + 1:,} KB; there"
            f" is room for {MAX_BYTES // 1024}. Shorten notes, remove tags, or make two decks of it."
        )
        raise Refused(Fault("too_large", sentence, "text"))


def _too_long(content: DeckContent) -> Iterator[Fault]:
    texts = {"name": content.deck.name, "notes": content.notes, "house rules": content.house}
    for what, text in texts.items():
        if len(text) > (most := MAX_LENGTHS[what]):
            yield Fault(
                "too_long", f"The {what} may have {most:,} characters; these are {len(text):,}.", what
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

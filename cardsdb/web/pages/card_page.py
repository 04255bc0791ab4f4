"""Gather everything that the card page shows: each fact with who says so, the rulings that touch the card,
the cards beside it in a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import Resolver404, resolve, reverse

from cardsdb.box.texts import own_text, with_text
from cardsdb.catalogue.card_json import document_title
from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import Card, CardType, Claim, Fact, Game, Ruling
from cardsdb.games.kit.model.cards import FactValue, as_words
from cardsdb.games.kit.model.effects import told_lines
from cardsdb.games.kit.model.text import fold
from cardsdb.identity.viewer import Viewer
from cardsdb.search.card_query import parse_query
from cardsdb.search.query.grammar import MAX_CHARACTERS
from cardsdb.search.query.standard import sort_name
from cardsdb.search.query.tree import quoted
from cardsdb.search.results import results_of

# A short title is no longer than this if there is a comma to cut it at.
SHORT = 48
# More numbers than this stand in rows, not large in one line.
MAX_IN_STRIP = 6


# -- facts ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    """One claim, ready to be read. ``url``: the document's public address, if it has one."""

    document: str
    place: str
    certainty: str
    note: str = ""
    value: str = ""
    url: str = ""

    @property
    def short(self) -> str:
        """The document's title up to what only explains it."""
        whole = re.match(r"[^“(:]+", self.document)
        title = whole[0].strip() if whole else self.document
        return title if len(title) <= SHORT else title.partition(", ")[0]

    @property
    def in_full(self) -> str:
        """Everything in one line: document, place, certainty."""
        return f"{', '.join(part for part in (self.document, self.place) if part)} · {self.certainty}"


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact of a card: its value (empty when unknown), who says so, and the claims that differ.

    ``numbered`` are those of the card's sources that stand behind it, each with its number from 1;
    ``sources`` those that speak of this fact alone. ``words``: a value of set words, each with the query for
    cards that share it.
    """

    key: str
    title: str
    help: str
    value: str
    numbered: tuple[tuple[int, Source], ...] = ()
    sources: tuple[Source, ...] = ()
    others: tuple[Source, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    is_number: bool = False
    is_aside: bool = False

    @property
    def has_sources(self) -> bool:
        return bool(self.numbered or self.sources)

    @property
    def in_document(self) -> bool:
        """Return whether a document of the game speaks of it, and not only lists and cards."""
        return any(
            source.certainty != "outside"
            for source in (*(source for _, source in self.numbered), *self.sources)
        )

    @property
    def common(self) -> tuple[int, ...]:
        return tuple(number for number, _ in self.numbered)


def fact_rows(game: Game, card: Card) -> list[FactRow]:
    """Name and type, the facts a card has, then those it should have and nobody states."""
    name = Fact("name", "text", "What the card is called.", label="Name", is_aside=True)
    kind = Fact("type", "text", "What kind of card it is.", label="Type", is_aside=True)
    differing = card.disagreements()
    known = [
        _row(game, card, name, card.name, differing),
        _row(game, card, kind, game.type_named(card.type).name, differing),
    ]
    unknown = []
    for fact in game.facts_of(card.type):
        value = card.fact(fact.key)
        if value is not None:
            known.append(_row(game, card, fact, value, differing))
        elif fact.expected_of(card.type) and not any(key in card.facts for key in fact.unless):
            unknown.append(FactRow(fact.key, fact.title, fact.help, ""))
    return known + unknown


def text_row(game: Game, card: Card) -> FactRow:
    """Return what the card does as one fact, for the claims that differ."""
    row = _row(
        game,
        card,
        Fact("text", "text", "What the card does, by our summary.", label="Effect"),
        card.text,
        card.disagreements(),
    )
    return replace(row, numbered=(), sources=tuple(text_sources(game, card)))


def _row(
    game: Game, card: Card, fact: Fact, value: FactValue, differing: Mapping[str, tuple[Claim, ...]]
) -> FactRow:
    behind_all = card.sources.get("", ())
    others = differing.get(fact.key, ())
    claims = [claim for claim in card.claims(fact.key) if claim not in others]
    return FactRow(
        fact.key,
        fact.title,
        fact.help,
        as_words(value),
        numbered=tuple(
            (behind_all.index(claim) + 1, source_of(game, claim)) for claim in claims if claim in behind_all
        ),
        sources=tuple(source_of(game, claim) for claim in claims if claim not in behind_all),
        others=tuple(source_of(game, claim) for claim in others),
        words=_linked_words(game, fact, value),
        is_number=fact.kind == "number",
        is_aside=fact.is_aside or value is False,
    )


def _linked_words(game: Game, fact: Fact, value: FactValue) -> tuple[tuple[str, str], ...]:
    """Each word of the value with the query for the cards of the game that share it; nothing for other kinds
    of fact.
    """
    if fact.kind not in ("word", "words"):
        return ()
    words = (value,) if isinstance(value, str) else value
    assert isinstance(words, tuple)
    return tuple((word, f"game:{game.slug} {fact.key}:{quoted(word)}") for word in words)


@dataclass(frozen=True, slots=True)
class FactGroups:
    """The facts of a card as a player reads them: its words and its numbers; what is unknown; what is no fact
    of play.
    """

    words: tuple[FactRow, ...]
    numbers: tuple[FactRow, ...]
    unknown: tuple[FactRow, ...]
    details: tuple[FactRow, ...]

    @property
    def shown(self) -> list[tuple[str, tuple[FactRow, ...]]]:
        """The groups that have rows, each with how it is laid out: a few numbers in a strip, many in rows."""
        numbers = "strip" if len(self.numbers) <= MAX_IN_STRIP else "rows"
        return [(layout, rows) for layout, rows in (("words", self.words), (numbers, self.numbers)) if rows]


def grouped(rows: list[FactRow]) -> FactGroups:
    """The rows of a card in their groups, each in the order in which the game declares its facts."""
    details = tuple(row for row in rows if row.is_aside)
    unknown = tuple(row for row in rows if not row.value)
    rest = [row for row in rows if row.value and not row.is_aside]
    return FactGroups(
        tuple(row for row in rest if not row.is_number),
        tuple(row for row in rest if row.is_number),
        unknown,
        details,
    )


def card_sources(game: Game, card: Card) -> list[Source]:
    """The sources behind the whole card, in the order of their numbers."""
    return [source_of(game, claim) for claim in card.sources.get("", ())]


def source_of(game: Game, claim: Claim) -> Source:
    """A claim as words: document, place in it, certainty."""
    if not claim.document:
        return Source(document_title(game, claim), "", "outside", claim.note)
    lines = ("line " if claim.lines.isdigit() else "lines ") + claim.lines if claim.lines else ""
    document = game.document_named(claim.document)
    place = ", ".join(part for part in (claim.section, lines, document.pages_in_words(claim.lines)) if part)
    value = (claim.value or "").replace("<=", "at most").replace(">=", "at least")
    return Source(
        document.title,
        place,
        claim.certainty,
        claim.note,
        value,
        game.address_of(claim.document, claim.lines),
    )


# -- rulings ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Touching:
    """The rulings that touch a card, each once: those that name it, that speak of its type, or of decks that
    may hold it.
    """

    named: tuple[Ruling, ...] = ()
    of_type: tuple[Ruling, ...] = ()
    of_decks: tuple[Ruling, ...] = ()

    @property
    def general(self) -> int:
        """Return how many touch the card without naming it."""
        return len(self.of_type) + len(self.of_decks)

    def __bool__(self) -> bool:
        return bool(self.named or self.of_type or self.of_decks)


def rulings_on(game: Game, card: Card) -> Touching:
    """The rulings that touch the card, in the rulebook's order."""
    of_type, of_decks = _of_type(game, card.type)
    names = tuple(name for name in (card.name, *card.aliases) if len(name) > 1)
    # A name is looked for as it is written: "Hide" is a card, to hide is a verb.
    named = tuple(
        ruling
        for ruling in game.rulings
        if any(_has_words(_words(game, ruling, False), name) for name in names)
    )
    return Touching(
        named,
        tuple(ruling for ruling in of_type if ruling not in named),
        tuple(ruling for ruling in of_decks if ruling not in named),
    )


def _of_type(game: Game, card_type: str) -> tuple[tuple[Ruling, ...], tuple[Ruling, ...]]:
    """(those that speak of the type, those whose rules are checked on lists that may hold it)."""
    known = game.types_by_slug.get(card_type)
    places = {section.slug for section in game.sections if card_type in section.types}
    checked = {rule.code for format in game.formats if places & set(format.sections) for rule in format.rules}
    of_type = tuple(ruling for ruling in game.rulings if known and _about(game, ruling, known))
    of_decks = tuple(
        ruling for ruling in game.rulings if ruling not in of_type and checked & set(ruling.rules)
    )
    return of_type, of_decks


def _about(game: Game, ruling: Ruling, card_type: CardType) -> bool:
    words = _words(game, ruling, True).casefold()
    return any(_has_words(words, name.casefold()) for name in (card_type.name, card_type.plural))


def _words(game: Game, ruling: Ruling, with_rules: bool) -> str:
    rules = (
        (game.citations[code].says for code in ruling.rules if code in game.citations) if with_rules else ()
    )
    return " ".join((ruling.question, ruling.treatment, *rules))


def _has_words(text: str, name: str) -> bool:
    """Return whether the name stands in the text as whole words."""
    return name in text and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))


# -- the list it was found in -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Place and total from 1; addresses of the list and of the cards on either side, empty at the ends."""

    query: str
    place: int
    total: int
    list: str
    previous: str
    next: str


def neighbours(text: str, key: str, viewer: Viewer) -> Neighbours | None:
    """The cards beside one in the results of a query; None for an empty or too long query, and for a card
    that it does not find.
    """
    text = text.strip()
    if not text or len(text) > MAX_CHARACTERS:
        return None
    query_of_list = parse_query(text, viewer=viewer)
    around = results_of(query_of_list).around(key)
    if around is None:
        return None
    query = f"?{urlencode({'q': text})}"

    def address(key: str) -> str:
        return reverse("card", args=key.split("/", 1)) + query if key else ""

    return Neighbours(
        text,
        around.place,
        around.total,
        reverse("card_list") + query,
        address(around.previous),
        address(around.next),
    )


def beside_by_name(card: Card) -> tuple[Card | None, Card | None]:
    """The listed cards of the same game whose names stand right before and after; None at the ends."""
    return catalogue().beside((sort_name(fold(card.name)), card.game, card.code))


# -- what else the page says ------------------------------------------------------------


def true_size(game: Game) -> str:
    """A card's width and height: ``63.5 × 88.9 mm``."""
    width, height = (f"{side / 1000:g}" for side in game.trim)
    return f"{width} × {height} mm"


def in_short(game: Game, card: Card, most: int = 6) -> str:
    """The card in a few words for search engines and link previews: type, game and the first facts."""
    facts = [
        f"{fact.title} {as_words(card.facts[fact.key])}"
        for fact in game.facts_of(card.type)
        if fact.key in card.facts and fact.kind != "text"
    ]
    return (
        ". ".join(
            part
            for part in (f"{game.type_named(card.type).name} of {game.name}", ", ".join(facts[:most]))
            if part
        )
        + "."
    )


@dataclass(frozen=True, slots=True)
class EffectLine:
    """A line of a card's text in two: the header that says when, and the rest. ``note``: what is to be known
    of it; ``unclear``: what the source leaves open.
    """

    header: str
    rest: str
    note: str = ""
    unclear: bool = False


def effect_lines(game: Game, card: Card) -> list[EffectLine]:
    """The lines that tell what the card does; a text that is a sentence is one line without header and
    note.
    """
    told = told_lines(card)
    if not told:
        return [EffectLine("", line) for line in card.text.split("\n") if line]
    return [_headed(game, line, claim.note, claim.certainty == "inferred") for line, claim in told]


def _headed(game: Game, line: str, note: str = "", unclear: bool = False) -> EffectLine:
    """A line with the header that says when, in games that write one."""
    header = game.effect_words.header_of(line) if game.effect_words else ""
    return EffectLine(header, line[len(header) :].lstrip(), note, unclear)


def text_sources(game: Game, card: Card) -> list[Source]:
    """The places that say what the card's text says, each once; the notes on single lines stand beside
    those.
    """
    of_lines = {claim for _, claim in told_lines(card)}
    said: dict[tuple[str, str, str], Claim] = {}
    for claim in card.claims("text"):
        place = (claim.document, claim.section, claim.lines)
        if claim.agrees_with(card.text) and (place not in said or claim.certainty == "inferred"):
            said[place] = replace(claim, note="") if claim in of_lines else claim
    return [source_of(game, claim) for claim in said.values()]


@dataclass(frozen=True, slots=True)
class Mine:
    """A visitor's own of a card: their text line by line, the card as their sheets have it, the facts of
    theirs that differ.
    """

    lines: list[EffectLine]
    drawn: Card
    facts: list[tuple[str, str]]
    source: str
    is_everyones: bool


def mine_of(viewer: Viewer, game: Game, card: Card) -> Mine | None:
    """Return what this visitor sees of their own, or of everyone's on a private site; None without it. One
    query.
    """
    own = own_text(viewer, game, card.code)
    if own is None:
        return None
    facts = [
        (game.facts_by_key[key].title, value) for key, value in own.facts.items() if key in game.facts_by_key
    ]
    drawn = with_text(card, {card.code: own.text}) if own.text else card
    return Mine(
        [_headed(game, line) for line in own.text.split("\n") if line],
        drawn,
        facts,
        own.source,
        bool(own.box.everyone),
    )


def way_back(address: str) -> str:
    """The address of a deck's editor that a card was opened from, with its query and place; empty if it is
    anything else.
    """
    path = re.split(r"[?#]", address, maxsplit=1)[0]
    if not re.fullmatch(r"[\x21-\x5b\x5d-\x7e]{1,4096}", address):
        return ""
    try:
        return address if resolve(path).url_name == "deck_edit" else ""
    except Resolver404:
        return ""

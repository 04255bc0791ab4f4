"""Deck or pasted text -> decklist -> report -> the words and JSON of it.

The rule vocabulary lives in ``cardsdb.games.kit`` and not here, so that a game stays one
folder and no import runs in a circle.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from cardsdb.faults import Fault, Refused, unknown_game
from cardsdb.games import games
from cardsdb.games.kit import (
    VERDICTS,
    Card,
    Citation,
    Decklist,
    Document,
    Format,
    Game,
    League,
    Meter,
    NameIndex,
    Report,
    Severity,
    Violation,
    count_of,
    listed,
    meter_words,
    write_house_rules,
)
from cardsdb.games.kit.complete.needs import Needs, needs
from cardsdb.games.kit.listtext.deck import ListTooLarge, read_deck
from cardsdb.games.kit.listtext.guess import Guess, guess_format, guess_game
from cardsdb.games.kit.listtext.reading import Notice, Reading, Unread
from cardsdb.games.kit.model.format import message
from cardsdb.games.kit.repair.search import removal_for
from cardsdb.games.kit.rules.house_rules import HouseRule, house_rules_broken, house_rules_of, league_in
from cardsdb.watch import metrics
from decks.core.content import DeckContent, without_secrets
from decks.core.used_format import (
    InFormat,
    LeagueLookup,
    Readings,
    format_with,
    house_or_refuse,
    in_other_formats,
    league_json,
    legal_elsewhere,
    no_leagues,
    opening_words,
    readings_of,
    stricter,
    suggesting,
)

# Suggestions cost a look at every name, so a list of thousands of unknown lines gets them for the first few
# only.
MAX_SUGGESTED = 30
# Every repair is judged before it is offered, so only the first violations get one.
MAX_REPAIRED = 12


SEVERITIES = {
    Severity.ILLEGAL: "Not legal",
    Severity.INCOMPLETE: "Incomplete",
    Severity.UNKNOWN: "Unknown",
    Severity.NOTE: "Note",
}


class ViolationView(NamedTuple):
    """A violation with its sentence, its citation, a repair that was tried, and the house rule that is
    broken.

    ``changes``: the repair as forms send it, ``-1 deck kai, -2 leaders andros``. ``address``: where the cited
    lines of ``source`` can be read.
    """

    violation: Violation
    message: str
    citation: Citation | None
    source: Document | None
    repair: str
    removed: list[dict[str, Any]]
    house: str = ""
    changes: str = ""
    address: str = ""

    @property
    def document(self) -> str:
        """The title of the document that is cited; empty for none."""
        return self.source.title if self.source else ""

    @property
    def place(self) -> str:
        """The place of the rule in its document: ``Game Setup, line 430, p. 11``."""
        cited, source = self.citation, self.source
        return (
            ", ".join(filter(None, (cited.place, source.pages_in_words(cited.lines))))
            if cited and source
            else ""
        )

    @property
    def severity(self) -> str:
        return self.violation.severity.slug

    @property
    def severity_words(self) -> str:
        return SEVERITIES[self.violation.severity]

    def as_json(self) -> dict[str, Any]:
        violation, cited, source, citation = self.violation, self.citation, self.source, None
        if cited and source:
            citation = {
                name: getattr(cited, name) for name in ("code", "section", "lines", "certainty", "says")
            }
            pages = list(source.pages_of(cited.lines))
            citation |= {"document": source.title, "pages": pages, "url": self.address}
        said = {name: getattr(violation, name) for name in ("code", "problem", "cards", "found", "wanted")}
        return {
            **{name: list(value) if isinstance(value, tuple) else value for name, value in said.items()},
            "severity": self.severity,
            "message": self.message,
            "house": self.house,
            "citation": citation,
            "repairs": [{"message": self.repair, "remove": self.removed, "add": []}] if self.removed else [],
        }


@dataclass(frozen=True)
class Judged:
    """A deck with its verdict and everything that could not be settled when it was read.

    ``whole`` is the deck that was judged where ``deck`` is only what may be shown of it; its cards are
    counted, never named. ``reading`` is the list that was read, of a stored deck its cards alone.
    ``game_guessed`` and ``format_guessed`` say why these were taken, if they were guessed. ``readings``: the
    verdicts by each reading of lines that name several cards. ``has_names_alone``: cards of ``deck`` are
    reduced to their names, so that no repair can be tried on it.
    """

    game: Game
    format: Format
    reading: Reading
    report: Report
    whole: Decklist | None = None
    readings: Readings | None = None
    game_guessed: str = ""
    format_guessed: str = ""
    has_names_alone: bool = False

    @property
    def deck(self) -> Decklist:
        return self.reading.deck

    @property
    def unread(self) -> tuple[Unread, ...]:
        return self.reading.unread

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """All that was set aside: of lines that were read, and the cards that are a deck of their own."""
        rest, other = self.game.deck_apart(self.judged_deck, self.format)
        if other is None:
            return self.reading.notices
        count = self.judged_deck.size - rest.size
        words = f"{count} cards are a deck of their own, legal as {other.name}. They do not count here."
        return (*self.reading.notices, Notice(0, words, "the list"))

    @property
    def verdict(self) -> str:
        return self.report.verdict

    @property
    def verdict_words(self) -> str:
        return VERDICTS[self.report.verdict]

    @property
    def judged_deck(self) -> Decklist:
        return self.whole or self.deck

    def meters(self) -> tuple[Meter, ...]:
        """The numbers of the format that are worth watching, each once, in the rulebook's order."""
        meters = (meter for rule in self.format.rules for meter in rule.meters(self.judged_deck))
        return tuple(dict.fromkeys(meters))

    def measured(self) -> list[tuple[Meter, str, Citation | None]]:
        """The meters ready to be shown: each with its words and the rule's citation."""
        return [(meter, meter_words(meter), self.cited(meter.code)[0]) for meter in self.meters()]

    @property
    def league(self) -> League | None:
        """The league whose format the deck is judged by, or is not because it is lost."""
        return self.format.league

    def cited(self, code: str) -> tuple[Citation | None, Document | None]:
        """The citation of the rule with this code, and its document: the league's that made it, else the
        game's.
        """
        if self.league and self.league.document and code in self.league.citations:
            return self.league.citations[code], self.league.document
        citation = self.game.citations.get(code)
        return citation, self.game.documents[citation.document] if citation else None

    def in_other_formats(self) -> tuple[InFormat, ...]:
        """The deck in the other formats that have a place for its cards."""
        return tuple(in_other_formats(self.game, self.judged_deck, self.format, self.report.unread))

    @cached_property
    def legal_elsewhere(self) -> InFormat | None:
        """Another format in which the deck is legal, if it is not in its own."""
        is_legal = self.verdict == "legal"
        return (
            None
            if is_legal
            else legal_elsewhere(self.game, self.judged_deck, self.format, self.report.unread)
        )

    @cached_property
    def opening(self) -> str:
        """The sentence that opens the verdict if another format that the deck may be meant for says
        otherwise; empty if none does.

        ``Legal as Basic. As Advanced it is incomplete: ...`` A format that was guessed is never the laxest
        without a word of the others.
        """
        if other := self.legal_elsewhere:
            return opening_words(self.game, other.name, self.format, self.report)
        is_said = self.game.format_called(self.reading.format)
        if is_said or not self.format_guessed or self.verdict != "legal":
            return ""
        likelier = stricter(self.game, self.judged_deck, self.format)
        if likelier is None:
            return ""
        return opening_words(self.game, self.format.name, likelier.format, likelier.report)

    @property
    def is_repairable(self) -> bool:
        """True if a repair could cure something; never while lines are unread."""
        return self.verdict in ("illegal", "incomplete") and not self.unread

    @cached_property
    def needs(self) -> Needs | None:
        """The needs of the deck by role; None while lines are unread, and where it is not shown whole."""
        is_part = self.unread or self.deck != self.judged_deck or self.has_names_alone
        return None if is_part else needs(self.game, self.deck, self.format)

    @property
    def house(self) -> str:
        """The league's format and the house rules that the deck is judged by, as they are stored."""
        numbers = {change.number.key: change.value for change in self.house_changes}
        return write_house_rules(numbers, self.league.link if self.league else "")

    @property
    def house_changes(self) -> tuple[HouseRule, ...]:
        """The house rules of the format."""
        return house_rules_of(self.format)

    def content(self, base: DeckContent | None = None, **values: Any) -> DeckContent:
        """The content to be saved, with these values (name, house, notes, tags); others are as in ``base``,
        else as in the list. The list's comments are put into the notes.
        """
        said = self.reading
        base = base or DeckContent(self.deck, self.format.slug, self.house, said.notes, said.tags)
        name = values.pop("name", base.deck.name)
        if "tags" in values:
            values["tags"] = tuple(values["tags"])
        values["notes"] = with_comments(values.get("notes", base.notes), said)
        return replace(base, deck=replace(self.deck, name=name), format=self.format.slug, **values)

    def refuse_unread(self) -> None:
        """Raises Refused naming every line that could not be read, or saying that the list has no cards."""
        if self.unread:
            raise Refused(
                *(Fault(u.code, f"{u.message} ({u.text[:80]})", f"line {u.line}") for u in self.unread)
            )
        if self.deck.is_blank:
            raise Refused(Fault("empty", "The list has no cards.", "text"))

    def violation_views(self) -> list[ViolationView]:
        """The violations ready to be shown, gravest first, in the rulebook's order within."""
        ordered = sorted(self.report.violations, key=lambda violation: -violation.severity)
        most = 0 if self.has_names_alone else MAX_REPAIRED
        return [self._view_of(violation, place < most) for place, violation in enumerate(ordered)]

    def _view_of(self, violation: Violation, repaired: bool) -> ViolationView:
        removal = removal_for(self.game, self.deck, self.format, violation, self.report) if repaired else ()
        taken = listed(tuple(f"{count} {entry.card.name}" for entry, count in removal))
        citation, document = self.cited(violation.code)
        address = ""
        if citation and document:
            is_leagues = self.league and document is self.league.document
            address = document.url if is_leagues else self.game.address_of(citation.document, citation.lines)
        house = " ".join(
            f"By house rule {change.value}; the rulebook says {change.number.value}."
            for change in house_rules_broken(self.format, self.judged_deck, violation)
        )
        return ViolationView(
            violation,
            message(violation, self.game.sentences),
            citation,
            document,
            f"Take out {taken}." if removal else "",
            [{"name": e.card.name, "section": e.section, "count": count} for e, count in removal],
            house,
            ", ".join(f"-{count} {entry.section} {entry.card.code}" for entry, count in removal),
            address,
        )

    def as_json(self) -> dict[str, Any]:
        """The verdict as JSON for the command line and the API."""
        return {
            "game": self.game.slug,
            "format": self.format.slug,
            "house": self.house,
            "league": league_json(self.format) if self.league else None,
            "verdict": self.verdict,
            "violations": [view.as_json() for view in self.violation_views()],
            "unread": [
                {"line": u.line, "where": u.place, "text": u.text, "code": u.code, "message": u.message}
                | {"suggestions": list(u.suggestions), "outcomes": list(u.outcomes)}
                for u in self.unread
            ],
            "readings": self.readings.words if self.readings else "",
            "notices": [
                {"line": one.line, "where": one.place, "message": one.message} for one in self.notices
            ],
            "meters": [
                {key: getattr(meter, key) for key in ("code", "label", "found", "least", "most")}
                | {"kept": meter.within_bounds}
                for meter in self.meters()
            ],
            "sections": [
                {"section": slug, "count": count_of(entries)}
                for slug, entries in self.deck.by_section.items()
            ],
            "guessed": {"game": self.game_guessed, "format": self.format_guessed},
            "legal_elsewhere": self.legal_elsewhere.format.slug if self.legal_elsewhere else "",
            "opening": self.opening,
        }


# Slug -> game.
Games = Mapping[str, Game]


def game_or_refuse(slug: object, among: Games | None = None) -> Game:
    """The one of these games with this slug, by default of those of the folders. Raises Refused naming the
    ones there are.
    """
    game = (among or games()).get(slug) if isinstance(slug, str) else None
    if game is None:
        raise unknown_game(slug, games())
    return game


# The cards of the visitor's own, besides a game's, that their lists may name.
OwnLookup = Callable[[Game], Iterable[Card]]


def nobodys(game: Game) -> Iterable[Card]:
    """No own cards."""
    return ()


def read_text(
    game: Game, text: str, format: Format | None = None, also: Iterable[Card] = (), *, titled: bool = True
) -> Reading:
    """Read a pasted list, with spelling suggestions. ``also``: retired and own cards that it may name.
    ``titled``: see ``read_deck``.

    Raises Refused if it is too large.
    """
    also = tuple(also)
    try:
        reading = read_deck(game, text, format, also, titled=titled)
    except ListTooLarge as error:
        raise Refused(Fault("too_large", str(error), "text"), status=413) from None
    if not reading.unread:
        return reading
    first, rest = reading.unread[:MAX_SUGGESTED], reading.unread[MAX_SUGGESTED:]
    return replace(reading, unread=(*map(suggesting(game, NameIndex(also)), first), *rest))


def judge_text(
    game: Game,
    text: str,
    format: Format | None = None,
    also: Iterable[Card] = (),
    house: str = "",
    leagues: LeagueLookup = no_leagues,
    *,
    titled: bool = True,
) -> Judged:
    """Read and judge a pasted list in ``format``, else in that of the league that ``house`` names, else in
    the one that the list names, else in the likeliest. Without ``house`` it is judged by the house rules that
    the list says, as far as there still are such.

    Raises Refused if the list is too large or the house rules do not fit the format.
    """
    metrics.JUDGED_DECKS.inc()
    link = "" if format else league_in(house)
    if link and (made := leagues(game, link)):
        format = game.formats_by_slug[made.slug]
    reading = read_text(game, text, format, also, titled=titled)
    chosen, why = (format, "") if format else guess_format(game, reading)
    if house.strip():
        chosen = house_or_refuse(game, chosen, house, leagues)
    elif reading.house:
        chosen = format_with(game, chosen.slug, reading.house, leagues)
    return judge_reading(game, reading, chosen, why)


def judge_reading(game: Game, reading: Reading, format: Format, guessed: str = "") -> Judged:
    """Judge a list as it was read, by all readings of its lines that name several cards. ``guessed``: why
    this format was taken.
    """
    report, whole = game.judge(reading.deck, format, len(reading.unread)), None
    readings = readings_of(game, reading.deck, format, reading.unread)
    if readings:
        unread = (
            replace(line, outcomes=readings.outcomes(line)) if line.readings else line
            for line in reading.unread
        )
        reading = replace(reading, unread=tuple(unread))
        if readings.is_settled:
            report, whole = readings.report, readings.deck
    return Judged(game, format, reading, report, whole, readings, format_guessed=guessed)


class OpenGame(Refused):
    """A list that does not say which game it is for. ``guess`` names those that it may be for."""

    def __init__(self, guess: Guess) -> None:
        names = ", ".join(f"{game.name} ({game.slug})" for game in guess.candidates or games().values())
        super().__init__(
            Fault("unknown_game", f"Say which game the list is for: {guess.why}. It may be: {names}.", "game")
        )
        self.guess = guess


def game_of(text: str, slug: object = "", among: Games | None = None) -> tuple[Game, str]:
    """The one of these games that a list is for, by its slug or else by the list itself, and why the list
    says so; empty where the slug does.

    Raises OpenGame where the list leaves it open, and Refused for an unknown slug.
    """
    if slug:
        return game_or_refuse(slug, among), ""
    guess = guess_game((among or games()).values(), text)
    if guess.game is None:
        raise OpenGame(guess)
    return guess.game, guess.why


def with_comments(notes: str, reading: Reading) -> str:
    """The notes of a deck, and below them the comments of a list that they do not hold yet."""
    known = notes.splitlines()
    return "\n".join(filter(None, (notes, *(one for one in reading.comments if one not in known))))


def judge(game: Game, deck: Decklist, format: Format, keep_secrets: bool = False) -> Judged:
    """Judge a whole deck. With ``keep_secrets`` secret cards are judged too, but neither shown nor named."""
    metrics.JUDGED_DECKS.inc()
    report, whole = game.judge(deck, format), deck
    if keep_secrets:
        names = {entry.card.name for entry in deck if game.is_secret(entry.section, entry.card.type)}
        report = Report(tuple(_redacted(violation, names) for violation in report.violations))
        deck = without_secrets(game, deck)
    return Judged(game, format, Reading(deck), report, whole)


def judge_content(game: Game, content: DeckContent, leagues: LeagueLookup = no_leagues) -> Judged:
    """Judge a content by its format with its house rules."""
    return judge(game, content.deck, format_with(game, content.format, content.house, leagues))


def _redacted(violation: Violation, names: set[str]) -> Violation:
    """The violation without the names of secret cards and without a repair that would give them away."""
    if not names.intersection(violation.cards):
        return violation
    shown = tuple("a secret card" if name in names else name for name in violation.cards)
    return replace(violation, cards=shown, excess=())

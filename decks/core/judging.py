"""Judging: a pasted text or a stored deck -> ``Judged``, the deck with its verdict.

``judge_text`` reads and judges a pasted list, ``judge_content`` and ``judge`` a stored deck. Every page, API
address and command with a verdict calls one of them; the rules themselves live in ``cardsdb.games.kit``,
where ``Report``, ``Violation`` and ``Reading`` are defined. Nothing is stored here. Two invariants: a list
with unread lines is legal only if every reading of them is, and secret cards of a deck count for its verdict
but are never named to strangers. Tests: all of ``tests/decks/core``, and ``tests/decks/check``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

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
    Report,
    Violation,
    count_of,
    meter_words,
    write_house_rules,
)
from cardsdb.games.kit.complete.needs import Needs, needs
from cardsdb.games.kit.listtext.guess import Guess, guess_format, guess_game
from cardsdb.games.kit.listtext.reading import Notice, Reading, Unread
from cardsdb.games.kit.repair.search import removal_for
from cardsdb.games.kit.repair.steps import Copies
from cardsdb.games.kit.rules.house_rules import HouseRule, house_rules_of, league_in
from cardsdb.watch import metrics
from decks.core.content import DeckContent, without_secrets
from decks.core.pasted_text import Readings, read_text, readings_of, with_comments
from decks.core.used_format import (
    InFormat,
    LeagueLookup,
    format_with,
    house_or_refuse,
    in_other_formats,
    league_json,
    legal_elsewhere,
    no_leagues,
    opening_words,
    stricter,
)
from decks.core.violations import ViolationView, cited, view_of

# Violations of one verdict that get a repair: each repair is judged before it is offered.
MAX_REPAIRED = 12


@dataclass(frozen=True)
class Judged:
    """A deck with its verdict and with all that was left open when its list was read.

    - reading: the list as it was read; of a stored deck only its cards;
    - whole: the deck that was judged, where ``deck`` is only the part that the viewer may see, else None;
    - readings: the verdicts by each reading of lines that name several cards, None without such lines;
    - game_guessed, format_guessed: the reason why that game or format was taken, empty if it was stated;
    - has_names_alone: some cards of ``deck`` are reduced to their names, so no repair can be tried on it.
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
        """The notices of the reading, and one if some of the cards are a deck of their own that does not
        count here.
        """
        # ``rest``: without a second deck in the list; ``other``: the format in which that is legal, or None.
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
        """Return the counts that the format's rules watch, each once, in the order of the rulebook."""
        deck = self.judged_deck
        return tuple(dict.fromkeys(meter for rule in self.format.rules for meter in rule.meters(deck)))

    def measured(self) -> list[tuple[Meter, str, Citation | None]]:
        """Return (meter, its words, citation of its rule) for each meter."""
        return [(meter, meter_words(meter), self.cited(meter.code)[0]) for meter in self.meters()]

    @property
    def league(self) -> League | None:
        """The league whose format the deck is judged by. It may be lost: see ``in_league``."""
        return self.format.league

    def cited(self, code: str) -> tuple[Citation | None, Document | None]:
        """Return the citation of the rule with this code and the document that it cites."""
        return cited(self.game, self.format, code)

    def in_other_formats(self) -> tuple[InFormat, ...]:
        """Return the verdicts in the other formats that have a section for some of the cards."""
        among, unread = self.game.formats, self.report.unread
        return tuple(in_other_formats(self.game, self.judged_deck, self.format, unread, among))

    @cached_property
    def legal_elsewhere(self) -> InFormat | None:
        """The verdict in another format in which the deck is legal, if it is not legal in its own; else
        None.
        """
        if self.verdict == "legal":
            return None
        return legal_elsewhere(self.game, self.judged_deck, self.format, self.report.unread)

    @cached_property
    def opening(self) -> str:
        """The sentence that opens the verdict if another likely format says otherwise, else empty: ``Legal as
        Basic. As Advanced it is incomplete: ...``

        So a lax format that was only guessed is never presented without naming the stricter one. A format
        that the list states needs no such sentence.
        """
        if other := self.legal_elsewhere:
            return opening_words(self.game, other.name, self.format, self.report)
        is_stated = self.game.format_called(self.reading.format)
        if is_stated or not self.format_guessed or self.verdict != "legal":
            return ""
        likelier = stricter(self.game, self.judged_deck, self.format)
        if likelier is None:
            return ""
        return opening_words(self.game, self.format.name, likelier.format, likelier.report)

    @property
    def is_repairable(self) -> bool:
        """True if a repair may help. Never while lines are unread, since a repair might take out what they
        stand for.
        """
        return self.verdict in ("illegal", "incomplete") and not self.unread

    @cached_property
    def needs(self) -> Needs | None:
        """The cards that the deck needs by role. None if the format has no roles, and while lines are unread
        or cards are hidden, since the needs would be wrong.
        """
        if self.unread or self.deck != self.judged_deck or self.has_names_alone:
            return None
        return needs(self.game, self.deck, self.format)

    @property
    def house(self) -> str:
        """The league and the house rules that the deck is judged by, as one text in the form that decks
        store.
        """
        numbers = {change.number.key: change.value for change in self.house_changes}
        return write_house_rules(numbers, self.league.link if self.league else "")

    @property
    def house_changes(self) -> tuple[HouseRule, ...]:
        """The house rules of the format."""
        return house_rules_of(self.format)

    def content(
        self,
        base: DeckContent | None = None,
        *,
        name: str | None = None,
        house: str | None = None,
        notes: str | None = None,
        tags: Iterable[str] | None = None,
    ) -> DeckContent:
        """Return the content to be saved: the cards and the format of the list, and everything else from
        these values, else (None) from ``base``, else from the list. Comments of the list are added to the
        notes.
        """
        reading = self.reading
        base = base or DeckContent(self.deck, self.format.slug, self.house, reading.notes, reading.tags)
        return DeckContent(
            deck=replace(self.deck, name=base.deck.name if name is None else name),
            format=self.format.slug,
            house=base.house if house is None else house,
            notes=with_comments(base.notes if notes is None else notes, reading),
            tags=base.tags if tags is None else tuple(tags),
        )

    def refuse_unread(self) -> None:
        """Raise Refused if lines could not be read, with a fault for each, or if the list has no cards."""
        if self.unread:
            raise Refused(
                *(Fault(u.code, f"{u.message} ({u.text[:80]})", f"line {u.line}") for u in self.unread)
            )
        if self.deck.is_blank:
            raise Refused(Fault("empty", "The list has no cards.", "text"))

    def violation_views(self) -> list[ViolationView]:
        """Return the violations prepared to be shown, gravest first, otherwise in the order of the rulebook.
        The first ``MAX_REPAIRED`` of them have repairs.
        """
        ordered = sorted(self.report.violations, key=lambda violation: -violation.severity)
        most_repaired = 0 if self.has_names_alone else MAX_REPAIRED
        views = []
        for place, violation in enumerate(ordered):
            removal: Copies = ()
            if place < most_repaired:
                removal = removal_for(self.game, self.deck, self.format, violation, self.report)
            views.append(view_of(self.game, self.format, self.judged_deck, violation, removal))
        return views

    def as_json(self) -> dict[str, Any]:
        """Return the verdict for the command line and the API. Keys must stay as docs/api.md names them."""
        return {
            "game": self.game.slug,
            "format": self.format.slug,
            "house": self.house,
            "league": league_json(self.format) if self.league else None,
            "verdict": self.verdict,
            "violations": [view.as_json() for view in self.violation_views()],
            "unread": [_unread_json(unread) for unread in self.unread],
            "readings": self.readings.words if self.readings else "",
            "notices": [
                {"line": notice.line, "where": notice.place, "message": notice.message}
                for notice in self.notices
            ],
            "meters": [_meter_json(meter) for meter in self.meters()],
            "sections": [
                {"section": slug, "count": count_of(entries)}
                for slug, entries in self.deck.by_section.items()
            ],
            "guessed": {"game": self.game_guessed, "format": self.format_guessed},
            "legal_elsewhere": self.legal_elsewhere.format.slug if self.legal_elsewhere else "",
            "opening": self.opening,
        }


def _meter_json(meter: Meter) -> dict[str, Any]:
    return {
        "code": meter.code,
        "label": meter.label,
        "found": meter.found,
        "least": meter.least,
        "most": meter.most,
        "kept": meter.within_bounds,
    }


def _unread_json(unread: Unread) -> dict[str, Any]:
    return {
        "line": unread.line,
        "where": unread.place,
        "text": unread.text,
        "code": unread.code,
        "message": unread.message,
        "suggestions": list(unread.suggestions),
        "outcomes": list(unread.outcomes),
    }


# Slug -> game.
Games = Mapping[str, Game]


def game_or_refuse(slug: object, among: Games | None = None) -> Game:
    """Return the game with this slug, among all installed games by default. Raise Refused, naming the known
    games, for an unknown slug.
    """
    game = (among or games()).get(slug) if isinstance(slug, str) else None
    if game is None:
        raise unknown_game(slug, games())
    return game


# Game -> the visitor's own cards of it, which their lists may name too.
OwnLookup = Callable[[Game], Iterable[Card]]


def no_own_cards(game: Game) -> Iterable[Card]:
    """An ``OwnLookup`` that finds no cards."""
    return ()


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
    """Read and judge a pasted list. Raise Refused if it is too large or if the house rules do not fit the
    format.

    Format: the first of ``format``, the one that the league in ``house`` builds on, the one that the list
    states, the likeliest. House rules: ``house``, else those that the list states, without numbers that the
    format does not have.
    """
    metrics.JUDGED_DECKS.inc()
    link = "" if format else league_in(house)
    if link and (leagues_format := leagues(game, link)):
        format = game.formats_by_slug[leagues_format.slug]
    reading = read_text(game, text, format, also, titled=titled)
    # ``why``: the reason for a guessed format, empty for one that was chosen.
    chosen, why = (format, "") if format else guess_format(game, reading)
    if house.strip():
        chosen = house_or_refuse(game, chosen, house, leagues)
    elif reading.house:
        chosen = format_with(game, chosen.slug, reading.house, leagues)
    return judge_reading(game, reading, chosen, why)


def judge_reading(game: Game, reading: Reading, format: Format, guessed: str = "") -> Judged:
    """Judge a list that was read, by every reading of its ambiguous lines. ``guessed``: the reason why this
    format was taken, empty if it was stated.

    Only if all readings agree does the verdict count these lines. Otherwise it is undecided, as with any
    unread line.
    """
    readings = readings_of(game, reading.deck, format, reading.unread)
    if readings:
        with_outcomes = (
            replace(line, outcomes=readings.outcomes(line)) if line.readings else line
            for line in reading.unread
        )
        reading = replace(reading, unread=tuple(with_outcomes))
    settled = readings.settled if readings else None
    if settled:
        report, whole = settled
    else:
        report, whole = game.judge(reading.deck, format, len(reading.unread)), None
    return Judged(game, format, reading, report, whole, readings, format_guessed=guessed)


class OpenGame(Refused):
    """The list does not say which game it is for. ``guess`` names the candidates."""

    def __init__(self, guess: Guess) -> None:
        names = ", ".join(f"{game.name} ({game.slug})" for game in guess.candidates or games().values())
        super().__init__(
            Fault("unknown_game", f"Say which game the list is for: {guess.why}. It may be: {names}.", "game")
        )
        self.guess = guess


def game_of(text: str, slug: object = "", among: Games | None = None) -> tuple[Game, str]:
    """Return (game, reason): the game with this slug, or the game that the list itself points to with the
    reason why.

    The reason is empty if the slug was given. Raise OpenGame if the list could be for several games, and
    Refused for an unknown slug.
    """
    if slug:
        return game_or_refuse(slug, among), ""
    guess = guess_game((among or games()).values(), text)
    if guess.game is None:
        raise OpenGame(guess)
    return guess.game, guess.why


def judge(game: Game, deck: Decklist, format: Format, keep_secrets: bool = False) -> Judged:
    """Judge a whole deck. With ``keep_secrets``, secret cards count for the verdict, but are neither shown
    nor named.
    """
    metrics.JUDGED_DECKS.inc()
    report, shown = game.judge(deck, format), deck
    if keep_secrets:
        names = {entry.card.name for entry in deck if game.is_secret(entry.section, entry.card.type)}
        report = Report(tuple(_redacted(violation, names) for violation in report.violations))
        shown = without_secrets(game, deck)
    return Judged(game, format, Reading(shown), report, whole=deck)


def judge_content(game: Game, content: DeckContent, leagues: LeagueLookup = no_leagues) -> Judged:
    """Judge a content by its own format and house rules."""
    return judge(game, content.deck, format_with(game, content.format, content.house, leagues))


def _redacted(violation: Violation, names: set[str]) -> Violation:
    """Return the violation with secret names replaced, and without the excess cards from which a repair would
    be made.
    """
    if not names.intersection(violation.cards):
        return violation
    shown = tuple("a secret card" if name in names else name for name in violation.cards)
    return replace(violation, cards=shown, excess=())

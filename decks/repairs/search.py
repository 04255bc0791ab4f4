"""Repairs of a judged deck, with cards from the catalogue's rows; and the changes of one as forms send them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Case, Q, QuerySet, Value, When

from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.model.cards import FactValue
from cardsdb.games.kit.model.report import Lack
from cardsdb.games.kit.repair.changes import CardChange, with_changes
from cardsdb.games.kit.repair.search import Candidates, Limits, Repair, barred_by_marks, cards_of_folder, smallest_repairs
from cardsdb.games.kit.repair.steps import badness, too_many
from cardsdb.models import Card as StoredCard
from cardsdb.site.faults import Fault, Refused
from decks.core.content import DeckContent
from decks.core.judging import Judged, format_with, judge

# Cards that are looked at for one thing that is lacking; and changes that one repair may have.
MAX_CARDS = 300
MAX_CHANGES = 200
USUAL = Limits()
_CHANGE = re.compile(r"(?P<by>[+-][0-9]{1,3}) (?P<section>[\w-]{1,40}) (?P<code>[\x21-\x2b\x2d-\x7e]{1,200})", re.ASCII)


def repairs_of(judged: Judged, limits: Limits | None = None, *, stored: bool = True) -> tuple[Repair, ...]:
    """Up to five repairs, smallest first. ``stored``: with cards of the database, otherwise of the game's folder.

    A list with lines that were not read gets none: what stands there may be the very cards that it lacks.
    """
    if judged.unread:
        return ()
    candidates = cards_of_catalogue(judged.game) if stored else cards_of_folder(judged.game)
    return smallest_repairs(judged.game, judged.deck, judged.format, candidates, limits or USUAL)


def cards_of_catalogue(game: Game) -> Candidates:
    """Candidates for one search: never more than a few hundred rows for what is lacking, those like the deck first."""
    asked: dict[object, tuple[Card, ...]] = {}

    def candidates(lack: Lack, like: Mapping[str, FactValue]) -> tuple[Card, ...]:
        key = (lack.types, tuple(sorted(lack.facts.items(), key=str)), lack.name, lack.less, tuple(sorted(like.items(), key=str)))
        if key not in asked:
            asked[key] = tuple(row.as_card() for row in _rows(game, lack, like))
        return asked[key]

    return candidates


def _rows(game: Game, lack: Lack, like: Mapping[str, FactValue]) -> QuerySet[StoredCard]:
    rows = StoredCard.objects.in_game(game.slug).filter(retired=False)
    types = lack.types or tuple(card_type.slug for card_type in game.types if card_type.in_decks)
    rows = rows.filter(type__in=types)
    if lack.name:
        rows = rows.filter(name=lack.name)
    for key, value in lack.facts.items():
        rows = rows.filter(_has(key, value))
    alike = Q(pk__in=())
    for key, value in list(like.items())[:3]:
        alike |= _has(key, value)
    first = Case(When(alike, then=Value(0)), default=Value(1))
    return rows.order_by(first, "sort_name", "code").prefetch_related("prints")[:MAX_CARDS]


def _has(key: str, value: FactValue) -> Q:
    return Q(**{f"facts__{key}": list(value) if isinstance(value, tuple) else value})


def written(repair: Repair) -> str:
    """The changes as a form sends them back: ``-1 deck kai, +1 deck termite``."""
    return ", ".join(f"{change.by:+d} {change.section} {change.card.code}" for change in repair.changes)


def parse_changes(game: Game, deck: Decklist, posted: Iterable[str]) -> tuple[CardChange, ...]:
    """Read changes as forms send them. Raises Refused for what is none, or names cards that nobody has."""
    lines = [part.strip() for text in posted for part in text.split(",")]
    matches = [_CHANGE.fullmatch(line) for line in lines[: MAX_CHANGES + 1]]
    if not lines or len(lines) > MAX_CHANGES or not all(matches):
        raise Refused(Fault("bad_change", "That is no repair; look for repairs once more and choose one of them.", "change"))
    read = [(match["code"], match["section"], int(match["by"])) for match in matches if match]
    own = {entry.card.code: entry.card for entry in deck}
    lacking = {code for code, _, _ in read} - own.keys()
    rows = StoredCard.objects.in_game(game.slug).filter(code__in=lacking, retired=False).prefetch_related("prints")
    known = own | {row.code: row.as_card() for row in rows}
    for code, section, by in read:
        if code not in known or section not in game.sections_by_slug or not by:
            sentence = f"{game.name} has no card {code[:60]} for the section {section}; look for repairs once more."
            raise Refused(Fault("bad_change", sentence, "change"))
    return tuple(CardChange(known[code], section, by) for code, section, by in read)


def repaired(judged: Judged, posted: Iterable[str]) -> Decklist:
    """The deck after changes that a form sent. Raises Refused if they do not fit it any more or do not help."""
    try:
        changes = parse_changes(judged.game, judged.deck, posted)
        deck = with_changes(judged.deck, changes)
    except ValueError as error:
        sentence = f"{error} The deck was changed since; look for repairs once more."
        raise Refused(Fault("changed_elsewhere", sentence, "change"), status=409) from None
    _refuse_kept(judged, changes)
    if badness(judged.game.judge(deck, judged.format)) >= badness(judged.report):
        sentence = "With these changes the deck would be no better than it is now. It was changed since; look for repairs once more."
        raise Refused(Fault("no_repair", sentence, "change"), status=409)
    return deck


def repairing(game: Game, posted: Iterable[str]) -> Callable[[DeckContent], DeckContent]:
    """The edit that a repair is, as ``repaired`` makes it."""

    def edit(content: DeckContent) -> DeckContent:
        judged = judge(game, content.deck, format_with(game, content.format, content.house))
        return replace(content, deck=repaired(judged, posted))

    return edit


def _refuse_kept(judged: Judged, changes: Iterable[CardChange]) -> None:
    """Of lines marked to be kept no more may come out than is too many by the rules."""
    beyond = too_many(judged.report)
    kept = {(entry.card.key, entry.section) for entry in judged.deck if entry.marks.keep}
    out: Counter[tuple[str, str]] = Counter()
    for change in changes:
        place = (change.card.key, change.section)
        out[place] -= change.by
        if place in kept and out[place] > beyond[place]:
            sentence = (
                f"{change.card.name} is marked to be kept, so it stays in the deck. Take the mark off first, or look for repairs once more."
            )
            raise Refused(Fault("changed_elsewhere", sentence, "change"), status=409)


def barring(judged: Judged, limits: Limits | None = None) -> tuple[Repair, tuple[str, ...]] | None:
    """The repair that marks stand in the way of, and the names of the cards marked; for a deck that has no whole one."""
    if judged.unread:
        return None
    return barred_by_marks(judged.game, judged.deck, judged.format, cards_of_catalogue(judged.game), limits or USUAL)


def repair_json(repair: Repair) -> dict[str, Any]:
    """A repair for the command line and the API."""
    return {
        "message": repair.words,
        "verdict": repair.verdict,
        "size": repair.size,
        "for_example": repair.for_example,
        "changes": _changes_json(repair),
        "others": [
            {
                "card": other.card.key,
                "name": other.card.name,
                "instead_of": other.instead_of.key,
                "message": other.repair.words,
                "changes": _changes_json(other.repair),
            }
            for other in repair.alternatives
        ],
    }


def _changes_json(repair: Repair) -> list[dict[str, Any]]:
    return [
        {"card": None if change.card.written else change.card.key, "name": change.card.name, "section": change.section, "by": change.by}
        for change in repair.changes
    ]

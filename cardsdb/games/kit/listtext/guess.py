"""Which game a list is for, as far as its own text says. What it leaves open is never decided: then the games
it may be for are named.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import lines_of
from cardsdb.games.kit.listtext.line import MAX_LINE, LineRefused, name_in, read_card_line
from cardsdb.games.kit.listtext.reading import Reading, bare_heading, heading_of, says_detail, split_heading
from cardsdb.games.kit.model.format import Format, Report, Severity
from cardsdb.games.kit.model.marks import has_control
from cardsdb.games.kit.model.text import fold, some

# Different lines that are looked at, and the characters at the beginning of each: a list that has not said by
# then what it is for is asked about. Every name and every type of card that is written in stands there.
MAX_GUESSED, MAX_BEGINNING = 120, 100
# What a line weighs that names a card, a format or a number of a format; that is a heading; that resembles a
# name.
CARD, HEADING, LIKE = 2, 1, 1
# How many times more must speak for a game than for another, and which part of the lines that should be cards
# must be its own.
TIMES, PART = 4, 5

_GAME = re.compile(r"(?i)(?://|#)?\s*game\s*[:=]\s*(?P<words>\S.*)")
_FORMAT = re.compile(r"(?i)(?://|#)?\s*format\s*[:=]\s*(?P<words>\S.*)")


@dataclass(frozen=True, slots=True)
class Guess:
    """The game that a list is for, and why; without one the games that it may be for, likeliest first, none
    if nothing says any.
    """

    game: Game | None
    why: str
    candidates: tuple[Game, ...] = ()


@dataclass(frozen=True, slots=True)
class _Sign:
    """What one line says: the weight that it has for each game, by its slug, and what it is."""

    kind: str
    words: str
    weights: Mapping[str, int]


def guess_game(games: Iterable[Game], text: str) -> Guess:
    """The game that a list is for. Costs a few look-ups for each line and game, and looks at ``MAX_GUESSED``
    lines.
    """
    by_slug = {game.slug: game for game in games}
    beginnings = (line.strip()[:MAX_BEGINNING] for line in lines_of(text[: MAX_GUESSED * MAX_LINE]))
    lines = list(islice(dict.fromkeys(line for line in beginnings if line), MAX_GUESSED))
    for line in lines:
        if (said := _GAME.fullmatch(line)) and (game := _game_called(by_slug.values(), said["words"])):
            return Guess(game, f"the list says “{game.name}”")
    signs = [
        sign
        for line in lines
        if not has_control(line) and (sign := _sign(by_slug.values(), " ".join(line.split())))
    ]
    total: Counter[str] = Counter()
    for sign in signs:
        total.update(sign.weights)
    if not total:
        return Guess(
            None,
            "no line names a card, a section or a format of any game" if lines else "there is no list yet",
        )
    best = max(by_slug, key=lambda slug: total[slug])
    rivals = [slug for slug in by_slug if slug != best and not _is_clear(signs, best, slug)]
    rivals.sort(key=lambda slug: -total[slug])
    if rivals:
        candidates = tuple(by_slug[slug] for slug in (best, *rivals))
        fitting = [f"{sum(game.slug in sign.weights for sign in signs)} {game.name}" for game in candidates]
        return Guess(None, f"its lines fit several games ({', '.join(fitting)})", candidates)
    if not _is_enough(signs, best):
        return Guess(None, f"few of its lines are cards of {by_slug[best].name}", (by_slug[best],))
    return Guess(by_slug[best], _why(signs, best))


def game_of_most(games: Iterable[Game], count: Callable[[Game], int]) -> Guess:
    """Return the game of which most of a file is, by a count of what of it is the game's; the several where
    they have as much, none where none has any.
    """
    counts = [(count(game), game) for game in games]
    most = max((number for number, _ in counts), default=0)
    best = tuple(game for number, game in counts if number == most > 0)
    return Guess(best[0] if len(best) == 1 else None, "most of it is of this game", best)


def guess_format(game: Game, reading: Reading) -> tuple[Format, str]:
    """The format that a list of this game is for, and why: said, or stated by a detail, else the one whose
    rules it fits best.
    """
    if said := game.format_called(reading.format):
        return said, "the list says so"
    if len(game.formats) == 1:
        return game.formats[0], "the only one"
    fitting = game.fitting_formats(reading.deck)
    if reading.deck.details:
        labels = {detail.key: detail.label for format in game.formats for detail in format.details}
        key = next(iter(reading.deck.details))
        likely = fitting[0] if fitting else game.formats[0]
        return likely, f"the list says “{labels.get(key, key)}: {str(reading.deck.details[key])[:20]}”"
    if len(fitting) < 2:
        placed = reading.deck.entries
        return (fitting or game.formats)[
            0
        ], "its cards have their places there" if placed else "the usual one"
    reports = {format.slug: game.judge(reading.deck, format) for format in fitting}
    best = min(fitting, key=lambda format: _fit(format, reports[format.slug]))
    worse = f"those of {fitting[0].name}" if best is not fitting[0] else ""
    if not reports[best.slug].codes(above=Severity.UNKNOWN):
        return best, f"the list breaks none of its rules{f', unlike {worse}' if worse else ''}"
    return (
        best,
        f"the list fits its rules better than {worse}" if worse else "its cards have their places there",
    )


def _fit(format: Format, report: Report) -> tuple[float, ...]:
    """How well a list fits the rules of a format, best first. A list that is not whole yet fits the format
    that has the fewest places; where each format has something against it, it fits the one whose rules it
    breaks least.

    A fan format that lets everything through says nothing of a list, so it is meant only where each official
    one has something against it.
    """
    illegal = len(report.codes(above=Severity.INCOMPLETE))
    broken = len(report.codes(above=Severity.UNKNOWN))
    # What a list lacks that is only begun says nothing of its format.
    counted = broken if illegal else 0
    is_fan = not format.official
    return broken > 0 or is_fan, len(format.sections), illegal > 0, is_fan, broken > 0, illegal, counted


def _game_called(games: Iterable[Game], words: str) -> Game | None:
    said = fold(words).removeprefix("the ")
    return next((game for game in games if said in (game.slug, fold(game.name).removeprefix("the "))), None)


def _sign(games: Iterable[Game], line: str) -> _Sign | None:
    """What the line says about which game it is for; None for a line that says nothing of it, such as a
    comment.
    """
    games = tuple(games)
    if said := _FORMAT.fullmatch(line):
        return _Sign(
            "format", said["words"], {game.slug: CARD for game in games if game.format_called(said["words"])}
        )
    bare, _ = bare_heading(line)
    headed = {game.slug: HEADING for game in games if any(heading_of(game, bare) or ())}
    names = (line, name_in(line))
    named = {game.slug: CARD for game in games if any(map(game.name_index.called, names))}
    if headed and not named:
        return _Sign("heading", bare.rstrip(": "), headed)
    if line.startswith(("//", "#")):
        return None
    if stated := {game.slug: CARD for game in games if says_detail(game, line)}:
        return _Sign("detail", line.partition(":")[0], stated)
    named = named or {game.slug: CARD for game in games if _is_card(game, line)}
    return _Sign(
        "card",
        line,
        named
        or {
            game.slug: LIKE
            for game in games
            if game.name_index.resembles(name_in(split_heading(game, line)[1]))
        },
    )


def _is_card(game: Game, line: str) -> bool:
    """Whether the line names a card of the game, one of several, or writes one in."""
    try:
        return not read_card_line(game, split_heading(game, line)[1], ()).card.unknown
    except LineRefused as refused:
        return refused.code not in ("unknown_card", "bad_marks")


def _ahead(signs: Iterable[_Sign], game: str, other: str) -> int:
    """What speaks for the one game and not for the other."""
    return sum(max(0, sign.weights.get(game, 0) - sign.weights.get(other, 0)) for sign in signs)


def _is_clear(signs: list[_Sign], best: str, other: str) -> bool:
    ahead = _ahead(signs, best, other)
    return ahead > 0 and ahead >= TIMES * _ahead(signs, other, best)


def _is_enough(signs: list[_Sign], game: str) -> bool:
    """Whether enough of the lines that should be cards are the game's; a format or a number that the list
    states is enough alone.
    """
    if any(game in sign.weights for sign in signs if sign.kind in ("format", "detail")):
        return True
    cards = [sign for sign in signs if sign.kind == "card"]
    return PART * sum(game in sign.weights for sign in cards) >= len(cards)


def _why(signs: list[_Sign], game: str) -> str:
    """The strongest reason, in words."""
    mine = [sign for sign in signs if game in sign.weights]
    for sign in _alone(mine, "format"):
        return f"the list says “Format: {sign.words[:40]}”"
    cards = [sign for sign in mine if sign.kind == "card" and sign.weights[game] == CARD]
    if cards:
        return f"{some(len(cards), 'line')} {'names a card' if len(cards) == 1 else 'name cards'} of it"
    for sign in _alone(mine, "detail"):
        return f"the list says “{sign.words[:40]}”"
    for sign in _alone(mine, "heading"):
        return f"it has the heading “{sign.words[:40]}”"
    return "its lines are nearest to names of its cards"


def _alone(signs: list[_Sign], kind: str) -> Iterator[_Sign]:
    return (sign for sign in signs if sign.kind == kind and len(sign.weights) == 1)

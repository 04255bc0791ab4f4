"""Find the game that a list is for, as far as its own text says. What it leaves open is never decided: then
the games it may be for are named.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import lines_of
from cardsdb.games.kit.listtext.forms import are_places, numbered
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

_GAME, _FORMAT = (
    re.compile(rf"(?i)(?://|#)?\s*{key}\s*[:=]\s*(?P<words>\S.*)") for key in ("game", "format")
)


@dataclass(frozen=True)
class Guess:
    """The game that a list is for, and why; without one the games that it may be for, likeliest first, none
    if nothing says any.
    """

    game: Game | None
    why: str
    candidates: tuple[Game, ...] = ()


@dataclass(frozen=True)
class _Sign:
    """A sign in one line: its weight for each game, by its slug, and its kind and words."""

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
    if are_places(lines):
        lines = [place[1] if (place := numbered(line)) else line for line in lines]
    for said in filter(None, map(_GAME.fullmatch, lines)):
        words = fold(said["words"]).removeprefix("the ")
        for game in by_slug.values():
            if words in (game.slug, fold(game.name).removeprefix("the ")):
                return Guess(game, f"the list says “{game.name}”")
    readable = (" ".join(line.split()) for line in lines if not has_control(line))
    signs = [sign for line in readable if (sign := _sign(tuple(by_slug.values()), line))]
    total: Counter[str] = Counter()
    for sign in signs:
        total.update(sign.weights)
    if not total:
        nothing = "no line names a card, a section or a format of any game"
        return Guess(None, nothing if lines else "there is no list yet")
    best = max(by_slug, key=lambda slug: total[slug])

    def ahead(game: str, other: str) -> int:
        """Return what speaks for the one game and not for the other."""
        return sum(max(0, sign.weights.get(game, 0) - sign.weights.get(other, 0)) for sign in signs)

    rivals = [
        slug for slug in by_slug if slug != best and ahead(best, slug) < max(1, TIMES * ahead(slug, best))
    ]
    rivals.sort(key=lambda slug: -total[slug])
    if rivals:
        candidates = tuple(by_slug[slug] for slug in (best, *rivals))
        fitting = [f"{sum(game.slug in sign.weights for sign in signs)} {game.name}" for game in candidates]
        return Guess(None, f"its lines fit several games ({', '.join(fitting)})", candidates)
    # A format or a number that the list states is enough alone.
    cards = [best in sign.weights for sign in signs if sign.kind == "card"]
    states = any(best in sign.weights for sign in signs if sign.kind in ("format", "detail"))
    if not states and PART * sum(cards) < len(cards):
        return Guess(None, f"few of its lines are cards of {by_slug[best].name}", (by_slug[best],))
    return Guess(by_slug[best], _why([sign for sign in signs if best in sign.weights], best))


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
    placed = "its cards have their places there"
    if len(fitting) < 2:
        return (fitting or game.formats)[0], placed if reading.deck.entries else "the usual one"
    reports = {format.slug: game.judge(reading.deck, format) for format in fitting}
    best = min(fitting, key=lambda format: _fit(format, reports[format.slug]))
    worse = f"those of {fitting[0].name}" if best is not fitting[0] else ""
    if not reports[best.slug].codes(above=Severity.UNKNOWN):
        return best, f"the list breaks none of its rules{f', unlike {worse}' if worse else ''}"
    return best, f"the list fits its rules better than {worse}" if worse else placed


def _fit(format: Format, report: Report) -> tuple[float, ...]:
    """The order in which formats fit a list, best first, by their rules. A list that is not whole yet fits
    the format that has the fewest places; where each format has something against it, it fits the one whose
    rules it breaks least.

    A fan format that lets everything through says nothing of a list, so it is meant only where each official
    one has something against it.
    """
    illegal = len(report.codes(above=Severity.INCOMPLETE))
    broken = len(report.codes(above=Severity.UNKNOWN))
    # What a list lacks that is only begun says nothing of its format.
    counted = broken if illegal else 0
    is_fan = not format.official
    return broken > 0 or is_fan, len(format.sections), illegal > 0, is_fan, broken > 0, illegal, counted


def _sign(games: tuple[Game, ...], line: str) -> _Sign | None:
    """The sign of a game that a line gives; None for a line that says nothing of it, such as a
    comment.
    """
    if said := _FORMAT.fullmatch(line):
        of = {game.slug: CARD for game in games if game.format_called(said["words"])}
        return _Sign("format", said["words"], of)
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
    rests = [(game, split_heading(game, line)[1]) for game in games]
    named = named or {game.slug: CARD for game, rest in rests if _is_card(game, rest)}
    like = ((game.slug, game.name_index.resembles(name_in(rest))) for game, rest in rests)
    return _Sign("card", line, named or {slug: LIKE for slug, resembles in like if resembles})


def _is_card(game: Game, line: str) -> bool:
    """True if the line names a card of the game, one of several, or writes one in."""
    try:
        return not read_card_line(game, line, ()).card.unknown
    except LineRefused as refused:
        return refused.code not in ("unknown_card", "bad_marks")


def _why(signs: list[_Sign], game: str) -> str:
    """The strongest reason among these signs, in words."""
    alone = {sign.kind: sign.words[:40] for sign in reversed(signs) if len(sign.weights) == 1}
    if "format" in alone:
        return f"the list says “Format: {alone['format']}”"
    if cards := sum(sign.kind == "card" and sign.weights[game] == CARD for sign in signs):
        return f"{some(cards, 'line')} {'names a card' if cards == 1 else 'name cards'} of it"
    if "detail" in alone:
        return f"the list says “{alone['detail']}”"
    if "heading" in alone:
        return f"it has the heading “{alone['heading']}”"
    return "its lines are nearest to names of its cards"

"""Finds the game (``guess_game``) and the format (``guess_format``) that a deck list is for.

Forms that take a list without asking for its game call them. Each line is a sign for the games that know what
it names, and a game is guessed only if its signs clearly outweigh those of every other game. Else no game is
returned, but the candidates, and the visitor is asked. Ambush is a card of Spycraft and of The X-Files:

    "2 Ambush", "2 Kai"    Spycraft, since the second line is a sign for it and none for The X-Files
    "2 Kai", "1 Kick"      no game: one line for each of the two

Tests: ``tests/cardsdb/games/kit/listtext/test_guess.py``.
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

# Different lines that are looked at: a list that has not shown its game after so many is asked about.
MAX_GUESSED = 120
MAX_BEGINNING = 100  # characters of a line that are looked at; names stand at its beginning
# Weight of a line for a game.
CARD = 2  # it names a card, a format or a detail of the game
HEADING = 1  # it is one of the game's headings
LIKE = 1  # it is like the name of one of the game's cards
# The signs for a game must weigh 4 times as much as those for any other; signs for both do not count.
TIMES = 4
# At least one in 5 of the lines that should name a card must name one of the game.
PART = 5

# Lines "Game: Spycraft" and "// format: Agency Deck".
_GAME = re.compile(r"(?i)(?://|#)?\s*game\s*[:=]\s*(?P<words>\S.*)")
_FORMAT = re.compile(r"(?i)(?://|#)?\s*format\s*[:=]\s*(?P<words>\S.*)")


@dataclass(frozen=True)
class Guess:
    """The game that a list is for, or None, with the reason in words."""

    game: Game | None
    why: str
    candidates: tuple[Game, ...] = ()  # without a game: those that it may be, likeliest first


@dataclass(frozen=True)
class _Sign:
    """The evidence of one line: "2 Ambush" -> _Sign("card", "2 Ambush", {"spycraft": 2, "xfiles": 2})."""

    kind: str  # "format", "heading", "detail" or "card"
    words: str
    weights: Mapping[str, int]  # slug of a game -> weight


def guess_game(games: Iterable[Game], text: str) -> Guess:
    """Guess the game that a list is for: the one it states, else the one that its lines are signs for."""
    by_slug = {game.slug: game for game in games}
    beginnings = (line.strip()[:MAX_BEGINNING] for line in lines_of(text[: MAX_GUESSED * MAX_LINE]))
    # Each different line once.
    lines = list(islice(dict.fromkeys(line for line in beginnings if line), MAX_GUESSED))
    if are_places(lines):
        lines = [place[1] if (place := numbered(line)) else line for line in lines]
    if stated := _stated_game(by_slug.values(), lines):
        return Guess(stated, f"the list says “{stated.name}”")
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
        """The weight of the signs for one game beyond their weight for the other."""
        return sum(max(0, sign.weights.get(game, 0) - sign.weights.get(other, 0)) for sign in signs)

    # A game is a rival of the best unless the signs for the best alone weigh TIMES those for that game alone.
    others = sorted((slug for slug in by_slug if slug != best), key=lambda slug: -total[slug])
    rivals = [slug for slug in others if ahead(best, slug) < max(1, TIMES * ahead(slug, best))]
    if rivals:
        candidates = tuple(by_slug[slug] for slug in (best, *rivals))
        fitting = [f"{sum(game.slug in sign.weights for sign in signs)} {game.name}" for game in candidates]
        return Guess(None, f"its lines fit several games ({', '.join(fitting)})", candidates)
    # Few cards of the game among many lines are no list for it. A stated format or detail is enough by
    # itself.
    cards = [best in sign.weights for sign in signs if sign.kind == "card"]
    states = any(best in sign.weights for sign in signs if sign.kind in ("format", "detail"))
    if not states and PART * sum(cards) < len(cards):
        return Guess(None, f"few of its lines are cards of {by_slug[best].name}", (by_slug[best],))
    return Guess(by_slug[best], _why([sign for sign in signs if best in sign.weights], best))


def _stated_game(games: Iterable[Game], lines: Iterable[str]) -> Game | None:
    """The game that a line "Game: Spycraft" names by its slug or its name, with or without "the"."""
    known: dict[str, Game] = {}
    for game in games:
        # Of two games with one name the first is meant.
        for word in (game.slug, fold(game.name).removeprefix("the ")):
            known.setdefault(word, game)
    named = (fold(line["words"]).removeprefix("the ") for line in map(_GAME.fullmatch, lines) if line)
    return next((known[words] for words in named if words in known), None)


def game_of_most(games: Iterable[Game], count: Callable[[Game], int]) -> Guess:
    """Guess the game of a file by how much of it belongs to each game (``count``). Games with the same
    highest count are candidates; there are none if every count is 0.
    """
    counts = [(count(game), game) for game in games]
    most = max((number for number, _ in counts), default=0)
    best = tuple(game for number, game in counts if number == most > 0)
    return Guess(best[0] if len(best) == 1 else None, "most of it is of this game", best)


def guess_format(game: Game, reading: Reading) -> tuple[Format, str]:
    """(format that a list of this game is for, the reason in words): the one that the list states, or that
    has the detail it states; else the one whose rules it fits best.
    """
    if stated := game.format_called(reading.format):
        return stated, "the list says so"
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


def _fit(format: Format, report: Report) -> tuple[int, ...]:
    """A sort key of the formats that a list may be for; the best fit is lowest.

    First come official formats that object to nothing; a fan format may let everything through, so its
    consent says little. Of the others the one with the fewest sections is meant, since a list that is only
    begun breaks rules of any format; then the one that forbids least.
    """
    illegal = len(report.codes(above=Severity.INCOMPLETE))
    broken = len(report.codes(above=Severity.UNKNOWN))  # illegal and incomplete
    is_fan = not format.official
    return (
        broken > 0 or is_fan,
        len(format.sections),
        illegal > 0,
        is_fan,
        broken > 0,
        illegal,
        # If nothing is illegal, what is lacking says nothing of the format: the list may only be begun.
        broken if illegal else 0,
    )


def _sign(games: tuple[Game, ...], line: str) -> _Sign | None:
    """The evidence of a line; None for a comment. The first of these that it is counts: a statement of the
    format, the name of a card, a heading, a detail, a line with a card, a line like a card's name. A line
    that is none of them is a card that no game has: its weights are empty.
    """
    if stated := _FORMAT.fullmatch(line):
        with_format = {game.slug: CARD for game in games if game.format_called(stated["words"])}
        return _Sign("format", stated["words"], with_format)
    bare, _ = bare_heading(line)
    headed = {game.slug: HEADING for game in games if any(heading_of(game, bare) or ())}
    names = (line, name_in(line))
    named = {game.slug: CARD for game in games if any(map(game.name_index.called, names))}
    if headed and not named:
        return _Sign("heading", bare.rstrip(": "), headed)
    if line.startswith(("//", "#")):
        return None
    if detailed := {game.slug: CARD for game in games if says_detail(game, line)}:
        return _Sign("detail", line.partition(":")[0], detailed)
    rests = [(game, split_heading(game, line)[1]) for game in games]
    named = named or {game.slug: CARD for game, rest in rests if _is_card(game, rest)}
    like = ((game.slug, game.name_index.resembles(name_in(rest))) for game, rest in rests)
    return _Sign("card", line, named or {slug: LIKE for slug, resembles in like if resembles})


def _is_card(game: Game, line: str) -> bool:
    """True if the line names one or several cards of the game, or writes one in."""
    try:
        return not read_card_line(game, line, ()).card.unknown
    except LineRefused as refused:
        return refused.code not in ("unknown_card", "bad_marks")


def _why(signs: list[_Sign], game: str) -> str:
    """The strongest of these signs for a game, as a reason in words."""
    # Kind -> the words of its first sign that is for this game alone.
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

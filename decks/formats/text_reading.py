"""Plain text of any tool as a deck."""

from __future__ import annotations

import re

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import MAX_LINES, ListTooLarge, Reading, lines_of, read_deck
from cardsdb.games.kit.listtext.line import MAX_LINE
from cardsdb.games.kit.listtext.sections import SIDEBOARD, heading_of, headings
from decks.formats.contract import Loss, ReadFile, Unreadable
from decks.formats.decoding import text_of_bytes
from decks.formats.placing import foreign

# What shows whose text it is; ours and the plain one come last.
_SIGNS = (
    ("Forge", re.compile(r"(?mi)^\[metadata\]\s*$")),
    ("XMage", re.compile(r"(?m)^(?:SB:\s*)?\d+ \[[A-Z0-9]{2,6}:\w+\] \S|^LAYOUT (?:MAIN|SIDEBOARD):")),
    ("Deckstats", re.compile(r"(?m)^\d+ \[[\w]{2,6}#\w+\] \S")),
    ("mwDeck", re.compile(r"(?m)^(?:SB:[ \t]+|[ \t]{2,})\d+ \[\w{0,6}\] \S")),
    ("mtg.wtf", re.compile(r"(?m)^\d+ .+ \[\w{2,6}:\w+\](?: \[foil\])?\s*$")),
    ("Archidekt", re.compile(r"(?m)^\d+x .+ \(\w{2,6}\) \S+ .*\[[^\[\]\n]+\]|\^[^^,]+,#[0-9a-fA-F]{3,8}\^")),
    ("TappedOut", re.compile(r"(?m)^\d+x .+\*(?:CMDR|F)\*")),
    ("Apprentice", re.compile(r'(?m)^(?:MD|SB),\d+,"?')),
    ("Moxfield", re.compile(r"(?m)^SIDEBOARD:\s*$|^\d+ .+ \([A-Z0-9]+\) \S+ (?:\*[FE]\*|#)")),
    ("Arena", re.compile(r"(?m)\A(?>(?s:.*?)^(?:About|Deck|Sideboard|Commander|Companion)[ \t]*$)(?s:.*)^\d+ .+ \(\w+\) \d+")),
    ("a tournament archive (VTES)", re.compile(r"(?mi)^Crypt\b.*(?:cards|:)")),
    ("Pokémon TCG Live", re.compile(r"(?m)^\* \d+ .+ [A-Z0-9-]{2,6} \d+\s*$")),
    ("Cutout", re.compile(r"(?m)^// (?:name|format|notes|tags): ")),
)


def read(game: Game | None, data: bytes, filename: str) -> ReadFile:
    """Read a list line by line. Raises Unreadable for what is beyond the bounds, and where no game was given and none is named."""
    text, losses = text_of_bytes(data)
    if len(lines_of(text)) > MAX_LINES:
        raise Unreadable("too_large", f"The list has {len(lines_of(text)):,} lines; at most {MAX_LINES:,} are read.")
    chosen = game or _likeliest(text)
    said = with_sideboard(chosen, text)
    if said != text:
        losses = (*losses, Loss("sideboard_taken", "One blank line and no headings: what stands below it was taken as the sideboard."))
    sample = "\n".join(line for line in lines_of(text)[:200] if len(line) <= MAX_LINE)
    dialect = next((title for title, sign in _SIGNS if sign.search(sample)), "")
    return ReadFile(chosen, _reading(chosen, said), losses, "text", dialect, said)


def _reading(game: Game, text: str) -> Reading:
    try:
        return read_deck(game, text)
    except ListTooLarge as error:
        raise Unreadable("too_large", str(error)) from None


def _likeliest(text: str) -> Game:
    """The game that reads most of the first lines. Raises Unreadable where none reads any, or two read as many."""
    start = "\n".join(lines_of(text)[:200])
    scores = sorted(((len(_reading(game, start).deck.entries), slug) for slug, game in games().items()), reverse=True)
    most, best = scores[0]
    alike = [games()[slug].name for score, slug in scores if score == most]
    if not most:
        raise foreign()
    if len(alike) > 1:
        raise Unreadable("unknown_game", f"The list's cards are known in {' and '.join(alike)} alike. Choose the game it is for.", "game")
    return games()[best]


def with_sideboard(game: Game, text: str) -> str:
    """Cockatrice's plain text has no headings: one blank line divides the deck from its sideboard. That line becomes the heading,
    so that all others keep their numbers."""
    lines = lines_of(text)
    if SIDEBOARD not in headings(game) or any(len(line) > MAX_LINE for line in lines):
        return text
    first = next((place for place, line in enumerate(lines) if line.strip() and not line.startswith("//")), len(lines))
    last = max((place for place, line in enumerate(lines) if line.strip()), default=-1)
    blank = [place for place in range(first, last) if not lines[place].strip()]
    named = any(heading_of(game, line.strip("[]#/ \t")) is not None or line.strip().endswith(":") or ":" in line[:3] for line in lines)
    if len(blank) != 1 or named:
        return text
    lines[blank[0]] = "Sideboard:"
    return "\n".join(lines)

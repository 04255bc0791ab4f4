"""The limits of a print: how many cards, how large on which paper; what exceeds them is refused with advice.

A `Job` asks for its own cards when it is made; before that `printing.request.assembly` asks for all of them,
because a part of a print knows its own number only. Plain Python, without a Job.
Tests: ``tests/printing/job/test_job.py``.
"""

from dataclasses import replace

from cardsdb.games.kit import Game, some
from printing.layout import geometry
from printing.layout.imposition import layout_for
from printing.options.sizes import SLEEVE, millimetres, shown
from printing.options.values import NAMED, BadOption, CannotPrint, Options

# Different cards of one print.
MAX_DIFFERENT = 500
# Cards of one print, copies counted.
MAX_CARDS = 2_000
# Characters of the name, text and facts of one card together.
MAX_TEXT = 5_000
# Characters of the title of the print.
MAX_TITLE = 200


class TooMuch(CannotPrint):
    """The job exceeds a limit (cards, letters of a card or of the title), or has no cards at all."""

    code = "too_much"


def refuse_too_much(distinct: int, cards: int, copies: int) -> None:
    """Raise TooMuch, with advice, if a print is larger than one job may be. ``cards`` counts all copies."""
    advice = "print sections of the list by themselves"
    if distinct > MAX_DIFFERENT:
        raise TooMuch(f"one job prints at most {MAX_DIFFERENT} different cards, not {distinct:,}: {advice}")
    if cards > MAX_CARDS:
        # ``cards // copies`` is the number of cards when everything is printed once.
        if fit := MAX_CARDS // (cards // copies):
            advice = f"{some(fit, 'copy', 'copies')} of everything would fit"
        raise TooMuch(f"one job prints at most {MAX_CARDS:,} cards, not {cards:,}: {advice}")


def size_of(game: Game, options: Options) -> tuple[int, int]:
    """The trim (width, height) of a game's cards with these options, in micrometres."""
    width, height = options.trim.lengths if options.trim else game.trim
    return (width - SLEEVE, height - SLEEVE) if options.sleeves else (width, height)


def layout_of(options: Options, size: tuple[int, int]) -> geometry.Layout:
    """The layout of cards of this size. If not even one fits the paper, raises BadOption for the option that
    causes it: ``block``, ``left``, ``top``, else the card size.
    """
    try:
        return layout_for(options, size)
    except geometry.DoesNotFit:
        raise _refusal(options, size) from None


def _refusal(options: Options, size: tuple[int, int]) -> BadOption:
    """The refusal of the option because of which no card of this size fits the paper."""
    paper = options.paper.name
    if options.block:
        fewer = f"as few columns and rows of {millimetres(size)} as fit on {paper}"
        return BadOption(NAMED["block"], NAMED["block"].words(options.block), (fewer,))
    # ``left`` is the cause if a card fits without it, ``top`` if one fits without both.
    no_left = replace(options, left=None)
    causes = (("left", options.left, no_left), ("top", options.top, replace(no_left, top=None)))
    for name, place, without in causes:
        if place is not None and _fits(without, size):
            return BadOption(NAMED[name], shown(place), (f"auto, or less, so that a card fits on {paper}",))
    return BadOption(NAMED["trim"], millimetres(size), (f"small enough for {paper}",))


def _fits(options: Options, size: tuple[int, int]) -> bool:
    try:
        layout_for(options, size)
    except geometry.DoesNotFit:
        return False
    return True

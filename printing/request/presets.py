"""Settings that go together, under a name. To add a preset, add a line to ``PRESETS``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from printing.options.sizes import INCH, MIN_PAPER, PAPERS, SLEEVE, TRIMS, read_paper, shown
from printing.options.values import Options, read_options

# What print services ask for round each card.
SERVICE_BLEED = INCH // 8


@dataclass(frozen=True, slots=True)
class Preset:
    """``settings`` are words of the options it changes; all others stay. ``one_card``: the paper is one card
    with its bleed.
    """

    slug: str
    name: str
    help: str
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    one_card: bool = False


_CLOSE = {"gap": "0", "gap_y": "same"}
_BLED_OUTSIDE = {"bleed": "2", "bleed_where": "outside"}
_BLED_AS_USUAL = {"bleed": "auto", "bleed_where": "each"}
_AS_USUAL_LAID = {"trim": "", "orientation": "auto", "corner": "0"}
# From one card to the next on the sheets of silhouette-card-maker: 64.56 x 90 mm for poker cards, by which
# its cutting templates go.
_CUTTER_GAPS = {"gap": "1.06", "gap_y": "1.1"}
# What a page of one card has otherwise: the space round the cards of a sheet, and the ink of a home printer.
_OF_SHEETS = {"margin": "5", "marks": "corners", "header": "yes", "style": "light", **_BLED_AS_USUAL}

PRESETS = (
    Preset(
        "usual",
        "Usual settings",
        "Card beside card, marks in the margins, fronts only, in light ink.",
        {
            **_CLOSE,
            **_BLED_AS_USUAL,
            **_AS_USUAL_LAID,
            "marks": "corners",
            "backs": "none",
            "side": "both",
            "style": "light",
        },
    ),
    Preset(
        "scissors",
        "Cut with scissors",
        "2 mm between cards, so that each cut has room to miss.",
        {"gap": "2", "gap_y": "same", "marks": "corners", **_BLED_AS_USUAL},
    ),
    Preset(
        "guillotine",
        "Guillotine, edge to edge",
        "Lines across the whole sheet, no gaps: one cut serves two cards.",
        {**_CLOSE, "marks": "edges", **_BLED_OUTSIDE},
    ),
    Preset(
        "silhouette",
        "Silhouette cutter",
        "Poker cards as far apart as on silhouette-card-maker’s sheets, 64.56 x 90 mm, with three"
        " registration marks.",
        {
            **_CUTTER_GAPS,
            **_BLED_AS_USUAL,
            "marks": "registration3",
            "trim": "poker",
            "orientation": "landscape",
            "corner": "3",
        },
    ),
    Preset(
        "duplex",
        "Duplex, long edge",
        "Backs on the other side; bleed round the block hides a small shift.",
        {"backs": "long", "side": "both", **_BLED_OUTSIDE},
    ),
    Preset(
        "fold",
        "Fold and glue",
        "Backs beside the fronts: no printer has to hit the other side.",
        {"backs": "gutterfold", "side": "both"},
    ),
    Preset(
        "test",
        "Test print",
        "Outlines and marks only: try paper and printer before ink is spent.",
        {"style": "outline"},
    ),
    Preset("saver", "Ink saver", "Words and lines, no fills and no art.", {"style": "saver"}),
    Preset(
        "service",
        "Print shop, one card a page",
        "Each page is one card with 1/8 in of bleed, without marks and words.",
        {
            "margin": "0",
            "marks": "none",
            "header": "no",
            "bleed": shown(SERVICE_BLEED),
            "bleed_where": "outside",
            "style": "full",
        },
        one_card=True,
    ),
)


def preset_named(slug: str) -> Preset | None:
    """One of ours."""
    return next((preset for preset in PRESETS if preset.slug == slug), None)


def is_one_card(options: Options) -> bool:
    """Whether the paper is a page for one card: none of the named papers, and without room for two."""
    width, height = (options.trim or TRIMS["poker"]).lengths
    return (
        options.paper.slug not in PAPERS and options.paper.width * options.paper.height < 2 * width * height
    )


def applied(preset: Preset, now: Options, sheet_paper: str, trim: tuple[int, int]) -> Options:
    """The options after choosing the preset, for cards of the size ``trim`` unless the options say another.

    ``sheet_paper``: the word of the paper that a preset of sheets leads back to from a page of one card.
    """
    # A style suits a page of one card as well; anything else leads back to sheets.
    leaves = is_one_card(now) and set(preset.settings) != {"style"} and not preset.one_card
    settings = {**(_OF_SHEETS if leaves else {}), **preset.settings}
    chosen = read_options(settings)
    options = replace(now, **{name: getattr(chosen, name) for name in settings})
    if preset.one_card:
        width, height = (
            length - (SLEEVE if now.sleeves else 0) for length in (now.trim.lengths if now.trim else trim)
        )
        paper = "x".join(shown(max(length + 2 * SERVICE_BLEED, MIN_PAPER)) for length in (width, height))
        return replace(options, paper=read_paper(paper))
    return replace(options, paper=read_paper(sheet_paper)) if leaves else options

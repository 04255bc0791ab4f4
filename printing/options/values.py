"""The options of a print, each declared once: ``read_options`` makes ``Options`` in micrometres from words, ``query``
makes an address.

To add an option, add a field to ``Options``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from printing.options.copies import CardCount
from printing.options.duplex import DUPLEX_MODES, duplex_mode_named
from printing.options.option import MAX_SLOTS, NO, YES, BadOption, CannotPrint, Option, declared, option
from printing.options.sizes import MM, PAPERS, TRIMS, Size, shown

# The bleed of backs unless another is chosen: a printer shifts the other side by half a millimetre or a whole
# one.
BACK_BLEED = 2 * MM

__all__ = ["NAMED", "OPTIONS", "USUAL", "BadOption", "CannotPrint", "Option", "Options", "read_options"]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a print. Lengths are micrometres.

    ``trim`` None is the game's own, ``gap_y`` None the same as ``gap``, ``bleed`` None half of the gap.
    """

    only: str = option(
        "Which cards",
        "all, none, changed, missing, names of sections with commas between them, a query as in the"
        " card search, or sections; query for what of the sections it finds.",
        default="all",
        most=200,
    )
    since: str = option(
        "Only what changed since",
        "A version of the deck: its number or its name; of several decks each must have it. For its owner.",
        most=80,
    )
    missing: bool = option("Only what your collection lacks")
    one_each: bool = option("One of each card")
    counts: tuple[CardCount, ...] = option(
        "Copies of single cards",
        "Cards by name or code: Kai=3 prints three, Termite=0 none, Li=+1 one more, whatever is"
        " chosen otherwise. A name with a comma or = in it stands in quotes.",
        most=2_000,
    )
    copies: int = option("Copies of everything", default="1", least=1, most=20)
    extras: tuple[str, ...] = option(
        "Besides the cards",
        "They fill the slots that are left; the register has a page of its own.",
        {
            "tokens": "Tokens and markers of the game",
            "scores": "Score sheets and notebooks of the game",
            "reference": "Reference cards: set-up, turn, charts and terms in our words",
            "labels": "Labels for the box",
            "register": "Deck register to sign",
        },
    )
    paper: Size = option(  # noqa: RUF009  it is a field
        "Paper",
        "What lies in the printer; any other paper as width x height in millimetres.",
        {size.slug: size.name for size in PAPERS.values()},
        default="a4",
    )
    orientation: Literal["auto", "portrait", "landscape"] = option(
        "Orientation", choices=("Whichever holds more cards", "Portrait", "Landscape")
    )
    margin: int = option(
        "Printer margin", "Cards keep so far from the paper's edge.", default="5", most=30 * MM, unit="mm"
    )
    trim: Size | None = option(  # noqa: RUF009
        "Card size",
        "Any other size as width x height in millimetres.",
        {"": "As the game's own cards", **{size.slug: size.name for size in TRIMS.values()}},
    )
    sleeves: bool = option("Slightly smaller, for sleeves", "1 mm less wide and 1 mm less high.")
    turn: Literal["auto", "upright", "turned"] = option(
        "Cards lie", choices=("Whichever way holds more", "Upright", "On their side")
    )
    gap: int = option("Gap between cards", "Without a gap one cut serves two cards.", most=20 * MM, unit="mm")
    gap_y: int | None = option(
        "Gap between rows",
        "Where it is not that between columns.",
        {"same": "The same"},
        default="same",
        most=20 * MM,
        unit="mm",
    )
    bleed: int | None = option(
        "Bleed",
        "Colours run on so far beyond the cut. auto: half of the gap, at most 3 mm.",
        {"auto": "Half of the gap"},
        default="auto",
        most=5 * MM,
        unit="mm",
    )
    bleed_where: Literal["each", "outside"] = option(
        "Bleed is", choices=("Round each card", "On the outside of the block only")
    )
    corner: int = option("Rounded corners", "Their radius; 3 mm suits most cards.", most=10 * MM, unit="mm")
    marks: Literal["corners", "edges", "registration3", "registration4", "none"] = option(
        "Cut marks",
        choices=(
            "At the corners",
            "Lines from edge to edge",
            "For Silhouette cutters: a square and two corners",
            "For Silhouette cutters: four corners",
            "None",
        ),
        also=dict.fromkeys(YES, "corners") | dict.fromkeys(NO, "none"),
    )
    marks_where: Literal["below", "above"] = option(
        "Marks lie", "Above, they show on the cards as well.", ("Below the cards", "Above the cards")
    )
    backs: Literal["none", "long", "short", "gutterfold", "separate"] = option(
        "Backs",
        choices=(
            "No backs",
            "Both sides, turned over the long edge",
            "Both sides, turned over the short edge",
            "Beside the fronts, to fold and glue",
            "As a file of their own",
        ),
    )
    side: Literal["both", "fronts", "backs"] = option(
        "Print", choices=("Fronts and backs", "Fronts only", "Backs only")
    )
    fold: Literal["auto", "vertical", "horizontal"] = option(
        "Fold", choices=("Whichever holds more cards", "Up the middle", "Across the middle")
    )
    heads: Literal["from", "to"] = option(
        "Heads at the fold",
        "Where the fold runs along the cards' upper edges.",
        ("Away from the fold", "Towards the fold"),
    )
    back_x: int = option(
        "Move backs right by",
        "As measured with the calibration sheet.",
        least=-10 * MM,
        most=10 * MM,
        unit="mm",
    )
    back_y: int = option("Move backs down by", least=-10 * MM, most=10 * MM, unit="mm")
    back_turn: int = option("Turn backs clockwise by", least=-300, most=300, unit="degrees")
    back_read: Literal["here", "long", "short", "long-landscape", "short-landscape"] = option(
        "Read from a calibration sheet",
        "Over the other edge backs are moved the other way.",
        ("Of this kind: move them just so", *(f"In {way.words}" for way in DUPLEX_MODES)),
    )
    style: Literal["light", "full", "saver", "outline"] = option(
        "Style",
        choices=(
            "Light ink: bands in outline, thin emblems",
            "Full ink, as on the card page",
            "Ink saver: words and lines, no fills and no art",
            "Test print: outlines only",
        ),
    )
    pictures: bool = option("Your own pictures where you have some", default="yes")
    ink: Literal["colour", "grey"] = option("Ink", choices=("Colour", "Greys only"))
    type: Literal["normal", "large"] = option("Type", choices=("Normal", "Large print"))
    ruled: bool = option("Leave room to write", "Ruled lines in place of the emblem.")
    qr: Literal["none", "page", "list"] = option(
        "QR code in the margin",
        "Leads back from the paper to the list. It is printed where there is room, else on the register.",
        ("None", "To the deck's page", "With the whole list in it"),
    )
    header: bool = option("A line on each sheet that says what it is", default="yes")
    micro: bool = option(
        "The deck's name in tiny type on each card", "2 pt at the foot: tells a proxy from a card."
    )
    start: int = option(
        "First slot used",
        "On the first sheet, for paper that is used in part.",
        default="1",
        least=1,
        most=MAX_SLOTS,
    )
    part: int = option(
        "Files of at most",
        "For mail, and for shops that take no larger ones: a ZIP of several PDFs, split between"
        " sheets. 0: one file.",
        most=500,
        unit="MB",
    )
    skip: tuple[int, ...] = option(
        "Slots left empty", "On every sheet, counted along the rows from 1, such as 2,5 or 1-3."
    )

    @property
    def gaps(self) -> tuple[int, int]:
        """The gaps between columns and between rows."""
        return self.gap, self.gap if self.gap_y is None else self.gap_y

    @property
    def bled(self) -> int:
        """The bleed: how far colours run on beyond the cut."""
        return min(min(self.gaps) // 2, 3 * MM) if self.bleed is None else self.bleed

    @property
    def back_bled(self) -> int:
        """The bleed of backs on the other side of the paper: wider by default, because the two sides never
        meet exactly.
        """
        usual = self.bleed is None and self.flip and not self.corner
        return max(self.bled, BACK_BLEED) if usual else self.bled

    @property
    def flip(self) -> Literal["long", "short"] | None:
        """The edge over which paper is turned between fronts and backs; None where it is not turned."""
        return {"long": "long", "separate": "long", "short": "short"}.get(self.backs)  # type: ignore[return-value]

    @property
    def apart(self) -> bool:
        """True if fronts and backs are files of their own."""
        return self.backs == "separate" and self.side == "both"

    @property
    def shows_pictures(self) -> bool:
        """True if own pictures are printed: in the styles that show art."""
        return self.pictures and self.style in ("light", "full")

    def query(self) -> dict[str, str]:
        """The options that differ from their default, as words of an address; ``read_options`` reads them
        back.
        """
        words = {one.name: one.words(getattr(self, one.name)) for one in OPTIONS}
        return {name: value for name, value in words.items() if value != NAMED[name].default}

    def words(self) -> tuple[str, ...]:
        """The settings for a sheet's header: the paper, and what differs from the default."""
        backs = {"short": "short edge", "gutterfold": "to fold"}.get(self.backs, "long edge")
        styles = {"full": "full ink", "saver": "ink saver", "outline": "test print"}
        phrases = {
            "sleeves": "for sleeves",
            "gap": f"gap {' × '.join(shown(gap) for gap in dict.fromkeys(self.gaps))} mm",
            "backs": backs,
            "bleed_where": "bleed outside",
            "back_x": f"backs {shown(self.back_x)} mm right",
            "back_y": f"backs {shown(self.back_y)} mm down",
            "back_turn": f"backs turned {self.back_turn / 100:g}°",
            "back_read": f"as read over the {(duplex_mode_named(self.back_read) or DUPLEX_MODES[0]).brief}",
            "style": styles.get(self.style, ""),
            "pictures": "without own pictures",
            "ink": "greys",
            "type": "large print",
            "ruled": "room to write",
            "corner": f"corners {shown(self.corner)} mm",
        }
        words = [self.paper.name]
        for one in OPTIONS:
            value = getattr(self, one.name)
            if one.name not in _NOT_IN_HEADER and value != getattr(USUAL, one.name):
                says = f"{one.label.casefold()} {one.words(value)} {one.unit}".strip()
                words.append(phrases.get(one.name, says))
        return tuple(words)


# Options that the header says in another way, or that the sheet itself shows.
_NOT_IN_HEADER = frozenset(
    "paper trim orientation margin turn only header marks marks_where micro heads fold copies side part start skip"
    " gap_y since counts missing one_each extras qr".split()
)


OPTIONS = declared(
    Options,
    {
        "only": "Choosing cards",
        "paper": "Paper",
        "trim": "Cards",
        "gap": "Cutting",
        "backs": "Backs",
        "style": "Ink and type",
        "start": "Places",
        "part": "File",
        "skip": "Places",
    },
)
NAMED = {one.name: one for one in OPTIONS}


def read_options(options: Mapping[str, Any]) -> Options:
    """Options of a form, an address, a command line or an API body. Absent and empty are the default.

    Raises BadOption, also for an option that does not exist.
    """
    for name in options:
        if name not in NAMED:
            raise BadOption("option", name, tuple(NAMED))
    return Options(**{name: one.read(options.get(name)) for name, one in NAMED.items()})


# Every option with its default.
USUAL = read_options({})

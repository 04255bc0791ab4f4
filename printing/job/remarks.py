"""Remarks on a print: sentences that warn of what may surprise the reader about the sheets. Plain Python.

The print page, the API and ``print_deck`` show ``remarks_of(job)`` beside the summary, before the file is
made. Remarks never stop a print; what stops it raises an error in ``limits.py`` or ``job.py``.
Tests: ``tests/printing/job/test_remarks.py``.
"""

from collections.abc import Iterator
from dataclasses import replace

from cardsdb.games.kit import some
from printing.faces import fonts
from printing.faces.own_pictures import about_pictures
from printing.job.job import Job
from printing.job.limits import layout_of
from printing.layout import cuts, marks
from printing.layout.imposition import sheets_needed, warnings_for
from printing.layout.margin_words import SMALLEST
from printing.options.sizes import READABLE, SIX_POINTS, shown


def remarks_of(job: Job) -> tuple[str, ...]:
    """All remarks: margins, cuts, duplex printing, own pictures, then the job's ``more_remarks``."""
    faces = [face for part in job.parts for face in part.faces_with_art]
    return (
        *_about_margins(job),
        *dict.fromkeys(words for part in job.parts for words in _about_cuts(part)),
        *warnings_for([part.layout for part in job.parts], job.options),
        *about_pictures(job.every_picture, faces),
        *job.more_remarks,
    )


def _about_margins(job: Job) -> Iterator[str]:
    """Sentences about what the margins have no room for, and about settings that another one overrules."""
    # ``bands``: the areas for words in the margins; ``bars``: the scale bars.
    options, (bands, bars) = job.options, job.margins.furnished
    if not bars:
        yield "The margins have no room for a scale bar: measure a card instead."
    if options.trim and job.size[0] > job.size[1]:
        yield (
            "The card size is wider than high: the same card lies on its side, and faces that stand upright"
            " still do."
        )
    if not bands.above:
        yield "The margins have no room for words: the sheets do not say what they are."
    yield from _about_overruled(job)
    if job.unread and not all(part.says_what_it_is for part in job.parts):
        lines = some(job.unread, "line")
        yield (
            f"The sheets have no line of words, so they do not say that {lines} of the list are missing: the"
            " file's name does."
        )
    if options.marks == "corners" and options.marks_where == "below" and not marks.crop_marks(job.layout):
        yield "The margins have no room for cut marks."
    if job.layout.fold and options.marks in marks.REGISTRATION_KINDS:
        yield (
            "Once the sheet is folded, half of its registration marks lie on the back, where a cutter cannot"
            " read them: cut by hand, or choose backs on the long or the short edge."
        )
    size = min(part.margins.credit_size for part in job.parts)
    if size < SMALLEST:
        yield (
            f"The credit is printed in {size / fonts.POINT:.1f} pt, which few read with ease: choose a"
            " smaller gap or larger paper."
        )
    if job.codes and not job.margins.code:
        advice = (
            "it stands on the register alone."
            if job.code_elsewhere
            else "print the register, or choose other paper."
        )
        yield f"The margins have no room for the QR code: {advice}"


def _about_overruled(job: Job) -> Iterator[str]:
    """Sentences about settings that another one overrules, and about cards too small to be read."""
    options, layout = job.options, job.layout
    gaps = (layout.gap_x, layout.gap_y)
    if gaps != options.gaps:
        # "2", or "2 and 3" if columns and rows differ.
        asked, made = (" and ".join(dict.fromkeys(map(shown, pair))) for pair in (options.gaps, gaps))
        # The sheets that would be saved if cards had no bleed between them.
        close = replace(options, bleed_where="outside")
        more = job.own_sheets - sheets_needed(layout_of(close, job.size), close, job.own_cards)
        cost = f", which takes {some(more, 'sheet')} more" if more > 0 else ""
        yield (
            f"Cards stand {made} mm apart, not {asked}, for each has {shown(options.bled)} mm of bleed round"
            f" it{cost}. Bleed on the outside of the block alone needs no gap."
        )
    if layout.fold and options.side != "both":
        yield "Fronts and backs of a folded sheet lie on one side of the paper, so both are printed."
    if min(job.size) < READABLE:
        yield "Words on cards this small cannot be read: the size suits tokens and pictures of your own."
    elif min(job.size) < SIX_POINTS and options.style != "outline":
        yield (
            "On cards this small some words are under 6 pt: choose a larger card size to read them with ease."
        )


def _about_cuts(part: Job) -> Iterator[str]:
    """If the order of cuts is asked for: sentences with that order in words, and with what hinders it."""
    options, order, numbered = part.options, part.margins.cut_order, bool(part.margins.numbers)
    if not part.own_cards:
        return
    if options.cut_order and options.marks not in marks.CUT_MARKS:
        yield "Only cut marks have numbers of cuts: choose marks at the corners or from edge to edge."
    if not order:
        return
    if numbered:
        yield cuts.in_words(order, bool(part.layout.fold))
    else:
        yield "The margins that the printer prints have no room for the numbers of cuts."
        yield cuts.in_distances(order, part.layout)
    if options.corner:
        yield (
            "No guillotine cuts round corners or circles: the cuts free the rectangle of each card,"
            " and its corners are cut by hand."
        )

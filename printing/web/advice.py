"""What the page says beside the preview: what to choose in the printer's dialog."""

from __future__ import annotations

from cardsdb.games.kit.model.text import plural
from printing.job.job import Job
from printing.layout import margins
from printing.options.sizes import INCH, MM


def instructions(job: Job) -> tuple[tuple[str, str], ...]:
    """(what the dialog calls it, what to choose)."""
    options, layout = job.options, job.layout
    lies = "landscape" if layout.landscape else "portrait"
    said = [
        ("Paper", f"{options.paper.name}, {lies}."),
        ("Scale", "100 %, “actual size” or “no scaling”. Never “fit” or “shrink”: cards would come out too small."),
    ]
    if options.backs == "gutterfold":
        said.append(("Two-sided", "Off. Fold along the dashed line, glue, let it dry, then cut."))
    elif options.backs == "separate" and options.side == "both":
        said.append(("Two-sided", "Off. Print the fronts, lay the stack back in, then print the backs from the other file."))
    elif options.flip and options.side == "both":
        said.append(("Two-sided", f"On, turned over the {options.flip} edge (“{options.flip}-edge binding”)."))
    else:
        said.append(("Two-sided", "Off."))
    if options.ink == "grey":
        said.append(("Colour", "Greys or black and white: the sheets have no colours."))
    bars = margins.furnished(layout, options, job.extras.codes)[1]
    if bars:
        lengths = " and ".join(bar.label for bar in bars)
        said.append(("First sheet", f"Print one, then lay a ruler on the {plural(len(bars), 'scale bar')}: {lengths}."))
    else:
        width = job.size[0]
        said.append(("First sheet", f"Print one, then measure a card: it is {width / MM:g} mm ({width / INCH:.2f} in) wide."))
    return tuple(said)

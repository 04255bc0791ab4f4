"""Every different card as a picture, fronts and backs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from printing.exports.archive import Member
from printing.exports.encoding import SUFFIXES, card_file
from printing.exports.faces import cards_of, with_bleed
from printing.exports.naming import back_names, front_names
from printing.exports.readme import readme
from printing.job.job import Job
from printing.options.sizes import shown


def card_pictures(job: Job, kind: str = "png", dpi: int = 300, drawn: Callable[[], None] = lambda: None) -> Iterator[Member]:
    """``02x-kai.png`` and so on, then the backs, of a job with ``file_options``. They have its bleed. ``drawn`` is called for each."""
    bleed = job.options.bled
    pieces = cards_of(job)
    side, suffix = job.options.side, SUFFIXES[kind]
    fronts = [] if side == "backs" else list(zip(front_names(pieces), pieces, strict=True))
    backs = {} if side == "fronts" else back_names(pieces)
    files = [
        f"{name}.{suffix}: {piece.count} x {piece.name}"
        + (f", back {backs[id(piece.back)][0]}.{suffix}" if id(piece.back) in backs else "")
        for name, piece in fronts
    ]
    files += [f"{name}.{suffix}: {drawing.name}" for name, drawing in backs.values() if not fronts]
    around = f", {shown(bleed)} mm of bleed on every side included" if bleed else ", cut at the edge: no bleed"
    yield readme(job, [f"One picture for each different card, {dpi} pixels an inch{around}."], files)
    drawings = [(name, piece.front) for name, piece in fronts] + list(backs.values())
    for name, drawing in drawings:
        yield Member(f"{name}.{suffix}", card_file(with_bleed(drawing, bleed), job.game, kind, dpi))
        drawn()

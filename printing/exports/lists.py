"""The lists that a file with sections is made from, each with the job that draws it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cardsdb.games.kit import Decklist
from printing.job.job import Job
from printing.request.assembly import assembled
from printing.request.print_request import Asking

# Of what is printed besides the cards, what is cards.
CARDS_BESIDES = ("tokens",)


def lists_for(asking: Asking, job: Job) -> Iterator[tuple[Job, Decklist]]:
    """What was chosen of each list, each card in its section. One list is the job's own; of several each becomes a job like it.

    Lists that nothing was chosen of are left out. Made as they are asked for: most files need none. Raises as ``assembled`` does.
    """
    options = replace(job.options, extras=tuple(one for one in job.options.extras if one in CARDS_BESIDES), qr="none")
    for one in asking.chosen:
        if len(asking.chosen) == 1:
            yield job, Decklist(one.entries, name=job.title)
        elif one.entries:
            own = assembled([one], options, asking.viewer, asking.root.rstrip("/"))
            yield own, Decklist(one.entries, name=own.title)

"""How far a file is, told in whole pages, each number once."""

from __future__ import annotations

from collections.abc import Callable

from printing.job.job import Job


class Progress:
    """Calls ``on_page`` with every number of pages up to the one that is reached."""

    def __init__(self, on_page: Callable[[int], None]) -> None:
        self.on_page, self.done = on_page, 0

    def reach(self, pages: int) -> None:
        while self.done < pages:
            self.done += 1
            self.on_page(self.done)


class PrintProgress(Progress):
    """Of a print: the first half is told while its different cards are drawn, the second while its pages are
    made.

    Pictures are read when pages are made: of a print with some all is told then.
    """

    def __init__(self, on_page: Callable[[int], None], job: Job, has_pictures: bool) -> None:
        super().__init__(on_page)
        self.pages, self.cards = job.pages, len(job.distinct)
        self.before = 0 if has_pictures else self.pages // 2

    def card(self, cards: int) -> None:
        """So many cards are drawn."""
        self.reach(self.before * cards // self.cards)

    def page(self, pages: int) -> None:
        """So many pages are made."""
        self.reach(self.before + (self.pages - self.before) * pages // self.pages)

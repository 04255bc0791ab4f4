"""Which of its card's prints a line of a deck asks for, copy by copy."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

# A label (``TRU 154``, or a set alone) and its copies. The empty label stands for copies that may be of any
# print.
Group: TypeAlias = tuple[str, int]
_COUNTED = re.compile(r"(?P<label>.+?) ×(?P<copies>[0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Prints:
    """The prints that a line names, each by its label and with its copies, as its author ordered them.

    ``TRU 154`` are all copies of the line, however many; in ``TRU 154 ×1, PRE 12 ×1`` each has its number,
    and copies beyond those may be of any print. The number 0 means all that are left.
    """

    named: tuple[Group, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.named)

    def __str__(self) -> str:
        return ", ".join(f"{label} ×{copies}" if copies else label for label, copies in self.named)

    @classmethod
    def of(cls, label: str) -> Prints:
        """One print for all copies; any for an empty label."""
        return cls(((label, 0),)) if label else ANY_PRINT

    @classmethod
    def read(cls, words: str) -> Prints:
        """The prints that ``str`` wrote."""
        named = []
        for part in filter(None, words.split(", ")):
            counted = _COUNTED.fullmatch(part)
            named.append((counted["label"], int(counted["copies"])) if counted else (part, 0))
        return cls(tuple(named))

    @classmethod
    def split(cls, groups: Iterable[Group]) -> Prints:
        """The prints of a line that consists of these copies: one print of all of them needs no number."""
        copies: dict[str, int] = {}
        for label, count in groups:
            if count > 0:
                copies[label] = copies.get(label, 0) + count
        if len(copies) == 1:
            return cls.of(next(iter(copies)))
        return cls(tuple((label, count) for label, count in copies.items() if label))

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for label, _ in self.named)

    @property
    def label(self) -> str:
        """The print of all copies; empty where copies differ or any will do."""
        return self.named[0][0] if len(self.named) == 1 and not self.named[0][1] else ""

    def groups(self, count: int) -> tuple[Group, ...]:
        """So many copies by their prints; those of any print come last."""
        groups, left = [], count
        for label, copies in self.named:
            taken = min(copies or left, left)
            groups += [(label, taken)] if taken else []
            left -= taken
        return (*groups, *((("", left),) if left else ()))

    def resized(self, count: int) -> Prints:
        """The prints of a line that has so many copies now: the last named go first, and what is added may be
        of any print.
        """
        return Prints.split(self.groups(count))

    def joined(self, count: int, more: Prints, copies: int) -> Prints:
        """The prints of ``count`` copies of these and ``copies`` more of those."""
        return Prints.split((*self.groups(count), *more.groups(copies)))

    def parted(self, count: int, copies: int, wanted: Prints) -> tuple[Prints, Prints]:
        """(what stays, what goes) where of ``count`` copies so many go: those wanted, then those of any
        print, then the last named.
        """
        left = dict(self.groups(count))
        gone: dict[str, int] = {}
        for label, most in (
            *wanted.groups(copies),
            *(("", copies),),
            *((label, copies) for label in reversed(self.labels)),
        ):
            taken = min(most, left.get(label, 0), copies - sum(gone.values()))
            left[label], gone[label] = left.get(label, 0) - taken, gone.get(label, 0) + taken
        return Prints.split(left.items()), Prints.split(gone.items())


ANY_PRINT = Prints()

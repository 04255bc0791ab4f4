"""Zip files: their members, what they are called, and the README in them. No more than one member is held in memory at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from textwrap import fill
from typing import IO, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from cardsdb.games.kit.model.text import slugify
from printing.faces import wording
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.layout.imposition import Piece

# Readable by all, writable by their owner, as Unix has it.
MODE = 0o644 << 16
UNIX = 3


class Member(NamedTuple):
    """One file of an archive: its bytes, or what writes them. Names are made of small letters, digits and ``-``: see ``naming``."""

    name: str
    data: bytes | Callable[[IO[bytes]], None]


def write_zip(members: Iterable[Member], out: IO[bytes]) -> None:
    """The archive, each member as it comes, into a file in which one can go back. Stored as they are: pictures are compressed already."""
    with ZipFile(out, "w", ZIP_STORED) as archive:
        for member in members:
            # No date: the same members give the same bytes.
            entry = ZipInfo(member.name)
            entry.external_attr, entry.create_system = MODE, UNIX
            with archive.open(entry, "w") as file:
                if callable(member.data):
                    member.data(file)
                else:
                    file.write(member.data)


MAX_NAME = 60
BACK = "back"


def plain_name(words: str, otherwise: str = "card") -> str:
    """``RS-9, "The Koffin"`` -> ``rs-9-the-koffin``."""
    return slugify(words)[:MAX_NAME].strip("-") or otherwise


def each_once(names: Iterable[str]) -> list[str]:
    """The names with a number behind those that stood before."""
    taken: set[str] = set()
    found = []
    for name in names:
        number, one = 1, name
        while one in taken:
            number += 1
            one = f"{name}-{number}"
        taken.add(one)
        found.append(one)
    return found


def front_names(pieces: Sequence[Piece]) -> list[str]:
    """``02x-kai``: how often it is printed, and what it is."""
    return each_once(f"{piece.count:02d}x-{plain_name(piece.name)}" for piece in pieces)


def back_names(pieces: Sequence[Piece]) -> dict[int, tuple[str, Drawing]]:
    """id of a back -> its name and the back: ``back`` is the one that most cards have."""
    copies: Counter[int] = Counter()
    backs: dict[int, Drawing] = {}
    for piece in pieces:
        if piece.back:
            copies[id(piece.back)] += piece.count
            backs[id(piece.back)] = piece.back
    ranked = sorted(backs, key=lambda one: -copies[one])
    called = [BACK, *(plain_name(backs[one].name, BACK) for one in ranked[1:])]
    return {one: (name, backs[one]) for one, name in zip(ranked, each_once(called), strict=False)}


NAME = "README.txt"
WIDTH = 90


def readme(job: Job, *parts: Iterable[str]) -> Member:
    """The file. Each part is some lines; between parts stands an empty line."""
    head = [job.heading, f"{' and '.join(game.name for game in job.games)}, made by Cutout"]
    whose = [wording.sheet_credit(game) or game.name for game in job.games]
    blocks = ["\n".join(map(_filled, part)) for part in (head, *parts, whose)]
    return Member(NAME, ("\n\n".join(filter(None, blocks)) + "\n").encode())


def _filled(line: str) -> str:
    return fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)

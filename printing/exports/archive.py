"""Zip files: their members, the names of members, and the README. One member at a time is in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from textwrap import fill
from typing import IO, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from cardsdb.games.kit.model.text import slugify, some
from printing.faces import wording
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.layout.imposition import Piece

# Permissions as Unix has them: readable by all, writable by their owner.
MODE = 0o644 << 16
UNIX = 3


class Member(NamedTuple):
    """One file of an archive: its name, and its bytes or the function that writes them. ``plain_name`` makes
    names safe.
    """

    name: str
    data: bytes | Callable[[IO[bytes]], None]


def write_zip(members: Iterable[Member], out: IO[bytes]) -> None:
    """Write the archive into a seekable file, each member as it comes. Members are stored: pictures are
    compressed already.
    """
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
    """A safe file name of small letters, digits and ``-``: ``RS-9, "The Koffin"`` -> ``rs-9-the-koffin``."""
    return slugify(words)[:MAX_NAME].strip("-") or otherwise


def each_once(names: Iterable[str]) -> list[str]:
    """The names, with a number behind each that came before."""
    taken: set[str] = set()
    unique = []
    for name in names:
        number, one = 1, name
        while one in taken:
            number += 1
            one = f"{name}-{number}"
        taken.add(one)
        unique.append(one)
    return unique


def front_names(pieces: Sequence[Piece]) -> list[str]:
    """A name for each piece: how often it is printed and what it is, as ``02x-kai``."""
    return each_once(f"{piece.count:02d}x-{plain_name(piece.name)}" for piece in pieces)


def back_names(pieces: Sequence[Piece]) -> dict[int, tuple[str, Drawing]]:
    """id of a back -> its name and the back. The back that most cards have is called ``back``."""
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
    """The README. Each part is some lines; an empty line parts it from the next."""
    head = [job.heading, f"{' and '.join(game.name for game in job.games)}, made by Cutout"]
    if job.extras.about:
        head.append(f"{some(job.cards, 'card')} {', '.join(job.extras.about)}")
    whose = [wording.sheet_credit(game) or game.name for game in job.games]
    blocks = ["\n".join(map(_filled, part)) for part in (head, *parts, whose)]
    return Member(NAME, ("\n\n".join(filter(None, blocks)) + "\n").encode())


def _filled(line: str) -> str:
    return fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)

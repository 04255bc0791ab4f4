"""The cards of a game folder as they were read last, so that a program that starts need not check every cell
again.

A file of plain values in the folder of the site's data, good for exactly the files, the declarations and the
code of the kit that it was made from: whatever of them changes has another digest, and then the folder is
read. Nothing in such a file is run.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path

from cardsdb.games.kit.model.cards import Card, Claim, Print

# The files that a card's values come from.
FILES = ("cards.csv", "claims.csv", "effects.csv", "effects.toml", "sets.csv", "rulebook.toml")
# More cards are read from the folder: then it is the loading that counts, and the file would be large.
MAX_CARDS = 200_000
DIGEST = 20

_values_of_claim = attrgetter(*(field.name for field in fields(Claim)))
_values_of_print = attrgetter(*(field.name for field in fields(Print)))
# The folder of the files; none until the site says where its data is.
_folder: list[Path] = []


def keep_in(site_data: Path | None) -> None:
    """Keep cards in this folder of the site's data; None keeps none."""
    _folder[:] = [site_data / "cards"] if site_data else []


def cards_read_before(
    folder: Path, game: str, declared: object, read: Callable[[], Iterable[Card]]
) -> tuple[Card, ...]:
    """The cards of a game folder: kept ones, else those that ``read`` gives, which are kept from now on.

    ``declared``: what besides the files decides about the cards. Raises what ``read`` raises.
    """
    if not _folder:
        return tuple(read())
    digest = _digest_of(folder, declared)
    path = _folder[0] / f"{game}.cards"
    with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
        return _from_bytes(path.read_bytes(), digest)
    cards = tuple(read())
    if len(cards) <= MAX_CARDS:
        # A disk that is full or may not be written to, or a fact of a kind that cannot be kept: the folder is
        # read again next time.
        with contextlib.suppress(OSError, ValueError):
            _write(path, _as_bytes(cards, digest))
    return cards


def digest_known_before(folder: Path, game: str, declared: object, reckon: Callable[[], str]) -> str:
    """The digest of a folder's cards: as it was reckoned for the same files, declarations and code, else what
    ``reckon`` gives.
    """
    if not _folder:
        return reckon()
    files = _digest_of(folder, declared).hex()
    path = _folder[0] / f"{game}.digest"
    with contextlib.suppress(OSError, ValueError):
        of_files, _, of_cards = path.read_text(encoding="ascii").partition(" ")
        if of_files == files:
            return of_cards
    found = reckon()
    with contextlib.suppress(OSError):
        _write(path, f"{files} {found}".encode())
    return found


def _digest_of(folder: Path, declared: object) -> bytes:
    found = blake2b(f"{sys.version} {declared!r}".encode(), digest_size=DIGEST)
    found.update(_digest_of_code())
    for name in FILES:
        path = folder / name
        found.update(b"+" + path.read_bytes() if path.exists() else b"-")
    return found.digest()


@cache
def _digest_of_code() -> bytes:
    """Of the code that makes cards."""
    found, kit = blake2b(digest_size=DIGEST), Path(__file__).parent.parent
    for path in (*sorted((kit / "folder").glob("*.py")), *sorted((kit / "model").glob("*.py"))):
        found.update(path.read_bytes())
    return found.digest()


def _as_bytes(cards: tuple[Card, ...], digest: bytes) -> bytes:
    """The digest, that of the rest, and the rest: each different claim once, and the cards, whose sources
    name claims by their places.
    """
    places: dict[Claim, int] = {}
    rows = []
    for card in cards:
        sources = {
            key: tuple(places.setdefault(claim, len(places)) for claim in claims)
            for key, claims in card.sources.items()
        }
        prints = tuple(_values_of_print(print_) for print_ in card.prints)
        rows.append(
            (
                card.game,
                card.code,
                card.name,
                card.type,
                dict(card.facts),
                card.text,
                sources,
                prints,
                card.aliases,
                card.note,
                card.written,
            )
        )
    data = marshal.dumps(([_values_of_claim(claim) for claim in places], rows))
    return digest + blake2b(data, digest_size=DIGEST).digest() + data


def _from_bytes(data: bytes, digest: bytes) -> tuple[Card, ...]:
    """The cards. Raises ValueError for bytes of another digest, and for damaged ones."""
    rest = data[2 * DIGEST :]
    if data[: 2 * DIGEST] != digest + blake2b(rest, digest_size=DIGEST).digest():
        raise ValueError
    # Plain values only, and none that anybody but this module wrote: the digest of the bytes stands before
    # them.
    claim_rows, rows = marshal.loads(rest)  # noqa: S302 (a file that we wrote, in CUTOUT_VAR)
    claims = [Claim(*row) for row in claim_rows]
    known: dict[tuple[int, ...], tuple[Claim, ...]] = {}

    def named(places: tuple[int, ...]) -> tuple[Claim, ...]:
        if (found := known.get(places)) is None:
            found = known[places] = tuple(claims[place] for place in places)
        return found

    return tuple(
        Card(
            game,
            code,
            name,
            kind,
            facts,
            text,
            {key: named(places) for key, places in sources.items()},
            tuple(Print(*values) for values in prints),
            *others,
        )
        for game, code, name, kind, facts, text, sources, prints, *others in rows
    )


def _write(path: Path, data: bytes) -> None:
    """Written whole and renamed then: another process reads the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f"{path.suffix}.{os.getpid()}")
    fresh.write_bytes(data)
    fresh.replace(path)

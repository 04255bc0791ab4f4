"""What is made from an edition besides its rows: the index file of this machine, and the bulk files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from cardsdb.browse.listed import brief
from cardsdb.bulk.edition_files import write_bulk
from cardsdb.index.build import Row, build
from cardsdb.models import Card, Print
from cardsdb.open_index import index_of, index_path

# The current edition's file and the one before, which a page that is being made may still read.
KEPT = 2
AT_ONCE = 2_000
COLUMNS = ("pk", "game", "code", "name", "type", "facts", "name_folded", "sort_name", "search_text", "terms")


def publish(edition: int, say: Callable[[str], None]) -> None:
    """Make the files of an edition. Until they are there, the database answers by itself."""
    make_index(edition)
    say(f"Edition {edition}: index made")
    write_bulk(edition)
    say(f"Edition {edition}: bulk files made")


def has_index(edition: int) -> bool:
    """Whether this machine has a whole index of the edition, of the shape that this program reads."""
    return index_of(edition) is not None


def make_index(edition: int) -> None:
    """Make the index file of the catalogue as it is now, and remove those of editions long gone."""
    path = index_path(edition)
    path.parent.mkdir(parents=True, exist_ok=True)
    build(path, edition, _rows())
    for old in _old(path.parent, edition):
        old.unlink(missing_ok=True)


def _rows() -> Iterator[Row]:
    """Every current card in the order of the catalogue."""
    found = Card.objects.current().by_name().values_list(*COLUMNS).iterator(chunk_size=AT_ONCE)
    while some := list(islice(found, AT_ONCE)):
        prints: dict[int, list[tuple[str, str]]] = {}
        pks = [row[0] for row in some]
        for pk, set_code, number in Print.objects.filter(card__in=pks).order_by("id").values_list("card_id", "set_code", "number"):
            prints.setdefault(pk, []).append((set_code, number))
        for pk, game, code, name, type, facts, *rest in some:
            yield Row(pk, f"{game}/{code}", name, *rest, brief(game, code, name, type, facts, prints.get(pk, ())))


def _old(folder: Path, edition: int) -> list[Path]:
    """The index files that nobody reads. Numbers above the edition's own are those of another database, which is gone."""
    files = {int(path.stem): path for path in folder.glob("*.index") if path.stem.isascii() and path.stem.isdigit()}
    kept = sorted(number for number in files if number <= edition)[-KEPT:]
    return [path for number, path in files.items() if number not in kept]

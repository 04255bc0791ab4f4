"""What is made from an edition besides its rows: the index file of this machine, and the bulk files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from cardsdb.catalogue.edition_files import has_bulk, write_bulk
from cardsdb.models import Card, Edition, EditionState, Print
from cardsdb.search.index.build import Row, build
from cardsdb.search.listed import brief
from cardsdb.search.open_index import index_of, index_path

# The current edition's file and the one before, which a page that is being made may still read.
KEPT = 2
AT_ONCE = 2_000
COLUMNS = ("pk", "game", "code", "name", "type", "facts", "name_folded", "sort_name", "search_text", "terms")


def publish(state: EditionState, say: Callable[[str], None]) -> None:
    """Make the files of an edition, as far as they are lacking. Until they are there, the database answers by itself."""
    if index_of(state) is None:
        make_index(state)
        say(f"Edition {state[0]}: index made")
    if not has_bulk(state[0]):
        write_bulk(state[0])
        say(f"Edition {state[0]}: bulk files made")


def is_published(state: EditionState) -> bool:
    """Whether this machine has the edition's files, whole and of the shape that this program reads."""
    return index_of(state) is not None and has_bulk(state[0])


def make_index(state: EditionState) -> None:
    """Make the index file of the catalogue as it is now, and remove those of editions long gone."""
    path = index_path(state)
    path.parent.mkdir(parents=True, exist_ok=True)
    build(path, state[0], _rows())
    # Asked now: another load may have made a newer edition, and its index, while this one was made.
    kept = {index_path(newest) for newest in Edition.objects.values_list("number", "made")[:KEPT]}
    for old in set(path.parent.glob("*.index")) - kept:
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

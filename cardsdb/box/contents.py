"""What is in a box: counted, as a table that can be brought again, and taken out."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Q

from cardsdb.box.comparing import compare
from cardsdb.box.reading.container import MAX_LOCAL, Files, open_file, open_folder
from cardsdb.box.reading.programs import package_of
from cardsdb.box.reading.rows import guessed
from cardsdb.box.reading.tables import guarded
from cardsdb.box.sets import typed_of
from cardsdb.box.texts import locked
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Game
from cardsdb.models import OwnBox, OwnSet, OwnText

COLUMNS = ("code", "name", "set", "number", "text", "facts", "source")


class BoxContent(NamedTuple):
    """How much of a game is in a box."""

    box: OwnBox
    game: str
    texts: int
    facts: int


def contents(boxes: list[OwnBox]) -> list[BoxContent]:
    """What is in these boxes, a game at a time."""
    by_box = {box.pk: box for box in boxes}
    rows = OwnText.objects.in_boxes(boxes).order_by("box", "game").values_list("box", "game")
    counted = rows.annotate(texts=Count("pk", filter=~Q(text="")), facts=Count("pk", filter=~Q(facts={})))
    return [BoxContent(by_box[box], *rest) for box, *rest in counted]


def as_table(box: OwnBox, game_slug: str = "") -> Iterator[str]:
    """Every text of the box, or of one game, as lines of a CSV table that can be brought again."""
    game = games().get(game_slug)
    rows = box.owntexts.filter(game=game_slug) if game_slug else box.owntexts.all()
    yield _line(("game", *COLUMNS))
    for row in rows.iterator(500):
        of = game or games().get(row.game)
        card = of.card(row.card_code) if of else None
        first = card.prints[0] if card and card.prints else None
        about = (
            row.card_code,
            card.name if card else "",
            first.set if first else "",
            first.number if first else "",
        )
        facts = "; ".join(f"{key}: {value}" for key, value in row.facts.items())
        yield _line((row.game, *map(guarded, (*about, row.text, facts, row.source))))


def _line(cells: tuple[str, ...]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


@transaction.atomic
def forget(box: OwnBox, game_slug: str = "") -> int:
    """Delete the texts and choices of a box, or those of one game; how many texts there were."""
    box = locked(box)
    texts, choices = box.owntexts.all(), box.ownchoices.all()
    if game_slug:
        texts, choices = texts.filter(game=game_slug), choices.filter(game=game_slug)
    choices.delete()
    gone, _ = texts.delete()
    box.changed()
    return gone


def cards_as_table(own_set: OwnSet, game: Game) -> Iterator[str]:
    """The cards of a set as lines of a CSV table: a column for each fact that one of them has."""
    cards = [(row.as_card(), row.number) for row in own_set.cards.select_related("in_set")]
    keys = [fact.key for fact in game.facts if any(fact.key in card.facts for card, _ in cards)]
    yield _line(("code", "name", "number", "type", *keys, "text", "note"))
    for card, number in cards:
        typed = typed_of(game, card)
        facts = (typed.facts.get(key, "") for key in keys)
        yield _line((card.code, *map(guarded, (card.name, number, card.type, *facts, card.text, card.note))))


@contextmanager
def opened(path: Path) -> Iterator[Files]:
    """A file or a folder of this machine as a package. Raises BadPackage and OSError."""
    if path.is_dir():
        yield open_folder(path)
    else:
        with path.open("rb") as file, open_file(file, path.name, MAX_LOCAL) as files:
            yield files


def texts_of_file(game: Game, path: Path) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """(card code -> text, what was not understood) of a file or a folder. Raises BadPackage and OSError."""
    with opened(path) as files:
        package = package_of(files, path.name)
        found = compare(package, game, guessed(package, game), None)
    texts = {code: new.text for code, new in found.texts.items() if new.text}
    return texts, tuple(f"{one.file}, {one.row}: {one.reason}" for one in found.not_understood)

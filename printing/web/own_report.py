"""The dry run of a file that somebody brings, as its page shows it: what would be done, what columns mean, what is to be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.core import signing

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox
from cardsdb.own.comparing import Comparison, Open, compare, likely_game
from cardsdb.own.texts import with_text
from cardsdb.packages.columns import Columns, changed, guessed, shown_meanings
from cardsdb.packages.contract import BadPackage, NotUnderstood, Package

# Of one file that is sent; longer ones are for the command.
MAX_ROWS = 120_000
MAX_COLUMNS, MAX_OPEN, MAX_SHOWN, MAX_FACES = 80, 50, 100, 3
CHOSEN = "printing.web.own_report.chosen"
A_DAY = 24 * 60 * 60
UNKNOWN_GAME = "No row of it is a card of a game that is known here. Say which game it is, or what its columns mean."


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column, the first cell that says something, and what it may mean: (meaning, words, whether it does)."""

    field: str
    name: str
    sample: str
    choices: list[tuple[str, str, bool]]


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A package compared with what its owner has. ``chosen``: the cards that they chose for its entries, which is not kept yet."""

    package: Package
    game: Game
    columns: Columns
    found: Comparison
    chosen: Mapping[str, str]

    @property
    def carried(self) -> str:
        """What was chosen, as the page's form takes it along."""
        return signing.dumps([self.game.slug, dict(self.chosen)], salt=CHOSEN, compress=True)

    @property
    def fresh(self) -> int:
        """How many cards would be written."""
        return len(self.found.added) + len(self.found.changed)

    @property
    def ways(self) -> list[tuple[str, int]]:
        """How cards were found: (words, rows)."""
        words = {"id": "by its id", "number": "by set and number", "name": "by its name", "choice": "as you chose"}
        return [(words[how], count) for how, count in self.found.found.items()]

    @property
    def shown_columns(self) -> list[ShownColumn]:
        first = list(islice(self.package.rows(), 50))
        shown = []
        for number, (name, meant) in enumerate(islice(self.columns.meanings.items(), MAX_COLUMNS)):
            sample = next((cell for row in first if (cell := row.cells.get(name, "").strip())), "")
            choices = [(meaning, words, meaning == meant) for meaning, words in shown_meanings(self.game)]
            shown.append(ShownColumn(f"column:{number}", name, sample[:80], choices))
        return shown

    @property
    def open(self) -> list[tuple[str, Open]]:
        """(field, entry) of those that fit no card or several, and may be one of some."""
        return [(f"entry:{number}", one) for number, one in enumerate(self._choosable())]

    def _choosable(self) -> list[Open]:
        return [one for one in self.found.open if one.candidates and one.stated.key][:MAX_OPEN]

    @property
    def problems(self) -> list[NotUnderstood]:
        return self.found.not_understood[:MAX_SHOWN]

    @property
    def more_problems(self) -> int:
        return len(self.found.not_understood) + self.found.more - len(self.problems)

    @property
    def faces(self) -> list[Card]:
        """Some cards as they would be printed."""
        texts = {code: new.text for code, new in self.found.texts.items() if new.text}
        codes = [*self.found.added, *self.found.changed, *self.found.unchanged]
        cards = (self.game.card(code) for code in codes if code in texts)
        return [with_text(card, texts) for card in islice((card for card in cards if card), MAX_FACES)]

    def choices(self, posted: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """(key of an entry, code of the card that was chosen for it; empty to pass it over) of what a form says."""
        for field, one in self.open:
            said = posted.get(field, "")
            if said == "none" or said in {card.code for card in one.candidates}:
                yield one.stated.key, "" if said == "none" else said


def report_of(package: Package, posted: Mapping[str, Any], viewer: Viewer) -> OwnReport:
    """Compare a package with the viewer's box, with what the form says of its game, columns and entries. Raises BadPackage."""
    report = _report(package, posted, viewer, {})
    if choices := dict(report.choices(posted)):
        return _report(package, posted, viewer, choices)
    return report


def _report(package: Package, posted: Mapping[str, Any], viewer: Viewer, choices: Mapping[str, str]) -> OwnReport:
    game = games().get(posted.get("game", "")) or likely_game(package)
    if game is None:
        raise BadPackage("unknown_game", UNKNOWN_GAME, "game")
    columns = guessed(package, game)
    chosen = {name: posted[f"column:{number}"] for number, name in enumerate(columns.meanings) if f"column:{number}" in posted}
    changes = {name: meaning for name, meaning in chosen.items() if meaning != columns.meanings[name]}
    try:
        columns = changed(columns, changes, game)
    except ValueError as error:
        raise BadPackage("bad_column", str(error), "columns") from None
    chosen = {**_carried(posted, game), **choices}
    found = compare(package, game, columns, OwnBox.objects.of(viewer).first(), _bounded, chosen)
    return OwnReport(package, game, columns, found, chosen)


def _carried(posted: Mapping[str, Any], game: Game) -> Mapping[str, str]:
    """What was chosen on the pages before."""
    try:
        slug, chosen = signing.loads(posted.get("chosen", ""), salt=CHOSEN, max_age=A_DAY)
    except signing.BadSignature:
        return {}
    return dict(chosen) if slug == game.slug else {}


def _bounded(rows: int) -> None:
    if rows > MAX_ROWS:
        raise BadPackage("too_long", f"The file has more than {MAX_ROWS:,} rows. Send it in parts.")

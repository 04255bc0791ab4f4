"""``manage.py own``: add, list, export and forget own texts, pictures and sets.

They belong to an account (``--owner NAME``), or to the shared box of a private site. Two more actions are for
``prepare`` and timers: ``own folder`` adds the files of a folder, ``own clear`` deletes abandoned uploads.
Each action is a method of Command, ``_add`` and so on; the work is done by ``cardsdb/box``.
Tests: ``tests/printing/management/commands/test_own.py``.
"""

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.core.files.storage import storages
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import transaction
from django.db.models import Count

from cardsdb import games as game_folders
from cardsdb.box import waiting
from cardsdb.box.card_form import own_types
from cardsdb.box.comparing import Report, compare, likely_game
from cardsdb.box.package_pictures import in_words
from cardsdb.box.picture_files.bounds import PRIVATE
from cardsdb.box.pictures import pictures_by_game
from cardsdb.box.placing import forget_pictures
from cardsdb.box.reading.container import BadPackage, opened
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.packed_games import read_note, write_note
from cardsdb.box.reading.rows import Package, changed, guessed
from cardsdb.box.set_rows import IntoSet, into_set
from cardsdb.box.sets import cards_as_table, delete_set, set_values
from cardsdb.box.taking_in import take_in
from cardsdb.box.texts import as_table, box_for_everyone, box_of, contents, forget
from cardsdb.box.wish import add_wish, wish_of
from cardsdb.catalogue.current import games
from cardsdb.environment import STORES
from cardsdb.faults import Refused
from cardsdb.games import left_out
from cardsdb.games.kit import Game, fold, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnSet
from cardsdb.models.box import has_box_for_everyone
from cardsdb.storage.contract import Store, StoreAway
from decks.models.people import account_of_command

PUBLIC = "This is a public site, where nothing belongs to everyone: say whose it is with --owner NAME."
# Problems that a report lists.
MAX_SHOWN = 20
# The exit status of ``add`` if some pictures were not taken in.
PARTLY = 3
# Action -> its help.
ACTIONS = {
    "add": "bring a package of another program, a table or a folder; all of it or nothing",
    "list": "list what was brought, by owner and game",
    "export": "write all texts as a table that can be brought again",
    "forget": "delete what was brought",
    "folder": (
        "bring all files of own/ in the site's data folder, for everyone; prepare does it on a private site"
    ),
    "clear": (
        "delete uploads that waited for more than a day, and unfinished files of killed processes; prepare"
        " and clear_browsers do it"
    ),
}


class Command(BaseCommand):
    help = (
        "The words and pictures of your cards: bring a file, see what you brought, export it, delete it."
        " Exit status of add: 0 all is taken in, 1 nothing, 3 all but some of the pictures."
    )
    # True if some pictures of the added file were not taken in.
    lacks = False

    def run_from_argv(self, argv: list[str]) -> None:
        """Run from the command line. Only here is the exit status set: ``call_command`` must not end its
        caller.
        """
        super().run_from_argv(argv)
        if self.lacks:
            sys.exit(PARTLY)

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        parsers = {name: actions.add_parser(name, help=about) for name, about in ACTIONS.items()}
        add, export = parsers["add"], parsers["export"]
        add.add_argument("file", help="a file or a folder")
        add.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="COLUMN=MEANING",
            help="what a column means, if the guess is wrong",
        )
        add.add_argument("--dry-run", action="store_true", help="report what would be done, and do nothing")
        add.add_argument("--json", action="store_true", help="the report as JSON")
        add.add_argument(
            "--into-set",
            default="",
            metavar="NAME",
            help="make cards of this own set from rows that match no card; the set is created if needed",
        )
        add.add_argument(
            "--type", default="", metavar="TYPE", help="with --into-set: the type of rows that state none"
        )
        add.add_argument(
            "--similar-too",
            action="store_true",
            help="with --into-set: make cards also from rows whose name is only similar to a card's",
        )
        add_wish(add)
        export.add_argument("output", nargs="?", default="-", help="a CSV file; without it, standard output")
        for name in ("export", "forget"):
            parsers[name].add_argument(
                "--set", default="", metavar="NAME", help="only this own set with its cards"
            )
        slugs = sorted(game_folders.games())
        for name in ("add", "list", "export", "forget"):
            parsers[name].add_argument(
                "--game", choices=slugs, default="", help="the game; add finds it out by itself"
            )
            parsers[name].add_argument(
                "--owner",
                default="",
                metavar="NAME",
                help="the account that owns it; without one, everyone on this machine's site",
            )

    def handle(self, *args: Any, **options: Any) -> None:
        methods = {
            "add": self._add,
            "list": self._list,
            "export": self._export,
            "forget": self._forget,
            "folder": self._folder,
            "clear": self._clear,
        }
        methods[options["action"]](options)

    # -- actions -------------------------------------------------------------------------

    def _add(self, options: Mapping[str, Any]) -> None:
        """Read the file or folder, take it in, and write the report. Raises CommandError."""
        path = Path(options["file"])
        if options["owner"]:
            # An unknown account is reported before a large file is read.
            account_of_command(options["owner"])
        try:
            with opened(path) as files:
                report = self._brought(package_of(files, path.name), options)
        except Refused as error:
            # ``_folder`` looks at the cause.
            raise CommandError(" ".join(fault.message for fault in error.faults)) from error
        except FileNotFoundError:
            raise CommandError(f"{path}: there is no such file or folder.") from None
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from None
        self._report(report, options)

    def _brought(self, package: Package, options: Mapping[str, Any]) -> Report:
        """Take the content in, or only compare it for a dry run, and return the report."""
        game = games().get(options["game"]) or likely_game(package)
        if game is None:
            why = "No row is a card of a game that is known here. Say which it is with --game."
            raise BadPackage("unknown_game", why)
        columns = changed(guessed(package, game), _choices(options["column"]), game)
        # An owner without a box gets one. A dry run rolls its row back; the box then counts as empty.
        with transaction.atomic():
            box = self._box(options["owner"])
            transaction.set_rollback(options["dry_run"])
        into = _into(options, game, box)
        rows_bar, pictures_bar = Bar(self.stderr, "rows"), Bar(self.stderr, "pictures")
        if self.stderr.isatty():
            # Only for the bar, because it may be slow.
            rows_bar.total = sum(1 for _ in package.rows())

        def compared() -> Report:
            report = compare(package, game, columns, box, rows_bar, into=into)
            pictures_bar.total = len(report.pictures.places)
            return report

        if options["dry_run"]:
            return compared()
        # ``take_in`` calls ``compared`` first, and again if the box changes meanwhile. The wish says how
        # pictures are used.
        return take_in(compared, box.whose, wish_of(options), PRIVATE, pictures_bar)

    def _folder(self, options: Mapping[str, Any]) -> None:
        """Add every new or changed file of the folder ``own/``. A file that cannot be read is reported, and
        the others are still added. ``.taken.json`` notes the state of each file that was dealt with.
        """
        folder = Path(settings.VAR_DIR) / "own"
        note = folder / ".taken.json"
        before = read_note(note)
        paths = sorted(folder.iterdir()) if folder.is_dir() else ()
        now = {path.name: _state(path) for path in paths if not path.name.startswith(".")}
        taken = {name: state for name, state in before.items() if name in now}
        for name, state in now.items():
            if state == before.get(name):
                continue
            try:
                call_command("own", "add", str(folder / name), stdout=self.stdout)
            except CommandError as error:
                self.stderr.write(f"own/{name}: {error}")
                if not isinstance(error.__cause__, BadPackage) or left_out():
                    # The file itself may be good, or its game is left out of this site for now. It is tried
                    # again at the next start.
                    continue
            taken[name] = state
            write_note(note, taken)
        if taken.keys() != before.keys():
            write_note(note, taken)

    def _clear(self, options: Mapping[str, Any]) -> None:
        """Delete abandoned uploads, and in all stores unfinished files that are older than a day."""
        waiting.clear()
        for name in STORES:
            store = cast("Store", storages[name])
            with suppress(OSError, StoreAway):
                for file in store.unfinished():
                    if file.written < time.time() - waiting.A_DAY:
                        store.delete_unfinished(file)

    def _list(self, options: Mapping[str, Any]) -> None:
        """Write a line for each box and game: ``ann: Spycraft, 12 texts, 3 pictures, 2 cards in 1 set``."""
        all_boxes = OwnBox.objects.all_owners("listed for the operator").select_related("owner")
        boxes: Iterable[OwnBox] = all_boxes.order_by("pk")
        if options["owner"]:
            boxes = [self._box(options["owner"])]
        for box in boxes:
            texts = {content.game: content.texts for content in contents([box])}
            pictures = pictures_by_game(box.whose)
            # (game, sets, cards in them)
            by_game = box.sets.order_by("game").values_list("game")
            counts = by_game.annotate(Count("pk", distinct=True), Count("cards"))
            sets = {slug: f"{some(cards, 'card')} in {some(number, 'set')}" for slug, number, cards in counts}
            for slug in [options["game"]] if options["game"] else sorted({*texts, *pictures, *sets}):
                called = games()[slug].name if slug in games() else slug
                has = [f"{_owner(box)}: {called}", some(texts.get(slug, 0), "text")]
                if slug in pictures:
                    has.append(some(pictures[slug], "picture"))
                self.stdout.write(", ".join((*has, sets[slug]) if slug in sets else has))

    def _export(self, options: Mapping[str, Any]) -> None:
        """Write all texts of a box, or the cards of one set, as a table."""
        box = self._box(options["owner"])
        if options["set"]:
            own_set = self._set(box, options)
            lines = cards_as_table(own_set, games()[own_set.game])
        else:
            lines = as_table(box, options["game"])
        if options["output"] == "-":
            self.stdout.write("".join(lines), ending="")
        else:
            Path(options["output"]).write_text("".join(lines), encoding="utf-8-sig", newline="")

    def _forget(self, options: Mapping[str, Any]) -> None:
        """Delete one set, or all texts and pictures, of one game if that is given."""
        box, slug = self._box(options["owner"]), options["game"]
        if options["set"]:
            own_set = self._set(box, options)
            cards = some(own_set.cards.count(), "card")
            delete_set(own_set)
            kept = "Decks keep what they hold of it."
            self.stdout.write(f"The set “{own_set.name}” and its {cards} deleted. {kept}")
            return
        pictures = some(forget_pictures(box.whose, slug), "picture")
        self.stdout.write(f"{some(forget(box, slug), 'text')} and {pictures} deleted.")

    # -- parts -----------------------------------------------------------------------------

    def _box(self, owner: str) -> OwnBox:
        """The box of an account, or the shared box if ``owner`` is empty. Raises CommandError for an unknown
        account, and for the shared box of a public site, which has none.
        """
        if owner:
            return box_of(Viewer(account_of_command(owner).pk))
        if not has_box_for_everyone():
            raise CommandError(PUBLIC)
        return box_for_everyone()

    def _set(self, box: OwnBox, options: Mapping[str, Any]) -> OwnSet:
        """The set with the name ``options["set"]``. Raises CommandError unless exactly one has it."""
        name, slug = options["set"], options["game"]
        sets = [row for row in box.sets.all() if fold(row.name) == fold(name) and slug in ("", row.game)]
        if len(sets) != 1:
            known = ", ".join(f"{row.name} ({row.game})" for row in sets or box.sets.all()) or "none"
            why = f"name one of {known}; --game tells apart sets of the same name."
            raise CommandError(f"--set {name}: {why}")
        return sets[0]

    def _report(self, report: Report, options: Mapping[str, Any]) -> None:
        """Write the report, as JSON or as lines."""
        report.pass_over_pictures()
        self.lacks = report.pictures.lacks
        if options["json"]:
            self.stdout.write(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
            return
        for line in _lines_of(report, "would be " if options["dry_run"] else ""):
            self.stdout.write(line)


def _lines_of(report: Report, would: str) -> Iterator[str]:
    """The report, line by line. ``would`` is "would be " for a dry run, else empty."""
    package, placed = report.package, report.pictures
    yield f"{package.name}: {package.format.title}, {report.game.name}, {some(report.rows, 'row')}"
    if package.tables:
        meanings = report.columns.meanings.items()
        yield "Columns: " + ", ".join(f"{column} = {meaning or 'nothing'}" for column, meaning in meanings)
        if report.found:
            ways = (f"{how} {count:,}" for how, count in report.found.items())
            yield f"Cards found by {', '.join(ways)}"
        done = f"{some(len(report.added), 'card')} {would}added, {len(report.changed):,} {would}changed"
        yield f"{done}, {len(report.unchanged):,} left alone; {report.cards_with_text:,} with a text"
        if own := report.own:
            cards = some(len(own.made) + own.more, "card")
            done = f"{cards} {would}made, {len(own.changed):,} {would}changed, {own.unchanged:,} left alone"
            yield f"In the set “{own.into.name}”{'' if own.into.pk else ', a new one'}: {done}"
            if len(own.made) + own.more > own.room:
                room = f"There is room for {own.room:,} more cards of your own"
                yield f"{room}, so none of this would be done. Bring fewer."
        elif report.unmatched:
            rows = some(report.unmatched, "row")
            yield f"{rows} of no card: --into-set NAME makes cards of your own of them."
    if package.pictures:
        yield in_words(placed)
    for problem in report.not_understood[:MAX_SHOWN]:
        place = ", ".join(filter(None, (problem.file, str(problem.row or ""), problem.column)))
        yield f"{place}: {problem.reason}"
    if (more := len(report.not_understood) + report.more - MAX_SHOWN) > 0:
        yield f"{more:,} more that were not understood; --json lists them."


def _state(path: Path) -> list[int]:
    """[latest change, size in bytes] of all files of a path: it differs if the file or folder has changed."""
    files = [file.stat() for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()]
    return [max((stat.st_mtime_ns for stat in files), default=0), sum(stat.st_size for stat in files)]


def _choices(arguments: list[str]) -> Mapping[str, str]:
    """Read the options ``--column``, ``Rules=text``, into {column: meaning}. Raises ValueError."""
    choices = {}
    for argument in arguments:
        column, _, meaning = argument.rpartition("=")
        if not column:
            raise ValueError(f"--column {argument}: write COLUMN=MEANING, such as Rules=text.")
        # Nothing is the word for a column that is not read.
        choices[column.strip()] = meaning.strip().replace("nothing", "")
    return choices


def _into(options: Mapping[str, Any], game: Game, box: OwnBox) -> IntoSet | None:
    """The set for rows that match no card; None without ``--into-set``. Raises Refused for a bad name,
    ValueError for a bad type.
    """
    if not options["into_set"]:
        return None
    set_values({"name": options["into_set"]})
    if options["type"] not in ("", *own_types(game)):
        raise ValueError(f"--type {options['type']}: {game.name} has the types {', '.join(own_types(game))}.")
    wish = {"card_type": options["type"], "with_similar": options["similar_too"]}
    return into_set(box, game, options["into_set"], is_sure=True, **wish)


def _owner(box: OwnBox) -> str:
    """The owner of a box in words."""
    if box.everyone:
        return "everyone"
    return box.owner.get_username() if box.owner else "a browser without an account"


# Characters of a full progress bar.
BAR = 30


class Bar:
    """A progress bar on standard error, one line that is overwritten; without a terminal it draws nothing.
    Set ``total``, then call it with the number done. ``what`` names the things counted, such as "rows".
    """

    def __init__(self, err: OutputWrapper, what: str) -> None:
        self.err, self.what = err, what
        self.total, self.shown = 0, ""

    def __call__(self, number: int) -> None:
        if self.total < 1 or not self.err.isatty():
            return
        part = min(number / self.total, 1)
        bar = "#" * int(part * BAR)
        line = f"[{bar:<{BAR}}] {part:4.0%}  {number:,} of {self.total:,} {self.what}"
        if line != self.shown:
            self.shown = line
            self.err.write(f"\r{line}", style_func=str, ending="\n" if part == 1 else "")

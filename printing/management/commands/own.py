"""All that you bring along: ``own add FILE``, ``own list``, ``own export``, ``own forget``; for an
account, or everyone on a private site.

For ``prepare`` and timers: ``own folder``, ``own clear``.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
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
from cardsdb.box.comparing import Report, compare, game_of
from cardsdb.box.intake import add_wish, wish_of
from cardsdb.box.package_pictures import in_words
from cardsdb.box.pictures import pictures_by_game
from cardsdb.box.placing import forget_pictures
from cardsdb.box.reading.container import BadPackage, opened
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.packed_games import read_note, write_note
from cardsdb.box.reading.rows import changed, guessed
from cardsdb.box.report import take_in
from cardsdb.box.set_rows import IntoSet, into_set
from cardsdb.box.sets import cards_as_table, delete_set, set_values
from cardsdb.box.texts import as_table, box_for_everyone, box_of, contents, forget
from cardsdb.catalogue.current import games
from cardsdb.environment import STORES
from cardsdb.faults import Refused
from cardsdb.games import left_out
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import fold, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnSet
from cardsdb.models.box import has_box_for_everyone
from cardsdb.storage.contract import Store, StoreAway
from decks.models.account import account_of_command

PUBLIC = "This is a public site, where nothing belongs to everyone: say whose it is with --owner NAME."
MAX_SHOWN = 20


class Command(BaseCommand):
    help = "The words and pictures of your cards: bring a file, see what you brought, export it, delete it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        bring = actions.add_parser(
            "add", help="bring a package of another program, a table or a folder; all of it or nothing"
        )
        bring.add_argument("file", help="a file or a folder")
        bring.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="COLUMN=MEANING",
            help="what a column means, where the guess is wrong",
        )
        bring.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
        bring.add_argument("--json", action="store_true", help="the report as JSON")
        help_text = (
            "rows that are no card of the catalogue become cards of this set of your own, which is made if"
            " there is none"
        )
        bring.add_argument("--into-set", default="", metavar="NAME", help=help_text)
        bring.add_argument(
            "--type", default="", metavar="TYPE", help="with --into-set: the type of rows that say none"
        )
        help_text = "with --into-set: rows whose name is only like that of a card are cards of the set, too"
        bring.add_argument("--similar-too", action="store_true", help=help_text)
        add_wish(bring)
        listing = actions.add_parser("list", help="what was brought, by owner and game")
        export = actions.add_parser("export", help="all texts as a table that can be brought again")
        export.add_argument(
            "output", nargs="?", default="-", help="a CSV file; without one it is written here"
        )
        leave = actions.add_parser("forget", help="delete what was brought")
        for one in (export, leave):
            one.add_argument(
                "--set", default="", metavar="NAME", help="a set of your own and its cards, and nothing else"
            )
        actions.add_parser(
            "folder",
            help=(
                "bring what lies in own/ under the site's data folder, for everyone; prepare does it on a"
                " private site"
            ),
        )
        help_text = (
            "delete files that waited for more than a day, and halves that killed processes left; prepare and"
            " clear_browsers do it"
        )
        actions.add_parser("clear", help=help_text)
        for one in (bring, listing, export, leave):
            one.add_argument(
                "--game",
                choices=sorted(game_folders.games()),
                default="",
                help="the game; add finds it out by itself",
            )
            one.add_argument(
                "--owner",
                default="",
                metavar="NAME",
                help="the account it belongs to; without one everyone on this machine's site",
            )

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"_{options['action']}")(options)

    # -- the four ------------------------------------------------------------------------

    def _add(self, options: Mapping[str, Any]) -> None:
        path = Path(options["file"])
        if options["owner"]:
            # Said before a large file is read.
            account_of_command(options["owner"])
        try:
            with opened(path) as files:
                package = package_of(files, path.name)
                game = game_of(package, options["game"])
                if game is None:
                    raise BadPackage(
                        "unknown_game",
                        "No row is a card of a game that is known here. Say which it is with --game.",
                    )
                columns = changed(guessed(package, game), _choices(options["column"]), game)
                with transaction.atomic():
                    box = self._box(options["owner"])
                    transaction.set_rollback(options["dry_run"])
                into, rows = (
                    _into(options, game, box),
                    bar(self.stderr, "rows", lambda: sum(1 for _ in package.rows())),
                )
                pictures = 0

                def compared() -> Report:
                    nonlocal pictures
                    report = compare(package, game, columns, box, rows, into=into)
                    pictures = len(report.pictures.places)
                    return report

                if options["dry_run"]:
                    report = compared()
                else:
                    shown = bar(self.stderr, "pictures", lambda: pictures)
                    report = take_in(compared, box.whose, wish_of(options), shown)
        except Refused as error:
            raise CommandError(" ".join(fault.message for fault in error.faults)) from error
        except FileNotFoundError:
            raise CommandError(f"{path}: there is no such file or folder.") from None
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from None
        self._report(report, options)

    def _folder(self, options: Mapping[str, Any]) -> None:
        """Bring every file of the folder that is new there, or has changed. One that cannot be read is said
        and stops nothing.
        """
        folder, noted = Path(settings.VAR_DIR) / "own", Path(settings.VAR_DIR) / "own" / ".taken.json"
        before = read_note(noted)
        now = (
            {path.name: _state(path) for path in sorted(folder.iterdir()) if not path.name.startswith(".")}
            if folder.is_dir()
            else {}
        )
        taken = {name: state for name, state in before.items() if name in now}
        for name in now:
            if now[name] == before.get(name):
                continue
            try:
                call_command("own", "add", str(folder / name), stdout=self.stdout)
            except CommandError as error:
                self.stderr.write(f"own/{name}: {error}")
                if not isinstance(error.__cause__, BadPackage) or left_out():
                    # Nothing is wrong with the file, or its game is only left out: it is tried again at the
                    # next start.
                    continue
            taken[name] = now[name]
            write_note(noted, taken)
        if taken.keys() != before.keys():
            write_note(noted, taken)

    def _clear(self, options: Mapping[str, Any]) -> None:
        waiting.clear()
        for name in STORES:
            store = cast("Store", storages[name])
            with suppress(OSError, StoreAway):
                for file in store.unfinished():
                    if file.written < time.time() - waiting.A_DAY:
                        store.delete_unfinished(file)

    def _list(self, options: Mapping[str, Any]) -> None:
        all_boxes = (
            OwnBox.objects.all_owners("listed for the operator").order_by("pk").select_related("owner")
        )
        boxes = [self._box(options["owner"])] if options["owner"] else list(all_boxes)
        for box in boxes:
            texts, pictures = (
                {one.game: one.texts for one in contents([box])},
                pictures_by_game(box.whose),
            )
            sets = {
                row["game"]: row
                for row in (
                    box.sets.order_by("game")
                    .values("game")
                    .annotate(sets=Count("pk", distinct=True), cards=Count("cards"))
                )
            }
            for slug in sorted({*texts, *pictures, *sets}) if not options["game"] else [options["game"]]:
                called = games()[slug].name if slug in games() else slug
                has = [
                    some(texts.get(slug, 0), "text"),
                    *([some(pictures[slug], "picture")] if slug in pictures else []),
                ]
                if slug in sets:
                    has.append(f"{some(sets[slug]['cards'], 'card')} in {some(sets[slug]['sets'], 'set')}")
                self.stdout.write(", ".join((f"{_owner(box)}: {called}", *has)))

    def _export(self, options: Mapping[str, Any]) -> None:
        box = self._box(options["owner"])
        own_set = self._set(box, options) if options["set"] else None
        table = "".join(
            cards_as_table(own_set, games()[own_set.game]) if own_set else as_table(box, options["game"])
        )
        if options["output"] == "-":
            self.stdout.write(table, ending="")
        else:
            Path(options["output"]).write_text(table, encoding="utf-8-sig", newline="")

    def _forget(self, options: Mapping[str, Any]) -> None:
        box = self._box(options["owner"])
        if options["set"]:
            own_set = self._set(box, options)
            cards = own_set.cards.count()
            delete_set(own_set)
            self.stdout.write(
                f"The set “{own_set.name}” and its {some(cards, 'card')} deleted. Decks keep what they hold"
                " of it."
            )
            return
        pictures = forget_pictures(box.whose, options["game"])
        self.stdout.write(
            f"{some(forget(box, options['game']), 'text')} and {some(pictures, 'picture')} deleted."
        )

    # -- parts -----------------------------------------------------------------------------

    def _box(self, owner: str) -> OwnBox:
        """The account's box, or everyone's. Raises CommandError where there is no such account, and on a
        public site for everyone.
        """
        if not owner:
            if not has_box_for_everyone():
                raise CommandError(PUBLIC)
            return box_for_everyone()
        return box_of(Viewer(account_of_command(owner).pk))

    def _set(self, box: OwnBox, options: Mapping[str, Any]) -> OwnSet:
        """The set of that name. Raises CommandError where there is none, or one in several games."""
        sets = [
            one
            for one in box.sets.all()
            if fold(one.name) == fold(options["set"]) and options["game"] in ("", one.game)
        ]
        if len(sets) != 1:
            there = ", ".join(f"{one.name} ({one.game})" for one in sets or box.sets.all()) or "none"
            raise CommandError(
                f"--set {options['set']}: name one of {there}; --game tells those apart that are called the"
                " same."
            )
        return sets[0]

    def _report(self, found: Report, options: Mapping[str, Any]) -> None:
        found.pass_over_pictures()
        package, placed = found.package, found.pictures
        if options["json"]:
            self.stdout.write(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
            return
        would = "would be " if options["dry_run"] else ""
        self.stdout.write(
            f"{package.name}: {package.format.title}, {found.game.name}, {some(found.rows, 'row')}"
        )
        if package.tables:
            self._report_rows(found, would)
        if package.pictures:
            left = len(placed.problems) - placed.several
            self.stdout.write(
                f"{in_words(placed)}; {placed.several:,} of several cards, {left:,} of none or not taken"
            )
        for problem in found.not_understood[:MAX_SHOWN]:
            place = ", ".join(filter(None, (problem.file, str(problem.row or ""), problem.column)))
            self.stdout.write(f"{place}: {problem.reason}")
        if (more := len(found.not_understood) + found.more - MAX_SHOWN) > 0:
            self.stdout.write(f"{more:,} more that were not understood; --json lists them.")

    def _report_rows(self, found: Report, would: str) -> None:
        meanings = found.columns.meanings.items()
        self.stdout.write(
            "Columns: " + ", ".join(f"{column} = {meaning or 'nothing'}" for column, meaning in meanings)
        )
        if found.found:
            self.stdout.write(
                "Cards found by " + ", ".join(f"{how} {count:,}" for how, count in found.found.items())
            )
        self.stdout.write(
            f"{some(len(found.added), 'card')} {would}added, {len(found.changed):,} {would}changed,"
            f" {len(found.unchanged):,} left alone; {found.cards_with_text:,} with a text"
        )
        if own := found.own:
            rows = (
                f"{some(len(own.made) + own.more, 'card')} {would}made, {len(own.changed):,} {would}changed,"
                f" {own.unchanged:,} left alone"
            )
            self.stdout.write(f"In the set “{own.into.name}”{'' if own.into.pk else ', a new one'}: {rows}")
            if own.more:
                self.stdout.write(
                    f"There is room for {own.room:,} more cards of your own, so none of this would be done."
                    " Bring fewer."
                )
        elif found.unmatched:
            self.stdout.write(
                f"{some(found.unmatched, 'row')} of no card: --into-set NAME makes cards of your own of them."
            )


def _state(path: Path) -> list[int]:
    """Return what tells that a file or a folder has changed: the latest time and the size of all in it."""
    files = [one.stat() for one in (path.rglob("*") if path.is_dir() else [path]) if one.is_file()]
    return [max((one.st_mtime_ns for one in files), default=0), sum(one.st_size for one in files)]


def _choices(said: list[str]) -> Mapping[str, str]:
    """``Rules=text`` -> what the column Rules means."""
    pairs = [one.rpartition("=") for one in said]
    if bad := next((one for one, (column, _, _) in zip(said, pairs, strict=True) if not column), None):
        raise ValueError(f"--column {bad}: write COLUMN=MEANING, such as Rules=text.")
    return {column.strip(): meaning.strip().replace("nothing", "") for column, _, meaning in pairs}


def _into(options: Mapping[str, Any], game: Game, box: OwnBox) -> IntoSet | None:
    """The set that rows which are no card go into, if that is wished. Raises Refused for its name, ValueError
    for the type.
    """
    if not options["into_set"]:
        return None
    set_values({"name": options["into_set"]})
    if options["type"] not in ("", *own_types(game)):
        raise ValueError(f"--type {options['type']}: {game.name} has the types {', '.join(own_types(game))}.")
    wish = {"card_type": options["type"], "with_similar": options["similar_too"]}
    return into_set(box, game, options["into_set"], is_sure=True, **wish)


def _owner(box: OwnBox) -> str:
    return (
        "everyone"
        if box.everyone
        else box.owner.get_username()
        if box.owner
        else "a browser without an account"
    )


# Letters of the bar.
BAR = 30


def bar(err: OutputWrapper, what: str, all_of: Callable[[], int]) -> Callable[[int], None]:
    """Return what shows so many of ``what`` there are: a line on standard error, written over itself, and
    nothing where it is no terminal. ``all_of`` says how many there will be, and is asked only on a terminal.
    """
    if not err.isatty():
        return lambda number: None
    shown, total = "", None

    def show(number: int) -> None:
        nonlocal shown, total
        total = all_of() if total is None else total
        if total < 1:
            return
        part = min(number / total, 1)
        line = f"[{'#' * int(part * BAR):<{BAR}}] {part:4.0%}  {number:,} of {total:,} {what}"
        if line != shown:
            shown = line
            err.write(f"\r{line}", style_func=str, ending="\n" if part == 1 else "")

    return show

"""``manage.py print_deck FILE --game GAME -o OUT``: print a list from a file or standard input, without a
server.

It takes every option of a print (``printing/options/options.toml``), makes the same PrintRequest as the print
page, and writes sheets as a PDF or, with ``--as``, another kind of file. Exit status: 0 printed, 2 refused, 3
printed without some of the pictures.

    options -> _fields: PrintFields -> PrintRequest -> export_for: Export -> write

Tests: ``tests/printing/management/commands/test_print_deck.py``.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile, is_zipfile

from django.core.management.base import CommandParser
from django.utils.datastructures import MultiValueDict

from cardsdb.box.comparing import texts_of_file
from cardsdb.box.package_pictures import in_words, pictures_for_one_print, place_pictures
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.reading.container import BadPackage, opened
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.rows import guessed
from cardsdb.box.wish import AS_FOUND, Wish, add_wish, wish_of
from cardsdb.catalogue.current import game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, some
from cardsdb.identity.viewer import NOBODY
from cardsdb.management import FolderCommand
from decks.management.commands.check_deck import read_list
from printing.exports.export import FIELDS, SHEETS, Export, is_address
from printing.exports.kinds import EXPORT_KINDS, export_for
from printing.options.values import OPTIONS
from printing.request.print_request import LIST_FIELDS, NOTHING, Brought, PrintFields, PrintRequest

# Files of a zip that the output names.
MAX_NAMED = 6
# Exit status of a print without some of the pictures that were given.
PARTLY = 3


class Command(FolderCommand):
    help = (
        "Print a deck as proxy sheets of true size. Exit status: 0 printed, 2 not, 3 without some of the"
        " pictures."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list, or - for standard input")
        parser.add_argument("--game", required=True)
        parser.add_argument("--format", default="")
        parser.add_argument("-o", "--output", required=True, metavar="OUT")
        parser.add_argument(
            "--as",
            dest="output_kind",
            default="sheets",
            choices=("sheets", *EXPORT_KINDS),
            metavar="FILE_KIND",
            help="what to write: sheets (a PDF); "
            + "; ".join(f"{slug}: {output.help}" for slug, output in EXPORT_KINDS.items()),
        )
        parser.add_argument(
            "--site",
            default="",
            metavar="ADDRESS",
            help="the site that QR codes lead to, such as https://cutout.example",
        )
        parser.add_argument(
            "--texts",
            default="",
            metavar="FILE",
            help="your own texts: a package of another program, or a table",
        )
        add_wish(parser)
        for option in (*OPTIONS, *FIELDS):
            text = (
                f"{option.label}: {', '.join(option.allowed)} ({option.default or 'the usual'})."
                f" {option.help}".strip()
            )
            # argparse treats a percent sign as the start of a placeholder.
            text = text.replace("%", "%%")
            if option.name == "pictures":
                text += " A folder or a package: the pictures in it, named by card, number or id."
            parser.add_argument(
                f"--{option.name.replace('_', '-')}",
                dest=option.name,
                default="",
                metavar=option.kind.upper(),
                help=text,
            )

    def searches(self, options: Mapping[str, Any]) -> bool:
        """True if the search index is needed: ``--only`` may be a query."""
        return bool(options["only"])

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with TemporaryDirectory() as folder:
                lines, is_whole = _printed(options, Path(folder))
        except Refused as error:
            for fault in error.faults:
                self.stderr.write(f"{fault.where}: {fault.message}" if fault.where else fault.message)
            sys.exit(2)
        except OSError as error:
            self.stderr.write(f"{options['output']}: {error.strerror}.")
            sys.exit(2)
        for line in lines:
            self.stdout.write(line)
        if not is_whole:
            sys.exit(PARTLY)


def _printed(options: Mapping[str, Any], folder: Path) -> tuple[list[str], bool]:
    """Write the file. Return (lines for the user, True if all given pictures are in it). ``folder`` is for
    temporary copies of pictures. Raises Refused and OSError.
    """
    request, path = PrintRequest.parse(_fields(options, folder)), Path(options["output"])
    export = export_for(request, options["output_kind"])
    _refuse_other_name(path, export)
    # Written to a temporary file first, so that a fault leaves an existing file as it is.
    with TemporaryFile() as temporary:
        export.write(temporary)
        temporary.seek(0)
        with path.open("wb") as out:
            copyfileobj(temporary, out)
    own = request.fields.own
    return [f"{path}: {export.summary}{_files_in(path)}", *own.remarks, *export.remarks()], not own.lacks


def site_of(text: str) -> str:
    """Check the option ``--site``, and return it without a slash at its end. Raises Refused if it is no
    address of a site, or has a path.
    """
    site = text.strip().rstrip("/")
    if site and (not is_address(site) or urlsplit(site).scheme == "file" or urlsplit(site).path):
        sentence = f"“{text[:80]}” is no address of a site, such as https://cutout.example"
        raise Refused(Fault("bad_site", sentence, "--site"))
    return site


def _fields(options: Mapping[str, Any], folder: Path) -> PrintFields:
    """The fields of a request as the print page would send them. Raises Refused."""
    text, game = read_list(options["file"]), game_named(options["game"])
    if not text.strip():
        raise Refused(Fault("nothing_chosen", "The list has no cards.", options["file"]))
    # ``--pictures`` is the option of that name (yes or no), or the path of pictures to use.
    pictures = "" if options["pictures"] in ("yes", "no") else str(options["pictures"])
    fields = MultiValueDict[str, str]()
    values = {**options, "text": text, "pictures": "yes" if pictures else options["pictures"]}
    names = (*LIST_FIELDS, *(option.name for option in (*OPTIONS, *FIELDS)))
    fields.update({name: values[name] for name in names if values[name]})
    own = brought(game, options["texts"], pictures, folder, wish_of(options)) if game else NOTHING
    return PrintFields(fields, pasted=True, viewer=NOBODY, root=site_of(options["site"]), own=own)


def brought(game: Game, texts: str, pictures: str, folder: Path, wish: Wish = AS_FOUND) -> Brought:
    """Read own texts and pictures from these paths; an empty path means none. Pictures are copied to
    ``folder``, which must exist until the print is made. Raises Refused.
    """
    texts_by_code: Mapping[str, str] = {}
    refs: dict[tuple[str, str], PictureRef] = {}
    remarks, lacks = list[str](), False
    try:
        if texts:
            texts_by_code, not_understood = texts_of_file(game, Path(texts))
            remarks += not_understood
        if pictures:
            with opened(Path(pictures)) as files:
                package = package_of(files, Path(pictures).name)
                placed = place_pictures(package, game, guessed(package, game))
                refs |= pictures_for_one_print(package, placed, folder, game, wish)
                problems = (f"{problem.file}: {problem.reason}" for problem in placed.problems)
                remarks += [in_words(placed), *problems]
                lacks = placed.lacks
    except BadPackage as error:
        raise Refused(Fault(error.code, error.message, texts or pictures)) from None
    except OSError as error:
        raise Refused(
            Fault("unreadable", f"{error.filename} cannot be read: {error.strerror}.", texts or pictures)
        ) from None
    return Brought(game.slug, texts_by_code, refs, tuple(remarks), lacks)


def _refuse_other_name(path: Path, export: Export) -> None:
    """Raise Refused if the suffix of the output's name is of another kind of file than the one written. A
    name without a suffix is allowed.
    """
    suffix = Path(export.filename).suffix
    if path.suffix and path.suffix.casefold() != suffix:
        zipped = export.slug == SHEETS and suffix == ".zip"
        kind = "several PDFs in a zip" if zipped else f"a {suffix[1:].upper()}"
        sentence = f"The output is {kind}: name it {path.with_suffix(suffix).name}."
        raise Refused(Fault("wrong_name", sentence, str(path)))


def _files_in(path: Path) -> str:
    """``; a zip of 2 files: fronts.pdf, backs.pdf`` if a zip was written, else empty."""
    if not (path.is_file() and is_zipfile(path)):
        return ""
    with ZipFile(path) as archive:
        names = archive.namelist()
    shown = ", ".join(names[:MAX_NAMED])
    if len(names) > MAX_NAMED:
        shown += f" and {len(names) - MAX_NAMED} more"
    return f"; a zip of {some(len(names), 'file')}: {shown}"

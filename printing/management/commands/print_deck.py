"""Print a deck from a file or standard input: sheets as a PDF, or a file for something else than a printer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile, is_zipfile

from django.core.management.base import BaseCommand, CommandParser

from cardsdb.errors import Fault, Refused
from decks.management.commands.check_deck import read_list
from decks.visitors import Visitor
from printing.asked import Asked, job_for, pasted_list, refused
from printing.choosing import choose
from printing.job import Job
from printing.options import OPTIONS, CannotPrint
from printing.outputs.fields import FIELDS, read_wanted
from printing.outputs.lists import list_for
from printing.outputs.output_table import OUTPUTS, Output, made
from printing.outputs.print_services import SERVICES
from printing.outputs.service_files import service_remarks
from printing.sheets import make_sheets

# So many files of an archive are named.
MOST_NAMED = 6


class Command(BaseCommand):
    help = "Print a deck as proxy sheets of true size. Exit status: 0 printed, 2 not."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list, or - for standard input")
        parser.add_argument("--game", required=True)
        parser.add_argument("--format", default="")
        parser.add_argument("-o", "--output", required=True, metavar="OUT")
        parser.add_argument("--as", dest="output_kind", default="sheets", choices=("sheets", *OUTPUTS), metavar="FILE_KIND", help=_kinds())
        parser.add_argument("--site", default="", metavar="ADDRESS", help="the site that QR codes lead to, such as https://cutout.example")
        for option in (*OPTIONS, *FIELDS):
            said = f"{option.label}: {', '.join(option.allowed)} ({option.default or 'the usual'}). {option.help}".strip()
            # A percent sign would be taken for a place to fill in.
            said = said.replace("%", "%%")
            parser.add_argument(f"--{option.name.replace('_', '-')}", dest=option.name, default="", metavar=option.kind.upper(), help=said)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            root = site_of(options["site"])
            asked = pasted_list(options["game"], read_list(options["file"]), options["format"])
            job = job_for(asked, {option.name: options[option.name] for option in OPTIONS}, root=root)
            if options["output_kind"] == "sheets":
                _refuse_other_name(options["output"], Path(job.filename).suffix, separate=job.filename.endswith(".zip"))
                Path(options["output"]).write_bytes(make_sheets(job).data)
                about, remarks = job.summary(), job.remarks()
            else:
                about, remarks = self._write_other(OUTPUTS[options["output_kind"]], asked, job, options)
        except CannotPrint as error:
            self._stop(refused(error))
        except Refused as error:
            self._stop(error)
        except OSError as error:
            self.stderr.write(f"{options['output']}: {error.strerror}.")
            sys.exit(2)
        else:
            self.stdout.write(f"{options['output']}: {about}{_files_in(Path(options['output']))}")
            for remark in remarks:
                self.stdout.write(remark)

    def _write_other(self, output: Output, asked: Asked, job: Job, options: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
        """A file that is no sheets: what is in it, and what is to be said of it."""
        _refuse_other_name(options["output"], Path(output.file).suffix)
        wanted = read_wanted(options)
        told = output.options(job.options, wanted, asked.game)
        job = job_for(asked, {"paper": told.paper.slug, **told.query()}, root=site_of(options["site"]))
        file = made(output, job, wanted, list_for(choose(asked.lists, job.options, Visitor()), job))
        with Path(options["output"]).open("wb") as out:
            file.write(out)
        return file.about, service_remarks(job, SERVICES[wanted.service]) if "service" in output.fields else ()

    def _stop(self, error: Refused) -> None:
        for fault in error.faults:
            self.stderr.write(f"{fault.where}: {fault.message}" if fault.where else fault.message)
        sys.exit(2)


def site_of(text: str) -> str:
    """The address of a site without a path. Raises Refused for what is none."""
    parts = urlsplit(text.strip())
    bare = parts.scheme in ("http", "https") and parts.netloc and not (parts.path.strip("/") or parts.query or parts.fragment)
    if text.strip() and not bare:
        raise Refused(Fault("bad_site", f"“{text[:80]}” is no address of a site, such as https://cutout.example", "--site"))
    return text.strip().rstrip("/")


def _refuse_other_name(name: str, suffix: str, *, separate: bool = False) -> None:
    """Raise Refused for a name that promises another kind of file than is written; one without an ending promises nothing."""
    path = Path(name)
    if path.suffix and path.suffix.casefold() != suffix:
        what = "two PDFs, fronts and backs, in a zip" if separate else f"a {suffix[1:].upper()}"
        raise Refused(Fault("wrong_name", f"What is written is {what}: name it {path.with_suffix(suffix).name}.", name))


def _files_in(path: Path) -> str:
    """The files of an archive that was written, by their names as far as they are few."""
    if not (path.is_file() and is_zipfile(path)):
        return ""
    with ZipFile(path) as archive:
        names = archive.namelist()
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    return f"; a zip of {len(names)} {'file' if len(names) == 1 else 'files'}: {shown}"


def _kinds() -> str:
    return "what to write: sheets (a PDF); " + "; ".join(f"{slug}: {output.help}" for slug, output in OUTPUTS.items())

"""The command line: record a corpus, reopen a database of before, compare two records."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2]
PARTS = ("decks", "search", "printing", "commands", "api", "pages")
SECRET = "a-quiet-field-at-noon-a-long-way-from-the-river-0123456789-and-back-again"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.same_bytes")
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record")
    record.add_argument("out", type=Path)
    record.add_argument("--only", default=",".join(PARTS))
    record.add_argument("--jobs", type=int, default=1)
    reopen = commands.add_parser("reopen")
    reopen.add_argument("var", type=Path)
    reopen.add_argument("out", type=Path)
    for command in (record, reopen):
        command.add_argument("--code", type=Path, default=TOOL)
        command.add_argument("--database", default="")
    compare = commands.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    compare.add_argument("--show", type=int, default=20)
    compare.add_argument("--forgive", action="append", default=[])
    compare.add_argument("--only", default="")
    part = commands.add_parser("part")
    part.add_argument("name")
    part.add_argument("out", type=Path)
    options = parser.parse_args()
    match options.command:
        case "record":
            os.environ["SAME_BYTES_DATABASE"] = options.database
            sys.exit(_record(options.out, options.code.resolve(), options.only.split(","), options.jobs))
        case "reopen":
            os.environ["SAME_BYTES_DATABASE"] = options.database
            sys.exit(_reopen(options.var, options.out, options.code.resolve()))
        case "compare":
            from tests.same_bytes.compare import compare_folders

            sys.exit(
                compare_folders(options.before, options.after, options.show, options.forgive, options.only)
            )
        case "part":
            _part(options.name, options.out)


def _record(out: Path, code: Path, only: list[str], jobs: int) -> int:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="same_bytes") as folder:
        fresh = Path(folder) / "fresh"
        if status := _ask("prepare", out, code, fresh):
            return status

        def one(part: str) -> int:
            var = Path(folder) / part
            shutil.copytree(fresh, var)
            status = _ask(part, out, code, var)
            if part == "decks" and not status:
                shutil.rmtree(out / "old_var", ignore_errors=True)
                shutil.copytree(var, out / "old_var")
            return status

        with ThreadPoolExecutor(jobs) as pool:
            return max(pool.map(one, [part for part in PARTS if part in only]))


def _reopen(var: Path, out: Path, code: Path) -> int:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="same_bytes") as folder:
        copy = Path(folder) / "var"
        shutil.copytree(var, copy)
        return _ask("reopen", out, code, copy)


def _ask(part: str, out: Path, code: Path, var: Path) -> int:
    """One part in a process of its own, since settings are read once."""
    given = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("CUTOUT_", "DJANGO_", "DATABASE_"))
    }
    environment = given | {
        "SAME_BYTES_CODE": str(code),
        "CUTOUT_VAR": str(var),
        "CUTOUT_READS_PER_MINUTE": "1000000",
        "CUTOUT_WORKS_PER_MINUTE": "1000000",
        "SECRET_KEY": SECRET,
        "PYTHONHASHSEED": "0",
        "DJANGO_SETTINGS_MODULE": "cardsdb.settings",
        "DATABASE_URL": given.get("SAME_BYTES_DATABASE", ""),
    }
    return subprocess.run(
        [sys.executable, "-m", "tests.same_bytes", "part", part, str(out.resolve())],
        cwd=TOOL,
        env=environment,
    ).returncode


def _part(name: str, out: Path) -> None:
    """In the process of a part: the site comes from the other checkout, this package from here."""
    code = os.environ["SAME_BYTES_CODE"]
    sys.path.insert(0, code)
    os.chdir(code)
    from tests.same_bytes.recorder import Recorder, frozen_site

    with frozen_site(later=name == "reopen"):
        if name == "prepare":
            from django.core.management import call_command

            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                call_command("prepare")
            return
        module = importlib.import_module(f"tests.same_bytes.{name}")
        with Recorder(out / f"{name}.jsonl") as recorder:
            module.record(recorder)
        print(f"{name}: {recorder.count} answers", flush=True)


if __name__ == "__main__":
    main()

"""The commands: searching, judging, printing, converting, as somebody at a terminal runs them."""

from __future__ import annotations

import io
import json
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tests.same_bytes.decks import FORMATS, variants
from tests.same_bytes.pages import corpus
from tests.same_bytes.printing import OPTION_SETS
from tests.same_bytes.recorder import Recorder, Visitor
from tests.same_bytes.vocabulary import GAMES, Vocabulary

OUTPUTS = ("cards", "tabletop", "service", "service-pdf", "cut-svg", "cut-dxf")


def record(recorder: Recorder) -> None:
    """Each command with what it takes, and with what it refuses."""
    vocabulary = Vocabulary(Visitor(recorder, "anyone", keeps_cookies=False))
    for number, query in enumerate(corpus("card_queries.txt")[::6]):
        run(recorder, "search", query, *(("--json",), ("--explain",), ("--game", "spycraft"), ())[number % 4])
    with tempfile.TemporaryDirectory() as folder:
        recorder.learn(folder, "FOLDER")
        for game in GAMES:
            for number, starter in enumerate(vocabulary.games[game]["starters"]):
                _starter(recorder, Path(folder), game, starter, number)
        batch = Path(folder, "batch.jsonl")
        batch.write_text(
            "\n".join(
                json.dumps({"game": game, "text": s["text"]})
                for game in GAMES
                for s in vocabulary.games[game]["starters"]
            )
            + "\n{\n"
        )
        run(recorder, "check_deck", str(batch), "--batch")
        run(recorder, "check_deck", str(Path(folder, "nothing")), "--game", "spycraft")
        run(recorder, "export_static", str(Path(folder, "static")), "--game", "spynet")
    for command in (
        ("load_cards",),
        ("judge_decks",),
        ("clear_browsers",),
        ("sanity_check",),
        ("worker", "--once"),
    ):
        run(recorder, *command)
    for name in (
        "search",
        "check_deck",
        "print_deck",
        "convert_deck",
        "load_cards",
        "judge_decks",
        "sanity_check",
        "prepare",
    ):
        run(recorder, name, "--help")


def _starter(recorder: Recorder, folder: Path, game: str, starter: dict[str, Any], number: int) -> None:
    for kind, text in variants(starter["text"], number):
        path = folder / f"{game}-{starter['slug']}-{kind}.txt"
        path.write_text(text, encoding="utf-8")
        of = (str(path), "--game", game, "--format", starter["format"])
        run(recorder, "check_deck", *of)
        run(recorder, "check_deck", *of, "--json", "--repair")
        if kind == "whole":
            for place, options in enumerate(OPTION_SETS):
                if number == 0 or place % 9 == number % 9:
                    words = [
                        word
                        for name, value in options.items()
                        for word in (f"--{name.replace('_', '-')}", value)
                    ]
                    _print(
                        recorder, folder, of, words, ".zip" if options.get("backs") == "separate" else ".pdf"
                    )
            for output in OUTPUTS if number == 0 else OUTPUTS[4:]:
                ending = {"service-pdf": ".pdf", "cut-svg": ".svg", "cut-dxf": ".dxf"}.get(output, ".zip")
                _print(
                    recorder,
                    folder,
                    of,
                    [
                        "--as",
                        output,
                        "--only",
                        "none" if output == "tabletop" and game in ("spycraft", "xfiles") else "all",
                    ],
                    ending,
                )
        if kind in ("whole", "written") and number < 4:
            for name in FORMATS:
                _convert(recorder, folder, path, game, name)


def _print(recorder: Recorder, folder: Path, of: tuple[str, ...], words: list[str], ending: str) -> None:
    out = folder / f"out{ending}"
    out.unlink(missing_ok=True)
    name = run(recorder, "print_deck", *of, "-o", str(out), *words)
    if out.exists():
        recorder.write(
            f"{name} -> file", "written", "image/svg" if ending == ".svg" else ending, {}, out.read_bytes()
        )


def _convert(recorder: Recorder, folder: Path, path: Path, game: str, name: str) -> None:
    out = folder / f"{path.stem}.{name}"
    out.unlink(missing_ok=True)
    said = run(recorder, "convert_deck", str(path), "--game", game, "--to", name, "-o", str(out))
    if out.exists():
        recorder.write(f"{said} -> file", "written", "text/plain", {}, out.read_bytes())
        run(recorder, "convert_deck", str(out), "--to", "text", "--game", game)


def run(recorder: Recorder, *words: str) -> str:
    """A command with what it says on either stream and its exit status. Returns the name that it was recorded
    by.
    """
    from django.core.management import execute_from_command_line

    name = recorder.begin(f"manage.py {' '.join(words)}")
    out, wrong, status = _Both(), io.StringIO(), 0
    typed = sys.argv
    sys.argv = ["manage.py", *words]
    try:
        with redirect_stdout(out), redirect_stderr(wrong):
            execute_from_command_line(sys.argv)
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 1 if stop.code else 0
    finally:
        sys.argv = typed
    said = out.getvalue() + out.buffer.getvalue().decode("utf-8", "replace")
    recorder.write(
        name, f"exit {status}", "text/plain", {}, f"{said}\n--- standard error\n{wrong.getvalue()}".encode()
    )
    return name


class _Both(io.StringIO):
    """Standard output, for who writes text to it and who writes bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.buffer = io.BytesIO()

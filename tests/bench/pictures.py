"""Rows 10 and 11: sheets of pictures, and their memory, against other tools with the very same files.

Each tool runs in a process of its own, in turn; CPU seconds without starting Python and loading modules, peak
memory with them. Ours makes 3 x 3 on A4 with marks, tags and words; the others have less to do: img2pdf puts
each card on a page of its own, plain reportlab (as mtg-print uses it) has no marks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import pypdfium2
from PIL import Image

from tests.bench.goals import Result, result

CARD, SIZE = (750, 1050), (63_500, 88_900)
POINTS = 72 / 25_400
ROUNDS, LONG = 3, 2.0
# Beyond so many pictures ours alone is measured: the question there is memory, and the others take minutes.
MOST_FOR_ALL = 540
# Pictures that are drawn; of more, copies of them are changed.
FEW = 54
MEASURE = """
import gc, json, re, sys, time
sys.path.insert(0, {root!r})
from tests.bench.pictures import TOOLS, files_in
prepare, run = TOOLS[{tool!r}]
state = prepare(files_in({folder!r}))
# To look through all that was loaded for rubbish is no tool's job; whether one does hangs on how much was loaded.
gc.collect()
gc.freeze()
start = time.process_time()
size = run(state, {copies}, {out!r})
taken = time.process_time() - start
peak = re.search("VmHWM:\\s+([0-9]+)", open("/proc/self/status").read())
print(json.dumps([taken, int(peak[1]) / 1024, size]))
"""


def run() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        for number, kind, copies in ((54, "JPEG", 1), (54, "PNG", 1), (54, "JPEG", 4), (540, "JPEG", 1)):
            found = _of_job(path, number, kind, copies)
            ours, job = found["ours"], f"{number}-{kind}-{copies}"
            yield result(f"10.{job}", ours[0] * 1_000, found["img2pdf, a card a page"][0] * 1_000)
            if job == "54-JPEG-1":
                yield result("10.stock", ours[0] * 1_000, found["plain reportlab"][0] * 1_000)
                yield result("10.fpdf", ours[0] * 1_000, found["fpdf2"][0] * 1_000)
            if number == 540:
                yield result("11.540", ours[1])
        yield result("11.5000", _of_job(path, 5_000, "JPEG", 1)["ours"][1])


def _of_job(folder: Path, number: int, kind: str, copies: int) -> dict[str, list[float]]:
    """Tool -> CPU seconds, peak MB and bytes, the median of rounds in which all take turns."""
    pictures = folder / f"{kind}{number}"
    if not pictures.exists():
        _make(pictures, number, kind)
        _take_in(pictures)
    tools = (
        ["ours"]
        if number > MOST_FOR_ALL
        else [tool for tool in TOOLS if number <= FEW or tool in ("ours", "img2pdf, a card a page")]
    )
    found: dict[str, list[list[float]]] = {tool: [] for tool in tools}
    for _ in range(ROUNDS):
        for tool in tools:
            # Once is enough of what takes long.
            if not found[tool] or found[tool][0][0] < LONG:
                found[tool].append(_measured(tool, pictures, copies))
                _is_whole(folder / "out.pdf", number * copies)
    return {tool: [median(column) for column in zip(*runs, strict=True)] for tool, runs in found.items()}


def _is_whole(path: Path, pictures: int) -> None:
    """The file shows every picture, as often as was asked for: once a page, or nine a sheet."""
    if pictures > MOST_FOR_ALL:
        return
    document = pypdfium2.PdfDocument(path)
    shown = sum(
        1
        for page in document
        for _ in page.get_objects(filter=(pypdfium2.raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3)
    )
    assert shown == pictures, (shown, pictures)


def _measured(tool: str, pictures: Path, copies: int) -> list[float]:
    root = str(Path(__file__).parents[2])
    code = MEASURE.format(
        root=root, tool=tool, folder=str(pictures), copies=copies, out=str(pictures.parent / "out.pdf")
    )
    env = {
        **os.environ,
        "CUTOUT_PICTURES": str(pictures.parent / "shelf"),
        "DJANGO_SETTINGS_MODULE": "cardsdb.settings",
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], stdout=subprocess.PIPE, text=True, check=True, env=env
    )
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _make(folder: Path, number: int, kind: str) -> None:
    """Cards of about 190 kB: soft colours with grain. Of many JPEGs most differ from another by one number of
    their first table alone.
    """
    folder.mkdir(parents=True)
    across, round_ = Image.linear_gradient("L").resize(CARD), Image.radial_gradient("L").resize(CARD)
    grains = [Image.effect_noise((CARD[0] // 2, CARD[1] // 2), 24).resize(CARD) for _ in range(6)]
    drawn: list[bytes] = []
    for n in range(number):
        path = folder / f"{n:04}.{kind.lower()}"
        if n >= FEW:
            data = bytearray(drawn[n % FEW])
            table = data.index(b"\xff\xdb") + 5
            # Of the highest frequencies, which grain alone has.
            data[table + 63], data[table + 62] = 1 + n // FEW % 250, 1 + n // FEW // 250
            path.write_bytes(data)
            continue
        grain = 0.35 if kind == "JPEG" else 0.0
        bands = [
            Image.blend(base.rotate(n * 360 / 5_003), one, grain)
            for base, one in zip((across, round_, across), grains[n % 4 :], strict=False)
        ]
        picture = Image.merge("RGB", bands)
        if kind == "PNG":
            picture = picture.quantize(128).convert("RGB")
        picture.save(path, kind, **({"quality": 89} if kind == "JPEG" else {}))
        drawn.append(path.read_bytes())


def files_in(folder: str) -> list[Path]:
    return sorted(Path(folder).iterdir())


# -- the tools --------------------------------------------------------------------------


def _ours_ready(paths: list[Path]) -> object:
    """Taken in before, as a visitor's pictures are: printing starts from the stored files."""
    import django

    django.setup()
    from cardsdb.games import games
    from cardsdb.storage.folder import FolderStore
    from printing.job import job
    from printing.pictures.ref import PictureRef
    from printing.render.files import write_sheets  # noqa: F401  loading modules is not measured

    job.MAX_DIFFERENT = job.MAX_CARDS = 100_000
    len(games()["spycraft"].cards)

    refs = [PictureRef(*fields) for fields in json.loads(_refs_of(paths[0].parent).read_text())]
    return [ref._replace(crop=tuple(ref.crop), files=FolderStore(str(ref.files))) for ref in refs]


def _take_in(folder: Path) -> None:
    from django.conf import settings

    from tests.support.pictures import store_picture

    settings.CUTOUT_PICTURES = shelf = str(folder.parent / "shelf")
    refs = [store_picture(path.read_bytes())._replace(files=shelf) for path in files_in(str(folder))]  # type: ignore[arg-type]
    _refs_of(folder).write_text(json.dumps(refs))


def _refs_of(folder: Path) -> Path:
    return folder.with_suffix(".json")


def _ours(refs: object, copies: int, out: str) -> int:
    from dataclasses import replace

    from cardsdb.games import games
    from printing.job.job import Job
    from printing.render.files import write_sheets

    game = games()["spycraft"]
    cards = [replace(game.cards[n % len(game.cards)], code=f"card-{n}") for n in range(len(refs))]  # type: ignore[arg-type]
    pictures = {(card.code, "front"): ref for card, ref in zip(cards, refs, strict=True)}  # type: ignore[call-overload]
    job = Job(game, tuple((card, copies) for card in cards), "Bench", pictures=pictures)
    with Path(out).open("wb") as file:
        write_sheets(job, file)
    return Path(out).stat().st_size


def _img2pdf(paths: object, copies: int, out: str) -> int:
    import img2pdf

    size = tuple(length * POINTS for length in SIZE)
    with Path(out).open("wb") as file:
        img2pdf.convert(
            [str(path) for path in paths for _ in range(copies)],
            layout_fun=img2pdf.get_layout_fun(size),
            outputstream=file,
        )  # type: ignore[attr-defined]
    return Path(out).stat().st_size


def _reportlab(paths: object, copies: int, out: str) -> int:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(out, (595, 842))
    width, height = (length * POINTS for length in SIZE)
    placed = [str(path) for path in paths for _ in range(copies)]  # type: ignore[attr-defined]
    for start in range(0, len(placed), 9):
        for place, path in enumerate(placed[start : start + 9]):
            canvas.drawImage(path, 27 + place % 3 * width, 43 + (2 - place // 3) * height, width, height)
        canvas.showPage()
    canvas.save()
    return Path(out).stat().st_size


def _fpdf(paths: object, copies: int, out: str) -> int:
    from fpdf import FPDF

    made = FPDF(unit="mm", format="A4")
    made.set_auto_page_break(False)
    placed = [str(path) for path in paths for _ in range(copies)]  # type: ignore[attr-defined]
    for number, path in enumerate(placed):
        if number % 9 == 0:
            made.add_page()
        made.image(path, 9.75 + number % 3 * 63.5, 15 + number % 9 // 3 * 88.9, 63.5, 88.9)
    made.output(out)
    return Path(out).stat().st_size


def _as_they_are(paths: list[Path]) -> object:
    return paths


TOOLS: dict[str, tuple[Callable[[list[Path]], object], Callable[[object, int, str], int]]] = {
    "ours": (_ours_ready, _ours),
    "img2pdf, a card a page": (_as_they_are, _img2pdf),
    "plain reportlab": (_as_they_are, _reportlab),
    "fpdf2": (_as_they_are, _fpdf),
}

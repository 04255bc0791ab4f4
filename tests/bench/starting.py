"""Rows 8 and 14: what starting costs, against setting bare Django up: an empty project that answers one
request.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from cardsdb.games import game_named, games
from tests.bench.goals import Result, result
from tests.bench.timing import command_seconds

ROUNDS = 5
BARE = """
from django.conf import settings
settings.configure(INSTALLED_APPS=[f"django.contrib.{app}" for app in ("admin", "auth", "contenttypes", "sessions", "messages")],
    ROOT_URLCONF="tests.bench.nothing", ALLOWED_HOSTS=["*"], SECRET_KEY="bench", TEMPLATES=[{"BACKEND":
    "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}], DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3",
    "NAME": ":memory:"}}, MIDDLEWARE=["django.middleware.common.CommonMiddleware"])
"""
ASK = """
from io import BytesIO
started = []
environ = {"REQUEST_METHOD": "GET", "PATH_INFO": PATH, "QUERY_STRING": QUERY, "SERVER_NAME": "localhost", "SERVER_PORT": "80",
    "HTTP_HOST": "localhost", "wsgi.input": BytesIO(), "wsgi.url_scheme": "http", "wsgi.errors": BytesIO()}
from time import process_time
before = process_time()
answer = b"".join(application(environ, lambda status, headers, exc_info=None: started.append(status)))
assert started == ["200 OK"], started
print(process_time() - before, process_time())
assert len(answer) >= LEAST, "the page lists no cards"
"""
BARE_ASKED = (
    f"{BARE}\nfrom django.core.wsgi import get_wsgi_application\n"
    f"application, PATH, QUERY, LEAST = get_wsgi_application(), '/', '', 0\n{ASK}"
)
OURS = "from cardsdb.wsgi import application\nPATH, QUERY, LEAST = '/cards/', 'q={}', 40_000\n"


def run() -> Iterator[Result]:
    python = sys.executable
    if game_named("paperwar"):
        first = [python, "-c", OURS.format("game:paperwar+cost>=3") + ASK]
        asked = [_said(first) for _ in range(3)]
        yield result("8.first", median(page for page, _ in asked))
        yield result("8.start", median(whole for _, whole in asked))
        return
    starter = next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deck.txt"
        path.write_text(starter.text, encoding="utf-8")
        commands = {
            "bare": [python, "-c", BARE_ASKED],
            "check": [python, "manage.py", "check_deck", str(path), "--game", "spycraft"],
            "print": [
                python,
                "manage.py",
                "print_deck",
                str(path),
                "--game",
                "spycraft",
                "-o",
                f"{folder}/deck.pdf",
            ],
        }
        found: dict[str, list[float]] = {name: [] for name in commands}
        firsts = []
        for _ in range(ROUNDS):
            firsts.append(_said([python, "-c", OURS.format("craft>=3") + ASK]))
            for name, command in commands.items():
                found[name].append(command_seconds(command, {**os.environ, "CUTOUT_GAMES_PATH": ""}) * 1_000)
    yield result("14.first", median(page for page, _ in firsts), median(found["bare"]))
    yield result("14.start", median(whole for _, whole in firsts), median(found["bare"]))
    for name in ("check", "print"):
        yield result(f"14.{name}", median(found[name]), median(found["bare"]))


def _said(command: list[str]) -> tuple[float, float]:
    """Milliseconds of processor that the first request took, and all since the process began, as the command
    says.
    """
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    page, whole = done.stdout.split()[-2:]
    return float(page) * 1_000, float(whole) * 1_000

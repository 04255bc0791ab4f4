"""How much starting the site costs with a catalogue loaded, against ``manage.py check`` of the real games."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from statistics import median

from tests.bench.timing import table

START = """
import django
django.setup()
from django.urls import get_resolver
get_resolver().url_patterns
from cardsdb.search.snapshots import current_snapshot, fields_for
fields_for(None)
current_snapshot()
"""
ROUNDS = 5


def run() -> None:
    label = f"{int(os.environ.get('BENCH_CARDS', '0')):,} cards beside the real ones, {os.environ.get('BENCH_DATABASE', '')}"
    plain = {key: value for key, value in os.environ.items() if key != "CUTOUT_GAMES_PATH"}
    ours, check = [], []
    for _ in range(ROUNDS):
        ours.append(_seconds([sys.executable, "-c", START], dict(os.environ)))
        check.append(_seconds([sys.executable, "manage.py", "check"], plain))
    a, b = median(ours), median(check)
    row = ["start with search words and cards", f"{a:.2f}", f"{b:.2f}", f"{a / b:.2f}", "<= 1.5"]
    table(f"Starting, {label}, CPU against manage.py check", ["what", "ours s", "check s", "ratio", "goal"], [row])


def _seconds(command: list[str], env: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    run()

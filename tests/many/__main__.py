"""``make many``: the site on two machines until Ctrl-C; ``drill``: one is killed; ``journeys``: every test of
a browser visits them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests import ROOT
from tests.many.drill import Drill
from tests.many.machines import Many, many
from tests.support.server import free_port


def serve(site: Many) -> int:
    for machine in site.machines:
        print(f"  a machine at http://127.0.0.1:{machine.port}/, its data in {machine.var}")
    print("Stop them with Ctrl-C.", flush=True)
    signal.pause()
    return 0


def drill(site: Many) -> int:
    one = Drill(site)
    began = time.monotonic()
    lost = one.run()
    changes = sum(deck[2] for deck in one.decks)
    print(*one.report(), sep="\n")
    print(
        f"{len(one.decks)} decks and {changes} changes acknowledged; {time.monotonic() - began:.0f} seconds."
    )
    print(*(lost or ["Nothing was lost, and nobody got an error of the site."]), sep="\n")
    return bool(lost)


def journeys(site: Many, *arguments: str) -> int:
    visited = {"CUTOUT_TEST_SITE": site.url, "CUTOUT_TEST_VAR": str(site.machines[0].var)}
    visited["CUTOUT_TEST_DATABASE"] = site.machines[0].environment["DATABASE_URL"]
    command = [sys.executable, "-m", "pytest", "-m", "browser", *arguments]
    status = subprocess.run(command, cwd=ROOT, env={**os.environ, **visited}, check=False).returncode
    lines = [line.split() for line in site.log.read_text().splitlines()]
    for (machine, kind), count in sorted(Counter((words[3], f"{words[2][0]}xx") for words in lines).items()):
        print(f"{machine} answered {count} with {kind}")
    errors = [" ".join(words) for words in lines if words[2][0] == "5"]
    print(*errors, sep="\n")
    return status or bool(errors)


def main() -> int:
    name, *arguments = sys.argv[1:] or ["serve"]
    # Whoever ends this ends all of it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="cutout-many-") as folder, free_port() as free:
        port = int(os.environ.get("PORT") or free) if name == "serve" else free
        with many(Path(folder).resolve(), port) as site:
            print(
                f"Cutout is at {site.url}/ on two machines, {site.seconds:.0f} seconds after starting on an"
                " empty database.",
                flush=True,
            )
            return {"serve": serve, "drill": drill, "journeys": journeys}[name](site, *arguments)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print()

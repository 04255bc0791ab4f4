"""``make many``: run the site on two machines until Ctrl-C.

Other words after ``python -m tests.many``: ``drill`` kills one machine under load and checks that nothing is
lost; ``journeys`` runs all browser tests against the two machines.
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
    """Print the addresses and wait for Ctrl-C."""
    for machine in site.machines:
        print(f"  a machine at http://127.0.0.1:{machine.port}/, its data in {machine.var}")
    print("Stop them with Ctrl-C.", flush=True)
    signal.pause()
    return 0


def drill(site: Many) -> int:
    """Run the drill and print its report; return 1 if anything was lost."""
    drilled = Drill(site)
    began = time.monotonic()
    lost = drilled.run()
    print(*drilled.report(), sep="\n")
    seconds = time.monotonic() - began
    print(f"{drilled.writers.saved} decks and changes acknowledged; {seconds:.0f} seconds.")
    print(*(lost or ["Nothing was lost, and no visitor got an error of the site."]), sep="\n")
    return bool(lost)


def journeys(site: Many, *arguments: str) -> int:
    """Run the browser tests; ``arguments`` go to pytest. Return a non-zero status if a test fails or any
    answer was 5xx.

    nginx's log has one line per request: method, path, status, machine, its status, seconds.
    """
    first = site.machines[0]
    visited = {
        "CUTOUT_TEST_SITE": site.url,
        "CUTOUT_TEST_VAR": str(first.var),
        "CUTOUT_TEST_DATABASE": first.environment["DATABASE_URL"],
    }
    command = [sys.executable, "-m", "pytest", "-m", "browser", *arguments]
    status = subprocess.run(command, cwd=ROOT, env={**os.environ, **visited}, check=False).returncode
    counts, errors = Counter[tuple[str, str]](), list[str]()
    for line in site.log.read_text().splitlines():
        _, _, answered, machine, *_ = line.split()
        counts[machine, f"{answered[0]}xx"] += 1
        if answered.startswith("5"):
            errors.append(line)
    for (machine, kind), count in sorted(counts.items()):
        print(f"{machine} answered {count} with {kind}")
    print(*errors, sep="\n")
    return status or bool(errors)


def main() -> int:
    name, *arguments = sys.argv[1:] or ["serve"]
    # SIGTERM raises KeyboardInterrupt as Ctrl-C does, so that everything started here is stopped.
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

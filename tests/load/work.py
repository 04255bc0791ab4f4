"""What the workers were asked for on an evening and made, as JSON. It is deleted then, so that the next
evening begins as this one did.

python -m tests.load.work
"""

from __future__ import annotations

import json
import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
django.setup()

from cardsdb.models import RowState  # noqa: E402
from printing.models import PrintJob  # noqa: E402
from printing.tasks.files import FILE_RETENTION, OPEN  # noqa: E402

# Seconds that whatever still waits is waited for.
PATIENCE = 60.0


def main() -> None:
    until = time.monotonic() + PATIENCE
    while PrintJob.objects.filter(state__in=OPEN).exists() and time.monotonic() < until:
        time.sleep(0.2)
    rows = list(PrintJob.objects.defer("request"))
    # Seconds from the asking to the file.
    took = [
        (row.expires - FILE_RETENTION - row.made).total_seconds()
        for row in rows
        if row.state == RowState.DONE and row.expires
    ]
    json.dump({"asked": len(rows), "made": len(took), "slowest": max(took, default=0.0)}, sys.stdout)
    for row in rows:
        row.delete()


if __name__ == "__main__":
    main()

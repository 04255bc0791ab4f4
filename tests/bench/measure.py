"""``python -m tests.bench.measure MODULE``: one module's measurements as lines of JSON, in a process of its
own.
"""

from __future__ import annotations

import importlib
import json
import sys

from tests.bench import asking  # noqa: F401  (sets Django up)

for measured in importlib.import_module(f"tests.bench.{sys.argv[1]}").run():
    print(json.dumps(measured.as_json()), flush=True)

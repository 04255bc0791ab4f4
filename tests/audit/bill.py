"""Compare the bill of materials (``make sbom``: all installed packages, as CycloneDX) with
``requirements.txt``: ``python -m tests.audit.bill FILE``.

Exit status 1 if they differ: then the bill does not describe what is really installed. Tests:
``tests/house/test_audit.py``.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tests import ROOT


def differences(lock: str, bill: str) -> list[str]:
    """Return one sentence for each package that only one of them names, or that has another version or other
    hashes.

    ``lock`` is the text of ``requirements.txt``, ``bill`` CycloneDX as JSON.
    """
    # From lines such as ``alpha==1.0 \``: package -> version. From the lines below each: package -> hashes.
    locked = dict(re.findall(r"^([a-z0-9.-]+)==(\S+) \\$", lock, re.MULTILINE))
    hashes = {
        name: set(re.findall(r"sha256:([0-9a-f]{64})", block))
        for name, block in re.findall(r"^([a-z0-9.-]+)==((?:.*\\\n)*.*)", lock, re.MULTILINE)
    }
    billed = {part["name"].lower().replace("_", "-"): part for part in json.loads(bill)["components"]}
    found = [f"{name} is in the lock alone" for name in sorted(locked.keys() - billed.keys())]
    found += [f"{name} is in the bill alone" for name in sorted(billed.keys() - locked.keys())]
    for name in sorted(locked.keys() & billed.keys()):
        version, references = billed[name]["version"], json.dumps(billed[name]["externalReferences"])
        billed_hashes = set(re.findall(r"\b[0-9a-f]{64}\b", references))
        if locked[name] != version:
            found.append(f"{name} is {locked[name]} in the lock, {version} in the bill")
        elif not hashes[name] or hashes[name] != billed_hashes:
            found.append(f"{name} has other hashes in the bill")
    return found


if __name__ == "__main__":
    wrong = differences(
        (ROOT / "requirements.txt").read_text(encoding="utf-8"), Path(sys.argv[1]).read_text(encoding="utf-8")
    )
    print("\n".join(wrong) or "The bill of materials and requirements.txt name the same packages.")
    sys.exit(bool(wrong))

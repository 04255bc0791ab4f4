"""Is the bill of materials complete? ``python -m tests.audit.bill FILE`` compares it with the lock; exit
status 1 when they differ.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tests import ROOT


def differences(lock: str, bill: str) -> list[str]:
    """Each package that one of them names and the other does not, or in another version, or without the
    hashes of the lock.
    """
    locked = dict(re.findall(r"^([a-z0-9.-]+)==(\S+) \\$", lock, re.MULTILINE))
    hashes = {
        name: set(re.findall(r"sha256:([0-9a-f]{64})", block))
        for name, block in re.findall(r"^([a-z0-9.-]+)==((?:.*\\\n)*.*)", lock, re.MULTILINE)
    }
    billed = {one["name"].lower().replace("_", "-"): one for one in json.loads(bill)["components"]}
    found = [f"{name} is in the lock alone" for name in sorted(locked.keys() - billed.keys())]
    found += [f"{name} is in the bill alone" for name in sorted(billed.keys() - locked.keys())]
    for name in sorted(locked.keys() & billed.keys()):
        if locked[name] != billed[name]["version"]:
            found.append(f"{name} is {locked[name]} in the lock, {billed[name]['version']} in the bill")
        elif not hashes[name] or hashes[name] != set(
            re.findall(r"\b[0-9a-f]{64}\b", json.dumps(billed[name]["externalReferences"]))
        ):
            found.append(f"{name} has other hashes in the bill")
    return found


if __name__ == "__main__":
    wrong = differences(
        (ROOT / "requirements.txt").read_text(encoding="utf-8"), Path(sys.argv[1]).read_text(encoding="utf-8")
    )
    print("\n".join(wrong) or "The bill of materials names what the lock names.")
    sys.exit(bool(wrong))

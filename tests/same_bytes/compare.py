"""Two records side by side: what is the same, and the differences in groups of those that differ alike."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from collections import defaultdict
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

Answer = dict[str, Any]
LONGEST = 240
# An answer more or less moves the clock for those behind it: what differs by the time of its making alone is
# counted apart.
TIMES = re.compile(
    r"20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?|\d{1,2}:\d\d(?::\d\d)?"
    r"|\d{1,2} [A-Z][a-z]{2,8}\.? 20\d\d|\b\d+\s(?:minute|hour|day|second)s?\b"
)


def compare_folders(before: Path, after: Path, show: int, forgive: list[str], only: str) -> int:
    """Compare each part that both have; 0 where all of it is the same. Both may be files, too."""
    patterns = [re.compile(one) for one in forgive]
    pairs = [(before, after)]
    if before.is_dir():
        names = sorted(path.name for path in before.glob("*.jsonl") if (after / path.name).exists())
        pairs = [
            (before / name, after / name)
            for name in names
            if not only or name.removesuffix(".jsonl") in only.split(",")
        ]
    return max([_compare(*pair, show, patterns) for pair in pairs], default=1)


def _compare(before: Path, after: Path, show: int, forgive: list[re.Pattern[str]]) -> int:
    old, new = _read(before), _read(after)
    same, forgiven = 0, 0
    apart: dict[str, list[str]] = {"white space alone": [], "times alone": []}
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in old.keys() & new.keys():
        one, other = old[name], new[name]
        for answer in (one, other):
            answer["headers"].pop("Expires", None)
        if all(one[key] == other[key] for key in ("status", "type", "headers", "digest")):
            same += 1
            continue
        left, right = (_lines(answer, forgive) for answer in (one, other))
        if left == right:
            forgiven += 1
        elif "".join("".join(left).split()) == "".join("".join(right).split()):
            apart["white space alone"].append(name)
        elif TIMES.sub("", "\n".join(left)) == TIMES.sub("", "\n".join(right)):
            apart["times alone"].append(name)
        else:
            groups[_signature(left, right)].append(name)
    lost, added = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    differ = sum(map(len, groups.values()))
    print(
        f"\n== {after.stem}: {same} the same, {differ} differ in {len(groups)} ways, {forgiven} forgiven",
        end="",
    )
    print("".join(f", {len(names)} by {what}" for what, names in apart.items()), end="")
    print(f", {len(lost)} asked only before, {len(added)} only after")
    for what, names in apart.items():
        if names:
            print(f"  {what}: such as {', '.join(sorted(names, key=len)[:3])[:LONGEST]}")
    for signature, names in sorted(groups.items(), key=lambda pair: -len(pair[1]))[:show]:
        print(f"\n{len(names)} x, such as {min(names, key=len)[:LONGEST]}")
        print("\n".join(f"    {line[:LONGEST]}" for line in signature))
    for words, names in (("only before", lost), ("only after", added)):
        for name in names[:show]:
            print(f"  {words}: {name[:LONGEST]}")
    return 1 if groups or lost or added or any(apart.values()) else 0


def _read(path: Path) -> dict[str, Answer]:
    with path.open(encoding="utf-8") as file:
        return {answer["name"]: answer for answer in map(json.loads, file)}


def _lines(answer: Answer, forgive: list[re.Pattern[str]]) -> list[str]:
    """An answer as lines, its status and headers first."""
    body = (
        zlib.decompress(b64decode(answer["text"])).decode("utf-8", "surrogatepass")
        if "text" in answer
        else answer["digest"]
    )
    if "json" in answer["type"]:
        body = re.sub(r'([,{\[])(?=["{])', r"\1\n", body)
    if "html" in answer["type"]:
        body = body.replace("><", ">\n<")
    head = [
        f"status {answer['status']}",
        f"type {answer['type']}",
        *(f"{k}: {v}" for k, v in answer["headers"].items()),
    ]
    text = "\n".join((*head, body))
    for pattern in forgive:
        text = pattern.sub("", text)
    return text.split("\n")


def _signature(left: list[str], right: list[str]) -> tuple[str, ...]:
    """The first lines that differ; numbers in them count for nothing, so that answers that differ alike fall
    together.
    """
    start = next(
        (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )
    left, right = left[start:], right[start:]
    while left and right and left[-1] == right[-1]:
        left.pop(), right.pop()
    found: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, left[:400], right[:400], autojunk=False).get_opcodes():
        if tag != "equal":
            found += [f"- {line.strip()}" for line in left[a : min(b, a + 3)]] + [
                f"+ {line.strip()}" for line in right[c : min(d, c + 3)]
            ]
        if len(found) >= 6:
            break
    return tuple(re.sub(r"\d+", "N", line)[:LONGEST] for line in found if line.strip("+- "))[:8] or (
        "blank lines",
    )

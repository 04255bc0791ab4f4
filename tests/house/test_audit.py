"""The tools that look at the whole of Cutout are told what to look at, and what they compare they compare
truly.
"""

from __future__ import annotations

import ast
import json
import re

import pytest
import yaml

from tests import ROOT
from tests.audit import mutate
from tests.audit.bill import differences
from tests.support.rooms import whole_house

HASHES = ["a" * 64, "b" * 64]
LOCK = f"""alpha==1.0 \\
    --hash=sha256:{HASHES[0]} \\
    --hash=sha256:{HASHES[1]}
    # via cutout (pyproject.toml)
beta==2.1 \\
    --hash=sha256:{HASHES[0]}
"""


def component(name: str, version: str, hashes: list[str]) -> dict[str, object]:
    kept = [{"alg": "SHA-256", "content": one} for one in hashes]
    return {"name": name, "version": version, "externalReferences": [{"hashes": kept}]}


def bill(*components: dict[str, object]) -> str:
    return json.dumps({"components": components})


def test_the_bill_of_materials_names_what_the_lock_names():
    assert (
        differences(LOCK, bill(component("alpha", "1.0", HASHES), component("Beta", "2.1", HASHES[:1]))) == []
    )


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (component("gamma", "1", HASHES), ["beta is in the lock alone", "gamma is in the bill alone"]),
        (component("beta", "2.2", HASHES[:1]), ["beta is 2.1 in the lock, 2.2 in the bill"]),
        (component("beta", "2.1", HASHES), ["beta has other hashes in the bill"]),
    ],
)
def test_a_bill_that_differs_from_the_lock_is_told(second, said):
    assert differences(LOCK, bill(component("alpha", "1.0", HASHES), second)) == said


def test_the_lock_itself_is_read_package_by_package():
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    said = differences(lock, bill())
    assert len(said) == len(re.findall(r"^\S+==", lock, re.MULTILINE)) > 40


def test_each_exception_from_the_rules_on_security_says_why():
    """Of ruff (which has bandit's rules) and of semgrep; a reason stands behind the name of the rule."""
    files = [(file.place, file.text) for file in whole_house().files]
    files += [
        (path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for path in (ROOT / "cardsdb" / "static").rglob("*.js")
    ]
    bare = re.compile(r"noqa: S\d{3}\s*$|nosemgrep(?!: [\w-]+ \(\w)|noqa\s*$|nosec", re.MULTILINE)
    assert [place for place, text in files if not place.startswith("tests/") and bare.search(text)] == []


# What starts programs, evaluates text, unpickles, asks the network, or makes numbers that can be guessed; and
# who may.
DANGEROUS = {"subprocess", "pickle", "shelve", "marshal", "random"}
DANGEROUS |= {"urllib.request", "http.client", "xmlrpc.client", "ftplib", "requests", "httpx"}
DANGEROUS_CALLS = {"eval", "exec", "os.system", "os.popen"}
WITH_A_REASON = {
    ("cardsdb/search/results.py", "random"): "the order of cards",
}


def test_the_program_starts_no_shell_evaluates_and_unpickles_nothing_and_asks_no_address():
    found = set()
    for file in whole_house().files:
        named = {origin for origin, _ in file.imports} | {f"{origin}.{name}" for origin, name in file.imports}
        found |= {(file.place, name) for name in named & DANGEROUS}
        if any(f"{name.rpartition('.')[2]}(" in file.text for name in DANGEROUS_CALLS):
            calls = {ast.unparse(node.func) for node in ast.walk(file.tree) if isinstance(node, ast.Call)}
            found |= {(file.place, name) for name in calls & DANGEROUS_CALLS}
    assert found == set(WITH_A_REASON)


def test_no_template_marks_anything_as_safe():
    """Whoever made the markup does, beside the escaping. Letters are plain text, where nothing is escaped."""
    pages = [
        path
        for folder in ("templates", "cardsdb", "decks", "printing")
        for path in (ROOT / folder).rglob("*.html")
    ]
    assert len(pages) > 100
    assert [
        path.name
        for path in pages
        if re.search(r"\|\s*safe(seq)?\b|\bautoescape off\b", path.read_text(encoding="utf-8"))
    ] == []


def test_the_rules_for_semgrep_have_a_name_a_reason_and_a_pattern():
    rules = yaml.safe_load((ROOT / "tests" / "audit" / "rules.yaml").read_text(encoding="utf-8"))["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules) >= 8
    assert all(
        rule["message"].endswith(".") and any(key.startswith("pattern") for key in rule) for rule in rules
    )


@pytest.mark.parametrize("name", ["tools.txt", "mutation.txt"])
def test_the_tools_are_pinned_by_their_hashes(name):
    """Else whoever takes over one of their packages runs code where the project is looked at."""
    text = (ROOT / "tests" / "audit" / name).read_text(encoding="utf-8")
    packages = re.findall(r"^(?!#)\S(?:.*\\\n)*.*$", text, re.MULTILINE)
    assert (
        packages
        and [
            one
            for one in packages
            if not re.match(r"[a-z0-9._-]+==\S+( ;.*)? \\\n    --hash=sha256:[0-9a-f]{64}", one)
        ]
        == []
    )
    assert (
        re.findall(r"--require-hashes|\S+==\d", (ROOT / "Makefile").read_text(encoding="utf-8"))
        == ["--require-hashes"] * 3
    )


def test_what_is_broken_on_purpose_is_there_and_so_are_the_tests_that_should_notice():
    places = [path for place in mutate.PLACES for path in (*place.code, *place.tests)]
    assert [place for place in places if not (ROOT / place).exists()] == []
    assert all(file.suffix == ".py" for place in mutate.PLACES for file in place.files())

"""The security audit in ``tests/audit`` is complete, and the code follows the rules that Python can check.

Covers the bill of materials, the mutations, the rules and pins of external tools, dangerous imports and
calls, markup marked as safe, and suppressed warnings without a reason. The external tools are not run here.
"""

from __future__ import annotations

import ast
import json
import re

import pytest

from tests import ROOT
from tests.audit import mutate
from tests.audit.bill import differences
from tests.support.rooms import whole_house


def text_of(place: str) -> str:
    return (ROOT / place).read_text(encoding="utf-8")


# -- the bill of materials -----------------------------------------------------------------

HASHES = ["a" * 64, "b" * 64]
LOCK = f"""alpha==1.0 \\
    --hash=sha256:{HASHES[0]} \\
    --hash=sha256:{HASHES[1]}
    # via cutout (pyproject.toml)
beta==2.1 \\
    --hash=sha256:{HASHES[0]}
"""


def bill(*packages: tuple[str, str, list[str]]) -> str:
    """Return a bill of materials in CycloneDX format of packages, each (name, version, hashes)."""
    return json.dumps(
        {
            "components": [
                {"name": name, "version": version, "externalReferences": [{"hashes": hashes}]}
                for name, version, hashes in packages
            ]
        }
    )


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (("Beta", "2.1", HASHES[:1]), []),
        (("gamma", "1", HASHES), ["beta is in the lock alone", "gamma is in the bill alone"]),
        (("beta", "2.2", HASHES[:1]), ["beta is 2.1 in the lock, 2.2 in the bill"]),
        (("beta", "2.1", HASHES), ["beta has other hashes in the bill"]),
    ],
)
def test_differences_between_bill_of_materials_and_lock_are_listed(second, expected):
    assert differences(LOCK, bill(("alpha", "1.0", HASHES), second)) == expected


def test_every_package_of_our_lock_is_read():
    """Compared with an empty bill, every package is reported as being in the lock only."""
    lock = text_of("requirements.txt")
    names = re.findall(r"^(\S+)==", lock, re.MULTILINE)
    assert len(names) > 40
    assert differences(lock, bill()) == [f"{name} is in the lock alone" for name in sorted(names)]


# -- what the program may not do -----------------------------------------------------------


def test_each_suppressed_security_warning_has_a_reason():
    """Ruff, which includes bandit's rules, has ``noqa: S311 (why)``; semgrep has ``nosemgrep: rule (why)``.
    Bandit's own ``nosec`` is not used.
    """
    texts = {file.place: file.text for file in whole_house().files if not file.place.startswith("tests/")}
    scripts = [path.relative_to(ROOT).as_posix() for path in (ROOT / "cardsdb/static").rglob("*.js")]
    assert scripts
    texts |= {place: text_of(place) for place in scripts}
    without_a_reason = re.compile(r"noqa: S\d{3}\s*$|noqa\s*$|nosemgrep(?!: [\w-]+ \(\w)|nosec", re.MULTILINE)
    assert [place for place, text in texts.items() if without_a_reason.search(text)] == []


# Modules and calls that start programs, unpickle, make guessable numbers, or use the network.
DANGEROUS_MODULES = {"subprocess", "pickle", "shelve", "marshal", "random"}
DANGEROUS_MODULES |= {"urllib.request", "http.client", "xmlrpc.client", "ftplib", "requests", "httpx"}
DANGEROUS_CALLS = {"eval", "exec", "os.system", "os.popen"}
# (file, dangerous name that it uses) -> reason why it may.
ALLOWED = {
    ("cardsdb/search/results.py", "random"): "the order of cards",
}


def test_the_program_uses_no_dangerous_calls():
    used = set()
    for file in whole_house().files:
        # ``from urllib import request`` counts as both ``urllib`` and ``urllib.request``.
        imported = {name for origin, part in file.imports for name in (origin, f"{origin}.{part}")}
        used |= {(file.place, name) for name in imported & DANGEROUS_MODULES}
        # Most files contain none of these names and need not be parsed.
        if any(f"{name.rpartition('.')[2]}(" in file.text for name in DANGEROUS_CALLS):
            calls = {ast.unparse(node.func) for node in ast.walk(file.tree) if isinstance(node, ast.Call)}
            used |= {(file.place, name) for name in calls & DANGEROUS_CALLS}
    assert used == set(ALLOWED)


def test_no_template_marks_anything_as_safe():
    """Python code that builds markup marks it as safe where it escapes it. Emails are plain text, without
    escaping.
    """
    folders = ("templates", "cardsdb", "decks", "printing")
    pages = [page for folder in folders for page in (ROOT / folder).rglob("*.html")]
    assert len(pages) > 100
    marked = re.compile(r"\|\s*safe(seq)?\b|\bautoescape off\b")
    assert [page.name for page in pages if marked.search(page.read_text(encoding="utf-8"))] == []


# -- the tools themselves ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tools.txt", "mutation.txt"])
def test_the_tools_are_pinned_by_their_hashes(name):
    """Without hashes, a hijacked package of a tool would run its code on the machine that audits the
    project.
    """
    packages = re.findall(r"^(?!#)\S(?:.*\\\n)*.*$", text_of(f"tests/audit/{name}"), re.MULTILINE)
    pinned = re.compile(r"[a-z0-9._-]+==\S+( ;.*)? \\\n    --hash=sha256:[0-9a-f]{64}")
    assert packages and [package for package in packages if not pinned.match(package)] == []


def test_the_makefile_installs_packages_by_hash_only():
    """Two lines install and one looks for advisories; none names a package by a version alone."""
    assert re.findall(r"--require-hashes|\S+==\d", text_of("Makefile")) == ["--require-hashes"] * 3


def test_mutated_files_and_their_tests_exist():
    places = [path for place in mutate.PLACES for path in (*place.code, *place.tests)]
    assert [place for place in places if not (ROOT / place).exists()] == []
    assert all(file.suffix == ".py" for place in mutate.PLACES for file in place.files())

"""The tools that look at the whole of Cutout are told what to look at, and what they compare they compare truly."""

from __future__ import annotations

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


def test_the_bill_of_materials_names_what_the_lock_names() -> None:
    assert differences(LOCK, bill(component("alpha", "1.0", HASHES), component("Beta", "2.1", HASHES[:1]))) == []


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (component("gamma", "1", HASHES), ["beta is in the lock alone", "gamma is in the bill alone"]),
        (component("beta", "2.2", HASHES[:1]), ["beta is 2.1 in the lock, 2.2 in the bill"]),
        (component("beta", "2.1", HASHES), ["beta has other hashes in the bill"]),
    ],
)
def test_a_bill_that_differs_from_the_lock_is_told(second: dict[str, object], said: list[str]) -> None:
    assert differences(LOCK, bill(component("alpha", "1.0", HASHES), second)) == said


def test_the_lock_itself_is_read_package_by_package() -> None:
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    said = differences(lock, bill())
    assert len(said) == len(re.findall(r"^\S+==", lock, re.MULTILINE)) > 40


def test_each_exception_from_the_rules_on_security_says_why() -> None:
    """Of ruff (which has bandit's rules) and of semgrep; a reason stands behind the name of the rule."""
    files = [(file.place, file.text) for file in whole_house().files]
    files += [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in (ROOT / "cardsdb" / "static").rglob("*.js")]
    bare = re.compile(r"noqa: S\d{3}\s*$|nosemgrep(?!: [\w-]+ \(\w)|noqa\s*$|nosec", re.MULTILINE)
    assert [place for place, text in files if not place.startswith("tests/") and bare.search(text)] == []


def test_no_template_marks_anything_as_safe() -> None:
    """Whoever made the markup does, beside the escaping. Letters are plain text, where nothing is escaped."""
    pages = [path for folder in ("templates", "cardsdb", "decks", "printing") for path in (ROOT / folder).rglob("*.html")]
    assert len(pages) > 100
    assert [path.name for path in pages if re.search(r"\|\s*safe(seq)?\b|\bautoescape off\b", path.read_text(encoding="utf-8"))] == []


def test_the_rules_for_semgrep_have_a_name_a_reason_and_a_pattern() -> None:
    rules = yaml.safe_load((ROOT / "tests" / "audit" / "rules.yaml").read_text(encoding="utf-8"))["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules) >= 8
    assert all(rule["message"].endswith(".") and any(key.startswith("pattern") for key in rule) for rule in rules)


def test_what_is_broken_on_purpose_is_there_and_so_are_the_tests_that_should_notice() -> None:
    places = [path for place in mutate.PLACES for path in (*place.code, *place.tests)]
    assert [place for place in places if not (ROOT / place).exists()] == []
    assert all(file.suffix == ".py" for place in mutate.PLACES for file in place.files())

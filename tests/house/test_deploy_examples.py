"""The deployment examples match the code: container image, compose file, systemd units and proxy files of
docs/deploy.

They start the site as ``make run`` does, and the settings and commands that they name exist.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from tests import ROOT
from tests.support.server import granian_command

DEPLOY = ROOT / "docs" / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))

# Flags that are not compared, because each deployment listens at its own address.
PLACE = {"--host", "--port"}


def flags(words: list[str]) -> list[str]:
    """Return the arguments of a command line that starts the server, without the program and the address."""
    return [
        word
        for index, word in enumerate(words)
        if index and word not in PLACE and words[index - 1] not in PLACE
    ]


def started_by(unit: Path) -> list[list[str]]:
    """Return the commands that a systemd unit runs, each as a list of words."""
    text = unit.read_text(encoding="utf-8").replace("\\\n", " ")
    return [shlex.split(line) for line in re.findall(r"^Exec\w+=(.*)$", text, re.MULTILINE)]


def compose() -> dict[str, Any]:
    """Return the compose file, parsed."""
    made: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return made


def test_the_unit_and_the_image_start_the_server_with_the_flags_of_the_makefile():
    wanted = flags(granian_command(8000))
    (unit,) = [words for words in started_by(DEPLOY / "cutout.service") if "cardsdb.serve" in words]
    (image,) = re.findall(
        r"^CMD (\[.*\])$", (ROOT / "Containerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert (flags(unit), flags(json.loads(image))) == (wanted, wanted)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_the_units_run_as_an_unprivileged_user(unit):
    """Each runs commands that exist, and each timer has its unit."""
    named = [
        found for words in started_by(unit) for found in re.findall(r"manage\.py (\w+)", " ".join(words))
    ]
    assert set(named) <= set(get_commands()) and (named or unit.stem == "cutout")
    wanted = {
        "User=cutout",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "CapabilityBoundingSet=",
        "EnvironmentFile=/etc/cutout.env",
    }
    assert wanted - set(unit.read_text(encoding="utf-8").splitlines()) == set()
    assert {timer.stem for timer in DEPLOY.glob("*.timer")} <= {path.stem for path in UNITS}


def test_the_sample_settings_are_documented_and_hold_no_secret():
    page = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    sample = dict(
        re.findall(r"^#?([A-Z_]+)=(.*)$", (DEPLOY / "cutout.env").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert [name for name in sample if f"`{name}" not in page] == []
    assert sample["SECRET_KEY"] == ""


def test_the_image_contains_only_what_the_program_needs():
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    copied = {
        word for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE) for word in line.split()
    }
    # .dockerignore excludes everything, and lets in what a line with ``!`` names.
    let_in = set(re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))
    assert copied == let_in
    assert all((ROOT / name).exists() for name in copied)
    code = "".join(
        path.read_text(encoding="utf-8")
        for app in ("cardsdb", "decks", "printing")
        for path in (ROOT / app).rglob("*.py")
    )
    assert set(re.findall(r'BASE_DIR\)? / "([^"]+)"', code)) <= copied | {"var"}, (
        "what the program reads beside its code"
    )
    assert "--require-hashes" in text and re.search(r"^USER \d", text, re.MULTILINE)


def test_the_compose_services_use_existing_commands_and_settings():
    page = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    services = compose()["services"].items()
    ours = {name: service for name, service in services if "localhost/cutout" in service["image"]}
    assert set(ours) == {"prepare", "web", "worker"}
    for service in ours.values():
        assert not service.get("command") or service["command"][2] in get_commands()
        assert [name for name in service["environment"] if f"`{name}" not in page] == []
        assert service["cap_drop"] == ["ALL"] and service["read_only"] is True


def test_nginx_offers_only_forward_secret_aead_ciphers():
    ((_, names),) = [
        line.split()
        for line in (DEPLOY / "nginx.conf").read_text(encoding="utf-8").splitlines()
        if "ssl_ciphers" in line
    ]
    ciphers = names.rstrip(";").split(":")
    assert len(ciphers) > 3 and all(
        re.fullmatch(r"ECDHE-\w+-(AES\d+-GCM-SHA\d+|CHACHA20-POLY1305)", cipher) for cipher in ciphers
    )


def test_the_compose_file_publishes_only_the_proxy():
    services, networks = compose()["services"].items(), compose()["networks"]
    assert [name for name, service in services if "ports" in service] == ["proxy"]
    assert networks["inside"] == {"internal": True}
    outside = [name for name, service in services if "outside" in service["networks"]]
    assert sorted(outside) == ["proxy", "worker"]


def test_the_texts_that_compose_replaces_are_in_the_caddyfile():
    """The proxy of the compose file adapts the example Caddyfile with ``sed``."""
    caddyfile = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    script = compose()["services"]["proxy"]["command"][-1]
    # The patterns of its ``sed`` commands: s/pattern/ or s,pattern,
    places = re.findall(r'"s([/,])(.*?)\1', script)
    assert len(places) == 3
    assert [pattern for _, pattern in places if not re.search(pattern, caddyfile, re.MULTILINE)] == []

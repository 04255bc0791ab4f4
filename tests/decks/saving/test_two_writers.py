"""Several processes write to one deck at once, each with a connection of its own: nobody's change is lost, nobody gets an error.

On SQLite, or on the PostgreSQL server of DATABASE_URL in a database of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from tests.support.server import ROOT

WRITERS, CHANGES = 4, 12
PATIENCE = 60.0

MAKE = """
import django; django.setup()
from cardsdb.games import games
from tests.support.saved_decks import save_list
from decks.models import new_deck
from decks.core.judging import judge_text
deck, key = new_deck()
save_list(deck, judge_text(games()["spycraft"], "1 Kai"), name="Shared")
print(deck.link, key)
"""
TELL = """
import django, json, sys; django.setup()
from decks.models import Deck
deck = Deck.objects.get(link=sys.argv[1])
states = list(deck.revisions.values_list("number", "content"))
print(json.dumps({
    "cards": {line.card.code: line.count for line in deck.lines.select_related("card")},
    "revision": deck.revision,
    "numbers": [number for number, _ in states],
    "sizes": [sum(line["count"] for line in content["lines"]) for _, content in states],
}))
"""
Environment = dict[str, str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    """The environment of a site with a database that is no test's transaction."""
    var, url = tmp_path_factory.mktemp("writers"), os.environ.get("DATABASE_URL", "")
    settings = {"CUTOUT_VAR": str(var), "DJANGO_SETTINGS_MODULE": "cardsdb.settings"}
    bounds = {"CUTOUT_READS_PER_MINUTE": "1000000", "CUTOUT_WORKS_PER_MINUTE": "1000000"}
    given = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | settings | bounds
    with database(url) if url.startswith("postgres") else ExitStack() as own:
        environment = given | ({"DATABASE_URL": own} if isinstance(own, str) else {})
        for command in (["migrate", "-v0"], ["load_cards"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True, capture_output=True)
        yield environment


@contextmanager
def database(url: str) -> Iterator[str]:
    """A database of this module's own on the same server; gives its address."""
    name = f"cutout_writers_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    try:
        yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def run(site: Environment, code: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, env=site, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def deck(site: Environment) -> tuple[str, str]:
    link, key = run(site, MAKE).split()
    return link, key


class Writer:
    """A process of ``tests.support.deck_writer`` that is ready to begin."""

    def __init__(self, site: Environment, stack: ExitStack, doing: str, deck: tuple[str, str], card: str, times: int) -> None:
        command = [sys.executable, "-m", "tests.support.deck_writer", doing, *deck, card, str(times)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=site, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        stack.callback(self.process.wait, PATIENCE)
        stack.callback(self._stop)
        assert self.hear() == "ready"

    def _stop(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
        self.process.terminate()

    def hear(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def go(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("go\n")
        self.process.stdin.flush()


def all_at_once(site: Environment, doing: str, deck: tuple[str, str], cards: list[str], times: int) -> list[str]:
    """What the writers said, one line a change."""
    with ExitStack() as stack:
        writers = [Writer(site, stack, doing, deck, card, times) for card in cards]
        for writer in writers:
            writer.go()
        return [writer.hear() for writer in writers for _ in range(times)]


def test_copies_added_by_several_at_once_are_all_there(site: Environment, deck: tuple[str, str]) -> None:
    assert set(all_at_once(site, "add", deck, ["kai"] * WRITERS, CHANGES)) == {"stored"}
    told = json.loads(run(site, TELL, deck[0]))
    assert told["cards"] == {"kai": 1 + WRITERS * CHANGES}
    assert told["numbers"] == list(range(1 + WRITERS * CHANGES)), "every change is a state, and none is there twice"
    assert told["sizes"] == list(range(1, 2 + WRITERS * CHANGES)), "each stands on the one before"


def test_different_cards_added_by_several_at_once_are_all_there(site: Environment, deck: tuple[str, str]) -> None:
    cards = ["termite", "bishop", "blitz", "beowulf"][:WRITERS]
    assert set(all_at_once(site, "add", deck, cards, CHANGES)) == {"stored"}
    told = json.loads(run(site, TELL, deck[0]))
    assert told["cards"] == {"kai": 1} | dict.fromkeys(cards, CHANGES)
    assert told["revision"] == WRITERS * CHANGES


def test_programs_that_keep_to_the_tag_lose_nothing_and_see_no_error(site: Environment, deck: tuple[str, str]) -> None:
    answers = all_at_once(site, "replace", deck, ["termite", "kai", "kai"], 4)
    statuses = [int(status) for line in answers for status in line.split()]
    assert set(statuses) <= {200, 412}
    told = json.loads(run(site, TELL, deck[0]))
    assert told["cards"] == {"kai": 9, "termite": 4}
    assert told["revision"] == 12


def test_whoever_changes_a_deck_waits_for_whoever_is_changing_it(site: Environment, deck: tuple[str, str]) -> None:
    with ExitStack() as stack:
        first, second = (Writer(site, stack, "slowly", deck, "kai", 1) for _ in range(2))
        first.go()
        assert first.hear() == "read"
        second.go()
        second.go()
        first.go()
        assert [first.hear(), second.hear(), second.hear()] == ["stored", "read", "stored"]
    assert json.loads(run(site, TELL, deck[0]))["sizes"] == [1, 2, 3]


def test_without_the_lock_both_read_the_same_state_and_one_change_fails(site: Environment, deck: tuple[str, str]) -> None:
    """So the tests above can fail: it is the lock that they are kept by."""
    with ExitStack() as stack:
        writers = [Writer(site, stack, "unlocked", deck, "kai", 1) for _ in range(2)]
        for writer in writers:
            writer.go()
        assert [writer.hear() for writer in writers] == ["read", "read"]
        said = []
        for writer in writers:
            writer.go()
            said.append(writer.hear())
    assert said[0] == "stored"
    assert said[1].startswith("failed")
    assert json.loads(run(site, TELL, deck[0]))["sizes"] == [1, 2]

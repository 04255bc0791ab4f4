"""A process that is full for longer than a moment refuses at once what it cannot do, and is as before when it
is full no more; who asks for most of it is refused before others are. And a process that starts answers some
pages to itself first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from cardsdb.site.overload import (
    AT_ONCE,
    BUSY_FROM,
    CALM,
    MAX_SENDERS,
    OF_ONE,
    PATIENCE,
    THREADS,
    WORKED,
    BoundedRequests,
    answer_first,
    elsewhere,
)
from cardsdb.site.ratelimits import Places, seconds_to_wait
from tests import ROOT
from tests.support.server import granian_command

# So many at once make a process full.
MANY = THREADS * 5 // 6
OK, TOO_MUCH, BUSY = "200 OK", "429 Too Many Requests", "503 Service Unavailable"
GREEDY, OTHER = "203.0.113.9", "203.0.113.8"
FACE = "/cards/spycraft/kai/face.svg"
# Seconds of the processor that pages take.
SMALL, LARGE = 0.02, 0.1


class Site:
    """A process whose requests are under way one within the other; ``meanwhile`` is done while the innermost
    is.

    Each request is of another sender unless one is named, and takes ``cost`` seconds of the processor, and so
    of time. Requests within each other never give their turn.
    """

    def __init__(self) -> None:
        self.now, self.worked, self.cost, self.meanwhile, self.senders = 0.0, 0.0, 0.0, nothing, 0
        self.is_work = False
        self.statuses = list[str]()
        self.bounded = BoundedRequests(
            self.application, at_work=THREADS, now=lambda: self.now, worked=lambda: self.worked
        )

    def application(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        began, more = self.worked, environ["more"]
        if self.is_work:
            seconds_to_wait(SimpleNamespace(META=environ), work=True)
        with elsewhere() if environ["waits"] else nullcontext():
            if more:
                told = self.ask(environ["PATH_INFO"], more - 1, environ["waits"], environ["sender"])
                self.statuses.append(told)
            else:
                meanwhile, self.meanwhile = self.meanwhile, nothing
                meanwhile()
        # Each has a thread of its own, which has not done what those within it did.
        self.now, self.worked = self.now + self.cost, began + self.cost
        start_response(OK, [])
        return [b"answered"]

    def ask(self, path: str = "/decks/", more: int = 0, waits: bool = False, sender: str = "") -> str:
        started: list[Any] = []
        self.senders += 1
        address = sender or f"2001:db8:{self.senders:x}::1"
        environ = {"PATH_INFO": path, "REMOTE_ADDR": address, "more": more, "waits": waits, "sender": sender}
        answer = self.bounded(environ, lambda *arguments: started.extend(arguments))
        self.headers, self.answer = dict(started[1]), b"".join(answer).decode()
        return str(started[0])

    def at_once(
        self,
        number: int,
        meanwhile: Callable[[], Any] = lambda: None,
        waits: bool = False,
        sender: str = "",
        path: str = "/decks/",
    ) -> list[str]:
        """The statuses of so many requests at once."""
        self.statuses, self.meanwhile = list[str](), meanwhile
        return [self.ask(path, number - 1, waits, sender), *self.statuses]

    def within(self, number: int, *paths: str, sender: str = "", seconds: float = 0.0) -> list[str]:
        """The statuses of requests for these paths while so many others are under way, after such a time."""
        told = list[str]()

        def ask_all() -> None:
            self.now += seconds
            told.extend(self.ask(path, sender=sender) for path in paths)

        self.at_once(number, ask_all)
        return told


@pytest.fixture(autouse=True)
def usual_limits(settings):
    settings.CUTOUT_READS_PER_MINUTE = 600


def nothing() -> None: ...


def overloaded() -> Site:
    """A process that was full for too long, and has just refused somebody."""
    site = Site()
    assert site.within(MANY, "/decks/", seconds=PATIENCE) == [BUSY]
    return site


# -- the process ------------------------------------------------------------------------


def test_a_burst_waits_and_nobody_is_refused():
    assert set(Site().at_once(3 * MANY)) == {OK}


def test_what_comes_while_a_process_is_full_for_long_is_told_to_come_again():
    site, told = Site(), list[Any]()

    def one_more() -> None:
        site.now += PATIENCE
        told.extend((site.ask(), site.headers["Retry-After"], site.answer))

    assert set(site.at_once(MANY, one_more)) == {OK}, "those who were let in are answered"
    assert told[:2] == [BUSY, "5"] and "try again" in told[2]


def test_a_process_that_is_not_full_refuses_nobody_however_long_it_takes():
    assert Site().within(MANY - 1, "/decks/", seconds=100 * PATIENCE) == [OK]


def test_an_overloaded_process_lets_in_what_it_can_do_and_nobody_wait_until_it_is_calm():
    site = overloaded()
    assert set(site.at_once(MANY)) == {OK}
    site = overloaded()
    site.now += CALM / 2
    assert BUSY in site.at_once(MANY + 1)
    site.now += CALM / 2
    assert BUSY in site.at_once(MANY + 1), "it was full in between"
    site.now += CALM
    assert set(site.at_once(MANY + 1)) == {OK}


def test_whoever_looks_whether_the_site_lives_is_told_so():
    assert overloaded().within(MANY, "/healthz", "/readyz", "/metrics") == [OK] * 3


def test_threads_that_wait_for_something_else_make_no_process_full():
    site, told = overloaded(), list[str]()

    def meanwhile() -> None:
        site.now += PATIENCE
        told.append(site.ask())

    site.at_once(THREADS - 2, meanwhile, waits=True)
    assert told == [OK] and site.bounded.under_way == site.bounded.waiting == 0


def test_a_process_with_few_threads_that_do_not_wait_is_full_with_few_requests():
    site, told = Site(), list[str]()

    def others() -> None:
        told.extend(site.within(5, "/decks/", seconds=PATIENCE))
        site.now += 2 * CALM
        told.extend(site.within(6, "/decks/", seconds=PATIENCE))

    site.at_once(16, others, waits=True)
    assert told == [OK, BUSY], "five sixths of the eight that were left"


def test_the_threads_are_those_that_the_server_is_given():
    command = granian_command(8000)
    assert command[command.index("--blocking-threads") + 1] == str(THREADS)


# -- one sender -------------------------------------------------------------------------


def test_one_address_leaves_threads_to_others_and_no_process_is_full_by_it_alone():
    site = Site()

    def much_later() -> None:
        site.now += 100 * PATIENCE

    told = site.at_once(200, much_later, sender=GREEDY)
    assert told.count(OK) == OF_ONE < MANY and set(told) == {OK, TOO_MUCH}
    assert not site.bounded.places.taken


def answered(environ: Any, start_response: Any) -> Iterable[bytes]:
    start_response(OK, [])
    return []


def busy(application: Any, **bounds: Any) -> BoundedRequests:
    """A process where as many others are under way as it takes to be busy, in front of this application."""
    bounded = BoundedRequests(application, **bounds)
    bounded.count(BUSY_FROM)
    return bounded


def told_by(bounded: BoundedRequests, sender: str = GREEDY, path: str = "/decks/") -> str:
    told: list[str] = []
    bounded({"PATH_INFO": path, "REMOTE_ADDR": sender}, lambda status, *_: told.append(status))
    return told[0]


def test_while_others_are_under_way_one_address_is_worked_at_a_few_at_a_time():
    lock, inside, most = threading.Lock(), [0], [0]

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        time.sleep(0.02)
        with lock:
            inside[0] -= 1
        return answered(environ, start_response)

    bounded = busy(application, at_work=2)
    with ThreadPoolExecutor(OF_ONE) as threads:
        assert {*threads.map(lambda _: told_by(bounded), range(OF_ONE))} == {OK}
    assert most == [2] and not bounded.turns.taken and not bounded.turns.lines


def test_turns_are_given_in_the_order_in_which_they_were_asked_for():
    places, told = Places(1, 1), list[int]()

    def take(number: int) -> None:
        with places.one(GREEDY, seconds=5.0):
            told.append(number)

    with ThreadPoolExecutor(9) as threads, places.one(GREEDY):
        for number in range(8):
            threads.submit(take, number)
            while len(places.lines[GREEDY]) <= number:
                time.sleep(0.001)
    assert told == [*range(8)]


def test_who_gets_no_turn_in_time_is_told_to_come_again_and_others_are_answered():
    told: dict[str, str] = {}

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        if not told:
            told["first"] = OK
            told["greedy"] = told_by(bounded)
            # Pictures wait for no turn.
            told["face"] = told_by(bounded, path=FACE)
            told["other"] = told_by(bounded, OTHER)
            told["alive"] = told_by(bounded, path="/healthz")
            with elsewhere():
                told["meanwhile"] = told_by(bounded)
        return answered(environ, start_response)

    bounded = busy(application, at_work=1, turn=0.01)
    assert told_by(bounded) == OK
    assert {name for name, status in told.items() if status != OK} == {"greedy"}
    assert told["greedy"] == TOO_MUCH and not bounded.turns.taken and not bounded.places.taken


def test_while_others_are_under_way_one_address_is_let_in_as_far_as_large_pages_go():
    site = Site()
    site.bounded.used[GREEDY] = AT_ONCE - 2.5 * WORKED, 0.0
    site.bounded.count(BUSY_FROM)
    told = site.at_once(OF_ONE, sender=GREEDY)
    assert told.count(OK) == 3 and TOO_MUCH in told


def test_what_is_counted_as_work_is_bounded_by_its_number_alone(settings):
    settings.CUTOUT_WORKS_PER_MINUTE = 1_000
    site = Site()
    site.cost, site.is_work = 3.0, True
    assert set(site.within(BUSY_FROM, *["/decks/"] * 15, sender=GREEDY)) == {OK}
    assert site.bounded.used[GREEDY][0] <= 15 * WORKED


def greedy_in(site: Site, under_way: int, seconds: float) -> tuple[float, float]:
    """For how long the processor worked for an address that asks for large pages on and on, while so many
    others are under way, and when that ended: with a refusal.
    """
    made, until = list[str](), site.now + seconds

    def ask_on() -> None:
        site.cost = LARGE
        while site.now < until or (made[-1] == OK and site.now < 2 * until):
            site.now += 0.01
            made.append(site.ask(sender=GREEDY))
        site.cost = 0.0

    site.at_once(under_way, ask_on)
    return made.count(OK) * LARGE, site.now


def test_one_address_soon_has_a_quarter_of_the_processor_later_where_nobody_waits_or_more_is_allowed(
    settings,
):
    made, seconds = greedy_in(Site(), BUSY_FROM, 60.0)
    assert made < AT_ONCE + seconds / 4
    made, seconds = greedy_in(Site(), 1, 120.0)
    assert AT_ONCE + seconds / 4 < made < 15 + LARGE + seconds / 4
    settings.CUTOUT_READS_PER_MINUTE = 6_000
    made, seconds = greedy_in(Site(), BUSY_FROM, 60.0)
    assert made > seconds * 0.8


def test_whoever_has_asked_too_much_is_told_so_and_when_to_come_again_and_is_let_in_then():
    site = Site()
    greedy_in(site, BUSY_FROM, 20.0)
    # What tells that the site lives is never too often, and what costs something is.
    assert site.within(BUSY_FROM, "/healthz", "/readyz", "/metrics", sender=GREEDY) == [
        OK,
        TOO_MUCH,
        TOO_MUCH,
    ]
    assert site.within(BUSY_FROM, "/decks/", sender=OTHER) == [OK]
    told = list[Any]()
    site.at_once(BUSY_FROM, lambda: told.extend((site.ask(sender=GREEDY), site.answer, site.headers)))
    assert told[0] == TOO_MUCH and "<h1>Not just now</h1>" in told[1] and "ask again" in told[1]
    site.now += int(told[2]["Retry-After"])
    assert site.within(BUSY_FROM, "/decks/", sender=GREEDY) == [OK]


def test_a_program_is_told_so_as_of_every_error():
    full, much = overloaded(), Site()
    greedy_in(much, BUSY_FROM, 20.0)
    for site, under_way, code in ((full, MANY, "busy"), (much, BUSY_FROM, "throttled")):
        told = list[str]()
        ask = lambda: site.ask("/api/v1/cards/", sender=GREEDY)  # noqa: B023, E731
        site.at_once(under_way, lambda: told.append(ask() and site.answer))  # noqa: B023
        assert json.loads(told[0])[0]["code"] == code


def test_a_class_behind_one_address_is_never_refused():
    """Fifteen of thirty, as each of two processes has them, open a page in one moment with all its cards,
    then one in five seconds.
    """
    site = Site()
    site.cost = SMALL
    told = site.at_once(15, sender=GREEDY)
    site.cost = 0.002
    for _ in range(15 * 60 // THREADS):
        told += site.at_once(THREADS, sender=GREEDY, path=FACE)
    site.cost = SMALL
    for _ in range(15 * 60 // 5):
        told += site.at_once(5, sender=GREEDY)
        site.now += 1.0
    assert set(told) == {OK}


def test_senders_that_asked_long_ago_are_forgotten():
    bounded = BoundedRequests(answered)
    bounded.used |= {f"long ago {number}": (0.0, 0.0) for number in range(MAX_SENDERS)}
    assert told_by(bounded) == OK
    assert len(bounded.used) == MAX_SENDERS and GREEDY in bounded.used


# -- pages that a process asks itself for ---------------------------------------------------


def test_pages_are_asked_one_after_another_and_followed_where_they_lead_whatever_becomes_of_one():
    asked = list[str]()

    def site(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        asked.append(environ["PATH_INFO"])
        if environ["PATH_INFO"] == "/":
            raise RuntimeError
        leads = environ["PATH_INFO"] == "/random/"
        start_response("302 Found" if leads else OK, [("Location", "/cards/kai/")] if leads else [])
        return [b""]

    answer_first(site, ["/", "/random/", "/decks/"])
    assert asked == ["/", "/random/", "/decks/", "/cards/kai/"]


def test_a_server_process_has_its_addresses_before_it_serves_though_its_database_is_empty(tmp_path):
    said = "import sys, cardsdb.wsgi; print('decks.urls' in sys.modules)"
    known = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment = known | {"CUTOUT_VAR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", said], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    assert done.stdout == "True\n"

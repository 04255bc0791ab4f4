"""A process that is full for longer than a moment refuses at once what it cannot do, and is as before when it
is full no more; who asks for most of it is refused before others are.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from cardsdb.site import overload
from cardsdb.site.overload import (
    AT_ONCE,
    BUSY_FROM,
    CALM,
    OF_ONE,
    PATIENCE,
    THREADS,
    WORKED,
    BoundedRequests,
    elsewhere,
)
from cardsdb.site.ratelimits import Places, seconds_to_wait
from tests.support.server import granian_command

# So many at once make a process full.
MANY = THREADS * 5 // 6
OK, TOO_MUCH, BUSY = "200 OK", "429 Too Many Requests", "503 Service Unavailable"
GREEDY = "203.0.113.9"
# Seconds of the processor that pages take.
SMALL, LARGE = 0.02, 0.1


class Site:
    """A process whose requests are under way one within the other; ``meanwhile`` is done while the innermost
    is.

    Each request is of another sender unless one is named, and takes ``cost`` seconds of the processor, and so
    of time.
    """

    def __init__(self) -> None:
        self.now, self.worked, self.cost, self.meanwhile, self.senders = 0.0, 0.0, 0.0, nothing, 0
        self.is_work = False
        self.statuses = list[str]()
        self.bounded = BoundedRequests(self.application)

    def application(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        began, more = self.worked, environ["more"]
        if self.is_work:
            seconds_to_wait(SimpleNamespace(META=environ), work=True)
        with elsewhere() if environ["waits"] else nullcontext():
            self.statuses += (
                [self.ask(environ["PATH_INFO"], more - 1, environ["waits"], environ["sender"])]
                if more
                else []
            )
            if not more:
                meanwhile, self.meanwhile = self.meanwhile, nothing
                meanwhile()
        # Each has a thread of its own, which has not done what those within it did.
        self.now, self.worked = self.now + self.cost, began + self.cost
        start_response("200 OK", [])
        return [b"answered"]

    def ask(self, path: str = "/decks/", more: int = 0, waits: bool = False, sender: str = "") -> str:
        started: list[Any] = []
        self.senders += 1
        address = sender or f"2001:db8:{self.senders:x}::1"
        environ = {"PATH_INFO": path, "REMOTE_ADDR": address, "more": more, "waits": waits, "sender": sender}
        with (
            mock.patch.object(overload, "monotonic", lambda: self.now),
            mock.patch.object(overload, "thread_time", lambda: self.worked),
        ):
            answer = self.bounded(environ, lambda *arguments: started.extend(arguments))
        self.headers, self.answer = dict(started[1]), b"".join(answer)
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


@pytest.fixture(autouse=True)
def usual_limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CUTOUT_READS_PER_MINUTE = 600
    # Requests within each other never give their turn.
    monkeypatch.setattr(overload, "AT_WORK", THREADS)


def nothing() -> None: ...


def passing(site: Site, seconds: float, then: Callable[[], Any]) -> Callable[[], None]:
    """So much time goes by; then that."""

    def meanwhile() -> None:
        site.now += seconds
        then()

    return meanwhile


def overloaded() -> Site:
    """A process that was full for too long, and has just refused somebody."""
    site, told = Site(), list[str]()
    site.at_once(MANY, passing(site, PATIENCE, lambda: told.append(site.ask())))
    assert told == [BUSY]
    return site


def test_a_burst_waits_and_nobody_is_refused() -> None:
    assert set(Site().at_once(3 * MANY)) == {OK}


def test_what_comes_while_a_process_is_full_for_long_is_told_to_come_again() -> None:
    site, told = Site(), list[Any]()

    def one_more() -> None:
        told.extend((site.ask(), site.headers["Retry-After"], site.answer.decode()))

    assert set(site.at_once(MANY, passing(site, PATIENCE, one_more))) == {OK}, (
        "those who were let in are answered"
    )
    assert told[:2] == [BUSY, "5"] and "try again" in told[2]


def test_a_process_that_is_not_full_refuses_nobody_however_long_it_takes() -> None:
    site, told = Site(), list[str]()
    site.at_once(MANY - 1, passing(site, 100 * PATIENCE, lambda: told.append(site.ask())))
    assert told == [OK]


def test_an_overloaded_process_lets_nobody_wait_until_it_is_calm() -> None:
    site = overloaded()
    site.now += CALM / 2
    assert BUSY in site.at_once(MANY + 1)
    site.now += CALM / 2
    assert BUSY in site.at_once(MANY + 1), "it was full in between"
    site.now += CALM
    assert set(site.at_once(MANY + 1)) == {OK}


def test_an_overloaded_process_lets_in_as_many_as_it_can_do() -> None:
    assert set(overloaded().at_once(MANY)) == {OK}


def test_whoever_looks_whether_the_site_lives_is_told_so() -> None:
    site, told = overloaded(), list[str]()
    site.at_once(MANY, lambda: told.extend(map(site.ask, ("/healthz", "/readyz", "/metrics"))))
    assert told == [OK] * 3


def test_threads_that_wait_for_something_else_make_no_process_full() -> None:
    site, told = overloaded(), list[str]()
    site.at_once(THREADS - 2, passing(site, PATIENCE, lambda: told.append(site.ask())), waits=True)
    assert told == [OK] and site.bounded.under_way == site.bounded.waiting == 0


def test_a_process_with_few_threads_that_do_not_wait_is_full_with_few_requests() -> None:
    site, told = Site(), list[str]()

    def others() -> None:
        site.at_once(5, passing(site, PATIENCE, lambda: told.append(site.ask())))
        site.now += 2 * CALM
        site.at_once(6, passing(site, PATIENCE, lambda: told.append(site.ask())))

    site.at_once(16, others, waits=True)
    assert told == [OK, BUSY], "five sixths of the eight that were left"


def test_the_threads_are_those_that_the_server_is_given() -> None:
    command = granian_command(8000)
    assert command[command.index("--blocking-threads") + 1] == str(THREADS)


def test_a_program_is_told_so_as_of_every_error() -> None:
    site, told = overloaded(), list[Any]()
    site.at_once(MANY, lambda: told.extend((site.ask("/api/v1/cards/"), json.loads(site.answer))))
    assert told[1][0]["code"] == "busy"


def test_one_address_leaves_threads_to_others_and_no_process_is_full_by_it_alone() -> None:
    site = Site()
    told = site.at_once(200, sender=GREEDY)
    assert told.count(OK) == OF_ONE < MANY and set(told) == {OK, TOO_MUCH}


def test_requests_that_only_wait_leave_threads_to_others_too() -> None:
    site = Site()
    told = site.at_once(200, passing(site, 100 * PATIENCE, lambda: None), sender=GREEDY)
    assert told.count(OK) == OF_ONE and not site.bounded.places.taken


def busy(application: Any) -> BoundedRequests:
    """A process where as many others are under way as it takes to be busy, in front of this application."""
    bounded = BoundedRequests(application)
    bounded.count(BUSY_FROM)
    return bounded


def told_by(bounded: BoundedRequests, sender: str = GREEDY, path: str = "/decks/") -> str:
    told: list[str] = []
    bounded({"PATH_INFO": path, "REMOTE_ADDR": sender}, lambda status, *_: told.append(status))
    return told[0]


def test_while_others_are_under_way_one_address_is_worked_at_a_few_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overload, "AT_WORK", 2)
    lock, inside, most = threading.Lock(), [0], [0]

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        time.sleep(0.02)
        with lock:
            inside[0] -= 1
        start_response(OK, [])
        return []

    bounded = busy(application)
    with ThreadPoolExecutor(OF_ONE) as threads:
        assert {*threads.map(lambda _: told_by(bounded), range(OF_ONE))} == {OK}
    assert most == [2] and not bounded.turns.taken and not bounded.turns.lines


def test_turns_are_given_in_the_order_in_which_they_were_asked_for() -> None:
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


def test_pictures_wait_for_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overload, "AT_WORK", 0)
    monkeypatch.setattr(overload, "TURN", 0.01)

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        start_response(OK, [])
        return []

    bounded = busy(application)
    assert told_by(bounded, path="/cards/spycraft/kai/face.svg") == OK and told_by(bounded) == TOO_MUCH


def test_who_gets_no_turn_in_time_is_told_to_come_again_and_others_are_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overload, "AT_WORK", 1)
    monkeypatch.setattr(overload, "TURN", 0.01)
    told: dict[str, str] = {}

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        if not told:
            told["first"] = OK
            told["greedy"] = told_by(bounded)
            told["other"] = told_by(bounded, "203.0.113.8")
            told["alive"] = told_by(bounded, path="/healthz")
            with elsewhere():
                told["meanwhile"] = told_by(bounded)
        start_response(OK, [])
        return []

    bounded = busy(application)
    assert told_by(bounded) == OK
    assert told == {"first": OK, "greedy": TOO_MUCH, "other": OK, "alive": OK, "meanwhile": OK}
    assert not bounded.turns.taken and not bounded.places.taken


def test_while_others_are_under_way_one_address_is_let_in_as_far_as_large_pages_go() -> None:
    site = Site()
    site.bounded.used[GREEDY] = AT_ONCE - 2.5 * WORKED, 0.0
    site.bounded.count(BUSY_FROM)
    told = site.at_once(OF_ONE, sender=GREEDY)
    assert told.count(OK) == 3 and TOO_MUCH in told


def test_what_is_counted_as_work_is_bounded_by_its_number_alone(settings: Any) -> None:
    settings.CUTOUT_WORKS_PER_MINUTE = 1_000
    site = Site()
    site.cost, site.is_work = 3.0, True
    told = list[str]()
    site.at_once(BUSY_FROM, lambda: told.extend(site.ask(sender=GREEDY) for _ in range(15)))
    assert set(told) == {OK} and site.bounded.used[GREEDY][0] <= 15 * WORKED


def greedy_in(site: Site, under_way: int, seconds: float) -> tuple[int, float]:
    """How often an address that asks for large pages on and on, while so many others are under way, is
    answered, and when that ended: with a refusal.
    """
    made, until = list[str](), site.now + seconds

    def ask_on() -> None:
        site.cost = LARGE
        while site.now < until or (made[-1] == OK and site.now < 2 * until):
            site.now += 0.01
            made.append(site.ask(sender=GREEDY))
        site.cost = 0.0

    site.at_once(under_way, ask_on)
    return made.count(OK), site.now


def test_while_others_wait_one_address_soon_has_a_quarter_of_the_processor() -> None:
    made, seconds = greedy_in(Site(), BUSY_FROM, 60.0)
    assert made * LARGE < AT_ONCE + seconds / 4


def test_an_address_that_takes_all_of_a_processor_is_bounded_although_nobody_waits() -> None:
    made, seconds = greedy_in(Site(), 1, 120.0)
    assert AT_ONCE + seconds / 4 < made * LARGE < 15 + LARGE + seconds / 4


def test_whoever_has_asked_too_much_is_told_so_and_when_to_come_again_and_is_let_in_then() -> None:
    site = Site()
    greedy_in(site, BUSY_FROM, 20.0)
    told = list[Any]()
    site.at_once(
        BUSY_FROM,
        lambda: told.extend(
            (site.ask(sender=GREEDY), site.answer.decode(), int(site.headers["Retry-After"]))
        ),
    )
    assert told[0] == TOO_MUCH and "<h1>Not just now</h1>" in told[1] and "ask again" in told[1]
    site.now += told[2]
    again = list[str]()
    site.at_once(BUSY_FROM, lambda: again.append(site.ask(sender=GREEDY)))
    assert again == [OK]


def test_others_are_let_in_while_an_address_is_refused() -> None:
    site = Site()
    greedy_in(site, BUSY_FROM, 20.0)
    assert site.ask() == OK
    told = list[str]()
    site.at_once(
        BUSY_FROM,
        lambda: told.extend(site.ask(sender=who) for who in (GREEDY, "203.0.113.8", GREEDY, "203.0.113.7")),
    )
    assert told == [TOO_MUCH, OK, TOO_MUCH, OK]


def test_a_program_that_asks_too_much_gets_the_error_of_every_limit() -> None:
    site = Site()
    greedy_in(site, BUSY_FROM, 20.0)
    told = list[Any]()
    site.at_once(
        BUSY_FROM,
        lambda: told.extend((site.ask("/api/v1/cards/", sender=GREEDY), json.loads(site.answer)[0]["code"])),
    )
    assert told == [TOO_MUCH, "throttled"]


def test_what_tells_that_the_site_lives_is_never_too_often_and_what_costs_something_is() -> None:
    site, told = Site(), list[str]()
    greedy_in(site, BUSY_FROM, 20.0)
    site.at_once(
        BUSY_FROM,
        lambda: told.extend(site.ask(path, sender=GREEDY) for path in ("/healthz", "/readyz", "/metrics")),
    )
    assert told == [OK, TOO_MUCH, TOO_MUCH]


def test_all_cards_of_a_page_are_drawn_at_once_for_one_browser() -> None:
    """Sixty faces of two milliseconds that a proxy asks for on as many connections, in one process, behind
    the page with them.
    """
    site = Site()
    site.cost = LARGE
    told = [site.ask(sender=GREEDY)]
    site.cost = 0.002
    for _ in range(60 // THREADS + 1):
        told += site.at_once(THREADS, sender=GREEDY, path="/cards/spycraft/kai/face.svg")
    assert set(told) == {OK}


def test_whoever_reads_a_page_a_second_is_never_refused() -> None:
    site = Site()
    site.cost = SMALL

    def read(told: list[str]) -> None:
        for _ in range(300):
            told.append(site.ask(sender=GREEDY))
            site.now += 1.0

    told = list[str]()
    site.at_once(BUSY_FROM, lambda: read(told))
    assert set(told) == {OK}


def test_a_class_behind_one_address_is_never_refused() -> None:
    """Fifteen of thirty, as each of two processes has them, open a page in one moment with all its cards,
    then one in five seconds.
    """
    site = Site()
    site.cost = SMALL
    told = site.at_once(15, sender=GREEDY)
    site.cost = 0.002
    for _ in range(15 * 60 // THREADS):
        told += site.at_once(THREADS, sender=GREEDY, path="/cards/spycraft/kai/face.svg")
    site.cost = SMALL
    for _ in range(15 * 60 // 5):
        told += site.at_once(5, sender=GREEDY)
        site.now += 1.0
    assert set(told) == {OK}


def test_a_site_that_allows_more_reads_bounds_later(settings: Any) -> None:
    settings.CUTOUT_READS_PER_MINUTE = 6_000
    made, seconds = greedy_in(Site(), BUSY_FROM, 60.0)
    assert made * LARGE > seconds * 0.8


def test_senders_that_asked_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overload, "MAX_SENDERS", 20)
    site = Site()
    for _ in range(25):
        site.ask()
    assert len(site.bounded.used) == 20

"""A process that is full for longer than a moment refuses at once what it cannot do, and is as before when it is full no more."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

from cardsdb.site.overload import CALM, PATIENCE, THREADS, BoundedRequests, elsewhere
from tests.support.server import granian_command

# So many at once make a process full.
MANY = THREADS * 3 // 4


class Site:
    """A process whose requests are under way one within the other; ``meanwhile`` is done while the innermost is."""

    def __init__(self) -> None:
        self.now, self.meanwhile = 0.0, nothing
        self.bounded = BoundedRequests(self.application, lambda: self.now)

    def application(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with elsewhere() if environ["waits"] else nullcontext():
            self.statuses += [self.ask(environ["PATH_INFO"], environ["more"] - 1, environ["waits"])] if environ["more"] else []
            if not environ["more"]:
                meanwhile, self.meanwhile = self.meanwhile, nothing
                meanwhile()
        start_response("200 OK", [])
        return [b"answered"]

    def ask(self, path: str = "/decks/", more: int = 0, waits: bool = False) -> str:
        started: list[Any] = []
        answer = self.bounded({"PATH_INFO": path, "more": more, "waits": waits}, lambda *arguments: started.extend(arguments))
        self.headers, self.answer = dict(started[1]), b"".join(answer)
        return str(started[0])

    def at_once(self, number: int, meanwhile: Callable[[], Any] = lambda: None, waits: bool = False) -> list[str]:
        """The statuses of so many requests at once."""
        self.statuses, self.meanwhile = list[str](), meanwhile
        return [self.ask(more=number - 1, waits=waits), *self.statuses]


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
    assert told == ["503 Service Unavailable"]
    return site


def test_a_burst_waits_and_nobody_is_refused() -> None:
    assert set(Site().at_once(3 * MANY)) == {"200 OK"}


def test_what_comes_while_a_process_is_full_for_long_is_told_to_come_again() -> None:
    site, told = Site(), list[Any]()

    def one_more() -> None:
        told.extend((site.ask(), site.headers["Retry-After"], site.answer.decode()))

    assert set(site.at_once(MANY, passing(site, PATIENCE, one_more))) == {"200 OK"}, "those who were let in are answered"
    assert told[:2] == ["503 Service Unavailable", "5"] and "try again" in told[2]


def test_a_process_that_is_not_full_refuses_nobody_however_long_it_takes() -> None:
    site, told = Site(), list[str]()
    site.at_once(MANY - 1, passing(site, 100 * PATIENCE, lambda: told.append(site.ask())))
    assert told == ["200 OK"]


def test_an_overloaded_process_lets_nobody_wait_until_it_is_calm() -> None:
    site = overloaded()
    site.now += CALM / 2
    assert "503 Service Unavailable" in site.at_once(MANY + 1)
    site.now += CALM / 2
    assert "503 Service Unavailable" in site.at_once(MANY + 1), "it was full in between"
    site.now += CALM
    assert set(site.at_once(MANY + 1)) == {"200 OK"}


def test_an_overloaded_process_lets_in_as_many_as_it_can_do() -> None:
    assert set(overloaded().at_once(MANY)) == {"200 OK"}


def test_whoever_looks_whether_the_site_lives_is_told_so() -> None:
    site, told = overloaded(), list[str]()
    site.at_once(MANY, lambda: told.append(site.ask("/healthz")))
    assert told == ["200 OK"]


def test_threads_that_wait_for_something_else_make_no_process_full() -> None:
    site, told = overloaded(), list[str]()
    site.at_once(THREADS - 2, passing(site, PATIENCE, lambda: told.append(site.ask())), waits=True)
    assert told == ["200 OK"] and site.bounded.under_way == site.bounded.waiting == 0


def test_a_process_with_few_threads_that_do_not_wait_is_full_with_few_requests() -> None:
    site, told = Site(), list[str]()

    def others() -> None:
        site.at_once(5, passing(site, PATIENCE, lambda: told.append(site.ask())))
        site.now += 2 * CALM
        site.at_once(6, passing(site, PATIENCE, lambda: told.append(site.ask())))

    site.at_once(16, others, waits=True)
    assert told == ["200 OK", "503 Service Unavailable"], "three quarters of the eight that were left"


def test_the_threads_are_those_that_the_server_is_given() -> None:
    command = granian_command(8000)
    assert command[command.index("--blocking-threads") + 1] == str(THREADS)


def test_a_program_is_told_so_as_of_every_error() -> None:
    site, told = overloaded(), list[Any]()
    site.at_once(MANY, lambda: told.extend((site.ask("/api/v1/cards/"), json.loads(site.answer))))
    assert told[1][0]["code"] == "busy"

"""``BoundedRequests``: a full process refuses requests until it is calm, and one greedy sender is refused
before others. Also ``answer_first``, by which a new process warms up.
"""

import json
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
from tests.support.server import granian_command

# Requests at once that make a process full.
MANY = THREADS * 5 // 6
OK, TOO_MUCH, BUSY = "200 OK", "429 Too Many Requests", "503 Service Unavailable"
GREEDY, OTHER = "203.0.113.9", "203.0.113.8"
FACE = "/cards/spycraft/kai/face.svg"
# Seconds of processor time of pages.
SMALL, LARGE = 0.02, 0.1


class Site:
    """A process with simulated clocks. Simultaneous requests are simulated without threads by nesting them:
    each one is sent while the one before is being answered, and ``meanwhile`` runs during the innermost.

    Each request is of another sender unless one is named, and takes ``cost`` seconds of processor time and of
    real time. ``at_work`` is so large that no request waits for a turn, since nested ones would never get it.
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
                status = self.ask(environ["PATH_INFO"], more - 1, environ["waits"], environ["sender"])
                self.statuses.append(status)
            else:
                meanwhile, self.meanwhile = self.meanwhile, nothing
                meanwhile()
        # Processor time is that of a thread: the nested requests would have had their own.
        self.now, self.worked = self.now + self.cost, began + self.cost
        start_response(OK, [])
        return [b"answered"]

    def ask(self, path: str = "/decks/", more: int = 0, waits: bool = False, sender: str = "") -> str:
        """Send a request with ``more`` others nested in it. Return its status. ``waits``: it waits for
        something else than the processor.
        """
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
        """Return the statuses of ``number`` simultaneous requests."""
        self.statuses, self.meanwhile = list[str](), meanwhile
        return [self.ask(path, number - 1, waits, sender), *self.statuses]

    def within(self, number: int, *paths: str, sender: str = "", seconds: float = 0.0) -> list[str]:
        """Return the statuses for these paths while ``number`` others are under way for ``seconds``."""
        statuses = list[str]()

        def ask_all() -> None:
            self.now += seconds
            statuses.extend(self.ask(path, sender=sender) for path in paths)

        self.at_once(number, ask_all)
        return statuses


@pytest.fixture(autouse=True)
def usual_limits(settings):
    settings.CUTOUT_READS_PER_MINUTE = 600


def nothing() -> None: ...


def overloaded() -> Site:
    """Return a process that was full for too long and has just refused a request."""
    site = Site()
    assert site.within(MANY, "/decks/", seconds=PATIENCE) == [BUSY]
    return site


# -- the process ------------------------------------------------------------------------


def test_a_burst_is_not_refused():
    assert set(Site().at_once(3 * MANY)) == {OK}


def test_a_request_to_a_process_that_is_full_for_long_is_refused_with_retry_after():
    site, answers = Site(), list[Any]()

    def one_more():
        site.now += PATIENCE
        answers.extend((site.ask(), site.headers["Retry-After"], site.answer))

    assert set(site.at_once(MANY, one_more)) == {OK}, "requests that were let in were not answered"
    assert answers[:2] == [BUSY, "5"] and "try again" in answers[2]


def test_a_process_that_is_not_full_refuses_no_request_however_long_it_takes():
    assert Site().within(MANY - 1, "/decks/", seconds=100 * PATIENCE) == [OK]


def test_an_overloaded_process_lets_in_as_many_requests_as_it_has_threads_for_until_it_was_calm():
    site = overloaded()
    # Each refusal prolongs the overload.
    for _ in range(2):
        site.now += CALM / 2
        assert set(site.at_once(MANY)) == {OK}
        assert BUSY in site.at_once(MANY + 1)
    site.now += CALM
    assert set(site.at_once(MANY + 1)) == {OK}


def test_addresses_for_monitoring_are_answered_by_an_overloaded_process():
    assert overloaded().within(MANY, "/healthz", "/readyz", "/metrics") == [OK] * 3


def test_threads_that_wait_elsewhere_do_not_make_a_process_full():
    site, statuses = overloaded(), list[str]()

    def meanwhile():
        site.now += PATIENCE
        statuses.append(site.ask())

    site.at_once(THREADS - 2, meanwhile, waits=True)
    assert statuses == [OK] and site.bounded.under_way == site.bounded.waiting == 0


def test_a_process_is_full_with_five_sixths_of_the_threads_that_do_not_wait_elsewhere():
    site, statuses = Site(), list[str]()

    def others():
        statuses.extend(site.within(5, "/decks/", seconds=PATIENCE))
        site.now += 2 * CALM
        statuses.extend(site.within(6, "/decks/", seconds=PATIENCE))

    site.at_once(16, others, waits=True)
    assert statuses == [OK, BUSY]


def test_the_server_is_started_with_as_many_threads_as_are_counted():
    command = granian_command(8000)
    assert command[command.index("--blocking-threads") + 1] == str(THREADS)


# -- one sender -------------------------------------------------------------------------


def test_one_address_leaves_threads_to_others_and_no_process_is_full_by_it_alone():
    site = Site()

    def much_later():
        site.now += 100 * PATIENCE

    statuses = site.at_once(200, much_later, sender=GREEDY)
    assert statuses.count(OK) == OF_ONE < MANY and set(statuses) == {OK, TOO_MUCH}
    assert not site.bounded.places.taken


def answered(environ: Any, start_response: Any) -> Iterable[bytes]:
    start_response(OK, [])
    return []


def busy(application: Any, **bounds: Any) -> BoundedRequests:
    """Return a process with this application that is busy with requests of others."""
    bounded = BoundedRequests(application, **bounds)
    bounded.count(BUSY_FROM)
    return bounded


def status_of(bounded: BoundedRequests, sender: str = GREEDY, path: str = "/decks/") -> str:
    """Send a request. Return the status of its answer."""
    statuses: list[str] = []
    bounded({"PATH_INFO": path, "REMOTE_ADDR": sender}, lambda status, *_: statuses.append(status))
    return statuses[0]


def test_a_busy_process_makes_only_a_few_pages_of_one_address_at_a_time():
    lock, inside, most = threading.Lock(), [0], [0]

    def application(environ, start_response):
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        time.sleep(0.02)
        with lock:
            inside[0] -= 1
        return answered(environ, start_response)

    bounded = busy(application, at_work=2)
    with ThreadPoolExecutor(OF_ONE) as threads:
        assert {*threads.map(lambda _: status_of(bounded), range(OF_ONE))} == {OK}
    assert most == [2] and not bounded.turns.taken and not bounded.turns.lines


def test_places_are_given_in_the_order_in_which_threads_came():
    places, order = Places(1, 1), list[int]()

    def take(number):
        with places.one(GREEDY, seconds=5.0):
            order.append(number)

    with ThreadPoolExecutor(9) as threads, places.one(GREEDY):
        for number in range(8):
            threads.submit(take, number)
            while len(places.lines[GREEDY]) <= number:
                time.sleep(0.001)
    assert order == [*range(8)]


def test_only_pages_of_the_sender_who_gets_no_turn_in_time_are_refused():
    statuses: dict[str, str] = {}

    def application(environ, start_response):
        if not statuses:
            statuses["first"] = OK
            statuses["greedy"] = status_of(bounded)
            # Pictures need no turn.
            statuses["face"] = status_of(bounded, path=FACE)
            statuses["other"] = status_of(bounded, OTHER)
            statuses["alive"] = status_of(bounded, path="/healthz")
            with elsewhere():
                statuses["meanwhile"] = status_of(bounded)
        return answered(environ, start_response)

    bounded = busy(application, at_work=1, turn=0.01)
    assert status_of(bounded) == OK
    assert {name for name, status in statuses.items() if status != OK} == {"greedy"}
    assert statuses["greedy"] == TOO_MUCH and not bounded.turns.taken and not bounded.places.taken


def test_pages_that_are_being_made_are_charged_as_large_ones():
    site = Site()
    site.bounded.used[GREEDY] = AT_ONCE - 2.5 * WORKED, 0.0
    site.bounded.count(BUSY_FROM)
    statuses = site.at_once(OF_ONE, sender=GREEDY)
    assert statuses.count(OK) == 3 and TOO_MUCH in statuses


def test_works_are_charged_no_more_than_a_large_page(settings):
    settings.CUTOUT_WORKS_PER_MINUTE = 1_000
    site = Site()
    site.cost, site.is_work = 3.0, True
    assert set(site.within(BUSY_FROM, *["/decks/"] * 15, sender=GREEDY)) == {OK}
    assert site.bounded.used[GREEDY][0] <= 15 * WORKED


def greedy_in(site: Site, under_way: int, seconds: float) -> tuple[float, float]:
    """Let one address request large pages for ``seconds``, and on until it is refused, while so many others
    are under way. Return the processor time that it got, and the time of the end.
    """
    made, until = list[str](), site.now + seconds

    def ask_on():
        site.cost = LARGE
        while site.now < until or (made[-1] == OK and site.now < 2 * until):
            site.now += 0.01
            made.append(site.ask(sender=GREEDY))
        site.cost = 0.0

    site.at_once(under_way, ask_on)
    return made.count(OK) * LARGE, site.now


def test_a_greedy_address_gets_a_quarter_of_the_processor_sooner_if_the_process_is_busy(settings):
    made, seconds = greedy_in(Site(), BUSY_FROM, 60.0)
    assert made < AT_ONCE + seconds / 4
    made, seconds = greedy_in(Site(), 1, 120.0)
    assert AT_ONCE + seconds / 4 < made < 15 + LARGE + seconds / 4
    settings.CUTOUT_READS_PER_MINUTE = 6_000
    made, seconds = greedy_in(Site(), BUSY_FROM, 60.0)
    assert made > seconds * 0.8


def test_a_greedy_address_is_refused_with_a_time_after_which_it_is_let_in():
    site = Site()
    greedy_in(site, BUSY_FROM, 20.0)
    # Only /healthz, which costs nothing, is never refused.
    assert site.within(BUSY_FROM, "/healthz", "/readyz", "/metrics", sender=GREEDY) == [
        OK,
        TOO_MUCH,
        TOO_MUCH,
    ]
    assert site.within(BUSY_FROM, "/decks/", sender=OTHER) == [OK]
    refused = list[Any]()
    site.at_once(BUSY_FROM, lambda: refused.extend((site.ask(sender=GREEDY), site.answer, site.headers)))
    status, text, headers = refused
    assert status == TOO_MUCH and "<h1>Not just now</h1>" in text and "ask again" in text
    site.now += int(headers["Retry-After"])
    assert site.within(BUSY_FROM, "/decks/", sender=GREEDY) == [OK]


def test_the_api_is_refused_in_its_shape_of_errors():
    full, much = overloaded(), Site()
    greedy_in(much, BUSY_FROM, 20.0)
    for site, under_way, code in ((full, MANY, "busy"), (much, BUSY_FROM, "throttled")):
        answers = list[str]()
        ask = lambda: site.ask("/api/v1/cards/", sender=GREEDY)  # noqa: B023, E731
        site.at_once(under_way, lambda: answers.append(ask() and site.answer))  # noqa: B023
        assert json.loads(answers[0])[0]["code"] == code


def test_a_class_behind_one_address_is_never_refused():
    """Fifteen of thirty, the share of one of two processes, open a page with 60 cards at the same moment, and
    then a page every five seconds.
    """
    site = Site()
    site.cost = SMALL
    statuses = site.at_once(15, sender=GREEDY)
    site.cost = 0.002
    for _ in range(15 * 60 // THREADS):
        statuses += site.at_once(THREADS, sender=GREEDY, path=FACE)
    site.cost = SMALL
    for _ in range(15 * 60 // 5):
        statuses += site.at_once(5, sender=GREEDY)
        site.now += 1.0
    assert set(statuses) == {OK}


def test_senders_that_asked_long_ago_are_forgotten():
    bounded = BoundedRequests(answered)
    bounded.used |= {f"long ago {number}": (0.0, 0.0) for number in range(MAX_SENDERS)}
    assert status_of(bounded) == OK
    assert len(bounded.used) == MAX_SENDERS and GREEDY in bounded.used


# -- warming up a process -------------------------------------------------------------------


def test_warming_up_follows_redirects_and_ignores_errors():
    asked = list[tuple[str, str]]()

    def site(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        asked.append((environ["PATH_INFO"], environ["QUERY_STRING"]))
        if environ["PATH_INFO"] == "/":
            raise RuntimeError
        redirects = environ["PATH_INFO"] == "/random/"
        start_response("302 Found" if redirects else OK, [("Location", "/cards/kai/")] if redirects else [])
        return [b""]

    answer_first(site, ["/", "/random/", "/decks/?q=kai"])
    assert asked == [("/", ""), ("/random/", ""), ("/decks/", "q=kai"), ("/cards/kai/", "")]

"""How the site is: its database and catalogue, those who work for it, and what else it talks to."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core import checks
from django.core.mail import get_connection
from django.db import connection
from django.utils import timezone
from redis import Redis, RedisError

from cardsdb.catalogue.loader import rows_of
from cardsdb.games import faults, games
from cardsdb.games.kit.model.text import plural
from cardsdb.models import Card, Edition, Letter
from cardsdb.site.health import what_is_lacking
from cardsdb.tasks.letters import LETTERS, SENDER
from printing.doctor.diagnosis import Diagnosis, right, unusual, wrong
from printing.tasks.jobs import JOBS

# A worker takes what waits within seconds; and while one is at work it says so all the time.
WAITED = timedelta(minutes=2)
# Of all connections: whoever comes to be refused one is answered 503.
MAX_TAKEN = 0.8
MAX_CLOCK = timedelta(seconds=5)
LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}


def database() -> Diagnosis:
    if lacking := what_is_lacking():
        found, _, remedy = lacking.partition(": ")
        return wrong(found, remedy or "start it, or look at DATABASE_URL")
    version = ".".join(map(str, connection.get_database_version()))
    if connection.vendor == "postgresql":
        taken, most = _connections()
        if taken > most * MAX_TAKEN:
            return unusual(
                f"{taken} of PostgreSQL's {most} connections are taken",
                "raise max_connections: docs/operate.md says to what",
            )
    return right(f"{connection.vendor} {version} answers, migrated and loaded")


def _connections() -> tuple[int, int]:
    """How many are taken, by whomever, and how many the server gives."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity")
        taken, most = cursor.fetchone()
    return taken, most


def catalogue() -> Diagnosis:
    """Whether the folders of this machine hold the cards that the database has."""
    if found := faults():
        return wrong(
            f"{len(found)} {plural(len(found), 'fault')} of game folders, left out: {found[0]}",
            "mend the folder, then start the site anew",
        )
    differing = 0
    for game in games().values():
        stored = set(Card.objects.in_game(game.slug).filter(retired=False).values_list("code", "digest"))
        here = {(card.code, rows_of(card, game).card.digest) for card in game.cards}
        differing += len({code for code, _ in stored ^ here})
    edition = Edition.objects.current().number
    if differing:
        words = (
            f"{differing} {plural(differing, 'card')} of the game folders differ from edition {edition} of"
            " the database"
        )
        return wrong(words, "run manage.py load_cards; of several machines give all the same version first")
    return right(f"edition {edition}, as in the folders of {len(games())} games")


def public() -> Diagnosis:
    foreign = [host for host in settings.ALLOWED_HOSTS if host not in LOOPBACK]
    if not settings.HTTPS:
        if foreign:
            return wrong(
                f"ALLOWED_HOSTS has {foreign[0]}, but the site is a private one",
                "set CUTOUT_HTTPS=1 (docs/deploy.md)",
            )
        if settings.DEBUG:
            return unusual("private, with pages for debugging", "unset CUTOUT_DEBUG unless you write code")
        return right("private: plain http on this machine")
    if settings.DEBUG:
        return wrong(
            "public, with pages for debugging, which show settings to everybody", "unset CUTOUT_DEBUG"
        )
    if found := checks.run_checks(tags=[checks.Tags.security], include_deployment_checks=True):
        return wrong(f"public: {found[0].msg.splitlines()[0]}", "see manage.py check --deploy")
    if not settings.CUTOUT_BEHIND_PROXY:
        return unusual(
            "public, without a proxy that is trusted", "set CUTOUT_BEHIND_PROXY=1 if one stands in front"
        )
    return right(f"public: https, {', '.join(settings.ALLOWED_HOSTS)}")


def worker() -> Diagnosis:
    """Goes by what waits, so it knows of workers on every machine, and of any queue."""
    now = timezone.now()
    waiting = JOBS.waiting().order_by("made").values_list("made", flat=True)
    letters = LETTERS.waiting().order_by("due").values_list("due", flat=True)
    making, sending = (rows.running().filter(heartbeat__gt=now - WAITED) for rows in (JOBS, LETTERS))
    firsts = [
        (first, busy) for first, busy in ((waiting.first(), making), (letters.first(), sending)) if first
    ]
    oldest = now - min(first for first, _ in firsts) if firsts else timedelta(0)
    some = waiting.count() + letters.count()
    found = (
        f"{some} {plural(some, 'task')} {'waits' if some == 1 else 'wait'}, the oldest for"
        f" {int(oldest.total_seconds())} seconds"
    )
    if oldest < WAITED:
        return right(found if some else "nothing waits")
    # Each queue by itself: who makes a long print sends no letter.
    if all(busy.exists() for first, busy in firsts if now - first >= WAITED):
        return unusual(f"{found}, and a worker is at another", "wait, or start another manage.py worker")
    return wrong(f"{found}, and no worker is at work", "start manage.py worker, or look at its log")


def cache() -> Diagnosis:
    url = settings.CACHES["default"].get("LOCATION", "")
    return (
        _redis("CACHE_URL", url) if url else right("each process counts requests for itself (no CACHE_URL)")
    )


def queue() -> Diagnosis:
    return (
        _redis("TASKS_URL", settings.TASKS_URL)
        if settings.TASKS_URL
        else right("in the database (no TASKS_URL)")
    )


def _redis(name: str, url: str) -> Diagnosis:
    """Past the cache, which hides that its server does not answer. The address may hold a password, so it is
    not said.
    """
    try:
        with Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as server:
            # One that is full, or a replica, answers and takes nothing.
            server.set("cutout:doctor", 1, px=1)
    except (RedisError, OSError) as error:
        found = f"the server of {name} does not answer, or takes nothing ({type(error).__name__})"
        return wrong(found, f"start it, make room in it, or look at {name}")
    return right(f"the server of {name} answers and takes what is written")


def mail() -> Diagnosis:
    if settings.CUTOUT_MAIL == "files":
        return right("letters become files in mail/ of CUTOUT_VAR")
    if settings.CUTOUT_MAIL == "none":
        return unusual(
            "the site sends no letters",
            "set CUTOUT_EMAIL_HOST, or set forgotten passwords by manage.py changepassword",
        )
    server = get_connection(SENDER, timeout=5)
    try:
        server.open()
    except OSError as error:  # Those of smtplib too.
        return wrong(
            f"the mail server does not take us: {type(error).__name__}",
            "look at CUTOUT_EMAIL_HOST and those beside it",
        )
    finally:
        server.close()
    return right("the mail server answers, and takes name and password")


def letters() -> Diagnosis:
    """What a page says of mail. It does not ask the mail server, to which the worker alone may have a way
    (compose.yaml).
    """
    if settings.CUTOUT_MAIL != "server":
        return mail()
    if tried := Letter.objects.filter(attempts__gt=0).count():
        words = (
            f"{tried} {plural(tried, 'letter')} could not be sent yet, and {'is' if tried == 1 else 'are'}"
            " tried again"
        )
        return unusual(words, "run manage.py doctor where the worker runs")
    return right("no letter failed that is not sent")


def clock() -> Diagnosis:
    now = timezone.now()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            (theirs,) = cursor.fetchone()
        if abs(theirs - now) > MAX_CLOCK:
            return wrong(
                f"{abs(theirs - now).total_seconds():.0f} seconds from that of the database",
                "let both keep time (NTP)",
            )
    made = Edition.objects.current().made
    if made is not None and made > now + MAX_CLOCK:
        return wrong(
            f"{now:%Y-%m-%d %H:%M} UTC, before the catalogue was loaded",
            "set the clock, and let it keep time (NTP)",
        )
    return right(f"{now:%Y-%m-%d %H:%M} UTC")

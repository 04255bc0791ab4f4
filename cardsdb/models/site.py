"""Keep what the site has for itself: work and letters that wait until a worker does them, the fingerprint of
its secret, without telling it, the browsers of guests; and the searches that accounts, and browsers without
one, keep under names.
"""

from datetime import date

from django.db import models
from django.utils.crypto import salted_hmac

from cardsdb.models.owned import Private, moment, some_text


class RowState(models.TextChoices):
    """The states of a row: from waiting to running, and back or to one of the three ends."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class QueuedRow(models.Model):
    """``attempts``: how often a worker took the row. ``heartbeat``: when its ``worker`` last said that it
    goes on. ``task``: its number in the queue, and ``queued`` when it was put there, or a worker last saw it
    there. cardsdb/tasks/queue.py moves it from state to state.
    """

    state = models.CharField(max_length=10, choices=RowState, default=RowState.WAITING)
    worker = some_text(80)
    heartbeat = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    task = some_text(64, editable=False)
    queued = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True


class Letter(models.Model):
    """A letter until it is sent or given up; then it is deleted. ``content``: what django.core.mail makes it
    of (cardsdb/tasks/letters.py). ``due`` is when it is tried next, ``attempts`` how often it was.
    """

    content = models.JSONField()
    attempts = models.PositiveSmallIntegerField(default=0)
    due = moment(editable=True, db_index=True)

    class Meta:
        ordering = ("due", "pk")

    def __str__(self) -> str:
        return f"letter {self.pk}, tried {self.attempts} times"


def _fingerprint() -> str:
    """The fingerprint of SECRET_KEY: the same on every machine that has it, and nothing to guess it by."""
    return salted_hmac("cardsdb.models.site_secret", "fingerprint", algorithm="sha256").hexdigest()[:32]


class SiteSecretManager(models.Manager["SiteSecret"]):
    def note(self) -> None:
        """Let this machine's secret be the site's."""
        self.update_or_create(pk=1, defaults={"fingerprint": _fingerprint()})

    def note_first(self) -> None:
        """Let it be the site's where none was noted. Of machines that start at once one is first."""
        self.bulk_create([SiteSecret(pk=1, fingerprint=_fingerprint())], ignore_conflicts=True)

    def is_another(self) -> bool:
        """Return whether the site's secret is another than this machine's, so that sessions and links of the
        one are unknown to the other.
        """
        return self.exclude(fingerprint=_fingerprint()).exists()


class SiteSecret(models.Model):
    """The fingerprint of the SECRET_KEY that all machines of the site have: one row, written when the site is
    prepared first.
    """

    fingerprint = models.CharField(max_length=32)

    objects = SiteSecretManager()

    def __str__(self) -> str:
        return self.fingerprint


# -- visitors -----------------------------------------------------------------------------

# A browser keeps the cookie for so many days, and gets it anew when it comes back after some of them.
COOKIE_DAYS, RENEWED_AFTER = 365, 30
# What hangs on one that was not seen for so many days is deleted. By then its cookie has ended.
KEPT_DAYS = COOKIE_DAYS + RENEWED_AFTER + 5


class Browser(models.Model):
    """A browser that holds something without an account: the hash of its token, and the day on which it last
    got its cookie.
    """

    hash = models.CharField(max_length=64, primary_key=True)
    seen = models.DateField(default=date.today)

    def __str__(self) -> str:
        return f"a browser seen on {self.seen}"


MAX_NAME, MAX_QUERY = 40, 300


class OwnSearch(Private):
    """A query, as it was typed, under the name that its owner gave it. ``key``: the name as names are
    compared.
    """

    name = models.CharField(max_length=MAX_NAME)
    # Of some letters there are three in a name without capitals.
    key = models.CharField(max_length=3 * MAX_NAME)
    query = models.CharField(max_length=MAX_QUERY)
    made = moment()

    class Meta(Private.Meta):
        ordering = ("-made", "-pk")
        constraints = [
            *Private.Meta.constraints,
            models.UniqueConstraint(fields=("owner", "key"), name="search_once_a_name"),
            models.UniqueConstraint(fields=("browser", "key"), name="browser_search_once_a_name"),
        ]

    def __str__(self) -> str:
        return f"search {self.pk}"

"""Tables of the site itself: the base of queued work, letters to send, the fingerprint of the site's secret,
and browsers of guests; and the searches that visitors save.

Their rows are written in ``cardsdb/tasks``, ``cardsdb/site/middleware.py`` and
``cardsdb/web/lists/saved_searches.py``, and tested there.
"""

from datetime import date

from django.db import models
from django.utils.crypto import salted_hmac

from cardsdb.models.owned import Private, moment, some_text


class RowState(models.TextChoices):
    """States of queued work: WAITING <-> RUNNING, then one of the other three, which are final."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class QueuedRow(models.Model):
    """Base of a row of queued work, moved from state to state by cardsdb/tasks/queue.py.

    ``attempts``: how often a worker took it. ``worker``: the one that has it; ``heartbeat``: when that last
    reported. ``task``: id of its task in the queue; ``queued``: when it was put there or last seen there by a
    worker.
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
    """A letter that is to be sent; deleted when it is sent or given up. ``content``: the arguments of a
    Django EmailMessage (cardsdb/tasks/letters.py). ``due``: the time of the next try.
    """

    content = models.JSONField()
    attempts = models.PositiveSmallIntegerField(default=0)
    due = moment(editable=True, db_index=True)

    class Meta:
        ordering = ("due", "pk")

    def __str__(self) -> str:
        return f"letter {self.pk}, tried {self.attempts} times"


def _fingerprint() -> str:
    """Return a fingerprint of SECRET_KEY. Machines with the same key have the same one, and the key cannot be
    derived.
    """
    # The fingerprints in databases were made with this salt, the name of a module of earlier releases.
    return salted_hmac("cardsdb.models.site_secret", "fingerprint", algorithm="sha256").hexdigest()[:32]


class SiteSecretManager(models.Manager["SiteSecret"]):
    """Writes and compares the single row, whose key is 1."""

    def note(self) -> None:
        """Declare this machine's secret to be the site's."""
        self.update_or_create(pk=1, defaults={"fingerprint": _fingerprint()})

    def note_first(self) -> None:
        """Declare it only if none is declared yet. If several machines start at once, one wins."""
        self.bulk_create([SiteSecret(pk=1, fingerprint=_fingerprint())], ignore_conflicts=True)

    def is_another(self) -> bool:
        """True if the site's secret differs from this machine's. Then sessions and links of one are invalid
        on the other.
        """
        return self.exclude(fingerprint=_fingerprint()).exists()


class SiteSecret(models.Model):
    """The fingerprint of the SECRET_KEY of all the site's machines: a single row, written when the site is
    first prepared.
    """

    fingerprint = models.CharField(max_length=32)

    objects = SiteSecretManager()

    def __str__(self) -> str:
        return self.fingerprint


# -- visitors -----------------------------------------------------------------------------

# Days that a browser keeps the cookie.
COOKIE_DAYS = 365
# Days after which the cookie is renewed at a visit.
RENEWED_AFTER = 30
# Rows of a browser not seen for this many days are deleted. Its cookie has expired by then, with the time
# between two renewals and five days as a margin.
KEPT_DAYS = COOKIE_DAYS + RENEWED_AFTER + 5


class Browser(models.Model):
    """A browser with rows but no account: the hash of its token, and the day its cookie was last set."""

    hash = models.CharField(max_length=64, primary_key=True)
    seen = models.DateField(default=date.today)

    def __str__(self) -> str:
        return f"a browser seen on {self.seen}"


# Characters of a saved search's name and of its query.
MAX_NAME = 40
MAX_QUERY = 300


class OwnSearch(Private):
    """A saved search: a query as typed, under its owner's name. ``key``: the name casefolded."""

    name = models.CharField(max_length=MAX_NAME)
    # Casefolding makes up to three letters out of one.
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

"""Printers, print jobs and past prints in the database.

They belong to one account, or to one browser without an account. All of it is private: every look-up says who
asks.
"""

from django.db import models

from cardsdb.identity.viewer import new_key
from cardsdb.models.owned import Private, moment, some_text
from cardsdb.models.site import QueuedRow
from printing.options.duplex import DuplexMode, Shift


class PrinterCalibration(Private):
    """A printer as read from its calibration sheet: the shift of backs against fronts and of fronts, in
    micrometres, hundredths of a degree and of a per cent; ``margin``: the words of its unprintable margins,
    empty if not measured.
    """

    name = models.CharField(max_length=60)
    paper = models.CharField(max_length=40)
    x = models.IntegerField(default=0)
    y = models.IntegerField(default=0)
    turn = models.IntegerField(default=0)
    front_x = models.IntegerField(default=0)
    front_y = models.IntegerField(default=0)
    front_turn = models.IntegerField(default=0)
    wider = models.IntegerField(default=0)
    higher = models.IntegerField(default=0)
    margin = some_text(40)
    # The way in which the sheet that was read was turned, and lay.
    edge = models.CharField(max_length=5, default="long")
    landscape = models.BooleanField(default=False)
    made = moment()

    class Meta(Private.Meta):
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return f"{self.name}, {self.paper}"

    @property
    def shift(self) -> Shift:
        """The shift by which its backs are moved against fronts."""
        return Shift(self.x, self.y, self.turn)

    @property
    def front(self) -> Shift:
        """The shift that corrects both sides."""
        return Shift(self.front_x, self.front_y, self.front_turn, self.wider, self.higher)

    @property
    def mode(self) -> DuplexMode:
        """The way in which its sheet was turned and lay."""
        return DuplexMode("short" if self.edge == "short" else "long", self.landscape)


class PrintJob(Private, QueuedRow):
    """A print that a worker makes, and its progress. ``link`` is its address: 128 random bits.

    ``request`` holds the fields of the request (printing/tasks/jobs.py). ``file`` is the name of the file in
    the folder of jobs, and ``size`` its bytes. ``sender`` stands for the address that asked: a hash that only
    this site's key makes.
    """

    # Jobs are deleted after days anyway, and the key of one that came over the API is no browser's
    # (decks/accounts/forgetting.py).
    ends_by_itself = True

    link = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    request = models.JSONField(default=dict)
    pages_done = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    made = moment()
    file = some_text(120)
    size = models.PositiveBigIntegerField(default=0)
    sender = some_text(64, editable=False)
    error = some_text(400)
    expires = models.DateTimeField(null=True, blank=True)

    class Meta(Private.Meta):
        ordering = ("made", "pk")
        indexes = [models.Index(fields=("state", "made"), name="job_waiting")]

    def __str__(self) -> str:
        return f"print job {self.link}, {self.state}"


class PastPrint(Private):
    """A print that was made, remembered for its owner.

    ``address`` asks for it again, as long as the links of its decks have not changed. ``cards``: the copies
    of each card that were settled then, by the number of the deck (printing/request/past_prints.py).
    """

    address = models.TextField()
    title = models.CharField(max_length=200)
    extent = some_text(200)
    cards = models.JSONField(default=dict)
    made = moment()

    class Meta(Private.Meta):
        ordering = ("-made", "-pk")

    def __str__(self) -> str:
        return f"print {self.pk}"

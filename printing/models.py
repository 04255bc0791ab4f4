"""Database tables: calibrated printers, print jobs, past prints.

Each row is private and belongs to one account, or to one browser without an account. Look rows up through
``objects.of(viewer)``, which names who asks (``cardsdb/models/owned.py``). The tables of own texts and
pictures are in ``cardsdb/models``. Tests: ``tests/printing/web/test_calibration_views.py``,
``tests/printing/tasks`` for jobs, ``tests/printing/request/test_past_prints.py``.
"""

from django.db import models

from cardsdb.identity.viewer import new_key
from cardsdb.models.owned import Private, moment, some_text
from cardsdb.models.site import QueuedRow
from printing.options.duplex import DuplexMode, Shift
from printing.options.sizes import read_paper


class PrinterCalibration(Private):
    """The corrections of a printer, as read from its calibration sheet.

    ``x``, ``y``, ``turn`` shift backs against fronts; ``front_*``, ``wider`` and ``higher`` correct both
    sides. As in ``printing.options.duplex.Shift``, lengths are micrometres, turns hundredths of a degree,
    ``wider`` and ``higher`` hundredths of a per cent. ``paper`` and ``margin`` are values of the print
    options of these names ("a4", "3 3 12.5 3"); ``margin`` is empty if it was not measured.
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
    # The duplex mode in which the calibration sheet was printed; ``edge`` is long or short.
    edge = models.CharField(max_length=5, default="long")
    landscape = models.BooleanField(default=False)
    made = moment()

    class Meta(Private.Meta):
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return f"{self.name}, {self.paper}"

    @property
    def paper_name(self) -> str:
        """The paper in words: ``US Letter``."""
        return read_paper(self.paper).name

    @property
    def shift(self) -> Shift:
        """The shift that puts backs behind their fronts. Lengths are corrected by ``front``."""
        return Shift(self.x, self.y, self.turn)

    @property
    def front(self) -> Shift:
        """The shift that corrects both sides."""
        return Shift(self.front_x, self.front_y, self.front_turn, self.wider, self.higher)

    @property
    def mode(self) -> DuplexMode:
        """The duplex mode in which its calibration sheet was printed."""
        return DuplexMode("short" if self.edge == "short" else "long", self.landscape)


class PrintJob(Private, QueuedRow):
    """A print that a worker makes, with its progress. ``link`` identifies it in addresses: 128 random bits.

    ``request`` holds the fields of the request (printing/tasks/jobs.py). ``pages`` are the steps of work, of
    which ``pages_done`` are done. ``file`` is the name of its file in the folder of jobs, and ``size`` the
    file's bytes. ``sender`` is a keyed hash of the address that asked. ``error`` is a sentence to show.
    """

    # ``forget_browsers`` (decks/accounts/account_kinds.py) may leave jobs alone: they are deleted after some
    # days anyway, and the key of a job that came over the API belongs to no browser.
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
    """A print that was made, listed on its owner's page "Mine".

    ``address`` makes it again, as long as the links of its decks have not changed. ``extent`` has its numbers
    in words ("54 cards, 6 sheets"). ``cards`` holds, by deck id, the copies of each card that need no
    further print, by ``selection.paper_key`` (printing/request/past_prints.py).
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

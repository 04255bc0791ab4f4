"""How far a printer puts the backs beside the fronts."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from printing.models.private import Private


class PrinterCalibration(Private):
    """What somebody measured on the calibration sheet of one printer: micrometres, hundredths of a degree."""

    name = models.CharField(max_length=60)
    paper = models.CharField(max_length=40)
    x = models.IntegerField(default=0)
    y = models.IntegerField(default=0)
    turn = models.IntegerField(default=0)
    # How the sheet that was read was turned, and how it lay.
    edge = models.CharField(max_length=5, default="long")
    landscape = models.BooleanField(default=False)
    made = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(Private.Meta):
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return f"{self.name}, {self.paper}"

"""The one rule by which a guest's things go without the guest: they hang on a browser that did not come back
for a year.
"""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction

from cardsdb.models import Browser
from cardsdb.models.browsers import KEPT_DAYS
from decks.accounts.kinds import browsers_tables

AT_ONCE = 500


@transaction.atomic
def forget_browsers() -> int:
    """Delete what hangs on browsers that were not seen for KEPT_DAYS; return how many browsers they were.

    The decks stay: their edit links open them, and other browsers may have access. A browser that is met here
    first counts as seen today.
    """
    tables = [model._default_manager.order_by().filter(browser__isnull=False) for model in browsers_tables()]
    held = {browser for table in tables for browser in table.values_list("browser", flat=True).distinct()}
    Browser.objects.bulk_create(map(Browser, sorted(held)), batch_size=AT_ONCE, ignore_conflicts=True)
    old = Browser.objects.filter(seen__lt=date.today() - timedelta(days=KEPT_DAYS))
    gone = list(old.order_by("hash").values_list("hash", flat=True))
    for start in range(0, len(gone), AT_ONCE):
        some = gone[start : start + AT_ONCE]
        # One that has just come back is left alone; one that comes back now waits until it is forgotten.
        some = list(old.filter(hash__in=some).select_for_update().values_list("hash", flat=True))
        for table in tables:
            table.filter(browser__in=some).delete()
        Browser.objects.filter(hash__in=some).delete()
    return len(gone)

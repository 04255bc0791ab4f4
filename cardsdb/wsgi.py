"""The WSGI application that the server loads. It prepares everything that the first requests would otherwise
wait for.

Order matters: Django is set up first, the pages that fill the caches are requested next, and counting begins
last. ``cardsdb/serve.py`` names it on its command line. Tests: ``tests/cardsdb/site/test_overload.py`` for
the parts that it calls, and ``tests/house/test_server_drills.py``.
"""

import gc
import logging
import os
import sys

# Almost everything that imports create stays alive; collecting meanwhile would take a tenth of the start.
gc.disable()

from django.core.wsgi import get_wsgi_application  # noqa: E402

# Threads switch more often than by default (5 ms), so that quick pages need not wait for a thread that draws
# a file.
sys.setswitchinterval(0.0005)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
django_application = get_wsgi_application()

# These imports need Django to be set up.
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402

from cardsdb.games import faults  # noqa: E402
from cardsdb.site.overload import answer_first, whole_site  # noqa: E402
from cardsdb.watch import metrics  # noqa: E402

if connection.vendor == "postgresql":
    # For all threads: a request gets 503 rather than wait for more seconds for a silent database
    # (cardsdb/site/postgresql).
    connection.settings_dict["OPTIONS"]["seconds"] = 5.0
for fault in faults():
    logging.getLogger("cardsdb.games").error("left out: %s", fault)
# Before requests are counted: fill the caches for the home page, a list of cards (with all that searches
# need) and a card.
answer_first(django_application, ["/", "/cards/", "/cards/random/"])
metrics.start(settings.VAR_DIR / "metrics", metrics.SERVER)
application = whole_site(django_application)
# What exists now stays. Freezing it keeps full collections short.
gc.freeze()
# Requests leave few reference cycles, so collections may be rarer than by default (after 700 objects).
gc.set_threshold(50_000)
gc.enable()

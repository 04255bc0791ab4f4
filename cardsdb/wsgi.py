"""The WSGI entry point that the server loads."""

import gc
import logging
import os
import sys

# What a start imports stays: to look through it for rubbish meanwhile would take a tenth of the start.
gc.disable()

from django.core.wsgi import get_wsgi_application  # noqa: E402

# A page that is there in a moment does not wait longer for a thread that draws a file.
sys.setswitchinterval(0.0005)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
django_application = get_wsgi_application()

# After Django is set up, which they need.
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402

from cardsdb.games import faults  # noqa: E402
from cardsdb.site.overload import answer_first, whole_site  # noqa: E402
from cardsdb.watch import metrics  # noqa: E402

if connection.vendor == "postgresql":
    # Of all threads: a request is answered with 503 rather than wait longer for a database that says nothing
    # (cardsdb/site/postgresql).
    connection.settings_dict["OPTIONS"]["seconds"] = 5.0
for fault in faults():
    logging.getLogger("cardsdb.games").error("left out: %s", fault)
# Before requests are counted: the home page, a list of cards, with all that searches need, and some card.
answer_first(django_application, ["/", "/cards/", "/cards/random/"])
metrics.start(settings.VAR_DIR / "metrics", metrics.SERVER)
application = whole_site(django_application)
# What is here now stays: a full look for rubbish need not go through it, and stops the process half as long.
gc.freeze()
# Requests leave little behind that refers to itself.
gc.set_threshold(50_000)
gc.enable()

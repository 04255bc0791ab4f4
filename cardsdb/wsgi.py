"""The WSGI application that the server loads, and settings of the process that serves it.

It prepares everything that the first requests would otherwise wait for. Order matters: Django is set up
first, the pages that fill the caches are requested next, and counting begins last. The server gets the name
``cardsdb.wsgi:application`` on its command line (``cardsdb/serve.py``). Tests:
``tests/house/test_server_drills.py``; of the parts called here ``tests/cardsdb/site/test_overload.py``.
"""

import gc
import logging
import os
import sys

# Almost everything that imports create stays alive; collecting meanwhile would take a tenth of the start.
gc.disable()

from django.core.wsgi import get_wsgi_application  # noqa: E402

# Seconds after which another thread gets its turn. It is a tenth of the default, so that quick pages need not
# wait for a thread that draws a file.
SWITCH_AFTER = 0.0005
# Seconds that a request waits for a silent database (cardsdb/site/postgresql); then it gets 503.
SILENT_DATABASE = 5.0
# Pages that fill the caches for a home page, a list of cards (with the vocabularies of the games, which every
# question in plain words needs) and a card.
FIRST_PAGES = ["/", "/cards/?q=krypt+agents", "/cards/random/"]
# New objects after which garbage is collected, by default 700. Requests leave few reference cycles.
COLLECT_AFTER = 50_000

sys.setswitchinterval(SWITCH_AFTER)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
django_application = get_wsgi_application()

# These imports need Django to be set up.
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402

from cardsdb.games import faults  # noqa: E402
from cardsdb.site.overload import answer_first, whole_site  # noqa: E402
from cardsdb.watch import metrics  # noqa: E402

if connection.vendor == "postgresql":
    # The connections of all threads share these settings.
    connection.settings_dict["OPTIONS"]["seconds"] = SILENT_DATABASE
for fault in faults():
    logging.getLogger("cardsdb.games").error("left out: %s", fault)
answer_first(django_application, FIRST_PAGES)
# Only now, so that the pages above are not counted as requests.
metrics.start(settings.VAR_DIR / "metrics", metrics.SERVER)
application = whole_site(django_application)
# What exists now stays. Freezing it keeps full collections short.
gc.freeze()
gc.set_threshold(COLLECT_AFTER)
gc.enable()

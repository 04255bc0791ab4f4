"""The WSGI entry point that the server loads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
django_application = get_wsgi_application()

# After Django is set up, which it needs.
from cardsdb.site.page_cache import PageCache  # noqa: E402
from cardsdb.site.static_files import with_static_files  # noqa: E402

application = with_static_files(PageCache(django_application))

"""The site as a server process has it: Django, and around it what answers or refuses before Django is
asked.
"""

from __future__ import annotations

from wsgiref.types import WSGIApplication

from django.conf import settings

from cardsdb.site.bodies import BoundedBodies
from cardsdb.site.overload import BoundedRequests
from cardsdb.site.page_cache import PageCache
from cardsdb.site.policy import with_policy
from cardsdb.site.static_files import with_static_files


def whole_site(django: WSGIApplication) -> WSGIApplication:
    """A request comes from the left: kept pages, which have their policy, and static files are handed out
    however much there is to do.

    While the site is being worked on no page is kept: templates change under it.
    """
    made = with_policy(with_static_files(BoundedRequests(BoundedBodies(django))))
    return made if settings.DEBUG else PageCache(made)

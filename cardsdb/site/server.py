"""The site as a server process has it: Django, and around it what answers or refuses before Django is
asked.
"""

from __future__ import annotations

from wsgiref.types import WSGIApplication

from cardsdb.site.bodies import BoundedBodies
from cardsdb.site.overload import BoundedRequests
from cardsdb.site.policy import with_policy
from cardsdb.site.static_files import with_static_files


def whole_site(django: WSGIApplication) -> WSGIApplication:
    """A request comes from the left: static files are handed out however much there is to do."""
    return with_policy(with_static_files(BoundedRequests(BoundedBodies(django))))

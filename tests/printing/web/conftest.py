"""Shared by tests of the print shop's pages: a deck to print, logged-in visitors, empty folders for own
files.
"""

import pytest
from django.contrib.auth.models import User

from cardsdb.identity.viewer import Viewer
from tests.support.accounts import member
from tests.support.print_pages import deck

__all__ = ["deck"]


@pytest.fixture
def viewer(db):
    """The viewer of Ada, who has an account."""
    return Viewer(User.objects.create_user("ada").pk)


@pytest.fixture
def ada(client, viewer):
    """A client in which Ada is logged in."""
    client.force_login(User.objects.get(pk=viewer.user_id))
    return client


@pytest.fixture
def bob(db):
    """A client in which another member, Bob, is logged in."""
    return member("bob")

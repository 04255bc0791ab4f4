"""What tests of the pages of printing share: a deck to print, people with accounts, folders of their own."""

import pytest
from django.contrib.auth.models import User

from cardsdb.identity.viewer import Viewer
from tests.support.accounts import member
from tests.support.bringing import own_folders
from tests.support.print_pages import deck

__all__ = ["deck", "own_folders"]


@pytest.fixture
def viewer(db):
    """Ada, who has an account, as the site knows her."""
    return Viewer(User.objects.create_user("ada").pk)


@pytest.fixture
def ada(client, viewer):
    """Ada's browser, in which she is logged in."""
    client.force_login(User.objects.get(pk=viewer.user_id))
    return client


@pytest.fixture
def bob(db):
    """Somebody else with an account."""
    return member("bob")

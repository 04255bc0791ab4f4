"""The fixture ``site``: a copied site with some data, of which backups are taken in other processes."""

import pytest

from tests.support.backed_up import fill
from tests.support.processes import answer, copied_site


@pytest.fixture(scope="package")
def site(django_db_setup, django_db_blocker, tmp_path_factory):
    with django_db_blocker.unblock(), copied_site(tmp_path_factory.mktemp("backup")) as site:
        answer(site, fill)
        yield site

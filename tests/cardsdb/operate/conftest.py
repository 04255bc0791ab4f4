"""The site that backups are taken of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.backed_up import fill
from tests.support.processes import Site, answer, copied_site


@pytest.fixture(scope="package")
def site(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    with django_db_blocker.unblock(), copied_site(tmp_path_factory.mktemp("backup")) as site:
        answer(site, fill)
        yield site

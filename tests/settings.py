"""Django settings of the tests: the site's own, with a temporary data folder and without limits that tests
would reach.

The data folder of the person who runs the tests is neither read nor written, not even by programs that
a test starts.
"""

import os
from tempfile import TemporaryDirectory

# xdist workers, and programs that tests start, inherit the folder that the first process made.
if "PYTEST_XDIST_WORKER" not in os.environ:
    folder = TemporaryDirectory(prefix="cutout-tests-", ignore_cleanup_errors=True)
    os.environ["CUTOUT_VAR"] = folder.name
# Programs that a test starts use the real settings.
os.environ["DJANGO_SETTINGS_MODULE"] = "cardsdb.settings"

from cardsdb.settings import *  # noqa: F403 (after the folder is named)

# Fast password hashes, and limits that no test reaches by accident.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CUTOUT_READS_PER_MINUTE = CUTOUT_WORKS_PER_MINUTE = 1_000_000
CUTOUT_DECKS_PER_DAY = 1_000_000
TEMPLATES[0]["OPTIONS"]["environment"] = "tests.support.templates.environment"  # noqa: F405

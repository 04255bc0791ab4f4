"""The settings of the tests: the site's, over a data folder that the run makes and takes away. Whatever lies
in the folder of whoever runs them is neither read nor written: not by a test, and not by a program that a
test starts.
"""

import os
from tempfile import TemporaryDirectory

# The workers of a run, and all programs, are given the folder that its first process made.
if "PYTEST_XDIST_WORKER" not in os.environ:
    folder = TemporaryDirectory(prefix="cutout-tests-", ignore_cleanup_errors=True)
    os.environ["CUTOUT_VAR"] = folder.name
# A program that a test starts is the site itself.
os.environ["DJANGO_SETTINGS_MODULE"] = "cardsdb.settings"

from cardsdb.settings import *  # noqa: F403 (after the folder is named)

# A test asks more in a minute than a visitor may, and waits for no password to be hard to guess.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CUTOUT_READS_PER_MINUTE = CUTOUT_WORKS_PER_MINUTE = 1_000_000
CUTOUT_DECKS_PER_DAY = 1_000_000
TEMPLATES[0]["OPTIONS"]["environment"] = "tests.support.templates.environment"  # noqa: F405

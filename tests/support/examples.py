"""The settings of Hypothesis and of our own random seeds: the same examples in every run, or new ones in
``make explore``.

Importing this module loads the profile, so a test file with properties imports it (``tests/conftest.py``
does so for all).
"""

from __future__ import annotations

import os
import random

import hypothesis
from hypothesis.internal.conjecture import providers

# An environment variable. ``make explore`` sets it to a new number in each round.
EXPLORING = "CUTOUT_EXPLORE"

# Fixed examples, so that a failure is caused by the change at hand and not by luck; few, because repeating
# them finds nothing new.
hypothesis.settings.register_profile("same", derandomize=True, database=None, deadline=None, max_examples=50)
hypothesis.settings.register_profile("explore", max_examples=1_000, deadline=None, print_blob=True)
hypothesis.settings.load_profile("explore" if os.environ.get(EXPLORING) else "same")
if not os.environ.get(EXPLORING):
    # Hypothesis also tries constants found in the loaded modules. Which modules are loaded differs between
    # processes, and so would the examples; reading them also takes seconds per process.
    providers._get_local_constants = lambda: providers._local_constants


def seeds(count: int) -> list[int]:
    """Return ``count`` seeds for ``@pytest.mark.seeds(count)``: 0, 1, 2 ... normally, new random ones while
    exploring.
    """
    if exploring := os.environ.get(EXPLORING):
        return random.Random(exploring).sample(range(count, 1_000_000_000), count)
    return list(range(count))

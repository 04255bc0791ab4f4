"""Which examples the properties are tried on: the same ones each time, or new ones while somebody
explores.
"""

from __future__ import annotations

import os
import random

import hypothesis
from hypothesis.internal.conjecture import providers

# Set by ``make explore`` to a number that is another in each round.
EXPLORING = "CUTOUT_EXPLORE"

# The same each time, so that a failure speaks of the change at hand and not of luck; few, because they are
# the same.
hypothesis.settings.register_profile("same", derandomize=True, database=None, deadline=None, max_examples=50)
hypothesis.settings.register_profile("explore", max_examples=1_000, deadline=None, print_blob=True)
hypothesis.settings.load_profile("explore" if os.environ.get(EXPLORING) else "same")
if not os.environ.get(EXPLORING):
    # Hypothesis also tries the constants of whatever modules are loaded. These differ from process to
    # process, and so would the examples; to read them takes each process seconds.
    providers._get_local_constants = lambda: providers._local_constants


def seeds(count: int) -> list[int]:
    """Seeds of our own random generators, for tests with ``@pytest.mark.seeds(count)``: 0, 1, 2 ... or,
    exploring, fresh ones.
    """
    if exploring := os.environ.get(EXPLORING):
        return random.Random(exploring).sample(range(count, 1_000_000_000), count)
    return list(range(count))

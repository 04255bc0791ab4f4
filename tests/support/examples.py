"""The examples of property tests (Hypothesis): the same at every run, or new ones with ``make explore``."""

from __future__ import annotations

import os
import random

import hypothesis
from hypothesis.internal.conjecture import providers

# The environment variable that ``make explore`` sets to another number in each round.
EXPLORING = "CUTOUT_EXPLORE"

# The same examples at each run, so that a failure is caused by the change and not by chance. Only 50, because
# more of the same would find nothing new.
hypothesis.settings.register_profile("same", derandomize=True, database=None, deadline=None, max_examples=50)
hypothesis.settings.register_profile("explore", max_examples=1_000, deadline=None, print_blob=True)
hypothesis.settings.load_profile("explore" if os.environ.get(EXPLORING) else "same")
if not os.environ.get(EXPLORING):
    # Hypothesis would also try constants that it reads from all loaded modules. These differ between
    # processes, so the examples would too, and reading them takes seconds.
    providers._get_local_constants = lambda: providers._local_constants


def seeds(count: int) -> list[int]:
    """Seeds for tests with ``@pytest.mark.seeds(count)``, which make random data themselves: 0, 1, 2 ..., or
    new ones with ``make explore``.
    """
    if exploring := os.environ.get(EXPLORING):
        return random.Random(exploring).sample(range(count, 1_000_000_000), count)
    return list(range(count))

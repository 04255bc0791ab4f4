"""``make bench``: print every table.

With ``BENCH_MILLION=1`` the catalogue is measured at a million cards too, with ``BENCH_LARGE=1`` sheets of 540 pictures.
"""

from __future__ import annotations

from tests.bench import catalogue_sizes, judging, numbers, pages, pictures, sheets

judging.run()
numbers.run()
sheets.run()
pictures.run()
pages.run()
catalogue_sizes.run()

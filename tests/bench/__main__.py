"""``make bench``: print every table. With ``BENCH_MILLION=1`` the catalogue is measured at a million cards too."""

from __future__ import annotations

from tests.bench import catalogue_sizes, judging, pages, sheets

judging.run()
sheets.run()
pages.run()
catalogue_sizes.run()

"""``make bench``: print every table."""

from __future__ import annotations

from tests.bench import judging, pages, sheets

judging.run()
sheets.run()
pages.run()

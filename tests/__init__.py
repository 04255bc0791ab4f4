"""The tests: a folder for each app and room; what several share stands in ``support``."""

from pathlib import Path

ROOT = Path(__file__).parent.parent

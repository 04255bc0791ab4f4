"""The tests: a folder for each app and room, and ``support`` with the helpers that several rooms share."""

from pathlib import Path

# The root of the repository.
ROOT = Path(__file__).parent.parent

"""``convert_deck`` takes texts that are brought in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.commands import listed, run

__all__ = ["listed"]


def test_converting_a_deck_takes_texts_from_a_file(listed: Any, tmp_path: Path, agency_text: str) -> None:
    texts, made = listed("name,text\nNathan Sparks,Hides well.\n", "texts.csv"), tmp_path / "deck.csv"
    run("convert_deck", listed(agency_text), "--to", "csv", "-o", str(made), "--texts", texts)
    assert "Hides well." in made.read_text()

"""Where rules are cited from, and what the documents leave open: the contents of a ``rulebook.toml``."""

from __future__ import annotations

from dataclasses import dataclass

from cardsdb.games.kit.model.cards import Certainty


@dataclass(frozen=True, slots=True)
class Document:
    """Something that facts and rules are cited from. ``kind``: rulebook, card picture, list ... ``url``: where all may read it."""

    key: str
    title: str
    kind: str = "rulebook"
    by: str = ""
    note: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule stands, what it says in our words, and how certain that is.

    ``about``: deck, set-up, card, play or licence; only deck and set-up rules are checked.
    """

    code: str
    document: str
    section: str
    lines: str
    certainty: Certainty
    says: str
    about: str = "deck"
    note: str = ""

    @property
    def place(self) -> str:
        """Section and lines: ``Game Setup, line 430``."""
        lines = f"{'line' if self.lines.isdigit() else 'lines'} {self.lines}" if self.lines else ""
        return ", ".join(part for part in (self.section, lines) if part)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question the documents leave open, and how Cutout treats it until someone knows better."""

    id: str
    question: str
    treatment: str
    lines: str = ""
    rules: tuple[str, ...] = ()

"""What Spycraft needs beside its decks: markers for the four things that its rulebooks mark."""

from __future__ import annotations

from cardsdb.games.kit.print.extras import Marker, PrintExtras
from cardsdb.games.kit.print.symbols import ASTERISK, BOLT, EYE, PLUS

# No document counts markers. At most five agents and the leader are active, which makes six.
_NOTE = "No document states a number: one for each of the six who may be active at a time (PL-5)."

PRINT_EXTRAS = PrintExtras(
    (
        Marker("Activation", BOLT, 6, "PL-7", note=_NOTE),
        Marker("Wounded", PLUS, 6, "PL-7", "#a8281f", _NOTE),
        Marker("Exposed", EYE, 6, "PL-7", "#785800", _NOTE),
        Marker("Action used", ASTERISK, 6, "PL-7", "#1d56a3", _NOTE),
    )
)

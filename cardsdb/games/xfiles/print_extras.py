"""What the X-Files game needs beside its decks: points of two kinds that can be told apart."""

from __future__ import annotations

from cardsdb.games.kit.print.extras import Marker, PrintExtras
from cardsdb.games.kit.print.symbols import COIN, MOON

# Pools begin with five and grow; how far is stated nowhere.
_NOTE = "A player begins with five; twelve is our choice, for pools grow."

PRINT_EXTRAS = PrintExtras((Marker("RP", COIN, 12, "S15", "#1f5a8c", _NOTE), Marker("CP", MOON, 12, "S15", "#8f2d2d", _NOTE)))

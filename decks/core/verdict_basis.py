"""What a stored verdict was computed from, so that a list knows when it no longer holds."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from cardsdb.games import kit
from cardsdb.games.kit import Game


def basis(game: Game, edition: int) -> str:
    """Names the cards (by the catalogue's edition) and the rules that a verdict rests on: one text for all decks of a game.

    The deck itself is no part of it: whoever writes a deck writes its verdict too.
    """
    return f"{edition}-{game.slug}-{rules_digest(game)}"


@lru_cache(maxsize=32)
def rules_digest(game: Game) -> str:
    """Stands for the game's rules as this process runs them: the code of its folder and of the kit."""
    digest = hashlib.sha256()
    for folder in (game.folder, Path(kit.__file__).parent):
        for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]

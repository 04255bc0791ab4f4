"""Draws that follow from a seed that everybody can see: the same seed gives the same draw, on every machine and for ever.

A draw is the SHA-256 of ``cutout:<purpose>:<seed>`` in UTF-8, read as one big number. The remainder by the number of
things drawn from is the one drawn; a shuffle sorts the things' numbers by the digest of ``cutout:<purpose>:<number>:<seed>``.
"""

from __future__ import annotations

import hashlib


def drawn(seed: str, purpose: str, of: int) -> int:
    """One of ``of`` things, counted from 0."""
    return int.from_bytes(_digest(f"cutout:{purpose}:{seed}"), "big") % of


def shuffled(seed: str, purpose: str, of: int) -> tuple[int, ...]:
    """The numbers from 0 up to ``of``, in an order drawn."""
    return tuple(sorted(range(of), key=lambda number: (_digest(f"cutout:{purpose}:{number}:{seed}"), number)))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

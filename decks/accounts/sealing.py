"""Secrets that must be read again, so that no hash will do, lie sealed in the database: whoever steals it
alone reads none.

The key comes from ``SECRET_KEY``. What was stored before they were sealed is read as it is. What was sealed
under another secret opens nothing any more: in its place stands what nobody can know.
"""

from __future__ import annotations

import base64
import secrets

from cryptography.fernet import Fernet, InvalidToken
from django.utils.crypto import salted_hmac

_MARK = "sealed:"


def sealed(text: str) -> str:
    return _MARK + _fernet().encrypt(text.encode()).decode()


def opened(stored: str) -> str:
    if not stored.startswith(_MARK):
        return stored
    try:
        return _fernet().decrypt(stored.removeprefix(_MARK)).decode()
    except InvalidToken:
        return secrets.token_hex(40)


def _fernet() -> Fernet:
    return Fernet(
        base64.urlsafe_b64encode(salted_hmac("decks.accounts.sealing", "seal", algorithm="sha256").digest())
    )

"""All that an account has as one zip, and how an account is deleted."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from django.contrib.auth.models import User

from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from decks.accounts.kinds import kinds

ABOUT = "This is everything that your Cutout account holds.\n\n"
# Other apps' files may be pictures, which are compressed already.
STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED


def delete_user(user_id: int) -> None:
    """Delete the user. The database deletes with it all that the account has, of every kind, files included.

    Decks of others stay, and are liked by one less (``decks.models.people``). The caller opens a transaction.
    """
    # Its own entries go with it; that it was deleted, by its number alone, stays as long as other entries.
    note(Event.ACCOUNT_DELETED, detail=f"account {user_id}")
    User.objects.filter(pk=user_id).delete()


class _Pipe:
    """The file that the zip is written to: it holds bytes until they are sent. It cannot seek, and a zip file
    does not need to.
    """

    def __init__(self) -> None:
        self._unsent: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._unsent.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing to do: the bytes are sent after each file."""

    def taken(self) -> bytes:
        """The bytes written since the last call."""
        data, self._unsent = b"".join(self._unsent), []
        return data


def account_files(user_id: int) -> Iterator[bytes]:
    """The zip of this account, a piece at a time."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", DEFLATED) as archive:  # type: ignore[call-overload]
        for name, text in _files(user_id):
            archive.writestr(name, text, STORED if isinstance(text, bytes) else DEFLATED)
            yield pipe.taken()
    yield pipe.taken()


def _files(user_id: int) -> Iterator[tuple[str, str | bytes]]:
    yield "about.txt", ABOUT + "".join(f"{kind.about}\n" for kind in kinds() if kind.about)
    for kind in kinds():
        yield from kind.files(user_id)

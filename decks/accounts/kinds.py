"""The kinds of things that people have, with an account or without: what is taken along, exported, counted
and deleted by them.

A test walks all models, so that none which belongs to an account is missing here, and all of their columns,
so that each is in the export or has its reason in ``LEFT_OUT``.
"""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.utils.module_loading import import_string

from cardsdb.games.kit import some
from cardsdb.identity.viewer import Viewer
from cardsdb.models.audit import Event
from cardsdb.site.audit import note

Files = Iterable[tuple[str, str | bytes]]
ABOUT = "This is everything that your Cutout account holds.\n\n"
# The columns that the export leaves out, and why. Besides these it has every column, also of later versions,
# but keys of rows and of other rows, and whose the row is: of the owner, who has the export.
OWNERS = frozenset(("id", "browser", "everyone"))
SECRET, MADE, SITES = "a secret, or a hash of one", "made of other columns", "how the site keeps it"
LEFT_OUT: dict[str, dict[str, str]] = {
    "auth.User": {"password": SECRET, "is_superuser": SITES, "is_staff": SITES, "is_active": SITES},
    "decks.AccountName": {"key": MADE},
    "decks.AccountSession": {"key": SECRET},
    "account.EmailConfirmation": {"created": SITES, "sent": SITES, "key": SECRET},
    "mfa.Authenticator": {"data": SECRET},
    "decks.Deck": {
        **dict.fromkeys(("name_folded", "tags_folded", "size", "size_shown"), MADE),
        "edit_hash": SECRET,
        "judged_by": SITES,
    },
    # The list as text and as JSON has them, in their order.
    "decks.DeckLine": {"position": MADE, "section": MADE},
    "decks.DeckRevision": {"length": MADE, "request_id": SITES},
    "decks.Collection": {"revision": SITES, "changed": SITES},
    "cardsdb.OwnSearch": {"key": MADE},
    "cardsdb.OwnBox": {"state": SITES},
    "printing.UploadedPicture": {"sha256": SITES},
    "printing.PrintJob": dict.fromkeys(
        ("worker", "heartbeat", "attempts", "task", "queued", "file", "sender"), SITES
    ),
}


def columns_of(row: Model) -> dict[str, Any]:
    """Return every column of a row, by its name, but those of ``OWNERS`` and ``LEFT_OUT``."""
    left_out = OWNERS.union(LEFT_OUT.get(row._meta.label, ()))
    return {
        field.name: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.is_relation and field.name not in left_out
    }


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"


def rows_json(rows: Iterable[Any], told: Callable[[Any], dict[str, Any]] = columns_of) -> str:
    return as_json([told(row) for row in rows])


class Taken(NamedTuple):
    """Numbers of things that are the account's now and that stay with the browser; why they do, in words; and
    a sentence on what else stays, if anything.
    """

    moved: int
    stayed: int = 0
    why: str = ""
    besides: str = ""


def room_for(what: str) -> str:
    return f"an account has room for {what}; delete some and take the rest along then"


@dataclass(frozen=True)
class Kind:
    """One kind of thing that an account has or, if it can be taken along, a browser without one.

    ``key``: its name in forms and of its file. ``what``: its name on pages, empty for what no page counts.
    ``noun``: one of it. ``tables``: labels of the models that hold it; the rows of the first are the things.
    ``counted``: viewer -> how many, where these are not its rows. ``take``: account with its browser -> what
    came of taking the browser's along; may raise Refused. ``told``: a row -> what the export's file says of
    it; ``near``: the row beside it that this reads. ``written``: user's number -> (name, content) in the
    export, where it is not all rows in one file. ``about``: a line on these files.
    """

    key: str
    what: str
    noun: str
    tables: tuple[str, ...]
    counted: Callable[[Viewer], int] | None = None
    take: Callable[[Viewer], Taken] | None = None
    told: Callable[[Any], dict[str, Any]] = columns_of
    near: str = ""
    written: Callable[[int], Files] | None = None
    about: str = ""

    def rows(self, viewer: Viewer) -> QuerySet[Any]:
        found: QuerySet[Any] = apps.get_model(self.tables[0]).objects.of(viewer)
        return found

    def count(self, viewer: Viewer) -> int:
        return self.counted(viewer) if self.counted else self.rows(viewer).count()

    def files(self, user_id: int) -> Files:
        if self.written:
            return self.written(user_id)
        rows = self.rows(Viewer(user_id))
        rows = rows.select_related(self.near).order_by("pk") if self.near else rows
        return [(f"{self.key}.json", rows_json(rows.iterator(1_000), self.told))]

    def held(self, viewer: Viewer) -> int:
        """The number that the browser of a logged-in visitor has from before, or has opened since, apart from
        the account's.
        """
        named = self.take and viewer.user_id and viewer.browser
        return self.count(Viewer(browser=viewer.browser)) if named else 0

    def amount(self, number: int) -> str:
        return some(number, self.noun)


def kinds() -> Iterator[Kind]:
    """Every kind, those of the account itself first."""
    for path in settings.CUTOUT_ACCOUNT_KINDS:
        yield from import_string(path)


def held_by_browser(viewer: Viewer) -> list[tuple[Kind, int]]:
    """The kinds of which a logged-in visitor's browser has something that is not the account's, each with how
    many.
    """
    return [(kind, number) for kind in kinds() if (number := kind.held(viewer))]


# -- all of an account: taken along as a file, or deleted -------------------------------------


def delete_user(user_id: int) -> None:
    """Delete the user. The database deletes with it all that the account has, of every kind, files included.

    Decks of others stay, and are liked by one less (``decks.models.people``). The caller opens a transaction.
    """
    # Its own entries go with it; that it was deleted, by its number alone, stays as long as other entries.
    note(Event.ACCOUNT_DELETED, detail=f"account {user_id}")
    User.objects.filter(pk=user_id).delete()


class _Pipe(list[bytes]):
    """The file that the zip is written to: it holds bytes until they are sent. It cannot seek, and a zip file
    does not need to.
    """

    def write(self, data: bytes) -> int:
        self.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: the bytes are sent after each file."""

    def taken(self) -> bytes:
        """Return the bytes written since the last call."""
        data = b"".join(self)
        self.clear()
        return data


def account_files(user_id: int) -> Iterator[bytes]:
    """The zip of this account, a piece at a time."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        archive.writestr("about.txt", ABOUT + "".join(f"{kind.about}\n" for kind in kinds() if kind.about))
        for kind in kinds():
            for name, content in kind.files(user_id):
                # Other apps' files may be pictures, which are compressed already.
                archive.writestr(name, content, zipfile.ZIP_STORED if isinstance(content, bytes) else None)
                yield pipe.taken()
    yield pipe.taken()

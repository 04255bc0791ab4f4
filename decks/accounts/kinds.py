"""The kinds of things that belong to an account (``Kind``), and what is done with all of them: count them,
take them along from a browser without an account, export them, delete them.

The kinds themselves are declared, and tested, in ``account_kinds.py`` and ``printing/web/account_data.py``;
``views.py``, ``adapter.py`` and ``printing/web/mine.py`` use them. ``tests/decks/accounts/test_kinds.py``
walks all models and fails if one that belongs to an account is in no kind, or if a column is neither exported
nor explained in ``LEFT_OUT``. ``test_views.py`` there tests deleting, and the ZIP, which is made while it is
sent; ``test_account_kinds.py`` there what is counted and taken along.
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

# Rows of the database that are held in memory at once.
ROWS_AT_ONCE = 1_000
# (name, content) of each file in the export.
Files = Iterable[tuple[str, str | bytes]]
ABOUT = "This is everything that your Cutout account holds.\n\n"
# Columns that no file of the export has: the primary key, and two that say whose a row is, a browser's or
# everyone's (on private sites). A foreign key to an account is no column of an export either
# (``columns_of``).
OWNERS = frozenset(("id", "browser", "everyone"))
# Reasons why the export leaves a column out.
HIDDEN = "a secret, or a hash of one"
MADE = "made of other columns"
SITES = "how the site keeps it"
# Model -> column -> the reason. All other columns, also new ones, are exported.
LEFT_OUT: dict[str, dict[str, str]] = {
    "auth.User": {"password": HIDDEN, "is_superuser": SITES, "is_staff": SITES, "is_active": SITES},
    "decks.AccountName": {"key": MADE},
    "decks.AccountSession": {"key": HIDDEN},
    "account.EmailConfirmation": {"created": SITES, "sent": SITES, "key": HIDDEN},
    "mfa.Authenticator": {"data": HIDDEN},
    "decks.Deck": {
        **dict.fromkeys(("name_folded", "tags_folded", "size", "size_shown"), MADE),
        "edit_hash": HIDDEN,
        "judged_by": SITES,
    },
    # The order and the sections of the exported list show them.
    "decks.DeckLine": {"position": MADE, "section": MADE},
    "decks.DeckRevision": {"length": MADE, "request_id": SITES},
    "decks.Collection": {"revision": SITES, "changed": SITES},
    "cardsdb.OwnSearch": {"key": MADE},
    "cardsdb.OwnBox": {"state": SITES},
    # The model is in ``cardsdb/models/box.py``; its ``app_label`` is printing.
    "printing.UploadedPicture": {"sha256": SITES},
    "printing.PrintJob": dict.fromkeys(
        ("worker", "heartbeat", "attempts", "task", "queued", "file", "sender"), SITES
    ),
}


def columns_of(row: Model) -> dict[str, Any]:
    """Column -> value of a row, without ``OWNERS``, ``LEFT_OUT`` and keys of other rows."""
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
    """The result of taking one kind along: how many things the account has got (``moved``), how many stay
    with the browser (``stayed``), ``why`` they do, and a sentence on what else stays (``besides``).

    ``why`` ends a sentence: "2 formats stay with this browser: an account has room for 60 formats; ...".
    """

    moved: int
    stayed: int = 0
    why: str = ""
    besides: str = ""


def room_for(what: str) -> str:
    return f"an account has room for {what}; delete some and take the rest along then"


@dataclass(frozen=True)
class Kind:
    """One kind of thing that an account has. A browser without an account may have it too, if it can be taken
    along.

    - ``key``: its name in forms, and the name of its file in the export
    - ``what``: its title on pages, empty if no page counts it; ``noun``: the word for one of it
    - ``tables``: labels of the models that hold it; the rows of the first model are the things
    - ``counted``: viewer -> how many they have, if that is not the number of rows
    - ``take``: moves the things of the viewer's browser to their account; may raise Refused
    - ``told``: row -> what the export says of it; ``near``: the related row that ``told`` reads as well, such
      as the deck of a like, fetched by the same query
    - ``written``: user's key -> files of the export, if they are not simply all rows in one file
    - ``about``: a line on these files for the export's ``about.txt``
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
        if self.near:
            rows = rows.select_related(self.near).order_by("pk")
        return [(f"{self.key}.json", rows_json(rows.iterator(ROWS_AT_ONCE), self.told))]

    def held(self, viewer: Viewer) -> int:
        """The number of things that the browser of a logged-in visitor has apart from the account, if they
        can be taken along; else 0.
        """
        can_be_taken_along = self.take and viewer.user_id and viewer.browser
        return self.count(Viewer(browser=viewer.browser)) if can_be_taken_along else 0

    def amount(self, number: int) -> str:
        return some(number, self.noun)


def kinds() -> Iterator[Kind]:
    """Yield every kind, that of the account itself first."""
    for path in settings.CUTOUT_ACCOUNT_KINDS:
        yield from import_string(path)


def held_by_browser(viewer: Viewer) -> list[tuple[Kind, int]]:
    """(kind, number) for each kind of which the browser of a logged-in visitor has things apart from the
    account.
    """
    return [(kind, number) for kind in kinds() if (number := kind.held(viewer))]


# -- deleting and exporting a whole account -------------------------------------


def delete_user(user_id: int) -> None:
    """Delete the user; database cascades delete all that the account has, files included. Call it in a
    transaction.

    Decks of other people stay, and lose the likes of this user (``decks.models.people``).
    """
    # The account's own entries of the log go with it. This entry names it by number only, and stays.
    note(Event.ACCOUNT_DELETED, detail=f"account {user_id}")
    User.objects.filter(pk=user_id).delete()


class _Pipe(list[bytes]):
    """The file that the ZIP is written to: a list of the pieces that were not sent yet.

    ``zipfile`` writes to a file without ``tell`` and ``seek`` as to a stream: it counts the bytes itself and
    puts sizes behind each file instead of going back to its beginning.
    """

    def write(self, data: bytes) -> int:
        self.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: the bytes are sent after each file of the ZIP."""

    def take(self) -> bytes:
        """Take out and return the bytes written since the last call."""
        data = b"".join(self)
        self.clear()
        return data


def account_files(user_id: int) -> Iterator[bytes]:
    """Yield the ZIP of this account in pieces of bytes, while it is made."""
    pipe = _Pipe()
    # The stubs of ``zipfile`` ask for a file that can seek; the program does not (``_Pipe``).
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        archive.writestr("about.txt", ABOUT + "".join(f"{kind.about}\n" for kind in kinds() if kind.about))
        for kind in kinds():
            for name, content in kind.files(user_id):
                # Bytes are pictures or other files that are compressed already.
                archive.writestr(name, content, zipfile.ZIP_STORED if isinstance(content, bytes) else None)
                yield pipe.take()
    yield pipe.take()

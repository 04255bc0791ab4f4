"""A database of an earlier version migrates without loss, and its migrations can be reversed.

``database_of_an_earlier_release.sql.gz`` is a database of 23 November 2026, before the migrations that follow
``BEFORE``. It holds two accounts, decks of every game and visibility with versions, a like, a favourite, a
comment and a review, own sets, a league's format, print jobs, a browser without an account, and the
catalogue entries of the cards in the decks.
"""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings
from django.utils import timezone

from cardsdb.catalogue.loader import load_all
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Letter, OwnSearch, owned_by
from decks.models import Comment, Deck, DeckRevision, LeagueFormat
from printing.models import PrintJob
from tests.support.processes import Site, answer

pytestmark = [pytest.mark.engine("sqlite"), pytest.mark.django_db]
# The last migration that the old database has, by app.
BEFORE = {
    "cardsdb": "0005_own_sets",
    "decks": "0009_league_formats",
    "printing": "0003_pictures_for_everyone_and_in_windows",
}


def unpacked(folder: Path) -> Site:
    """Unpack the old database into the folder; return it as a site."""
    with closing(sqlite3.connect(folder / "cutout.sqlite3")) as database:
        database.executescript(
            gzip.decompress(
                Path(__file__).with_name("database_of_an_earlier_release.sql.gz").read_bytes()
            ).decode()
        )
    return Site(folder, str(folder / "cutout.sqlite3"))


def prepared() -> str:
    """Migrate the database and load the catalogue, without the files of ``/bulk/``. Return what
    ``sanity_check`` prints.
    """
    call_command("migrate", verbosity=0)
    load_all(games().values())
    output = StringIO()
    call_command("sanity_check", stdout=output, stderr=output)
    return output.getvalue()


def counts() -> dict[str, int]:
    """Table name -> number of rows, for every table with data of visitors."""
    models = [model for app in ("auth", *BEFORE) for model in apps.get_app_config(app).get_models()]
    return {model.__name__: model._default_manager.count() for model in models if model.__name__ in PEOPLE}


# The models whose rows visitors made.
PEOPLE = {
    "User",
    "Deck",
    "DeckRevision",
    "DeckLine",
    "Like",
    "Favourite",
    "Comment",
    "Review",
    "LeagueFormat",
    "BrowserAccess",
    "OwnSet",
    "OwnCard",
    "PrintJob",
}


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory):
    """The old database, migrated once for the module. What ``sanity_check`` printed is in the file
    ``said``.
    """
    with django_db_blocker.unblock():
        old_site = unpacked(tmp_path_factory.mktemp("before"))
        old_site.var.joinpath("said").write_text(answer(old_site, prepared))
        yield old_site


def test_the_migrated_database_passes_the_sanity_check(site):
    output = (site.var / "said").read_text()
    assert output.strip().endswith("Nothing is wrong."), output


def test_no_row_of_a_visitor_is_lost(site):
    with closing(sqlite3.connect(unpacked_beside(site))) as database:
        tables = {
            model.__name__: model._meta.db_table
            for app in ("auth", *BEFORE)
            for model in apps.get_app_config(app).get_models()
        }
        # This table had another name then.
        tables["BrowserAccess"] = "decks_heldkey"
        before = {
            name: database.execute(f"SELECT COUNT(*) FROM {tables[name]}").fetchone()[0] for name in PEOPLE
        }
    assert answer(site, counts) == before
    assert all(before.values())


def unpacked_beside(site: Site) -> Path:
    """Unpack the old database once more; return its path."""
    folder = site.var / "as it was"
    folder.mkdir(exist_ok=True)
    return Path(unpacked(folder).database)


def test_its_decks_keep_their_visibility(site):
    def shown_decks() -> dict[str, tuple[int, bool]]:
        settings.ALLOWED_HOSTS = ["testserver"]
        seen = {}
        for deck in Deck.objects.all():
            answer = Client().get(f"/decks/{deck.link}/")
            seen[deck.name] = (answer.status_code, deck.name in answer.text)
        return seen

    assert answer(site, shown_decks) == {
        "Old Spycraft again": (200, True),
        "Old SpyNet again": (200, True),
        "Old The X-Files CCG again": (200, True),
        "Old Steam Spy again": (404, False),
        "Old Agent Decker again": (404, False),
        "A browser's": (404, False),
    }


def test_its_accounts_keep_their_passwords(site):
    def logins() -> list[bool]:
        tries = [("Ødegård", "a long password 1"), ("Bob", "a long password 2"), ("Bob", "a long password 1")]
        # Django caches the fast password hashers of the tests; override_settings clears that cache.
        with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.Argon2PasswordHasher"]):
            return [
                authenticate(None, username=name, password=password) is not None for name, password in tries
            ]

    assert answer(site, logins) == [True, True, False]


def test_versions_comments_formats_and_jobs_are_unchanged(site):
    def contents() -> list[Any]:
        deck = Deck.objects.get(name="Old SpyNet again")
        versions = DeckRevision.objects.filter(deck=deck).count()
        states = sorted(PrintJob.objects.values_list("state", flat=True))
        league = LeagueFormat.objects.get()
        return [
            versions,
            deck.notes,
            Comment.objects.get().text,
            league.name,
            league.based_on,
            states,
            User.objects.get(username="Ødegård").email,
        ]

    states = ["failed", "waiting"]
    assert answer(site, contents) == [
        2,
        "Line one\nline two",
        "A comment of before",
        "Old league",
        "agency",
        states,
        "ann@example.org",
    ]


def test_a_half_migrated_database_is_refused_with_advice(tmp_path):
    database = unpacked(tmp_path)

    def refused() -> str:
        MigrationRecorder(connection).record_applied("decks", "0011_league_columns")
        tables = connection.introspection.table_names()
        with pytest.raises(CommandError) as caught:
            call_command("migrate", verbosity=0)
        assert connection.introspection.table_names() == tables
        return str(caught.value)

    assert "with a version of 24 to 28 November 2026 first" in answer(database, refused)


def test_a_database_of_28_november_is_migrated(site):
    def is_recorded() -> bool:
        migration = ("cardsdb", "0011_audit")
        MigrationRecorder(connection).record_unapplied(*migration)
        call_command("migrate", verbosity=0)
        return migration in MigrationRecorder(connection).applied_migrations()

    assert answer(site, is_recorded)


def test_an_email_being_sent_stays_with_its_worker_for_a_while(site):
    def is_due_later() -> list[bool]:
        before = [("cardsdb", "0012_browsers")]
        MigrationExecutor(connection).migrate(before)
        old_letter: Any = (
            MigrationExecutor(connection).loader.project_state(before).apps.get_model("cardsdb", "Letter")
        )
        for state in ("running", "waiting"):
            old_letter.objects.create(content={}, state=state)
        call_command("migrate", verbosity=0)
        due = list(Letter.objects.order_by("pk").values_list("due", flat=True))
        Letter.objects.all().delete()
        return [moment > timezone.now() for moment in due]

    assert answer(site, is_due_later) == [True, False]


def test_its_migrations_reverse_and_apply_again(site):
    def there_and_back() -> list[dict[str, int]]:
        first = counts()
        OwnSearch.objects.create(name="a", key="a", query="kai", **owned_by(Viewer(browser="a browser")))
        MigrationExecutor(connection).migrate(list(BEFORE.items()))
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM decks_deckrevision")
            assert cursor.fetchone() == (first["DeckRevision"],)
        forward = MigrationExecutor(connection)
        forward.migrate(forward.loader.graph.leaf_nodes())
        return [first, counts()]

    first, last = answer(site, there_and_back)
    assert first == last


def test_the_migrations_before_reverse_with_filled_tables(tmp_path):
    def remaining_tables() -> list[str]:
        MigrationExecutor(connection).migrate([(app, None) for app in BEFORE])
        ours = tuple(f"{app}_" for app in BEFORE)
        return [name for name in connection.introspection.table_names() if name.startswith(ours)]

    assert answer(unpacked(tmp_path), remaining_tables) == []

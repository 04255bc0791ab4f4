"""The kinds of an account's things are complete: each model that belongs to people is in exactly one kind,
and each of its columns is in the export or has a stated reason to be left out. A new model or column that
belongs to people fails here until it has its kind or its reason.
"""

import io
import json
import zipfile
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import models

from cardsdb.models import Card
from decks.accounts.kinds import LEFT_OUT, kinds

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
# Models with a key of an account that are not its things -> why.
NOBODYS = {"admin.LogEntry": "what staff did in the admin, which the site keeps for itself"}
# Columns that lead to the owner of a row.
OWNERS = {
    "owner",
    "user",
    "author",
    "account",
    "by",
    "deck",
    "box",
    "in_set",
    "collection",
    "email_address",
    "browser",
}


@cache
def is_somebodys(model: type[models.Model]) -> bool:
    """True for a model whose rows belong to an account or a browser, directly or through the row that they
    belong to.
    """
    if model is User or has_browser(model):
        return True
    # The models of rows that take the rows of this model along when they are deleted.
    owners = {
        field.related_model
        for field in model._meta.concrete_fields
        if field.remote_field and field.remote_field.on_delete is models.CASCADE
    }
    return any(is_somebodys(owner) for owner in owners - {model, None})


def has_browser(model: type[models.Model]) -> bool:
    return any(field.name == "browser" for field in model._meta.concrete_fields)


def test_every_model_that_belongs_to_people_is_in_exactly_one_kind():
    somebodys = {model._meta.label for model in apps.get_models() if is_somebodys(model)}
    tables = Counter(table for kind in kinds() for table in kind.tables)
    assert set(tables) == somebodys - set(NOBODYS), (
        "each has its Kind in decks/accounts/account_kinds.py or printing/web/account_data.py"
    )
    assert set(tables.values()) == {1}


def test_all_things_of_browsers_can_be_taken_along():
    taken = {table for kind in kinds() if kind.take for table in kind.tables}
    of_browsers = {model._meta.label for model in apps.get_models() if has_browser(model)}
    # The column ``browser`` of a session is a name in words.
    assert of_browsers - taken == {"decks.AccountSession"}


# -- the export


def value_for(field, mark):
    """A value for this column that appears nowhere else in the export, if its type allows that. ``mark``:
    digits that no other column has.
    """
    number = int(mark)
    if isinstance(field, models.BooleanField):
        return True
    if isinstance(field, models.DateTimeField):
        return datetime(2001, 1 + number % 12, 1 + number % 28, 3, number % 60, tzinfo=UTC)
    if isinstance(field, models.DateField):
        return datetime(1999, 1 + number % 12, 1 + number % 28, tzinfo=UTC).date()
    if isinstance(field, models.JSONField):
        return ["words " + mark] if field.default is list else {"words": mark}
    if isinstance(field, models.IntegerField):
        return number % 900 + 100
    return f"word{mark}"[: field.max_length]


# Column -> a value, where an arbitrary one would be invalid.
CHOSEN = {
    "game": "spycraft",
    "format": "agency",
    "base": "agency",
    "visibility": "private",
    "side": "back",
    "facts": {},
    "content": {"kept": "content"},
    "lines": [],
    "private_because": "",
    "card_code": "kai",
    "count": 77,
}


def filled(model: type[models.Model], **given) -> tuple[Any, dict[str, Any]]:
    """(a new row with a value in every column that is not given, column -> value)."""
    values: dict[str, Any] = {}
    not_filled = OWNERS | {"everyone"} | set(given)
    for number, field in enumerate(model._meta.concrete_fields):
        if field.primary_key or field.is_relation or field.name in not_filled:
            continue
        # Three digits for the model, two for the column.
        mark = f"{700 + sum(map(ord, model._meta.label)) % 89}{number:02}"
        values[field.name] = CHOSEN.get(field.name, value_for(field, mark))
    row = model._default_manager.bulk_create([model(**values, **given)])[0]
    return row, values


def exported(client) -> dict[str, str]:
    """Name -> text of each file in the export."""
    archive = zipfile.ZipFile(io.BytesIO(b"".join(client.get("/account/export.zip").streaming_content)))
    return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


def test_the_export_has_every_column_of_every_kind(client):
    user = User.objects.create_user("Mallory")
    client.force_login(user)
    card = Card.objects.get(game="spycraft", code="kai")
    # Model -> column -> the value to be looked for in the export.
    wanted: dict[str, dict[str, Any]] = {}

    def made(label, **given):
        """A row of this model; its values are noted in ``wanted``."""
        row, wanted[label] = filled(apps.get_model(label), **given)
        return row

    User.objects.filter(pk=user.pk).update(
        first_name="word1",
        last_name="word2",
        email="word3@example.org",
        last_login=datetime(2003, 3, 3, tzinfo=UTC),
    )
    wanted["auth.User"] = {
        "first_name": "word1",
        "last_name": "word2",
        "email": "word3@example.org",
        "last_login": "2003-03-03",
        "username": "Mallory",
        "date_joined": user.date_joined,
    }
    made("decks.AccountSession", user=user, browser="a browser of words")
    address = made("account.EmailAddress", user=user)
    made("account.EmailConfirmation", email_address=address)
    made("mfa.Authenticator", user=user, type="webauthn")
    made("cardsdb.AuditEntry", account=user)
    deck = made("decks.Deck", owner=user, link="decklink", house="", details={"words": "details"})
    made("decks.DeckLine", deck=deck, card=card, section="main", written=None)
    made("decks.DeckRevision", deck=deck)
    made("decks.Comment", deck=deck, author=user)
    made("decks.Like", deck=deck, user=user)
    made("decks.Favourite", deck=deck, user=user)
    made("decks.Review", author=user, card=card)
    made("decks.Owned", collection=made("decks.Collection", owner=user), card=card, count=77)
    made("decks.LeagueFormat", owner=user, declared={"name": "words", "game": "spycraft", "base": "agency"})
    made("cardsdb.OwnSearch", owner=user)
    box = made("cardsdb.OwnBox", owner=user)
    made("cardsdb.OwnText", box=box, card_code="li-cong")
    made("cardsdb.OwnChoice", box=box)
    made("cardsdb.OwnCard", in_set=made("cardsdb.OwnSet", box=box))
    for label in ("UploadedPicture", "PrinterCalibration", "PrintJob", "PastPrint"):
        made(f"printing.{label}", owner=user)
    # All their columns are keys, name the owner, or stand in LEFT_OUT.
    wanted["decks.AccountName"] = wanted["decks.BrowserAccess"] = {}
    assert set(wanted) == {table for kind in kinds() for table in kind.tables}, "a new kind gets its row here"

    text = "\n".join(exported(client).values())
    missing = [
        f"{label}.{name}"
        for label, values in wanted.items()
        for name, value in values.items()
        if name not in LEFT_OUT.get(label, {}) and not stands_in(text, name, value)
    ]
    assert missing == [], (
        "each column is in the export, or has its reason in LEFT_OUT of decks/accounts/kinds.py"
    )


def stands_in(text, name, value) -> bool:
    """True if the export's text contains the value of this column."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return all(str(part) in text for part in value)
    if isinstance(value, (bool, int)):
        return f'"{name}": {json.dumps(value)}' in text
    # A moment may be written with another offset, so that is cut off.
    return str(value).partition("+")[0] in text


def test_every_column_left_out_exists():
    for label, columns in LEFT_OUT.items():
        assert set(columns) <= {field.name for field in apps.get_model(label)._meta.concrete_fields}, label

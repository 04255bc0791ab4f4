"""Plain edit keys leave the stored sessions; their decks stay with the browsers that held them."""

import hashlib
import secrets

from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations

# As decks/identity/viewer.py had it when this was written. Copied, so that what happens there later cannot change what happened here.
BROWSER = "browser"


def hashed(key):
    return hashlib.sha256(key.encode()).hexdigest()


def give_browsers_tokens(apps, schema_editor):
    Deck, HeldKey, Session = (
        apps.get_model("decks", "Deck"),
        apps.get_model("decks", "HeldKey"),
        apps.get_model("sessions", "Session"),
    )
    store = SessionStore()
    for session in Session.objects.iterator(chunk_size=500):
        data = store.decode(session.session_data)
        keys = data.pop("deck_keys", None)
        if keys is None:
            continue
        data.pop("show_edit_link", None)
        token = data[BROWSER] = secrets.token_urlsafe(16)
        decks = Deck.objects.filter(edit_hash__in=[hashed(key) for key in keys])
        HeldKey.objects.bulk_create([HeldKey(browser=hashed(token), deck=deck) for deck in decks])
        session.session_data = store.encode(data)
        session.save(update_fields=["session_data"])


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0002_held_keys_and_verdicts"),
        ("sessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(give_browsers_tokens, migrations.RunPython.noop)]

"""Plain edit keys leave the stored sessions; their decks stay with the browsers that held them."""

from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations

from decks.visitors import BROWSER, hashed, new_key


def give_browsers_tokens(apps, schema_editor):
    Deck, HeldKey, Session = apps.get_model("decks", "Deck"), apps.get_model("decks", "HeldKey"), apps.get_model("sessions", "Session")
    store = SessionStore()
    for session in Session.objects.iterator(chunk_size=500):
        data = store.decode(session.session_data)
        keys = data.pop("deck_keys", None)
        if keys is None:
            continue
        data.pop("show_edit_link", None)
        token = data[BROWSER] = new_key()
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

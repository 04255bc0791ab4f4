"""``manage.py sanity_check`` for print jobs and decks; its checks of pictures are tested in
tests/cardsdb/box/test_picture_store.py. The imported fixture ``no_files_of_others`` gives each test the
database and an empty folder of jobs.
"""

import pytest
from django.core.management import CommandError, call_command

from cardsdb.models import Card, RowState
from tests.support.made_decks import named_deck
from tests.support.print_jobs import claim, fresh, no_files_of_others, silence, stored_job  # noqa: F401


def test_a_job_without_a_worker_is_found_and_fix_queues_it_again(client, capsys):
    row = stored_job(client)
    claim()
    call_command("sanity_check")
    silence(row)
    with pytest.raises(CommandError, match="1 thing wrong"):
        call_command("sanity_check")
    call_command("sanity_check", fix=True)
    assert f"print job {row.link}: stuck" in capsys.readouterr().out and fresh(row).state == RowState.WAITING


def test_a_card_of_a_deck_that_the_game_folders_lost_is_found(client, capsys):
    deck = named_deck(client, "Tiger", "2 Kai")
    Card.objects.filter(game="spycraft", code="kai").update(code="gone")
    with pytest.raises(CommandError, match="1 thing wrong"):
        call_command("sanity_check")
    words = capsys.readouterr().out
    assert "spycraft/gone: the catalogue's files no longer have this card" in words
    assert words.rstrip().endswith(f"decks hold it: {deck.pk}")

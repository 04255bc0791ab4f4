"""``manage.py sanity_check`` for print jobs. Its checks of pictures and decks are tested beside these."""

import pytest
from django.core.management import CommandError, call_command

from cardsdb.models import RowState
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

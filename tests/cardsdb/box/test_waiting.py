"""Files that wait for their owner's decision, in an object store. Their number and their end are tested with
the page, in ``tests/printing/web/test_own_views.py``.
"""

import io

import pytest

from cardsdb.box import waiting
from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer

ANN, BOB = Viewer(browser="ann's"), Viewer(browser="bob's")


@pytest.fixture
def token(bucket):
    """The token of a file of Ann's that waits."""
    return waiting.keep(ANN, io.BytesIO(b"name,text\n"), "cards.csv")


def test_a_waiting_file_is_sized_without_a_download(token, asked):
    asked.clear()
    assert waiting.size_of(ANN, token) == (10, "cards.csv") and asked == ["ListObjectsV2"]


def test_a_waiting_file_is_gone_for_all_but_its_owner_and_deleted_by_none(token):
    with pytest.raises(Refused) as refused, waiting.opened(BOB, token):
        pass
    assert refused.value.status == 410
    waiting.drop(BOB, token)
    with waiting.opened(ANN, token) as (file, name):
        assert (file.read(), name) == (b"name,text\n", "cards.csv")

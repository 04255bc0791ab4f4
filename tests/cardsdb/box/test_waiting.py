"""Files that wait for their owner's decision, in an object store. Their number and their end are tested with
the page, in ``tests/printing/web/test_own_views.py``.
"""

import io

import pytest
from django.core.files.storage import storages

from cardsdb.box import waiting
from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer

ANN, BOB = Viewer(browser="ann's"), Viewer(browser="bob's")


@pytest.fixture
def token(bucket):
    """The token of a file of Ann's that waits."""
    return waiting.keep(ANN, io.BytesIO(b"name,text\n"), "cards.csv")


def test_a_waiting_file_is_sized_without_a_download(token):
    asked: list[str] = []
    events = storages["waiting"].client.meta.events
    events.register("before-call.s3", lambda model, **of: asked.append(model.name), unique_id="sizes")
    assert waiting.size_of(ANN, token) == (10, "cards.csv")
    events.unregister("before-call.s3", unique_id="sizes")
    assert asked == ["ListObjectsV2"]


def test_a_waiting_file_is_gone_for_all_but_its_owner(token):
    with pytest.raises(Refused) as refused, waiting.opened(BOB, token):
        pass
    assert refused.value.status == 410


def test_a_waiting_file_is_not_deleted_by_others(token):
    waiting.drop(BOB, token)
    with waiting.opened(ANN, token) as (file, name):
        assert (file.read(), name) == (b"name,text\n", "cards.csv")

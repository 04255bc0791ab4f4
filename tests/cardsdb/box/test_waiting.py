"""Files that wait for their owner's decision."""

import io

import pytest
from django.core.files.storage import storages

from cardsdb.box import waiting
from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer

ANN, BOB = Viewer(browser="ann's"), Viewer(browser="bob's")


def test_a_waiting_file_is_sized_without_a_download_and_opened_by_its_owner_alone(bucket):
    token, asked = waiting.keep(ANN, io.BytesIO(b"name,text\n"), "cards.csv"), list[str]()
    events = storages["waiting"].client.meta.events
    events.register("before-call.s3", lambda model, **of: asked.append(model.name), unique_id="sizes")
    assert waiting.size_of(ANN, token) == (10, "cards.csv")
    events.unregister("before-call.s3", unique_id="sizes")
    assert asked == ["ListObjectsV2"]
    waiting.drop(BOB, token)
    with pytest.raises(Refused) as refused, waiting.opened(BOB, token):
        pass
    assert refused.value.status == 410
    with waiting.opened(ANN, token) as (file, name):
        assert (file.read(), name) == (b"name,text\n", "cards.csv")

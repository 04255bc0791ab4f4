"""Uploading many pictures: an equal file is the same picture, its place and settings stay, and nothing is
stored twice.
"""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from cardsdb.box import jobs
from cardsdb.box.jobs import Uploaded, upload
from cardsdb.box.picture_files.bounds import PUBLIC
from cardsdb.box.wish import AS_FOUND, Wish
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import UploadedPicture
from tests.support.picture_pages import JPEG
from tests.support.pictures import coded, painted

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ANN = Viewer(browser="ann's")


def bring(*sent: tuple[str, bytes], wish: Wish = AS_FOUND) -> Uploaded:
    files = [SimpleUploadedFile(name, data) for name, data in sent]
    return upload(ANN, files, games()["spycraft"], "front", wish)


KAI, TERMITE = ("kai", "front"), ("termite", "front")


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("first", "again", "where", "sentence"),
    [
        ("kai.jpg", "kai.jpg", [KAI], "1 picture was already yours: its cut, turn and bleed stay"),
        ("kai.jpg", "IMG_0001.jpg", [KAI], "1 picture was already yours"),
        ("IMG_0001.jpg", "kai.jpg", [KAI], "1 picture was already yours"),
        ("kai.jpg", "termite.jpg", [KAI, TERMITE], "1 picture is kept. None were refused."),
        ("kai.jpg termite.jpg", "kai.jpg termite.jpg", [KAI, TERMITE], "2 pictures were already yours"),
        ("", "kai.jpg back/kai.jpg", [KAI], "1 picture is kept. 1 picture was already yours"),
        ("", "IMG_1.jpg IMG_2.jpg", [("", "")], "1 could not be matched to a card"),
    ],
)
def test_the_same_file_is_the_same_picture_whatever_it_is_called_and_stays_as_it_was_cut(
    first, again, where, sentence
):
    before = bring(*((name, JPEG) for name in first.split())).stored
    UploadedPicture.objects.update(crop=[10, 10, 990, 990])
    made = bring(*((name, JPEG) for name in again.split()), wish=Wish(edge="none"))
    assert sentence in " ".join(made.sentences)
    assert sorted(UploadedPicture.objects.values_list("card_code", "side")) == where
    kept = UploadedPicture.objects.filter(pk__in=[row.pk for row in before], edge="mirrored")
    assert [row.crop for row in kept] == [[10, 10, 990, 990]] * len(before)


@pytest.mark.both_databases
def test_a_picture_beyond_the_limit_of_an_upload_is_named_and_the_rest_is_kept(monkeypatch):
    # Enough for two of the large pictures and the small one.
    bounds = PUBLIC._replace(upload_pixels=2 * 300 * 420 + 100)
    monkeypatch.setattr(jobs, "bounds_here", lambda: bounds)
    large = [(f"{n}.jpg", coded(painted(size=(300, 420)), quality=80 + n)) for n in range(3)]
    small = ("small.jpg", coded(painted(size=(9, 9))))
    made = bring(*large, small)
    assert [picture.label for picture in made.stored] == ["0.jpg", "1.jpg", "small.jpg"]
    (fault,) = made.faults
    assert fault.message.startswith("2.jpg would be more than") and "Send it next" in fault.message
    assert made.sentences[-1] == "1 was refused."

"""Writing a compared file: all of it or nothing, whatever others do at the same time."""

import threading

import pytest
from django.db import connection

from cardsdb.box import picture_store, texts
from cardsdb.box.comparing import Report, compare
from cardsdb.box.intake import take
from cardsdb.box.picture_files.bounds import PUBLIC
from cardsdb.box.placing import add as upload
from cardsdb.box.reading.rows import guessed
from cardsdb.box.taking_in import TRIES, BoxChanged, add, take_in
from cardsdb.box.texts import box_of, save_text, texts_of
from cardsdb.box.wish import AS_FOUND
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnText, UploadedPicture
from cardsdb.models.box import Place
from tests.support.meanwhile import failing
from tests.support.packages import octgn_set, package, zipped
from tests.support.pictures import coded, painted

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
ADA, BOB = Viewer(browser="ada's"), Viewer(browser="bob's")
CARDS = [card for card in SPYCRAFT.cards if card.facts.get("octgn_id")][:20]


def compared(cards: list[Card], text: str = "Words.") -> Report:
    sent = package(octgn_set([(card, text) for card in cards]), "set.xml")
    return compare(sent, SPYCRAFT, guessed(sent, SPYCRAFT), OwnBox.objects.of(ADA).first())


def test_nothing_is_written_where_there_is_no_room_for_all_of_it(monkeypatch):
    monkeypatch.setattr(texts, "MAX_TEXTS", 19)
    box = box_of(ADA)
    with pytest.raises(Refused, match="room for 19 texts"):
        add(compared(CARDS), box)
    assert not OwnText.objects.exists()
    add(compared(CARDS[:19]), box)


def test_a_process_killed_halfway_leaves_nothing():
    found, box = compared(CARDS), box_of(ADA)
    with failing(KeyboardInterrupt(), 'UPDATE "cardsdb_ownbox"'), pytest.raises(KeyboardInterrupt):
        add(found, box)
    assert not OwnText.objects.exists()


def test_a_box_that_keeps_changing_is_refused_after_some_tries():
    comparisons: list[Report] = []

    def meanwhile() -> Report:
        comparisons.append(compared(CARDS[:1]))
        save_text(ADA, SPYCRAFT, CARDS[1].code, "Again.")
        return comparisons[-1]

    with pytest.raises(Refused, match="changed elsewhere"):
        take_in(meanwhile, ADA, AS_FOUND, PUBLIC, lambda pictures: None)
    assert (len(comparisons), texts_of(ADA, SPYCRAFT)) == (TRIES, {CARDS[1].code: "Again."})


def test_a_stopped_import_deletes_its_pictures_except_those_that_others_use_by_now(picture_folder):
    kai, termite = (coded(painted(size=(125, 175)), quality=quality) for quality in (80, 90))
    sent = package(zipped({"kai.jpg": kai, "termite.jpg": termite, "snowman.jpg": termite}), "p.zip")
    found = compare(sent, SPYCRAFT, guessed(sent, SPYCRAFT), None)

    def stopped(number: int) -> None:
        if number == 3:
            upload(BOB, take(kai), "kai.jpg", Place("spycraft", "kai", "front"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take_in(lambda: found, ADA, AS_FOUND, PUBLIC, stopped)
    (theirs,) = UploadedPicture.objects.of(BOB)
    assert not UploadedPicture.objects.of(ADA).exists()
    assert {sha256 for sha256, _ in picture_store.stored()} == {theirs.sha256}


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_writes_the_second_finds_the_box_changed():
    box = box_of(ADA)
    both = [compared(cards, f"Mine {number}.") for number, cards in enumerate((CARDS, CARDS[::-1]))]
    outcomes: list[str] = []

    def write(found: Report) -> None:
        try:
            add(found, box)
            outcomes.append("added")
        except BoxChanged:
            outcomes.append("changed")
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=(found,)) for found in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["added", "changed"]

"""A package compared with the catalogue and a box: counted, written whole or not at all, and nothing changes
the second time.
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection

from cardsdb.box import comparing, texts
from cardsdb.box import report as taking_in
from cardsdb.box import texts as choices
from cardsdb.box.comparing import Report, compare, likely_game
from cardsdb.box.intake import AS_FOUND
from cardsdb.box.picture_files.bounds import PUBLIC
from cardsdb.box.reading.container import open_file
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.rows import Package, Stated, changed, guessed
from cardsdb.box.report import add
from cardsdb.box.texts import as_table, box_of, contents, forget, remember, save_text, texts_of
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import FolderError
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnText
from tests.support.packages import octgn_set

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
ADA = Viewer(browser="ada's")
CARDS = [card for card in SPYCRAFT.cards if card.facts.get("octgn_id")][:20]


SKILLED = [card for card in CARDS if isinstance(card.facts.get("craft"), int)] or [
    card for card in SPYCRAFT.cards if isinstance(card.facts.get("craft"), int)
]


def opened(data: bytes, name: str) -> Package:
    return package_of(open_file(io.BytesIO(data), name), name)


def compared(data: bytes, name: str = "mine.csv", choices: Mapping[str, str] | None = None) -> Report:
    package = opened(data, name)
    return compare(
        package,
        SPYCRAFT,
        changed(guessed(package, SPYCRAFT), choices or {}, SPYCRAFT),
        OwnBox.objects.of(ADA).first(),
    )


def counts(found: Report) -> tuple[int, int, int]:
    return len(found.added), len(found.changed), len(found.unchanged)


def bring(data: bytes, name: str = "mine.csv") -> tuple[int, int, int]:
    found = compared(data, name)
    add(found, box_of(ADA))
    return counts(found)


@pytest.mark.both_databases
def test_a_second_run_changes_nothing_and_a_changed_text_is_one_change() -> None:
    words = [(card, f"Invented {number}.") for number, card in enumerate(CARDS)]
    assert bring(octgn_set(words), "set.xml") == (20, 0, 0)
    state = OwnBox.objects.get().state
    assert bring(octgn_set(words), "set.xml") == (0, 0, 20)
    assert OwnBox.objects.get().state == state
    words[0] = (CARDS[0], "Other words.")
    assert bring(octgn_set(words), "set.xml") == (0, 1, 19)
    assert texts_of(ADA, SPYCRAFT)[CARDS[0].code] == "Other words."
    assert OwnText.objects.filter(source="set.xml").count() == 20


def test_comparing_alone_writes_nothing() -> None:
    assert counts(compared(octgn_set([(CARDS[0], "Words.")]), "set.xml")) == (1, 0, 0)
    assert not OwnText.objects.exists() and not OwnBox.objects.exists()


def test_the_report_counts_how_cards_were_found_and_says_what_was_not_understood() -> None:
    kai = next(card for card in SPYCRAFT.cards if card.name == "Kai")
    found = compared(f"name,text\n{kai.name},a\nTracer,b\nNobody Knows,c\n,d\n".encode())
    report = found.as_json()
    assert (report["added"], report["cards_with_text"], report["found_by"]["name"]) == (1, 1, 1)
    assert [(one["file"], one["row"]) for one in report["not_understood"]] == [
        ("mine.csv", 3),
        ("mine.csv", 4),
        ("mine.csv", 5),
    ]
    assert (
        "may be Tracer" in report["not_understood"][0]["reason"]
        and "no card of this game" in report["not_understood"][1]["reason"]
    )


def test_a_choice_is_remembered() -> None:
    twin = next(card for card in SPYCRAFT.cards if card.name == "Tracer")
    box_of(ADA).ownchoices.create(game="spycraft", entry=Stated(name="Tracer").key, card_code=twin.code)
    assert bring(b"name,text\nTracer,Words.\n") == (1, 0, 0)
    assert texts_of(ADA, SPYCRAFT) == {twin.code: "Words."}


def test_facts_that_differ_are_kept_beside_and_change_nothing_of_the_card() -> None:
    card = next(card for card in SPYCRAFT.cards if isinstance(card.facts.get("craft"), int))
    craft = card.facts["craft"]
    bring(f"id,text,craft,combat\n{card.code},Words.,99,N/A\n".encode())
    assert OwnText.objects.get().facts == {"craft": "99"}
    assert SPYCRAFT.card(card.code).facts["craft"] == craft  # type: ignore[union-attr]
    found = compared(f"id,text,craft\n{card.code},Words.,{craft}\n".encode())
    assert found.texts[card.code].facts == {} and counts(found) == (0, 1, 0)
    found = compared(f"id,craft\n{card.code},many?\n".encode())
    assert [one.column for one in found.not_understood] in ([], ["craft"])


def test_what_a_file_does_not_speak_of_stays() -> None:
    card = SKILLED[0]
    bring(f"id,text,craft\n{card.code},Words.,99\n".encode())
    assert bring(f"id,text\n{card.code},Words.\n".encode()) == (0, 0, 1)
    assert bring(f"id,text,craft\n{card.code},,99\n".encode()) == (0, 0, 1)


def test_text_of_two_prints_is_that_of_the_later() -> None:
    xfiles = games()["xfiles"]
    card = next(card for card in xfiles.cards if len([one for one in card.prints if one.code]) > 1)
    early, late = (one.code for one in card.prints[:2])
    for order in ((early, late), (late, early)):
        package = opened(
            "\n".join(["id,text", *(f"{code},of {code}" for code in order)]).encode(), "mine.csv"
        )
        found = compare(package, xfiles, guessed(package, xfiles), None)
        assert (found.texts[card.code].text, found.several) == (f"of {late}", 1)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("One.<br>Two.", "One.\nTwo."),
        ("<b>Intel:</b> draw &amp; discard", "Intel: draw & discard"),
        ("if craft < 4 and combat > 2", "if craft < 4 and combat > 2"),
        ("One.\r\n\r\n\r\n  Two.\t ", "One.\n\nTwo."),
        ("'+2 Craft", "+2 Craft"),
    ],
)
def test_marks_of_pages_and_tables_do_not_stay_in_a_text(said: str, text: str) -> None:
    quoted = said.replace('"', '""')
    assert compared(f'id,text\n{CARDS[0].code},"{quoted}"\n'.encode()).texts[CARDS[0].code].text == text


def test_nothing_is_written_where_there_is_no_room_for_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MAX_TEXTS", 19)
    with pytest.raises(Refused):
        bring(octgn_set([(card, "Words.") for card in CARDS]), "set.xml")
    assert not OwnText.objects.exists()


def test_killed_half_way_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    real = OwnText.objects.bulk_create

    def killed(rows: list[OwnText], **options: Any) -> None:
        real(rows[:5], **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(OwnText.objects, "bulk_create", killed)
    with pytest.raises(KeyboardInterrupt):
        bring(octgn_set([(card, "Words.") for card in CARDS]), "set.xml")
    assert not OwnText.objects.exists()


@pytest.mark.parametrize("called", ["xfiles", "The X-Files CCG", "THE X-FILES CCG"])
def test_a_row_whose_column_names_another_game_is_passed_over_and_says_so(called: str) -> None:
    """Both games may have a card of that name."""
    kai = next(card for card in SPYCRAFT.cards if card.name == "Kai")
    found = compared(
        f"game,name,text\nspycraft,{kai.name},a\n{called},Tokyo,b\nchess,Termite,c\n,Bait,d\n".encode()
    )
    assert set(found.texts) == {kai.code, "termite", "bait"}
    (problem,) = found.not_understood
    assert (problem.row, problem.column) == (3, "game")
    assert "of The X-Files CCG" in problem.reason and "choose that game" in problem.reason


def test_the_game_of_a_file_is_that_which_most_rows_name() -> None:
    name = next(
        iter(sorted({one.name for one in SPYCRAFT.cards} & {one.name for one in games()["xfiles"].cards}))
    )
    for slug in ("spycraft", "xfiles"):
        found = likely_game(opened(f"game,name,text\n{slug},{name},a\n".encode(), "mine.csv"))
        assert found and found.slug == slug


def test_the_game_of_a_file_is_found_by_its_cards() -> None:
    assert likely_game(opened(octgn_set([(card, "Words.") for card in CARDS]), "set.xml")).slug == "spycraft"
    assert likely_game(opened(b"name,text\nNobody Knows,a\n", "mine.csv")) is None


def test_what_is_taken_out_can_be_brought_again() -> None:
    bring(
        'id,text,craft\n{},+2 Craft,99\n{},"a, b\nc",\n'.format(*(card.code for card in SKILLED[:2])).encode()
    )
    table = "".join(as_table(box_of(ADA), "spycraft")).encode()
    assert bring(table) == (0, 0, 2)
    assert [(one.game, one.texts, one.facts) for one in contents([box_of(ADA)])] == [("spycraft", 2, 1)]


def test_forgetting_takes_all_of_one_game_or_of_all() -> None:
    save_text(ADA, SPYCRAFT, "kai", "one")
    save_text(ADA, games()["xfiles"], "first-aid", "two")
    assert forget(box_of(ADA), "xfiles") == 1 and texts_of(ADA, SPYCRAFT)
    assert forget(box_of(ADA)) == 1 and not OwnText.objects.exists()


def test_a_box_that_changed_since_it_was_compared_is_not_written_into() -> None:
    found = compared(octgn_set([(CARDS[0], "One.")]), "set.xml")
    save_text(ADA, SPYCRAFT, CARDS[0].code, "Written meanwhile.")
    with pytest.raises(taking_in.BoxChanged):
        add(found, box_of(ADA))
    assert texts_of(ADA, SPYCRAFT) == {CARDS[0].code: "Written meanwhile."}


def test_a_box_that_changes_all_the_time_is_refused_in_the_end() -> None:
    def meanwhile() -> Report:
        found = compared(octgn_set([(CARDS[0], "One.")]), "set.xml")
        save_text(ADA, SPYCRAFT, CARDS[1].code, "Again.")
        return found

    with pytest.raises(Refused, match="changed elsewhere"):
        taking_in.take_in(meanwhile, ADA, AS_FOUND, PUBLIC, lambda pictures: None)
    assert texts_of(ADA, SPYCRAFT) == {CARDS[1].code: "Again."}


@pytest.mark.both_databases
def test_a_box_remembers_so_many_choices_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "MAX_CHOICES", 2)
    remember(box_of(ADA), SPYCRAFT, {"b": "kai", "a": ""})
    remember(box_of(ADA), SPYCRAFT, {"a": "tracer"})
    with pytest.raises(Refused):
        remember(box_of(ADA), SPYCRAFT, {"c": "kai"})
    assert choices.choices_of(box_of(ADA), SPYCRAFT) == {"a": "tracer", "b": "kai"}


def test_facts_count_for_the_room_of_a_site(monkeypatch: pytest.MonkeyPatch) -> None:
    box_of(ADA).owntexts.create(game="spycraft", card_code="kai", text="", facts={"craft": "x" * 300})
    monkeypatch.setattr(texts, "MAX_CHARACTERS_OF_SITE", 200)
    with pytest.raises(Refused):
        texts.check_room(box_of(ADA), 0, 0)


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
@pytest.mark.django_db(transaction=True)
def test_of_two_that_add_at_once_the_second_sees_what_the_first_wrote() -> None:
    box = box_of(ADA)
    files = [
        octgn_set([(card, f"Mine {number}.") for card in order])
        for number, order in enumerate((CARDS, CARDS[::-1]))
    ]
    both, outcomes = [compared(data, "set.xml") for data in files], []

    def write(found: Report) -> None:
        try:
            add(found, box)
            outcomes.append("added")
        except taking_in.BoxChanged:
            outcomes.append("changed")
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=(found,)) for found in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["added", "changed"]


def test_the_game_of_a_file_is_found_in_one_reading_and_past_a_game_with_faults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package = opened(octgn_set([(card, "Words.") for card in CARDS]), "set.xml")
    read = []
    monkeypatch.setattr(
        package.files, "text_file", lambda name, real=package.files.text_file: read.append(name) or real(name)
    )
    real = comparing.Matcher

    def matcher(game: Any) -> Any:
        if game.slug == "xfiles":
            raise FolderError("cards.csv: line 2 is no row")
        return real(game)

    monkeypatch.setattr(comparing, "Matcher", matcher)
    found = likely_game(package)
    assert (found and found.slug, read) == ("spycraft", ["set.xml"])


def test_a_long_run_of_marks_is_refused_before_it_is_put_in_order() -> None:
    start = time.process_time()
    with pytest.raises(Refused, match="letters"):
        texts.clean_text("a" + "\u0301\u0316" * 100_000)
    assert time.process_time() - start < 1
    assert texts.clean_text("e\u0301" * 4_000) == "é" * 4_000


def test_cells_of_names_are_looked_at_only_so_far() -> None:
    found = compared(b"name,set,text\nTracer," + b"a" * 15_000 + b",Words.\n")
    assert found.open[0].stated.set == "a" * 300

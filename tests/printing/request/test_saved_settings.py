"""What a browser remembers of printing: the last print, settings under names, the paper of sheets."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from cardsdb.faults import Refused
from printing.request.settings import (
    COOKIE,
    MAX_NAME,
    MAX_PRESETS,
    SavedSettings,
    save_settings,
    saved_settings,
)

A3 = {"paper": "a3"}


def refused(settings: SavedSettings, name: str, chosen: dict[str, str] = A3) -> str:
    with pytest.raises(Refused) as caught:
        settings.kept_as(name, chosen)
    return caught.value.faults[0].message


def read_again(cookie: dict[str, Any], **headers: str) -> SavedSettings:
    """What the browser is remembered by that has this cookie."""
    answer = HttpResponse()
    COOKIE.send(answer, cookie)
    request = RequestFactory().get("/print/", headers=headers)
    request.COOKIES.update({name: morsel.value for name, morsel in answer.cookies.items()})
    return saved_settings(request)


def test_settings_are_kept_under_a_name_and_replace_those_of_that_name() -> None:
    settings = SavedSettings(A3).kept_as("Hall", A3).kept_as("Attic", A3).kept_as("HALL", {"paper": "a4"})
    assert settings.own == (("Attic", A3), ("HALL", {"paper": "a4"}))
    assert settings.without("Attic").own == (("HALL", {"paper": "a4"}),)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "Give the settings a name."),
        ("\u200b", "Give the settings a name of letters."),
        ("x" * (MAX_NAME + 1), f"A name has at most {MAX_NAME} letters."),
    ],
)
def test_what_is_no_name_is_refused(name: str, said: str) -> None:
    assert refused(SavedSettings(A3), name) == said


def test_there_is_room_for_so_many_and_for_no_more_than_a_cookie_holds() -> None:
    full = SavedSettings(A3, tuple((f"Hall {number}", A3) for number in range(MAX_PRESETS)))
    assert "which is the most" in refused(full, "One more") and full.kept_as("hall 1", A3)
    assert "no longer fit" in refused(
        SavedSettings(A3),
        "Long",
        {"trim": "".join(sha256(bytes([number])).hexdigest() for number in range(200))},
    )


def test_what_is_remembered_is_read_again_without_what_was_for_one_print() -> None:
    printed = SavedSettings(A3).printed({"paper": "letter", "only": "leaders"}, (("deck", "abc"),))
    settings = printed.kept_as("Hall", A3)
    answer = HttpResponse()
    save_settings(answer, settings)
    request = RequestFactory().get("/print/")
    request.COOKIES.update({name: morsel.value for name, morsel in answer.cookies.items()})
    assert saved_settings(request) == SavedSettings(
        {"paper": "letter"}, (("Hall", A3),), (("deck", "abc"),), "letter"
    )


def test_settings_that_can_no_longer_be_used_are_forgotten() -> None:
    read = read_again(
        {"last": {"paper": "gone"}, "own": [["Hall", {"paper": "gone"}], ["Attic", A3]], "paper": "gone"}
    )
    assert read == SavedSettings({"paper": "a4"}, (("Attic", A3),))


def test_paper_for_one_card_is_no_paper_of_sheets() -> None:
    assert read_again({"last": {"paper": "a4"}, "own": [], "paper": "63x88"}).sheet_paper == "a4"


@pytest.mark.parametrize(
    ("language", "paper"),
    [("en-US,en;q=0.9", "letter"), ("es-MX", "letter"), ("en-GB", "a4"), ("us", "a4"), ("", "a4")],
)
def test_a_new_visitor_gets_the_paper_of_their_country(language: str, paper: str) -> None:
    assert saved_settings(
        RequestFactory().get("/print/", headers={"Accept-Language": language})
    ) == SavedSettings({"paper": paper}, sheet_paper=paper)


@pytest.mark.parametrize("cookie", [{}, {"last": 3, "own": []}, {"last": A3, "own": [3]}])
def test_a_cookie_of_another_make_counts_as_none(cookie: dict[str, Any]) -> None:
    assert read_again(cookie) == SavedSettings({"paper": "a4"})

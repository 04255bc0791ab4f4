"""Pictures are taken in with care: bounds before decoding, whole or not at all, without a word about their
maker, pixels untouched.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from cardsdb.box import intake
from cardsdb.box.intake import take
from cardsdb.box.picture_files.bounds import MEGABYTE, PUBLIC, Rejected
from cardsdb.box.reading.matching import card_and_side
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.site.overload import BoundedRequests
from tests.support.pictures import (
    CANARY,
    Pictures,
    coded,
    interlaced,
    jpeg_that_claims,
    painted,
    picture_with_notes,
    png_that_claims,
    see_through,
    webp_that_claims,
)

GOOD = Pictures(
    {
        "jpeg": lambda: coded(painted(), "JPEG", quality=90),
        "progressive": lambda: coded(painted(), "JPEG", progressive=True),
        "grey": lambda: coded(painted("L"), "JPEG"),
        "cmyk": lambda: coded(painted("CMYK"), "JPEG"),
        "png": lambda: coded(painted(), "PNG"),
        "palette": lambda: coded(painted().quantize(32), "PNG"),
        "one bit": lambda: coded(painted("1"), "PNG"),
        "16 bit": lambda: coded(Image.new("I;16", (60, 80), 40_000), "PNG"),
        "alpha": lambda: coded(see_through(), "PNG"),
        "webp": lambda: coded(painted(), "WEBP"),
        "lossless": lambda: coded(see_through(), "WEBP", lossless=True),
    }
)


def pixels(data: bytes) -> bytes:
    with Image.open(BytesIO(data)) as picture:
        return picture.convert("RGBA").tobytes()


def refusal(data: bytes) -> str:
    with pytest.raises(Rejected) as error:
        take(data)
    return error.value.code


@pytest.mark.parametrize("name", GOOD)
def test_a_whole_picture_is_taken_with_its_very_pixels(name: str) -> None:
    taken = take(GOOD[name])
    assert pixels(taken.data) == pixels(GOOD[name])


@pytest.mark.parametrize(
    "name", ["jpeg", "progressive", "grey", "cmyk", "png", "palette", "one bit", "16 bit"]
)
def test_what_a_pdf_can_hold_is_not_unpacked(name: str) -> None:
    taken = take(GOOD[name])
    assert (taken.colour, taken.mask) == (b"", b"")


def test_opacity_becomes_a_picture_of_its_own() -> None:
    taken = take(GOOD["alpha"])
    with Image.open(BytesIO(taken.colour)) as colour, Image.open(BytesIO(taken.mask)) as mask:
        original = see_through()
        assert colour.tobytes() == original.convert("RGB").tobytes()
        assert mask.tobytes() == original.getchannel("A").tobytes()


def test_opacity_that_hides_nothing_is_left_out() -> None:
    assert take(coded(painted("RGBA"), "PNG")).mask == b""


def test_an_interlaced_picture_is_straightened_without_loss() -> None:
    picture = painted(size=(61, 43))
    taken = take(interlaced(picture))
    assert pixels(taken.colour) == pixels(taken.data) == picture.convert("RGBA").tobytes()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_is_kept_of_what_a_picture_says_of_its_maker(kind: str) -> None:
    data = picture_with_notes(kind)
    assert data.count(CANARY) >= 2
    taken = take(data)
    assert CANARY not in taken.data + taken.colour + taken.mask
    with Image.open(BytesIO(taken.data)) as picture:
        assert not picture.getexif() and not {"comment", "xmp", "Comment", "Place"} & set(picture.info)
    assert pixels(taken.data) == pixels(data)


def test_the_same_picture_with_other_notes_is_the_same_file() -> None:
    assert (
        take(picture_with_notes("JPEG")).sha256
        == take(coded(painted())).sha256
        == hashlib.sha256(take(picture_with_notes("JPEG")).data).hexdigest()
    )


@pytest.mark.parametrize("way", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_lies_as_the_camera_was_held(kind: str, way: int) -> None:
    lossless = {"lossless": True} if kind == "WEBP" else {}
    data = picture_with_notes(kind, way, painted(size=(60, 40)), **lossless)
    taken = take(data)
    with Image.open(BytesIO(taken.data)) as stored, Image.open(BytesIO(data)) as original:
        upright = ImageOps.mirror(stored) if taken.mirrored else stored
        assert (
            upright.rotate(-taken.turn, expand=True).tobytes() == ImageOps.exif_transpose(original).tobytes()
        )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (jpeg_that_claims(9_000, 9_000), "too_many_pixels"),
        (jpeg_that_claims(4_000, 4_000), "damaged"),
        (png_that_claims(13_000, 13_000), "too_many_pixels"),
        (png_that_claims(8_001, 10), "too_many_pixels"),
        (png_that_claims(5_001, 5_000), "too_many_pixels"),
        (png_that_claims(0, 10), "damaged"),
        (webp_that_claims(3_800, 3_700), "too_many_pixels"),
        (png_that_claims(4_000, 4_000), "damaged"),
        (GOOD["jpeg"] + bytes(PUBLIC.bytes), "too_large"),
        (b"", "empty"),
        (b"<?php system($_GET[0]);", "wrong_kind"),
        *((coded(painted(size=(20, 20)), kind), "wrong_kind") for kind in ("PPM", "SGI", "DDS")),
    ],
)
def test_what_is_no_picture_for_print_is_refused_by_name(data: bytes, code: str) -> None:
    assert refusal(data) == code


def test_a_picture_that_is_read_in_part_is_told_its_whole_size() -> None:
    with pytest.raises(Rejected, match=r"has 12\.0 MB; 5 MB"):
        take(b"\xff\xd8\xff" + b"0" * PUBLIC.bytes, 12 * MEGABYTE)


def test_a_bomb_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("it was decoded"))
    for bomb in (
        jpeg_that_claims(9_000, 9_000),
        jpeg_that_claims(4_000, 4_000),
        png_that_claims(13_000, 13_000),
    ):
        refusal(bomb)


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9, 0.999])
def test_a_picture_that_is_cut_off_is_refused(name: str, share: float) -> None:
    data = GOOD[name]
    assert refusal(data[: int(len(data) * share)]) in ("damaged", "wrong_kind")


@settings(deadline=None)
@given(st.sampled_from(sorted(GOOD)), st.integers(0, 400), st.binary(min_size=1, max_size=40))
def test_rubbish_is_taken_whole_or_refused_never_an_error(name: str, at: int, rubbish: bytes) -> None:
    data = GOOD[name]
    try:
        taken = take(data[:at] + rubbish + data[at + len(rubbish) :])
    except Rejected:
        return
    with Image.open(BytesIO(taken.data)) as picture:
        assert picture.size == (taken.width, taken.height)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_a_sentence(data: bytes) -> None:
    for begin in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP"):
        with pytest.raises(Rejected, match=r"\.$"):
            take(begin + data)


def test_pixels_hidden_behind_the_picture_are_cut_off() -> None:
    data = coded(painted(size=(10, 10)), "PNG")
    rows = (bytes(1) + bytes(30)) * 10
    taken = take(png_that_claims(10, 10, zlib.compress(rows) + CANARY))
    assert CANARY not in taken.data and len(taken.data) < len(data)


@pytest.mark.parametrize(
    ("name", "code", "side"),
    [
        ("kai.jpg", "kai", ""),
        ("Kai.PNG", "kai", ""),
        ("012 Kai.webp", "kai", ""),
        ("kai_back.png", "kai", "back"),
        ("Kai (front).jpg", "kai", "front"),
        ("kai (1).jpg", "kai", ""),
        ("../../etc/Kai-750x1050.jpg", "kai", ""),
    ],
)
def test_a_file_finds_its_card_by_its_name(name: str, code: str, side: str) -> None:
    card, matched, _ = card_and_side(name, games()["spycraft"])
    assert card and (card.code, matched) == (code, side)


@pytest.mark.parametrize(
    "name",
    ["kai 11x" + "1111111x" * 25 + "11!", "kai" + " " * 50_000 + "!", "kai" + "-1x" * 20_000, "(" * 50_000],
)
def test_a_name_made_to_be_puzzled_over_is_answered_at_once(name: str) -> None:
    assert card_and_side(f"{name}.png", games()["spycraft"])[1:] == ("", False)


def test_every_card_is_found_by_its_code_and_no_file_by_half_a_name() -> None:
    game = games()["spycraft"]
    assert [card.code for card in game.cards if card_and_side(f"{card.code}.jpg", game)[0] is not card] == []
    assert (
        card_and_side("IMG_20240101_1234.jpg", game)[0] is None and card_and_side("ka.jpg", game)[0] is None
    )


def test_a_card_is_found_by_set_and_number() -> None:
    game = games()["xfiles"]
    places: dict[str, list[Card]] = {}
    for card in game.cards:
        for place in {f"{one.set}-{one.number}.jpg" for one in card.prints if one.number}:
            places.setdefault(place, []).append(card)
    sole = {place: cards[0] for place, cards in places.items() if len(cards) == 1}
    assert len(sole) > 300
    assert [place for place, card in sole.items() if card_and_side(place, game)[0] is not card] == []


@pytest.mark.parametrize("name", ["back.png", "cardback.jpg", "Spycraft back.png"])
def test_a_back_without_a_card_is_that_of_all_cards(name: str) -> None:
    assert card_and_side(name, games()["spycraft"]) == (None, "back", True)


def test_few_wait_for_their_turn_to_decode_and_the_others_are_refused_at_once() -> None:
    """Else they would hold all threads of a process, and its pages too would wait for pictures."""
    turns, bounds = list[str](), BoundedRequests(lambda environ, start_response: [wait()])

    def wait() -> bytes:
        try:
            with intake.decoding():
                turns.append("in")
        except Refused as refused:
            turns.append(f"{refused.status}, {bounds.waiting} wait")
        return b""

    with ThreadPoolExecutor(intake.MAX_WAITING) as threads, intake.decoding():
        waiting = [threads.submit(bounds, {}, print) for _ in range(intake.MAX_WAITING)]
        until = time.monotonic() + 5
        while bounds.waiting < intake.MAX_WAITING and time.monotonic() < until:
            time.sleep(0.001)
        bounds({}, print)
        assert turns == [f"503, {intake.MAX_WAITING} wait"]
    assert [answer.result() for answer in waiting] and turns[1:] == ["in"] * intake.MAX_WAITING

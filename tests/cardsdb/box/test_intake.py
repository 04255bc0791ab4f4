"""Taking pictures in: limits before decoding, all or nothing, no metadata, exact pixels, and what becomes of
colour profiles.
"""

import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cardsdb.box import intake
from cardsdb.box.intake import hash_of, take
from cardsdb.box.picture_files import jpeg
from cardsdb.box.picture_files.bounds import (
    MAX_PROFILE,
    MEGABYTE,
    PRIVATE,
    PUBLIC,
    Allowance,
    Rejected,
)
from cardsdb.faults import Refused
from cardsdb.site.overload import BoundedRequests
from tests.support.pictures import (
    CANARY,
    Pictures,
    broken_profiles,
    coded,
    interlaced,
    jpeg_that_claims,
    painted,
    picture_with_notes,
    pixels,
    png_that_claims,
    profile,
    see_through,
    webp_that_claims,
)

KINDS = pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
SMALL = (60, 80)
# Kinds that a PDF can embed unchanged, and kinds that are unpacked for it.
WHOLE = Pictures(
    {
        "jpeg": lambda: coded(painted(), "JPEG", quality=90),
        "progressive": lambda: coded(painted(), "JPEG", progressive=True),
        "grey": lambda: coded(painted("L"), "JPEG"),
        "cmyk": lambda: coded(painted("CMYK"), "JPEG"),
        "png": lambda: coded(painted(), "PNG"),
        "palette": lambda: coded(painted().quantize(32), "PNG"),
        "one bit": lambda: coded(painted("1"), "PNG"),
        "16 bit": lambda: coded(Image.new("I;16", SMALL, 40_000), "PNG"),
    }
)
UNPACKED = Pictures(
    {
        "alpha": lambda: coded(see_through(), "PNG"),
        "webp": lambda: coded(painted(), "WEBP"),
        "lossless": lambda: coded(see_through(), "WEBP", lossless=True),
    }
)
# Name of every good picture -> the collection that has it.
GOOD = {**dict.fromkeys(WHOLE, WHOLE), **dict.fromkeys(UNPACKED, UNPACKED)}


# -- exact pixels ----------------------------------------------------------------------


@pytest.mark.parametrize("name", GOOD)
def test_a_whole_picture_keeps_its_exact_pixels_and_a_truncated_one_is_refused(name):
    data = GOOD[name][name]
    taken = take(data)
    assert pixels(taken.data) == pixels(data) and not taken.remarks
    is_embedded_unchanged = (taken.colour, taken.mask) == (b"", b"")
    assert is_embedded_unchanged == (name in WHOLE)
    assert hash_of(data) == taken.sha256 == hashlib.sha256(taken.data).hexdigest()
    for share in (0.02, 0.5, 0.999):
        with pytest.raises(Rejected) as refused:
            take(data[: int(len(data) * share)])
        assert refused.value.code in ("damaged", "wrong_kind")


def test_opacity_becomes_a_picture_of_its_own_unless_it_hides_nothing():
    taken, original = take(UNPACKED["alpha"]), see_through()
    with Image.open(BytesIO(taken.colour)) as colour, Image.open(BytesIO(taken.mask)) as mask:
        assert colour.tobytes() == original.convert("RGB").tobytes()
        assert mask.tobytes() == original.getchannel("A").tobytes()
    assert take(coded(painted("RGBA"), "PNG")).mask == b""


def test_an_interlaced_picture_is_straightened_without_loss():
    picture = painted(size=(61, 43))
    taken = take(interlaced(picture))
    assert pixels(taken.colour) == pixels(taken.data) == picture.convert("RGBA").tobytes()


@KINDS
def test_all_notes_on_the_maker_of_a_picture_are_removed(kind):
    data = picture_with_notes(kind)
    assert data.count(CANARY) >= 2
    taken = take(data)
    assert CANARY not in taken.data + taken.colour + taken.mask
    with Image.open(BytesIO(taken.data)) as picture:
        assert not picture.getexif() and not {"comment", "xmp", "Comment", "Place"} & set(picture.info)
    assert pixels(taken.data) == pixels(data)
    if kind == "JPEG":
        assert taken.sha256 == take(coded(painted())).sha256, "the same picture without notes"


# -- refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (jpeg_that_claims(4_000, 4_000), "damaged"),
        (png_that_claims(4_000, 4_000), "damaged"),
        (webp_that_claims(3_800, 3_700), "too_many_pixels"),
        (b"\xff\xd8\xff" + bytes(PUBLIC.bytes), "too_large"),
        (b"", "empty"),
        (b"<?php system($_GET[0]);", "wrong_kind"),
        (coded(painted(size=(20, 20)), "PPM"), "wrong_kind"),
    ],
)
def test_a_file_that_is_no_picture_is_refused_with_its_code(data, code):
    with pytest.raises(Rejected) as refused:
        take(data)
    assert refused.value.code == code


PIXELS = 300 * 420
SCANS = coded(painted(size=(300, 420)), progressive=True).removesuffix(jpeg.END)
# A progressive picture with its last scan 15 times more. It looks the same.
REPEATED = SCANS + SCANS[SCANS.rindex(b"\xff\xda") :] * 15 + jpeg.END


@pytest.mark.parametrize(
    ("data", "bounds", "allowed", "message"),
    [
        (jpeg_that_claims(9_000, 9_000), PUBLIC, 0, "9000 x 9000 pixels; a side may have 8,000"),
        (png_that_claims(13_000, 13_000), PRIVATE, 0, "169.0 million pixels"),
        (coded(painted(), progressive=True), PUBLIC._replace(pixels=800_000, fine=1), 0, "has 0.8 million"),
        (b"\xff\xd8\xff" + bytes(PRIVATE.bytes), PRIVATE, 0, "has 40.1 MB; 40 MB are the most"),
        (coded(painted(size=(300, 420))), PUBLIC, PIXELS - 1, "million pixels at once"),
        (coded(see_through((300, 420)), "PNG"), PUBLIC, PIXELS - 1, "million pixels at once"),
        # Repeated scans count as that many more pixels.
        (REPEATED, PUBLIC, 2 * PIXELS - 1, "million pixels at once"),
        (coded(painted(size=(300, 420)), "WEBP"), PUBLIC, PIXELS - 1, "million pixels at once"),
    ],
)
def test_a_bomb_is_refused_before_it_is_decoded(no_decoding, data, bounds, allowed, message):
    with pytest.raises(Rejected, match=message):
        take(data, allowance=Allowance(allowed) if allowed else None, bounds=bounds)


@settings(deadline=None)
@given(st.sampled_from(sorted(GOOD)), st.integers(0, 400), st.binary(min_size=1, max_size=40))
def test_a_damaged_picture_is_taken_whole_or_refused_and_never_an_error(name, at, rubbish):
    data = GOOD[name][name]
    try:
        taken = take(data[:at] + rubbish + data[at + len(rubbish) :])
    except Rejected:
        return
    with Image.open(BytesIO(taken.data)) as picture:
        assert picture.size == (taken.width, taken.height)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_a_sentence(data):
    for begin in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP"):
        with pytest.raises(Rejected, match=r"\.$"):
            take(begin + data)


# -- waiting to decode -----------------------------------------------------------------


def test_only_a_few_requests_wait_to_decode_and_others_are_refused_at_once():
    """Otherwise they would hold all threads of a process, and its other pages would wait for pictures too."""
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


def test_a_picture_that_cannot_be_decoded_frees_the_lock(impatient):
    data = UNPACKED["lossless"]
    with pytest.raises(Rejected, match="cannot be decoded"):
        take(data[:60] + bytes(len(data) - 60))
    assert take(coded(painted(size=SMALL))).width == 60


# -- colour profiles -------------------------------------------------------------------


def wide_profile(size: int) -> bytes:
    """Return a colour profile of this many bytes: an ordinary one followed by padding."""
    return size.to_bytes(4, "big") + profile()[4:] + bytes(size - len(profile()))


@KINDS
def test_a_broken_profile_is_left_out_and_one_that_is_too_large_is_refused(kind):
    def of(icc_profile: bytes | None) -> bytes:
        return coded(painted(size=SMALL), kind, icc_profile=icc_profile)

    taken = take(of(broken_profiles()["a tag outside"]))
    assert "colour profile" in taken.remarks[0] and pixels(taken.data) == pixels(of(None))
    if kind != "WEBP":
        assert taken.data == take(of(None)).data
    for whole in (profile(), wide_profile(2 * MEGABYTE)):
        kept = take(of(whole))
        with Image.open(BytesIO(kept.data)) as picture, Image.open(BytesIO(taken.data)) as without:
            assert picture.info["icc_profile"] == whole and "icc_profile" not in without.info
        assert not kept.remarks
    with pytest.raises(Rejected, match="colour profile of more than 4 MB") as refused:
        take(of(wide_profile(MAX_PROFILE + 1)))
    assert refused.value.code == "profile_too_large"

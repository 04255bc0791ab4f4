"""Reading and cleaning JPEG files: markers, padding, repeated scans."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.box.picture_files import jpeg
from cardsdb.box.picture_files.bounds import MAX_PARTS, Rejected
from tests.support.pictures import coded, painted

JPEG = coded(painted(size=(60, 80)))
PROGRESSIVE = coded(painted(size=(60, 80)), progressive=True)


def with_segments(parts: bytes) -> bytes:
    """Return the picture with these segments after its first marker."""
    return jpeg.START + parts + JPEG.removeprefix(jpeg.START)


def with_scans(number: int) -> bytes:
    """Return a progressive picture with its last scan repeated up to this many scans. It looks the same."""
    scans = sum(marker == jpeg.SCAN for marker, *_ in jpeg.segments(PROGRESSIVE))
    without_end = PROGRESSIVE.removesuffix(jpeg.END)
    last_scan = without_end[without_end.rindex(b"\xff\xda") :]
    return without_end + last_scan * (number - scans) + jpeg.END


def test_an_empty_frame_counts_as_a_picture_too():
    with pytest.raises(Rejected, match="it holds two pictures"):
        jpeg.clean(with_segments(b"\xff\xc0\0\2"))


@pytest.mark.parametrize("segment", [b"\xff\xc4\0\2", b"\xff\xfe\0\2"], ids=["tables", "words"])
def test_a_file_of_more_segments_than_any_picture_has_is_refused(segment):
    with pytest.raises(Rejected, match=r"more than 12,000 parts\. Save it again"):
        jpeg.clean(with_segments(segment * MAX_PARTS))


@pytest.mark.parametrize(
    "parts", [b"\xff\xfe\0\2" * (MAX_PARTS - 50), b"\xff" * 1_000], ids=["words", "filling"]
)
def test_many_words_and_filling_between_markers_are_passed_over(parts):
    assert jpeg.clean(with_segments(parts)) == jpeg.clean(JPEG)


@pytest.mark.parametrize(
    ("data", "times"),
    [(JPEG, 1), (PROGRESSIVE, 1), (with_scans(12), 1), (with_scans(25), 2), (with_scans(jpeg.MAX_SCANS), 3)],
    ids=["plain", "progressive", "12 scans", "25 scans", "most"],
)
def test_many_scans_cost_as_much_as_more_pixels(data, times):
    assert jpeg.decoding_cost(data) == times
    assert jpeg.is_progressive(data) is (data != JPEG) and jpeg.clean(data)


def test_more_scans_than_any_program_writes_are_refused():
    with pytest.raises(Rejected, match="more than 32 scans"):
        jpeg.clean(with_scans(jpeg.MAX_SCANS + 1))


def plain_end_of_scan(data: bytes) -> int | None:
    """Return the end of a scan as the standard defines it: the first marker (FF and a byte other than 0, FF
    and the restarts D0 to D7).
    """
    for here in range(len(data) - 1):
        if data[here] == 0xFF and data[here + 1] not in (0, 0xFF, *range(0xD0, 0xD8)):
            return here
    return None


@settings(deadline=None)
@given(st.lists(st.sampled_from([0xFF, 0x00, 0xD0, 0xD7, 0xD8, 0xD9, 0x01, 0x41]), max_size=30).map(bytes))
def test_a_scan_ends_at_the_first_marker_that_is_not_part_of_its_data(data):
    try:
        end: int | None = jpeg._end_of_scan(data, 0)
    except Rejected:
        end = None
    assert end == plain_end_of_scan(data)

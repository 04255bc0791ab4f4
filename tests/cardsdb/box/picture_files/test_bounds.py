"""Limits for pictures, and checks of colour profiles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.box.picture_files.bounds import (
    PRIVATE,
    PROGRESSIVE,
    PUBLIC,
    Rejected,
    is_for,
    is_whole,
)
from tests.support.pictures import broken_profiles, profile


@pytest.mark.parametrize(
    ("bounds", "kind", "size", "message"),
    [
        (PUBLIC, "png", (5_001, 5_000), "has 25.1 million pixels .5001 x 5000.; 25 million are the most"),
        (PUBLIC, "png", (8_001, 10), "a side may have 8,000"),
        (PUBLIC, "webp", (3_800, 3_700), "14 million are the most"),
        (PUBLIC, "heif", (3_800, 3_700), "14 million are the most"),
        (PUBLIC, "png", (0, 10), "no pixels"),
        (PRIVATE, "jpeg", (12_001, 10_000), "120.1 million pixels .12001 x 10000.; 120 million"),
        (PRIVATE, PROGRESSIVE, (8_001, 7_500), "60.1 million pixels"),
    ],
)
def test_a_picture_of_too_many_pixels_is_refused_with_its_size(bounds, kind, size, message):
    with pytest.raises(Rejected, match=message):
        bounds.check(kind, *size)


def test_what_is_just_allowed_is_taken():
    PUBLIC.check("webp", 4_000, 3_500)
    PRIVATE.check(PROGRESSIVE, 8_000, 7_500)


# -- colour profiles -------------------------------------------------------------------


@pytest.mark.parametrize("name", broken_profiles())
def test_a_broken_profile_is_not_whole_and_for_no_colours(name):
    broken = broken_profiles()[name]
    assert not is_whole(broken) and not is_for(broken, 3)


def test_a_whole_profile_is_for_its_own_number_of_colours():
    assert is_whole(profile())
    assert [colours for colours in (1, 2, 3, 4) if is_for(profile(), colours)] == [3]


@given(at=st.integers(0, 400), byte=st.integers(0, 255), length=st.integers(0, 700))
def test_any_bytes_can_be_checked_as_a_profile(at, byte, length):
    data = bytearray(profile())
    data[at] = byte
    is_whole(bytes(data[:length]))

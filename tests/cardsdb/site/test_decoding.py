"""JSON from outside: what its bounds let through, and what they refuse with a sentence."""

import pytest

from cardsdb.site.decoding import BadJson, read_json


@pytest.mark.parametrize("number", ["999999999999999999", "-123456789012345678", "-0"])
def test_a_whole_number_has_up_to_eighteen_digits_and_perhaps_a_minus(number):
    assert read_json(f'{{"count": {number}}}') == {"count": int(number)}


@pytest.mark.parametrize("number", ["1000000000000000000", "-1000000000000000000"])
def test_one_of_nineteen_digits_is_refused(number):
    with pytest.raises(BadJson, match="more than 18 digits"):
        read_json(f"[{number}]")

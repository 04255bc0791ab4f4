"""Bounds of integers in JSON. Other bounds are tested in tests/cardsdb/api/test_framework.py and
tests/house/test_hostile_input.py.
"""

import pytest

from cardsdb.site.decoding import BadJson, read_json


@pytest.mark.parametrize("number", ["999999999999999999", "-123456789012345678", "-0"])
def test_an_integer_of_up_to_eighteen_digits_is_read(number):
    assert read_json(f'{{"count": {number}}}') == {"count": int(number)}


@pytest.mark.parametrize("number", ["1000000000000000000", "-1000000000000000000"])
def test_one_of_nineteen_digits_is_refused(number):
    with pytest.raises(BadJson, match="more than 18 digits"):
        read_json(f"[{number}]")

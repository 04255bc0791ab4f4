"""Texts and XML of packages: read whatever their encoding, in bounded memory and time."""

import time

import pytest

from cardsdb.box.reading import contents
from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.contents import elements_of, lines_of, root_tag, text_of

# -- texts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "real", "letters"),
    [
        ("shift_jis", "shift_jis", "カード"),
        ("gbk", "gbk", "卡片"),
        ("utf-16", "utf-16", "Łódź"),
        ("latin1", "latin1", "Café"),
        *(
            (codec, "latin1", "Café \\ud800")
            for codec in ("unicode_escape", "idna", "utf-7", "hex", "nothing")
        ),
    ],
)
def test_a_declared_text_encoding_is_used_and_a_codec_that_is_none_is_ignored(declared, real, letters):
    data = f'<?xml version="1.0" encoding="{declared}"?><a>{letters}</a>'.encode(real)
    assert letters in text_of(data, "a.xml")


def test_lines_and_their_letters_are_bounded_however_lines_end(monkeypatch):
    """A table of 50 MB without line ends took 1.7 GB: each of its cells is an object."""
    monkeypatch.setattr(contents, "MAX_LINES", 4)
    monkeypatch.setattr(contents, "MAX_ROW", 9)
    assert len(lines_of(b"\r" * 4, "a.txt")) == 5
    with pytest.raises(BadPackage, match="more than 4 lines"):
        lines_of(b"\r\n" * 5, "a.txt")
    assert len(lines_of(b"a\n\n" + b"x" * 9, "a.txt")) == 3
    with pytest.raises(BadPackage, match="line 3 has more than 9 letters"):
        lines_of(b"a\n\n" + b"x" * 10, "a.txt")


# -- XML -------------------------------------------------------------------------------


def test_elements_are_dropped_from_their_parents_once_they_are_read():
    data = b"<set>" + b"<a><b/></a><card><p><q/></p></card>" * 5_000 + b"</set>"
    inside, beside = set(), set()
    for above, card in elements_of(data, "set.xml", "card"):
        inside.add(sum(1 for _ in card.iter()))
        beside.add(len(above["set"]))
    # The parser reads a little ahead.
    assert inside == {3} and max(beside) < 1_000


def test_elements_that_lie_deep_are_found_as_fast_as_others():
    names = [f"a{number}" for number in range(4_000)]
    data = f"<{'><'.join(names)}>{'<card/>' * 4_000}</{'></'.join(reversed(names))}>".encode()
    began = time.monotonic()
    assert len([around for around, _ in elements_of(data, "set.xml", "card") if "a3999" in around]) == 4_000
    assert time.monotonic() - began < 2


def test_a_text_without_a_tag_has_no_root():
    assert root_tag(b"<?xml version='1.0'?><!-- cards --><deck>") == "deck" and root_tag(b"name,text") == ""

"""Options: their table, reading and writing their values, and the sizes and words that follow from them."""

from dataclasses import fields, replace
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from printing.exports.export import FIELDS, ExportOptions
from printing.job.limits import size_of
from printing.layout.imposition import layout_for
from printing.options.reading import MAX_SLOTS
from printing.options.sizes import MM, TRIMS, Size
from printing.options.values import (
    MAX_QUOTED,
    NAMED,
    OPTIONS,
    USUAL,
    BadOption,
    Options,
    declared,
    read_options,
)

# -- the table --------------------------------------------------------------------------


def test_every_option_has_a_field_and_absent_values_are_the_defaults():
    assert {field.name for field in fields(Options)} == set(NAMED)
    assert read_options({}) == read_options({name: option.default for name, option in NAMED.items()}) == USUAL


@pytest.mark.parametrize(("class_", "options"), [(Options, OPTIONS), (ExportOptions, FIELDS)])
def test_the_choices_of_an_option_are_the_literal_values_of_its_field(class_, options):
    types = get_type_hints(class_)
    assert [option.name for option in options] == list(types)
    literal = {name: get_args(type_) for name, type_ in types.items() if get_origin(type_) is Literal}
    assert literal == {option.name: tuple(option.choices) for option in options if option.name in literal}
    choices = [option for option in options if option.kind == "choice"]
    assert {option.name for option in choices} - set(literal) <= {"service"}
    assert all(option.default in option.choices for option in choices)


def test_only_the_default_of_a_length_may_be_a_word(tmp_path):
    """It is read as None."""
    file, module = tmp_path / "options.toml", str(tmp_path / "values.py")
    table = (
        '[corner]\nkind = "length"\nlabel = "Corners"\ndefault = "usual"\nmost = 10_000\n[corner.choices]\n'
    )
    file.write_text(f'{table}usual = "As printed"\n3 = "Round"\n')
    (corner,) = declared(module, {})
    assert (corner.read("usual"), corner.read("3")) == (None, 3 * MM)
    file.write_text(f'{table}usual = "As printed"\nnarrow = "Narrow"\n')
    with pytest.raises(ValueError, match=r"options.toml, corner.choices: 'narrow' is no length"):
        declared(module, {})


# -- reading and writing ---------------------------------------------------------------------


def assert_comes_back(options: Options) -> None:
    """Assert that their query is read back as the same options and has only values other than the
    defaults.
    """
    query = options.query()
    assert read_options(query) == options and read_options(query).query() == query
    assert all(value != NAMED[name].default for name, value in query.items())


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ({"paper": "Letter", "trim": "Standard", "gap": "2", "marks": "No"}, {"gap": 2_000, "marks": "none"}),
        ({"trim": "63,5 x 88.9 mm", "gap": "0.5 mm"}, {"trim": TRIMS["poker"], "gap": 500}),
        ({"trim": "70×120", "gap": 1.25, "marks": None}, {"trim": TRIMS["tarot-70"], "gap": 1_250}),
        ({"gap": "0.125 in", "back_x": "-0,25"}, {"gap": 3_175, "back_x": -250}),
        ({"margin": "3 3 12,5 3"}, {"margin": (3_000, 3_000, 12_500, 3_000)}),
        ({"margin": "0.25 in", "block": "2 × 5"}, {"margin": (6_350,) * 4, "block": (2, 5)}),
        ({"scale_x": "100,4 %", "left": "19.05"}, {"scale_x": 10_040, "left": 19_050}),
        ({"skip": "5, 2 2;9", "start": "3"}, {"skip": (2, 5, 9), "start": 3}),
        ({"skip": "1-3, 7 – 8;2"}, {"skip": (1, 2, 3, 7, 8)}),
        ({"back_turn": "-1,25°"}, {"back_turn": -125}),
        ({"back_turn": ".5 degrees"}, {"back_turn": 50}),
        ({"sleeves": "on", "header": "off", "marks": True}, {"sleeves": True, "header": False}),
        ({"only": "t:Gear OR x", "copies": "3"}, {"only": "t:Gear OR x", "copies": 3}),
        ({"extras": "Register, tokens"}, {"extras": ("tokens", "register")}),
        ({"counts": "Kai=3, Li=+1", "paper": "120.5x200"}, {}),
        ({"paper": "A4", "gap": "0 mm", "marks": "yes", "skip": " "}, USUAL.__dict__),
    ],
)
def test_options_are_read_as_people_write_them_and_come_back_from_their_address(given, want):
    options = read_options(given)
    assert {name: getattr(options, name) for name in want} == want
    assert_comes_back(options)
    assert USUAL.query() == {}


@pytest.mark.parametrize(
    ("options", "field", "allowed"),
    [
        ({"paper": "zz"}, "paper", "Paper must be a4 or letter or a3"),
        ({"trim": "10x10"}, "trim", "15 to 200"),
        ({"gap": "21"}, "gap", "0 to 20 mm"),
        ({"gap": "-1"}, "gap", "0 to 20 mm"),
        ({"gap_y": "some"}, "gap_y", "same or 0 to 20 mm"),
        ({"back_turn": "15"}, "back_turn", "-3 to 3 degrees, such as 0.2"),
        ({"back_turn": "0.255"}, "back_turn", "-3 to 3 degrees"),
        ({"back_read": "up"}, "back_read", "Read from a calibration sheet must be here or long or short or"),
        ({"margin": "3 3 12"}, "margin", "one length or four"),
        ({"block": "0x5"}, "block", "columns x rows"),
        ({"block": "30x30"}, "block", "at most 500 slots"),
        ({"scale_x": "110"}, "scale_x", "97 to 103 per cent"),
        ({"copies": "0"}, "copies", "from 1 to 20"),
        ({"skip": "3-1"}, "skip", "such as 2,5 or 1-3"),
        ({"skip": "1-501"}, "skip", "numbers of slots, 1 to 500"),
        ({"skip": "1 " * (MAX_SLOTS + 1)}, "skip", "such as 2,5"),
        ({"micro": "maybe"}, "micro", "yes or no, not “maybe”"),
        ({"since": "x" * 81}, "since", "must be at most 80 letters, not “"),
        ({"counts": "Kai"}, "counts", "must be cards with a number each"),
        ({"extras": "tokens,cake"}, "extras", "tokens, scores, reference, sheets, labels, box, register"),
        ({"colour": "3"}, "option", "paper or orientation"),
    ],
)
def test_a_wrong_value_is_refused_with_its_option_and_the_allowed_values(options, field, allowed):
    with pytest.raises(BadOption) as caught:
        read_options(options)
    assert caught.value.field == field
    assert allowed in str(caught.value)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_has_its_words_and_each_of_its_choices_can_be_read(option):
    assert option.label and option.group and option.allowed
    for choice in option.choices:
        assert_comes_back(read_options({option.name: choice}))


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_endless_value_is_refused_with_no_more_than_its_beginning(option):
    for text in ("¿" * 300, "1" + " " * 1_000_000 + "1", "1x" * 500_000, "1," * 500_000, '"a' * 300_000):
        with pytest.raises(BadOption) as caught:
            read_options({option.name: text})
        assert caught.value.field == option.name and caught.value.allowed
        assert str(caught.value).startswith(f"{option.label} must be ")
        assert len(str(caught.value.value)) <= MAX_QUOTED + 1


def test_an_error_repeats_only_the_beginning_of_a_long_name():
    with pytest.raises(BadOption) as caught:
        read_options({"x" * 900: "1"})
    assert f"not “{'x' * MAX_QUOTED}…”" in str(caught.value)


# -- sizes and words that follow ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "bleed", "pitch"),
    [
        ({}, 0, 63_500),
        ({"gap": "2"}, 1_000, 65_500),
        ({"gap": "10"}, 3_000, 73_500),
        ({"gap": "2", "bleed": "0"}, 0, 65_500),
        ({"bleed": "2"}, 2_000, 67_500),
        ({"bleed": "2", "bleed_where": "outside"}, 2_000, 63_500),
        ({"gap": "4", "gap_y": "1"}, 500, 67_500),
    ],
)
def test_bleed_is_half_of_the_gap_unless_chosen(given, bleed, pitch):
    options = read_options({"paper": "a3", "turn": "upright", **given})
    layout = layout_for(options, (63_500, 88_900))
    assert options.bled == layout.bleed == bleed
    assert layout.slot(1).x - layout.slot(0).x == pitch


def test_a_card_for_a_sleeve_is_a_millimetre_narrower_and_lower(sixth_game):
    options = read_options({"sleeves": "yes", "trim": "standard"})
    assert size_of(sixth_game, options) == (62_000, 87_000)
    assert "for sleeves" in options.words()


def test_a_header_names_the_paper_and_values_that_are_no_defaults():
    given = {
        "paper": "letter",
        "gap": "2",
        "gap_y": "3",
        "backs": "short",
        "back_x": "-0.55",
        "back_y": "0.4",
        "back_turn": "-0.25",
        "front_turn": "0.1",
        "back_read": "short-landscape",
        "ink": "grey",
    }
    assert read_options(given).words() == (
        "US Letter",
        "all turned 0.1° clockwise",
        "gap 2 × 3 mm",
        "short edge",
        "backs 0.55 mm left",
        "backs 0.4 mm down",
        "backs turned 0.25° anticlockwise",
        "as read over the short edge, landscape",
        "greys",
    )
    assert USUAL.words() == ("A4",)
    assert replace(USUAL, paper=Size("x", "320 × 450 mm", 320_000, 450_000)).words() == ("320 × 450 mm",)

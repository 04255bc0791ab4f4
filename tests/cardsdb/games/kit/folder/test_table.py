"""``Table``: how the fields of a dataclass are read, and the faults of missing, wrong and unknown keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pytest

from cardsdb.games.kit import FolderError
from cardsdb.games.kit.folder.table import MAX_FAULTS, DeclaredFile, Table, named_kinds


@dataclass(frozen=True)
class Lamp:
    watts: int
    colour: Literal["white", "red"] = "white"


@dataclass(frozen=True)
class Street:
    name: str
    lamps: tuple[Lamp, ...] = ()
    places: tuple[str, ...] = ()
    is_closed: bool = False


@dataclass(frozen=True)
class Lottery:
    tickets: int | Callable[[int], int]
    drawn: Callable[[int], int] = max


@pytest.fixture
def file():
    return DeclaredFile("town.toml")


def faults_of(file: DeclaredFile) -> list[str]:
    with pytest.raises(FolderError) as told:
        file.end()
    return list(told.value.problems)


def test_a_dataclass_is_made_of_the_keys_that_are_called_like_its_fields(file):
    values = {"name": "Mill Lane", "lamps": [{"watts": 40}, {"watts": 60, "colour": "red"}], "places": "mill"}
    street = Table(values, file).made(Street)
    file.end()
    assert street == Street("Mill Lane", (Lamp(40), Lamp(60, "red")), ("mill",))


def test_a_given_field_is_not_read_and_its_key_is_unknown(file):
    assert Table({"name": "Mill Lane"}, file).made(Street, name="High Street").name == "High Street"
    assert faults_of(file) == ["town.toml, name: means nothing here; known are lamps, places, is_closed"]


@pytest.mark.parametrize(("value", "wanted"), [(7, 7), ("square", pow)])
def test_a_field_of_two_types_is_read_as_the_one_that_its_value_has(value, wanted):
    file = DeclaredFile("town.toml", {"square": pow})
    assert Table({"tickets": value}, file).made(Lottery).tickets == wanted
    file.end()


def test_a_file_without_code_names_no_function(file):
    assert Table({"tickets": "square", "drawn": "square"}, file).made(Lottery).drawn is max
    assert faults_of(file) == [
        "town.toml, tickets: must be a whole number from 0 to 9999, not 'square'",
        "town.toml, drawn: means nothing here; known are tickets",
    ]


def test_a_reader_for_the_name_of_a_field_goes_before_one_for_its_type_and_both_before_the_default_way(file):
    file.readers |= {"watts": lambda table, key: table.number("power"), str: lambda table, key: "by type"}
    street = Table({"name": "Mill Lane", "lamps": [{"power": 40, "watts": "?"}]}, file).made(Street)
    file.end()
    assert (street.name, street.lamps) == ("by type", (Lamp(40),))


def test_an_absent_key_gives_the_default_and_no_reader_is_asked(file):
    file.readers[bool] = lambda table, key: True
    assert Table({"name": "Mill Lane"}, file).made(Street).is_closed is False


def test_missing_and_wrong_values_are_faults_with_the_path_to_their_key(file):
    Table({"lamps": [{"watts": 40}, {"watts": "many"}]}, file).made(Street)
    assert faults_of(file) == [
        "town.toml, name: is missing; it must be text on one line, at most 300 characters",
        "town.toml, lamps.2.watts: must be a whole number from 0 to 9999, not 'many'",
    ]


def test_a_wrong_value_gives_the_default_so_that_reading_goes_on(file):
    table = Table({"players": "two", "colour": "blue", "types": ["agent", "spy"]}, file)
    assert (table.number("players", 2), table.choice("colour", ("white", "red"), "red")) == (2, "red")
    assert table.known("types", {"agent": 1}, "type") == ("agent",)
    assert faults_of(file) == [
        "town.toml, players: must be a whole number from 0 to 9999, not 'two'",
        "town.toml, colour: must be one of white, red, not 'blue'",
        "town.toml, types: 'spy' is no type; declared are agent",
    ]


def test_the_fiftieth_fault_ends_the_reading(file):
    with pytest.raises(FolderError) as told:
        for number in range(MAX_FAULTS + 10):
            file.fault("town.toml", f"wrong {number}")
    assert len(told.value.problems) == MAX_FAULTS


def test_a_class_is_named_in_small_letters_with_underscores():
    class Base:
        pass

    class TeamAndSites(Base):
        pass

    code = {"Base": Base, "TeamAndSites": TeamAndSites, "MAX": 3}
    assert named_kinds(Base, code) == {"team_and_sites": TeamAndSites}

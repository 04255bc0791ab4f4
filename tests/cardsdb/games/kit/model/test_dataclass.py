"""Our ``dataclass`` does what the library's does."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any

import pytest

from cardsdb.games.kit.model.dataclass import dataclass

Maker = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Sent:
    """Pickled, and so at the top of a module."""

    name: str
    count: int = 1


def classes(made: Maker) -> tuple[type[Any], type[Any], type[Any]]:
    """The same three classes made by one of both."""

    @made(frozen=True)
    class Rule:
        code: str
        parts: list[str] = field(default_factory=list)
        span: int = field(default=0, compare=False, repr=False)
        places: tuple[int, ...] = field(default=(), init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "places", (len(self.code),))

    @made(frozen=True)
    class Limit(Rule):
        limit: int = 3
        said: str = field(default="so", kw_only=True)

    @made(frozen=True, slots=True, eq=False)
    class Card:
        name: str

    return Rule, Limit, Card


ours, theirs = classes(dataclass), classes(dataclasses.dataclass)


@pytest.mark.parametrize(
    "does",
    [
        lambda rule, limit, card: repr(limit("A", ["b"], 5, 4, said="not")),
        lambda rule, limit, card: rule("A", span=1) == rule("A", span=2),
        lambda rule, limit, card: rule("A") == limit("A"),
        lambda rule, limit, card: limit("A") == limit("A", said="not"),
        lambda rule, limit, card: rule("A").parts is rule("A").parts,
        lambda rule, limit, card: repr(replace(limit("A"), limit=9, code="BC")),
        lambda rule, limit, card: [(one.name, one.kw_only) for one in fields(limit)],
        lambda rule, limit, card: card("A") == card("A"),
        lambda rule, limit, card: hasattr(card("A"), "__dict__"),
        lambda rule, limit, card: dataclasses.asdict(limit("A")),
        lambda rule, limit, card: limit.__match_args__,
    ],
)
def test_it_does_what_the_librarys_does(does: Callable[..., Any]) -> None:
    assert does(*ours) == does(*theirs)


def test_nothing_can_be_assigned_or_deleted() -> None:
    for one in (made("A") for made in ours):
        with pytest.raises(FrozenInstanceError):
            one.code = "B"
        with pytest.raises(FrozenInstanceError):
            del one.code


def test_equal_ones_have_one_hash_and_what_is_unlike_hardly_has() -> None:
    assert hash(Sent("A", 2)) == hash(Sent("A", 2)) != hash(Sent("A", 3))


def test_it_is_copied_and_pickled() -> None:
    sent = Sent("A", 2)
    assert copy.deepcopy(sent) == pickle.loads(pickle.dumps(sent)) == sent


def test_a_game_of_somebody_else_may_inherit_with_the_librarys() -> None:
    @dataclasses.dataclass(frozen=True)
    class Theirs(ours[0]):  # type: ignore[misc, valid-type, name-defined]
        more: int = 0

    assert Theirs("A", more=2).places == (1,)


def test_one_without_a_needed_value_is_refused() -> None:
    with pytest.raises(TypeError, match="code"):
        ours[0]()


def test_one_that_is_not_frozen_is_the_librarys() -> None:
    @dataclass
    class Count:
        number: int = 0

    count = Count()
    count.number += 1
    assert count == Count(1)

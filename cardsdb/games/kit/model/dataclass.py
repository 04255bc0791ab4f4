"""``dataclass`` as the standard library's, made in a third of the time: a program that judges one deck makes three hundred classes first.

The library writes and compiles six functions for each frozen class. Here only ``__init__`` is; the others are the same functions for all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True):
        """A dataclass. Frozen ones are quickly made; others are the library's own."""
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, slots=slots, eq=eq)
        if not frozen:
            return dataclasses.dataclass(cls, slots=slots, eq=eq)
        return _frozen(cls, slots, eq)


def _frozen(cls: type[Any], slots: bool, eq: bool) -> type[Any]:
    own = set(vars(cls))
    # The library lets a class that is frozen inherit only from such.
    inherits = any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:])
    cls.__doc__ = cls.__doc__ or cls.__name__
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, frozen=inherits, slots=slots)(cls)
    cls.__dataclass_params__.frozen = True
    methods: dict[str, Any] = {"__init__": _init_of(cls), "__repr__": _repr, "__setattr__": _set, "__delattr__": _delete}
    if eq:
        methods |= _comparing(cls)
    if slots:
        methods |= {"__getstate__": _state_of, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in own:
            setattr(cls, name, method)
    return cls


def _init_of(cls: type[Any]) -> Callable[..., None]:
    names: dict[str, Any] = {"set_field": object.__setattr__, "_MISSING": MISSING}
    usual: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for field in fields(cls):
        name = value = argument = field.name
        if field.default is not MISSING:
            names[f"default_{name}"] = field.default
            argument = f"{name}=default_{name}"
        elif field.default_factory is not MISSING:
            names[f"default_{name}"] = field.default_factory
            argument, value = f"{name}=_MISSING", f"default_{name}() if {name} is _MISSING else {name}"
        if field.init:
            (by_name if field.kw_only else usual).append(argument)
            # A slot sets itself sooner than an object looks its slot up.
            if isinstance(slot := getattr(cls, name, None), MemberDescriptorType):
                names[f"set_{name}"] = slot.__set__
                body.append(f" set_{name}(self, {value})")
            else:
                body.append(f" set_field(self, {name!r}, {value})")
        elif field.default is not MISSING or field.default_factory is not MISSING:
            body.append(f" set_field(self, {name!r}, default_{name}{'()' if field.default is MISSING else ''})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    arguments = ", ".join(("self", *usual, *(("*", *by_name) if by_name else ())))
    exec(f"def __init__({arguments}):\n" + ("\n".join(body) or " pass"), names)  # noqa: S102 (as the library does)
    return names["__init__"]  # type: ignore[no-any-return]


def _comparing(cls: type[Any]) -> dict[str, Any]:
    """``__eq__`` and ``__hash__`` by the fields that are compared."""
    names = [field.name for field in fields(cls) if field.compare]
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}


@recursive_repr()
def _repr(self: Any) -> str:
    return f"{type(self).__qualname__}({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in fields(self) if f.repr)})"


def _set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state_of(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)

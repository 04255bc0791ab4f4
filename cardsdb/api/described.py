"""What the schema says: of single operations, which say it themselves, and of all operations alike."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])

# Methods of views, each with what it says of itself. The library that makes the schema is told when one is
# first asked for: a server that waited for the library before it listens would wait a fifteenth longer.
_untold: list[tuple[Callable[..., Any], dict[str, Any]]] = []
_telling = Lock()


def described(**said: Any) -> Callable[[Method], Method]:
    """Say of a method of a view what ``extend_schema`` of drf-spectacular takes."""

    def note(method: Method) -> Method:
        _untold.append((method, said))
        return method

    return note


def tell(endpoints: list[Any]) -> list[Any]:
    """Hook of the library, called before it looks at the views, whoever asks for a schema: all have been
    imported with their addresses.
    """
    from drf_spectacular.utils import extend_schema

    with _telling:
        while _untold:
            method, said = _untold.pop()
            extend_schema(**said)(method)
    return endpoints


def empty_counts_as_left_out(result: dict[str, Any], **generated: Any) -> dict[str, Any]:
    """Say of every parameter behind the question mark that may be left out that it may be empty as well, as
    forms send it.
    """
    for methods in result["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query" and not parameter.get("required"):
                    parameter["allowEmptyValue"] = True
    return result

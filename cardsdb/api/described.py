"""What the schema says of all operations alike."""

from __future__ import annotations

from typing import Any


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

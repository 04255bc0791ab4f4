"""Serializers and the ``operation`` decorator, from which drf-spectacular makes the OpenAPI schema.

Shapes of answers are declared in ``answers.toml`` beside each module with API views; ``shapes`` makes
serializer classes of them. These only describe answers: views return plain dicts. Bodies of requests are
validated by subclasses of ``BodySerializer`` through ``cleaned``. Used by every module with API views:
``views.py``, ``decks/api`` and ``printing/web/api.py``. To add an address: declare its answer, and decorate
the method of its view with ``operation`` (``read`` for the catalogue). Tests compare all real answers with
the schema: ``tests/cardsdb/api/test_schema_holds.py``; of bodies: ``tests/decks/api``, and of wrong choices
in them ``tests/cardsdb/api/test_docs.py``.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.request import Request

from cardsdb.api.framework import Pages
from cardsdb.games.kit.model.text import table_beside

Method = TypeVar("Method", bound=Any)
HEADER = OpenApiParameter.HEADER


def asked(name: str, about: str, *, kind: type = str, place: str = "query", **more: Any) -> OpenApiParameter:
    """Return the description of a parameter for the schema; by default of a text in the query string.
    ``more``: arguments of OpenApiParameter.
    """
    return OpenApiParameter(name, kind, place, description=about, **more)


_SIZES = (
    f"From 1; more than {Pages.max_page_size} gives {Pages.max_page_size}. The default is {Pages.page_size}."
)
PAGE_SIZE = asked("page_size", _SIZES, kind=int)
PAGE = [asked("page", "From 1.", kind=int), PAGE_SIZE]
CURSORS = [
    asked("after", "Where the page begins. Follow “next” instead of making it up."),
    asked("before", "Where the page ends. Follow “previous”; the word end gives the last page."),
    PAGE_SIZE,
]
GAME = asked("game", "Slug of a game; all games without it.")
FIELDS = asked("fields", "Only these parts of each object, separated by commas: name,code.")

# Unknown fields of a body that one error lists.
MAX_UNKNOWN = 12
# Characters of an unknown value or name that an error repeats.
MAX_REPEATED = 40


# -- shapes of answers -------------------------------------------------------------------

# Simple kind of field in ``answers.toml`` -> the function or class that makes its serializer field. To list
# fields of a new kind by name, like ``texts``, add the kind to ``Answer`` and its ``get_fields`` too.
_KINDS: dict[str, Callable[..., serializers.Field[Any, Any, Any, Any]]] = {
    "text": partial(serializers.CharField, allow_blank=True),
    "number": serializers.IntegerField,
    "float": serializers.FloatField,
    "flag": serializers.BooleanField,
    "time": serializers.DateTimeField,
    "any": serializers.JSONField,
}


def _field(kind: str, known: Mapping[str, Any], **more: Any) -> serializers.Field[Any, Any, Any, Any]:
    """Return the serializer field for a kind, as written in ``answers.toml``. ``known``: name -> answer.

    * ``number`` -> IntegerField(), ``number?`` -> IntegerField(allow_null=True)
    * ``number: Of cards.`` -> IntegerField(help_text="Of cards.")
    * ``Card``, the name of an answer -> that answer; ``[Card]`` -> a list of it
    * ``[text]`` -> ListField(child=CharField(...)), ``{number}`` -> DictField(child=IntegerField())
    * ``yes|no`` -> ChoiceField(["yes", "no"])
    """
    kind, colon, help_text = kind.partition(": ")
    if colon:
        return _field(kind, known, help_text=help_text, **more)
    if kind.endswith("?"):
        return _field(kind.removesuffix("?"), known, allow_null=True, **more)
    # What stands between brackets, if it begins with one.
    inner = kind[1:-1]
    match kind[0]:
        case "[" if inner in known:
            return known[inner](many=True, **more)
        case "[":
            return serializers.ListField(child=_field(inner, known), **more)
        case "{":
            return serializers.DictField(child=_field(inner or "any", known), **more)
    if "|" in kind:
        return serializers.ChoiceField(kind.split("|"), **more)
    return (known.get(kind) or _KINDS[kind])(**more)


class Answer(serializers.Serializer[Any]):
    # Base of all answers. This is a comment because the schema would show a docstring as the description of
    # every answer without one. Subclasses declare fields by these attributes, as strings of names:
    #     texts = "next? previous?"      two texts that may be null
    #     numbers = "count"              a number
    #     parts = {"pages": "[number]"}  a list of numbers
    # A subclass has the fields of its base too.

    # Names of fields between spaces, by their kind; with a "?" if the field may be null. Lists are of texts.
    texts = numbers = flags = times = lists = ""
    # Names of fields that may be absent.
    optional = ""
    # True if any field may be absent, because a request can choose fields.
    in_parts = False
    # Further fields: name -> kind (see ``_field``). ``known``: name -> answer that a kind may name.
    parts: Mapping[str, str] = {}
    known: Mapping[str, Any] = {}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = dict[str, serializers.Field[Any, Any, Any, Any]]()
        # Each class of the line of descent adds the fields that it declares itself; bases come first.
        for declared in map(vars, reversed(type(self).__mro__)):
            for kind in ("text", "number", "flag", "time", "list"):
                for name in declared.get(f"{kind}s", "").split():
                    may_be_null = "?" if name.endswith("?") else ""
                    whole_kind = ("[text]" if kind == "list" else kind) + may_be_null
                    fields[name.rstrip("?")] = _field(whole_kind, self.known)
            fields |= {name: _field(kind, self.known) for name, kind in declared.get("parts", {}).items()}
        fields |= super().get_fields()
        for name, field in fields.items():
            if self.in_parts or name in self.optional.split():
                field.required = False
        return fields


def shapes(module: str, **known: Any) -> SimpleNamespace:
    """Return a namespace of the answers in ``answers.toml`` beside a module (``__file__``) and those already
    known: ``shapes(__file__).Card`` is the serializer class of the table ``[Card]``.

    In the file, ``of`` names the base of an answer, which must stand before it; ``about`` is its docstring;
    all other keys are attributes of ``Answer``.
    """
    for name, row in table_beside(module, "answers").items():
        base = known[row.pop("of")] if "of" in row else Answer
        known[name] = type(name, (base,), {"__doc__": row.pop("about", None), "known": known, **row})
    return SimpleNamespace(**known)


# -- bodies of requests ------------------------------------------------------------------


class OneOf(serializers.ChoiceField):
    """A choice whose error lists the valid values."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError:
            known = ", ".join(str(choice) for choice in self.choices)
            raise serializers.ValidationError(
                f"“{str(data)[:MAX_REPEATED]}” is not a choice here. Choose one of: {known}.",
                code="invalid_choice",
            ) from None


class BodySerializer(serializers.Serializer[Any]):
    """Base of bodies of requests. An unknown field is refused by name instead of being ignored."""

    # Fields of the answer that may be sent back in a body; they are ignored.
    answered: frozenset[str] = frozenset()

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        taken = [name for name, field in self.fields.items() if not field.read_only]
        known = {*taken, *self.answered}
        if unknown := [str(name)[:MAX_REPEATED] for name in data if name not in known]:
            sentence = f"This field is unknown. The fields are: {', '.join(taken)}."
            raise serializers.ValidationError(
                {name: [sentence] for name in unknown[:MAX_UNKNOWN]}, code="unknown_field"
            )
        return values


# -- descriptions of operations ----------------------------------------------------------

# The docstrings of the following serializers, and help_text, are shown in the schema.


class ErrorSerializer(Answer):
    """One thing wrong with a request. Every error answer is a list of these."""

    texts = "code message where"
    suggestions = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="Values that may be meant instead; absent if there are none.",
    )


class ProblemSerializer(Answer):
    """A part of a query that is valid but probably not meant, such as a value or a name that no card has."""

    texts = "code message"
    lists = "suggestions"
    where = serializers.CharField(help_text="Its columns in the query, counted from 0.")


# The answers of the catalogue.
answers = shapes(__file__, Problem=ProblemSerializer)

# Status -> answer, for the errors that any operation can give.
ERRORS = dict.fromkeys((400, 404, 405, 406, 413, 415, 429, 503), ErrorSerializer(many=True))
# A read of the catalogue can also be answered by 304, without content; it has no body that could be too large
# (413) or of a wrong type (415).
READ_ERRORS = {304: None, **{status: answer for status, answer in ERRORS.items() if status not in (413, 415)}}


def operation(
    name: str,
    *parameters: OpenApiParameter,
    gives: Any,
    status: int = 200,
    also: Iterable[int] = (),
    errors: Mapping[int, Any] = ERRORS,
    body: Any = empty,
) -> Callable[[Method], Method]:
    """Return a decorator that describes a method of a view for the schema.

    ``name``: its operation id. ``gives``: the answer of a success. ``also``: statuses of errors besides those
    of every operation. ``body``: the serializer of the request's body. The decorated method gets an attribute
    ``takes``, the names of its query parameters, by which unknown ones are refused.
    """
    responses = {status: gives, **dict.fromkeys(also, ErrorSerializer(many=True)), **errors}
    described = extend_schema(operation_id=name, parameters=[*parameters], request=body, responses=responses)

    def decorated(method: Method) -> Method:
        in_query = (parameter for parameter in parameters if parameter.location == OpenApiParameter.QUERY)
        method.takes = [parameter.name for parameter in in_query]
        return described(method)

    return decorated


# The decorator for reads of the catalogue.
read = partial(operation, errors=READ_ERRORS)


def cleaned(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the validated values of a request's body. Raises DRF's ValidationError with all its faults."""
    body = serializer(data=request.data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)

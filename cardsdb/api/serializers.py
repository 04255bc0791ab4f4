"""The shapes of the API's answers, for its schema, read from ``answers.toml``; and the parameters that
several addresses take.
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
    """A parameter as the schema tells of it: text behind the question mark, unless told otherwise."""
    return OpenApiParameter(name, kind, place, description=about, **more)


_SIZES = (
    f"From 1; more than {Pages.max_page_size} gives {Pages.max_page_size}. {Pages.page_size} unless told."
)
PAGE_SIZE = asked("page_size", _SIZES, kind=int)
PAGE = [asked("page", "From 1.", kind=int), PAGE_SIZE]
CURSORS = [
    asked("after", "Where the page begins; taken from “next”, never made up."),
    asked("before", "Where the page ends; taken from “previous”. The word end gives the last page."),
    PAGE_SIZE,
]
GAME = asked("game", "Slug of a game; all of them without it.")
FIELDS = asked("fields", "Only these parts of each object, commas between: name,code.")

# Unknown fields that an error names.
MAX_UNKNOWN = 12


# The kinds of fields that answers have besides other answers.
_KINDS: dict[str, Callable[..., serializers.Field[Any, Any, Any, Any]]] = {
    "text": partial(serializers.CharField, allow_blank=True),
    "number": serializers.IntegerField,
    "float": serializers.FloatField,
    "flag": serializers.BooleanField,
    "time": serializers.DateTimeField,
    "any": serializers.JSONField,
}


def _field(kind: str, known: Mapping[str, Any], **more: Any) -> serializers.Field[Any, Any, Any, Any]:
    """The field of a kind: ``number``, ``Card``, ``Card?`` that may be null, ``[Card]``, ``{number}``,
    ``yes|no``; behind a colon stands its help. ``known``: answers by their names.
    """
    kind, colon, told = kind.partition(": ")
    if colon:
        return _field(kind, known, help_text=told, **more)
    if kind.endswith("?"):
        return _field(kind[:-1], known, allow_null=True, **more)
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
    # An answer as the schema tells of it, which takes a docstring for the answer's own, and that of a base
    # for one without. Each of these has the names of fields, and so have the bases': with a ? those that may
    # be null. Texts may be empty; lists are of texts. ``parts``: further fields with their kinds, which are
    # those of ``known`` besides. ``optional`` ones may be lacking; and any ``in_parts``, of which a request
    # may name those that it wants.
    texts = numbers = flags = times = lists = optional = ""
    in_parts = False
    parts: Mapping[str, str] = {}
    known: Mapping[str, Any] = {}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = dict[str, serializers.Field[Any, Any, Any, Any]]()
        for said in map(vars, reversed(type(self).__mro__)):
            for kind in ("text", "number", "flag", "time", "list"):
                for name in said.get(f"{kind}s", "").split():
                    may_be_null = "?" if name.endswith("?") else ""
                    of_kind = "[text]" if kind == "list" else kind
                    fields[name.rstrip("?")] = _field(of_kind + may_be_null, self.known)
            fields |= {name: _field(kind, self.known) for name, kind in said.get("parts", {}).items()}
        fields |= super().get_fields()
        for name, one in fields.items():
            if self.in_parts or name in self.optional.split():
                one.required = False
        return fields


def shapes(module: str, **known: Any) -> SimpleNamespace:
    """The answers that ``answers.toml`` beside a module declares, by their names, among those that are
    ``known``.
    """
    for name, said in table_beside(module, "answers").items():
        base = known[said.pop("of")] if "of" in said else Answer
        known[name] = type(name, (base,), {"__doc__": said.pop("about", None), "known": known, **said})
    return SimpleNamespace(**known)


class OneOf(serializers.ChoiceField):
    """A choice whose error names what may be chosen."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError:
            known = ", ".join(str(choice) for choice in self.choices)
            raise serializers.ValidationError(
                f"There is no “{str(data)[:40]}” here. There are: {known}.", code="invalid_choice"
            ) from None


class BodySerializer(serializers.Serializer[Any]):
    """A body that is read: a field that it does not know is refused by its name, since the program that
    sends one means something by it.

    ``answered``: fields of the answer that may be sent back as they came; they change nothing.
    """

    answered: frozenset[str] = frozenset()

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        taken = [name for name, field in self.fields.items() if not field.read_only]
        if unknown := [str(name)[:40] for name in data if name not in taken and name not in self.answered]:
            sentence = f"There is no field of this name here. There are: {', '.join(taken)}."
            raise serializers.ValidationError(
                {name: [sentence] for name in unknown[:MAX_UNKNOWN]}, code="unknown_field"
            )
        return values


class ErrorSerializer(Answer):
    """One thing wrong with a request. Every error answer is a list of these."""

    texts = "code message where"
    suggestions = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="What may be meant instead; only where there is something.",
    )


class ProblemSerializer(Answer):
    """Something valid in a query that is probably not meant: a value or a name that no card has."""

    texts = "code message"
    lists = "suggestions"
    where = serializers.CharField(help_text="Its columns in the query, from 0.")


# The answers of the catalogue.
answers = shapes(__file__, Problem=ProblemSerializer)

# Every address may give these: 406, 413 and 415 speak of bodies and media types, the last two of load.
ERRORS = dict.fromkeys((400, 404, 405, 406, 413, 415, 429, 503), ErrorSerializer(many=True))
# A read of the catalogue may also be answered with nothing, because the reader already has it; it has no body
# to be wrong.
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
    """A decorator that tells the schema of a method: its name, what it takes, and what it may answer.

    ``also``: statuses of errors besides those of every address. The method has the names of its query's
    parameters as ``takes``.
    """
    responses = {status: gives, **dict.fromkeys(also, ErrorSerializer(many=True)), **errors}
    described = extend_schema(operation_id=name, parameters=[*parameters], request=body, responses=responses)

    def told(method: Method) -> Method:
        method.takes = [one.name for one in parameters if one.location == OpenApiParameter.QUERY]
        return described(method)

    return told


# The same of a read of the catalogue.
read = partial(operation, errors=READ_ERRORS)


def cleaned(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The values of a request's body. Raises DRF's ValidationError with every fault in it."""
    read = serializer(data=request.data)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)

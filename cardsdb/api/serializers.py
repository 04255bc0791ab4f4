"""The shapes of the API's answers, for its schema, and the parameters that several addresses take."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import UnionType
from typing import Any, TypeVar, get_args

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.request import Request

from cardsdb.api.framework import Pages

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


class Answer(serializers.Serializer[Any]):
    # An answer as the schema tells of it, which takes a docstring for the answer's own, and that of a base
    # for one without. Each of these has the names of fields, and so have the bases': with a ? those that may be
    # null. Texts may be empty; lists are of texts. Other answers are parts of it: one, ``[Many]``, or
    # ``One | None``. ``in_parts``: a request may name the parts that it wants, so that any may be left out.
    texts = numbers = flags = times = lists = ""
    in_parts = False

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = dict[str, serializers.Field[Any, Any, Any, Any]]()
        for base in reversed(type(self).__mro__):
            for kind, field in _FIELDS.items():
                for name in vars(base).get(kind, "").split():
                    fields[name.rstrip("?")] = field(allow_null=name.endswith("?"))
            for name, part in vars(base).items() if issubclass(base, Answer) else ():
                if isinstance(part, list):
                    fields[name] = part[0](many=True)
                elif isinstance(part, UnionType):
                    fields[name] = get_args(part)[0](allow_null=True)
                elif isinstance(part, type):
                    fields[name] = part()
        fields |= super().get_fields()
        for one in fields.values() if self.in_parts else ():
            one.required = False
        return fields


_FIELDS: dict[str, Callable[..., serializers.Field[Any, Any, Any, Any]]] = {
    "texts": partial(serializers.CharField, allow_blank=True),
    "numbers": serializers.IntegerField,
    "flags": serializers.BooleanField,
    "times": serializers.DateTimeField,
    "lists": lambda **more: serializers.ListField(child=serializers.CharField(), **more),
}


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
    """A body that is read: a field that it does not know is refused by its name, since whoever sends one
    means something by it.

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

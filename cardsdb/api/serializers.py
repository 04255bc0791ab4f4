"""What the API's answers look like, for its schema, and the parameters that several addresses take."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from cardsdb.api.parameters import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE

_SIZES = f"From 1; more than {MAX_PAGE_SIZE} gives {MAX_PAGE_SIZE}. {DEFAULT_PAGE_SIZE} unless told."
PAGE_SIZE = OpenApiParameter("page_size", int, description=_SIZES)
PAGE = [OpenApiParameter("page", int, description="From 1."), PAGE_SIZE]
GAME = OpenApiParameter("game", str, description="Slug of a game; all of them without it.")
FIELDS = OpenApiParameter(
    "fields", str, description="Only these parts of each object, commas between: name,code."
)

# Unknown fields that an error names.
MAX_UNKNOWN = 12


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


class ErrorSerializer(serializers.Serializer[Any]):
    """One thing wrong with a request. Every error answer is a list of these."""

    code = serializers.CharField()
    message = serializers.CharField()
    where = serializers.CharField(allow_blank=True)
    suggestions = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="What may be meant instead; only where there is something.",
    )


class ProblemSerializer(serializers.Serializer[Any]):
    """Something valid in a query that is probably not meant: a value or a name that no card has."""

    code = serializers.CharField()
    message = serializers.CharField()
    where = serializers.CharField(help_text="Its columns in the query, from 0.")
    suggestions = serializers.ListField(child=serializers.CharField(allow_blank=True))


# Every address may give the first row of these; the second speaks of bodies and media types, the third of
# load.
ERRORS = {
    **dict.fromkeys((400, 404, 405), ErrorSerializer(many=True)),
    **dict.fromkeys((406, 413, 415), ErrorSerializer(many=True)),
    **dict.fromkeys((429, 503), ErrorSerializer(many=True)),
}
# A read of the catalogue may also be answered with nothing, because the reader already has it; it has no body
# to be wrong.
READ_ERRORS = {304: None, **{status: answer for status, answer in ERRORS.items() if status not in (413, 415)}}


class PrintSerializer(serializers.Serializer[Any]):
    set = serializers.CharField()
    number = serializers.CharField(allow_blank=True)
    rarity = serializers.CharField(allow_blank=True)
    code = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)


class SourceSerializer(serializers.Serializer[Any]):
    """``url``: where all may read the lines; one that begins with ``/`` is an address of this site. Empty
    where nobody shows them.
    """

    document = serializers.CharField()
    section = serializers.CharField(allow_blank=True)
    lines = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    certainty = serializers.CharField()
    value = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_blank=True)


class CreditSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    licence = serializers.CharField()
    licence_url = serializers.CharField()
    work_url = serializers.CharField()
    changes = serializers.CharField()


class CardSerializer(serializers.Serializer[Any]):
    """A card as lists give it; ``include`` adds the rest. ``facts`` lacks whatever no source states."""

    key = serializers.CharField()
    game = serializers.CharField()
    code = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()
    facts = serializers.DictField()
    prints = PrintSerializer(many=True)


class EffectTagsSerializer(serializers.Serializer[Any]):
    when = serializers.ListField(child=serializers.CharField())
    does = serializers.ListField(child=serializers.CharField())
    target = serializers.ListField(child=serializers.CharField())


class EffectSerializer(serializers.Serializer[Any]):
    """One line of what a card does, in our words, and who says so. ``inferred``: the note of its source says
    what that leaves open.
    """

    line = serializers.CharField()
    tags = EffectTagsSerializer()
    source = SourceSerializer()
    certainty = serializers.CharField()


class FullCardSerializer(CardSerializer):
    text = serializers.CharField(allow_blank=True)
    effects = EffectSerializer(many=True)
    aliases = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField(allow_blank=True)
    sources = serializers.DictField(child=SourceSerializer(many=True))
    credit = CreditSerializer(allow_null=True)


class CardPageSerializer(serializers.Serializer[Any]):
    """A page of cards. ``next`` and ``previous`` are addresses to follow as they are."""

    count = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    problems = ProblemSerializer(many=True)
    results = CardSerializer(many=True)


class ObjectPageSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = serializers.ListField(child=serializers.DictField())


class SetSerializer(serializers.Serializer[Any]):
    """A set. ``size`` is how many cards it is said to have, null if nobody says; ``known`` how many the
    catalogue holds.
    """

    key = serializers.CharField()
    game = serializers.CharField()
    code = serializers.CharField()
    name = serializers.CharField()
    year = serializers.CharField(allow_blank=True)
    size = serializers.IntegerField(allow_null=True)
    official = serializers.BooleanField()
    known = serializers.IntegerField()


class SetPageSerializer(ObjectPageSerializer):
    results = SetSerializer(many=True)


class RuleSerializer(serializers.Serializer[Any]):
    """A rule in our words, with the place it was read and the formats that check it."""

    game = serializers.CharField()
    code = serializers.CharField()
    says = serializers.CharField()
    document = serializers.CharField()
    section = serializers.CharField(allow_blank=True)
    lines = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    certainty = serializers.CharField()
    about = serializers.CharField()
    checked_in = serializers.ListField(child=serializers.CharField())


class RulePageSerializer(ObjectPageSerializer):
    results = RuleSerializer(many=True)


class BulkFileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    about = serializers.CharField()
    url = serializers.CharField()
    size = serializers.IntegerField(help_text="In bytes.")
    rows = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField()


class BulkSerializer(serializers.Serializer[Any]):
    """The files of one edition; null and an empty list while none are written."""

    edition = serializers.IntegerField(allow_null=True)
    date = serializers.CharField(allow_null=True)
    files = BulkFileSerializer(many=True)

"""The shapes of what is answered about decks and lists, for the API's schema."""

from rest_framework import serializers

from cardsdb.api.answers import PageSerializer, PlaceSerializer
from cardsdb.api.serializers import Answer, ProblemSerializer
from decks.models.deck import WHO_SEES

# -- verdicts -----------------------------------------------------------------------------


class CitationSerializer(PlaceSerializer):
    texts = ("code", *PlaceSerializer.texts, "says")


class CopiesInSerializer(Answer):
    texts = ("name", "section")
    numbers = ("count",)


class RemovalSerializer(Answer):
    """The fewest copies whose removal cures a violation."""

    texts = ("message",)
    remove = CopiesInSerializer(many=True)
    add = CopiesInSerializer(many=True)


class ViolationSerializer(Answer):
    texts = ("code", "problem", "message", "house")
    lists = ("cards",)
    severity = serializers.ChoiceField(choices=["illegal", "incomplete", "unknown", "note"])
    found = serializers.JSONField(allow_null=True)
    wanted = serializers.JSONField(allow_null=True)
    citation = CitationSerializer(allow_null=True)
    repairs = RemovalSerializer(many=True)


class LeagueSerializer(Answer):
    """The league whose format a list was judged by: what the format is called, and the document that its
    rules are cited from.

    ``lost``: there is none that you may see; ``format`` alone judged it.
    """

    texts = ("link", "name", "document", "by", "url")
    flags = ("lost",)


class NoticeSerializer(Answer):
    """What was set aside of a line. ``line`` counts in the list; ``where`` is the place in what was sent,
    which may be a file.
    """

    texts = ("where", "message")
    numbers = ("line",)


class UnreadSerializer(NoticeSerializer):
    """A line that was not read, with what may be meant, and the verdict by each."""

    texts = (*NoticeSerializer.texts, "text", "code")
    lists = ("suggestions", "outcomes")


class MeterSerializer(Answer):
    """How many cards are counted by a rule, and how many it wants; null where it has no such bound."""

    texts = ("code", "label")
    numbers = ("found",)
    flags = ("kept",)
    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)


class CardsInSerializer(Answer):
    texts = ("section",)
    numbers = ("count",)


class RepairChangeSerializer(Answer):
    """``card`` is null of one that was written in."""

    texts = ("name", "section")
    numbers = ("by",)
    card = serializers.CharField(allow_null=True)


class OtherRepairSerializer(Answer):
    texts = ("card", "name", "instead_of", "message")
    changes = RepairChangeSerializer(many=True)


class RepairSerializer(Answer):
    """A smallest repair, the verdict after it, and other cards that would do as well."""

    texts = ("message", "verdict")
    numbers = ("size",)
    flags = ("for_example",)
    changes = RepairChangeSerializer(many=True)
    others = OtherRepairSerializer(many=True)


class GuessedSerializer(Answer):
    """Why game and format were taken; empty for what was said."""

    texts = ("game", "format")


class VerdictSerializer(Answer):
    """What judging a list gives: the same object as ``check_deck --json``."""

    texts = ("game", "format", "house", "readings", "legal_elsewhere", "opening")
    league = LeagueSerializer(allow_null=True)
    verdict = serializers.ChoiceField(choices=["legal", "incomplete", "illegal", "undecided"])
    violations = ViolationSerializer(many=True)
    unread = UnreadSerializer(many=True)
    notices = NoticeSerializer(many=True)
    meters = MeterSerializer(many=True)
    repairs = RepairSerializer(many=True, required=False)
    sections = CardsInSerializer(many=True)
    guessed = GuessedSerializer()


# -- decks --------------------------------------------------------------------------------


class DeckHeadSerializer(Answer):
    texts = ("id", "url", "game", "format", "name")
    numbers = ("revision",)
    visibility = serializers.ChoiceField(choices=WHO_SEES)
    changed = serializers.DateTimeField()


class ListedDeckSerializer(DeckHeadSerializer):
    """A deck in a list. ``sizes``: the cards in each section that you may see, by its name."""

    texts = (*DeckHeadSerializer.texts, "verdict", "house")
    numbers = (*DeckHeadSerializer.numbers, "likes")
    flags = ("forked",)
    lists = ("tags",)
    by = serializers.CharField(allow_null=True)
    sizes = serializers.DictField(child=serializers.IntegerField())
    created = serializers.DateTimeField()


class DeckPageSerializer(PageSerializer):
    """A page of decks. ``problems``: what is probably not meant; ``unjudged``: decks that could not be asked
    for their verdict yet.
    """

    numbers = (*PageSerializer.numbers, "unjudged")
    problems = ProblemSerializer(many=True)
    results = ListedDeckSerializer(many=True)


class CardToldSerializer(Answer):
    """``card``: its key, null of one that was written in."""

    texts = ("name", "type")
    card = serializers.CharField(allow_null=True)


class PrintsOfLineSerializer(Answer):
    texts = ("print",)
    numbers = ("count",)


class DeckLineSerializer(CardToldSerializer):
    texts = (*CardToldSerializer.texts, "section")
    numbers = ("count",)
    prints = PrintsOfLineSerializer(many=True)


class StoredDeckSerializer(DeckHeadSerializer):
    """A deck, judged. ``edit_key`` is told once, of a new deck; ``words`` says what a change did."""

    texts = (*DeckHeadSerializer.texts, "notes", "house", "text")
    lists = ("tags",)
    details = serializers.DictField()
    lines = DeckLineSerializer(many=True)
    report = VerdictSerializer()
    edit_key = serializers.CharField(required=False)
    words = serializers.CharField(required=False, allow_blank=True)


class LineChangeSerializer(Answer):
    texts = ("name", "section")
    numbers = ("before", "after")
    card = serializers.CharField(allow_null=True)


class RevisionSerializer(Answer):
    """A state of a deck with what it changed, and the numbers of the states that undo and redo lead to."""

    texts = ("kind", "name", "words")
    numbers = ("number",)
    made = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    changes = LineChangeSerializer(many=True)
    undo_to = serializers.IntegerField(allow_null=True)
    redo_to = serializers.IntegerField(allow_null=True)


class RevisionPageSerializer(PageSerializer):
    results = RevisionSerializer(many=True)


class ContentLineSerializer(Answer):
    """A line with a card of the catalogue by its ``code``, or one that was written in, and with its marks."""

    texts = ("section",)
    numbers = ("count",)
    code = serializers.CharField(required=False)


class ContentSerializer(Answer):
    texts = ("name", "format", "house", "notes")
    lists = ("tags",)
    details = serializers.DictField()
    lines = ContentLineSerializer(many=True)


class FullRevisionSerializer(RevisionSerializer):
    """A state of a deck with all that its author wrote."""

    content = ContentSerializer()


# -- files --------------------------------------------------------------------------------


class LossSerializer(Answer):
    texts = ("code", "message", "where")


class ConvertedSerializer(Answer):
    """A list in another format, and what that format cannot hold."""

    texts = ("filename", "content_type", "text")
    losses = LossSerializer(many=True)


class TakenForSerializer(Answer):
    texts = ("format", "title", "dialect")


class ImportedSerializer(Answer):
    """What was read of a file. ``text`` may be sent to ``/api/v1/decks/`` to keep it; ``report`` is what
    judging it gives.
    """

    texts = ("game", "name", "notes", "house", "text")
    lists = ("tags",)
    taken_for = TakenForSerializer()
    losses = LossSerializer(many=True)
    report = VerdictSerializer()


# -- formats of leagues --------------------------------------------------------------------


class LeagueFormatSerializer(Answer):
    """A format in a list. ``house``: what the house rules of a deck begin with that is judged by it; ``url``:
    its page.
    """

    texts = ("id", "url", "address", "game", "name", "by", "based_on", "visibility", "house")
    changed = serializers.DateTimeField()


class LeagueRuleSerializer(Answer):
    """``own``: the league says it, not the game."""

    texts = ("code", "says")
    flags = ("own",)


class FullLeagueFormatSerializer(LeagueFormatSerializer):
    """``rules`` is null where the game has changed so that the format can be read no longer; ``declared`` is
    what its file says.
    """

    rules = LeagueRuleSerializer(many=True, allow_null=True)
    declared = serializers.DictField()


class LeagueFormatPageSerializer(PageSerializer):
    results = LeagueFormatSerializer(many=True)

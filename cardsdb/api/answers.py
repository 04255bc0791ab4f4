"""The shapes of the catalogue's answers, for the API's schema."""

from rest_framework import serializers

from cardsdb.api.serializers import Answer, ProblemSerializer


class PageSerializer(Answer):
    """A page of a list. ``next`` and ``previous`` are addresses to follow as they are."""

    numbers = ("count",)
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)


class PlaceSerializer(Answer):
    """Where something was read. ``pages``: those on which the lines begin, where they were compared."""

    texts = ("document", "section", "lines", "url", "certainty")
    pages = serializers.ListField(child=serializers.IntegerField())


class NotedPlaceSerializer(PlaceSerializer):
    texts = (*PlaceSerializer.texts, "note")


class CitedSerializer(NotedPlaceSerializer):
    """A place that a statement stands on; ``rule`` is the code of one that is a rule."""

    texts = (*NotedPlaceSerializer.texts, "rule")


class CreditSerializer(Answer):
    texts = ("text", "licence", "licence_url", "work_url", "changes")


# -- cards -------------------------------------------------------------------------------


class PrintSerializer(Answer):
    texts = ("set", "number", "rarity", "code", "note")
    in_parts = True


class SourceSerializer(Answer):
    """``url``: where all may read the lines; one that begins with ``/`` is an address of this site. Empty
    where nobody shows them.
    """

    texts = ("document", "section", "lines", "url", "certainty", "note")
    value = serializers.CharField(allow_null=True)


class EffectTagsSerializer(Answer):
    lists = ("when", "does", "target")


class EffectSerializer(Answer):
    """One line of what a card does in the words of searches, the sentence that says it to people, and who says
    so. ``inferred``: the note of its source says what that leaves open.
    """

    texts = ("line", "sentence", "certainty")
    tags = EffectTagsSerializer()
    source = SourceSerializer()


class CardSerializer(Answer):
    """A card, or the parts of it that were asked for. ``facts`` lacks whatever no source states. Lists have
    the parts after ``prints`` only where ``include`` or ``fields`` names them.
    """

    texts = ("key", "game", "code", "name", "type", "text", "note")
    lists = ("aliases",)
    in_parts = True
    facts = serializers.DictField()
    prints = PrintSerializer(many=True)
    effects = EffectSerializer(many=True)
    sources = serializers.DictField(child=SourceSerializer(many=True))
    credit = CreditSerializer(allow_null=True)


class CardPageSerializer(PageSerializer):
    problems = ProblemSerializer(many=True)
    results = CardSerializer(many=True)


# -- sets, rules, terms ------------------------------------------------------------------


class SetSerializer(Answer):
    """A set. ``size`` is how many prints it is said to have, null if nobody says; ``known`` how many the
    catalogue holds.
    """

    texts = ("key", "game", "code", "name", "year")
    numbers = ("known",)
    flags = ("official",)
    in_parts = True
    size = serializers.IntegerField(allow_null=True)


class SetPageSerializer(PageSerializer):
    results = SetSerializer(many=True)


class RuleSerializer(PlaceSerializer):
    """A rule in our words, with the place it was read and the formats that check it."""

    texts = ("game", "code", "says", *PlaceSerializer.texts, "about")
    lists = ("checked_in",)
    in_parts = True


class RulePageSerializer(PageSerializer):
    results = RuleSerializer(many=True)


class TermSerializer(Answer):
    """A term of a game's glossary."""

    texts = ("game", "slug", "term", "meaning")
    lists = ("aliases", "facts", "see")
    in_parts = True
    source = NotedPlaceSerializer()
    credit = CreditSerializer(allow_null=True)


class TermPageSerializer(PageSerializer):
    results = TermSerializer(many=True)


# -- games -------------------------------------------------------------------------------


class CardTypeSerializer(Answer):
    texts = ("slug", "name", "plural", "kind")
    flags = ("in_decks",)


class FormatSerializer(Answer):
    texts = ("slug", "name", "help")
    flags = ("official",)
    lists = ("sections",)


class GameSerializer(Answer):
    """A game, or the parts of it that were asked for. ``entries``: how many cards, stand-ins, components and
    terms the catalogue holds; ``league_formats``: the address of the formats that leagues made of it.
    """

    texts = ("slug", "name", "publisher", "year", "summary", "kind", "league_formats")
    numbers = ("cards",)
    in_parts = True
    entries = serializers.DictField(child=serializers.IntegerField())
    credit = CreditSerializer(allow_null=True)
    types = CardTypeSerializer(many=True)
    formats = FormatSerializer(many=True)


class GamePageSerializer(PageSerializer):
    results = GameSerializer(many=True)


class FactSerializer(Answer):
    texts = ("key", "kind", "label", "help")
    lists = ("types", "aliases")


class SectionSerializer(Answer):
    texts = ("slug", "name")
    flags = ("secret",)
    lists = ("types",)


class RulingSerializer(Answer):
    texts = ("id", "question", "treatment", "lines")
    lists = ("rules",)


class StarterSerializer(Answer):
    texts = ("slug", "name", "format", "text")


class FullGameSerializer(GameSerializer):
    """A game with its facts, sections, rules, rulings and starters."""

    in_parts = False
    facts = FactSerializer(many=True)
    sections = SectionSerializer(many=True)
    rules = RuleSerializer(many=True)
    rulings = RulingSerializer(many=True)
    starters = StarterSerializer(many=True)


class ReachSerializer(Answer):
    texts = ("word", "title", "says")


class ImprintSerializer(Answer):
    texts = ("label", "says", "url")
    sources = CitedSerializer(many=True)


class PlayStepSerializer(Answer):
    texts = ("title", "says", "note")
    lists = ("rulings",)
    sources = CitedSerializer(many=True)


class PlayTableSerializer(Answer):
    lists = ("head",)
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_blank=True)))


class PlayPartSerializer(Answer):
    """``places``: where a marker can stand."""

    texts = ("slug", "title", "says", "page")
    flags = ("ordered",)
    lists = ("places",)
    sources = CitedSerializer(many=True)
    steps = PlayStepSerializer(many=True)
    table = PlayTableSerializer(allow_null=True)


class PlayGuideSerializer(Answer):
    """How a game is played. ``reach``: how far that can be done with what is here."""

    texts = ("game",)
    reach = ReachSerializer(allow_null=True)
    imprint = ImprintSerializer(many=True)
    parts = PlayPartSerializer(many=True)
    credit = CreditSerializer(allow_null=True)


# -- queries, files, addresses -----------------------------------------------------------


class TreeSerializer(Answer):
    """A part of a query, in these columns; by its ``kind`` it has ``parts``, a ``part``, or what is said of
    cards.
    """

    texts = ("kind",)
    numbers = ("start", "end")


class SortKeySerializer(Answer):
    texts = ("key",)
    flags = ("descending",)


class FoundProblemSerializer(Answer):
    texts = ("code", "message")
    numbers = ("start", "end")
    lists = ("suggestions",)


class ExplainedSerializer(Answer):
    """How a query is understood. ``tree`` is null where nothing is asked."""

    texts = ("normal", "words")
    tree = TreeSerializer(allow_null=True)
    order = SortKeySerializer(many=True)
    problems = FoundProblemSerializer(many=True)


class BulkFileSerializer(Answer):
    texts = ("name", "about", "url", "sha256")
    size = serializers.IntegerField(help_text="In bytes.")
    rows = serializers.IntegerField(allow_null=True)


class BulkSerializer(Answer):
    """The files of one edition; null and an empty list while none are written."""

    edition = serializers.IntegerField(allow_null=True)
    date = serializers.CharField(allow_null=True)
    files = BulkFileSerializer(many=True)


class ListedGameSerializer(Answer):
    texts = ("slug", "name", "kind", "address", "league_formats")
    lists = ("formats",)


class AddressSerializer(Answer):
    texts = ("address", "about")
    lists = ("methods",)


class IndexSerializer(Answer):
    texts = ("documentation", "schema")
    games = ListedGameSerializer(many=True)
    addresses = AddressSerializer(many=True)

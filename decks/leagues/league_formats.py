"""A league's format: a game's format with changes of its own (banned cards, points, other numbers). It is
stored as what its TOML file declares (``Declared``, checked by ``read_league``)::

    {"game": "spycraft", "name": "Tuesday", "based_on": "agency", "leave_out": ["AG-3"],
     "rules": [{"rule": "banned", "cards": ["Kai"]}, {"rule": "copies", "limit": 1},
               {"rule": "points", "cards": {"Li Cong": 3}, "limit": 10}]}

The functions at the top change one rule of a declaration and return a new one. The form knows the kinds of
rule in ``SIMPLE``; any other rule of a file is kept as it is. ``views.py`` uses both. The functions at the
end store, claim, change and delete formats, also for ``decks/accounts/account_kinds.py`` and
``decks/public/moderation.py``. Tests: ``tests/decks/leagues/test_league_formats.py``; of the forms, and of
rules of a file that are kept, ``test_views.py`` beside it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone

from cardsdb.box.texts import box_of, locked
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Citation, FolderError, Format, Game, fold
from cardsdb.games.kit.declared.formats import MAX_LEAGUE_FILE, parse_league_file, read_league
from cardsdb.games.kit.folder.table import MAX_NUMBER, MAX_TEXT
from cardsdb.games.kit.rules.house_rules import MAX_NUMBER as MAX_RULE_NUMBER
from cardsdb.games.kit.rules.house_rules import rule_numbers
from cardsdb.identity.viewer import Viewer
from cardsdb.models.audit import Event
from cardsdb.site.audit import note, note_moderated, note_visibility
from decks.models import LeagueFormat, Visibility
from decks.models.league import WHO_SEES
from decks.web.forms import NameField

# What the TOML file of a format declares, as parsed.
Declared = Mapping[str, Any]

# Points that a deck may have if the format does not say.
USUAL_POINTS = 10
# Cards that all lists of a format may have together.
MAX_CARDS = 500
# The kinds of rules that are lists of cards.
LISTS = ("banned", "points")
# Kind of rule -> the keys that the form can edit. A rule with any other key is left alone.
SIMPLE = {
    "copies": {"rule", "limit"},
    "size": {"rule", "at_least", "at_most", "exactly"},
    "only_sets": {"rule", "sets"},
    "banned": {"rule", "cards"},
    "points": {"rule", "cards", "limit"},
}


def begun(game: str, base: str, name: str) -> dict[str, Any]:
    """A new declaration, which changes nothing yet in the format that it builds on."""
    return {"game": game, "name": name, "based_on": base}


def rules_of(declared: Declared) -> list[dict[str, Any]]:
    """The rules that the declaration adds. Anything else in their place, as a file may have, is ignored."""
    rules = declared.get("rules")
    return [rule for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []


def simple_rule(declared: Declared, kind: str) -> dict[str, Any]:
    """The first rule of this kind that the form can edit, that is with no keys but those of ``SIMPLE``; {} if
    there is none.
    """
    for rule in rules_of(declared):
        if rule.get("rule") == kind and set(rule) <= SIMPLE[kind]:
            return rule
    return {}


def other_rules(declared: Declared) -> list[tuple[int, dict[str, Any]]]:
    """(position from 0, rule) of each rule that the form cannot edit: one with other keys, and the second of
    a kind.
    """
    # Compared by identity, because an equal rule may stand there twice.
    known = [id(simple_rule(declared, kind)) for kind in SIMPLE]
    return [(place, rule) for place, rule in enumerate(rules_of(declared)) if id(rule) not in known]


def with_rule(declared: Declared, kind: str, **keys: Any) -> dict[str, Any]:
    """The declaration with these keys in its simple rule of this kind, which keeps its place. If all values
    are empty, the rule is removed: ``with_rule(declared, "copies", limit=None)``.
    """
    old, rules = simple_rule(declared, kind), rules_of(declared)
    # 0 is a value: a deck may have no points at all.
    given = {key: value for key, value in keys.items() if value not in (None, [], {})}
    new = [{"rule": kind, **given}] if given else []
    # Compared by identity, because an equal rule may stand there twice. A new rule comes behind the last one.
    place = next((place for place, rule in enumerate(rules) if rule is old), len(rules))
    return without_rule(declared, place, instead=new)


def without_rule(declared: Declared, place: int, instead: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """The declaration without the rule at this position, or with others ``instead`` of it."""
    rules = rules_of(declared)
    # Behind the last rule this removes nothing and adds ``instead``.
    rules[place : place + 1] = instead
    rest = {key: value for key, value in declared.items() if key != "rules"}
    return rest | ({"rules": rules} if rules else {})


@dataclass(frozen=True)
class ShownRule:
    """A rule as pages show it. ``is_own``: it is the league's, not the game's."""

    code: str
    citation: Citation | None
    is_own: bool


def shown_rules(game: Game, format: Format) -> list[ShownRule]:
    """The rules of a league's format, each code once."""
    # Code -> citation of the rules that the league made.
    own = format.league.citations if format.league else {}
    codes = dict.fromkeys(rule.code for rule in format.rules)
    return [ShownRule(code, own.get(code) or game.citations.get(code), code in own) for code in codes]


# -- lists of cards -----------------------------------------------------------------------


def listed(declared: Declared, kind: str) -> dict[str, int]:
    """Name or code of each card on the list ``kind`` ("banned" or "points") -> its points; 0 for banned
    cards. ``"cards": ["Kai"]`` and ``"cards": "Kai"`` give {"Kai": 0}, ``"cards": {"Kai": 3}`` {"Kai": 3}.
    """
    cards = simple_rule(declared, kind).get("cards", {})
    if isinstance(cards, dict):
        return dict(cards)
    return dict.fromkeys([cards] if isinstance(cards, str) else map(str, cards), 0)


def points_limit(declared: Declared) -> int | None:
    """The points that a deck may have together, or None if the format does not say."""
    limit = simple_rule(declared, "points").get("limit")
    return limit if isinstance(limit, int) else None


def with_card(declared: Declared, kind: str, called: str, cost: int | None = 0) -> dict[str, Any]:
    """The declaration with this card (``called``, a name or code) on a list at this cost; with None it is
    taken off. The last card takes its rule with it.
    """
    cards = {name: costs for name, costs in listed(declared, kind).items() if fold(name) != fold(called)}
    cards |= {} if cost is None else {called: cost}
    if kind == "banned":
        return with_rule(declared, kind, cards=list(cards))
    limit = points_limit(declared)
    if limit is None and cost is not None:
        limit = USUAL_POINTS
    return with_rule(declared, kind, cards=cards, limit=limit if cards else None)


# -- the forms ----------------------------------------------------------------------------

# Characters of the name of a format, or of its file.
MAX_NAME = 80


class BeginForm(forms.Form):
    """The form that begins a format: its name, and the format that it builds on, as ``game/format``."""

    name = NameField("format", MAX_NAME, label="Name")
    base = forms.CharField(
        max_length=90, label="Builds on", error_messages={"required": "Choose the format that it builds on."}
    )

    def clean_base(self) -> tuple[Game, str]:
        """Return (the game, the slug of its format)."""
        slug, _, format = self.cleaned_data["base"].partition("/")
        game = games().get(slug)
        if game is None or format not in game.formats_by_slug:
            raise ValidationError("Choose one of the formats offered.", code="unknown_format")
        return game, format


class LeagueFileForm(forms.Form):
    """The form that takes in a format from its file."""

    file = forms.FileField(label="File", error_messages={"required": "Choose a file such as tuesday.toml."})

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_LEAGUE_FILE:
            raise ValidationError(
                f"The file is too large: {MAX_LEAGUE_FILE // 1024} KB at most.", code="too_large"
            )
        return file


def _number(label: str, least: int = 1, most: int = MAX_NUMBER, hint: str = "") -> forms.IntegerField:
    """A field for a whole number or nothing."""
    wrong = f"A whole number from {least} to {most}, or nothing."
    return forms.IntegerField(
        required=False,
        min_value=least,
        max_value=most,
        label=label,
        help_text=hint,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), wrong),
        widget=forms.TextInput({"inputmode": "numeric", "maxlength": "5", "autocomplete": "off"}),
    )


def _line(label: str, hint: str = "") -> forms.CharField:
    return forms.CharField(required=False, max_length=MAX_TEXT, label=label, help_text=hint)


class LeagueSettingsForm(forms.Form):
    """The settings of a format, all but its lists of cards: its description, who sees it, and its rules with
    a number.
    """

    use_required_attribute = False

    name = NameField("format", MAX_NAME, label="Name")
    by = _line("Who plays it", "Such as the name of your league.")
    url = _line(
        "Its rules elsewhere", "An address that begins with https://, where your league explains itself."
    )
    help = _line("In a sentence", "What a player should know first.")
    visibility = forms.ChoiceField(choices=WHO_SEES, label="Who sees it")
    copies = _number("Copies of a card, at most", hint="1 is singleton. Empty: as the format beneath has it.")
    at_least = _number("Cards in the deck, at least")
    at_most = _number("Cards in the deck, at most")
    points_limit = _number(
        "Points of a deck, at most",
        0,
        hint=f"What the cards of the points list may cost together; {USUAL_POINTS} if empty.",
    )
    sets = forms.MultipleChoiceField(
        required=False, label="Only these sets", widget=forms.CheckboxSelectMultiple
    )
    leave_out = forms.MultipleChoiceField(
        required=False, label="Rules left out", widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, game: Game, declared: Declared, visibility: str, data: Any = None) -> None:
        """Fill the form in from a declaration. ``data``: what was posted, or None."""
        base = game.formats_by_slug[declared["based_on"]]
        self._numbers = rule_numbers(base)
        changed = declared.get("numbers", {})
        size = simple_rule(declared, "size")
        initial = {
            **{key: declared.get(key, "") for key in ("name", "by", "url", "help")},
            "visibility": visibility,
            "copies": simple_rule(declared, "copies").get("limit"),
            # The form has no field for "exactly": it is both bounds at once.
            "at_least": size.get("exactly", size.get("at_least")),
            "at_most": size.get("exactly", size.get("at_most")),
            "points_limit": points_limit(declared),
            "sets": simple_rule(declared, "only_sets").get("sets", []),
            "leave_out": declared.get("leave_out", []),
            **{f"number:{number.key}": changed.get(number.key, number.value) for number in self._numbers},
        }
        super().__init__(data, initial=initial)
        self.fields["sets"].choices = [(card_set.code, card_set.name) for card_set in game.sets]
        self.fields["leave_out"].choices = [
            (code, f"{code}: {game.citations[code].says if code in game.citations else ''}")
            for code in dict.fromkeys(rule.code for rule in base.rules)
        ]
        for number in self._numbers:
            self.fields[f"number:{number.key}"] = _number(
                number.label, 0, MAX_RULE_NUMBER, f"{number.value} in {base.name}."
            )

    def number_fields(self) -> list[forms.BoundField]:
        """The fields for numbers of the format beneath, in the order of its rules."""
        return [self[f"number:{number.key}"] for number in self._numbers]

    def is_base_open(self) -> bool:
        """True if the page shows the part about the format beneath unfolded: something in it is changed or
        has an error.
        """
        usual = {"leave_out": [], **{f"number:{number.key}": number.value for number in self._numbers}}
        return any(self.initial[name] != value or name in self.errors for name, value in usual.items())

    def declaration(self, declared: Declared) -> dict[str, Any]:
        """Return the declaration with these settings. Call it only on a valid form."""
        values = self.cleaned_data
        changed = {
            number.key: value
            for number in self._numbers
            if (value := values[f"number:{number.key}"]) not in (None, number.value)
        }
        settings = {key: values[key] for key in ("by", "url", "help", "leave_out")}
        settings |= {"numbers": changed, "rules": list(declared.get("rules") or ())}
        # Empty settings are left out of the declaration.
        after = {key: value for key, value in declared.items() if key not in settings}
        after |= {"name": values["name"]} | {key: value for key, value in settings.items() if value}
        after = with_rule(after, "copies", limit=values["copies"])
        after = with_rule(after, "size", at_least=values["at_least"], at_most=values["at_most"])
        after = with_rule(after, "only_sets", sets=values["sets"])
        if cards := listed(after, "points"):
            limit = USUAL_POINTS if values["points_limit"] is None else values["points_limit"]
            after = with_rule(after, "points", cards=cards, limit=limit)
        return after


# -- storing formats ----------------------------------------------------------------------

# Formats of one account or browser.
MAX_LEAGUES = 60
# Formats of the whole site, so that many browsers together cannot fill its database.
MAX_LEAGUES_OF_SITE = 20_000
_SITE_FULL = "This site has no room left for formats. Your format is fine; ask the site’s staff to make room."


def league_from(data: bytes, name: str) -> tuple[LeagueFormat | None, list[str]]:
    """Read a format from its file. ``name``: the file's name, for messages. Return (the format, not stored
    yet, []) or (None, what is wrong with the file).
    """
    place = "".join(char for char in name if char.isprintable())[:MAX_NAME]
    try:
        declared = parse_league_file(data, place)
        game = games().get(str(declared.get("game", "")))
        if game is None:
            return None, [f"{place}, game: must be one of {', '.join(games())}."]
        read_league(game, "", declared, place)
    except FolderError as error:
        return None, list(error.problems)
    return LeagueFormat(game=game.slug).declare(declared), []


@transaction.atomic
def keep_league(owner: Viewer, row: LeagueFormat) -> None:
    """Store a new format as this owner's. Raise Refused if they, or the site, have no room for
    another one.
    """
    if not _room(owner):
        sentence = f"You have {MAX_LEAGUES} formats, the most you can have. Delete one first."
        raise Refused(Fault("too_many", sentence, "name"))
    if LeagueFormat.objects.all_owners("counted for the site's bound").count() >= MAX_LEAGUES_OF_SITE:
        raise Refused(Fault("site_full", _SITE_FULL, "name"), status=507)
    row.owner_id, row.browser = owner.user_id, None if owner.user_id else owner.browser
    row.save(force_insert=True)


@transaction.atomic
def claim_leagues(viewer: Viewer, links: Collection[str] | None = None) -> tuple[int, int]:
    """Give the formats of this browser to the account, by default all, else those of these links. Return (how
    many it got, how many stay because the account has no room).
    """
    formats = LeagueFormat.objects.of_browser(viewer)
    if links is not None:
        formats = formats.filter(link__in=links)
    room, theirs = _room(viewer), list(formats.select_for_update())
    for row in theirs[:room]:
        row.owner_id, row.browser = viewer.user_id, None
        # Saved one by one, because saving marks the decks of a format to be judged again.
        row.save(update_fields=["owner", "browser"])
    return len(theirs[:room]), len(theirs[room:])


def _room(owner: Viewer) -> int:
    """The number of formats that this owner may still store. Locks the owner's box, so that simultaneous
    requests of the owner wait until this transaction ends.
    """
    locked(box_of(owner))
    return max(0, MAX_LEAGUES - LeagueFormat.objects.of(owner).count())


@transaction.atomic
def keep_league_private(pk: int, because: str) -> None:
    """Keep a public format private for this reason; with an empty reason, let its owner share it again. Raise
    Http404 for a format that is not shared.
    """
    row = get_object_or_404(LeagueFormat.objects.moderated().select_for_update(), pk=pk)
    row.private_because, row.visibility = because, Visibility.PRIVATE if because else row.visibility
    row.save(update_fields=["private_because", "visibility"])
    note_moderated(row, "format", bool(because), row.owner_id)


@transaction.atomic
def delete_league(row: LeagueFormat) -> None:
    """Delete a format. Decks that name it stay, and are judged by the format beneath."""
    note(Event.DELETED, row.owner_id, thing="format", number=row.pk, name=row.name)
    row.delete()


@transaction.atomic
def change_league(row: LeagueFormat, game: Game, declared: Declared, visibility: str) -> list[str]:
    """Store the changed format and return []; or return what is wrong with it and store nothing. Its row must
    be locked.
    """
    if kept := row.kept_from(visibility):
        return [kept]
    try:
        read_league(game, row.link, declared)
    except FolderError as error:
        return list(error.problems)
    row.declare(declared)
    note_visibility(row, "format", row.visibility, visibility, row.owner_id)
    row.visibility, row.changed = visibility, timezone.now()
    row.save(update_fields=["declared", "name", "by", "based_on", "visibility", "changed"])
    return []

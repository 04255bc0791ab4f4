"""Outside models, rows that belong to a visitor are only looked up with the viewer:
``Deck.objects.visible_to(viewer)``, never ``Deck.objects.filter(...)``.

The check reads the source: the first method after a manager of such a model must take the viewer. Which
models it covers is read from their fields, so a new model with a ``ForeignKey`` to the user is covered at
once. ``cardsdb/models/owned.py`` names the methods to use.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import models
from django.test.utils import isolate_apps

from tests import ROOT
from tests.support.rooms import APPS, whole_house

Model = type[models.Model]
MANAGERS = ("objects", "_default_manager", "_base_manager")
# A new row names its owner itself.
MAKING = {"none", "create", "bulk_create", "bulk_update"}
# Files that work on any model with a certain column, without naming one: file -> reason.
ANY_MODEL = {
    "cardsdb/tasks/queue.py": "a worker takes the row that has waited longest, whosever it is",
    "cardsdb/operate/backup.py": "a backup holds the rows of all, for the operator",
    "cardsdb/operate/restore.py": "a restore writes the rows of all",
}


def ours() -> list[Model]:
    return [model for model in apps.get_models() if model._meta.app_label in APPS]


def owned_models(among: list[Model]) -> dict[str, Model]:
    """Name -> model, for models whose rows belong to an account or a browser, directly or through another
    row.
    """
    found: set[Model] = {User}
    while more := {
        model
        for model in among
        if model not in found and any(names_owner(field, found) for field in model._meta.fields)
    }:
        found |= more
    return {model.__name__: model for model in found - {User}}


def names_owner(field: models.Field, owned: set[Model]) -> bool:
    """Return True if the field refers to an account, to a browser or to a row of one of these models."""
    return field.name in ("browser", "everyone") or field.related_model in owned


def takes_viewer(model: Model, method: str) -> bool:
    """True if the model's own queryset defines the method, as ``of`` or ``visible_to``, or it makes rows. A
    ``with_...`` method does not count: it only fetches related rows.
    """
    rows = type(model._default_manager.all())
    own = (
        hasattr(rows, method)
        and not hasattr(models.QuerySet, method)
        and not method.startswith(("_", "with"))
    )
    return own or method in MAKING


def reverse_names(among: dict[str, Model]) -> set[str]:
    """The reverse relation names that lead from a row to rows of others, like a deck's comments."""
    keys = [
        (model, field)
        for model in among.values()
        for field in model._meta.fields
        if field.related_model and not field.one_to_one
    ]
    by_others = [
        field.remote_field.get_accessor_name()
        for model, field in keys
        if field.related_model.__name__ not in among
        or any(other.related_model is User for other in model._meta.fields)
    ]
    return {name for name in by_others if name and not name.endswith("+")}


# Methods of querysets only; a list has ``count`` too, and a dictionary ``values``.
QUERIES = set(dir(models.QuerySet)).difference(*map(dir, (list, dict, set, str)))


def queries_without_viewer(place: str, source: str, among: dict[str, Model]) -> Iterator[str]:
    """Describe each query in the file without a viewer, as "file:line: advice"."""
    tree = ast.parse(source)
    # Node -> the node that contains it: of ``Deck.objects`` in ``Deck.objects.all`` the latter.
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    # ``from a import b as c``: c -> b.
    real_names = {
        alias.asname: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    reverse = reverse_names(among)

    def model_of(node: ast.AST) -> Model | None:
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        return among.get(real_names.get(name, name))

    def wrong(node: ast.expr, written: str) -> str:
        advice = "name the viewer, by a method of the model's queryset; see cardsdb/models/owned.py"
        return f"{place}:{node.lineno}: {written}: {advice}"

    for node in ast.walk(tree):
        parent = parents.get(node)
        method = parent.attr if isinstance(parent, ast.Attribute) else ""
        if isinstance(node, ast.Attribute) and node.attr in MANAGERS:
            model = model_of(node.value)
            if model and not takes_viewer(model, method):
                yield wrong(node, f"{model.__name__}.{node.attr}.{method}")
            if not model and node.attr != "objects" and place not in ANY_MODEL:
                yield wrong(node, f"{node.attr}.{method}")
        elif isinstance(node, ast.Attribute) and node.attr in reverse and method in QUERIES:
            yield wrong(node, f"{node.attr}.{method}")
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("_or_404") and node.args:
            if isinstance(node.args[0], ast.Name) and model_of(node.args[0]):
                yield wrong(node, ast.unparse(node))


def test_queries_of_owned_rows_name_the_viewer():
    among = owned_models(ours())
    files = [
        file.place
        for file in whole_house().files
        if not {"models", "migrations"} & set(file.place.split("/"))
    ]
    assert len(files) > 300
    # Only a file with one of these words is worth parsing.
    words = re.compile("|".join(("objects", "_manager", "_or_404", *reverse_names(among))))
    sources = {place: source for place in files if words.search(source := (ROOT / place).read_text())}
    faults = [
        fault for place, source in sources.items() for fault in queries_without_viewer(place, source, among)
    ]
    assert faults == []


def test_templates_use_no_reverse_relations_of_owned_rows():
    reverse_query = re.compile(
        rf"\.({'|'.join(reverse_names(owned_models(ours())))})\.({'|'.join(sorted(QUERIES))})\b"
    )
    assert {
        page.name: found
        for page in (ROOT / "templates").rglob("*.html")
        if (found := reverse_query.findall(page.read_text()))
    } == {}


def test_owned_models_are_found_by_their_fields():
    among = owned_models(ours())
    assert {
        "Deck",
        "DeckLine",
        "Favourite",
        "Comment",
        "Review",
        "OwnCard",
        "PrintJob",
        "AuditEntry",
    } <= among.keys()
    assert not {"Card", "Print", "Edition", "Holding", "Letter", "SiteSecret"} & among.keys()
    assert {
        "comments",
        "liked_by",
        "kept_by",
        "revisions",
        "reviews",
        "deck_lines",
        "forks",
    } == reverse_names(among) - {"deck_set"}


# Code as written by an author who does not know the rule, and the name that the check gives it.
MISTAKES = {
    "Favourite.objects.filter(user=request.user)": "Favourite.objects.filter",
    "Favourite.objects": "Favourite.objects.",
    "models.Like.objects.all()": "Like.objects.all",
    "People.objects.with_cards().get(pk=1)": "Deck.objects.with_cards",
    "Comment._default_manager.last()": "Comment._default_manager.last",
    "model._base_manager.all()": "_base_manager.all",
    "deck.comments.filter(state=state)": "comments.filter",
    "get_object_or_404(Deck, link=link)": "get_object_or_404(Deck, link=link)",
}


@pytest.mark.parametrize("written", MISTAKES)
def test_a_query_without_a_viewer_is_reported_with_its_line(written):
    source = (
        f"from decks.models import Comment, Deck, Deck as People, Favourite, models\n\nrows = {written}\n"
    )
    (found,) = queries_without_viewer("decks/pages/new.py", source, owned_models(ours()))
    assert found.startswith(f"decks/pages/new.py:3: {MISTAKES[written]}: name the viewer")


def test_queries_with_a_viewer_or_of_the_catalogue_are_accepted():
    free = [
        "Favourite.objects.of(viewer).count()",
        "Deck.objects.create(owner=user)",
        "Card.objects.filter(game=game)",
        "box.sets.all()",
    ]
    assert [
        one for written in free for one in queries_without_viewer("new.py", written, owned_models(ours()))
    ] == []


@isolate_apps("decks")
def test_a_new_owned_model_is_covered_automatically():
    class Postcard(models.Model):  # noqa: DJ008  (never shown)
        to = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

        class Meta:
            app_label = "decks"

    class Stamp(models.Model):  # noqa: DJ008
        on = models.ForeignKey(Postcard, on_delete=models.CASCADE, related_name="stamps")

        class Meta:
            app_label = "decks"

    among = owned_models([*ours(), Postcard, Stamp])
    assert [
        one.split(": ")[1]
        for one in queries_without_viewer("new.py", "Postcard.objects.all(), Stamp.objects.first()", among)
    ] == [
        "Postcard.objects.all",
        "Stamp.objects.first",
    ]

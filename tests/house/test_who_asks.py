"""Rows that are somebody's are looked up by who asks: outside of models nothing follows a manager of theirs
but a method that says it.

Whose rows a model has is read from its fields: it names an account or a browser, or a row that does. So a new
model is covered as soon as it has a ``ForeignKey`` to the user. What to write instead stands in
``cardsdb/models/owned.py``.
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
# A row that is made names its owner itself.
MAKING = {"none", "create", "bulk_create", "bulk_update"}
# Where whichever model has a column or a queue is asked, no model being named: file -> why.
ANY_MODEL = {
    "cardsdb/tasks/queue.py": "a worker takes the row that has waited longest, whosever it is",
    "cardsdb/operate/backup.py": "a backup holds the rows of all, for whoever runs the site",
    "cardsdb/operate/restore.py": "and puts them back",
}


def ours() -> list[Model]:
    return [model for model in apps.get_models() if model._meta.app_label in APPS]


def somebodys(among: list[Model]) -> dict[str, Model]:
    """Name -> model, of those whose rows are an account's or a browser's, directly or through another row."""
    found: set[Model] = {User}
    while more := {
        model
        for model in among
        if model not in found and any(names_owner(field, found) for field in model._meta.fields)
    }:
        found |= more
    return {model.__name__: model for model in found - {User}}


def names_owner(field: models.Field, owned: set[Model]) -> bool:
    return field.name in ("browser", "everyone") or field.related_model in owned


def says_who_asks(model: Model, method: str) -> bool:
    """Whether its own queryset has the method, which is none of Django's, and none that only says what is
    read along.
    """
    rows = type(model._default_manager.all())
    own = (
        hasattr(rows, method)
        and not hasattr(models.QuerySet, method)
        and not method.startswith(("_", "with"))
    )
    return own or method in MAKING


def backwards(among: dict[str, Model]) -> set[str]:
    """The names under which a row has what others than its owner made of it, as a deck has its comments."""
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
        or any(one.related_model is User for one in model._meta.fields)
    ]
    return {name for name in by_others if name and not name.endswith("+")}


# What only querysets have: a list has a ``count`` too, and a dictionary ``values``.
QUERIES = set(dir(models.QuerySet)).difference(*map(dir, (list, dict, set, str)))


def unasked(place: str, source: str, among: dict[str, Model]) -> Iterator[str]:
    """Each look-up in a file that does not say who asks: its file and line, and what to do."""
    tree = ast.parse(source)
    after = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    called = {
        one.asname: one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for one in node.names
        if one.asname
    }
    reverse = backwards(among)

    def model_of(node: ast.AST) -> Model | None:
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        return among.get(called.get(name, name))

    def wrong(node: ast.expr, written: str, model: Model | None = None) -> str:
        methods = (
            sorted(name for name in dir(type(model._default_manager.all())) if says_who_asks(model, name))
            if model
            else []
        )
        known = f" ({', '.join(methods)})" if methods else ""
        return (
            f"{place}:{node.lineno}: {written}: say who asks, by a method of the model's queryset{known}; see"
            " cardsdb/models/owned.py"
        )

    for node in ast.walk(tree):
        follows = after.get(node)
        method = follows.attr if isinstance(follows, ast.Attribute) else ""
        if isinstance(node, ast.Attribute) and node.attr in MANAGERS:
            model = model_of(node.value)
            if model and not says_who_asks(model, method):
                yield wrong(node, f"{model.__name__}.{node.attr}.{method}", model)
            if not model and node.attr != "objects" and place not in ANY_MODEL:
                yield wrong(node, f"{node.attr}.{method}")
        elif isinstance(node, ast.Attribute) and node.attr in reverse and method in QUERIES:
            yield wrong(node, f"{node.attr}.{method}")
        elif (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", "").endswith("_or_404")
            and node.args
            and model_of(node.args[0])
        ):
            if isinstance(node.args[0], ast.Name):
                yield wrong(node, f"{ast.unparse(node)}", model_of(node.args[0]))


def test_every_look_up_of_somebodys_rows_says_who_asks():
    among = somebodys(ours())
    files = [
        file.place
        for file in whole_house().files
        if not {"models", "migrations"} & set(file.place.split("/"))
    ]
    assert len(files) > 300
    # Only what has one of these words is worth parsing.
    told = re.compile("|".join(("objects", "_manager", "_or_404", *backwards(among))))
    sources = {place: source for place in files if told.search(source := (ROOT / place).read_text())}
    assert [one for place, source in sources.items() for one in unasked(place, source, among)] == []


def test_templates_look_nothing_up_backwards():
    asked = re.compile(rf"\.({'|'.join(backwards(somebodys(ours())))})\.({'|'.join(sorted(QUERIES))})\b")
    assert {
        page.name: found
        for page in (ROOT / "templates").rglob("*.html")
        if (found := asked.findall(page.read_text()))
    } == {}


def test_whose_rows_are_somebodys_is_read_from_the_fields():
    among = somebodys(ours())
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
    assert {"comments", "liked_by", "kept_by", "revisions", "reviews", "deck_lines", "forks"} == backwards(
        among
    ) - {"deck_set"}


# What somebody writes who does not know of it yet, and what the check calls it.
MISTAKES = {
    'Favourite.objects.filter(user=request.user).values_list("deck__name")': "Favourite.objects.filter",
    "Favourite.objects": "Favourite.objects.",
    "models.Like.objects.all()": "Like.objects.all",
    "People.objects.with_cards().get(pk=1)": "Deck.objects.with_cards",
    "Comment._default_manager.last()": "Comment._default_manager.last",
    "model._base_manager.all()": "_base_manager.all",
    "deck.comments.filter(state=state)": "comments.filter",
    "get_object_or_404(Deck, link=link)": "get_object_or_404(Deck, link=link)",
}


@pytest.mark.parametrize("written", MISTAKES)
def test_a_look_up_that_does_not_say_who_asks_is_named_with_its_line(written):
    source = (
        f"from decks.models import Comment, Deck, Deck as People, Favourite, models\n\nrows = {written}\n"
    )
    (found,) = unasked("decks/pages/new.py", source, somebodys(ours()))
    assert found.startswith(f"decks/pages/new.py:3: {MISTAKES[written]}: say who asks")


def test_a_look_up_that_says_who_asks_and_one_of_the_catalogue_are_free():
    free = [
        "Favourite.objects.of(viewer).count()",
        "Deck.objects.create(owner=user)",
        "Card.objects.filter(game=game)",
        "box.sets.all()",
    ]
    assert [one for written in free for one in unasked("new.py", written, somebodys(ours()))] == []


@isolate_apps("decks")
def test_a_new_model_with_an_account_is_covered_without_an_edit():
    class Postcard(models.Model):  # noqa: DJ008  (never shown)
        to = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

        class Meta:
            app_label = "decks"

    class Stamp(models.Model):  # noqa: DJ008
        on = models.ForeignKey(Postcard, on_delete=models.CASCADE, related_name="stamps")

        class Meta:
            app_label = "decks"

    among = somebodys([*ours(), Postcard, Stamp])
    assert [
        one.split(": ")[1]
        for one in unasked("new.py", "Postcard.objects.all(), Stamp.objects.first()", among)
    ] == [
        "Postcard.objects.all",
        "Stamp.objects.first",
    ]

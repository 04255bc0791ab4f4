"""The kinds of things that people have, with an account or without: what is taken along, exported, counted
and deleted by them.

A test walks all models, so that none which belongs to somebody is missing here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.db.models import Model
from django.utils.module_loading import import_string

from cardsdb.games.kit.model.text import some
from cardsdb.identity.viewer import Viewer

Files = Iterable[tuple[str, str | bytes]]
# Keys of rows, and whose they are: of the owner, who has the export.
OWNERS = frozenset(("id", "owner", "user", "author", "account", "box", "in_set", "browser", "everyone"))


class Taken(NamedTuple):
    """Numbers of things that are the account's now and that stay with the browser; why they do, in words; and
    a sentence on what else stays, if anything.
    """

    moved: int
    stayed: int = 0
    why: str = ""
    besides: str = ""


def room_for(what: str) -> str:
    return f"an account has room for {what}; delete some and take the rest along then"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of thing that an account has or, if it can be taken along, a browser without one.

    ``key``: its name in forms. ``what``: its name on pages, empty for what no page counts. ``noun``: one of
    it. ``tables``: labels of the models that hold it. ``count``: viewer -> how many. ``take``: account with
    its browser -> what came of taking the browser's along; may raise Refused. ``page``: the name of the
    address where its owner sees it. ``files``: user's number -> (name, content) in the export. ``about``: a
    line on these files.
    """

    key: str
    what: str
    noun: str
    tables: tuple[str, ...]
    count: Callable[[Viewer], int] = lambda viewer: 0
    take: Callable[[Viewer], Taken] | None = None
    page: str = "account"
    files: Callable[[int], Files] = lambda user_id: ()
    about: str = ""

    def held(self, viewer: Viewer) -> int:
        """The number that the browser of a logged-in visitor has from before, or has opened since, apart from
        the account's.
        """
        return (
            self.count(Viewer(browser=viewer.browser))
            if self.take and viewer.user_id and viewer.browser
            else 0
        )

    def amount(self, number: int) -> str:
        return some(number, self.noun)


def kinds() -> Iterator[Kind]:
    """Every kind, those of the account itself first."""
    for path in settings.CUTOUT_ACCOUNT_KINDS:
        yield from import_string(path)


def held_by_browser(viewer: Viewer) -> list[tuple[Kind, int]]:
    """The kinds of which a logged-in visitor's browser has something that is not the account's, each with how
    many.
    """
    return [(kind, number) for kind in kinds() if (number := kind.held(viewer))]


def browsers_tables() -> Iterator[type[Model]]:
    """The models whose rows hang on a browser, but those that end by themselves after days."""
    for model in (apps.get_model(label) for kind in kinds() if kind.take for label in kind.tables):
        if any(field.name == "browser" for field in model._meta.fields) and not getattr(
            model, "ends_by_itself", False
        ):
            yield model


def columns_of(row: Model, without: Collection[str] = ()) -> dict[str, Any]:
    """Every column of a row, also of later versions, but keys, owners and those ``without``."""
    left_out = OWNERS | set(without)
    return {
        field.name: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.name not in left_out
    }


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"

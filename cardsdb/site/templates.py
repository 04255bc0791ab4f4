"""The language of our pages: Jinja2, with what every template may call and the filters that people know from
Django.

A template asks for attributes and calls methods as Python does. What a page lacks is empty there, and so is
all that hangs on it. What a room adds for its templates stands in its app's ``templatetags``; the settings
name these modules.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any
from urllib.parse import quote

from django.contrib.humanize.templatetags.humanize import apnumber
from django.template import defaultfilters
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import template_localtime
from jinja2 import ChainableUndefined, Environment, Undefined, pass_context
from jinja2.runtime import Context


def environment(rooms: Iterable[str], **options: Any) -> Environment:
    """Make the environment that the settings ask for.

    ``rooms``: modules with what templates may call besides, as ``FUNCTIONS`` and ``FILTERS`` by name.
    """
    options |= {"undefined": ChainableUndefined, "keep_trailing_newline": True}
    made = Environment(**options)  # noqa: S701  (Django's backend asks for autoescape)
    made.globals = dict(FUNCTIONS)
    made.filters |= FILTERS
    made.tests["none"] = is_none
    for room in rooms:
        module = import_module(room)
        made.globals |= module.FUNCTIONS
        made.filters |= module.FILTERS
    return made


def is_none(value: Any) -> bool:
    """Return whether nothing is there: what a page was not given is none too."""
    return value is None or isinstance(value, Undefined)


def url(name: str, *args: Any) -> str:
    """The address of a page by its name and the parts of its address. Raises ``NoReverseMatch`` for one that
    there is not.
    """
    return reverse(name, args=args)


@pass_context
def querystring(context: Context, **changes: str) -> str:
    """The query of the request's address with these changes."""
    parameters = context["request"].GET.copy()
    for name, value in changes.items():
        parameters[name] = value
    return f"?{parameters.urlencode()}"


def rendered(name: str, values: dict[str, Any]) -> SafeString:
    """The template with these values and nothing of a request, to stand in another one as it is."""
    return mark_safe(render_to_string(name, values))  # noqa: S308  (a template escapes what it is given)


def intcomma(number: Any) -> str:
    """A whole number with a comma after every third digit."""
    return f"{number:,}" if isinstance(number, int) else str(number)


def date(value: Any, form: str = "j F Y, H:i T") -> str:
    """A date, or a moment with its zone, in Django's letters; empty for none."""
    return str(defaultfilters.date(template_localtime(value), form))


def urlencode(value: Any, safe: str = "/") -> str:
    """A value as a part of a query; ``safe``: what stays as it is besides letters and digits."""
    return quote(str(value), safe)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "url": url,
    "static": static,
    "querystring": querystring,
}
DJANGOS = (
    "escapejs capfirst default_if_none filesizeformat linebreaks linebreaksbr pluralize truncatechars yesno"
)
FILTERS: Mapping[str, Callable[..., Any]] = {
    "intcomma": intcomma,
    "date": date,
    "urlencode": urlencode,
    "apnumber": apnumber,
    "json_script": json_script,
    **{name: defaultfilters.register.filters[name] for name in DJANGOS.split()},
}

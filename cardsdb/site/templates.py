"""The Jinja2 environment of our pages: functions and filters that every template can use.

Some filters have the names and meanings of Django's. A missing variable, and any attribute of it, renders as
empty. To add something for the templates of one app, put it into ``FUNCTIONS`` or ``FILTERS`` of a module in
the app's ``templatetags``, which the settings list. Tests: ``tests/cardsdb/site/test_templates.py``.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

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
    """Return the environment. The settings name this function.

    ``rooms``: names of modules whose ``FUNCTIONS`` and ``FILTERS`` are added.
    """
    options |= {"undefined": ChainableUndefined, "keep_trailing_newline": True}
    jinja = Environment(**options)  # noqa: S701  (Django's backend asks for autoescape)
    jinja.globals = dict(FUNCTIONS)
    jinja.filters |= FILTERS
    jinja.tests["none"] = is_none
    for room in rooms:
        module = import_module(room)
        jinja.globals |= module.FUNCTIONS
        jinja.filters |= module.FILTERS
    return jinja


def is_none(value: Any) -> bool:
    """True for None and for a variable that the template was not given."""
    return value is None or isinstance(value, Undefined)


def url(name: str, *args: Any) -> str:
    """Return the address of a route by its name and arguments. Raises ``NoReverseMatch`` if there is none."""
    return reverse(name, args=args)


@pass_context
def querystring(context: Context, **changes: str) -> str:
    """Return the query string of the request with some parameters replaced: ``?q=kai&page=2``."""
    parameters = context["request"].GET.copy()
    for name, value in changes.items():
        parameters[name] = value
    return f"?{parameters.urlencode()}"


def rendered(name: str, values: dict[str, Any]) -> SafeString:
    """Return a template rendered without the request, safe to be put into another one."""
    return mark_safe(render_to_string(name, values))  # noqa: S308  (a template escapes what it is given)


def intcomma(number: Any) -> str:
    """Return an integer with commas between thousands: 12345 -> "12,345"."""
    return f"{number:,}" if isinstance(number, int) else str(number)


def date(value: Any, form: str = "j F Y, H:i T") -> str:
    """Return a date or time in the local zone, in Django's format letters; empty for None."""
    return str(defaultfilters.date(template_localtime(value), form))


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "url": url,
    "static": static,
    "querystring": querystring,
}
# Filters of Django that are used unchanged.
DJANGOS = (
    "escapejs capfirst default_if_none filesizeformat linebreaks linebreaksbr pluralize truncatechars"
    " urlencode yesno"
)
FILTERS: Mapping[str, Callable[..., Any]] = {
    "intcomma": intcomma,
    "date": date,
    "apnumber": apnumber,
    "json_script": json_script,
    **{name: defaultfilters.register.filters[name] for name in DJANGOS.split()},
}

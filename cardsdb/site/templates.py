"""The language of our pages: Jinja2, with what every template may call and the filters that people know from
Django.

A template asks for attributes and calls methods as Python does. What a page lacks is empty there, and so is
all that hangs on it. What a room adds for its templates stands in its app's ``templatetags``; the settings
name these modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from html import escape as escaped  # noqa: F401  (what makes HTML takes it from here)
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import apnumber
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.template import defaultfilters, engines
from django.template.backends.jinja2 import Jinja2, Template
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import template_localtime
from jinja2 import ChainableUndefined, Environment, FileSystemBytecodeCache, Undefined, pass_context
from jinja2 import __version__ as jinja2_release
from jinja2.bccache import Bucket
from jinja2.runtime import Context

# Every template is kept compiled: there are some two hundred.
MAX_COMPILED = 1_000


class Pages(Jinja2):
    """Django's backend for Jinja2, but that a view's values stay its own: the same dict may be shown to
    somebody else a moment later.
    """

    def get_template(self, template_name: str) -> Template:
        return _Page(super().get_template(template_name).template, self)

    def from_string(self, template_code: str) -> Template:
        return _Page(super().from_string(template_code).template, self)


class _Page(Template):
    def render(
        self, context: Mapping[str, Any] | None = None, request: HttpRequest | None = None
    ) -> SafeString:
        # What the request brings along is written into the dict that is given.
        return super().render({**(context or {})}, request)


def environment(rooms: Iterable[str], **options: Any) -> Environment:
    """Make the environment that the settings ask for.

    ``rooms``: modules with what templates may call besides, as ``FUNCTIONS`` and ``FILTERS`` by name.
    """
    options |= {"undefined": ChainableUndefined, "keep_trailing_newline": True, "cache_size": MAX_COMPILED}
    # Settings of the environment and filters over words of the template's own are compiled into it.
    release = blake2b(jinja2_release.encode() + Path(__file__).read_bytes(), digest_size=6).hexdigest()
    options["bytecode_cache"] = CompiledTemplates(settings.VAR_DIR / "templates", release)
    made = Environment(**options)  # noqa: S701  (Django's backend asks for autoescape)
    made.globals = dict(FUNCTIONS)
    made.filters |= FILTERS
    made.tests["none"] = is_none
    for room in rooms:
        module = import_module(room)
        made.globals |= module.FUNCTIONS
        made.filters |= module.FILTERS
    return made


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates as files: to compile them all takes two seconds, to load them a tenth of one.

    A file goes by the text it was compiled from, and by the ``release`` of what compiled it. A disk that
    takes or gives none, and a file that is damaged, cost that time, and no page.
    """

    def __init__(self, folder: Path, release: str) -> None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        super().__init__(str(folder), f"{release}-%s")
        self.release = release

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        # Whatever reading a file of strange bytes raises.
        except Exception:
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compile_all() -> None:
    """Compile every page that was not compiled yet, so that no visitor waits for it, and forget what an older
    release compiled.
    """
    compiled: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    for name in compiled.list_templates(extensions=("html",)):
        if not name.startswith("django/"):
            compiled.get_template(name)
    if isinstance(kept := compiled.bytecode_cache, CompiledTemplates):
        for path in Path(kept.directory).iterdir():
            if not path.name.startswith(kept.release):
                path.unlink()


def is_none(value: Any) -> bool:
    """Whether nothing is there: what a page was not given is none too."""
    return value is None or isinstance(value, Undefined)


class Site(NamedTuple):
    """Where the site stands: its prefix and the module that names its pages."""

    prefix: str
    urlconf: str

    def url(self, name: str, *args: Any) -> str:
        """The address of a page by its name and the parts of its address. Raises ``NoReverseMatch`` for one
        that there is not.
        """
        return reverse(name, args=args)

    def remembered_part(self, name: str, **values: Any) -> SafeString:
        """The template ``name`` with these values and nothing else of the page."""
        return rendered(name, values)


def here() -> Site:
    return Site(get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF)


def url(name: str, *args: Any) -> str:
    return here().url(name, *args)


def remembered_part(name: str, **values: Any) -> SafeString:
    return here().remembered_part(name, **values)


def static(name: str) -> str:
    """The address of a static file."""
    return staticfiles_storage.url(name)


def url_if_any(name: str, *args: Any) -> str:
    """The address of a page, empty where the site has none of this name."""
    try:
        return url(name, *args)
    except NoReverseMatch:
        return ""


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


def date(value: Any, form: str) -> str:
    """A date or a moment in Django's letters for its parts; empty for none."""
    return str(defaultfilters.date(template_localtime(value), form))


def urlencode(value: Any, safe: str = "/") -> str:
    """A value as a part of a query; ``safe``: what stays as it is besides letters and digits."""
    return quote(str(value), safe)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "url": url,
    "url_if_any": url_if_any,
    "static": static,
    "querystring": querystring,
    "remembered_part": remembered_part,
}
FILTERS: Mapping[str, Callable[..., Any]] = {
    "intcomma": intcomma,
    "date": date,
    "urlencode": urlencode,
    "apnumber": apnumber,
    "json_script": json_script,
    "escapejs": defaultfilters.escapejs_filter,
    "capfirst": defaultfilters.capfirst,
    "default_if_none": defaultfilters.default_if_none,
    "filesizeformat": defaultfilters.filesizeformat,
    "linebreaks": defaultfilters.linebreaks_filter,
    "linebreaksbr": defaultfilters.linebreaksbr,
    "pluralize": defaultfilters.pluralize,
    "truncatechars": defaultfilters.truncatechars,
    "yesno": defaultfilters.yesno,
}

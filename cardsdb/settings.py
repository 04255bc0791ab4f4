"""Django's settings, read from environment variables. A bad value stops the start and is named.

With nothing set this is a private site on this machine: plain http on loopback, SQLite in ``var/``, a secret
made at the first start. ``CUTOUT_HTTPS=1`` makes it a public site: SECRET_KEY and ALLOWED_HOSTS must be
given, and cookies and links are for https only. All variables are in docs/deploy.md, which a test checks.

Top to bottom: functions that read a variable; who may come (HTTPS, SECRET_KEY, hosts); apps, middleware and
templates; database; accounts; files; cookies; limits; cache and tasks; API; log. HTTPS stands first because
many others follow from it. Variables that become several settings are read in ``environment.py``.
Tests: ``tests/cardsdb/test_settings.py``.
"""

import contextlib
import os
import re
import secrets
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from cardsdb.environment import cache_settings, file_stores, mail_settings, task_settings
from cardsdb.watch.requests import LOG_KINDS, log_settings

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("CUTOUT_VAR", BASE_DIR / "var"))
# The folder is readable by the site's user only; ``prepare`` closes one that was created otherwise.
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
# Parts of secrets that were copied from an example.
SAMPLE_SECRETS = ("change", "secret", "sample", "example", "insecure", "default", "password", "your-")


def flag(name: str, default: bool = False) -> bool:
    """Return the value of a variable that is 1 or 0 (or yes, no, true, false, on, off)."""
    value = os.environ.get(name, "").strip().lower()
    if value in ("", "0", "no", "false", "off"):
        return default if value == "" else False
    if value in ("1", "yes", "true", "on"):
        return True
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def whole_number(name: str, default: int) -> int:
    """Return the value of a variable that is a whole number, 0 or more."""
    value = os.environ.get(name, "")
    if value and not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value or default)


def secret_key(https: bool) -> str:
    """Return SECRET_KEY; on a private site without it, a secret that is made once and kept in ``var/``."""
    secret = os.environ.get("SECRET_KEY", "")
    if secret:
        # The two numbers are those of Django's own check (security.W009).
        if len(secret) < 50 or len(set(secret)) < 5 or any(word in secret.lower() for word in SAMPLE_SECRETS):
            raise ImproperlyConfigured(
                "SECRET_KEY is short or looks like a sample. Make one: python3 -c 'import secrets;"
                " print(secrets.token_urlsafe(64))'"
            )
        return secret
    if https:
        raise ImproperlyConfigured("CUTOUT_HTTPS is set, so SECRET_KEY must be given.")
    path = VAR_DIR / "secret_key"
    if not path.exists():
        # Written completely, then linked under its name. If several processes start at once, one of them
        # wins, and none reads half a secret.
        fresh = VAR_DIR / f"secret_key.{os.getpid()}"
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text()


def database() -> dict[str, Any]:
    """Return the database of DATABASE_URL, else SQLite in ``var/``."""
    url = os.environ.get("DATABASE_URL", "").strip() or f"sqlite:///{VAR_DIR}/cutout.sqlite3"
    try:
        # A connection is kept for a minute (seconds), and checked before the first query of a request. So
        # after a restart of the database server the next request opens a new one instead of failing.
        return dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    except ValueError:
        raise ImproperlyConfigured(
            "DATABASE_URL must be an address like postgresql://user:password@host/name."
        ) from None


def make_private(database: str) -> None:
    """Create the SQLite database file (``database`` is its path), readable by the site's user only. SQLite
    gives its other files the same rights.
    """
    if database != ":memory:":
        # O_EXCL: an existing file is not opened, because closing it would drop all SQLite locks of this
        # process.
        with contextlib.suppress(OSError):
            os.close(os.open(database, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


HTTPS = flag("CUTOUT_HTTPS")
DEBUG = flag("CUTOUT_DEBUG")
SECRET_KEY = secret_key(HTTPS)
# The variable ALLOWED_HOSTS of a public site, such as "cards.example.org:8443, .example.net", becomes three
# settings:
#   ALLOWED_HOSTS          ["cards.example.org", ".example.net"]; the latter covers all subdomains
#   PORTS                  {":443", ":8443"}, by which ``site/middleware.py`` checks what Django does not
#   CSRF_TRUSTED_ORIGINS   ["https://cards.example.org", "https://*.example.net"]
_NAMED = [host.strip() for host in os.environ.get("ALLOWED_HOSTS", "").split(",") if host.strip()]
_PORT = re.compile(":[0-9]+$")
ALLOWED_HOSTS = [_PORT.sub("", host) for host in _NAMED]
# None on a private site, which takes any port, since one may be forwarded to it.
PORTS = {":443", *(port for host in _NAMED for port in _PORT.findall(host))} if HTTPS else None
if HTTPS and (not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS):
    raise ImproperlyConfigured("CUTOUT_HTTPS is set, so ALLOWED_HOSTS must name the site's hosts (no *).")
ALLOWED_HOSTS = ALLOWED_HOSTS or ["127.0.0.1", "localhost", "[::1]"]
CSRF_TRUSTED_ORIGINS = (
    [f"https://{'*' if host.startswith('.') else ''}{host}" for host in ALLOWED_HOSTS] if HTTPS else []
)

INSTALLED_APPS = [
    # SimpleAdminConfig does not import the admin's pages at start. cardsdb/urls.py does, so commands save
    # that time.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.sitemaps",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "django_tasks",
    "django_tasks_db",
    "cardsdb",
    "decks",
    "printing",
]
# A request passes these from top to bottom, its answer from bottom to top.
MIDDLEWARE = [
    # Outermost, so that it sees every answer as it is sent.
    "cardsdb.watch.requests.WatchedRequests",
    # Outside of those that answer by themselves, so that even the redirect to https has these headers.
    "cardsdb.site.middleware.SecurityHeaders",
    # Before anything that builds an address, reads a form or queries the database.
    "cardsdb.site.middleware.Refusals",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "cardsdb.site.middleware.KnownBrowsers",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    # After the CSRF check, so that a form without a valid token does not use up anyone's allowance.
    "cardsdb.site.ratelimits.CountedRequests",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    # Sets ``request.htmx``: true if htmx asks for a part of a page. A view that uses it must add it to
    # ``Vary``.
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "cardsdb.urls"
WSGI_APPLICATION = "cardsdb.wsgi.application"
_CONTEXT_PROCESSORS = [
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
    "cardsdb.site.shortcuts.credits",
    "decks.accounts.adapter.place",
]
TEMPLATES = [
    {
        "NAME": "jinja2",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "cardsdb.site.templates.environment",
            "rooms": [
                "cardsdb.templatetags.catalogue",
                "decks.templatetags.deck_tags",
                "printing.templatetags.printing_tags",
            ],
            "context_processors": _CONTEXT_PROCESSORS,
        },
    },
    {
        # For allauth's pages, our replacements for some of them, and the admin.
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates" / "django"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": _CONTEXT_PROCESSORS},
    },
]

DATABASES = {"default": database()}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    make_private(DATABASES["default"]["NAME"])
    # ``timeout``: seconds that a writer waits for its turn. IMMEDIATE: it waits at the start of its
    # transaction; otherwise it could fail halfway. WAL: readers do not wait for writers.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 10,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"]["ENGINE"] = "cardsdb.site.postgresql"
    # Give up on a server that does not answer or has vanished. Seconds, except tcp_user_timeout in
    # milliseconds.
    patience = {
        "connect_timeout": 3,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
    }
    DATABASES["default"]["OPTIONS"] = {**patience, **DATABASES["default"].get("OPTIONS", {})}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Accounts (decks/accounts). A single backend, asked once for each login, so that unknown names take as long
# as known ones and cannot be guessed by time.
AUTHENTICATION_BACKENDS = ["decks.accounts.backend.NamesAndAddresses"]
PASSWORD_HASHERS = [f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("Argon2", "PBKDF2")]
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
    ),
    {"NAME": "decks.accounts.adapter.NotAGame"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "mine"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "decks.accounts.adapter.Accounts"
ACCOUNT_FORMS = {"login": "decks.accounts.backend.LogIn", "signup": "decks.accounts.backend.SignUp"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
# A new account can be used at once; an address is confirmed when something needs it (docs/decisions/0009).
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Cutout: "
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Several accounts may state the same unconfirmed address, but only one can confirm it. So no answer reveals
# whether an address is known here.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
# Written for allauth: "60/m/ip" allows 60 a minute from one address, "10/5m/key" 10 in five minutes for one
# key. The key is the account, or the e-mail address that was typed, unless a comment says otherwise.
ACCOUNT_RATE_LIMITS = {
    "login": "60/m/ip",
    # Here the key is an account together with a network (``Accounts.pre_authenticate``).
    "login_failed": "100/5m/ip,10/5m/key",
    # Our own limit: wrong passwords of an account from all networks together.
    "login_failed_anywhere": "100/h/key",
    "reauthenticate": "10/5m/user",
    "signup": "20/h/ip",
    "reset_password": "20/h/ip,5/d/key",
    "confirm_email": "20/h/ip,1/m/key,5/d/key",
    # Our own limit: letters to an address that an account claims.
    "letters": "5/d/key",
}
MFA_ADAPTER = "decks.accounts.adapter.Passkeys"
MFA_SUPPORTED_TYPES = ["webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
MFA_FORMS = {
    "authenticate": "decks.accounts.backend.ConfirmByCode",
    "authenticate_webauthn": "decks.accounts.backend.ConfirmByPasskey",
    "add_webauthn": "decks.accounts.backend.AddPasskey",
    "signup_webauthn": "decks.accounts.backend.SignUpByPasskey",
    "login_webauthn": "decks.accounts.backend.LogInByPasskey",
    "reauthenticate_webauthn": "decks.accounts.backend.ConfirmAgainByPasskey",
}
# Sets CUTOUT_MAIL and EMAIL_BACKEND; EMAIL_FILE_PATH or, with a mail server, EMAIL_HOST, EMAIL_PORT and the
# rest of Django's mail settings; and DEFAULT_FROM_EMAIL.
globals().update(mail_settings(os.environ, VAR_DIR / "mail", HTTPS))

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False

CUTOUT_FONT_DIR = VAR_DIR / "fonts"
CUTOUT_FONT_DIR.mkdir(parents=True, exist_ok=True)
# The folder of own pictures (cardsdb/environment.py); "" means pictures/ in VAR_DIR.
CUTOUT_PICTURES = os.environ.get("CUTOUT_PICTURES", "")
# Megabytes of all own pictures together; files with the same content count once.
CUTOUT_PICTURES_MEGABYTES = whole_number("CUTOUT_PICTURES_MEGABYTES", 10_000)
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [("fonts", CUTOUT_FONT_DIR)]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Names contain a hash of the content, so browsers may cache them for ever.
    "staticfiles": {"BACKEND": "cardsdb.site.static_files.HashedFiles"},
    # Files of visitors: folders, or a bucket that several machines share (cardsdb/storage).
    **file_stores(os.environ.get("STORAGE_URL", "")),
}

# Other security settings are Django's defaults, such as no content sniffing and no frames.
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
# The cookie that identifies a browser without an account (cardsdb/site/middleware.py).
CUTOUT_BROWSER_COOKIE = "__Host-browser" if HTTPS else "browser"
CSRF_FAILURE_VIEW = "cardsdb.site.errors.csrf_failed"
if HTTPS:
    SECURE_SSL_REDIRECT = flag("CUTOUT_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = whole_number("CUTOUT_HSTS_SECONDS", 60 * 60 * 24 * 365)
    # Hosts on the browsers' preload list are hard to remove again, so the operator can decide against it.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("CUTOUT_HSTS_SUBDOMAINS", True)
    SECURE_HSTS_PRELOAD = flag("CUTOUT_HSTS_PRELOAD", True)
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if flag("CUTOUT_BEHIND_PROXY") else None
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"

# Bytes of a form without its files, and its fields; both are checked before anything is parsed. A pasted list
# has its own, smaller limit, and a form with files that of ``site/middleware.py``.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
# Bytes of an uploaded file that are held in memory; a larger file goes to the disk while it arrives.
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# True if a proxy of ours stands in front, so that its headers with addresses and ids can be trusted.
CUTOUT_BEHIND_PROXY = flag("CUTOUT_BEHIND_PROXY")
# Requests of one address per minute. "Works" are requests that cost more than reading a page.
CUTOUT_READS_PER_MINUTE = whole_number("CUTOUT_READS_PER_MINUTE", 600)
CUTOUT_WORKS_PER_MINUTE = whole_number("CUTOUT_WORKS_PER_MINUTE", 60)
# Days after which entries of the audit log are deleted.
CUTOUT_AUDIT_DAYS = whole_number("CUTOUT_AUDIT_DAYS", 180)
# New decks of one address per day, and megabytes of the database above which no deck or version is stored.
CUTOUT_DECKS_PER_DAY = whole_number("CUTOUT_DECKS_PER_DAY", 300)
CUTOUT_DATABASE_MEGABYTES = whole_number("CUTOUT_DATABASE_MEGABYTES", 20_000)
CACHES = {"default": cache_settings(os.environ.get("CACHE_URL", ""))}
TASKS_URL = os.environ.get("TASKS_URL", "")
# Sets TASKS; with TASKS_URL also RQ_QUEUES and RQ, which ``django_rq`` reads.
globals().update(task_settings(TASKS_URL))
if TASKS_URL:
    INSTALLED_APPS.append("django_rq")
# Functions that each worker calls every few seconds: they send letters, take back the work of dead workers,
# and queue what is missing from the queue.
CUTOUT_RECOVERIES = ["cardsdb.tasks.letters.send_letters", "printing.tasks.jobs.recover"]
# The backend that hands letters to the mail server.
CUTOUT_MAIL_SENDER = "django.core.mail.backends.smtp.EmailBackend"
# Lists of the kinds of rows that accounts have (decks/accounts/kinds.py); the account's own come first.
CUTOUT_ACCOUNT_KINDS = ["decks.accounts.account_kinds.KINDS", "printing.web.account_data.KINDS"]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PARSER_CLASSES": ["cardsdb.api.framework.BoundedJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "cardsdb.api.framework.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["cardsdb.api.framework.PerAddress"],
    "EXCEPTION_HANDLER": "cardsdb.api.framework.api_exception",
    # Here ?format= is the format of a deck, not of the answer.
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Cutout API",
    "DESCRIPTION": (
        "Cards, decks, verdicts and sheets for five espionage card games. "
        "Errors are always a list of {code, message, where}, with suggestions where there are some."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    # Errors are lists; without this the schema says they are single objects.
    "ENABLE_LIST_MECHANICS_ON_NON_2XX": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "cardsdb.api.framework.what_may_be_left_out",
    ],
    # The same choices occur in several places; without these names the schema invents one for each.
    "ENUM_NAME_OVERRIDES": {"FileFormatName": "decks.formats.CHOICES", "YesOrNo": ["yes", "no"]},
}

# "json": a line for each request. "plain": readable lines, only for what an operator should look at
# (cardsdb/watch/requests.py).
CUTOUT_LOG = os.environ.get("CUTOUT_LOG", "") or ("json" if HTTPS else "plain")
if CUTOUT_LOG not in LOG_KINDS:
    raise ImproperlyConfigured(f"CUTOUT_LOG must be {' or '.join(LOG_KINDS)}, not {CUTOUT_LOG!r}.")
LOGGING = log_settings(CUTOUT_LOG)
# Milliseconds after which a query is logged as slow; 0 for never.
CUTOUT_SLOW_QUERY_MS = whole_number("CUTOUT_SLOW_QUERY_MS", 500)
# /metrics is readable with this token. Without a token it is closed on a public site, and open to every
# program of this machine on a private one.
CUTOUT_METRICS_TOKEN = os.environ.get("CUTOUT_METRICS_TOKEN", "")
if 0 < len(CUTOUT_METRICS_TOKEN) < 20:
    raise ImproperlyConfigured("CUTOUT_METRICS_TOKEN must have at least 20 characters.")

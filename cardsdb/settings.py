"""All settings. Read from the environment; a bad value stops the start and says its name.

Nothing set: a private site on this machine (plain http on loopback, SQLite in ``var/``, a
secret made at the first start). ``CUTOUT_HTTPS=1`` is a site on the internet: then
SECRET_KEY and ALLOWED_HOSTS must be given, and everything travels over https.
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
from cardsdb.watch.requests import KINDS, log_settings

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("CUTOUT_VAR", BASE_DIR / "var"))
# Whatever lies in it is for the site's user alone; one that was made otherwise is closed by prepare.
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
SAMPLE_SECRETS = ("change", "secret", "sample", "example", "insecure", "default", "password", "your-")


def flag(name: str, default: bool = False) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value in ("", "0", "no", "false", "off"):
        return default if value == "" else False
    if value in ("1", "yes", "true", "on"):
        return True
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def whole_number(name: str, default: int) -> int:
    value = os.environ.get(name, "")
    if value and not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value or default)


def secret_key(https: bool) -> str:
    """SECRET_KEY, or on a private site a secret that is made once and stored in ``var/``."""
    secret = os.environ.get("SECRET_KEY", "")
    if secret:
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
        # Written whole and renamed then: of several processes starting at once one wins, and none reads half
        # a secret.
        fresh = VAR_DIR / f"secret_key.{os.getpid()}"
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text()


def database() -> dict[str, Any]:
    """The database of DATABASE_URL, or SQLite in ``var/``."""
    url = os.environ.get("DATABASE_URL", "").strip() or f"sqlite:///{VAR_DIR}/cutout.sqlite3"
    try:
        # Checked before each request's first query: a database that was started again is a new connection,
        # not an error.
        return dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    except ValueError:
        raise ImproperlyConfigured(
            "DATABASE_URL must be an address like postgresql://user:password@host/name."
        ) from None


def make_private(database: str) -> None:
    """Make a SQLite database that is not there yet, for the site's user alone; so SQLite makes its files
    beside it.
    """
    if database != ":memory:":
        # Never one that exists: to close a file takes its locks from the whole process.
        with contextlib.suppress(OSError):
            os.close(os.open(database, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


HTTPS = flag("CUTOUT_HTTPS")
DEBUG = flag("CUTOUT_DEBUG")
SECRET_KEY = secret_key(HTTPS)
_NAMED = [host.strip() for host in os.environ.get("ALLOWED_HOSTS", "").split(",") if host.strip()]
ALLOWED_HOSTS = [re.sub(":[0-9]+$", "", host) for host in _NAMED]
# Django looks at no port. With these a public site may be asked; a private one with any, since one may be
# forwarded to it.
PORTS = {":443", *re.findall(":[0-9]+(?= |$)", " ".join(_NAMED))} if HTTPS else None
if HTTPS and (not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS):
    raise ImproperlyConfigured("CUTOUT_HTTPS is set, so ALLOWED_HOSTS must name the site's hosts (no *).")
ALLOWED_HOSTS = ALLOWED_HOSTS or ["127.0.0.1", "localhost", "[::1]"]
# ".example.org" is the domain and all below it; an origin says that with a star.
CSRF_TRUSTED_ORIGINS = (
    [f"https://{'*' if host.startswith('.') else ''}{host}" for host in ALLOWED_HOSTS] if HTTPS else []
)

INSTALLED_APPS = [
    # Without looking for what the admin shows: cardsdb/urls.py does, which commands do without.
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
MIDDLEWARE = [
    "cardsdb.watch.requests.WatchedRequests",
    # Around all others, so that the redirect to https has a policy too.
    "cardsdb.site.middleware.SecurityHeaders",
    # Before anything that makes an address, reads a form or looks into the database.
    "cardsdb.site.middleware.Refusals",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "cardsdb.site.middleware.KnownBrowsers",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    # Behind the check of the form's token, so that a form without one uses up nothing.
    "cardsdb.site.ratelimits.CountedRequests",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    # Says whether htmx asks for a part of a page: ``request.htmx``. A view that looks at it says so in
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
        # The language of allauth's pages, of what stands in their place, and of the admin.
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates" / "django"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": _CONTEXT_PROCESSORS},
    },
]

DATABASES = {"default": database()}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    make_private(DATABASES["default"]["NAME"])
    # IMMEDIATE: a transaction that will write waits its turn at the start instead of failing in the middle.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 10,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"]["ENGINE"] = "cardsdb.site.postgresql"
    # A server that does not answer, or whose machine is gone, is no reason to wait for ever; in milliseconds
    # the last.
    patience = {
        "connect_timeout": 3,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
    }
    DATABASES["default"]["OPTIONS"] = {**patience, **DATABASES["default"].get("OPTIONS", {})}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Accounts (decks/accounts). The one backend asks once for each log-in, so that unknown names take as long as
# known ones.
AUTHENTICATION_BACKENDS = ["decks.accounts.backend.NamesAndAddresses"]
PASSWORD_HASHERS = [f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("Argon2", "PBKDF2")]
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
    ),
    {"NAME": "decks.accounts.adapter.NotAGame"},
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "account_login", "mine", "home"
ACCOUNT_ADAPTER = "decks.accounts.adapter.Accounts"
ACCOUNT_FORMS = {"login": "decks.accounts.backend.LogIn", "signup": "decks.accounts.backend.SignUp"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
# Who signs up is let in at once; an address is confirmed when something needs it (docs/decisions/0009).
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Cutout: "
ACCOUNT_EMAIL_NOTIFICATIONS = True
# An address may stand unconfirmed in several accounts and confirmed in one: nothing tells whether it is known
# here.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_RATE_LIMITS = {
    "login": "60/m/ip",
    # The key is an account and a network here, and an account below.
    "login_failed": "100/5m/ip,10/5m/key",
    "login_failed_anywhere": "100/h/key",
    "reauthenticate": "10/5m/user",
    "signup": "20/h/ip",
    "reset_password": "20/h/ip,5/d/key",
    "confirm_email": "20/h/ip,1/m/key,5/d/key",
    # Ours: letters to addresses that an account gives as its own.
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
# CUTOUT_MAIL and Django's own, out of CUTOUT_EMAIL_HOST and the like.
globals().update(mail_settings(os.environ, VAR_DIR / "mail", HTTPS))

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False

CUTOUT_FONT_DIR = VAR_DIR / "fonts"
CUTOUT_FONT_DIR.mkdir(parents=True, exist_ok=True)
# The folder of people's own pictures (cardsdb/environment.py); empty: pictures/ in VAR_DIR.
CUTOUT_PICTURES = os.environ.get("CUTOUT_PICTURES", "")
# How much all of them may take together; files of one content count once.
CUTOUT_PICTURES_MEGABYTES = whole_number("CUTOUT_PICTURES_MEGABYTES", 10_000)
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [("fonts", CUTOUT_FONT_DIR)]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # File names carry a hash of their content, so browsers may keep them for ever.
    "staticfiles": {"BACKEND": "cardsdb.site.static_files.HashedFiles"},
    # What people bring and ask for: folders, or a bucket that machines share (cardsdb/storage).
    **file_stores(os.environ.get("STORAGE_URL", "")),
}

# All else of security that is not here is as Django has it: no sniffing, no frames.
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
# By which a browser without an account is known (cardsdb/site/middleware.py).
CUTOUT_BROWSER_COOKIE = "__Host-browser" if HTTPS else "browser"
CSRF_FAILURE_VIEW = "cardsdb.site.errors.csrf_failed"
if HTTPS:
    SECURE_SSL_REDIRECT = flag("CUTOUT_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = whole_number("CUTOUT_HSTS_SECONDS", 60 * 60 * 24 * 365)
    # Once a browser's maker has listed a host, it is hard to take off again: its operator decides.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("CUTOUT_HSTS_SUBDOMAINS", True)
    SECURE_HSTS_PRELOAD = flag("CUTOUT_HSTS_PRELOAD", True)
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if flag("CUTOUT_BEHIND_PROXY") else None
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"

# Bounds are checked before anything is parsed; a pasted list has its own, smaller one.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Requests of one address a minute; works are what takes more than a read.
CUTOUT_BEHIND_PROXY = flag("CUTOUT_BEHIND_PROXY")
CUTOUT_READS_PER_MINUTE = whole_number("CUTOUT_READS_PER_MINUTE", 600)
CUTOUT_WORKS_PER_MINUTE = whole_number("CUTOUT_WORKS_PER_MINUTE", 60)
# Days after which entries of the audit log are deleted.
CUTOUT_AUDIT_DAYS = whole_number("CUTOUT_AUDIT_DAYS", 180)
# New decks of one address a day; and what the database may take before no deck and no version is stored any
# more.
CUTOUT_DECKS_PER_DAY = whole_number("CUTOUT_DECKS_PER_DAY", 300)
CUTOUT_DATABASE_MEGABYTES = whole_number("CUTOUT_DATABASE_MEGABYTES", 20_000)
CACHES = {"default": cache_settings(os.environ.get("CACHE_URL", ""))}
TASKS_URL = os.environ.get("TASKS_URL", "")
# TASKS, and what the engine of the queue is told besides.
globals().update(task_settings(TASKS_URL))
if TASKS_URL:
    INSTALLED_APPS.append("django_rq")
# What each worker calls every few seconds: letters are sent; what a dead worker left is put back, and into
# the queue what is not there.
CUTOUT_RECOVERIES = ["cardsdb.tasks.letters.send_letters", "printing.tasks.jobs.recover"]
# What hands letters to the mail server.
CUTOUT_MAIL_SENDER = "django.core.mail.backends.smtp.EmailBackend"
# The kinds of rows that an account has (decks/accounts/kinds.py), those of the account itself first.
CUTOUT_ACCOUNT_KINDS = ["decks.accounts.account_kinds.KINDS", "printing.web.account_data.KINDS"]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PARSER_CLASSES": ["cardsdb.api.framework.BoundedJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "cardsdb.api.framework.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["cardsdb.api.framework.PerAddress"],
    "EXCEPTION_HANDLER": "cardsdb.api.framework.api_exception",
    # ?format= is a deck's format here, not an answer's.
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
    # Errors are lists; without this the schema says that they are single objects.
    "ENABLE_LIST_MECHANICS_ON_NON_2XX": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "cardsdb.api.framework.what_may_be_left_out",
    ],
    # The same choice is offered in several places; without a name of its own the schema would make one up.
    "ENUM_NAME_OVERRIDES": {"FileFormatName": "decks.formats.CHOICES", "YesOrNo": ["yes", "no"]},
}

# One line a request in JSON, or only what an operator should look at, to read (cardsdb/watch).
CUTOUT_LOG = os.environ.get("CUTOUT_LOG", "") or ("json" if HTTPS else "plain")
if CUTOUT_LOG not in KINDS:
    raise ImproperlyConfigured(f"CUTOUT_LOG must be {' or '.join(KINDS)}, not {CUTOUT_LOG!r}.")
LOGGING = log_settings(CUTOUT_LOG)
# Milliseconds after which a query has a line of the log; 0 for never.
CUTOUT_SLOW_QUERY_MS = whole_number("CUTOUT_SLOW_QUERY_MS", 500)
# A program that shows it reads /metrics. Without one no program does on a public site, and on a private one
# every program of this machine.
CUTOUT_METRICS_TOKEN = os.environ.get("CUTOUT_METRICS_TOKEN", "")
if 0 < len(CUTOUT_METRICS_TOKEN) < 20:
    raise ImproperlyConfigured("CUTOUT_METRICS_TOKEN must have at least 20 characters.")

"""The expected answer of every address of the site to every kind of visitor: one line of ``ROWS`` per
address.

``tests/house/test_permissions.py`` asks every address as every visitor of ``tests.support.visitors``
and compares. A new address without a line fails that test, which names the address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.visitors import ANONYMOUS, FORBIDDEN, HIDDEN, LOG_IN, NEVER, OPEN, OWNER, STAFF, Address

# A rule: (visibility of the deck, visitor) -> expected answer (OPEN, HIDDEN, LOG_IN, FORBIDDEN, NEVER). The
# visibility "browser" is a private deck without an account, which only the browser that made it can see.
Rule = Callable[[str, str], str]


def everybody(visibility: str, visitor: str) -> str:
    """Everybody is let in."""
    return OPEN


def no_such_method(visibility: str, visitor: str) -> str:
    """The address does not accept this method."""
    return NEVER


def missing(visibility: str, visitor: str) -> str:
    """The sample object does not exist, so everybody gets 404."""
    return HIDDEN


def who_may_see(visibility: str, visitor: str) -> str:
    """Owners see their decks, others the unlisted and public ones. Staff see no private deck on the pages
    of the site.
    """
    return OPEN if visitor == OWNER or visibility in ("unlisted", "public") else HIDDEN


def who_may_edit(visibility: str, visitor: str) -> str:
    """Only the owner may edit."""
    return OPEN if visitor == OWNER else HIDDEN


def api_see(visibility: str, visitor: str) -> str:
    """Like ``who_may_see``, but the API knows only accounts and edit keys, so it never shows a browser's
    decks.
    """
    return HIDDEN if visibility == "browser" else who_may_see(visibility, visitor)


def api_edit(visibility: str, visitor: str) -> str:
    """Like ``who_may_edit``, but never a browser's decks."""
    return HIDDEN if visibility == "browser" else who_may_edit(visibility, visitor)


def who_may_moderate(visibility: str, visitor: str) -> str:
    """The deck's owner, and staff if they can see the deck."""
    return who_may_see(visibility, visitor) if visitor in (OWNER, STAFF) else HIDDEN


def shared(visibility: str, visitor: str) -> str:
    """Content for other sites: nothing of a private deck, not even for its owner, because other sites send no
    cookie.
    """
    return OPEN if visibility in ("unlisted", "public") else HIDDEN


def members(visibility: str, visitor: str) -> str:
    """Everybody who is logged in. The browser that owns a deck without an account is not."""
    return LOG_IN if visitor == ANONYMOUS or (visibility == "browser" and visitor == OWNER) else OPEN


def members_who_may_see(visibility: str, visitor: str) -> str:
    """Members, if the deck is visible to them; 404 comes before the log-in page."""
    return (
        who_may_see(visibility, visitor)
        if who_may_see(visibility, visitor) == HIDDEN
        else members(visibility, visitor)
    )


def staff_alone(visibility: str, visitor: str) -> str:
    """Only staff. Other members get 404, so that they do not learn that the page exists."""
    met = members(visibility, visitor)
    return HIDDEN if met == OPEN and visitor != STAFF else met


def asked_again(visibility: str, visitor: str) -> str:
    """Everybody must log in, members once more, because the page is sensitive."""
    return LOG_IN


def not_these_members(answer: str) -> Rule:
    """Return the rule for pages that answer these test accounts with ``answer``, because they lack the
    thing (a passkey, recovery codes) or the method. Everybody else must log in.
    """
    return lambda visibility, visitor: answer if members(visibility, visitor) == OPEN else LOG_IN


def closed_comments(visibility: str, visitor: str) -> str:
    """The test decks accept no comments, so members who see the deck get 403."""
    return FORBIDDEN if (met := members_who_may_see(visibility, visitor)) == OPEN else met


# The rules that depend on the deck. Others need to be tried on one deck only.
OF_A_DECK: tuple[Rule, ...] = (
    who_may_see,
    who_may_edit,
    api_see,
    api_edit,
    who_may_moderate,
    shared,
    members_who_may_see,
    closed_comments,
)


@dataclass(frozen=True, slots=True)
class Row:
    """The expected answers of one address to GET and POST, and what a request to it needs.

    ``query`` is the query string, ``values`` the path parameters, ``data`` the posted fields; ``{link}`` in
    ``query`` and ``data`` becomes the deck's link. ``game`` is the game of the deck, if only some games have
    this page.
    """

    get: Rule
    post: Rule
    query: str = ""
    game: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)

    def sent(self, link: str) -> dict[str, str]:
        """Return the posted fields for the deck with this link."""
        return {name: text.replace("{link}", link) for name, text in self.data.items()}


# Rules for (GET, POST) that many addresses share.
PUBLIC, PUBLIC_FORM, PUBLIC_POST = (
    Row(everybody, no_such_method),
    Row(everybody, everybody),
    Row(no_such_method, everybody),
)
DECK_PAGE, DECK_EDIT = Row(who_may_see, no_such_method), Row(who_may_edit, who_may_edit)
DECK_CHANGE, DECK_OWN_PAGE = Row(no_such_method, who_may_edit), Row(who_may_edit, no_such_method)
DECK_SHARED, DECK_TAKE, DECK_VOICE = (
    Row(shared, no_such_method),
    Row(no_such_method, who_may_see),
    Row(no_such_method, members_who_may_see),
)
API_PAGE, API_OWN_PAGE, API_CHANGE, API_TAKE = (
    Row(api_see, no_such_method),
    Row(api_edit, no_such_method),
    Row(no_such_method, api_edit),
    Row(no_such_method, api_see),
)
ACCOUNT, ACCOUNT_FORM, ACCOUNT_POST = (
    Row(members, no_such_method),
    Row(members, members),
    Row(no_such_method, members),
)
ACCOUNT_SURE, ACCOUNT_NONE = (
    Row(asked_again, asked_again),
    Row(not_these_members(HIDDEN), not_these_members(HIDDEN)),
)
# The sample object of these addresses does not exist.
ABSENT_PAGE, ABSENT_FORM, ABSENT_POST = (
    Row(missing, no_such_method),
    Row(missing, missing),
    Row(no_such_method, missing),
)
# One card is enough to see who gets the file, and is fast.
PRINTED = "?deck={link}&only=Leaders"
SHEET = {"slug": "agentdecker", "aid": "score-book"}
MADE = {"slug": "spynet", "aid": "set-up-draw"}


def rows(row: Row, names: str) -> dict[str, Row]:
    """Return the same row for several addresses."""
    return dict.fromkeys(names.split(), row)


ROWS: dict[str, Row] = {
    # The catalogue is public.
    **rows(PUBLIC,
         "home game_list game game_about rules glossary set_up card_list random_card suggest syntax card "
         "sets compare cards_of_game games_css healthz readyz favicon.ico robots sitemap opensearch bulk "
         "changes card_decks decks_newest face_svg face_png face_pdf lackey_plugin lackey_file "
         "cockatrice_cards deck_search_help play effect_words manifest service_worker offline own_searches"),
    "faces_svg": Row(everybody, no_such_method, query="?of=kai"),
    "document": Row(everybody, no_such_method, values={"slug": "agentdecker", "key": "rulebook"}),
    "saved_searches": PUBLIC_FORM,
    "account_history": ACCOUNT,
    "status": Row(staff_alone, no_such_method),
    "metrics": PUBLIC,  # Test requests come from the machine itself, which may read them.
    "found_cards": Row(everybody, no_such_method, query="?q=game%3Aspycraft&to=csv"),
    "deck_cards": Row(who_may_see, no_such_method, query="?to=csv"),
    "set": Row(everybody, no_such_method, values={"code": "EA"}),
    "bulk_file": ABSENT_PAGE,  # No bulk files are made for the test catalogue.
    "correct_card": PUBLIC_FORM,
    "correct_set": Row(everybody, everybody, values={"code": "EA"}),
    "changes_feed": PUBLIC_FORM,  # Django's feeds do not ask for the method.
    "decks_feed": PUBLIC_FORM,
    "sitemap_section": Row(everybody, no_such_method, values={"section": "decks"}),
    "aids": Row(everybody, no_such_method, values=SHEET),
    "aid": Row(everybody, no_such_method, values=SHEET),
    "aid_sheet": Row(everybody, no_such_method, values=SHEET, query="?blank=yes"),
    **rows(PUBLIC, "api_index api_cards api_bulk api_schema api_openapi api_docs"),
    **rows(PUBLIC,
         "api/v1/games/ api/v1/games/<slug:slug>/ api/v1/games/<slug:slug>/play/ api/v1/sets/ api/v1/rules/ "
         "api/v1/glossary/ api/v1/cards/<slug:game_slug>/<slug:code>/ api/v1/search/explain/"),
    # Formats of leagues. None exists at the sample addresses; tests/decks/leagues/test_privacy.py has real
    # ones.
    "league_list": PUBLIC_FORM,
    **rows(ABSENT_PAGE, "league league_file"),
    **rows(ABSENT_FORM, "league_edit league_delete"),
    "league_deck": ABSENT_POST,
    "api_formats": PUBLIC,
    "api_format": ABSENT_PAGE,
    # Judging lists and making decks needs no account.
    **rows(PUBLIC_FORM, "check deck_new deck_import house_rules open_link edit_link"),
    **rows(PUBLIC_POST,
         "check_verdict check_repairs check_repair check_complete check_numbers check_save"),
    **rows(PUBLIC_POST,
         "api/v1/decks/import/ api/v1/decks/validate/ api/v1/decks/complete/ api/v1/decks/convert/ "
         "api/v1/sheets/"),
    "api/v1/decks/": PUBLIC_FORM,
    **rows(PUBLIC, "deck_list mine"),
    # Reviews of cards. The sample review does not exist.
    "card_reviews": Row(everybody, members, data={"text": "Better than it looks."}),
    "review_decide": Row(no_such_method, not_these_members(HIDDEN), data={"do": "delete"}),
    # Reports. The sample report does not exist.
    "moderation": Row(staff_alone, no_such_method),
    "report": Row(not_these_members(HIDDEN), not_these_members(HIDDEN), values={"thing": "deck", "pk": 0},
                  data={"do": "report"}),
    # One deck.
    **rows(DECK_PAGE, "deck deck_files deck_file deck_numbers deck_odds deck_hands deck_share"),
    **rows(DECK_PAGE, "deck_qr deck_list_qr"),
    # A POST notes the deck's cards in the visitor's own collection.
    "deck_missing": Row(who_may_see, who_may_see),
    **rows(DECK_EDIT, "deck_edit deck_text deck_settings deck_house deck_delete deck_complete"),
    **rows(DECK_OWN_PAGE, "deck_history deck_version deck_repairs"),
    **rows(DECK_CHANGE, "deck_restore deck_name_version deck_undo deck_redo deck_repair deck_relink"),
    **rows(DECK_CHANGE, "deck_publish comments_open"),
    **rows(DECK_SHARED, "deck_embed deck_picture"),
    **rows(DECK_VOICE, "deck_like deck_favourite"),
    "deck_fork": DECK_TAKE,
    "deck_comments": Row(who_may_see, closed_comments),
    "comment_decide": Row(no_such_method, who_may_moderate, data={"do": "refuse"}),
    "deck_reveal": Row(who_may_edit, who_may_edit, game="xfiles"),
    "aid_into_deck": Row(no_such_method, who_may_edit, game="spynet", values=MADE),
    "add_card": Row(everybody, who_may_edit, data={"deck": "{link}"}),
    "deck_compare": Row(who_may_see, no_such_method, query="?a={link}&b={link}"),
    "print": Row(who_may_see, everybody, query="?deck={link}"),
    "print_worksheets": Row(who_may_see, no_such_method, query="?deck={link}", game="agentdecker"),
    "print_ordering": Row(who_may_see, everybody, query="?deck={link}"),
    **rows(Row(who_may_see, everybody, query=PRINTED),
         "sheets print_service print_service-pdf print_cut-svg print_cut-dxf"),
    **rows(Row(who_may_see, everybody, query=f"{PRINTED}&dpi=150&sheet_image=jpeg"),
         "print_cards print_tabletop"),
    # A print job belongs to the visitor who asked for it. The sample job does not exist.
    "print_presets": PUBLIC_POST,
    "print_jobs": PUBLIC_FORM,
    **rows(ABSENT_PAGE, "print_job print_job_file api_print_job api_print_job_file"),
    **rows(ABSENT_POST, "print_job_cancel print_job_again"),
    **rows(API_PAGE,
         "api/v1/decks/<slug:link>/ api/v1/decks/<slug:link>/numbers/ "
         "api/v1/decks/<slug:link>/numbers/odds/ api/v1/decks/<slug:link>/numbers/hands/"),
    **rows(API_OWN_PAGE,
         "api/v1/decks/<slug:link>/revisions/ api/v1/decks/<slug:link>/revisions/<int:number>/"),
    **rows(API_CHANGE, "api/v1/decks/<slug:link>/undo/ api/v1/decks/<slug:link>/redo/"),
    "api/v1/decks/<slug:link>/fork/": API_TAKE,
    # The visitor's own collection, with or without an account.
    **rows(PUBLIC_FORM, "collection collection_import collection_card"),
    "starter_missing": Row(everybody, everybody, values={"slug": "nine-tiger"}),
    **rows(PUBLIC, "collection_csv buildable"),
    "collection_numbers": PUBLIC_POST,
    # The visitor's own pictures. The sample picture does not exist.
    "pictures": PUBLIC_FORM,
    **rows(PUBLIC_POST, "pictures_place pictures_change"),
    "picture": ABSENT_FORM,
    "picture_delete": ABSENT_POST,
    **rows(ABSENT_PAGE, "picture_file picture_small"),
    # The visitor's own texts.
    "own": PUBLIC_FORM,
    **rows(PUBLIC, "own_export own_face"),
    "own_job": ABSENT_PAGE,
    **rows(PUBLIC_POST, "own_add own_forget"),
    # The visitor's own sets. The sample set and card do not exist.
    **rows(PUBLIC_FORM, "own_sets own_card_new"),
    "own_card": ABSENT_PAGE,
    "own_card_face": PUBLIC_POST,
    "checklist": Row(everybody, everybody, values={"slug": "spynet"}),
    "checklist_place": Row(everybody, everybody, values={"slug": "spynet", "code": "agent-01"}),
    **rows(ABSENT_PAGE, "own_set own_set_export"),
    **rows(ABSENT_FORM, "own_set_change own_card_change"),
    "own_card_delete": ABSENT_POST,
    # The visitor's own printers and texts. The sample printer does not exist.
    **rows(PUBLIC_FORM, "calibration card_text"),
    **rows(PUBLIC, "calibration_sheet card_texts"),
    "calibration_printer": ABSENT_FORM,
    "calibration_delete": ABSENT_POST,
    # Accounts.
    **rows(ACCOUNT, "account account_favourites account_export"),
    "account_take": ACCOUNT_POST,
    **rows(ACCOUNT_SURE,
         "account_delete account_log_ins mfa_reauthenticate mfa_reauthenticate_webauthn mfa_add_webauthn "
         "mfa_remove_webauthn mfa_edit_webauthn mfa_generate_recovery_codes"),
    **rows(PUBLIC_FORM,
         "account_login account_logout account_signup account_signup_by_passkey "
         "account_reset_password"),
    "account_reset_password_from_key": Row(everybody, everybody, values={"key": "x-y"}),
    "account_confirm_email": Row(everybody, missing),
    **rows(PUBLIC, "account_inactive account_email_verification_sent account_reset_password_done"),
    "account_reset_password_from_key_done": PUBLIC,
    **rows(ACCOUNT_FORM,
         "account_email account_change_password account_set_password account_reauthenticate"),
    # These pages show something only half way through logging in; other visitors are redirected.
    **rows(ACCOUNT_FORM, "account_confirm_login_code mfa_authenticate mfa_login_webauthn"),
    "mfa_signup_webauthn": PUBLIC_FORM,
    **rows(Row(members, not_these_members(NEVER)), "mfa_index mfa_list_webauthn"),
    "mfa_view_recovery_codes": Row(not_these_members(HIDDEN), not_these_members(NEVER)),
    "mfa_download_recovery_codes": ACCOUNT_NONE,
}  # fmt: skip


def path_to(address: Address, link: str, **values: Any) -> str:
    """Return the path and query string that lead to this address for the deck with this link. ``values`` are
    path parameters, unless the address's row has others.
    """
    row = ROWS[address.name]
    return address.path(link, **values | dict(row.values)) + row.query.replace("{link}", link)

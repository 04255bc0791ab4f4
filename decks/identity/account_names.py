"""The names of accounts: what one may look like, and when two of them are the same."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError

MIN_NAME, MAX_NAME = 2, 30
# Letters that show nothing, and marks that change nothing one can see.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
# Names that would speak for the site.
RESERVED = {"admin", "administrator", "root", "staff", "moderator", "moderators", "cutout", "system", "support", "anonymous", "nobody"}
SHAPE = f"Use {MIN_NAME} to {MAX_NAME} letters and digits, with . - and _ between them if you like."
TAKEN = "Somebody has this name already, or one that looks the same. Choose another."


def clean_account_name(name: str) -> str:
    """The name in its one spelling (NFKC, as Django keeps names). Raises ValidationError when it cannot be one."""
    name = unicodedata.normalize("NFKC", name.strip())
    kinds = [unicodedata.category(char) for char in name]
    if not MIN_NAME <= len(name) <= MAX_NAME or _UNSEEN.search(name):
        raise ValidationError(SHAPE, code="bad_name")
    if not all(kind[0] in "LN" or kind in ("Mn", "Mc") or char in "._-" for char, kind in zip(name, kinds, strict=True)):
        raise ValidationError(SHAPE, code="bad_name")
    # Two marks on one letter are a language; more are a tower.
    towers = any(set(kinds[start : start + 3]) == {"Mn"} for start in range(len(kinds) - 2))
    if kinds[0][0] not in "LN" or name[-1] in "._-" or towers:
        raise ValidationError(SHAPE, code="bad_name")
    if name_key(name) in RESERVED:
        raise ValidationError(TAKEN, code="reserved")
    return name


def name_key(name: str) -> str:
    """Equal for names that differ in case or in compatibility forms only."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def twin_key(name: str, user_id: int) -> str:
    """In place of a key that an older account has: no name has # in it, so it is nobody's else."""
    return f"{name_key(name)}#{user_id}"

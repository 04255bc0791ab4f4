"""Whether the site answers with the same bytes as before: a corpus recorded on one version of the code,
compared with another.

    python -m tests.same_bytes record OUT [--code FOLDER] [--only pages,decks,printing,api,search,commands]
    [--jobs 2] [--database URL] python -m tests.same_bytes reopen VAR OUT [--code FOLDER] [--database URL]
    python -m tests.same_bytes compare BEFORE AFTER [--show 20] [--forgive REGEX]... [--only PART,...]

``record`` writes ``OUT/<part>.jsonl``, one line an answer: name, status, media type, headers, digest, and
what a person can read of it. ``FOLDER`` is the checkout whose site is asked; this one unless told. Each part
has a fresh ``var/`` of its own, a clock that stands still between requests and random numbers that begin anew
with each request; only what the site offers in public is used: addresses, the API and the commands.

The decks part leaves its ``var/`` behind as ``OUT/old_var``, with the cookies of its visitors: a database of
that version. ``reopen`` brings a copy of it up to date with the code of ``FOLDER`` and asks for everything in
it again.

With ``--database postgresql://...`` an empty database there is used instead of SQLite in ``var/``, by one
part (``--only``); ``reopen`` takes the one that ``record --only decks`` left, or a restored dump of it.

``compare`` groups the differences by what differs, the most frequent first. ``--forgive`` takes a regular
expression whose matches are left out on both sides: what is meant to differ.

What is made equal before it is compared: form tokens, nonces, hashes in names of static files, addresses of
print jobs, edit keys, tags (ETag) and dates of answers. Decks get readable addresses as soon as they are
made.
"""

from __future__ import annotations

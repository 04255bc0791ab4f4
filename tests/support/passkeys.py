"""A security key in software: it makes passkeys and signs with them, and returns the JSON that a browser
would post.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode

# Flags of WebAuthn authenticator data: user present, user verified, a new key is attached.
PRESENT, VERIFIED, WITH_KEY = 0x01, 0x04, 0x40


class SoftwareKey:
    """One passkey for one site. ``origin`` is the address that its answers name; another one than the site's
    must be refused.
    """

    def __init__(self, origin: str = "http://testserver") -> None:
        self.origin = origin
        self.id = secrets.token_bytes(16)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._owner = b""

    def make(self, options: Any) -> str:
        """Return the credential for a page that asks to create a passkey."""
        wanted = options["publicKey"]
        self._owner = websafe_decode(wanted["user"]["id"])
        public = cbor.encode(ES256.from_cryptography_key(self._key.public_key()))
        data = (
            self._data(wanted["rp"]["id"], WITH_KEY)
            + bytes(16)
            + struct.pack(">H", len(self.id))
            + self.id
            + public
        )
        proof = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(
            "webauthn.create",
            wanted["challenge"],
            {"attestationObject": websafe_encode(proof)},
            {"credProps": {"rk": True}},
        )

    def use(self, options: Any, owner: bytes | None = None) -> str:
        """Return the credential for a page that asks to use the passkey. ``owner`` lets it claim to belong to
        another user (the bytes of the user handle).
        """
        wanted = options["publicKey"]
        data = self._data(wanted["rpId"])
        client = self._client("webauthn.get", wanted["challenge"])
        signed = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(signed),
            "userHandle": websafe_encode(self._owner if owner is None else owner),
        }
        return self._answer("webauthn.get", wanted["challenge"], response, {})

    def _data(self, site: str, more: int = 0) -> bytes:
        """Return the authenticator data for this site, without an attached key."""
        return hashlib.sha256(site.encode()).digest() + struct.pack(">BI", PRESENT | VERIFIED | more, 0)

    def _client(self, kind: str, challenge: str) -> bytes:
        """Return the client data JSON."""
        return json.dumps(
            {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        ).encode()

    def _answer(self, kind: str, challenge: str, response: dict[str, str], results: dict[str, Any]) -> str:
        name = websafe_encode(self.id)
        response = {"clientDataJSON": websafe_encode(self._client(kind, challenge)), **response}
        return json.dumps(
            {
                "type": "public-key",
                "id": name,
                "rawId": name,
                "response": response,
                "clientExtensionResults": results,
            }
        )

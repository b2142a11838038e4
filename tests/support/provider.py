"""An OpenID Connect provider within the test: no packet leaves, and it lies where it is told to."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from joserfc import jwt
from joserfc.jwk import RSAKey

ISSUER = "https://id.example"
CLIENT = "arbitro"
SECRET = "a secret of the client"


class FakeProvider:
    """Vouches for ``subject``; ``lies`` replace what it says, ``key`` what it signs with."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "one"})
        self.published = self.key
        self.subject = "4711"
        self.claims: dict[str, Any] = {"preferred_username": "Rin"}
        self.lies: dict[str, Any] = {}
        self.algorithm = "RS256"
        self.metadata: dict[str, Any] = {}
        self.down = False
        self.seen: list[str] = []
        self._asked: dict[str, str] = {}

    def transport(self) -> httpx2.MockTransport:
        """Give what a client reaches this by."""
        return httpx2.MockTransport(self._answer)

    def authorize(self, address: str) -> dict[str, str]:
        """Let somebody say yes at the address they were sent to; give what comes back."""
        parts = urlsplit(address)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{ISSUER}/authorize"
        self._asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert self._asked["response_type"] == "code"
        assert self._asked["code_challenge_method"] == "S256"
        assert self._asked["client_id"] == CLIENT
        assert "openid" in self._asked["scope"].split()
        return {"code": "a-code", "state": self._asked["state"]}

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.seen.append(str(request.url))
        if self.down:
            raise httpx2.ConnectError("down")
        match request.url.path:
            case "/.well-known/openid-configuration":
                return httpx2.Response(200, json=self._discovery())
            case "/keys":
                return httpx2.Response(200, json={"keys": [self.published.as_dict(private=False)]})
            case "/token":
                return self._token(request)
        return httpx2.Response(404)

    def _discovery(self) -> dict[str, Any]:
        return {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/authorize",
            "token_endpoint": f"{ISSUER}/token",
            "jwks_uri": f"{ISSUER}/keys",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
            **self.metadata,
        }

    def _token(self, request: httpx2.Request) -> httpx2.Response:
        sent = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        known = request.headers.get("authorization") == f"Basic {basic}"
        if not known or sent["code"] != "a-code" or challenge != self._asked["code_challenge"]:
            return httpx2.Response(400, json={"error": "invalid_grant"})
        return httpx2.Response(
            200,
            json={"access_token": "x", "token_type": "Bearer", "id_token": self._id_token()},
        )

    def _id_token(self) -> str:
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "sub": self.subject,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": self._asked["nonce"],
            **self.claims,
            **self.lies,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.algorithm == "none":
            parts = ({"alg": "none"}, claims)
            texts = (base64.urlsafe_b64encode(json.dumps(one).encode()) for one in parts)
            return b".".join(one.rstrip(b"=") for one in texts).decode() + "."
        return str(jwt.encode({"alg": self.algorithm, "kid": "one"}, claims, self.key))

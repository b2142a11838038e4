"""OpenID Connect: another service vouches for somebody (discovery, PKCE, state and nonce)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

LOG: Final = logging.getLogger("arbitro.oidc")
DISCOVERY: Final = "/.well-known/openid-configuration"
SCOPE: Final = "openid profile"
TIMEOUT: Final = 10.0  # seconds
LEEWAY: Final = 60  # seconds by which clocks may differ
# Of a key that both sides know, or of none, the provider's own key proves nothing.
ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "EdDSA",
)


class NotVouched(Exception):
    """The provider vouches for nobody, or what came back is not from it or not for us."""


class OutOfReach(Exception):
    """The provider does not answer, or answers what it may not."""


@dataclass(frozen=True, slots=True)
class Vouched:
    """For whom a provider vouches: who they are to it, and what it calls them."""

    issuer: str
    subject: str
    name: str


class Provider:
    """One provider; ``transport`` is how it is reached, if not over the network.

    ``seed`` ties what comes back to the browser that was sent: it is kept there in a cookie, and
    state, nonce and verifier are made of it.
    """

    def __init__(self, issuer: str, client_id: str, client_secret: str, callback: str) -> None:
        self.issuer = issuer.rstrip("/")
        self.client_id = client_id
        self.callback = callback
        self.transport: Any = None
        self._client_secret = client_secret
        self._metadata: Mapping[str, Any] | None = None

    async def begin(self, seed: str) -> str:
        """Give the address at the provider where somebody says who they are."""
        async with self._client() as client:
            metadata = await self._discovered(client)
            address, _ = client.create_authorization_url(
                metadata["authorization_endpoint"],
                state=_derived(seed, "state"),
                nonce=_derived(seed, "nonce"),
                code_verifier=_derived(seed, "verifier"),
            )
        return str(address)

    async def finish(self, seed: str, given: Mapping[str, str]) -> Vouched:
        """Read for whom the provider vouches; raise NotVouched or OutOfReach."""
        state = given.get("state", "").encode()
        if not hmac.compare_digest(state, _derived(seed, "state").encode()):
            raise NotVouched("state")
        async with self._client() as client:
            metadata = await self._discovered(client)
            if given.get("iss", metadata["issuer"]) != metadata["issuer"]:
                raise NotVouched("issuer")
            if "code" not in given:
                raise NotVouched("no code")
            token = await self._token(client, metadata, seed, given["code"])
            keys = await _json(client, str(metadata.get("jwks_uri", "")))
        return self._checked(token, keys, metadata, _derived(seed, "nonce"))

    async def _token(
        self, client: Any, metadata: Mapping[str, Any], seed: str, code: str
    ) -> Mapping[str, Any]:
        from authlib.integrations.base_client import OAuthError

        try:
            token: Mapping[str, Any] = await client.fetch_token(
                metadata["token_endpoint"],
                code=code,
                grant_type="authorization_code",
                code_verifier=_derived(seed, "verifier"),
            )
        except OAuthError as error:
            raise NotVouched(ascii(error.error)[:80]) from error  # one line, whatever it says
        except _unreachable() as error:
            raise OutOfReach(type(error).__name__) from error
        return token

    def _checked(
        self,
        token: Mapping[str, Any],
        keys: Any,
        metadata: Mapping[str, Any],
        nonce: str,
    ) -> Vouched:
        """Hold an ID token against the provider's keys and everything that it must say."""
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet
        from joserfc.jws import JWSRegistry

        offered = metadata.get("id_token_signing_alg_values_supported") or ("RS256",)
        allowed = [one for one in ALGORITHMS if one in offered]
        required = {
            "iss": {"essential": True, "value": metadata["issuer"]},
            "aud": {"essential": True, "value": self.client_id},
            "nonce": {"essential": True, "value": nonce},
        }
        try:
            registry = JWSRegistry(algorithms=allowed, strict_check_header=False)
            found = jwt.decode(
                str(token.get("id_token", "")), KeySet.import_key_set(keys), registry=registry
            )
            asked = {"nonce": nonce, "client_id": self.client_id}
            claims = CodeIDToken(found.claims, found.header, required, asked)
            claims.validate(leeway=LEEWAY)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise NotVouched(type(error).__name__) from error
        subject = found.claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= 255:
            raise NotVouched("subject")
        names = (found.claims.get(one) for one in ("preferred_username", "nickname", "name"))
        name = next((one for one in names if isinstance(one, str) and one.strip()), "")
        return Vouched(metadata["issuer"], subject, name)

    async def _discovered(self, client: Any) -> Mapping[str, Any]:
        if self._metadata is None:
            found = await _json(client, f"{self.issuer}{DISCOVERY}")
            needed = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
            if not all(isinstance(found.get(one), str) for one in needed):
                raise OutOfReach("incomplete discovery")
            if found["issuer"].rstrip("/") != self.issuer:
                raise OutOfReach("another issuer")
            self._metadata = found
        return self._metadata

    def _client(self) -> Any:
        from authlib.integrations.httpx_client import AsyncOAuth2Client

        return AsyncOAuth2Client(
            client_id=self.client_id,
            client_secret=self._client_secret,
            redirect_uri=self.callback,
            scope=SCOPE,
            code_challenge_method="S256",
            transport=self.transport,
            timeout=TIMEOUT,
        )


async def _json(client: Any, address: str) -> Mapping[str, Any]:
    """Fetch a document of the provider."""
    try:
        answer = await client.request("GET", address, withhold_token=True)
        answer.raise_for_status()
        found = answer.json()
    except ValueError as error:
        raise OutOfReach("no JSON") from error
    except _unreachable() as error:
        raise OutOfReach(type(error).__name__) from error
    if not isinstance(found, dict):
        raise OutOfReach("no document")
    return found


def _unreachable() -> tuple[type[Exception], ...]:
    """Name what the client raises where nothing, or no good answer, comes back."""
    from httpx2 import HTTPError, InvalidURL

    return (HTTPError, InvalidURL)


def _derived(seed: str, use: str) -> str:
    made = hmac.new(seed.encode(), use.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()

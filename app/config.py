"""Settings of one deployment, read from the environment, and where the files beside `app` stand."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT: Final = Path(__file__).resolve().parents[1]
TEMPLATES: Final = ROOT / "templates"
STATIC: Final = ROOT / "static"
CASES: Final = ROOT / "tests" / "cases"
ALEMBIC_INI: Final = ROOT / "alembic.ini"

LARGEST_BODY: Final = 256 * 1024  # bytes: the longest legal turn is a third of it


class Settings(BaseSettings):
    """What a deployment decides; each field is read from ``ARBITRO_`` and its name in capitals."""

    model_config = SettingsConfigDict(
        env_prefix="ARBITRO_",
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,  # an error goes to the log, where no key belongs
    )

    database_url: str = "sqlite:///arbitro.db"
    base_url: str = "http://localhost:8000"
    """Where people reach the service: secret links begin with it, and forms may be sent from it."""
    master_keys: str = Field(default="", repr=False)
    """The keys of the dice, ``id:hex`` with commas between, the current one first."""
    key_file: Path = Path("arbitro.keys")
    """Where the keys of the dice stand, one on a line, if ``master_keys`` is empty."""
    beacon_file: Path | None = None
    """The recorded rounds of a public beacon; without it no scene can ask for one."""
    sign_up: Literal["open", "invitation"] = "open"
    """Who may make an account: anybody, or only whoever was invited to a board."""
    board_makers: Literal["anyone", "admins"] = "anyone"
    """Who may make boards: anybody with an account, or only those who look after the service."""
    oidc_issuer: str = ""
    """The OpenID Connect provider that may vouch for people; without it there is none."""
    oidc_client_id: str = ""
    oidc_client_secret: str = Field(default="", repr=False)
    oidc_name: str = "OpenID"
    """What the provider is called on the button that leads there."""
    jobs: bool = True
    """Whether this process does jobs: reminders, defaults after a deadline, mails."""
    jobs_every: float = Field(default=20.0, gt=0, le=3600)
    """How many seconds pass between two looks for jobs."""
    smtp_host: str = ""
    """The server that sends mails; without it no notice goes out by e-mail."""
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str = ""
    smtp_password: str = Field(default="", repr=False)
    mail_from: str = "arbitro@localhost"
    """The address that mails come from."""
    games: str = ""
    """Packages of further games, with commas between (app/rulesets/README.md)."""
    debug: bool = False
    """Let an unforeseen error through to the server instead of answering 500."""

    @field_validator("base_url")
    @classmethod
    def _an_origin_and_a_path(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("base_url begins with http:// or https:// and names a host")
        if parts.query or parts.fragment or parts.username is not None:
            raise ValueError("base_url holds a host and at most a path")
        return value.rstrip("/")

    @property
    def further_games(self) -> tuple[str, ...]:
        """List the packages of further games."""
        return tuple(name for one in self.games.split(",") if (name := one.strip()))

    @cached_property
    def origin(self) -> str:
        """Give the scheme and host of the base address, as a browser writes them in ``Origin``."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}".lower()

    @property
    def secure(self) -> bool:
        """Say whether people come by TLS, so that cookies may be refused to anything else."""
        return self.base_url.startswith("https://")

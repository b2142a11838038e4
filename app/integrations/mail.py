"""E-mail through a server that the deployment names: plain text, one addressee at a time."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Final, Protocol

from app.config import Settings

PATIENCE: Final = 15  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail in plain text; ``id`` stays the same if it has to be sent again."""

    to: str
    subject: str
    text: str
    id: str
    headers: tuple[tuple[str, str], ...] = field(default=())


class Mailer(Protocol):
    """Whatever sends mails."""

    def send(self, mail: Mail) -> None:
        """Send one; raise OSError, of which smtplib's errors are, where that fails."""


@dataclass(frozen=True, slots=True)
class SmtpMailer:
    """A server reached by SMTP."""

    settings: Settings

    def send(self, mail: Mail) -> None:
        """Hand one mail to the server."""
        settings = self.settings
        context = ssl.create_default_context()
        where = (settings.smtp_host, settings.smtp_port)
        if settings.smtp_security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(*where, timeout=PATIENCE, context=context)
        else:
            server = smtplib.SMTP(*where, timeout=PATIENCE)
        with server:
            if settings.smtp_security == "starttls":
                server.starttls(context=context)
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password)
            server.send_message(written(mail, settings.mail_from))


def written(mail: Mail, sender: str) -> EmailMessage:
    """Write a mail as it goes over the wire; a header with a line feed in it is refused."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = mail.to
    message["Subject"] = mail.subject
    domain = parseaddr(sender)[1].rpartition("@")[2] or "localhost"
    message["Message-ID"] = f"<{mail.id}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    for name, value in mail.headers:
        message[name] = value
    message.set_content(mail.text)
    return message


def mailer_of(settings: Settings) -> Mailer | None:
    """Give the mailer of a deployment; None where it sends no mails."""
    return SmtpMailer(settings) if settings.smtp_host else None

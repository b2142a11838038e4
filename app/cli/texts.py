"""What the command says, in which language, and the database that it works on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from app.persistence.database import Database

# What this command says, in Italian and English; what has a code is said by the phrases.
TEXTS: Final = {
    "arbitro": (
        "Arbitra i combattimenti giocati sul forum.",
        "Adjudicate combat played by forum post.",
    ),
    "serve": ("Avvia il servizio.", "Start the service."),
    "demo": (
        "Prepara una scena d'esempio e avvia il servizio.",
        "Prepare an example scene and start the service.",
    ),
    "owner_link": (
        "Crea un nuovo link per il proprietario; quello di prima non vale più.",
        "Make a new link for the owner; the one before is revoked.",
    ),
    "owner_link_board": (
        "L'id della board; senza, è la prima.",
        "The id of the board; without one, the first.",
    ),
    "migrate": (
        "Porta il database alla versione di questo programma.",
        "Bring the database to the version of this program.",
    ),
    "key": (
        "Crea una chiave dei dadi: mettila davanti alle altre, che restano.",
        "Make a dice key: put it before the others, which stay.",
    ),
    "replay": (
        "Rigioca le scene e confrontale con ciò che è salvato.",
        "Replay the scenes and compare them with what is stored.",
    ),
    "replay_check": (
        "Controlla soltanto; esce con 1 se una scena è diversa.",
        "Only check; the exit status is 1 if a scene differs.",
    ),
    "replay_needs_check": ("Scrivi: arbitro replay --check", "Write: arbitro replay --check"),
    "tag": (
        "Controlla i tag del dado di un post; esce con 1 se c'è un errore.",
        "Check the dice tags of a post; the exit status is 1 if one is wrong.",
    ),
    "tag_text": ("Il tag o il post da controllare.", "The tag or post to check."),
    "verify": (
        "Controlla il verbale di una scena con l'impronta pubblicata nel forum; esce con 1 se "
        "qualcosa non torna, con 2 se il file non si può leggere.",
        "Check the ledger of a scene against the head posted in the forum; the exit status is 1 "
        "if something does not fit, 2 if the file cannot be read.",
    ),
    "verify_ledger": ("Il verbale, come è stato scaricato.", "The ledger as it was downloaded."),
    "verify_head": (
        "L'impronta dell'ultimo post, 64 cifre esadecimali.",
        "The head of the last post, 64 hexadecimal digits.",
    ),
    "cases": ("Esegui i casi di file e cartelle.", "Run the cases of files and folders."),
    "cases_paths": ("File o cartelle di casi.", "Files or folders of cases."),
    "cases_chapter": ("Solo questi capitoli, come 3-6.", "Only these chapters, like 3-6."),
    "cases_op": (
        "Solo questa operazione; si può ripetere.",
        "Only this operation; may be given more than once.",
    ),
    "case_schema": (
        "Scrivi lo schema JSON dei file di casi.",
        "Write the JSON Schema of case files.",
    ),
    "duel": (
        "Calcola un duello fra due guerrieri stampati.",
        "Work out a duel between two printed warriors.",
    ),
    "duel_who": ("L'id di un guerriero, come guerriero.", "The id of a warrior, like guerriero."),
    "duel_unknown": ("Non c'è un guerriero con questo id.", "There is no warrior of this id."),
    "duel_wins": ("vince", "wins"),
    "duel_draw": ("pari", "draw"),
    "duel_turns": ("turni in media", "turns on average"),
    "duel_matrix": (
        "Calcola la matrice dei 51 guerrieri e scrivila in JSON (un minuto o due).",
        "Work out the matrix of the 51 warriors and write it as JSON (a minute or two).",
    ),
    "lint_rules": (
        "Cerca vuoti e sovrapposizioni nelle tabelle delle regole. "
        "Esce con 0 se ci sono solo difetti noti, ciascuno con chi lo risolve; con 1 se ce n'è "
        "uno che nessuno conosce, o se uno noto non c'è più.",
        "Look for gaps and overlaps in the tables of the rules. "
        "The exit status is 0 if all faults are known, each with what settles it; 1 if one is "
        "known to nobody, or a known one is gone.",
    ),
    "lint_paths": (
        "File di tabelle; senza, quelli delle regole di Arbitro.",
        "Files of tables; without any, those of Arbitro's own rules.",
    ),
    "host": ("L'indirizzo su cui ascoltare.", "The address to listen on."),
    "port": ("La porta su cui ascoltare.", "The port to listen on."),
    "port_taken": (
        "La porta {port} è già occupata: ferma chi la usa, o scegline un'altra con --port "
        "(make demo PORT=8001).",
        "Port {port} is taken: stop whoever uses it, or choose another with --port "
        "(make demo PORT=8001).",
    ),
    "migrated": ("Il database è pronto.", "The database is ready."),
    "owner": ("Proprietario", "Owner"),
    "gm": ("Master", "Game master"),
    "keep": (
        "Chi ha un link può agire: ogni avvio della demo ne crea di nuovi.",
        "Whoever has a link may act; each start of the demo makes new ones.",
    ),
    "equal": ("scene uguali a ciò che è salvato", "scenes equal to what is stored"),
    "different": ("scene diverse", "scenes that differ"),
    "other_edition": ("scene di un'altra edizione", "scenes of another edition"),
    "tag_is_right": ("Il tag è giusto.", "The tag is right."),
    "wrong_revision": (
        "Il database non è della versione di questo programma: esegui «arbitro migrate».",
        "The database is not of this program's version: run `arbitro migrate`.",
    ),
    "busy": (
        "Il database non risponde: è bloccato, pieno, di sola lettura o irraggiungibile.",
        "The database does not answer: it is locked, full, read-only or out of reach.",
    ),
    "users": ("Le persone che hanno un account.", "The people with an account."),
    "users_add": (
        "Crea un account; la password si scrive quando è chiesta.",
        "Make an account; the password is typed when it is asked for.",
    ),
    "users_name": ("Il nome, o l'indirizzo e-mail.", "The name, or the e-mail address."),
    "users_new_name": ("Il nome che gli altri vedranno.", "The name that others will see."),
    "users_email": ("L'indirizzo e-mail, se c'è.", "The e-mail address, if there is one."),
    "users_is_admin": ("Gestisce il servizio.", "Looks after the service."),
    "users_list": ("Elenca gli account.", "List the accounts."),
    "users_admin": (
        "Fa gestire il servizio a una persona, o con --no non più.",
        "Let a person look after the service, or with --no no longer.",
    ),
    "users_no": ("Non più.", "No longer."),
    "users_reset": (
        "Crea un link con cui una persona sceglie una nuova password, una volta sola.",
        "Make a link by which a person sets a new password, once.",
    ),
    "users_password": ("La password", "The password"),
    "users_password_again": ("Ancora una volta", "Once more"),
    "users_password_differs": (
        "Le due password sono diverse: riprova.",
        "The two passwords differ: try again.",
    ),
    "users_unknown": ("Non c'è un account con questo nome.", "There is no account of this name."),
    "users_done": ("Fatto.", "Done."),
    "users_of_service": ("gestisce il servizio", "looks after the service"),
    "boards": ("Le board di questo servizio.", "The boards of this service."),
    "boards_list": ("Elenca le board.", "List the boards."),
    "boards_add": (
        "Crea una board e stampa il link del suo proprietario.",
        "Make a board and print the link of its owner.",
    ),
    "boards_unknown": (
        "Non c'è una board con questo id: arbitro boards list le elenca.",
        "There is no board of this id: arbitro boards list names them.",
    ),
    "boards_name": ("Il nome della board.", "The name of the board."),
}


def language() -> str:
    """Choose Italian, unless the terminal speaks English."""
    spoken = next((os.environ[name] for name in ("LC_ALL", "LANG") if os.environ.get(name)), "")
    return "en" if spoken.lower().startswith("en") else "it"


def text(key: str) -> str:
    """Give what the command says, in the language of the terminal."""
    italian, english = TEXTS[key]
    return english if language() == "en" else italian


def number(text: str) -> str:
    """Write a number with the decimal sign of the terminal's language."""
    return text if language() == "en" else text.replace(".", ",")


@contextmanager
def database() -> Iterator[Database]:
    """Open the database of the settings, and close it afterwards."""
    from app.config import Settings
    from app.persistence.database import Database

    db = Database(Settings().database_url)
    try:
        yield db
    finally:
        db.close()

"""Nobody gets a second throw: whatever is tried, the faces are those of the first one (G11).

Each attack is tried on copies of one database with many scenes, and what its dice show is held
against what they show in a copy where nobody tried anything. In a world whose dice are drawn anew
each time the same attacks do get other faces.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.engine.dice import Address
from app.engine.seal import seal_of
from app.persistence import queries
from app.persistence.codec import encode, write_json
from app.persistence.database import Database
from app.rulesets.guida.orders import Turn
from app.services import scenes, sealing, turns
from app.services.access import ANONYMOUS
from app.services.entry_shapes import Narration
from app.services.errors import ArbitroError, KeyReused, Refused, Stale
from tests.support.checked import kinds_of, lines_of, verified
from tests.support.fights import attack
from tests.support.table import Table, owner_of, set_table
from tests.support.world import FixedWorld, SealedWorld, ToldDice

FEW = 30
CONTROLS = 12  # scenes in which twelve-sided dice all fall the same by chance: one in 10^12
TEXTS = (Narration(), Narration(offensive="Un altro testo."), Narration(initial="E un terzo. 🎲"))


class ChanceDice(ToldDice):
    """Dice that are thrown anew whenever somebody asks."""

    def face(self, _address: Address, sides: int) -> int:
        """Throw."""
        return 1 + secrets.randbelow(sides)


class ChanceWorld(SealedWorld):
    """A world in which no key fixes what dice show."""

    def dice(self, key: bytes) -> Any:
        """Give dice of the system's chance."""
        return ChanceDice(self)


@dataclass
class Arena:
    """Many scenes in one SQLite file, about to have their first roll, and copies of the file."""

    path: Path
    tables: list[Table]
    folder: Path
    copies: int = 0

    @contextlib.contextmanager
    def copy(self) -> Iterator[list[Table]]:
        """Give the scenes as they are in a fresh copy."""
        self.copies += 1
        path = self.folder / f"copy-{self.copies}.sqlite3"
        shutil.copy(self.path, path)
        db = Database(f"sqlite:///{path}")
        try:
            yield [replace(table, db=db) for table in self.tables]
        finally:
            db.close()
            path.unlink()


def arena(folder: Path, migrated: Path, world: FixedWorld, many: int) -> Arena:
    """Open scenes, with salts that nobody knew beforehand."""
    path = folder / "arena.sqlite3"
    shutil.copy(migrated, path)
    db = Database(f"sqlite:///{path}")
    owner = owner_of(db, world)
    tables = [set_table(db, world, owner=owner, seal_hours=24) for _ in range(many)]
    for table in tables:
        salts = {seat: secrets.token_hex(16) for seat in table.players}
        for give in (sealing.seal, sealing.show):
            for seat, salt in salts.items():
                said = salt if give is sealing.show else seal_of(table.id, seat, salt)
                give(db, world, table.players[seat], table.id, seat, said)
    db.close()  # so that the file has everything, and nothing stands beside it
    return Arena(path, tables, folder)


def submit(table: Table, key: str, text: Narration = TEXTS[0], version: int = 1) -> Any:
    """Let the Hollow attack, with one key and one text or another."""
    table.world.wait(timedelta(minutes=1))
    return table.decide("hollow", attack(), key=key, narration=text, version=version)


def faces(table: Table) -> tuple[int, ...]:
    """Give what the dice of the first entry show."""
    (entry,) = scenes.read_entries(table.db, ANONYMOUS, table.id)
    return tuple(roll.face for roll in entry.rolls or ())


# ------------------------------------------------------------------------------- the attacks


def same_key(table: Table, _patch: pytest.MonkeyPatch) -> None:
    """Send the same thing again."""
    submit(table, "key-00000001")
    assert submit(table, "key-00000001").replayed


def new_key(table: Table, _patch: pytest.MonkeyPatch) -> None:
    """Send it as if it were another one: for the version of before, and for that of now."""
    submit(table, "key-00000002")
    with pytest.raises(Stale):
        submit(table, "key-00000003")
    with pytest.raises(Refused):
        submit(table, "key-00000004", version=2)


def edited_text(table: Table, _patch: pytest.MonkeyPatch) -> None:
    """Tell another story, and then yet another one."""
    submit(table, "key-00000005", TEXTS[1])
    with pytest.raises(KeyReused):
        submit(table, "key-00000005", TEXTS[2])
    with pytest.raises(Stale):
        submit(table, "key-00000006", TEXTS[2])


def cut_socket(table: Table, _patch: pytest.MonkeyPatch) -> None:
    """Never read the answer, ask how things stand, and send again what may have got lost."""
    submit(table, "key-00000007", TEXTS[2])
    assert table.version == 2
    assert submit(table, "key-00000007", TEXTS[2]).replayed
    with pytest.raises(Stale):
        submit(table, "key-00000008", TEXTS[2])


class Cut(Exception):
    """What a test lets go wrong."""


def forced_error(table: Table, patch: pytest.MonkeyPatch) -> None:
    """Let the transaction fail after the throw, and try again with another text and key."""
    thrown: list[Any] = []

    def fail(*args: Any, **more: Any) -> None:
        thrown.append(args)
        raise Cut

    with patch.context() as broken:
        broken.setattr(queries, "move_scene", fail)
        for place, text in enumerate(TEXTS):
            with pytest.raises(Cut):
                submit(table, f"key-1000000{place}", text)
    assert len(thrown) == len(TEXTS)
    assert scenes.read_entries(table.db, ANONYMOUS, table.id) == ()
    submit(table, "key-00000009", TEXTS[1])


def restored_backup(table: Table, _patch: pytest.MonkeyPatch) -> None:
    """Play, bring back the file of before, and play again with another text and key."""
    path = Path(str(table.db.url.database))
    backup = path.with_suffix(".backup")
    db = Database(f"sqlite:///{path}")
    table.db.close()
    shutil.copy(path, backup)
    played = replace(table, db=db)
    submit(played, "key-00000010", TEXTS[0])
    assert faces(played)
    db.close()
    shutil.move(backup, path)
    assert scenes.read_entries(table.db, ANONYMOUS, table.id) == ()
    submit(table, "key-00000011", TEXTS[2])


Attack = Callable[[Table, pytest.MonkeyPatch], None]
ATTACKS: list[Attack] = [
    *(same_key, new_key, edited_text, cut_socket, forced_error, restored_backup),
]


def after(arena: Arena, attack: Attack, patch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Give what the dice of all scenes show after an attack, each of them once."""
    with arena.copy() as tables:
        for table in tables:
            attack(table, patch)
        for table in tables:
            kinds = kinds_of(table)
            assert (kinds.count("roll"), kinds.count("accept")) == (1, 0)
        return [faces(table) for table in tables]


def honest(arena: Arena) -> list[tuple[int, ...]]:
    """Give what the dice of all scenes show where nobody tries anything."""
    with arena.copy() as tables:
        for table in tables:
            submit(table, "key-00000000")
        return [faces(table) for table in tables]


@dataclass
class Fair:
    """Scenes whose dice a key fixes, and what they show."""

    arena: Arena
    faces: list[tuple[int, ...]]


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Fair:
    """Set the arena of production's dice."""
    folder = tmp_path_factory.mktemp("fair")
    made = arena(folder, migrated_file, SealedWorld(seed="fair"), FEW)
    return Fair(made, honest(made))


@pytest.fixture(scope="module")
def unfair(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Fair:
    """Set the arena of dice that are thrown anew each time."""
    folder = tmp_path_factory.mktemp("unfair")
    made = arena(folder, migrated_file, ChanceWorld(seed="unfair"), CONTROLS)
    return Fair(made, honest(made))


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_gets_other_faces(
    fair: Fair, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert after(fair.arena, attack, monkeypatch) == fair.faces
    assert len(set(fair.faces)) > 1  # scenes differ; it is the attacks that change nothing


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_gets_other_faces_from_dice_that_no_key_fixes(
    unfair: Fair, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert after(unfair.arena, attack, monkeypatch) != unfair.faces


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_gets_other_faces_in_many_scenes(
    tmp_path: Path, migrated_file: Path, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = arena(tmp_path, migrated_file, SealedWorld(seed=attack.__name__), 200)
    assert after(many, attack, monkeypatch) == honest(many)


def test_a_fight_taken_up_from_a_backup_goes_on_with_the_same_dice(fair: Fair) -> None:
    """Not the first roll alone: the later ones too, with other texts and another clock."""

    def played(text: Narration, minutes: int) -> list[tuple[int, ...]]:
        with fair.arena.copy() as tables:
            table = tables[0]
            table.world.wait(timedelta(minutes=minutes))
            table.decide("hollow", attack(), narration=text)
            table.dodge(narration=text)
            table.decide("hollow", Turn(), narration=text)
            table.decide("quincy", attack("hollow", "bow"), narration=text)
            assert verified(table).rolls == 3
            entries = scenes.read_entries(table.db, ANONYMOUS, table.id)
            return [tuple(roll.face for roll in entry.rolls or ()) for entry in entries]

    assert played(TEXTS[0], 0) == played(TEXTS[1], 77)


def test_a_turn_that_was_taken_back_keeps_its_roll_for_everybody_to_see(fair: Fair) -> None:
    with fair.arena.copy() as tables:
        table = tables[0]
        submit(table, "key-00000001")
        table.void("Un ripensamento.")
        table.decide("hollow", attack())
        first, _, second = scenes.read_entries(table.db, ANONYMOUS, table.id)
        assert tuple(roll.face for roll in first.rolls or ()) == fair.faces[0]
        assert (first.voided_by, first.proof and first.proof.roll) == (2, 1)
        assert second.proof is not None
        assert second.proof.roll == 2
        assert verified(table).rolls == 2


def test_a_refused_turn_uses_up_no_roll(fair: Fair) -> None:
    with fair.arena.copy() as tables:
        table = tables[0]
        for tool in ("nothing", "bow", ""):
            with pytest.raises(ArbitroError):
                table.decide("hollow", attack(tool=tool))
        submit(table, "key-00000001")
        assert faces(table) == fair.faces[0]


def previewed(table: Table, order: Any, *, odds: bool = False) -> str:
    """Preview an order of the Hollow's, and give every byte of the answer."""
    hollow = table.players["hollow"]
    return write_json(encode(turns.preview(table.db, hollow, table.id, order, odds=odds)))


def test_previews_of_a_draft_are_equal_whatever_the_dice_will_be(fair: Fair) -> None:
    with fair.arena.copy() as tables:
        ten = tables[:10]
        before = [lines_of(table) for table in ten]
        assert len({lines[0]["anchor"] for lines in before}) == len(ten)
        told = {previewed(table, attack()) for table in ten for _ in range(10)}
        assert len(told) == 1
        assert len({previewed(table, attack(), odds=True) for table in ten[:3]}) == 1
        assert [lines_of(table) for table in ten] == before
        for table, shown in zip(ten, fair.faces, strict=False):
            submit(table, "key-00000001")
            assert faces(table) == shown
        assert previewed(tables[10], Turn()) not in told  # the control: another draft is told apart

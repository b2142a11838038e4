"""The keys of the dice: read whole or refused, made once, never shown, never lost to a race."""

from __future__ import annotations

import os
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier

import pytest

from app.config import Settings
from app.services import keyring
from app.services.keyring import Keyring, KeysUnusable, keyring_of, new_line

NEW, OLD = "b1" * 32, "a0" * 32
RING = f"2026b:{NEW},2026a:{OLD}"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a key file that does not exist yet."""
    return tmp_path / "arbitro.keys"


def ring(keys: str = "", path: Path = Path("unused")) -> Keyring:
    """Read the keys of a deployment with these settings."""
    return keyring_of(Settings(master_keys=keys, key_file=path))


def refusal(keys: str = "", path: Path = Path("unused")) -> str:
    """Give the message with which the keys are refused."""
    with pytest.raises(KeysUnusable) as refused:
        ring(keys, path)
    return str(refused.value)


def mode_of(path: Path) -> int:
    """Give the permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_the_first_key_is_for_new_scenes_and_the_others_still_roll_theirs() -> None:
    keys = ring(RING)
    assert keys.current_key() == ("2026b", bytes.fromhex(NEW))
    assert keys.get("2026a") == bytes.fromhex(OLD)
    assert keys.get("2025") is None


def test_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setenv("ARBITRO_MASTER_KEYS", f" 2026b:{NEW.upper()} , 2026a:{OLD} ")
    monkeypatch.setenv("ARBITRO_KEY_FILE", str(path))
    assert keyring_of(Settings()) == ring(RING)
    assert not path.exists()


def test_the_name_of_the_file_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    monkeypatch.setenv("ARBITRO_KEY_FILE", str(path))
    assert keyring_of(Settings()).current in path.read_text(encoding="ascii")


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (NEW, "entry 1 has no id"),
        (f":{NEW}", "entry 1 has no id"),
        (f"2026B:{NEW}", "entry 1 has no id"),
        (f"{'x' * 21}:{NEW}", "entry 1 has no id"),
        (f"é:{NEW}", "entry 1 has no id"),
        ("2026b:", "entry 1 has no 64 hexadecimal digits"),
        (f"2026b:{NEW[2:]}", "entry 1 has no 64 hexadecimal digits"),
        (f"2026b:{NEW}00", "entry 1 has no 64 hexadecimal digits"),
        (f"2026b:{NEW[1:]}g", "entry 1 has no 64 hexadecimal digits"),
        (f"2026b:{NEW},2026b:{OLD}", "entry 2 repeats the id"),
        (",", "there is no key"),
    ],
)
def test_what_is_no_key_is_refused_by_setting_and_entry(keys: str, why: str) -> None:
    message = refusal(keys)
    assert message.startswith("master_keys: ")
    assert why in message
    assert "`arbitro key`" in message


def test_the_longest_id_with_every_kind_of_character_is_taken() -> None:
    assert ring(f"k2026-11_30-abcdefgh:{NEW}").current == "k2026-11_30-abcdefgh"


def test_all_that_is_wrong_is_said_at_once() -> None:
    message = refusal(f"{NEW},2026a:{OLD},2026a:{OLD},x:1")
    assert all(f"entry {number} " in message for number in (1, 3, 4))
    assert "entry 2 " not in message


def test_no_message_and_no_picture_of_an_object_contains_a_key() -> None:
    settings = Settings(master_keys=RING)
    shown = [repr(settings), str(settings), repr(keyring_of(settings))]
    shown += [refusal(keys) for keys in (NEW, f"2026b:{NEW}ff", f"2026b:{NEW},2026b:{NEW}")]
    for text in shown:
        assert NEW not in text
        assert repr(bytes.fromhex(NEW)) not in text
    assert "2026b" in repr(keyring_of(settings))


def test_the_first_start_makes_a_file_that_is_its_owners_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        first = ring(path=path)
    finally:
        os.umask(before)
    assert mode_of(path) == 0o600
    id, key = first.current_key()
    assert path.read_text(encoding="ascii") == f"{id}:{key.hex()}\n"
    assert [one.name for one in path.parent.iterdir()] == ["arbitro.keys"]


def test_the_next_start_finds_the_same_key_and_leaves_the_file_alone(path: Path) -> None:
    first = ring(path=path)
    before = path.stat()
    assert ring(path=path) == first
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_two_deployments_have_different_keys(tmp_path: Path) -> None:
    one, other = (ring(path=tmp_path / name) for name in ("one", "other"))
    assert one.current_key()[1] != other.current_key()[1]


def test_a_key_put_in_front_is_current_and_the_one_before_stays(path: Path) -> None:
    first = ring(path=path)
    line = new_line(NOON)
    path.write_text(f"{line}\n\n{path.read_text(encoding='ascii')}", encoding="ascii")
    rotated = ring(path=path)
    assert rotated.current == line.partition(":")[0]
    assert rotated.get(first.current) == first.current_key()[1]


def test_a_start_that_comes_second_takes_the_key_of_the_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one makes its file after this one looked for it and before it makes its own."""
    others: list[Keyring] = []

    def overtaken(now: datetime) -> str:
        if not others:
            monkeypatch.setattr(keyring, "new_line", new_line)
            others.append(ring(path=path))
        return new_line(now)

    monkeypatch.setattr(keyring, "new_line", overtaken)
    assert [ring(path=path)] == others
    assert [one.name for one in path.parent.iterdir()] == ["arbitro.keys"]


def test_many_starts_at_once_end_with_one_key(tmp_path: Path) -> None:
    for number in range(20):
        path = tmp_path / str(number)
        together = Barrier(8)

        def start(path: Path = path, together: Barrier = together) -> Keyring:
            together.wait(20)
            return ring(path=path)

        with ThreadPoolExecutor(8) as starts:
            rings = [one.result() for one in [starts.submit(start) for _ in range(8)]]
        assert rings == [ring(path=path)] * 8


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such permissions")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644, 0o666])
def test_a_file_that_is_open_to_others_is_refused_with_what_to_do(path: Path, mode: int) -> None:
    ring(path=path)
    path.chmod(mode)
    message = refusal(path=path)
    assert message.startswith("key_file: ")
    assert f"mode {mode:o}" in message
    assert f"chmod 600 {path}" in message
    path.chmod(0o400)
    assert ring(path=path).current


@pytest.mark.parametrize("content", [b"", b"\n\n", b"nonsense\n", b"2026b:" + b"\xff" * 64])
def test_a_file_without_a_key_is_refused_and_not_made_anew(path: Path, content: bytes) -> None:
    path.touch(0o600)
    path.write_bytes(content)
    assert refusal(path=path).startswith(f"key_file: {path}: ")
    assert path.read_bytes() == content


def test_a_file_that_cannot_be_made_or_read_says_what_to_set(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "arbitro.keys", tmp_path):
        message = refusal(path=path)
        assert message.startswith(f"key_file: {path} cannot")
        assert "ARBITRO_KEY_FILE" in message
        assert "ARBITRO_MASTER_KEYS" in message
    assert list(tmp_path.iterdir()) == []


def test_a_new_key_tells_its_day_and_is_never_taken_for_another_of_that_day() -> None:
    lines = {new_line(NOON) for _ in range(20)}
    assert all(re.fullmatch(r"k20261130-[0-9a-f]{8}:[0-9a-f]{64}", line) for line in lines)
    assert len({line.partition(":")[0] for line in lines}) == 20
    assert len(ring(",".join(lines)).keys) == 20

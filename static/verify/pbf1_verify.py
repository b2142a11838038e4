"""Throw the dice of a scene again: python3 pbf1_verify.py ledger.jsonl HEAD

The file is the ledger of the scene, HEAD the last head that was posted in the forum. Python 3.9 or
newer is all it needs, and it asks no server. It checks that the file is the one that the head
stands for, and that every roll shows the faces that were fixed before. Look yourself whether the
anchor is the one of the opening post (where it names two, the second is that of the post of the
first roll), and your salt the one that your browser kept.
"""

import hashlib
import hmac
import json
import pathlib
import sys

# What a line raises that is not as it should be.
WRONG = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


def joined(*parts):  # each after its length, so that no two lists look alike
    found = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in found)


def digest(*parts):
    return hashlib.sha256(joined(*parts)).hexdigest()


def mac(key, *parts):
    return hmac.new(key, joined(*parts), "sha256").digest()


def face(key, place, die, sides, block=0):
    words = mac(key, "pbf1.die", f"{place} {die} {block}")
    for word in (int.from_bytes(words[at : at + 4], "big") for at in range(0, 32, 4)):
        if word < 2**32 - 2**32 % sides:  # past that, some faces would come more often
            return 1 + word % sides
    return face(key, place, die, sides, block + 1)


def once(pairs):
    require(len(dict(pairs)) == len(pairs), "a key stands twice in it")
    return dict(pairs)


def require(condition, otherwise):
    if not condition:
        raise ValueError(otherwise)


def roll(line, match, number, before, salts):
    seed, beacon = bytes.fromhex(line["seed"]), line.get("beacon", "")
    linked = line["r"] == number and digest("pbf1.link", match, number, seed) == before
    require(linked, "its seed does not lead to the one before")
    signed = hashlib.sha256(bytes.fromhex(line.get("signature", ""))).hexdigest()
    require(not beacon or beacon.endswith(f":{signed}"), "the signature is not the beacon's")
    mix = joined(*(part for pair in sorted(salts.items()) for part in pair))
    key = mac(seed, "pbf1.key", match, number, mix, beacon)
    for place, dice in enumerate(line["dice"]):
        faces, count, sides = dice.get("faces", []), dice["count"], dice.get("sides")
        fixed = [face(key, place, die, sides) for die in range(len(faces))]
        require(len(faces) == count and faces == fixed, f"place {place} should show {fixed}")


def in_time(scene, kind, line):  # what has to stand there before a line of this kind may come
    by_forum, seat = scene["dice"] == "forum", line.get("seat")
    if kind in ("roll", "forum", "accept"):
        theirs = kind == "forum" or line.get("waits") == "forum"
        require(theirs == by_forum, f"in this scene the dice are the {scene['dice']}'s")
        scene["awaited"] = line["entry"] if kind == "accept" else None
    if kind in ("roll", "hidden", "check"):
        missing = [one for one in scene["seats"] if one not in scene["salts"]]
        taken = by_forum and kind == "hidden" and line.get("entry", -1) == scene["awaited"]
        require(not taken, "it throws the dice that the forum was asked for")
        require(not missing, f"dice fall without the salt of {missing}")
        scene["thrown"] = True
    elif kind in ("seal", "salt", "redo"):
        require(not scene["thrown"], "it comes after the first roll")
        require(kind == "redo" or seat in scene["seats"], f"line 0 names no seat {seat!r}")
        require(kind != "seal" or not any(scene["salts"].values()), "it comes after a salt")
        require(kind != "salt" or seat not in scene["salts"], "this seat has a salt already")
        require(kind != "redo" or not scene["redone"], "the dice begin anew a second time")


def read(scene, raw):
    line = json.loads(raw.decode(), object_pairs_hook=once)
    kind, match = line["kind"], scene.setdefault("match", line.get("match", ""))
    require(isinstance(kind, str), "its kind is no text")
    require((kind == "open") == (not scene["head"]), "a ledger has one 'open', at its beginning")
    scene["head"] = digest("pbf1.entry", bytes.fromhex(scene["head"]), raw)
    if kind == "open":
        require(line["dice"] in ("service", "forum"), "it does not say who throws the dice")
        scene |= {"dice": line["dice"], "seats": line["seats"], "anchor": line.get("anchor", "")}
    elif kind == "redo":
        scene["anchor"] += ", then " + line["anchor"]
    in_time(scene, kind, line)
    if kind in ("open", "redo"):
        scene |= {"salts": {}, "seals": {}, "redone": kind == "redo"}
        scene["before"] = line.get("anchor", "")
    elif kind == "seal":
        scene["seals"][line["seat"]] = line["seal"]
    elif kind == "salt":
        seal = digest("pbf1.seal", match, line["seat"], line["salt"])
        require(not line["salt"] or seal == scene["seals"].get(line["seat"]), "the seal differs")
        scene["salts"][line["seat"]] = line["salt"]
    elif "request" in line:
        turn = digest("pbf1.turn", match, line["entry"], line["request"])
        require(turn == line["turn"], "'turn' is not the digest of 'request'")
    if kind == "roll":
        scene["rolls"] += 1
        roll(line, match, scene["rolls"], scene["before"], scene["salts"])
        scene["before"] = line["seed"]


def check(path, posted):
    *lines, rest = pathlib.Path(path).read_bytes().split(b"\n")
    require(lines and not rest, "the file does not end with a whole line")
    scene = {"head": "", "rolls": 0, "salts": {}, "thrown": False, "awaited": None}
    for number, raw in enumerate(lines):
        try:
            read(scene, raw)
        except WRONG as why:
            raise ValueError(f"line {number}: {why if str(why) else type(why).__name__}") from None
    require(scene["head"] == posted.strip().lower(), f"this is the file of head {scene['head']}")
    return "OK: {rolls} rolls, anchor {anchor}, salts {salts}".format(**scene)


if __name__ == "__main__":
    try:
        sys.stdout.write(check(*sys.argv[1:]) + "\n")
    except (OSError, TypeError, ValueError) as why:
        sys.exit(f"NOT OK: {why}")

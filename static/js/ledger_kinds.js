// What each kind of line in a ledger has to fit (app/LEDGER.md). Finds the same faults, by the same
// codes and in the same order, as the service's own checker; a test holds the two together.
import {
  diceOf, digest, fromHex, hexOf, hiddenCommitment, mixOf, rollKey, sealOf, sealedDigest, seedBefore, sha256, turnDigest,
} from "./pbf1.js";
import { seatFaults, sequenceFaults } from "./ledger_sequence.js";
import { Unreadable, isObject, readObject } from "./strict_json.js";

const MOST_SIDES = 10_000;
const TEXTS = {
  text: /^/,
  digest: /^[0-9a-f]{64}$/,
  hex: /^([0-9a-f]{2})*$/,
  salt: /^([0-9a-fA-F]{32})?$/,
  moment: /^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]+)?(Z|\+00:00)$/,
};

// "?" after a name: may be left out. A list: one of these.
const ORDER = {
  entry: "number", "seat?": "text", "act?": "text", "turn?": "digest", "request?": "text", "sealed?": "digest", "saw?": "digest",
};
const SHAPES = {
  open: {
    scheme: "text", match: "text", "anchor?": "digest", "links?": "number", dice: ["service", "forum"], seats: "texts",
    "beacon?": "text", "checks?": "digest", "hidden?": "digests", "sealed?": "digest",
  },
  seal: { seat: "text", seal: "digest" },
  salt: { seat: "text", salt: "salt", "missing?": ["limit", "waived"] },
  redo: { anchor: "digest", why: ["unrevealed", "other_device"] },
  batch: { from: "number", hidden: "digests" },
  accept: { ...ORDER, waits: ["seals", "beacon", "forum"], "round?": "number" },
  roll: { ...ORDER, r: "number", seed: "digest", "beacon?": "text", "signature?": "hex", dice: "dice" },
  order: ORDER,
  forum: { entry: "number", "dice?": "dice", "how?": ["forum", "typed", "plugin"], "sealed?": "digest" },
  hidden: { "entry?": "number", q: "number", sealed: "digest", "saw?": "digest" },
  void: { entry: "number", voids: "number", "seat?": "text", "sealed?": "digest", "saw?": "digest" },
  amend: { ...ORDER, before: "number" },
  correct: { ...ORDER, corrects: "number" },
  check: { r: "number", seed: "digest", dice: "dice" },
  promise: { sealed: "digest" },
  opened: { of: "number", nonce: "digest", payload: "text", "secret?": "digest" },
  fallback: { entry: "number", round: "number" },
  clock: { what: "text" },
};
const ORDERS = new Set(["accept", "roll", "order", "amend", "correct"]);

export const isKind = (kind) => Object.hasOwn(SHAPES, kind);

export const isDigest = (text) => TEXTS.digest.test(text);

// Names the fields of a line that are not what its kind says, or that are missing.
export function wrongFields(kind, line) {
  const wrong = [];
  for (const [name, shape] of Object.entries({ at: "moment", ...SHAPES[kind] })) {
    const bare = name.replace("?", "");
    if (bare in line ? !fits(shape, line[bare]) : bare === name) wrong.push(bare);
  }
  return wrong;
}

// Leaves out the fields that no check looked at, whatever stands in them.
export function toldFields(kind, line) {
  const told = Object.create(null);
  for (const name of ["kind", ...Object.keys(SHAPES[kind])]) {
    const bare = name.replace("?", "");
    if (bare in line) told[bare] = line[bare];
  }
  return told;
}

const isNumber = (value) => Number.isSafeInteger(value) && value >= 0;

function fits(shape, value) {
  if (Array.isArray(shape)) return shape.includes(value);
  if (shape === "number") return isNumber(value);
  if (shape === "digests") return Array.isArray(value) && value.every((one) => fits("digest", one));
  if (shape === "texts") return Array.isArray(value) && value.every((one) => fits("text", one));
  if (shape === "dice") return Array.isArray(value) && value.every(isPlace);
  return typeof value === "string" && TEXTS[shape].test(value);
}

function isPlace(value) {
  if (!isObject(value) || !isNumber(value.count)) return false;
  const faces = "faces" in value ? value.faces : [];
  if (!Array.isArray(faces) || !faces.every(isNumber)) return false;
  return value.count === 0 || (isNumber(value.sides) && value.sides >= 2 && value.sides <= MOST_SIDES);
}

const facesOf = (item) => item.faces ?? [];

const same = (some, others) => some.length === others.length && some.every((one, at) => one === others[at]);

const listed = (faces) => faces.join(", ") || "–";

// Everything that is remembered from line to line; `line` is the one at hand.
export class Told {
  constructor(opening) {
    this.match = opening.match;
    this.chain = chainFrom(opening.match, opening.anchor);
    this.checks = chainFrom(`${opening.match}#check`, opening.checks);
    this.beacon = opening.beacon ?? "";
    this.commitments = [...(opening.hidden ?? [])];
    this.seats = new Set(opening.seats); // the Master is none of them
    this.byForum = opening.dice === "forum";
    this.line = 0;
    this.faults = [];
    this.anchor = opening.anchor ?? "";
    this.redo = null; // the line of a new beginning, with the anchor that counts since then
    this.thrown = false; // whether the service has thrown any dice, after which the salts stand
    this.seals = new Map();
    this.salts = new Map();
    this.entry = 0;
    this.waiting = new Map(); // entries without their dice, each with the round announced for it
    this.excused = new Set(); // entries that go on without a beacon
    this.hidden = 0;
    this.sealed = new Map();
    this.opened = new Set();
    this.throws = []; // what a page shows: { line, kind, number, entry, dice }
  }

  get mix() {
    return mixOf(this.salts);
  }

  fault(code, facts = {}) {
    this.faults.push({ line: this.line, code, facts });
  }
}

const chainFrom = (match, anchor) => (anchor === undefined ? null : { match, before: anchor, number: 0 });

// Finds what is wrong with a line whose fields have their shapes, and remembers what it says.
export async function examine(told, kind, line) {
  if ("sealed" in line) remember(told, kind, line);
  sequenceFaults(told, kind, line);
  await KINDS[kind](told, line);
}

export function remember(told, kind, line) {
  told.sealed.set(told.line, { kind, digest: line.sealed, entry: line.entry, number: line.q ?? 0, mix: told.mix });
}

// ------------------------------------------------------------------------------ one part each

async function faceFaults(told, key, dice) {
  const thrown = await diceOf(key);
  for (const [place, item] of dice.entries()) {
    const said = facesOf(item);
    // As many as were named and one more, so that no number written there keeps us busy.
    const count = Math.min(item.count, said.length + 1);
    const faces = [];
    for (let die = 0; die < count; die += 1) faces.push(await thrown(place, die, item.sides));
    if (!same(said, faces)) told.fault("faces_differ", { place, said: listed(said), faces: listed(faces) });
  }
}

function forumFaults(told, dice) {
  for (const [place, item] of dice.entries()) {
    const said = facesOf(item);
    const possible = said.length === item.count && said.every((face) => face >= 1 && face <= item.sides);
    if (!possible) told.fault("faces_impossible", { place });
  }
}

async function turnFaults(told, entry, order) {
  if ((await turnDigest(told.match, entry, order.request)) !== order.turn) told.fault("turn_differs", { entry });
}

async function beaconFaults(told, roll, announced) {
  const spelled = roll.beacon ?? "";
  const due = told.beacon !== "" && !told.excused.has(roll.entry);
  if (!spelled) {
    if (due) told.fault("beacon_missing");
    return;
  }
  const randomness = hexOf(await sha256(fromHex(roll.signature ?? "")));
  // Without a round that was announced before, somebody could have waited for a better one.
  const right = due && announced !== undefined && "signature" in roll;
  if (!right || spelled !== `${told.beacon}:${announced}:${randomness}`) told.fault("beacon_differs");
}

function numbered(told, entry) {
  if (entry !== told.entry + 1) told.fault("entry_number", { expected: told.entry + 1, found: entry });
  told.entry = Math.max(told.entry, entry);
}

function known(told, entry) {
  if (!(entry >= 1 && entry < told.entry)) told.fault("entry_unknown", { entry });
}

// Takes the next seed of a chain, and throws a roll's dice again from it.
async function thrown(told, chain, line, beacon = "") {
  const number = line.r;
  if (chain === null) {
    told.fault("seed_not_linked", { r: number });
    return;
  }
  if (number !== chain.number + 1) told.fault("roll_number", { expected: chain.number + 1, found: number });
  const seed = fromHex(line.seed);
  const before = hexOf(await seedBefore(chain.match, number, seed));
  if (before !== chain.before) told.fault("seed_not_linked", { r: number });
  chain.number = number;
  chain.before = line.seed;
  await faceFaults(told, await rollKey(seed, chain.match, number, told.mix, beacon), line.dice);
}

const isOrder = (payload) => fits("text", payload.request) && fits("digest", payload.turn);

// Checks what was sealed as it would have been, had it stood there from the beginning.
async function toldLater(told, line, sealed, payload) {
  const hasDice = fits("dice", payload.dice);
  const ordered = sealed.entry !== undefined;
  if (ORDERS.has(sealed.kind) && isOrder(payload) && ordered) await turnFaults(told, sealed.entry, payload);
  else if (sealed.kind === "forum" && hasDice) forumFaults(told, payload.dice);
  else if (sealed.kind === "hidden" && hasDice && (isOrder(payload) || !ordered)) {
    if (ordered) await turnFaults(told, sealed.entry, payload);
    await hiddenDice(told, line, sealed, payload);
  } else if (ORDERS.has(sealed.kind) || ["forum", "hidden"].includes(sealed.kind)) told.fault("bad_payload", { of: line.of });
}

async function hiddenDice(told, line, sealed, payload) {
  told.throws.push({ line: told.line, kind: "hidden", number: sealed.number, entry: sealed.entry, dice: payload.dice });
  if (!("secret" in line)) {
    told.fault("bad_field", { kind: "opened", field: "secret" });
    return;
  }
  const secret = fromHex(line.secret);
  const made = await hiddenCommitment(told.match, sealed.number, secret);
  if (told.commitments[sealed.number - 1] !== made) told.fault("hidden_secret_differs", { q: sealed.number });
  await faceFaults(told, await rollKey(secret, told.match, sealed.number, sealed.mix), payload.dice);
}

// ---------------------------------------------------------------------------------- the kinds

async function order(told, line) {
  numbered(told, line.entry);
  if ("request" in line && "turn" in line) await turnFaults(told, line.entry, line);
  else if (!("sealed" in line)) told.fault("bad_field", { kind: line.kind, field: "request" in line ? "turn" : "request" });
}

const KINDS = {
  open: (told) => told.fault("open_twice"),

  seal(told, { seat, seal }) {
    seatFaults(told, seat);
    if (told.thrown) {
      told.fault("seal_after_roll", { seat });
      return;
    }
    // Whoever seals after a salt was shown can choose what comes out of both.
    if ([...told.salts.values()].some(Boolean)) told.fault("seal_after_salt", { seat });
    told.seals.set(seat, seal);
  },

  async salt(told, { seat, salt, ...more }) {
    seatFaults(told, seat);
    if ("missing" in more === Boolean(salt)) told.fault("bad_field", { kind: "salt", field: "missing" });
    if (told.thrown) {
      told.fault("salt_after_roll", { seat });
      return;
    }
    if (told.salts.has(seat)) told.fault("salt_twice", { seat });
    if (salt && !told.seals.has(seat)) told.fault("seal_missing", { seat });
    else if (salt && (await sealOf(told.match, seat, salt)) !== told.seals.get(seat)) told.fault("seal_differs", { seat });
    told.salts.set(seat, salt);
  },

  redo(told, line) {
    if (told.thrown) {
      told.fault("redo_after_roll");
      return;
    }
    // With as many chains as one likes, one can be looked for that suits the salts.
    if (told.redo !== null) told.fault("redo_twice");
    told.chain = chainFrom(told.match, line.anchor);
    told.redo = { anchor: line.anchor, line: told.line };
    told.seals.clear();
    told.salts.clear();
  },

  batch(told, line) {
    const expected = told.commitments.length + 1;
    if (line.from !== expected) told.fault("hidden_number", { expected, found: line.from });
    told.commitments.push(...line.hidden);
  },

  order,

  async accept(told, line) {
    await order(told, line);
    told.waiting.set(line.entry, line.round);
  },

  async roll(told, line) {
    const { entry } = line;
    told.throws.push({ line: told.line, kind: "roll", number: line.r, entry, dice: line.dice });
    const announced = told.waiting.get(entry);
    if (told.waiting.has(entry)) told.waiting.delete(entry);
    else if (entry <= told.entry || !["request", "turn", "sealed"].some((name) => name in line)) {
      told.fault("accept_missing", { entry });
      told.entry = Math.max(told.entry, entry);
    } else await order(told, line);
    await beaconFaults(told, line, announced);
    await thrown(told, told.chain, line, line.beacon ?? "");
  },

  async check(told, line) {
    told.throws.push({ line: told.line, kind: "check", number: line.r, dice: line.dice });
    await thrown(told, told.checks, line);
  },

  forum(told, line) {
    if (!told.waiting.has(line.entry)) told.fault("accept_missing", { entry: line.entry });
    told.waiting.delete(line.entry);
    if ("dice" in line) forumFaults(told, line.dice);
    else if (!("sealed" in line)) told.fault("bad_field", { kind: "forum", field: "dice" });
  },

  fallback(told, { entry, round }) {
    if (!told.waiting.has(entry)) told.fault("accept_missing", { entry });
    else if (told.waiting.get(entry) !== round) told.fault("beacon_differs");
    told.excused.add(entry);
  },

  void(told, line) {
    numbered(told, line.entry);
    known(told, line.voids);
    told.waiting.delete(line.voids);
  },

  async amend(told, line) {
    await order(told, line);
    known(told, line.before);
  },

  async correct(told, line) {
    await order(told, line);
    known(told, line.corrects);
  },

  hidden(told, line) {
    const number = line.q;
    if (number !== told.hidden + 1) told.fault("hidden_number", { expected: told.hidden + 1, found: number });
    told.hidden = number;
    if (!(number >= 1 && number <= told.commitments.length)) told.fault("hidden_uncommitted", { q: number });
    if (told.waiting.has(line.entry)) told.waiting.delete(line.entry);
    else if ("entry" in line) numbered(told, line.entry);
  },

  promise() {}, // it is remembered, and opened later

  clock() {}, // what is said of a deadline decides no die

  async opened(told, line) {
    const { of } = line;
    const sealed = told.sealed.get(of);
    if (sealed === undefined) {
      told.fault("opened_unknown", { of });
      return;
    }
    if (told.opened.has(of)) told.fault("opened_twice", { of });
    told.opened.add(of);
    if ((await sealedDigest(told.match, fromHex(line.nonce), line.payload)) !== sealed.digest) {
      told.fault("sealed_differs", { of });
      return;
    }
    let payload;
    try {
      payload = readObject(new TextEncoder().encode(line.payload));
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      told.fault("bad_payload", { of });
      return;
    }
    await toldLater(told, line, sealed, payload);
  },
};

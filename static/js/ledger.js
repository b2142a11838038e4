// A ledger checked in the browser from its bytes alone: see app/LEDGER.md. Nothing is sent anywhere.
import { Told, examine, isDigest, isKind, remember, toldFields, wrongFields } from "./ledger_kinds.js";
import { nextHead } from "./pbf1.js";
import { Unreadable, readObject } from "./strict_json.js";

const SCHEME = "pbf1";
const LONGEST_KIND = 40; // characters of an unknown kind that are told
const LINE_FEED = 0x0a;

// Takes the bytes of the file and the head from the forum; gives
// { ok, counts, heads, faults: [{ line, code, facts }], told }, and never throws for what it reads.
export async function checkLedger(data, head) {
  const lines = linesOf(data);
  const heads = await headsOf(lines);
  const faults = wholeFaults(data, heads, head);
  const counts = { lines: lines.length, rolls: 0, checks: 0, hidden: 0, opened: 0, sealed: 0 };
  const counted = { roll: "rolls", check: "checks", hidden: "hidden" };
  const places = new Map(heads.map((one, number) => [one, number]));
  let told = null;
  for (const [number, raw] of lines.entries()) {
    const found = shaped(number, raw, faults);
    if (found === null) continue;
    const { kind, line } = found;
    if (counted[kind]) counts[counted[kind]] += 1;
    if (number === 0) told = opening(kind, line, faults);
    else if (told !== null) {
      told.line = number;
      if ("saw" in line && !(places.get(line.saw) < number)) told.fault("saw_unknown");
      await examine(told, kind, line);
      faults.push(...told.faults.splice(0));
    }
  }
  if (told !== null) {
    counts.opened = told.opened.size;
    counts.sealed = told.sealed.size - told.opened.size;
  }
  return { ok: faults.length === 0, counts, heads, faults, told };
}

// Cuts a file at its line feeds; what stands after the last is a line too.
function linesOf(data) {
  const lines = [];
  let start = 0;
  for (let end = data.indexOf(LINE_FEED); end >= 0; end = data.indexOf(LINE_FEED, start)) {
    lines.push(data.subarray(start, end));
    start = end + 1;
  }
  if (start < data.length) lines.push(data.subarray(start));
  return lines;
}

async function headsOf(lines) {
  const heads = [];
  let head = "";
  for (const line of lines) {
    head = await nextHead(head, line);
    heads.push(head);
  }
  return heads;
}

function wholeFaults(data, heads, head) {
  const faults = [];
  const add = (code, facts = {}) => faults.push({ line: null, code, facts });
  if (!data.length) add("empty");
  else if (data.at(-1) !== LINE_FEED) add("no_line_feed");
  const posted = (head ?? "").trim().toLowerCase();
  const last = heads.length - 1;
  const after = heads.indexOf(posted);
  if (!posted) add("no_head");
  else if (!isDigest(posted)) add("bad_head");
  else if (after < 0) add("head_differs", { found: heads[last] ?? "–" });
  else if (after !== last) add("head_earlier", { after, more: last - after });
  return faults;
}

// Reads a line and holds its fields against its kind; null where that is as far as it goes.
function shaped(number, raw, faults) {
  let line;
  try {
    line = readObject(raw);
  } catch (problem) {
    if (!(problem instanceof Unreadable)) throw problem;
    faults.push({ line: number, code: problem.code, facts: {} });
    return null;
  }
  const kind = typeof line.kind === "string" ? line.kind : "";
  if (!isKind(kind)) {
    const told = [...kind].slice(0, LONGEST_KIND).join("") || "–";
    faults.push({ line: number, code: "unknown_kind", facts: { kind: told } });
    return null;
  }
  const wrong = wrongFields(kind, line);
  for (const field of wrong) faults.push({ line: number, code: "bad_field", facts: { kind, field } });
  return wrong.length ? null : { kind, line: toldFields(kind, line) };
}

// Begins with line 0, from which everything else follows.
function opening(kind, line, faults) {
  if (kind !== "open") {
    faults.push({ line: 0, code: "first_not_open", facts: {} });
    return null;
  }
  if (line.scheme !== SCHEME) {
    faults.push({ line: 0, code: "scheme_unknown", facts: { scheme: line.scheme } });
    return null;
  }
  if (line.dice === "service" && !("anchor" in line)) {
    faults.push({ line: 0, code: "bad_field", facts: { kind, field: "anchor" } });
  }
  const told = new Told(line);
  if ("sealed" in line) remember(told, kind, line);
  return told;
}

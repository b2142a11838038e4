// Own salts for the dice of a scene, without anybody noticing: this browser seals one for each seat
// that is played here and shows it when all have sealed. A salt never leaves this browser before.
import { hex, sha256 } from "./sha256.js";

const PREFIX = "arbitro:salt:";
const PAUSE = 30_000;
const PATIENCE = 20_000;

class Refused extends Error {}

// --------------------------------------------------------------------------------------- the seal

// Each text after its length, so that no two lists give the same bytes.
function joined(...texts) {
  const parts = texts.map((text) => new TextEncoder().encode(text));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

export async function sealOf(match, seat, salt) {
  return hex(await sha256(joined("pbf1.seal", match, seat, salt)));
}

// ------------------------------------------------------------------------------ what is kept here

const SEAL = /^[0-9a-f]{64}$/;

function storage() {
  try {
    localStorage.getItem(PREFIX);
    return localStorage;
  } catch {
    return null; // private mode: the scene goes on without our salt once it has waited long enough
  }
}

// A salt stands under match, anchor, seat and its seal: where there are no locks, two tabs may each
// make one without seeing the other's, and whichever seal counts in the end, its salt is here.
function keptFor(match, anchor, seat) {
  const start = `${PREFIX}${match}:${anchor}:${seat}:`;
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(start) && SEAL.test(key.slice(start.length)))
    .sort()
    .map((key) => ({ seal: key.slice(start.length), salt: localStorage.getItem(key) }));
}

// Makes a salt. It is read again after it was written: one that is not kept could never be shown.
async function keep(match, anchor, seat) {
  const salt = hex(crypto.getRandomValues(new Uint8Array(16)));
  const seal = await sealOf(match, seat, salt);
  const key = `${PREFIX}${match}:${anchor}:${seat}:${seal}`;
  try {
    localStorage.setItem(key, salt);
    return localStorage.getItem(key) === salt ? { seal, salt } : null;
  } catch {
    return null; // a full disk
  }
}

export function ownSalts(match) {
  const start = `${PREFIX}${match}:`;
  return Object.keys(storage() ?? {})
    .filter((key) => key.startsWith(start))
    .sort()
    .map((key) => {
      const [anchor, ...rest] = key.slice(start.length).split(":");
      return { anchor, seat: rest.slice(0, -1).join(":"), salt: localStorage.getItem(key) };
    });
}

// ------------------------------------------------------------------------- what the server is told

async function ask(address, fields) {
  const answer = await fetch(address, {
    headers: { Accept: "application/json" },
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout?.(PATIENCE),
    // What is sent arrives even if somebody leaves the page meanwhile.
    ...(fields && { method: "POST", body: new URLSearchParams(fields), keepalive: true }),
  });
  if (answer.status >= 400 && answer.status < 500) throw new Refused(`${address}: ${answer.status}`);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

// Seals a seat that has no seal. One with a seal made elsewhere is taken over only when somebody
// has just come to this page: two devices left open would otherwise take it from each other for ever.
async function seal({ match, sealUrl }, { anchor }, { seat, seal: sealed }, arrived) {
  const kept = keptFor(match, anchor, seat);
  if (sealed && (!arrived || kept.some((one) => one.seal === sealed))) return null;
  const own = kept[0] ?? (await keep(match, anchor, seat));
  return own && ask(sealUrl, { seat, seal: own.seal });
}

// Shows the salt of a seat whose seal is that of a salt kept here.
async function show({ match, saltUrl }, { anchor, reveal }, { seat, seal: sealed }) {
  const own = reveal && keptFor(match, anchor, seat).find((one) => one.seal === sealed);
  if (!own || (await sealOf(match, seat, own.salt)) !== sealed) return null;
  return ask(saltUrl, { seat, salt: own.salt });
}

const unsettled = (state) => (state.open ? state.seats.filter((one) => one.mine && one.salt === null) : []);

// Does what can be done now; says whether there may be more to do later.
async function settle(addresses, arrived) {
  let state = await ask(addresses.dice);
  let refused = false;
  for (const act of [seal, show]) {
    for (const { seat } of unsettled(state)) {
      const now = unsettled(state).find((one) => one.seat === seat);
      try {
        state = (now && (await act(addresses, state, now, arrived))) || state;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        console.debug("seal:", error.message);
        refused = true;
      }
    }
  }
  return !refused && unsettled(state).length > 0;
}

// One tab at a time, so that each finds what the one before it did.
const alone = (match, work) => (navigator.locks ? navigator.locks.request(`${PREFIX}${match}`, work) : work());

function watch(place) {
  const addresses = place.dataset;
  let arrived = true;
  let running = false;
  let timer;

  async function run() {
    if (running) return;
    running = true;
    clearTimeout(timer);
    let again = true;
    try {
      again = await alone(addresses.match, () => settle(addresses, arrived));
      arrived = false;
    } catch (error) {
      console.debug("seal:", error.message);
      again = !(error instanceof Refused);
    }
    running = false;
    tell();
    if (again) timer = setTimeout(run, PAUSE);
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    arrived = true;
    run();
  });
  run();
}

// dl[data-own-salts] lists the salts kept here for a scene, of one anchor if data-anchor names it, so
// that a player can hold them against the ledger; what hides it while there is none goes away.
function tell() {
  for (const list of document.querySelectorAll("[data-own-salts]")) {
    const { match, anchor } = list.dataset;
    const names = JSON.parse(list.dataset.names ?? "{}");
    const found = ownSalts(match).filter((one) => !anchor || one.anchor === anchor);
    const several = new Set(found.map((one) => one.anchor)).size > 1;
    list.replaceChildren(
      ...found.flatMap((one) => {
        const [term, value] = [document.createElement("dt"), document.createElement("dd")];
        const name = names[one.seat] ?? one.seat;
        term.textContent = several ? `${name} (${one.anchor.slice(0, 8)}…)` : name;
        value.textContent = one.salt;
        return [term, value];
      }),
    );
    if (found.length) list.closest("[hidden]")?.removeAttribute("hidden");
  }
}

tell();
if (storage()) document.querySelectorAll("[data-seal]").forEach(watch);

// The dice construction pbf1 in a browser, as app/LEDGER.md writes it down: bytes in, bytes out.
// Web Crypto does the hashing; pages without TLS do not have it (`available`).
const ENCODER = new TextEncoder();
const RANGE = 2 ** 32;

export const available = () => globalThis.crypto?.subtle !== undefined;

export const bytesOf = (part) => (part instanceof Uint8Array ? part : ENCODER.encode(String(part)));

export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

// Each part after its length, so that no two lists of parts are alike.
export function encode(...parts) {
  const found = parts.map(bytesOf);
  const joined = new Uint8Array(found.reduce((length, part) => length + 4 + part.length, 0));
  const view = new DataView(joined.buffer);
  let at = 0;
  for (const part of found) {
    view.setUint32(at, part.length);
    joined.set(part, at + 4);
    at += 4 + part.length;
  }
  return joined;
}

export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

export const digest = (...parts) => sha256(encode(...parts));

export async function mac(key, ...parts) {
  const imported = await hmacKey(key);
  return signed(imported, parts);
}

export const seedBefore = (match, number, seed) => digest("pbf1.link", match, number, seed);

export const checkMatch = (match) => `${match}#check`;

export const sealOf = async (match, seat, salt) => hexOf(await digest("pbf1.seal", match, seat, salt));

// In the order of the seats' names by code points, which is that of their bytes in UTF-8.
export function mixOf(salts) {
  const placed = [...salts].map(([seat, salt]) => [hexOf(bytesOf(seat)), seat, salt]);
  placed.sort(([one], [other]) => (one < other ? -1 : 1));
  return encode(...placed.flatMap(([, seat, salt]) => [seat, salt]));
}

export const rollKey = (seed, match, number, mix, beacon = "") => mac(seed, "pbf1.key", match, number, mix, beacon);

// Gives a function that throws the dice of one roll: of a place, of an index there, of so many sides.
export async function diceOf(key) {
  const imported = await hmacKey(key);
  return async (place, index, sides) => {
    const limit = RANGE - (RANGE % sides);
    for (let block = 0; ; block += 1) {
      const words = new DataView((await signed(imported, ["pbf1.die", `${place} ${index} ${block}`])).buffer);
      for (let at = 0; at < 32; at += 4) {
        const word = words.getUint32(at);
        // Words past the last multiple are passed over, so that no face is favoured.
        if (word < limit) return 1 + (word % sides);
      }
    }
  };
}

export const turnDigest = async (match, entry, request) => hexOf(await digest("pbf1.turn", match, entry, request));

export const sealedDigest = async (match, nonce, payload) => hexOf(await digest("pbf1.sealed", match, nonce, payload));

export const hiddenCommitment = async (match, number, secret) => hexOf(await digest("pbf1.hid", match, number, secret));

export const nextHead = async (head, line) => hexOf(await digest("pbf1.entry", fromHex(head), line));

const hmacKey = (key) => crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const signed = async (imported, parts) => new Uint8Array(await crypto.subtle.sign("HMAC", imported, encode(...parts)));

// JSON that reads the same for everybody. JSON.parse lets the last of two equal keys win, another
// reader the first: here such an object is refused. A number that is not whole is read as null.
const MOST_DEPTH = 40;
const LONGEST = 15; // characters of a number; more digits than that would not all survive
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS = new Map([["true", true], ["false", false], ["null", null]]);
const BROKEN = /[\0\p{Surrogate}]/u; // what cannot be stored, or not be written as UTF-8

export class Unreadable extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

// Reads the bytes of one JSON object; throws Unreadable with its code.
export function readObject(bytes) {
  let found;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    found = whole(text);
  } catch (problem) {
    throw problem instanceof Unreadable ? problem : new Unreadable("not_json");
  }
  if (!isObject(found) || !isPlain(found)) throw new Unreadable("not_json");
  return found;
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function whole(text) {
  let at = 0;

  const refuse = () => {
    throw new Unreadable("not_json");
  };

  function matched(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  }

  function skip(sign) {
    matched(SPACE);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  }

  function string() {
    matched(SPACE);
    const start = at;
    if (text[at] !== '"') refuse();
    for (at += 1; text[at] !== '"'; at += 1) {
      if (at >= text.length) refuse();
      if (text[at] === "\\") at += 1;
    }
    at += 1;
    return JSON.parse(text.slice(start, at)); // which knows the escapes, and refuses the others
  }

  function object() {
    const found = Object.create(null); // in which "__proto__" is a key like any other
    let twice = false;
    if (skip("}")) return found;
    do {
      const key = string();
      if (!skip(":")) refuse();
      twice ||= key in found;
      found[key] = value();
    } while (skip(","));
    if (!skip("}")) refuse();
    if (twice) throw new Unreadable("duplicate_key");
    return found;
  }

  function list() {
    const found = [];
    if (skip("]")) return found;
    do found.push(value());
    while (skip(","));
    if (!skip("]")) refuse();
    return found;
  }

  function value() {
    if (skip("{")) return object();
    if (skip("[")) return list();
    if (text[at] === '"') return string();
    for (const [word, meaning] of WORDS) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const number = matched(NUMBER) ?? refuse();
    const isWhole = number[1] === undefined && number[2] === undefined && number[0].length <= LONGEST;
    return isWhole ? Number(number[0]) : null;
  }

  const found = value();
  matched(SPACE);
  if (at < text.length) refuse();
  return found;
}

function isPlain(data) {
  const waiting = [[data, 0]];
  while (waiting.length) {
    const [value, depth] = waiting.pop();
    if (depth > MOST_DEPTH) return false;
    if (typeof value === "string" && BROKEN.test(value)) return false;
    if (isObject(value)) for (const pair of Object.entries(value)) for (const part of pair) waiting.push([part, depth + 1]);
    else if (Array.isArray(value)) for (const part of value) waiting.push([part, depth + 1]);
  }
  return true;
}

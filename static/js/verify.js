// The page /verify: checks a ledger against a typed head, here and nowhere else, and shows what was
// found. The ledger is a chosen file, or else that of the scene which the page was opened for.
// All texts stand in the page, where they are in the reader's language.
import { checkLedger } from "./ledger.js";
import { available } from "./pbf1.js";

const form = document.querySelector("[data-verify]");
const verdict = document.querySelector("[data-verify-verdict]");
const found = document.querySelector("[data-verify-found]");
const texts = document.querySelector("[data-verify-texts]").content;
const result = document.querySelector("[data-verify-result]").content;

const filled = (text, facts) => text.replace(/\{(\w+)\}/g, (whole, name) => String(facts[name] ?? whole));

const word = (key, facts = {}) => filled(texts.querySelector(`[data-word="${key}"]`).textContent, facts);

function sentence({ line, code, facts }) {
  const fault = filled(texts.querySelector(`[data-fault="${code}"]`).textContent, facts);
  return line === null ? fault : word("at_line", { line, fault });
}

function element(name, text = "", more = {}) {
  const made = Object.assign(document.createElement(name), more);
  made.textContent = text;
  return made;
}

function notice(report) {
  const box = element("div", "", { className: `notice notice--${report.ok ? "good" : "bad"}` });
  const title = element("p");
  title.append(element("strong", word(report.ok ? "sound" : "unsound")));
  box.append(title);
  if (!report.ok) {
    const list = element("ul");
    for (const fault of report.faults) list.append(element("li", sentence(fault)));
    box.append(list);
  }
  box.append(element("p", word("counts", report.counts), { className: "hint" }));
  return box;
}

// Says the phase and the action that a label of the rules begins with; a ledger is in no language.
function labelled(label) {
  const [phase, action, ...rest] = label.split(" ");
  const [first, second] = [term("phase", phase), term("action", action)];
  if (!first || !second) return label;
  const names = rest.join(" ");
  const said = phase === action ? [first, names.replace(/ \+0$/, "")] : [first, second, names];
  return said.filter(Boolean).join(" · ");
}

const term = (kind, code = "") => texts.querySelector(`[data-${kind}="${CSS.escape(code)}"]`)?.textContent;

function dice(places, isFree) {
  const list = element("ul", "", { className: "bare" });
  for (const { label, count, sides, faces } of places) {
    if (!count) continue;
    const item = element("li");
    item.append(element("bdi", isFree ? (label ?? "") : labelled(label ?? "")), ` ${count}d${sides} → `, element("strong", (faces ?? []).join(", ")));
    list.append(item);
  }
  return list;
}

function row(one, wrong) {
  const heading = element("th", "", { scope: "row" });
  heading.append(element("div", word(one.kind, one)));
  if (one.entry !== undefined) heading.append(element("div", word("decision", one), { className: "hint" }));
  heading.append(element("span", word(wrong ? "differs" : "fits"), { className: `pill pill--${wrong ? "bad" : "good"}` }));
  const faces = element("td");
  faces.append(dice(one.dice, one.kind !== "roll"));
  const made = element("tr");
  made.append(heading, faces);
  return made;
}

// Says what follows where seats gave no salt; empty where all did, or where no dice have fallen yet.
function unsalted({ salts, thrown }) {
  const seats = [...salts].filter(([, salt]) => !salt).map(([seat]) => seat);
  if (seats.length < salts.size) return seats.length ? word("without_salt", { seats: seats.join(", ") }) : "";
  return thrown || seats.length ? word("without_salts") : "";
}

function details({ told, heads, faults }) {
  const shown = result.cloneNode(true);
  const slot = (name) => shown.querySelector(`[data-slot="${name}"]`);
  const wrong = new Set(faults.map((fault) => fault.line));
  slot("match").textContent = told.match;
  slot("anchor").textContent = told.anchor || "–";
  if (told.redo) {
    for (const part of shown.querySelectorAll("[data-redo]")) part.hidden = false;
    slot("redo").textContent = told.redo.anchor;
    slot("redo-where").textContent = word("redo", told.redo);
  }
  const note = unsalted(told);
  slot("unsalted").textContent = note;
  slot("unsalted").hidden = !note;
  for (const [seat, salt] of told.salts) {
    const item = element("li");
    item.append(element("bdi", seat), ": ", element("code", salt || word("empty_salt")));
    slot("salts").append(item);
  }
  slot("rolls").append(...told.throws.map((one) => row(one, wrong.has(one.line))));
  for (const head of heads) {
    const item = element("li");
    item.append(element("code", head));
    slot("heads").append(item);
  }
  return shown;
}

class Unread extends Error {}

// Gives the bytes to check. A ledger is fetched anew each time: it may have grown meanwhile.
async function read(file) {
  if (file) return file.arrayBuffer();
  try {
    const answer = await fetch(form.dataset.ledger, { cache: "no-store", redirect: "error" });
    if (answer.ok) return await answer.arrayBuffer();
  } catch (problem) {
    if (!(problem instanceof TypeError)) throw problem; // the network is away
  }
  throw new Unread();
}

async function check() {
  const button = form.querySelector("button");
  button.setAttribute("aria-busy", "true");
  found.replaceChildren();
  verdict.replaceChildren(element("p", word("working")));
  const [file] = form.elements.ledger.files;
  try {
    const report = await checkLedger(new Uint8Array(await read(file)), form.elements.head.value);
    verdict.replaceChildren(notice(report));
    if (report.told) found.append(details(report));
  } catch (problem) {
    // A file that was moved or changed after it was chosen gives a DOMException.
    if (!(problem instanceof DOMException || problem instanceof Unread)) throw problem;
    const name = file?.name ?? form.dataset.ledger;
    verdict.replaceChildren(element("p", word("unread", { name }), { className: "notice notice--bad" }));
  } finally {
    button.removeAttribute("aria-busy");
  }
}

if (available()) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
} else {
  document.querySelector("[data-verify-insecure]").hidden = false;
}

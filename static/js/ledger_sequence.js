// What has to stand in a ledger before a line may come: rules that hold across its kinds, found in
// the same order as the service's own checker finds them.

const THROWN = new Set(["roll", "hidden", "check"]);
const OF_A_WAIT = new Set(["roll", "hidden", "forum", "fallback", "void"]);

// Finds what makes a line come at the wrong time, and notes that dice have fallen.
export function sequenceFaults(told, kind, line) {
  if (isOfOtherDice(told, kind, line)) told.fault("wrong_roller");
  left(told, kind, line);
  if (!THROWN.has(kind) || told.thrown) return;
  // Whoever could throw without a salt, or before it, would choose among the outcomes.
  for (const seat of told.seats) if (!told.salts.has(seat)) told.fault("salt_missing", { seat });
  told.thrown = true;
}

// Looks whether a seat is one of line 0: one made up for its salt would steer the dice.
export function seatFaults(told, seat) {
  if (!told.seats.has(seat)) told.fault("unknown_seat", { seat });
}

// Says whether a line has dice of the forum where the service throws, or the other way.
function isOfOtherDice(told, kind, line) {
  if (kind === "accept") return (line.waits === "forum") !== told.byForum;
  if (kind === "forum") return !told.byForum;
  // A hidden roll for an order that waits for the forum would put our dice in the place of its.
  const taken = kind === "hidden" && told.waiting.has(line.entry);
  return told.byForum && (kind === "roll" || taken);
}

// Looks whether the next entry is about the one that waits, whose dice may be known already. Other
// words for a story decide nothing, and may come meanwhile.
function left(told, kind, line) {
  if (!told.waiting.size || !("entry" in line) || kind === "correct") return;
  const about = kind === "void" ? line.voids : line.entry;
  if (OF_A_WAIT.has(kind) && told.waiting.has(about)) return;
  const [entry] = told.waiting.keys();
  told.fault("accept_left", { entry });
  told.waiting.clear();
}

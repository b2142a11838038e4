import "./announce.js";
import "./copy.js";
import "./draft.js";
import "./form.js";
import "./live.js";
import "./queue.js";
import "./seal.js";
import "./time.js";

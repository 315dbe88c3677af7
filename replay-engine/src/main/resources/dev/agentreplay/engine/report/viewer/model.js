
/** What steps are, in groups to filter by. */
const GROUPS = {
  ToolCall: "Tool calls", ToolResult: "Tool calls",
  ModelCall: "Model turns", ModelResult: "Model turns",
  FileState: "Files", Verification: "Verifications",
  SessionStart: "Session", SessionEnd: "Session", ReplayHeader: "Session",
  PlanStart: "Plan", StepComplete: "Plan",
};

/** What kinds of events are called in the list, those aside that have a name of their own. */
const TITLES = {
  ReplayHeader: "log", SessionStart: "start", SessionEnd: "end", PlanStart: "plan",
  StepComplete: "step done", Verification: "verified", FileState: "file", Payment: "payment",
  RuntimeEvent: "runtime", Settings: "settings", RecordedValue: "value", Checkpoint: "checkpoint",
  RecordingGap: "gap", LogSegment: "segment", ModelCall: "model", ModelResult: "answer",
  ToolResult: "result", Unknown: "unknown",
};

/** Members that say what an event is, and not what happened. */
const DULL = /^(event|type|t|ts|id|session_id|step_id|created_at|.*_hash|hash|replay_version)$/;

/** The glyph and the words of a divergence; A and B are the sessions. */
const KINDS = {
  MISSING: ["−", "only in A"], ADDED: ["+", "only in B"], MOVED: ["⇅", "elsewhere"],
  TOOL: ["≠", "another tool"], PARAMS: ["≠", "other parameters"], PROMPT: ["≠", "another prompt"],
  OUTCOME: ["≠", "another outcome"], OUTPUT: ["≠", "another output"],
  RESPONSE: ["≠", "another answer"], FILE_STATE: ["≠", "another state of the file"],
  VERIFICATION: ["≠", "another verification"], STEP: ["≠", "the step went otherwise"],
  PLAN: ["≠", "another plan"], START: ["≠", "another start"], SETTINGS: ["≠", "other settings"],
  PAYMENT: ["≠", "another payment"], RUNTIME_EVENT: ["≠", "another runtime event"],
  END: ["≠", "another end"], ASSESSMENT: ["≠", "assessed otherwise"],
  OTHER: ["≠", "differs in what is not known"], IDENTITY: ["≠", "other ids"],
  TIMING: ["≠", "another time"],
};

const RELATIONS = {
  matched: ["=", "equal"], changed: ["≠", "changed"], moved: ["⇅", "elsewhere"],
  missing: ["−", "only in A"], added: ["+", "only in B"], uncompared: ["·", "not compared"],
};

const OUTCOMES = { ok: ["✓", "succeeded"], failed: ["✕", "failed"], open: ["○", "not answered"], none: ["", ""] };

/** What happened at once: an event, or a call with its result. */
class Unit {
  constructor(side, event) {
    this.side = side;
    this.call = event;
    this.result = null;
    this.number = null;
    this.kind = event.kind;
    this.group = GROUPS[event.kind] ?? "Other";
  }

  get isTool() {
    return this.kind === "ToolCall";
  }

  get events() {
    return this.result ? [this.call, this.result] : [this.call];
  }

  get line() {
    return this.call.line;
  }

  get name() {
    const { kind, name } = this.call;
    const title = TITLES[kind] ?? kind;
    return this.isTool || kind === "ModelCall" || kind === "Unknown" ? name ?? title : title;
  }

  get lane() {
    if (this.isTool) {
      return "tool " + this.call.name;
    }
    const group = this.group;
    return group === "Model turns" ? "model" : group === "Files" ? "files"
      : group === "Verifications" ? "verified" : "session";
  }

  get outcome() {
    const event = this.result ?? this.call;
    if (event.ok === undefined) {
      return this.kind === "ToolCall" || this.kind === "ModelCall" ? "open" : "none";
    }
    return event.ok ? "ok" : "failed";
  }

  get latency() {
    return (this.result ?? this.call).latency;
  }

  get utility() {
    return (this.result ?? this.call).utility;
  }

  /** When it began, and when it ended, in milliseconds since 1970; undefined when that is not said. */
  get span() {
    const end = this.result?.time ?? this.call.time;
    const begin = this.call.time ?? end;
    const latency = this.latency;
    // the time of a call says when it was written, its latency how long it took
    return begin === undefined ? undefined : [begin, latency === undefined ? end : begin + latency];
  }

  get summary() {
    const name = this.isTool || this.kind === "ModelCall" ? "" : this.call.name ?? "";
    // the ends of long paths tell more than their beginnings
    const value = this.kind === "ModelCall" ? lastMessage(this.call) : about(this.call);
    const text = brief(value, 400).replace(/(?:\/[^\s/:,"']+){4,}/g,
      (path) => "…/" + path.split("/").slice(-2).join("/"));
    return line(name === "" ? text : name + "  " + text);
  }

  contains(query) {
    return this.events.some((event) => query.test(event.json ?? "") || query.test(event.blob?.json ?? ""))
      || query.test(this.name);
  }
}

const parsed = new Map();

/** The value that an event embeds; undefined when it was left out. Those used last are kept. */
function valueOf(embedded) {
  if (embedded.json === undefined) {
    return undefined;
  }
  if (!parsed.has(embedded)) {
    if (parsed.size > 500) {
      parsed.delete(parsed.keys().next().value);
    }
    parsed.set(embedded, parseJson(embedded.json));
  }
  return parsed.get(embedded);
}

/** What an event is about: its main member, or those that say something. */
function about(event) {
  const value = valueOf(event);
  if (value === undefined) {
    return event.size === undefined ? "not in this file" : `not in this file: ${count(event.size, "character")}`;
  }
  const main = event.main === undefined ? undefined : value.get(event.main);
  return main !== undefined ? main : new Map([...value].filter(([name]) => !DULL.test(name)));
}

/** What a model is asked last; or else all that is said of the call. */
function lastMessage(event) {
  const messages = valueOf(event)?.get("messages");
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  return (last instanceof Map ? last.get("content") : undefined) ?? about(event);
}

/** Rows: what is listed, in order. */
class Model {
  constructor(data) {
    this.limits = data.limits;
    this.diff = data.diff ?? null;
    this.alignment = data.alignment ?? [];
    this.divergences = new Map(this.diff?.divergences.map((d) => [d.number, d]));
    this.sessions = data.sessions.map((session, side) => this.read(session, side));
    this.rows = this.diff ? this.aligned() : this.sessions[0].units.map((unit) => this.row("alone", unit, null));
    this.rows.forEach((row, i) => (row.index = i));
  }

  /** How many divergences there are, listed or not. */
  get total() {
    return Object.values(this.diff.divergence_counts.by_severity).reduce((sum, n) => sum + n, 0);
  }

  get isDiff() {
    return this.diff !== null;
  }

  read(session, side) {
    const units = [];
    const byLine = new Map();
    const blobs = new Map(); // the first event that refers to one has its value
    let calls = 0;
    for (const event of session.events) {
      if (event.blob && event.blob.problem === undefined) {
        const name = event.blob.hash + " " + event.blob.bytes;
        event.blob = blobs.get(name) ?? event.blob;
        blobs.set(name, event.blob);
      }
      const unit = event.answers === undefined ? undefined : byLine.get(event.answers);
      if (unit) {
        unit.result = event;
        byLine.set(event.line, unit);
      } else {
        if (event.line === session.cut?.line) {
          calls = session.cut.calls; // those before it are not all in this file
        }
        const made = new Unit(side, event);
        made.number = made.isTool ? calls++ : null;
        units.push(made);
        byLine.set(event.line, made);
      }
    }
    const spans = units.map((unit) => unit.span).filter(Boolean);
    const start = spans.reduce((least, span) => Math.min(least, span[0]), Infinity);
    const end = spans.reduce((most, span) => Math.max(most, span[1]), -Infinity);
    return { ...session, units, byLine, start, end, duration: end > start ? end - start : 0 };
  }

  row(relation, left, right, divergence = null) {
    return { relation, left, right, divergence, unit: left ?? right };
  }

  /** The steps in the order of the comparison, what is not compared where it was recorded. */
  aligned() {
    const [left, right] = this.sessions;
    const placed = new Set();
    for (const [, a, b] of this.alignment) {
      placed.add(left.byLine.get(a)).add(right.byLine.get(b));
    }
    const rows = [];
    const rest = [left, right].map((session) => session.units.filter((unit) => !placed.has(unit)));
    const at = [0, 0];
    const before = (side, end) => {
      const from = at[side];
      while (at[side] < rest[side].length && rest[side][at[side]].line < end) {
        at[side]++;
      }
      return rest[side].slice(from, at[side]);
    };
    const uncompared = (lineA, lineB) => {
      const [a, b] = [before(0, lineA), before(1, lineB)];
      while (a.length > 0 || b.length > 0) {
        const paired = a.length > 0 && b.length > 0 && a[0].kind === b[0].kind;
        const first = a.length > 0 ? a.shift() : null;
        rows.push(this.row("uncompared", first, paired || first === null ? b.shift() : null));
      }
    };
    for (const [relation, a, b, n] of this.alignment) {
      uncompared(a ?? 0, relation === "moved" ? 0 : b ?? 0);
      const units = [left.byLine.get(a) ?? null, right.byLine.get(b) ?? null];
      if (units[0] || units[1]) {
        rows.push(this.row(relation, units[0], units[1], n));
      }
    }
    uncompared(Infinity, Infinity);
    return rows;
  }

  /** What is known of a divergence; null when there is none, or it is not listed. */
  divergence(row) {
    return this.divergences.get(row.divergence) ?? null;
  }

  /** Whether a row is one that n goes to. */
  isMarked(row) {
    return this.isDiff
      ? row.relation !== "matched" && row.relation !== "uncompared"
      : row.unit.outcome === "failed";
  }

  /** How much a row matters: none, minor, moderate, major. */
  severity(row) {
    if (!this.isDiff) {
      return this.isMarked(row) ? "major" : "none";
    }
    const whole = row.relation === "missing" || row.relation === "added";
    return this.divergence(row)?.severity ?? (!this.isMarked(row) ? "none" : whole ? "major" : "moderate");
  }

  /** Glyph and words for how a row differs. */
  difference(row) {
    return KINDS[this.divergence(row)?.kind] ?? RELATIONS[row.relation];
  }
}

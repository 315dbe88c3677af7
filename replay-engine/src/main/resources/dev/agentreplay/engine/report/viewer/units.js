/** The groups of event kinds that the list can be filtered by. */
const GROUPS = {
  ToolCall: "Tool calls",
  ToolResult: "Tool calls",
  ModelCall: "Model turns",
  ModelResult: "Model turns",
  FileState: "Files",
  Verification: "Verifications",
  SessionStart: "Session",
  SessionEnd: "Session",
  ReplayHeader: "Session",
  PlanStart: "Plan",
  StepComplete: "Plan",
};

/** The titles of event kinds in the list; tool and model calls are listed by their own name. */
const TITLES = {
  ReplayHeader: "log",
  SessionStart: "start",
  SessionEnd: "end",
  PlanStart: "plan",
  StepComplete: "step done",
  Verification: "verified",
  FileState: "file",
  Payment: "payment",
  RuntimeEvent: "runtime",
  Settings: "settings",
  RecordedValue: "value",
  Checkpoint: "checkpoint",
  RecordingGap: "gap",
  LogSegment: "segment",
  ModelCall: "model",
  ModelResult: "answer",
  ToolResult: "result",
  Unknown: "unknown",
};

/** The glyph and the description of each kind of divergence; A and B are the sessions. */
const KINDS = {
  MISSING: ["−", "missing in B"],
  ADDED: ["+", "added in B"],
  MOVED: ["⇅", "moved"],
  TOOL: ["≠", "different tool"],
  PARAMS: ["≠", "different parameters"],
  PROMPT: ["≠", "different model call"],
  OUTCOME: ["≠", "different outcome"],
  OUTPUT: ["≠", "different output"],
  RESPONSE: ["≠", "different response"],
  FILE_STATE: ["≠", "different file state"],
  VERIFICATION: ["≠", "different verification"],
  STEP: ["≠", "different step"],
  PLAN: ["≠", "different plan"],
  START: ["≠", "different start"],
  SETTINGS: ["≠", "different settings"],
  PAYMENT: ["≠", "different payment"],
  RUNTIME_EVENT: ["≠", "different runtime event"],
  END: ["≠", "different end"],
  ASSESSMENT: ["≠", "different assessment"],
  OTHER: ["≠", "different in unknown members"],
  IDENTITY: ["≠", "different ids"],
  TIMING: ["≠", "different time or latency"],
  WITHHELD: ["·", "not compared completely"],
};

const RELATIONS = {
  matched: ["=", "matched"],
  changed: ["≠", "changed"],
  moved: ["⇅", "moved"],
  missing: ["−", "missing in B"],
  added: ["+", "added in B"],
  uncompared: ["·", "not compared"],
};

/** The kinds of divergences that are whole steps, by the relation of the steps. */
const RELATION_KINDS = { missing: "MISSING", added: "ADDED" };

/** The severities in ascending order. */
const SEVERITIES = ["none", "minor", "moderate", "major"];

const OUTCOMES = {
  ok: ["✓", "succeeded"],
  failed: ["✕", "failed"],
  open: ["○", "not answered"],
  none: ["", ""],
};

/** A step of one session: an event, or a call with its result. */
class Unit {
  constructor(side, event) {
    this.side = side;
    this.call = event;
    this.result = null;
    this.number = null;
    this.parent = null;
    this.depth = 0;
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
    return this.isTool || kind === "ModelCall" || kind === "Unknown" ? (name ?? title) : title;
  }

  /** The agent whose step it is; undefined if it is not stated. */
  get agent() {
    return this.call.agent;
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

  /** The provenance of a step of a replay; undefined if it states none. */
  get replayed() {
    return this.result?.replayed ?? this.call.replayed;
  }

  /** The record of a trace that the step was imported from; undefined if it states none. */
  get imported() {
    return this.call.imported ?? this.result?.imported;
  }

  /** The begin and end time, in milliseconds since 1970; undefined if no time is recorded. */
  get span() {
    const end = this.result?.time ?? this.call.time;
    const begin = this.call.time ?? end;
    const latency = this.latency;
    // the time of a call is when it was written, its latency the duration
    return begin === undefined ? undefined : [begin, latency === undefined ? end : begin + latency];
  }

  /** The subject of the step, on one line. */
  get summary() {
    return summaryOf(this);
  }

  contains(query) {
    return (
      this.events.some(
        (event) => query.test(event.json ?? "") || query.test(event.blob?.json ?? ""),
      ) || query.test(this.name)
    );
  }
}

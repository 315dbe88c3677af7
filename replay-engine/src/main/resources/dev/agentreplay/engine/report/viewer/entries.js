/** The order of texts: regardless of case, numbers by their value. */
const byText = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The states of sessions: glyph, word, and the words of a number of them. */
const STATES = {
  ok: ["✓", "success", "succeeded"],
  failed: ["✕", "failed", "failed"],
  open: ["○", "not ended", "not ended"],
  unreadable: ["⚠", "unreadable", "unreadable"],
  skipped: ["⚠", "not searched", "not searched"],
};

/** A session of the folder, or what could not be read. */
class Entry {
  constructor(row, index, directory) {
    Object.assign(this, row);
    this.index = index;
    this.tags = row.tags ?? [];
    this.name =
      directory !== "" && row.path.startsWith(directory)
        ? row.path.slice(directory.length) || "."
        : row.path;
    this.state =
      row.problem !== undefined
        ? row.skipped
          ? "skipped"
          : "unreadable"
        : row.status === undefined
          ? "open"
          : row.ok
            ? "ok"
            : "failed";
    this.word = this.state === "ok" || this.state === "failed" ? row.status : STATES[this.state][1];
    [this.ofPrompts, this.ofAnswers] = row.tokens ?? [0, 0];
    this.tokens = row.tokens && this.ofPrompts + this.ofAnswers;
    this.models = row.model ?? [];
    this.texts = [
      this.word,
      row.task,
      row.problem,
      this.name,
      row.id,
      row.service,
      this.source,
      ...this.models,
      ...this.tags,
      row.user,
      row.environment,
      row.origin && originOf(row.origin),
    ]
      .filter((text) => text !== undefined)
      .join("\n");
    this.tagValues = new Set(this.tags.map(plain));
    this.serviceValue = plain(row.service ?? "");
    this.environmentValue = plain(row.environment ?? "");
  }

  get title() {
    return this.problem ?? this.task ?? this.name;
  }

  /** The words for a fork or a replay: its parent is in them unless it is above it. */
  get origins() {
    return this.depth > 0
      ? originWords(this.origin)
      : originOf(this.origin, this.parent === null ? " (not in this folder)" : "");
  }

  /** The format of an imported session, the service and the models. */
  get about() {
    return [this.source, this.service, ...this.models].filter(Boolean).join(" · ");
  }

  get source() {
    return this.imported === undefined ? undefined : `import of ${this.imported}`;
  }
}

/** The columns: id, label, width, the value by which they sort, the cell, the sum in the foot. */
const COLUMNS = [
  {
    id: "status",
    label: "status",
    width: 98,
    sort: (e) => Object.keys(STATES).indexOf(e.state) + " " + e.word,
    cell: (e, find) => [STATES[e.state][0], " ", marked(e.word, find)],
    type: "state",
  },
  { id: "task", label: "task", width: 0, sort: (e) => e.title, type: "task" },
  {
    id: "time",
    label: "time (UTC)",
    width: 118,
    sort: (e) => e.time,
    down: true,
    cell: (e) => minute(e.time),
    type: "n",
  },
  {
    id: "duration",
    label: "duration",
    width: 76,
    sort: (e) => e.duration,
    down: true,
    cell: (e) => millis(e.duration),
    sum: millis,
    type: "n",
  },
  {
    id: "calls",
    label: "tools",
    words: "tool calls",
    width: 56,
    sort: (e) => e.calls,
    down: true,
    cell: (e) => number.format(e.calls),
    sum: number.format,
    type: "n",
  },
  {
    id: "turns",
    label: "models",
    words: "model calls",
    width: 60,
    sort: (e) => e.turns,
    down: true,
    cell: (e) => number.format(e.turns),
    sum: number.format,
    type: "n",
  },
  {
    id: "failed",
    label: "failures",
    width: 62,
    sort: (e) => e.failed,
    down: true,
    cell: (e) => (e.failed > 0 ? "✕ " + number.format(e.failed) : "0"),
    sum: number.format,
    type: "n",
  },
  {
    id: "tokens",
    label: "tokens",
    width: 60,
    sort: (e) => e.tokens,
    down: true,
    cell: (e) => compact.format(e.tokens),
    sum: compact.format,
    type: "n",
    hint: (e) =>
      `${count(e.tokens, "token")}: ${number.format(e.ofPrompts)} of prompts, ` +
      `${number.format(e.ofAnswers)} of answers`,
  },
  {
    id: "cost",
    label: "cost",
    width: 70,
    sort: (e) => e.cost,
    down: true,
    cell: (e) => (e.partial ? "≥ " : "") + amount.format(e.cost),
    sum: amount.format,
    type: "n",
    hint: (e) => (e.partial ? "a call without a price or without tokens is not included" : null),
  },
  {
    id: "tags",
    label: "tags",
    width: 132,
    sort: (e) => e.tags.join(" ") || undefined,
    cell: (e, find) => e.tags.map((tag) => el("span.tag", {}, marked(tag, find))),
    hint: (e) => e.tags.join(", "),
  },
  {
    id: "user",
    label: "user",
    width: 72,
    sort: (e) => e.user,
    cell: (e, find) => marked(e.user, find),
    hint: (e) => e.user,
  },
  {
    id: "environment",
    label: "environment",
    width: 88,
    sort: (e) => e.environment,
    cell: (e, find) => marked(e.environment, find),
    hint: (e) => e.environment,
  },
  {
    id: "bytes",
    label: "size",
    width: 60,
    sort: (e) => e.bytes,
    down: true,
    cell: (e) => bytes(e.bytes),
    sum: bytes,
    type: "n",
  },
];

/** The time of a text such as 2026-01, 2026-01-13 or 2026-01-13 10:00 in UTC; NaN if it is none. */
function timeOf(text) {
  const [, date, time] = /^\s*(\d{4}(?:-\d\d){0,2})(?:[T ](\d\d:\d\d))?\s*$/.exec(text) ?? [];
  const ms =
    date === undefined ? NaN : Date.parse(time === undefined ? date : `${date}T${time}:00Z`);
  // a parser may take the 31st of a shorter month for a day of the next one
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(date) ? NaN : ms;
}

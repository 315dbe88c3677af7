/** The data of the page. Rows are the listed steps, in order. */
class Model {
  constructor(data) {
    if (data.sides) {
      nameSides(data.sides);
    }
    this.limits = data.limits;
    this.diff = data.diff ?? null;
    this.run = data.run ?? null;
    this.alignment = data.alignment ?? [];
    this.divergences = new Map((this.run ?? this.diff)?.divergences.map((d) => [d.number, d]));
    data.sessions.forEach(keepImages);
    this.sessions = data.sessions.map((session, side) => this.read(session, side));
    this.agents = [
      ...new Set(this.sessions.flatMap((session) => session.units.map((unit) => unit.agent))),
    ].filter((agent) => agent !== undefined);
    this.agentNumbers = new Map(this.agents.map((agent, i) => [agent, i]));
    this.rows = this.isDiff
      ? this.aligned()
      : nestRows(this.sessions[0].units.map((unit) => this.row("alone", unit, null)));
    this.isNested = this.rows.some((row) => row.children.length > 0);
    this.rows.forEach((row, i) => (row.index = i));
    if (this.run) {
      placeReport(this);
    }
    this.forks = forkPoints(this);
  }

  /** The divergences of a row, the gravest first. */
  divergencesOf(row) {
    return [row.divergence, ...row.more].map((n) => this.divergences.get(n)).filter(Boolean);
  }

  /** The row of a divergence; undefined if it has none. */
  rowOf(number) {
    return this.rows.find((row) => row.divergence === number || row.more.includes(number));
  }

  /** Whether the page of a replay has only the recording. */
  get isAlone() {
    return this.run !== null && !this.isDiff;
  }

  /** The name of what the key n selects. */
  get mark() {
    return this.isAlone && this.run.mode === "validation"
      ? "finding"
      : this.run || this.isDiff
        ? "divergence"
        : "failure";
  }

  /** The agent of a step as a label in a color of its own; null if it is not stated. */
  agentLabel(unit) {
    const n = this.agentNumbers.get(unit.agent); // undefined of an agent without an event in this file
    return unit.agent === undefined
      ? null
      : el(
          "span.agent" + (n === undefined ? "" : `.agent-${n % 6}`),
          { title: "agent " + unit.agent },
          line(unit.agent, 24),
        );
  }

  /** The number of divergences, listed or not. */
  get total() {
    return Object.values(this.diff.divergence_counts.by_severity).reduce((sum, n) => sum + n, 0);
  }

  get isDiff() {
    return this.sessions.length > 1;
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
          calls = session.cut.calls; // earlier calls may not be in this file
        }
        const made = new Unit(side, event);
        made.number = made.isTool ? calls++ : null;
        units.push(made);
        byLine.set(event.line, made);
      }
    }
    nest(units, byLine);
    const spans = units.map((unit) => unit.span).filter(Boolean);
    const start = spans.reduce((least, span) => Math.min(least, span[0]), Infinity);
    const end = spans.reduce((most, span) => Math.max(most, span[1]), -Infinity);
    const places = new Map(session.events.map((event, i) => [event.line, i]));
    return {
      ...session,
      units,
      byLine,
      places,
      start,
      end,
      duration: end > start ? end - start : 0,
    };
  }

  row(relation, left, right, divergence = null) {
    const unit = left ?? right;
    return {
      relation,
      left,
      right,
      divergence,
      more: [],
      unit,
      parent: null,
      children: [],
      collapsed: false,
    };
  }

  /** The steps in the order of the comparison; uncompared ones at the place they were recorded. */
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
      uncompared(a ?? 0, relation === "moved" ? 0 : (b ?? 0));
      const units = [left.byLine.get(a) ?? null, right.byLine.get(b) ?? null];
      if (units[0] || units[1]) {
        rows.push(this.row(relation, units[0], units[1], n));
      }
    }
    uncompared(Infinity, Infinity);
    return rows;
  }

  /** The divergence of a row; null if there is none or it is not listed. */
  divergence(row) {
    return this.divergences.get(row.divergence) ?? null;
  }

  /** Whether a row is one that the key n selects. */
  isMarked(row) {
    const known = this.run ? this.divergencesOf(row) : [];
    if (known.length > 0) {
      return known[0].severity !== "none";
    }
    if (this.isAlone) {
      return row.unit.events.some((event) => event.findings !== undefined);
    }
    return this.isDiff
      ? row.relation !== "matched" && row.relation !== "uncompared"
      : row.unit.outcome === "failed";
  }

  /**
   * The relation by which a row of a replay is shown: one without a divergence is as if it matched.
   */
  shownRelation(row) {
    const isWhole = row.relation === "missing" || row.relation === "added";
    return !this.isMarked(row) ? "matched" : isWhole ? row.relation : "changed";
  }

  /** The severity of a row: none, minor, moderate, major. */
  severity(row) {
    if (!this.isDiff) {
      return this.divergence(row)?.severity ?? (this.isMarked(row) ? "major" : "none");
    }
    const whole = row.relation === "missing" || row.relation === "added";
    return (
      this.divergence(row)?.severity ??
      (!this.isMarked(row) ? "none" : whole ? "major" : "moderate")
    );
  }

  /** The glyph and the description of the difference of a row. */
  difference(row) {
    const divergence = this.divergence(row);
    const words = this.run && this.run.mode !== "validation" ? RUN_KINDS : KINDS;
    if (this.run && divergence?.severity === "none" && divergence.kind === "MISSING") {
      return ["·", divergence.rule];
    }
    if (this.run && divergence?.not_executed) {
      return ["?", NOT_EXECUTED];
    }
    return (
      words[divergence?.kind] ??
      KINDS[divergence?.kind] ??
      words[RELATION_KINDS[row.relation]] ??
      RELATIONS[row.relation] ??
      OUTCOMES[row.unit.outcome]
    );
  }
}

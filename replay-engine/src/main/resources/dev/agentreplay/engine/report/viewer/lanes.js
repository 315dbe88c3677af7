/** The most lanes of the timeline, and the most rows of a lane whose calls overlap. */
const MOST_LANES = 24;
const MOST_TRACKS = 6;

/**
 * Finds the call that started the agent of each unit of a session, and how deep the unit is below
 * it. A parent is always an earlier unit, which excludes cycles.
 */
function nest(units, byLine) {
  const starters = new Map(); // an event that does not state the call has the last one of its agent
  for (const unit of units) {
    const stated = unit.call.parent;
    const parent =
      stated !== undefined
        ? byLine.get(stated)
        : unit.agent !== undefined
          ? starters.get(unit.agent)
          : undefined;
    if (parent && parent.line < unit.line) {
      unit.parent = parent;
      unit.depth = parent.depth + 1;
      starters.set(unit.agent, parent);
    } else {
      unit.depth = stated === undefined ? 0 : 1; // the call is not in this file
    }
  }
}

/** Moves the rows of an agent below the row of the call that started it; sets their relations. */
function nestRows(rows) {
  const byUnit = new Map(rows.map((row) => [row.unit, row]));
  const tops = [];
  for (const row of rows) {
    row.parent = byUnit.get(row.unit.parent) ?? null;
    if (row.parent) {
      row.parent.children.push(row);
    } else {
      tops.push(row);
    }
  }
  const nested = [];
  const waiting = tops.reverse();
  while (waiting.length > 0) {
    const row = waiting.pop();
    nested.push(row);
    for (let i = row.children.length - 1; i >= 0; i--) {
      waiting.push(row.children[i]);
    }
  }
  return nested;
}

/** The rows that are below a collapsed one. A row is listed after the one above it. */
function foldedRows(rows) {
  const folded = new Set();
  for (const row of rows) {
    if (row.parent && (row.parent.collapsed || folded.has(row.parent))) {
      folded.add(row);
    }
  }
  return folded;
}

/**
 * The lanes of the timeline: one for each agent, or if no event names an agent, for each tool, the
 * model, files, verifications, and the session. Calls that overlap are on tracks of their lane.
 */
class Lanes {
  constructor(model) {
    this.model = model;
    const known = this.find();
    const kept = known.slice(0, MOST_LANES);
    this.byKey = new Map(known.map((lane, i) => [lane.key, kept[i] ?? null]));
    if (known.length > kept.length) {
      const others = { key: null, name: `${known.length - kept.length} other lanes`, depth: 0 };
      kept.push(others);
      known.slice(MOST_LANES).forEach((lane) => this.byKey.set(lane.key, others));
    }
    this.all = kept;
    this.place();
  }

  key(unit) {
    const { agents } = this.model;
    if (agents.length > 0) {
      return unit.agent === undefined ? "main" : "agent " + unit.agent;
    }
    const { group } = unit;
    return unit.isTool
      ? "tool " + unit.call.name
      : group === "Model turns"
        ? "model"
        : group === "Files"
          ? "files"
          : group === "Verifications"
            ? "verified"
            : "session";
  }

  /** The lanes in their order: agents below the one that started them, tools by their use. */
  find() {
    const lanes = new Map();
    for (const row of this.model.rows) {
      for (const unit of [row.left, row.right]) {
        if (unit) {
          const key = this.key(unit);
          if (!lanes.has(key)) {
            lanes.set(key, {
              key,
              name: this.name(key, unit),
              depth: 0,
              steps: 0,
              filter: this.filter(key, unit),
            });
          }
          const lane = lanes.get(key);
          lane.steps++;
          lane.starter ??= unit.parent && this.key(unit.parent) !== key ? unit.parent : undefined;
        }
      }
    }
    return this.model.agents.length > 0 ? this.below(lanes) : this.ranked([...lanes.values()]);
  }

  name(key, unit) {
    return key.startsWith("agent ")
      ? unit.agent
      : key.startsWith("tool ")
        ? unit.call.name
        : key === "main"
          ? "main agent"
          : key;
  }

  /**
   * The id of the filter that shows only the steps of a lane, and its value; null if there is none.
   */
  filter(key, unit) {
    return key.startsWith("tool ")
      ? ["tool", plain(unit.call.name)]
      : key === "main"
        ? ["agent", key]
        : key.startsWith("agent ")
          ? ["agent", String(this.model.agentNumbers.get(unit.agent))]
          : key === "session"
            ? null
            : ["kind", unit.group];
  }

  ranked(lanes) {
    const rank = ({ key }) =>
      key === "session" ? 0 : key === "model" ? 1 : key.startsWith("tool ") ? 2 : 3;
    return lanes.sort((a, b) => rank(a) - rank(b) || b.steps - a.steps);
  }

  /**
   * Lanes below the lane of the call that started them; a lane that is reached twice has its first
   * place.
   */
  below(lanes) {
    const children = new Map();
    for (const lane of lanes.values()) {
      const above = lane.starter ? this.key(lane.starter) : null;
      if (!children.has(above)) {
        children.set(above, []);
      }
      children.get(above).push(lane);
    }
    const placed = new Set();
    const place = (lane, depth) => {
      const waiting = [[lane, depth]];
      while (waiting.length > 0) {
        const [next, at] = waiting.pop();
        if (!placed.has(next)) {
          placed.add(next);
          next.depth = at;
          (children.get(next.key) ?? [])
            .toReversed()
            .forEach((child) => waiting.push([child, at + 1]));
        }
      }
    };
    (children.get(null) ?? [])
      .sort((a, b) => (b.key === "main") - (a.key === "main"))
      .forEach((lane) => place(lane, 0));
    lanes.forEach((lane) => place(lane, 0)); // lanes that started each other
    return [...placed];
  }

  /** Gives each unit a track on which no other call is open, as far as there are enough. */
  place() {
    this.tracks = new Map();
    this.lanes = new Map();
    const open = new Map(this.all.map((lane) => [lane, [[], []]]));
    for (const session of this.model.sessions) {
      for (const unit of session.units) {
        const lane = this.byKey.get(this.key(unit));
        this.lanes.set(unit, lane);
        const ends = open.get(lane)?.[unit.side];
        if (ends) {
          let track = ends.findIndex((end) => end < unit.line);
          if (track < 0) {
            track = ends.length < MOST_TRACKS ? ends.length : ends.indexOf(Math.min(...ends));
          }
          ends[track] = Math.max(unit.result?.line ?? unit.line, ends[track] ?? 0);
          this.tracks.set(unit, track);
        }
      }
    }
    let first = 0;
    for (const lane of this.all) {
      lane.first = first;
      lane.height = Math.max(1, ...open.get(lane).map((ends) => ends.length));
      first += lane.height;
    }
    /** The number of tracks of all lanes. */
    this.height = first;
  }

  /** The lane of a unit. */
  of(unit) {
    return this.lanes.get(unit);
  }

  /** The number of the track of a unit, among those of all lanes. */
  track(unit) {
    return this.of(unit).first + this.tracks.get(unit);
  }
}


const SIDES = ["A", "B"];

/** Gives the sides other names than A and B, such as "recorded" and "actual". */
function nameSides(names) {
  SIDES.splice(0, 2, ...names);
  for (const words of [KINDS.MISSING, KINDS.ADDED, RELATIONS.missing, RELATIONS.added]) {
    words[1] = words[1].replace(/ in B$/, " in " + SIDES[1]);
  }
}

/** Whether the sides are A and B, which a word next to them explains. */
function areLetters() {
  return SIDES[0] === "A";
}

/** The class of what belongs to a side. */
function sideClass(i) {
  return "side-" + "ab"[i];
}

function side(i) {
  return el("span.side-name." + sideClass(i), { title: i === 0 ? "the left session" : "the right session" }, SIDES[i]);
}

function figure(value, label, state = "") {
  return el("div.figure" + (state && "." + state), {}, el("b", {}, value), el("span", {}, label));
}

/** The end of a path: the name of the session directory and of its parent. */
function shortName(path) {
  return path.replace(/[\\/]REPLAY\.jsonl(\.gz)?$/, "").split(/[\\/]/).slice(-2).join("/");
}

/** A name that can be broken between its words. */
function breakable(name) {
  return name.split(/(?<=[_.\/-])(?![_.\/-])/).map((part) => [part, el("wbr")]);
}

/** The verdict in one sentence, and the most important figures. */
class Verdict {
  constructor(model, onOpen) {
    this.model = model;
    this.onOpen = onOpen;
  }

  title() {
    return this.model.sessions.map((session, i) =>
      [i > 0 ? el("span.versus", {}, "and") : null, this.model.isDiff ? side(i) : null,
        el("span.session-name", { title: session.name }, shortName(session.name))]);
  }

  elements() {
    return this.model.isDiff ? this.ofDiff() : this.ofSession();
  }

  ofSession() {
    const [session] = this.model.sessions;
    const { calls, answered, failed, latency } = session.totals;
    const open = calls - answered;
    const end = session.units.find((unit) => unit.kind === "SessionEnd");
    const status = end && valueOf(end.call);
    const said = status?.get("status") ?? status?.get("outcome");
    const utilities = session.units.map((unit) => unit.utility).filter((u) => u !== undefined);
    const state = end ? end.outcome : "open";
    const header = session.units.find((unit) => unit.kind === "ReplayHeader");
    const origin = header && valueOf(header.call)?.get("replay_of");
    return [
      el("div.result." + state, {},
        el("span.sign", { "aria-hidden": "true" }, OUTCOMES[state][0] || "·"),
        el("div", {},
          el("strong", {}, end ? `Ended: ${typeof said === "string" ? line(said, 40) : "no status"}` : "Not ended"),
          el("p", {}, end ? this.task(session) : "The log has no event that ends the session. ", this.limits()),
          origin instanceof Map ? el("p", {}, "Replay of ", brief(origin.get("session_id") ?? "a session without an id", 100),
            ", mode ", brief(origin.get("mode") ?? "unknown", 40)) : null,
          this.published())),
      el("div.figures", {},
        figure(number.format(session.lines), "events"),
        figure(number.format(calls), "tool calls"),
        figure(number.format(failed), "failed", failed > 0 ? "failed" : ""),
        open > 0 ? figure(number.format(open), "not answered") : null,
        session.duration > 0 ? figure(millis(session.duration), "duration") : null,
        latency > 0 ? figure(millis(latency), "in calls") : null,
        utilities.length > 0
          ? figure((utilities.reduce((a, b) => a + b) / utilities.length).toFixed(2), "mean utility") : null),
    ];
  }

  task(session) {
    const start = session.units.find((unit) => unit.kind === "SessionStart");
    const value = start && valueOf(start.call);
    const task = value?.get("task") ?? value?.get("session_id");
    return typeof task === "string" ? line(task, 200) : "";
  }

  ofDiff() {
    const { diff } = this.model;
    const { steps } = diff;
    const isIdentical = diff.verdict === "identical";
    const severities = diff.divergence_counts.by_severity;
    const marked = this.model.rows.find((row) => this.model.divergence(row)?.role === "root")
      ?? this.model.rows.find((row) => this.model.severity(row) !== "none")
      ?? this.model.rows.find((row) => this.model.isMarked(row));
    const { withheld, replaced } = diff.not_compared;
    const words = isIdentical
      ? withheld + replaced > 0 ? "Identical in what both show"
        : this.model.total === 0 ? "Identical" : "Identical: no divergence matters" : "Diverged";
    // rounded down: 100.0% only if the sessions are fully similar
    const similar = (Math.floor(diff.similarity * 10) / 10).toFixed(1);
    const gauge = el("div.gauge", { "aria-hidden": "true" }, el("i"));
    gauge.firstChild.style.width = similar + "%";
    return [
      el("div.result." + (isIdentical ? "ok" : "diverged"), {},
        el("span.sign", { "aria-hidden": "true" }, isIdentical ? "=" : "≠"),
        el("div", {},
          el("strong", {}, words),
          ["major", "moderate", "minor", "none"].filter((s) => severities[s]).map((s) =>
            el("span.badge." + s, {}, `${number.format(severities[s])} ${s}`)),
          marked ? this.first(marked) : el("p", {}, this.model.total === 0 ? "No step differs."
            : isIdentical ? "All divergences have severity none."
              : "The steps that differ are not in this file."),
          withheld + replaced > 0 ? el("p", {}, `${count(withheld, "value")} withheld, ${number.format(replaced)} replaced.`) : null,
          this.published(), this.limits())),
      el("div.figures", {},
        el("div.figure.similarity", {}, el("b", {}, similar + "%"), el("span", {}, "similar"), gauge),
        figure(number.format(steps.matched), "matched"),
        figure(number.format(steps.changed), "changed", steps.changed ? "diverged" : ""),
        figure(number.format(steps.missing), "missing in " + SIDES[1], steps.missing ? "diverged" : ""),
        figure(number.format(steps.added), "added in " + SIDES[1], steps.added ? "diverged" : "")),
    ];
  }

  /** The root cause, and the first major divergence if that is a different one. */
  first(row) {
    const { model } = this;
    const divergence = model.divergence(row);
    const followers = divergence?.followers ?? 0;
    const graver = model.severity(row) === "major" ? undefined
      : model.rows.find((other) => model.severity(other) === "major");
    return [
      el("p.first", {}, this.place(model.diff.verdict === "identical"
        ? "The first difference is at" : "They diverge at", row),
        hasValues(divergence) ? [" ", changeLine(divergence)] : null, ".",
        followers > 0 ? el("span.about", {}, ` ${count(followers, "divergence")} follow${followers === 1 ? "s" : ""} from it.`) : null,
        model.diff.first === null ? el("span.about", {}, " No tool call behaves differently.") : null),
      graver ? el("p.first", {}, this.place("The first major divergence is at", graver), ".") : null];
  }

  place(words, row) {
    // the line of the event that differs, which need not be the first event of the step
    const differing = this.model.divergence(row)?.[row.left ? "left" : "right"]?.line ?? row.unit.line;
    const where = row.unit.isTool ? `call #${row.unit.number}` : `line ${differing}`;
    return [el("button.link", { type: "button", click: () => this.onOpen(row) }, `${words} ${where}`), ": ",
      el("b", {}, nameOf(row)), ", ", this.model.difference(row)[1]];
  }

  /** A note for each session that is a published copy. */
  published() {
    return this.model.sessions.filter((session) => session.policy !== undefined).map((session) =>
      el("p", {}, `${session.name} is a published copy, policy ${line(session.policy, 60)}.`));
  }

  /** A note for each session whose events are not all in this file. */
  limits() {
    return this.model.sessions.filter((session) => session.events.length < session.lines).map((session) =>
      el("span.about", {}, `Of ${session.name} ${session.cut ? "the first and last " : "the first "}`
        + `${number.format(session.events.length)} of ${count(session.lines, "event")} are in this file. `));
  }
}

/** Tables and charts. */
class Overview {
  constructor(model) {
    this.model = model;
  }

  elements() {
    return [this.answers(), this.tools(), this.agents(), this.utility(), this.rules(), this.findings()];
  }

  section(title, ...content) {
    return el("section", {}, el("h2", {}, title), content);
  }

  /** The answers to the requests of a replay. */
  answers() {
    const answers = this.model.rows.map((row) => answerOf(this.model, row)).filter(Boolean);
    const labels = new Map();
    answers.forEach((answer) => labels.set(answer.label, [...(labels.get(answer.label) ?? []), answer]));
    return labels.size === 0 ? null : this.section("Answers to the requests",
      el("ul.answers", {}, [...labels.values()].map((same) =>
        el("li", {}, el("b", {}, number.format(same.length)), " ", answerChip(same[0])))));
  }

  /** Counts and latencies of each tool. */
  tools() {
    const tools = new Map();
    this.model.sessions.forEach((session, i) => {
      for (const unit of session.units.filter((u) => u.isTool)) {
        const known = tools.get(unit.call.name) ?? [[], []];
        known[i].push(unit);
        tools.set(unit.call.name, known);
      }
    });
    if (tools.size === 0) {
      return null;
    }
    const sum = (units) => units.reduce((total, unit) => total + (unit.latency ?? 0), 0);
    const longest = Math.max(...[...tools.values()].flat().map(sum), 1);
    const counts = new Map(Object.entries(this.model.diff?.by_tool ?? {}));
    const heads = this.model.isDiff ? [...SIDES, "=", "≠", "− " + SIDES[0], "+ " + SIDES[1]] : ["calls", "failed"];
    const sorted = [...tools].sort((a, b) => sum(b[1].flat()) - sum(a[1].flat()) || b[1].flat().length - a[1].flat().length);
    const cells = (name, sides) => {
      if (!this.model.isDiff) {
        return [sides[0].length, sides[0].filter((unit) => unit.outcome === "failed").length];
      }
      const n = counts.get(name);
      return n ? [n.left, n.right, n.matched, n.changed, n.missing + n.replaced, n.added + n.replacing]
        : [sides[0].length, sides[1].length, 0, 0, 0, 0];
    };
    return this.section("Tools",
      el("div.scroll-x", {}, el("table", {},
        el("thead", {}, el("tr", {}, el("th", {}, "tool"), heads.map((head) => el("th.n", {}, head)),
          el("th", {}, "latency, total and median"))),
        el("tbody", {}, sorted.map(([name, sides]) => el("tr", {},
          el("th.tool", { scope: "row" }, breakable(name)),
          cells(name, sides).map((n) => el("td.n" + (n === 0 ? ".zero" : ""), {}, number.format(n))),
          el("td.chart", {}, this.model.sessions.map((session, i) =>
            this.latencyBar(sides[i], sum(sides[i]) / longest, i)))))))));
  }

  /** The steps of each agent, if there are several lanes. */
  agents() {
    const units = this.model.sessions.flatMap((session) => session.units)
      .filter((unit) => unit.isTool || unit.kind === "ModelCall");
    const lanes = [...new Set(units.map((unit) => unit.agent))];
    if (lanes.length < 2) {
      return null;
    }
    const cells = (own) => [own.filter((unit) => unit.isTool), own.filter((unit) => !unit.isTool),
      own.filter((unit) => unit.outcome === "failed")].map((some) => some.length);
    return this.section("Agents",
      el("div.scroll-x", {}, el("table", {},
        el("thead", {}, el("tr", {}, el("th", {}, "agent"),
          ["tool calls", "model turns", "failed"].map((head) => el("th.n", {}, head)))),
        el("tbody", {}, lanes.map((agent) => {
          const own = units.filter((unit) => unit.agent === agent);
          return el("tr", {},
            el("th.tool", { scope: "row" }, this.model.agentLabel(own[0]) ?? el("span.about", {}, "none")),
            cells(own).map((n) => el("td.n" + (n === 0 ? ".zero" : ""), {}, number.format(n))));
        })))));
  }

  latencyBar(units, part, i) {
    const latencies = units.map((unit) => unit.latency).filter((ms) => ms !== undefined).sort((a, b) => a - b);
    if (latencies.length === 0) {
      return el("div.meter", {}, el("span.about", {}, units.length === 0 ? "" : "not recorded"));
    }
    const whole = latencies.reduce((a, b) => a + b);
    const bar = el("i." + (this.model.isDiff ? sideClass(i) : "ok"), { "aria-hidden": "true" });
    bar.style.width = Math.max(part * 55, 0.5) + "%";
    return el("div.meter", {}, this.model.isDiff ? el("span.sr", {}, SIDES[i] + ": ") : null, bar,
      el("span", {}, `${millis(whole)} · ${millis(latencies[latencies.length >> 1])}`));
  }

  /** A line chart of the step utilities. */
  utility() {
    const series = this.model.sessions.map((session) =>
      session.units.map((unit) => unit.utility).filter((u) => u !== undefined));
    const longest = Math.max(...series.map((values) => values.length));
    if (longest === 0) {
      return null;
    }
    const svg = (name, attributes, ...children) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
      element.append(...children);
      return element;
    };
    const x = (i) => 30 + (longest === 1 ? 280 : i * 560 / (longest - 1));
    const y = (u) => 60 - Math.max(-1, Math.min(1, u)) * 50;
    const means = series.map((values) => values.length === 0 ? "none"
      : (values.reduce((a, b) => a + b) / values.length).toFixed(2));
    const label = this.model.isDiff ? `mean ${means[0]} in ${SIDES[0]}, ${means[1]} in ${SIDES[1]}` : `mean ${means[0]}`;
    const grid = [1, 0, -1].flatMap((u) => [
      svg("line", { x1: 30, x2: 590, y1: y(u), y2: y(u), class: u === 0 ? "zero" : "grid" }),
      svg("text", { x: 22, y: y(u) + 4, "text-anchor": "end" }, String(u))]);
    // if there are more points than pixels, draw means
    const thin = (values) => {
      const size = Math.ceil(values.length / 280);
      return Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
        const part = values.slice(i * size, (i + 1) * size);
        return [i * size + (part.length - 1) / 2, part.reduce((a, b) => a + b) / part.length];
      });
    };
    const lines = series.map((values, i) => {
      const points = values.length === 0 ? [] : thin(values);
      const style = this.model.isDiff ? "line " + sideClass(i) : "line ok";
      return [
        svg("polyline", { class: style, points: points.map(([at, u]) => `${x(at)},${y(u)}`).join(" ") }),
        ...(points.length > 60 ? [] : points.map(([at, u]) =>
          svg("circle", { class: style, cx: x(at), cy: y(u), r: 2.5 })))];
    });
    const chart = svg("svg", { viewBox: "0 0 600 120", role: "img", "aria-label": "Step utility: " + label },
      ...grid, ...lines.flat());
    return this.section("Step utility", el("p.about", {}, label, ", from −1 to 1, result by result"), chart);
  }

  rules() {
    if (!this.model.diff) {
      return null;
    }
    const { diff, run, total } = this.model;
    const { identities, timings, ignored_calls: ignored } = diff.not_compared;
    const unseen = [
      identities > 0 ? `ids differ in ${count(identities, "pair")}` : null,
      timings > 0 ? `times differ in ${count(timings, "pair")}` : null,
      ignored > 0 ? `${count(ignored, "call")} of ignored tools` : null,
    ].filter(Boolean);
    return this.section("Comparison rules",
      el("ul", {},
        diff.rules.map(({ rule, left, right }) =>
          el("li", {}, rule, el("span.about", {}, ` applied to ${number.format(left)} places in ${SIDES[0]}, ${number.format(right)} in ${SIDES[1]}`))),
        diff.rules.length === 0 ? el("li", {}, "none: values are compared exactly") : null,
        unseen.length > 0 ? el("li", {}, "not compared: " + unseen.join(", ")) : null,
        !run && diff.divergences_truncated
          ? el("li", {}, `of ${count(total, "divergence")} only the first ${number.format(diff.divergences.length)} are listed with their differences`) : null));
  }

  findings() {
    const all = this.model.sessions.flatMap((session) => session.events)
      .flatMap((event) => (event.findings ?? []).map((finding) => `line ${event.line}: ${finding}`));
    return all.length === 0 ? null : this.section("Findings",
      el("ul", {}, all.slice(0, 50).map((finding) => el("li", {}, finding)),
        all.length > 50 ? el("li", {}, `${number.format(all.length - 50)} more`) : null));
  }
}

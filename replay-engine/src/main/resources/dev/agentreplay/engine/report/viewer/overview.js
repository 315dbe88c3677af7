/** Tables and charts. */
class Overview {
  /** @param legend the counts of the answers */
  constructor(model, legend) {
    this.model = model;
    this.legend = legend;
  }

  elements() {
    return [
      this.facts(),
      this.answers(),
      this.tools(),
      this.models(),
      this.agents(),
      this.utility(),
      this.rules(),
      this.findings(),
    ];
  }

  section(title, ...content) {
    return el("section", {}, el("h2", {}, title), content);
  }

  /** The task, the labels and the end of a session, or of both, where they differ. */
  facts() {
    const sides = this.model.sessions.map(
      ({ facts }) =>
        new Map(
          [
            ["task", facts.task],
            ["status", facts.end?.status],
            ["summary", facts.end?.summary],
            ["error", facts.end?.error],
            ["confidence", facts.end?.confidence],
            ["started", facts.started === undefined ? undefined : minute(facts.started) + " UTC"],
            ...(facts.facts ?? []),
          ].filter(([, value]) => value !== undefined),
        ),
    );
    const labels = [...new Set(sides.flatMap((facts) => [...facts.keys()]))];
    const fact = (label) => {
      const values = sides.map((facts) => facts.get(label));
      return el(
        "div",
        {},
        el("dt", {}, label),
        values.every((value) => value === values[0])
          ? el("dd", {}, values[0])
          : values.map((value, i) =>
              el("dd", {}, side(i), " ", value ?? el("span.about", {}, "none")),
            ),
      );
    };
    const isLong = (label) => ["task", "summary", "error"].includes(label);
    return labels.length === 0
      ? null
      : this.section(
          this.model.isDiff ? "Sessions" : "Session",
          el("dl.report", {}, labels.filter(isLong).map(fact)),
          el("dl.facts", {}, labels.filter((label) => !isLong(label)).map(fact)),
        );
  }

  /** The answers to the requests of a replay. */
  answers() {
    return this.legend.isEmpty
      ? null
      : this.section("Answers to the requests", this.legend.elements());
  }

  /** Counts and latencies of each tool, over the whole log of each session. */
  tools() {
    const tools = new Map();
    this.model.sessions.forEach(({ totals }, i) =>
      totals.by_tool.forEach(([name, calls, failed, latency]) => {
        const known = tools.get(name) ?? [null, null];
        known[i] = { calls, failed, latency };
        tools.set(name, known);
      }),
    );
    if (tools.size === 0) {
      return null;
    }
    const latencies = this.latencies();
    const sum = (sides, of) => sides.reduce((total, side) => total + (side?.[of] ?? 0), 0);
    const longest = Math.max(...[...tools.values()].flat().map((side) => side?.latency ?? 0), 1);
    const counts = new Map(Object.entries(this.model.diff?.by_tool ?? {}));
    const heads = this.model.isDiff
      ? [...SIDES, "=", "≠", "− " + SIDES[0], "+ " + SIDES[1]]
      : ["calls", "failed"];
    const sorted = [...tools].sort(
      (a, b) =>
        sum(b[1], "latency") - sum(a[1], "latency") || sum(b[1], "calls") - sum(a[1], "calls"),
    );
    const cells = (name, sides) => {
      if (!this.model.isDiff) {
        return [sides[0].calls, sides[0].failed];
      }
      const n = counts.get(name);
      return n
        ? [n.left, n.right, n.matched, n.changed, n.missing + n.replaced, n.added + n.replacing]
        : [sides[0]?.calls ?? 0, sides[1]?.calls ?? 0, 0, 0, 0, 0];
    };
    const others = Math.max(...this.model.sessions.map(({ totals }) => totals.others[0]));
    return this.section(
      "Tools",
      this.scrolling(
        "Tools",
        el(
          "table",
          {},
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              el("th", {}, "tool"),
              heads.map((head) => el("th.n", {}, head)),
              el("th", {}, "latency, total and median"),
            ),
          ),
          el(
            "tbody",
            {},
            sorted.map(([name, sides]) =>
              el(
                "tr",
                {},
                el("th.tool", { scope: "row" }, breakable(name)),
                cells(name, sides).map((n) =>
                  el("td.n" + (n === 0 ? ".zero" : ""), {}, number.format(n)),
                ),
                el(
                  "td.chart",
                  {},
                  sides.map((side, i) =>
                    this.model.sessions[i] === undefined
                      ? null
                      : this.latencyBar(side, latencies[i].get(name), longest, i),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
      others > 0 ? el("p.about", {}, `${count(others, "other tool")} took less time.`) : null,
    );
  }

  /**
   * The latencies of the calls by tool, of each session; empty if not all of them are in this file.
   */
  latencies() {
    return this.model.sessions.map((session) => {
      const byTool = new Map();
      for (const unit of session.events.length < session.lines ? [] : session.units) {
        if (unit.isTool && unit.latency !== undefined) {
          const known = byTool.get(unit.call.name) ?? [];
          known.push(unit.latency);
          byTool.set(unit.call.name, known);
        }
      }
      return byTool;
    });
  }

  /** A table that scrolls if it is too wide, also with the keys. */
  scrolling(title, table) {
    return el("div.scroll-x", { role: "region", tabindex: "0", "aria-label": title }, table);
  }

  table(title, heads, rows) {
    return rows.length === 0
      ? null
      : this.section(
          title,
          this.scrolling(
            title,
            el(
              "table",
              {},
              el(
                "thead",
                {},
                el(
                  "tr",
                  {},
                  heads.map((head, i) => el(i === 0 ? "th" : "th.n", {}, head)),
                ),
              ),
              el(
                "tbody",
                {},
                rows.map(([name, ...cells]) =>
                  el(
                    "tr",
                    {},
                    el("th.tool", { scope: "row" }, name),
                    cells.map((cell) =>
                      el(
                        "td.n" + (cell === 0 ? ".zero" : ""),
                        {},
                        typeof cell === "number" ? number.format(cell) : cell,
                      ),
                    ),
                  ),
                ),
              ),
            ),
          ),
        );
  }

  /** Calls, time and tokens of each model, of each session. */
  models() {
    return this.table(
      "Models",
      ["model", "calls", "failed", "latency", "first token", "tokens in", "tokens out"],
      this.model.sessions.flatMap(({ totals }, i) =>
        totals.by_model.map(([name, calls, failed, latency, read, written, first]) => [
          [this.model.isDiff ? [side(i), " "] : null, breakable(name || "unnamed")],
          calls,
          failed,
          millis(latency),
          first === null ? "" : millis(first),
          read,
          written,
        ]),
      ),
    );
  }

  /** The calls and tokens of each agent, of each session, if there are several agents. */
  agents() {
    const { sessions, isDiff } = this.model;
    if (sessions.every(({ totals }) => totals.by_agent.length === 0)) {
      return null;
    }
    const hasAll = sessions.every((session) => session.events.length >= session.lines);
    const rows = sessions.flatMap((session, i) => {
      const failed = hasAll ? this.failedByAgent(session) : null;
      return this.countsByAgent(session).map(([id, ...counts]) => ({
        i,
        id,
        counts,
        failed: failed?.get(id) ?? 0,
      }));
    });
    const hasTokens = rows.some(({ counts }) => counts[2] + counts[3] > 0);
    return this.table(
      "Agents",
      [
        "agent",
        "tool calls",
        "model calls",
        hasAll ? "failed" : null,
        ...(hasTokens ? ["tokens in", "tokens out"] : []),
      ].filter(Boolean),
      rows.map(({ i, id, counts: [tools, models, ...tokens], failed }) => [
        [
          isDiff ? [side(i), " "] : null,
          id === "" ? el("span.about", {}, "main agent") : this.model.agentLabel({ agent: id }),
        ],
        tools,
        models,
        ...(hasAll ? [failed] : []),
        ...(hasTokens ? tokens : []),
      ]),
    );
  }

  /** The counts of each agent of a session; those of its only agent are the totals. */
  countsByAgent({ totals, units }) {
    if (totals.by_agent.length > 0 || totals.calls + totals.turns === 0) {
      return totals.by_agent;
    }
    const calls = units.filter((unit) => unit.isTool || unit.kind === "ModelCall");
    const ids = new Set(calls.map((unit) => unit.agent ?? ""));
    const [read, written] = totals.tokens ?? [0, 0];
    return [[ids.size === 1 ? [...ids][0] : "", totals.calls, totals.turns, read, written]];
  }

  failedByAgent({ units }) {
    const failed = new Map();
    for (const unit of units) {
      if (unit.outcome === "failed" && (unit.isTool || unit.kind === "ModelCall")) {
        failed.set(unit.agent ?? "", (failed.get(unit.agent ?? "") ?? 0) + 1);
      }
    }
    return failed;
  }

  /** The latency of a tool; one that is not listed has that of the calls in this file. */
  latencyBar(tool, latencies = [], longest, i) {
    const total = tool?.latency ?? latencies.reduce((sum, latency) => sum + latency, 0);
    if (total === 0 && latencies.length === 0) {
      return el("div.meter", {}, el("span.about", {}, tool ? "not recorded" : ""));
    }
    const bar = el("i." + (this.model.isDiff ? sideClass(i) : "ok"), { "aria-hidden": "true" });
    bar.style.width = Math.max((total / longest) * 55, 0.5) + "%";
    latencies.sort((a, b) => a - b);
    return el(
      "div.meter",
      {},
      this.model.isDiff ? el("span.sr", {}, SIDES[i] + ": ") : null,
      bar,
      el(
        "span",
        {},
        millis(total),
        latencies.length > 0 ? ` · ${millis(latencies[latencies.length >> 1])}` : "",
      ),
    );
  }

  utility() {
    const chart = utilityChart(this.model);
    return chart && this.section("Step utility", ...chart);
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
    return this.section(
      "Comparison rules",
      el(
        "ul",
        {},
        diff.rules.map(({ rule, left, right }) =>
          el(
            "li",
            {},
            rule,
            el(
              "span.about",
              {},
              ` applied to ${number.format(left)} places in ${SIDES[0]}, ` +
                `${number.format(right)} in ${SIDES[1]}`,
            ),
          ),
        ),
        diff.rules.length === 0 ? el("li", {}, "none: values are compared exactly") : null,
        unseen.length > 0 ? el("li", {}, "not compared: " + unseen.join(", ")) : null,
        !run && diff.divergences_truncated
          ? el(
              "li",
              {},
              `of ${count(total, "divergence")} only the first ` +
                `${number.format(diff.divergences.length)} are listed with their differences`,
            )
          : null,
      ),
    );
  }

  findings() {
    const all = this.model.sessions
      .flatMap((session) => session.events)
      .flatMap((event) =>
        (event.findings ?? []).map((finding) => `line ${event.line}: ${finding}`),
      );
    return all.length === 0
      ? null
      : this.section(
          "Findings",
          el(
            "ul",
            {},
            all.slice(0, 50).map((finding) => el("li", {}, finding)),
            all.length > 50 ? el("li", {}, `${number.format(all.length - 50)} more`) : null,
          ),
        );
  }
}

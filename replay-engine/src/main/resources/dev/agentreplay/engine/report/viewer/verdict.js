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
  return el(
    "span.side-name." + sideClass(i),
    { title: i === 0 ? "the left session" : "the right session" },
    SIDES[i],
  );
}

/** The end of a path: the name of the session directory and of its parent. */
function shortName(path) {
  return path
    .replace(/[\\/]REPLAY\.jsonl(\.gz)?$/, "")
    .split(/[\\/]/)
    .slice(-2)
    .join("/");
}

/** The name of a session in a sentence: its label if its directory has a generated name. */
function nameOfSession({ name, facts }) {
  return facts.directory !== undefined || facts.label === name ? shortName(name) : facts.label;
}

/** The time and the directory of a session, unless the label is the name of the directory. */
function detailsOf({ name, facts }) {
  return [
    facts.label !== name && facts.started !== undefined ? minute(facts.started) + " UTC" : null,
    facts.directory === undefined ? null : shortName(facts.directory),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The service, the task, the time and the directory of a session. */
function titleOf(session) {
  const { name, facts } = session;
  const details = detailsOf(session);
  return el(
    "span.session-title",
    { title: name },
    el("span.session-name", {}, facts.label === name ? shortName(name) : facts.label),
    details === "" ? null : [" ", el("span.about", {}, details)],
  );
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
    const { sessions, isDiff } = this.model;
    if (!isDiff) {
      return [titleOf(sessions[0])];
    }
    const [left, right] = sessions.map(({ facts }) => facts.label);
    const details = sessions.map(detailsOf);
    const isShared = left === right && details[0] !== details[1];
    const sides = sessions.map((session, i) =>
      el(
        "span.session-title",
        { title: session.name },
        side(i),
        " ",
        isShared ? el("span.about", {}, details[i]) : titleOf(session),
      ),
    );
    return [
      isShared ? el("span.session-name", {}, left) : null,
      sides[0],
      el("span.versus", {}, "and"),
      sides[1],
    ];
  }

  elements() {
    return this.model.isDiff ? this.ofDiff() : this.ofSession();
  }

  ofSession() {
    const [session] = this.model.sessions;
    const { end, task, label } = session.facts;
    const state = end === undefined ? "open" : end.ok ? "ok" : "failed";
    const asked = task !== undefined && !label.endsWith(line(task, 1000)) ? line(task, 300) : null;
    return [
      el(
        "div.result." + state,
        {},
        el("span.sign", { "aria-hidden": "true" }, OUTCOMES[state][0]),
        el(
          "div",
          {},
          el("strong", {}, end ? `Ended: ${line(end.status, 40) || "no status"}` : "Not ended"),
          end ? null : el("p", {}, "The log has no event that ends the session."),
          asked ? el("p", {}, asked) : null,
          end?.error ? el("p.finding", {}, line(end.error, 300)) : null,
          end?.summary ? el("p", {}, line(end.summary, 300)) : null,
          this.origins(),
          this.published(),
          this.limits(),
        ),
      ),
      el("div.figures", {}, this.figures(session)),
    ];
  }

  /** The totals of a session over its whole log. */
  figures({ totals, lines }) {
    const {
      calls,
      answered,
      failed,
      tools,
      turns,
      model_failed: lost,
      model,
      tokens,
      first,
      duration,
      utility,
      cost,
    } = totals;
    const isWhole = totals.cost_complete;
    return [
      figure(number.format(lines), "events"),
      figure(number.format(calls), "tool calls"),
      turns > 0 ? figure(number.format(turns), "turns") : null,
      figure(number.format(failed), "failed", failed > 0 ? "failed" : ""),
      lost > 0 ? figure(number.format(lost), "failed model calls", "failed") : null,
      calls > answered ? figure(number.format(calls - answered), "not answered") : null,
      duration > 0 ? figure(millis(duration), "duration") : null,
      tools > 0 ? figure(millis(tools), "in tools") : null,
      model > 0 ? figure(millis(model), "in models") : null,
      first === undefined ? null : figure(millis(first), "to the first token"),
      tokens
        ? figure(
            `${short(tokens[0])} → ${short(tokens[1])}`,
            tokens[2] > 0 ? "tokens, as far as stated" : "tokens in, out",
          )
        : null,
      cost === undefined
        ? null
        : figure(
            (isWhole ? "" : "≥ ") + amount.format(Number(cost)),
            isWhole ? "cost" : "cost, as far as known",
          ),
      utility === undefined ? null : figure(utility.toFixed(2), "mean utility"),
    ];
  }

  ofDiff() {
    const { diff } = this.model;
    const { steps } = diff;
    const isIdentical = diff.verdict === "identical";
    const severities = diff.divergence_counts.by_severity;
    const marked =
      this.model.rows.find((row) => this.model.divergence(row)?.role === "root") ??
      this.model.rows.find((row) => this.model.severity(row) !== "none") ??
      this.model.rows.find((row) => this.model.isMarked(row));
    const { withheld, replaced } = diff.not_compared;
    const words = isIdentical
      ? withheld + replaced > 0
        ? "Identical in what both show"
        : this.model.total === 0
          ? "Identical"
          : diff.accepted.divergences > 0
            ? `Identical, but ${number.format(diff.accepted.divergences)} accepted`
            : "Identical: no divergence matters"
      : "Diverged";
    const similar = percent(diff.similarity);
    return [
      el(
        "div.result." + (isIdentical ? "ok" : "diverged"),
        {},
        el("span.sign", { "aria-hidden": "true" }, isIdentical ? "=" : "≠"),
        el(
          "div",
          {},
          el("strong", {}, words),
          ["major", "moderate", "minor", "none"]
            .filter((s) => severities[s])
            .map((s) => el("span.badge." + s, {}, `${number.format(severities[s])} ${s}`)),
          marked
            ? this.first(marked)
            : el(
                "p",
                {},
                this.model.total === 0
                  ? "No step differs."
                  : isIdentical
                    ? diff.accepted.divergences > 0
                      ? "All other divergences have severity none."
                      : "All divergences have severity none."
                    : "The steps that differ are not in this file.",
              ),
          withheld + replaced > 0
            ? el(
                "p",
                {},
                `${count(withheld, "value")} withheld, ${number.format(replaced)} replaced.`,
              )
            : null,
          this.origins(),
          this.published(),
          this.limits(),
        ),
      ),
      el(
        "div.figures",
        {},
        el(
          "div.figure.similarity",
          {},
          el("b", {}, similar),
          el("span", {}, "similar"),
          gauge(diff.similarity / 100),
        ),
        figure(number.format(steps.matched), "matched"),
        figure(number.format(steps.changed), "changed", steps.changed ? "diverged" : ""),
        figure(
          number.format(steps.missing),
          "missing in " + SIDES[1],
          steps.missing ? "diverged" : "",
        ),
        figure(number.format(steps.added), "added in " + SIDES[1], steps.added ? "diverged" : ""),
      ),
    ];
  }

  /** The root cause, and the first major divergence if that is a different one. */
  first(row) {
    const { model } = this;
    const divergence = model.divergence(row);
    const followers = divergence?.followers ?? 0;
    const graver =
      model.severity(row) === "major"
        ? undefined
        : model.rows.find((other) => model.severity(other) === "major");
    return [
      el(
        "p.first",
        {},
        this.place(
          model.diff.verdict === "identical" ? "The first difference is at" : "They diverge at",
          row,
        ),
        hasValues(divergence) ? [" ", changeLine(divergence)] : null,
        ".",
        followers > 0
          ? el(
              "span.about",
              {},
              ` ${count(followers, "divergence")} follow${followers === 1 ? "s" : ""} from it.`,
            )
          : null,
        model.diff.first === null
          ? el("span.about", {}, " No tool call behaves differently.")
          : null,
      ),
      graver
        ? el("p.first", {}, this.place("The first major divergence is at", graver), ".")
        : null,
    ];
  }

  place(words, row) {
    // the line of the event that differs, which need not be the first event of the step
    const differing =
      this.model.divergence(row)?.[row.left ? "left" : "right"]?.line ?? row.unit.line;
    const where = row.unit.isTool ? `call #${row.unit.number}` : `line ${differing}`;
    return [
      el("button.link", { type: "button", click: () => this.onOpen(row) }, `${words} ${where}`),
      ": ",
      el("b", {}, nameOf(row)),
      ", ",
      this.model.difference(row)[1],
    ];
  }

  /** A note for each session that is a fork or a replay, with a link to the point of the fork. */
  origins() {
    const { sessions, forks, run } = this.model;
    return sessions.map(({ facts: { origin } }, i) => {
      const point = forks.find(({ side: of }) => of === i);
      const shown = point?.origin ?? (run === null ? origin : undefined);
      return shown === undefined
        ? null
        : el(
            "p.origin",
            {},
            sessions.length > 1 ? [side(i), " "] : null,
            this.origin(shown, point),
          );
    });
  }

  origin(origin, point) {
    const stated = originOf(origin);
    const words = this.model.isDiff ? stated : stated[0].toUpperCase() + stated.slice(1);
    return point === undefined
      ? words
      : point.row === null
        ? words + ", which was not reached"
        : el("button.link", { type: "button", click: () => this.onOpen(point.row) }, words);
  }

  /** A note for each session that is a published copy. */
  published() {
    return this.model.sessions
      .filter((session) => session.policy !== undefined)
      .map((session) =>
        el(
          "p",
          {},
          `${nameOfSession(session)} is a published copy, policy ${line(session.policy, 60)}.`,
        ),
      );
  }

  /** A note for each session whose events are not all in this file. */
  limits() {
    return this.model.sessions
      .filter((session) => session.events.length < session.lines)
      .map((session) =>
        el(
          "p",
          {},
          `Of ${nameOfSession(session)} ${session.cut ? "the first and last " : "the first "}` +
            `${number.format(session.events.length)} of ${count(session.lines, "event")} are in this file.`,
        ),
      );
  }
}

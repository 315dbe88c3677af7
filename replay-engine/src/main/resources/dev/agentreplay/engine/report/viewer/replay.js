/** The verdict of a replay, the first divergence, the circumstances and the counts. */
class RunVerdict extends Verdict {
  static VERDICTS = {
    identical: ["ok", "=", "Identical"],
    diverged: ["diverged", "≠", "Diverged"],
    incomplete: ["failed", "…", "Incomplete"],
    unverified: ["open", "?", "Unverified"],
  };

  /** The verdicts of a verification without a comparison. */
  static VERIFIED = {
    valid: ["ok", "✓", "Valid"],
    unverified: ["open", "?", "Unverified"],
    invalid: ["failed", "✕", "Invalid"],
    unreadable: ["failed", "✕", "Unreadable"],
  };

  static MOST_CIRCUMSTANCES = 3;

  static kind(run) {
    return run.mode === "validation" ? "Verification" : run.fork ? "Fork" : "Replay";
  }

  title() {
    const { run, sessions } = this.model;
    const names = sessions.map((session) =>
      el("span.session-name", { title: session.name }, nameOfSession(session)),
    );
    return names.length === 1
      ? [
          el("span.versus", {}, `${RunVerdict.kind(run)} of`),
          names[0],
        ]
      : [
          side(0),
          areLetters() ? el("span.versus", {}, "recording") : null,
          names[0],
          el("span.versus", {}, "→"),
          side(1),
          el(
            "span.versus",
            {},
            run.mode === "validation" ? "other recording" : `${run.mode} ${run.fork ? "fork" : "replay"}`,
          ),
          shortName(sessions[1].name) === "replay" ? null : names[1],
        ];
  }

  elements() {
    const { run } = this.model;
    const [state, sign, words] =
      this.model.isAlone && run.mode === "validation"
        ? RunVerdict.VERIFIED[run.verification.verdict]
        : RunVerdict.VERDICTS[run.verdict];
    // the verification and the missing end of a recording are stated on lines of their own
    const isStated = (name) =>
      name === "verification" || (name === "end" && run.incomplete.length > 0);
    const differs = run.differs.filter(([name]) => !isStated(name));
    const all = [...this.model.divergences.values()].filter((each) => each.severity !== "none");
    const root = all.find((each) => each.role === "root") ?? all[0];
    const miss = root?.miss ? undefined : all.find((each) => each.miss);
    const reasons = run.incomplete.map((reason) => line(reason.split("\n")[0], 300));
    const hasFailure =
      miss || root?.miss || reasons.some((reason) => reason.startsWith("the agent failed"));
    return [
      el(
        "div.result.run." + state,
        {},
        el("span.sign", { "aria-hidden": "true" }, sign),
        el(
          "div",
          {},
          el(
            "strong",
            {},
            words,
            run.accepted > 0 && run.verdict === "identical"
              ? `, but ${number.format(run.accepted)} accepted`
              : "",
          ),
          el("span.about", {}, run.headline),
          root ? this.first(root) : null,
          miss ? this.first(miss) : null,
          reasons.length > 0 ? el("p.first", {}, "Incomplete: " + reasons.join("; ")) : null,
          run.failure && !hasFailure
            ? el("p.first", {}, "The agent failed: " + line(run.failure, 400))
            : null,
          this.origins(),
          this.verification(),
          differs
            .slice(0, RunVerdict.MOST_CIRCUMSTANCES)
            .map(([name, text, label]) =>
              el("p", {}, el("span.label", {}, label), ` ${name}: ${line(text, 200)}`),
            ),
          differs.length > RunVerdict.MOST_CIRCUMSTANCES
            ? el(
                "p",
                {},
                `${count(differs.length - RunVerdict.MOST_CIRCUMSTANCES, "more circumstance")} in the overview`,
              )
            : null,
          this.limits(),
        ),
      ),
      this.figures(run),
    ];
  }

  figures(run) {
    const { recorded, served, executed, unread } = run.exchanges;
    const some = (n, label, state) => (n > 0 ? figure(number.format(n), label, state) : null);
    if (run.mode === "validation") {
      const findings = run.verification.findings.filter(([, isGrave]) => isGrave).length;
      return el(
        "div.figures",
        {},
        figure(number.format(recorded), "exchanges"),
        figure(number.format(findings), "findings", findings > 0 ? "failed" : ""),
        this.model.isDiff
          ? figure(number.format(run.total), "divergences", run.total > 0 ? "diverged" : "")
          : null,
      );
    }
    return el(
      "div.figures",
      {},
      figure(number.format(recorded), "recorded"),
      some(served, "served", ""),
      some(executed, "executed", ""),
      some(unread, "unread", ""),
      some(run.missed, "missed", "diverged"),
      figure(
        number.format(run.total),
        run.total === 1 ? "divergence" : "divergences",
        run.total > 0 ? "diverged" : "",
      ),
    );
  }

  /** The first divergence, or the first miss, at its place, with its difference. */
  first(divergence) {
    const { model } = this;
    const row = model.rowOf(divergence.number);
    const { followers } = divergence;
    const at = divergence.left
      ? `line ${divergence.left.line}`
      : divergence.right
        ? `line ${divergence.right.line} of the replay`
        : "no line";
    const words = divergence.not_executed
      ? NOT_EXECUTED
      : (RUN_KINDS[divergence.kind] ?? KINDS[divergence.kind] ?? ["", ""])[1];
    const heading = `${divergence.number + 1}. ${divergence.kind} at ${at}`;
    return el(
      "p.first.root",
      {},
      row ? el("button.link", { type: "button", click: () => this.onOpen(row) }, heading) : heading,
      ": ",
      row ? el("b", {}, nameOf(row)) : null,
      row ? ", " : "",
      words,
      followers > 0
        ? el(
            "span.about",
            {},
            `; ${count(followers, "divergence")} follow${followers === 1 ? "s" : ""} from it`,
          )
        : null,
      hasChange(divergence) ? [" ", changeLine(divergence)] : null,
    );
  }

  verification() {
    const { run } = this.model;
    const { verdict, unmet } = run.verification;
    const [, stated] = run.differs.find(([name]) => name === "verification") ?? [
      "",
      `the recording is ${verdict}`,
    ];
    return verdict === "valid" && run.mode !== "validation"
      ? null
      : el(
          "p",
          {},
          el("span.label", {}, "verification"),
          " ",
          line(stated, 300),
          unmet.length > 0 ? `; required, but not there: ${unmet.join(", ")}` : "",
        );
  }
}

/** The divergences, the report and the verification, and the tables of both sessions. */
class RunOverview extends Overview {
  static MOST_LISTED = 200;

  constructor(model, legend, onOpen) {
    super(model, legend);
    this.onOpen = onOpen;
  }

  elements() {
    const { run } = this.model;
    const report = [this.report(run), this.differs(run)];
    const verification = this.verification(run.verification);
    return [
      this.divergences(),
      this.model.isAlone ? [verification, report] : [report, verification],
      ...super.elements(),
    ];
  }

  divergences() {
    const all = [...this.model.divergences.values()].filter(
      (divergence) => divergence.severity !== "none",
    );
    const more = Math.max(0, all.length - RunOverview.MOST_LISTED) + this.model.run.unlisted;
    return all.length === 0
      ? null
      : this.section(
          "Divergences",
          el(
            "ul.divergences",
            {},
            all.slice(0, RunOverview.MOST_LISTED).map((divergence) => this.item(divergence)),
          ),
          more > 0 ? el("p.cut", {}, `${number.format(more)} more`) : null,
        );
  }

  item(divergence) {
    const row = this.model.rowOf(divergence.number);
    const heading = `${divergence.number + 1}. ${divergence.kind}`;
    return el(
      "li." + divergence.role,
      {},
      row ? el("button.link", { type: "button", click: () => this.onOpen(row) }, heading) : heading,
      " ",
      row ? el("b", {}, nameOf(row)) : null,
      " ",
      el("span.badge." + divergence.severity, {}, divergence.severity),
      divergence.role === "downstream" && divergence.cause !== null
        ? el("span.about", {}, `↳ follows from ${divergence.cause + 1}`)
        : null,
      hasChange(divergence) ? changeLine(divergence) : null,
    );
  }

  report(run) {
    return this.section(
      "Report",
      el(
        "dl.report",
        {},
        [
          ["session", run.session_id],
          ...run.facts,
          ...run.incomplete.map((reason) => ["incomplete", reason]),
          ["agent", run.failure],
        ]
          .filter(([, text]) => text !== null)
          .map(([label, text]) => el("div", {}, el("dt", {}, label), el("dd", {}, text))),
      ),
    );
  }

  differs(run) {
    return run.differs.length === 0
      ? null
      : this.section(
          "Circumstances",
          el(
            "ul",
            {},
            run.differs.map(([name, text]) => el("li", {}, el("b", {}, name), ": ", text)),
          ),
        );
  }

  verification({ verdict, unmet, proved, not_proved: open, findings, truncated }) {
    const most = 50;
    const whole = findings.filter(([at]) => at === null || at === undefined);
    const list = (texts, mark) => texts.map((text) => el("li", {}, mark, text));
    return this.section(
      "Verification of the recording",
      el(
        "p",
        {},
        el("b", {}, verdict),
        unmet.length > 0 ? `; required, but not there: ${unmet.join(", ")}` : "",
      ),
      el("ul.conclusions", {}, list(proved, "✓ "), list(open, "○ not proved: ")),
      whole.length > 0
        ? el(
            "ul",
            {},
            whole.slice(0, most).map(([, , text]) => el("li", {}, text)),
          )
        : null,
      truncated ? el("p.cut", {}, "more findings are counted, but not listed") : null,
    );
  }
}

/** The verdict on several runs, and the table of them. */
class Agreement {
  /**
   * @param steps the steps, each with its index
   * @param onOpen opens a step in a run
   */
  constructor(report, steps, onOpen) {
    this.report = report;
    this.steps = steps;
    this.onOpen = onOpen;
    this.runs = report.runs.map((run, i) => this.run(run, i));
  }

  /**
   * A run with the number of steps in which it differs, and the first of them that is not
   * downstream.
   */
  run(run, i) {
    const differing = this.steps.filter((step) => step.runs[i][2] !== 0);
    const first = differing.find((step) => !step.downstream) ?? differing[0];
    return { ...run, differing: differing.length, first };
  }

  title() {
    return `${count(this.runs.length, "run")} compared with ${this.report.left.name}`;
  }

  verdict() {
    const { report } = this;
    const [glyph, tone, meaning] = STABILITIES[report.verdict];
    const cause = report.cause === null ? null : this.steps[report.cause];
    const agreeing = this.runs.filter((run) => run.differing === 0).length;
    return [
      el(
        "div.result." + tone,
        {},
        el("span.sign", { "aria-hidden": "true" }, glyph),
        el(
          "div",
          {},
          el(
            "p.first",
            {},
            el("strong", {}, report.verdict),
            cause === null
              ? "All runs agree with the first session in every step."
              : [
                  this.link(
                    cause,
                    firstDiffering(cause),
                    `${placeOf(cause)} ${line(cause.name, 60)}`,
                  ),
                  " ",
                  this.what(cause),
                ],
          ),
          el("p", {}, meaning[0].toUpperCase() + meaning.slice(1) + "."),
        ),
      ),
      el(
        "div.figures",
        {},
        el(
          "div.figure",
          {},
          el("b", {}, percent(report.agreement)),
          el("span", {}, "agreement"),
          gauge(report.agreement / 100),
        ),
        figure(
          `${number.format(agreeing)} of ${number.format(this.runs.length)}`,
          "runs agree throughout",
        ),
        Object.keys(STABILITIES)
          .filter((name) => report.counts[name] > 0)
          .map((name) => figure(number.format(report.counts[name]), name)),
      ),
    ];
  }

  /** The difference of a step, in the words of the text report. */
  what(step) {
    const differing = step.runs.filter(([, , variant]) => variant !== 0);
    const all = count(step.runs.length, "run");
    const where =
      differing.length === step.runs.length
        ? "all " + all
        : `${number.format(differing.length)} of ${all}`;
    const verb =
      step.left === null
        ? "was added in"
        : differing.every(([, at]) => at === null)
          ? "is missing in"
          : "differs in";
    return (
      `${verb} ${where}` +
      (step.stability === "unstable" ? `, ${count(step.variants, "variant")}` : "")
    );
  }

  link(step, run, ...text) {
    return el("button.link", { type: "button", click: () => this.onOpen(step, run) }, text);
  }

  overview() {
    const { left } = this.report;
    const row = (mark, run, cells) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, mark),
        el(
          "td",
          {},
          el("span.session-name", {}, run.name),
          run.origin ? el("div.origin", {}, line(originOf(run.origin), 300)) : null,
          el("div.about", {}, `${count(run.events, "event")}, ${millis(run.latency)} in tools`),
        ),
        cells,
      );
    const total = this.report.steps.length;
    return [
      el(
        "section",
        {},
        el("h2", {}, "Runs"),
        el(
          "div.scroll-x",
          { role: "region", tabindex: "0", "aria-label": "Runs" },
          el(
            "table.runs",
            {},
            el(
              "thead",
              {},
              el(
                "tr",
                {},
                ["run", "session", "agrees in", "first difference", "command"].map((name) =>
                  el("th", { scope: "col" }, name),
                ),
              ),
            ),
            el(
              "tbody",
              {},
              row(SIDES[0], left, [
                el(
                  "td",
                  { colspan: 3 },
                  el("span.about", {}, "the session with which the runs are compared"),
                ),
              ]),
              this.runs.map((run, i) =>
                row(String(i + 1), run, [
                  el(
                    "td",
                    {},
                    total === 0
                      ? ""
                      : `${number.format(total - run.differing)} of ${number.format(total)}`,
                    total === 0 ? null : gauge((total - run.differing) / total),
                  ),
                  el(
                    "td",
                    {},
                    run.first === undefined
                      ? el("span.ok", {}, "✓ none")
                      : this.link(
                          run.first,
                          i,
                          `${placeOf(run.first)} ${line(run.first.name, 40)}`,
                        ),
                  ),
                  el(
                    "td",
                    {},
                    el(
                      "button.more",
                      {
                        type: "button",
                        title: `Copy: replay diff ${left.name} ${run.name}`,
                        click: () => copyCommand("replay", "diff", left.name, run.name),
                      },
                      "copy",
                    ),
                  ),
                ]),
              ),
            ),
          ),
        ),
      ),
      this.report.omitted > 0
        ? el(
            "p.cut",
            {},
            `${count(this.report.omitted, "step")} are not in this file, whose limit is reached.`,
          )
        : null,
      el(
        "section",
        {},
        el("h2", {}, "Signs"),
        el(
          "p.keys",
          {},
          [
            ["=", "matched", "agrees with " + SIDES[0]],
            ["≠", "changed", "changed"],
            ["⇅", "moved", "moved"],
            ["−", "missing", "missing"],
            ["+", "added", "added"],
            ["·", "none", "neither has it"],
            ...(this.runs.some((run) => run.point) ? [["", "point", "the point of a fork"]] : []),
          ].map(([glyph, name, words]) => el("span", {}, el("b.cell." + name, {}, glyph), words)),
        ),
        el(
          "p.about",
          {},
          "A letter is a variant: runs with the same letter agree with each other. " +
            "A step without color follows from an earlier divergence.",
        ),
      ),
    ];
  }
}

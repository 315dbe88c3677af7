/** The page of several runs: the grid, the filter, the open cell, the address. */
class Runs {
  constructor(data) {
    this.data = data;
    this.report = data.report;
    this.steps = this.report.steps.map((step, index) => ({ ...step, index }));
    this.models = [];
    if (data.sides) {
      nameSides(data.sides);
    }
    data.sessions.forEach(keepImages); // an image is in the file once, maybe in another run
    this.markPoints();
    this.texts = data.sessions.map((session) => this.textsOf(session));
    this.at = null; // the current step and run
    this.find = null;
    this.agreement = new Agreement(this.report, this.steps, (step, run) => this.open(step, run));
    this.runs = this.agreement.runs;
    this.grid = new RunGrid(this);
    fill(byId("title"), [el("span.session-name", {}, this.agreement.title())]);
    fill(byId("verdict"), this.agreement.verdict());
    fill(byId("overview"), this.agreement.overview());
    this.fillFilter();
    this.listen();
    this.filter();
    this.follow();
  }

  /** Finds the first step of each run that is not before the point of its fork from A. */
  markPoints() {
    const [first, ...runs] = this.data.sessions;
    this.report.runs.forEach((run, i) => {
      run.origin = runs[i].facts.origin;
      run.point =
        isFork(run) && run.origin.of === first.facts.id
          ? this.steps.find(({ left }) => left !== null && left >= run.origin.line)
          : undefined;
    });
  }

  /** The recorded texts of the steps of a session, by the line of the step. */
  textsOf(session) {
    const texts = new Map();
    for (const event of session.events) {
      const at = texts.has(event.answers) ? event.answers : event.line;
      const own = [event.json, event.blob?.json].filter((text) => text !== undefined);
      texts.set(at, [...(texts.get(at) ?? []), ...own]);
    }
    return texts;
  }

  /** Whether a step, in any of the sessions, contains a text, given as JSON escapes it. */
  contains(step, pattern) {
    return [step.left, ...step.runs.map(([, at]) => at)].some(
      (at, i) => at !== null && this.texts[i].get(at)?.some((text) => pattern.test(text)),
    );
  }

  fillFilter() {
    fill(byId("stability"), [
      el("option", { value: "" }, "Any stability"),
      Object.keys(STABILITIES)
        .filter((name) => this.report.counts[name] > 0)
        .map((name) =>
          el("option", { value: name }, `${name} (${number.format(this.report.counts[name])})`),
        ),
    ]);
    fill(byId("run"), [
      el("option", { value: "" }, "All runs"),
      this.runs.map((run, i) =>
        el(
          "option",
          { value: String(i + 1) },
          `differences of run ${i + 1} (${number.format(run.differing)})` +
            (isFork(run) ? ", " + line(changeWords(run.origin), 40) : ""),
        ),
      ),
    ]);
    for (const id of ["next", "previous"]) {
      byId(id).disabled = !this.steps.some((step) => step.stability !== "stable");
    }
  }

  listen() {
    connect(this, byId("grid"), {
      "clear-nothing": () => this.clear(),
      next: () => this.mark(1),
      previous: () => this.mark(-1),
      copy: () => copyLink(),
      back: () => this.close(),
      "show-overview": () => showTab("overview"),
      "show-details": () => showTab("details"),
    });
    byId("grid").addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (row) {
        const step = this.steps[Number(row.dataset.index)];
        const cell = event.target.closest("[data-run]");
        this.open(step, cell ? Number(cell.dataset.run) : firstDiffering(step));
      }
    });
    window.addEventListener("resize", () => this.layout());
  }

  filter() {
    const query = byId("query").value;
    const [stability, run] = ["stability", "run"].map((id) => byId(id).value);
    const changed = byId("changed").checked;
    const pattern = literal(query);
    const recorded = literal(JSON.stringify(query).slice(1, -1));
    this.find = query === "" ? null : new RegExp(pattern.source, "gi");
    this.shown = this.steps.filter(
      (step) =>
        (!changed || step.stability !== "stable") &&
        (!stability || step.stability === stability) &&
        (!run || step.runs[Number(run) - 1][2] !== 0) &&
        (!query ||
          pattern.test(step.name) ||
          pattern.test(placeOf(step)) ||
          this.contains(step, recorded)),
    );
    const all = this.steps.length;
    byId("shown").textContent =
      this.shown.length === all
        ? count(all, "step")
        : `${number.format(this.shown.length)} of ${count(all, "step")}`;
    byId("clear").hidden = this.shown.length === all && !query;
    byId("nothing").hidden = this.shown.length > 0 || all === 0;
    this.chosen = run === "" ? null : Number(run) - 1;
    hits.search(query, query && recorded);
    hits.watch(byId("details"));
    this.layout();
  }

  layout() {
    this.places = new Map(this.shown.map((step, i) => [step, i]));
    this.grid.show(this.shown);
  }

  /** The comparison of the first session with a run, as the page of a comparison reads it. */
  model(run) {
    if (this.models[run] === undefined) {
      const { limits, sessions, comparisons } = this.data;
      this.models[run] = new Model({
        limits,
        sessions: [sessions[0], sessions[run + 1]],
        ...comparisons[run],
      });
    }
    return this.models[run];
  }

  /** Opens a cell: the step in the first session next to the step in the run. */
  open(step, run, { show = true } = {}) {
    const had = document.activeElement;
    this.at = { step, run };
    if (!this.places.has(step)) {
      this.clear();
    }
    this.grid.reveal(this.places.get(step), run);
    const pane = byId("details");
    pane.replaceChildren();
    fill(pane, [this.pairing(step, run), this.difference(step, run)]);
    hits.watch(pane);
    pane.scrollTop = 0;
    byId("show-details").disabled = false;
    showTab("details", show);
    keepFocus(had, pane);
    history.replaceState(null, "", "#" + `s${step.index + 1}r${run + 1}`);
  }

  pairing(step, run) {
    const [, name, words] = cellOf(step, run);
    const others = step.runs
      .map(([, , variant], i) => i)
      .filter((i) => i !== run && step.runs[i][2] === step.runs[run][2])
      .map((i) => i + 1);
    return el(
      "div.pairing",
      {},
      el("span", {}, side(0), " ", line(this.report.left.name, 60)),
      el("span", {}, side(1), ` run ${run + 1}, `, line(this.runs[run].name, 60)),
      this.runs[run].origin
        ? el("span.origin", {}, line(originWords(this.runs[run].origin), 200))
        : null,
      el("span.badge." + (name === "matched" || name === "none" ? "none" : "moderate"), {}, words),
      others.length > 0
        ? el(
            "span.about",
            {},
            `same in ${others.length > 12 ? count(others.length, "more run") : "run " + others.join(", ")}`,
          )
        : null,
      el(
        "span.gap",
        {},
        el(
          "button.run-button",
          { type: "button", disabled: run === 0, click: () => this.turn(-1) },
          "← run",
        ),
        " ",
        el(
          "button.run-button",
          {
            type: "button",
            disabled: run === this.runs.length - 1,
            click: () => this.turn(1),
          },
          "run →",
        ),
      ),
    );
  }

  /** Opens another run of the current step; the focus stays on the button, or on the other one. */
  turn(by) {
    this.open(this.at.step, this.at.run + by);
    const [back, next] = byId("details").querySelectorAll(".run-button");
    (by < 0 ? [back, next] : [next, back]).find((button) => !button.disabled).focus();
  }

  difference(step, run) {
    const [, at] = step.runs[run];
    if (at === null && step.left === null) {
      return el(
        "p.about",
        {},
        `Neither the first session nor run ${run + 1} has this step, which only other runs have.`,
      );
    }
    const model = this.model(run);
    const row = model.rows.find(
      (each) => (each.left?.line ?? null) === step.left && (each.right?.line ?? null) === at,
    );
    if (row === undefined) {
      return el("p.cut", {}, "This step is not in this file, whose limit is reached.");
    }
    const details = new Details(model, (other) => this.openRow(other, run));
    return details.elements(row);
  }

  /** Opens the step of a row of a comparison. */
  openRow(row, run) {
    const step = this.steps.find(
      (each) =>
        each.left === (row.left?.line ?? null) && each.runs[run][1] === (row.right?.line ?? null),
    );
    if (step) {
      this.open(step, run);
    } else {
      say("This step is not compared");
    }
  }

  clear() {
    const had = document.activeElement;
    byId("filter").reset();
    this.filter();
    keepFocus(had, byId("query"));
  }

  /** Returns to the runs; on a narrow screen, to the grid. */
  close() {
    showTab("overview", false);
    this.at = null;
    this.grid.draw();
    byId("show-details").disabled = true;
    history.replaceState(null, "", location.pathname + location.search);
    byId("grid").focus();
  }

  /** Opens the cell that the address identifies. */
  follow() {
    const [, step, run] = /^#s(\d+)r(\d+)$/.exec(location.hash) ?? [];
    if (this.steps[step - 1] && this.runs[run - 1]) {
      this.open(this.steps[step - 1], run - 1);
    } else if (step) {
      say(`${location.hash} is not in this file`);
    }
  }

  get isOpen() {
    return byId("pane").classList.contains("open");
  }

  step(by) {
    const step = rowFrom(this.shown, this.places.get(this.at?.step), by);
    if (step) {
      this.open(step, this.at?.run ?? firstDiffering(step), { show: this.isOpen });
    }
  }

  /** Goes to another run of the current step. */
  across(by) {
    const run = (this.at?.run ?? -1) + by;
    const step = this.at?.step ?? this.shown[0];
    if (step && run >= 0 && run < this.runs.length) {
      this.open(step, run, { show: this.isOpen });
    }
  }

  /** Opens the next step that is not stable, at the first run that differs. */
  mark(by) {
    const place = this.places.get(this.at?.step);
    const step = nextRow(this.shown, place, by, (each) => each.stability !== "stable");
    if (step) {
      const keeps = this.at && step.runs[this.at.run][2] !== 0;
      this.open(step, keeps ? this.at.run : firstDiffering(step));
    }
  }

  key(event) {
    const actions = {
      j: () => this.step(1),
      k: () => this.step(-1),
      h: () => this.across(-1),
      l: () => this.across(1),
      n: () => this.mark(1),
      N: () => this.mark(-1),
    };
    if (event.target.id === "grid") {
      Object.assign(
        actions,
        rowKeys(
          (by) => this.step(by),
          () => this.grid.rowsOfPage,
        ),
        {
          ArrowLeft: actions.h,
          ArrowRight: actions.l,
        },
      );
    }
    if (!event.target.matches("button, summary, a")) {
      actions.o = actions.Enter = () => this.at && (showTab("details"), byId("details").focus());
    }
    press(event, actions, this, byId("grid"));
  }

  print() {
    const { agreement } = this;
    showPaper([
      el("h1", {}, agreement.title()),
      agreement.verdict(),
      agreement.overview(),
      el("h2", {}, "Steps"),
      this.grid.paper(this.shown),
    ]);
  }
}

new Runs(JSON.parse(byId("data").textContent));

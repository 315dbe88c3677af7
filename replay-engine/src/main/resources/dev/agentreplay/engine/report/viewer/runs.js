
/** The stabilities in the order of the filter: glyph, tone, meaning. */
const STABILITIES = {
  regression: ["✕", "diverged", "no run agrees with the first session, and all runs agree with each other"],
  unstable: ["≠", "diverged", "no run agrees with the first session, and the runs do not all agree with each other"],
  flaky: ["≈", "diverged", "some runs agree with the first session and some do not"],
  stable: ["✓", "ok", "all runs agree with the first session"],
};

/** The letters of variants; the last one is used for all further variants. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz?";

/** The glyph, the class and the words of a cell. */
function cellOf(step, run) {
  const [relation, at, variant] = step.runs[run];
  if (at === null && step.left === null) {
    return ["·", "none", "does not have the step either"];
  }
  if (variant === 0) {
    return ["=", "matched", relation === "matched" ? "matches" : "differs, but not in what matters"];
  }
  const letter = step.variants > 1 ? " " + LETTERS[Math.min(variant, LETTERS.length) - 1] : "";
  const words = step.variants > 1 ? `, variant ${letter.trim()}` : "";
  const kinds = { changed: ["≠", "changed", "changed"], moved: ["⇅", "moved", "moved"], missing: ["−", "missing", "missing"], added: ["+", "added", "added"] };
  const [glyph, name, text] = kinds[relation];
  return [glyph + letter, name, text + words];
}

/** The page of several runs: the grid, the filter, the open cell, the address. */
class Runs {
  constructor(data) {
    this.data = data;
    this.report = data.report;
    this.steps = this.report.steps.map((step, index) => ({ ...step, index }));
    this.runs = this.report.runs.map((run, i) => this.run(run, i));
    this.models = [];
    if (data.sides) {
      nameSides(data.sides);
    }
    data.sessions.forEach(keepImages); // an image is in the file once, maybe in another run
    this.texts = data.sessions.map((session) => this.textsOf(session));
    this.at = null; // the current step and run
    this.find = null;
    this.sheet = new Sheet(byId("grid"), (step) => this.row(step));
    this.sheet.first = 2;
    fill(byId("title"), [el("span.session-name", {}, this.title())]);
    fill(byId("verdict"), this.verdict());
    fill(byId("overview"), this.overview());
    this.fillFilter();
    this.listen();
    this.filter();
    this.follow();
  }

  /** A run with the number of steps in which it differs, and the first of them that is not downstream. */
  run(run, i) {
    const differing = this.report.steps.map((step, at) => at).filter((at) => this.report.steps[at].runs[i][2] !== 0);
    const first = differing.find((at) => !this.report.steps[at].downstream) ?? differing[0];
    return { ...run, differing: differing.length, first };
  }

  /** The recorded texts of the steps of a session, by the line of the step. */
  textsOf(session) {
    const texts = new Map();
    for (const event of session.events) {
      const at = texts.has(event.answers) ? event.answers : event.line;
      texts.set(at, [...(texts.get(at) ?? []), ...[event.json, event.blob?.json].filter((text) => text !== undefined)]);
    }
    return texts;
  }

  /** Whether a step, in any of the sessions, contains a text, given as JSON escapes it. */
  contains(step, pattern) {
    return [step.left, ...step.runs.map(([, at]) => at)].some((at, i) =>
      at !== null && this.texts[i].get(at)?.some((text) => pattern.test(text)));
  }

  title() {
    return `${count(this.runs.length, "run")} compared with ${this.report.left.name}`;
  }

  place(step) {
    return (step.left === null ? "+" : "") + (step.call === null ? "line " + step.line : "#" + step.call);
  }

  verdict() {
    const { report } = this;
    const [glyph, tone, meaning] = STABILITIES[report.verdict];
    const cause = report.cause === null ? null : this.steps[report.cause];
    const agreeing = this.runs.filter((run) => run.differing === 0).length;
    const figure = (value, label) => el("div.figure", {}, el("b", {}, value), el("span", {}, label));
    return [
      el("div.result." + tone, {}, el("span.sign", { "aria-hidden": "true" }, glyph), el("div", {},
        el("p.first", {}, el("strong", {}, report.verdict),
          cause === null ? "All runs agree with the first session in every step."
            : [this.link(cause, this.firstDiffering(cause), `${this.place(cause)} ${line(cause.name, 60)}`), " ", this.what(cause)]),
        el("p", {}, meaning[0].toUpperCase() + meaning.slice(1) + "."))),
      el("div.figures", {},
        el("div.figure", {}, el("b", {}, (Math.floor(report.agreement * 10) / 10).toFixed(1) + "%"), el("span", {}, "agreement"), this.gauge(report.agreement / 100)),
        figure(`${number.format(agreeing)} of ${number.format(this.runs.length)}`, "runs agree throughout"),
        Object.keys(STABILITIES).filter((name) => report.counts[name] > 0).map((name) => figure(number.format(report.counts[name]), name))),
    ];
  }

  gauge(part) {
    const bar = el("i");
    bar.style.width = part * 100 + "%";
    return el("div.gauge", { "aria-hidden": "true" }, bar);
  }

  /** The difference of a step, in the words of the text report. */
  what(step) {
    const differing = step.runs.filter(([, , variant]) => variant !== 0);
    const all = count(step.runs.length, "run");
    const where = differing.length === step.runs.length ? "all " + all : `${number.format(differing.length)} of ${all}`;
    const verb = step.left === null ? "was added in" : differing.every(([, at]) => at === null) ? "is missing in" : "differs in";
    return `${verb} ${where}` + (step.stability === "unstable" ? `, ${count(step.variants, "variant")}` : "");
  }

  firstDiffering(step) {
    return Math.max(0, step.runs.findIndex(([, , variant]) => variant !== 0));
  }

  link(step, run, ...text) {
    return el("button.link", { type: "button", click: () => this.open(step, run) }, text);
  }

  overview() {
    const { left } = this.report;
    const row = (mark, run, cells) => el("tr", {}, el("th", { scope: "row" }, mark), el("td", {}, el("span.session-name", {}, run.name),
      el("div.about", {}, `${count(run.events, "event")}, ${millis(run.latency)} in tools`)), cells);
    const total = this.report.steps.length;
    return [
      el("section", {}, el("h2", {}, "Runs"), el("div.scroll-x", { role: "region", tabindex: "0", "aria-label": "Runs" }, el("table.runs", {},
        el("thead", {}, el("tr", {}, ["run", "session", "agrees in", "first difference", "command"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, row(SIDES[0], left, [el("td", { colspan: 3 }, el("span.about", {}, "the session with which the runs are compared"))]),
          this.runs.map((run, i) => row(String(i + 1), run, [
            el("td", {}, total === 0 ? "" : `${number.format(total - run.differing)} of ${number.format(total)}`, total === 0 ? null : this.gauge((total - run.differing) / total)),
            el("td", {}, run.first === undefined ? el("span.ok", {}, "✓ none")
              : this.link(this.steps[run.first], i, `${this.place(this.steps[run.first])} ${line(this.steps[run.first].name, 40)}`)),
            el("td", {}, el("button.more", { type: "button", title: `Copy: replay diff ${left.name} ${run.name}`,
              click: () => copyCommand("replay", "diff", left.name, run.name) }, "copy")),
          ])))))),
      this.report.omitted > 0 ? el("p.cut", {}, `${count(this.report.omitted, "step")} are not in this file, whose limit is reached.`) : null,
      el("section", {}, el("h2", {}, "Signs"), el("p.keys", {}, [["=", "matched", "agrees with " + SIDES[0]], ["≠", "changed", "changed"], ["⇅", "moved", "moved"],
        ["−", "missing", "missing"], ["+", "added", "added"], ["·", "none", "neither has it"]].map(([glyph, name, words]) =>
        el("span", {}, el("b.cell." + name, {}, glyph), words))),
      el("p.about", {}, "A letter is a variant: runs with the same letter agree with each other. A step without color follows from an earlier divergence.")),
    ];
  }

  fillFilter() {
    fill(byId("stability"), [el("option", { value: "" }, "Any stability"), Object.keys(STABILITIES)
      .filter((name) => this.report.counts[name] > 0)
      .map((name) => el("option", { value: name }, `${name} (${number.format(this.report.counts[name])})`))]);
    fill(byId("run"), [el("option", { value: "" }, "All runs"), this.runs.map((run, i) =>
      el("option", { value: String(i + 1) }, `differences of run ${i + 1} (${number.format(run.differing)})`))]);
    for (const id of ["next", "previous"]) {
      byId(id).disabled = !this.steps.some((step) => step.stability !== "stable");
    }
  }

  listen() {
    let waiting = null;
    byId("query").addEventListener("input", () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.filter());
    });
    byId("filter").addEventListener("change", () => this.filter());
    byId("filter").addEventListener("submit", (event) => {
      event.preventDefault();
      byId("grid").focus();
    });
    const clicks = {
      clear: () => this.clear(), "clear-nothing": () => this.clear(), next: () => this.mark(1), previous: () => this.mark(-1),
      help: () => byId("keys").showModal(), theme: switchTheme, copy: () => copyLink(), back: () => this.close(),
      "show-overview": () => showTab("overview"), "show-details": () => showTab("details"),
    };
    Object.entries(clicks).forEach(([id, action]) => byId(id).addEventListener("click", action));
    byId("grid").addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (row) {
        const step = this.steps[Number(row.dataset.index)];
        const cell = event.target.closest("[data-run]");
        this.open(step, cell ? Number(cell.dataset.run) : this.firstDiffering(step));
      }
    });
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
    window.addEventListener("resize", () => this.layout());
    window.addEventListener("beforeprint", () => this.print());
    window.addEventListener("afterprint", () => byId("paper").replaceChildren());
    matchMedia("print").addEventListener("change", (media) => media.matches && this.print());
  }

  filter() {
    const query = byId("query").value;
    const [stability, run] = ["stability", "run"].map((id) => byId(id).value);
    const changed = byId("changed").checked;
    const pattern = literal(query);
    const recorded = literal(JSON.stringify(query).slice(1, -1));
    this.find = query === "" ? null : new RegExp(pattern.source, "gi");
    this.shown = this.steps.filter((step) => (!changed || step.stability !== "stable")
      && (!stability || step.stability === stability)
      && (!run || step.runs[Number(run) - 1][2] !== 0)
      && (!query || pattern.test(step.name) || pattern.test(this.place(step)) || this.contains(step, recorded)));
    const all = this.steps.length;
    byId("shown").textContent = this.shown.length === all ? count(all, "step") : `${number.format(this.shown.length)} of ${count(all, "step")}`;
    byId("clear").hidden = this.shown.length === all && !query;
    byId("nothing").hidden = this.shown.length > 0 || all === 0;
    this.chosen = run === "" ? null : Number(run) - 1;
    hits.search(query, query && recorded);
    hits.watch(byId("details"));
    this.layout();
  }

  layout() {
    const narrow = innerWidth <= 900;
    this.places = new Map(this.shown.map((step, i) => [step, i]));
    const cell = this.steps.some((step) => step.variants > 1) ? 44 : 36;
    const [what, share] = narrow ? [136, 92] : [220, 104];
    const first = Math.max(cell, Math.min(SIDES[0].length, 10) * 8 + 12);
    byId("grid").style.setProperty("--columns", `minmax(${what}px, 1fr) ${share}px ${first}px repeat(${this.runs.length}, ${cell}px)`);
    byId("grid").style.setProperty("--least", what + share + first + this.runs.length * cell + "px");
    byId("grid").setAttribute("aria-rowcount", String(this.shown.length + 1));
    byId("grid").setAttribute("aria-colcount", String(this.runs.length + 3));
    byId("head").replaceChildren();
    const heading = (classes, text, title) => el("div." + classes, { role: "columnheader", title }, text);
    fill(byId("head"), [el("div", { role: "row", "aria-rowindex": 1 },
      el("div.what", { role: "columnheader" }, el("span"), el("span", {}, "step")), heading("share", "agreement"),
      heading("cell.first", line(SIDES[0], 10), this.report.left.name),
      this.runs.map((run, i) => heading("cell", el("span", { "aria-label": `run ${i + 1}: ${run.name}`, role: "img" }, String(i + 1)), run.name)))]);
    this.sheet.show(this.shown, narrow ? 40 : 46);
    this.showActive();
  }

  row(step) {
    const isCurrent = this.at?.step === step;
    const agreeing = step.runs.filter(([, , variant]) => variant === 0).length;
    return el(`div.step.${step.stability}` + (step.downstream ? ".downstream" : "") + (isCurrent ? ".current" : ""), {
      role: "row", "data-index": step.index, "aria-selected": String(isCurrent),
    },
      el("div.what", { role: "rowheader", title: step.downstream ? "follows from an earlier divergence" : null },
        el("span.number", {}, this.place(step)), el("span.name", {}, around(step.name, this.find, 120)),
        el("span.summary", {}, around(step.summary, this.find, 240))),
      el("div.share", { role: "gridcell" }, el("span.badge." + step.stability, {}, step.stability === "stable" ? "✓ stable" : step.stability),
        el("span.part", {}, `${number.format(agreeing)} of ${number.format(step.runs.length)}`)),
      el("div.cell.first", { role: "gridcell", title: SIDES[0] + (step.left === null ? " does not have the step" : " has the step") },
        el("span", { role: "img", "aria-label": SIDES[0] + (step.left === null ? ": none" : ": present") }, step.left === null ? "" : "•")),
      step.runs.map((run, i) => this.cell(step, i)));
  }

  cell(step, i) {
    const [glyph, name, words] = cellOf(step, i);
    const isCurrent = this.at?.step === step && this.at.run === i;
    const dim = this.chosen !== null && this.chosen !== i;
    return el("div.cell." + name + (isCurrent ? ".current" : "") + (dim ? ".dim" : ""), {
      id: `cell-s${step.index + 1}r${i + 1}`, role: "gridcell", "data-run": i, title: `run ${i + 1}: ${words}`, "aria-label": `run ${i + 1}: ${words}`,
    }, glyph);
  }

  /** The comparison of the first session with a run, as the page of a comparison reads it. */
  model(run) {
    if (this.models[run] === undefined) {
      const { limits, sessions, comparisons } = this.data;
      this.models[run] = new Model({ limits, sessions: [sessions[0], sessions[run + 1]], ...comparisons[run] });
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
    this.sheet.reveal(this.places.get(step));
    this.showActive();
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
    const others = step.runs.map(([, , variant], i) => i)
      .filter((i) => i !== run && step.runs[i][2] === step.runs[run][2]).map((i) => i + 1);
    return el("div.pairing", {},
      el("span", {}, side(0), " ", line(this.report.left.name, 60)), el("span", {}, side(1), ` run ${run + 1}, `, line(this.runs[run].name, 60)),
      el("span.badge." + (name === "matched" || name === "none" ? "none" : "moderate"), {}, words),
      others.length > 0 ? el("span.about", {}, `same in ${others.length > 12 ? count(others.length, "more run") : "run " + others.join(", ")}`) : null,
      el("span.gap", {},
        el("button.run-button", { type: "button", disabled: run === 0, click: () => this.turn(-1) }, "← run"), " ",
        el("button.run-button", {
          type: "button", disabled: run === this.runs.length - 1, click: () => this.turn(1),
        }, "run →")));
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
      return el("p.about", {}, `Neither the first session nor run ${run + 1} has this step, which only other runs have.`);
    }
    const model = this.model(run);
    const row = model.rows.find((each) => (each.left?.line ?? null) === step.left && (each.right?.line ?? null) === at);
    if (row === undefined) {
      return el("p.cut", {}, "This step is not in this file, whose limit is reached.");
    }
    const details = new Details(model, (other) => this.openRow(other, run));
    return details.elements(row);
  }

  /** Opens the step of a row of a comparison. */
  openRow(row, run) {
    const step = this.steps.find((each) => each.left === (row.left?.line ?? null) && each.runs[run][1] === (row.right?.line ?? null));
    if (step) {
      this.open(step, run);
    } else {
      say("This step is not compared");
    }
  }

  showActive() {
    const id = this.at && `cell-s${this.at.step.index + 1}r${this.at.run + 1}`;
    if (id && byId(id)) {
      byId("grid").setAttribute("aria-activedescendant", id);
    } else {
      byId("grid").removeAttribute("aria-activedescendant");
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
    this.sheet.draw();
    this.showActive();
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
    const place = this.places.get(this.at?.step) ?? (by > 0 ? -1 : this.shown.length);
    const step = this.shown[Math.max(0, Math.min(this.shown.length - 1, place + by))];
    if (step) {
      this.open(step, this.at?.run ?? this.firstDiffering(step), { show: this.isOpen });
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
    let place = this.places.get(this.at?.step) ?? (by > 0 ? -1 : this.shown.length);
    do {
      place += by;
    } while (this.shown[place] && this.shown[place].stability === "stable");
    const step = this.shown[place];
    if (step) {
      const keeps = this.at && step.runs[this.at.run][2] !== 0;
      this.open(step, keeps ? this.at.run : this.firstDiffering(step));
    } else {
      say(by > 0 ? "No more below" : "No more above");
    }
  }

  key(event) {
    const actions = {
      j: () => this.step(1), k: () => this.step(-1), h: () => this.across(-1), l: () => this.across(1),
      n: () => this.mark(1), N: () => this.mark(-1), "?": () => byId("keys").showModal(),
    };
    if (event.target.id === "grid") {
      Object.assign(actions, {
        ArrowDown: actions.j, ArrowUp: actions.k, ArrowLeft: actions.h, ArrowRight: actions.l,
        PageDown: () => this.step(this.sheet.page), PageUp: () => this.step(-this.sheet.page),
        Home: () => this.step(-Infinity), End: () => this.step(Infinity),
      });
    }
    if (!event.target.matches("button, summary, a")) {
      actions.o = actions.Enter = () => this.at && (showTab("details"), byId("details").focus());
    }
    press(event, actions, this, byId("grid"));
  }

  /** Prepares the shown steps for printing, up to a number. */
  print() {
    const most = 1000;
    byId("paper").replaceChildren();
    fill(byId("paper"), [el("h1", {}, this.title()), this.verdict(), this.overview(), el("h2", {}, "Steps"), el("table", {},
      el("thead", {}, el("tr", {}, ["", "step", "agreement", ...this.runs.map((run, i) => String(i + 1))].map((name) => el("th", {}, name)))),
      el("tbody", {}, this.shown.slice(0, most).map((step) => el("tr", {}, el("td", {}, this.place(step)), el("td", {}, line(step.name, 80)),
        el("td", {}, step.stability), step.runs.map((run, i) => el("td", {}, cellOf(step, i)[0])))))),
      this.shown.length > most ? el("p", {}, `and ${number.format(this.shown.length - most)} more`) : null]);
    for (const button of byId("paper").querySelectorAll("button")) {
      button.replaceWith(button.textContent);
    }
  }
}

new Runs(JSON.parse(byId("data").textContent));

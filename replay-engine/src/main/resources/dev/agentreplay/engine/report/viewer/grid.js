/** The grid of steps and runs, of which only the visible rows and columns are in the page. */
class RunGrid {
  /** The columns before those of the runs: the step, its agreement, the first session. */
  static FIXED = 3;

  constructor(page) {
    this.page = page;
    this.box = byId("grid");
    this.shown = [null, null]; // the first run that is drawn, and the one after the last
    this.sheet = new Sheet(this.box, (step) => this.row(step));
    this.sheet.first = 2;
    this.box.addEventListener("scroll", () => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.box);
  }

  /** Shows steps, as wide as the window has room. */
  show(steps) {
    const { runs, report } = this.page;
    const narrow = innerWidth <= 900;
    const [what, share] = narrow ? [136, 92] : [220, 104];
    const least = this.page.steps.some((step) => step.variants > 1) ? 44 : 36;
    this.width = this.widthOfRuns(this.box.clientWidth - what - share - least, least);
    const first = Math.max(least, Math.min(SIDES[0].length, 10) * 8 + 12);
    this.fixed = what + share + first;
    this.least = this.fixed + runs.length * this.width;
    const columns = `minmax(${what}px, 1fr) ${share}px ${first}px`;
    this.box.style.setProperty("--columns", `${columns} repeat(${runs.length}, ${this.width}px)`);
    this.box.style.setProperty("--least", this.least + "px");
    this.box.setAttribute("aria-rowcount", String(steps.length + 1));
    this.box.setAttribute("aria-colcount", String(runs.length + RunGrid.FIXED));
    this.firstName = report.left.name;
    this.shown = this.visible();
    this.drawHead();
    this.sheet.show(steps, narrow ? 40 : 46);
    this.showActive();
  }

  /** The width of the column of a run: with room for the changes of forks, if there are any. */
  widthOfRuns(room, least) {
    const { runs } = this.page;
    this.labels = shortLabels(runs);
    this.isNamed = runs.some(isFork);
    return this.isNamed ? Math.floor(Math.max(84, Math.min(180, room / runs.length))) : least;
  }

  /** The distance of the column of the first run from the left edge, without scrolling. */
  get offset() {
    return Math.max(this.box.clientWidth, this.least) - this.page.runs.length * this.width;
  }

  /** The runs whose columns are visible, with some on both sides: the first, and the one after. */
  visible() {
    const { scrollLeft, clientWidth } = this.box;
    const from = Math.floor((scrollLeft - this.offset) / this.width) - 4;
    const to = Math.ceil((scrollLeft + clientWidth - this.offset) / this.width) + 4;
    const most = this.page.runs.length;
    return [Math.min(Math.max(0, from), most), Math.min(Math.max(0, to), most)];
  }

  /** Draws the rows again if other columns are visible. */
  redraw() {
    if (this.width === undefined) {
      return;
    }
    const visible = this.visible();
    if (visible.some((run, i) => run !== this.shown[i])) {
      this.shown = visible;
      this.drawHead();
      this.sheet.draw();
    }
    this.showActive();
  }

  /** Makes the cell of a step and a run visible; the step is the one with this place. */
  reveal(place, run) {
    const covered = this.box.querySelector(".head .what").offsetWidth;
    const left = this.offset + run * this.width;
    const { scrollLeft, clientWidth } = this.box;
    if (left < scrollLeft + covered) {
      this.box.scrollLeft = left - covered - this.width;
    } else if (left + this.width > scrollLeft + clientWidth) {
      this.box.scrollLeft = left + 2 * this.width - clientWidth;
    }
    this.shown = this.visible();
    this.drawHead();
    this.sheet.reveal(place);
    this.showActive();
  }

  draw() {
    this.sheet.draw();
    this.showActive();
  }

  get rowsOfPage() {
    return this.sheet.page;
  }

  /** The elements of the visible runs, each in the column of its run. */
  columns(element) {
    const [from, to] = this.shown;
    return Array.from({ length: to - from }, (_, i) => {
      const cell = element(from + i);
      const column = from + i + RunGrid.FIXED + 1;
      cell.style.gridColumn = String(column);
      cell.setAttribute("aria-colindex", String(column));
      return cell;
    });
  }

  drawHead() {
    const heading = (classes, column, text, title) =>
      el("div." + classes, { role: "columnheader", "aria-colindex": column, title }, text);
    byId("head").replaceChildren();
    fill(byId("head"), [
      el(
        "div" + (this.isNamed ? ".with-names" : ""),
        { role: "row", "aria-rowindex": 1 },
        heading("what", 1, [el("span"), el("span", {}, "step")]),
        heading("share", 2, "agreement"),
        heading("cell.first", 3, line(SIDES[0], 10), this.firstName),
        this.columns((i) => {
          const run = this.page.runs[i];
          const words = run.name + (run.origin ? ", " + line(originOf(run.origin), 300) : "");
          const label = { "aria-label": `run ${i + 1}: ${words}`, role: "img" };
          const short = this.labels[i]
            ? el("span.run-name", { "aria-hidden": "true" }, line(this.labels[i], 80))
            : null;
          return heading("cell", null, [el("span", label, String(i + 1)), short], words);
        }),
      ),
    ]);
  }

  row(step) {
    const isCurrent = this.page.at?.step === step;
    const { find } = this.page;
    const agreeing = step.runs.filter(([, , variant]) => variant === 0).length;
    const first =
      step.left === null
        ? ["", "none", " does not have the step"]
        : ["•", "present", " has the step"];
    return el(
      `div.step.${step.stability}` +
        (step.downstream ? ".downstream" : "") +
        (isCurrent ? ".current" : ""),
      {
        role: "row",
        "data-index": step.index,
        "aria-selected": String(isCurrent),
      },
      el(
        "div.what",
        {
          role: "rowheader",
          "aria-colindex": 1,
          title: step.downstream ? "follows from an earlier divergence" : null,
        },
        el("span.number", {}, placeOf(step)),
        el("span.name", {}, around(step.name, find, 120)),
        el("span.summary", {}, around(step.summary, find, 240)),
      ),
      el(
        "div.share",
        { role: "gridcell", "aria-colindex": 2 },
        el(
          "span.badge." + step.stability,
          {},
          step.stability === "stable" ? "✓ stable" : step.stability,
        ),
        el("span.agreeing", {}, `${number.format(agreeing)} of ${number.format(step.runs.length)}`),
      ),
      el(
        "div.cell.first",
        { role: "gridcell", "aria-colindex": 3, title: SIDES[0] + first[2] },
        el("span", { role: "img", "aria-label": `${SIDES[0]}: ${first[1]}` }, first[0]),
      ),
      this.columns((i) => this.cell(step, i)),
    );
  }

  cell(step, i) {
    const { at, chosen } = this.page;
    const [glyph, name, words] = cellOf(step, i);
    const isCurrent = at?.step === step && at.run === i;
    const dim = chosen !== null && chosen !== i;
    const isPoint = this.page.runs[i].point === step;
    const label =
      `run ${i + 1}: ${words}` +
      (isPoint ? `; fork ${line(originWords(this.page.runs[i].origin), 200)}` : "");
    return el(
      "div.cell." +
        name +
        (isCurrent ? ".current" : "") +
        (dim ? ".dim" : "") +
        (isPoint ? ".point" : ""),
      {
        id: `cell-s${step.index + 1}r${i + 1}`,
        role: "gridcell",
        "data-run": i,
        title: label,
        "aria-label": label,
      },
      glyph,
    );
  }

  showActive() {
    const { at } = this.page;
    const id = at && `cell-s${at.step.index + 1}r${at.run + 1}`;
    if (id && byId(id)) {
      this.box.setAttribute("aria-activedescendant", id);
    } else {
      this.box.removeAttribute("aria-activedescendant");
    }
  }

  /** Steps for printing, up to a number. */
  paper(steps) {
    const { runs } = this.page;
    const heads = ["", "step", "agreement", ...runs.map((run, i) => String(i + 1))];
    return paperTable(heads, steps, 1000, (step) => [
      placeOf(step),
      line(step.name, 80),
      step.stability,
      ...runs.map((run, i) => cellOf(step, i)[0]),
    ]);
  }
}

/** The application: the open row, the filter, keyboard shortcuts, the address, and printing. */
class App {
  constructor(model) {
    this.model = model;
    this.row = null;
    const open = (row) => this.open(row);
    this.list = new StepList(model, open, (row) => this.fold(row));
    this.timeline = new Timeline(model, open, (id, value) => this.toggleFilter(id, value));
    this.verdict = model.run ? new RunVerdict(model, open) : new Verdict(model, open);
    this.legend = new AnswerLegend(model, (value) => this.toggleFilter("answer", value));
    this.overview = model.run
      ? new RunOverview(model, this.legend, open)
      : new Overview(model, this.legend);
    this.details = new Details(model, open);
    document.body.classList.toggle("diff", model.isDiff);
    fill(byId("title"), this.verdict.title());
    fill(byId("verdict"), this.verdict.elements());
    fill(byId("overview"), this.overview.elements());
    this.fillFilter();
    this.listen();
    this.filter();
    this.follow();
  }

  fillFilter() {
    const options = (id, all, values) =>
      fill(byId(id), [
        el("option", { value: "" }, all),
        [...values].map(([value, label]) => el("option", { value }, label)),
      ]);
    const units = this.model.rows.flatMap((row) => [row.left, row.right]).filter(Boolean);
    const distinct = (of) =>
      [...new Set(units.map(of))].sort().map((name) => [name, line(name, 60)]);
    options(
      "kind",
      "All kinds",
      distinct((unit) => unit.group),
    );
    const tools = distinct((unit) => (unit.isTool ? unit.call.name : "")).filter(([name]) => name);
    this.tools = tools.map(([name]) => name);
    options("tool", "All tools", tools);
    options("outcome", "Any outcome", [
      ["ok", "✓ succeeded"],
      ["failed", "✕ failed"],
      ["open", "○ not answered"],
    ]);
    const { agents } = this.model;
    const isMain = agents.length > 0 && units.some((unit) => unit.agent === undefined);
    options("agent", "All agents", [
      ...(isMain ? [["main", "main agent"]] : []),
      ...agents.slice(0, 500).map((agent, i) => [String(i), line(agent, 60)]),
    ]);
    byId("agent").hidden = agents.length === 0;
    options("answer", "Any answer", this.legend.options());
    byId("answer").hidden = this.legend.isEmpty;
    byId("changed-only").hidden = !this.model.isDiff;
    const what = this.model.mark;
    fill(byId("next"), [`Next ${what} ↓`]);
    fill(byId("previous"), ["↑"]);
    byId("previous").setAttribute("aria-label", "Previous " + what);
    byId("keys-n").textContent = `next, previous ${what}`;
    for (const id of ["next", "previous"]) {
      byId(id).disabled = !this.model.rows.some((row) => this.model.isMarked(row));
    }
  }

  listen() {
    connect(this, byId("list"), {
      "clear-nothing": () => this.clearAndFocus(),
      theme: () => this.toggleTheme(),
      next: () => this.mark(1),
      previous: () => this.mark(-1),
      copy: () => copyLink(),
      back: () => this.close(),
      "show-overview": () => showTab("overview"),
      "show-details": () => showTab("details"),
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
  }

  filter() {
    const query = byId("query").value;
    const [kind, tool, outcome, answer, agent] = ["kind", "tool", "outcome", "answer", "agent"].map(
      (id) => byId(id).value,
    );
    const changed = byId("changed").checked;
    const tools = new Set(this.tools.filter((name) => plain(name) === tool)); // as the value is
    // JSON text is searched for the query as JSON escapes it
    const pattern = literal(JSON.stringify(query).slice(1, -1));
    const matches = (unit) =>
      (!kind || unit.group === kind) &&
      (!agent ||
        unit.agent === (agent === "main" ? undefined : this.model.agents[Number(agent)])) &&
      (!tool || (unit.isTool && tools.has(unit.call.name))) &&
      (!outcome || unit.outcome === outcome) &&
      (!query || unit.contains(pattern));
    const isFiltered = kind || tool || outcome || answer || agent || changed || query;
    const folded = isFiltered ? new Set() : foldedRows(this.model.rows);
    this.rows = this.model.rows.filter(
      (row) =>
        !folded.has(row) &&
        (!changed || this.model.isMarked(row)) &&
        (!answer || isAnswer(answerOf(this.model, row) ?? {}, answer)) &&
        [row.left, row.right].some((unit) => unit && matches(unit)),
    );
    const all = this.model.rows.length;
    byId("shown").textContent =
      this.rows.length === all
        ? count(all, "step")
        : `${number.format(this.rows.length)} of ${count(all, "step")}`;
    byId("clear").hidden = this.rows.length === all && !query;
    hits.search(query, query && pattern);
    byId("nothing").hidden = this.rows.length > 0;
    this.legend.press(answer);
    this.list.show(this.rows);
    this.timeline.show(this.rows, this.row);
    hits.watch(byId("details"));
  }

  clear() {
    const had = document.activeElement;
    byId("filter").reset();
    this.filter();
    keepFocus(had, byId("query"));
  }

  clearAndFocus() {
    this.clear();
    byId("query").focus();
  }

  /** Shows only the steps with a value of a filter, or those with any if it is chosen. */
  toggleFilter(id, value) {
    const choice = byId(id);
    if (id === "agent" && ![...choice.options].some((option) => option.value === value)) {
      choice.append(el("option", { value }, line(this.model.agents[Number(value)], 60)));
    }
    choice.value = choice.value === value ? "" : value;
    this.filter();
  }

  /** Hides the rows below one, or shows them. */
  fold(row) {
    row.collapsed = !row.collapsed;
    this.filter();
  }

  /** Opens a row, and selects it in the list and the address. */
  open(row, { show = true } = {}) {
    const had = document.activeElement;
    this.row = row;
    if (!this.list.places.has(row)) {
      for (let above = row.parent; above; above = above.parent) {
        above.collapsed = false;
      }
      this.clear();
    }
    this.list.select(row);
    this.timeline.show(this.rows, row);
    byId("details").replaceChildren();
    fill(byId("details"), this.details.elements(row));
    hits.watch(byId("details"));
    hits.reveal(byId("details"), row);
    byId("details").scrollTop = 0;
    byId("show-details").disabled = false;
    showTab("details", show);
    keepFocus(had, byId("details"));
    history.replaceState(null, "", "#" + this.address(row));
  }

  address(row) {
    return row.divergence !== null
      ? "d" + (row.divergence + 1)
      : (row.unit.side === 0 ? "e" : "r") + row.unit.line;
  }

  /** Opens the row that the address identifies. */
  follow() {
    const [, what, digits] = /^#([der])(\d+)$/.exec(location.hash) ?? [];
    const n = Number(digits);
    const unit = what === "d" ? null : this.model.sessions[what === "r" ? 1 : 0]?.byLine.get(n);
    const row =
      what === "d"
        ? this.model.rowOf(n - 1)
        : unit && this.model.rows.find((r) => r.left === unit || r.right === unit);
    if (row) {
      this.open(row);
    } else if (what) {
      say(`${location.hash} is not in this file`);
    }
  }

  /** Returns to the overview; on a narrow screen, to the list. */
  close() {
    showTab("overview", false);
    this.row = null;
    this.list.select(null);
    this.timeline.show(this.rows, null);
    byId("show-details").disabled = true;
    history.replaceState(null, "", location.pathname + location.search);
    byId("list").focus();
  }

  step(by) {
    const row = rowFrom(this.rows, this.list.places.get(this.row), by);
    if (row) {
      this.open(row, { show: byId("pane").classList.contains("open") });
    }
  }

  nest(shown) {
    const { row } = this;
    nestRow(
      row,
      shown,
      row?.children.length > 0 ? row.collapsed : undefined,
      (each) => this.fold(each),
      (above) => this.open(above, { show: byId("pane").classList.contains("open") }),
    );
  }

  mark(by) {
    const place = this.list.places.get(this.row);
    const row = nextRow(this.rows, place, by, (each) => this.model.isMarked(each));
    if (row) {
      this.open(row);
    }
  }

  key(event) {
    const actions = {
      j: () => this.step(1),
      k: () => this.step(-1),
      n: () => this.mark(1),
      N: () => this.mark(-1),
    };
    if (event.target.id === "list") {
      Object.assign(
        actions,
        rowKeys(
          (by) => this.step(by),
          () => this.list.page,
        ),
        {
          ArrowLeft: () => this.nest(false),
          ArrowRight: () => this.nest(true),
        },
      );
    }
    if (!event.target.matches("button, summary, a")) {
      actions.o = actions.Enter = () => this.row && (showTab("details"), byId("details").focus());
    }
    press(event, actions, this, byId("list"));
  }

  toggleTheme() {
    switchTheme();
    this.repaint();
  }

  repaint() {
    color.known.clear();
    this.list.layout();
    this.timeline.changed();
    this.timeline.draw();
  }

  /** Prepares the listed rows as text for printing. */
  print() {
    const rows = this.rows.map((row) => {
      const divergence = this.model.divergence(row);
      const [glyph, words] = this.model.isDiff
        ? this.model.difference(row)
        : OUTCOMES[row.unit.outcome];
      return el(
        "div.row",
        {},
        el(
          "p",
          {},
          el(
            "b",
            {},
            `${glyph} ${row.unit.number === null ? "" : "#" + row.unit.number + " "}${row.unit.name}`,
          ),
          words ? ` (${words}) ` : " ",
          row.unit.summary,
          row.unit.latency === undefined ? "" : ", " + millis(row.unit.latency),
        ),
        divergence ? this.details.changes(divergence) : null,
      );
    });
    showPaper([
      el("h1", {}, this.verdict.title()),
      this.verdict.elements(),
      this.overview.elements(),
      el("h2", {}, "Steps"),
      rows,
    ]);
  }
}

new App(new Model(JSON.parse(byId("data").textContent)));

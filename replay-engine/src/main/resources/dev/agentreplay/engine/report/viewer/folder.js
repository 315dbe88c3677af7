/** The page of a folder: the table, the filter, the order, the address. */
class Folder {
  constructor(data) {
    this.data = data;
    this.entries = data.rows.map((row, i) => new Entry(row, i, data.directory));
    this.columns = COLUMNS.filter(
      (column) => ["status", "task"].includes(column.id) || this.has(column),
    );
    const hasTime = this.columns.some((column) => column.id === "time");
    this.sorting = hasTime ? { id: "time", down: true } : { id: "task", down: false };
    this.initial = { ...this.sorting };
    this.keys = new Map();
    this.find = null;
    this.forest = new Forest(this.entries, data.parents);
    byId("nesting").hidden = !this.forest.isNested;
    this.table = new SessionTable(this, (column) => this.sortBy(column));
    this.totals = new Totals(data, this.entries, (state) => this.toggleState(state));
    fill(byId("title"), [el("span.session-name", {}, data.title)]);
    fill(byId("verdict"), this.totals.elements());
    this.fillFilter();
    byId("since").disabled = !hasTime;
    this.listen();
    this.follow();
  }

  /** Whether any entry has a value in a column. */
  has(column) {
    return this.entries.some((entry) => column.sort(entry) !== undefined);
  }

  fillFilter() {
    const options = (id, all, values) => {
      byId(id).hidden = values.length === 0;
      fill(byId(id), [
        el("option", { value: "" }, all),
        values.map(([value, label, n]) =>
          el("option", { value }, `${label} (${number.format(n)})`),
        ),
      ]);
    };
    const counted = (values) => {
      const counts = new Map();
      values.forEach((value) => counts.set(value, (counts.get(value) ?? 0) + 1));
      return [...counts].sort((a, b) => byText.compare(a[0], b[0])).slice(0, 1000);
    };
    const states = counted(this.entries.map((entry) => entry.state)).sort(
      (a, b) => Object.keys(STATES).indexOf(a[0]) - Object.keys(STATES).indexOf(b[0]),
    );
    const words = counted(
      this.entries.filter((entry) => entry.state === "failed").map((entry) => entry.word),
    );
    options("status", "Any status", [
      ...states.map(([state, n]) => [
        state,
        `${STATES[state][0]} ${state === "failed" && words.length > 1 ? "not successful" : STATES[state][1]}`,
        n,
      ]),
      ...(words.length > 1 ? words.map(([word, n]) => ["=" + word, "✕ " + line(word, 40), n]) : []),
    ]);
    const names = (values) =>
      counted(values.filter(Boolean)).map(([name, n]) => [name, line(name, 60), n]);
    options("service", "All services", names(this.entries.map((entry) => entry.serviceValue)));
    options("tag", "All tags", names(this.entries.flatMap((entry) => [...entry.tagValues])));
    options(
      "environment",
      "All environments",
      names(this.entries.map((entry) => entry.environmentValue)),
    );
    fill(
      byId("order"),
      this.columns.flatMap((column) =>
        [false, true].map((down) =>
          el(
            "option",
            { value: (down ? "-" : "") + column.id },
            `${column.label} ${down ? "↓" : "↑"}`,
          ),
        ),
      ),
    );
  }

  listen() {
    connect(this, byId("grid"), { "clear-nothing": () => this.clear() }, ["query", "since"]);
    byId("order").addEventListener("change", ({ target: { value } }) => {
      this.sorting = { id: value.replace("-", ""), down: value.startsWith("-") };
    });
    byId("grid").addEventListener("click", (event) => this.click(event));
    byId("grid").addEventListener("dblclick", (event) => {
      if (event.target.closest("[data-index]")) {
        this.open();
      }
    });
    window.addEventListener("resize", () => this.table.show(this.shown));
  }

  click(event) {
    const row = event.target.closest("[data-index]");
    if (row) {
      const entry = this.entries[Number(row.dataset.index)];
      if (event.target.closest(".twig")) {
        this.fold(entry);
        return;
      }
      const copies = event.target.closest(".copy");
      if (!copies || this.table.selected !== entry) {
        this.table.select(entry, false);
      }
      if (copies) {
        this.copy(entry);
      }
    }
  }

  toggleState(state) {
    byId("status").value = byId("status").value === state ? "" : state;
    this.filter();
  }

  filter() {
    const query = byId("query").value;
    const [status, service, tag, environment] = ["status", "service", "tag", "environment"].map(
      (id) => byId(id).value,
    );
    const failures = byId("failures").checked;
    const since = timeOf(byId("since").value);
    const isInvalid = byId("since").value !== "" && Number.isNaN(since);
    byId("since").setAttribute("aria-invalid", String(isInvalid));
    byId("since-invalid").hidden = !isInvalid;
    const pattern = literal(query);
    this.find = query === "" ? null : new RegExp(pattern.source, "gi");
    this.hits = this.sorted().filter(
      (entry) =>
        (!status ||
          entry.state === status ||
          (status.startsWith("=") &&
            entry.state === "failed" &&
            plain(entry.word) === status.slice(1))) &&
        (!tag || entry.tagValues.has(tag)) &&
        (!service || entry.serviceValue === service) &&
        (!environment || entry.environmentValue === environment) &&
        (!failures || entry.failed > 0) &&
        (Number.isNaN(since) || entry.time >= since) &&
        (!query || pattern.test(entry.texts)),
    );
    const all = this.entries.length;
    byId("shown").textContent =
      this.hits.length === all
        ? count(all, "session")
        : `${number.format(this.hits.length)} of ${count(all, "session")}`;
    byId("clear").hidden = this.hits.length === all && !this.isFiltered();
    byId("nothing").hidden = this.hits.length > 0 || all === 0;
    const filters = [query, status, service, tag, environment, failures, since];
    this.shown = this.isNested
      ? this.forest.arranged(
          this.sorted(),
          this.hits,
          this.isFiltered() ? JSON.stringify(filters) : "",
        )
      : this.forest.flat(this.hits);
    this.totals.press(status);
    byId("order").value = (this.sorting.down ? "-" : "") + this.sorting.id;
    this.table.show(this.shown);
    this.remember();
  }

  /** Whether forks and replays are below their parents. */
  get isNested() {
    return this.forest.isNested && byId("nested").checked;
  }

  /** Hides the forks and replays of a session, or shows them; the selected one stays visible. */
  fold(entry) {
    this.forest.fold(entry);
    this.filter();
    const { selected } = this.table;
    if (selected && !this.table.places.has(selected) && this.forest.isHidden(selected)) {
      this.table.select(entry);
    }
    const hidden = this.forest.isFolded(entry);
    say(`${count(entry.below, "session")} below ${hidden ? "hidden" : "shown"}`);
  }

  nest(shown) {
    const { selected } = this.table;
    nestRow(
      selected,
      shown,
      selected?.hasBelow ? this.forest.isFolded(selected) : undefined,
      (entry) => this.fold(entry),
      (above) => this.table.select(above),
    );
  }

  isFiltered() {
    return (
      Object.values(Folder.PARAMS).some((id) => byId(id).value !== "") ||
      byId("failures").checked
    );
  }

  /** The entries in the chosen order; those without a value are last. */
  sorted() {
    const { id, down } = this.sorting;
    if (this.order?.id === id && this.order.down === down) {
      return this.order.entries;
    }
    if (!this.keys.has(id)) {
      const { sort } = this.columns.find((column) => column.id === id);
      this.keys.set(id, this.entries.map(sort));
    }
    const keys = this.keys.get(id);
    const compare = (a, b) => (typeof a === "number" ? a - b : byText.compare(a, b));
    const entries = [...this.entries].sort(({ index: a }, { index: b }) => {
      if (keys[a] === undefined || keys[b] === undefined) {
        return (keys[a] === undefined) - (keys[b] === undefined) || a - b;
      }
      return (down ? -1 : 1) * compare(keys[a], keys[b]) || a - b;
    });
    this.order = { id, down, entries };
    return entries;
  }

  sortBy(column) {
    const { id, down } = this.sorting;
    this.sorting = { id: column.id, down: id === column.id ? !down : column.down === true };
    this.filter();
    say(`Sorted by ${column.label}, ${this.sorting.down ? "descending" : "ascending"}`);
    byId("head").querySelector(`[data-column="${column.id}"] button`).focus();
  }

  /** Opens the page of the selected session; without one, copies the command that shows it. */
  open() {
    if (this.table.selected?.link !== undefined) {
      location.assign(this.table.selected.link);
    } else if (this.table.selected) {
      this.copy(this.table.selected);
    }
  }

  copy(entry) {
    if (entry.problem === undefined) {
      copyCommand("replay", "show", entry.path);
    } else {
      say(entry.problem);
    }
  }

  /** Shows all sessions; the focus stays, unless its element is no longer shown. */
  clear() {
    const had = document.activeElement;
    byId("filter").reset();
    this.filter();
    keepFocus(had, byId("query"));
  }

  /** Keeps the filter and the order in the address. */
  remember() {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => {
      // a browser limits how often the address changes
      const params = new URLSearchParams();
      for (const [name, id] of Object.entries(Folder.PARAMS)) {
        if (byId(id).value !== "") {
          params.set(name, byId(id).value);
        }
      }
      if (byId("failures").checked) {
        params.set("failures", "1");
      }
      if (!byId("nested").checked) {
        params.set("flat", "1");
      }
      if (this.sorting.id !== this.initial.id || this.sorting.down !== this.initial.down) {
        params.set("sort", (this.sorting.down ? "-" : "") + this.sorting.id);
      }
      const hash = params.toString();
      this.hash = hash === "" ? "" : "#" + hash;
      history.replaceState(null, "", location.pathname + location.search + this.hash);
    }, 150);
  }

  static PARAMS = {
    q: "query",
    status: "status",
    service: "service",
    tag: "tag",
    environment: "environment",
    since: "since",
  };

  /** Sets the filter and the order that the address states. */
  follow() {
    if (location.hash !== "" && location.hash === this.hash) {
      return;
    }
    if (byId(location.hash.slice(1))) {
      // a link within the page
      this.filter();
      return;
    }
    const params = new URLSearchParams(location.hash.slice(1));
    for (const [name, id] of Object.entries(Folder.PARAMS)) {
      byId(id).value = params.get(name) ?? "";
      if (params.has(name) && byId(id).value !== params.get(name)) {
        byId(id).value = "";
        say(`${name} ${line(params.get(name), 60)} is not in this file`);
      }
    }
    byId("failures").checked = params.get("failures") === "1";
    byId("nested").checked = params.get("flat") !== "1";
    const sort = params.get("sort") ?? "";
    const column = this.columns.find(({ id }) => id === sort.replace(/^-/, ""));
    this.sorting = column ? { id: column.id, down: sort.startsWith("-") } : { ...this.initial };
    this.filter();
  }

  key(event) {
    const { table } = this;
    const actions = {
      j: () => table.step(1),
      k: () => table.step(-1),
      c: () => table.selected && this.copy(table.selected),
    };
    if (event.target.id === "grid") {
      Object.assign(
        actions,
        rowKeys(
          (by) => table.step(by),
          () => table.sheet.page,
        ),
        this.isNested
          ? { ArrowLeft: () => this.nest(false), ArrowRight: () => this.nest(true) }
          : {},
      );
    }
    if (event.target.matches("input:not([type=checkbox])") && event.key === "Enter") {
      byId("grid").focus(); // a form with two texts and without a button is not submitted
      return;
    }
    if (!event.target.matches("button, a, input")) {
      actions.o = actions.Enter = () => this.open();
    }
    press(event, actions, this, byId("grid"));
  }

  /** Shows all sessions; if it does, selects none. */
  close() {
    if (byId("clear").hidden) {
      this.table.select(null);
    } else {
      this.clear();
    }
  }

  print() {
    const shown = byId("shown").textContent;
    showPaper([el("h1", {}, this.data.title), el("p", {}, shown), this.table.paper()]);
  }
}

new Folder(JSON.parse(byId("data").textContent));

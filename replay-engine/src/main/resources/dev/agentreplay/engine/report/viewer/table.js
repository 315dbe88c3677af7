/** The table of sessions: its head, the visible rows, the foot, and the selected row. */
class SessionTable {
  /**
   * @param page what is shown: the entries, the columns, the order, the text to find
   * @param onSort sorts by a column
   */
  constructor(page, onSort) {
    this.page = page;
    this.columns = page.columns;
    this.onSort = onSort;
    this.selected = null;
    this.shown = [];
    this.sheet = new Sheet(byId("grid"), (entry, place) => this.row(entry, place));
    this.sheet.first = 2;
  }

  /** Shows entries, as wide as the window has room. */
  show(entries) {
    this.shown = entries;
    this.places = new Map(entries.map((entry, i) => [entry, i]));
    const grid = byId("grid");
    grid.setAttribute("role", this.page.isNested ? "treegrid" : "grid");
    const widths = this.columns.map(({ id, width }) =>
      id === "task" ? "minmax(240px, 1fr)" : width + "px",
    );
    grid.style.setProperty("--columns", widths.join(" "));
    const narrow = innerWidth <= 700;
    const least = this.columns.reduce((sum, { width }) => sum + (width || 240) + 12, 16);
    grid.style.setProperty("--least", narrow ? "0" : least + "px");
    grid.setAttribute("aria-rowcount", String(this.shown.length + 2));
    grid.setAttribute("aria-colcount", String(this.columns.length));
    this.drawHead();
    this.drawFoot();
    this.sheet.show(this.shown, narrow ? 96 : 46);
    this.showActive();
  }

  drawHead() {
    if (byId("head").childElementCount === 0) {
      fill(byId("head"), [
        el(
          "div",
          { role: "row", "aria-rowindex": 1 },
          this.columns.map((column) =>
            el(
              "div." + (column.type ?? "text"),
              { role: "columnheader", "data-column": column.id },
              el(
                "button",
                {
                  type: "button",
                  title: "Sort by " + (column.words ?? column.label),
                  click: () => this.onSort(column),
                },
                column.type === "n" ? el("span.arrow", { "aria-hidden": "true" }) : null,
                column.label,
                column.type === "n" ? null : el("span.arrow", { "aria-hidden": "true" }),
              ),
            ),
          ),
        ),
      ]);
    }
    for (const heading of byId("head").querySelectorAll("[data-column]")) {
      const isSorted = heading.dataset.column === this.page.sorting.id;
      heading.setAttribute(
        "aria-sort",
        isSorted ? (this.page.sorting.down ? "descending" : "ascending") : "none",
      );
      heading.querySelector(".arrow").textContent = isSorted
        ? this.page.sorting.down
          ? "↓"
          : "↑"
        : "";
    }
  }

  /** The totals of what the filter selects, also if it is hidden in the tree. */
  drawFoot() {
    const { hits } = this.page;
    const cell = (column) => {
      if (column.id === "status") {
        return ["total"];
      }
      if (column.id === "task") {
        const ended = hits.filter((entry) => entry.state === "ok").length;
        return [`${count(hits.length, "session")}, ${number.format(ended)} succeeded`];
      }
      if (!column.sum) {
        return null;
      }
      const sum = hits.reduce((all, entry) => all + (entry[column.id] ?? 0), 0);
      const partial = column.id === "cost" && hits.some((entry) => entry.partial);
      return [partial ? "≥ " : "", column.sum(sum), el("span.unit", {}, column.label)];
    };
    byId("foot").replaceChildren();
    fill(byId("foot"), [
      el(
        "div",
        { role: "row", "aria-rowindex": this.shown.length + 2 },
        this.columns.map((column) => {
          const content = cell(column);
          return el(
            "div." + (column.type === "n" ? "n" : "text") + (content === null ? ".empty" : ""),
            { role: "gridcell" },
            content,
          );
        }),
      ),
    ]);
  }

  row(entry, place) {
    const isSelected = entry === this.selected;
    const element = el(
      `div.session.${entry.state}` +
        (isSelected ? ".selected" : "") +
        (entry.isHit ? "" : ".above"),
      {
        id: "session-" + entry.index,
        role: "row",
        "data-index": entry.index,
        "aria-selected": String(isSelected),
        ...(this.page.isNested ? this.place(entry) : {}),
      },
      this.columns.map((column) => this.cell(entry, column)),
    );
    element.classList.toggle("odd", place % 2 === 1);
    return element;
  }

  /** The place of an entry in the tree, of which only a part is in the page. */
  place(entry) {
    return {
      "aria-level": entry.depth + 1,
      "aria-expanded": entry.hasBelow ? String(!this.page.forest.isFolded(entry)) : null,
      "aria-setsize": entry.siblings,
      "aria-posinset": entry.rank,
    };
  }

  cell(entry, column) {
    if (column.id === "task") {
      return this.task(entry);
    }
    if (column.sort(entry) === undefined) {
      return el("div.empty", { role: "gridcell" });
    }
    const isZero = column.type === "n" && entry[column.id] === 0;
    const isBad = column.id === "failed" && entry.failed > 0;
    return el(
      `div.${column.type ?? "text"}` + (isZero ? ".none.wide-only" : isBad ? ".bad" : ""),
      {
        role: "gridcell",
        title: column.hint?.(entry),
      },
      column.cell(entry, this.page.find),
      column.type === "n" && column.id !== "time" ? el("span.unit", {}, column.label) : null,
    );
  }

  task(entry) {
    const title = around(entry.title, this.page.find);
    const isNamed = entry.problem !== undefined || entry.task !== undefined;
    const link =
      entry.link === undefined ? title : el("a", { href: entry.link, tabindex: "-1" }, title);
    const task = el(
      "div.task" + (this.page.isNested ? ".nested" : ""),
      { role: "gridcell" },
      entry.hasBelow ? this.twig(entry) : null,
      el("b" + (isNamed ? "" : ".plain"), { title: line(entry.title, 2000) }, link),
      el(
        "span.where",
        {},
        entry.origin === undefined ? null : this.origin(entry),
        isNamed
          ? el("span.path", { title: entry.path }, around(entry.name, this.page.find, 200))
          : null,
        this.showsId(entry, isNamed)
          ? el("span.path", { title: "id of the session" }, around(entry.id, this.page.find, 80))
          : null,
        entry.about
          ? el("span.model", { title: entry.about }, marked(line(entry.about, 120), this.page.find))
          : null,
        entry.problem === undefined
          ? el(
              "button.copy",
              {
                type: "button",
                tabindex: "-1",
                title: "Copy: replay show " + entry.path,
                "aria-label": "Copy the command replay show",
              },
              "copy command",
            )
          : null,
      ),
    );
    task.style.setProperty("--depth", Math.min(entry.depth, 12));
    return task;
  }

  twig(entry) {
    const isFolded = this.page.forest.isFolded(entry);
    const below = count(entry.below, "session");
    return el(
      "span.twig",
      { "aria-hidden": "true", title: `${isFolded ? "show" : "hide"} ${below} below` },
      isFolded ? "▸" : "▾",
    );
  }

  /** The fork or the replay in words, with how its parent was found. */
  origin(entry) {
    const title = {
      session_id:
        "The parent is the only session here with the id that the fork states; its log could not be read.",
      other_content:
        "The only session here with the id that the fork states has other content: not its tree head.",
      tree: "The parent is the session here with the id and the tree head that the fork states.",
    }[entry.evidence];
    return el(
      "span.origin",
      { title: `${originOf(entry.origin)}. ${title ?? "The parent is not in this folder."}` },
      marked(line(entry.origins, 200), this.page.find),
    );
  }

  /** Whether the id is shown: instead of a task, or because the search finds it. */
  showsId(entry, isNamed) {
    return (
      entry.id !== undefined &&
      (!isNamed || (this.page.find !== null && entry.id.search(this.page.find) >= 0))
    );
  }

  select(entry, reveal = true) {
    this.selected = entry;
    const place = this.places.get(entry);
    if (place !== undefined && reveal) {
      byId("grid").scrollIntoView({ block: "nearest" }); // on a low screen it may be below
      this.sheet.reveal(place);
    } else {
      this.sheet.draw();
    }
    this.showActive();
  }

  showActive() {
    const drawn = this.selected && byId("session-" + this.selected.index);
    if (drawn) {
      byId("grid").setAttribute("aria-activedescendant", drawn.id);
    } else {
      byId("grid").removeAttribute("aria-activedescendant");
    }
  }

  step(by) {
    const entry = rowFrom(this.shown, this.places.get(this.selected), by);
    if (entry) {
      this.select(entry);
    }
  }

  /** The shown sessions for printing, up to a number. */
  paper() {
    const cell = (entry, column) =>
      column.id === "task"
        ? "↳ ".repeat(entry.depth) + line(entry.title, 300)
        : column.sort(entry) === undefined
          ? ""
          : column.cell(entry, null);
    const heads = this.columns.map((column) => column.label);
    return paperTable(heads, this.shown, 2000, (entry) =>
      this.columns.map((column) => cell(entry, column)),
    );
  }
}


const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const byText = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The states of sessions: glyph, word, and the words of a number of them. */
const STATES = {
  ok: ["✓", "success", "succeeded"], failed: ["✕", "failed", "failed"], open: ["○", "not ended", "not ended"],
  unreadable: ["⚠", "unreadable", "unreadable"], skipped: ["⚠", "not searched", "not searched"],
};

function bytes(n) {
  return n < 1000 ? n + " B" : n < 1e6 ? Math.round(n / 1e3) + " KB" : (n / 1e6).toFixed(1) + " MB";
}

/** An amount of money, as the page of a session has it. */
const money = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }).format;

/** A time in UTC, to the minute. */
function day(ms) {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

/** The time of a text such as 2026-01, 2026-01-13 or 2026-01-13 10:00 in UTC; NaN if it is none. */
function timeOf(text) {
  const [, date, time] = /^\s*(\d{4}(?:-\d\d){0,2})(?:[T ](\d\d:\d\d))?\s*$/.exec(text) ?? [];
  const ms = date === undefined ? NaN : Date.parse(time === undefined ? date : `${date}T${time}:00Z`);
  // a parser may take the 31st of a shorter month for a day of the next one
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(date) ? NaN : ms;
}

/** A session of the folder, or what could not be read. */
class Entry {
  constructor(row, index, directory) {
    Object.assign(this, row);
    this.index = index;
    this.tags = row.tags ?? [];
    this.name = directory !== "" && row.path.startsWith(directory) ? row.path.slice(directory.length) || "." : row.path;
    this.state = row.problem !== undefined ? (row.skipped ? "skipped" : "unreadable")
      : row.status === undefined ? "open" : row.ok ? "ok" : "failed";
    this.word = this.state === "ok" || this.state === "failed" ? row.status : STATES[this.state][1];
    this.tokens = row.tokens && row.tokens[0] + row.tokens[1];
    this.models = row.model ?? [];
    this.texts = [this.word, row.task, row.problem, this.name, row.id, row.service, ...this.models, ...this.tags,
      row.user, row.environment].filter((text) => text !== undefined).join("\n");
    this.tagValues = new Set(this.tags.map(plain));
    this.environmentValue = plain(row.environment ?? "");
  }

  get title() {
    return this.problem ?? this.task ?? this.name;
  }

  /** The service and the models of the session. */
  get about() {
    return [this.service, ...this.models].filter(Boolean).join(" · ");
  }
}

/** The columns: id, label, width, the value by which they sort, the cell, the sum in the foot. */
const COLUMNS = [
  { id: "status", label: "status", width: 98, sort: (e) => Object.keys(STATES).indexOf(e.state) + " " + e.word,
    cell: (e, find) => [STATES[e.state][0], " ", marked(e.word, find)], type: "state" },
  { id: "task", label: "task", width: 0, sort: (e) => e.title, type: "task" },
  { id: "time", label: "time (UTC)", width: 118, sort: (e) => e.time, down: true, cell: (e) => day(e.time), type: "n" },
  { id: "duration", label: "duration", width: 76, sort: (e) => e.duration, down: true,
    cell: (e) => millis(e.duration), sum: millis, type: "n" },
  { id: "calls", label: "tools", words: "tool calls", width: 56, sort: (e) => e.calls, down: true, cell: (e) => number.format(e.calls),
    sum: number.format, type: "n" },
  { id: "turns", label: "models", words: "model calls", width: 60, sort: (e) => e.turns, down: true, cell: (e) => number.format(e.turns),
    sum: number.format, type: "n" },
  { id: "failed", label: "failures", width: 62, sort: (e) => e.failed, down: true,
    cell: (e) => (e.failed > 0 ? "✕ " + number.format(e.failed) : "0"), sum: number.format, type: "n" },
  { id: "tokens", label: "tokens", width: 60, sort: (e) => e.tokens, down: true,
    cell: (e) => compact.format(e.tokens), sum: compact.format, type: "n",
    hint: (e) => `${count(e.tokens, "token")}: ${number.format(e.ofPrompts)} of prompts, ${number.format(e.ofAnswers)} of answers` },
  { id: "cost", label: "cost", width: 70, sort: (e) => e.cost, down: true,
    cell: (e) => (e.partial ? "≥ " : "") + money(e.cost), sum: money, type: "n",
    hint: (e) => (e.partial ? "a call without a price or without tokens is not included" : null) },
  { id: "tags", label: "tags", width: 132, sort: (e) => e.tags.join(" ") || undefined,
    cell: (e, find) => e.tags.map((tag) => el("span.tag", {}, marked(tag, find))), hint: (e) => e.tags.join(", ") },
  { id: "user", label: "user", width: 72, sort: (e) => e.user, cell: (e, find) => marked(e.user, find), hint: (e) => e.user },
  { id: "environment", label: "environment", width: 88, sort: (e) => e.environment,
    cell: (e, find) => marked(e.environment, find), hint: (e) => e.environment },
  { id: "bytes", label: "size", width: 60, sort: (e) => e.bytes, down: true, cell: (e) => bytes(e.bytes), sum: bytes, type: "n" },
];

/** The page of a folder: the table, the filter, the order, the address. */
class Folder {
  constructor(data) {
    this.data = data;
    this.entries = data.rows.map((row, i) => new Entry(row, i, data.directory));
    for (const entry of this.entries) {
      [entry.ofPrompts, entry.ofAnswers] = data.rows[entry.index].tokens ?? [0, 0];
    }
    this.columns = COLUMNS.filter((column) => ["status", "task"].includes(column.id)
      || this.entries.some((entry) => column.sort(entry) !== undefined));
    this.sorting = { id: this.columns.some((column) => column.id === "time") ? "time" : "task", down: true };
    if (this.sorting.id === "task") {
      this.sorting.down = false;
    }
    this.initial = { ...this.sorting };
    this.keys = new Map();
    this.selected = null;
    this.find = null;
    this.sheet = new Sheet(byId("grid"), (entry, place) => this.row(entry, place));
    this.sheet.first = 2;
    this.showHead();
    this.fillFilter();
    this.listen();
    this.follow();
  }

  showHead() {
    const { entries } = this;
    fill(byId("title"), [el("span.session-name", {}, this.data.title)]);
    const shares = Object.entries(STATES).map(([state, [glyph, , words]]) =>
      ({ state, glyph, words, n: entries.filter((entry) => entry.state === state).length })).filter(({ n }) => n > 0);
    const bar = el("div.shares", { "aria-hidden": "true" }, shares.map(({ state, n }) => {
      const part = el("i." + state);
      part.style.flex = String(n);
      return part;
    }));
    this.buttons = new Map(shares.map(({ state, glyph, words, n }) => [state, el("button", {
      type: "button", "aria-pressed": "false", click: () => this.toggleState(state),
    }, el("span." + (state === "ok" ? "ok" : state === "open" ? "open" : "failed"), {}, glyph), ` ${number.format(n)} ${words}`)]));
    const ended = entries.filter((entry) => entry.state === "ok" || entry.state === "failed");
    const durations = entries.map((entry) => entry.duration).filter((ms) => ms !== undefined).sort((a, b) => a - b);
    const times = entries.map((entry) => entry.time).filter((time) => time !== undefined);
    const total = (id) => entries.reduce((sum, entry) => sum + (entry[id] ?? 0), 0);
    const figure = (value, label) => el("div.figure", {}, el("b", {}, value), el("span", {}, label));
    const least = times.reduce((a, b) => Math.min(a, b), Infinity);
    const most = times.reduce((a, b) => Math.max(a, b), -Infinity);
    fill(byId("verdict"), [
      el("div.result", {}, el("div.counts", {},
        el("p", {}, el("strong", {}, count(entries.length, "session")),
          times.length > 0 ? el("span.about", {}, `${day(least).slice(0, 10)} to ${day(most).slice(0, 10)}`) : null),
        bar, el("div.states", {}, [...this.buttons.values()]),
        this.data.omitted > 0 ? el("p.cut", {}, `${count(this.data.omitted, "more session")} are not in this file, whose limit is reached.`) : null)),
      el("div.figures", {},
        ended.length > 0 ? figure((Math.floor(entries.filter((e) => e.state === "ok").length / ended.length * 1000) / 10).toFixed(1) + "%", "success rate") : null,
        durations.length > 0 ? figure(millis(durations[durations.length >> 1]), "median duration") : null,
        total("calls") > 0 ? figure(compact.format(total("calls")), "tool calls") : null,
        total("tokens") > 0 ? figure(compact.format(total("tokens")), "tokens") : null,
        this.has("cost") ? figure((entries.some((entry) => entry.partial) ? "≥ " : "") + money(total("cost")), "cost") : null),
    ]);
  }

  has(id) {
    return this.columns.some((column) => column.id === id);
  }

  fillFilter() {
    const options = (id, all, values) => {
      byId(id).hidden = values.length === 0;
      fill(byId(id), [el("option", { value: "" }, all),
        values.map(([value, label, n]) => el("option", { value }, `${label} (${number.format(n)})`))]);
    };
    const counted = (values) => {
      const counts = new Map();
      values.forEach((value) => counts.set(value, (counts.get(value) ?? 0) + 1));
      return [...counts].sort((a, b) => byText.compare(a[0], b[0])).slice(0, 1000);
    };
    const states = counted(this.entries.map((entry) => entry.state))
      .sort((a, b) => Object.keys(STATES).indexOf(a[0]) - Object.keys(STATES).indexOf(b[0]));
    const words = counted(this.entries.filter((entry) => entry.state === "failed").map((entry) => entry.word));
    options("status", "Any status", [
      ...states.map(([state, n]) => [state, `${STATES[state][0]} ${state === "failed" && words.length > 1 ? "not successful" : STATES[state][1]}`, n]),
      ...(words.length > 1 ? words.map(([word, n]) => ["=" + word, "✕ " + line(word, 40), n]) : []),
    ]);
    options("tag", "All tags", counted(this.entries.flatMap((entry) => [...entry.tagValues])).map(([tag, n]) => [tag, line(tag, 60), n]));
    options("environment", "All environments",
      counted(this.entries.map((entry) => entry.environmentValue).filter(Boolean)).map(([name, n]) => [name, line(name, 60), n]));
    fill(byId("order"), this.columns.flatMap((column) => [false, true].map((down) =>
      el("option", { value: (down ? "-" : "") + column.id }, `${column.label} ${down ? "↓" : "↑"}`))));
    byId("since").disabled = !this.has("time");
  }

  listen() {
    let waiting = null;
    for (const id of ["query", "since"]) {
      byId(id).addEventListener("input", () => {
        cancelAnimationFrame(waiting);
        waiting = requestAnimationFrame(() => this.filter());
      });
    }
    byId("filter").addEventListener("change", (event) => {
      if (event.target.id === "order") {
        this.sorting = { id: event.target.value.replace("-", ""), down: event.target.value.startsWith("-") };
      }
      this.filter();
    });
    byId("filter").addEventListener("submit", (event) => {
      event.preventDefault();
      byId("grid").focus();
    });
    const clicks = {
      clear: () => this.clear(), "clear-nothing": () => this.clear(), help: () => byId("keys").showModal(), theme: switchTheme,
    };
    Object.entries(clicks).forEach(([id, action]) => byId(id).addEventListener("click", action));
    byId("grid").addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (row) {
        const entry = this.entries[Number(row.dataset.index)];
        const copies = event.target.closest(".copy");
        if (!copies || this.selected !== entry) {
          this.select(entry, false);
        }
        if (copies) {
          this.copy(entry);
        }
      }
    });
    byId("grid").addEventListener("dblclick", (event) => {
      if (event.target.closest("[data-index]")) {
        this.open();
      }
    });
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
    window.addEventListener("resize", () => this.layout());
    window.addEventListener("beforeprint", () => this.print());
    window.addEventListener("afterprint", () => byId("paper").replaceChildren());
    matchMedia("print").addEventListener("change", (media) => media.matches && this.print());
  }

  toggleState(state) {
    byId("status").value = byId("status").value === state ? "" : state;
    this.filter();
  }

  filter() {
    const query = byId("query").value;
    const [status, tag, environment] = ["status", "tag", "environment"].map((id) => byId(id).value);
    const failures = byId("failures").checked;
    const since = timeOf(byId("since").value);
    const isInvalid = byId("since").value !== "" && Number.isNaN(since);
    byId("since").setAttribute("aria-invalid", String(isInvalid));
    byId("since-invalid").hidden = !isInvalid;
    const pattern = literal(query);
    this.find = query === "" ? null : new RegExp(pattern.source, "gi");
    this.shown = this.sorted().filter((entry) =>
      (!status || entry.state === status || (status.startsWith("=") && entry.state === "failed" && plain(entry.word) === status.slice(1)))
      && (!tag || entry.tagValues.has(tag))
      && (!environment || entry.environmentValue === environment)
      && (!failures || entry.failed > 0)
      && (Number.isNaN(since) || entry.time >= since)
      && (!query || pattern.test(entry.texts)));
    const all = this.entries.length;
    byId("shown").textContent = this.shown.length === all
      ? count(all, "session") : `${number.format(this.shown.length)} of ${count(all, "session")}`;
    byId("clear").hidden = this.shown.length === all && !this.isFiltered();
    byId("nothing").hidden = this.shown.length > 0 || all === 0;
    this.buttons.forEach((button, state) => button.setAttribute("aria-pressed", String(status === state)));
    byId("order").value = (this.sorting.down ? "-" : "") + this.sorting.id;
    this.layout();
    this.remember();
  }

  isFiltered() {
    return ["query", "status", "tag", "environment", "since"].some((id) => byId(id).value !== "") || byId("failures").checked;
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

  layout() {
    this.places = new Map(this.shown.map((entry, i) => [entry, i]));
    const grid = byId("grid");
    const widths = this.columns.map(({ id, width }) => (id === "task" ? "minmax(240px, 1fr)" : width + "px"));
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
      fill(byId("head"), [el("div", { role: "row", "aria-rowindex": 1 }, this.columns.map((column) =>
        el("div." + (column.type ?? "text"), { role: "columnheader", "data-column": column.id },
          el("button", { type: "button", title: "Sort by " + (column.words ?? column.label), click: () => this.sortBy(column) },
            column.type === "n" ? el("span.arrow", { "aria-hidden": "true" }) : null, column.label,
            column.type === "n" ? null : el("span.arrow", { "aria-hidden": "true" })))))]);
    }
    for (const heading of byId("head").querySelectorAll("[data-column]")) {
      const isSorted = heading.dataset.column === this.sorting.id;
      heading.setAttribute("aria-sort", isSorted ? (this.sorting.down ? "descending" : "ascending") : "none");
      heading.querySelector(".arrow").textContent = isSorted ? (this.sorting.down ? "↓" : "↑") : "";
    }
  }

  /** The totals of what is shown. */
  drawFoot() {
    const cell = (column) => {
      if (column.id === "status") {
        return ["total"];
      }
      if (column.id === "task") {
        const ended = this.shown.filter((entry) => entry.state === "ok").length;
        return [`${count(this.shown.length, "session")}, ${number.format(ended)} succeeded`];
      }
      if (!column.sum) {
        return null;
      }
      const sum = this.shown.reduce((all, entry) => all + (entry[column.id] ?? 0), 0);
      const partial = column.id === "cost" && this.shown.some((entry) => entry.partial);
      return [partial ? "≥ " : "", column.sum(sum), el("span.unit", {}, column.label)];
    };
    byId("foot").replaceChildren();
    fill(byId("foot"), [el("div", { role: "row", "aria-rowindex": this.shown.length + 2 }, this.columns.map((column) => {
      const content = cell(column);
      return el("div." + (column.type === "n" ? "n" : "text") + (content === null ? ".empty" : ""), { role: "gridcell" }, content);
    }))]);
  }

  row(entry, place) {
    const isSelected = entry === this.selected;
    const element = el(`div.session.${entry.state}` + (isSelected ? ".selected" : ""), {
      id: "session-" + entry.index, role: "row", "data-index": entry.index, "aria-selected": String(isSelected),
    }, this.columns.map((column) => this.cell(entry, column)));
    element.classList.toggle("odd", place % 2 === 1);
    return element;
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
    return el(`div.${column.type ?? "text"}` + (isZero ? ".none.wide-only" : isBad ? ".bad" : ""), {
      role: "gridcell", title: column.hint?.(entry),
    }, column.cell(entry, this.find), column.type === "n" && column.id !== "time" ? el("span.unit", {}, column.label) : null);
  }

  task(entry) {
    const title = around(entry.title, this.find);
    const isNamed = entry.problem !== undefined || entry.task !== undefined;
    const link = entry.link === undefined ? title : el("a", { href: entry.link, tabindex: "-1" }, title);
    return el("div.task", { role: "gridcell" },
      el("b" + (isNamed ? "" : ".plain"), { title: line(entry.title, 2000) }, link),
      el("span.where", {},
        isNamed ? el("span.path", { title: entry.path }, around(entry.name, this.find, 200)) : null,
        this.showsId(entry, isNamed) ? el("span.path", { title: "id of the session" }, around(entry.id, this.find, 80)) : null,
        entry.about ? el("span.model", { title: entry.about }, marked(line(entry.about, 120), this.find)) : null,
        entry.problem === undefined ? el("button.copy", {
          type: "button", tabindex: "-1", title: "Copy: replay show " + entry.path, "aria-label": "Copy the command replay show",
        }, "copy command") : null));
  }

  /** Whether the id is shown: instead of a task, or because the search finds it. */
  showsId(entry, isNamed) {
    return entry.id !== undefined && (!isNamed || (this.find !== null && entry.id.search(this.find) >= 0));
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
    if (this.shown.length > 0) {
      const place = this.places.get(this.selected) ?? (by > 0 ? -1 : this.shown.length);
      this.select(this.shown[Math.max(0, Math.min(this.shown.length - 1, place + by))]);
    }
  }

  /** Opens the page of the selected session; without one, copies the command that shows it. */
  open() {
    if (this.selected?.link !== undefined) {
      location.assign(this.selected.link);
    } else if (this.selected) {
      this.copy(this.selected);
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
    this.remembering = setTimeout(() => { // a browser limits how often the address changes
      const params = new URLSearchParams();
      for (const [name, id] of Object.entries(Folder.PARAMS)) {
        if (byId(id).value !== "") {
          params.set(name, byId(id).value);
        }
      }
      if (byId("failures").checked) {
        params.set("failures", "1");
      }
      if (this.sorting.id !== this.initial.id || this.sorting.down !== this.initial.down) {
        params.set("sort", (this.sorting.down ? "-" : "") + this.sorting.id);
      }
      const hash = params.toString();
      this.hash = hash === "" ? "" : "#" + hash;
      history.replaceState(null, "", location.pathname + location.search + this.hash);
    }, 150);
  }

  static PARAMS = { q: "query", status: "status", tag: "tag", environment: "environment", since: "since" };

  /** Sets the filter and the order that the address states. */
  follow() {
    if (location.hash !== "" && location.hash === this.hash) {
      return;
    }
    if (byId(location.hash.slice(1))) { // a link within the page
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
    const sort = params.get("sort") ?? "";
    const column = this.columns.find(({ id }) => id === sort.replace(/^-/, ""));
    this.sorting = column ? { id: column.id, down: sort.startsWith("-") } : { ...this.initial };
    this.filter();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) {
      return;
    }
    const typing = event.target.matches("input[type=search], input[type=text], select");
    if (event.key === "Escape") {
      this.escape(event.target, typing);
      return;
    }
    const actions = {
      j: () => this.step(1), k: () => this.step(-1), c: () => this.selected && this.copy(this.selected),
      "?": () => byId("keys").showModal(),
      "/": () => {
        byId("query").focus();
        byId("query").select();
      },
    };
    if (event.target.id === "grid") {
      Object.assign(actions, {
        ArrowDown: actions.j, ArrowUp: actions.k, PageDown: () => this.step(this.sheet.page), PageUp: () => this.step(-this.sheet.page),
        Home: () => this.step(-Infinity), End: () => this.step(Infinity),
      });
    }
    if (event.target.matches("input") && typing && event.key === "Enter") {
      byId("grid").focus(); // a form with two texts and without a button is not submitted
      return;
    }
    if (!event.target.matches("button, a, input")) {
      actions.o = actions.Enter = () => this.open();
    }
    if (!typing && Object.hasOwn(actions, event.key)) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  escape(target, typing) {
    if (target.id === "query" && byId("query").value) {
      byId("query").value = "";
      this.filter();
    } else if (typing) {
      byId("grid").focus();
    } else if (!byId("clear").hidden) {
      this.clear();
    } else {
      this.select(null);
    }
  }

  /** Prepares the shown sessions for printing, up to a number. */
  print() {
    const most = 2000;
    byId("paper").replaceChildren();
    fill(byId("paper"), [el("h1", {}, this.data.title), el("p", {}, byId("shown").textContent), el("table", {},
      el("thead", {}, el("tr", {}, this.columns.map((column) => el("th", {}, column.label)))),
      el("tbody", {}, this.shown.slice(0, most).map((entry) => el("tr", {}, this.columns.map((column) =>
        el("td", {}, column.id === "task" ? line(entry.title, 300)
          : column.sort(entry) === undefined ? "" : column.cell(entry, null))))))),
      this.shown.length > most ? el("p", {}, `and ${number.format(this.shown.length - most)} more`) : null]);
  }
}

new Folder(JSON.parse(byId("data").textContent));

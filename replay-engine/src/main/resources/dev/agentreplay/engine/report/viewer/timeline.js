/** The timeline: what each lane did and when, and the steps that overlap below each other. */
class Timeline extends TimelineDrawing {
  constructor(model, onOpen, onFilter) {
    super();
    this.model = model;
    this.onOpen = onOpen;
    this.onFilter = onFilter;
    this.rows = model.rows;
    this.visible = new Set(model.rows);
    this.selected = null;
    this.view = [0, 1];
    this.hasTimes = model.sessions.every((session) => session.duration > 0);
    this.longest = Math.max(...model.sessions.map((session) => session.duration)) || 1;
    this.axis = this.hasTimes && !model.isDiff ? "time" : "order";
    this.lanes = new Lanes(model);
    this.slots = this.makeSlots();
    this.changed();
    this.build();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** The places of rows in their order; each is as wide as its latency, plus half the mean. */
  makeSlots() {
    const took = this.model.rows.map((row) =>
      Math.max(row.left?.latency ?? 0, row.right?.latency ?? 0),
    );
    const mean = took.reduce((sum, ms) => sum + ms, 0) / Math.max(took.length, 1) || 1;
    const starts = [0];
    took.forEach((ms) => starts.push(starts.at(-1) + mean / 2 + ms));
    const whole = starts.at(-1) || 1;
    return { starts: starts.map((at) => at / whole), least: mean / 2 / whole, scale: 1 / whole };
  }

  /** The place of a unit, from 0 to 1: [begin, end]. */
  place(row, unit) {
    if (this.axis === "time") {
      const { start } = this.model.sessions[unit.side];
      const { span } = unit;
      return span && [(span[0] - start) / this.longest, (span[1] - start) / this.longest];
    }
    const begin = this.slots.starts[row.index];
    return [begin, begin + this.slots.least * 0.8 + (unit.latency ?? 0) * this.slots.scale];
  }

  build() {
    const toggle = (axis, label) =>
      el(
        "button",
        {
          type: "button",
          "aria-pressed": String(this.axis === axis),
          "data-axis": axis,
          click: () => {
            this.axis = axis;
            this.changed();
            this.zoom([0, 1]);
            for (const button of this.box.querySelectorAll("[data-axis]")) {
              button.setAttribute("aria-pressed", String(button.dataset.axis === axis));
            }
          },
        },
        label,
      );
    this.box = byId("timeline");
    this.note = el("span.note", { "aria-hidden": "true" });
    this.announced = el("p.sr", { role: "status" });
    this.reset = el(
      "button",
      { type: "button", hidden: true, click: () => this.zoom([0, 1]) },
      "Whole",
    );
    this.canvas = el("canvas", {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "timeline",
      "aria-label": this.description(),
    });
    this.trackHeight = this.model.isDiff ? 24 : 20;
    this.labels = this.lanes.all.map((lane) => this.label(lane));
    this.canvas.style.height = this.lanes.height * this.trackHeight + 20 + "px";
    fill(this.box, [
      el(
        "div.heading",
        {},
        el("h2", {}, "Timeline"),
        this.legend(),
        this.note,
        this.reset,
        this.hasTimes
          ? el("span.toggle", {}, toggle("time", "By time"), toggle("order", "In order"))
          : null,
      ),
      el("div.scroll", {}, el("div.lanes", {}, this.labels), this.canvas),
      this.announced,
    ]);
  }

  /** The name of a lane, which filters the list. */
  label(lane) {
    const { name, filter, depth } = lane;
    const parts = splitName(line(name, 80));
    const words = [
      depth > 0 ? el("span.below", { "aria-hidden": "true" }, "↳ ") : null,
      el("span.lane-name", {}, typeof parts === "string" ? el("span", {}, parts) : parts),
    ];
    const label = filter
      ? el(
          "button.lane",
          {
            type: "button",
            title: `${name}: show only its steps`,
            "aria-pressed": "false",
            click: () => this.onFilter(...filter),
          },
          words,
        )
      : el("span.lane", { title: name }, words);
    label.style.height = lane.height * this.trackHeight + "px";
    label.style.paddingLeft = 10 + Math.max(0, Math.min(depth, 6) - 1) * 12 + "px";
    return label;
  }

  legend() {
    const key = (state, words) => el("span.key-" + state, {}, words);
    return el(
      "span.legend",
      { "aria-hidden": "true" },
      key("ok", "succeeded"),
      key("failed", "failed"),
      key("open", "no result"),
      this.model.rows.some((row) => row.unit.kind === "ModelCall") ? key("model", "model") : null,
      this.model.forks.some(({ row }) => row !== null) ? key("fork", "fork") : null,
      this.model.isDiff
        ? [
            key("mark", "diverges"),
            " ",
            this.model.run && this.model.run.mode !== "validation"
              ? "recording above, replay below"
              : `${SIDES[0]} above, ${SIDES[1]} below`,
          ]
        : null,
    );
  }

  description() {
    const failed = this.model.rows.filter((row) => row.unit.outcome === "failed").length;
    return (
      `${count(this.model.rows.length, "step")} in ${count(this.lanes.all.length, "lane")}, ` +
      `${number.format(failed)} failed. The list below has the same steps. ` +
      "Arrow keys select a step or a lane, plus and minus zoom."
    );
  }

  listen() {
    const part = (event) =>
      this.view[0] + ((this.view[1] - this.view[0]) * event.offsetX) / this.canvas.clientWidth;
    let from = null;
    this.canvas.addEventListener("pointerdown", (event) => (from = [part(event), event.offsetX]));
    this.canvas.addEventListener("pointerup", (event) => {
      if (from !== null && Math.abs(event.offsetX - from[1]) > 8) {
        this.zoom([from[0], part(event)].sort((a, b) => a - b));
      } else if (from !== null) {
        const hit = this.hit(part(event), event.offsetY);
        if (hit) {
          this.onOpen(hit.row);
        }
      }
      from = null;
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const unit = this.hit(part(event), event.offsetY)?.unit;
      this.note.replaceChildren();
      if (unit) {
        fill(this.note, [this.words(unit)]);
      }
    });
    this.canvas.addEventListener("pointerleave", () => this.note.replaceChildren());
    this.canvas.addEventListener("dblclick", () => this.zoom([0, 1]));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const actions = {
      ArrowLeft: () => this.along(-1),
      ArrowRight: () => this.along(1),
      ArrowUp: () => this.across(-1),
      ArrowDown: () => this.across(1),
      "+": () => this.scale(0.5),
      "=": () => this.scale(0.5),
      "-": () => this.scale(2),
      0: () => this.zoom([0, 1]),
    };
    if (Object.hasOwn(actions, event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  /** Opens the next step of the same lane; without an open step, the first one. */
  along(by) {
    const lane = this.selected && this.lanes.of(this.selected.unit);
    const rows = lane === null ? this.rows : this.places.rowsOf(lane);
    this.openAndTell(rows[lane === null ? 0 : rows.indexOf(this.selected) + by]);
  }

  /** Opens the step of the next lane that is nearest to the open one. */
  across(by) {
    const { selected } = this;
    const at = selected && this.place(selected, selected.unit);
    const { all } = this.lanes;
    for (
      let i = at ? all.indexOf(this.lanes.of(selected.unit)) + by : 0;
      i >= 0 && i < all.length;
      i += by
    ) {
      const { first, height } = all[i];
      const hits = Array.from({ length: height }, (_, track) =>
        this.places.nearest(first + track, at ? at[0] : 0),
      ).filter(Boolean);
      if (hits.length > 0) {
        this.openAndTell(hits.reduce((a, b) => (b.distance < a.distance ? b : a)).row);
        return;
      }
    }
  }

  openAndTell(row) {
    if (row) {
      this.onOpen(row);
      this.announced.replaceChildren();
      fill(this.announced, [this.words(row.unit)]);
      const place = this.place(row, row.unit);
      if (place && (place[0] < this.view[0] || place[0] > this.view[1])) {
        const half = (this.view[1] - this.view[0]) / 2;
        const begin = Math.min(Math.max(place[0] - half, 0), 1 - 2 * half);
        this.zoom([begin, begin + 2 * half]);
      }
    }
  }

  words(unit) {
    const took = unit.latency === undefined ? "" : ", " + millis(unit.latency);
    const failed = unit.outcome === "failed" ? ", failed" : "";
    const agent = unit.agent === undefined ? "" : `${line(unit.agent, 24)}: `;
    return `${agent}${line(unit.name, 40)}${failed}${took}, line ${unit.line}`;
  }

  /** Zooms around the open step. */
  scale(by) {
    const place = this.selected && this.place(this.selected, this.selected.unit);
    const wide = Math.min(1, (this.view[1] - this.view[0]) * by);
    const middle = place ? place[0] : (this.view[0] + this.view[1]) / 2;
    const begin = Math.min(Math.max(middle - wide / 2, 0), 1 - wide);
    this.zoom([begin, begin + wide]);
  }

  zoom(view) {
    this.view = view[1] - view[0] > 1e-6 ? view : [0, 1];
    this.background = null;
    this.reset.hidden = this.view[0] === 0 && this.view[1] === 1;
    this.draw();
  }

  /** The unit drawn nearest to a place; null if there is none. */
  hit(part, y) {
    return this.places.nearest(Math.floor(y / this.trackHeight), part);
  }

  /** Shows steps as the filter has them; the pressed lanes are those that it selects. */
  show(rows, selected) {
    if (rows !== this.rows) {
      this.rows = rows;
      this.visible = new Set(rows);
      this.changed();
    }
    this.lanes.all.forEach(
      ({ filter }, i) =>
        filter &&
        this.labels[i].setAttribute("aria-pressed", String(byId(filter[0]).value === filter[1])),
    );
    this.selected = selected;
    this.draw();
  }

  /** Has the steps placed and drawn again. */
  changed() {
    this.places = new Places(this);
    this.background = null;
  }
}

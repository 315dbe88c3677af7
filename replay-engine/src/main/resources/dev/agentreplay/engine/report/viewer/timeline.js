
/** The timeline: a lane for each agent, and without agents for each tool, turns, files, verifications, the session. */
class Timeline {
  static MOST_LANES = 24;

  constructor(model, onOpen) {
    this.model = model;
    this.onOpen = onOpen;
    this.visible = new Set(model.rows);
    this.selected = null;
    this.view = [0, 1];
    this.hasTimes = model.sessions.every((session) => session.duration > 0);
    this.axis = this.hasTimes && !model.isDiff ? "time" : "order";
    this.lanes = this.makeLanes();
    this.slots = this.makeSlots();
    this.build();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  makeLanes() {
    const names = new Map();
    for (const row of this.model.rows) {
      for (const unit of [row.left, row.right].filter(Boolean)) {
        names.set(unit.lane, (names.get(unit.lane) ?? 0) + 1);
      }
    }
    const rank = (name) => ["session", "model"].indexOf(name) + (name.startsWith("tool ") ? 3 : 0)
      + (name.startsWith("agent ") ? 3.5 : 0)
      + (name === "files" || name === "verified" ? 6 : 0);
    const sorted = [...names].sort((a, b) => rank(a[0]) - rank(b[0]) || b[1] - a[1]).map(([name]) => name);
    const kept = sorted.slice(0, Timeline.MOST_LANES);
    this.laneOf = new Map(sorted.map((name, i) => [name, Math.min(i, Timeline.MOST_LANES)]));
    return sorted.length > kept.length ? [...kept, `${sorted.length - kept.length} other lanes`] : kept;
  }

  /** The places of rows in their order; each is as wide as its latency, plus half the mean. */
  makeSlots() {
    const took = this.model.rows.map((row) => Math.max(row.left?.latency ?? 0, row.right?.latency ?? 0));
    const mean = took.reduce((sum, ms) => sum + ms, 0) / Math.max(took.length, 1) || 1;
    const starts = [0];
    took.forEach((ms) => starts.push(starts.at(-1) + mean / 2 + ms));
    const whole = starts.at(-1) || 1;
    return { starts: starts.map((at) => at / whole), least: mean / 2 / whole, scale: 1 / whole };
  }

  /** The place of a unit, from 0 to 1: [begin, end]. */
  place(row, unit) {
    if (this.axis === "time") {
      const session = this.model.sessions[unit.side];
      const longest = Math.max(...this.model.sessions.map((s) => s.duration)) || 1;
      const span = unit.span;
      return span && span.map((at) => (at - session.start) / longest);
    }
    const begin = this.slots.starts[row.index];
    return [begin, begin + this.slots.least * 0.8 + (unit.latency ?? 0) * this.slots.scale];
  }

  build() {
    const toggle = (axis, label) => el("button", {
      type: "button", "aria-pressed": String(this.axis === axis), "data-axis": axis,
      click: () => {
        this.axis = axis;
        this.zoom([0, 1]);
        for (const button of this.box.querySelectorAll("[data-axis]")) {
          button.setAttribute("aria-pressed", String(button.dataset.axis === axis));
        }
      },
    }, label);
    this.box = byId("timeline");
    this.note = el("span.note", { "aria-hidden": "true" });
    this.reset = el("button", { type: "button", hidden: true, click: () => this.zoom([0, 1]) }, "Whole");
    this.canvas = el("canvas", { role: "img", "aria-label": this.description() });
    this.laneHeight = this.model.isDiff ? 24 : 20;
    const labels = el("div.lanes", {}, this.lanes.map((lane) =>
      el("div.lane", { title: lane.replace(/^tool /, "") }, lane.replace(/^(tool|agent) /, ""))));
    const height = this.lanes.length * this.laneHeight + 20;
    this.canvas.style.height = height + "px";
    for (const label of labels.children) {
      label.style.height = this.laneHeight + "px";
    }
    fill(this.box, [
      el("div.heading", {}, el("h2", {}, "Timeline"), this.legend(), this.note, this.reset,
        this.hasTimes ? el("span.toggle", {}, toggle("time", "By time"), toggle("order", "In order")) : null),
      el("div.scroll", {}, labels, this.canvas),
    ]);
  }

  legend() {
    const key = (state, words) => el("span.key-" + state, {}, words);
    return el("span.legend", { "aria-hidden": "true" }, key("ok", "succeeded"), key("failed", "failed"),
      key("open", "no result"), this.model.isDiff ? [key("mark", "diverges"), " ",
        this.model.run && this.model.run.mode !== "validation" ? "recording above, replay below" : `${SIDES[0]} above, ${SIDES[1]} below`] : null);
  }

  description() {
    const failed = this.model.rows.filter((row) => row.unit.outcome === "failed").length;
    return `${count(this.model.rows.length, "step")} in ${count(this.lanes.length, "lane")}, `
      + `${number.format(failed)} failed. The list below has the same steps.`;
  }

  listen() {
    const part = (event) => this.view[0]
      + (this.view[1] - this.view[0]) * event.offsetX / this.canvas.clientWidth;
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
        const took = unit.latency === undefined ? "" : ", " + millis(unit.latency);
        fill(this.note, [`${line(unit.name, 40)}${took}, line ${unit.line}`]);
      }
    });
    this.canvas.addEventListener("pointerleave", () => this.note.replaceChildren());
    this.canvas.addEventListener("dblclick", () => this.zoom([0, 1]));
  }

  zoom(view) {
    this.view = view[1] - view[0] > 1e-6 ? view : [0, 1];
    this.reset.hidden = this.view[0] === 0 && this.view[1] === 1;
    this.draw();
  }

  /** The unit drawn nearest to a place; null if there is none. */
  hit(part, y) {
    const lane = Math.floor(y / this.laneHeight);
    let best = null;
    for (const row of this.visible) {
      for (const unit of [row.left, row.right]) {
        const place = unit && this.laneOf.get(unit.lane) === lane ? this.place(row, unit) : null;
        if (place) {
          const distance = Math.max(place[0] - part, part - place[1], 0);
          if (best === null || distance < best.distance) {
            best = { row, unit, distance };
          }
        }
      }
    }
    return best;
  }

  show(rows, selected) {
    this.visible = new Set(rows);
    this.selected = selected;
    this.draw();
  }

  draw() {
    const paper = canvas(this.canvas);
    const width = this.canvas.clientWidth;
    const bottom = this.lanes.length * this.laneHeight;
    paper.strokeStyle = color("line");
    for (let i = 0; i <= this.lanes.length; i++) {
      paper.strokeRect(-1, i * this.laneHeight + 0.5, width + 2, 0);
    }
    for (const row of this.model.rows) {
      paper.globalAlpha = this.visible.has(row) ? 1 : 0.12;
      for (const unit of [row.left, row.right].filter(Boolean)) {
        this.drawUnit(paper, row, unit, width);
      }
    }
    paper.globalAlpha = 1;
    this.drawSelected(paper, width, bottom);
    this.drawAxis(paper, width, bottom);
  }

  drawUnit(paper, row, unit, width) {
    const place = this.place(row, unit);
    if (!place) {
      return;
    }
    const zoomed = place.map((at) => (at - this.view[0]) / (this.view[1] - this.view[0]) * width);
    if (zoomed[1] < 0 || zoomed[0] > width) {
      return;
    }
    const left = Math.min(Math.max(zoomed[0], -4), width - 2);
    const wide = Math.max(Math.min(zoomed[1], width + 4) - left, 2);
    const half = this.model.isDiff;
    const high = half ? 7 : 10;
    const top = this.laneOf.get(unit.lane) * this.laneHeight + (half ? 4 + unit.side * 9 : 5);
    const { outcome } = unit;
    paper.fillStyle = paper.strokeStyle = color(outcome);
    if (outcome === "open") {
      paper.strokeRect(left + 0.5, top + 0.5, Math.max(wide - 1, 1), high - 1);
    } else {
      paper.fillRect(left, top, wide, high);
    }
    if (outcome === "failed") { // a sign in addition to the color
      paper.fillRect(left, top - 3, 2, high + 6);
    }
    if (half && this.model.isMarked(row) && unit === row.unit) {
      paper.fillStyle = color("mark");
      paper.beginPath();
      paper.moveTo(left - 3, top - 4);
      paper.lineTo(left + 5, top - 4);
      paper.lineTo(left + 1, top + 2);
      paper.fill();
    }
  }

  drawSelected(paper, width, bottom) {
    const place = this.selected && this.place(this.selected, this.selected.unit);
    if (place) {
      const x = (place[0] - this.view[0]) / (this.view[1] - this.view[0]) * width;
      paper.fillStyle = color("accent");
      paper.fillRect(Math.round(x) - 1, 0, 2, bottom);
    }
  }

  drawAxis(paper, width, bottom) {
    paper.fillStyle = color("muted");
    paper.font = "11px system-ui, sans-serif";
    const ticks = Math.max(2, Math.floor(width / 130));
    let before = "";
    for (let i = 0; i <= ticks; i++) {
      const part = this.view[0] + (this.view[1] - this.view[0]) * i / ticks;
      paper.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
      const label = this.label(part);
      if (label !== before) {
        paper.fillText(label, width * i / ticks, bottom + 14);
      }
      before = label;
    }
  }

  label(part) {
    if (this.axis === "time") {
      return "+" + millis(part * Math.max(...this.model.sessions.map((s) => s.duration)));
    }
    const { starts } = this.slots;
    let index = starts.findIndex((start) => start > part + 1e-9) - 1;
    index = index < 0 ? starts.length - 2 : index;
    return index < 0 ? "" : "step " + number.format(index + 1);
  }
}

/** The height of the line that marks the point of a fork, in pixels. */
const FORK_LINE = 28;

/** The list of rows, of which only the visible ones are in the page, and a strip of marked rows. */
class StepList {
  constructor(model, onOpen, onFold) {
    this.model = model;
    this.onOpen = onOpen;
    this.onFold = onFold;
    this.rows = [];
    this.tops = [0];
    this.selected = null;
    this.box = byId("list");
    this.strip = byId("strip");
    this.sheet = el("div.sheet", { role: "presentation" });
    this.box.append(this.sheet);
    this.box.setAttribute("role", model.isNested ? "tree" : "listbox");
    this.box.style.setProperty("--name", this.longestName() + "ch");
    this.longest = model.rows.reduce(
      (most, row) => Math.max(most, row.left?.latency ?? 0, row.right?.latency ?? 0),
      1,
    );
    this.box.addEventListener("scroll", () => this.draw());
    this.box.addEventListener("click", (event) => {
      const clicked = event.target.closest("[data-index]");
      if (clicked && event.target.closest(".twig")) {
        this.onFold(this.model.rows[Number(clicked.dataset.index)]);
      } else if (clicked) {
        this.onOpen(this.model.rows[Number(clicked.dataset.index)]);
      }
    });
    this.strip.addEventListener("click", (event) =>
      this.jump(event.offsetY / this.strip.clientHeight),
    );
    new ResizeObserver(() => this.layout()).observe(this.box);
  }

  /** The width of the column of names, in characters: enough for nearly all of them. */
  longestName() {
    const lengths = this.model.rows.map(
      (row) =>
        nameOf(row).length +
        Math.min(row.unit.agent?.length ?? 0, 24) +
        2 * Math.min(row.unit.depth, 8),
    );
    lengths.sort((a, b) => a - b);
    return Math.min(lengths[Math.floor(lengths.length * 0.98)] ?? 0, 60) + 2;
  }

  show(rows) {
    this.rows = rows;
    this.places = new Map(rows.map((row, i) => [row, i]));
    this.siblings = new Map(); // the number of shown rows below each row, or at the top
    this.ranks = rows.map(({ parent }) => {
      this.siblings.set(parent, (this.siblings.get(parent) ?? 0) + 1);
      return this.siblings.get(parent);
    });
    this.marks = new Map(); // the points of forks above each row; null is the end
    for (const point of this.model.forks.filter(({ row }) => row !== null)) {
      const shown = rows.find(({ index }) => index >= point.row.index) ?? null;
      this.marks.set(shown, [...(this.marks.get(shown) ?? []), point]);
    }
    this.layout();
  }

  layout() {
    const narrow = this.box.clientWidth < 560;
    this.box.classList.toggle("narrow", narrow);
    this.tops = [0];
    for (const row of this.rows) {
      const more = (this.hasChange(row) ? 22 : 0) + (this.marks.has(row) ? FORK_LINE : 0);
      this.tops.push(this.tops.at(-1) + (narrow ? 50 : 32) + more);
    }
    this.sheet.style.height = this.tops.at(-1) + "px";
    this.draw();
    this.drawStrip();
  }

  /** Whether a second line shows the difference. */
  hasChange(row) {
    return hasChange(this.model.divergence(row));
  }

  /** The first row that ends below a height. */
  rowAt(y) {
    return Math.max(0, Math.min(countUntil(this.tops, y) - 1, this.rows.length));
  }

  draw() {
    const from = Math.max(0, this.rowAt(this.box.scrollTop) - 6);
    const to = Math.min(
      this.rows.length,
      this.rowAt(this.box.scrollTop + this.box.clientHeight) + 7,
    );
    const drawn = [];
    for (let i = from; i < to; i++) {
      const element = this.element(this.rows[i], i);
      element.style.top = this.tops[i] + "px";
      element.style.height = this.tops[i + 1] - this.tops[i] + "px";
      drawn.push(element);
    }
    this.sheet.replaceChildren(...drawn);
    const active = this.places?.has(this.selected) ? "row-" + this.selected.index : "";
    this.box.setAttribute("aria-activedescendant", active);
    this.drawWindow();
  }

  element(row, place) {
    const { model } = this;
    const { unit } = row;
    const { isDiff } = model;
    const divergence = model.divergence(row);
    const [glyph, words] = isDiff || divergence ? model.difference(row) : OUTCOMES[unit.outcome];
    const severity = model.severity(row);
    const state = isDiff ? row.relation : unit.outcome;
    const answer = answerOf(model, row);
    const failed =
      isDiff && !answer?.isBad && [row.left, row.right].some((side) => side?.outcome === "failed");
    const failure = failureWords(unit);
    const latency = unit.latency;
    const element = el(
      `div.row.${model.run && isDiff ? model.shownRelation(row) : state}`,
      {
        id: "row-" + row.index,
        role: model.isNested ? "treeitem" : "option",
        "data-index": row.index,
        "aria-selected": row === this.selected ? "true" : "false",
        ...(model.isNested
          ? {
              "aria-level": unit.depth + 1,
              "aria-expanded": row.children.length > 0 ? String(!row.collapsed) : null,
            }
          : {}),
        // only a part of the rows is in the page
        "aria-setsize": this.siblings.get(row.parent),
        "aria-posinset": this.ranks[place],
      },
      el("span.glyph", { title: words, "aria-label": words }, glyph),
      el("span.number", {}, unit.number === null ? "" : "#" + unit.number),
      this.name(row),
      el("span.summary", {}, unit.summary),
      el(
        "span.flags",
        {},
        divergence?.role === "downstream"
          ? el("span.follows", { title: `follows from divergence ${divergence.cause + 1}` }, "↳")
          : null,
        answer ? answerChip(answer) : null,
        unit.events.some((event) => event.findings)
          ? el("span.badge.failed", { title: "has findings" }, "⚠")
          : null,
        failed ? el("span.badge.failed", {}, "✕ ", failure ?? "failed") : null,
        failure !== null && !isDiff
          ? el("span.badge.failed", { title: unit.result?.error ?? null }, failure)
          : null,
        (isDiff || row.divergence !== null) && severity !== "none"
          ? el(`span.badge.${severity}`, {}, severity)
          : null,
      ),
      el("span.latency", {}, latency === undefined ? "" : [this.bar(latency), millis(latency)]),
    );
    if (this.hasChange(row)) {
      element.append(changeLine(divergence));
    }
    if (this.marks.has(row)) {
      element.classList.add("forked");
      element.prepend(forkLine(this.marks.get(row)));
    }
    hits.markRow(element, row);
    return element;
  }

  /** The name of a row, indented below the call that started its agent. */
  name(row) {
    const { unit, children, collapsed } = row;
    const name = el(
      "span.name" + (unit.isTool ? ".tool" : ""),
      {},
      children.length > 0
        ? el(
            "span.twig",
            {
              "aria-hidden": "true",
              title: collapsed
                ? `show ${count(children.length, "step")}`
                : "hide the steps of the agent",
            },
            collapsed ? "▸" : "▾",
          )
        : null,
      this.model.agentLabel(unit),
      splitName(nameOf(row)),
    );
    name.style.paddingLeft = Math.min(unit.depth, 8) * 16 + "px";
    return name;
  }

  bar(latency) {
    const bar = el("span.bar", { "aria-hidden": "true" });
    bar.style.width = Math.max(2, 32 * Math.sqrt(latency / this.longest)) + "px";
    return bar;
  }

  select(row) {
    this.selected = row;
    const place = this.places.get(row);
    if (place !== undefined) {
      const { scrollTop, clientHeight } = this.box;
      const [top, bottom] = [this.tops[place], this.tops[place + 1]];
      if (top < scrollTop || bottom > scrollTop + clientHeight) {
        this.box.scrollTop = top - Math.max(0, (clientHeight - (bottom - top)) / 3);
      }
    }
    this.draw();
  }

  /** The number of rows that fit into the box. */
  get page() {
    const { scrollTop, clientHeight } = this.box;
    return Math.max(1, this.rowAt(scrollTop + clientHeight) - this.rowAt(scrollTop) - 1);
  }

  /** Opens the marked row nearest to a place in the list, from 0 to 1. */
  jump(part) {
    const place = this.rowAt(part * this.tops.at(-1));
    const distance = (i) => Math.abs(i - place);
    const marked = this.rows.map((row, i) => i).filter((i) => this.model.isMarked(this.rows[i]));
    if (marked.length > 0) {
      this.onOpen(this.rows[marked.reduce((a, b) => (distance(b) < distance(a) ? b : a))]);
    }
  }

  drawStrip() {
    const marks = this.rows.filter((row) => this.model.isMarked(row));
    const what = this.model.mark;
    this.strip.setAttribute(
      "aria-label",
      `${count(marks.length, what)} in the list; the keys n and N select the next and previous one`,
    );
    const paper = canvas(this.strip);
    const height = this.strip.clientHeight;
    const scale = height / Math.max(this.tops.at(-1), this.box.clientHeight);
    for (const row of marks) {
      const place = this.places.get(row);
      const strength = { none: 0.25, minor: 0.4, moderate: 0.7, major: 1 }[
        this.model.severity(row)
      ];
      paper.fillStyle = color(
        { missing: "before", added: "after", alone: "failed" }[row.relation] ?? "mark",
      );
      paper.globalAlpha = strength;
      const inset = { none: 6, minor: 6, moderate: 3, major: 0 }[this.model.severity(row)];
      paper.fillRect(
        3 + inset / 2,
        this.tops[place] * scale,
        12 - inset,
        Math.max(3, (this.tops[place + 1] - this.tops[place]) * scale - 1),
      );
    }
    this.stripImage = paper.getImageData(0, 0, this.strip.width, this.strip.height);
    this.drawWindow();
  }

  /** Frames the part of the strip that is visible in the list. */
  drawWindow() {
    if (!this.stripImage) {
      return;
    }
    const paper = this.strip.getContext("2d");
    paper.putImageData(this.stripImage, 0, 0);
    const whole = Math.max(this.tops.at(-1), this.box.clientHeight);
    const scale = this.strip.clientHeight / whole;
    if (this.tops.at(-1) <= this.box.clientHeight) {
      return;
    }
    paper.globalAlpha = 1;
    paper.strokeStyle = color("muted");
    paper.strokeRect(
      0.5,
      this.box.scrollTop * scale + 0.5,
      this.strip.clientWidth - 1,
      Math.max(6, this.box.clientHeight * scale - 1),
    );
  }
}

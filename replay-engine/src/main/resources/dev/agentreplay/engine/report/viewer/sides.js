/** Two values side by side, line by line, with differences marked; undefined is a missing value. */
class SideBySide {
  static MOST_LINES = 400;

  /** Texts that are JSON are compared as texts, line by line, if they are the contents of files. */
  constructor(marks, areFiles) {
    this.marks = marks;
    this.areFiles = areFiles;
    this.grid = el("div.sides");
    this.lines = 0;
  }

  static of(before, after, marks = Marks.NONE, areFiles = false) {
    const sides = new SideBySide(marks, areFiles);
    sides.add(null, before, after, 0);
    if (sides.lines > SideBySide.MOST_LINES) {
      fill(sides.grid, [
        el("div.cut.wide", {}, "more differences are not shown; see the complete events below"),
      ]);
    }
    return sides.grid;
  }

  add(name, before, after, depth) {
    if (this.lines > SideBySide.MOST_LINES) {
      return;
    }
    const [left, right] = this.jsonIn(name, before, after);
    const sameType =
      (left instanceof Map && right instanceof Map) ||
      (Array.isArray(left) && Array.isArray(right));
    if (equal(left, right, this.marks)) {
      this.line("same", this.short(name, left, depth), this.short(name, right, depth));
    } else if (sameType) {
      if (name !== null) {
        this.line("same", this.cell(name, depth), this.cell(name, depth));
      }
      this.members(left, right, name === null ? depth : depth + 1);
    } else if (typeof left === "string" && typeof right === "string") {
      const runs = textEdits(left, right, this.marks);
      this.line(
        "changed",
        this.cell(name, depth, markedText(runs, "-")),
        this.cell(name, depth, markedText(runs, "+")),
      );
    } else {
      this.line(
        "changed",
        this.whole("del", name, left, depth),
        this.whole("ins", name, right, depth),
      );
    }
  }

  /** Both sides, with JSON texts parsed; marked texts only if both sides can be parsed. */
  jsonIn(name, before, after) {
    if (this.areFiles) {
      return [before, after];
    }
    const inner = [before, after].map((value) => jsonIn(value) ?? value);
    if (this.marks.isNone || before === undefined || after === undefined) {
      return inner;
    }
    return name === null && inner.every((value) => isContainer(value) && this.marks.areWhole(value))
      ? inner
      : [before, after];
  }

  members(left, right, depth) {
    const pairs = left instanceof Map ? this.byName(left, right) : this.byPlace(left, right);
    let same = 0;
    const flush = () => {
      if (same > 0) {
        const note = `⋯ ${count(same, "equal " + (left instanceof Map ? "member" : "element"))} ⋯`;
        this.line(
          "same",
          this.cell(null, depth, el("span.about", {}, note)),
          this.cell(null, depth, el("span.about", {}, note)),
        );
      }
      same = 0;
    };
    for (const [name, a, b] of pairs) {
      if (equal(a, b, this.marks)) {
        same++;
      } else {
        flush();
        this.add(name, a, b, depth);
      }
    }
    flush();
  }

  byName(left, right) {
    const compared = (name) => this.marks.compared(name);
    const rights = new Map([...right.keys()].map((name) => [compared(name), name]));
    const lefts = new Set([...left.keys()].map(compared));
    return [
      ...[...left].map(([name, value]) => [name, value, right.get(rights.get(compared(name)))]),
      ...[...right]
        .filter(([name]) => !lefts.has(compared(name)))
        .map(([name, value]) => [name, undefined, value]),
    ];
  }

  /** Pairs equal elements; those between equal ones are paired by position. */
  byPlace(left, right) {
    const pairs = [];
    let a = 0;
    let b = 0;
    const gap = (endA, endB) => {
      while (a < endA || b < endB) {
        pairs.push([
          b < endB ? b : a,
          a < endA ? left[a] : undefined,
          b < endB ? right[b] : undefined,
        ]);
        a += a < endA ? 1 : 0;
        b += b < endB ? 1 : 0;
      }
    };
    let atA = 0;
    let atB = 0;
    for (const [operation] of edits(
      ...[left, right].map((side) => side.map((v) => canonical(v, this.marks))),
    )) {
      if (operation === "=") {
        gap(atA, atB);
        pairs.push([b, left[a++], right[b++]]);
      }
      atA += operation === "+" ? 0 : 1;
      atB += operation === "-" ? 0 : 1;
    }
    gap(left.length, right.length);
    return pairs;
  }

  cell(name, depth, ...content) {
    const cell = el(
      "div.side",
      {},
      name === null ? null : el("span.key", {}, this.marks.recorded(String(name))),
      content,
    );
    cell.style.paddingInlineStart = 8 + Math.min(depth, 12) * 14 + "px";
    return cell;
  }

  short(name, marked, depth) {
    const value = this.marks.recordedValue(marked);
    return this.cell(
      name,
      depth,
      typeof value === "string"
        ? markedText([["=", value]], "-")
        : el("span.literal", {}, brief(value, 160)),
    );
  }

  whole(mark, name, marked, depth) {
    const value = this.marks.recordedValue(marked);
    return value === undefined
      ? el("div.side.absent", {}, el("span.sr", {}, "nothing"))
      : this.cell(name, depth, el(mark, {}, isContainer(value) ? tree(value) : scalar(value)));
  }

  line(state, left, right) {
    this.lines++;
    left.classList.add(state);
    right.classList.add(state);
    this.grid.append(left, right);
  }
}

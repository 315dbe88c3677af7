/**
 * Marks in texts: a part that rules replaced is between the first two of three characters, and its
 * replacement between the last two.
 */
class Marks {
  static NONE = new Marks("");

  constructor(characters) {
    const [open, middle, close] = characters;
    this.isNone = characters === "";
    const part = this.isNone ? "(?!)" : `${open}([^${middle}]*)${middle}([^${close}]*)${close}`;
    this.parts = new RegExp(part, "gu");
    this.strays = this.isNone ? /(?!)/u : new RegExp(`[${characters}]`, "gu");
    this.linePattern = new RegExp(`(?:${part}|[^\n])*\n?`, "gu");
    this.wordPattern = new RegExp(`${part}|[\\p{L}\\p{N}_]+(?:[.,]\\p{N}+)*|\\s+|[^]`, "gu");
    this.unitPattern = new RegExp(`${part}|[^]`, "gu");
  }

  /** The recorded text of a marked text. */
  recorded(text) {
    return this.isNone ? text : text.replace(this.parts, "$1");
  }

  /** The compared text of a marked text, with the replacements in place. */
  compared(text) {
    return this.isNone ? text : text.replace(this.parts, "$2");
  }

  /** The recorded value of a marked value. */
  recordedValue(value) {
    if (this.isNone) {
      return value;
    } else if (value instanceof Map) {
      return new Map(
        [...value].map(([name, member]) => [this.recorded(name), this.recordedValue(member)]),
      );
    } else if (Array.isArray(value)) {
      return value.map((element) => this.recordedValue(element));
    }
    return typeof value === "string" ? this.recorded(value) : value;
  }

  /** Whether each name and text of a value has either all marks of a part or none. */
  areWhole(value) {
    if (value instanceof Map) {
      return [...value].every(([name, member]) => this.areWhole(name) && this.areWhole(member));
    } else if (Array.isArray(value)) {
      return value.every((element) => this.areWhole(element));
    }
    return typeof value !== "string" || value.replace(this.parts, "").search(this.strays) < 0;
  }

  lines(text) {
    return this.isNone
      ? text.split(/(?<=\n)/)
      : text.match(this.linePattern).filter((line) => line !== "");
  }

  words(text) {
    return text.match(this.wordPattern) ?? [];
  }

  /** Characters, and parts that were replaced. */
  units(text) {
    return text.match(this.unitPattern) ?? [];
  }

  /** The edits between tokens in their compared form; of equal ones both tokens. */
  edits(a, b) {
    const key = (token) => this.compared(token);
    let i = 0;
    let j = 0;
    return edits(a.map(key), b.map(key)).map(([operation]) =>
      operation === "=" ? ["=", a[i++], b[j++]] : operation === "-" ? ["-", a[i++]] : ["+", b[j++]],
    );
  }
}

/** The maximum number of edits up to which the longest common subsequence is found exactly. */
const MOST_EDITS = 500;

/**
 * The edits that turn one list into another: [operation, element] with "=", "-", "+". The longest
 * common subsequence (Myers 1986); of lists that differ too much only the common beginning and end.
 */
function edits(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    start++;
  }
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) {
    end++;
  }
  const middle = shortestEdits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const same = (element) => ["=", element];
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

function shortestEdits(a, b) {
  const replaced = () => [...a.map((x) => ["-", x]), ...b.map((x) => ["+", x])];
  if (a.length === 0 || b.length === 0) {
    return replaced();
  }
  const trace = [];
  let reached = new Map([[1, 0]]);
  for (let d = 0; d <= MOST_EDITS; d++) {
    trace.push(new Map(reached));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reached.get(k - 1) < reached.get(k + 1));
      let x = down ? reached.get(k + 1) : reached.get(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) {
        x++;
      }
      reached.set(k, x);
      if (x >= a.length && x - k >= b.length) {
        return followBack(trace, a, b);
      }
    }
  }
  return replaced();
}

function followBack(trace, a, b) {
  const found = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const reached = trace[d];
    const k = x - y;
    const down = k === -d || (k !== d && reached.get(k - 1) < reached.get(k + 1));
    const before = down ? k + 1 : k - 1;
    const fromX = reached.get(before);
    while (x > fromX && y > fromX - before && x > 0 && y > 0) {
      found.push(["=", a[--x]]);
      y--;
    }
    if (d > 0) {
      found.push(down ? ["+", b[--y]] : ["-", a[--x]]);
    }
  }
  return found.reverse();
}

/** The edits with consecutive ones of the same operation joined. */
function joined(list) {
  const runs = [];
  for (const [operation, text, other] of list) {
    const last = runs.at(-1);
    if (last && last[0] === operation) {
      last[1] += text;
      if (operation === "=") {
        last[2] += other;
      }
    } else {
      runs.push([operation, text, other]);
    }
  }
  return runs;
}

/** The same edits, with very short equal texts between two changes treated as changed. */
function readable(list) {
  const runs = joined(list);
  const isShort = ([operation, text], i) =>
    operation === "=" && i > 0 && i < runs.length - 1 && text.trim().length < 4;
  const out = [];
  let removed = "";
  let added = "";
  const flush = () => {
    out.push(["-", removed], ["+", added]);
    removed = added = "";
  };
  runs.forEach((run, i) => {
    if (run[0] === "=" && !isShort(run, i)) {
      flush();
      out.push(run);
    } else {
      removed += run[0] === "+" ? "" : run[1];
      added += run[0] === "-" ? "" : run[0] === "=" ? run[2] : run[1];
    }
  });
  flush();
  return out;
}

/**
 * Texts compared by lines, and by words where lines differ: runs of [operation, text], with the
 * text of the other side for equal ones.
 */
function textEdits(before, after, marks) {
  const length = (text) => marks.recorded(text).length;
  const out = [];
  let removed = "";
  let added = "";
  const flush = () => {
    const byWord = marks.edits(marks.words(removed), marks.words(added));
    const common = byWord.reduce((n, [op, word]) => n + (op === "=" ? length(word.trim()) : 0), 0);
    // a few common words are a coincidence
    if (common * 3 < Math.min(length(removed), length(added))) {
      out.push(["-", removed], ["+", added]);
    } else {
      out.push(...readable(byWord));
    }
    removed = added = "";
  };
  for (const [operation, text, other] of marks.edits(marks.lines(before), marks.lines(after))) {
    if (operation === "-") {
      removed += text;
    } else if (operation === "+") {
      added += text;
    } else {
      flush();
      out.push(["=", text, other]);
    }
  }
  flush();
  return joined(out.filter(([, text]) => text !== "")).map(([operation, text, other]) => [
    operation,
    marks.recorded(text),
    other && marks.recorded(other),
  ]);
}

/** The length of the equal text shown next to a change, in characters. */
const CONTEXT = 160;

/** One side of compared texts; equal text is cut around the changes. */
function markedText(runs, side) {
  const cell = el("span.text");
  runs.forEach(([operation, ofLeft, ofRight], i) => {
    const text = side === "+" && operation === "=" ? ofRight : ofLeft;
    if (operation === side) {
      cell.append(
        el((side === "-" ? "del" : "ins") + (text.length > 200 ? ".long" : ""), {}, scalar(text)),
      );
    } else if (operation === "=") {
      const head = i === 0 ? 0 : CONTEXT;
      const tail = i === runs.length - 1 ? 0 : CONTEXT;
      if (text.length <= head + tail + 80) {
        fill(cell, [text]);
      } else {
        const middle = text.slice(head, text.length - tail);
        const fold = el(
          "button.more",
          {
            type: "button",
            click: () => showMore(fold, [el("span", {}, middle)]),
          },
          `⋯ ${number.format(middle.length)} equal characters ⋯`,
        );
        fill(cell, [text.slice(0, head), fold, text.slice(text.length - tail)]);
      }
    }
  });
  return cell;
}

const canonicalTexts = new WeakMap();

/** A text that is the same for two values that compare as equal, regardless of member order. */
function canonical(value, marks) {
  if (!isContainer(value)) {
    return value instanceof JsonNumber
      ? value.text
      : value instanceof RecordedImage
        ? "image " + value.hash
        : JSON.stringify(typeof value === "string" ? marks.compared(value) : value);
  }
  let text = canonicalTexts.get(value);
  if (text === undefined) {
    text =
      value instanceof Map
        ? "{" +
          [...value.keys()]
            .map((n) => canonical(n, marks) + ":" + canonical(value.get(n), marks))
            .sort() +
          "}"
        : "[" + value.map((element) => canonical(element, marks)) + "]";
    canonicalTexts.set(value, text);
  }
  return text;
}

function equal(a, b, marks) {
  return a !== undefined && b !== undefined && canonical(a, marks) === canonical(b, marks);
}

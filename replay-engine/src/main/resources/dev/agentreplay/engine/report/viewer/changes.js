/** Whether the differences within a step are listed. */
function hasValues(divergence) {
  return divergence !== null && divergence.values.length > 0;
}

/** Whether the difference of a divergence can be shown on one line. */
function hasChange(divergence) {
  return hasValues(divergence) || changeText(divergence) !== null;
}

/**
 * The difference of a divergence that is not in its values: the message, or the difference from the
 * recorded request that is nearest to a miss, if that is a different one; null if there is none.
 */
function changeText(divergence) {
  const { miss, left, values, rule, message } = divergence ?? { values: [] };
  if (miss?.pointer && (values.length === 0 || miss.line !== left?.line)) {
    return miss;
  }
  return rule === "" && message !== "" ? message : null;
}

/** The name of the steps of a row. */
function nameOf(row) {
  const renamed = row.left && row.right && row.left.name !== row.right.name;
  return renamed ? `${row.left.name} → ${row.right.name}` : row.unit.name;
}

/**
 * A name in two parts, of which the first is cut if there is no space: the end tells tools apart.
 */
function splitName(name) {
  const separated = name.lastIndexOf("__") + 2;
  const at =
    separated > 2 && name.length - separated > 3 && name.length - separated < 19
      ? separated
      : name.length - 12;
  return name.length <= 16 || /[\ud800-\udfff]/.test(name)
    ? name
    : [el("span.beginning", {}, name.slice(0, at)), el("span.ending", {}, name.slice(at))];
}

/** The first difference of a divergence, on one line. */
function changeLine(divergence) {
  const text = changeText(divergence);
  if (text !== null) {
    return typeof text === "string"
      ? el("span.change", {}, el("span.message", {}, line(text)))
      : el(
          "span.change",
          {},
          el("span.pointer", {}, text.pointer),
          " ",
          el("del", {}, line(text.recorded ?? "nothing", 120)),
          " → ",
          el("ins", {}, line(text.actual ?? "nothing", 120)),
        );
  }
  const [first] = divergence.values;
  const change = first.places?.[0] ?? first;
  if (change.places) {
    // compared as a whole
    return el("span.change", {}, el("span.pointer", {}, change.pointer));
  }
  const marks = new Marks(change.marks);
  const [before, after] = nearChange(
    ...[change.before, change.after].map((excerpt) => excerptUnits(excerpt, marks)),
    marks,
  );
  const more = divergence.values.length - 1;
  return el(
    "span.change",
    {},
    el("span.pointer", {}, change.pointer),
    " ",
    before === null ? el("del", {}, "nothing") : el("del", {}, before),
    " → ",
    after === null ? el("ins", {}, "nothing") : el("ins", {}, after),
    more > 0 ? el("span.about", {}, ` and ${count(more, "more place")}`) : null,
  );
}

/** The first units of the value of an excerpt; null if there is no excerpt. */
function excerptUnits(excerpt, marks) {
  if (!excerpt) {
    return null;
  }
  const value = valueOf(excerpt);
  const text =
    value === undefined
      ? `(${count(excerpt.size, "character")})`
      : typeof value === "string"
        ? value
        : brief(value, 4000);
  return marks.units(text).slice(0, 4000);
}

/** Two texts, given as units, cut to their first difference. */
function nearChange(left, right, marks) {
  const beginning = (units, length) => line(marks.recorded(units.join("")), length);
  if (left === null || right === null) {
    return [left, right].map((units) => units && beginning(units, 120));
  }
  let same = 0;
  while (
    same < left.length &&
    same < right.length &&
    marks.compared(left[same]) === marks.compared(right[same])
  ) {
    same++;
  }
  const from = same > 24 ? same - 12 : 0;
  return [left, right].map((units) => (from > 0 ? "…" : "") + beginning(units.slice(from), 90));
}

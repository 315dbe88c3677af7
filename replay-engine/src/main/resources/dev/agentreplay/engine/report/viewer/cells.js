/** The stabilities in the order of the filter: glyph, tone, meaning. */
const STABILITIES = {
  regression: [
    "✕",
    "diverged",
    "no run agrees with the first session, and all runs agree with each other",
  ],
  unstable: [
    "≠",
    "diverged",
    "no run agrees with the first session, and the runs do not all agree with each other",
  ],
  flaky: ["≈", "diverged", "some runs agree with the first session and some do not"],
  stable: ["✓", "ok", "all runs agree with the first session"],
};

/** The letters of variants; the last one is used for all further variants. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz?";

/** The glyph, the class and the words of a cell. */
function cellOf(step, run) {
  const [relation, at, variant] = step.runs[run];
  if (at === null && step.left === null) {
    return ["·", "none", "does not have the step either"];
  }
  if (variant === 0) {
    return [
      "=",
      "matched",
      relation === "matched" ? "matches" : "differs, but not in what matters",
    ];
  }
  const letter = step.variants > 1 ? " " + LETTERS[Math.min(variant, LETTERS.length) - 1] : "";
  const words = step.variants > 1 ? `, variant ${letter.trim()}` : "";
  const kinds = {
    changed: ["≠", "changed", "changed"],
    moved: ["⇅", "moved", "moved"],
    missing: ["−", "missing", "missing"],
    added: ["+", "added", "added"],
  };
  const [glyph, name, text] = kinds[relation];
  return [glyph + letter, name, text + words];
}

/**
 * The place of a step in a session: the number of its call, or its line; "+" if only runs have it.
 */
function placeOf(step) {
  return (
    (step.left === null ? "+" : "") + (step.call === null ? "line " + step.line : "#" + step.call)
  );
}

/** Whether a run is a fork. */
function isFork({ origin }) {
  return origin?.line !== undefined;
}

/**
 * The names of forks for narrow columns, their changes: without the words with which those of all
 * forks begin. Null for other runs.
 */
function shortLabels(runs) {
  const labels = runs.map((run) => (isFork(run) ? changeWords(run.origin).split(" ") : null));
  const [first, ...others] = labels.filter(Boolean);
  let same = 0;
  while (
    others.length > 0 &&
    same < first.length &&
    others.every((words) => words[same] === first[same])
  ) {
    same++;
  }
  const isWhole = labels.some((words) => words?.length === same);
  return labels.map((words) =>
    words === null || same === 0 || isWhole
      ? (words?.join(" ") ?? null)
      : "… " + words.slice(same).join(" "),
  );
}

/** The first run that differs in a step; the first run if none does. */
function firstDiffering(step) {
  return Math.max(
    0,
    step.runs.findIndex(([, , variant]) => variant !== 0),
  );
}

/**
 * The points of the sessions that are forks: each with its origin, the side of the fork, and the
 * first row that is not before it. A point without such a row was not reached.
 */
function forkPoints(model) {
  const { sessions, run, rows } = model;
  // without the session of a replay, the point is shown in the recording
  const planned = model.isAlone ? (run.fork ?? null) : null;
  const points = sessions.map(({ facts }, side) => {
    const origin = planned ?? facts.origin;
    const isBeside = sessions.length > 1 && sessions[1 - side].facts.id === origin?.of;
    const parent = planned ? side : isBeside ? 1 - side : null;
    return { origin, side, parent };
  });
  return points
    .filter(({ origin }) => origin?.line !== undefined)
    .map((point) => ({ ...point, row: rows.find((row) => isAfter(row, point)) ?? null }));
}

/** Whether a row is not before the point of a fork. */
function isAfter(row, { origin, side, parent }) {
  const sides = [row.left, row.right];
  const replayed = parent === side ? undefined : sides[side]?.replayed;
  if (replayed !== undefined) {
    return replayed.line === undefined
      ? replayed.action !== "served"
      : replayed.line >= origin.line;
  }
  return parent !== null && (sides[parent]?.line ?? 0) >= origin.line;
}

/** The line between what a fork repeats and what follows. */
function forkLine(points) {
  return el(
    "span.fork-point",
    {},
    points.map(({ origin, side: i }) => [
      points.length > 1 ? side(i) : null,
      el("b", {}, "Fork"),
      " ",
      line(originWords(origin), 400),
    ]),
    el("span.about", {}, "what is above was served as recorded"),
  );
}

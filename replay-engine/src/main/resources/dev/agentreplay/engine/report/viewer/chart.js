/** A line chart of the step utilities, with a description; null if all are 0. */
function utilityChart(model) {
  const series = model.sessions.map((session) =>
    session.units.map((unit) => unit.utility).filter((u) => u !== undefined),
  );
  const longest = Math.max(...series.map((values) => values.length));
  if (series.flat().every((value) => value === 0)) {
    return null; // also without any
  }
  const svg = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    element.append(...children);
    return element;
  };
  const x = (i) => 30 + (longest === 1 ? 280 : (i * 560) / (longest - 1));
  const y = (u) => 60 - Math.max(-1, Math.min(1, u)) * 50;
  const means = series.map((values) =>
    values.length === 0 ? "none" : (values.reduce((a, b) => a + b) / values.length).toFixed(2),
  );
  const label = model.isDiff
    ? `mean ${means[0]} in ${SIDES[0]}, ${means[1]} in ${SIDES[1]}`
    : `mean ${means[0]}`;
  const grid = [1, 0, -1].flatMap((u) => [
    svg("line", { x1: 30, x2: 590, y1: y(u), y2: y(u), class: u === 0 ? "zero" : "grid" }),
    svg("text", { x: 22, y: y(u) + 4, "text-anchor": "end" }, String(u)),
  ]);
  // if there are more points than pixels, draw means
  const thin = (values) => {
    const size = Math.ceil(values.length / 280);
    return Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
      const part = values.slice(i * size, (i + 1) * size);
      return [i * size + (part.length - 1) / 2, part.reduce((a, b) => a + b) / part.length];
    });
  };
  const lines = series.map((values, i) => {
    const points = values.length === 0 ? [] : thin(values);
    const style = model.isDiff ? "line " + sideClass(i) : "line ok";
    return [
      svg("polyline", {
        class: style,
        points: points.map(([at, u]) => `${x(at)},${y(u)}`).join(" "),
      }),
      ...(points.length > 60
        ? []
        : points.map(([at, u]) => svg("circle", { class: style, cx: x(at), cy: y(u), r: 2.5 }))),
    ];
  });
  const chart = svg(
    "svg",
    { viewBox: "0 0 600 120", role: "img", "aria-label": "Step utility: " + label },
    ...grid,
    ...lines.flat(),
  );
  return [el("p.about", {}, label, ", from −1 to 1, result by result"), chart];
}

/** Clears a canvas and sets its resolution to that of the screen; returns its drawing context. */
function canvas(element) {
  const ratio = window.devicePixelRatio || 1;
  element.width = Math.max(1, Math.round(element.clientWidth * ratio));
  element.height = Math.max(1, Math.round(element.clientHeight * ratio));
  const paper = element.getContext("2d", { willReadFrequently: true });
  paper.setTransform(ratio, 0, 0, ratio, 0, 0);
  return paper;
}

/** A color of the style sheet in the current theme. */
function color(name) {
  if (!color.known.has(name)) {
    const probe = el("span.color-" + name, { hidden: true });
    document.body.append(probe);
    color.known.set(name, getComputedStyle(probe).color);
    probe.remove();
  }
  return color.known.get(name);
}
color.known = new Map();

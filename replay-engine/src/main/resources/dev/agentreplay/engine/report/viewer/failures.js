/** The error of an event: its class and message, its causes and its stack; null if it has none. */
function failure(value) {
  const error = value?.get?.("error");
  if (error === undefined || error === null) {
    return null;
  }
  if (!(error instanceof Map)) {
    return el(
      "section.failure",
      {},
      el("h3", {}, "Error"),
      typeof error === "string" ? longText(error) : tree(error),
    );
  }
  const known = ["name", "message", "retryable", "causes", "stack"];
  const rest = new Map([...error].filter(([name]) => !known.includes(name)));
  const retryable = error.get("retryable");
  const causes = error.get("causes");
  const stack = textOf(error, "stack");
  return el(
    "section.failure",
    {},
    el("h3", {}, "Error"),
    failureHead(
      error,
      typeof retryable === "boolean"
        ? el("span.about", {}, retryable ? "may be retried" : "not retryable")
        : null,
    ),
    Array.isArray(causes) && causes.length > 0
      ? el(
          "ol.causes",
          { "aria-label": "Causes" },
          causes.map((cause) =>
            el("li", {}, cause instanceof Map ? failureHead(cause) : tree(cause)),
          ),
        )
      : null,
    stack
      ? fold(["Stack trace", el("span.preview", {}, line(stack, 120))], () =>
          longText(stack, {
            cut: cutOf(error, "stack"),
            style: "code",
            length: 20_000,
            lines: 200,
          }),
        )
      : null,
    rest.size > 0 ? tree(rest, new Map(), 1) : null,
  );
}

function failureHead(error, note = null) {
  const [name, message] = ["name", "message"].map((member) => textOf(error, member));
  return [
    name || note
      ? el("p", {}, name ? el("b.failed", {}, name) : null, note ? [" ", note] : null)
      : null,
    message ? longText(message, { cut: cutOf(error, "message") }) : null,
    name || message ? null : tree(error, new Map(), 2),
  ];
}

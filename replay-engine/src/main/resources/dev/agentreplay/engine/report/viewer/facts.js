/** The parameters of a model call that have a fact of their own. */
const PARAMETER_NAMES = new Map([
  ["max_tokens", "max tokens"],
  ["top_p", "top p"],
  ["top_k", "top k"],
]);

/** Facts about a step, as pairs of label and value: what was configured and what it took. */
function modelFacts(unit) {
  const parameters = valueOf(unit.call)?.get?.("parameters");
  const { tokens, finish, cost } = unit.result ?? {};
  const answered = textOf(unit.result && valueOf(unit.result), "model");
  return [
    ["model", unit.kind === "ModelCall" ? unit.call.name : undefined],
    ["answered by", answered !== unit.call.name ? answered : undefined],
    ...(parameters instanceof Map ? [...parameters] : [])
      .slice(0, 12)
      .filter(([, value]) => value !== null && (!isContainer(value) || sizeOf(value) > 0))
      .map(([name, value]) => [PARAMETER_NAMES.get(name) ?? line(name, 40), brief(value, 60)]),
    ["finish reason", finish],
    ["tokens", tokens && `${tokenCount(tokens[0])} → ${tokenCount(tokens[1])}`],
    ["cost", cost],
  ];
}

function tokenCount(n) {
  return n === null ? "?" : number.format(n);
}

function toolFacts(unit) {
  const { exit, error } = unit.result ?? {};
  return [
    ["exit code", exit],
    ["error", error === undefined ? undefined : shortClass(error)],
  ];
}

function fileFacts(unit) {
  const value = valueOf(unit.call);
  const size = value?.get("bytes");
  return value === undefined
    ? []
    : [
        ["file", fileChange(value)],
        ["size", size instanceof JsonNumber ? count(Number(size.text), "byte") : undefined],
        ["mode", textOf(value, "mode")],
      ];
}

/** The facts that only steps of a kind have. */
function factsOfKind(unit) {
  return unit.isTool
    ? toolFacts(unit)
    : unit.group === "Model turns"
      ? modelFacts(unit)
      : unit.kind === "FileState"
        ? fileFacts(unit)
        : [];
}

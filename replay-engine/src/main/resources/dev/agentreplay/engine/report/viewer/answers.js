/** The glyph and the description of kinds of divergences in the page of a replay. */
const RUN_KINDS = {
  MISS: ["∅", "not in the recording"],
  UNREAD: ["−", "recorded, but not requested"],
  TIMEOUT: ["!", "timed out"],
  REFUSED: ["!", "refused"],
  DRIFT: ["⇅", "values requested in a different way"],
  UNDECIDED: ["?", "recorded without a result"],
  NOT_REEXECUTED: ["·", "served, not executed"],
  MISSING: ["−", "not in the replay"],
  ADDED: ["+", "only in the replay"],
};

/** The state of an answer by the kind of a divergence: the log of a replay does not have all. */
const ANSWER_KINDS = {
  MISS: "missed",
  UNDECIDED: "missed",
  TIMEOUT: "timed out",
  REFUSED: "refused",
};

const NOT_EXECUTED = "not executed";

/** The states of answers that the agent did not get when it was recorded. */
const BAD_ANSWERS = new Set(["missed", "refused", "timed out", NOT_EXECUTED, "not requested"]);

/**
 * Places what the comparison of the sessions does not have at the rows of its lines: divergences
 * that only the ledger has, and findings of the verification.
 */
function placeReport(model) {
  const rows = new Map(
    model.rows.flatMap((row) => [
      [row.left, row],
      [row.right, row],
    ]),
  );
  const placed = new Set(model.rows.map((row) => row.divergence));
  for (const divergence of model.divergences.values()) {
    const unit = [divergence.left, divergence.right]
      .map((at, i) => model.sessions[i]?.byLine.get(at?.line))
      .find(Boolean);
    const row = unit && rows.get(unit);
    if (row && !placed.has(divergence.number)) {
      const all = [...model.divergencesOf(row), divergence];
      all.sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
      [row.divergence, ...row.more] = all.map((each) => each.number);
    }
  }
  for (const [at, isGrave, text] of model.run.verification.findings) {
    const unit = isGrave && model.sessions[0].byLine.get(at);
    const event = unit && unit.events.find((each) => each.line === at);
    if (event) {
      event.findings = [...new Set([...(event.findings ?? []), text])];
    }
  }
}

/**
 * How a replay answered the request of a row: its state, a label, a description, and if it was
 * requested, the rung by which it was matched, or "none"; null if it is not stated.
 */
function answerOf(model, row) {
  const unit = model.isDiff ? row.right : row.unit;
  const kinds = model.run ? model.divergencesOf(row) : [];
  const known = kinds
    .map((divergence) => (divergence.not_executed ? NOT_EXECUTED : ANSWER_KINDS[divergence.kind]))
    .find(Boolean);
  if (!unit) {
    const isUnread = kinds.some((divergence) => divergence.kind === "UNREAD");
    const unreached = kinds[0]?.severity === "none" ? kinds[0].rule : null;
    const state = known ?? (isUnread ? "not requested" : unreached);
    return (
      state && {
        state,
        label: state,
        words: model.difference(row)[1],
        isBad: BAD_ANSWERS.has(state),
      }
    );
  }
  const { action, match, line: at } = unit.replayed ?? {};
  // what the recording of a fork cannot answer is a miss, and may be answered all the same
  const isAnswered = ["executed", "answered"].includes(action);
  const state = known === "missed" && isAnswered ? action : (known ?? action);
  if (state === undefined) {
    return null;
  }
  const rule = match === undefined || state === "missed" ? "" : match.replaceAll("_", " ");
  return {
    state,
    match: match === undefined || state === "missed" ? "none" : match,
    isBad: BAD_ANSWERS.has(state),
    label: rule === "" || rule === "exact" ? state : `${state} · ${rule}`,
    words:
      `answer: ${state}${rule ? ", matched by the rule " + rule : ""}` +
      (at ? `, line ${at} of the recording` : ""),
  };
}

function answerChip(answer) {
  const isShown = ["executed", "changed", "answered"].includes(answer.state);
  const style = answer.isBad ? ".bad" : isShown ? "." + answer.state : "";
  return el("span.answer" + style, { title: answer.words }, line(answer.label, 40));
}

/** The word for a session of a replay. */
function sideWord(model, i) {
  return model.run === null || !areLetters()
    ? null
    : el(
        "b.side-word",
        {},
        i === 0 ? "Recording" : model.run.mode === "validation" ? "Other recording" : "Replay",
      );
}

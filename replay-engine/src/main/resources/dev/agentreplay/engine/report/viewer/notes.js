/** Whether each session that does not show a value shows a replacement of it. */
function isReplaced(withheld) {
  return [withheld.left, withheld.right].every((reason) => reason === null || reason.rule !== null);
}

/** The reason why a value is not compared. */
function withheldNote(withheld) {
  const notes = [withheld.left, withheld.right].map(
    (reason, i) =>
      reason &&
      `${SIDES[i]}: ` +
        (reason.rule === null
          ? "withheld by policy "
          : `replaced by rule ${reason.rule} of policy `) +
        reason.policy,
  );
  return notes.filter((note) => note !== null).join("; ");
}

/** Whether the contents of a file are texts, as far as there are any. */
function areTexts(file) {
  return [file.left, file.right].every((content) => content === null || content.form === "text");
}

/** The reason why the contents of a file are not compared line by line. */
function contentsNote(file) {
  const forms = {
    text: "text",
    binary: "binary",
    large: "too large",
    missing: "not stored",
    omitted: "left out, because the contents of earlier divergences took all the memory",
  };
  const notes = [file.left, file.right].map(
    (content, i) =>
      content &&
      `${SIDES[i]}: ${forms[content.form]}` +
        (content.bytes === null ? "" : ", " + count(content.bytes, "byte")),
  );
  return "not compared line by line: " + notes.filter((note) => note !== null).join("; ");
}

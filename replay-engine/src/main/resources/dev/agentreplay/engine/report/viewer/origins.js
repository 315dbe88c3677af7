/** The changes of a fork in words; those beyond the limit of the file are counted. */
function changeWords({ changes, more }) {
  return changes.length === 0
    ? "no change"
    : changes.join(", ") + (more === undefined ? "" : ` and ${number.format(more)} more`);
}

/** The point of a fork and its changes, or the mode of a replay. */
function originWords(origin) {
  return origin.line === undefined
    ? origin.mode + " replay"
    : `at line ${number.format(origin.line)}: ${changeWords(origin)}`;
}

/** The origin with the parent, whose id is in the words; a note may follow the id. */
function originOf(origin, note = "") {
  const parent = origin.of === undefined ? "a session without an id" : line(origin.of, 60);
  return origin.line === undefined
    ? `${origin.mode} replay of ${parent}${note}`
    : `fork of ${parent}${note} ${originWords(origin)}`;
}

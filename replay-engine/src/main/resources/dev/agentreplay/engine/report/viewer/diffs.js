/** Two texts as a diff of lines, with the changed words of similar lines marked. */
function lineDiff(before, after) {
  const ended = before.endsWith("\n") === after.endsWith("\n") || before === "" || after === "";
  const lines = (text) => (text === "" ? [] : (ended ? text.replace(/\n$/, "") : text).split("\n"));
  const blocks = [];
  for (const [operation, text] of edits(lines(before), lines(after))) {
    let last = blocks.at(-1);
    if (!last || last.isEqual !== (operation === "=")) {
      last = { isEqual: operation === "=", lines: [], "-": [], "+": [] };
      blocks.push(last);
    }
    (last.isEqual ? last.lines : last[operation]).push(text);
  }
  const out = [];
  blocks.forEach((part, i) => {
    if (part.isEqual) {
      equalLines(part.lines, i === 0, i === blocks.length - 1, out);
    } else {
      out.push(...changedLines(part["-"], part["+"]));
    }
  });
  return diffBox(out, blocks.every((part) => part.isEqual) ? "the texts are equal" : null);
}

function equalLines(lines, isFirst, isLast, out) {
  const head = isFirst ? 0 : NEAR_LINES;
  const tail = isLast ? 0 : NEAR_LINES;
  if (lines.length <= head + tail + 3) {
    out.push(...lines.map((text) => diffLine(" ", text)));
    return;
  }
  const middle = lines.slice(head, lines.length - tail);
  const fold = el(
    "button.more",
    {
      type: "button",
      click: () =>
        showMore(
          fold.parentElement,
          middle.map((text) => diffLine(" ", text)),
        ),
    },
    `⋯ ${count(middle.length, "unchanged line")} ⋯`,
  );
  out.push(
    ...lines.slice(0, head).map((text) => diffLine(" ", text)),
    el("div.line.gap", {}, fold),
    ...lines.slice(lines.length - tail).map((text) => diffLine(" ", text)),
  );
}

/** The lines of a change. If both sides are similar, the words that differ are marked. */
function changedLines(removed, added) {
  const texts = [removed.join("\n"), added.join("\n")];
  const runs =
    removed.length > 0 && added.length > 0 && texts[0].length + texts[1].length < 40_000
      ? textEdits(texts[0] + "\n", texts[1] + "\n", Marks.NONE)
      : [];
  if (!runs.some(([operation]) => operation === "=")) {
    return [
      ...removed.map((text) => diffLine("-", text)),
      ...added.map((text) => diffLine("+", text)),
    ];
  }
  return [...markedLines(runs, "-", removed.length), ...markedLines(runs, "+", added.length)];
}

function markedLines(runs, side, size) {
  const lines = [[]];
  for (const [operation, ofLeft, ofRight] of runs) {
    if (operation === "=" || operation === side) {
      const text = side === "+" && operation === "=" ? ofRight : ofLeft;
      text.split("\n").forEach((piece, i) => {
        if (i > 0) {
          lines.push([]);
        }
        if (piece !== "") {
          lines
            .at(-1)
            .push(operation === "=" ? piece : el(side === "-" ? "del" : "ins", {}, piece));
        }
      });
    }
  }
  return lines.slice(0, size).map((content) => diffLine(side, content));
}

function diffLine(sign, content) {
  const kind = sign === "-" ? ".removed" : sign === "+" ? ".added" : sign === "@" ? ".hunk" : "";
  return el(
    "div.line" + kind,
    {},
    el("span.mark", { "aria-hidden": "true" }, sign === "@" ? "" : sign),
    kind === ".removed"
      ? el("span.sr", {}, "removed: ")
      : kind === ".added"
        ? el("span.sr", {}, "added: ")
        : null,
    el("span.text", {}, content),
  );
}

/** The lines of a unified diff, or of a patch that begins with "*** Begin Patch". */
function patchLines(patch) {
  const lines = patch.replace(/\n$/, "").split("\n");
  return diffBox(
    lines.map((text) => {
      const isHead =
        /^(?:@@|diff |index |--- |\+\+\+ |\*\*\* |new file|deleted file|similarity|rename )/.test(
          text,
        );
      return isHead
        ? diffLine("@", text)
        : /^[-+ ]/.test(text)
          ? diffLine(text[0], text.slice(1))
          : diffLine(" ", text);
    }),
  );
}

function diffBox(lines, note = null) {
  const box = el(
    "div.line-diff",
    {},
    note === null ? null : el("p.about", {}, note),
    lines.slice(0, MOST_EDIT_LINES),
  );
  if (lines.length > MOST_EDIT_LINES) {
    const more = el(
      "button.more",
      { type: "button", click: () => showMore(more, lines.slice(MOST_EDIT_LINES)) },
      `${count(lines.length - MOST_EDIT_LINES, "more line")}`,
    );
    box.append(more);
  }
  return box;
}

/** The length of a text, and its number of lines, above which it is folded. */
const LONG_MESSAGE = 1_800;
const MANY_MESSAGE_LINES = 28;

/** A text of which only the beginning is shown, with a button that shows the rest. */
function longText(
  text,
  { cut, style = "words", length = LONG_MESSAGE, lines = MANY_MESSAGE_LINES } = {},
) {
  let end = Math.min(text.length, length);
  for (let at = -1, n = 0; n < lines; n++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0 || at >= end) {
      break;
    }
    end = n === lines - 1 ? at : end;
  }
  // a short rest is not worth a button
  end = text.length - end < 200 && !text.slice(end, end + 200).includes("\n") ? text.length : end;
  end -= end < text.length && /[\ud800-\udbff]/.test(text[end - 1]) ? 1 : 0;
  const node = el("div." + style, {}, el("span.text", {}, text.slice(0, end)));
  if (end < text.length) {
    const more = el(
      "button.more",
      { type: "button", click: () => showMore(more, [el("span.text", {}, text.slice(end))]) },
      `Show all ${number.format(text.length)} characters`,
    );
    node.append(more);
  }
  if (cut !== undefined) {
    node.append(
      el(
        "p.cut",
        {},
        `The text is cut: this file has ${number.format(text.length)} of ${count(cut, "character")}.`,
      ),
    );
  }
  return node;
}

/** A fold, whose content is added to the page when it is opened. */
function fold(title, content, style = "part") {
  const node = el("details." + style, {}, el("summary", {}, title));
  node.addEventListener("toggle", () => {
    if (node.childElementCount === 1) {
      fill(node, [content()]);
    }
  });
  return node;
}

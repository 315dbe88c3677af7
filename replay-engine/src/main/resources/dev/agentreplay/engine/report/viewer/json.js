/** A number as text: a JavaScript number would lose digits of a 64-bit integer. */
class JsonNumber {
  constructor(text) {
    this.text = text;
  }
}

/** The maximum nesting depth; no log contains values nested deeper. */
const DEEPEST = 1000;

/** Parses JSON. Objects become maps, so that no member name is special; numbers keep their text. */
function parseJson(text) {
  let at = 0;
  const space = () => {
    while (at < text.length && " \t\n\r".includes(text[at])) {
      at++;
    }
  };
  const string = () => {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') {
      end += text[end] === "\\" ? 2 : 1;
    }
    const value = JSON.parse(text.slice(at, end + 1));
    at = end + 1;
    return value;
  };
  let depth = 0;
  const items = (close, item) => {
    if (++depth > DEEPEST) {
      throw new SyntaxError("nested deeper than " + DEEPEST);
    }
    at++;
    for (space(); text[at] !== close; space()) {
      if (at >= text.length) {
        throw new SyntaxError("text ends within a value");
      }
      if (text[at] === ",") {
        at++;
      }
      item();
    }
    depth--;
    at++;
  };
  const value = () => {
    space();
    if (text[at] === "{") {
      const members = new Map();
      items("}", () => {
        space();
        const name = string();
        space();
        at++; // the colon
        members.set(name, value());
      });
      return members;
    }
    if (text[at] === "[") {
      const elements = [];
      items("]", () => elements.push(value()));
      return elements;
    }
    if (text[at] === '"') {
      return string();
    }
    const from = at;
    while (at < text.length && !",]} \t\n\r".includes(text[at])) {
      at++;
    }
    const word = text.slice(from, at);
    return /^[-0-9]/.test(word) ? new JsonNumber(word) : JSON.parse(word);
  };
  return value();
}

/** The object or array that a text contains as JSON; undefined if it does not. */
function jsonIn(text) {
  if (typeof text !== "string" || !/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    JSON.parse(text);
    return parseJson(text);
  } catch (notJson) {
    return undefined;
  }
}

function isContainer(value) {
  return value instanceof Map || Array.isArray(value);
}

function sizeOf(value) {
  return value instanceof Map ? value.size : value.length;
}

/** The members of an object or array: names or indices, with values. */
function membersOf(value) {
  return value instanceof Map ? [...value] : value.map((element, i) => [i, element]);
}

function child(pointer, name) {
  return pointer + "/" + String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A value on one line: texts without quotes, objects as names and values. */
function brief(value, length = 240) {
  let text = "";
  const add = (v, nested) => {
    if (text.length > length) {
      return;
    }
    if (v instanceof Map) {
      text += nested ? "{" : "";
      [...v].slice(0, 20).forEach(([name, member], i) => {
        text += (i > 0 ? ", " : "") + name.slice(0, length) + ": ";
        add(member, true);
      });
      text += (v.size > 20 ? ", …" : "") + (nested ? "}" : "");
    } else if (Array.isArray(v)) {
      text += "[";
      v.slice(0, 20).forEach((element, i) => {
        text += i > 0 ? ", " : "";
        add(element, true);
      });
      text += (v.length > 20 ? ", …" : "") + "]";
    } else {
      text +=
        typeof v === "string"
          ? v.slice(0, length + 1)
          : v instanceof JsonNumber
            ? v.text
            : String(v);
    }
  };
  add(value, false);
  return line(text, length);
}

/** A scalar; of a long text the beginning, with a button that shows the rest. */
function scalar(value) {
  if (value instanceof RecordedImage) {
    return value.element();
  }
  if (typeof value !== "string") {
    return el("span.literal", {}, value instanceof JsonNumber ? value.text : String(value));
  }
  const shown = 2000;
  const text = el("span.text", {}, value.slice(0, shown));
  if (value.length > shown) {
    const more = el(
      "button.more",
      {
        type: "button",
        click: () => showMore(more, [el("span", {}, value.slice(shown))]),
      },
      `… ${number.format(value.length - shown)} more characters`,
    );
    text.append(more);
  }
  return text;
}

/** A note about the cut part of a value; null if nothing was cut. */
function cutNote(value, cuts, pointer) {
  const cut = cuts.get(pointer);
  if (!cut) {
    return null;
  }
  const what =
    typeof value === "string" ? "character" : value instanceof Map ? "member" : "element";
  return el(
    "div.cut",
    {},
    `the first ${number.format(cut[2])} of ${count(cut[1], what)} are in this file`,
  );
}

/**
 * A collapsible tree of a value. Collapsed parts are added to the page only when they are opened.
 *
 * @param cuts the cut parts, by pointer
 * @param open the number of levels that are open at first
 */
function tree(value, cuts = new Map(), open = 2, name = null, pointer = "") {
  const key = name === null ? null : el("span.key", {}, String(name));
  const inner = jsonIn(value);
  if (!isContainer(value) && inner === undefined) {
    return el("div.leaf", {}, key, scalar(value), cutNote(value, cuts, pointer));
  }
  const shown = inner ?? value;
  if (sizeOf(shown) === 0 && !cuts.has(pointer)) {
    return el("div.leaf", {}, key, el("span.about", {}, shown instanceof Map ? "{}" : "[]"));
  }
  const about = count(sizeOf(shown), shown instanceof Map ? "member" : "element");
  const summary = el(
    "summary",
    {},
    key,
    el("span.about", {}, inner === undefined ? about : "JSON text, " + about),
    el("span.preview", {}, brief(shown, 120)),
  );
  const node = el("details.node", {}, summary);
  const unfold = () => {
    if (node.childElementCount > 1) {
      return;
    }
    const body = el("div.members");
    node.append(body);
    addMembers(body, membersOf(shown), (n, v) =>
      tree(v, inner === undefined ? cuts : new Map(), open - 1, n, child(pointer, n)),
    );
    fill(node, [cutNote(value, cuts, pointer)]);
    if (inner !== undefined) {
      const raw = el(
        "button.more",
        {
          type: "button",
          click: () => showMore(raw, [scalar(value)]),
        },
        "show the text",
      );
      node.append(raw);
    }
  };
  node.addEventListener("toggle", unfold);
  if (open > 0) {
    node.open = true;
    unfold();
  }
  return node;
}

/** Replaces a button, or the element that has it, with what it shows, which gets the focus. */
function showMore(replaced, nodes) {
  replaced.replaceWith(...nodes);
  const target = nodes[0].querySelector(":scope > summary") ?? nodes[0];
  if (target === nodes[0]) {
    target.tabIndex = -1;
  }
  target.focus({ preventScroll: true });
}

/** Appends members, a hundred at a time. */
function addMembers(body, members, render) {
  body.append(
    ...inHundreds(members.length, (from, to) =>
      members.slice(from, to).map(([name, value]) => render(name, value)),
    ),
  );
}

/**
 * The elements of up to a hundred values, and a button that shows more.
 *
 * @param nodesOf returns the elements of the values between two places
 */
function inHundreds(length, nodesOf, from = 0) {
  const to = Math.min(length, from + 100);
  const nodes = nodesOf(from, to);
  if (to < length) {
    const more = el(
      "button.more",
      {
        type: "button",
        click: () => showMore(more, inHundreds(length, nodesOf, to)),
      },
      `${number.format(length - to)} more`,
    );
    nodes.push(more);
  }
  return nodes;
}

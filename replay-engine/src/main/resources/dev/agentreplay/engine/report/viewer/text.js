"use strict";

// Recorded text is untrusted. It is added to the page only as text nodes created here. Invisible
// characters, and those that change the display of their neighbors, are shown by code point.
// A variation selector that follows a symbol is part of an emoji. PlainText has the same rule.
const HIDDEN = new RegExp(
  "(?:[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f" +
    "\\u2800\\u3000]|\\p{Cf}|\\p{Cs}|(?![\\ufe0e\\ufe0f])\\p{Default_Ignorable_Code_Point}" +
    "|(?<![\\p{So}\\p{Sm}])[\\ufe0e\\ufe0f])+",
  "gu",
);

/** The characters of a hidden text as control pictures or code points. */
function spelled(hidden) {
  return Array.from(hidden, (c) => {
    const code = c.codePointAt(0);
    if (code < 0x20 || code === 0x7f) {
      return String.fromCodePoint(code === 0x7f ? 0x2421 : 0x2400 + code);
    }
    return "U+" + code.toString(16).toUpperCase().padStart(4, "0");
  }).join(" ");
}

/** Appends a text to an element, with hidden characters made visible. */
function put(parent, text) {
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    parent.append(text.slice(from, match.index));
    const mark = document.createElement("span");
    mark.className = "hidden-character";
    mark.textContent = spelled(match[0]);
    parent.append(mark);
    from = match.index + match[0].length;
  }
  parent.append(text.slice(from));
}

/** A text for an attribute, or for a canvas. */
function plain(text) {
  return text.replace(HIDDEN, spelled);
}

/** The beginning of a text on one line. */
function line(text, length = 240) {
  const short =
    text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, "") + "…" : text;
  return short
    .replace(/\s*\n\s*/g, " ↵ ")
    .replace(/[ \t]+/g, " ")
    .trim();
}

/** Creates an element. Attribute values are made printable; null and false omit an attribute. */
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) {
    element.className = classes.join(" ");
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "click") {
      element.addEventListener("click", value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : plain(String(value)));
    }
  }
  fill(element, children);
  return element;
}

/** Appends elements and texts, which may be nested in arrays; null and false are omitted. */
function fill(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child instanceof Node) {
      parent.append(child);
    } else if (child !== null && child !== undefined && child !== false) {
      put(parent, String(child));
    }
  }
}

function byId(id) {
  return document.getElementById(id);
}

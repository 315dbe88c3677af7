/** Rows of one height in a box that scrolls, of which only the visible ones are in the page. */
class Sheet {
  /**
   * @param box the element that scrolls and has the focus, with an element .sheet for the rows
   * @param element creates the element of a row, given the row and its place
   */
  constructor(box, element) {
    this.box = box;
    this.sheet = box.querySelector(".sheet");
    this.element = element;
    this.rows = [];
    this.height = 0;
    this.first = 1; // the aria-rowindex of the first row
    this.drawn = new Map(); // the elements of rows that are in the page
    box.addEventListener("scroll", () => this.draw(this.drawn));
    new ResizeObserver(() => this.draw(this.drawn)).observe(box);
  }

  show(rows, height) {
    this.rows = rows;
    this.height = height;
    this.sheet.style.height = rows.length * height + "px";
    this.draw();
  }

  /** Draws the visible rows; those of the given elements are kept as they are. */
  draw(kept = new Map()) {
    const top = Math.max(0, this.box.scrollTop);
    const from = Math.max(0, Math.floor(top / this.height) - 6);
    const to = Math.min(
      this.rows.length,
      Math.ceil((top + this.box.clientHeight) / this.height) + 6,
    );
    const drawn = new Map();
    for (let i = from; i < to; i++) {
      const old = kept.get(this.rows[i]);
      const element = old ?? this.element(this.rows[i], i);
      drawn.set(this.rows[i], element);
      if (old !== undefined) {
        continue;
      }
      element.setAttribute("aria-rowindex", this.first + i);
      element.style.top = i * this.height + "px";
      element.style.height = this.height + "px";
    }
    this.drawn = drawn;
    this.sheet.replaceChildren(...drawn.values());
  }

  /** The number of rows that fit into the box. */
  get page() {
    return Math.max(1, Math.floor((this.box.clientHeight - this.covered) / this.height) - 1);
  }

  /** The height of the head and the foot, which cover rows. */
  get covered() {
    return (
      this.sheet.offsetTop +
      [...this.box.querySelectorAll(".foot")].reduce((sum, foot) => sum + foot.offsetHeight, 0)
    );
  }

  /** Scrolls a row into the view. */
  reveal(place) {
    const room = this.box.clientHeight - this.covered;
    const top = place * this.height;
    if (top < this.box.scrollTop || top + this.height > this.box.scrollTop + room) {
      this.box.scrollTop = top - Math.max(0, (room - this.height) / 3);
    }
    this.draw();
  }
}

/** A text with the matches of a global pattern marked; null marks nothing. */
function marked(text, pattern) {
  if (pattern === null) {
    return [text];
  }
  const out = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    out.push(text.slice(from, match.index), el("mark.hit", {}, match[0]));
    from = match.index + match[0].length;
    if (out.length > 100) {
      break;
    }
  }
  return [...out, text.slice(from)];
}

/** The part of a text around the first match of a pattern, on one line, with the matches marked. */
function around(text, pattern, length = 300) {
  const at = pattern === null ? -1 : text.search(pattern);
  const from = at > 40 ? at - 20 : 0;
  return marked((from > 0 ? "…" : "") + line(text.slice(from), length), pattern);
}

/** Whether the reader's commands run in PowerShell. */
function isOnWindows() {
  return /^win/i.test(navigator.userAgentData?.platform || navigator.platform);
}

/** A word of a command for a POSIX shell, or for PowerShell. */
function quoted(word, isWindows = isOnWindows()) {
  const shown = word.startsWith("-") ? (isWindows ? ".\\" : "./") + word : word;
  const safe = isWindows ? /^[\w.:\\/+=-]+$/ : /^[\w./:@%+=,-]+$/;
  return safe.test(shown)
    ? shown
    : "'" +
        (isWindows ? shown.replace(/['\u2018-\u201b]/g, "$&$&") : shown.replaceAll("'", "'\\''")) +
        "'";
}

/** Copies a command, unless its words have characters that a terminal could interpret. */
async function copyCommand(...words) {
  const command = words.map((word) => quoted(word)).join(" ");
  if (words.some((word) => word.search(HIDDEN) >= 0)) {
    say("not copied, because of invisible characters: " + command);
    return;
  }
  try {
    await navigator.clipboard.writeText(command);
    say("Copied: " + command);
  } catch (refused) {
    say(command); // the user can copy it from the message
  }
}

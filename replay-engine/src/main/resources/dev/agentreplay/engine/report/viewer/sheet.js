
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
    box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(box);
  }

  show(rows, height) {
    this.rows = rows;
    this.height = height;
    this.sheet.style.height = rows.length * height + "px";
    this.draw();
  }

  draw() {
    const top = Math.max(0, this.box.scrollTop);
    const from = Math.max(0, Math.floor(top / this.height) - 6);
    const to = Math.min(this.rows.length, Math.ceil((top + this.box.clientHeight) / this.height) + 6);
    const drawn = [];
    for (let i = from; i < to; i++) {
      const element = this.element(this.rows[i], i);
      element.setAttribute("aria-rowindex", this.first + i);
      element.style.top = i * this.height + "px";
      element.style.height = this.height + "px";
      drawn.push(element);
    }
    this.sheet.replaceChildren(...drawn);
  }

  /** The number of rows that fit into the box. */
  get page() {
    return Math.max(1, Math.floor((this.box.clientHeight - this.covered) / this.height) - 1);
  }

  /** The height of the head and the foot, which cover rows. */
  get covered() {
    return this.sheet.offsetTop + [...this.box.querySelectorAll(".foot")].reduce((sum, foot) => sum + foot.offsetHeight, 0);
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

/** A word of a command for a POSIX shell. */
function quoted(word) {
  return /^[\w./:@%+=,-]+$/.test(word) && !word.startsWith("-") ? word
    : "'" + (word.startsWith("-") ? "./" : "") + word.replaceAll("'", "'\\''") + "'";
}

/** Copies a command, unless its words have characters that a terminal could interpret. */
async function copyCommand(...words) {
  const command = words.map(quoted).join(" ");
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

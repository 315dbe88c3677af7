const SIGNS = { good: "✓", diverged: "≠", bad: "!", neutral: "·" };
const TONES = { good: "ok", diverged: "diverged", bad: "failed", neutral: "neutral" };

/** The length of a text, and its number of lines, above which it is folded. */
const LONG_TEXT = 1_800;
const MANY_LINES = 28;

/** A message with the message that it is compared with, and its element. */
class Row {
  constructor(data, round, sides) {
    Object.assign(this, data);
    this.round = round;
    this.sides = sides;
    this.message = data.left ?? data.right;
    this.isDivergence = data.severity !== undefined && data.severity !== "none";
    this.address = `${data.left ? "r" : "a"}${round.number}m${this.message.number}`;
    this.isFilled = false;
  }

  get senders() {
    return [this.left, this.right].filter(Boolean).map((message) => message.sender);
  }

  matches(pattern) {
    const own = [this.left, this.right]
      .filter(Boolean)
      .flatMap((message) => [
        message.sender,
        message.role,
        message.kind,
        message.subject,
        message.text,
        message.absent,
      ]);
    return [...own, this.state, ...(this.notes ?? [])].some((text) => text && pattern.test(text));
  }

  /** The element, whose texts are added when it comes near the screen. */
  element(colors) {
    const { message } = this;
    this.colors = colors;
    const name =
      `${this.left ? "" : "added "}message ${message.number} of ${this.round.heading}, ` +
      `${message.sender}, ${message.kind}` +
      (this.state ? ", " + this.state : "");
    const state = this.state ?? "";
    this.node = el(
      "article.message",
      { id: this.address, tabindex: "-1", "aria-label": name },
      el(
        "header",
        {},
        el("span.avatar", { "aria-hidden": "true" }, Array.from(message.sender)[0] ?? "?"),
        el("span.agent", {}, message.sender),
        message.role ? el("span.role", {}, message.role.replaceAll("_", " ")) : null,
        message.kind ? el("span.kind", {}, message.kind) : null,
        state ? el("span.badge", {}, state) : null,
        el(
          "span.place",
          {},
          this.sides ? null : this.mark(message),
          el("span.time", { title: message.time ?? "" }, timeOfDay(message.time)),
          el(
            "a.number",
            { href: "#" + this.address, title: "Link to this message" },
            String(message.number),
          ),
        ),
      ),
    );
    this.node.classList.add("of-agent-" + colors(message.sender));
    this.node.classList.toggle("input", this.input === true);
    this.node.classList.toggle("diverged", this.isDivergence);
    this.node.querySelector(".agent").classList.add("agent-" + colors(message.sender));
    if (this.severity) {
      this.node.querySelector(".badge")?.classList.add(this.severity);
      this.node.classList.add(this.severity);
    } else {
      this.node.querySelector(".badge")?.classList.add("quiet");
    }
    return this.node;
  }

  /** Adds the texts. */
  fill() {
    if (this.isFilled) {
      return;
    }
    this.isFilled = true;
    const { left, right } = this;
    const isPair =
      this.sides &&
      !this.input &&
      !(
        right?.same &&
        left.subject === right.subject &&
        left.sender === right.sender &&
        !this.isDivergence
      );
    const bodies = el(isPair ? "div.bodies.pair" : "div.bodies");
    if (isPair) {
      this.fillPair(bodies);
    } else {
      fill(bodies, [this.body(this.message, this.text(this.message), null)]);
    }
    fill(this.node, [
      bodies,
      this.notes
        ? el(
            "ul.notes",
            {},
            this.notes.map((note) => el("li", {}, note)),
          )
        : null,
    ]);
  }

  fillPair(bodies) {
    const { left, right } = this;
    let before = null;
    let after = null;
    if (left?.text !== undefined && right?.text !== undefined) {
      const runs = textEdits(left.text, right.text, Marks.NONE);
      before = markedText(runs, "-");
      after = markedText(runs, "+");
    } else if (right?.same) {
      before = this.text(left);
      after = this.text(left);
    }
    fill(bodies, [
      left ? this.body(left, before ?? this.text(left), 0) : this.nothing(0),
      right ? this.body(right, after ?? this.text(right), 1) : this.nothing(1),
    ]);
  }

  text(message) {
    return message.text === undefined ? null : el("span.text", {}, message.text);
  }

  mark(message) {
    return message.mark ? el("span.mark", {}, message.mark) : null;
  }

  nothing(side) {
    return el(
      "div.body.absent",
      {},
      el("p.caption", {}, sideName(this.sides, side)),
      el("p.reason", {}, "does not have this message"),
    );
  }

  /**
   * The text of a message with its caption; the side is null for a message that is not compared.
   */
  body(message, text, side) {
    const other = side === null ? null : side === 0 ? this.right : this.left;
    const caption = el("p.caption");
    if (side !== null) {
      fill(caption, [sideName(this.sides, side)]);
      if (other && other.sender !== message.sender) {
        const name = el("span.agent", {}, message.sender);
        name.classList.add("agent-" + this.colors(message.sender));
        fill(caption, [name]);
      }
      if (other && other.kind !== message.kind) {
        fill(caption, [el("span.kind", {}, message.kind)]);
      }
      if (side === 1 && message.time) {
        fill(caption, [el("span.time", { title: message.time }, timeOfDay(message.time))]);
      }
    }
    if (this.sides) {
      fill(caption, [this.mark(message)]);
    }
    const node = el(
      "div.body",
      {},
      caption.childNodes.length > 0 ? caption : null,
      message.subject ? el("p.subject", {}, message.subject) : null,
      text ? el("div.words", {}, text) : null,
      message.absent ? el("p.reason", {}, message.absent) : null,
      this.cut(message),
    );
    node.classList.toggle("absent", !text);
    const shown = message.text ?? "";
    if (
      text &&
      (shown.length > LONG_TEXT || shown.split("\n", MANY_LINES + 1).length > MANY_LINES)
    ) {
      node.classList.add("folded");
      const more = el(
        "button.more",
        {
          type: "button",
          click: () => {
            for (const body of node.parentElement.querySelectorAll(".folded")) {
              body.classList.remove("folded");
              body.querySelector(".unfold").remove();
            }
            node.tabIndex = -1;
            node.focus({ preventScroll: true });
          },
        },
        `Show all ${number.format(shown.length)} characters`,
      );
      node.append(el("p.unfold", {}, more));
    }
    return node;
  }

  cut(message) {
    if (message.size === undefined) {
      return null;
    }
    const size = count(message.size, "character");
    return el(
      "p.cut",
      {},
      message.text === undefined
        ? `The text of ${size} is not in this file, whose limit is reached.`
        : `The text is cut: this file has ${number.format(message.text.length)} of ${size}.`,
    );
  }
}

function sideName(sides, side) {
  return el(side === 0 ? "span.side-label.side-a" : "span.side-label.side-b", {}, sides[side]);
}

/** The time of day in an ISO 8601 time, as it is written. */
function timeOfDay(time) {
  return /T(\d\d:\d\d(?::\d\d)?)/.exec(time ?? "")?.[1] ?? time ?? "";
}

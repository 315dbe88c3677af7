/** The events of a step, or of both sides: what they contain, and how they are recorded. */
class EventDetails {
  /** @param onOpen opens a row */
  constructor(model, onOpen) {
    this.model = model;
    this.onOpen = onOpen;
  }

  /** The events of both sides: the matched content, and the events as recorded. */
  pair(row) {
    const equal = row.relation === "matched" || row.relation === "moved";
    const open = !equal && !hasValues(this.model.divergence(row));
    const whole = (title, left, right) => {
      const node = el("details.whole", {}, el("summary", {}, title));
      node.addEventListener("toggle", () => {
        if (node.childElementCount === 1) {
          node.append(
            SideBySide.of(
              ...[left, right].map((event) => event && recordedValue(this.session(event), event)),
            ),
            el(
              "div.sides",
              {},
              [left, right].map((event) =>
                el("div.side", {}, event ? this.recorded(event, false) : null),
              ),
            ),
          );
        }
      });
      node.open = open; // if the differences are not listed
      return node;
    };
    return [
      equal
        ? this.events(row.left, false)
        : [this.both(row, "call", open), this.both(row, "result", open)],
      whole(
        row.left.result || row.right.result ? "Both calls as recorded" : "Both events as recorded",
        row.left.call,
        row.right.call,
      ),
      row.left.result || row.right.result
        ? whole("Both results as recorded", row.left.result, row.right.result)
        : null,
    ];
  }

  /** The prompts, answers, edits or images of both sides, each as a single event shows them. */
  both(row, name, open) {
    const titles = {
      ModelCall: "Both prompts as chats",
      ModelResult: "Both answers as chats",
      ToolCall: "Both edits",
      ToolResult: "Both outputs with images",
    };
    const sides = [row.left, row.right].map((unit) => unit[name] && this.special(unit, unit[name]));
    if (!sides.some(Boolean)) {
      return null;
    }
    const cells = sides.map((special, i) =>
      el(
        "div.side" + (special ? "" : ".absent"),
        {},
        side(i),
        special ??
          el(
            "span.about",
            {},
            [row.left, row.right][i][name] ? "only as recorded, below" : "no result in this session",
          ),
      ),
    );
    return el(
      "details.whole",
      { open },
      el("summary", {}, titles[(row.left[name] ?? row.right[name]).kind]),
      el("div.sides.chats", {}, cells),
    );
  }

  /** The content of the events of a step, and the events as recorded. */
  events(unit, withWhole) {
    const titles = {
      ToolCall: "Parameters",
      ToolResult: "Output",
      ModelCall: "Prompt",
      ModelResult: "Answer",
      RuntimeEvent: "Payload",
    };
    const shown = unit.events.map((event) => {
      const value = valueOf(event);
      const member = shownMember(event, value);
      const main = member === undefined ? undefined : value?.get(member);
      const title = member === "error" ? "Error" : (titles[event.kind] ?? member);
      const special = this.special(unit, event);
      const prompt = special ? null : ChangedPrompt.of(this.model.sessions[unit.side], event);
      if (prompt) {
        return this.changedPrompt(prompt);
      }
      const hasError = failure(value);
      return el(
        "section",
        {},
        special
          ? [
              el("h3", {}, titles[event.kind]),
              event.blob ? this.blobNote(event.blob) : null,
              special,
            ]
          : main === undefined || member === "error"
            ? null
            : main === null && event.ok === false
              ? null
              : [el("h3", {}, title), tree(main, this.cuts(event, "/" + member), 2)],
        event.blob && !special
          ? [el("h3", {}, titles[event.kind] ?? "Value"), this.blob(event.blob)]
          : null,
        hasError,
        !special && main === undefined && !event.blob && !hasError
          ? [el("h3", {}, TITLES[event.kind] ?? event.kind), this.recorded(event, true)]
          : null,
        this.withheld(event),
        (event.findings ?? []).map((finding) => el("p.finding", {}, "⚠ " + finding)),
      );
    });
    const folded = unit.events.filter(
      (event) => event.main !== undefined || event.blob || event.base !== undefined,
    );
    return [shown, withWhole ? folded.map((event) => this.folded(event)) : null];
  }

  /** The row of a line of a session; undefined if it is not in this file. */
  rowOfLine(session, at) {
    const unit = session.byLine.get(at);
    return unit && this.model.rows.find((row) => row.left === unit || row.right === unit);
  }

  /** The prompt or the answer as a chat, or the edits of a tool call; null for other events. */
  special(unit, event) {
    const session = this.model.sessions[unit.side];
    if (event.kind === "ModelCall") {
      const open = (at) => {
        const row = this.rowOfLine(session, at);
        return row ? this.onOpen(row) : say(`line ${at} is not in this file`);
      };
      return new PromptChat(session, event, open).elements();
    }
    const content = contentOf(event);
    if (event.kind === "RuntimeEvent") {
      const message = event.imported && Message.inRecord(content);
      return message ? chatMessage(message) : null;
    }
    if (event.kind === "ModelResult") {
      return (
        Message.ofAnswer(content, contentCut(event))?.map((message) => chatMessage(message)) ?? null
      );
    }
    if (event.kind === "ToolResult") {
      const parts = Array.isArray(content)
        ? blocks(content)
        : content instanceof Map && Array.isArray(content.get("content"))
          ? blocks(content.get("content"))
          : [];
      return parts.some((part) => part.kind === "image")
        ? parts.map((part) => chatPart(part))
        : null;
    }
    return event.kind === "ToolCall"
      ? (Edits.of(content, event.name, contentCut(event))?.elements() ?? null)
      : null;
  }

  /** What is new in a prompt, and the full prompt, which is put together when it is opened. */
  changedPrompt(prompt) {
    const { event, added, members, repeated } = prompt;
    const base = this.rowOfLine(prompt.session, event.base);
    const whole = el("details.whole", {}, el("summary", {}, "Full prompt"));
    whole.addEventListener("toggle", () => {
      if (whole.childElementCount === 1) {
        const full = prompt.full;
        whole.append(
          full === undefined
            ? el("p.cut", {}, "a part of the prompt is not in this file")
            : tree(full, cutsIn(full), 2),
        );
      }
    });
    const cuts = this.cuts(event);
    return el(
      "section",
      {},
      el("h3", {}, "Prompt"),
      el(
        "p.about",
        {},
        repeated === null ? "the messages" : count(repeated, "message"),
        " of ",
        base === undefined
          ? `line ${event.base}`
          : el(
              "button.link",
              { type: "button", click: () => this.onOpen(base) },
              `line ${event.base}`,
            ),
        added.length > 0 ? `, and ${count(added.length, "new message")}` : "",
        cuts.size > 0 ? "; long parts are cut" : "",
      ),
      added.length > 0 ? tree(added, cutsIn(added), 2) : null,
      members.size > 0
        ? [el("h3", {}, "Changed members"), tree(members, cutsIn(members), 2)]
        : null,
      whole,
    );
  }

  /** The values of an event that a published copy does not show as they were recorded. */
  withheld(event) {
    return event.withheld === undefined
      ? null
      : el(
          "p.about",
          {},
          event.withheld.map(([pointer, rule], i) => [
            i > 0 ? ", " : "",
            el("code", {}, pointer),
            rule === null ? " withheld" : ` replaced: ${rule}`,
          ]),
        );
  }

  folded(event) {
    const node = el("details.whole", {}, el("summary", {}, `Line ${event.line} as recorded`));
    node.addEventListener("toggle", () => {
      if (node.childElementCount === 1) {
        node.append(this.recorded(event, true));
      }
    });
    return node;
  }

  recorded(event, open) {
    const value = recordedValue(this.session(event), event);
    return value === undefined
      ? el(
          "p.cut",
          {},
          `line ${event.line}: ${count(event.size, "character")}, not in this file, which holds ` +
            `${count(this.model.limits.total, "character")} of values at most`,
        )
      : tree(value, event.repeats ? cutsIn(value) : this.cuts(event), open ? 1 : 0);
  }

  /** The session of an event. */
  session(event) {
    return this.model.sessions.find((each) => each.events[each.places.get(event.line)] === event);
  }

  blob(blob) {
    const value = valueOf(blob);
    return el(
      "div",
      {},
      this.blobNote(blob),
      value === undefined ? null : tree(value, this.cuts(blob), 2),
    );
  }

  blobNote(blob) {
    return el(
      "p.about",
      {},
      `blob of ${count(blob.bytes, "byte")}, ${blob.hash}`,
      blob.problem !== undefined
        ? ": " + blob.problem
        : blob.size === undefined
          ? ""
          : `; ${count(blob.size, "character")}, not in this file`,
      (blob.cuts ?? []).length > 0 ? "; long parts are cut" : "",
    );
  }

  /** The cut parts of an embedded value, by pointers relative to a part of it. */
  cuts(embedded, part = "") {
    return new Map(
      (embedded.cuts ?? [])
        .filter(([pointer]) => pointer.startsWith(part))
        .map((cut) => [cut[0].slice(part.length), cut]),
    );
  }
}

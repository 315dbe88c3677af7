
/** The details of a row. */
class Details {
  constructor(model, onOpen) {
    this.model = model;
    this.onOpen = onOpen;
  }

  elements(row) {
    const divergence = this.model.divergence(row);
    return [
      this.heading(row, divergence),
      divergence ? this.reason(divergence) : null,
      row.more.map((n) => this.further(this.model.divergences.get(n))),
      this.model.isDiff ? this.facts(row) : this.factsOf(row.unit),
      divergence ? this.changes(divergence) : null,
      this.model.isDiff && row.left && row.right ? this.pair(row) : this.events(row.unit, true),
    ];
  }

  heading(row, divergence) {
    const unit = row.unit;
    const [glyph, words] = this.model.isDiff || divergence ? this.model.difference(row) : OUTCOMES[unit.outcome];
    const severity = this.model.severity(row);
    const state = this.model.run && this.model.isDiff ? this.model.shownRelation(row)
      : this.model.isDiff ? row.relation : unit.outcome;
    return el("header.heading." + state, {},
      el("h2", {},
        el("span.glyph", { "aria-hidden": "true" }, glyph),
        el("span.name" + (unit.isTool ? ".tool" : ""), {}, this.model.agentLabel(unit), nameOf(row))),
      el("p", {},
        words ? el("span", {}, words) : null,
        (this.model.isDiff || divergence) && severity !== "none" ? el("span.badge." + severity, {}, severity) : null,
        divergence ? this.cause(divergence) : null));
  }

  /** The message of a divergence of a replay, and the recorded request that is nearest to a miss. */
  reason(divergence) {
    const { miss, message } = divergence;
    const nearest = miss?.line === undefined ? null : el("p", {}, "Nearest recorded request: ", this.recordedLine(miss.line),
      miss.pointer ? [", first difference at ", el("code", {}, miss.pointer)] : "");
    return message || nearest ? el("section.reason", {},
      message ? el("p", {}, line(message, 1000)) : null,
      nearest,
      miss?.pointer && changeText(divergence) === miss ? SideBySide.of(miss.recorded ?? undefined, miss.actual ?? undefined) : null) : null;
  }

  /** A divergence at the same place as a graver one. */
  further(divergence) {
    return el("section.reason", {},
      el("h3", {}, divergence.kind, " ", el("span.badge." + divergence.severity, {}, divergence.severity)),
      el("p", {}, this.cause(divergence)), this.reason(divergence), this.changes(divergence));
  }

  /** A link to a line of the recording, if the page has it. */
  recordedLine(at) {
    const unit = this.model.isDiff ? this.model.sessions[0].byLine.get(at) : undefined;
    const row = unit && this.model.rows.find((each) => each.left === unit);
    return row ? el("button.link", { type: "button", click: () => this.onOpen(row) }, `line ${at}`)
      : `line ${at} of the recording`;
  }

  cause(divergence) {
    const link = { prompt: "the model call is different", value: "a value that differs here also differs there",
      adjacent: "no tool call or model turn has matched since",
      lane: "the lane that this call started diverged before its result" }[divergence.link];
    const cause = divergence.cause === null ? undefined : this.model.rowOf(divergence.cause);
    const followers = divergence.followers;
    return el("span.about", {},
      `divergence ${divergence.number + 1}`, this.model.run ? ` (${divergence.kind})` : "",
      divergence.rule ? `, rule “${divergence.rule}”` : "", "; ",
      divergence.role === "root" ? "root cause"
        : divergence.role === "independent" ? "independent of earlier divergences"
          : ["follows from ", cause === undefined ? `divergence ${divergence.cause + 1}`
            : el("button.link", { type: "button", click: () => this.onOpen(cause) }, `divergence ${divergence.cause + 1}`),
            link === undefined ? "" : `: ${link}`],
      followers > 0 ? `; ${count(followers, "divergence")} follow${followers === 1 ? "s" : ""} from it` : "",
      divergence.size > 1 ? `; a block of ${count(divergence.size, "step")}` : "");
  }

  facts(row) {
    return el("div.sides.facts", {}, [row.left, row.right].map((unit, i) =>
      el("div.side" + (unit ? "" : ".absent"), {}, side(i), sideWord(this.model, i),
        unit ? this.factsOf(unit) : el("span.about", {}, "not in this session"))));
  }

  factsOf(unit) {
    const fact = (label, value) => (value === null || value === undefined ? null
      : el("div", {}, el("dt", {}, label), el("dd", {}, value)));
    const { start } = this.model.sessions[unit.side];
    const span = unit.span;
    const [glyph, words] = OUTCOMES[unit.outcome];
    const { stream, uncertain } = unit.result ?? unit.call;
    const { attempt } = unit.call;
    return el("dl.facts", {},
      fact("call", unit.number === null ? null : "#" + unit.number),
      fact("line", unit.result ? `${unit.line}, result ${unit.result.line}` : unit.line),
      fact("answer", this.answer(unit)),
      fact("outcome", words ? el("span." + unit.outcome, {}, `${glyph} ${words}`) : null),
      factsOfKind(unit).map(([label, value]) => fact(label, value)),
      fact("attempt", attempt),
      fact("effects", uncertain ? "unknown" : null),
      fact("first token", stream ? `${millis(stream[1])}, ${count(stream[0], "piece")}` : null),
      fact("latency", unit.latency === undefined ? null : millis(unit.latency)),
      fact("utility", unit.utility === undefined || !this.hasUtilities(unit.side) ? null : Number(unit.utility.toPrecision(4))),
      fact("at", span === undefined ? null : el("span", { title: new Date(span[0]).toISOString() }, "+" + millis(span[0] - start))));
  }

  /** Whether a session states a utility other than 0, which is what a writer states if its agent has none. */
  hasUtilities(side) {
    this.utilities ??= this.model.sessions.map((session) => session.units.some((unit) => unit.utility));
    return this.utilities[side];
  }

  /** The provenance of a step of a replay: the action, the rule, the line of the recording. */
  answer(unit) {
    const row = this.model.rows.find((each) => each.left === unit || each.right === unit);
    const answer = unit === row.right || !this.model.isDiff ? answerOf(this.model, row) : null;
    return answer && [answerChip(answer), unit.replayed?.match ? [unit.replayed.match.replaceAll("_", " "), " "] : "",
      unit.replayed?.line ? this.recordedLine(unit.replayed.line) : null];
  }

  changes(divergence) {
    const { values } = divergence;
    return values.length === 0 ? null : el("section", {}, values.slice(0, 100).map((value) => this.change(value)),
      values.length > 100 ? el("p.cut", {}, `${count(values.length - 100, "more place")} of this step differ`) : null);
  }

  change(value) {
    return value.places ? this.places(value) : this.place(value);
  }

  /** The first places that differ in values that are reported as a whole. */
  places(value) {
    return el("div", {},
      value.places.length > 0 ? null : this.placeHeading(value),
      value.places.map((place) => this.change(place)),
      value.count === null ? el("p.cut", {}, "compared as a whole; see the complete events below")
        : value.count > value.places.length
          ? el("p.cut", {}, `${count(value.count - value.places.length, "more place")} of this value differ`) : null);
  }

  place(value) {
    const [before, after] = [value.before, value.after].map((excerpt) => excerpt ? valueOf(excerpt) : undefined);
    const missing = [value.before, value.after].map((excerpt) =>
      excerpt && excerpt.json === undefined ? count(excerpt.size, "character") + ", not in this file" : null);
    if (value.withheld && !isReplaced(value.withheld)) {
      return el("div.place", {}, this.placeHeading(value));
    }
    return el("div.place", {},
      this.placeHeading(value),
      value.file && !areTexts(value.file) ? el("div.cut", {}, contentsNote(value.file)) : null,
      SideBySide.of(missing[0] ?? before, missing[1] ?? after, new Marks(value.marks), value.file !== undefined),
      [value.before, value.after].map((excerpt, i) => excerpt && excerpt.length !== undefined
        ? el("div.cut", {}, `${SIDES[i]}: ${count(excerpt.length, "character")}, shown from offset ${number.format(excerpt.from)}`) : null));
  }

  placeHeading(value) {
    const moved = value.pointer !== value.right_pointer;
    return el("h3", {}, el("code", {}, value.pointer || "/"), moved ? [" → ", el("code", {}, value.right_pointer)] : null,
      el("span.about", {}, (KINDS[value.kind] ?? ["", value.kind])[1],
        value.file && areTexts(value.file) ? ", the contents of the file" : "", value.closeness ? this.closeness(value.closeness) : "",
        value.withheld ? ": " + withheldNote(value.withheld) : ""));
  }

  closeness(close) {
    const similarity = close.similarity === null ? ""
      : `, ${(Math.floor(close.similarity * 1000) / 10).toFixed(1)}% similar`;
    return `, close by “${close.rule}”${similarity}${close.reason === null ? "" : ": " + close.reason}`;
  }

  /** The events of both sides: the matched content, and the events as recorded. */
  pair(row) {
    const equal = row.relation === "matched" || row.relation === "moved";
    const open = !equal && !hasValues(this.model.divergence(row));
    const whole = (title, left, right) => {
      const node = el("details.whole", {}, el("summary", {}, title));
      node.addEventListener("toggle", () => {
        if (node.childElementCount === 1) {
          node.append(SideBySide.of(...[left, right].map((event) => event && recordedValue(this.session(event), event))),
            el("div.sides", {}, [left, right].map((event) => el("div.side", {}, event ? this.recorded(event, false) : null))));
        }
      });
      node.open = open; // if the differences are not listed
      return node;
    };
    return [
      equal ? this.events(row.left, false) : [this.both(row, "call", open), this.both(row, "result", open)],
      whole(row.left.result || row.right.result ? "Both calls as recorded" : "Both events as recorded",
        row.left.call, row.right.call),
      row.left.result || row.right.result
        ? whole("Both results as recorded", row.left.result, row.right.result) : null,
    ];
  }

  /** The prompts, answers, edits or images of both sides, each as a single event shows them. */
  both(row, name, open) {
    const titles = { ModelCall: "Both prompts as chats", ModelResult: "Both answers as chats", ToolCall: "Both edits",
      ToolResult: "Both outputs with images" };
    const sides = [row.left, row.right].map((unit) => unit[name] && this.special(unit, unit[name]));
    if (!sides.some(Boolean)) {
      return null;
    }
    const cells = sides.map((special, i) => el("div.side" + (special ? "" : ".absent"), {},
      side(i), special ?? el("span.about", {}, "only as recorded, below")));
    return el("details.whole", { open }, el("summary", {}, titles[(row.left[name] ?? row.right[name]).kind]),
      el("div.sides.chats", {}, cells));
  }

  /** The content of the events of a step, and the events as recorded. */
  events(unit, withWhole) {
    const titles = { ToolCall: "Parameters", ToolResult: "Output", ModelCall: "Prompt", ModelResult: "Answer",
      RuntimeEvent: "Payload" };
    const shown = unit.events.map((event) => {
      const value = valueOf(event);
      const member = shownMember(event, value);
      const main = member === undefined ? undefined : value?.get(member);
      const title = member === "error" ? "Error" : titles[event.kind] ?? member;
      const special = this.special(unit, event);
      const prompt = special ? null : ChangedPrompt.of(this.model.sessions[unit.side], event);
      if (prompt) {
        return this.changedPrompt(prompt);
      }
      const hasError = failure(value);
      return el("section", {},
        special ? [el("h3", {}, titles[event.kind]), event.blob ? this.blobNote(event.blob) : null, special]
          : main === undefined || member === "error" ? null
            : main === null && event.ok === false ? null
              : [el("h3", {}, title), tree(main, this.cuts(event, "/" + member), 2)],
        event.blob && !special ? [el("h3", {}, titles[event.kind] ?? "Value"), this.blob(event.blob)] : null,
        hasError,
        !special && main === undefined && !event.blob && !hasError ? [el("h3", {}, TITLES[event.kind] ?? event.kind), this.recorded(event, true)] : null,
        this.withheld(event),
        (event.findings ?? []).map((finding) => el("p.finding", {}, "⚠ " + finding)));
    });
    const folded = unit.events.filter((event) => event.main !== undefined || event.blob || event.base !== undefined);
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
    if (event.kind === "ModelResult") {
      return Message.ofAnswer(content, contentCut(event))?.map((message) => chatMessage(message)) ?? null;
    }
    if (event.kind === "ToolResult") {
      const parts = Array.isArray(content) ? blocks(content) : content instanceof Map && Array.isArray(content.get("content")) ? blocks(content.get("content")) : [];
      return parts.some((part) => part.kind === "image") ? parts.map((part) => chatPart(part)) : null;
    }
    return event.kind === "ToolCall" ? Edits.of(content, event.name, contentCut(event))?.elements() ?? null : null;
  }

  /** What is new in a prompt, and the full prompt, which is put together when it is opened. */
  changedPrompt(prompt) {
    const { event, added, members, repeated } = prompt;
    const base = this.rowOfLine(prompt.session, event.base);
    const whole = el("details.whole", {}, el("summary", {}, "Full prompt"));
    whole.addEventListener("toggle", () => {
      if (whole.childElementCount === 1) {
        const full = prompt.full;
        whole.append(full === undefined ? el("p.cut", {}, "a part of the prompt is not in this file") : tree(full, cutsIn(full), 2));
      }
    });
    const cuts = this.cuts(event);
    return el("section", {},
      el("h3", {}, "Prompt"),
      el("p.about", {}, repeated === null ? "the messages" : count(repeated, "message"), " of ",
        base === undefined ? `line ${event.base}`
          : el("button.link", { type: "button", click: () => this.onOpen(base) }, `line ${event.base}`),
        added.length > 0 ? `, and ${count(added.length, "new message")}` : "",
        cuts.size > 0 ? "; long parts are cut" : ""),
      added.length > 0 ? tree(added, cutsIn(added), 2) : null,
      members.size > 0 ? [el("h3", {}, "Changed members"), tree(members, cutsIn(members), 2)] : null,
      whole);
  }

  /** The values of an event that a published copy does not show as they were recorded. */
  withheld(event) {
    return event.withheld === undefined ? null : el("p.about", {},
      event.withheld.map(([pointer, rule], i) => [i > 0 ? ", " : "", el("code", {}, pointer),
        rule === null ? " withheld" : ` replaced: ${rule}`]));
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
      ? el("p.cut", {}, `line ${event.line}: ${count(event.size, "character")}, not in this file, which holds `
        + `${count(this.model.limits.total, "character")} of values at most`)
      : tree(value, event.repeats ? cutsIn(value) : this.cuts(event), open ? 1 : 0);
  }

  /** The session of an event. */
  session(event) {
    return this.model.sessions.find((each) => each.events[each.places.get(event.line)] === event);
  }

  blob(blob) {
    const value = valueOf(blob);
    return el("div", {}, this.blobNote(blob), value === undefined ? null : tree(value, this.cuts(blob), 2));
  }

  blobNote(blob) {
    return el("p.about", {}, `blob of ${count(blob.bytes, "byte")}, ${blob.hash}`,
      blob.problem !== undefined ? ": " + blob.problem
        : blob.size === undefined ? "" : `; ${count(blob.size, "character")}, not in this file`,
      (blob.cuts ?? []).length > 0 ? "; long parts are cut" : "");
  }

  /** The cut parts of an embedded value, by pointers relative to a part of it. */
  cuts(embedded, part = "") {
    return new Map((embedded.cuts ?? []).filter(([pointer]) => pointer.startsWith(part))
      .map((cut) => [cut[0].slice(part.length), cut]));
  }
}

/** Whether each session that does not show a value shows a replacement of it. */
function isReplaced(withheld) {
  return [withheld.left, withheld.right].every((reason) => reason === null || reason.rule !== null);
}

/** The reason why a value is not compared. */
function withheldNote(withheld) {
  const notes = [withheld.left, withheld.right].map((reason, i) => reason && `${SIDES[i]}: `
    + (reason.rule === null ? "withheld by policy " : `replaced by rule ${reason.rule} of policy `) + reason.policy);
  return notes.filter((note) => note !== null).join("; ");
}

/** Whether the contents of a file are texts, as far as there are any. */
function areTexts(file) {
  return [file.left, file.right].every((content) => content === null || content.form === "text");
}

/** The reason why the contents of a file are not compared line by line. */
function contentsNote(file) {
  const forms = { text: "text", binary: "binary", large: "too large", missing: "not stored",
    omitted: "left out, because the contents of earlier divergences took all the memory" };
  const notes = [file.left, file.right].map((content, i) => content && `${SIDES[i]}: ${forms[content.form]}`
    + (content.bytes === null ? "" : ", " + count(content.bytes, "byte")));
  return "not compared line by line: " + notes.filter((note) => note !== null).join("; ");
}

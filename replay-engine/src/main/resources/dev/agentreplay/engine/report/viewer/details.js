/** The details of a row. */
class Details extends EventDetails {
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
    const [glyph, words] =
      this.model.isDiff || divergence ? this.model.difference(row) : OUTCOMES[unit.outcome];
    const severity = this.model.severity(row);
    const state =
      this.model.run && this.model.isDiff
        ? this.model.shownRelation(row)
        : this.model.isDiff
          ? row.relation
          : unit.outcome;
    return el(
      "header.heading." + state,
      {},
      el(
        "h2",
        {},
        el("span.glyph", { "aria-hidden": "true" }, glyph),
        el(
          "span.name" + (unit.isTool ? ".tool" : ""),
          {},
          this.model.agentLabel(unit),
          nameOf(row),
        ),
      ),
      el(
        "p",
        {},
        words ? el("span", {}, words) : null,
        (this.model.isDiff || divergence) && severity !== "none"
          ? el("span.badge." + severity, {}, severity)
          : null,
        divergence?.accepted ? el("span.badge.none", {}, "accepted") : null,
        divergence ? this.cause(divergence) : null,
      ),
    );
  }

  /**
   * The message of a divergence of a replay, and the recorded request that is nearest to a miss.
   */
  reason(divergence) {
    const { miss, message } = divergence;
    const nearest =
      miss?.line === undefined
        ? null
        : el(
            "p",
            {},
            "Nearest recorded request: ",
            this.recordedLine(miss.line),
            miss.pointer ? [", first difference at ", el("code", {}, miss.pointer)] : "",
          );
    return message || nearest
      ? el(
          "section.reason",
          {},
          message ? el("p", {}, line(message, 1000)) : null,
          nearest,
          miss?.pointer && changeText(divergence) === miss
            ? SideBySide.of(miss.recorded ?? undefined, miss.actual ?? undefined)
            : null,
        )
      : null;
  }

  /** A divergence at the same place as a graver one. */
  further(divergence) {
    return el(
      "section.reason",
      {},
      el(
        "h3",
        {},
        divergence.kind,
        " ",
        el("span.badge." + divergence.severity, {}, divergence.severity),
      ),
      el("p", {}, this.cause(divergence)),
      this.reason(divergence),
      this.changes(divergence),
    );
  }

  /** A link to a line of the recording, if the page has it. */
  recordedLine(at) {
    const unit = this.model.isDiff ? this.model.sessions[0].byLine.get(at) : undefined;
    const row = unit && this.model.rows.find((each) => each.left === unit);
    return row
      ? el("button.link", { type: "button", click: () => this.onOpen(row) }, `line ${at}`)
      : `line ${at} of the recording`;
  }

  cause(divergence) {
    const link = {
      prompt: "the model call is different",
      value: "a value that differs here also differs there",
      adjacent: "no tool call or model turn has matched since",
      lane: "the lane that this call started diverged before its result",
    }[divergence.link];
    const cause = divergence.cause === null ? undefined : this.model.rowOf(divergence.cause);
    const followers = divergence.followers;
    return el(
      "span.about",
      {},
      `divergence ${divergence.number + 1}`,
      this.model.run ? ` (${divergence.kind})` : "",
      divergence.rule ? `, rule “${divergence.rule}”` : "",
      "; ",
      divergence.role === "root"
        ? "root cause"
        : divergence.role === "independent"
          ? "independent of earlier divergences"
          : [
              "follows from ",
              cause === undefined
                ? `divergence ${divergence.cause + 1}`
                : el(
                    "button.link",
                    { type: "button", click: () => this.onOpen(cause) },
                    `divergence ${divergence.cause + 1}`,
                  ),
              link === undefined ? "" : `: ${link}`,
            ],
      followers > 0
        ? `; ${count(followers, "divergence")} follow${followers === 1 ? "s" : ""} from it`
        : "",
      divergence.size > 1 ? `; a block of ${count(divergence.size, "step")}` : "",
    );
  }

  facts(row) {
    return el(
      "div.sides.facts",
      {},
      [row.left, row.right].map((unit, i) =>
        el(
          "div.side" + (unit ? "" : ".absent"),
          {},
          side(i),
          sideWord(this.model, i),
          unit ? this.factsOf(unit) : el("span.about", {}, "not in this session"),
        ),
      ),
    );
  }

  factsOf(unit) {
    const fact = (label, value) =>
      value === null || value === undefined
        ? null
        : el("div", {}, el("dt", {}, label), el("dd", {}, value));
    const { start } = this.model.sessions[unit.side];
    const span = unit.span;
    const [glyph, words] = OUTCOMES[unit.outcome];
    const { stream, uncertain } = unit.result ?? unit.call;
    const { attempt } = unit.call;
    return el(
      "dl.facts",
      {},
      fact("call", unit.number === null ? null : "#" + unit.number),
      fact("line", unit.result ? `${unit.line}, result ${unit.result.line}` : unit.line),
      fact("answer", this.answer(unit)),
      fact("source", unit.imported && `${unit.imported.place}, ${unit.imported.record}`),
      fact("outcome", words ? el("span." + unit.outcome, {}, `${glyph} ${words}`) : null),
      factsOfKind(unit).map(([label, value]) => fact(label, value)),
      fact("attempt", attempt),
      fact("effects", uncertain ? "unknown" : null),
      fact("first token", stream ? `${millis(stream[1])}, ${count(stream[0], "piece")}` : null),
      fact("latency", unit.latency === undefined ? null : millis(unit.latency)),
      fact(
        "utility",
        unit.utility === undefined || !this.hasUtilities(unit.side)
          ? null
          : Number(unit.utility.toPrecision(4)),
      ),
      fact(
        "at",
        span === undefined
          ? null
          : el("span", { title: new Date(span[0]).toISOString() }, "+" + millis(span[0] - start)),
      ),
    );
  }

  /**
   * Whether a session states a utility other than 0, which is what a writer states if its agent has
   * none.
   */
  hasUtilities(side) {
    this.utilities ??= this.model.sessions.map((session) =>
      session.units.some((unit) => unit.utility),
    );
    return this.utilities[side];
  }

  /** The provenance of a step of a replay: the action, the rule, the line of the recording. */
  answer(unit) {
    const row = this.model.rows.find((each) => each.left === unit || each.right === unit);
    const answer = unit === row.right || !this.model.isDiff ? answerOf(this.model, row) : null;
    return (
      answer && [
        answerChip(answer),
        unit.replayed?.match ? [unit.replayed.match.replaceAll("_", " "), " "] : "",
        unit.replayed?.line ? this.recordedLine(unit.replayed.line) : null,
      ]
    );
  }

  changes(divergence) {
    const { values } = divergence;
    return values.length === 0
      ? null
      : el(
          "section",
          {},
          values.slice(0, 100).map((value) => this.change(value)),
          values.length > 100
            ? el("p.cut", {}, `${count(values.length - 100, "more place")} of this step differ`)
            : null,
        );
  }

  change(value) {
    return value.places ? this.places(value) : this.place(value);
  }

  /** The first places that differ in values that are reported as a whole. */
  places(value) {
    return el(
      "div",
      {},
      value.places.length > 0 ? null : this.placeHeading(value),
      value.places.map((place) => this.change(place)),
      value.count === null
        ? el("p.cut", {}, "compared as a whole; see the complete events below")
        : value.count > value.places.length
          ? el(
              "p.cut",
              {},
              `${count(value.count - value.places.length, "more place")} of this value differ`,
            )
          : null,
    );
  }

  place(value) {
    const [before, after] = [value.before, value.after].map((excerpt) =>
      excerpt ? valueOf(excerpt) : undefined,
    );
    const missing = [value.before, value.after].map((excerpt) =>
      excerpt && excerpt.json === undefined
        ? count(excerpt.size, "character") + ", not in this file"
        : null,
    );
    if (value.withheld && !isReplaced(value.withheld)) {
      return el("div.place", {}, this.placeHeading(value));
    }
    return el(
      "div.place",
      {},
      this.placeHeading(value),
      value.file && !areTexts(value.file) ? el("div.cut", {}, contentsNote(value.file)) : null,
      SideBySide.of(
        missing[0] ?? before,
        missing[1] ?? after,
        new Marks(value.marks),
        value.file !== undefined,
      ),
      [value.before, value.after].map((excerpt, i) =>
        excerpt && excerpt.length !== undefined
          ? el(
              "div.cut",
              {},
              `${SIDES[i]}: ${count(excerpt.length, "character")}, shown from offset ${number.format(excerpt.from)}`,
            )
          : null,
      ),
    );
  }

  placeHeading(value) {
    const moved = value.pointer !== value.right_pointer;
    return el(
      "h3",
      {},
      el("code", {}, value.pointer || "/"),
      moved ? [" → ", el("code", {}, value.right_pointer)] : null,
      el(
        "span.about",
        {},
        (KINDS[value.kind] ?? ["", value.kind])[1],
        value.file && areTexts(value.file) ? ", the contents of the file" : "",
        value.closeness ? this.closeness(value.closeness) : "",
        value.withheld ? ": " + withheldNote(value.withheld) : "",
      ),
    );
  }

  closeness(close) {
    const similarity =
      close.similarity === null
        ? ""
        : `, ${(Math.floor(close.similarity * 1000) / 10).toFixed(1)}% similar`;
    return `, close by “${close.rule}”${similarity}${close.reason === null ? "" : ": " + close.reason}`;
  }
}

/** The totals of a folder of sessions, with a button for each state. */
class Totals {
  constructor({ omitted }, entries, onState) {
    this.omitted = omitted;
    this.entries = entries;
    this.shares = Object.entries(STATES)
      .map(([state, [glyph, , words]]) => {
        const n = entries.filter((entry) => entry.state === state).length;
        return { state, glyph, words, n };
      })
      .filter(({ n }) => n > 0);
    this.buttons = new Map(this.shares.map((share) => [share.state, this.button(share, onState)]));
  }

  button({ state, glyph, words, n }, onState) {
    const sign = el("span." + (state === "ok" || state === "open" ? state : "failed"), {}, glyph);
    return el(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        click: () => onState(state),
      },
      sign,
      ` ${number.format(n)} ${words}`,
    );
  }

  /** Marks the state that the filter selects. */
  press(state) {
    this.buttons.forEach((button, each) =>
      button.setAttribute("aria-pressed", String(state === each)),
    );
  }

  elements() {
    const { entries, omitted } = this;
    const times = entries.map((entry) => entry.time).filter((time) => time !== undefined);
    const day = (time) => minute(time).slice(0, 10);
    const first = times.reduce((a, b) => Math.min(a, b), Infinity);
    const last = times.reduce((a, b) => Math.max(a, b), -Infinity);
    return [
      el(
        "div.result",
        {},
        el(
          "div.counts",
          {},
          el(
            "p",
            {},
            el("strong", {}, count(entries.length, "session")),
            times.length > 0 ? el("span.about", {}, `${day(first)} to ${day(last)}`) : null,
          ),
          this.bar(),
          el("div.states", {}, [...this.buttons.values()]),
          omitted > 0
            ? el(
                "p.cut",
                {},
                `${count(omitted, "more session")} are not in this file, ` +
                  "whose limit is reached.",
              )
            : null,
        ),
      ),
      el("div.figures", {}, this.figures()),
    ];
  }

  bar() {
    return el(
      "div.shares",
      { "aria-hidden": "true" },
      this.shares.map(({ state, n }) => {
        const part = el("i." + state);
        part.style.flex = String(n);
        return part;
      }),
    );
  }

  figures() {
    const { entries } = this;
    const share = (state) => this.shares.find((each) => each.state === state)?.n ?? 0;
    const ended = share("ok") + share("failed");
    const durations = entries.map((entry) => entry.duration).filter((ms) => ms !== undefined);
    durations.sort((a, b) => a - b);
    const total = (id) => entries.reduce((sum, entry) => sum + (entry[id] ?? 0), 0);
    const hasCost = entries.some((entry) => entry.cost !== undefined);
    const least = entries.some((entry) => entry.partial) ? "≥ " : "";
    return [
      ended > 0 ? figure(percent((share("ok") / ended) * 100), "success rate") : null,
      durations.length > 0
        ? figure(millis(durations[durations.length >> 1]), "median duration")
        : null,
      total("calls") > 0 ? figure(compact.format(total("calls")), "tool calls") : null,
      total("tokens") > 0 ? figure(compact.format(total("tokens")), "tokens") : null,
      hasCost ? figure(least + amount.format(total("cost")), "cost") : null,
    ];
  }
}

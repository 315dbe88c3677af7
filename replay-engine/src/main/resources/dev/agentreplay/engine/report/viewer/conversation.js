/** The application: the current message, the filter, keyboard shortcuts, and the address. */
class Talk {
  constructor(data) {
    this.head = data.head;
    this.omitted = data.omitted;
    this.rounds = data.rounds.map((round) => ({ ...round, section: null }));
    this.rows = [];
    for (const round of this.rounds) {
      round.rows = round.rows.map((row) => new Row(row, round, this.head.sides));
      this.rows.push(...round.rows);
    }
    this.rows.forEach((row, place) => (row.place = place));
    this.byAddress = new Map([...this.rows].reverse().map((row) => [row.address, row]));
    this.senders = [...new Set(this.rows.flatMap((row) => row.senders))];
    this.current = null;
    this.what = this.head.sides ? "divergence" : "problem";
    this.hasDivergences = this.rows.some((row) => row.isDivergence);
    this.showHead();
    this.showRounds();
    this.fillFilter();
    this.listen();
    this.filter();
    this.watch();
    this.follow();
  }

  showHead() {
    const { head } = this;
    fill(byId("title"), [el("span.session-name", {}, head.title)]);
    const result = el(
      "div.result",
      {},
      el("span.sign", { "aria-hidden": "true" }, SIGNS[head.tone]),
      el("div", {}, el("strong", {}, head.verdict), el("p", {}, head.conclusion)),
    );
    result.classList.add(TONES[head.tone]);
    fill(byId("verdict"), [
      result,
      el(
        "div.figures",
        {},
        head.figures.map(([name, value]) => figure(value, name)),
      ),
    ]);
    fill(byId("about"), [
      head.notices.length > 0
        ? el(
            "ul.notices",
            {},
            head.notices.map((notice) => el("li", {}, notice)),
          )
        : null,
      el(
        "dl.facts",
        {},
        head.facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
      ),
    ]);
  }

  showRounds() {
    const colors = (sender) => this.senders.indexOf(sender) % 6;
    for (const round of this.rounds) {
      round.section = el(
        "section.round",
        { "aria-label": round.heading },
        el("h2", {}, round.heading),
        round.facts.length > 0
          ? el(
              "dl.facts",
              {},
              round.facts.map(([name, value]) =>
                el("div", {}, el("dt", {}, name), el("dd", {}, value)),
              ),
            )
          : null,
        round.rows.map((row) => row.element(colors)),
        round.rows.length === 0 ? el("p.nothing", {}, "No messages.") : null,
      );
      byId("messages").append(round.section);
      const [first] = round.rows;
      const link = el(first ? "a" : "span", { href: first && "#" + first.address }, round.heading);
      fill(byId("rounds"), [el("section", {}, link, this.dots(round))]);
    }
    if (this.omitted > 0) {
      fill(byId("messages"), [
        el(
          "p.cut",
          {},
          `${count(this.omitted, "message")} are not in this file, whose limit is reached.`,
        ),
      ]);
    }
  }

  /** A mark for each message of a round, or only for the divergences of a long one. */
  dots(round) {
    const rows =
      round.rows.length > 200
        ? round.rows.filter((row) => row.isDivergence).slice(0, 200)
        : round.rows;
    return el(
      "p.dots",
      {},
      rows.map((row) => {
        const dot = el(
          "a.dot",
          {
            href: "#" + row.address,
            tabindex: "-1",
            title: `${row.message.number} ${row.message.sender} ${row.message.kind} ${row.state ?? ""}`,
          },
          el("span.sr", {}, row.node.getAttribute("aria-label")),
        );
        dot.classList.add(row.severity ?? (row.input ? "input" : "plain"));
        row.dot = dot;
        return dot;
      }),
      el("span.about", {}, count(round.rows.length, "message")),
    );
  }

  fillFilter() {
    const options = (id, all, values) =>
      fill(byId(id), [
        el("option", { value: "" }, all),
        values.map((value) => el("option", { value }, line(value, 60))),
      ]);
    // an attribute has visible characters only, and so has what it is compared with
    options("sender", "All senders", [...this.senders].sort());
    options("kind", "All kinds", [...new Set(this.rows.map((row) => row.message.kind))].sort());
    const jumps = this.what;
    byId("diverged-label").textContent = jumps[0].toUpperCase() + jumps.slice(1) + "s only";
    byId("keys-n").textContent = jumps;
    const buttons = {
      "previous-divergence": ["Previous", "P", "↑"],
      "next-divergence": ["Next", "N", jumps + " ↓"],
    };
    for (const [id, [direction, key, label]] of Object.entries(buttons)) {
      byId(id).textContent = label[0].toUpperCase() + label.slice(1);
      byId(id).title = `${direction} ${jumps} (${key})`;
      byId(id).setAttribute("aria-label", `${direction} ${jumps}`);
    }
    for (const id of ["diverged-only", "previous-divergence", "next-divergence"]) {
      byId(id).hidden = !this.hasDivergences;
    }
    document.querySelector(".of-divergences").hidden = !this.hasDivergences;
  }

  listen() {
    connect(this, byId("messages"), {
      "next-message": () => this.step(1),
      "previous-message": () => this.step(-1),
      "next-divergence": () => this.divergence(1),
      "previous-divergence": () => this.divergence(-1),
    });
    byId("filter").addEventListener("submit", () => this.select(this.shown[0]));
    byId("messages").addEventListener("click", (event) => {
      const row = this.byAddress.get(event.target.closest("article")?.id);
      if (row && getSelection().isCollapsed && !event.target.closest("button, a")) {
        this.select(row, { scroll: false });
      }
    });
  }

  /** Fills the messages near the screen at once, and the others when there is time. */
  watch() {
    const near = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (entry.isIntersecting) {
            this.byAddress.get(entry.target.id)?.fill();
            near.unobserve(entry.target);
          }
        }
      },
      { rootMargin: "1200px 0px" },
    );
    this.byAddress.forEach((row) => near.observe(row.node));
    const later =
      window.requestIdleCallback ??
      ((work) => setTimeout(() => work({ timeRemaining: () => 8 }), 50));
    let next = 20;
    this.rows.slice(0, next).forEach((row) => row.fill());
    const work = (time) => {
      while (next < this.rows.length && time.timeRemaining() > 2) {
        this.rows[next++].fill();
      }
      if (next < this.rows.length) {
        later(work);
      }
    };
    later(work);
  }

  /** Fills all messages, which are printed as they are shown. */
  print() {
    this.rows.forEach((row) => row.fill());
  }

  filter() {
    const query = byId("query").value;
    const [sender, kind] = ["sender", "kind"].map((id) => byId(id).value);
    const diverged = byId("diverged").checked;
    const pattern = literal(query);
    this.shown = this.rows.filter(
      (row) =>
        (!diverged || row.isDivergence) &&
        (!sender || row.senders.some((name) => plain(name) === sender)) &&
        (!kind || plain(row.message.kind) === kind) &&
        (!query || row.matches(pattern)),
    );
    const isShown = new Set(this.shown);
    this.rows.forEach((row) => {
      row.node.hidden = !isShown.has(row);
      row.dot?.classList.toggle("out", !isShown.has(row));
    });
    const isAll = this.shown.length === this.rows.length;
    for (const round of this.rounds) {
      round.section.hidden = !isAll && !round.rows.some((row) => isShown.has(row));
    }
    byId("shown").textContent = isAll
      ? count(this.rows.length, "message")
      : `${number.format(this.shown.length)} of ${count(this.rows.length, "message")}`;
    byId("clear").hidden = isAll && !query;
  }

  clear() {
    byId("filter").reset();
    this.filter();
  }

  /** Makes a message the current one; null for none. */
  select(row, { scroll = true } = {}) {
    this.current?.node.classList.remove("current");
    this.current?.node.removeAttribute("aria-current");
    this.current?.dot?.classList.remove("current");
    this.current = row ?? null;
    if (!row) {
      history.replaceState(null, "", location.pathname + location.search);
      return;
    }
    if (row.node.hidden) {
      this.clear();
    }
    row.fill();
    row.node.classList.add("current");
    row.node.setAttribute("aria-current", "true");
    row.dot?.classList.add("current");
    row.dot?.scrollIntoView({ block: "nearest" });
    history.replaceState(null, "", "#" + row.address);
    if (scroll) {
      row.node.focus({ preventScroll: true });
      const first = row.round.rows.find((each) => !each.node.hidden) === row;
      (first ? row.round.section : row.node).scrollIntoView({ block: "start" });
    }
  }

  /** The next shown message in a direction that passes a test; undefined for none. */
  from(by, test = () => true) {
    const { current } = this;
    const all = by > 0 ? this.shown : [...this.shown].reverse();
    return all.find(
      (row) => test(row) && (current === null || (row.place - current.place) * by > 0),
    );
  }

  go(row, by, name) {
    if (row) {
      this.select(row);
    } else {
      say(`No ${by > 0 ? "more" : "earlier"} ${name}`);
    }
  }

  step(by) {
    this.go(this.from(by), by, "messages");
  }

  divergence(by) {
    this.go(
      this.from(by, (row) => row.isDivergence),
      by,
      this.what + "s",
    );
  }

  round(by) {
    const own = this.current?.round;
    const [first] = (this.from(by, (row) => row.round !== own)?.round.rows ?? []).filter(
      (row) => !row.node.hidden,
    );
    this.go(first, by, "rounds");
  }

  /** Selects the message that the address identifies. */
  follow() {
    const address = location.hash.slice(1);
    const row = this.byAddress.get(address);
    if (row) {
      this.select(row);
    } else if (/^[ar]\d+m\d+$/.test(address)) {
      say(`${location.hash} is not in this file`);
    }
  }

  key(event) {
    press(
      event,
      {
        n: () => this.step(1),
        p: () => this.step(-1),
        j: () => this.step(1),
        k: () => this.step(-1),
        N: () => this.divergence(1),
        P: () => this.divergence(-1),
        d: () => this.divergence(1),
        D: () => this.divergence(-1),
        r: () => this.round(1),
        R: () => this.round(-1),
      },
      this,
      byId("messages"),
    );
  }

  /** Shows all messages; if it does, leaves the current one. */
  close() {
    if (byId("clear").hidden) {
      this.select(null);
    } else {
      this.clear();
    }
  }
}

new Talk(JSON.parse(byId("data").textContent));

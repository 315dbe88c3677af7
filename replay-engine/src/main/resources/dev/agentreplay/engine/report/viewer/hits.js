/**
 * Marks the places of the search in the page, and shows the one that a row does not show otherwise.
 */
class Hits {
  /** The most places that are marked in the details. */
  static MOST = 2_000;

  constructor() {
    this.visible = null; // matches a text as it is shown
    this.recorded = null; // matches a text as JSON escapes it
    this.observer = new MutationObserver((changes) =>
      this.markIn(changes.flatMap((change) => [...change.addedNodes])),
    );
    this.watched = null;
  }

  search(query, recorded) {
    this.visible = query === "" ? null : new RegExp(literal(query).source, "gi");
    this.recorded = query === "" ? null : recorded;
  }

  /** Marks the hits in an element now, and in what is added to it later. */
  watch(element) {
    this.watched = element;
    this.observer.disconnect();
    const parents = new Set();
    for (const mark of element.querySelectorAll("mark.hit")) {
      parents.add(mark.parentNode);
      mark.replaceWith(...mark.childNodes);
    }
    parents.forEach((parent) => parent.normalize());
    this.markIn([element]);
  }

  /** Opens the folds of the details if all hits of a step are in them. */
  reveal(element, row) {
    const isHit = this.visible && [row.left, row.right].some((unit) => unit && this.around(unit));
    const marks = [...element.querySelectorAll("mark.hit")];
    if (isHit && marks.every((mark) => mark.closest("summary"))) {
      for (const part of element.querySelectorAll("details.part:not([open])")) {
        part.open = true;
      }
    }
  }

  markIn(nodes) {
    this.observer.disconnect();
    nodes.forEach((node) => node.isConnected && this.mark(node));
    if (this.visible && this.watched) {
      this.observer.observe(this.watched, { childList: true, subtree: true });
    }
  }

  /** Marks the hits in the texts below a node; returns their number. */
  mark(node) {
    if (!this.visible) {
      return 0;
    }
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (
      let text = node instanceof Text ? node : walker.nextNode();
      text && texts.length < Hits.MOST * 10;
      text = walker.nextNode()
    ) {
      texts.push(text);
    }
    let marked = 0;
    for (const text of texts) {
      if (marked >= Hits.MOST) {
        break;
      }
      if (!text.parentElement?.closest("mark.hit, button")) {
        marked += this.markText(text);
      }
    }
    return marked;
  }

  markText(text) {
    const found = [...text.data.matchAll(this.visible)].slice(0, Hits.MOST);
    // from the end, so that the offsets of the others stay
    for (const match of found.reverse()) {
      const hit = text.splitText(match.index);
      hit.splitText(match[0].length);
      const mark = document.createElement("mark");
      mark.className = "hit";
      hit.replaceWith(mark);
      mark.append(hit);
    }
    return found.length;
  }

  /**
   * Marks the hits of a row. If name and summary have none, it shows the text around the first hit.
   */
  markRow(element, row) {
    if (!this.visible) {
      return;
    }
    this.mark(element);
    if (element.querySelector(".name mark.hit, .summary mark.hit")) {
      return;
    }
    const around = [row.left, row.right]
      .filter(Boolean)
      .map((unit) => this.around(unit))
      .find(Boolean);
    const summary = element.querySelector(".summary");
    if (around && summary) {
      summary.replaceChildren();
      put(summary, around);
      this.mark(summary);
    }
  }

  /** The recorded text around the first hit in a step, on one line. */
  around(unit) {
    for (const text of unit.events.flatMap((event) => [event.json, event.blob?.json])) {
      const at = text === undefined ? -1 : text.search(this.recorded);
      if (at >= 0) {
        const part = text.slice(Math.max(0, at - 60), at + 240);
        const shown = part
          .replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))
          .replace(/\\([nrt"\\/])/g, (_, c) => ({ n: "\n", r: "", t: " " })[c] ?? c);
        return "… " + line(shown, 240);
      }
    }
    return null;
  }
}

/** The hits of the current search. */
const hits = new Hits();

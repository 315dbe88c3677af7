/** The sessions as a tree: the forks and replays of a session are below it. */
class Forest {
  /**
   * @param entries all sessions
   * @param parents the place of a session, that of its parent, and how that was found, for each
   *   session with a parent
   */
  constructor(entries, parents) {
    for (const entry of entries) {
      Object.assign(entry, { parent: null, depth: 0, isHit: true });
    }
    for (const [place, above, evidence] of parents) {
      entries[place].parent = entries[above];
      entries[place].evidence = evidence;
    }
    this.isNested = parents.length > 0;
    this.folded = new Set(); // what is hidden as long as nothing is filtered
    this.foldedHits = new Set(); // what is hidden of the hits
    this.filter = "";
  }

  /** Shows or hides what is below an entry. */
  fold(entry) {
    if (!this.current.delete(entry)) {
      this.current.add(entry);
    }
  }

  get current() {
    return this.filter === "" ? this.folded : this.foldedHits;
  }

  isFolded(entry) {
    return this.current.has(entry);
  }

  /** Whether an entry is in the place of the tree in which it is hidden. */
  isHidden(entry) {
    for (let above = entry.parent; above !== null; above = above.parent) {
      if (this.isFolded(above)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The entries to be shown, in the order of a list: each is followed by those below it.
   *
   * @param sorted all entries, in the order of those with the same parent
   * @param hits those that the filter selects; what is above them is shown, too
   * @param filter a text that identifies the filter; empty without one. A different one shows all
   *   hits, also those that were hidden
   */
  arranged(sorted, hits, filter) {
    if (filter !== this.filter) {
      this.filter = filter;
      this.foldedHits.clear();
    }
    const shown = new Set();
    for (const hit of hits) {
      for (let entry = hit; entry !== null && !shown.has(entry); entry = entry.parent) {
        shown.add(entry);
        entry.isHit = false;
      }
    }
    hits.forEach((hit) => (hit.isHit = true));
    const below = new Map();
    for (const entry of sorted) {
      if (shown.has(entry)) {
        if (!below.has(entry.parent)) {
          below.set(entry.parent, []);
        }
        below.get(entry.parent).push(entry);
      }
    }
    return this.flattened(below);
  }

  /** The entries below each other, depth first, without those that are hidden. */
  flattened(below) {
    const rows = [];
    const open = [];
    const push = (parent, depth) => {
      const siblings = below.get(parent) ?? [];
      for (let i = siblings.length - 1; i >= 0; i--) {
        const at = { depth, rank: i + 1, siblings: siblings.length };
        open.push(Object.assign(siblings[i], at));
      }
    };
    push(null, 0);
    while (open.length > 0) {
      const entry = open.pop();
      rows.push(entry);
      entry.below = (below.get(entry) ?? []).length; // of those that the filter leaves
      entry.hasBelow = entry.below > 0;
      if (entry.hasBelow && !this.isFolded(entry)) {
        push(entry, entry.depth + 1);
      }
    }
    return rows;
  }

  /** The hits as a list without a tree. */
  flat(hits) {
    for (const hit of hits) {
      Object.assign(hit, { depth: 0, below: 0, hasBelow: false, isHit: true });
    }
    return hits;
  }
}

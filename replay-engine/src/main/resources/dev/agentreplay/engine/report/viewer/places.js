/** The places of the shown units on the tracks of a timeline, which are found on demand. */
class Places {
  constructor(timeline) {
    this.rows = timeline.rows;
    this.lanes = timeline.lanes;
    this.timeline = timeline;
  }

  /** The shown rows of a lane. */
  rowsOf(lane) {
    return this.rows.filter((row) => this.lanes.of(row.unit) === lane);
  }

  /** The unit on a track that is nearest to a place, from 0 to 1; null if there is none. */
  nearest(track, part) {
    this.tracks ??= this.find();
    const { begins, latest, units } = this.tracks.get(track) ?? {
      begins: [],
      latest: [],
      units: [],
    };
    const next = countUntil(begins, part);
    const candidates = [units[latest[next - 1]], units[next]]
      .filter(Boolean)
      .map((each) => ({ ...each, distance: Math.max(each.begin - part, part - each.end, 0) }));
    return candidates.reduce((a, b) => (b.distance < a.distance ? b : a), candidates[0] ?? null);
  }

  /** The units of each track in the order in which they begin. */
  find() {
    const tracks = new Map();
    for (const row of this.rows) {
      for (const unit of [row.left, row.right]) {
        const place = unit && this.timeline.place(row, unit);
        if (place) {
          const track = this.lanes.track(unit);
          const units = tracks.get(track) ?? [];
          units.push({ row, unit, begin: place[0], end: place[1] });
          tracks.set(track, units);
        }
      }
    }
    for (const [track, units] of tracks) {
      units.sort((a, b) => a.begin - b.begin);
      const latest = []; // of each unit, the place of the one up to it that ends last
      units.forEach(({ end }, i) =>
        latest.push(i > 0 && units[latest[i - 1]].end >= end ? latest[i - 1] : i),
      );
      tracks.set(track, { units, latest, begins: units.map(({ begin }) => begin) });
    }
    return tracks;
  }
}

/** How many of ascending numbers are not greater than a number. */
function countUntil(numbers, most) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

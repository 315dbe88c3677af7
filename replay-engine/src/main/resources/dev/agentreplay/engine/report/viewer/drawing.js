/** The drawing of a timeline: its lanes, the steps, the open one, and the axis. */
class TimelineDrawing {
  draw() {
    const paper = canvas(this.canvas);
    const width = this.canvas.clientWidth;
    const bottom = this.lanes.height * this.trackHeight;
    if (
      this.background?.width !== this.canvas.width ||
      this.background.height !== this.canvas.height
    ) {
      this.drawSteps(paper, width);
      this.background = paper.getImageData(0, 0, this.canvas.width, this.canvas.height);
    } else {
      paper.putImageData(this.background, 0, 0);
    }
    this.drawSelected(paper, width, bottom);
    this.drawAxis(paper, width, bottom);
  }

  drawSteps(paper, width) {
    paper.strokeStyle = color("line");
    for (const { first } of [...this.lanes.all, { first: this.lanes.height }]) {
      paper.strokeRect(-1, first * this.trackHeight + 0.5, width + 2, 0);
    }
    for (const row of this.model.rows) {
      paper.globalAlpha = this.visible.has(row) ? 1 : 0.12;
      for (const unit of [row.left, row.right].filter(Boolean)) {
        this.drawUnit(paper, row, unit, width);
      }
    }
    paper.globalAlpha = 1;
    this.drawForks(paper, width);
  }

  /** The points of forks, before the first step that is not before each. */
  drawForks(paper, width) {
    paper.save();
    paper.strokeStyle = color("mark");
    paper.setLineDash([4, 3]);
    for (const { row } of this.model.forks.filter((point) => point.row !== null)) {
      const place = this.place(row, row.unit);
      if (place) {
        const x = Math.round(this.inView(place[0]) * width) - 2.5;
        paper.beginPath();
        paper.moveTo(x, 0);
        paper.lineTo(x, this.lanes.height * this.trackHeight);
        paper.stroke();
      }
    }
    paper.restore();
  }

  /** A place relative to the view: from 0 to 1 if it is visible. */
  inView(place) {
    return (place - this.view[0]) / (this.view[1] - this.view[0]);
  }

  drawUnit(paper, row, unit, width) {
    const place = this.place(row, unit);
    if (!place) {
      return;
    }
    const zoomed = place.map((at) => this.inView(at) * width);
    if (zoomed[1] < 0 || zoomed[0] > width) {
      return;
    }
    const left = Math.min(Math.max(zoomed[0], -4), width - 2);
    const wide = Math.max(Math.min(zoomed[1], width + 4) - left, 2);
    const half = this.model.isDiff;
    const high = half ? 7 : 10;
    const top = this.lanes.track(unit) * this.trackHeight + (half ? 4 + unit.side * 9 : 5);
    const { outcome } = unit;
    paper.fillStyle = paper.strokeStyle = color(
      outcome === "ok" && unit.kind === "ModelCall" ? "model" : outcome,
    );
    if (outcome === "open") {
      paper.strokeRect(left + 0.5, top + 0.5, Math.max(wide - 1, 1), high - 1);
    } else {
      paper.fillRect(left, top, wide, high);
    }
    if (outcome === "failed") {
      // a sign in addition to the color
      paper.fillRect(left, top - 3, 2, high + 6);
    }
    if (half && this.model.isMarked(row) && unit === row.unit) {
      paper.fillStyle = color("mark");
      paper.beginPath();
      paper.moveTo(left - 3, top - 4);
      paper.lineTo(left + 5, top - 4);
      paper.lineTo(left + 1, top + 2);
      paper.fill();
    }
  }

  drawSelected(paper, width, bottom) {
    const place = this.selected && this.place(this.selected, this.selected.unit);
    if (place) {
      const x = this.inView(place[0]) * width;
      paper.fillStyle = color("accent");
      paper.fillRect(Math.round(x) - 1, 0, 2, bottom);
    }
  }

  drawAxis(paper, width, bottom) {
    paper.fillStyle = color("muted");
    paper.font = "11px system-ui, sans-serif";
    const ticks = Math.max(2, Math.floor(width / 130));
    let before = "";
    for (let i = 0; i <= ticks; i++) {
      const part = this.view[0] + ((this.view[1] - this.view[0]) * i) / ticks;
      paper.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
      const label = this.tick(part);
      if (label !== before) {
        paper.fillText(label, (width * i) / ticks, bottom + 14);
      }
      before = label;
    }
  }

  tick(part) {
    if (this.axis === "time") {
      return "+" + millis(part * this.longest);
    }
    const { starts } = this.slots;
    const index = countUntil(starts, part + 1e-9) - 1;
    return starts.length < 2 ? "" : "step " + number.format(Math.min(index, starts.length - 2) + 1);
  }
}

/** The media types of images that are shown. */
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The widest and highest image on the page, in CSS pixels; a larger one is scaled down. */
const MOST_PIXELS = 480;

/** An image that the log holds as Base64 text, in the place of that text. */
class RecordedImage {
  constructor(embedded, data) {
    Object.assign(this, embedded); // hash, type, width, height, size, beginning
    this.data = data;
  }

  toString() {
    return `${this.type}, ${this.width} × ${this.height}`;
  }

  /** The image; a button shows it in its own size. */
  element() {
    const about = `${this}, ${count(this.size, "character")} of Base64`;
    if (this.data === undefined || !IMAGE_TYPES.has(this.type)) {
      return el("p.cut", {}, `an image, ${about}, not in this file`);
    }
    const image = el("img", {
      src: `data:${this.type};base64,${this.data}`,
      alt: `recorded image, ${this}`,
      width: this.width,
      height: this.height,
      decoding: "async",
    });
    const figure = el("figure.image", {}, image, el("figcaption", {}, about));
    if (this.width > MOST_PIXELS || this.height > MOST_PIXELS) {
      const button = el(
        "button.more",
        {
          type: "button",
          click: () => {
            const isLarge = figure.classList.toggle("large");
            button.textContent = isLarge ? "Fit to the panel" : "Show in its own size";
          },
        },
        "Show in its own size",
      );
      figure.lastChild.append(" ", button);
    }
    return figure;
  }
}

package dev.agentreplay.cli.folder;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.engine.view.EventHit;
import dev.agentreplay.model.text.PlainText;

/** The hits of a search as text: one line each, with the matching part in bold. */
public final class HitText {

  private static final int NAME = 16;
  private static final int POINTER = 28;
  private static final int MIN_EXCERPT = 20;

  private final Style style;
  private final int width;

  /**
   * A renderer.
   *
   * @param width the width of a line in columns
   */
  public HitText(Style style, int width) {
    this.style = style;
    this.width = width;
  }

  /** The line of a hit; it ends with a line feed. */
  public String render(EventHit hit) {
    String place = "%6d  %-11s %s"
        .formatted(
            hit.line(),
            Style.fit(hit.kind(), NAME),
            hit.name() == null || hit.name().isEmpty() ? "" : Style.fit(hit.name(), NAME) + " ");
    String pointer = Style.fit(hit.pointer(), POINTER);
    String more = hit.places() == 1 ? "" : " (%,d places)".formatted(hit.places());
    int left = width - length(place) - length(pointer) - length(more) - 2;
    return style.dim(place)
        + style.name(pointer)
        + "  "
        + excerpt(hit, Math.max(MIN_EXCERPT, left))
        + style.dim(more)
        + "\n";
  }

  /** The matching part, with as much around it as the room allows. */
  private String excerpt(EventHit hit, int room) {
    String match = Style.fit(hit.match(), room);
    int around = room - length(match);
    String before = Style.plain(hit.before());
    String after = Style.plain(hit.after());
    int behind = Math.min(length(after), Math.max(around - length(before), around * 2 / 3));
    int ahead = Math.min(length(before), around - behind);
    return (ahead == 0 ? "" : end(hit.before(), ahead))
        + style.hit(match)
        + (behind == 0 ? "" : Style.fit(hit.after(), behind));
  }

  private static String end(String text, int columns) {
    return PlainText.fitEnd(text, columns);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}

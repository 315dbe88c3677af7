package dev.agentreplay.engine.report;

import java.util.Objects;

/**
 * The words for the two sides of a comparison in a page of {@link HtmlViewer}: on badges, in
 * headings, and in phrases such as "missing in B".
 *
 * <pre>{@code
 * ViewerOptions options =
 *     ViewerOptions.defaults().withSides(new SideNames("recorded", "actual"));
 * }</pre>
 *
 * @param left the word for the left session, not blank
 * @param right the word for the right session, not blank
 */
public record SideNames(String left, String right) {

  private static final SideNames LETTERS = new SideNames("A", "B");

  /**
   * Checks the words.
   *
   * @throws IllegalArgumentException if one is blank
   */
  public SideNames {
    Objects.requireNonNull(left, "left");
    Objects.requireNonNull(right, "right");
    if (left.isBlank() || right.isBlank()) {
      throw new IllegalArgumentException("names of sides must not be blank");
    }
  }

  /** The default names: A and B. */
  public static SideNames defaults() {
    return LETTERS;
  }
}

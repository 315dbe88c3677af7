package dev.agentreplay.engine.report.compared;

import dev.agentreplay.engine.diff.ValueChange.Replacement;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;

/** A recorded text, and the replacements that the rules of a comparison made in it. Immutable. */
public final class ComparedText {

  private final String recorded;
  private final String compared;
  private final List<Replacement> replacements;

  /** For each replacement the offset in the compared text of the first character after it. */
  private final int[] ends;

  private ComparedText(String recorded, List<Replacement> replacements) {
    StringBuilder text = new StringBuilder();
    this.ends = new int[replacements.size()];
    int copied = 0;
    for (int i = 0; i < ends.length; i++) {
      Replacement replacement = replacements.get(i);
      text.append(recorded, copied, replacement.start()).append(replacement.text());
      ends[i] = text.length();
      copied = replacement.end();
    }
    this.recorded = recorded;
    this.compared = ends.length == 0
        ? recorded
        : text.append(recorded, copied, recorded.length()).toString();
    this.replacements = replacements;
  }

  /** Returns a text without replacements: it was compared as recorded. */
  public static ComparedText of(String recorded) {
    return new ComparedText(recorded, List.of());
  }

  /** Returns a text with replacements, which are disjoint and in ascending order. */
  public static ComparedText of(String recorded, List<Replacement> replacements) {
    return new ComparedText(recorded, replacements);
  }

  public String recorded() {
    return recorded;
  }

  public String compared() {
    return compared;
  }

  public List<Replacement> replacements() {
    return replacements;
  }

  public boolean isEmpty() {
    return compared.isEmpty() && recorded.isEmpty();
  }

  /**
   * Returns the part between two offsets in the compared text. Recorded text that was replaced by
   * nothing belongs to the part after it. An empty part has no recorded text, unless the compared
   * text is empty.
   */
  public ComparedText slice(int from, int to) {
    if (from == to && !compared.isEmpty()) {
      return of("");
    }
    int begin = from == 0 ? 0 : recordedIndex(from);
    int end = to == compared.length() ? recorded.length() : recordedIndex(to);
    List<Replacement> within = new ArrayList<>();
    for (int i = firstEndingAt(from); i < ends.length && start(i) <= to; i++) {
      Replacement whole = replacements.get(i);
      int first = Math.max(begin, Math.min(end, whole.start()));
      int last = Math.max(begin, Math.min(end, whole.end()));
      int cut = Math.max(0, from - start(i));
      String text = whole
          .text()
          .substring(cut, Math.max(cut, Math.min(whole.text().length(), to - start(i))));
      if (first < last || !text.isEmpty()) {
        within.add(new Replacement(first - begin, last - begin, text));
      }
    }
    return new ComparedText(recorded.substring(begin, end), within);
  }

  /** Returns the text without its final line feed. */
  public ComparedText withoutLineFeed() {
    if (!compared.endsWith("\n")) {
      return this;
    }
    int end = recorded.length() - 1;
    int last = replacements.size() - 1;
    return recorded.endsWith("\n") && (last < 0 || replacements.get(last).end() <= end)
        ? new ComparedText(recorded.substring(0, end), replacements)
        : slice(0, compared.length() - 1);
  }

  /** Returns this text with a prefix, which was compared as recorded. */
  public ComparedText after(String prefix) {
    int length = prefix.length();
    return prefix.isEmpty()
        ? this
        : new ComparedText(
            prefix + recorded,
            replacements.stream()
                .map(r -> new Replacement(r.start() + length, r.end() + length, r.text()))
                .toList());
  }

  /** Converts an offset in the compared text to the offset in the recorded text. */
  public int recordedIndex(int index) {
    int i = firstEndingAt(index);
    if (i == ends.length) {
      return i == 0 ? index : replacements.get(i - 1).end() + index - ends[i - 1];
    }
    int start = start(i);
    return index <= start
        ? replacements.get(i).start() - (start - index)
        : replacements.get(i).end();
  }

  /** The index in the compared text, or the start of a replacement or surrogate pair around it. */
  public int floor(int index) {
    int i = firstEndingAt(index);
    boolean isInside = i < ends.length && start(i) < index && index < ends[i];
    return isInside ? start(i) : Excerpt.floor(compared, index);
  }

  /** The index in the compared text, or the end of the replacement around it. */
  public int ceiling(int index) {
    int i = firstEndingAt(index);
    return i < ends.length && start(i) < index ? ends[i] : index;
  }

  /** The start of a replacement in the compared text. */
  private int start(int replacement) {
    return ends[replacement] - replacements.get(replacement).text().length();
  }

  /** The index of the first replacement that does not end before an offset in the compared text. */
  private int firstEndingAt(int index) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] < index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

package dev.agentreplay.publish.secret;

import java.util.Arrays;

/**
 * A text with decoded segments, and the place of each character in the text from which it was
 * decoded. Immutable once it is built.
 */
final class DecodedText {

  private final StringBuilder builder = new StringBuilder();

  /** Four numbers for each segment: begin and end here, begin and end in the source. */
  private int[] segments = new int[64];

  private int size;

  /** The end of the source that was copied so far. */
  private int copied;

  private String text = "";

  DecodedText() {}

  /** Copies the source up to an index. */
  void copy(String source, int to) {
    builder.append(source, copied, to);
    copied = to;
  }

  /** Adds a segment: the text in place of a range of the source, before which all was copied. */
  void add(CharSequence decoded, int sourceTo) {
    int from = builder.length();
    builder.append(decoded);
    addSegment(from, sourceTo);
  }

  /** Adds a segment of one character. */
  void add(char decoded, int sourceTo) {
    int from = builder.length();
    builder.append(decoded);
    addSegment(from, sourceTo);
  }

  private void addSegment(int from, int sourceTo) {
    if (size == segments.length) {
      segments = Arrays.copyOf(segments, 2 * size);
    }
    segments[size++] = from;
    segments[size++] = builder.length();
    segments[size++] = copied;
    segments[size++] = sourceTo;
    copied = sourceTo;
  }

  /** Whether there are segments. */
  boolean hasSegments() {
    return size > 0;
  }

  /** Completes the text with the rest of the source. */
  DecodedText finish(String source) {
    copy(source, source.length());
    text = builder.toString();
    return this;
  }

  String text() {
    return text;
  }

  /** The index in the source of the character at an index. */
  int sourceFrom(int index) {
    int segment = segment(index);
    if (segment < 0) {
      return index;
    }
    return index < segments[segment + 1]
        ? segments[segment + 2]
        : segments[segment + 3] + index - segments[segment + 1];
  }

  /** The index in the source after the character before an index. */
  int sourceTo(int index) {
    int segment = segment(index - 1);
    if (segment < 0) {
      return index;
    }
    return index <= segments[segment + 1]
        ? segments[segment + 3]
        : segments[segment + 3] + index - segments[segment + 1];
  }

  /** Whether a range has a character of a segment. */
  boolean hasDecoded(int from, int to) {
    int segment = segment(to - 1);
    return segment >= 0 && segments[segment + 1] > from;
  }

  /** The last segment that begins at or before an index; -1 if there is none. */
  private int segment(int index) {
    int low = 0;
    int high = size / 4 - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (segments[4 * middle] <= index) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return 4 * high < 0 ? -1 : 4 * high;
  }
}

package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON text together with its value. Parsing detects whether the text is already in canonical
 * form; in that case {@link #isCanonical} and {@link #hash} reuse the text and do not write the
 * value again.
 *
 * <p>Holds a copy of the text. Immutable.
 */
public final class JsonDocument {

  private static final int QUOTES_AND_COLON = 3;

  /** The text followed by a line feed. */
  private final byte[] line;

  private final JsonValue value;

  /**
   * The offsets of the member names of the outermost object; null unless the text is known to be
   * canonical.
   */
  private final int @Nullable [] nameOffsets;

  /** Whether the text is the canonical form in every canonicalization, not only in serde. */
  private final boolean portable;

  private JsonDocument(
      byte[] line, JsonValue value, int @Nullable [] nameOffsets, boolean portable) {
    this.line = line;
    this.value = value;
    this.nameOffsets = nameOffsets;
    this.portable = portable;
  }

  /**
   * Parses one value from a range of an array like {@link JsonText#parse(byte[], int, int)}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws JsonSyntaxException if the range is not one JSON value
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public static JsonDocument parse(byte[] utf8, int from, int to) {
    try (DocumentParser parser = new DocumentParser()) {
      return parser.parse(utf8, from, to);
    }
  }

  /** Parses a range of an array, which is not out of bounds, with a parser with default limits. */
  static JsonDocument parse(JsonParser parser, byte[] utf8, int from, int to) {
    if (to - from > JsonLimits.defaults().maxBytes()) {
      return parse(utf8, from, to, JsonLimits.defaults()); // refused before it is copied
    }
    byte[] line = line(utf8, from, to);
    return of(parser, 0, line, parser.parse(line, 0, to - from, true));
  }

  /** Parses like {@link #parse(byte[], int, int)}, within the given limits. */
  public static JsonDocument parse(byte[] utf8, int from, int to, JsonLimits limits) {
    Objects.checkFromToIndex(from, to, utf8.length);
    JsonParser parser = new JsonParser(limits);
    JsonValue value = parser.parse(utf8, from, to);
    return of(parser, from, line(utf8, from, to), value);
  }

  private static byte[] line(byte[] utf8, int from, int to) {
    byte[] line = Arrays.copyOfRange(utf8, from, to + 1);
    line[to - from] = '\n';
    return line;
  }

  private static JsonDocument of(JsonParser parser, int from, byte[] line, JsonValue value) {
    int[] nameOffsets = parser.isCanonical() && value instanceof JsonObject object
        ? parser.nameOffsets(object, from)
        : null;
    return new JsonDocument(line, value, nameOffsets, parser.isPortable());
  }

  /** The value. */
  public JsonValue value() {
    return value;
  }

  /** A copy of the text. */
  public byte[] bytes() {
    return Arrays.copyOf(line, size());
  }

  /** The length of the text in bytes. */
  public int size() {
    return line.length - 1;
  }

  /** Writes the text to a stream in one call. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(line, 0, size());
  }

  /** Writes the text and a line feed to a stream in one call. */
  public void writeLineTo(OutputStream out) throws IOException {
    out.write(line);
  }

  /**
   * Whether the text is the canonical form of its value.
   *
   * @throws JsonSyntaxException if the value contains an integer that the canonicalization would
   *     round
   */
  public boolean isCanonical(CanonicalJson canonical) {
    return nameOffsets(canonical) != null || canonical.isCanonical(line, 0, size());
  }

  /**
   * Returns the hash of a value of this document. Fast if the value is a member of the outermost
   * object of a canonical text.
   *
   * @param part the value: the instance that {@link #value} contains
   * @throws IllegalArgumentException if the value contains an integer that the canonicalization
   *     would round
   */
  public ContentHash hash(JsonValue part, CanonicalJson canonical) {
    int[] offsets = nameOffsets(canonical);
    int member = offsets == null ? -1 : position(part);
    if (offsets == null || member < 0) {
      return canonical.hash(part);
    }
    int from = offsets[member] + value.asObject().name(member).length() + QUOTES_AND_COLON;
    int to = member + 1 < offsets.length ? offsets[member + 1] : size();
    return canonical.hashCanonical(line, from, to - 1); // without the comma or the closing brace
  }

  /** The offsets of the names; null unless the text is known to be canonical in this form. */
  private int @Nullable [] nameOffsets(CanonicalJson canonical) {
    return portable || canonical.canonicalization() == Canonicalization.SERDE ? nameOffsets : null;
  }

  /** The position of the member whose value is this instance; -1 if there is none. */
  @SuppressWarnings("ReferenceEquality") // the text of an equal value may differ
  private int position(JsonValue part) {
    JsonObject object = value.asObject();
    for (int i = 0; i < object.size(); i++) {
      if (object.value(i) == part) {
        return i;
      }
    }
    return -1;
  }
}

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
 * JSON text and the value that it stands for. Where the text is in canonical form already, which is
 * seen while it is read, neither is written again to say so, or to hash a part of it.
 *
 * <p>Holds a copy of the text. Immutable.
 */
public final class JsonDocument {

  private static final int QUOTES_AND_COLON = 3;

  /** The text and a line feed. */
  private final byte[] line;

  private final JsonValue value;

  /** Where the names of the outermost object stand; null when the text may not be canonical. */
  private final int @Nullable [] nameOffsets;

  /** Whether the text is the canonical form in all canonicalizations, and not just in serde. */
  private final boolean portable;

  private JsonDocument(
      byte[] line, JsonValue value, int @Nullable [] nameOffsets, boolean portable) {
    this.line = line;
    this.value = value;
    this.nameOffsets = nameOffsets;
    this.portable = portable;
  }

  /**
   * Reads one value from a part of an array, as {@link JsonText#parse(byte[], int, int)} does.
   *
   * @throws JsonSyntaxException if the bytes are not a value
   * @throws IndexOutOfBoundsException if there is no such part
   */
  public static JsonDocument parse(byte[] utf8, int from, int to) {
    Objects.checkFromToIndex(from, to, utf8.length);
    JsonParser parser = JsonParser.acquire();
    try {
      return parse(parser, utf8, from, to);
    } finally {
      parser.release();
    }
  }

  /** As {@link #parse(byte[], int, int)}, within other limits. */
  public static JsonDocument parse(byte[] utf8, int from, int to, JsonLimits limits) {
    Objects.checkFromToIndex(from, to, utf8.length);
    return parse(new JsonParser(limits), utf8, from, to);
  }

  private static JsonDocument parse(JsonParser parser, byte[] utf8, int from, int to) {
    JsonValue value = parser.parse(utf8, from, to);
    int[] nameOffsets = parser.isCanonical() && value instanceof JsonObject object
        ? parser.nameOffsets(object, from)
        : null;
    byte[] line = Arrays.copyOfRange(utf8, from, to + 1);
    line[to - from] = '\n';
    return new JsonDocument(line, value, nameOffsets, parser.isPortable());
  }

  /** The value. */
  public JsonValue value() {
    return value;
  }

  /** The text: a copy. */
  public byte[] bytes() {
    return Arrays.copyOf(line, size());
  }

  /** The number of bytes of the text. */
  public int size() {
    return line.length - 1;
  }

  /** Writes the text, in one call. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(line, 0, size());
  }

  /** Writes the text and a line feed, in one call. */
  public void writeLineTo(OutputStream out) throws IOException {
    out.write(line);
  }

  /**
   * Whether the text is the canonical form of its value.
   *
   * @throws JsonSyntaxException if the value holds an integer that would be rounded
   */
  public boolean isCanonical(CanonicalJson canonical) {
    return nameOffsets(canonical) != null || canonical.isCanonical(line, 0, size());
  }

  /**
   * The hash of a value of this document; fast when that is a member of the outermost object.
   *
   * @throws IllegalArgumentException if the value holds an integer that would be rounded
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

  /** The offsets of names, or null when it is not known that the text is canonical. */
  private int @Nullable [] nameOffsets(CanonicalJson canonical) {
    return portable || canonical.canonicalization() == Canonicalization.SERDE ? nameOffsets : null;
  }

  /** The position of the member that has this very value, or -1. */
  @SuppressWarnings("ReferenceEquality") // an equal value may have been written another way
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

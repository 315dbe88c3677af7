package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pieces in which a streamed text arrived: for each piece the time of its arrival and its
 * length in Unicode code points. With the text they suffice to stream it again in the same pieces.
 *
 * <p>A code point is never split: if a surrogate pair arrived in two pieces, it belongs to the
 * second one. The lengths add up to the length of the text, also if the stream was interrupted.
 *
 * <pre>{@code
 * Chunks chunks = Chunks.builder().add(230, 5).add(241, 12).build();
 * chunks.timeToFirstMillis(); // 230
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class Chunks {

  /** No pieces: a result that was not streamed. */
  public static final Chunks NONE = new Chunks(new long[0], new int[0], null);

  private final long[] offsets;
  private final int[] lengths;
  private final @Nullable String place;

  private Chunks(long[] offsets, int[] lengths, @Nullable String place) {
    this.offsets = offsets;
    this.lengths = lengths;
    this.place = place;
  }

  /** Creates a builder without pieces. */
  public static Builder builder() {
    return new Builder();
  }

  /** The number of pieces. */
  public int size() {
    return offsets.length;
  }

  /** Whether there are no pieces. */
  public boolean isEmpty() {
    return offsets.length == 0;
  }

  /**
   * The time at which a piece arrived, in milliseconds since the call.
   *
   * @param index the number of the piece, from 0
   */
  public long offsetMillis(int index) {
    return offsets[index];
  }

  /**
   * The length of a piece in Unicode code points.
   *
   * @param index the number of the piece, from 0
   */
  public int length(int index) {
    return lengths[index];
  }

  /** The length of the text in Unicode code points: the sum of the lengths. */
  public long totalLength() {
    long total = 0;
    for (int length : lengths) {
      total += length;
    }
    return total;
  }

  /**
   * The JSON Pointer to the streamed text in the value of the result, as it is written; null if the
   * text is the first one in the value that has this length. The empty pointer of a value that is
   * not a text states that the streamed text is not in it.
   */
  public @Nullable String place() {
    return place;
  }

  /** Returns a copy with the place of the streamed text. */
  public Chunks withPlace(@Nullable String newPlace) {
    return new Chunks(offsets, lengths, newPlace);
  }

  /**
   * Returns the streamed text in the value of a result; null if it is not in it.
   *
   * @param value the answer or output in full; null if it is not known
   */
  public @Nullable String textIn(@Nullable JsonValue value) {
    if (isEmpty() || value == null) {
      return null;
    }
    JsonPointer pointer = pointer(value);
    JsonValue found = pointer == null ? null : pointer.find(value);
    return found instanceof JsonString text && length(text) == totalLength() ? text.value() : null;
  }

  private @Nullable JsonPointer pointer(JsonValue value) {
    try {
      return place == null
          ? StreamedPlace.ofLength(value, totalLength())
          : JsonPointer.parse(place);
    } catch (IllegalArgumentException notAPointer) {
      return null;
    }
  }

  private static long length(JsonString text) {
    return text.value().codePointCount(0, text.value().length());
  }

  /** The time until the first piece arrived, in milliseconds; null if there are no pieces. */
  public @Nullable Long timeToFirstMillis() {
    return isEmpty() ? null : offsets[0];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Chunks chunks
        && Arrays.equals(offsets, chunks.offsets)
        && Arrays.equals(lengths, chunks.lengths)
        && Objects.equals(place, chunks.place);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(offsets) + Arrays.hashCode(lengths))
        + Objects.hashCode(place);
  }

  /** Returns the pieces without their place as they are written: pairs of time and length. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < offsets.length; i++) {
      text.append(i == 0 ? "[" : ",[").append(offsets[i]).append(',').append(lengths[i]);
      text.append(']');
    }
    return text.append(']').toString();
  }

  /** Collects pieces. Not safe for use by several threads. */
  public static final class Builder {
    private long[] offsets = new long[16];
    private int[] lengths = new int[16];
    private int size;

    private Builder() {}

    /**
     * Adds a piece. The writer of a log refuses a negative time, a time before that of the previous
     * piece, and a length below 1; this method does not.
     */
    public Builder add(long offsetMillis, int length) {
      if (size == offsets.length) {
        int capacity = size + (size >> 1);
        offsets = Arrays.copyOf(offsets, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
      }
      offsets[size] = offsetMillis;
      lengths[size++] = length;
      return this;
    }

    /** Returns the pieces that were added. */
    public Chunks build() {
      return size == 0
          ? NONE
          : new Chunks(Arrays.copyOf(offsets, size), Arrays.copyOf(lengths, size), null);
    }
  }
}

package dev.agentreplay.model;

import java.util.Arrays;
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
  public static final Chunks NONE = new Chunks(new long[0], new int[0]);

  private final long[] offsets;
  private final int[] lengths;

  private Chunks(long[] offsets, int[] lengths) {
    this.offsets = offsets;
    this.lengths = lengths;
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

  /** The time until the first piece arrived, in milliseconds; null if there are no pieces. */
  public @Nullable Long timeToFirstMillis() {
    return isEmpty() ? null : offsets[0];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Chunks chunks
        && Arrays.equals(offsets, chunks.offsets)
        && Arrays.equals(lengths, chunks.lengths);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offsets) + Arrays.hashCode(lengths);
  }

  /** Returns the pieces as they are written: an array of pairs of time and length. */
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
          : new Chunks(Arrays.copyOf(offsets, size), Arrays.copyOf(lengths, size));
    }
  }
}

package dev.agentreplay.engine.diff.value;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Hashes of the words of a value, at most {@value #MAX}, for an inexpensive estimate of the
 * similarity of two values. They never decide whether two values are equal.
 */
public final class Traits {

  private static final int MAX = 48;
  private static final int MAX_TEXT = 2_000;
  private static final String BLANKS = " \t\r\n,;()[]{}\"'=";
  private static final boolean[] IS_BLANK = new boolean[128];

  static {
    BLANKS.chars().forEach(c -> IS_BLANK[c] = true);
  }

  /** The traits of a missing value. */
  public static final Traits NONE = new Traits(new int[0]);

  /** The hashes, in ascending order. */
  private final int[] hashes;

  private Traits(int[] hashes) {
    this.hashes = hashes;
  }

  public static Traits of(@Nullable JsonValue value) {
    if (value == null) {
      return NONE;
    }
    Collector collector = new Collector();
    collector.add(0, value, 0);
    int[] found = Arrays.copyOf(collector.found, collector.size);
    Arrays.sort(found);
    return new Traits(found);
  }

  /** The similarity: the share of the hashes that both have in common, from 0.0 to 1.0. */
  public double alike(Traits other) {
    int all = hashes.length + other.hashes.length;
    if (all == 0) {
      return 1;
    }
    int shared = 0;
    for (int i = 0, j = 0; i < hashes.length && j < other.hashes.length; ) {
      int order = Integer.compare(hashes[i], other.hashes[j]);
      shared += order == 0 ? 1 : 0;
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    return 2.0 * shared / all;
  }

  private static final class Collector {
    private final int[] found = new int[MAX];
    private int size;

    void add(int path, JsonValue value, int depth) {
      if (size == MAX || depth > 4) {
        return;
      }
      if (value instanceof JsonObject object) {
        for (int i = 0; i < Math.min(object.size(), MAX); i++) {
          add(31 * path + object.name(i).hashCode(), object.value(i), depth + 1);
        }
      } else if (value instanceof JsonArray array) {
        for (int i = 0; i < Math.min(array.size(), MAX); i++) {
          add(path, array.get(i), depth + 1);
        }
      } else if (value instanceof JsonString string) {
        words(path, string.value());
      } else {
        found[size++] = 31 * path + value.hashCode();
      }
    }

    private void words(int path, String text) {
      int end = Math.min(text.length(), MAX_TEXT);
      int hash = 0; // of the word so far, as String.hashCode computes it
      boolean isInWord = false;
      for (int i = 0; i < end; i++) {
        char c = text.charAt(i);
        if (c < IS_BLANK.length && IS_BLANK[c]) {
          if (isInWord) {
            found[size++] = 31 * path + hash;
            if (size == MAX) {
              return;
            }
          }
          isInWord = false;
          hash = 0;
        } else {
          isInWord = true;
          hash = 31 * hash + c;
        }
      }
      if (isInWord) {
        found[size++] = 31 * path + hash;
      }
    }
  }
}

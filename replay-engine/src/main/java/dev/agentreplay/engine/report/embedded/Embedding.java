package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.engine.report.compared.ComparedText;
import dev.agentreplay.engine.report.compared.Marks;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;

/**
 * Embeds values in a page as JSON text. Each value is cut to a limit, until a total is used up; the
 * cuts are listed next to the text.
 *
 * <p>A value that is too long is shortened by cutting its longest texts, arrays and objects to a
 * length that is quartered until the whole value fits. Not safe for use by several threads.
 */
public final class Embedding {

  /** The shortest length that is tried; a value that still does not fit is omitted. */
  private static final int SHORTEST = 16;

  /** The assumed length of an element of an array, in characters. */
  private static final int ELEMENT = 16;

  private final int limit;
  private long left;

  /**
   * Creates an empty embedding.
   *
   * @param limit the maximum length of the JSON text of a value, in characters
   * @param total the maximum length of all JSON texts together, in characters
   */
  public Embedding(int limit, long total) {
    this.limit = limit;
    this.left = total;
  }

  /**
   * Embeds a value: {@code json} is its text, and {@code cuts} lists its cut parts, each as
   * {@code [pointer, characters or members, how many of them are kept]}. If the value is omitted,
   * {@code size} is the length of its text.
   */
  public JsonObject embed(JsonValue value) {
    String whole = value.toString();
    int most = most();
    if (whole.length() <= most) {
      return used(whole, List.of());
    }
    for (int longest = most; longest >= SHORTEST; longest /= 4) {
      Cutter cutter = new Cutter(longest, most);
      JsonValue cut = cutter.cut(value, new StringBuilder());
      String text = cutter.exceeds() ? "" : cut.toString();
      if (!cutter.exceeds() && text.length() <= most) {
        return used(text, cutter.cuts);
      }
    }
    return JsonObject.of("size", whole.length());
  }

  /**
   * Embeds a text with marks at its replaced parts, like {@link #embed(JsonValue)}. It is never cut
   * within a replaced part.
   */
  public JsonObject embed(ComparedText text, Marks marks) {
    int most = most();
    ComparedText kept = text;
    String json = json(kept, marks);
    int longest = Math.min(most, text.compared().length());
    while (json.length() > most && longest >= SHORTEST) {
      kept = text.slice(0, text.floor(longest));
      json = json(kept, marks);
      longest /= 4;
    }
    int size = text.recorded().length();
    int length = kept.recorded().length();
    if (json.length() > most || (length == 0 && size > 0)) {
      return JsonObject.of("size", JsonString.of(text.recorded()).toString().length());
    }
    return used(json, length == size ? List.of() : List.of(JsonArray.of("", size, length)));
  }

  private static String json(ComparedText text, Marks marks) {
    return JsonString.of(marks.mark(text)).toString();
  }

  private int most() {
    return (int) Math.min(limit, left);
  }

  /** Whether the total is used up, but for a rest too small for a useful value. */
  public boolean isFull() {
    return left < SHORTEST;
  }

  private JsonObject used(String text, List<JsonArray> cuts) {
    left -= text.length();
    JsonObject embedded = JsonObject.of("json", text);
    return cuts.isEmpty() ? embedded : embedded.with("cuts", cuts);
  }

  /** Cuts a value once; stops early if it cannot fit. */
  private static final class Cutter {
    private final int longest;
    private final int most;
    private final List<JsonArray> cuts = new ArrayList<>();

    /** The approximate length of the text and the cuts. */
    private long written;

    Cutter(int longest, int most) {
      this.longest = longest;
      this.most = most;
    }

    boolean exceeds() {
      return written > most;
    }

    JsonValue cut(JsonValue value, StringBuilder pointer) {
      if (value instanceof JsonString text) {
        String kept = Excerpt.beginning(text.value(), longest);
        written += kept.length();
        said(pointer, text.value().length(), kept.length());
        return JsonString.of(kept);
      }
      if (value instanceof JsonArray array) {
        return cutArray(array, pointer);
      }
      if (value instanceof JsonObject object) {
        return cutObject(object, pointer);
      }
      written += value.toString().length();
      return value;
    }

    private JsonArray cutArray(JsonArray array, StringBuilder pointer) {
      List<JsonValue> kept = new ArrayList<>();
      while (kept.size() < Math.min(array.size(), longest / ELEMENT) && !exceeds()) {
        String token = Integer.toString(kept.size());
        kept.add(cutWithin(array.get(kept.size()), pointer, token));
      }
      said(pointer, array.size(), kept.size());
      return JsonArray.copyOf(kept);
    }

    private JsonObject cutObject(JsonObject object, StringBuilder pointer) {
      JsonObject.Builder kept = JsonObject.builder();
      int size = 0;
      while (size < Math.min(object.size(), longest / ELEMENT) && !exceeds()) {
        String name = object.name(size);
        written += name.length();
        String token = JsonPointer.escape(name);
        kept.add(name, cutWithin(object.value(size), pointer, token));
        size++;
      }
      said(pointer, object.size(), size);
      return kept.build();
    }

    private JsonValue cutWithin(JsonValue value, StringBuilder pointer, String token) {
      int length = pointer.length();
      JsonValue cut = cut(value, pointer.append('/').append(token));
      pointer.setLength(length);
      return cut;
    }

    private void said(StringBuilder pointer, int size, int kept) {
      if (kept < size) {
        written += pointer.length();
        cuts.add(JsonArray.of(pointer.toString(), size, kept));
      }
    }
  }
}

package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The prompt of a {@link ModelCall} as a change of an earlier prompt, so that a log does not repeat
 * a conversation in each call.
 *
 * <pre>{@code
 * PromptDelta.Parts messages = new PromptDelta.Parts();
 * messages.take(0); // the first message of the base
 * messages.add(JsonObject.of("role", "user", "content", "Is it fixed?"));
 * PromptDelta delta = PromptDelta.from("model-2")
 *     .slices(JsonPointer.parse("/messages"), messages)
 *     .build();
 * }</pre>
 *
 * <p>The base is the last earlier model call with the given id, if it is among the last ones: of
 * the calls that are the last with their id, the oldest are no longer bases when there are more
 * than {@link #MAX_CALLS}, or their prompts are larger than {@link #MAX_SIZE} altogether. The
 * prompt of the base is changed in this order:
 *
 * <ol>
 *   <li>{@code removed}, an array of JSON Pointers: these members are removed.
 *   <li>{@code set}, an object with a value for each pointer: these members are added or replaced.
 *   <li>{@code slices}, an object with an array of parts for each pointer: the array at that place
 *       is replaced by the parts in order, each of them either {@code from} and {@code to}, a range
 *       of elements of the base's array at that place, or {@code new}, elements of its own. Each
 *       element of the base is taken at most once, so that a prompt is never longer than the lines
 *       it is made of.
 * </ol>
 *
 * A pointer names members of objects only. The size of the changed prompt, measured like that of
 * the bases, is at most {@link #MAX_SIZE}. Immutable.
 *
 * @param json the change as it is written
 */
public record PromptDelta(JsonObject json) {

  /** The maximum number of ids of model calls among which a base is found. */
  public static final int MAX_CALLS = 256;

  /**
   * The maximum size of the prompts among which a base is found, as they are written: the UTF-16
   * code units of the strings and names in {@code prompt} and {@code prompt_delta}, 8 for each
   * value in them and for each element that a change takes from its base, and the bytes of blobs.
   * 32 Mi.
   */
  public static final long MAX_SIZE = 32L << 20;

  /** The size of a value without its texts. */
  private static final int VALUE_SIZE = 8;

  private static final String BASE = "base";
  private static final String REMOVED = "removed";
  private static final String SET = "set";
  private static final String SLICES = "slices";
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String NEW = "new";

  private static final Set<String> MEMBERS = Set.of(BASE, REMOVED, SET, SLICES);

  /**
   * Checks the form.
   *
   * @throws IllegalArgumentException if the object is not of the form described above
   */
  public PromptDelta {
    String fault = fault(json);
    if (fault != null) {
      throw new IllegalArgumentException("prompt_delta: " + fault);
    }
  }

  /** Returns the change that a value describes; null if the value is not of the required form. */
  public static @Nullable PromptDelta find(JsonValue value) {
    return value instanceof JsonObject object && fault(object) == null
        ? new PromptDelta(object)
        : null;
  }

  /** Creates a builder of a change of the prompt of the call with the given id. */
  public static Builder from(String base) {
    return new Builder(base);
  }

  /** The id of the model call whose prompt is changed. */
  public String base() {
    return Objects.requireNonNull(json.get(BASE)).asString();
  }

  /**
   * Returns the changed prompt.
   *
   * @param prompt the prompt of the base
   * @throws IllegalArgumentException if the prompt does not have a member or an element that the
   *     change refers to, or an element is taken twice; the message names the place
   */
  public JsonObject applyTo(JsonObject prompt) {
    JsonObject result = prompt;
    for (JsonValue removed : array(REMOVED)) {
      result = put(result, JsonPointer.parse(removed.asString()), 0, null);
    }
    JsonObject set = object(SET);
    for (int i = 0; i < set.size(); i++) {
      result = put(result, JsonPointer.parse(set.name(i)), 0, set.value(i));
    }
    JsonObject slices = object(SLICES);
    for (int i = 0; i < slices.size(); i++) {
      JsonPointer pointer = JsonPointer.parse(slices.name(i));
      if (!(pointer.find(prompt) instanceof JsonArray base)) {
        throw new IllegalArgumentException("the prompt of the base has no array at " + pointer);
      }
      JsonArray joined = join(base, slices.value(i).asArray(), pointer);
      result = put(result, pointer, 0, joined);
    }
    return result;
  }

  /**
   * The size of a value as {@link #MAX_SIZE} measures it: the UTF-16 code units of its strings and
   * names, and 8 for each value. Part of the format, because it bounds the calls among which a base
   * is found.
   */
  public static long size(JsonValue value) {
    long sum = VALUE_SIZE;
    if (value instanceof JsonString text) {
      return sum + text.value().length();
    }
    if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        sum += object.name(i).length() + size(object.value(i));
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        sum += size(array.get(i));
      }
    }
    return sum;
  }

  /** The size of the change as it is written, see {@link #MAX_SIZE}. */
  public long writtenSize() {
    return size(json) + VALUE_SIZE * taken();
  }

  /** The number of elements that the change takes from its base. */
  public long taken() {
    JsonObject slices = object(SLICES);
    long taken = 0;
    for (int i = 0; i < slices.size(); i++) {
      for (JsonValue element : slices.value(i).asArray()) {
        JsonObject part = element.asObject();
        taken += part.has(NEW) ? 0 : index(part, TO) - index(part, FROM);
      }
    }
    return taken;
  }

  private static JsonArray join(JsonArray base, JsonArray parts, JsonPointer pointer) {
    List<JsonValue> joined = new ArrayList<>(base.size() + parts.size());
    BitSet taken = new BitSet();
    for (JsonValue element : parts) {
      JsonObject part = element.asObject();
      if (part.get(NEW) instanceof JsonArray added) {
        joined.addAll(added.values());
        continue;
      }
      int from = index(part, FROM);
      int to = index(part, TO);
      if (to > base.size()) {
        throw new IllegalArgumentException(
            "%s: %d to %d: the base has %d elements".formatted(pointer, from, to, base.size()));
      }
      int twice = taken.nextSetBit(from);
      if (twice >= 0 && twice < to) {
        throw new IllegalArgumentException(
            "%s: element %d of the base is taken twice".formatted(pointer, twice));
      }
      taken.set(from, to);
      joined.addAll(base.values().subList(from, to));
    }
    return JsonArray.copyOf(joined);
  }

  private static JsonObject put(
      JsonObject object, JsonPointer pointer, int depth, @Nullable JsonValue value) {
    String name = pointer.tokens().get(depth);
    JsonValue present = object.get(name);
    if (depth == pointer.tokens().size() - 1) {
      if (value != null) {
        return object.with(name, value);
      } else if (present != null) {
        return object.without(name);
      }
    } else if (present instanceof JsonObject inner) {
      return object.with(name, put(inner, pointer, depth + 1, value));
    }
    throw new IllegalArgumentException("the prompt of the base has no member " + pointer);
  }

  private JsonArray array(String name) {
    return json.get(name) instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  private JsonObject object(String name) {
    return json.get(name) instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  private static @Nullable String fault(JsonObject json) {
    for (String name : json.names()) {
      if (!MEMBERS.contains(name)) {
        return "unknown member " + name;
      }
    }
    if (!(json.get(BASE) instanceof JsonString)) {
      return "expected the id of a call in base";
    }
    JsonValue removed = json.get(REMOVED);
    JsonValue set = json.get(SET);
    JsonValue slices = json.get(SLICES);
    boolean isForm = (removed == null || areMembers(removed))
        && (set == null
            || (set instanceof JsonObject values
                && values.names().stream().allMatch(PromptDelta::isMember)))
        && (slices == null || areSlices(slices));
    return isForm ? null : "expected pointers in removed, set and slices, and parts in slices";
  }

  private static boolean areMembers(JsonValue value) {
    return value instanceof JsonArray array
        && array.stream()
            .allMatch(element -> element instanceof JsonString text && isMember(text.value()));
  }

  private static boolean isMember(String pointer) {
    try {
      return !JsonPointer.parse(pointer).tokens().isEmpty();
    } catch (IllegalArgumentException notAPointer) {
      return false;
    }
  }

  private static boolean areSlices(JsonValue value) {
    if (!(value instanceof JsonObject slices)) {
      return false;
    }
    for (int i = 0; i < slices.size(); i++) {
      boolean areParts = slices.value(i) instanceof JsonArray parts
          && parts.stream().allMatch(part -> part instanceof JsonObject object && isPart(object));
      if (!areParts || !isMember(slices.name(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPart(JsonObject part) {
    if (part.size() == 1) {
      return part.get(NEW) instanceof JsonArray;
    }
    int from = index(part, FROM);
    int to = index(part, TO);
    return part.size() == 2 && from >= 0 && to > from;
  }

  /** The index in a member; -1 if there is none. */
  private static int index(JsonObject part, String name) {
    if (part.get(name) instanceof JsonNumber number) {
      try {
        return Math.toIntExact(number.asLong());
      } catch (ArithmeticException notAnIndex) {
        return -1;
      }
    }
    return -1;
  }

  /** Builds the change of a prompt. Not safe for use by several threads. */
  public static final class Builder {
    private final String base;
    private final List<JsonValue> removed = new ArrayList<>();
    private final JsonObject.Builder set = JsonObject.builder();
    private final JsonObject.Builder slices = JsonObject.builder();

    private Builder(String base) {
      this.base = base;
    }

    /** Removes a member. */
    public Builder remove(JsonPointer pointer) {
      removed.add(JsonString.of(pointer.toString()));
      return this;
    }

    /** Adds or replaces a member. */
    public Builder set(JsonPointer pointer, JsonValue value) {
      set.add(pointer.toString(), value);
      return this;
    }

    /** Replaces an array by parts. */
    public Builder slices(JsonPointer pointer, Parts parts) {
      slices.add(pointer.toString(), JsonArray.copyOf(parts.done()));
      return this;
    }

    /** Returns the change. */
    public PromptDelta build() {
      JsonObject.Builder json = JsonObject.builder().put(BASE, base);
      if (!removed.isEmpty()) {
        json.add(REMOVED, JsonArray.copyOf(removed));
      }
      JsonObject values = set.build();
      if (!values.isEmpty()) {
        json.add(SET, values);
      }
      JsonObject arrays = slices.build();
      if (!arrays.isEmpty()) {
        json.add(SLICES, arrays);
      }
      return new PromptDelta(json.build());
    }
  }

  /** The parts of one array, in order. Not safe for use by several threads. */
  public static final class Parts {
    private final List<JsonValue> parts = new ArrayList<>();
    private final List<JsonValue> added = new ArrayList<>();
    private int from;
    private int to;

    /** Creates parts without elements. */
    public Parts() {}

    /** Adds the element of the base with the given index. */
    public void take(int index) {
      if (index == to && to > from) {
        to++;
        return;
      }
      done();
      from = index;
      to = index + 1;
    }

    /** Adds the first elements of the base, as many as given. */
    public void takeFirst(int count) {
      if (count > 0) {
        done();
        to = count;
      }
    }

    /** Adds a new element. */
    public void add(JsonValue element) {
      if (to > from) {
        done();
      }
      added.add(element);
    }

    /** Whether the parts are the elements 0 to {@code size} of the base, in order. */
    public boolean isWhole(int size) {
      return parts.isEmpty() && added.isEmpty() && from == 0 && to == size;
    }

    private List<JsonValue> done() {
      if (to > from) {
        parts.add(JsonObject.of(FROM, from, TO, to));
      }
      if (!added.isEmpty()) {
        parts.add(JsonObject.of(NEW, JsonArray.copyOf(added)));
      }
      added.clear();
      from = 0;
      to = 0;
      return parts;
    }
  }
}

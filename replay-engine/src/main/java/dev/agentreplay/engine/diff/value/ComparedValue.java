package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.TextScope;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recorded value with its normalized form: without ignored values, and with normalized texts.
 * Created by {@link ValueNormalizer}.
 */
public final class ComparedValue {

  private static final ComparedValue[] NONE = {};

  /** The value as recorded. */
  public final JsonValue original;

  /** The name of the member in its object; empty for the elements of an array and at the root. */
  public final String name;

  /**
   * The name of the member that the value is, or that holds the arrays around it; empty at the
   * root.
   */
  public final String member;

  /** The index in its array; -1 for the members of an object and at the root. */
  public final int index;

  /** The states of the paths of the rules at this place. */
  final long[] states;

  /** The compared members, sorted by name, or elements; empty for a scalar. */
  public final ComparedValue[] children;

  /**
   * The rule that makes the array unordered; null when the order of the elements is significant.
   */
  public final @Nullable UnorderedArray unordered;

  /** The approximate length of its text. */
  final long size;

  private final boolean touched;
  private final JsonValue scalar;
  private byte @Nullable [] digest;

  private ComparedValue(
      JsonValue original,
      JsonValue scalar,
      Place place,
      ComparedValue[] children,
      boolean touched,
      @Nullable UnorderedArray unordered) {
    this.original = original;
    this.scalar = scalar;
    this.name = place.name;
    this.member = place.member;
    this.index = place.index;
    this.states = place.states;
    this.children = children;
    this.touched = touched;
    this.unordered = unordered;
    long sum = 4L + name.length();
    for (ComparedValue child : children) {
      sum += child.size;
    }
    this.size = sum + (isScalar() ? textLength(original) : 0);
  }

  /** The place of a value during reading. */
  static final class Place {
    private final @Nullable Place parent;
    private final String name;
    private final String member;
    private final int index;
    private final long[] states;
    private final TextScope scope;

    private Place(
        @Nullable Place parent,
        String name,
        String member,
        int index,
        long[] states,
        TextScope scope) {
      this.parent = parent;
      this.name = name;
      this.member = member;
      this.index = index;
      this.states = states;
      this.scope = scope;
    }

    /** Returns the place of the root with these states of the rules' paths. */
    static Place root(long[] states) {
      return new Place(null, "", "", -1, states, TextScope.ALL);
    }

    /** Returns the place of a member of this object with these states of the rules' paths. */
    public Place member(String newName, long[] next) {
      return new Place(this, newName, newName, -1, next, isRoot() ? TextScope.of(newName) : scope);
    }

    /** Returns the place of an element of this array with these states of the rules' paths. */
    Place element(int element, long[] next) {
      return new Place(this, "", member, element, next, scope);
    }

    public String member() {
      return member;
    }

    boolean isRoot() {
      return parent == null;
    }

    long[] states() {
      return states;
    }

    TextScope scope() {
      return scope;
    }

    ValuePath path() {
      if (parent == null) {
        return ValuePath.ROOT;
      }
      return index < 0 ? parent.path().member(name) : parent.path().element(index);
    }
  }

  /** Returns a scalar with its normalized form. */
  static ComparedValue scalar(JsonValue original, JsonValue normal, Place place) {
    return new ComparedValue(original, normal, place, NONE, normal != original, null);
  }

  /** Returns an object or an array with its compared members or elements. */
  static ComparedValue container(
      JsonValue original,
      int size,
      List<ComparedValue> compared,
      Place place,
      @Nullable UnorderedArray unordered) {
    ComparedValue[] children = compared.toArray(ComparedValue[]::new);
    boolean touched = children.length < size || (unordered != null && children.length > 1);
    for (ComparedValue child : children) {
      touched |= child.touched;
    }
    if (original instanceof JsonObject) {
      // cheap if they are sorted already, as in canonical JSON
      Arrays.sort(children, Comparator.comparing(child -> child.name));
    }
    return new ComparedValue(original, original, place, children, touched, unordered);
  }

  public boolean isObject() {
    return original instanceof JsonObject;
  }

  public boolean isArray() {
    return original instanceof JsonArray;
  }

  public boolean isScalar() {
    return !isObject() && !isArray();
  }

  /** Whether it is a text that rules changed. */
  public boolean isRewritten() {
    return original instanceof JsonString && touched;
  }

  /** The normalized form of a scalar. */
  public JsonValue scalar() {
    return scalar;
  }

  /** Returns the compared member of a name; null when there is none. */
  @Nullable
  public ComparedValue member(String wanted) {
    int low = 0;
    int high = children.length - 1;
    while (isObject() && low <= high) {
      int middle = (low + high) >>> 1;
      int order = children[middle].name.compareTo(wanted);
      if (order == 0) {
        return children[middle];
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return null;
  }

  /**
   * Returns the compared member or element at a token of a JSON Pointer; null when there is none.
   */
  @Nullable
  ComparedValue child(String token) {
    for (ComparedValue element : isArray() ? children : NONE) {
      if (Integer.toString(element.index).equals(token)) {
        return element;
      }
    }
    return member(token);
  }

  /** Returns the normalized value; the original instance if no rule applied to it. */
  public JsonValue normal(ValueDigests digests) {
    if (!touched) {
      return original;
    }
    if (isObject()) {
      JsonObject.Builder members = JsonObject.builder();
      for (ComparedValue child : children) {
        members.add(child.name, child.normal(digests));
      }
      return members.build();
    }
    if (isScalar()) {
      return scalar;
    }
    List<JsonValue> elements = new ArrayList<>(children.length);
    for (ComparedValue child : unordered == null ? children : digests.sorted(children)) {
      elements.add(child.normal(digests));
    }
    return JsonArray.copyOf(elements);
  }

  /** Returns the digest of the normalized value. It is computed once. */
  public byte[] digest(ValueDigests digests) {
    byte[] known = digest;
    if (known == null) {
      known = digests.make(this);
      digest = known;
    }
    return known;
  }

  private static int textLength(JsonValue value) {
    return switch (value.typeName()) {
      case "string" -> value.asString().length();
      case "number" -> value.toString().length();
      default -> 5;
    };
  }
}

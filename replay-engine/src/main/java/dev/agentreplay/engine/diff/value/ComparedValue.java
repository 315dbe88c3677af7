package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.TextRule;
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

  /** Distinguishes the normalized value of a text from the same value that is not in a text. */
  private static final JsonString IN_TEXT = JsonString.of(TextRule.OPEN + "json" + TextRule.CLOSE);

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

  /** The text as the patterns of rules see it; null if none can match in it. */
  final @Nullable Text text;

  private final boolean touched;
  private final boolean holdsParsed;
  private final JsonValue scalar;
  private byte @Nullable [] digest;

  private ComparedValue(
      JsonValue original,
      JsonValue scalar,
      Place place,
      ComparedValue[] children,
      boolean touched,
      @Nullable UnorderedArray unordered,
      @Nullable Text text) {
    this.original = original;
    this.scalar = scalar;
    this.name = place.name;
    this.member = place.member;
    this.index = place.index;
    this.states = place.states;
    this.children = children;
    this.touched = touched;
    this.unordered = unordered;
    this.text = text;
    long sum = 4L + name.length();
    boolean anyParsed = isParsed();
    for (ComparedValue child : children) {
      sum += child.size;
      anyParsed |= child.holdsParsed;
    }
    this.holdsParsed = anyParsed;
    this.size = sum + (isObject() || isArray() ? 0 : textLength(original));
  }

  /**
   * A text that begins like a JSON object or array, at a place below which patterns may match.
   *
   * @param place its place
   * @param inside the value that it holds, which is compared in its place; null if no rule selects
   *     anything in it, so that the text itself is compared
   */
  record Text(Place place, @Nullable ComparedValue inside) {}

  /** The place of a value during reading. */
  static final class Place {
    private final @Nullable Place parent;
    private final String name;
    private final String member;
    private final int index;
    private final long[] states;
    private final TextScope scope;
    private final int depth;

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
      this.depth = parent == null ? 0 : parent.depth + 1;
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

    /** The number of objects and arrays around it, including those that texts hold. */
    int depth() {
      return depth;
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
    return new ComparedValue(original, normal, place, NONE, normal != original, null, null);
  }

  /** Returns a text in which patterns may match, with its normalized form. */
  static ComparedValue text(JsonValue original, JsonValue normal, Place place) {
    return new ComparedValue(
        original, normal, place, NONE, normal != original, null, new Text(place, null));
  }

  /** Returns a text that is compared as the value that it holds. */
  static ComparedValue parsed(JsonValue original, ComparedValue inside, Place place) {
    return new ComparedValue(original, original, place, NONE, true, null, new Text(place, inside));
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
    return new ComparedValue(original, original, place, children, touched, unordered, null);
  }

  public boolean isObject() {
    return original instanceof JsonObject;
  }

  public boolean isArray() {
    return original instanceof JsonArray;
  }

  public boolean isScalar() {
    return !isObject() && !isArray() && !isParsed();
  }

  /** Whether it is a text that is compared as the value that it holds. */
  public boolean isParsed() {
    return inside() != null;
  }

  /** Whether it is, or contains, a text that is compared as the value that it holds. */
  public boolean holdsParsed() {
    return holdsParsed;
  }

  /** The value that the text holds, if that is compared in place of the text; else null. */
  @Nullable
  ComparedValue inside() {
    return text == null ? null : text.inside();
  }

  /** Whether it is a text that rules changed. */
  public boolean isRewritten() {
    return original instanceof JsonString && scalar != original;
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
    ComparedValue inside = inside();
    if (inside != null) {
      return inside.child(token);
    }
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
    ComparedValue inside = inside();
    if (inside != null) {
      return JsonArray.of(IN_TEXT, inside.normal(digests));
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

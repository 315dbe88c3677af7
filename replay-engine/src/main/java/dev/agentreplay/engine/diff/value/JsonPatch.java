package dev.agentreplay.engine.diff.value;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates JSON Patches (RFC 6902) that turn one value into another. Parts with equal canonical
 * forms are not touched. A container is replaced as a whole where its operations would be far
 * longer than the container.
 */
public final class JsonPatch {

  private record Operation(String name, ValuePath path, @Nullable JsonValue value) {

    JsonObject json() {
      return value == null
          ? JsonObject.of("op", name, "path", path.toString())
          : JsonObject.of("op", name, "path", path.toString(), "value", value);
    }
  }

  private final ValueDigests digests = new ValueDigests(CanonicalJson.SERDE);
  private final List<Operation> operations = new ArrayList<>();
  private final PatchSize size = new PatchSize();

  private final int maxElements;

  private JsonPatch(int maxElements) {
    this.maxElements = maxElements;
  }

  /**
   * Returns the operations that turn the left value into the right one; empty if they are equal.
   */
  static JsonArray between(JsonValue left, JsonValue right) {
    JsonPatch patch = new JsonPatch(Integer.MAX_VALUE);
    patch.both(ValueNormalizer.EXACT.read(left), ValueNormalizer.EXACT.read(right), ValuePath.ROOT);
    return patch.json();
  }

  /**
   * Returns the operations that turn the left object into the right one.
   *
   * @param membersFirst the members whose operations come first, in this order
   * @param maxElements the most elements of two arrays that are aligned; larger arrays are replaced
   */
  public static JsonArray between(
      JsonObject left, JsonObject right, List<String> membersFirst, int maxElements) {
    JsonPatch patch = new JsonPatch(maxElements);
    ComparedValue before = ValueNormalizer.EXACT.read(left);
    ComparedValue after = ValueNormalizer.EXACT.read(right);
    Set<String> names = new LinkedHashSet<>(membersFirst);
    names.addAll(left.names());
    names.addAll(right.names());
    for (String name : names) {
      patch.member(before.member(name), after.member(name), ValuePath.ROOT.member(name));
    }
    return patch.json();
  }

  /** Returns a patch that adds a whole document. */
  public static JsonArray added(JsonValue document) {
    return JsonArray.of(JsonObject.of("op", "add", "path", "", "value", document));
  }

  /** Returns a patch that tests for a whole document and replaces it with null. */
  public static JsonArray removed(JsonValue document) {
    // many implementations reject the removal of the root, which leaves no document
    return JsonArray.of(
        JsonObject.of("op", "test", "path", "", "value", document),
        JsonObject.of("op", "replace", "path", "", "value", null));
  }

  private JsonArray json() {
    return JsonArray.copyOf(operations.stream().map(Operation::json).toList());
  }

  private void both(ComparedValue left, ComparedValue right, ValuePath path) {
    int before = operations.size();
    long sizeBefore = size.get();
    if (left.isObject() && right.isObject()) {
      for (ComparedValue member : left.children) {
        member(member, right.member(member.name), path.member(member.name));
      }
      for (ComparedValue member : right.children) {
        if (left.member(member.name) == null) {
          member(null, member, path.member(member.name));
        }
      }
    } else if (left.isArray() && right.isArray()) {
      elements(left, right, path);
    } else if (!left.isScalar()
        || !right.isScalar()
        || !digests.same(left.original, right.original)) {
      add("replace", path, right.original);
    }
    if (operations.size() > before + 1 && size.isTooLarge(sizeBefore, left, right)) {
      operations.subList(before, operations.size()).clear();
      size.reset(sizeBefore);
      add("replace", path, right.original);
    }
  }

  private void elements(ComparedValue left, ComparedValue right, ValuePath path) {
    List<ElementPair> pairs = ElementAlignment.of(left, right, digests, maxElements);
    if (pairs == null) {
      add("replace", path, right.original);
      return;
    }
    for (ElementPair pair : pairs) {
      member(pair.left(), pair.right(), path.element(pair.at()));
    }
  }

  private void member(@Nullable ComparedValue left, @Nullable ComparedValue right, ValuePath path) {
    if (left != null && right != null) {
      both(left, right, path);
    } else if (right != null) {
      add("add", path, right.original);
    } else if (left != null) {
      add("remove", path, null);
    }
  }

  private void add(String operation, ValuePath path, @Nullable JsonValue value) {
    operations.add(new Operation(operation, path, value));
    size.add(path);
  }
}

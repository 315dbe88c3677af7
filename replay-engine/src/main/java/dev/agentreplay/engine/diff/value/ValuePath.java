package dev.agentreplay.engine.diff.value;

import dev.agentreplay.model.json.JsonPointer;
import org.jspecify.annotations.Nullable;

/**
 * A place in a value, converted to a JSON Pointer (RFC 6901) only when it is reported. Immutable.
 */
public final class ValuePath {

  public static final ValuePath ROOT = new ValuePath(null, "");

  private final @Nullable ValuePath parent;
  private final String token;
  private final long length;

  private ValuePath(@Nullable ValuePath parent, String token) {
    this.parent = parent;
    this.token = token;
    this.length = parent == null ? 0 : parent.length + 1 + token.length();
  }

  public ValuePath member(String name) {
    return new ValuePath(this, JsonPointer.escape(name));
  }

  public ValuePath element(int index) {
    return new ValuePath(this, Integer.toString(index));
  }

  /** The length of the pointer in characters. */
  long length() {
    return length;
  }

  /** Returns the JSON Pointer. */
  @Override
  public String toString() {
    int depth = 0;
    for (ValuePath path = this; path.parent != null; path = path.parent) {
      depth++;
    }
    String[] tokens = new String[depth + 1];
    tokens[0] = "";
    for (ValuePath path = this; path.parent != null; path = path.parent) {
      tokens[depth--] = path.token;
    }
    return String.join("/", tokens);
  }
}

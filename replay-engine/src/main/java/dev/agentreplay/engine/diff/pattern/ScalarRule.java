package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;

/** Brings scalars to what they are compared by. */
public interface ScalarRule {

  /**
   * The value that is compared in the place of a scalar; the same instance if the rule does not
   * touch it.
   *
   * @param member the name of the member that it is, or that the arrays around it are; empty where
   *     there is none
   */
  default JsonValue apply(String member, JsonValue scalar) {
    if (!(scalar instanceof JsonString string)) {
      return scalar;
    }
    Rewriting text = Rewriting.of(string.value());
    rewrite(member, text);
    return text.text().equals(string.value()) ? scalar : JsonString.of(text.text());
  }

  /** Brings a text to what it is compared by, as {@link #apply} does. */
  void rewrite(String member, Rewriting text);
}

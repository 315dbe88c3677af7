package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;

/** Normalizes scalars before they are compared. */
public interface ScalarRule {

  /**
   * Returns the normalized form of a scalar; the same instance if the rule does not change it.
   *
   * @param member the name of the member that the scalar is, or that holds the arrays around it;
   *     empty when there is none
   */
  default JsonValue apply(String member, JsonValue scalar) {
    if (!(scalar instanceof JsonString string)) {
      return scalar;
    }
    Rewriting text = Rewriting.of(string.value());
    rewrite(member, text);
    return text.text().equals(string.value()) ? scalar : JsonString.of(text.text());
  }

  /** Normalizes a text in place, as {@link #apply} does. */
  void rewrite(String member, Rewriting text);
}

package dev.agentreplay.engine.diff;

import dev.agentreplay.model.json.JsonValue;

/** Brings scalars to what they are compared by. */
@FunctionalInterface
interface ScalarRule {

  /**
   * What a scalar is compared by; the same instance if the rule does not touch it.
   *
   * @param member the name of the member that it is, or that the arrays around it are; empty where
   *     there is none
   */
  JsonValue apply(String member, JsonValue scalar);
}

package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of the places that rules apply to. The states at a place are an array with the state
 * of each rule's pattern. Immutable.
 */
final class RulePaths {

  private final List<CompiledRule> rules;

  /** The path of each rule; null for a rule without one. */
  private final @Nullable PathPattern[] paths;

  /** The states at a place where no pattern matches, nor below it. */
  private final long[] dead;

  RulePaths(List<CompiledRule> rules) {
    this.rules = rules;
    this.paths = rules.stream().map(CompiledRule::path).toArray(PathPattern[]::new);
    this.dead = new long[paths.length];
  }

  /** The states at the root of a value. */
  long[] root() {
    long[] states = dead.clone();
    for (int i = 0; i < paths.length; i++) {
      PathPattern path = paths[i];
      states[i] = path == null ? PathPattern.DEAD : path.start();
    }
    return states;
  }

  /** The states at an element of the array with these states. */
  long[] next(long[] states, int index) {
    return states == dead ? dead : next(states, Integer.toString(index));
  }

  /** The states at a member of the object with these states. */
  long[] next(long[] states, String token) {
    if (states == dead) {
      return dead;
    }
    long[] next = new long[states.length];
    long alive = PathPattern.DEAD;
    for (int i = 0; i < states.length; i++) {
      PathPattern path = paths[i];
      next[i] = path == null ? PathPattern.DEAD : path.next(states[i], token);
      alive |= next[i];
    }
    return alive == PathPattern.DEAD ? dead : next;
  }

  /** Whether no pattern matches at a place, nor below it. */
  boolean isDead(long[] states) {
    return states == dead;
  }

  /** Whether a rule applies at a place; true for a rule without a path. */
  boolean matches(int rule, long[] states) {
    PathPattern path = paths[rule];
    return path == null || path.matches(states[rule]);
  }

  /** The first rule of a kind whose path matches; -1 when there is none. */
  int find(Class<? extends ComparisonRule> kind, long[] states) {
    for (int i = 0; states != dead && i < paths.length; i++) {
      if (paths[i] != null && matches(i, states) && kind.isInstance(rules.get(i).rule())) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a rule with a path applies to a value at a place. */
  boolean selects(JsonValue value, long[] states) {
    return find(Ignore.Place.class, states) >= 0
        || (value instanceof JsonArray && find(UnorderedArray.class, states) >= 0)
        || (value instanceof JsonNumber && find(Tolerance.class, states) >= 0)
        || (value instanceof JsonString && find(FuzzyText.class, states) >= 0);
  }

  /**
   * Returns the states at a text, of those rules that continue into it. A rule for similar texts
   * that applies to the text itself does not.
   */
  long[] into(long[] states) {
    long[] into = states;
    for (int i = 0; states != dead && i < paths.length; i++) {
      PathPattern path = paths[i];
      if (path != null && path.matches(states[i]) && rules.get(i).rule() instanceof FuzzyText) {
        into = into == states ? states.clone() : into;
        into[i] = PathPattern.DEAD;
      }
    }
    return into;
  }

  /** Whether a rule may select something in the value that a text with these states holds. */
  boolean mayReach(long[] states) {
    for (int i = 0; states != dead && i < paths.length; i++) {
      PathPattern path = paths[i];
      if (path != null && (path.mayMatchBelow(states[i]) || isArray(i, path, states))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a rule may select something in the value that this text with these states holds. */
  boolean mayReach(String text, long[] states) {
    for (int i = 0; states != dead && i < paths.length; i++) {
      PathPattern path = paths[i];
      if (path != null && (path.mayMatchIn(text, states[i]) || isArray(i, path, states))) {
        return true;
      }
    }
    return false;
  }

  private boolean isArray(int rule, PathPattern path, long[] states) {
    return path.matches(states[rule]) && rules.get(rule).rule() instanceof UnorderedArray;
  }
}

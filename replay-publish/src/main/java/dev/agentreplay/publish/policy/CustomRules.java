package dev.agentreplay.publish.policy;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.publish.policy.CustomRule.Does;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The custom rules that apply to one line. A place in the line has a state for each rule with a
 * pointer; null if no rule matches at the place or below it.
 */
final class CustomRules {

  static final CustomRules NONE = new CustomRules(List.of());

  private final List<CustomRule> placed = new ArrayList<>();
  private final List<CustomRule> anywhere = new ArrayList<>();

  private CustomRules(List<CustomRule> rules) {
    for (CustomRule rule : rules) {
      (rule.pointer() == null ? anywhere : placed).add(rule);
    }
  }

  static CustomRules of(List<CustomRule> rules, EventKind kind, @Nullable String tool) {
    List<CustomRule> applicable = new ArrayList<>();
    for (CustomRule rule : rules) {
      if (rule.appliesTo(kind, tool)) {
        applicable.add(rule);
      }
    }
    return applicable.isEmpty() ? NONE : new CustomRules(applicable);
  }

  /** The states of the whole line. */
  long @Nullable [] start() {
    if (placed.isEmpty()) {
      return null;
    }
    long[] states = new long[placed.size()];
    for (int i = 0; i < states.length; i++) {
      PointerPattern pointer = placed.get(i).pointer();
      states[i] = pointer == null ? PointerPattern.DEAD : pointer.start();
    }
    return states;
  }

  /** The states of a member or an element. */
  long @Nullable [] next(long @Nullable [] states, String name) {
    if (states == null) {
      return null;
    }
    long[] next = new long[states.length];
    boolean isAlive = false;
    for (int i = 0; i < states.length; i++) {
      PointerPattern pointer = placed.get(i).pointer();
      next[i] = pointer == null ? PointerPattern.DEAD : pointer.next(states[i], name);
      isAlive |= next[i] != PointerPattern.DEAD;
    }
    return isAlive ? next : null;
  }

  /** The first rule without a pattern that matches a place; null if there is none. */
  @Nullable
  CustomRule at(long @Nullable [] states) {
    for (int i = 0; states != null && i < states.length; i++) {
      CustomRule rule = placed.get(i);
      if (rule.pattern() == null && matches(rule, states[i])) {
        return rule;
      }
    }
    return null;
  }

  /** Whether a rule may show a place, or one below it, that the policy withholds. */
  boolean mayOpen(long @Nullable [] states) {
    for (int i = 0; states != null && i < states.length; i++) {
      if (states[i] != PointerPattern.DEAD && placed.get(i).opens()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a rule shows a text that the policy withholds. */
  boolean opens(long @Nullable [] states, String text) {
    for (int i = 0; states != null && i < states.length; i++) {
      CustomRule rule = placed.get(i);
      if (rule.action() == Does.SHOW
          && rule.pattern() != null
          && matches(rule, states[i])
          && rule.pattern().matches(text)) {
        return true;
      }
    }
    return false;
  }

  /** The rules with a pattern for the text at a place. */
  List<CustomRule> texts(long @Nullable [] states) {
    List<CustomRule> texts = anywhere;
    for (int i = 0; states != null && i < states.length; i++) {
      CustomRule rule = placed.get(i);
      if (rule.pattern() != null && matches(rule, states[i])) {
        texts = texts == anywhere ? new ArrayList<>(anywhere) : texts;
        texts.add(rule);
      }
    }
    return texts;
  }

  private static boolean matches(CustomRule rule, long state) {
    return rule.pointer() != null && rule.pointer().matches(state);
  }
}

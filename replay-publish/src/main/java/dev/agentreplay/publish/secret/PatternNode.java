package dev.agentreplay.publish.secret;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A pattern as a tree, without the assertions in it: it matches each text that the pattern matches,
 * and possibly more. Immutable.
 */
sealed interface PatternNode {

  /** The pattern of the empty text, also of each assertion. */
  PatternNode EMPTY = new Sequence(List.of());

  /** The width of a text without a limit. */
  int UNBOUNDED = -1;

  /** One character of a set. */
  record Chars(CharSet set) implements PatternNode {}

  /** The end of the text. */
  record TextEnd() implements PatternNode {}

  /** Patterns one after the other. */
  record Sequence(List<PatternNode> parts) implements PatternNode {}

  /** One of several patterns. */
  record Choice(List<PatternNode> options) implements PatternNode {}

  /**
   * A pattern several times.
   *
   * @param max the greatest number; {@link #UNBOUNDED} if there is none
   */
  record Repeat(PatternNode part, int min, int max) implements PatternNode {}

  /** A group with a number from 1. */
  record Group(int number, PatternNode part) implements PatternNode {}

  /** The maximum number of UTF-16 units of a text that matches; {@link #UNBOUNDED}. */
  static long maxWidth(PatternNode node) {
    if (node instanceof Chars chars) {
      return chars.set().isOpen() ? 2 : 1;
    } else if (node instanceof TextEnd) {
      return 0;
    } else if (node instanceof Group group) {
      return maxWidth(group.part());
    } else if (node instanceof Repeat repeat) {
      long width = maxWidth(repeat.part());
      if (width == 0 || repeat.max() == 0) {
        return 0;
      }
      return width == UNBOUNDED || repeat.max() == UNBOUNDED ? UNBOUNDED : width * repeat.max();
    } else if (node instanceof Choice choice) {
      long most = 0;
      for (PatternNode option : choice.options()) {
        long width = maxWidth(option);
        if (width == UNBOUNDED) {
          return UNBOUNDED;
        }
        most = Math.max(most, width);
      }
      return most;
    }
    long sum = 0;
    for (PatternNode part : ((Sequence) node).parts()) {
      long width = maxWidth(part);
      if (width == UNBOUNDED) {
        return UNBOUNDED;
      }
      sum += width;
    }
    return sum;
  }

  /** Whether the empty text matches. */
  static boolean matchesEmpty(PatternNode node) {
    if (node instanceof Group group) {
      return matchesEmpty(group.part());
    } else if (node instanceof Repeat repeat) {
      return repeat.min() == 0 || matchesEmpty(repeat.part());
    } else if (node instanceof Choice choice) {
      return choice.options().stream().anyMatch(PatternNode::matchesEmpty);
    } else if (node instanceof Sequence sequence) {
      return sequence.parts().stream().allMatch(PatternNode::matchesEmpty);
    }
    return node instanceof TextEnd;
  }

  /** The pattern of the reversed texts; it takes the end of the text as {@link #EMPTY}. */
  static PatternNode reversed(PatternNode node) {
    if (node instanceof TextEnd) {
      return EMPTY;
    } else if (node instanceof Group group) {
      return reversed(group.part());
    } else if (node instanceof Repeat repeat) {
      return new Repeat(reversed(repeat.part()), repeat.min(), repeat.max());
    } else if (node instanceof Choice choice) {
      return new Choice(choice.options().stream().map(PatternNode::reversed).toList());
    } else if (node instanceof Sequence sequence) {
      List<PatternNode> parts = new ArrayList<>();
      sequence.parts().forEach(part -> parts.add(reversed(part)));
      Collections.reverse(parts);
      return new Sequence(parts);
    }
    return node;
  }
}

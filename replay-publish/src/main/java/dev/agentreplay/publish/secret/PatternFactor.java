package dev.agentreplay.publish.secret;

import dev.agentreplay.publish.secret.PatternNode.Chars;
import dev.agentreplay.publish.secret.PatternNode.Choice;
import dev.agentreplay.publish.secret.PatternNode.Group;
import dev.agentreplay.publish.secret.PatternNode.Repeat;
import dev.agentreplay.publish.secret.PatternNode.Sequence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The literals of a pattern: each text that matches it has one of them, in upper or lower case, and
 * the rest of the text from there on matches the suffix, and what is before it the prefix.
 * Immutable.
 *
 * @param literals the literals in lower case, of ASCII characters; none is the beginning of another
 * @param prefix the pattern before the literal
 * @param maxBefore the maximum number of characters that match it
 * @param suffix the pattern from the literal on
 */
record PatternFactor(List<String> literals, PatternNode prefix, int maxBefore, PatternNode suffix) {

  private static final int MAX_LITERALS = 64;
  private static final int MAX_CHOICES = 6;
  private static final int MAX_LENGTH = 24;
  private static final int MAX_BEFORE = 1000;

  /** The length from which a longer literal makes no difference. */
  private static final int LONG_ENOUGH = 4;

  private static final class Prefix {
    final String text;
    final boolean isOpen;

    Prefix(String text, boolean isOpen) {
      this.text = text;
      this.isOpen = isOpen;
    }
  }

  /**
   * Finds the literals of a pattern, of several alternatives those of each; empty if it has none
   * near its beginning.
   */
  static List<PatternFactor> of(PatternNode pattern) {
    PatternFactor whole = ofSequence(pattern);
    if (whole != null) {
      return List.of(whole);
    }
    List<PatternFactor> factors = new ArrayList<>();
    if (pattern instanceof Choice choice) {
      for (PatternNode option : choice.options()) {
        PatternFactor factor = ofSequence(option);
        if (factor == null) {
          return List.of();
        }
        factors.add(factor);
      }
    }
    return factors;
  }

  private static @Nullable PatternFactor ofSequence(PatternNode pattern) {
    List<PatternNode> parts = new ArrayList<>();
    flatten(pattern, parts);
    PatternFactor best = null;
    long before = 0;
    int quality = 0;
    for (int i = 0; i < parts.size() && before <= MAX_BEFORE && quality < LONG_ENOUGH; i++) {
      List<PatternNode> rest = List.copyOf(parts.subList(i, parts.size()));
      List<String> literals = literals(rest);
      if (quality(literals) > quality) {
        quality = quality(literals);
        best = new PatternFactor(
            literals,
            new Sequence(List.copyOf(parts.subList(0, i))),
            (int) before,
            new Sequence(rest));
      }
      long width = PatternNode.maxWidth(parts.get(i));
      if (width == PatternNode.UNBOUNDED) {
        break;
      }
      before += width;
    }
    return best;
  }

  /** The literals with one of which each text begins that matches; empty if there are none. */
  static List<String> literals(List<PatternNode> sequence) {
    List<Prefix> prefixes = extend(List.of(new Prefix("", true)), new Sequence(sequence));
    List<String> texts = new ArrayList<>();
    for (Prefix prefix : prefixes) {
      if (prefix.text.isEmpty()) {
        return List.of();
      }
      texts.add(prefix.text);
    }
    return texts.stream()
        .distinct()
        .filter(text ->
            texts.stream().noneMatch(shorter -> !shorter.equals(text) && text.startsWith(shorter)))
        .sorted()
        .toList();
  }

  /** The length of the shortest literal, up to the one that is long enough. */
  private static int quality(List<String> literals) {
    int shortest = literals.isEmpty() ? 0 : LONG_ENOUGH;
    for (String literal : literals) {
      shortest = Math.min(shortest, literal.length());
    }
    return shortest;
  }

  private static void flatten(PatternNode node, List<PatternNode> parts) {
    if (node instanceof Group group) {
      flatten(group.part(), parts);
    } else if (node instanceof Sequence sequence) {
      sequence.parts().forEach(part -> flatten(part, parts));
    } else {
      parts.add(node);
    }
  }

  private static List<Prefix> extend(List<Prefix> prefixes, PatternNode node) {
    if (node instanceof PatternNode.TextEnd
        || prefixes.stream().noneMatch(prefix -> prefix.isOpen)) {
      return prefixes;
    } else if (node instanceof Group group) {
      return extend(prefixes, group.part());
    } else if (node instanceof Chars chars) {
      return extend(prefixes, chars.set());
    } else if (node instanceof Sequence sequence) {
      List<Prefix> extended = prefixes;
      for (PatternNode part : sequence.parts()) {
        extended = extend(extended, part);
      }
      return extended;
    } else if (node instanceof Choice choice) {
      return extend(prefixes, choice.options());
    }
    return extend(prefixes, (Repeat) node);
  }

  private static List<Prefix> extend(List<Prefix> prefixes, List<PatternNode> options) {
    List<Prefix> extended = new ArrayList<>();
    for (PatternNode option : options) {
      extended.addAll(extend(prefixes, option));
    }
    return extended.size() > MAX_LITERALS ? closed(prefixes) : extended;
  }

  private static List<Prefix> extend(List<Prefix> prefixes, Repeat repeat) {
    if (repeat.min() == 0) {
      return repeat.max() == 1
          ? extend(prefixes, List.of(repeat.part(), PatternNode.EMPTY))
          : closed(prefixes);
    }
    List<Prefix> extended = prefixes;
    for (int i = 0; i < Math.min(repeat.min(), MAX_LENGTH); i++) {
      extended = extend(extended, repeat.part());
    }
    return repeat.min() == repeat.max() ? extended : closed(extended);
  }

  private static List<Prefix> extend(List<Prefix> prefixes, CharSet set) {
    String chars = set.lowerCase(MAX_CHOICES);
    if (chars.isEmpty() || prefixes.size() * chars.length() > MAX_LITERALS) {
      return closed(prefixes);
    }
    List<Prefix> extended = new ArrayList<>();
    for (Prefix prefix : prefixes) {
      if (!prefix.isOpen) {
        extended.add(prefix);
        continue;
      }
      for (int i = 0; i < chars.length(); i++) {
        String text = prefix.text + chars.charAt(i);
        extended.add(new Prefix(text, text.length() < MAX_LENGTH));
      }
    }
    return extended;
  }

  private static List<Prefix> closed(List<Prefix> prefixes) {
    return prefixes.stream()
        .map(prefix -> new Prefix(prefix.text, false))
        .distinct()
        .toList();
  }
}

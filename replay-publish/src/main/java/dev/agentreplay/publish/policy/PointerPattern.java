package dev.agentreplay.publish.policy;

import dev.agentreplay.model.json.JsonPointer;
import java.util.List;

/**
 * A JSON Pointer (RFC 6901) with wildcards: {@code *} is any name or index, and {@code **} any
 * number of them. It is matched one name at a time, in time independent of the depth: the state is
 * a set of positions in the pattern, one bit for each.
 */
final class PointerPattern {

  /** The state from which no place matches any more. */
  static final long DEAD = 0;

  /** The maximum number of names, so that the positions fit a long. */
  static final int MAX_TOKENS = 62;

  private static final String ANY = "*";
  private static final String ANY_NUMBER = "**";

  private final String text;
  private final List<String> tokens;
  private final long start;

  private PointerPattern(String text, List<String> tokens) {
    this.text = text;
    this.tokens = tokens;
    this.start = skip(1);
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if the text is not a JSON Pointer, or is empty or too long
   */
  static PointerPattern parse(String text) {
    List<String> tokens = JsonPointer.parse(text).tokens();
    if (tokens.isEmpty()) {
      throw new IllegalArgumentException("the pointer to a whole line");
    }
    if (tokens.size() > MAX_TOKENS) {
      throw new IllegalArgumentException("more than %d names".formatted(MAX_TOKENS));
    }
    return new PointerPattern(text, tokens);
  }

  String text() {
    return text;
  }

  /** The first name of the pattern. */
  String first() {
    return tokens.get(0);
  }

  /** Whether the first name is a wildcard. */
  boolean isAnyFirst() {
    return first().equals(ANY) || first().equals(ANY_NUMBER);
  }

  /** The state at the whole line. */
  long start() {
    return start;
  }

  /** The state at a member or element of a place. */
  long next(long state, String name) {
    long next = 0;
    for (int i = 0; i < tokens.size(); i++) {
      if ((state & (1L << i)) != 0) {
        String token = tokens.get(i);
        if (token.equals(ANY_NUMBER)) {
          next |= 1L << i;
        } else if (token.equals(ANY) || token.equals(name)) {
          next |= 1L << (i + 1);
        }
      }
    }
    return skip(next);
  }

  /** Whether the place with a state is one that the pattern matches. */
  boolean matches(long state) {
    return (state & (1L << tokens.size())) != 0;
  }

  /** Adds the positions after those of {@code **}, which may be empty. */
  private long skip(long state) {
    long all = state;
    for (int i = 0; i < tokens.size(); i++) {
      if ((all & (1L << i)) != 0 && tokens.get(i).equals(ANY_NUMBER)) {
        all |= 1L << (i + 1);
      }
    }
    return all;
  }
}

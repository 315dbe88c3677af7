package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.text.Excerpt;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A JSON Pointer (RFC 6901) with wildcards, as {@link dev.agentreplay.engine.diff.rule.Ignore#at}
 * documents it. It is a nondeterministic finite automaton, which makes one step for each token of a
 * path: a state is the set of the tokens that may match next, one bit each, so that a step takes
 * time proportional to the pattern at most. Immutable.
 */
public final class PathPattern {

  /** The state in which neither the path nor any path below it can match. */
  public static final long DEAD = 0;

  private static final int MAX_TOKENS = 60;

  /** Names whose characters JSON text can escape only with their code, such as {@code \\u0061}. */
  private static final Pattern PLAIN = Pattern.compile("[\\p{Alnum}_.$ -]+");

  private final String text;
  private final String[] names;

  /** The tokens {@code *}, which match any one name, as bits. */
  private final long any;

  /** The tokens {@code **}, which match any number of names, as bits. */
  private final long deep;

  /** The index of the last token that is the plain name of a member; -1 when there is none. */
  private final int lastName;

  private PathPattern(String text, String[] names, long any, long deep) {
    this.text = text;
    this.names = names;
    this.any = any;
    this.deep = deep;
    int last = names.length - 1;
    while (last >= 0 && !isPlainName(last)) {
      last--;
    }
    this.lastName = last;
  }

  private boolean isPlainName(int token) {
    return ((any | deep) & 1L << token) == 0
        && JsonPointer.arrayIndex(names[token]) < 0
        && PLAIN.matcher(names[token]).matches();
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it is not valid, as
   *     {@link dev.agentreplay.engine.diff.rule.Ignore#at} documents
   */
  public static PathPattern parse(String text) {
    Objects.requireNonNull(text, "pattern");
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException(
          "pattern of JSON pointers must begin with '/': \"" + Excerpt.of(text) + "\"");
    }
    String[] tokens = text.substring(1).split("/", -1);
    if (tokens.length > MAX_TOKENS) {
      throw new IllegalArgumentException("pattern has more than " + MAX_TOKENS + " tokens: "
          + tokens.length + " in \"" + Excerpt.of(text) + "\"");
    }
    String[] names = new String[tokens.length];
    long any = 0;
    long deep = 0;
    for (int i = 0; i < tokens.length; i++) {
      any |= tokens[i].equals("*") ? 1L << i : 0;
      deep |= tokens[i].equals("**") ? 1L << i : 0;
      names[i] = unescape(tokens[i], text);
    }
    return new PathPattern(text, names, any, deep);
  }

  /** Returns the state at the root of a value. */
  public long start() {
    return withoutDeep(1);
  }

  /**
   * Returns the state at a member or an element.
   *
   * @param state the state at the object or array that holds it
   * @param token the name of the member, or the index of the element
   */
  public long next(long state, String token) {
    long next = state & deep;
    for (long rest = state & ~deep; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      if (i < names.length && ((any & 1L << i) != 0 || names[i].equals(token))) {
        next |= 1L << (i + 1);
      }
    }
    return withoutDeep(next);
  }

  /** Whether the pattern matches the place of a state. */
  public boolean matches(long state) {
    return (state & 1L << names.length) != 0;
  }

  /** Whether the pattern may match a place below that of a state. */
  public boolean mayMatchBelow(long state) {
    return open(state) != 0;
  }

  /**
   * Whether the pattern may match a place in the value that a JSON text at the place of a state
   * holds. It may not if the text does not contain a name that the pattern requires.
   */
  public boolean mayMatchIn(String json, long state) {
    long open = open(state);
    boolean isNamed = lastName >= 0 && open >>> (lastName + 1) == 0;
    return open != 0 && (!isNamed || json.contains(names[lastName]) || json.contains("\\u"));
  }

  /** The tokens that may match next. */
  private long open(long state) {
    return state & ((1L << names.length) - 1);
  }

  @Override
  public String toString() {
    return text;
  }

  /** Adds the tokens after those for any number of names, which may match zero names. */
  private long withoutDeep(long state) {
    long all = state;
    for (long more = (all & deep) << 1; (more & ~all) != 0; more = (all & deep) << 1) {
      all |= more;
    }
    return all;
  }

  private static String unescape(String token, String pattern) {
    if (token.indexOf('~') < 0) {
      return token;
    }
    StringBuilder name = new StringBuilder(token.length());
    for (int i = 0; i < token.length(); i++) {
      char c = token.charAt(i);
      if (c != '~') {
        name.append(c);
        continue;
      }
      int escaped = ++i < token.length() ? "012".indexOf(token.charAt(i)) : -1;
      if (escaped < 0) {
        throw new IllegalArgumentException(
            "'~' must be followed by 0, 1 or 2 in pattern: \"" + Excerpt.of(pattern) + "\"");
      }
      name.append("~/*".charAt(escaped));
    }
    return name.toString();
  }
}

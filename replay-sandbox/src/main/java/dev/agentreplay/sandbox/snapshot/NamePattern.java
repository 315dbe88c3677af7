package dev.agentreplay.sandbox.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** A pattern of one name. The usual forms, such as {@code *.pem}, are compared as texts. */
final class NamePattern {

  private enum Form {
    LITERAL,
    PREFIX,
    SUFFIX,
    GLOB
  }

  /**
   * A part of a glob.
   *
   * @param isStar whether it matches any number of characters, instead of one
   * @param characters those that it matches
   */
  private record Part(boolean isStar, IntPredicate characters) {

    static Part one(IntPredicate characters) {
      return new Part(false, characters);
    }
  }

  private final String text;
  private final Form form;
  private final String literal;
  private final List<Part> parts;

  /**
   * Creates a pattern.
   *
   * @throws IllegalArgumentException if a set has no end, or a backslash no character
   */
  NamePattern(String text) {
    this.text = text;
    int star = text.indexOf('*');
    boolean hasOneStar = star >= 0 && text.indexOf('*', star + 1) < 0;
    boolean isPlain = text.chars().noneMatch(c -> c == '?' || c == '[' || c == '\\');
    if (isPlain && star < 0) {
      this.form = Form.LITERAL;
      this.literal = text;
    } else if (isPlain && hasOneStar && star == text.length() - 1) {
      this.form = Form.PREFIX;
      this.literal = text.substring(0, star);
    } else if (isPlain && hasOneStar && star == 0) {
      this.form = Form.SUFFIX;
      this.literal = text.substring(1);
    } else {
      this.form = Form.GLOB;
      this.literal = text;
    }
    this.parts = form == Form.GLOB ? new Parts(text).parse() : List.of();
  }

  String text() {
    return text;
  }

  boolean matches(String name) {
    return switch (form) {
      case LITERAL -> name.equals(literal);
      case PREFIX -> name.startsWith(literal);
      case SUFFIX -> name.endsWith(literal);
      case GLOB -> matchesGlob(name.codePoints().toArray());
    };
  }

  /** Matches with one place to return to, that of the last star, so that no pattern is slow. */
  private boolean matchesGlob(int[] name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int starName = 0;
    while (n < name.length) {
      Part part = p < parts.size() ? parts.get(p) : null;
      if (part != null && part.isStar()) {
        star = p++;
        starName = n;
      } else if (part != null && part.characters().test(name[n])) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++starName;
      } else {
        return false;
      }
    }
    while (p < parts.size() && parts.get(p).isStar()) {
      p++;
    }
    return p == parts.size();
  }

  /** The parts of a glob, each of which matches one character, but for a star. */
  private static final class Parts {
    private final String text;
    private final int[] pattern;
    private int at;

    Parts(String text) {
      this.text = text;
      this.pattern = text.codePoints().toArray();
    }

    List<Part> parse() {
      List<Part> parts = new ArrayList<>();
      while (at < pattern.length) {
        switch (pattern[at]) {
          case '*' -> {
            at++;
            parts.add(new Part(true, character -> true));
          }
          case '?' -> {
            at++;
            parts.add(Part.one(character -> true));
          }
          case '[' -> {
            at++;
            parts.add(Part.one(set()));
          }
          default -> {
            int literal = literal();
            parts.add(Part.one(character -> character == literal));
          }
        }
      }
      return List.copyOf(parts);
    }

    /** A set of characters and ranges, whose first character may be a closing bracket. */
    private IntPredicate set() {
      boolean isNegated = at < pattern.length && (pattern[at] == '!' || pattern[at] == '^');
      at += isNegated ? 1 : 0;
      IntPredicate set = character -> false;
      boolean isFirst = true;
      while (at >= pattern.length || pattern[at] != ']' || isFirst) {
        if (at + 1 < pattern.length && pattern[at] == '[' && pattern[at + 1] == ':') {
          throw fault("a class of characters, which is not supported");
        }
        int from = literal();
        boolean isRange = at + 1 < pattern.length && pattern[at] == '-' && pattern[at + 1] != ']';
        at += isRange ? 1 : 0;
        int to = isRange ? literal() : from;
        set = set.or(character -> character >= from && character <= to);
        isFirst = false;
      }
      at++;
      return isNegated ? set.negate() : set;
    }

    /** The next character, which may follow a backslash. */
    private int literal() {
      at += at < pattern.length && pattern[at] == '\\' ? 1 : 0;
      if (at >= pattern.length) {
        throw fault("no end of a set, or nothing after a backslash");
      }
      return pattern[at++];
    }

    private IllegalArgumentException fault(String found) {
      return new IllegalArgumentException(
          "expected a name such as \"[a-z]*\", or \"\\[\" for a bracket, found \"%s\" with %s"
              .formatted(text, found));
    }
  }
}

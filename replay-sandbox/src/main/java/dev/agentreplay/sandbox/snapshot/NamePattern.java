package dev.agentreplay.sandbox.snapshot;

/** A pattern of one name. The usual forms, such as {@code *.pem}, are compared as texts. */
final class NamePattern {

  private enum Form {
    LITERAL,
    PREFIX,
    SUFFIX,
    GLOB
  }

  private final String text;
  private final Form form;
  private final String literal;

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
  }

  String text() {
    return text;
  }

  boolean matches(String name) {
    return switch (form) {
      case LITERAL -> name.equals(literal);
      case PREFIX -> name.startsWith(literal);
      case SUFFIX -> name.endsWith(literal);
      case GLOB -> matchesGlob(name);
    };
  }

  /** Matches with one place to return to, that of the last star, so that no pattern is slow. */
  private boolean matchesGlob(String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int starName = 0;
    while (n < name.length()) {
      int next = p < text.length() ? afterOne(p, name.charAt(n)) : -1;
      if (p < text.length() && text.charAt(p) == '*') {
        star = p++;
        starName = n;
      } else if (next >= 0) {
        p = next;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++starName;
      } else {
        return false;
      }
    }
    while (p < text.length() && text.charAt(p) == '*') {
      p++;
    }
    return p == text.length();
  }

  /** The index after the part of the pattern that matches a character; -1 if it does not. */
  private int afterOne(int p, char c) {
    char pattern = text.charAt(p);
    if (pattern == '?') {
      return p + 1;
    }
    if (pattern == '[' && text.indexOf(']', p + 2) > 0) {
      return afterSet(p, c);
    }
    int at = pattern == '\\' && p + 1 < text.length() ? p + 1 : p;
    return text.charAt(at) == c ? at + 1 : -1;
  }

  private int afterSet(int p, char c) {
    int at = p + 1;
    boolean isNegated = text.charAt(at) == '!' || text.charAt(at) == '^';
    at += isNegated ? 1 : 0;
    int end = text.indexOf(']', at + 1);
    if (end < 0) {
      return text.charAt(p) == c ? p + 1 : -1;
    }
    boolean isIn = false;
    while (at < end) {
      boolean isRange = at + 2 < end && text.charAt(at + 1) == '-';
      char from = text.charAt(at);
      char to = isRange ? text.charAt(at + 2) : from;
      isIn |= c >= from && c <= to;
      at += isRange ? 3 : 1;
    }
    return isIn == isNegated ? -1 : end + 1;
  }
}

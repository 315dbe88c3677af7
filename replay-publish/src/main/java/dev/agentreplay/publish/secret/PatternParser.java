package dev.agentreplay.publish.secret;

import dev.agentreplay.publish.secret.PatternNode.Chars;
import dev.agentreplay.publish.secret.PatternNode.Choice;
import dev.agentreplay.publish.secret.PatternNode.Group;
import dev.agentreplay.publish.secret.PatternNode.Repeat;
import dev.agentreplay.publish.secret.PatternNode.Sequence;
import dev.agentreplay.publish.secret.PatternNode.TextEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses the patterns of RE2 that RE2/J has compiled, to find the literals in them. A construct
 * that it does not know makes the pattern unknown, never wrong.
 */
final class PatternParser {

  private static final Map<String, CharSet> NAMED_CLASSES = Map.ofEntries(
      Map.entry("alnum", CharSet.range('0', '9').or(letters())),
      Map.entry("alpha", letters()),
      Map.entry("ascii", CharSet.range(0, 127)),
      Map.entry("blank", CharSet.of('\t').or(CharSet.of(' '))),
      Map.entry("cntrl", CharSet.range(0, 31).or(CharSet.of(127))),
      Map.entry("digit", CharSet.DIGITS),
      Map.entry("graph", CharSet.range('!', '~')),
      Map.entry("lower", CharSet.range('a', 'z')),
      Map.entry("print", CharSet.range(' ', '~')),
      Map.entry(
          "punct",
          CharSet.range('!', '/')
              .or(CharSet.range(':', '@'))
              .or(CharSet.range('[', '`'))
              .or(CharSet.range('{', '~'))),
      Map.entry("space", CharSet.SPACES.or(CharSet.of(0x0b))),
      Map.entry("upper", CharSet.range('A', 'Z')),
      Map.entry("word", CharSet.WORD),
      Map.entry("xdigit", CharSet.DIGITS.or(CharSet.range('a', 'f')).or(CharSet.range('A', 'F'))));

  /** Thrown for a construct that this parser does not know. */
  private static final class UnknownSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownSyntaxException() {
      super(null, null, false, false);
    }
  }

  private final String pattern;
  private int at;
  private int groups;
  private boolean ignoreCase;
  private boolean dotAll;
  private boolean multiline;

  private PatternParser(String pattern) {
    this.pattern = pattern;
  }

  private static CharSet letters() {
    return CharSet.range('a', 'z').or(CharSet.range('A', 'Z'));
  }

  /** Parses a pattern that RE2/J accepts; null if this parser does not know a part of it. */
  static @Nullable PatternNode parse(String pattern) {
    PatternParser parser = new PatternParser(pattern);
    try {
      PatternNode node = parser.choice();
      return parser.at == pattern.length() ? node : null;
    } catch (UnknownSyntaxException | IndexOutOfBoundsException unknown) {
      return null;
    }
  }

  private PatternNode choice() {
    List<PatternNode> options = new ArrayList<>();
    options.add(sequence());
    while (take('|')) {
      options.add(sequence());
    }
    return options.size() == 1 ? options.get(0) : new Choice(List.copyOf(options));
  }

  private PatternNode sequence() {
    List<PatternNode> parts = new ArrayList<>();
    while (at < pattern.length() && peek() != '|' && peek() != ')') {
      if (pattern.startsWith("\\Q", at)) {
        quoted(parts);
      } else {
        parts.add(repeated(atom()));
      }
    }
    return parts.size() == 1 ? parts.get(0) : new Sequence(List.copyOf(parts));
  }

  private void quoted(List<PatternNode> parts) {
    int end = pattern.indexOf("\\E", at);
    int to = end < 0 ? pattern.length() : end;
    for (at += 2; at < to; ) {
      parts.add(literal(codePoint()));
    }
    at = end < 0 ? to : to + 2;
  }

  private PatternNode repeated(PatternNode atom) {
    PatternNode node = atom;
    while (at < pattern.length()) {
      if (take('*')) {
        node = new Repeat(node, 0, PatternNode.UNBOUNDED);
      } else if (take('+')) {
        node = new Repeat(node, 1, PatternNode.UNBOUNDED);
      } else if (take('?')) {
        node = new Repeat(node, 0, 1);
      } else {
        Repeat counted = peek() == '{' ? counted(node) : null;
        if (counted == null) {
          return node;
        }
        node = counted;
      }
      take('?');
    }
    return node;
  }

  /** Parses a number of repetitions; null if the brace is a literal. */
  private @Nullable Repeat counted(PatternNode node) {
    int end = pattern.indexOf('}', at);
    if (end < 0) {
      return null;
    }
    String text = pattern.substring(at + 1, end);
    int comma = text.indexOf(',');
    String min = comma < 0 ? text : text.substring(0, comma);
    String max = comma < 0 ? text : text.substring(comma + 1);
    if (!isNumber(min) || !(isNumber(max) || (comma >= 0 && max.isEmpty()))) {
      return null;
    }
    at = end + 1;
    return new Repeat(
        node, Integer.parseInt(min), max.isEmpty() ? PatternNode.UNBOUNDED : Integer.parseInt(max));
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= 4
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private PatternNode atom() {
    char c = peek();
    switch (c) {
      case '(' -> {
        return group();
      }
      case '[' -> {
        return new Chars(charClass());
      }
      case '.' -> {
        at++;
        return new Chars(dotAll ? CharSet.ALL : CharSet.LINE_FEED.negate());
      }
      case '^' -> {
        at++;
        return PatternNode.EMPTY;
      }
      case '$' -> {
        at++;
        return multiline ? PatternNode.EMPTY : new TextEnd();
      }
      case '\\' -> {
        return escape();
      }
      case '*', '+', '?' -> throw new UnknownSyntaxException();
      default -> {
        return literal(codePoint());
      }
    }
  }

  private PatternNode literal(int codePoint) {
    return new Chars(folded(CharSet.of(codePoint)));
  }

  private CharSet folded(CharSet set) {
    return ignoreCase ? set.ignoringCase() : set;
  }

  private PatternNode group() {
    at++;
    boolean wasIgnoringCase = ignoreCase;
    boolean wasDotAll = dotAll;
    boolean wasMultiline = multiline;
    int number = 0;
    if (take('?')) {
      if (peek() == 'P' || peek() == '<') {
        number = ++groups;
        at = pattern.indexOf('>', at) + 1;
        if (at == 0) {
          throw new UnknownSyntaxException();
        }
      } else if (!flags()) {
        return PatternNode.EMPTY; // flags for the rest of the group around
      }
    } else {
      number = ++groups;
    }
    PatternNode part = choice();
    require(')');
    ignoreCase = wasIgnoringCase;
    dotAll = wasDotAll;
    multiline = wasMultiline;
    return number == 0 ? part : new Group(number, part);
  }

  /** Parses flags. Returns whether a group with them follows. */
  private boolean flags() {
    boolean on = true;
    while (true) {
      char flag = pattern.charAt(at++);
      switch (flag) {
        case 'i' -> ignoreCase = on;
        case 's' -> dotAll = on;
        case 'm' -> multiline = on;
        case 'U' -> {}
        case '-' -> on = false;
        case ':' -> {
          return true;
        }
        case ')' -> {
          return false;
        }
        default -> throw new UnknownSyntaxException();
      }
    }
  }

  private PatternNode escape() {
    char c = pattern.charAt(at + 1);
    if (c == 'b' || c == 'B' || c == 'A' || c == 'z') {
      at += 2;
      return c == 'z' ? new TextEnd() : PatternNode.EMPTY;
    }
    CharSet named = namedClass();
    return named != null ? new Chars(named) : literal(escapedCodePoint());
  }

  /** Parses an escape of a class; null if it is one of a character. */
  private @Nullable CharSet namedClass() {
    char c = pattern.charAt(at + 1);
    CharSet set =
        switch (c) {
          case 'd' -> CharSet.DIGITS;
          case 'D' -> CharSet.DIGITS.negate();
          case 'w' -> folded(CharSet.WORD);
          case 'W' -> CharSet.WORD.negate();
          case 's' -> CharSet.SPACES;
          case 'S' -> CharSet.SPACES.negate();
          case 'p', 'P' -> CharSet.ALL;
          default -> null;
        };
    if (set == null) {
      return null;
    }
    at += 2;
    if (c == 'p' || c == 'P') {
      at = take('{') ? pattern.indexOf('}', at) + 1 : at + 1;
      if (at == 0) {
        throw new UnknownSyntaxException();
      }
    }
    return set;
  }

  private int escapedCodePoint() {
    at++;
    int c = codePoint();
    switch (c) {
      case 'a' -> {
        return 7;
      }
      case 'f' -> {
        return '\f';
      }
      case 'n' -> {
        return '\n';
      }
      case 'r' -> {
        return '\r';
      }
      case 't' -> {
        return '\t';
      }
      case 'v' -> {
        return 0x0b;
      }
      case 'x' -> {
        int end = peek() == '{' ? pattern.indexOf('}', at) : at + 2;
        int from = peek() == '{' ? at + 1 : at;
        at = peek() == '{' ? end + 1 : end;
        return hex(pattern.substring(from, end));
      }
      default -> {
        if (Character.isLetterOrDigit(c)) {
          throw new UnknownSyntaxException();
        }
        return c;
      }
    }
  }

  private static int hex(String digits) {
    try {
      return Integer.parseInt(digits, 16);
    } catch (NumberFormatException notHex) {
      throw new UnknownSyntaxException();
    }
  }

  private CharSet charClass() {
    at++;
    boolean negated = take('^');
    CharSet set = CharSet.NONE;
    boolean isFirst = true;
    while (isFirst || peek() != ']') {
      isFirst = false;
      set = set.or(classPart());
    }
    at++;
    CharSet all = folded(set);
    return negated ? all.negate() : all;
  }

  private CharSet classPart() {
    if (pattern.startsWith("[:", at)) {
      return posixClass();
    }
    CharSet named = peek() == '\\' ? namedClass() : null;
    if (named != null) {
      return named;
    }
    int from = classCodePoint();
    if (peek() != '-' || pattern.charAt(at + 1) == ']') {
      return CharSet.of(from);
    }
    at++;
    int to = classCodePoint();
    if (to < from) {
      throw new UnknownSyntaxException();
    }
    return CharSet.range(from, to);
  }

  private CharSet posixClass() {
    int end = pattern.indexOf(":]", at);
    if (end < 0) {
      throw new UnknownSyntaxException();
    }
    boolean negated = pattern.charAt(at + 2) == '^';
    CharSet set = NAMED_CLASSES.get(pattern.substring(at + (negated ? 3 : 2), end));
    if (set == null) {
      throw new UnknownSyntaxException();
    }
    at = end + 2;
    return negated ? set.negate() : set;
  }

  private int classCodePoint() {
    return peek() == '\\' ? escapedCodePoint() : codePoint();
  }

  private int codePoint() {
    int c = pattern.codePointAt(at);
    at += Character.charCount(c);
    return c;
  }

  private char peek() {
    return pattern.charAt(at);
  }

  private boolean take(char c) {
    if (at < pattern.length() && pattern.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void require(char c) {
    if (!take(c)) {
      throw new UnknownSyntaxException();
    }
  }
}

package dev.agentreplay.publish.policy;

import org.jspecify.annotations.Nullable;

/**
 * Replaces the names of users in paths, also within text, in JSON within text, and in paths that
 * are percent-encoded once:
 *
 * <ul>
 *   <li>{@code /Users/x}, {@code /home/x}, {@code C:\Users\x} and {@code ~x/} get the name
 *       {@code user};
 *   <li>{@code /root} becomes {@code /home/user};
 *   <li>{@code /var/folders/ab/cdef} becomes {@code /var/folders/[redacted]}.
 * </ul>
 *
 * A directory of these names within a project, as in {@code src/home/page.ts}, stays. Takes time
 * linear in the length of the text, which is searched for a few words first.
 */
final class UserPaths {

  private static final String USER = "user";
  private static final String REDACTED = "[redacted]";
  private static final String ROOT = "root";
  private static final String FOLDERS = "folders";
  private static final String VAR = "var";
  private static final String TILDE = "~";

  /** The text in place of the middle of a text that is too long. */
  private static final String GAP = "...";

  /** The directories, after a separator, that are candidates. */
  private static final String[] WORDS = {"Users", "users", "USERS", "home", FOLDERS, ROOT};

  /** The characters with which a candidate begins, or which end an encoded separator. */
  private static final boolean[] BEGINS = new boolean[128];

  static {
    for (char c : "/\\~FfCc".toCharArray()) {
      BEGINS[c] = true;
    }
  }

  /** Directories of a home directory's level that are not those of a person. */
  private static final String[] SHARED = {USER, "Shared", "Public", "Default"};

  /** The maximum length of a name; a longer one is replaced up to here. */
  private static final int MAX_NAME = 256;

  /** The maximum number of words of a name with spaces. */
  private static final int MAX_WORDS = 4;

  private final String text;
  private final TextEdits edits;

  private UserPaths(String text) {
    this.text = text;
    this.edits = new TextEdits(text);
  }

  /** Returns the text without the names of users; null if it has none. */
  static @Nullable String map(String text) {
    if (!mayHaveUser(text)) {
      return null;
    }
    UserPaths paths = null;
    int end = 0; // of the last edit
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < BEGINS.length && BEGINS[c] && i >= end - 1) {
        String word = word(text, i, c);
        if (word != null) {
          paths = paths == null ? new UserPaths(text) : paths;
          end = Math.max(end, paths.edit(word, word.equals(TILDE) ? i : i + 1));
        }
      }
    }
    return paths == null ? null : paths.edits.result();
  }

  /** Whether a text has a part of a candidate: searches that the virtual machine does fast. */
  private static boolean mayHaveUser(String text) {
    return text.indexOf("sers") >= 0
        || text.indexOf("home") >= 0
        || text.indexOf(ROOT) >= 0
        || text.indexOf('~') >= 0
        || text.indexOf(FOLDERS) >= 0
        || text.indexOf("USERS") >= 0;
  }

  /** The candidate at the character at an index, or after it; null if there is none. */
  private static @Nullable String word(String text, int at, char c) {
    if (c == '~') {
      return TILDE;
    }
    boolean isSeparator = c == '/' || c == '\\' || (at >= 2 && text.charAt(at - 2) == '%');
    if (isSeparator && at + 1 < text.length() && "Uuhfr".indexOf(text.charAt(at + 1)) >= 0) {
      for (String word : WORDS) {
        if (text.startsWith(word, at + 1)) {
          return word;
        }
      }
    }
    return null;
  }

  /** Edits the path with a word. Returns the index after the edit; 0 if there is none. */
  private int edit(String word, int at) {
    if (word.equals(TILDE)) {
      return tilde(at);
    }
    int separator = PathSeparators.before(text, at);
    int after = at + word.length();
    if (separator == at) {
      return 0;
    }
    if (word.equals(ROOT)) {
      return root(separator, at, after);
    }
    int name = PathSeparators.after(text, after);
    if (name == after) {
      return 0;
    }
    if (word.equals(FOLDERS)) {
      boolean isVar = separator >= VAR.length()
          && text.startsWith(VAR, separator - VAR.length())
          && PathSeparators.before(text, separator - VAR.length()) < separator - VAR.length();
      return isVar ? folders(name) : 0;
    }
    return PathRoot.isRoot(text, separator) ? name(name, isAt(after, '\\')) : 0;
  }

  /** Replaces the name of a user. */
  private int name(int from, boolean isWindows) {
    int to = isWindows ? lastWord(nameEnd(from)) : nameEnd(from);
    while (to > from && text.charAt(to - 1) == '.') {
      to--; // the end of a sentence, or an ellipsis
    }
    boolean isCut = text.startsWith(GAP, to) && USER.startsWith(text.substring(from, to));
    if (to == from || isCut || isShared(text.substring(from, to))) {
      return 0;
    }
    edits.replace(from, to, USER);
    return to;
  }

  /** The end of a name with spaces, which a backslash follows; the given end if there is none. */
  private int lastWord(int end) {
    int to = end;
    for (int words = 1; words < MAX_WORDS && isAt(to, ' '); words++) {
      int word = nameEnd(to + 1);
      if (word == to + 1) {
        break;
      }
      to = word;
      if (isAt(to, '\\')) {
        return to;
      }
    }
    return end;
  }

  private boolean isAt(int at, char c) {
    return at < text.length() && text.charAt(at) == c;
  }

  private static boolean isShared(String name) {
    for (String shared : SHARED) {
      if (name.equals(shared)) {
        return true;
      }
    }
    return false;
  }

  private int nameEnd(int from) {
    int limit = Math.min(text.length(), from + MAX_NAME);
    int to = from;
    while (to < limit && isName(to) && !text.startsWith(GAP, to)) {
      to++;
    }
    return to > from && to == limit && Character.isHighSurrogate(text.charAt(to - 1)) ? to - 1 : to;
  }

  /** Whether the character at an index belongs to a name: not to syntax around a path. */
  private boolean isName(int at) {
    char c = text.charAt(at);
    if (c == '%') {
      return PathSeparators.after(text, at) == at && !isVariable(at);
    }
    return c > ' ' && !Character.isWhitespace(c) && "/\\\"'`<>|:*?,;()[]{}=&#!$^".indexOf(c) < 0;
  }

  /** Whether a percent sign begins a variable as in %USERNAME% rather than an encoded character. */
  private boolean isVariable(int at) {
    return at + 2 >= text.length()
        || Character.digit(text.charAt(at + 1), 16) < 0
        || Character.digit(text.charAt(at + 2), 16) < 0;
  }

  /** Replaces /root by /home/user. */
  private int root(int separator, int at, int after) {
    boolean ends = after == text.length()
        || PathSeparators.after(text, after) > after
        || !PathRoot.isPathCharacter(text.charAt(after))
        || text.charAt(after) == ':'
        || isFullStop(after);
    if (!ends || !PathRoot.isOutermost(text, separator)) {
      return 0;
    }
    edits.replace(at, after, "home" + PathSeparators.last(text, separator, at) + USER);
    return after;
  }

  private boolean isFullStop(int at) {
    return text.charAt(at) == '.'
        && (at + 1 == text.length() || !PathRoot.isPathCharacter(text.charAt(at + 1)));
  }

  /** Replaces the two random names of a temporary directory of macOS. */
  private int folders(int from) {
    int first = nameEnd(from);
    if (first == from) {
      return 0;
    }
    int second = PathSeparators.after(text, first);
    int to = second == first ? first : Math.max(nameEnd(second), first);
    edits.replace(from, to, REDACTED);
    return to;
  }

  /** Replaces the name in ~x/. */
  private int tilde(int at) {
    if (at > 0) {
      char before = text.charAt(at - 1);
      boolean isEscape = at > 1 && text.charAt(at - 2) == '\\' && "nrt".indexOf(before) >= 0;
      if (!isEscape && !Character.isWhitespace(before) && "\"'`=:(,;[{<>|&".indexOf(before) < 0) {
        return 0;
      }
    }
    int from = at + 1;
    int to = from;
    int limit = Math.min(text.length(), from + MAX_NAME);
    while (to < limit && isAccount(text.charAt(to), to == from)) {
      to++;
    }
    boolean isPath = to > from && PathSeparators.after(text, to) > to;
    if (!isPath || text.substring(from, to).equals(USER)) {
      return 0;
    }
    edits.replace(from, to, USER);
    return to;
  }

  private static boolean isAccount(char c, boolean isFirst) {
    boolean isLetter = c == '_' || Character.isLetter(c);
    return isLetter || (!isFirst && (Character.isDigit(c) || c == '.' || c == '-'));
  }
}

package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.text.Excerpt;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * Patterns of folders in texts, as {@link dev.agentreplay.engine.diff.rule.Normalizer} documents
 * them.
 */
public final class FolderPatterns {

  /** A separator, also the doubled backslash of JSON text. */
  private static final String SEPARATOR = "(?:\\\\{1,2}|/)";

  /**
   * The start of a path, not inside a longer one. An escaped line feed, as in JSON text inside of
   * JSON text, ends the path before it.
   */
  private static final String BEGINS = "(?:(?<![\\p{L}\\p{N}_.~-])|(?<=\\\\[nrt]))";

  private static final String ENDS = "(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])";
  private static final String NAME = "[\\p{L}\\p{N}_.~+@#$%=-]{1,255}+";
  private static final String WINDOWS_NAME = "[^\\\\/:*?\"<>|\\p{Cntrl}]{1,64}";

  /** A folder for temporary files, with the first name in it. */
  public static final Pattern TEMPORARY = Pattern.compile("(?=[/$%]|[A-Za-z]:|file:/)(?:"
      + BEGINS + "(?:file:(?://)?)?(?:"
      + "(?:/private)?/(?:var/)?tmp"
      + "|(?:/private)?/var/folders/[\\w+-]{1,64}/[\\w+-]{1,64}/[A-Z]"
      + ")/|(?:" + BEGINS + "(?:file:/{1,3})?[A-Za-z]:" + SEPARATOR + "(?:"
      + "Users" + SEPARATOR + WINDOWS_NAME + SEPARATOR + "AppData" + SEPARATOR + "Local" + SEPARATOR
      + "|Windows" + SEPARATOR + ")?Temp"
      + "|\\$TMPDIR|\\$\\{TMPDIR\\}|%TE?MP%)" + SEPARATOR + ")" + NAME);

  private static final Pattern WINDOWS = Pattern.compile("[A-Za-z]:[\\\\/].*+|\\\\\\\\.*+");

  private FolderPatterns() {}

  /**
   * Returns the pattern of a folder.
   *
   * @throws IllegalArgumentException if the path is not absolute, or is a root
   */
  public static Pattern folder(String path) {
    boolean windows = WINDOWS.matcher(path).matches();
    if (!windows && !path.startsWith("/")) {
      throw new IllegalArgumentException("folder must be absolute: \"" + Excerpt.of(path) + "\"");
    }
    StringJoiner names = new StringJoiner(SEPARATOR);
    int count = 0;
    for (String name : path.split(windows ? "[\\\\/]+" : "/+", -1)) {
      if (!name.isEmpty()) {
        names.add(Pattern.quote(name).replace(" ", "\\E(?: |%20)\\Q"));
        count++;
      }
    }
    if (count < (windows ? 2 : 1)) {
      throw new IllegalArgumentException("folder must not be a root: \"" + Excerpt.of(path) + "\"");
    }
    // a lookahead of the first character is fast, because most characters do not match it
    String root = "(?=/|file:/)" + BEGINS + "(?:file:(?://)?)?/";
    if (windows) {
      root = path.startsWith("\\")
          ? "(?=[\\\\/]|file:/)" + BEGINS + "(?:file:)?(?:\\\\{2,4}|//)"
          : "(?=[A-Za-z]:|file:/)" + BEGINS + "(?:file:/{1,3})?";
    }
    return Pattern.compile(root + names + ENDS, windows ? Pattern.CASE_INSENSITIVE : 0);
  }
}

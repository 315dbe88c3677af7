package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.text.Excerpt;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * What folders look like in texts, as {@link dev.agentreplay.engine.diff.rule.Normalizer}
 * documents.
 */
public final class FolderPatterns {

  /** Also doubled, as a path stands in JSON text. */
  private static final String SEPARATOR = "(?:\\\\{1,2}|/)";

  /** Not within a longer path; the line end of JSON text in JSON text is no letter. */
  private static final String BEGINS = "(?:(?<![\\p{L}\\p{N}_.~-])|(?<=\\\\[nrt]))";

  private static final String ENDS = "(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])";
  private static final String NAME = "[\\p{L}\\p{N}_.~+@#$%=-]{1,255}+";
  private static final String WINDOWS_NAME = "[^\\\\/:*?\"<>|\\p{Cntrl}]{1,64}";

  /** The first name in a folder for temporary files, with that folder. */
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
   * What a folder looks like.
   *
   * @throws IllegalArgumentException if it is not absolute, or a root
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
    // what it begins with is said first, since most characters do not
    String root = "(?=/|file:/)" + BEGINS + "(?:file:(?://)?)?/";
    if (windows) {
      root = path.startsWith("\\")
          ? "(?=[\\\\/]|file:/)" + BEGINS + "(?:file:)?(?:\\\\{2,4}|//)"
          : "(?=[A-Za-z]:|file:/)" + BEGINS + "(?:file:/{1,3})?";
    }
    return Pattern.compile(root + names + ENDS, windows ? Pattern.CASE_INSENSITIVE : 0);
  }
}

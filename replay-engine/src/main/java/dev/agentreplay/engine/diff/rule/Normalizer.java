package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.FolderPatterns;
import dev.agentreplay.engine.diff.pattern.IdPatterns;
import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.pattern.TextRule;
import dev.agentreplay.engine.diff.pattern.TextScope;
import dev.agentreplay.engine.diff.pattern.TimePatterns;
import dev.agentreplay.model.text.Excerpt;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Brings texts to what they are compared by: parts that say nothing are replaced by a word that
 * says what they were.
 *
 * <pre>{@code
 * DiffOptions.exact().with(
 *     Normalizer.ANSI_CODES,
 *     Normalizer.folder("/home/me/project", "workspace"),
 *     Normalizer.pattern("port", "localhost:[0-9]+", "localhost:<port>"));
 * }</pre>
 *
 * <p>Normalizers hold for all texts in the content of an event, as {@link ComparisonRule} says what
 * that is, but not for the names of members, one after the other in the order in which they are
 * given, together with the rules of {@link Ignore} for texts. Reports show texts as they were
 * recorded. The words of this library, such as {@code <uuid>}, stand between U+FDD0 and U+FDD1 in
 * place of the angle brackets, which are noncharacters (Unicode 23.7), so that a text that says
 * {@code <uuid>} is another one; a replacement of {@link #pattern} is taken as it is. What this
 * library looks for takes time in proportion to the text, whatever it holds. Immutable.
 */
public final class Normalizer implements ComparisonRule {

  /**
   * Codes for terminals (ECMA-48): colours and cursor movements, titles and links. They are
   * removed; what a link says stays.
   */
  public static final Normalizer ANSI_CODES = new Normalizer(
      "ansi codes",
      TextRule.removing(Pattern.compile("(?:\\x1B\\[|\\x9B)[0-?]*+[ -/]*+[@-~]"
          + "|\\x1B[\\]PX^_][^\\x07\\x1B]*+(?:\\x07|\\x1B\\\\)"
          + "|\\x1B[ -/]*+[0-~]")));

  /** UUIDs (RFC 9562), as 36 characters: {@code <uuid>}. */
  public static final Normalizer UUIDS =
      new Normalizer("uuids", TextRule.replacing("uuid", IdPatterns.UUID));

  /**
   * Dates, with or without a time of day: {@code <date>}. With one they are those of
   * {@link Ignore#TIMESTAMPS} in texts; without, {@code 2024-05-20}, {@code 2024/05/20}, {@code 20
   * May 2024}, {@code May 20th, 2024}, {@code 5/20/2024} and {@code 20.5.2024}, of the years 1900
   * to 2099 where the year does not come first.
   */
  public static final Normalizer DATES = new Normalizer(
      "dates", TextRule.replacing("date", TimePatterns.TIMESTAMP, TimePatterns.DATE_ALONE));

  /**
   * Folders for temporary files with the first name in them, random or not: {@code /tmp/x1y2/a.txt}
   * is {@code <temp>/a.txt}. The folders are {@code /tmp}, {@code /var/tmp}, those in
   * {@code /var/folders}, {@code C:\Users\…\AppData\Local\Temp}, {@code C:\Windows\Temp},
   * {@code C:\Temp}, {@code $TMPDIR}, {@code %TEMP%} and {@code %TMP%}.
   */
  public static final Normalizer TEMPORARY_FOLDERS = new Normalizer(
      "temporary folders", TextRule.replacing("temp", FolderPatterns.TEMPORARY), true);

  private final String description;
  private final ScalarRule scalars;
  private final boolean isOfFolders;

  private Normalizer(String what, ScalarRule scalars) {
    this(what, scalars, false);
  }

  private Normalizer(String what, ScalarRule scalars, boolean isOfFolders) {
    this.description = "normalize " + what;
    this.scalars = scalars;
    this.isOfFolders = isOfFolders;
  }

  /**
   * A folder: {@code <name>}. It is found with either separator where it is one of Windows, also
   * with doubled ones as in JSON text, in {@code file:} URLs, and only where its last name ends.
   *
   * @param path an absolute path, of this platform or another one
   * @param name what stands in its place, such as {@code workspace}
   * @throws IllegalArgumentException if the path is not absolute, or a root, or the name is blank
   */
  public static Normalizer folder(String path, String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name of a folder must not be blank");
    }
    return new Normalizer(
        "folder " + path + " as <" + name + ">",
        TextRule.replacing(name, FolderPatterns.folder(path)),
        true);
  }

  /**
   * A folder of this machine, as {@link #folder(String, String)}; a relative one is below the
   * working directory.
   *
   * @throws IllegalArgumentException if the path is a root, or the name is blank
   */
  public static Normalizer folder(Path path, String name) {
    return folder(path.toAbsolutePath().toString(), name);
  }

  /**
   * Whatever a regular expression matches. A comparison fails with a
   * {@link RunawayPatternException} where one looks at a text more than a thousand times as often
   * as it is long, and a million times, or takes more stack than there is.
   *
   * @param name what reports call it
   * @param regex as {@link Pattern} documents it
   * @param replacement as {@link java.util.regex.Matcher#replaceAll(String)} documents it
   * @throws IllegalArgumentException if the expression is none, the replacement names a group that
   *     it does not have, or the name is blank
   */
  public static Normalizer pattern(String name, String regex, String replacement) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name of a normalizer must not be blank");
    }
    Objects.requireNonNull(replacement, "replacement");
    Pattern pattern;
    try {
      pattern = Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "not a regular expression: \"" + Excerpt.of(regex) + "\": " + e.getDescription() + " at "
              + e.getIndex(),
          e);
    }
    try {
      // the same groups, and it matches
      Pattern.compile("|" + regex).matcher("").replaceFirst(replacement);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "not a replacement for \"" + Excerpt.of(regex) + "\": \"" + Excerpt.of(replacement)
              + "\": " + e.getMessage(),
          e);
    }
    return new Normalizer(
        name + ": " + regex + " => " + replacement, new OwnPattern(name, pattern, replacement));
  }

  /**
   * Parses what a command line says: {@code ansi}, {@code uuids}, {@code dates}, {@code temp},
   * {@code workspace=PATH} for {@link #folder(String, String)}, or {@code NAME:REGEX=>REPLACEMENT}
   * for {@link #pattern}, up to the last {@code =>}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static Normalizer parse(String text) {
    if (text.startsWith("workspace=")) {
      return folder(text.substring("workspace=".length()), "workspace");
    }
    int colon = text.indexOf(':');
    int arrow = text.lastIndexOf("=>");
    if (colon > 0 && arrow > colon) {
      return pattern(
          text.substring(0, colon), text.substring(colon + 1, arrow), text.substring(arrow + 2));
    }
    return switch (text) {
      case "ansi" -> ANSI_CODES;
      case "uuids" -> UUIDS;
      case "dates" -> DATES;
      case "temp" -> TEMPORARY_FOLDERS;
      default ->
        throw new IllegalArgumentException("what is to be normalized is \"ansi\","
            + " \"uuids\", \"dates\", \"temp\", workspace=PATH, or NAME:REGEX=>REPLACEMENT, not \""
            + Excerpt.of(text) + "\"");
    };
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public String toString() {
    return description;
  }

  /** Whether it holds in members of a scope. */
  boolean holdsIn(TextScope scope) {
    return scope == TextScope.ALL || (scope == TextScope.FOLDERS && isOfFolders);
  }

  ScalarRule scalars() {
    return scalars;
  }
}

package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.FolderPatterns;
import dev.agentreplay.model.text.Excerpt;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Brings texts to what they are compared by: parts that say nothing are replaced by a word that
 * says what they were.
 *
 * <pre>{@code
 * DiffOptions.defaults().plus(
 *     Normalizer.ansiCodes(),
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
 * library looks for takes time in proportion to the text, whatever it holds.
 */
public sealed interface Normalizer extends ComparisonRule
    permits Normalizer.Kind, Normalizer.Folder, Normalizer.Expression {

  /**
   * Codes for terminals (ECMA-48): colours and cursor movements, titles and links. They are
   * removed; what a link says stays.
   */
  static Normalizer ansiCodes() {
    return Kind.ANSI_CODES;
  }

  /** UUIDs (RFC 9562), as 36 characters: {@code <uuid>}. */
  static Normalizer uuids() {
    return Kind.UUIDS;
  }

  /**
   * Dates, with or without a time of day: {@code <date>}. With one they are those of
   * {@link Ignore#timestamps} in texts; without, {@code 2024-05-20}, {@code 2024/05/20}, {@code 20
   * May 2024}, {@code May 20th, 2024}, {@code 5/20/2024} and {@code 20.5.2024}, of the years 1900
   * to 2099 where the year does not come first.
   */
  static Normalizer dates() {
    return Kind.DATES;
  }

  /**
   * Folders for temporary files with the first name in them, random or not: {@code /tmp/x1y2/a.txt}
   * is {@code <temp>/a.txt}. The folders are {@code /tmp}, {@code /var/tmp}, those in
   * {@code /var/folders}, {@code C:\Users\…\AppData\Local\Temp}, {@code C:\Windows\Temp},
   * {@code C:\Temp}, {@code $TMPDIR}, {@code %TEMP%} and {@code %TMP%}.
   */
  static Normalizer temporaryFolders() {
    return Kind.TEMPORARY_FOLDERS;
  }

  /**
   * A folder: {@code <name>}. It is found with either separator where it is one of Windows, also
   * with doubled ones as in JSON text, in {@code file:} URLs, and only where its last name ends.
   *
   * @param path an absolute path, of this platform or another one
   * @param name what stands in its place, such as {@code workspace}
   * @throws IllegalArgumentException if the path is not absolute, or a root, or the name is blank
   */
  static Normalizer folder(String path, String name) {
    return new Folder(path, name);
  }

  /**
   * A folder of this machine, as {@link #folder(String, String)}; a relative one is below the
   * working directory.
   *
   * @throws IllegalArgumentException if the path is a root, or the name is blank
   */
  static Normalizer folder(Path path, String name) {
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
  static Normalizer pattern(String name, String regex, String replacement) {
    return new Expression(name, regex, replacement);
  }

  /**
   * Parses what a command line says: {@code ansi}, {@code uuids}, {@code dates}, {@code temp},
   * {@code workspace=PATH} for {@link #folder(String, String)}, or {@code NAME:REGEX=>REPLACEMENT}
   * for {@link #pattern}, up to the last {@code =>}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static Normalizer parse(String text) {
    if (text.startsWith("workspace=")) {
      return folder(text.substring("workspace=".length()), "workspace");
    }
    int colon = text.indexOf(':');
    int arrow = text.lastIndexOf("=>");
    if (colon > 0 && arrow > colon) {
      return pattern(
          text.substring(0, colon), text.substring(colon + 1, arrow), text.substring(arrow + 2));
    }
    for (Kind kind : Kind.values()) {
      if (kind.id().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("what is to be normalized is \"ansi\","
        + " \"uuids\", \"dates\", \"temp\", workspace=PATH, or NAME:REGEX=>REPLACEMENT, not \""
        + Excerpt.of(text) + "\"");
  }

  /** A kind of text in content. */
  enum Kind implements Normalizer {
    /** {@link Normalizer#ansiCodes}. */
    ANSI_CODES("ansi"),
    /** {@link Normalizer#uuids}. */
    UUIDS("uuids"),
    /** {@link Normalizer#dates}. */
    DATES("dates"),
    /** {@link Normalizer#temporaryFolders}. */
    TEMPORARY_FOLDERS("temp");

    private final String id;

    Kind(String id) {
      this.id = id;
    }

    /** The text that {@link Normalizer#parse} takes. */
    public String id() {
      return id;
    }

    @Override
    public String description() {
      return "normalize " + name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * A folder, as {@link Normalizer#folder(String, String)} documents it.
   *
   * @param path an absolute path
   * @param name the word in its place
   */
  record Folder(String path, String name) implements Normalizer {

    /** Checks path and name. */
    public Folder {
      if (name.isBlank()) {
        throw new IllegalArgumentException("name of a folder must not be blank");
      }
      FolderPatterns.folder(path);
    }

    @Override
    public String description() {
      return "normalize folder " + path + " as <" + name + ">";
    }
  }

  /**
   * A regular expression, as {@link Normalizer#pattern} documents it.
   *
   * @param name the name in reports
   * @param regex the expression
   * @param replacement the text in place of a match
   */
  record Expression(String name, String regex, String replacement) implements Normalizer {

    /** Checks the expression, its replacement and the name. */
    public Expression {
      if (name.isBlank()) {
        throw new IllegalArgumentException("name of a normalizer must not be blank");
      }
      Objects.requireNonNull(replacement, "replacement");
      try {
        Pattern.compile(regex);
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException(
            "not a regular expression: \"" + Excerpt.of(regex) + "\": " + e.getDescription()
                + " at " + e.getIndex(),
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
    }

    @Override
    public String description() {
      return "normalize " + name + ": " + regex + " => " + replacement;
    }
  }
}

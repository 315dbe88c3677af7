package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.FolderPatterns;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.NearestName;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * A rule that normalizes texts before they are compared: it replaces parts that differ in every run
 * by a placeholder.
 *
 * <pre>{@code
 * DiffOptions.defaults().plus(
 *     Normalizer.ansiCodes(),
 *     Normalizer.folder("/home/me/project", "workspace"),
 *     Normalizer.pattern("port", "localhost:[0-9]+", "localhost:<port>"));
 * }</pre>
 *
 * <p>Normalizers apply to all texts in the content of an event, as {@link ComparisonRule} defines
 * it, but not to the names of members. They are applied in the order in which they are given,
 * together with the rules of {@link Ignore} for texts. Reports show the texts as recorded.
 *
 * <p>The placeholders of this library, written {@code <uuid>} here, are enclosed by the
 * noncharacters U+FDD0 and U+FDD1 (Unicode 23.7) instead of the angle brackets, so that a recorded
 * text {@code <uuid>} is different from them. The replacement of {@link #pattern} is used
 * unchanged. The normalizers of this library take time proportional to the length of a text, for
 * any text.
 */
public sealed interface Normalizer extends ComparisonRule
    permits Normalizer.Kind, Normalizer.Folder, Normalizer.Expression {

  /**
   * Removes control sequences of terminals (ECMA-48, "ANSI escape codes"): colors, cursor
   * movements, titles and links. The text of a link is kept.
   */
  static Normalizer ansiCodes() {
    return Kind.ANSI_CODES;
  }

  /** Replaces UUIDs (RFC 9562), in the form of 36 characters, by {@code <uuid>}. */
  static Normalizer uuids() {
    return Kind.UUIDS;
  }

  /**
   * Replaces dates, with or without a time of day, by {@code <date>}. Dates with a time of day are
   * those that {@link Ignore#timestamps} covers in texts. Dates without one are {@code 2024-05-20},
   * {@code 2024/05/20}, {@code 20 May 2024}, {@code May 20th, 2024}, {@code 5/20/2024} and
   * {@code 20.5.2024}, in the years 1900 to 2099 unless the year comes first.
   */
  static Normalizer dates() {
    return Kind.DATES;
  }

  /**
   * Replaces the folders for temporary files, together with the first name in them, by
   * {@code <temp>}: {@code /tmp/x1y2/a.txt} becomes {@code <temp>/a.txt}. The name need not be
   * random. The folders are {@code /tmp}, {@code /var/tmp}, those in {@code /var/folders},
   * {@code C:\Users\…\AppData\Local\Temp}, {@code C:\Windows\Temp}, {@code C:\Temp},
   * {@code $TMPDIR}, {@code %TEMP%} and {@code %TMP%}.
   */
  static Normalizer temporaryFolders() {
    return Kind.TEMPORARY_FOLDERS;
  }

  /**
   * Replaces a folder by {@code <name>}. It is found only where its last name ends, also in
   * {@code file:} URLs; a folder of Windows with either separator, also doubled as in JSON text.
   *
   * @param path an absolute path, of this or a different platform
   * @param name the name of the placeholder, such as {@code workspace}
   * @throws IllegalArgumentException if the path is not absolute or is a root, or the name is blank
   */
  static Normalizer folder(String path, String name) {
    return new Folder(path, name);
  }

  /**
   * Replaces a folder of this machine, as {@link #folder(String, String)} does; a relative path is
   * resolved against the working directory.
   *
   * @param path the path of the folder
   * @param name the name of the placeholder
   * @throws IllegalArgumentException if the path is a root, or the name is blank
   */
  static Normalizer folder(Path path, String name) {
    return folder(path.toAbsolutePath().toString(), name);
  }

  /**
   * Replaces the matches of a regular expression. A comparison fails with a
   * {@link RunawayPatternException} if the expression needs more than a million steps plus a
   * thousand for each character of a text, or more stack than is available.
   *
   * @param name the name of the normalizer in reports
   * @param regex the expression, as {@link Pattern} documents it
   * @param replacement the replacement, as {@link java.util.regex.Matcher#replaceAll(String)}
   *     documents it
   * @throws IllegalArgumentException if the expression is not valid, the replacement refers to a
   *     group that the expression does not have, or the name is blank
   */
  static Normalizer pattern(String name, String regex, String replacement) {
    return new Expression(name, regex, replacement);
  }

  /**
   * Parses a normalizer of the command line: {@code ansi}, {@code uuids}, {@code dates},
   * {@code temp}, {@code workspace=PATH} for {@link #folder(String, String)}, or
   * {@code NAME:REGEX=>REPLACEMENT} for {@link #pattern}, where the expression ends at the last
   * {@code =>}.
   *
   * @throws IllegalArgumentException if the text is not one of these
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
    throw new IllegalArgumentException("expected ansi, uuids, dates, temp, workspace=PATH,"
        + " or NAME:REGEX=>REPLACEMENT, found \"" + Excerpt.of(text) + "\""
        + NearestName.suggestion(text, Kind.NAMES));
  }

  /** A kind of text in the content of events. */
  enum Kind implements Normalizer {
    /** {@link Normalizer#ansiCodes}. */
    ANSI_CODES("ansi"),
    /** {@link Normalizer#uuids}. */
    UUIDS("uuids"),
    /** {@link Normalizer#dates}. */
    DATES("dates"),
    /** {@link Normalizer#temporaryFolders}. */
    TEMPORARY_FOLDERS("temp");

    private static final List<String> NAMES = Stream.of(values()).map(Kind::id).toList();

    private final String id;

    Kind(String id) {
      this.id = id;
    }

    /** The name of the constant that {@link Normalizer#parse} accepts. */
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
   * @param path the absolute path of the folder
   * @param name the name of the placeholder
   */
  record Folder(String path, String name) implements Normalizer {

    /**
     * Checks path and name.
     *
     * @throws IllegalArgumentException as {@link Normalizer#folder(String, String)} does
     */
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
   * @param name the name of the normalizer in reports
   * @param regex the expression
   * @param replacement the replacement of a match
   */
  record Expression(String name, String regex, String replacement) implements Normalizer {

    /**
     * Checks the expression, its replacement and the name.
     *
     * @throws IllegalArgumentException as {@link Normalizer#pattern} does
     */
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
        // has the same groups, and matches, so that the replacement is checked
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

package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.NearestName;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A rule that excludes something from the comparison: texts of a kind inside values, places in
 * events, or the calls of a tool.
 *
 * <pre>{@code
 * DiffOptions.defaults().plus(Ignore.timestamps(), Ignore.at("/output/cache"));
 * DiffOptions.defaults().plus(Ignore.tool("think"));
 * }</pre>
 *
 * <p>The ids and times of events themselves are compared only in a strict comparison, with or
 * without these rules. The rules for texts apply to the content of an event, as
 * {@link ComparisonRule} defines it, but not to the names of members. They take time proportional
 * to the length of a text, for any text. They are deliberately narrow, because differences that
 * they cover become invisible.
 */
public sealed interface Ignore extends ComparisonRule
    permits Ignore.Kind, Ignore.Place, Ignore.Tool {

  /**
   * Ignores points in time: dates with a time of day.
   *
   * <ul>
   *   <li>ISO 8601 and RFC 3339: {@code 2024-11-21T08:17:05.123Z}, {@code 2024-11-21 08:17},
   *       {@code 2024/11/21 08:17:05,123 +0100}, {@code 20241121T081705Z}; and as in the names of
   *       files, {@code 2024-11-21_08-17-05}
   *   <li>RFC 1123 and similar forms: {@code Thu, 21 Nov 2024 08:17:05 GMT},
   *       {@code 21/Nov/2024:08:17:05 +0000}, {@code 11/21/2024, 8:17 AM}
   *   <li>{@code date}, {@code git log} and {@code syslog}: {@code Thu Nov 21 08:17:05 2024},
   *       {@code Nov 21, 2024 8:17 AM}, {@code Nov 21 08:17:05}
   *   <li>{@code ls -l}: {@code Nov 21 08:17}, and {@code Nov 21 2024} with two spaces
   *   <li>numbers, also as texts, from September 2001 to 2096 as seconds, milliseconds,
   *       microseconds or nanoseconds since 1970, in members whose names end in {@code timestamp},
   *       {@code ts}, {@code at}, {@code time}, {@code date}, {@code datetime}, {@code epoch},
   *       {@code created}, {@code modified}, {@code updated}, {@code accessed}, {@code expires},
   *       {@code mtime}, {@code ctime}, {@code atime}, {@code birthtime}, {@code iat}, {@code exp}
   *       or {@code nbf}, with or without a unit at the end: {@code createdAt},
   *       {@code start_time_ms}
   * </ul>
   *
   * <p>A date alone, such as {@code 2024-05-20}, is not a point in time, because it may be an
   * argument; {@link Normalizer#dates} covers dates. A time of day alone is not one either.
   */
  static Ignore timestamps() {
    return Kind.TIMESTAMPS;
  }

  /**
   * Ignores measured durations.
   *
   * <ul>
   *   <li>a number with a unit: {@code 1.23s}, {@code 12 ms}, {@code 1,234 µs}, {@code 5 minutes},
   *       {@code 2 hours}; {@code m}, {@code h} and {@code d} only together with a smaller unit:
   *       {@code 3m 4s}, {@code 0m1.234s}, {@code 1h 2m}
   *   <li>ISO 8601 with a time: {@code PT1.5S}
   *   <li>a clock with one digit for the hours, {@code 0:00:12.345}, unless AM or PM follows
   *   <li>numbers, also as texts, in members whose names contain the word {@code duration},
   *       {@code latency}, {@code elapsed}, {@code took}, {@code runtime}, {@code uptime},
   *       {@code walltime} or {@code cputime}, or end in {@code time_taken} or in {@code time}
   *       after {@code execution}, {@code run}, {@code running}, {@code response}, {@code total},
   *       {@code wall}, {@code cpu}, {@code user}, {@code sys}, {@code system}, {@code real},
   *       {@code processing}, {@code query}, {@code build}, {@code compile} or {@code load}, with
   *       or without a unit at the end: {@code latency_ms}, {@code responseTime}
   * </ul>
   *
   * <p>The numbers of members whose names contain {@code timeout}, {@code limit}, {@code max} or
   * {@code min} are compared, because they are arguments, not measurements.
   */
  static Ignore durations() {
    return Kind.DURATIONS;
  }

  /**
   * Ignores ids that are generated in each run.
   *
   * <ul>
   *   <li>UUIDs (RFC 9562), as 36 characters
   *   <li>ULIDs, 26 characters with at least one letter
   *   <li>ids with the prefix {@code call}, {@code toolu}, {@code srvtoolu}, {@code tooluse},
   *       {@code chatcmpl}, {@code chatcmpl-tool}, {@code cmpl}, {@code msg}, {@code resp},
   *       {@code req}, {@code rs}, {@code fc}, {@code run}, {@code thread}, {@code asst},
   *       {@code evt}, {@code batch}, {@code gen}, {@code trace}, {@code span} or {@code sess},
   *       followed by {@code _} or {@code -} and 12 to 64 letters and digits that look random: at
   *       least 16 hexadecimal digits, both letters and digits; or any that split into pieces of at
   *       most 2 characters on average; or of at most 3 on average, if they are at least 20
   *       characters or have digits in two places. A piece begins with a word in camel case, and
   *       where letters and digits meet
   * </ul>
   *
   * <p>For example, {@code call_62a36155bcdf1} is an id, but {@code run_backtest1} and
   * {@code run_AllTestsOfModule2} are not.
   *
   * <p>Hashes, such as a SHA-256 or that of a commit, depend on contents and are compared; so are
   * numbers.
   */
  static Ignore ids() {
    return Kind.IDS;
  }

  /**
   * Ignores the values at a pattern of JSON Pointers, and whether they are present.
   *
   * <p>A pattern is a JSON Pointer (RFC 6901) of at most 60 tokens, in which {@code *} matches
   * exactly one name or index, and {@code **} any number of them, including zero. A star that is
   * not a wildcard is escaped as {@code ~2}, in addition to {@code ~0} for {@code ~} and {@code ~1}
   * for {@code /}; in other tokens, such as {@code a*b}, it needs no escape. The pattern starts at
   * the event, with the names of the members in the dialect {@code event}:
   *
   * <ul>
   *   <li>{@code /output}: the output of any call
   *   <li>{@code /params/path}: one parameter
   *   <li><code>/output/items/&#42;/price</code>: a member of all elements
   *   <li><code>/output/&#42;&#42;/etag</code>: members of this name at any depth
   * </ul>
   *
   * <p>A pattern continues into text: in a string that as a whole holds a JSON object or array,
   * such as the output {@code "{\"load\":0.93}"} of a tool that returns text, {@code /output/load}
   * is its member. {@link ComparisonRule} documents how such a text is compared.
   *
   * <p>If a log holds only the hash of a value, the hash is ignored by a pattern for the whole
   * value: {@code /output} covers {@code output_hash}, and {@code /output/etag} does not.
   *
   * <p>Indices are those of the recorded array. Ignored elements do not affect the order of the
   * others. A pattern that does not match anything is not an error; the result reports that it
   * applied to 0 places ({@link dev.agentreplay.engine.diff.SessionDiff#rules}).
   *
   * @throws IllegalArgumentException if it does not begin with {@code '/'}, has more than 60
   *     tokens, or has a {@code ~} that is not followed by 0, 1 or 2
   */
  static Ignore at(String pattern) {
    return new Place(pattern);
  }

  /**
   * Ignores all calls of a tool, with their results. They are left out of the comparison and
   * counted ({@link dev.agentreplay.engine.diff.DiffSummary#ignoredCalls}).
   */
  static Ignore tool(String name) {
    return new Tool(name);
  }

  /**
   * Parses an ignore rule of the command line: {@code timestamps}, {@code durations}, {@code ids},
   * a pattern of JSON Pointers, or {@code tool:NAME}.
   *
   * @throws IllegalArgumentException if the text is not one of these
   */
  static Ignore parse(String text) {
    if (text.startsWith("/")) {
      return at(text);
    }
    if (text.startsWith("tool:") && text.length() > "tool:".length()) {
      return tool(text.substring("tool:".length()));
    }
    return switch (text) {
      case "timestamps" -> timestamps();
      case "durations" -> durations();
      case "ids" -> ids();
      default ->
        throw new IllegalArgumentException("expected timestamps, durations, ids,"
            + " a JSON pointer such as /output/**/etag, or tool:NAME, found \"" + Excerpt.of(text)
            + "\"" + NearestName.suggestion(text, Kind.NAMES));
    };
  }

  /** A kind of text in the content of events. */
  enum Kind implements Ignore {
    /** {@link Ignore#timestamps}. */
    TIMESTAMPS,
    /** {@link Ignore#durations}. */
    DURATIONS,
    /** {@link Ignore#ids}. */
    IDS;

    private static final List<String> NAMES = Stream.of(values()).map(Kind::id).toList();

    /** The name of the constant that {@link Ignore#parse} accepts. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String description() {
      return "ignore " + id();
    }
  }

  /**
   * The values at a pattern of JSON Pointers.
   *
   * @param pattern the pattern, as {@link Ignore#at} documents it
   */
  record Place(String pattern) implements Ignore {

    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException as {@link Ignore#at} does
     */
    public Place {
      PathPattern.parse(pattern);
    }

    @Override
    public String description() {
      return "ignore " + pattern;
    }
  }

  /**
   * The calls of a tool.
   *
   * @param name the name of the tool
   */
  record Tool(String name) implements Ignore {

    /** Checks for null. */
    public Tool {
      Objects.requireNonNull(name, "tool");
    }

    @Override
    public String description() {
      return "ignore tool " + name;
    }
  }
}

package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.model.text.Excerpt;
import java.util.Locale;
import java.util.Objects;

/**
 * What is not compared: text of some kind inside values, places in events, calls of a tool.
 *
 * <pre>{@code
 * DiffOptions.defaults().plus(Ignore.timestamps(), Ignore.at("/output/cache"));
 * DiffOptions.defaults().plus(Ignore.tool("think"));
 * }</pre>
 *
 * <p>The ids and times of events themselves are not compared in any case, unless a comparison is
 * strict. The rules for texts hold in the content of an event, as {@link ComparisonRule} says what
 * that is, but not for the names of members, and take time in proportion to the text, whatever it
 * holds. What they cover is deliberately narrow: what they make equal is not seen any more.
 */
public sealed interface Ignore extends ComparisonRule
    permits Ignore.Kind, Ignore.Place, Ignore.Tool {

  /**
   * Points in time: dates with a time of day.
   *
   * <ul>
   *   <li>ISO 8601 and RFC 3339: {@code 2024-11-21T08:17:05.123Z}, {@code 2024-11-21 08:17},
   *       {@code 2024/11/21 08:17:05,123 +0100}, {@code 20241121T081705Z}; and as files are named,
   *       {@code 2024-11-21_08-17-05}
   *   <li>RFC 1123 and its like: {@code Thu, 21 Nov 2024 08:17:05 GMT}, {@code 21/Nov/2024:08:17:05
   *       +0000}, {@code 11/21/2024, 8:17 AM}
   *   <li>{@code date}, {@code git log} and {@code syslog}: {@code Thu Nov 21 08:17:05 2024},
   *       {@code Nov 21, 2024 8:17 AM}, {@code Nov 21 08:17:05}
   *   <li>{@code ls -l}: {@code Nov 21 08:17}, and {@code Nov 21 2024} with two spaces
   *   <li>numbers, and texts that are one, from September 2001 to 2096 as seconds, milliseconds,
   *       microseconds or nanoseconds since 1970, in members whose names end in {@code timestamp},
   *       {@code ts}, {@code at}, {@code time}, {@code date}, {@code datetime}, {@code epoch},
   *       {@code created}, {@code modified}, {@code updated}, {@code accessed}, {@code expires},
   *       {@code mtime}, {@code ctime}, {@code atime}, {@code birthtime}, {@code iat}, {@code exp}
   *       or {@code nbf}, with or without a unit after that: {@code createdAt},
   *       {@code start_time_ms}
   * </ul>
   *
   * <p>A date alone, such as {@code 2024-05-20}, is none, since it may well be what was asked for:
   * for those there is {@link Normalizer#dates}. Neither is a time of day alone.
   */
  static Ignore timestamps() {
    return Kind.TIMESTAMPS;
  }

  /**
   * Durations: how long something took.
   *
   * <ul>
   *   <li>a number with a unit: {@code 1.23s}, {@code 12 ms}, {@code 1,234 µs}, {@code 5 minutes},
   *       {@code 2 hours}; {@code m}, {@code h} and {@code d} only together with a smaller one:
   *       {@code 3m 4s}, {@code 0m1.234s}, {@code 1h 2m}
   *   <li>ISO 8601 with a time: {@code PT1.5S}
   *   <li>a clock with one digit for the hours, {@code 0:00:12.345}, unless AM or PM follows
   *   <li>numbers, and texts that are one, in members whose names have the word {@code duration},
   *       {@code latency}, {@code elapsed}, {@code took}, {@code runtime}, {@code uptime},
   *       {@code walltime} or {@code cputime}, or end in {@code time_taken} or in {@code time}
   *       after {@code execution}, {@code run}, {@code running}, {@code response}, {@code total},
   *       {@code wall}, {@code cpu}, {@code user}, {@code sys}, {@code system}, {@code real},
   *       {@code processing}, {@code query}, {@code build}, {@code compile} or {@code load}, with
   *       or without a unit after that: {@code latency_ms}, {@code responseTime}
   * </ul>
   *
   * <p>Names with {@code timeout}, {@code limit}, {@code max} or {@code min} say what was asked
   * for; their numbers are compared.
   */
  static Ignore durations() {
    return Kind.DURATIONS;
  }

  /**
   * Ids that are generated in each run.
   *
   * <ul>
   *   <li>UUIDs (RFC 9562), as 36 characters
   *   <li>ULIDs, 26 characters of which one at least is a letter
   *   <li>ids with the prefix {@code call}, {@code toolu}, {@code srvtoolu}, {@code tooluse},
   *       {@code chatcmpl}, {@code chatcmpl-tool}, {@code cmpl}, {@code msg}, {@code resp},
   *       {@code req}, {@code rs}, {@code fc}, {@code run}, {@code thread}, {@code asst},
   *       {@code evt}, {@code batch}, {@code gen}, {@code trace}, {@code span} or {@code sess},
   *       then {@code _} or {@code -}, then 12 to 64 letters and digits that are no words:
   *       hexadecimal digits, letters among them, if they are 16 at least; otherwise such as fall
   *       into pieces of up to 3 characters on average, where they are 20 at least or have digits
   *       in two places, and of up to 2 where not. A piece begins with a word in camel case, and
   *       where letters and digits meet
   * </ul>
   *
   * <p>So {@code call_62a36155bcdf1} is one, and {@code run_backtest1} and
   * {@code run_AllTestsOfModule2} are none.
   *
   * <p>Hashes, such as a SHA-256 or that of a commit, say what something holds, and are compared;
   * so are numbers.
   */
  static Ignore ids() {
    return Kind.IDS;
  }

  /**
   * Whatever is at a pattern of JSON pointers, and whether anything is.
   *
   * <p>A pattern is a JSON Pointer (RFC 6901) of at most 60 tokens, in which {@code *} stands for
   * any one name or index, and {@code **} for any number of them, also for none; a name that is a
   * star itself is written {@code ~2}, next to {@code ~0} for {@code ~} and {@code ~1} for
   * {@code /}. Stars in longer tokens are nothing special. It starts at the event, with the names
   * of the members in the dialect {@code event}:
   *
   * <ul>
   *   <li>{@code /output}: what any call returned
   *   <li>{@code /params/path}: one parameter
   *   <li><code>/output/items/&#42;/price</code>: a member of all elements
   *   <li><code>/output/&#42;&#42;/etag</code>: members of a name, however deep
   * </ul>
   *
   * <p>Where a log holds the hash of a value only, it is ignored with a pattern for the whole
   * value: {@code /output} covers {@code output_hash}, and {@code /output/etag} does not.
   *
   * <p>Indices are those of the recorded array. Elements that are ignored do not count for the
   * order of the others. What a pattern misses it misses silently, but that it applied to nothing
   * stands in the result.
   *
   * @throws IllegalArgumentException if it does not begin with {@code '/'}, or has more than 60
   *     tokens, or a {@code ~} without 0, 1 or 2 after it
   */
  static Ignore at(String pattern) {
    return new Place(pattern);
  }

  /** All calls of a tool, with their results: they are left out of the comparison, and counted. */
  static Ignore tool(String name) {
    return new Tool(name);
  }

  /**
   * Parses what a command line says: {@code timestamps}, {@code durations}, {@code ids}, a pattern
   * of JSON pointers, or {@code tool:NAME}.
   *
   * @throws IllegalArgumentException if it is none of these
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
        throw new IllegalArgumentException("what is to be ignored is \"timestamps\","
            + " \"durations\", \"ids\", a JSON pointer such as /output/**/etag, or tool:NAME,"
            + " not \"" + Excerpt.of(text) + "\"");
    };
  }

  /** A kind of text in content. */
  enum Kind implements Ignore {
    /** {@link Ignore#timestamps}. */
    TIMESTAMPS,
    /** {@link Ignore#durations}. */
    DURATIONS,
    /** {@link Ignore#ids}. */
    IDS;

    /** The text of the constant in rules. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String description() {
      return "ignore " + id();
    }
  }

  /**
   * The places that a pattern matches.
   *
   * @param pattern as {@link Ignore#at} documents it
   */
  record Place(String pattern) implements Ignore {

    /** Checks the pattern. */
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

package dev.agentreplay.engine.diff.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Classifies the numbers in a member by its name, as
 * {@link dev.agentreplay.engine.diff.rule.Ignore} documents.
 */
public final class MemberName {

  private static final int MAX_LENGTH = 64;

  /**
   * The boundaries between the words of a name: separators, and the place between {@code a} and
   * {@code B} in {@code aB}.
   */
  private static final Pattern WORDS = Pattern.compile("[_\\-. ]|(?<=[a-z0-9])(?=[A-Z])");

  private static final Set<String> UNITS = Set.of(
      "ns",
      "nanos",
      "nanoseconds",
      "us",
      "micros",
      "microseconds",
      "ms",
      "msec",
      "millis",
      "milliseconds",
      "s",
      "sec",
      "secs",
      "seconds",
      "min",
      "minutes",
      "h",
      "hours",
      "utc");

  private static final Set<String> MOMENTS = Set.of(
      "timestamp",
      "ts",
      "at",
      "time",
      "date",
      "datetime",
      "epoch",
      "created",
      "modified",
      "updated",
      "accessed",
      "expires",
      "mtime",
      "ctime",
      "atime",
      "birthtime",
      "iat",
      "exp",
      "nbf");

  private static final Set<String> DURATIONS =
      Set.of("duration", "latency", "elapsed", "took", "runtime", "uptime", "walltime", "cputime");

  /** The words before {@code time} in the names of durations. */
  private static final Set<String> TAKEN = Set.of(
      "execution",
      "run",
      "running",
      "response",
      "total",
      "wall",
      "cpu",
      "user",
      "sys",
      "system",
      "real",
      "processing",
      "query",
      "build",
      "compile",
      "load");

  /** The words in the names of arguments, which are not measurements. */
  private static final Set<String> ASKED = Set.of("max", "min", "timeout", "limit");

  private MemberName() {}

  /** Whether a number in a member of this name may be a point in time. */
  public static boolean isMoment(String name) {
    List<String> words = words(name);
    return !words.isEmpty() && MOMENTS.contains(words.get(words.size() - 1));
  }

  /** Whether a number in a member of this name is a measured duration. */
  public static boolean isDuration(String name) {
    List<String> words = words(name);
    if (words.isEmpty() || words.stream().anyMatch(ASKED::contains)) {
      return false;
    }
    int last = words.size() - 1;
    return words.stream().anyMatch(DURATIONS::contains)
        || (last > 0 && words.get(last).equals("time") && TAKEN.contains(words.get(last - 1)))
        || (last > 0 && words.get(last).equals("taken") && words.get(last - 1).equals("time"));
  }

  /** The words of a name, in lower case, without a unit at the end. */
  private static List<String> words(String name) {
    List<String> words = new ArrayList<>();
    if (name.length() <= MAX_LENGTH) {
      for (String word : WORDS.split(name, -1)) {
        words.add(word.toLowerCase(Locale.ROOT));
      }
    }
    int last = words.size() - 1;
    return last > 0 && UNITS.contains(words.get(last)) ? words.subList(0, last) : words;
  }
}

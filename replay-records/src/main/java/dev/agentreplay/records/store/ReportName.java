package dev.agentreplay.records.store;

import dev.agentreplay.records.RecordTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a report's file: {@code <time>.json}, and for a second report of the same millisecond
 * {@code <time>-2.json}. The order is that of times, then of numbers.
 *
 * @param time the time in UTC, or the text before {@code .json} in a file of a different origin
 * @param number the number of the report among those of this time, from 1
 */
record ReportName(String time, int number) implements Comparable<ReportName> {

  private static final String END = ".json";

  /** The form of a time; no common file system refuses one of its characters in names. */
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
          "uuuu-MM-dd'T'HH-mm-ss.SSS'Z'", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  private static final Pattern NUMBERED = Pattern.compile("(.*Z)-([2-9]|[1-9]\\d{1,8})");

  private static final Comparator<ReportName> ORDER =
      Comparator.comparing(ReportName::time).thenComparing(ReportName::number);

  /** Returns the name of the first report of a time. */
  static ReportName of(RecordTime time) {
    return new ReportName(TIME.format(time.instant()), 1);
  }

  /** Whether the name of a file is that of a report. */
  static boolean isReport(String file) {
    return file.endsWith(END) && !file.startsWith(".");
  }

  /** Reads the name of a file. */
  static ReportName parse(String file) {
    String name = file.substring(0, file.length() - END.length());
    Matcher numbered = NUMBERED.matcher(name);
    return numbered.matches()
        ? new ReportName(numbered.group(1), Integer.parseInt(numbered.group(2)))
        : new ReportName(name, 1);
  }

  /** Returns the name that follows at the same time. */
  ReportName next() {
    return new ReportName(time, number + 1);
  }

  /** The name of the file. */
  String file() {
    return time + (number == 1 ? "" : "-" + number) + END;
  }

  @Override
  public int compareTo(ReportName other) {
    return ORDER.compare(this, other);
  }
}

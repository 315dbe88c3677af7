package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.json.JsonNumber;
import java.util.regex.Pattern;

/**
 * Patterns of dates, points in time and durations in texts, as
 * {@link dev.agentreplay.engine.diff.rule.Ignore} documents them.
 */
public final class TimePatterns {

  private static final String MONTH =
      "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
          + "|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
  private static final String WEEKDAY =
      "(?:(?:Mon|Tue(?:s)?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )?";
  private static final String DAY = "(?:0?[1-9]|[12][0-9]|3[01])";
  private static final String YEAR = "(?:19|20)[0-9]{2}";
  private static final String DATE = "[0-9]{4}([-/])(?:0[1-9]|1[0-2])\\1(?:0[1-9]|[12][0-9]|3[01])";

  /** An hour and a minute; {@code CLOCK} adds optional seconds with their fraction. */
  private static final String MINUTES = "(?:[01]?[0-9]|2[0-4]):[0-5][0-9]";

  private static final String SECONDS = ":(?:[0-5][0-9]|60)(?:[.,][0-9]{1,9})?+";
  private static final String HALF = "(?: ?[AaPp][Mm])?+";
  private static final String ZONE =
      "(?: ?(?:Z|UTC|GMT)(?:[+-][0-9]{2}:?[0-9]{2})?+(?![A-Za-z])| ?[+-][0-9]{2}:?[0-9]{2}(?![0-9])"
          + "|[+-][0-9]{2}(?![0-9]))?+(?: \\([A-Z][A-Za-z ]{1,40}\\))?+";
  private static final String CLOCK = MINUTES + "(?:" + SECONDS + ")?+" + HALF + ZONE;

  /**
   * The first characters of a date; a lookahead is fast, because most characters do not match it.
   */
  private static final String BEGINS = "(?=[0-9ADFJMNOSTW])";

  private static final String NOT_IN_NUMBER = "(?<![0-9])";
  private static final String NOT_IN_WORD = "(?<![A-Za-z])";
  private static final String ENDS = "(?![0-9])";

  /** ISO 8601 and RFC 3339, with {@code T}, {@code _} or a space, also as in the names of files. */
  private static final String ISO = NOT_IN_NUMBER + "(?:"
      + DATE + "(?:[Tt_]|,? )(?:" + CLOCK + "|[0-9]{2}-[0-9]{2}-[0-9]{2}(?:[.-][0-9]{1,9})?+Z?)"
      + "|" + YEAR + "(?:0[1-9]|1[0-2])[0-3][0-9][T_-][0-2][0-9][0-5][0-9][0-5][0-9]"
      + "(?:[.,][0-9]{1,9})?+Z?"
      + ")" + ENDS;

  /** RFC 1123, RFC 850, logs of web servers, and {@code ls} with the day first. */
  private static final String DAY_FIRST = NOT_IN_NUMBER + WEEKDAY + "(?:"
      + DAY + "[ /-]" + MONTH + "[ /-](?:[0-9]{4}|[0-9]{2})(?:,? (?:at )?|:)" + CLOCK
      + "|" + DAY + " " + MONTH + "(?: {1,2}" + CLOCK + "| {2}" + YEAR + ")"
      + "|" + "[0-9]{1,2}/[0-9]{1,2}/(?:[0-9]{4}|[0-9]{2}),? " + CLOCK
      + ")" + ENDS;

  /** {@code date}, {@code asctime}, {@code git log}, {@code ls -l}, {@code syslog}. */
  private static final String MONTH_FIRST = NOT_IN_WORD + WEEKDAY + MONTH + " {1,2}" + DAY + "(?:"
      + " " + MINUTES + SECONDS + "(?: [A-Z]{3,5})? " + YEAR + "(?: [+-][0-9]{4})?+"
      + "|" + "(?:,? " + YEAR + ",?)?(?: at)? {1,2}" + CLOCK
      + "|" + " {2}" + YEAR
      + ")" + ENDS;

  /** A date with a time of day. */
  public static final Pattern TIMESTAMP =
      Pattern.compile(BEGINS + "(?:" + ISO + "|" + DAY_FIRST + "|" + MONTH_FIRST + ")");

  /** A date without a time of day. */
  public static final Pattern DATE_ALONE = Pattern.compile(BEGINS + "(?:"
      + NOT_IN_NUMBER + "(?:" + DATE
      + "|" + DAY + "(?:st|nd|rd|th)?[ -]" + MONTH + ",?[ -]" + YEAR
      + "|" + "[0-9]{1,2}([./])[0-9]{1,2}\\2" + YEAR + ")" + ENDS
      + "|" + NOT_IN_WORD + WEEKDAY + MONTH + " {1,2}" + DAY + "(?:st|nd|rd|th)?,? " + YEAR + ENDS
      + ")");

  private static final String AMOUNT = "[0-9]{1,15}+(?:,[0-9]{3}){0,4}+(?:\\.[0-9]{1,12}+)?+";

  /** A duration. */
  public static final Pattern DURATION = Pattern.compile("(?=[0-9P])(?<![\\w.:])(?:"
      + "(?:[0-9]{1,6}+d ?)?+(?:[0-9]{1,6}+h ?)?+[0-9]{1,6}+m ?[0-9]{1,6}+(?:\\.[0-9]{1,12}+)?+s"
      + "|(?:[0-9]{1,6}+d ?)?+[0-9]{1,6}+h ?[0-9]{1,6}+m(?:in)?"
      + "|(?!(?:19|20)[0-9]0s)" + AMOUNT
      + " ?(?:ns|nanos(?:econds?)?|[uµμ]s|micros(?:econds?)?|ms|msecs?|millis(?:econds?)?"
      + "|s|secs?|seconds?|mins?|minutes?|hrs?|hours?)"
      + "|P(?:[0-9]{1,9}+D)?+T(?=[0-9])(?:[0-9]{1,9}+H)?+(?:[0-9]{1,9}+M)?+"
      + "(?:[0-9]{1,9}+(?:\\.[0-9]{1,9}+)?+S)?+"
      + "|[0-9]:[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9}+)?+(?! ?[AaPp][Mm])(?!:)"
      + ")(?!\\w)");

  private TimePatterns() {}

  /**
   * Whether a number is a time from 2001 to 2096, in seconds, milliseconds, microseconds or
   * nanoseconds since 1970.
   */
  public static boolean isEpoch(JsonNumber number) {
    double value = number.asDouble();
    for (double unit = 1; unit <= 1e9; unit *= 1_000) {
      if (value >= 1e9 * unit && value < 4e9 * unit) {
        return true;
      }
    }
    return false;
  }
}

package dev.agentreplay.cli.folder;

import dev.agentreplay.cli.text.Style;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a point in time: an age, a date, or a date and time. */
public final class TimeConverter implements ITypeConverter<Instant> {

  private static final Pattern AGE = Pattern.compile("([0-9]{1,6})(m|h|d|w)");

  @Override
  public Instant convert(String text) {
    try {
      return parse(text, Instant.now(), ZoneId.systemDefault());
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "expected an age such as 90m, 12h, 7d or 2w, a date, or a date and time such as"
              + " 2026-01-31T09:00, found \"%s\"".formatted(Style.plain(text)));
    }
  }

  /**
   * Parses a point in time.
   *
   * @param now the time from which an age counts
   * @param zone the zone of a date or time without an offset
   * @throws DateTimeException if the text is none
   */
  static Instant parse(String text, Instant now, ZoneId zone) {
    Matcher age = AGE.matcher(text);
    if (age.matches()) {
      long number = Long.parseLong(age.group(1));
      return now.minus(
          switch (age.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofDays(7 * number);
          });
    }
    if (text.length() == "YYYY-MM-DD".length()) {
      return LocalDate.parse(text).atStartOfDay(zone).toInstant();
    }
    return text.matches(".*T.*(Z|[+-][0-9:]+)")
        ? OffsetDateTime.parse(text).toInstant()
        : LocalDateTime.parse(text).atZone(zone).toInstant();
  }
}

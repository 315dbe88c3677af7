package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration in seconds, such as 300 or 0.5. */
public final class SecondsConverter implements ITypeConverter<Duration> {

  private static final BigDecimal MAX = BigDecimal.valueOf(1_000_000_000L);

  @Override
  public Duration convert(String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /**
   * Parses a positive number of seconds.
   *
   * @throws IllegalArgumentException if it is not one
   */
  static Duration parse(String text) {
    if (text.matches("[0-9]{1,10}(\\.[0-9]{1,3})?")) {
      BigDecimal seconds = new BigDecimal(text);
      if (seconds.signum() > 0 && seconds.compareTo(MAX) <= 0) {
        return Duration.ofMillis(seconds.movePointRight(3).longValueExact());
      }
    }
    throw new IllegalArgumentException(
        "expected a positive number of seconds, such as 300 or 0.5, found \"%s\""
            .formatted(Style.plain(text)));
  }
}

package dev.agentreplay.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JacksonBridgeTimesTest {

  private static final JacksonBridge JACKSON = JacksonBridge.defaults();
  private static final LocalDateTime TEN = LocalDateTime.of(2026, 3, 1, 10, 0);

  record Meeting(
      Instant created,
      OffsetDateTime start,
      Duration length,
      Period every,
      @JsonFormat(pattern = "dd.MM.yyyy") LocalDate day,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER_INT) Year year) {}

  static List<Object> times() {
    return List.of(
        Instant.parse("2026-03-01T10:00:00Z"),
        Instant.parse("2026-03-01T10:00:00.000000001Z"),
        TEN,
        TEN.plusNanos(120_000_000),
        TEN.toLocalDate(),
        TEN.toLocalTime(),
        LocalTime.of(10, 0, 7, 1),
        TEN.atOffset(ZoneOffset.ofHours(2)),
        OffsetTime.of(TEN.toLocalTime(), ZoneOffset.UTC),
        TEN.atZone(ZoneId.of("Europe/Berlin")),
        ZonedDateTime.of(TEN, ZoneOffset.UTC),
        Year.of(2026),
        YearMonth.of(2026, 3),
        MonthDay.of(3, 1),
        Month.MARCH,
        DayOfWeek.MONDAY);
  }

  @ParameterizedTest
  @MethodSource("times")
  void time_has_the_text_that_json_value_of_has_and_is_read_from_it(Object time) {
    JsonValue value = JACKSON.toValue(time);

    assertThat(value).isEqualTo(JsonValue.of(time));
    assertThat(JACKSON.toValue(Map.of("at", List.of(time))).at("/at/0")).isEqualTo(value);
    assertThat((Object) JACKSON.toObject(value, time.getClass())).isEqualTo(time);
  }

  @Test
  void format_that_is_asked_for_is_used() {
    Meeting meeting = new Meeting(
        Instant.EPOCH,
        TEN.atOffset(ZoneOffset.ofHours(2)),
        Duration.ofMinutes(90),
        Period.ofWeeks(1),
        TEN.toLocalDate(),
        Year.of(2026));

    JsonValue value = JACKSON.toValue(meeting);

    assertThat(value)
        .isEqualTo(JsonObject.of(
            "created", "1970-01-01T00:00:00Z",
            "start", "2026-03-01T10:00+02:00",
            "length", "PT1H30M",
            "every", "P7D",
            "day", "01.03.2026",
            "year", 2026));
    assertThat(JACKSON.toObject(value, Meeting.class)).isEqualTo(meeting);
  }

  @Test
  void time_is_a_name_too() {
    Map<LocalDate, Integer> days = Map.of(TEN.toLocalDate(), 1);

    JsonValue value = JACKSON.toValue(days);

    assertThat(value).isEqualTo(JsonObject.of("2026-03-01", 1));
    assertThat(JACKSON.toObject(value, new TypeReference<Map<LocalDate, Integer>>() {}))
        .isEqualTo(days);
  }

  @Test
  void date_is_text_as_well() {
    assertThat(JACKSON.toValue(new Date(0)).asString()).isEqualTo("1970-01-01T00:00:00Z");
  }
}

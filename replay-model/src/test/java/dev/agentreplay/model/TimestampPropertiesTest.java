package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class TimestampPropertiesTest {

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9998-12-31T23:59:59Z");

  @Property
  void what_an_instant_prints_is_read_back(@ForAll("instants") Instant instant) {
    assertThat(Timestamp.of(instant).instant()).isEqualTo(instant);
    assertThat(Timestamp.of(instant).text()).isEqualTo(instant.toString());
    assertThat(Timestamp.of(instant)).isEqualTo(Timestamp.parse(instant.toString()));
  }

  @Property
  void text_is_written_into_an_array(@ForAll("instants") Instant instant) {
    for (Timestamp time : List.of(
        Timestamp.of(instant),
        Timestamp.parse(instant.toString()),
        Timestamp.parse("2026-01-13T10:00:00.123456789+01:00"))) {
      byte[] target = new byte[Timestamp.MAX_LENGTH + 2];

      int end = time.writeTo(target, 1);

      assertThat(new String(target, 1, end - 1, StandardCharsets.US_ASCII)).isEqualTo(time.text());
      assertThat(target[0]).isZero();
      assertThat(target[end]).isZero();
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void offset_and_digits_are_understood(
      @ForAll("instants") Instant instant,
      @ForAll @IntRange(min = -18 * 60, max = 18 * 60) int offsetMinutes,
      @ForAll @IntRange(min = 1, max = 9) int digits) {
    DateTimeFormatter form =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss." + "S".repeat(digits) + "xxx");
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(offsetMinutes * 60);
    long unit = (long) Math.pow(10, 9 - digits);
    Instant cut = instant.minusNanos(instant.getNano() % unit);

    String text = form.format(cut.atOffset(offset));

    assertThat(Timestamp.parse(text).instant()).isEqualTo(cut);
    assertThat(Timestamp.parse(text).text()).isEqualTo(text);
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    assertThat(Timestamp.tryParse(ascii, 0, ascii.length).instant()).isEqualTo(cut);
    assertThat(Timestamp.tryParse(ascii, 0, ascii.length).text()).isEqualTo(text);
  }

  @Property
  void text_in_an_array_is_kept(
      @ForAll("instants") Instant instant, @ForAll @IntRange(min = 0, max = 9) int digits) {
    String second = instant.toString().substring(0, "2026-01-13T10:00:00".length());
    String fraction = "%09d".formatted(instant.getNano()).substring(0, digits);
    String text = second + (digits == 0 ? "" : "." + fraction) + "Z";
    byte[] ascii = ("0" + text + "0").getBytes(StandardCharsets.US_ASCII);

    Timestamp time = Timestamp.tryParse(ascii, 1, ascii.length - 1);

    assertThat(time.text()).isEqualTo(text);
    assertThat(time).isEqualTo(Timestamp.parse(text));
    assertThat(time.instant()).isEqualTo(Timestamp.parse(text).instant());
  }

  @Provide
  Arbitrary<Instant> instants() {
    return Combinators.combine(
            Arbitraries.longs().between(FIRST.getEpochSecond(), LAST.getEpochSecond()),
            Arbitraries.oneOf(
                Arbitraries.of(0, 500_000_000, 1_000_000, 999_999_999, 1, 1_000),
                Arbitraries.integers().between(0, 999_999_999)))
        .as(Instant::ofEpochSecond);
  }
}

package dev.agentreplay.canonical;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Components are written as the values that stand for them. */
class CanonicalWriterTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "\"",
        "a\\",
        "\n",
        "tab\there",
        "\u0000\u001f",
        "\u007f",
        "\u0080",
        "caf\u00e9",
        "\u0141\u0122",
        "a\ud83d\ude02b",
        "\uffff",
        "x\ud83d",
        "\ude02x",
        "\ud83d\ud83d\ude02"
      })
  void text_is_written_as_its_value(String text) {
    assertSame(text, () -> JsonString.of(text));
  }

  @Property
  void any_text_is_written_as_its_value(@ForAll String text) {
    assertSame(text, () -> JsonString.of(text));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        9,
        -10,
        999_999_999_999_999L,
        -999_999_999_999_999L,
        1_000_000_000_000_000L,
        -1_000_000_000_000_000L,
        (1L << 53) - 1,
        (1L << 53) + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE
      })
  void integer_is_written_as_its_value(long number) {
    assertSame(number, () -> JsonNumber.of(number));
    assertSame((int) number, () -> JsonNumber.of((int) number));
  }

  @Property
  void any_integer_is_written_as_its_value(@ForAll long number) {
    assertSame(number, () -> JsonNumber.of(number));
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0.0,
        -0.0,
        1.0,
        -0.8,
        0.1,
        1e-7,
        1e15,
        1e16,
        1e21,
        9007199254740993.0,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.NaN,
        Double.NEGATIVE_INFINITY
      })
  void double_is_written_as_its_value(double number) {
    assertSame(number, () -> JsonNumber.of(number));
  }

  @Property
  void any_double_is_written_as_its_value(@ForAll double number) {
    assertSame(number, () -> JsonNumber.of(number));
  }

  @Property
  void any_time_and_hash_are_written_as_their_values(
      @ForAll @LongRange(min = -62_167_219_200_000L, max = 253_402_300_799_999L) long millis) {
    Timestamp time = Timestamp.of(Instant.ofEpochMilli(millis));
    ContentHash hash = ContentHash.sha256(time.text().getBytes(UTF_8));

    assertSame(time, () -> JsonString.of(time.text()));
    assertSame(hash, () -> JsonString.of(hash.toString()));
  }

  @Test
  void anything_else_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CanonicalWriter(Canonicalization.SERDE).plain('x'))
        .withMessageContaining("class java.lang.Character");
  }

  private static void assertSame(Object component, Supplier<JsonValue> value) {
    for (Canonicalization canonicalization : Canonicalization.values()) {
      assertThat(outcome(canonicalization, out -> out.plain(component)))
          .isEqualTo(outcome(canonicalization, out -> out.value(value.get())));
    }
  }

  /** The text that is written, or the reason of the refusal. */
  private static String outcome(
      Canonicalization canonicalization, Consumer<CanonicalWriter> writes) {
    CanonicalWriter out = new CanonicalWriter(canonicalization);
    Throwable refusal = catchThrowable(() -> writes.accept(out));
    return refusal == null ? new String(out.toByteArray(), UTF_8) : refusal.toString();
  }
}

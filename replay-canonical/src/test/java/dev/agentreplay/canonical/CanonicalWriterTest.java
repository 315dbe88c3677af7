package dev.agentreplay.canonical;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Surrogates;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
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

  /** Characters of all kinds at all places of texts that are encoded in several parts. */
  @Property(tries = 300)
  void long_text_is_written_as_its_characters_are(
      @ForAll @IntRange(max = 4_000) int length,
      @ForAll @IntRange(max = 5) int others,
      @ForAll @From("characters") List<String> pieces,
      @ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder("a ? of \"text\", ".repeat(length / 15));
    for (int i = 0; i < others && !pieces.isEmpty(); i++) {
      int at = random.nextBoolean() // at the end of a part, or anywhere
          ? Math.min(text.length(), 1_024 * (1 + random.nextInt(3)) - 2 + random.nextInt(4))
          : random.nextInt(text.length() + 1);
      text.insert(at, pieces.get(random.nextInt(pieces.size())));
    }
    assertWrittenAsCharacters(text.toString());
  }

  @Provide
  Arbitrary<List<String>> characters() {
    return Arbitraries.of(
            "?",
            "\n",
            "\u0001",
            "\\",
            "\u007f",
            "\u0080",
            "\u00e9",
            "\u65e5",
            "\uffff",
            "\ud83d\ude02",
            "\ud83d",
            "\ude02")
        .list()
        .ofMaxSize(4);
  }

  @Test
  void surrogate_pair_on_the_border_of_two_parts_is_written() {
    assertWrittenAsCharacters("x".repeat(1_023) + "\ud83d\ude02" + "y".repeat(100));
    assertWrittenAsCharacters("x".repeat(1_023) + "\ud83d" + "y".repeat(100));
    assertWrittenAsCharacters("x".repeat(1_024) + "\ude02");
  }

  @Test
  void text_beyond_the_limit_is_refused_at_once() {
    JsonLimits limits = JsonLimits.defaults().withMaxBytes(10_000);
    CanonicalWriter out = new CanonicalWriter(Canonicalization.SERDE, false, limits);
    assertThatThrownBy(() -> out.string("x".repeat(12_000)))
        .isInstanceOf(TooLargeException.class)
        .hasMessageContaining("10000");
    assertThat(out.size()).isEqualTo(1);
  }

  @Test
  void order_of_names_after_long_texts_is_not_portable() {
    for (int length : new int[] {0, 127, 128, 1_030}) {
      String name = "n".repeat(length);
      JsonValue value = JsonObject.of(name + "\uffff", 1, name + "\ud83d\ude02", 2);
      CanonicalWriter out = new CanonicalWriter(Canonicalization.SERDE).value(value);
      assertThat(out.isPortable(value)).as("after %d characters", length).isFalse();
    }
  }

  private static void assertWrittenAsCharacters(String text) {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    byte[] one = new byte[CharacterWriter.MAX_BYTES];
    expected.write('"');
    for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
      int codePoint = text.codePointAt(i);
      if (Character.getType(codePoint) == Character.SURROGATE) {
        String expectedFault = Surrogates.lone(text, i).getMessage();
        assertThatIllegalArgumentException()
            .isThrownBy(() -> new CanonicalWriter(Canonicalization.SERDE).string(text))
            .withMessage(expectedFault);
        return;
      }
      expected.write(one, 0, CharacterWriter.write(codePoint, one, 0));
    }
    expected.write('"');
    assertThat(new CanonicalWriter(Canonicalization.SERDE).string(text).toByteArray())
        .isEqualTo(expected.toByteArray());
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

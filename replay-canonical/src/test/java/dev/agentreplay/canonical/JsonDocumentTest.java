package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of a document that were found while reading it equal those of reading it again. */
@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class JsonDocumentTest {

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void canonical_texts_are_known_as_such(@ForAll JsonValue value) {
    for (CanonicalJson json : Outcome.ROUNDING) {
      assertSameAsReadAgain(json.text(JsonObject.of("a", value, "b", 1, "c", value)));
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void other_texts_are_known_as_such(@ForAll JsonValue value, @ForAll Random random) {
    assertSameAsReadAgain(NoisyJson.print(value, random));
    assertSameAsReadAgain(JsonObject.of("b", value, "a", 1).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"a\":1}",
        " {\"a\":1}",
        "{\"a\":1}\t",
        "{ }",
        "{\"a\": 1}",
        "{\"a\":1 ,\"b\":2}",
        "{\"b\":1,\"a\":2}",
        "{\"a\":{\"c\":1,\"b\":2}}",
        "{\"a\":\"\\/\"}",
        "{\"a\":\"/\"}",
        "{\"a\":\"\\n\\u001b\"}",
        "{\"a\":\"\\u001B\"}",
        "{\"a\":\"\\u000a\"}",
        "{\"a\":\"\\u0041\"}",
        "{\"a\":\"\\u00e9\"}",
        "{\"a\":\"\u00e9 \ud83d\ude02\"}",
        "{\"\u00e9\":1,\"z\":2}",
        "{\"\\u0061\":1}",
        "{\"\uffff\":1,\"\ud83d\ude02\":2}",
        "{\"\ud83d\ude02\":1,\"\uffff\":2}",
        "{\"a name of more than twenty-four characters\":0.5,\"b\":1}",
        "{\"a\":[],\"b\":{},\"c\":[{}]}",
        "[1,2]",
        "\"a\"",
        "1.0"
      })
  void form_is_seen_while_reading(String text) {
    assertSameAsReadAgain(text);
  }

  static Stream<String> numbers() {
    return Stream.of(
        "0",
        "-0",
        "-0.0",
        "1",
        "-1",
        "1.0",
        "1.00",
        "0.1",
        "0.10",
        "1e2",
        "100.0",
        "1E+2",
        "1e16",
        "1e+16",
        "1e21",
        "1e-6",
        "1e-7",
        "0.000001",
        "0.20000000298023224",
        "0.2000000029802322",
        "999999999999999",
        "9007199254740991",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "0.1000000000000000000000000000000000001");
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void form_of_numbers_is_seen_while_reading(String number) {
    String text = "{\"a\":" + number + ",\"b\":[" + number + "]}";

    assertSameAsReadAgain(text);
    assertSameAsReadAgain(text); // what is known of the number now
  }

  @Test
  void name_that_was_seen_before_is_distinguished_from_others() {
    for (String name : new String[] {"", "a", "aa", "a2345678", "a23456789", "a234567890123456x"}) {
      for (String other : new String[] {name, name + "b", "b" + name}) {
        JsonObject object = JsonText.parse("{\"" + other + "\":1}").asObject();

        assertThat(object.name(0)).isEqualTo(other);
      }
    }
    assertThat(JsonText.parse("{\"name\":1}").asObject().name(0))
        .isSameAs(JsonText.parse("{\"name\":2}").asObject().name(0));
  }

  @Test
  void part_of_an_array_is_read_and_copied() throws IOException {
    byte[] text = "x{\"a\":[1],\"b\":2}x".getBytes(StandardCharsets.UTF_8);
    JsonDocument document = JsonDocument.parse(text, 1, text.length - 1);
    JsonValue a = document.value().at("/a");
    text[6] = '7';
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    document.writeLineTo(out);

    ByteArrayOutputStream alone = new ByteArrayOutputStream();
    document.writeTo(alone);
    document.bytes()[0] = 'x';

    assertThat(document.size()).isEqualTo(15);
    assertThat(alone).hasToString("{\"a\":[1],\"b\":2}");
    assertThat(document.bytes()).asString().isEqualTo("{\"a\":[1],\"b\":2}");
    assertThat(out).hasToString("{\"a\":[1],\"b\":2}\n");
    assertThat(document.hash(a, CanonicalJson.SERDE)).isEqualTo(CanonicalJson.SERDE.hash(a));
  }

  @Test
  void text_at_the_end_of_the_array_is_written_with_a_line_feed() throws IOException {
    byte[] text = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonDocument.parse(text, 0, text.length).writeLineTo(out);

    assertThat(out).hasToString("{\"a\":1}\n");
  }

  @Test
  void fault_of_one_text_does_not_show_in_the_next() {
    assertThatThrownBy(() -> JsonText.parse("{\"a\":[{\"b\":[1,{\"c\":2,\"c\":3}]}]}"))
        .isInstanceOf(JsonSyntaxException.class)
        .hasMessageContaining("duplicate name \"c\"");

    assertSameAsReadAgain("{\"a\":1}");
  }

  private static void assertSameAsReadAgain(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    JsonDocument document = JsonDocument.parse(utf8, 0, utf8.length);
    assertThat(document.value()).isEqualTo(JsonText.parse(utf8));
    for (CanonicalJson json : Outcome.ROUNDING) {
      assertThat(document.isCanonical(json))
          .as("%s in %s", text, json.canonicalization())
          .isEqualTo(json.isCanonical(utf8));
      if (document.value() instanceof JsonObject object) {
        object.forEach((name, member) -> assertThat(document.hash(member, json))
            .as("%s of %s in %s", name, text, json.canonicalization())
            .isEqualTo(json.hash(JsonText.parse(member.toString()))));
      }
      assertThat(document.hash(document.value(), json)).isEqualTo(json.hash(utf8));
    }
  }
}

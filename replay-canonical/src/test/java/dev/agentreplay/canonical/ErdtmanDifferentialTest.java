package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.erdtman.jcs.JsonCanonicalizer;

/**
 * Holds the canonical form of RFC 8785 against that of another library, where that one is right: it
 * takes no scalars, is wrong about subnormal doubles, and keeps one of two equal names.
 */
@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class ErdtmanDifferentialTest {

  private static final CanonicalJson JCS = CanonicalJson.JCS.withRoundedIntegers();

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void canonical_form_is_that_of_the_other_library(@ForAll JsonValue value, @ForAll Random random)
      throws IOException {
    JsonValue document = JsonArray.of(value, value);

    check(NoisyJson.print(withoutSubnormals(document), random));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void canonical_form_of_an_object_is_that_of_the_other_library(
      @ForAll JsonObject object, @ForAll Random random) throws IOException {
    check(NoisyJson.print(withoutSubnormals(object), random));
  }

  @Example
  void doubles_are_those_of_the_other_library() throws IOException {
    Random random = new Random(8785);
    StringBuilder text = new StringBuilder("[0");
    for (int i = 0; i < 20_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value) && Math.abs(value) >= Double.MIN_NORMAL) {
        text.append(',').append(value);
        text.append(',').append(random.nextLong()).append('e').append(random.nextInt(-300, 280));
      }
    }
    check(text.append(']').toString());
  }

  @Example
  void names_are_sorted_as_by_the_other_library() throws IOException {
    List<String> names = List.of(
        "\ue000",
        "\ud83d\ude02",
        "a\n",
        "a",
        "",
        "a\"",
        "\u20ac",
        "\ufb33",
        "\uffff",
        "\udbff\udfff",
        "1",
        "10",
        "2",
        "A",
        "\u0080",
        "\ud7ff");
    StringBuilder text = new StringBuilder("{");
    for (String name : names) {
      text.append(text.length() == 1 ? "" : ",").append(JsonValue.of(name)).append(":{}");
    }
    check(text.append('}').toString());
  }

  private static void check(String text) throws IOException {
    assertThat(Outcome.of(JCS, text).text())
        .isEqualTo(new JsonCanonicalizer(text.getBytes(StandardCharsets.UTF_8)).getEncodedString());
  }

  private static JsonValue withoutSubnormals(JsonValue value) {
    if (value instanceof JsonNumber number) {
      double magnitude = Math.abs(number.asDouble());
      return magnitude > 0 && magnitude < Double.MIN_NORMAL ? JsonNumber.of(0) : value;
    }
    if (value instanceof JsonArray array) {
      return JsonArray.copyOf(
          array.stream().map(ErdtmanDifferentialTest::withoutSubnormals).toList());
    }
    if (value instanceof JsonObject object) {
      JsonObject.Builder builder = JsonObject.builder();
      for (int i = 0; i < object.size(); i++) {
        builder.add(object.name(i), withoutSubnormals(object.value(i)));
      }
      return builder.build();
    }
    return value;
  }
}

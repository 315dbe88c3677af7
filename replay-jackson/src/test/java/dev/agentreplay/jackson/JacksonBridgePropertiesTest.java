package dev.agentreplay.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

@Domain(JacksonArbitraries.class)
@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class JacksonBridgePropertiesTest {

  private static final JacksonBridge JACKSON = JacksonBridge.defaults();

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().addModule(new JsonValueModule()).build();

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void tree_of_a_value_has_its_canonical_forms(@ForAll JsonValue value) {
    JsonValue again = JACKSON.toValue(JACKSON.toNode(value));

    for (Canonicalization canonicalization : Canonicalization.values()) {
      CanonicalJson form = CanonicalJson.of(canonicalization).withRoundedIntegers();
      assertThat(form.text(again)).isEqualTo(form.text(value));
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void value_that_comes_from_a_tree_is_equal_after_a_second_trip(@ForAll JsonNode node) {
    JsonValue value = JACKSON.toValue(node);

    assertThat(JACKSON.toValue(JACKSON.toNode(value)).equals(value)).isTrue();
  }

  @Property
  void number_loses_no_digit(@ForAll JsonNumber number) {
    JsonNode node = JACKSON.toNode(number);

    if (node.isDouble()) {
      assertThat(node.doubleValue()).isEqualTo(number.asDouble());
      assertThat(number.text()).matches("-0|-0[.eE].*|" + Pattern.quote(exact(node)));
    } else {
      assertThat(node.decimalValue()).isEqualByComparingTo(new BigDecimal(number.text()));
      assertThat(node.isIntegralNumber()).isEqualTo(number.isIntegerLiteral());
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void value_of_a_tree_means_the_same(@ForAll JsonNode node) {
    JsonNode again = JACKSON.toNode(JACKSON.toValue(node));

    assertThat(again.equals(JacksonBridgePropertiesTest::compare, node)).isTrue();
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void tree_within_an_object_has_the_same_value(@ForAll JsonNode node) {
    assertThat(JACKSON.toValue(List.of(Map.of("a", node))).at("/0/a"))
        .isEqualTo(JACKSON.toValue(node));
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void value_is_the_same_through_text_tokens_and_objects(@ForAll JsonValue value) throws Exception {
    String text = MAPPER.writeValueAsString(value);

    assertThat(JsonText.parse(text).equals(value)).isTrue();
    assertThat(MAPPER.readValue(text, JsonValue.class).equals(value)).isTrue();
    assertThat(MAPPER.convertValue(value, JsonValue.class).equals(value)).isTrue();
    assertThat(JACKSON.toValue(List.of(value)).at("/0").equals(value)).isTrue();
    assertThat(JACKSON.toObject(value, JsonValue.class).equals(value)).isTrue();
  }

  private static String exact(JsonNode node) {
    return JsonNumber.of(node.doubleValue()).text();
  }

  /** Zero for two numbers of the same value, and of the same sign where that is zero. */
  private static int compare(JsonNode left, JsonNode right) {
    if (left.equals(right)) {
      return 0;
    }
    boolean same = left.isNumber()
        && right.isNumber()
        && left.decimalValue().compareTo(right.decimalValue()) == 0
        && left.doubleValue() == right.doubleValue();
    return same ? 0 : 1;
  }
}

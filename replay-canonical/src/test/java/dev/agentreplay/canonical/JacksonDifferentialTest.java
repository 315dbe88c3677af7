package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

/** Holds the parser against Jackson's: what one reads from a document, the other does. */
@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class JacksonDifferentialTest {

  private static final JsonMapper JACKSON = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void jackson_reads_the_same_values(@ForAll JsonValue value, @ForAll Random random)
      throws JsonProcessingException {
    String text = NoisyJson.print(value, random);

    assertThat(same(JsonText.parse(text), JACKSON.readTree(text))).as(text).isTrue();
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void jackson_reads_the_canonical_form(@ForAll JsonValue value) throws Exception {
    byte[] canonical = CanonicalJson.SERDE.bytes(value);

    assertThat(same(JsonText.parse(canonical), JACKSON.readTree(canonical))).isTrue();
  }

  @Property(tries = 500)
  void what_jackson_refuses_is_refused(@ForAll JsonValue value, @ForAll Random random) {
    StringBuilder text = new StringBuilder(NoisyJson.print(value, random));
    int at = random.nextInt(text.length() + 1);
    String inserted = "{}[]\",:0-.e\\tn x/'".substring(random.nextInt(17)).substring(0, 1);
    text.replace(at, Math.min(text.length(), at + random.nextInt(2)), inserted);
    if (!wellFormed(text)) {
      return;
    }
    JsonNode tree;
    try {
      tree = JACKSON.readTree(text.toString());
    } catch (JsonProcessingException refused) {
      tree = null;
    } catch (NumberFormatException exponentBeyondBigDecimal) {
      return;
    }
    JsonValue read;
    try {
      read = JsonText.parse(text.toString());
    } catch (JsonSyntaxException refused) {
      read = null;
    }
    if (tree == null || tree.isMissingNode()) {
      assertThat(read).as("%s", text).isNull();
    } else if (read != null) {
      assertThat(same(read, tree)).as("%s", text).isTrue();
    }
  }

  private static boolean wellFormed(CharSequence text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static boolean same(JsonValue value, JsonNode node) {
    if (value instanceof JsonString string) {
      return node.isTextual() && node.textValue().equals(string.value());
    }
    if (value instanceof JsonNumber number) {
      return node.isNumber() && new BigDecimal(number.text()).compareTo(node.decimalValue()) == 0;
    }
    if (value instanceof JsonArray array) {
      boolean same = node.isArray() && node.size() == array.size();
      for (int i = 0; same && i < array.size(); i++) {
        same = same(array.get(i), node.get(i));
      }
      return same;
    }
    if (value instanceof JsonObject object) {
      boolean same = node.isObject() && node.size() == object.size();
      for (int i = 0; same && i < object.size(); i++) {
        JsonNode member = node.get(object.name(i));
        same = member != null && same(object.value(i), member);
      }
      return same;
    }
    return value.isNull()
        ? node.isNull()
        : node.isBoolean() && node.booleanValue() == value.asBoolean();
  }
}

package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class CanonicalJsonPropertiesTest {

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void canonical_form_reads_back_to_an_equal_value_up_to_the_text_of_numbers(
      @ForAll JsonValue value) {
    for (CanonicalJson json : Outcome.ROUNDING) {
      JsonValue read = JsonText.parse(json.bytes(value));
      assertThat(sameButNumberText(read, value))
          .as("%s", json.canonicalization())
          .isTrue();
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void canonical_form_of_the_canonical_form_is_itself(@ForAll JsonValue value) {
    for (CanonicalJson json : Outcome.ROUNDING) {
      byte[] canonical = json.bytes(value);

      assertThat(json.bytes(JsonText.parse(canonical))).isEqualTo(canonical);
      assertThat(json.bytes(canonical)).isEqualTo(canonical);
      assertThat(json.isCanonical(canonical)).isTrue();
      assertThat(CanonicalJson.of(json.canonicalization()).isCanonical(canonical))
          .isTrue();
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void order_of_members_never_changes_the_bytes(@ForAll JsonValue value, @ForAll Random random) {
    JsonValue other = shuffled(value, random);
    for (CanonicalJson json : Outcome.ROUNDING) {
      assertThat(json.bytes(other)).isEqualTo(json.bytes(value));
      assertThat(json.bytes(other.toString().getBytes(StandardCharsets.UTF_8)))
          .isEqualTo(json.bytes(value));
    }
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void hash_is_the_sha_256_of_the_bytes(@ForAll JsonValue value) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    String hex = HexFormat.of().formatHex(digest.digest(CanonicalJson.SERDE.bytes(value)));

    assertThat(CanonicalJson.SERDE.hash(value)).hasToString("sha256:" + hex);
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void text_is_that_of_the_bytes(@ForAll JsonValue value) {
    assertThat(CanonicalJson.SERDE.text(value).getBytes(StandardCharsets.UTF_8))
        .isEqualTo(CanonicalJson.SERDE.bytes(value));
  }

  @Property
  void order_of_names_is_that_of_their_utf_8_bytes(@ForAll String left, @ForAll String right) {
    int expected = Arrays.compareUnsigned(
        left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));

    assertThat(Integer.signum(KeyOrder.CODE_POINT.compare(left, right)))
        .isEqualTo(Integer.signum(expected));
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void printed_value_reads_back_to_an_equal_value(@ForAll JsonValue value) {
    assertThat(JsonText.parse(value.toString()).equals(value)).isTrue();
    assertThat(JsonText.parse(JsonText.pretty(value)).equals(value)).isTrue();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void white_space_and_escapes_change_nothing(@ForAll JsonValue value, @ForAll Random random) {
    String noisy = NoisyJson.print(value, random);

    assertThat(JsonText.parse(noisy).equals(value)).isTrue();
    assertThat(JsonText.parse(noisy).toString()).isEqualTo(value.toString());
    for (CanonicalJson json : Outcome.ROUNDING) {
      assertThat(json.bytes(noisy.getBytes(StandardCharsets.UTF_8))).isEqualTo(json.bytes(value));
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void changed_scalar_changes_the_bytes_and_the_hash(
      @ForAll JsonValue value, @ForAll Random random) {
    JsonValue changed = changed(value, random);
    for (CanonicalJson json : Outcome.ROUNDING) {
      CanonicalForm form = json.form(value.toString().getBytes(StandardCharsets.UTF_8));
      CanonicalForm other = json.form(changed.toString().getBytes(StandardCharsets.UTF_8));

      assertThat(other.bytes()).isNotEqualTo(form.bytes());
      assertThat(other.hash()).isNotEqualTo(form.hash());
      assertThat(json.bytes(changed)).isEqualTo(other.bytes());
    }
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void objects_are_equal_whatever_the_order_of_their_members(
      @ForAll JsonObject object, @ForAll Random random) {
    JsonValue other = shuffled(object, random);

    assertThat(other).isEqualTo(object).hasSameHashCodeAs(object);
  }

  private static boolean sameButNumberText(JsonValue left, JsonValue right) {
    if (left instanceof JsonNumber number) {
      return right instanceof JsonNumber other && number.asDouble() == other.asDouble();
    }
    if (left instanceof JsonArray array) {
      JsonArray other = right.asArray();
      boolean same = array.size() == other.size();
      for (int i = 0; same && i < array.size(); i++) {
        same = sameButNumberText(array.get(i), other.get(i));
      }
      return same;
    }
    if (left instanceof JsonObject object) {
      JsonObject other = right.asObject();
      boolean same = object.size() == other.size();
      for (int i = 0; same && i < object.size(); i++) {
        JsonValue value = other.get(object.name(i));
        same = value != null && sameButNumberText(object.value(i), value);
      }
      return same;
    }
    return left.equals(right);
  }

  /** The value with one scalar, or one empty container, in it changed. */
  private static JsonValue changed(JsonValue value, Random random) {
    if (value instanceof JsonArray array && array.size() > 0) {
      int at = random.nextInt(array.size());
      List<JsonValue> elements = new ArrayList<>(array.stream().toList());
      elements.set(at, changed(elements.get(at), random));
      return JsonArray.copyOf(elements);
    }
    if (value instanceof JsonObject object && !object.isEmpty()) {
      int at = random.nextInt(object.size());
      JsonObject.Builder builder = JsonObject.builder();
      for (int i = 0; i < object.size(); i++) {
        builder.add(object.name(i), i == at ? changed(object.value(i), random) : object.value(i));
      }
      return builder.build();
    }
    if (value instanceof JsonString string) {
      return JsonString.of(string.value() + "\\");
    }
    if (value instanceof JsonNumber number) {
      return JsonNumber.of(number.asDouble() == 0 ? 0.5 : -number.asDouble());
    }
    return value instanceof JsonBoolean bool
        ? JsonValue.of(!bool.asBoolean())
        : JsonString.of(value.toString());
  }

  private static JsonValue shuffled(JsonValue value, Random random) {
    if (value instanceof JsonArray array) {
      return JsonArray.copyOf(
          array.stream().map(element -> shuffled(element, random)).toList());
    }
    if (value instanceof JsonObject object) {
      List<String> names = new ArrayList<>(object.names());
      Collections.shuffle(names, random);
      JsonObject.Builder builder = JsonObject.builder();
      for (String name : names) {
        builder.add(name, shuffled(object.at("/" + pointer(name)), random));
      }
      return builder.build();
    }
    return value;
  }

  private static String pointer(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}

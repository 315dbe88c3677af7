package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.internal.KeyOrder;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
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
    assertThat(sameButNumberText(JsonText.parse(CanonicalJson.SERDE.bytes(value)), value))
        .isTrue();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void canonical_form_of_the_canonical_form_is_itself(@ForAll JsonValue value) {
    byte[] canonical = CanonicalJson.SERDE.bytes(value);

    assertThat(CanonicalJson.SERDE.bytes(JsonText.parse(canonical))).isEqualTo(canonical);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void order_of_members_never_changes_the_bytes(@ForAll JsonValue value, @ForAll Random random) {
    assertThat(CanonicalJson.SERDE.bytes(shuffled(value, random)))
        .isEqualTo(CanonicalJson.SERDE.bytes(value));
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

  @Property(tries = 1_000)
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

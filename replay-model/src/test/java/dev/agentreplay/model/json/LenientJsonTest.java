package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LenientJsonTest {

  @Test
  void value_with_json_form_is_converted_as_ever_and_nothing_is_listed() {
    Map<String, Object> value = Map.of("a", List.of(1, "x", true));
    LenientJson json = LenientJson.of(value, "/output");

    assertThat(json.value()).isEqualTo(JsonValue.of(value));
    assertThat(json.exactTexts()).isEqualTo(JsonObject.EMPTY);
    assertThat(json.types()).isEqualTo(JsonObject.EMPTY);
    assertThat(json.mediaTypes()).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void bytes_are_base64_and_their_media_types_are_listed() {
    byte[] png = {(byte) 0xfb, 1};
    LenientJson json = LenientJson.of(
        Map.of("shots", List.of(MediaContent.of("image/png", png), png, ByteBuffer.wrap(png))),
        "/output");

    assertThat(json.value()).hasToString("{\"shots\":[\"+wE=\",\"+wE=\",\"+wE=\"]}");
    assertThat(json.mediaTypes())
        .isEqualTo(JsonObject.of(
            "/output/shots/0", "image/png",
            "/output/shots/1", "application/octet-stream",
            "/output/shots/2", "application/octet-stream"));
  }

  @Test
  void media_types_are_listed_up_to_a_maximum() {
    List<byte[]> many = Collections.nCopies(LenientJson.MAX_MEDIA_TYPES + 1, new byte[1]);

    assertThat(LenientJson.of(many, "/output").mediaTypes().names())
        .hasSize(LenientJson.MAX_MEDIA_TYPES)
        .last()
        .isEqualTo("/output/999");
  }

  @Test
  void bytes_of_a_value_that_is_replaced_by_its_text_are_not_listed() {
    record Failing(byte[] bytes, String text) {
      @Override
      public String text() {
        throw new IllegalStateException("no");
      }
    }

    LenientJson json = LenientJson.of(new Failing(new byte[1], "text"), "/output");

    assertThat(json.types().names()).containsExactly("/output");
    assertThat(json.mediaTypes()).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void value_without_json_form_is_its_text_and_listed_by_its_place() {
    LenientJson json =
        LenientJson.of(Map.of("a/b", Arrays.asList(1, new Named(), Double.NaN)), "/output");

    assertThat(json.value()).isEqualTo(JsonObject.of("a/b", JsonArray.of(1, "named", "NaN")));
    assertThat(json.types())
        .isEqualTo(JsonObject.of(
            "/output/a~1b/1", Named.class.getName(), "/output/a~1b/2", "java.lang.Double"));
  }

  @Test
  void object_without_a_text_of_its_own_is_the_name_of_its_class() {
    assertThat(LenientJson.of(new Object(), "/o").value())
        .isEqualTo(JsonString.of("java.lang.Object"));
  }

  @Test
  void value_whose_methods_throw_is_the_name_of_its_class() {
    Object thrower = new Object() {
      @Override
      public String toString() {
        throw new IllegalStateException("no");
      }
    };

    assertThat(LenientJson.of(thrower, "/o").value())
        .isEqualTo(JsonString.of(thrower.getClass().getName()));
  }

  @Test
  void half_of_a_pair_is_replaced_and_the_exact_text_is_listed() {
    LenientJson json = LenientJson.of(List.of("ok", "a\ud83db", "\ud83d\ude00"), "/output");

    assertThat(json.value()).isEqualTo(JsonArray.of("ok", "a\ufffdb", "\ud83d\ude00"));
    assertThat(json.exactTexts().names()).containsExactly("/output/1");
    byte[] exact = Base64.getDecoder().decode(json.exactTexts().get("/output/1").asString());
    assertThat(ByteBuffer.wrap(exact).asCharBuffer().toString()).isEqualTo("a\ud83db");
  }

  @Test
  void name_that_cannot_be_written_makes_a_text_of_its_map_and_what_is_in_it_is_not_listed() {
    LenientJson json = LenientJson.of(List.of(Map.of("\ud83d", new Object())), "/o");

    assertThat(json.value().at("/0").asString()).startsWith("{\ufffd=java.lang.Object");
    assertThat(json.types().names()).containsExactly("/o/0");
    assertThat(json.exactTexts().names()).containsExactly("/o/0");
  }

  @Test
  void list_that_holds_itself_ends_within_the_depth_of_a_member() {
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    LenientJson json = LenientJson.of(endless, "/o");

    assertThat(json.value().depth()).isEqualTo(JsonValue.MAX_DEPTH - 1);
    assertThat(json.types().size()).isEqualTo(1);
    assertThat(JsonObject.of("o", json.value()).depth()).isEqualTo(JsonValue.MAX_DEPTH);
  }

  @Test
  void json_value_that_is_too_deep_for_a_member_is_its_text() {
    JsonValue deep = JsonArray.EMPTY;
    for (int i = 1; i < JsonValue.MAX_DEPTH - 1; i++) {
      deep = JsonArray.of(deep);
    }
    assertThat(LenientJson.of(deep, "/o").value()).isSameAs(deep);
    JsonValue deeper = JsonArray.of(deep);
    assertThat(LenientJson.of(deeper, "/o").value()).isEqualTo(JsonString.of(deeper.toString()));
  }

  private static final class Named {
    @Override
    public String toString() {
      return "named";
    }
  }
}

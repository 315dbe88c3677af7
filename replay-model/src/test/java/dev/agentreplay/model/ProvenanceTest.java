package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProvenanceTest {

  private static final Provenance SERVED = new Provenance(Provenance.SERVED, Provenance.EXACT, 12L);

  private static ToolCall call(JsonValue replayed) {
    return ToolCall.of("c", "t", JsonObject.EMPTY)
        .withMeta(Meta.NONE.withExtra(JsonObject.of("replayed", replayed)));
  }

  @Test
  void json_is_canonical_and_has_only_what_is_known() {
    assertThat(SERVED.json().toString())
        .isEqualTo("{\"action\":\"served\",\"line\":12,\"match\":\"exact\"}");
    assertThat(new Provenance(Provenance.MISSED, null, null).json().toString())
        .isEqualTo("{\"action\":\"missed\"}");
  }

  static List<Provenance> valid() {
    return List.of(
        SERVED,
        new Provenance(Provenance.SERVED, Provenance.POSITION, 1L),
        new Provenance(Provenance.SERVED, Provenance.DELTA, Long.MAX_VALUE),
        new Provenance(Provenance.EXECUTED, null, 3L),
        new Provenance(Provenance.REFUSED, Provenance.RULES, null),
        new Provenance("an action of a later version", Provenance.OUT_OF_ORDER, null));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void event_states_the_provenance_that_is_added(Provenance provenance) {
    Meta meta = Meta.NONE.withAgent("a").withExtra(JsonObject.of("x", 1));

    Meta added = provenance.addTo(meta);

    assertThat(Provenance.of(ToolCall.of("c", "t", JsonObject.EMPTY).withMeta(added)))
        .isEqualTo(provenance);
    assertThat(added.withExtra(added.extra().without("replayed"))).isEqualTo(meta);
  }

  @Test
  void added_provenance_replaces_an_earlier_one() {
    Meta meta = SERVED.addTo(new Provenance(Provenance.EXECUTED, null, null).addTo(Meta.NONE));

    assertThat(Provenance.of(ToolResult.of("c", "x").withMeta(meta))).isEqualTo(SERVED);
  }

  @Test
  void event_without_the_member_states_none() {
    assertThat(Provenance.of(ToolCall.of("c", "t", JsonObject.EMPTY))).isNull();
  }

  static List<JsonValue> malformed() {
    return List.of(
        JsonNull.NULL,
        JsonString.of("served"),
        JsonArray.of("served"),
        JsonObject.EMPTY,
        JsonObject.of("match", "exact", "line", 1),
        JsonObject.of("action", 1),
        JsonObject.of("action", ""),
        JsonObject.of("action", " "),
        JsonObject.of("action", "served", "match", 1),
        JsonObject.of("action", "served", "match", ""),
        JsonObject.of("action", "served", "match", null),
        JsonObject.of("action", "served", "line", "1"),
        JsonObject.of("action", "served", "line", null),
        JsonObject.of("action", "served", "line", 0),
        JsonObject.of("action", "served", "line", -1),
        JsonObject.of("action", "served", "line", 1.5));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void member_of_a_different_form_is_not_a_provenance(JsonValue replayed) {
    assertThat(Provenance.of(call(replayed))).isNull();
  }

  @Test
  void members_of_a_later_version_are_ignored() {
    assertThat(Provenance.of(call(SERVED.json().with("score", 0.5)))).isEqualTo(SERVED);
  }

  @Test
  void components_out_of_range_are_refused() {
    for (String blank : List.of("", "\t ")) {
      assertThatThrownBy(() -> new Provenance(blank, null, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not be blank");
      assertThatThrownBy(() -> new Provenance(Provenance.SERVED, blank, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not be blank");
    }
    assertThatThrownBy(() -> new Provenance(Provenance.SERVED, null, 0L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line must be at least 1: 0");
  }
}

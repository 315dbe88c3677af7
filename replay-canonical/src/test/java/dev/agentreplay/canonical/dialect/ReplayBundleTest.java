package dev.agentreplay.canonical.dialect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.ConversionLedger.Entry;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bundles, read and written. */
class ReplayBundleTest {

  private static final String HEADER =
      "{\"session_id\":\"s\",\"started_at\":\"%s\",".formatted(Lines.TIME)
          + "\"type\":\"ReplayHeader\",\"version\":\"1.0.0\"}";

  private static String call(String id, String more) {
    return "{\"id\":\"%s\",\"params\":{},\"tool\":\"t\",\"type\":\"ToolCall\"%s}"
        .formatted(id, more);
  }

  private static String result(String id, String more) {
    return "{\"id\":\"%s\",\"output\":\"%s\",\"type\":\"ToolResult\"%s}".formatted(id, id, more);
  }

  private record Written(JsonObject document, List<Entry> ledger) {}

  private static Written write(List<JsonObject> lines) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BundleWriter writer = BundleWriter.open(out)) {
      for (JsonObject line : lines) {
        writer.add(line);
      }
      writer.finish();
      return new Written(
          JsonText.parse(out.toByteArray()).asObject(), writer.ledger().entries());
    }
  }

  private static List<JsonObject> lines(String... lines) {
    return List.of(lines).stream().map(Lines::object).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"header\":{},\"events\":[]}", "{\"type\":\"x\",\"header\":{},\"events\":[]}"})
  void document_with_header_and_events_is_a_bundle(String text) {
    assertThat(ReplayBundle.isBundle(Lines.object(text))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"header\":[],\"events\":[]}",
        "{\"header\":{},\"events\":{}}",
        "{\"timeline\":[]}",
        "{\"event\":\"ReplayHeader\",\"timeline\":[]}",
        "{\"type\":\"ToolCall\",\"header\":{},\"events\":[]}"
      })
  void line_of_a_log_is_not_a_bundle(String text) {
    assertThat(ReplayBundle.isBundle(Lines.object(text))).isFalse();
  }

  @Test
  void text_other_than_a_bundle_is_refused() {
    assertThatThrownBy(() -> ReplayBundle.read(JsonObject.EMPTY))
        .isInstanceOf(DocumentFormatException.class);
  }

  @Test
  void bundle_of_events_comes_back_with_the_members_next_to_them() throws IOException {
    JsonObject document = Lines.object("{\"header\":%s,\"events\":[%s,%s],\"who\":{\"x\":[1.0]}}"
        .formatted(HEADER, call("a", ""), result("a", "")));

    ReplayBundle bundle = ReplayBundle.read(document);

    assertThat(bundle.problems()).isEmpty();
    assertThat(bundle.lines()).hasSize(3);
    assertThat(write(bundle.lines()).document()).isEqualTo(document);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "\"mine\"", "{\"events\":[1],\"a\":1}", "{\"header\":{}}"})
  void member_of_the_header_that_cannot_be_next_to_the_events_stays(String kept)
      throws IOException {
    JsonObject header =
        Lines.object(HEADER).with("bundle", Lines.object("{\"v\":" + kept + "}").at("/v"));

    JsonObject document = write(List.of(header)).document();

    assertThat(document.names()).containsExactly("header", "events");
    assertThat(ReplayBundle.read(document).lines()).containsExactly(header);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`{\"version\":\"1.0.0\",\"session_id\":\"s\",\"started_at\":\"x\"}`, DRAFT",
        "`{\"replay_version\":1,\"producer\":\"p\",\"created_at\":\"x\"}`, TYPE",
        "`{\"event\":\"ReplayHeader\",\"replay_version\":1,\"producer\":\"p\"}`, EVENT"
      })
  void header_may_do_without_its_tag(String header, Dialect dialect)
      throws DocumentFormatException {
    ReplayBundle bundle =
        ReplayBundle.read(Lines.object("{\"header\":%s,\"events\":[]}".formatted(header)));

    assertThat(bundle.dialect()).isEqualTo(dialect);
    assertThat(bundle.lines().get(0).names()).containsAnyOf("type", "event");
  }

  @Test
  void bundle_without_a_header_is_incomplete() throws IOException {
    Written written = write(lines(call("a", "")));

    assertThat(written.document().names()).containsExactly("events");
    assertThat(written.ledger())
        .containsExactly(new Entry(Action.MISSING, "ReplayBundle", "header", null, null, 1));
  }

  @Test
  void event_that_would_be_nested_too_deep_is_refused() throws IOException {
    JsonValue deep = JsonValue.of(1);
    while (deep.depth() < JsonValue.MAX_DEPTH - 1) {
      deep = JsonObject.of("a", deep);
    }
    JsonObject line = Lines.object(call("a", "")).with("params", deep);

    try (BundleWriter writer = BundleWriter.open(new ByteArrayOutputStream())) {
      assertThatThrownBy(() -> writer.add(line))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("nested deeper than 1000 in a bundle");
    }
  }

  @Test
  void bytes_are_one_event_a_line() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BundleWriter writer = BundleWriter.open(out)) {
      writer.add(Lines.object(HEADER));
      writer.add(Lines.object(call("a", "")));
      writer.finish();
    }

    assertThat(out.toString(UTF_8))
        .isEqualTo("{\"header\":" + HEADER + ",\n\"events\":[\n" + call("a", "") + "]}\n");
  }
}

package dev.agentreplay.canonical.dialect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.ConversionLedger.Entry;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both forms of a bundle, read and written. */
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

  private static Written write(ReplayBundle.Form form, List<JsonObject> lines) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BundleWriter writer = new BundleWriter(form, out)) {
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
      strings = {
        "{\"header\":{},\"events\":[]}",
        "{\"timeline\":[]}",
        "{\"type\":\"x\",\"header\":{},\"events\":[]}"
      })
  void document_with_events_or_a_timeline_is_a_bundle(String text) {
    assertThat(ReplayBundle.isBundle(Lines.object(text))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"header\":[],\"events\":[]}",
        "{\"header\":{},\"events\":{}}",
        "{\"timeline\":{}}",
        "{\"event\":\"ReplayHeader\",\"timeline\":[]}",
        "{\"type\":\"ToolCall\",\"header\":{},\"events\":[]}"
      })
  void line_of_a_log_is_no_bundle(String text) {
    assertThat(ReplayBundle.isBundle(Lines.object(text))).isFalse();
  }

  @Test
  void what_is_no_bundle_is_refused() {
    assertThatThrownBy(() -> ReplayBundle.read(JsonObject.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bundle_of_events_comes_back_with_what_stands_beside_them() throws IOException {
    JsonObject document = Lines.object("{\"header\":%s,\"events\":[%s,%s],\"who\":{\"x\":[1.0]}}"
        .formatted(HEADER, call("a", ""), result("a", "")));

    ReplayBundle bundle = ReplayBundle.read(document);

    assertThat(bundle.problems()).isEmpty();
    assertThat(bundle.lines()).hasSize(3);
    assertThat(write(ReplayBundle.Form.EVENTS, bundle.lines()).document()).isEqualTo(document);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "\"mine\"", "{\"events\":[1],\"a\":1}", "{\"header\":{}}"})
  void member_of_the_header_that_cannot_stand_beside_the_events_stays(String kept)
      throws IOException {
    JsonObject header =
        Lines.object(HEADER).with("bundle", Lines.object("{\"v\":" + kept + "}").at("/v"));

    JsonObject document = write(ReplayBundle.Form.EVENTS, List.of(header)).document();

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
  void header_may_do_without_its_tag(String header, Dialect dialect) {
    ReplayBundle bundle =
        ReplayBundle.read(Lines.object("{\"header\":%s,\"events\":[]}".formatted(header)));

    assertThat(bundle.dialect()).isEqualTo(dialect);
    assertThat(bundle.lines().get(0).names()).containsAnyOf("type", "event");
  }

  @Test
  void bundle_without_a_header_is_incomplete() throws IOException {
    Written written = write(ReplayBundle.Form.EVENTS, lines(call("a", "")));

    assertThat(written.document().names()).containsExactly("events");
    assertThat(written.ledger())
        .containsExactly(new Entry(Action.MISSING, "ReplayBundle", "header", null, null, 1));
  }

  @Test
  void timeline_says_when_it_would_swap_the_answers_of_a_tool() throws IOException {
    List<JsonObject> inOrder =
        lines(HEADER, call("a", ""), call("b", ""), result("a", ""), result("b", ""));
    List<JsonObject> swapped =
        lines(HEADER, call("a", ""), call("b", ""), result("b", ""), result("a", ""));

    assertThat(write(ReplayBundle.Form.TIMELINE, inOrder).ledger())
        .noneMatch(entry -> entry.action() == Action.MISSING);
    assertThat(write(ReplayBundle.Form.TIMELINE, swapped).ledger())
        .contains(new Entry(
            Action.MISSING,
            "ToolResult",
            "id",
            null,
            "a reader will take it for that of another call",
            1));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-13T10:00:00.250Z, 250, RENAMED",
    "2026-01-13T10:00:00.000000001Z, 1e-6, RENAMED",
    "2026-01-13T11:00:01+01:00, 1000, RESPELLED",
    "2026-01-13T09:00:00Z, 0, DROPPED",
    "9999-12-31T23:59:59Z, 251634002399000, RENAMED"
  })
  void time_of_an_entry_is_exact_or_listed(String time, String t, Action action)
      throws IOException {
    Written written =
        write(ReplayBundle.Form.TIMELINE, lines(HEADER, call("a", ",\"ts\":\"" + time + "\"")));

    assertThat(written.document().at("/timeline/0/t")).hasToString(t);
    assertThat(written.ledger())
        .anyMatch(entry -> entry.action() == action && "ts".equals(entry.field()));
  }

  @Test
  void unknown_event_that_is_named_as_an_entry_is_dropped() throws IOException {
    Written written =
        write(ReplayBundle.Form.TIMELINE, lines(HEADER, "{\"type\":\"tool_call\",\"x\":1}"));

    assertThat(written.document().at("/timeline").asArray().size()).isZero();
    assertThat(written.ledger())
        .anyMatch(e -> e.action() == Action.DROPPED && "tool_call".equals(e.event()));
  }

  @Test
  void timeline_counts_what_the_log_says() throws IOException {
    Written written = write(
        ReplayBundle.Form.TIMELINE,
        lines(
            HEADER,
            "{\"id\":\"m\",\"model\":\"gpt\",\"type\":\"ModelCall\"}",
            "{\"answer\":\"x\",\"id\":\"m\",\"tokens_in\":3,\"tokens_out\":4,"
                + "\"type\":\"ModelResult\"}",
            "{\"ci_status\":\"passed\",\"delta\":3,\"tests_after\":14,\"tests_before\":11,"
                + "\"type\":\"Verification\"}",
            "{\"ended_at\":\"2026-01-13T10:00:02.500Z\",\"outcome\":\"success\","
                + "\"type\":\"SessionEnd\"}"));

    JsonObject document = written.document();
    assertThat(document.at("/metadata/model").asString()).isEqualTo("gpt");
    assertThat(document.at("/metadata/tokens_in").asLong()).isEqualTo(3);
    assertThat(document.at("/metadata/tokens_out").asLong()).isEqualTo(4);
    assertThat(document.at("/metadata/duration_seconds").asDouble()).isEqualTo(2.5);
    assertThat(document.at("/receipts/tests_passed").asLong()).isEqualTo(14);
    assertThat(document.at("/receipts/ci_status").asString()).isEqualTo("passed");
  }

  @ParameterizedTest
  @CsvSource({
    "-1",
    "1e-99999999999",
    "1e300",
    "1e-400",
    "0.0000001",
  })
  void time_that_is_none_is_a_problem(String t) {
    ReplayBundle bundle = ReplayBundle.read(Lines.object(
        "{\"version\":\"1.0\",\"id\":\"s\",\"created_at\":\"%s\",\"timeline\":[{\"t\":%s,"
                .formatted(Lines.TIME, t)
            + "\"type\":\"phase_start\"}]}"));

    assertThat(bundle.problems()).hasSize(1).first().asString().startsWith("/timeline/0/t: ");
  }

  @Test
  void entry_named_as_an_event_of_a_log_is_a_problem() {
    ReplayBundle bundle = ReplayBundle.read(Lines.object(
        "{\"version\":\"1.0\",\"id\":\"s\",\"created_at\":\"%s\",\"timeline\":[{\"t\":0,"
                .formatted(Lines.TIME)
            + "\"type\":\"ReplayHeader\"}]}"));

    assertThat(bundle.problems())
        .containsExactly("/timeline/0/type: is the name of an event of a log: ReplayHeader");
  }

  @Test
  void event_that_would_be_nested_too_deep_is_refused() throws IOException {
    JsonValue deep = JsonValue.of(1);
    while (deep.depth() < JsonValue.MAX_DEPTH - 1) {
      deep = JsonObject.of("a", deep);
    }
    JsonObject line = Lines.object(call("a", "")).with("params", deep);

    try (BundleWriter writer =
        new BundleWriter(ReplayBundle.Form.EVENTS, new ByteArrayOutputStream())) {
      assertThatThrownBy(() -> writer.add(line))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("nested deeper than 1000 in a bundle");
    }
  }

  @Test
  void bytes_are_one_event_a_line() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BundleWriter writer = new BundleWriter(ReplayBundle.Form.EVENTS, out)) {
      writer.add(Lines.object(HEADER));
      writer.add(Lines.object(call("a", "")));
      writer.finish();
    }

    assertThat(out.toString(UTF_8))
        .isEqualTo("{\"header\":" + HEADER + ",\n\"events\":[\n" + call("a", "") + "]}\n");
  }
}

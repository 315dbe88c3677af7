package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.text.RunLog.Form;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines of the log of a replay. */
class RunLogTest {

  private static final String EVENT = "{0} {1}";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Terminal terminal = new Terminal(
      new ByteArrayInputStream(new byte[0]),
      new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
      new PrintStream(written, true, StandardCharsets.UTF_8),
      false,
      false,
      false,
      0);

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private JsonObject json() {
    String text = text();
    assertThat(text).endsWith("\n");
    JsonObject json = JsonText.parse(text).asObject();
    assertThat(text.lines()).hasSize(1);
    return json;
  }

  @Test
  void text_is_the_event_and_its_fields() {
    RunLog log = RunLog.of(Form.TEXT, Level.INFO, terminal);
    log.log(Level.INFO, EVENT, "replay.ended", JsonObject.of("requests", 3, "mode", "mock"));

    assertThat(text()).isEqualTo("replay.ended {\"requests\":3,\"mode\":\"mock\"}\n");
  }

  @Test
  void json_is_one_canonical_object_with_time_level_logger_and_event() {
    Instant before = Instant.now();
    RunLog log = RunLog.of(Form.JSON, Level.INFO, terminal);
    log.log(Level.WARNING, EVENT, "replay.divergence", JsonObject.of("session", "s", "name", "t"));

    JsonObject json = json();
    assertThat(Instant.parse(json.get("time").asString()))
        .isBetween(before, Instant.now().plusMillis(1));
    assertThat(json.without("time"))
        .isEqualTo(JsonObject.of(
            "event", "replay.divergence",
            "level", "WARNING",
            "logger", "dev.agentreplay.engine.replay",
            "name", "t",
            "session", "s"));
    assertThat(text()).isEqualTo(CanonicalJson.SERDE.text(json) + "\n");
  }

  @Test
  void invisible_characters_are_escaped_and_keep_their_value() {
    String hostile = "a\nb\r\n\u001b[31m\u009b2J\u202e\u2028 é ' {0} " + "x".repeat(20_000);
    RunLog log = RunLog.of(Form.JSON, Level.INFO, terminal);
    log.log(Level.INFO, EVENT, "replay.started", JsonObject.of("producer", hostile));

    assertThat(json().get("producer").asString()).isEqualTo(hostile);
    assertThat(text())
        .contains("a\\nb\\r\\n\\u001b[31m\\u009b2J\\u202e\\u2028 é ' {0} xxx")
        .doesNotContain("\u001b", "\u009b", "\u202e", "\u2028", "\r");
  }

  @Test
  void text_of_hostile_fields_is_one_line() {
    RunLog log = RunLog.of(Form.TEXT, Level.INFO, terminal);
    log.log(Level.INFO, EVENT, "replay.started", JsonObject.of("producer", "a\n\u001b[2J\u009b"));

    assertThat(text().lines()).hasSize(1);
    assertThat(text()).doesNotContain("\u001b", "\u009b");
  }

  @Test
  void levels_below_the_least_are_left_out() {
    RunLog log = RunLog.of(Form.TEXT, Level.INFO, terminal);
    assertThat(log.isLoggable(Level.DEBUG)).isFalse();
    log.log(Level.DEBUG, EVENT, "replay.exchange", JsonObject.EMPTY);
    assertThat(text()).isEmpty();

    RunLog.of(Form.TEXT, Level.DEBUG, terminal)
        .log(Level.DEBUG, EVENT, "replay.exchange", JsonObject.EMPTY);
    assertThat(text()).isEqualTo("replay.exchange\n");
  }

  @Test
  void none_has_no_entries() {
    RunLog none = RunLog.none(terminal);
    for (Level level : Level.values()) {
      assertThat(none.isLoggable(level)).isFalse();
      none.log(level, EVENT, "replay.ended", JsonObject.EMPTY);
    }
    assertThat(text()).isEmpty();
  }

  @Test
  void exception_is_a_field() {
    RunLog log = RunLog.of(Form.JSON, Level.INFO, terminal);
    log.log(Level.WARNING, "replay.listener_failed", new IllegalStateException("broken \ud800"));

    JsonObject json = json();
    assertThat(json.get("event").asString()).isEqualTo("replay.listener_failed");
    assertThat(json.at("/error/name").asString()).isEqualTo("java.lang.IllegalStateException");
    assertThat(json.at("/error/message").asString()).isEqualTo("broken \ufffd");
  }

  @Test
  void different_message_is_formatted() {
    RunLog log = RunLog.of(Form.TEXT, Level.INFO, terminal);
    log.log(Level.INFO, "{0} of {1} and {2}", 1, 2, "3");
    log.log(Level.INFO, "it''s {0}", new Object[0]);
    log.log(Level.INFO, "it's {0}");

    assertThat(text()).isEqualTo("1 of 2 and 3\nit''s {0}\nit's {0}\n");
  }

  @Test
  void lines_of_several_threads_do_not_mix() throws Exception {
    RunLog log = RunLog.of(Form.JSON, Level.INFO, terminal);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String name = String.valueOf((char) ('a' + i)).repeat(9_000) + "\u009b";
      threads.add(new Thread(() -> {
        for (int j = 0; j < 50; j++) {
          log.log(Level.INFO, EVENT, "replay.started", JsonObject.of("producer", name));
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(text().lines()).hasSize(200).allSatisfy(line -> {
      String name = JsonText.parse(line).asObject().get("producer").asString();
      assertThat(name.chars().distinct().count()).isEqualTo(2);
      assertThat(name).hasSize(9_001);
    });
  }
}

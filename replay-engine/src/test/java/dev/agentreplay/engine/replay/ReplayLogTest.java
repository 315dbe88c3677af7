package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.json.JsonObject;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log of a replay, and its table in docs/replaying.md. */
@Timeout(60)
class ReplayLogTest {

  private static final int TURNS = 3;
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /**
   * A row of the table.
   *
   * @param levels the levels that it names
   */
  private record Row(Set<String> levels, Set<String> fields) {}

  @TempDir
  private Path directory;

  private final TestLog log = new TestLog(Level.ALL);
  private Session session;

  @BeforeEach
  void record() throws Exception {
    RecorderOptions options = RecorderOptions.defaults()
        .withCircumstances(Circumstances.defaults().withVersion("app", "1"));
    session = new SampleAgent(TURNS).record(directory.resolve("recorded"), options);
  }

  private Replay replay(ReplayMode mode) {
    return Replay.of(session).mode(mode).logger(log);
  }

  private static void mock(Replay replay) throws Exception {
    replay.run(new SampleAgent(TURNS));
  }

  @Test
  void start_and_end_are_logged_at_info() throws Exception {
    TestLog info = new TestLog(Level.INFO);
    mock(replay(ReplayMode.MOCK).logger(info));

    assertThat(info.entries())
        .extracting(TestLog.Entry::level, TestLog.Entry::event)
        .containsExactly(tuple(Level.INFO, "replay.started"), tuple(Level.INFO, "replay.ended"));
    JsonObject started = info.only("replay.started").fields();
    assertThat(started.get("mode").asString()).isEqualTo("mock");
    assertThat(started.get("exchanges")).hasToString("" + 2 * TURNS);
    assertThat(started.get("ended")).hasToString("true");
    JsonObject ended = info.only("replay.ended").fields();
    assertThat(ended.get("verdict").asString()).isEqualTo("identical");
    assertThat(ended.get("requests")).hasToString("" + 2 * TURNS);
    assertThat(ended.get("divergences")).hasToString("0");
    assertThat(info.entries())
        .allMatch(entry -> entry.fields().get("session").asString().equals("sample"));
  }

  @Test
  void circumstances_are_logged_at_info_before_anything_runs() throws Exception {
    TestLog info = new TestLog(Level.INFO);
    List<String> order = new CopyOnWriteArrayList<>();
    replay(ReplayMode.MOCK)
        .logger(info)
        .circumstances(Circumstances.none().withVersion("app", "2"))
        .listener(new ReplayListener() {
          @Override
          public void circumstances(List<Circumstance> found) {
            found.forEach(each -> order.add(each.text()));
          }
        })
        .run(scope -> {
          order.add("logged " + info.of("replay.circumstance").size());
          new SampleAgent(TURNS).run(scope);
        });

    assertThat(order)
        .containsExactly(
            "versions.app differs from the recording: recorded \"1\", now \"2\"", "logged 1");
    assertThat(info.only("replay.circumstance").fields().get("name").asString())
        .isEqualTo("versions.app");
  }

  @Test
  void default_logger_formats_event_and_fields() throws Exception {
    Logger logger = Logger.getLogger(ReplayLog.NAME);
    List<String> messages = new CopyOnWriteArrayList<>();
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord entry) {
        messages.add(new SimpleFormatter().formatMessage(entry));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      mock(Replay.of(session).mode(ReplayMode.MOCK));
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }

    assertThat(messages).hasSize(2);
    assertThat(messages.get(0)).startsWith("replay.started {\"mode\":\"mock\",\"events\":");
    assertThat(messages.get(1)).startsWith("replay.ended {").endsWith("\"session\":\"sample\"}");
  }

  @Test
  void divergence_is_a_warning_with_its_request() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.tool = "open_file";
    replay(ReplayMode.MOCK).run(agent);

    TestLog.Entry divergence = log.only("replay.divergence");
    assertThat(divergence.level()).isEqualTo(Level.WARNING);
    assertThat(divergence.fields().get("request")).hasToString("2");
    assertThat(divergence.fields().get("name").asString()).isEqualTo("open_file");
    assertThat(divergence.fields().get("message").asString()).contains("open_file");
    assertThat(divergence.fields().get("miss").asString()).isEqualTo("never_recorded");
    assertThat(divergence.fields().toString()).doesNotContain("file-1");
    assertThat(log.only("replay.stopped").level()).isEqualTo(Level.DEBUG);
    assertThat(log.only("replay.ended").fields().get("verdict").asString()).isEqualTo("diverged");
  }

  @Test
  void divergence_that_is_found_at_the_end_is_a_warning_with_its_line() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS - 1);
    replay(ReplayMode.MOCK).run(agent);

    assertThat(log.of("replay.divergence"))
        .hasSize(2)
        .allMatch(entry -> entry.level() == Level.WARNING)
        .allMatch(entry -> entry.fields().get("kind").asString().equals("UNREAD"))
        .allMatch(entry -> entry.fields().get("line").asLong() > 0);
  }

  @Test
  void exchange_has_the_fields_of_its_line_in_the_ledger() throws Exception {
    Path out = directory.resolve("out");
    mock(replay(ReplayMode.MOCK).directory(out));

    List<String> lines = Files.readAllLines(out.resolve(Replay.LEDGER_NAME));
    assertThat(log.of("replay.exchange")).hasSize(lines.size()).hasSize(2 * TURNS);
    for (int i = 0; i < lines.size(); i++) {
      JsonObject fields = log.of("replay.exchange").get(i).fields();
      assertThat(CanonicalJson.SERDE.text(fields.without("session"))).isEqualTo(lines.get(i));
    }
  }

  @Test
  void exception_of_a_listener_is_logged_and_changes_nothing() throws Exception {
    RuntimeException broken = new IllegalStateException("a listener fails");
    ReplayReport report = replay(ReplayMode.MOCK)
        .listener(new ReplayListener() {
          @Override
          public void exchange(LedgerEntry entry) {
            if (entry.number() == 1) {
              throw broken;
            }
          }
        })
        .run(new SampleAgent(TURNS));

    assertThat(report.isIdentical()).isTrue();
    TestLog.Entry failed = log.only("replay.listener_failed");
    assertThat(failed.level()).isEqualTo(Level.WARNING);
    assertThat(failed.thrown()).isSameAs(broken);
  }

  @Test
  void table_of_the_document_has_each_event_level_and_field() throws Exception {
    everything();

    String document = Files.readString(Path.of("../docs/replaying.md"));
    Map<String, Row> documented = table(document);
    Map<String, Row> logged = new TreeMap<>();
    for (TestLog.Entry entry : log.entries()) {
      Row row =
          logged.computeIfAbsent(entry.event(), event -> new Row(new TreeSet<>(), new TreeSet<>()));
      row.levels().add(entry.level().getName());
      if (entry.fields() != null) {
        assertThat(entry.fields().names())
            .contains("session")
            .doesNotContain("time", "level", "logger", "event");
        row.fields().addAll(entry.fields().without("session").names());
      }
    }
    assertThat(logged.keySet()).containsExactlyInAnyOrderElementsOf(documented.keySet());
    Set<String> ledger = codes(section(document, "Files"));
    assertThat(ledger).containsAll(logged.get("replay.exchange").fields());
    logged.get("replay.exchange").fields().clear();
    documented.forEach((event, row) -> assertThat(logged.get(event)).as(event).isEqualTo(row));
  }

  /** Replays in which every event occurs, with all of its fields. */
  private void everything() throws Exception {
    replay(ReplayMode.VALIDATION).run();
    replay(ReplayMode.MOCK).run(new SampleAgent(1));
    CountDownLatch progressed = new CountDownLatch(1);
    replay(ReplayMode.MOCK)
        .circumstances(Circumstances.defaults().withVersion("app", "2"))
        .listener(new ReplayListener() {
          @Override
          public void progress(Progress progress) {
            progressed.countDown();
            throw new IllegalStateException("a listener fails");
          }
        })
        .metrics(new FailingMetrics())
        .run(scope -> {
          progressed.await();
          SampleAgent agent = new SampleAgent(TURNS);
          agent.task = "Fix the logout.";
          agent.run(scope);
        });
    CountDownLatch never = new CountDownLatch(1);
    replay(ReplayMode.NODE)
        .model((call, pieces) -> {
          never.await();
          return ModelResult.of(call.id(), "");
        })
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMillis(10)))
        .budget(ReplayBudget.unlimited().withCalls(1))
        .run();
  }

  private static Map<String, Row> table(String document) {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (String line : section(document, "Log").split("\n")) {
      String[] cells = line.split("\\|");
      if (cells.length == 4 && cells[1].contains("`replay.")) {
        Set<String> levels = new TreeSet<>();
        Matcher level = Pattern.compile("INFO|WARNING|DEBUG").matcher(cells[2]);
        while (level.find()) {
          levels.add(level.group());
        }
        rows.put(codes(cells[1]).iterator().next(), new Row(levels, codes(cells[3])));
      }
    }
    return rows;
  }

  private static Set<String> codes(String text) {
    Set<String> codes = new TreeSet<>();
    Matcher code = CODE.matcher(text);
    while (code.find()) {
      codes.add(code.group(1));
    }
    return codes;
  }

  private static String section(String document, String title) {
    int from = document.indexOf("\n## " + title + "\n");
    int end = document.indexOf("\n## ", from + 1);
    return document.substring(from, end);
  }

  /** Metrics that throw an exception. */
  private static final class FailingMetrics implements ReplayMetrics {

    @Override
    public void replayed(ReplayMode mode, ReplayVerdict verdict, Duration duration) {
      throw new IllegalStateException("metrics fail");
    }

    @Override
    public void diverged(ReplayMode mode, String kind, DivergenceSeverity severity, long count) {
      throw new AssertionError("called after an exception");
    }
  }
}

package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.json.JsonObject;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log of a replay, and the calls of its listeners. */
@Timeout(120)
class LoggedReplayTest {

  private static final int TURNS = 3;

  /** An entry of the log. */
  private record Entry(Level level, String event, JsonObject fields) {}

  /** A logger that keeps what is logged. */
  private static final class Entries implements System.Logger {

    final List<Entry> all = new CopyOnWriteArrayList<>();
    final List<String> failures = new CopyOnWriteArrayList<>();

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      failures.add(message + ": " + thrown);
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        Object @Nullable ... parameters) {
      boolean isFormat = parameters != null && parameters.length > 0;
      String text = String.valueOf(message);
      String[] parts = (isFormat ? MessageFormat.format(text, parameters) : text).split(" ", 2);
      all.add(new Entry(level, parts[0], JsonText.parse(parts[1]).asObject()));
    }

    List<JsonObject> of(Level level, String event) {
      return all.stream()
          .filter(entry -> entry.level() == level && entry.event().equals(event))
          .map(Entry::fields)
          .toList();
    }
  }

  @TempDir
  Path directory;

  private final Entries log = new Entries();
  private final SampleAgent agent = new SampleAgent(TURNS);
  private Session session;

  @BeforeEach
  void record() throws Exception {
    session = agent.record(directory.resolve("recorded"));
  }

  private Replay replay(ReplayMode mode) {
    return Replay.of(session).mode(mode).executors(agent.executors()).logger(log);
  }

  @Test
  void start_and_end_are_logged_with_the_metadata_of_the_recording() throws Exception {
    replay(ReplayMode.MOCK).run(agent);

    JsonObject started = log.of(Level.INFO, "replay.started").get(0);
    assertThat(started.at("/session").asString()).isEqualTo("sample");
    assertThat(started.at("/mode").asString()).isEqualTo("mock");
    assertThat(started.at("/version").asString()).isEqualTo("1");
    assertThat(started.at("/producer").asString()).isNotEmpty();
    assertThat(started.at("/started_at").asString()).contains("T");
    assertThat(started.at("/ended").asBoolean()).isTrue();
    assertThat(started.at("/exchanges").asLong()).isEqualTo(2 * TURNS);
    // the header, the start and the end of the session, and two events of each exchange
    assertThat(started.at("/events").asLong()).isEqualTo(3 + 2 * 2 * TURNS);
    JsonObject ended = log.of(Level.INFO, "replay.ended").get(0);
    assertThat(ended.at("/verdict").asString()).isEqualTo("identical");
    assertThat(ended.at("/requests").asLong()).isEqualTo(2 * TURNS);
    assertThat(ended.at("/divergences").asLong()).isZero();
    assertThat(ended.at("/duration_ms").asLong()).isNotNegative();
    assertThat(log.all.stream().filter(entry -> entry.level() == Level.INFO)).hasSize(2);
  }

  @Test
  void validation_is_logged_as_well() throws Exception {
    replay(ReplayMode.VALIDATION).run();

    assertThat(log.of(Level.INFO, "replay.started")).hasSize(1);
    assertThat(log.of(Level.INFO, "replay.ended").get(0).at("/verdict").asString())
        .isEqualTo("identical");
  }

  @Test
  void each_exchange_is_logged_as_it_is_in_the_ledger() throws Exception {
    replay(ReplayMode.MOCK).run(agent);

    assertThat(log.of(Level.DEBUG, "replay.exchange"))
        .hasSize(2 * TURNS)
        .allSatisfy(fields -> assertThat(fields.at("/result").asString()).isEqualTo("served"))
        .allSatisfy(fields -> assertThat(fields.at("/session").asString()).isEqualTo("sample"));
  }

  @Test
  void miss_and_result_that_differs_are_warnings() throws Exception {
    SampleAgent changed = new SampleAgent(TURNS);
    changed.tool = "open_file";
    replay(ReplayMode.MOCK).run(changed);

    assertThat(log.of(Level.WARNING, "replay.divergence")).singleElement().satisfies(fields -> {
      assertThat(fields.at("/request").asLong()).isEqualTo(2);
      assertThat(fields.at("/name").asString()).isEqualTo("open_file");
      assertThat(fields.at("/message").asString()).contains("open_file");
    });

    log.all.clear();
    replay(ReplayMode.NODE)
        .model((call, pieces) -> ModelResult.of(call.id(), "other"))
        .run();
    assertThat(log.of(Level.WARNING, "replay.divergence"))
        .hasSize(TURNS)
        .allSatisfy(
            fields -> assertThat(fields.at("/message").asString()).contains("first at /answer"));
  }

  @Test
  void time_out_is_a_warning_with_the_decision() throws Exception {
    CountDownLatch never = new CountDownLatch(1);

    replay(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> never.await(1, TimeUnit.DAYS)))
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMillis(20)))
        .run(agent);

    JsonObject logged = log.of(Level.WARNING, "replay.timeout").get(0);
    assertThat(logged.at("/name").asString()).isEqualTo("read_file");
    assertThat(logged.at("/waited_ms").asLong()).isGreaterThanOrEqualTo(20);
    assertThat(logged.at("/decision").asString()).isEqualTo("abort");
  }

  @Test
  @Tag("slow")
  void progress_is_logged_once_a_second_also_while_an_exchange_hangs() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch reports = new CountDownLatch(2);
    List<ReplayListener.Progress> progress = new ArrayList<>();
    ReplayListener listener = new ReplayListener() {
      @Override
      public void progress(Progress now) {
        if (begun.getCount() == 0) {
          progress.add(now);
          reports.countDown();
        }
      }
    };

    ReplayReport report = replay(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> {
          begun.countDown();
          assertThat(reports.await(60, TimeUnit.SECONDS)).isTrue();
          return "content of " + params.at("/path").asString();
        }))
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofSeconds(100)))
        .listener(listener)
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(progress).hasSizeGreaterThanOrEqualTo(2);
    assertThat(progress.get(0).running()).isEqualTo("read_file");
    assertThat(progress.get(0).recorded()).isEqualTo(2 * TURNS);
    assertThat(progress.get(0).read()).isOne();
    assertThat(log.of(Level.DEBUG, "replay.progress").get(0).at("/recorded").asLong())
        .isEqualTo(2 * TURNS);
  }

  @Test
  void listener_hears_of_each_exchange_and_divergence() throws Exception {
    List<String> calls = new ArrayList<>();
    SampleAgent changed = new SampleAgent(TURNS);
    changed.tool = "open_file";

    replay(ReplayMode.MOCK)
        .listener(new ReplayListener() {
          @Override
          public void exchange(LedgerEntry entry) {
            calls.add("exchange " + entry.number() + " " + entry.result().id());
          }

          @Override
          public void divergence(LedgerEntry entry, String message) {
            calls.add("divergence " + entry.number());
          }
        })
        .run(changed);

    assertThat(calls).containsExactly("exchange 1 served", "exchange 2 missed", "divergence 2");
  }

  @Test
  void listener_that_throws_is_logged_and_changes_nothing() throws Exception {
    ReplayReport report = replay(ReplayMode.MOCK)
        .listener(new ReplayListener() {
          @Override
          public void exchange(LedgerEntry entry) {
            throw new IllegalStateException("broken listener");
          }
        })
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(log.failures)
        .hasSize(2 * TURNS)
        .allMatch(failure -> failure.contains("broken listener"));
  }
}

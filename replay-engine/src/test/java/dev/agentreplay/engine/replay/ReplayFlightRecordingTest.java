package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of a replay in a flight recording (JFR). */
class ReplayFlightRecordingTest {

  private static final String REPLAY = "dev.agentreplay.Replay";
  private static final String EXCHANGE = "dev.agentreplay.ReplayExchange";
  private static final int TURNS = 3;

  @TempDir
  private Path directory;

  private Session session;

  @BeforeEach
  void record() throws Exception {
    session =
        new SampleAgent(TURNS).record(directory.resolve("recorded"), SampleAgent.withContext());
  }

  private interface Action {
    void run() throws Exception;
  }

  private List<RecordedEvent> seen(List<String> names, Action action) throws Exception {
    Path dump = directory.resolve("dump.jfr");
    try (Recording recording = new Recording()) {
      names.forEach(recording::enable);
      recording.start();
      action.run();
      recording.stop();
      recording.dump(dump);
    }
    return RecordingFile.readAllEvents(dump).stream()
        .filter(event -> event.getEventType().getName().startsWith("dev.agentreplay."))
        .toList();
  }

  private void replay(SampleAgent agent) throws Exception {
    Replay.of(session).mode(ReplayMode.MOCK).run(agent);
  }

  @Test
  void replay_is_one_event_with_its_result() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.tool = "open_file";

    List<RecordedEvent> seen = seen(List.of(REPLAY), () -> replay(agent));

    assertThat(seen).hasSize(1);
    RecordedEvent event = seen.get(0);
    assertThat(event.getString("session")).isEqualTo("sample");
    assertThat(event.getString("mode")).isEqualTo("mock");
    assertThat(event.getString("verdict")).isEqualTo("diverged");
    assertThat(event.getLong("requests")).isEqualTo(2);
    assertThat(event.getLong("divergences")).isEqualTo(1);
    assertThat(event.getDuration().toNanos()).isPositive();
    assertThat(event.getEventType().getCategoryNames()).containsExactly("Agent Replay");
    assertThat(event.getStackTrace()).isNull();
  }

  @Test
  void validation_is_one_event() throws Exception {
    List<RecordedEvent> seen =
        seen(List.of(REPLAY, EXCHANGE), () -> Replay.of(session).run());

    assertThat(seen).hasSize(1);
    assertThat(seen.get(0).getString("mode")).isEqualTo("validation");
    assertThat(seen.get(0).getString("verdict")).isEqualTo("identical");
  }

  @Test
  void exchange_is_an_event_for_each_line_of_the_ledger() throws Exception {
    SampleAgent agent = new SampleAgent(1);
    agent.extraCalls = 1;
    ReplayAgent withValue = scope -> {
      scope.context().random().nextLong();
      agent.run(scope);
    };
    List<LedgerEntry> ledger = new CopyOnWriteArrayList<>();

    List<RecordedEvent> seen = seen(List.of(EXCHANGE), () -> Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.ERROR)
        .listener(new ReplayListener() {
          @Override
          public void exchange(LedgerEntry entry) {
            ledger.add(entry);
          }
        })
        .run(withValue));

    assertThat(seen).hasSameSizeAs(ledger).hasSizeGreaterThanOrEqualTo(3);
    assertThat(ledger).extracting(entry -> entry.result().id()).contains("served", "missed");
    for (int i = 0; i < seen.size(); i++) {
      RecordedEvent event = seen.get(i);
      LedgerEntry entry = ledger.get(i);
      assertThat(event.getString("session")).isEqualTo("sample");
      assertThat(event.getString("kind")).isEqualTo(entry.kind().id());
      assertThat(event.getString("name")).isEqualTo(entry.name());
      assertThat(event.getString("result")).isEqualTo(entry.result().id());
      assertThat(event.getString("match"))
          .isEqualTo(entry.rung() == null ? null : entry.rung().id());
      assertThat(event.getLong("line")).isEqualTo(entry.line() == null ? 0 : entry.line());
      assertThat(event.getDuration().toNanos()).isPositive();
      assertThat(event.toString()).doesNotContain("Fix the login.").doesNotContain("file-");
      assertThat(event.getStackTrace()).isNull();
    }
  }

  @Test
  void nothing_is_seen_unless_it_is_enabled() throws Exception {
    assertThat(seen(List.of(), () -> replay(new SampleAgent(TURNS)))).isEmpty();
  }
}

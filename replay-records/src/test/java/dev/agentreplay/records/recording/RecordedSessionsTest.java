package dev.agentreplay.records.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.store.AlteredTextException;
import dev.agentreplay.records.store.RecordCheck;
import dev.agentreplay.records.store.RecordCheckReport;
import dev.agentreplay.records.store.RecordStore;
import dev.agentreplay.records.store.RecordSummary;
import dev.agentreplay.records.store.RecordTexts;
import dev.agentreplay.records.store.StoredRecord;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of real sessions are consistent, and a store returns them as they were added. */
class RecordedSessionsTest {

  @TempDir
  Path temp;

  private static InstantSource clock(int seconds) {
    return InstantSource.fixed(Instant.parse("2026-01-02T00:00:00Z").plusSeconds(seconds));
  }

  /** The recorded sessions in the resources of other modules, by name. */
  private static Map<String, Path> sessions() {
    Map<String, Path> sessions = new TreeMap<>();
    Stream.of(
            TestSessions.bundledWith("replay-canonical", "sessions"),
            TestSessions.bundledWith("replay-engine", "sessions"),
            TestSessions.bundledWith("replay-io", "sessions"),
            TestSessions.bundledWith("replay-verify", "sessions"),
            TestSessions.bundledWith("replay-verify", "origin"),
            TestSessions.bundledWith("replay-verify", "origin/runtime-tools"),
            TestSessions.bundledWith("replay-verify", "origin/runtime-event"),
            Path.of("..", "examples", "langchain4j-agent", "src", "test", "resources"))
        .flatMap(root -> TestSessions.directories(root).stream())
        .filter(directory -> Files.exists(directory.resolve(Session.LOG_NAME)))
        .forEach(session -> sessions.put(session.getFileName().toString(), session));
    return sessions;
  }

  @Test
  void records_of_twenty_sessions_are_consistent() throws IOException {
    assertThat(sessions()).hasSizeGreaterThanOrEqualTo(20);
    assertRecorded(List.copyOf(sessions().values()), 13);
  }

  @Test
  void records_of_the_corpus_are_consistent() throws IOException {
    assertRecorded(TestSessions.corpusSessions(), 60);
  }

  private void assertRecorded(List<Path> sessions, int replayable) throws IOException {
    RecordStore store = RecordStore.create(temp.resolve("store"));
    int times = 0; // sessions with the same id are recorded at different times
    for (Path directory : sessions) {
      RecordedThread recorded =
          SessionRecording.of(Session.open(directory)).clock(clock(times++)).record();
      SessionRecord record = recorded.record();
      store.add(record, recorded.texts());

      assertThat(store.record(record.id())).as("%s", directory).isEqualTo(record);
      RecordCheckReport check = RecordCheck.of(record, store.texts());
      assertThat(check.problems()).as("%s", directory).isEmpty();
      assertThat(check.missingTexts()).isZero();
      assertThat(recorded.ledger()).isNotEmpty();
    }
    List<StoredRecord> list = store.list();
    assertThat(list).hasSize(sessions.size()).hasOnlyElementsOfType(RecordSummary.class);
    assertThat(list.stream()
            .filter(record -> ((RecordSummary) record).isReplayable())
            .count())
        .isGreaterThanOrEqualTo(replayable);
  }

  @Test
  void altered_text_of_a_session_is_refused() throws IOException {
    RecordedThread recorded = SessionRecording.of(
            Session.open(TestSessions.bundledWith("replay-engine", "sessions/task-01_trial-1")))
        .clock(clock(0))
        .record();
    RecordStore store = RecordStore.create(temp.resolve("store"));
    store.add(recorded.record(), recorded.texts());
    RecordHash hash =
        recorded.record().trace().rounds().get(0).messages().get(0).contentHash();
    Path file = store.texts().directory().resolve(hash.text());
    Files.writeString(file, Files.readString(file).replace("Olivia", "Olivio"));

    assertThatThrownBy(() -> store.texts().text(hash)).isInstanceOf(AlteredTextException.class);
    assertThatThrownBy(() -> store.texts().or(RecordTexts.none()).text(hash))
        .isInstanceOf(AlteredTextException.class);
    assertThat(RecordCheck.of(recorded.record(), store.texts()).problems())
        .singleElement()
        .hasFieldOrPropertyWithValue("path", "trace.rounds[0].messages[0].content_hash");
  }
}

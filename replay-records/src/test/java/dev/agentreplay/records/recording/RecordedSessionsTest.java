package dev.agentreplay.records.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordedSessions;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.store.AlteredTextException;
import dev.agentreplay.records.store.RecordCheck;
import dev.agentreplay.records.store.RecordCheckReport;
import dev.agentreplay.records.store.RecordStore;
import dev.agentreplay.records.store.RecordSummary;
import dev.agentreplay.records.store.RecordTexts;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of real sessions are consistent, and a store returns them as they were added. */
class RecordedSessionsTest {

  @TempDir
  Path temp;

  private static InstantSource clock(int seconds) {
    return InstantSource.fixed(Instant.parse("2026-01-02T00:00:00Z").plusSeconds(seconds));
  }

  @Test
  void records_of_twenty_sessions_are_consistent() throws IOException {
    assertThat(RecordedSessions.all()).hasSizeGreaterThanOrEqualTo(20);
    RecordStore store = RecordStore.create(temp.resolve("store"));
    List<SessionRecord> records =
        assertRecorded(List.copyOf(RecordedSessions.all().values()), store);

    assertThat(records).filteredOn(SessionRecord::isReplayable).hasSizeGreaterThanOrEqualTo(13);
    assertThat(store.list()).hasSize(records.size()).hasOnlyElementsOfType(RecordSummary.class);
    for (SessionRecord record : records) {
      assertThat(store.record(record.id())).isEqualTo(record);
      RecordCheckReport check = RecordCheck.of(record, store.texts());
      assertThat(check.problems()).as(record.id()).isEmpty();
      assertThat(check.missingTexts()).isZero();
    }
  }

  @Test
  void records_of_the_corpus_are_consistent() throws IOException {
    assertThat(assertRecorded(TestSessions.corpusSessions(), null))
        .filteredOn(SessionRecord::isReplayable)
        .hasSizeGreaterThanOrEqualTo(60);
  }

  /** Records sessions, and adds the records to a store if there is one. */
  private static List<SessionRecord> assertRecorded(
      List<Path> sessions, @Nullable RecordStore store) throws IOException {
    List<SessionRecord> records = new ArrayList<>();
    for (Path directory : sessions) {
      // sessions with the same id are recorded at different times
      RecordedThread recorded = SessionRecording.of(Session.open(directory))
          .clock(clock(records.size()))
          .record();
      records.add(recorded.record());
      RecordCheckReport check = RecordCheck.of(recorded.record(), recorded.texts());
      assertThat(check.problems()).as("%s", directory).isEmpty();
      assertThat(check.missingTexts()).isZero();
      assertThat(recorded.ledger()).isNotEmpty();
      if (store != null) {
        store.add(recorded.record(), recorded.texts());
      }
    }
    return records;
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

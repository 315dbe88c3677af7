package dev.agentreplay.records.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.records.InvalidRecordException;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Similarity;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store has records, texts and reports, and replaces none of them. */
class RecordStoreTest {

  private static final SessionRecord RECORD = SampleRecord.of("RS1");
  private static final SessionRecord LATER = SampleRecord.of("RS1", "2026-01-01T13:00:00Z");

  @TempDir
  Path temp;

  private Path directory;
  private RecordStore store;

  @BeforeEach
  void create() throws IOException {
    directory = temp.resolve("store");
    store = RecordStore.create(directory);
  }

  @Test
  void record_is_read_as_it_was_added() throws IOException {
    Path file = store.add(RECORD, SampleRecord.texts());

    assertThat(file).isEqualTo(directory.resolve("records/REC-RS1-1767268800000/record.json"));
    assertThat(file).hasContent(SessionRecords.write(RECORD));
    assertThat(store.record(RECORD.id())).isEqualTo(RECORD);
    for (RecordHash hash : RecordFile.hashes(RECORD)) {
      assertThat(store.texts().text(hash)).isEqualTo(SampleRecord.texts().text(hash));
    }
    assertThat(RecordStore.open(directory).list()).hasSize(1);
  }

  @Test
  void empty_store_has_no_records() throws IOException {
    assertThat(store.list()).isEmpty();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void list_has_the_summary_of_each_record() throws IOException {
    store.add(LATER, RecordTexts.none());
    store.add(SessionRecord.createEmpty("A", SampleRecord.time(0)), RecordTexts.none());
    store.add(RECORD, RecordTexts.none());
    store.addReport(RECORD.id(), SampleRecord.report("RS1", "2026-01-02T12:00:00Z"));

    List<RecordSummary> list =
        store.list().stream().map(RecordSummary.class::cast).toList();

    assertThat(list)
        .extracting(RecordSummary::id)
        .containsExactly("REC-A-1767268800000", RECORD.id(), LATER.id());
    assertThat(list).extracting(RecordSummary::sessionId).containsExactly("A", "RS1", "RS1");
    assertThat(list).extracting(RecordSummary::rounds).containsExactly(0L, 2L, 2L);
    assertThat(list).extracting(RecordSummary::messages).containsExactly(0L, 5L, 5L);
    assertThat(list).extracting(RecordSummary::isReplayable).containsExactly(false, true, true);
    assertThat(list).extracting(RecordSummary::replays).containsExactly(0L, 1L, 0L);
    assertThat(list.get(2).createdAt()).isEqualTo(RecordTime.parse("2026-01-01T13:00:00Z"));
    assertThat(list.get(1))
        .hasToString("REC-RS1-1767268800000: session RS1, 2 rounds, 5 messages, 1 replays");
  }

  @Test
  void record_with_an_id_of_the_store_is_refused() throws IOException {
    Path file = store.add(RECORD, RecordTexts.none());
    SessionRecord other =
        RECORD.withOutputs(RECORD.outputs().withFinalArtifactHash(RecordHash.NONE));

    assertThatThrownBy(() -> store.add(other, SampleRecord.texts()))
        .isInstanceOf(FileAlreadyExistsException.class)
        .satisfies(e -> assertThat(FileMessages.of(e))
            .isEqualTo(file + ": the store has a record with the id " + RECORD.id()));

    assertThat(store.record(RECORD.id())).isEqualTo(RECORD);
    assertThat(directory.resolve("content")).doesNotExist();
  }

  @Test
  void one_of_several_threads_adds_a_record() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Boolean>> additions = Collections.nCopies(8, this::isAdded);
      int added = 0;
      for (Future<Boolean> addition : threads.invokeAll(additions)) {
        added += addition.get() ? 1 : 0;
      }
      assertThat(added).isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
    assertThat(store.record(RECORD.id())).isEqualTo(RECORD);
    assertThat(RecordCheck.of(RECORD, store.texts()).presentTexts()).isEqualTo(6);
  }

  private boolean isAdded() throws IOException {
    try {
      store.add(RECORD, SampleRecord.texts());
      return true;
    } catch (FileAlreadyExistsException e) {
      assertThat(e.getReason()).startsWith("the store has a record");
      return false;
    }
  }

  @Test
  void texts_that_are_not_given_are_not_stored() throws IOException {
    store.add(RECORD, RecordTexts.of(List.of(SampleRecord.DELTA, "of a different session")));

    assertThat(directory.resolve("content"))
        .isDirectoryContaining("glob:**" + RecordHash.ofContent(SampleRecord.DELTA))
        .isDirectoryNotContaining("glob:**" + RecordHash.ofContent("of a different session"));
  }

  @Test
  void texts_that_were_altered_are_refused_and_the_record_is_not_added() throws IOException {
    RecordTexts altered = hash -> "altered";

    assertThatThrownBy(() -> store.add(RECORD, altered)).isInstanceOf(AlteredTextException.class);
    assertThat(store.list()).isEmpty();

    Files.createDirectories(directory.resolve("content"));
    Files.writeString(
        directory
            .resolve("content")
            .resolve(RECORD.outputs().finalArtifactHash().text()),
        "x");
    assertThatThrownBy(() -> store.add(RECORD, SampleRecord.texts()))
        .isInstanceOf(AlteredTextException.class);
    assertThat(store.list()).isEmpty();
  }

  @Test
  void record_that_breaks_constraints_is_not_added() {
    SessionRecord hostile = new SessionRecord(
        "../../REC-x-1",
        RECORD.sessionId(),
        RECORD.createdAt(),
        RECORD.inputs(),
        RECORD.trace(),
        RECORD.outputs(),
        RECORD.schemaVersion(),
        RECORD.extra());

    assertThatThrownBy(() -> store.add(hostile, SampleRecord.texts()))
        .isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("id: must match");
    assertThat(directory).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "", "REC-a", "REC-a/../b-1", "REC-a-1/", "rec-a-1", "REC-a-1\n"})
  void text_that_is_not_an_id_is_refused(String id) {
    assertThatThrownBy(() -> store.record(id)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.reports(id)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> store.addReport(id, SampleRecord.report("RS1", "2026-01-02T12:00:00Z")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not the id of a record: ");
    assertThatThrownBy(() -> store.find(id)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void record_is_found_by_id_and_by_session() throws IOException {
    store.add(RECORD, RecordTexts.none());
    store.add(SessionRecord.createEmpty("../x y", SampleRecord.time(0)), RecordTexts.none());

    assertThat(store.find(RECORD.id())).isEqualTo(RECORD.id());
    assertThat(store.find("RS1")).isEqualTo(RECORD.id());
    assertThat(store.find("../x y")).isEqualTo("REC-s___x_y-1767268800000");
  }

  @Test
  void session_of_two_records_is_refused_with_both_ids() throws IOException {
    store.add(RECORD, RecordTexts.none());
    store.add(LATER, RecordTexts.none());

    assertThatThrownBy(() -> store.find("RS1")).satisfies(e -> assertThat(FileMessages.of(e))
        .isEqualTo(directory
            + ": expected one record of the session \"RS1\", found REC-RS1-1767268800000 and"
            + " REC-RS1-1767272400000; state the id of one of them"));
    assertThat(store.find(LATER.id())).isEqualTo(LATER.id());
  }

  @Test
  void missing_record_is_reported_with_the_number_of_broken_ones() throws IOException {
    assertThatThrownBy(() -> store.find("RS1")).satisfies(e -> assertThat(FileMessages.of(e))
        .isEqualTo(directory + ": no record has the id or session id \"RS1\""));
    assertThatThrownBy(() -> store.record(RECORD.id()))
        .satisfies(e -> assertThat(FileMessages.of(e))
            .isEqualTo(directory + ": the store does not have the record " + RECORD.id()));

    Files.writeString(store.add(RECORD, RecordTexts.none()), "{");
    assertThatThrownBy(() -> store.find("RS1"))
        .satisfies(e -> assertThat(FileMessages.of(e)).endsWith("; 1 record cannot be read"));
  }

  @Test
  void broken_records_are_listed_with_their_errors() throws IOException {
    Path cut = store.add(RECORD, RecordTexts.none());
    Files.writeString(cut, "{");
    Path invalid = store.add(LATER, RecordTexts.none());
    Files.writeString(invalid, Files.readString(invalid).replace("\"RS1\"", "\"\""));
    Path records = directory.resolve("records");
    Path moved = Files.createDirectory(records.resolve("REC-moved-1")).resolve("record.json");
    Files.writeString(moved, SessionRecords.write(RECORD));
    Files.createDirectories(records.resolve("REC-x-1/record.json"));
    Files.writeString(records.resolve("notes.txt"), "");
    Files.writeString(records.resolve(".DS_Store"), "");

    assertThat(store.list())
        .hasOnlyElementsOfType(BrokenRecord.class)
        .extracting(StoredRecord::toString)
        .satisfiesExactly(
            error -> assertThat(error)
                .isEqualTo("REC-RS1-1767268800000: " + cut
                    + ": not a session record: expected a name in quotes, found the end at byte 1"),
            error -> assertThat(error)
                .contains(invalid + ": not a session record: session_id: must not be empty"),
            error -> assertThat(error)
                .isEqualTo("REC-moved-1: " + moved
                    + ": not a session record: id: expected the name of the directory, REC-moved-1, found "
                    + RECORD.id()),
            error -> assertThat(error).endsWith("expected a regular file, found a directory"),
            error -> assertThat(error)
                .startsWith("notes.txt: ")
                .endsWith("expected a directory, found a regular file"));
    assertThatThrownBy(() -> store.record(RECORD.id()))
        .isInstanceOfSatisfying(
            RecordFormatException.class, e -> assertThat(e.problems()).hasSize(1));
  }

  @Test
  void file_is_not_taken_as_a_store() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");

    assertThatThrownBy(() -> RecordStore.create(file)).isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> RecordStore.open(file)).isInstanceOf(NotDirectoryException.class);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void links_are_refused() throws IOException {
    Path outside = temp.resolve("REC-RS1-1");
    Files.createDirectories(outside);
    Files.writeString(outside.resolve("record.json"), SessionRecords.write(RECORD));
    Path records = Files.createDirectory(directory.resolve("records"));
    Files.createSymbolicLink(records.resolve(RECORD.id()), outside);
    Path home = Files.createDirectory(records.resolve(LATER.id()));
    Files.createSymbolicLink(home.resolve("record.json"), outside.resolve("record.json"));

    assertThat(store.list()).hasSize(2).allSatisfy(entry -> assertThat(
            ((BrokenRecord) entry).error())
        .contains("found a symbolic link"));
    for (SessionRecord record : List.of(RECORD, LATER)) {
      assertThatThrownBy(() -> store.record(record.id())).hasMessageContaining("a symbolic link");
    }
    assertThatThrownBy(() -> store.add(RECORD, SampleRecord.texts()))
        .hasMessageContaining("found a symbolic link");
    assertThat(outside.resolve("replays")).doesNotExist();
  }

  @Test
  void directory_of_an_interrupted_addition_is_not_a_record() throws IOException {
    Path home = Files.createDirectories(directory.resolve("records").resolve(RECORD.id()));
    Files.writeString(home.resolve(".replay.0123456789abcdef.tmp"), "{");

    assertThat(store.list()).isEmpty();
    assertThatThrownBy(() -> store.record(RECORD.id())).isInstanceOf(NoSuchFileException.class);

    store.add(RECORD, SampleRecord.texts());
    assertThat(store.record(RECORD.id())).isEqualTo(RECORD);
  }

  @Test
  void reports_are_stored_by_their_time_and_not_replaced() throws IOException {
    store.add(RECORD, RecordTexts.none());
    List<Path> added = List.of(
        report("2026-01-02T12:00:00.5+01:00"),
        report("2026-01-02T11:00:00.500999Z"),
        report("2026-01-02T11:00:00Z"),
        report("2026-01-02T11:00:00.5Z"));

    assertThat(added)
        .extracting(file -> file.getFileName().toString())
        .containsExactly(
            "2026-01-02T11-00-00.500Z.json",
            "2026-01-02T11-00-00.500Z-2.json",
            "2026-01-02T11-00-00.000Z.json",
            "2026-01-02T11-00-00.500Z-3.json");
    assertThat(store.reports(RECORD.id()))
        .containsExactly(added.get(2), added.get(0), added.get(1), added.get(3));
    assertThat(store.report(added.get(1)).replayedAt().text())
        .isEqualTo("2026-01-02T11:00:00.500999Z");
  }

  private Path report(String time) throws IOException {
    return store.addReport(RECORD.id(), SampleRecord.report("RS1", time));
  }

  @Test
  void many_reports_of_one_time_are_in_order() throws IOException {
    store.add(RECORD, RecordTexts.none());
    for (int i = 0; i < 12; i++) {
      report("2026-01-02T11:00:00Z");
    }
    Files.writeString(
        directory.resolve("records/REC-RS1-1767268800000/replays/mine.json"), "not a report");

    List<Path> reports = store.reports(RECORD.id());

    assertThat(reports).hasSize(13);
    assertThat(reports.get(11)).hasFileName("2026-01-02T11-00-00.000Z-12.json");
    assertThatThrownBy(() -> store.report(reports.get(12)))
        .isInstanceOf(RecordFormatException.class)
        .hasMessageContaining("mine.json: ");
  }

  @Test
  void report_of_a_missing_record_is_refused() {
    assertThatThrownBy(() -> report("2026-01-02T11:00:00Z"))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void report_that_breaks_constraints_is_refused() throws IOException {
    store.add(RECORD, RecordTexts.none());
    var report = SampleRecord.report("RS1", "2026-01-02T11:00:00Z");
    var invalid = new RecordReplayReport(
        report.originalSessionId(),
        report.mode(),
        report.replayedAt(),
        report.roster(),
        report.matches(),
        new Similarity(101, 100),
        report.progress(),
        report.divergences(),
        report.conclusion(),
        report.extra());

    assertThatThrownBy(() -> store.addReport(RECORD.id(), invalid))
        .isInstanceOf(InvalidRecordException.class);
    assertThat(store.reports(RECORD.id())).isEmpty();
  }

  @Test
  void store_in_a_missing_directory_is_not_opened() throws IOException {
    assertThatThrownBy(() -> RecordStore.open(temp.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class);
    Path file = Files.writeString(temp.resolve("file"), "");
    assertThatThrownBy(() -> RecordStore.open(file)).isInstanceOf(NotDirectoryException.class);
  }
}

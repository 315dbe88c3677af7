package dev.agentreplay.records.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.records.SessionRecord;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A record is stored whole or not at all, whichever call of the disk fails. */
class RecordStoreFaultsTest {

  private static final SessionRecord RECORD = SampleRecord.of("RS1");

  /** Some of its texts: each needs several calls. */
  private static final RecordTexts TEXTS =
      RecordTexts.of(List.of(SampleRecord.DELTA, SampleRecord.ARTIFACT));

  @TempDir
  Path temp;

  @ParameterizedTest
  @EnumSource
  void record_is_added_whole_or_not_at_all(FaultyDisk.Fault fault) throws IOException {
    int failing = 1;
    for (boolean hasFailed = true; hasFailed; failing++) {
      Path directory = temp.resolve("add-" + failing);
      FaultyDisk disk = new FaultyDisk(failing, fault);
      boolean isAdded = true;
      try {
        RecordStore.create(disk, directory).add(RECORD, TEXTS);
      } catch (IOException e) {
        assertThat(e).hasMessage(FaultyDisk.INJECTED);
        isAdded = false;
      }
      hasFailed = disk.hasFailed();

      RecordStore store = RecordStore.create(directory);
      if (isAdded) {
        assertThat(store.record(RECORD.id())).isEqualTo(RECORD);
      } else if (fault == FaultyDisk.Fault.BEFORE) {
        assertThat(store.list()).as("call %d", failing).isEmpty();
        assertThat(temporaryFiles(directory)).as("call %d", failing).isLessThanOrEqualTo(1);
      }
      assertWhole(store);
      addAgain(store);
    }
    assertThat(failing).isGreaterThan(15);
  }

  /** A record that exists is complete. */
  private static void assertWhole(RecordStore store) throws IOException {
    for (StoredRecord stored : store.list()) {
      assertThat(stored).isInstanceOf(RecordSummary.class);
      RecordCheckReport check = RecordCheck.of(store.record(stored.id()), store.texts());
      assertThat(check.problems()).isEmpty();
      assertThat(check.presentTexts()).isEqualTo(2);
    }
  }

  private static void addAgain(RecordStore store) throws IOException {
    if (store.list().isEmpty()) {
      store.add(RECORD, TEXTS);
    } else {
      assertThatThrownBy(() -> store.add(RECORD, TEXTS))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(store.list()).hasSize(1);
    assertWhole(store);
  }

  @ParameterizedTest
  @EnumSource
  void report_is_stored_whole_or_not_at_all(FaultyDisk.Fault fault) throws IOException {
    int failing = 1;
    for (boolean hasFailed = true; hasFailed; failing++) {
      Path directory = temp.resolve("report-" + failing);
      RecordStore.create(directory).add(RECORD, RecordTexts.none());
      // the first call creates the directory of the store, which exists
      FaultyDisk disk = new FaultyDisk(failing + 1, fault);
      var report = SampleRecord.report("RS1", "2026-01-02T12:00:00Z");
      try {
        RecordStore.create(disk, directory).addReport(RECORD.id(), report);
      } catch (IOException e) {
        assertThat(e).hasMessage(FaultyDisk.INJECTED);
      }
      hasFailed = disk.hasFailed();

      RecordStore store = RecordStore.create(directory);
      List<Path> reports = store.reports(RECORD.id());
      assertThat(reports).hasSizeLessThanOrEqualTo(1);
      for (Path file : reports) {
        assertThat(store.report(file)).isEqualTo(report);
      }
      store.addReport(RECORD.id(), report);
      assertThat(store.reports(RECORD.id())).hasSize(reports.size() + 1);
    }
    assertThat(failing).isGreaterThan(5);
  }

  private static long temporaryFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".tmp")).count();
    }
  }
}

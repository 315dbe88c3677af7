package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.DiskFiles;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A log in several files: how they go together, and what a writer leaves at their end. */
class LogSegmentsRecoveryTest {

  private static final Path LOG = Path.of("REPLAY.jsonl");
  private static final Path SECOND = LogSegments.file(LOG, 2);
  private static final Path THIRD = LogSegments.file(LOG, 3);
  private static final Path THIRD_TORN = Path.of("REPLAY.jsonl.3.torn");
  private static final Path SECOND_TORN = Path.of("REPLAY.jsonl.2.torn");

  private static final String FIRST_SEGMENT = TestLogs.HEADER + "\n" + TestLogs.STEP + "\n";
  private static final String SECOND_SEGMENT =
      segment(2, 2, FIRST_SEGMENT) + "\n" + TestLogs.STEP + "\n";
  private static final String WHOLE = FIRST_SEGMENT + SECOND_SEGMENT;
  private static final String THIRD_SEGMENT = segment(3, 4, WHOLE) + "\n" + TestLogs.STEP + "\n";

  static String segment(int segment, int linesBefore, String before) {
    return "{\"bytes_before\":%d,\"event\":\"LogSegment\",\"hash_before\":\"%s\","
            .formatted(
                bytes(before).length, ContentHash.of(ContentHash.newDigest().digest(bytes(before))))
        + "\"lines_before\":%d,\"segment\":%d,\"t\":\"2026-01-13T10:00:01Z\"}"
            .formatted(linesBefore, segment);
  }

  @Test
  void segments_that_fit_are_one_log() throws IOException {
    SimulatedDisk disk = disk(FIRST_SEGMENT, SECOND_SEGMENT, THIRD_SEGMENT);

    assertThat(LogRecovery.of(disk, LOG).inspect())
        .isEqualTo(new Recovery.Open(
            new Recovery.Extent(6, (WHOLE + THIRD_SEGMENT).length(), 3, THIRD_SEGMENT.length()),
            false));
  }

  @Test
  void torn_tail_of_the_last_segment_is_cut_and_kept_next_to_it() throws IOException {
    SimulatedDisk disk = disk(FIRST_SEGMENT, SECOND_SEGMENT + "{\"ev");
    Recovery.Extent good = new Recovery.Extent(4, WHOLE.length(), 2, SECOND_SEGMENT.length());

    assertThat(LogRecovery.of(disk, LOG).repair())
        .isEqualTo(new LogRecovery.Repair(
            new Recovery.TornTail(good, 4, false),
            new Recovery.Open(good, false),
            List.of(SECOND_TORN),
            4));
    assertThat(text(disk, SECOND)).isEqualTo(SECOND_SEGMENT);
    assertThat(text(disk, SECOND_TORN)).isEqualTo("{\"ev");
  }

  @Test
  void every_truncation_of_a_later_segment_is_repaired() throws IOException {
    byte[] last = bytes(SECOND_SEGMENT);
    int firstLine = SECOND_SEGMENT.indexOf('\n') + 1;
    for (int length = 0; length <= last.length; length++) {
      SimulatedDisk disk = disk(FIRST_SEGMENT, "");
      DiskFiles.put(disk, SECOND, Arrays.copyOf(last, length));
      String tail = SECOND_SEGMENT.substring(length < firstLine ? 0 : firstLine, length);
      boolean torn = !tail.isEmpty() && !tail.endsWith("}") && !tail.endsWith("\n");

      LogRecovery.Repair repair = LogRecovery.of(disk, LOG).repair();

      assertThat(repair.before() instanceof Recovery.TornTail).as("%d", length).isEqualTo(torn);
      assertThat(repair.after()).isEqualTo(LogRecovery.of(disk, LOG).inspect());
      assertThat(repair.after()).isInstanceOf(Recovery.Open.class);
      if (length < firstLine - 1) {
        assertThat(disk.exists(SECOND)).as("%d", length).isFalse();
        assertThat(repair.after().extent())
            .isEqualTo(new Recovery.Extent(2, FIRST_SEGMENT.length(), 1, FIRST_SEGMENT.length()));
      } else {
        assertThat(text(disk, SECOND)).endsWith("}\n");
      }
      if (torn) {
        assertThat(text(disk, SECOND_TORN)).isEqualTo(tail);
      }
    }
  }

  @Test
  void empty_last_segments_are_deleted() throws IOException {
    SimulatedDisk disk = disk(FIRST_SEGMENT + "{\"ev", "", "");

    assertThat(LogRecovery.of(disk, LOG).repair().removed())
        .containsExactly(Path.of("REPLAY.jsonl.torn"));
    assertThat(disk.names()).containsExactlyInAnyOrder("REPLAY.jsonl", "REPLAY.jsonl.torn");
  }

  @Test
  void repair_of_a_torn_segment_interrupted_anywhere_loses_nothing() throws IOException {
    String torn = SECOND_SEGMENT.substring(0, 20);
    brokenOffAnywhere(
        () -> disk(FIRST_SEGMENT, torn, ""),
        (disk, log) -> LogRecovery.of(disk, log).repair(),
        found -> {
          assertThat(texts(found)).contains(torn);
          LogRecovery.of(found, LOG).repair();
          assertThat(text(found, LOG)).isEqualTo(FIRST_SEGMENT);
          assertThat(texts(found)).contains(torn);
          assertThat(found.exists(SECOND) || found.exists(THIRD)).isFalse();
        });
  }

  @Test
  void log_is_truncated_at_its_first_fault_and_the_rest_is_kept() throws IOException {
    String good = segment(2, 2, FIRST_SEGMENT) + "\n";
    String nuls = good + "\0".repeat(60) + "\n" + TestLogs.STEP + "\n";
    SimulatedDisk disk = disk(FIRST_SEGMENT, nuls, THIRD_SEGMENT);
    assertThat(LogRecovery.of(disk, LOG).inspect())
        .isInstanceOfSatisfying(Recovery.Corrupt.class, corrupt -> assertThat(corrupt.detail())
            .isEqualTo("expected JSON, found a run of 60 NUL bytes, as power loss leaves it"));

    LogRecovery.Repair repair = LogRecovery.of(disk, LOG).truncate();

    assertThat(repair.before()).isInstanceOf(Recovery.Corrupt.class);
    assertThat(repair.after())
        .isEqualTo(LogRecovery.of(disk, LOG).inspect())
        .isEqualTo(new Recovery.Open(
            new Recovery.Extent(3, (FIRST_SEGMENT + good).length(), 2, good.length()), false));
    assertThat(repair.removed()).containsExactly(SECOND_TORN, THIRD_TORN);
    assertThat(text(disk, SECOND_TORN)).isEqualTo(nuls.substring(good.length()));
    assertThat(text(disk, THIRD_TORN)).isEqualTo(THIRD_SEGMENT);
    assertThat(disk.exists(THIRD)).isFalse();
  }

  @Test
  void truncation_interrupted_anywhere_loses_nothing() throws IOException {
    String rest = "oops\n" + TestLogs.STEP + "\n";
    String second = segment(2, 2, FIRST_SEGMENT) + "\n";
    brokenOffAnywhere(
        () -> disk(FIRST_SEGMENT, second + rest, THIRD_SEGMENT),
        (disk, log) -> LogRecovery.of(disk, log).truncate(),
        found -> {
          LogRecovery.of(found, LOG).truncate();
          assertThat(text(found, LOG)).isEqualTo(FIRST_SEGMENT);
          assertThat(text(found, SECOND)).isEqualTo(second);
          assertThat(texts(found)).contains(rest, THIRD_SEGMENT);
          assertThat(found.exists(THIRD)).isFalse();
        });
  }

  @Test
  void truncation_is_that_of_a_whole_log_or_a_torn_one_a_repair() throws IOException {
    SimulatedDisk disk = disk(FIRST_SEGMENT + "{\"ev");
    assertThat(LogRecovery.of(disk, LOG).truncate().removed())
        .containsExactly(Path.of("REPLAY.jsonl.torn"));
    assertThat(LogRecovery.of(disk, LOG).truncate().removed()).isEmpty();
    assertThat(text(disk, LOG)).isEqualTo(FIRST_SEGMENT);
  }

  @Test
  void log_without_an_event_before_its_fault_is_not_truncated() throws IOException {
    String log = "oops\n" + TestLogs.STEP + "\n";
    SimulatedDisk disk = disk(log);
    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).truncate())
        .isInstanceOf(ReplayFormatException.class);
    assertThat(text(disk, LOG)).isEqualTo(log);
  }

  @Test
  void segment_that_is_missing_is_corrupt_until_the_rest_is_truncated() throws IOException {
    for (String torn : List.of("", "{\"ev")) {
      SimulatedDisk disk = disk(FIRST_SEGMENT + torn);
      DiskFiles.put(disk, THIRD, bytes(THIRD_SEGMENT));
      assertCorrupt(
          disk, FindingCode.REPLAY_HASH_MISMATCH, "segment 2 is missing, but segment 3 exists");
      try (Disk.Lock lock = disk.lock(LOG)) {
        assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair(lock, line -> {}))
            .hasMessageContaining("segment 2 is missing");
      }
      assertThat(LogRecovery.of(disk, LOG).truncate().removed()).contains(THIRD_TORN);
      assertThat(text(disk, LOG)).isEqualTo(FIRST_SEGMENT);
      assertThat(LogRecovery.of(disk, LOG).inspect()).isInstanceOf(Recovery.Open.class);
    }
  }

  @Test
  void segments_in_one_file_are_a_log() throws IOException {
    SimulatedDisk disk = disk(WHOLE + THIRD_SEGMENT);
    assertThat(LogRecovery.of(disk, LOG).inspect()).isInstanceOf(Recovery.Open.class);
    assertThat(SalvageTest.salvage(bytes(WHOLE + THIRD_SEGMENT)))
        .hasSize(6)
        .allMatch(piece -> piece instanceof Salvaged.Line);
    assertCorrupt(
        disk(FIRST_SEGMENT + segment(2, 2, FIRST_SEGMENT + " ") + "\n"),
        FindingCode.REPLAY_HASH_MISMATCH,
        "LogSegment: bytes_before is");
    assertCorrupt(
        disk(FIRST_SEGMENT + segment(2, 2, FIRST_SEGMENT.replace("p@1", "q@1")) + "\n"),
        FindingCode.REPLAY_HASH_MISMATCH,
        "LogSegment: hash_before is");
  }

  @Test
  void salvage_says_once_what_is_missing_before_a_segment() throws IOException {
    String shorter = TestLogs.HEADER + "\n";
    SimulatedDisk disk = disk(shorter, SECOND_SEGMENT, THIRD_SEGMENT);
    int lost = FIRST_SEGMENT.length() - shorter.length();
    List<Salvaged.Gap> gaps = gaps(disk);
    assertThat(gaps).hasSize(1);
    assertThat(gaps.get(0).kind()).isEqualTo(Salvaged.GapKind.PART_MISMATCH);
    assertThat(gaps.get(0).bytes()).isZero();
    assertThat(gaps.get(0).detail())
        .isEqualTo(
            "LogSegment: lines_before is 2, expected 1; 1 lines and %d bytes before it are missing"
                .formatted(lost));
  }

  @Test
  void segments_behind_one_that_is_missing_are_salvaged() throws IOException {
    SimulatedDisk disk = disk(FIRST_SEGMENT);
    DiskFiles.put(disk, THIRD, bytes(THIRD_SEGMENT));
    assertThat(gaps(disk))
        .extracting(Salvaged.Gap::detail)
        .containsExactly(
            "LogSegment: lines_before is 4, expected 2; 2 lines and %d bytes before it are missing"
                .formatted(SECOND_SEGMENT.length()));
  }

  @Test
  void salvage_says_that_a_segment_begins_without_its_statement() throws IOException {
    assertThat(gaps(disk(FIRST_SEGMENT, TestLogs.STEP + "\n")))
        .extracting(Salvaged.Gap::detail)
        .containsExactly("segment 2 begins with StepComplete, expected LogSegment");
  }

  @Test
  void later_segment_is_not_a_log_of_its_own() throws IOException {
    SimulatedDisk disk = disk(FIRST_SEGMENT, SECOND_SEGMENT + "{\"ev");
    for (ThrowingCallable call : List.<ThrowingCallable>of(
        () -> LogRecovery.of(disk, SECOND).inspect(),
        () -> LogRecovery.of(disk, SECOND).repair(),
        () -> LogRecovery.of(disk, SECOND).truncate(),
        () -> LogRecovery.of(disk, SECOND).repair(disk.lock(SECOND), line -> {}))) {
      assertThatThrownBy(call)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "REPLAY.jsonl.2 is a segment of the log REPLAY.jsonl: specify the log instead");
    }
    assertThat(text(disk, SECOND)).endsWith("{\"ev");
  }

  private static List<Salvaged.Gap> gaps(SimulatedDisk disk) throws IOException {
    List<Salvaged.Gap> gaps = new ArrayList<>();
    try (SalvageReader reader = LogRecovery.of(disk, LOG).salvage()) {
      for (Salvaged piece : reader) {
        if (piece instanceof Salvaged.Gap gap) {
          gaps.add(gap);
        }
      }
    }
    return gaps;
  }

  private interface Make {
    SimulatedDisk disk() throws IOException;
  }

  private interface Repairing {
    LogRecovery.Repair repair(SimulatedDisk disk, Path log) throws IOException;
  }

  private interface Check {
    void check(SimulatedDisk found) throws IOException;
  }

  /** Kills the process, and cuts the power, in each call of a repair. */
  private static void brokenOffAnywhere(Make make, Repairing repairing, Check check)
      throws IOException {
    for (DiskFault death : List.of(DiskFault.DIE_BEFORE, DiskFault.DIE_HALF, DiskFault.DIE_AFTER)) {
      boolean finished = false;
      for (int calls = 1; !finished; calls++) {
        int last = calls;
        SimulatedDisk disk = make.disk();
        disk.inject((number, call, file) -> number == last ? death : DiskFault.NONE);
        try {
          repairing.repair(disk, LOG);
          finished = true;
        } catch (IOException e) {
          assertThat(e).hasMessageStartingWith(SimulatedDisk.INJECTED);
        }
        for (int seed = 0; seed < 16; seed++) {
          check.check(disk.losePower(new Random(seed)));
        }
        check.check(disk.kill());
        assertThat(finished && calls < 10).as("broken off in each step").isFalse();
      }
    }
  }

  private static List<String> texts(SimulatedDisk disk) throws IOException {
    List<String> texts = new ArrayList<>();
    for (String name : disk.names()) {
      texts.add(DiskFiles.text(disk, Path.of(name)));
    }
    return texts;
  }

  @Test
  void segment_that_begins_without_its_statement_is_corrupt() throws IOException {
    assertCorrupt(
        disk(FIRST_SEGMENT, TestLogs.STEP + "\n"),
        FindingCode.REPLAY_HASH_MISMATCH,
        "segment 2 begins with StepComplete, expected LogSegment");
  }

  @Test
  void statement_that_does_not_fit_is_corrupt() throws IOException {
    for (String wrong : new String[] {
      segment(3, 2, FIRST_SEGMENT),
      segment(2, 1, FIRST_SEGMENT),
      segment(2, 2, FIRST_SEGMENT + " "),
      segment(2, 2, FIRST_SEGMENT.replace("p@1", "q@1"))
    }) {
      assertCorrupt(
          disk(FIRST_SEGMENT, wrong + "\n" + TestLogs.STEP + "\n"),
          FindingCode.REPLAY_HASH_MISMATCH,
          "LogSegment: ");
    }
  }

  @Test
  void empty_segment_in_the_middle_is_corrupt() throws IOException {
    assertCorrupt(
        disk(FIRST_SEGMENT, "", segment(3, 2, FIRST_SEGMENT) + "\n"),
        FindingCode.REPLAY_HASH_MISMATCH,
        "segment is 3, expected 2");
  }

  @Test
  void earlier_segment_that_ends_within_a_line_is_corrupt() throws IOException {
    Position third = new Position(3, FIRST_SEGMENT.length());
    String blank = FIRST_SEGMENT + " ";
    assertThat(LogRecovery.of(disk(blank, segment(2, 2, blank) + "\n"), LOG).inspect())
        .isInstanceOfSatisfying(Recovery.Corrupt.class, corrupt -> {
          assertThat(corrupt.position()).isEqualTo(third);
          assertThat(corrupt.detail()).isEqualTo("segment 1 ends within this line");
        });
    assertThat(LogRecovery.of(disk(FIRST_SEGMENT + "{\"ev", "{\"ev"), LOG).inspect())
        .isInstanceOfSatisfying(Recovery.Corrupt.class, corrupt -> {
          assertThat(corrupt.position()).isEqualTo(third);
          assertThat(corrupt.code()).isEqualTo(FindingCode.REPLAY_HASH_MISMATCH);
          assertThat(corrupt.detail()).isEqualTo("segment 1 ends within this line");
        });
    assertThat(LogRecovery.of(disk(FIRST_SEGMENT + TestLogs.STEP, SECOND_SEGMENT), LOG)
            .inspect())
        .isInstanceOfSatisfying(Recovery.Corrupt.class, corrupt -> {
          assertThat(corrupt.extent().end()).isEqualTo(third);
          assertThat(corrupt.readableAfter()).isEqualTo(1);
        });
  }

  private static void assertCorrupt(SimulatedDisk disk, FindingCode code, String detail)
      throws IOException {
    Recovery recovery = LogRecovery.of(disk, LOG).inspect();
    assertThat(recovery).isInstanceOfSatisfying(Recovery.Corrupt.class, corrupt -> {
      assertThat(corrupt.code()).isEqualTo(code);
      assertThat(corrupt.position()).isEqualTo(new Position(3, FIRST_SEGMENT.length()));
      assertThat(corrupt.detail()).contains(detail);
      assertThat(corrupt.events()).isEqualTo(2);
      assertThat(corrupt.unreadableAfter()).isZero();
    });
    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair())
        .isInstanceOfSatisfying(
            ReplayFormatException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static SimulatedDisk disk(String... segments) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(Path.of(""));
    for (int i = 0; i < segments.length; i++) {
      DiskFiles.put(disk, LogSegments.file(LOG, i + 1), bytes(segments[i]));
    }
    return disk;
  }

  private static String text(SimulatedDisk disk, Path file) throws IOException {
    return DiskFiles.text(disk, file);
  }
}

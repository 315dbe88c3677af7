package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.AppendFile;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.DiskCall;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.DiskFiles;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repair cuts the torn tail, keeps a copy of it, and can be interrupted anywhere. */
class LogRepairTest {

  private static final Path LOG = Path.of("REPLAY.jsonl");
  private static final Path TORN = Path.of("REPLAY.jsonl.torn");
  private static final String GOOD = TestLogs.HEADER + "\n" + TestLogs.STEP + "\n";
  private static final String TAIL = "{\"event\":\"ToolCall\",\"id\":\"7";
  private static final String END =
      "{\"confidence\":1.0,\"event\":\"SessionEnd\",\"status\":\"Success\","
          + "\"t\":\"2026-01-13T10:00:02Z\",\"total_latency_ms\":0,\"total_tool_calls\":0}";

  @TempDir
  private Path directory;

  @Test
  void torn_tail_is_cut_and_kept() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + TAIL));

    LogRecovery.Repair repair = LogRecovery.of(disk, LOG).repair();

    Recovery.Extent good = new Recovery.Extent(2, GOOD.length(), 1, GOOD.length());
    assertThat(repair)
        .isEqualTo(new LogRecovery.Repair(
            new Recovery.TornTail(good, TAIL.length(), false),
            new Recovery.Open(good, false),
            List.of(TORN),
            TAIL.length()));
    assertThat(disk.content(LOG)).isEqualTo(bytes(GOOD));
    assertThat(disk.content(TORN)).isEqualTo(bytes(TAIL));
    assertThat(disk.names()).containsExactlyInAnyOrder(name(LOG), name(TORN));
    assertUnlocked(disk);
  }

  @Test
  void tail_after_the_end_is_torn_and_the_log_is_complete_after_it() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + END + "\n\0\0\0"));

    LogRecovery.Repair repair = LogRecovery.of(disk, LOG).repair();

    assertThat(repair.before()).isInstanceOfSatisfying(Recovery.TornTail.class, torn -> {
      assertThat(torn.ended()).isTrue();
      assertThat(torn.droppedBytes()).isEqualTo(3);
      assertThat(torn.position()).isEqualTo(new Position(4, GOOD.length() + END.length() + 1));
    });
    assertThat(repair.after()).isInstanceOf(Recovery.Complete.class);
    assertThat(LogRecovery.of(disk, LOG).inspect()).isEqualTo(repair.after());
  }

  @Test
  void events_after_the_end_do_not_open_the_log_again() throws IOException {
    String log = GOOD + END + "\n" + TestLogs.STEP + "\n";
    assertThat(LogRecovery.of(DiskFiles.of(LOG, bytes(log)), LOG).inspect())
        .isEqualTo(new Recovery.Complete(extent(4, log.length()), false));
  }

  @Test
  void whole_event_without_line_feed_is_kept_and_gets_one() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + END));

    LogRecovery.Repair repair = LogRecovery.of(disk, LOG).repair();

    assertThat(repair.before())
        .isEqualTo(new Recovery.Complete(extent(3, GOOD.length() + END.length()), true));
    assertThat(repair.after())
        .isEqualTo(new Recovery.Complete(extent(3, GOOD.length() + END.length() + 1), false));
    assertThat(repair.removed()).isEmpty();
    assertThat(disk.content(LOG)).isEqualTo(bytes(GOOD + END + "\n"));
    assertThat(disk.names()).containsExactly(name(LOG));
  }

  @Test
  void whole_log_is_left_alone() throws IOException {
    for (String log : List.of("", GOOD, GOOD + END + "\n")) {
      SimulatedDisk disk = DiskFiles.of(LOG, bytes(log));
      Set<DiskCall> unchanging =
          EnumSet.of(DiskCall.READ, DiskCall.STATE, DiskCall.LOCK, DiskCall.UNLOCK);
      disk.inject((number, call, file) ->
          unchanging.contains(call) ? DiskFault.NONE : DiskFault.FAIL_BEFORE);

      LogRecovery.Repair repair = LogRecovery.of(disk, LOG).repair();

      assertThat(repair.after()).isEqualTo(repair.before());
      assertThat(repair.removed()).isEmpty();
    }
  }

  @Test
  void removed_bytes_of_earlier_repairs_are_never_overwritten() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + TAIL));
    DiskFiles.put(disk, TORN, bytes("earlier"));
    DiskFiles.put(disk, Path.of("REPLAY.jsonl.torn.2"), bytes("later"));

    List<Path> removed = LogRecovery.of(disk, LOG).repair().removed();

    assertThat(removed).containsExactly(Path.of("REPLAY.jsonl.torn.3"));
    assertThat(disk.content(removed.get(0))).isEqualTo(bytes(TAIL));
    assertThat(disk.content(TORN)).isEqualTo(bytes("earlier"));
  }

  @Test
  void corrupt_log_is_refused_and_not_changed() throws IOException {
    String bad = GOOD + "oops\n" + TestLogs.STEP + "\n" + TAIL;
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(bad));

    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair())
        .isInstanceOfSatisfying(ReplayFormatException.class, e -> {
          assertThat(e.code()).isEqualTo(FindingCode.MALFORMED_LINE);
          assertThat(e.position()).isEqualTo(new Position(3, GOOD.length()));
        });
    assertThat(disk.content(LOG)).isEqualTo(bytes(bad));
    assertThat(disk.names()).containsExactly(name(LOG));
    assertUnlocked(disk);
  }

  @Test
  void compressed_log_is_inspected_but_not_repaired() throws IOException {
    byte[] compressed = gzip(GOOD + TAIL);
    SimulatedDisk disk = DiskFiles.of(LOG, compressed);

    assertThat(LogRecovery.of(disk, LOG).inspect())
        .isEqualTo(new Recovery.TornTail(extent(2, GOOD.length()), TAIL.length(), false));
    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a compressed log cannot be repaired");
    assertThat(disk.content(LOG)).isEqualTo(compressed);
  }

  @Test
  void what_looks_like_another_file_is_not_cut() throws IOException {
    for (String text : List.of(
        "[{\"role\":\"user\"}]",
        "<html>",
        "PK\3\4\0\0\0",
        "hello",
        "1",
        "{ key: 1 }",
        "{\"a\":1}",
        "{\"a\":1}\n{\"b\":2}\n",
        "{\"level\":30}\n{\"level\":3",
        "[" + "1,".repeat(1 << 23))) {
      byte[] foreign = bytes(text);
      SimulatedDisk disk = DiskFiles.of(LOG, foreign);

      assertThat(LogRecovery.of(disk, LOG).inspect()).isInstanceOf(Recovery.Corrupt.class);
      assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair())
          .isInstanceOf(ReplayFormatException.class);
      assertThat(disk.content(LOG)).isEqualTo(foreign);
    }
  }

  @Test
  void torn_first_line_is_cut() throws IOException {
    for (String torn : List.of("{", " {", "{\"dialect\":", "\0", "\0\0\0\0\0\0")) {
      SimulatedDisk disk = DiskFiles.of(LOG, bytes(torn));

      assertThat(LogRecovery.of(disk, LOG).repair().droppedBytes()).isEqualTo(torn.length());
      assertThat(disk.content(LOG)).isEmpty();
    }
  }

  @Test
  void log_that_is_written_or_missing_is_refused() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD));
    disk.lock(LOG);

    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair())
        .isInstanceOf(LogLockedException.class);
    assertThatThrownBy(() -> LogRecovery.of(disk, Path.of("other")).repair())
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> LogRecovery.of(disk, Path.of("other")).inspect())
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void lines_that_stay_are_handed_over() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + TAIL));
    List<String> lines = new ArrayList<>();

    Recovery after =
        LogRecovery.of(disk, LOG).repair(disk.lock(LOG), line -> lines.add(text(line)));

    assertThat(lines).containsExactly(TestLogs.HEADER, TestLogs.STEP);
    assertThat(after).isEqualTo(new Recovery.Open(extent(2, GOOD.length()), false));
  }

  @Test
  void repair_interrupted_anywhere_loses_nothing() throws IOException {
    int deaths = 0;
    for (DiskFault death : List.of(DiskFault.DIE_BEFORE, DiskFault.DIE_HALF, DiskFault.DIE_AFTER)) {
      for (int calls = 1; true; calls++) {
        int last = calls;
        SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + TAIL));
        disk.inject((number, call, file) -> number == last ? death : DiskFault.NONE);
        boolean finished = repairs(disk);
        for (int seed = 0; seed < 16; seed++) {
          assertNothingLost(disk.losePower(new Random(seed)), finished);
        }
        assertNothingLost(disk.kill(), finished);
        if (!disk.isDead() || finished) {
          break;
        }
        deaths++;
      }
    }
    assertThat(deaths).as("each step of a repair was broken off").isGreaterThan(20);
  }

  private static void assertNothingLost(SimulatedDisk found, boolean finished) throws IOException {
    String log = DiskFiles.text(found, LOG);
    assertThat(log).startsWith(GOOD);
    if (finished) {
      assertThat(log).as("what is repaired stays so").isEqualTo(GOOD);
    }
    assertThat(log.equals(GOOD + TAIL) || isKept(found)).isTrue();
    assertThat(LogRecovery.of(found, LOG).repair().after())
        .isEqualTo(new Recovery.Open(extent(2, GOOD.length()), false));
    assertThat(DiskFiles.text(found, LOG)).isEqualTo(GOOD);
    assertThat(isKept(found)).isTrue();
  }

  private static boolean isKept(SimulatedDisk disk) throws IOException {
    for (String name : disk.names()) {
      if (name.contains(".torn") && DiskFiles.text(disk, Path.of(name)).equals(TAIL)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void line_feed_that_cannot_be_written_is_reported_and_the_event_stays() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + END));
    disk.inject(
        (number, call, file) -> call == DiskCall.WRITE ? DiskFault.FAIL_BEFORE : DiskFault.NONE);

    assertThat(repairs(disk)).isFalse();
    assertThat(disk.content(LOG)).isEqualTo(bytes(GOOD + END));
    assertUnlocked(disk);
  }

  @Test
  void log_is_not_repaired_under_the_lock_of_a_different_one() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + TAIL));
    Disk.Lock other = disk.lock(LOG.resolveSibling("other.jsonl"));

    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair(other, line -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the lock must be that of REPLAY.jsonl: other.jsonl");
    assertThat(disk.content(LOG)).isEqualTo(bytes(GOOD + TAIL));
  }

  @Test
  void log_that_is_written_to_without_the_lock_is_not_cut() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + TAIL));

    assertThatThrownBy(() -> LogRecovery.of(disk, LOG)
            .repair(
                disk.lock(LOG), line -> put(disk, bytes(GOOD + TAIL + "\"}\n" + TestLogs.STEP))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("changed while it was being repaired");
    assertThat(disk.content(LOG)).isEqualTo(bytes(GOOD + TAIL + "\"}\n" + TestLogs.STEP));
    assertThat(disk.names()).containsExactly(name(LOG));
  }

  @Test
  void log_that_is_written_to_once_its_tail_is_kept_is_not_cut() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + TAIL));
    appendAt(disk, DiskCall.LENGTH, "\"}\n");

    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair())
        .hasMessageContaining("changed while it was being repaired");
    assertThat(DiskFiles.text(disk, LOG)).isEqualTo(GOOD + TAIL + "\"}\n");
    assertThat(DiskFiles.text(disk, TORN)).isEqualTo(TAIL);
  }

  @Test
  void line_feed_is_not_put_behind_one_that_came_at_the_last_moment() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + END));
    appendAt(disk, DiskCall.LENGTH, "\n");

    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair())
        .hasMessageContaining("changed while it was being repaired");
    assertThat(DiskFiles.text(disk, LOG)).isEqualTo(GOOD + END + "\n");
  }

  @Test
  void whole_compressed_log_has_nothing_to_be_repaired() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, gzip(GOOD));
    LogRecovery.Repair repair = LogRecovery.of(disk, LOG).repair();
    assertThat(repair.after()).isEqualTo(repair.before()).isInstanceOf(Recovery.Open.class);
  }

  @Test
  void compressed_log_that_is_cut_short_is_corrupt() throws IOException {
    byte[] whole = gzip(GOOD.repeat(500));
    SimulatedDisk disk = DiskFiles.of(LOG, Arrays.copyOf(whole, whole.length / 2));
    assertThat(LogRecovery.of(disk, LOG).inspect())
        .isInstanceOfSatisfying(Recovery.Corrupt.class, corrupt -> {
          assertThat(corrupt.events()).isPositive();
          assertThat(corrupt.detail()).startsWith("gzip: byte ").endsWith("is cut short");
        });
    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).repair())
        .isInstanceOf(ReplayFormatException.class);
    assertThatThrownBy(() -> LogRecovery.of(disk, LOG).truncate())
        .hasMessageContaining("a compressed log cannot be repaired");
  }

  @Test
  void line_limit_is_that_of_the_options() throws IOException {
    Path log = Files.writeString(directory.resolve("log"), GOOD);
    ReaderOptions small = ReaderOptions.defaults().withMaxLineBytes(TestLogs.STEP.length() - 1);
    assertThat(LogRecovery.of(log).inspect()).isInstanceOf(Recovery.Open.class);
    assertThat(LogRecovery.of(log, small).inspect()).isInstanceOf(Recovery.Corrupt.class);
    assertThatThrownBy(() -> LogRecovery.of(log, small).repair())
        .isInstanceOf(ReplayFormatException.class);
    try (SalvageReader reader = LogRecovery.of(log, small).salvage()) {
      assertThat(reader.read()).isInstanceOf(Salvaged.Line.class);
      assertThat(reader.read())
          .isInstanceOfSatisfying(Salvaged.Gap.class, gap -> assertThat(gap.kind())
              .isEqualTo(Salvaged.GapKind.TOO_LONG));
    }
  }

  @Test
  void log_is_repaired_through_a_link() throws IOException {
    Path log = Files.writeString(directory.resolve("REPLAY.jsonl"), GOOD + TAIL);
    Path link =
        Files.createSymbolicLink(Files.createDirectory(directory.resolve("d")).resolve("l"), log);
    assertThat(LogRecovery.of(link).inspect()).isEqualTo(LogRecovery.of(log).inspect());
    assertThat(LogRecovery.of(link).repair().removed())
        .containsExactly(directory.toRealPath().resolve("REPLAY.jsonl.torn"));
    assertThat(log).hasContent(GOOD);
    assertThat(link).isSymbolicLink();
  }

  @Test
  void line_feed_is_not_appended_to_data_that_was_written_meanwhile() throws IOException {
    SimulatedDisk disk = DiskFiles.of(LOG, bytes(GOOD + END));

    assertThatThrownBy(() -> LogRecovery.of(disk, LOG)
            .repair(disk.lock(LOG), line -> put(disk, bytes(GOOD + END + "\n{\"ev"))))
        .hasMessageContaining("changed while it was being repaired");
    assertThat(disk.content(LOG)).isEqualTo(bytes(GOOD + END + "\n{\"ev"));
  }

  @Test
  void repair_on_the_real_disk_leaves_the_log_and_the_removed_bytes_only() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    Files.writeString(log, GOOD + TAIL);

    LogRecovery.Repair repair = LogRecovery.of(log).repair();

    Path removed = directory.resolve("REPLAY.jsonl.torn");
    assertThat(repair.removed()).containsExactly(removed);
    assertThat(log).hasContent(GOOD);
    assertThat(removed).hasBinaryContent(bytes(TAIL));
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(log, removed);
    }
    assertThat(LogRecovery.of(log).inspect()).isEqualTo(repair.after());
  }

  @Test
  void link_in_place_of_a_later_segment_is_refused() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    Files.writeString(log, GOOD);
    Path other = Files.writeString(directory.resolve("other"), "not ours");
    Files.createSymbolicLink(LogSegments.file(log, 2), other);

    assertThatThrownBy(() -> LogRecovery.of(log).repair()).hasMessageContaining("symbolic link");
    assertThat(other).hasContent("not ours");
  }

  /** Writes to the log without the lock in the middle of a repair. */
  private static void appendAt(SimulatedDisk disk, DiskCall moment, String text) {
    boolean[] done = {false};
    disk.inject((number, call, file) -> {
      if (call == moment && !done[0]) {
        done[0] = true;
        try (AppendFile other = disk.append(LOG)) {
          other.write(bytes(text), 0, text.length());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return DiskFault.NONE;
    });
  }

  private static void put(SimulatedDisk disk, byte[] bytes) {
    try {
      DiskFiles.put(disk, LOG, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertUnlocked(SimulatedDisk disk) throws IOException {
    disk.lock(LOG).close();
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(bytes(text));
    }
    return compressed.toByteArray();
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static boolean repairs(SimulatedDisk disk) {
    try {
      LogRecovery.of(disk, LOG).repair();
      return true;
    } catch (IOException e) {
      assertThat(e).hasMessageStartingWith(SimulatedDisk.INJECTED);
      return false;
    }
  }

  private static Recovery.Extent extent(long events, long bytes) {
    return new Recovery.Extent(events, bytes, 1, bytes);
  }

  private static String text(ReplayLine line) {
    return new String(line.bytes(), StandardCharsets.UTF_8);
  }
}

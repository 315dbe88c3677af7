package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log has one writer at a time, of all threads and processes. */
class OneWriterTest {

  private static final int PROCESSES = 4;
  private static final int TURNS = 20;
  private static final int EVENTS_A_TURN = 5;
  private static final int LOCKS = 1_000 * Integer.getInteger("replay.effort", 1);

  @TempDir
  private Path directory;

  @Test
  void second_writer_of_a_process_is_refused_also_while_readers_come_and_go() throws IOException {
    Path log = directory.resolve("log");
    try (ReplayWriter writer = create(log)) {
      writer.emit(call("a"));
      for (int i = 0; i < 3; i++) {
        assertThat(LogRecovery.of(log).inspect().events()).isEqualTo(2);
        try (ReplayReader reader = ReplayReader.open(log)) {
          assertThat(reader.read()).isNotNull();
        }
        assertThatThrownBy(() -> append(log)).isInstanceOf(LogLockedException.class);
        assertThatThrownBy(() -> LogRecovery.of(log).repair())
            .isInstanceOf(LogLockedException.class);
      }
      writer.emit(call("b"));
    }
    try (ReplayWriter writer = append(log)) {
      writer.emit(call("c"));
    }
    assertThat(LogRecovery.of(log).inspect().events()).isEqualTo(4);
  }

  @Test
  void other_processes_are_refused_with_the_pid_of_the_one_that_writes() throws Exception {
    Path log = directory.resolve("log");
    create(log).close();
    List<ChildJvm> children = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        children.add(ChildJvm.start(AppendingChild.class, log));
      }
      List<Long> writing = new ArrayList<>();
      List<String> refusals = new ArrayList<>();
      for (ChildJvm child : children) {
        String line = child.readLine();
        if (line.equals("writing")) {
          writing.add(child.pid());
        } else {
          refusals.add(line);
        }
      }
      assertThat(writing).hasSize(1);
      assertThat(refusals).hasSize(PROCESSES - 1).allSatisfy(line -> assertThat(line)
          .startsWith("refused: process " + writing.get(0) + ","));
      LogLockedException refused =
          catchThrowableOfType(LogLockedException.class, () -> append(log));
      assertThat(refused.holder()).startsWith("process " + writing.get(0) + ",");
    } finally {
      for (ChildJvm child : children) {
        child.close();
      }
    }
    append(log).close(); // the lock went with the process
  }

  @Test
  @Tag("slow")
  void processes_that_take_turns_leave_whole_lines_turn_by_turn() throws Exception {
    Path log = directory.resolve("log");
    create(log).close();
    run(TurnsChild.class, log);

    List<String> ids = new ArrayList<>();
    Recovery recovery = LogRecovery.of(LocalDisk.INSTANCE, log).inspect(line -> {
      if (line.event() instanceof ToolCall call) {
        ids.add(call.id());
      }
    });
    assertThat(recovery).isInstanceOf(Recovery.Open.class);
    assertThat(ids).hasSize(PROCESSES * TURNS * EVENTS_A_TURN);
    Map<String, Integer> turns = new HashMap<>();
    for (int at = 0; at < ids.size(); at += EVENTS_A_TURN) {
      String process = ids.get(at).split(":")[0];
      int turn = turns.merge(process, 1, Integer::sum) - 1;
      for (int event = 0; event < EVENTS_A_TURN; event++) {
        assertThat(ids.get(at + event)).isEqualTo(process + ":" + turn + ":" + event);
      }
    }
  }

  /** The inode number of a lock file is soon given to the next one: it does not tell them apart. */
  @Test
  @Tag("slow")
  void lock_that_is_deleted_and_created_all_the_time_has_one_holder() throws Exception {
    run(LockingChild.class, directory);
    assertThat(directory).isEmptyDirectory();
  }

  /** Runs several processes side by side, each with its number, until all have succeeded. */
  private static void run(Class<?> child, Path path) throws Exception {
    List<ChildJvm> children = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        children.add(ChildJvm.start(child, path, i, LOCKS));
      }
      for (ChildJvm each : children) {
        assertThat(each.waitFor()).isZero();
      }
    } finally {
      for (ChildJvm each : children) {
        each.close();
      }
    }
  }

  private static ReplayWriter create(Path log) throws IOException {
    return ReplayWriter.create(log, ReplayHeader.of("p"));
  }

  private static ReplayWriter append(Path log) throws IOException {
    return ReplayWriter.append(log, WriterOptions.defaults());
  }

  private static ToolCall call(String id) {
    return ToolCall.of(id, "t", JsonObject.EMPTY);
  }

  /** Opens a log, and keeps it open. */
  static final class AppendingChild {

    private AppendingChild() {}

    public static void main(String[] args) throws IOException {
      try (ReplayWriter writer = append(Path.of(args[0]))) {
        writer.emit(call("child"));
        System.out.println("writing");
        ChildJvm.awaitParent();
      } catch (LogLockedException e) {
        System.out.println("refused: " + e.holder());
        ChildJvm.awaitParent();
      }
    }
  }

  /** Opens a log, writes a few events and closes it, again and again. */
  static final class TurnsChild {

    private TurnsChild() {}

    public static void main(String[] args) throws IOException {
      ChildJvm.dieWithParent();
      for (int turn = 0; turn < TURNS; ) {
        try (ReplayWriter writer = append(Path.of(args[0]))) {
          for (int event = 0; event < EVENTS_A_TURN; event++) {
            writer.emit(call(args[1] + ":" + turn + ":" + event));
          }
          turn++;
        } catch (LogLockedException e) {
          Thread.onSpinWait(); // the turn of the other one
        }
      }
    }
  }

  /** Takes a lock and gives it up, again and again. Fails when two have it at one time. */
  static final class LockingChild {

    private LockingChild() {}

    public static void main(String[] args) throws IOException {
      ChildJvm.dieWithParent();
      Path directory = Path.of(args[0]);
      int locks = Integer.parseInt(args[2]);
      for (int taken = 0; taken < locks; ) {
        Closeable lock;
        try {
          lock = LocalDisk.INSTANCE.lock(directory.resolve("log"));
        } catch (LogLockedException e) {
          Thread.onSpinWait(); // the turn of the other one
          continue;
        }
        Path held = Files.createFile(directory.resolve("held"));
        taken++;
        Files.delete(held);
        lock.close();
      }
    }
  }
}

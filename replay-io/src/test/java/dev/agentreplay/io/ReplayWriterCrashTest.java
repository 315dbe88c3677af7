package dev.agentreplay.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that writes dies: what it was told is written, is there. */
class ReplayWriterCrashTest {

  private static final int HALT_STATUS = 77;
  private static final int THREADS = 3;

  @TempDir
  private Path directory;

  @Test
  void eventsOfAProcessThatHaltsRightAfterEmitAreAllThere() throws Exception {
    Path file = directory.resolve("log");
    Process child = start(file, "halt", "200");
    List<String> acknowledged;
    try (BufferedReader out = output(child)) {
      acknowledged = out.lines().toList();
    }

    assertThat(child.waitFor()).isEqualTo(HALT_STATUS);
    assertThat(acknowledged).hasSize(200);
    assertThat(idsIn(file)).isEqualTo(acknowledged);
  }

  @Test
  void eventsThatAKilledProcessAcknowledgedAreAllThere() throws Exception {
    Path file = directory.resolve("log");
    Process child = start(file, "endless", "0");
    List<String> acknowledged = new ArrayList<>();
    try (BufferedReader out = output(child)) {
      for (int i = 0; i < 300; i++) {
        acknowledged.add(out.readLine());
      }
      child.toHandle().destroyForcibly(); // the process itself would close its output as well
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        acknowledged.add(line);
      }
    }
    child.waitFor();

    List<String> written = idsIn(file);
    assertThat(written).hasSizeGreaterThanOrEqualTo(300);
    Map<String, List<Integer>> byThread = new HashMap<>();
    for (String id : written) {
      String[] parts = id.split(":");
      byThread
          .computeIfAbsent(parts[0], thread -> new ArrayList<>())
          .add(Integer.valueOf(parts[1]));
    }
    byThread.forEach((thread, numbers) -> {
      for (int i = 0; i < numbers.size(); i++) {
        assertThat(numbers.get(i)).as("thread %s, in order, none lost", thread).isEqualTo(i);
      }
    });
    // the last acknowledgement may have been cut short with the process
    assertThat(written).containsAll(acknowledged.subList(0, acknowledged.size() - 1));
  }

  private static Process start(Path file, String mode, String count) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            file.toString(),
            mode,
            count)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static BufferedReader output(Process child) {
    return new BufferedReader(
        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The ids of the calls in the log; behind them there may be a torn line, and nothing else. */
  private static List<String> idsIn(Path file) throws IOException {
    List<String> ids = new ArrayList<>();
    try (ReplayReader reader = ReplayReader.open(file)) {
      assertThat(reader.read().event()).isInstanceOf(ReplayHeader.class);
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        assertThat(line.findings()).isEmpty();
        ids.add(((ToolCall) line.event()).id());
      }
    } catch (ReplayFormatException e) {
      assertThat(e.code()).isEqualTo(FindingCode.TORN_TAIL);
    }
    return ids;
  }

  /** Writes events, and says on standard output which were written. */
  static final class Child {

    private Child() {}

    public static void main(String[] args) throws IOException {
      // never closed: the process dies first
      ReplayWriter writer = ReplayWriter.create(Path.of(args[0]), ReplayHeader.of("child"));
      if (args[1].equals("halt")) {
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
          emit(writer, "main:" + i);
        }
        Runtime.getRuntime().halt(HALT_STATUS);
      }
      for (int thread = 0; thread < THREADS; thread++) {
        String name = "thread-" + thread + ":";
        new Thread(() -> {
              try {
                for (int i = 0; true; i++) {
                  emit(writer, name + i);
                }
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            })
            .start();
      }
    }

    private static void emit(ReplayWriter writer, String id) throws IOException {
      writer.emit(ToolCall.of(id, "t", JsonObject.of("text", "x".repeat(3_000))));
      System.out.println(id);
      if (System.out.checkError()) {
        Runtime.getRuntime().halt(1); // nobody listens any more
      }
    }
  }
}

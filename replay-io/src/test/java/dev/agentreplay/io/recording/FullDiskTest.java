package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A full disk: an event that does not fit is absent, and recording continues once it fits. */
class FullDiskTest {

  private static final int LARGE = 40_000;
  private static final int SMALL = 100;
  private static final int LIMIT_KIB = 256;
  private static final int MAX_EVENTS = 10_000;

  @TempDir
  private Path directory;

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BUFFERED") // finds it out later
  void file_at_its_limit_takes_smaller_events_and_nothing_of_those_that_do_not_fit(
      Durability durability) throws Exception {
    Path bash = Path.of("/bin/bash");
    assumeTrue(Files.isExecutable(bash), "SKIPPED: there is no bash to limit the size of files");
    Path log = directory.resolve("log");
    List<String> command = new ArrayList<>(
        List.of(bash.toString(), "-c", "ulimit -f " + LIMIT_KIB + " && exec \"$0\" \"$@\""));
    command.addAll(ChildJvm.command(FillingChild.class, log, durability));
    List<String> report;
    try (ChildJvm child = ChildJvm.start(command)) {
      report = child.readLines();
      assertThat(child.waitFor()).isZero();
    }

    assertThat(report).filteredOn(line -> line.startsWith("refused large")).hasSize(2);
    assertThat(report).filteredOn(line -> line.startsWith("refused small")).hasSize(1);
    assertThat(read(log)).isEqualTo(acknowledged(report));
  }

  @Test
  void recording_continues_when_a_full_file_system_has_room_again() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("small"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", mount.toString()) == 0,
        "SKIPPED: a small file system cannot be mounted by this user");
    try {
      for (Durability durability : EnumSet.complementOf(EnumSet.of(Durability.BUFFERED))) {
        fillAndMakeRoom(mount, durability);
      }
    } finally {
      assertThat(run("umount", mount.toString())).isZero();
    }
  }

  private static void fillAndMakeRoom(Path mount, Durability durability) throws IOException {
    Path ballast = Files.write(mount.resolve("ballast"), new byte[200_000]);
    Path log = mount.resolve("log-" + durability);
    List<String> report = new ArrayList<>();
    try (ReplayWriter writer = create(log, durability)) {
      fill(writer, report);
      assertThat(report).filteredOn(line -> line.startsWith("refused")).hasSize(3);
      Files.delete(ballast);
      for (String id : List.of("large-again", "small-again")) {
        writer.emit(call(id, id.startsWith("large") ? LARGE : SMALL));
        report.add("acknowledged " + id);
      }
    }
    assertThat(read(log)).isEqualTo(acknowledged(report));
    Files.delete(log);
  }

  private static ReplayWriter create(Path log, Durability durability) throws IOException {
    return ReplayWriter.create(
        log, ReplayHeader.of("p"), WriterOptions.defaults().withDurability(durability));
  }

  private static ToolCall call(String id, int padding) {
    return ToolCall.of(id, "t", JsonObject.of("text", "x".repeat(padding)));
  }

  /** Writes until not even a small event fits, and says what became of each. */
  private static void fill(ReplayWriter writer, List<String> report) throws IOException {
    int number = 0;
    int large = 0;
    boolean smallFits = true;
    while (smallFits) {
      assertThat(number).as("events that fit").isLessThan(MAX_EVENTS);
      boolean isLarge = large < 2;
      String id = (isLarge ? "large-" : "small-") + number++;
      try {
        writer.emit(call(id, isLarge ? LARGE : SMALL));
        report.add("acknowledged " + id);
      } catch (ReplayWriteException e) {
        report.add("refused " + id + (e.isUndetermined() ? ": undetermined" : ""));
        large++;
        smallFits = isLarge;
      }
    }
  }

  private static List<String> acknowledged(List<String> report) {
    return report.stream()
        .filter(line -> line.startsWith("acknowledged "))
        .map(line -> line.substring("acknowledged ".length()))
        .toList();
  }

  private static List<String> read(Path log) throws IOException {
    List<String> ids = new ArrayList<>();
    Recovery recovery = LogRecovery.of(LocalDisk.INSTANCE, log).inspect(line -> {
      if (line.event() instanceof ToolCall call) {
        ids.add(call.id());
      }
    });
    assertThat(recovery).isInstanceOf(Recovery.Open.class);
    return ids;
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Writes into a file that may not become large. */
  static final class FillingChild {

    private FillingChild() {}

    public static void main(String[] args) throws IOException {
      List<String> report = new ArrayList<>();
      try (ReplayWriter writer = create(Path.of(args[0]), Durability.valueOf(args[1]))) {
        fill(writer, report);
      }
      report.forEach(System.out::println);
    }
  }
}

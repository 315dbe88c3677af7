package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A replay leaves no temporary file and an unchanged recording, whatever its outcome. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class RunCleanupTest {

  @TempDir
  Path home;

  private Path session;
  private Path temporary;

  @BeforeEach
  void record() throws Exception {
    session = home.resolve("one");
    temporary = Files.createDirectory(home.resolve("temporary"));
    try (SessionRecorder recorder = SessionRecorder.start(session, "fix-greeting")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "Hello");
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
  }

  /** Starts a replay in the mode mock. */
  private Process start(Path replayed, String subject) throws IOException {
    return start(
        "run",
        replayed.toString(),
        "--mode",
        "mock",
        "--unsafe-no-sandbox",
        "--subject",
        "sh " + Files.writeString(home.resolve("agent.sh"), subject));
  }

  /** Starts a command in a process whose temporary files are in a folder. */
  private Process start(Object... arguments) throws IOException {
    return CommandProcess.in(temporary, arguments).start();
  }

  private static String subject(String path) {
    return """
        echo '{"id":0,"type":"hello","protocol":1}'; read answer
        echo '{"id":1,"type":"tool","name":"read_file","params":{"path":"%s"}}'; read answer
        echo '{"id":2,"type":"end","status":"Success"}'; read answer
        """
        .formatted(path);
  }

  private void leavesNothing(Process process, int exit, String report) throws Exception {
    Map<String, String> before = contents(session);
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
      String text = Stream.concat(out.lines(), err.lines()).collect(Collectors.joining("\n"));
      assertThat(process.waitFor()).as(text).isEqualTo(exit);
      assertThat(text).contains(report);
    }
    assertThat(temporary).isEmptyDirectory();
    assertThat(contents(session))
        .isEqualTo(before)
        .containsOnlyKeys("REPLAY.jsonl", "RECEIPT.json");
  }

  private static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(file -> {
        try {
          contents.put(file.getFileName().toString(), Files.readString(file));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
    return contents;
  }

  @Test
  void successful_replay_leaves_nothing() throws Exception {
    leavesNothing(start(session, subject("a.txt")), 0, "identical  replayed 1 exchange");
  }

  @Test
  void replay_of_a_packed_session_leaves_nothing() throws Exception {
    Path packed = home.resolve("one.tar.gz");
    PackedSession.pack(session, packed);

    leavesNothing(start(packed, subject("a.txt")), 0, "identical  replayed 1 exchange");
  }

  @Test
  @Tag("slow")
  void diverged_replay_leaves_nothing() throws Exception {
    leavesNothing(start(session, subject("b.txt")), 1, "1. MISS  read_file");
  }

  @Test
  @Tag("slow")
  void replay_of_an_agent_that_fails_leaves_nothing() throws Exception {
    leavesNothing(start(session, "echo no json"), 1, "agent       SubjectException");
  }

  @Test
  @Tag("slow")
  void refused_replay_leaves_nothing() throws Exception {
    Path log = session.resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("Hello", "Hallo"));

    leavesNothing(start(session, subject("a.txt")), 4, "the recording is invalid");
  }

  @Test
  @Tag("slow")
  void interrupted_validation_ends_at_once() throws Exception {
    Path large = home.resolve("large");
    try (SessionRecorder recorder = SessionRecorder.start(large, "large")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      for (int call = 0; call < 1_000; call++) {
        String output = call + "0123456789".repeat(5_000);
        scope.run("read_file", Map.of("number", call), () -> output);
      }
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    Process process = start("run", large.toString(), "--verbose");
    BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
    assertThat(err.readLine()).startsWith("replay.started ");

    process.toHandle().destroy(); // the recording was read, and is verified now

    assertThat(process.inputReader(StandardCharsets.UTF_8).lines()).isEmpty();
    assertThat(process.waitFor()).isEqualTo(143);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  @Tag("slow")
  void aborted_replay_leaves_nothing() throws Exception {
    Process process = start(session, "echo started >&2; sleep 1000");
    CommandProcess.awaitLine(process.errorReader(StandardCharsets.UTF_8), "subject: started");
    assertThat(temporary).isNotEmptyDirectory();

    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

    leavesNothing(process, ExitCode.INTERRUPTED, "incomplete  interrupted");
  }
}

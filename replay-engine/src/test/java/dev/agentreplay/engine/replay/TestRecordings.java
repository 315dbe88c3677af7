package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Recordings of agents, and what is true of each replay of one. */
final class TestRecordings {

  private TestRecordings() {}

  /** Records a run of an agent that ends with success; its session has an id of its own. */
  static Session record(Path directory, ReplayAgent agent, Executors executors) throws Exception {
    return record(directory, agent, executors, RecorderOptions.defaults());
  }

  static Session record(
      Path directory, ReplayAgent agent, Executors executors, RecorderOptions options)
      throws Exception {
    SessionStart start = SessionStart.of("run-" + UUID.randomUUID());
    try (SessionRecorder recorder = SessionRecorder.start(directory, start, options)) {
      agent.run(AgentScope.recording(recorder, executors));
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }
    return Session.open(directory);
  }

  /** A tool that returns its parameters. */
  static ToolExecutor echo() {
    return ToolExecutor.of(params -> params);
  }

  /** A tool that is never answered, and ends when it is interrupted. */
  static ToolExecutor hanging() {
    return hanging(new CountDownLatch(1));
  }

  /** A tool that is never answered, and ends when it is interrupted. */
  static ToolExecutor hanging(CountDownLatch started) {
    return call -> {
      started.countDown();
      new CountDownLatch(1).await();
      throw new AssertionError("unreachable");
    };
  }

  static JsonObject path(int number) {
    return JsonObject.of("path", "file-" + number);
  }

  /** Checks that each recorded exchange, and each request, is counted once. */
  static void requireClosedCounts(ReplayReport report) {
    ReplayReport.ExchangeCounts exchanges = report.exchanges();
    assertThat(exchanges.served() + exchanges.executed() + exchanges.unread())
        .isEqualTo(exchanges.recorded());
    assertThat(exchanges.unread()).isNotNegative();
    long matched = report.matched().values().stream().mapToLong(Long::longValue).sum();
    assertThat(matched + report.missed()).isEqualTo(report.requests());
    if (report.isIdentical()) {
      assertThat(exchanges.unread()).isZero();
      assertThat(report.missed()).isZero();
    }
  }

  /** The hash of a content, whether a log states it or only the value; null if it has neither. */
  static @Nullable ContentHash hash(Content content) {
    return content.hash() == null && content.value() != null
        ? CanonicalJson.comparableHash(content.value(), CanonicalJson.SERDE)
        : content.hash();
  }

  static List<JsonObject> ledger(Path directory) throws IOException {
    List<JsonObject> entries = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve(Replay.LEDGER_NAME))) {
      entries.add(JsonText.parse(line).asObject());
    }
    return entries;
  }

  static List<ReplayEvent> events(Session session) throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (var reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        events.add(line.event());
      }
    }
    return events;
  }

  /** The temporary directories of the replays of a session that exist now. */
  static List<Path> temporaryDirectories(Session session) throws IOException {
    List<Path> found = new ArrayList<>();
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    String id = String.valueOf(session.id());
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(temporary, "agentreplay-*")) {
      for (Path directory : directories) {
        if (isOf(directory.resolve("files").resolve(Session.LOG_NAME), id)) {
          found.add(directory);
        }
      }
    }
    return found;
  }

  private static boolean isOf(Path log, String id) {
    try {
      // bytes as characters: it may be written at the moment, and end within a character
      return Files.readString(log, StandardCharsets.ISO_8859_1).contains(id);
    } catch (NoSuchFileException ofSomethingElse) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a thread waits, as for its turn in a replay that is paused. */
  static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }
}

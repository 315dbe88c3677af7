package dev.agentreplay.benchmarks;

import dev.agentreplay.engine.report.FolderOptions;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.SessionFolder;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the creation of HTML pages, relative to reading what they show: of a session of
 * {@value #CALLS} tool calls, of one of {@value #TURNS} model turns whose prompts repeat the
 * conversation, and of a folder of {@value #SESSIONS} sessions. The pages stay in the directory, so
 * that the time of loading them in a browser can be measured.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.PageCost DIRECTORY
 * </pre>
 */
public final class PageCost {

  private static final int CALLS = 50_000;
  private static final int TURNS = 5_000;
  private static final int SESSIONS = 10_000;
  private static final int ROUNDS = 5;

  private PageCost() {}

  /** Writes sessions and pages into a new directory, and prints medians. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectory(Path.of(args[0]));
    Session calls = calls(directory.resolve("calls"), CALLS);
    session("session of %,d tool calls".formatted(CALLS), calls, directory.resolve("calls.html"));
    Session turns = turns(directory.resolve("turns"));
    session("session of %,d model turns".formatted(TURNS), turns, directory.resolve("turns.html"));
    Path folder = directory.resolve("folder");
    for (int i = 0; i < SESSIONS; i++) {
      calls(folder.resolve("session-" + i), 5);
    }
    folder(folder, directory.resolve("folder.html"));
  }

  private static Session calls(Path directory, int count) throws IOException {
    Files.createDirectories(directory);
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      for (int i = 0; i < count; i++) {
        JsonObject params = JsonObject.of("path", "src/file" + i % 97 + ".java", "limit", i);
        session.call("tool_" + i % 7, params).result("output of call " + i);
      }
      session.end(Status.SUCCESS, 1.0);
    }
    return Session.open(directory);
  }

  private static Session turns(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<JsonValue> messages = new ArrayList<>();
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      for (int i = 0; i < TURNS; i++) {
        messages.add(JsonObject.of("role", "user", "content", "question " + i));
        JsonObject prompt = JsonObject.of("messages", JsonArray.copyOf(messages));
        String answer = "answer " + i;
        session
            .modelCall("m", new Prompt(prompt))
            .answer(answer, Completion.of("stop"), TokenCounts.of(10, 5));
        messages.add(JsonObject.of("role", "assistant", "content", answer));
      }
      session.end(Status.SUCCESS, 1.0);
    }
    return Session.open(directory);
  }

  private static void session(String name, Session session, Path page) throws IOException {
    measure(name, page, () -> Rounds.read(session), out -> HtmlViewer.render(session, out));
  }

  private static void folder(Path folder, Path page) throws IOException {
    SessionFolder sessions = SessionFolder.at(folder);
    FolderOptions options = FolderOptions.titled("folder").withDirectory(folder);
    measure(
        "folder of %,d sessions".formatted(SESSIONS),
        page,
        () -> read(sessions),
        out -> HtmlViewer.render(sessions.summaries(), options, out));
  }

  private static void read(SessionFolder folder) {
    if (folder
            .summaries()
            .mapToLong(entry -> entry instanceof FolderEntry.Loaded ? 1 : 0)
            .sum()
        != SESSIONS) {
      throw new IllegalStateException("not all sessions were read");
    }
  }

  /** Writes a page. */
  private interface Render {
    void to(OutputStream out) throws IOException;
  }

  private static void measure(String name, Path page, Rounds.Step read, Render render)
      throws IOException {
    long[] reads = new long[ROUNDS];
    long[] renders = new long[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
      int at = Math.max(round, 0);
      reads[at] = Rounds.time(read);
      renders[at] = Rounds.time(() -> {
        try (OutputStream out = Files.newOutputStream(page)) {
          render.to(out);
        }
      });
    }
    System.out.printf(
        "%s: read in %,d ms, page of %,d bytes created in %,d ms, %.2f x%n",
        name,
        Rounds.median(reads) / 1_000_000,
        Files.size(page),
        Rounds.median(renders) / 1_000_000,
        (double) Rounds.median(renders) / Rounds.median(reads));
  }
}

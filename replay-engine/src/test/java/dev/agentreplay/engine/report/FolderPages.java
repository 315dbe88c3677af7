package dev.agentreplay.engine.report;

import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionFolder;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Folders of sessions, and their pages. */
final class FolderPages {

  static final Prices PRICES = Prices.fromJson(JsonObject.of(
      "large", JsonObject.of("input", 10, "output", 30),
      "small", JsonObject.of("input", 1, "output", 4)));

  private static final List<String> TASKS = List.of(
      "Fix the failing test in ParserTest",
      "Book a flight from New York to Seattle for two passengers, aisle seats if they are free",
      "Summarize the open issues of the week and post them to the channel",
      "Migrate the build from Java 11 to 17",
      "Answer the customer's question about a refund that was not paid after three weeks",
      "Find the reason of the memory leak in the importer");

  private FolderPages() {}

  /** The page of a folder, with links to pages on request. */
  static Path page(Path directory, Path page, boolean links) throws IOException {
    FolderOptions options = FolderOptions.titled(directory.getFileName().toString())
        .withDirectory(directory)
        .withPrices(PRICES)
        .withPages(path -> links ? "pages/" + path.getFileName() + ".html" : null);
    try (Stream<FolderEntry<SessionSummary>> entries =
            SessionFolder.at(directory).summaries();
        OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(entries, options, out);
    }
    return page;
  }

  /** Sessions of many kinds: with and without a task, ended and not, with failures. */
  static void write(Path directory, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Path session = directory.resolve("run-%05d".formatted(i));
      if (i % 97 == 13) {
        Files.createDirectories(session);
        Files.writeString(session.resolve(Session.LOG_NAME), "{\"event\":\"Repla\nnot JSON\n");
        continue;
      }
      writeOne(session, i);
    }
  }

  private static void writeOne(Path directory, int i) throws IOException {
    SessionStart start = SessionStart.of("session-" + i);
    if (i % 7 != 3) {
      start =
          start.withTask(Task.of(TASKS.get(i % TASKS.size()) + (i % 5 == 0 ? " (" + i + ")" : "")));
    }
    start = i % 3 == 0
        ? start.withTags("nightly", "service:demo.Coder" + i % 2, "model-" + i % 2)
        : i % 3 == 1 ? start.withTags("ci") : start;
    start = start
        .withUser(i % 4 == 0 ? "ada" : "grace")
        .withEnvironment(i % 10 == 0 ? "production" : "staging");
    List<ReplayEvent> events =
        new ArrayList<>(ViewedSessions.calls(i % 11 + (i % 10 == 0 ? 12 : 0)));
    for (int turn = 0; turn < i % 6; turn++) {
      String model = i % 2 == 0 ? "large" : "small";
      events.add(ModelCall.of("m" + turn, model, Prompt.of("question")));
      events.add(ModelResult.of("m" + turn, "answer")
          .withTokens(TokenCounts.of(900L * (i + 1), 70L * (turn + 1))));
    }
    ReplayEvent end = i % 8 == 5
        ? null
        : SessionEnd.of(i % 9 == 4 ? Status.FAILED : i % 31 == 7 ? Status.TIMEOUT : Status.SUCCESS);
    write(
        directory,
        start,
        events,
        end,
        Instant.parse("2026-01-13T10:00:00Z").plus(Duration.ofMinutes(37L * i)));
  }

  /** A session whose events are a second apart. */
  static void write(
      Path directory, SessionStart start, List<ReplayEvent> events, ReplayEvent end, Instant time)
      throws IOException {
    write(directory, ReplayHeader.of("test@1"), start, events, end, time);
  }

  /** A session with a header, whose events are a second apart. */
  static void write(
      Path directory,
      ReplayHeader header,
      SessionStart start,
      List<ReplayEvent> events,
      ReplayEvent end,
      Instant time)
      throws IOException {
    Files.createDirectories(directory);
    Instant[] now = {time};
    Clock clock = new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        now[0] = now[0].plusMillis(873);
        return now[0];
      }
    };
    try (ReplayWriter writer = ReplayWriter.create(
        directory.resolve(Session.LOG_NAME),
        header,
        WriterOptions.defaults().withClock(clock).withDurability(Durability.BUFFERED))) {
      writer.emit(start);
      for (ReplayEvent event : events) {
        writer.emit(event);
      }
      if (end != null) {
        writer.emit(end);
      }
    }
  }
}

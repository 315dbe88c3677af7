package dev.agentreplay.engine.report;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** Folders of sessions with forks and replays, whose headers state the heads of their parents. */
final class ForkedFolders {

  private static final Instant TIME = Instant.parse("2026-02-01T10:00:00Z");

  private ForkedFolders() {}

  /** A recording of some calls. */
  static Path recording(Path directory, String id, String task, int calls) throws IOException {
    FolderPages.write(
        directory,
        ReplayHeader.of("test@1"),
        SessionStart.of(id).withTask(Task.of(task)),
        ViewedSessions.calls(calls),
        SessionEnd.of(Status.SUCCESS),
        TIME);
    return directory;
  }

  /** A fork of a session, before its line, with a value that is set in an output. */
  static Path fork(Path directory, Path parent, String id, long line, String value, int minute)
      throws IOException {
    JsonObject set =
        JsonObject.of("change", "set", "line", line, "pointer", "/output/status", "value", value);
    ForkOrigin origin = new ForkOrigin(id(parent), head(parent, line - 1), JsonArray.of(set));
    return write(directory, origin.addTo(replayed(parent)), id, minute);
  }

  /** A replay of a session. */
  static Path replay(Path directory, Path parent, String id, int minute) throws IOException {
    return write(directory, replayed(parent), id, minute);
  }

  private static Path write(Path directory, ReplayHeader header, String id, int minute)
      throws IOException {
    FolderPages.write(
        directory,
        header,
        SessionStart.of(id).withTask(Task.of("Pay the invoice")),
        ViewedSessions.calls(3 + minute % 4),
        SessionEnd.of(minute % 3 == 0 ? Status.FAILED : Status.SUCCESS),
        TIME.plusSeconds(60L * minute));
    return directory;
  }

  private static ReplayHeader replayed(Path parent) throws IOException {
    ReplayOrigin origin =
        new ReplayOrigin(id(parent), head(parent, Long.MAX_VALUE), ReplayOrigin.MOCK);
    ReplayHeader header = ReplayHeader.of("test@1");
    return new ReplayHeader(
        header.version(), header.producer(), null, null, null, origin, header.meta());
  }

  private static String id(Path session) throws IOException {
    return SessionSummary.read(Session.open(session)).sessionId();
  }

  private static TreeHead head(Path session, long lines) throws IOException {
    MerkleTree tree = new MerkleTree();
    Session opened = Session.open(session);
    try (var reader = opened.reader()) {
      for (var line = reader.read(); line != null && tree.size() < lines; line = reader.read()) {
        tree.add(line.bytes());
      }
    }
    return tree.head();
  }

  /**
   * A recording with two forks, one of which has a fork with the same id as its sibling's and a
   * replay; a fork of a session that is not in the folder; and others without forks.
   */
  static Path small(Path directory) throws IOException {
    Path invoice = recording(directory.resolve("invoice"), "invoice", "Pay the invoice", 6);
    Path paid = fork(directory.resolve("fork-paid"), invoice, "invoice-replay", 6, "paid", 1);
    fork(directory.resolve("fork-late"), invoice, "invoice-replay", 8, "late", 2);
    fork(directory.resolve("fork-of-fork"), paid, "invoice-replay-replay", 4, "open", 3);
    replay(directory.resolve("replay-of-fork"), paid, "invoice-replay-replay", 4);
    Path gone = recording(
        directory.resolveSibling(directory.getFileName() + "-gone").resolve("gone"),
        "gone",
        "Elsewhere",
        4);
    fork(directory.resolve("orphan"), gone, "gone-replay", 4, "lost", 5);
    recording(directory.resolve("other"), "other", "Write the report", 5);
    return directory;
  }

  /** Sessions of many kinds, and forks of the first tenth of them. */
  static Path large(Path directory, int count, int forks) throws IOException {
    FolderPages.write(directory, count - forks);
    int parents = Math.max(1, forks / 5);
    for (int i = 0; i < forks; i++) {
      int of = (i % parents) * 2;
      of = of % 97 == 13 ? of + 1 : of;
      Path parent = directory.resolve("run-%05d".formatted(of));
      String id = id(parent) + "-replay";
      fork(directory.resolve("fork-%05d".formatted(i)), parent, id, 3, "v" + i, i);
    }
    return directory;
  }
}

package dev.agentreplay.io.faults;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.receipt.Receipt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/** The files that a run left on disk, compared with its acknowledged events. */
final class RecordedSession {

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private final RunLog log;
  private final List<String> broken = new ArrayList<>();

  private RecordedSession(RunLog log) {
    this.log = log;
  }

  /** The promises that were not kept. Deletes the session. */
  static List<String> brokenPromises(RunLog log) throws IOException {
    RecordedSession recorded = new RecordedSession(log);
    try {
      recorded.check();
    } catch (IOException | RuntimeException e) {
      recorded.broken.add(e.toString());
    }
    try (Stream<Path> files = Files.walk(log.directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    return recorded.broken;
  }

  private void check() throws IOException {
    requireClosed();
    requireNothingLeftBehind();
    Recovery recovery = LogRecovery.of(log.directory.resolve(Session.LOG_NAME)).inspect();
    if (!(recovery instanceof Recovery.Open || recovery instanceof Recovery.Complete)) {
      broken.add("the log is " + recovery);
      return;
    }
    Session session = Session.open(log.directory);
    requireEvents(events(session));
    if (session.receipt() == null && recovery instanceof Recovery.Open) {
      if (log.ended) {
        broken.add("there is no receipt");
      }
      resumeAndEnd();
      session = Session.open(log.directory);
    }
    requireReceipt(session);
  }

  private void requireClosed() throws IOException {
    if (!Files.isDirectory(OPEN_FILES)) {
      return; // not Linux
    }
    try (Stream<Path> files = Files.list(OPEN_FILES)) {
      for (Path file : files.toList()) {
        Path target = target(file);
        if (target.startsWith(log.directory)) {
          broken.add("left open: " + target.getFileName());
        }
      }
    }
  }

  private static Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException e) {
      return link; // closed meanwhile
    }
  }

  private void requireNothingLeftBehind() throws IOException {
    try (Stream<Path> files = Files.walk(log.directory)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".tmp") || name.endsWith(".lock"))
          .forEach(name -> broken.add("left behind: " + name));
    }
  }

  /** The acknowledged events are there in their order, and no others but those that may be. */
  private void requireEvents(List<String> found) {
    List<String> certain = new ArrayList<>(found);
    certain.removeAll(log.undetermined);
    List<String> expected = log.mayHaveLost && certain.size() < log.acknowledged.size()
        ? log.acknowledged.subList(0, certain.size())
        : log.acknowledged;
    if (!certain.equals(expected)) {
      broken.add("acknowledged " + log.acknowledged + ", found " + found);
    }
    if (new HashSet<>(found).size() != found.size()) {
      broken.add("written twice: " + found);
    }
  }

  private void resumeAndEnd() throws IOException {
    try (SessionRecorder recorder =
        SessionRecorder.resume(log.directory, RecorderOptions.defaults())) {
      recorder.end(Status.SUCCESS, 0.5);
    }
  }

  /** Its hash, tree, totals and calls are those of the log. */
  private void requireReceipt(Session session) throws IOException {
    if (session.receipt() == null) {
      return; // the end may be in the log, as was reported
    }
    String expected =
        ReceiptCodec.encode(Receipts.compute(session, Receipt.Form.SESSION)).toString();
    String stated = JsonText.parse(Files.readAllBytes(session.receipt())).toString();
    if (!stated.equals(expected)) {
      broken.add("receipt " + stated + " of a log with " + expected);
    }
  }

  /** The events in the log, whose checkpoints and totals must be right. */
  private List<String> events(Session session) throws IOException {
    List<String> events = new ArrayList<>();
    MerkleTree tree = new MerkleTree();
    long calls = 0;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        ReplayEvent event = line.event();
        if (event instanceof SessionStart) {
          events.add("start");
        } else if (event instanceof StepComplete step) {
          events.add("step " + step.stepId());
        } else if (event instanceof ToolCall call) {
          events.add("call " + call.id());
          if (session.resolve(call.params()) == null) {
            broken.add("call " + call.id() + " without its params");
          }
          calls++;
        } else if (event instanceof ToolResult result) {
          events.add("result " + result.id());
        } else if (event instanceof Checkpoint checkpoint
            && !checkpoint.tree().equals(tree.head())) {
          broken.add("a checkpoint of another tree in line " + line.position().line());
        } else if (event instanceof SessionEnd end && end.totalToolCalls() != calls) {
          broken.add("an end with " + end.totalToolCalls() + " calls instead of " + calls);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        line.writeTo(bytes);
        tree.add(bytes.toByteArray(), 0, bytes.size() - 1);
      }
    }
    return events;
  }
}

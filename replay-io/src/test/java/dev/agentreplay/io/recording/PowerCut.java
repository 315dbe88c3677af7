package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The program that {@code .ci/power-cut} runs on a file system that it shuts down: writes, and
 * prints the acknowledged events, until it fails; then reads them back.
 */
final class PowerCut {

  private static final long SEGMENT_BYTES = 50_000;
  private static final int EVENTS_A_SYNC = 5;

  private PowerCut() {}

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[2]);
    if (args[0].equals("write")) {
      switch (args[1]) {
        case "durable" -> emit(directory, Durability.FSYNC, SEGMENT_BYTES, Integer.MAX_VALUE);
        case "process" -> emit(directory, Durability.WRITTEN, Long.MAX_VALUE, Integer.MAX_VALUE);
        case "sync" -> emit(directory, Durability.WRITTEN, SEGMENT_BYTES, EVENTS_A_SYNC);
        case "sessions" -> sessions(directory);
        default -> throw new IllegalArgumentException("not known: " + args[1]);
      }
    } else {
      List<String> told = Files.readAllLines(Path.of(args[3]));
      int lost = args[1].equals("sessions")
          ? lostSessions(directory, told)
          : lostEvents(log(directory), told);
      System.out.printf("%s: %d told to be safe, %d lost%n", args[1], told.size(), lost);
      System.exit(lost == 0 ? 0 : 1);
    }
  }

  private static Path log(Path directory) {
    return directory.resolve(Session.LOG_NAME);
  }

  /** Emits until that fails; prints the acknowledged events after a sync, or else at once. */
  private static void emit(
      Path directory, Durability durability, long segmentBytes, int eventsASync)
      throws IOException {
    ReplayWriter writer = ReplayWriter.create(
        log(directory),
        ReplayHeader.of("power-cut"),
        WriterOptions.defaults().withDurability(durability).withMaxSegmentBytes(segmentBytes));
    StringBuilder written = new StringBuilder();
    for (int i = 0; true; i++) {
      writer.emit(ToolCall.of("call-" + i, "t", JsonObject.of("text", "x".repeat(i % 3_000))));
      written.append("call-").append(i).append('\n');
      boolean synced = (i + 1) % eventsASync == 0;
      if (synced) {
        writer.sync();
      }
      if (synced || eventsASync == Integer.MAX_VALUE) {
        System.out.print(written);
        System.out.flush();
        written.setLength(0);
      }
    }
  }

  private static void sessions(Path directory) throws IOException {
    for (int i = 0; true; i++) {
      String name = "session-" + i;
      try (SessionRecorder session = SessionRecorder.start(directory.resolve(name), name)) {
        session.call("t", JsonObject.of("text", "x".repeat(1_000))).result("done");
        session.end(Status.SUCCESS, 1.0);
      }
      System.out.println(name);
    }
  }

  private static int lostEvents(Path log, List<String> told) throws IOException {
    Set<String> missing = new HashSet<>(told);
    List<String> found = new ArrayList<>();
    Recovery recovery = LogRecovery.of(LocalDisk.INSTANCE, log).inspect(line -> {
      if (line.event() instanceof ToolCall call) {
        found.add(call.id());
      }
    });
    found.forEach(missing::remove);
    System.out.printf("%s of %d events; ", recovery.getClass().getSimpleName(), recovery.events());
    for (int i = 0; i < found.size(); i++) {
      if (!found.get(i).equals("call-" + i)) {
        throw new AssertionError("expected call-%d, found %s".formatted(i, found.get(i)));
      }
    }
    return missing.size();
  }

  private static int lostSessions(Path directory, List<String> told) throws IOException {
    int lost = 0;
    for (String name : told) {
      Path session = directory.resolve(name);
      if (!Files.exists(session.resolve(Session.RECEIPT_NAME))
          || !(LogRecovery.of(log(session)).inspect() instanceof Recovery.Complete)) {
        lost++;
      }
    }
    return lost;
  }
}

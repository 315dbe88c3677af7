package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.flipkart.zjsonpatch.JsonDiff;
import com.github.difflib.DiffUtils;
import dev.agentreplay.benchmarks.ReadLog.Call;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Measures the comparison of two sessions, relative to reading both, and to the part of it that
 * general libraries can do: java-diff-utils aligns the lines of the two logs, zjsonpatch creates a
 * patch between two arrays of calls. One call in a hundred is changed, added or removed, and one
 * block is moved.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.DiffCost
 * </pre>
 */
public final class DiffCost {

  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 15;
  private static final ObjectMapper JACKSON = new ObjectMapper();

  private DiffCost() {}

  /** Measures and prints medians. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("replay-diff");
    try {
      System.out.printf("first comparison in this JVM: ");
      measureOnce(directory, 5_000);
      double small = measure(directory, 5_000, true);
      double large = measure(directory, 50_000, false);
      System.out.printf("ten times as many events take %.1f times as long%n", large / small);
    } finally {
      Rounds.delete(directory);
    }
  }

  private static void measureOnce(Path directory, int calls) throws IOException {
    Session left = write(directory.resolve("a"), ReadLog.calls(calls));
    Session right = write(directory.resolve("b"), edited(ReadLog.calls(calls)));
    System.out.printf("%.0f ms%n", Rounds.time(() -> SessionDiff.between(left, right)) / 1e6);
  }

  private static double measure(Path directory, int count, boolean peers) throws IOException {
    List<Call> before = ReadLog.calls(count);
    List<Call> after = edited(before);
    Session left = write(directory.resolve("left" + count), before);
    Session right = write(directory.resolve("right" + count), after);
    System.out.printf(
        "2 x %,d events, %,d bytes: %s%n",
        2 * count,
        Files.size(left.log()) + Files.size(right.log()),
        counts(SessionDiff.between(left, right)));
    long[] read = new long[ROUNDS];
    long[] diff = new long[ROUNDS];
    long[] lines = new long[ROUNDS];
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      int at = Math.max(round, 0);
      read[at] = Rounds.time(() -> Rounds.read(left)) + Rounds.time(() -> Rounds.read(right));
      diff[at] = Rounds.time(() -> SessionDiff.between(left, right));
      lines[at] = Rounds.time(() -> alignLines(left, right));
    }
    print("read both logs", read, read);
    print("compare them", diff, read);
    print("read as Jackson, align by java-diff-utils", lines, read);
    if (peers) {
      // zjsonpatch needs quadratic time: a tenth of the calls
      List<Call> few = before.subList(0, count / 10);
      List<Call> fewEdited = edited(few);
      Session fewLeft = write(directory.resolve("few"), few);
      Session fewRight = write(directory.resolve("fewer"), fewEdited);
      long[] patch = new long[ROUNDS];
      long[] ours = new long[ROUNDS];
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        int at = Math.max(round, 0);
        patch[at] = Rounds.time(() -> patch(fewLeft, fewRight));
        ours[at] = Rounds.time(() -> SessionDiff.between(fewLeft, fewRight));
      }
      System.out.printf("2 x %,d events%n", count / 5);
      print("compare them", ours, ours);
      print("read as Jackson, patch by zjsonpatch", patch, ours);
    }
    return Rounds.median(diff);
  }

  private static String counts(SessionDiff diff) {
    StepCounts calls = diff.summary().calls();
    return "%,d matched, %,d changed (%,d moved), %,d missing, %,d added"
        .formatted(calls.matched(), calls.changed(), calls.moved(), calls.missing(), calls.added());
  }

  private static void print(String what, long[] nanos, long[] unit) {
    System.out.printf(
        "  %-45s %8.1f ms  %5.2f x%n",
        what, Rounds.median(nanos) / 1e6, (double) Rounds.median(nanos) / Rounds.median(unit));
  }

  /** The lines of a log without the members that differ between any two runs. */
  private static List<JsonNode> events(Session session) throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String line : Files.readAllLines(session.log())) {
      JsonNode event = JACKSON.readTree(line);
      ((com.fasterxml.jackson.databind.node.ObjectNode) event)
          .remove(List.of("id", "step_id", "t", "created_at", "latency_ms"));
      events.add(event);
    }
    return events;
  }

  private static void alignLines(Session left, Session right) throws IOException {
    List<String> before = events(left).stream().map(JsonNode::toString).toList();
    List<String> after = events(right).stream().map(JsonNode::toString).toList();
    if (DiffUtils.diff(before, after).getDeltas().isEmpty()) {
      throw new IllegalStateException("no difference");
    }
  }

  private static void patch(Session left, Session right) throws IOException {
    ArrayNode before = JACKSON.createArrayNode().addAll(events(left));
    ArrayNode after = JACKSON.createArrayNode().addAll(events(right));
    if (JsonDiff.asJson(before, after).isEmpty()) {
      throw new IllegalStateException("no difference");
    }
  }

  static List<Call> edited(List<Call> calls) {
    Random random = new Random(7);
    List<Call> edited = new ArrayList<>();
    for (Call call : calls) {
      switch (random.nextInt(400)) {
        case 0 ->
          edited.add(new Call(call.tool(), JsonObject.of("other", edited.size()), call.output()));
        case 1 ->
          edited.add(new Call(call.tool(), call.params(), JsonValue.of("out " + edited.size())));
        case 2 -> {
          edited.add(call);
          edited.add(new Call("added", JsonObject.of("n", edited.size()), call.output()));
        }
        case 3 -> {}
        default -> edited.add(call);
      }
    }
    Collections.rotate(edited.subList(edited.size() / 2, edited.size() / 2 + 20), 5);
    return edited;
  }

  static Session write(Path log, List<Call> calls) throws IOException {
    Files.deleteIfExists(log);
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("benchmark"))) {
      int number = 0;
      for (Call call : calls) {
        String id = "call-" + number++;
        writer.emit(ToolCall.of(id, call.tool(), call.params()));
        writer.emit(ToolResult.of(id, call.output()).withOutcome(Outcome.OK).withLatencyMillis(5L));
      }
    }
    return new Session(log, null);
  }
}

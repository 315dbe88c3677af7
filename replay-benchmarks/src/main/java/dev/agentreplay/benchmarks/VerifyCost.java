package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Measures the verification of a session of {@value #CALLS} calls with its receipt, relative to
 * reading it and hashing its bytes, the minimum work of any verifier. The rounds are interleaved,
 * so that other load of the machine affects them equally.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.VerifyCost
 * </pre>
 */
public final class VerifyCost {

  private static final int CALLS = 20_000;
  private static final int WARM_UP_ROUNDS = 10;
  private static final int ROUNDS = 31;
  private static final SessionVerifier VERIFIER = SessionVerifier.of(VerifyPolicy.defaults());

  private VerifyCost() {}

  /** Measures and prints medians. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("replay-verify");
    try {
      Session session = record(directory, CALLS);
      long[] read = new long[ROUNDS];
      long[] receipt = new long[ROUNDS];
      long[] hash = new long[ROUNDS];
      long[] verify = new long[ROUNDS];
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        int at = Math.max(round, 0);
        read[at] = Rounds.time(() -> Rounds.read(session));
        receipt[at] = Rounds.time(() -> readReceipt(session));
        hash[at] = Rounds.time(() -> session.replayHash());
        verify[at] = Rounds.time(() -> verify(session));
      }
      long bytes = Files.size(session.log());
      System.out.printf("a session of %,d bytes and %,d calls%n", bytes, CALLS);
      print("read", read, bytes);
      print("receipt", receipt, Files.size(Objects.requireNonNull(session.receipt())));
      print("hash", hash, bytes);
      print("verify", verify, bytes);
      System.out.printf(
          "verify takes %.2f times as long as to read and to hash%n",
          (double) Rounds.median(verify)
              / (Rounds.median(read) + Rounds.median(receipt) + Rounds.median(hash)));
    } finally {
      Rounds.delete(directory);
    }
  }

  static void readReceipt(Session session) throws IOException {
    byte[] bytes = Files.readAllBytes(Objects.requireNonNull(session.receipt()));
    if (!JsonText.parse(bytes).asObject().has("tool_calls")) {
      throw new IllegalStateException("the receipt lists no calls");
    }
  }

  static void verify(Session session) throws IOException {
    VerificationReport report = VERIFIER.verify(session);
    if (report.verdict() != Verdict.VALID) {
      throw new IllegalStateException("the session is " + report.verdict());
    }
  }

  private static void print(String what, long[] nanos, long bytes) {
    System.out.printf(
        "%-7s %7.1f ms %7.0f MB/s%n",
        what, Rounds.median(nanos) / 1e6, bytes * 1e3 / Rounds.median(nanos));
  }

  /** A session with the repeated calls and outputs of a recorded one. */
  static Session record(Path directory, int count) throws IOException {
    List<ToolCall> calls = ReadLog.events(ToolCall.class);
    List<JsonValue> outputs = ReadLog.events(ToolResult.class).stream()
        .map(result -> Objects.requireNonNull(result.output().value()))
        .toList();
    try (SessionRecorder recorder = SessionRecorder.start(
        directory.resolve("session"), SessionStart.of("s"), RecorderOptions.defaults())) {
      for (int i = 0; i < count; i++) {
        ToolCall call = calls.get(i % calls.size());
        PendingCall recorded = recorder.call(
            call.tool(), Objects.requireNonNullElse(call.params().value(), JsonObject.EMPTY));
        recorded.result(outputs.get(i % outputs.size()));
      }
      recorder.end(Status.SUCCESS, 0.9);
    }
    return Session.open(directory.resolve("session"));
  }
}

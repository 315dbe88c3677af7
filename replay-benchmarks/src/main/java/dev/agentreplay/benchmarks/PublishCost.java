package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublicTree;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.publish.PublishOptions;
import dev.agentreplay.publish.SessionPublisher;
import dev.agentreplay.publish.policy.PublicationPolicy;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Measures the publication of a session under each preset, and the computation of its public tree,
 * relative to verifying the session. The rounds are interleaved, so that other load of the machine
 * affects them equally. The first argument is the number of calls, 10,000 by default.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.PublishCost
 * </pre>
 */
public final class PublishCost {

  private static final int CALLS = 10_000;
  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 7;
  private static final SessionVerifier VERIFIER = SessionVerifier.of(VerifyPolicy.defaults());
  private static final Salt SALT = Salt.of(new byte[Salt.BYTES]);

  /** A line of a file or of a log, as the tools of coding agents return them. */
  private static final String LINE =
      "  at com.example.service.OrderService.place(OrderService.java:%d) key=%s token count 12\n";

  private PublishCost() {}

  /** Measures and prints medians. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("replay-publish");
    try {
      Session session =
          record(directory.resolve("session"), args.length > 0 ? Integer.parseInt(args[0]) : CALLS);
      int presets = PublicationPolicy.presets().size();
      long[] verify = new long[ROUNDS];
      long[] tree = new long[ROUNDS];
      long[][] publish = new long[presets][ROUNDS];
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        int at = Math.max(round, 0);
        verify[at] = Rounds.time(() -> VERIFIER.verify(session));
        tree[at] = Rounds.time(() -> publicTree(session));
        for (int i = 0; i < presets; i++) {
          String preset = PublicationPolicy.presets().get(i);
          Path out = directory.resolve(preset);
          publish[i][at] = Rounds.time(() -> SessionPublisher.publish(
              session,
              out,
              PublishOptions.defaults()
                  .withPolicy(PublicationPolicy.preset(preset))
                  .withOverwrite(true)));
        }
      }
      long bytes = Files.size(session.log());
      System.out.printf("a session of %,d bytes%n", bytes);
      print("verify", verify, bytes, verify);
      print("read, public tree", tree, bytes, verify);
      for (int i = 0; i < presets; i++) {
        print(PublicationPolicy.presets().get(i), publish[i], bytes, verify);
      }
    } finally {
      Rounds.delete(directory);
    }
  }

  private static void publicTree(Session session) throws IOException {
    PublicTree tree = new PublicTree(PublicForm.DEFAULT, SALT);
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        tree.add(line.bytes(), line.json(), CanonicalJson.SERDE);
      }
    }
  }

  private static Session record(Path directory, int calls) throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "published")) {
      for (int i = 0; i < calls; i++) {
        PendingCall call =
            recorder.call("read_file", JsonObject.of("path", "src/File" + i + ".java", "limit", i));
        StringBuilder output = new StringBuilder();
        for (int line = 0; line < 25; line++) {
          output.append(LINE.formatted(i + line, "user-" + line));
        }
        call.result(JsonObject.of("stdout", output.toString(), "exit_code", 0));
      }
      recorder.end(Status.SUCCESS, 0.9);
    }
    return Session.open(directory);
  }

  private static void print(String what, long[] nanos, long bytes, long[] verify) {
    System.out.printf(
        "%-18s %8.1f ms %6.0f MB/s %6.2f x verify%n",
        what,
        Rounds.median(nanos) / 1e6,
        bytes * 1e3 / Rounds.median(nanos),
        (double) Rounds.median(nanos) / Rounds.median(verify));
  }
}

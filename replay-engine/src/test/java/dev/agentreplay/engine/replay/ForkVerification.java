package dev.agentreplay.engine.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.verify.Expectation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A recording, a fork of it, and ways to alter them before they are verified. */
abstract class ForkVerification {

  static final int TURNS = 4;

  @TempDir
  Path directory;

  final SampleAgent agent = new SampleAgent(TURNS);
  Session parent;

  /** The line of the point. */
  long line;

  /** The directory of the fork. */
  Path out;

  @BeforeEach
  void record() throws Exception {
    parent = agent.record(directory.resolve("parent"), SampleAgent.withContext());
    line = ForkPoints.of(parent).all().get(5).line();
    fork("fork");
  }

  /** Forks the parent at the line. */
  void fork(String name) throws Exception {
    out = directory.resolve(name);
    Replay.of(parent)
        .mode(ReplayMode.MOCK)
        .executors(agent.executors())
        .policy(ReplayPolicy.of(ReplayMode.MOCK).withEffect("read_file", Effect.PURE))
        .fork(Fork.at(line).set("/output", JsonString.of("changed")))
        .directory(out)
        .run(agent);
  }

  VerificationReport verify() throws Exception {
    return verify(parent);
  }

  VerificationReport verify(Session of) throws Exception {
    return verify(of, SignatureVerifier.NONE);
  }

  VerificationReport verify(Session of, SignatureVerifier keys) throws Exception {
    VerifyPolicy policy = VerifyPolicy.defaults().withKeys(keys).expecting(Expectation.forkOf(of));
    return SessionVerifier.of(policy).verify(Session.open(out).withReceipt(null));
  }

  /** Changes the lines of the fork, or of its parent, so that every other check passes. */
  void forge(Path session, UnaryOperator<List<String>> change) throws Exception {
    Path log = session.resolve(Session.LOG_NAME);
    List<String> lines = change.apply(new ArrayList<>(Files.readAllLines(log)));
    Files.writeString(log, String.join("\n", lines) + "\n");
  }

  static String edit(String line, UnaryOperator<JsonObject> change) {
    JsonObject edited = change.apply(JsonText.parse(line).asObject());
    return new String(CanonicalJson.SERDE.bytes(edited), UTF_8);
  }

  void forgeLine(String contains, int occurrence, UnaryOperator<JsonObject> change)
      throws Exception {
    forge(out, lines -> {
      int found = 0;
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).contains(contains) && found++ == occurrence) {
          lines.set(i, edit(lines.get(i), change));
        }
      }
      return lines;
    });
  }

  static JsonObject withOutput(JsonObject event, JsonValue output) {
    return event
        .with("output", output)
        .with("output_hash", CanonicalJson.SERDE.hash(output).toString());
  }

  static List<String> messages(VerificationReport report, FindingCode code) {
    return report.findings().stream()
        .filter(finding -> finding.code() == code)
        .map(Finding::message)
        .toList();
  }
}

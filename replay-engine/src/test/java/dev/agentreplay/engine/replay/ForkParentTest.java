package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.verify.SessionSigner;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session that is not the parent of a fork, or is no longer, is found. */
class ForkParentTest extends ForkVerification {

  @Test
  void a_different_recording_is_not_the_parent() throws Exception {
    SampleAgent other = new SampleAgent(TURNS);
    other.task = "Fix the logout.";
    Session recording = other.record(directory.resolve("other"), SampleAgent.withContext());

    assertThat(messages(verify(recording), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .contains("the tree over the first " + (line - 1) + " lines of the parent has the root");
    Session shorter = new SampleAgent(1).record(directory.resolve("shorter"));
    assertThat(messages(verify(shorter), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .matches("the fork begins after \\d+ lines, but the parent has \\d+");
  }

  @Test
  void a_parent_that_was_changed_is_not_the_parent() throws Exception {
    forge(directory.resolve("parent"), lines -> {
      lines.set(3, lines.get(3).replace("file-1", "file-2"));
      return lines;
    });

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .endsWith("is invalid");
  }

  @Test
  void a_session_that_is_not_a_fork_has_no_parent() throws Exception {
    out = directory.resolve("parent");

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .containsExactly("the header states no forked_from: the session is not a fork");
  }

  @Test
  void a_malformed_origin_is_found() throws Exception {
    forgeLine(
        "\"ReplayHeader\"",
        0,
        header -> header.with(
            "forked_from", header.get("forked_from").asObject().with("tree_size", "12")));

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .containsExactly("the header states a forked_from that is not of the known form");
  }

  @Test
  void a_point_that_was_moved_is_found() throws Exception {
    JsonObject earlier = JsonText.parse(
            Files.readAllLines(out.resolve(Session.LOG_NAME)).get(0))
        .at("/forked_from")
        .asObject()
        .with("tree_size", 4);
    forgeLine("\"ReplayHeader\"", 0, header -> header.with("forked_from", earlier));

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH)).hasSize(1);
  }

  @Test
  void a_parent_that_was_truncated_after_the_point_is_found() throws Exception {
    forge(directory.resolve("parent"), lines -> lines.subList(0, (int) line + 1));
    Files.delete(directory.resolve("parent").resolve(Session.RECEIPT_NAME));

    assertThat(messages(
            verify(Session.open(directory.resolve("parent"))), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .startsWith("the parent had ");
  }

  @Test
  void a_different_session_id_is_found() throws Exception {
    forgeLine(
        "\"ReplayHeader\"",
        0,
        header -> header.with(
            "forked_from", header.get("forked_from").asObject().with("session_id", "other")));

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .containsExactly("the parent is the session sample, but the fork states other");
  }

  @Test
  void a_parent_that_was_appended_to_is_the_parent() throws Exception {
    Path log = parent.log();
    List<String> lines = Files.readAllLines(log);
    Files.delete(log.resolveSibling(Session.RECEIPT_NAME));
    forge(directory.resolve("parent"), all -> all.subList(0, all.size() - 1));
    parent = Session.open(directory.resolve("parent"));
    fork("early");
    forge(directory.resolve("parent"), all -> lines);

    VerificationReport report = verify();

    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.PARENT_LINES_VERIFIED)).isEqualTo(line - 1);
  }

  @Test
  void a_parent_that_is_being_written_is_read_up_to_its_incomplete_line() throws Exception {
    Path open = directory.resolve("open");
    try (SessionRecorder recorder = SessionRecorder.start(open, "open")) {
      agent.ends = false;
      agent.run(AgentScope.recording(recorder, agent.executors()));
      recorder.sync();
      parent = Session.open(open);
      fork("early");
      byte[] whole = Files.readAllBytes(parent.log());
      Files.writeString(parent.log(), "{\"event\":", StandardOpenOption.APPEND);

      assertThat(messages(verify(), FindingCode.PARENT_MISMATCH)).isEmpty();
      Files.write(parent.log(), whole);
    }
  }

  /** Changes a line of the parent after the point, and removes its receipt, which states a hash. */
  private void rewriteEnd() throws Exception {
    forge(directory.resolve("parent"), lines -> {
      int last = lines.size() - 1;
      lines.set(last, edit(lines.get(last), end -> end.with("confidence", 0.8)));
      return lines;
    });
    Files.deleteIfExists(parent.log().resolveSibling(Session.RECEIPT_NAME));
  }

  @Test
  void a_parent_that_was_changed_after_the_point_is_found_by_the_root_over_all_its_lines()
      throws Exception {
    rewriteEnd();
    parent = Session.open(directory.resolve("parent"));
    int lines = Files.readAllLines(parent.log()).size();

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .startsWith("the tree over the first %d lines of the parent has the root ".formatted(lines))
        .contains(", but replay_of states sha256:");

    forgeLine("\"ReplayHeader\"", 0, header -> header.without("replay_of"));
    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void a_parent_that_is_rewritten_between_two_reads_is_not_compared() throws Exception {
    SessionSigner.sign(parent, Ed25519Signer.generate());
    Files.delete(parent.log().resolveSibling(Session.ENVELOPE_NAME));
    Files.deleteIfExists(parent.log().resolveSibling(Session.PUBLIC_CHECKPOINT_NAME)); // read first
    forgeLine("\"ReplayHeader\"", 0, header -> header.without("replay_of"));
    SignatureVerifier rewriting = (signature, message) -> {
      try {
        rewriteEnd();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      return SignatureVerifier.Outcome.VALID;
    };

    VerificationReport report = verify(Session.open(directory.resolve("parent")), rewriting);

    assertThat(messages(report, FindingCode.PARENT_MISMATCH))
        .containsExactly(
            "the parent cannot be read: %s: changed while it was read".formatted(parent.log()));
    assertThat(report.count(Counter.PARENT_LINES_VERIFIED)).isZero();
  }

  @Test
  void a_parent_that_was_rewritten_together_with_the_fork_is_found_by_its_signature()
      throws Exception {
    Ed25519Signer signer = Ed25519Signer.generate();
    SignatureVerifier keys = Ed25519Verifier.of(List.of(signer.publicKey()));
    SessionSigner.sign(parent, signer);
    assertThat(verify(Session.open(directory.resolve("parent")), keys).findings())
        .isEmpty();
    JsonValue signature = receipt("parent").get("signature");

    agent.task = "Fix the logout.";
    parent = agent.record(directory.resolve("rewritten"), SampleAgent.withContext());
    fork("rewritten-fork");
    JsonObject receipt = receipt("rewritten").with("signature", signature);
    Files.write(
        parent.log().resolveSibling(Session.RECEIPT_NAME), CanonicalJson.SERDE.bytes(receipt));

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH)).isEmpty();
    assertThat(messages(verify(parent, keys), FindingCode.PARENT_MISMATCH))
        .containsExactly("the parent, %s, is invalid".formatted(parent.log()));
  }

  private JsonObject receipt(String session) throws Exception {
    Path file = directory.resolve(session).resolve(Session.RECEIPT_NAME);
    return JsonText.parse(Files.readString(file)).asObject();
  }
}

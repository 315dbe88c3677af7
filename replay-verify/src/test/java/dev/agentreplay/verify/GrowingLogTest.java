package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.ReplayWriter;
import dev.agentreplay.io.Session;
import dev.agentreplay.io.TamperEvidence;
import dev.agentreplay.io.WriterOptions;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log is verified while it grows, and each line read once. */
class GrowingLogTest {

  private static final ReceiptVerifier VERIFIER = ReceiptVerifier.of(VerifyPolicy.defaults());

  @TempDir
  private Path directory;

  private static Path shared;

  @BeforeContainer
  static void create() throws IOException {
    shared = Files.createTempDirectory("growing");
  }

  @AfterContainer
  static void delete() throws IOException {
    try (Stream<Path> files = Files.list(shared)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(shared);
  }

  @Property(tries = 300)
  void steps_come_to_what_one_verification_of_all_comes_to(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<String> lines = faulty(random);
    Path file = shared.resolve("REPLAY.jsonl");
    Session session = new Session(file, null);
    Files.write(file, new byte[0]);
    VerificationReport report = VERIFIER.verify(session);
    List<Finding> inLines = new ArrayList<>();
    for (int from = 0, to; from < lines.size(); from = to) {
      to = Math.min(lines.size(), from + 1 + random.nextInt(5));
      Files.write(file, text(lines.subList(0, to)));
      VerificationState state = report.state();
      report =
          state == null ? VERIFIER.verify(session) : VERIFIER.verify(session, roundTrip(state));
      if (state == null) {
        inLines.clear();
      }
      report.findings().stream().filter(GrowingLogTest::isInLine).forEach(inLines::add);
      long read = report.count(Counter.LINES_NOT_READ_AGAIN);
      assertThat(read).isEqualTo(state == null ? 0 : from);
    }

    VerificationReport all = VERIFIER.verify(session);
    assertThat(counts(report)).isEqualTo(counts(all));
    assertThat(report.findingCounts()).isEqualTo(all.findingCounts());
    assertThat(report.verdict()).isEqualTo(all.verdict());
    assertThat(inLines)
        .containsExactlyInAnyOrderElementsOf(
            all.findings().stream().filter(GrowingLogTest::isInLine).toList());
    if (all.state() != null) {
      assertThat(Objects.requireNonNull(report.state()).tree())
          .isEqualTo(all.state().tree());
      assertThat(report.state().next()).isEqualTo(all.state().next());
    }
  }

  /** Not those that are found only because the log ends there. */
  private static boolean isInLine(Finding finding) {
    return finding.position() != null && finding.code() != FindingCode.CALL_WITHOUT_RESULT;
  }

  private static List<Long> counts(VerificationReport report) {
    return report.counts().entrySet().stream()
        .filter(count -> count.getKey() != Counter.LINES_NOT_READ_AGAIN)
        .map(count -> count.getValue())
        .toList();
  }

  private static VerificationState roundTrip(VerificationState state) {
    String text = state.toJson().toString();
    VerificationState read = VerificationState.fromJson(JsonText.parse(text).asObject());
    assertThat(read.toJson()).isEqualTo(state.toJson());
    return read;
  }

  /** A log in which something is wrong here and there. */
  private static List<String> faulty(Random random) {
    TestLog log = TestLog.small();
    if (random.nextInt(4) > 0) {
      log = log.remove(TestLog.END);
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      log = log.checkpoint(2 + random.nextInt(log.size() - 1));
    }
    for (int i = random.nextInt(12); i > 0; i--) {
      int at = 1 + random.nextInt(log.size());
      String id = random.nextInt(3) == 0 ? "c-" + "x".repeat(80) : "c-" + random.nextInt(4);
      log = switch (random.nextInt(8)) {
        case 0 -> log.insert(at, TestLog.call(id, "read", JsonObject.of("n", i), 9));
        case 1 -> log.insert(at, TestLog.result(id, JsonValue.of("out"), "0.5", i, 9));
        case 2 -> log.insert(at, log.line(at));
        case 3 -> log.size() > 2 ? log.remove(at) : log;
        case 4 -> log.insert(at, log.line(at).replace("sha256:", "sha256:0").replace("0f", "f0"));
        case 5 -> log.insert(at, "{\"event\":\"Thought\"}");
        case 6 -> log.insert(at, " " + log.line(at));
        default -> log.insert(at, log.line(at).replace("2026", "2025"));
      };
    }
    if (random.nextInt(6) == 0) {
      log = log.insert(1 + random.nextInt(log.size()), "{");
    }
    return new String(log.bytes(), StandardCharsets.UTF_8).lines().toList();
  }

  private static byte[] text(List<String> lines) {
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void log_in_parts_is_gone_on_with_in_the_part_where_it_is() throws IOException {
    Path file = directory.resolve("REPLAY.jsonl");
    VerificationReport report = null;
    TamperEvidence evidence = TamperEvidence.defaults().withCheckpointInterval(5);
    try (ReplayWriter writer = ReplayWriter.create(
        file,
        ReplayHeader.of("p"),
        WriterOptions.defaults().withMaxPartBytes(900).withEvidence(evidence))) {
      for (int i = 0; i < 60; i++) {
        writer.emit(StepComplete.of("step-" + i, Status.SUCCESS, i));
        Session session = Session.open(file);
        report = report == null
            ? VERIFIER.verify(session)
            : VERIFIER.verify(session, Objects.requireNonNull(report.state()));
        assertThat(report.findings())
            .extracting(Finding::code)
            .isSubsetOf(FindingCode.SESSION_END_MISSING, FindingCode.HASH_UNVERIFIABLE)
            .hasSizeLessThanOrEqualTo(2);
      }
    }
    assertThat(report.count(Counter.CHECKPOINTS_VERIFIED))
        .isEqualTo(report.count(Counter.CHECKPOINTS))
        .isGreaterThan(10);
    assertThat(report.count(FindingCode.HASH_UNVERIFIABLE)).isGreaterThan(5);
    assertThat(report.count(Counter.LINES_NOT_READ_AGAIN))
        .isGreaterThan(report.count(Counter.EVENTS) - 5);
  }

  @Test
  void checkpoint_behind_the_state_tells_when_the_lines_before_it_are_others() throws IOException {
    TestLog log = TestLog.small().remove(TestLog.END);
    TestLog other = log.edit(TestLog.PLAN, "\"step_count\":1", "\"step_count\":2");
    VerificationState state = stateOf(log);
    VerificationReport report =
        VERIFIER.verify(other.checkpoint(other.size() + 1).write(directory, null), state);
    assertThat(report.count(Counter.LINES_NOT_READ_AGAIN)).isEqualTo(9);
    assertThat(report.count(FindingCode.TREE_ROOT_MISMATCH)).isEqualTo(1);
    assertThat(report.conclusions())
        .extracting(Conclusion::text)
        .contains(
            "that the first 9 lines are still as they were verified: they were not read again");
  }

  @Test
  void log_that_is_not_what_it_was_is_read_again_and_told() throws IOException {
    TestLog log = TestLog.small().remove(TestLog.END);
    VerificationState state = stateOf(log);
    TestLog lastAltered = log.edit(TestLog.RUNTIME, "\"seq\":1", "\"seq\":2");
    for (TestLog other : List.of(log.remove(4), log.edit(2, "s-1", "a-longer-name"), lastAltered)) {
      VerificationReport report = VERIFIER.verify(other.write(directory, null), state);
      assertThat(report.count(Counter.LINES_NOT_READ_AGAIN)).isZero();
      assertThat(report.count(FindingCode.TREE_ROOT_MISMATCH)).isEqualTo(1);
    }
  }

  @Test
  void what_was_signed_before_counts_only_if_its_key_is_trusted_now() throws IOException {
    Ed25519Signer signer = Ed25519Signer.generate();
    Path file = directory.resolve("REPLAY.jsonl");
    TamperEvidence evidence =
        TamperEvidence.defaults().withCheckpointInterval(3).withSigner(signer);
    try (ReplayWriter writer = ReplayWriter.create(
        file, ReplayHeader.of("p"), WriterOptions.defaults().withEvidence(evidence))) {
      for (int i = 0; i < 10; i++) {
        writer.emit(StepComplete.of("step-" + i, Status.SUCCESS, i));
      }
      writer.sync();
    }
    Session session = new Session(file, null);
    VerifyPolicy trusting = trusting(signer);
    VerificationReport first = ReceiptVerifier.of(trusting).verify(session);
    assertThat(first.verdict()).isEqualTo(Verdict.VALID);
    VerificationState state = roundTrip(Objects.requireNonNull(first.state()));

    VerificationReport again = ReceiptVerifier.of(trusting).verify(session, state);
    assertThat(again.verdict()).isEqualTo(Verdict.VALID);
    assertThat(again.count(Counter.LINES_SIGNED)).isEqualTo(again.count(Counter.EVENTS));
    VerificationReport other =
        ReceiptVerifier.of(trusting(Ed25519Signer.generate())).verify(session, state);
    assertThat(other.count(Counter.LINES_SIGNED)).isZero();
    assertThat(other.unmet()).containsExactly(Requirement.SIGNATURE);
    assertThat(VERIFIER.verify(session, state).count(Counter.LINES_SIGNED)).isZero();
    assertThat(again.count(Counter.LINES_IN_TREE))
        .isEqualTo(first.count(Counter.LINES_IN_TREE))
        .isPositive();
    assertThat(other.count(Counter.LINES_IN_TREE)).isZero();
    VerificationState unsigned = Objects.requireNonNull(VERIFIER.verify(session).state());
    VerificationReport trustingNow = ReceiptVerifier.of(trusting).verify(session, unsigned);
    assertThat(trustingNow.count(Counter.LINES_IN_TREE))
        .as("the log's own checkpoints were all there was then")
        .isZero();
  }

  private static VerifyPolicy trusting(Ed25519Signer signer) {
    return VerifyPolicy.defaults().trusting(Ed25519Verifier.of(List.of(signer.publicKey())));
  }

  @Test
  void session_with_a_receipt_is_not_gone_on_with() throws IOException {
    TestLog log = TestLog.small().remove(TestLog.END);
    JsonObject receipt = TestLog.small().sessionReceipt();
    assertThat(log.verify(directory, receipt).state()).isNull();
  }

  @Test
  void receipt_or_earlier_checkpoint_has_all_read_again() throws IOException {
    TestLog log = TestLog.small();
    VerificationState state = stateOf(log.remove(TestLog.END));
    Session ended = log.write(directory, JsonText.pretty(log.sessionReceipt()));
    VerificationReport whole = VERIFIER.verify(ended, state);
    assertThat(whole.findings()).isEmpty();
    assertThat(whole.count(Counter.LINES_NOT_READ_AGAIN)).isZero();
    assertThat(whole.count(Counter.TREE_ROOTS_VERIFIED)).isZero(); // the state vouches for nothing
    assertThat(whole.state()).isNull();

    VerifyPolicy policy = VerifyPolicy.defaults().withCheckpoints(List.of(log.tree(4)));
    VerificationReport earlier = ReceiptVerifier.of(policy).verify(ended.withReceipt(null), state);
    assertThat(earlier.count(Counter.LINES_NOT_READ_AGAIN)).isZero();
    assertThat(earlier.count(Counter.TREE_ROOTS_VERIFIED)).isEqualTo(1);
  }

  @Test
  void line_without_end_is_not_gone_on_behind() throws IOException {
    TestLog log = TestLog.small().remove(TestLog.END);
    assertThat(VERIFIER.verify(log.cut(1).write(directory, null)).state()).isNull();
    assertThat(VERIFIER.verify(log.cut(9).write(directory, null)).state()).isNull();
  }

  @Test
  void state_that_contradicts_itself_is_refused() throws IOException {
    JsonObject json = stateOf(TestLog.small().remove(TestLog.END)).toJson();
    for (String name : json.names()) {
      assertThatThrownBy(() -> VerificationState.fromJson(json.without(name)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("/" + name);
    }
    refused(json.with("schema", "replay.verified/2"), "/schema");
    refused(json.with("tree_root", "sha256:" + "0".repeat(64)), "/tree_root");
    refused(json.with("tree_size", 8), "edge");
    refused(json.with("line", 3), "/line");
    refused(json.with("lines_in_tree", 10), "/lines_in_tree");
    refused(json.with("signed_checkpoint", JsonObject.of("tree_size", 9)), "/signed_checkpoint");
    refused(json.with("counts", JsonObject.of("events", 8)), "/counts/events");
    refused(json.with("call_ids", "AAAA"), "/call_ids");
    refused(json.with("counts", JsonObject.of("more", 1)), "/counts");
    refused(json.with("dialect", "x"), "/dialect");
  }

  private static void refused(JsonObject json, String place) {
    assertThatThrownBy(() -> VerificationState.fromJson(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(place);
  }

  private VerificationState stateOf(TestLog log) throws IOException {
    return Objects.requireNonNull(VERIFIER.verify(log.write(directory, null)).state());
  }
}

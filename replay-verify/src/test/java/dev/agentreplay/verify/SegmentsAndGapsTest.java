package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.ReceiptAccumulator;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in several segments, and logs with gaps. */
class SegmentsAndGapsTest {

  @TempDir
  private Path directory;

  @Test
  void segments_that_state_what_went_before_verify() throws IOException {
    TestLog log =
        withSegment(withSegment(TestLog.small(), TestLog.PLAN, 2), TestLog.VERIFICATION, 3);
    assertThat(log.verify(directory, null).findings()).isEmpty();
  }

  @Test
  void segment_that_states_something_else_is_found_with_both() throws IOException {
    TestLog log = withSegment(TestLog.small(), TestLog.PLAN, 2);
    JsonObject segment = log.json(TestLog.PLAN);
    String hash = segment.get("hash_before").asString();
    String other = "sha256:" + "0".repeat(64);
    for (JsonObject wrong : List.of(
        segment.with("segment", 3),
        segment.with("lines_before", 1),
        segment.with("bytes_before", 7),
        segment.with("hash_before", other))) {
      assertThat(mismatches(log.replace(TestLog.PLAN, CanonicalJson.SERDE.text(wrong))))
          .hasSize(1);
    }
    String wrong = CanonicalJson.SERDE.text(segment.with("hash_before", other));
    assertThat(mismatches(log.replace(TestLog.PLAN, wrong)))
        .containsExactly("LogSegment: hash_before is " + other + ", expected " + hash);
    assertThat(mismatches(withSegment(TestLog.small(), TestLog.PLAN, 7)))
        .containsExactly("LogSegment: segment is 7, expected 2");
  }

  @Test
  void change_of_any_line_before_a_segment_is_found() throws IOException {
    TestLog log = withSegment(TestLog.small(), TestLog.CALL_1, 2);
    for (int line = 1; line < TestLog.CALL_1; line++) {
      TestLog changed = log.edit(line, "2026-01-13", "2026-01-12");
      assertThat(mismatches(changed)).as("line %d", line).hasSize(1);
    }
    assertThat(mismatches(log.edit(TestLog.CALL_1 + 1, "2026-01-13", "2026-01-12")))
        .isEmpty();
  }

  @Test
  void segment_of_a_damaged_log_is_compared_with_what_is_known() throws IOException {
    TestLog log = withSegment(TestLog.small(), TestLog.CALL_1, 2).replace(2, "x");
    assertThat(mismatches(log)).hasSize(1).allMatch(message -> message.contains("bytes_before"));
    String sameLength = "x".repeat(TestLog.small().line(2).length());
    assertThat(mismatches(withSegment(TestLog.small(), TestLog.CALL_1, 2).replace(2, sameLength)))
        .isEmpty();
  }

  @Test
  void file_that_does_not_begin_with_its_statement_is_found() throws IOException {
    TestLog log = TestLog.small();
    Path file = Files.write(directory.resolve("REPLAY.jsonl"), log.bytes());
    Path second = directory.resolve("REPLAY.jsonl.2");
    Files.writeString(second, log.line(TestLog.PLAN) + "\n");
    assertThat(mismatches(file))
        .containsExactly("segment 2 begins with PlanStart, expected LogSegment");
    Files.writeString(second, "{\"event\":\"Handoff\"}\n");
    assertThat(mismatches(file))
        .containsExactly("segment 2 begins with an unknown event, expected LogSegment");

    TestLog segments = withSegment(log, TestLog.PLAN, 2);
    int cut = (int) segments.offset(TestLog.PLAN);
    Files.write(file, Arrays.copyOf(segments.bytes(), cut));
    Files.write(second, Arrays.copyOfRange(segments.bytes(), cut, segments.bytes().length));
    assertThat(mismatches(file)).isEmpty();

    Path third = Files.move(second, directory.resolve("REPLAY.jsonl.3"));
    assertThatThrownBy(() -> mismatches(file))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("it is missing, but " + third.getFileName() + " exists");
  }

  @Test
  void fault_of_segments_is_the_same_to_verification_and_recovery() throws IOException {
    TestLog good = withSegment(TestLog.small(), TestLog.PLAN, 2);
    JsonObject beginning = good.json(TestLog.PLAN);
    List<TestLog> logs = new ArrayList<>(List.of(TestLog.small(), good));
    for (JsonObject wrong : List.of(
        beginning.with("segment", 3),
        beginning.with("lines_before", 9),
        beginning.with("bytes_before", 1_000_000),
        beginning.with("hash_before", "sha256:" + "0".repeat(64)))) {
      logs.add(good.replace(TestLog.PLAN, CanonicalJson.SERDE.text(wrong)));
    }
    for (TestLog log : logs) {
      assertSameFault(log, log.offset(TestLog.PLAN), log == good ? 0 : 1);
      assertSameFault(log, log.offset(TestLog.PLAN) + 20, 1);
      assertSameFault(log, log.bytes().length - 20, 1);
    }
  }

  @Test
  void torn_line_in_two_files_is_the_same_fault_to_both() throws IOException {
    byte[] bytes = TestLog.small().bytes();
    byte[] torn = Arrays.copyOf(bytes, bytes.length - 10);
    assertSameFault(torn, torn.length - 20, 1);
    assertThat(SessionVerifier.of(VerifyPolicy.defaults())
            .verify(Session.open(directory.resolve("REPLAY.jsonl")))
            .findingCounts())
        .containsKeys(FindingCode.TORN_TAIL, FindingCode.REPLAY_HASH_MISMATCH);
  }

  @Test
  void torn_line_that_begins_with_a_file_and_ends_in_the_next_is_found() throws IOException {
    TestLog log = TestLog.small();
    byte[] torn = Arrays.copyOf(log.bytes(), log.bytes().length - 10);
    int line = (int) log.offset(10);
    Files.write(
        directory.resolve("REPLAY.jsonl.3"), Arrays.copyOfRange(torn, line + 20, torn.length));
    assertSameFault(Arrays.copyOf(torn, line + 20), line, 1);
    assertThat(mismatches(directory.resolve("REPLAY.jsonl")))
        .containsExactly("segment 2 ends within this line");
  }

  private void assertSameFault(TestLog log, long cut, int faults) throws IOException {
    assertSameFault(log.bytes(), cut, faults);
  }

  private void assertSameFault(byte[] bytes, long cut, int faults) throws IOException {
    Path file = directory.resolve("REPLAY.jsonl");
    Files.write(file, Arrays.copyOf(bytes, (int) cut));
    Files.write(
        directory.resolve("REPLAY.jsonl.2"), Arrays.copyOfRange(bytes, (int) cut, bytes.length));
    List<Finding> found = mismatchFindings(file);
    Recovery recovery = LogRecovery.of(file).inspect();
    if (faults == 0) {
      assertThat(found).isEmpty();
      assertThat(recovery).isNotInstanceOf(Recovery.Corrupt.class);
      return;
    }
    assertThat(recovery)
        .isInstanceOfSatisfying(Recovery.Corrupt.class, corrupt -> assertThat(found.get(0))
            .isEqualTo(new Finding(corrupt.code(), corrupt.position(), corrupt.detail())));
  }

  @Test
  void lines_that_are_missing_before_several_segments_are_found_once() throws IOException {
    TestLog log =
        withSegment(withSegment(TestLog.small(), TestLog.PLAN, 2), TestLog.VERIFICATION, 3);
    assertThat(mismatches(log.remove(2)))
        .hasSize(1)
        .allMatch(message -> message.endsWith(
            "; 1 lines and %d bytes before it are missing".formatted(log.line(2).length() + 1)));
  }

  private static List<Finding> mismatchFindings(Path log) throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults())
        .verify(new Session(log, null))
        .findings()
        .stream()
        .filter(finding -> finding.code() == FindingCode.REPLAY_HASH_MISMATCH)
        .toList();
  }

  private static List<String> mismatches(Path log) throws IOException {
    return mismatchFindings(log).stream().map(Finding::message).toList();
  }

  @Test
  void gaps_are_in_both_forms_of_the_receipt_and_verify() throws IOException {
    TestLog log = withGap(withGap(TestLog.small(), 3), 4);
    for (Receipt receipt : receipts(log)) {
      JsonObject json = ReceiptCodec.encode(receipt);
      assertThat(json.get("unrecorded_events").asLong()).isEqualTo(7);
      VerificationReport report = log.verify(directory, json);
      assertThat(report.findings())
          .extracting(Finding::message)
          .containsExactly("4 events were not recorded", "3 events were not recorded");
    }
  }

  @Test
  void receipt_of_a_log_without_gaps_does_not_mention_them() throws IOException {
    for (Receipt receipt : receipts(TestLog.small())) {
      assertThat(ReceiptCodec.encode(receipt).has("unrecorded_events")).isFalse();
    }
  }

  @Test
  void receipt_that_states_other_gaps_is_found() throws IOException {
    TestLog log = withGap(TestLog.small(), 1);
    for (Receipt receipt : receipts(log)) {
      JsonObject wrong =
          TestLog.digested(ReceiptCodec.encode(receipt).with("unrecorded_events", 2));
      assertThat(log.verify(directory, wrong).findings())
          .filteredOn(finding -> finding.code() == FindingCode.RECEIPT_FIELD_MISMATCH)
          .extracting(Finding::message)
          .containsExactly("session: unrecorded_events is 1 in the log, but 2 in the receipt");
      TestLog removed = TestLog.small();
      assertThat(removed.verify(directory, wrong).findings())
          .extracting(Finding::message)
          .contains("session: unrecorded_events is 0 in the log, but 2 in the receipt");
    }
  }

  private List<String> mismatches(TestLog log) throws IOException {
    return log.verify(directory, null).findings().stream()
        .filter(finding -> finding.code() == FindingCode.REPLAY_HASH_MISMATCH)
        .map(Finding::message)
        .toList();
  }

  private static TestLog withGap(TestLog log, int events) {
    String gap =
        "{\"event\":\"RecordingGap\",\"t\":\"2026-01-13T10:00:01Z\",\"unrecorded_events\":%d}"
            .formatted(events);
    return log.insert(TestLog.PLAN, gap);
  }

  /** With the line that begins a segment, which states what is before it. */
  private static TestLog withSegment(TestLog log, int line, int segment) {
    long offset = log.offset(line);
    byte[] before = Arrays.copyOf(log.bytes(), (int) offset);
    ContentHash hash = ContentHash.of(ContentHash.newDigest().digest(before));
    return log.insert(
        line,
        CanonicalJson.SERDE.text(JsonObject.of(
            "event",
            "LogSegment",
            "segment",
            segment,
            "lines_before",
            line - 1,
            "bytes_before",
            offset,
            "hash_before",
            hash.toString(),
            "t",
            log.json(line - 1).get("t"))));
  }

  private static List<Receipt> receipts(TestLog log) throws IOException {
    ReceiptAccumulator session = new ReceiptAccumulator();
    ReceiptAccumulator trajectory = new ReceiptAccumulator();
    try (ReplayReader reader = ReplayReader.of(new ByteArrayInputStream(log.bytes()), "test")) {
      for (ReplayLine line : reader) {
        session.add(line.event());
        trajectory.add(line.event(), line.json());
      }
    }
    return List.of(
        session.toSessionReceipt(null),
        trajectory.toReceipt(Receipt.Form.OPENAGENTS_V1, null, null));
  }
}

package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.PendingModelCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are kept next to the log are compared with its hashes; a log may be compressed. */
class BlobVerificationTest {

  private static final int RESULT_LINE = 4;

  @TempDir
  private Path directory;

  private Path blob;

  @BeforeEach
  void record() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(20);
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      session.call("tool", JsonObject.EMPTY).result("a long output in a blob");
      session.call("tool", JsonObject.EMPTY).result("a long output in a blob");
      session.call("tool", JsonObject.EMPTY).result("short");
      session.end(Status.SUCCESS, 1);
    }
    try (Stream<Path> blobs = Files.list(directory.resolve("blobs"))) {
      List<Path> all = blobs.toList();
      assertThat(all).hasSize(1);
      blob = all.get(0);
    }
  }

  @Test
  void blob_that_is_there_verifies_the_hash_of_the_output() throws IOException {
    VerificationReport report = verify();
    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.OUTPUT_HASHES_VERIFIED)).isEqualTo(3);
    assertThat(report.count(Counter.RECEIPT_CALLS_MATCHED)).isEqualTo(3);
  }

  @Test
  void blob_of_params_is_checked_like_that_of_an_output() throws IOException {
    Path other = directory.resolve("other");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(20);
    try (SessionRecorder session = SessionRecorder.start(other, SessionStart.of("s"), options)) {
      session.call("tool", JsonObject.of("text", "a long text in a blob")).result("short");
      session.end(Status.SUCCESS, 1);
    }
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(other));
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.PARAMS_HASHES_VERIFIED)).isEqualTo(1);
    assertThat(report.count(Counter.PREVIEWS_VERIFIED)).isEqualTo(1);
    Path log = other.resolve("REPLAY.jsonl");
    String lines = Files.readString(log);

    Files.writeString(log, lines.replace("params_preview\":\"{", "params_preview\":\"["));
    assertThat(SessionVerifier.of(VerifyPolicy.defaults())
            .verify(Session.open(other))
            .findingCounts())
        .containsEntry(FindingCode.PREVIEW_MISMATCH, 1L);
    Files.writeString(log, lines);
    try (Stream<Path> blobs = Files.list(other.resolve("blobs"))) {
      blob = blobs.findFirst().orElseThrow();
    }
    Files.writeString(blob, Files.readString(blob).replace("long", "LONG"));
    report = SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(other));
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findingCounts()).containsOnlyKeys(FindingCode.BLOB_MISMATCH);
    assertThat(report.count(Counter.PARAMS_HASHES_MISMATCHED)).isEqualTo(1);
    Files.delete(blob);
    report = SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(other));
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.findingCounts()).containsOnlyKeys(FindingCode.HASH_UNVERIFIABLE);
  }

  @Test
  void previews_of_the_texts_of_a_process_are_compared_with_the_blob() throws IOException {
    Path other = directory.resolve("other");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(20);
    JsonObject output = JsonObject.of("stdout", "o".repeat(60_000), "stderr", "no \"route\"");
    try (SessionRecorder session = SessionRecorder.start(other, SessionStart.of("s"), options)) {
      session.call("tool", JsonObject.EMPTY).result(output);
      session.end(Status.SUCCESS, 1);
    }
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());
    VerificationReport report = verifier.verify(Session.open(other));
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.PREVIEWS_VERIFIED)).isEqualTo(3);

    Path log = other.resolve("REPLAY.jsonl");
    String lines = Files.readString(log);
    for (String name : List.of("stdout", "stderr")) {
      Files.writeString(log, lines.replaceAll(name + "_preview\":\".", name + "_preview\":\"X"));
      report = verifier.verify(Session.open(other));
      assertThat(report.findings())
          .extracting(Finding::message)
          .anyMatch(message -> message.startsWith(name + "_preview is \"X")
              && message.endsWith("which does not follow from output/" + name));
      assertThat(report.count(Counter.PREVIEWS_MISMATCHED)).isEqualTo(1);
    }
    Files.writeString(log, lines);
    try (Stream<Path> blobs = Files.list(other.resolve("blobs"))) {
      Files.delete(blobs.findFirst().orElseThrow());
    }
    report = verifier.verify(Session.open(other));
    assertThat(report.count(Counter.PREVIEWS_UNVERIFIABLE)).isEqualTo(3);
  }

  @Test
  void preview_of_a_text_in_the_log_is_compared_with_it() throws IOException {
    Path other = directory.resolve("other");
    try (SessionRecorder session = SessionRecorder.start(other, "s")) {
      session
          .call("tool", JsonObject.EMPTY)
          .result(
              JsonObject.of("stdout", "yes"),
              Outcome.exit(0).withStreams(new StreamPreviews("yes", "separate")));
      session.end(Status.SUCCESS, 1);
    }
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());
    VerificationReport report = verifier.verify(Session.open(other));
    assertThat(report.count(Counter.PREVIEWS_VERIFIED)).isEqualTo(1);
    assertThat(report.count(Counter.PREVIEWS_UNVERIFIABLE)).isEqualTo(1);
    Path log = other.resolve("REPLAY.jsonl");
    Files.writeString(
        log, Files.readString(log).replace("stdout_preview\":\"yes", "stdout_preview\":\"no"));
    assertThat(verifier.verify(Session.open(other)).findingCounts())
        .containsKey(FindingCode.PREVIEW_MISMATCH);
  }

  @Test
  void chunks_that_contradict_themselves_or_the_text_are_out_of_range() throws IOException {
    Path other = directory.resolve("other");
    try (SessionRecorder session = SessionRecorder.start(other, "s")) {
      PendingModelCall asked = session.modelCall("m", "?");
      asked.chunk("src/");
      asked.chunk("auth.rs");
      asked.answer();
      session.end(Status.SUCCESS, 1);
    }
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());
    assertThat(verifier.verify(Session.open(other)).findings()).isEmpty();
    Path log = other.resolve("REPLAY.jsonl");
    String lines = Files.readString(log);
    for (String chunks : List.of("[[0,4],[0,8]]", "[[-1,11]]", "[[5,4],[4,7]]", "[[0,11],[0,0]]")) {
      Files.writeString(
          log, lines.replaceAll("\"chunks\":\\[\\[[^\"]*\\]\\]", "\"chunks\":" + chunks));
      assertThat(verifier.verify(Session.open(other)).findingCounts())
          .as(chunks)
          .containsEntry(FindingCode.VALUE_OUT_OF_RANGE, 1L);
    }
    Files.writeString(log, lines.replaceAll("\"chunks\":\\[\\[[^\"]*\\]\\]", "\"chunks\":[[1]]"));
    assertThat(verifier.verify(Session.open(other)).findingCounts())
        .containsEntry(FindingCode.FIELD_INVALID, 1L);
  }

  @Test
  void chunks_are_compared_with_a_text_in_a_blob_each_time_it_is_referred_to() throws IOException {
    Path other = directory.resolve("other");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(20);
    try (SessionRecorder session = SessionRecorder.start(other, SessionStart.of("s"), options)) {
      PendingModelCall asked = session.modelCall("m", "?");
      asked.chunk("the \"answer\" is\n");
      asked.chunk("in a blob \ud83d\ude00");
      asked.answer();
      for (int i = 0; i < 2; i++) {
        PendingCall call = session.call("tool", JsonObject.EMPTY);
        call.chunk("a long output ");
        call.chunk("in a blob");
        call.result();
      }
      session.end(Status.SUCCESS, 1);
    }
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());
    assertThat(verifier.verify(Session.open(other)).findings()).isEmpty();
    Path log = other.resolve("REPLAY.jsonl");
    String lines = Files.readString(log);
    assertThat(lines).contains("answer_ref", "output_ref").doesNotContain("\"answer\":");
    Files.writeString(
        log, lines.replaceAll("\"chunks\":\\[\\[[^\"]*\\]\\]", "\"chunks\":[[0,4],[0,8]]"));
    assertThat(verifier.verify(Session.open(other)).findings())
        .filteredOn(finding -> finding.code() == FindingCode.VALUE_OUT_OF_RANGE)
        .extracting(Finding::message)
        .containsExactly(
            "chunks must add up to the 27 code points of answer: 12",
            "chunks must add up to the 23 code points of output: 12",
            "chunks must add up to the 23 code points of output: 12");
    try (Stream<Path> blobs = Files.list(other.resolve("blobs"))) {
      for (Path each : blobs.toList()) {
        Files.delete(each);
      }
    }
    assertThat(verifier.verify(Session.open(other)).findingCounts())
        .containsKey(FindingCode.HASH_UNVERIFIABLE)
        .doesNotContainKey(FindingCode.VALUE_OUT_OF_RANGE);
  }

  @Test
  void missing_blob_leaves_the_hash_unverifiable_and_is_reported() throws IOException {
    Files.delete(blob);
    VerificationReport report = verify();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.findings()).hasSize(2);
    Finding finding = report.findings().get(0);
    assertThat(finding.code()).isEqualTo(FindingCode.HASH_UNVERIFIABLE);
    assertThat(finding.position().line()).isEqualTo(RESULT_LINE);
    assertThat(finding.message()).contains("the blob " + name() + " is missing");
    assertThat(report.count(Counter.OUTPUT_HASHES_UNVERIFIABLE)).isEqualTo(2);
    assertThat(report.count(Counter.OUTPUT_HASHES_VERIFIED)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a LONG output in a blob\"", "\"a long output in a blob\n"})
  void blob_of_other_bytes_is_a_mismatch_at_each_line_that_refers_to_it(String other)
      throws IOException {
    Files.writeString(blob, other);
    VerificationReport report = verify();
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.BLOB_MISMATCH, FindingCode.BLOB_MISMATCH);
    assertThat(report.findings().get(0).position().line()).isEqualTo(RESULT_LINE);
    assertThat(report.findings().get(0).message())
        .isEqualTo("the blob %s has the hash %s"
            .formatted(name(), ContentHash.sha256(other.getBytes(StandardCharsets.UTF_8))));
    assertThat(report.count(Counter.OUTPUT_HASHES_MISMATCHED)).isEqualTo(2);
    assertThat(report.count(Counter.OUTPUT_HASHES_VERIFIED)).isEqualTo(1);
  }

  @Test
  void length_that_is_not_that_of_the_blob_is_a_mismatch() throws IOException {
    edit("\"bytes\":25", "\"bytes\":26");
    assertThat(verify().findings())
        .filteredOn(finding -> finding.code() == FindingCode.BLOB_MISMATCH)
        .hasSize(2)
        .allMatch(finding -> finding
            .message()
            .equals("the reference says 26 bytes, but the blob " + name() + " has 25"));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 24, 26, 8L << 30})
  void blob_of_another_length_is_a_mismatch_and_not_read(long length) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(blob.toFile(), "rw")) {
      sparse.setLength(length);
    }
    assertThat(blobMismatches()).hasSize(2).allMatch(finding -> finding
        .message()
        .equals("the reference says 25 bytes, but the blob " + name() + " has " + length));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not json at all",
        "{ \"b\":1, \"a\":2 }",
        "[1]\n",
        "\ufeff1",
        "\"\\u0041\"",
        "{\"a\":1,\"a\":1}",
        ""
      })
  void blob_that_has_its_hash_but_is_not_canonical_json_is_a_mismatch(String text)
      throws IOException {
    refer(text);
    assertThat(blobMismatches()).hasSize(2).allMatch(finding -> finding
        .message()
        .equals("the blob " + name() + " is not the canonical JSON of a value"));
    assertThat(verify().verdict()).isEqualTo(Verdict.INVALID);
    assertThat(verify().count(Counter.OUTPUT_HASHES_MISMATCHED)).isEqualTo(2);
  }

  @Test
  void canonical_form_of_a_blob_is_that_of_the_log() throws IOException {
    refer("1e+16");
    assertThat(blobMismatches()).isEmpty();
    refer("10000000000000000.0");
    assertThat(blobMismatches()).hasSize(2);
    edit("\"replay_version\"", "\"canonicalization\":\"jcs\",\"replay_version\"");
    refer("10000000000000000");
    assertThat(blobMismatches()).isEmpty();
    refer("1e+16");
    assertThat(blobMismatches()).hasSize(2);
    refer("9007199254740993"); // a recorder refuses to round it
    assertThat(blobMismatches()).hasSize(2);
  }

  @Test
  @Tag("slow")
  void blob_of_more_than_64_mebibytes_is_compared_with_its_hash_only() throws IOException {
    refer("x".repeat((64 << 20) + 1));
    VerificationReport report = verify();
    assertThat(report.findings())
        .filteredOn(finding -> finding.code() == FindingCode.HASH_UNVERIFIABLE)
        .hasSize(2)
        .allMatch(finding -> finding
            .message()
            .equals("the blob " + name() + " matches its hash; its 67108865 bytes exceed the limit"
                + " of 67108864 for parsing"));
    assertThat(report.count(Counter.OUTPUT_HASHES_UNVERIFIABLE)).isEqualTo(2);
    assertThat(blobMismatches()).isEmpty();
    try (RandomAccessFile altered = new RandomAccessFile(blob.toFile(), "rw")) {
      altered.write('y');
    }
    assertThat(blobMismatches())
        .hasSize(2)
        .allMatch(finding -> finding.message().contains(" has the hash sha256:"));
  }

  @Test
  void value_next_to_a_reference_does_not_switch_off_the_check_of_the_blob() throws IOException {
    String value = "\"output\":\"a long output in a blob\",\"output_hash\":\"" + name();
    edit("\"output_hash\":\"" + name(), value);
    assertThat(blobMismatches()).isEmpty();
    assertThat(verify().count(Counter.OUTPUT_HASHES_VERIFIED)).isEqualTo(3);
    Files.writeString(blob, "\"a LONG output in a blob\"");
    assertThat(blobMismatches()).hasSize(2);
    assertThat(verify().count(Counter.OUTPUT_HASHES_MISMATCHED)).isEqualTo(2);
    Files.delete(blob);
    assertThat(verify().findingCounts())
        .doesNotContainKeys(FindingCode.BLOB_MISMATCH, FindingCode.HASH_UNVERIFIABLE);
    edit("{\"blob\":\"" + name(), "{\"blob\":\"sha256:" + "0".repeat(64));
    assertThat(blobMismatches()).hasSize(2);
  }

  @Test
  void value_that_has_a_different_hash_than_the_blob_next_to_it_is_a_mismatch() throws IOException {
    edit("\"output_hash\":\"" + name() + "\",", "\"output\":\"another\",");
    assertThat(blobMismatches()).hasSize(2).allMatch(finding -> finding
        .message()
        .contains("but the hash of the value next to it is sha256:"));
  }

  @Test
  void altered_blob_is_a_mismatch_under_an_unknown_canonicalization_too() throws IOException {
    edit("\"replay_version\"", "\"canonicalization\":\"mine\",\"replay_version\"");
    assertThat(blobMismatches()).isEmpty();
    assertThat(verify().count(Counter.OUTPUT_HASHES_UNVERIFIABLE)).isEqualTo(3);
    Files.writeString(blob, "\"a LONG output in a blob\"");
    assertThat(blobMismatches()).hasSize(2);
  }

  @Test
  void blobs_of_more_references_than_are_remembered_are_all_checked() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    List<String> lines = Files.readAllLines(log);
    String result = lines.get(RESULT_LINE - 1);
    StringBuilder many = new StringBuilder(String.join("\n", lines.subList(0, 3)) + "\n");
    for (int i = 0; i < 2_000; i++) {
      many.append(i % 2 == 0 ? result : result.replace("\"bytes\":25", "\"bytes\":" + (100 + i)));
      many.append('\n');
    }
    Files.writeString(log, many);
    assertThat(verify().findingCounts()).containsEntry(FindingCode.BLOB_MISMATCH, 1_000L);
    assertThat(verify().count(Counter.OUTPUT_HASHES_VERIFIED)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reference_to_another_blob_than_the_hash_is_a_mismatch_whether_it_is_there_or_not(
      boolean there) throws IOException {
    String other = "sha256:" + "0".repeat(64);
    edit("\"blob\":\"" + name(), "\"blob\":\"" + other);
    if (there) {
      Files.copy(blob, blob.resolveSibling("sha256-" + "0".repeat(64) + ".json"));
    }
    assertThat(verify().findings())
        .filteredOn(finding -> finding.code() == FindingCode.BLOB_MISMATCH)
        .hasSize(2)
        .allMatch(finding -> finding
            .message()
            .equals(
                "output_ref names the blob %s, but output_hash is %s".formatted(other, name())));
  }

  @Test
  void blob_that_is_not_a_file_is_a_mismatch_and_the_rest_is_verified() throws IOException {
    Path moved = Files.move(blob, directory.resolve("moved"));
    Files.createSymbolicLink(blob, moved);
    unreadable("expected a regular file, found a symbolic link");
    Files.delete(blob);
    Files.createDirectory(blob);
    unreadable("expected a regular file, found a directory");
  }

  private void unreadable(String why) throws IOException {
    assertThat(blobMismatches())
        .hasSize(2)
        .allMatch(finding -> finding.message().startsWith("the blob " + name() + " cannot be read")
            && finding.message().contains(why));
    assertThat(blobMismatches().get(0).position().line()).isEqualTo(RESULT_LINE);
    assertThat(verify().count(Counter.OUTPUT_HASHES_VERIFIED)).isEqualTo(1);
    assertThat(verify().verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void compressed_log_verifies_against_the_receipt_of_the_plain_one() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    byte[] packed = gzip(Files.readAllBytes(log));
    Files.delete(log);
    Path compressed = Files.write(directory.resolve("REPLAY.jsonl.gz"), packed);
    VerificationReport report = verify();
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.LOG_DIGESTS_VERIFIED)).isEqualTo(1);

    Files.write(compressed, Arrays.copyOf(packed, packed.length - 1));
    assertThatThrownBy(this::verify).hasMessageContaining("the compressed data is cut short");
    Files.write(compressed, Arrays.copyOf(packed, packed.length + 1));
    assertThatThrownBy(this::verify).hasMessageContaining("expected the end or another gzip");
  }

  private VerificationReport verify() throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
  }

  private List<Finding> blobMismatches() throws IOException {
    return verify().findings().stream()
        .filter(finding -> finding.code() == FindingCode.BLOB_MISMATCH)
        .toList();
  }

  /** Makes the log refer to another blob, with its hash and its length. */
  private void refer(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String hash = ContentHash.sha256(bytes).toString();
    edit("\"bytes\":" + Files.size(blob), "\"bytes\":" + bytes.length);
    edit(name(), hash);
    Files.delete(blob);
    blob = blob.resolveSibling(hash.replace("sha256:", "sha256-") + ".json");
    Files.write(blob, bytes);
  }

  /** The hash that is the name of the blob. */
  private String name() {
    return blob.getFileName().toString().replace("sha256-", "sha256:").replace(".json", "");
  }

  private void edit(String from, String to) throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    String text = Files.readString(log);
    assertThat(text).contains(from);
    Files.writeString(log, text.replace(from, to));
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }
}

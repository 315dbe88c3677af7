package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.io.session.BlobStore;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.text.Preview;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Outputs that are too large for the log are kept next to it, and found again. */
class BlobTest {

  private static final SessionStart START = SessionStart.of("s");

  @TempDir
  private Path directory;

  @Test
  void output_of_more_than_the_threshold_is_kept_next_to_the_log() throws IOException {
    String text = "é\n".repeat(300);
    JsonValue value = JsonValue.of(text);
    byte[] canonical = CanonicalJson.SERDE.bytes(value);
    ContentHash hash = CanonicalJson.SERDE.hash(value);

    SessionReceipt receipt = record(RecorderOptions.defaults().withBlobThreshold(600), text);

    ToolResult result = results().get(0);
    assertThat(result.output())
        .isEqualTo(new Content(null, hash, BlobRef.of(hash, canonical.length), text));
    assertThat(directory.resolve("blobs/sha256-" + hash.hex() + ".json"))
        .hasBinaryContent(canonical);
    assertThat(directory.resolve("blobs").toFile().list()).hasSize(1);
    assertThat(receipt.toolCalls().get(0).outputHash()).isEqualTo(hash);
    Session session = Session.open(directory);
    assertThat(session.resolve(result.output())).isEqualTo(value);
    assertThat(session.blob(hash)).hasBinaryContent(canonical);
  }

  @Test
  void params_of_more_than_the_threshold_are_in_a_blob_before_the_tool_runs() throws Exception {
    JsonObject params = JsonObject.of("text", "é\n".repeat(300), "path", "a");
    byte[] canonical = CanonicalJson.SERDE.bytes(params);
    ContentHash hash = CanonicalJson.SERDE.hash(params);
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(canonical.length - 1);
    SessionReceipt receipt;
    try (SessionRecorder session = SessionRecorder.start(directory, START, options)) {
      session.run("write_file", params, () -> {
        assertThat(session.session().blob(hash)).hasBinaryContent(canonical);
        return null;
      });
      session.call("write_file", params.with("path", "")).result(null); // as long as allowed
      receipt = session.end(Status.SUCCESS, 1);
    }
    List<ToolCall> calls = events(ToolCall.class);
    Content stored = new Content(
        null,
        hash,
        BlobRef.of(hash, canonical.length),
        Preview.ofOutput(CanonicalJson.SERDE.text(params)));
    assertThat(calls.get(0).params()).isEqualTo(stored);
    assertThat(calls.get(1).params().value()).isNotNull();
    assertThat(receipt.toolCalls().get(0).paramsHash()).isEqualTo(hash);
    assertThat(Session.open(directory).resolve(stored)).isEqualTo(params);
  }

  @Test
  void texts_of_a_process_that_are_in_a_blob_have_previews() throws IOException {
    JsonObject output =
        JsonObject.of("exit", 1, "stdout", "o".repeat(12_000), "stderr", "e".repeat(100));
    StreamPreviews previews =
        new StreamPreviews("o".repeat(5_000) + "..." + "o".repeat(5_000), "e".repeat(100));
    record(RecorderOptions.defaults().withBlobThreshold(1_000), output, output.without("stderr"));
    assertThat(results())
        .extracting(result -> result.outcome().streams())
        .containsExactly(previews, new StreamPreviews(previews.stdout(), null));

    record(RecorderOptions.defaults(), output, "o".repeat(2_000_000), JsonObject.of("stdout", 1));
    assertThat(results())
        .extracting(result -> result.outcome().streams())
        .containsOnly(StreamPreviews.NONE);
  }

  @Test
  void previews_of_texts_that_the_caller_gave_are_kept_and_checked() throws IOException {
    JsonObject output = JsonObject.of("stdout", "a long text of a process");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(10);
    StreamPreviews right = new StreamPreviews("a long text of a process", "not in the output");
    try (SessionRecorder session = SessionRecorder.start(directory, START, options)) {
      PendingCall call = session.call("tool", null);
      assertThatThrownBy(() ->
              call.result(output, Outcome.exit(0).withStreams(new StreamPreviews("another", null))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the stdout_preview is given as \"another\", but the output has"
              + " \"a long text of a process\"");
      call.result(output, Outcome.exit(0).withStreams(right));
    }
    assertThat(results()).extracting(result -> result.outcome().streams()).containsExactly(right);
  }

  @Test
  void draft_requires_params_and_output_in_the_log() throws IOException {
    RecorderOptions options = RecorderOptions.defaults()
        .withBlobThreshold(0)
        .withWriter(WriterOptions.defaults().withDialect(Dialect.DRAFT));
    try (SessionRecorder session = SessionRecorder.start(directory, START, options)) {
      session.call("tool", "a long text").result("another long text");
      session.modelCall("model", "a prompt").answer("an answer");
    }
    assertThat(events(ToolCall.class).get(0).params())
        .isEqualTo(Content.of(JsonValue.of("a long text")));
    assertThat(results().get(0).output()).isEqualTo(Content.of(JsonValue.of("another long text")));
    assertThat(directory.resolve("blobs").toFile().list()).hasSize(2);
  }

  @Test
  void blob_of_params_that_cannot_be_written_leaves_no_call() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(10);
    Files.writeString(directory.resolve("blobs"), "a file");
    try (SessionRecorder session = SessionRecorder.start(directory, START, options)) {
      assertThatThrownBy(() -> session.call("tool", "a long text")).isInstanceOf(IOException.class);
      Files.delete(directory.resolve("blobs"));
    }
    assertThat(events(ToolCall.class)).isEmpty();
  }

  @Test
  void params_that_contradict_their_blob_are_refused() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(10);
    try (SessionRecorder session = SessionRecorder.start(directory, START, options)) {
      session.call("tool", "a long text");
      BlobRef ref = events(ToolCall.class).get(0).params().blob();
      Content wrong = new Content(null, ref.blob(), BlobRef.of(ref.blob(), 3), null);
      assertThatThrownBy(
              () -> session.call(ToolCall.of("c", "tool", JsonObject.EMPTY).withParams(wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the reference says 3 bytes");
    }
  }

  @Test
  void threshold_counts_bytes_of_canonical_json() throws IOException {
    // in quotes, and with two bytes a character
    record(RecorderOptions.defaults().withBlobThreshold(10), "éééé", "ééééx", "\u0001\u0001");
    assertThat(results())
        .extracting(result -> result.output().blob() != null)
        .containsExactly(false, true, true);
    record(RecorderOptions.defaults().withBlobThreshold(13), "[0,0,0,0,0,0]");
    assertThat(Files.readString(directory.resolve("REPLAY.jsonl"))).contains("output_ref");
  }

  @Test
  void default_threshold_is_one_mebibyte() throws IOException {
    String most = "x".repeat((1 << 20) - 2);
    record(RecorderOptions.defaults(), most, most + "x");
    assertThat(results())
        .extracting(result -> result.output().value() == null)
        .containsExactly(false, true);
    assertThat(results().get(1).output().preview()).isEqualTo(Preview.ofOutput(most));
  }

  @Test
  void preview_of_another_value_is_that_of_its_canonical_text() throws IOException {
    JsonObject value = JsonObject.of("b", "y".repeat(3_000), "a", 1);
    record(RecorderOptions.defaults().withBlobThreshold(0), value, 7, null);
    assertThat(results())
        .extracting(result -> result.output().preview())
        .containsExactly(Preview.ofOutput(CanonicalJson.SERDE.text(value)), "7", "null");
  }

  @ParameterizedTest
  @EnumSource(Canonicalization.class)
  void blob_is_in_the_canonicalization_of_the_log(Canonicalization canonicalization)
      throws IOException {
    JsonValue value = JsonArray.of(1e16, 0.5, 1);
    record(
        RecorderOptions.defaults().withCanonicalization(canonicalization).withBlobThreshold(4),
        value);
    CanonicalJson canonical = CanonicalJson.of(canonicalization);
    Content output = results().get(0).output();
    assertThat(output.hash()).isEqualTo(canonical.hash(value));
    assertThat(directory.resolve("blobs/sha256-" + output.hash().hex() + ".json"))
        .hasBinaryContent(canonical.bytes(value));
  }

  @Test
  void equal_output_is_kept_once_and_used_again_and_a_damaged_one_is_replaced() throws IOException {
    String text = "z".repeat(100);
    record(RecorderOptions.defaults().withBlobThreshold(50), text);
    Path blob = onlyBlob();
    Object before = Files.getAttribute(blob, "unix:ino");
    record(RecorderOptions.defaults().withBlobThreshold(50), text, text);
    assertThat(Files.getAttribute(onlyBlob(), "unix:ino")).isEqualTo(before);

    for (String damaged : List.of("damaged", "d".repeat(102), "d".repeat(1_000))) {
      Files.writeString(blob, damaged);
      record(RecorderOptions.defaults().withBlobThreshold(50), text);
      assertThat(onlyBlob()).hasContent('"' + text + '"');
    }
  }

  @Test
  void equal_outputs_of_many_threads_are_all_kept() throws Exception {
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(10);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (SessionRecorder session = SessionRecorder.start(directory, START, options)) {
      List<Future<WrittenEvent>> written = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        String text = "t".repeat(100 + i % 4);
        written.add(threads.submit(() -> session.call("tool", JsonObject.EMPTY).result(text)));
      }
      for (Future<WrittenEvent> each : written) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(directory.resolve("blobs").toFile().list()).hasSize(4);
    Session session = Session.open(directory);
    for (ToolResult result : results()) {
      assertThat(session.resolve(result.output())).isNotNull();
    }
  }

  @Test
  void preview_and_hash_that_the_caller_gave_are_kept_and_checked() throws IOException {
    String text = "v".repeat(100);
    JsonValue value = JsonValue.of(text);
    BlobStore store = new BlobStore(directory.resolve("blobs"));
    BlobWriter writer = new BlobWriter(store, CanonicalJson.SERDE, 10);
    ContentHash hash = CanonicalJson.SERDE.hash(value);
    ToolResult result = ToolResult.of("c", null);
    BlobWriter.LargeEvent large =
        writer.prepare(new Content(value, hash, null, text), result::withOutput, true);
    assertThat(large.event())
        .isEqualTo(result.withOutput(new Content(null, hash, BlobRef.of(hash, 102), text)));
    assertThat(store.find(hash)).isNull();
    large.keep();
    assertThat(store.find(hash)).hasBinaryContent(CanonicalJson.SERDE.bytes(value));
    Content wrong = new Content(value, ContentHash.sha256(new byte[0]), null, null);
    assertThatThrownBy(() -> writer.prepare(wrong, result::withOutput, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("but the value has " + hash);
    for (Content small : List.of(Content.NONE, Content.ofHash(hash), Content.of(JsonValue.of(1)))) {
      assertThat(writer.prepare(small, result::withOutput, true)).isNull();
    }
  }

  @Test
  void blob_that_cannot_be_written_leaves_no_event_and_no_file() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(10);
    try (SessionRecorder session = SessionRecorder.start(directory, START, options)) {
      Files.createSymbolicLink(
          directory.resolve("blobs"), Files.createDirectory(directory.resolve("elsewhere")));
      PendingCall call = session.call("tool", JsonObject.EMPTY);
      assertThatThrownBy(() -> call.result("a long output"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("blobs: expected a directory, found a symbolic link");
      Files.delete(directory.resolve("blobs"));
    }
    assertThat(results()).isEmpty();
    assertThat(directory.resolve("elsewhere")).isEmptyDirectory();
  }

  @Test
  void nothing_is_kept_of_an_event_that_is_refused() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(10);
    SessionRecorder session = SessionRecorder.start(directory, START, options);
    PendingCall call = session.call("tool", JsonObject.EMPTY);
    assertThatThrownBy(() -> call.result("a long output", Outcome.NONE, 7.0, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("step_utility");
    ToolResult misspelt = ToolResult.of(call.id(), "a long output")
        .withMeta(new Meta(null, null, JsonObject.of("output_hash", "mine")));
    assertThatThrownBy(() -> session.emit(misspelt)).isInstanceOf(IllegalArgumentException.class);
    assertThat(directory.resolve("blobs")).doesNotExist();
    call.result("a long output");
    assertThat(directory.resolve("blobs").toFile().list()).hasSize(1);
    PendingCall open = session.call("tool", JsonObject.EMPTY);
    session.end(Status.SUCCESS, 1);
    ToolResult late = ToolResult.of(open.id(), "another long output");
    assertThatThrownBy(() -> session.emit(late))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("has ended");
    session.close();
    assertThatThrownBy(() -> session.emit(late)).hasMessageEndingWith("is closed");
    assertThat(directory.resolve("blobs").toFile().list()).hasSize(1);
    assertThat(results()).hasSize(1);
  }

  @Test
  @Tag("slow")
  void what_is_recorded_can_be_resolved_beyond_the_limit_of_a_line() throws IOException {
    String text = "x".repeat(JsonLimits.defaults().maxBytes());
    record(RecorderOptions.defaults(), text);
    Content kept = results().get(0).output();
    assertThat(kept.blob().bytes()).isEqualTo(text.length() + 2L);
    assertThat(Session.open(directory).resolve(kept).asString().equals(text)).isTrue();
  }

  @Test
  void value_that_could_not_be_read_again_is_refused() {
    int most = 1 << 30;
    BlobWriter.requireReadable(EventKind.TOOL_CALL, most);
    assertThatThrownBy(() -> BlobWriter.requireReadable(EventKind.TOOL_CALL, most + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "ToolCall: params must have at most 1073741824 bytes of canonical JSON, the limit"
                + " of a blob: 1073741825");
  }

  @Test
  void value_that_is_nowhere_is_null_and_one_in_the_log_needs_no_blob() throws IOException {
    record(RecorderOptions.defaults().withBlobThreshold(10), "a long output", "short");
    Content kept = results().get(0).output();
    Files.delete(onlyBlob());
    Session session = Session.open(directory);
    assertThat(session.resolve(kept)).isNull();
    assertThat(session.blob(kept.hash())).isNull();
    assertThat(new Session(session.log(), null).resolve(kept)).isNull();
    assertThat(session.resolve(Content.ofHash(kept.hash()))).isNull();
    assertThat(session.resolve(results().get(1).output())).isEqualTo(JsonValue.of("short"));
  }

  @Test
  void blob_that_is_not_what_the_log_says_is_refused() throws IOException {
    record(RecorderOptions.defaults().withBlobThreshold(10), "a long output");
    Content kept = results().get(0).output();
    ContentHash hash = kept.hash();
    Session session = Session.open(directory);
    Path blob = onlyBlob();
    ContentHash other = ContentHash.sha256(new byte[0]);
    assertThatThrownBy(() -> session.resolve(new Content(null, other, kept.blob(), null)))
        .hasMessageContaining("the value has the hash " + other);
    for (long bytes : new long[] {-1, 0, 14, 16, Long.MAX_VALUE}) {
      Content wrong = new Content(null, hash, BlobRef.of(hash, bytes), null);
      assertThatThrownBy(() -> session.resolve(wrong))
          .isInstanceOf(IOException.class)
          .hasMessage("%s: expected %d bytes, found 15", blob, bytes);
    }
    assertThatThrownBy(() -> session.resolve(kept, JsonLimits.defaults().withMaxBytes(14)))
        .hasMessage("%s: expected at most 14 bytes, found 15", blob);
    assertThat(session.resolve(kept, JsonLimits.defaults().withMaxBytes(15))).isNotNull();

    Files.writeString(blob, "\"a wrong output\"".substring(0, 15));
    assertThatThrownBy(() -> session.resolve(kept))
        .hasMessageStartingWith(blob + ": the bytes have the hash sha256:");
  }

  @Test
  void blob_that_is_not_json_is_refused() throws IOException {
    byte[] bytes = TestLogs.bytes("{\"a\":1,\"a\":2}");
    ContentHash hash = ContentHash.sha256(bytes);
    BlobStore store = new BlobStore(directory.resolve("blobs"));
    store.write(BlobRef.of(hash, bytes.length), bytes);
    Path log = Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    Session session =
        new Session(log, null, null, null, directory.resolve("blobs"), ReaderOptions.defaults());
    Content content = new Content(null, hash, BlobRef.of(hash, bytes.length), null);
    assertThatThrownBy(() -> session.resolve(content))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sha256-" + hash.hex() + ".json: ");
  }

  @Test
  void negative_threshold_is_refused() {
    assertThatThrownBy(() -> RecorderOptions.defaults().withBlobThreshold(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("blobThreshold must not be negative: -1");
  }

  private SessionReceipt record(RecorderOptions options, Object... outputs) throws IOException {
    Files.deleteIfExists(directory.resolve("REPLAY.jsonl"));
    Files.deleteIfExists(directory.resolve("RECEIPT.json"));
    try (SessionRecorder session = SessionRecorder.start(directory, START, options)) {
      for (Object output : outputs) {
        session.call("tool", JsonObject.EMPTY).result(output);
      }
      return session.end(Status.SUCCESS, 1);
    }
  }

  private Path onlyBlob() throws IOException {
    try (var files = Files.list(directory.resolve("blobs"))) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }

  private List<ToolResult> results() throws IOException {
    return events(ToolResult.class);
  }

  private <E extends ReplayEvent> List<E> events(Class<E> type) throws IOException {
    List<E> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line : reader) {
        assertThat(line.findings()).isEmpty();
        if (type.isInstance(line.event())) {
          events.add(type.cast(line.event()));
        }
      }
    }
    return events;
  }
}

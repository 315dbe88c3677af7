package dev.agentreplay.io.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Preview;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A preview, a reference to a blob, or pieces of a text in it that verification would call wrong
 * are not recorded.
 */
class GivenPreviewTest {

  private static final JsonValue SMALL = JsonValue.of("short");
  private static final JsonValue LARGE = JsonValue.of("a long output");
  private static final JsonObject LARGE_OBJECT = JsonObject.of("b", "y".repeat(3_000), "a", 1);
  private static final ContentHash HASH = CanonicalJson.SERDE.hash(LARGE);
  private static final BlobRef REF = BlobRef.of(HASH, 15);

  @TempDir
  private Path directory;

  private Path blob;
  private SessionRecorder session;
  private PendingCall call;

  @BeforeEach
  void start() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(10);
    session = SessionRecorder.start(directory, SessionStart.of("s"), options);
    call = session.call("tool", JsonObject.EMPTY);
    blob = directory.resolve("blobs").resolve("sha256-" + HASH.hex() + ".json");
  }

  @AfterEach
  void close() throws IOException {
    session.close();
  }

  private ToolResult result(Content content) {
    return ToolResult.of(call.id(), null).withOutput(content).withLatencyMillis(1L);
  }

  private List<String> lines() throws IOException {
    session.sync();
    return Files.readAllLines(directory.resolve(Session.LOG_NAME));
  }

  private void assertRefused(ReplayEvent event, String message) throws IOException {
    List<String> before = lines();
    assertThatThrownBy(() -> session.emit(event))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
    assertThat(lines()).isEqualTo(before);
  }

  private void assertRecorded(Content content, String preview) throws IOException {
    session.emit(result(content));
    assertThat(lines().get(3)).contains("\"output_preview\":" + JsonValue.of(preview));
  }

  private void keep(String text) throws IOException {
    Files.createDirectories(blob.getParent());
    Files.writeString(blob, text, UTF_8);
  }

  @Test
  void preview_of_another_value_is_refused_and_nothing_is_written() throws IOException {
    for (JsonValue value : List.of(SMALL, LARGE, LARGE_OBJECT)) {
      Content forged = new Content(value, null, null, "ALL PASS");
      assertRefused(result(forged), "the preview is given as \"ALL PASS\", but the value has \"");
      assertRefused(RuntimeEvent.of(1, "tick", value).withPayload(forged), "\"ALL PASS\"");
    }
    assertThat(blob.getParent()).doesNotExist();
    call.result("the call still waits for its result");
  }

  @Test
  void preview_of_the_value_is_recorded() throws IOException {
    assertRecorded(new Content(SMALL, null, null, "short"), "short");
  }

  @Test
  void preview_of_a_large_value_is_recorded() throws IOException {
    String preview = Preview.ofOutput(CanonicalJson.SERDE.text(LARGE_OBJECT));
    assertRecorded(new Content(LARGE_OBJECT, null, null, preview), preview);
  }

  @Test
  void preview_of_a_blob_that_the_session_has_is_checked() throws IOException {
    keep("\"a long output\"");
    assertRefused(
        result(new Content(null, HASH, REF, "ALL PASS")),
        "the preview is given as \"ALL PASS\", but the value has \"a long output\"");
    assertRefused(result(new Content(null, HASH, REF, "a long")), "given as \"a long\"");
    assertRecorded(new Content(null, HASH, REF, "a long output"), "a long output");
  }

  @Test
  void pieces_that_do_not_add_up_to_the_text_in_a_blob_of_the_session_are_refused()
      throws IOException {
    keep("\"a long output\"");
    ToolResult streamed = result(new Content(null, HASH, REF, null));
    assertRefused(
        streamed.withTiming(pieces(6, 6)),
        "ToolResult: chunks must add up to the 13 code points of output: 12");
    session.emit(streamed.withTiming(pieces(6, 7)));
    assertThat(lines().get(3)).contains("\"chunks\":[[1,6],[2,7]]");
  }

  private static Timing pieces(int first, int second) {
    return Timing.of(2).withChunks(Chunks.builder().add(1, first).add(2, second).build());
  }

  @Test
  void blob_that_the_session_does_not_have_is_recorded_as_given() throws IOException {
    assertRecorded(new Content(null, HASH, REF, "ALL PASS"), "ALL PASS");
    assertThat(blob.getParent()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a long output\"\n", ""})
  void blob_of_another_length_is_refused_and_left(String other) throws IOException {
    keep(other);
    assertRefused(result(new Content(null, HASH, REF, null)), "the blob " + HASH + " has");
    assertThat(blob).hasContent(other);
  }

  @Test
  void blob_of_another_hash_than_its_name_is_a_failure_to_record() throws IOException {
    keep("\"a LONG output\"");
    assertThatThrownBy(() -> session.emit(result(new Content(null, HASH, REF, null))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the blob " + HASH + " has the hash");
  }

  @Test
  void draft_keeps_a_large_output_and_refuses_another_preview() throws IOException {
    Path draft = directory.resolve("draft");
    RecorderOptions options = RecorderOptions.defaults()
        .withBlobThreshold(10)
        .withWriter(WriterOptions.defaults().withDialect(Dialect.DRAFT));
    try (SessionRecorder recorder = SessionRecorder.start(draft, SessionStart.of("s"), options)) {
      String id = recorder.call("tool", JsonObject.EMPTY).id();
      ToolResult forged = ToolResult.of(id, null)
          .withLatencyMillis(1L)
          .withOutput(new Content(LARGE, null, null, "ALL PASS"));
      assertThatThrownBy(() -> recorder.emit(forged))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the preview is given as \"ALL PASS\"");
      recorder.emit(forged.withOutput(new Content(LARGE, null, null, "a long output")));
    }
    assertThat(draft.resolve("REPLAY.jsonl")).content().contains("\"output\":\"a long output\"");
    assertThat(draft.resolve("blobs")).doesNotExist();
  }

  @Test
  void blob_that_is_not_canonical_is_refused() throws IOException {
    String spaced = "[ 1 ]";
    ContentHash hash = ContentHash.sha256(spaced.getBytes(UTF_8));
    blob = blob.resolveSibling("sha256-" + hash.hex() + ".json");
    keep(spaced);
    assertRefused(
        result(new Content(null, hash, BlobRef.of(hash, 5), null)),
        "the blob " + hash + " is not the canonical JSON of a value");
  }

  @Test
  void reference_to_another_blob_than_that_of_the_value_is_refused() throws IOException {
    ContentHash other = CanonicalJson.SERDE.hash(SMALL);
    String message = "the blob is given as %s, but the hash of the value is %s";
    for (Content forged : List.of(
        new Content(null, other, REF, null),
        new Content(SMALL, null, REF, null),
        new Content(SMALL, other, REF, null))) {
      assertRefused(result(forged), message.formatted(HASH, other));
    }
    assertRefused(result(new Content(LARGE, HASH, REF, "ALL PASS")), "\"ALL PASS\"");
    assertRecorded(new Content(LARGE, HASH, REF, "a long output"), "a long output");
  }

  @Test
  void blob_that_cannot_be_read_is_a_failure_to_record() throws IOException {
    Files.createDirectories(blob);
    assertThatThrownBy(() -> session.emit(result(new Content(null, HASH, REF, null))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a regular file, found a directory");
    assertThat(lines()).hasSize(3);
  }
}

package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that are in a log as hashes, or next to it as blobs. */
class HashesAndBlobsTest {

  private static final long SMALL = 100;
  private static final long LARGE = 1 << 20;
  private static final JsonObject OUTPUT = JsonObject.of("text", "x".repeat(1_000), "exit", 0);
  private static final JsonObject OTHER = OUTPUT.with("exit", 1);

  @TempDir
  private Path directory;

  @ParameterizedTest
  @CsvSource({
    "ToolCall,params,PARAMS",
    "ToolResult,output,OUTPUT",
    "ModelCall,prompt,PROMPT",
    "ModelResult,answer,RESPONSE",
    "RuntimeEvent,payload,RUNTIME_EVENT"
  })
  void hash_in_place_of_a_value_is_compared_with_it(String type, String member, DivergenceKind kind)
      throws IOException {
    String hash =
        CanonicalJson.SERDE.hash(TestEvents.EVERY.event(type).at("/" + member)).toString();
    String otherHash = hash.endsWith("0") ? hash.replaceAll(".$", "1") : hash.replaceAll(".$", "0");
    Session whole = TestEvents.EVERY.write(directory.resolve("whole"));
    TestEvents without = TestEvents.EVERY.without(type, member);
    Session hashed =
        without.with(type, member + "_hash", JsonValue.of(hash)).write(directory.resolve("hashed"));
    Session other = without
        .with(type, member + "_hash", JsonValue.of(otherHash))
        .write(directory.resolve("other"));

    assertThat(SessionDiff.between(whole, hashed).divergences()).isEmpty();
    assertThat(SessionDiff.between(hashed, whole).divergences()).isEmpty();
    for (Session left : List.of(whole, hashed)) {
      SessionDiff diff = SessionDiff.between(left, other);
      assertThat(diff.divergences()).hasSize(1);
      assertOnly(diff, kind, "/" + member + "_hash", JsonValue.of(hash), JsonValue.of(otherHash));
    }
  }

  @Test
  void equal_outputs_are_identical_whether_they_are_blobs_or_not() throws IOException {
    Session inLog = record("in-log", OUTPUT, LARGE);
    Session blob = record("blob", OUTPUT, SMALL);
    assertThat(blobs(blob)).isEqualTo(1);
    assertThat(blobs(inLog)).isZero();

    assertThat(SessionDiff.between(blob, record("same", OUTPUT, SMALL)).divergences())
        .isEmpty();
    assertThat(SessionDiff.between(blob, inLog).divergences()).isEmpty();
    assertThat(SessionDiff.between(inLog, blob).divergences()).isEmpty();
  }

  @Test
  void params_in_blobs_differ_where_their_values_do() throws IOException {
    Session blob = recordCall("params", OUTPUT, SMALL);
    assertThat(blobs(blob)).isEqualTo(1);
    assertThat(SessionDiff.between(blob, recordCall("same", OUTPUT, LARGE)).divergences())
        .isEmpty();
    for (long threshold : new long[] {SMALL, LARGE}) {
      Session other = recordCall("other" + threshold, OTHER, threshold);
      assertOnly(
          SessionDiff.between(blob, other),
          DivergenceKind.PARAMS,
          "/params/exit",
          JsonValue.of(0),
          JsonValue.of(1));
    }
  }

  private Session recordCall(String name, JsonObject params, long threshold) throws IOException {
    Path path = directory.resolve(name);
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(threshold);
    try (SessionRecorder session = SessionRecorder.start(path, SessionStart.of("s"), options)) {
      session.call("tool", params).result("done");
      session.end(Status.SUCCESS, 1);
    }
    return Session.open(path);
  }

  @Test
  void outputs_in_blobs_differ_where_their_values_do() throws IOException {
    Session blob = record("blob", OUTPUT, SMALL);
    Session otherBlob = record("other-blob", OTHER, SMALL);
    Session otherInLog = record("other", OTHER, LARGE);

    for (Session other : List.of(otherBlob, otherInLog)) {
      SessionDiff diff = SessionDiff.between(blob, other);
      assertOnly(diff, DivergenceKind.OUTPUT, "/output/exit", JsonValue.of(0), JsonValue.of(1));
      OneEditTest.assertPatches(diff.divergences().get(0));
      assertOnly(
          SessionDiff.between(other, blob),
          DivergenceKind.OUTPUT,
          "/output/exit",
          JsonValue.of(1),
          JsonValue.of(0));
    }
  }

  @Test
  void rules_look_into_blobs() throws IOException {
    Session blob = record("blob", OUTPUT, SMALL);
    Session other = record("other", OTHER, SMALL);
    DiffOptions ignoring = DiffOptions.defaults().plus(Ignore.at("/output/exit"));

    assertThat(SessionDiff.between(blob, other, ignoring).divergences()).isEmpty();
    Session another = record("another", OTHER.with("text", "y".repeat(1_000)), SMALL);
    assertOnly(
        SessionDiff.between(blob, another, ignoring),
        DivergenceKind.OUTPUT,
        "/output/text",
        OUTPUT.get("text"),
        JsonValue.of("y".repeat(1_000)));
  }

  @Test
  void answer_in_a_blob_of_a_call_that_is_open_in_the_other_log_is_shown() throws IOException {
    Session blob = record("blob", OUTPUT, SMALL);
    Session open = record("open", null, SMALL);

    assertOnly(SessionDiff.between(blob, open), DivergenceKind.OUTPUT, "/output", OUTPUT, null);
    assertOnly(SessionDiff.between(open, blob), DivergenceKind.OUTPUT, "/output", null, OUTPUT);
  }

  @Test
  void blob_that_is_gone_is_compared_by_its_hash() throws IOException {
    Session blob = record("blob", OUTPUT, SMALL);
    Session passedOn = new Session(record("same", OUTPUT, SMALL).log(), null);
    Session otherPassedOn = new Session(record("other", OTHER, SMALL).log(), null);

    assertThat(SessionDiff.between(blob, passedOn).divergences()).isEmpty();
    assertThat(SessionDiff.between(passedOn, blob).divergences()).isEmpty();
    for (Session left : List.of(blob, passedOn)) {
      assertOnly(
          SessionDiff.between(left, otherPassedOn),
          DivergenceKind.OUTPUT,
          "/output_hash",
          JsonValue.of(CanonicalJson.SERDE.hash(OUTPUT).toString()),
          JsonValue.of(CanonicalJson.SERDE.hash(OTHER).toString()));
    }
  }

  @Test
  void blob_that_was_changed_is_an_error_when_it_is_looked_at() throws IOException {
    Session blob = record("blob", OUTPUT, SMALL);
    Session other = record("other", OTHER, SMALL);
    try (Stream<Path> files = Files.list(other.blobs())) {
      Files.writeString(files.findFirst().orElseThrow(), "{}");
    }

    assertThatThrownBy(() -> SessionDiff.between(blob, other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(other.blobs().toString());
  }

  private Session record(String name, JsonValue output, long blobThreshold) throws IOException {
    Path session = directory.resolve(name);
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(blobThreshold);
    try (SessionRecorder recorder =
        SessionRecorder.start(session, SessionStart.of(name), options)) {
      var call = recorder.call("t", JsonObject.of("n", 1));
      if (output != null) {
        call.result(output);
      }
      recorder.call("u", JsonObject.EMPTY).result(JsonValue.of("short"));
      recorder.end(Status.SUCCESS, 1);
    }
    return Session.open(session);
  }

  private static long blobs(Session session) throws IOException {
    if (session.blobs() == null) {
      return 0;
    }
    try (Stream<Path> files = Files.list(session.blobs())) {
      return files.count();
    }
  }

  private static void assertOnly(
      SessionDiff diff, DivergenceKind kind, String pointer, JsonValue before, JsonValue after) {
    assertThat(diff.divergences()).hasSize(1);
    Divergence one = diff.divergences().get(0);
    assertThat(one.kind()).isEqualTo(kind);
    assertThat(one.severity().name()).isEqualTo("MODERATE");
    assertThat(one.changes()).hasSize(1);
    assertThat(one.changes().get(0).values())
        .containsExactly(TestResults.valueChange(kind, pointer, pointer, before, after, null));
  }
}

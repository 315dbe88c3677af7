package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.report.DiffJson;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Full prompts are compared, whether the logs hold them in full or as changes. */
class PromptDeltasDiffTest {

  private static final int TURNS = 60;

  @TempDir
  private Path directory;

  private Session shared;

  @BeforeEach
  void record() throws IOException {
    shared = session("shared", RecorderOptions.defaults(), -1);
  }

  /** A conversation that grows; the message of one turn is a different one. */
  private Session session(String name, RecorderOptions options, int different) throws IOException {
    Path place = directory.resolve(name);
    List<JsonValue> messages = new ArrayList<>();
    try (SessionRecorder recorder = SessionRecorder.start(place, SessionStart.of("s"), options)) {
      for (int turn = 0; turn < TURNS; turn++) {
        String text = turn == different ? "other" : "message " + turn;
        messages.add(JsonObject.of("role", "user", "content", text));
        Prompt prompt = Prompt.of(JsonArray.copyOf(messages)).withSystem("s".repeat(100));
        recorder.modelCall("m", prompt).answer("answer " + turn);
      }
      recorder.end(Status.SUCCESS, 1);
    }
    return Session.open(place);
  }

  @Test
  void full_and_shared_prompts_are_identical() throws IOException {
    Session full = session("full", RecorderOptions.defaults().withFullPrompts(true), -1);
    Session blobs = session("blobs", RecorderOptions.defaults().withBlobThreshold(300), -1);
    assertThat(SessionDiff.between(full, shared).isIdentical()).isTrue();
    assertThat(SessionDiff.between(shared, blobs).isIdentical()).isTrue();
    assertThat(SessionDiff.between(shared, full, DiffOptions.defaults().plus(Normalizer.uuids()))
            .isIdentical())
        .isTrue();
  }

  @Test
  void changed_message_is_found_in_every_prompt_that_has_it() throws IOException {
    Session other = session("other", RecorderOptions.defaults(), 40);
    requireChanges(SessionDiff.between(shared, other));
    requireChanges(SessionDiff.between(shared, compressed(other)));
  }

  private static void requireChanges(SessionDiff diff) {
    assertThat(diff.divergences()).hasSize(TURNS - 40);
    assertThat(diff.divergences().stream()
            .flatMap(divergence -> divergence.values().stream())
            .map(ValueChange::pointer))
        .containsOnly("/prompt/messages/40/content");
  }

  @Test
  void patch_applies_to_the_event_with_its_prompt_in_full() throws IOException {
    Session other = session("other", RecorderOptions.defaults(), TURNS - 1);
    String json = DiffJson.render(SessionDiff.between(shared, other)).toString();
    assertThat(json).contains("\"path\":\"/prompt/messages/59/content\"", "\"value\":\"other\"");
    assertThat(json).doesNotContain("prompt_delta");
  }

  private static Session compressed(Session session) throws IOException {
    Path place = session.log().resolveSibling("REPLAY.jsonl.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(place))) {
      Files.copy(session.log(), out);
    }
    Files.delete(session.log());
    return new Session(place, null);
  }
}

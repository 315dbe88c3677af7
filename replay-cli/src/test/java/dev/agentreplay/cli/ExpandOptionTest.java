package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --expand} of {@code replay show} and {@code replay convert}. */
class ExpandOptionTest {

  @TempDir
  private Path home;

  private String session;

  @BeforeEach
  void record() throws IOException {
    Path place = home.resolve("one");
    session = place.toString();
    List<JsonValue> messages = new ArrayList<>();
    try (SessionRecorder recorder = SessionRecorder.start(place, "one")) {
      for (int i = 1; i <= 3; i++) {
        messages.add(JsonObject.of("role", "user", "content", "question " + i));
        Prompt prompt = Prompt.of(JsonArray.copyOf(messages)).withSystem("s".repeat(200));
        recorder.modelCall("m", prompt).answer("answer " + i);
      }
      recorder.end(Status.SUCCESS, 0.9);
    }
  }

  @Test
  void show_reads_prompts_in_full_and_prints_lines_as_they_are() {
    assertThat(Console.run("show", session).out()).contains("message 3, question 3");
    String lines = Console.run("show", "--format", "json", session).out();
    assertThat(lines).contains("\"prompt_delta\":{\"base\":\"model-2\"").hasLineCount(9);
  }

  @Test
  void expanded_lines_are_a_log_that_verifies() throws IOException {
    Console shown = Console.run("show", "--format", "json", "--expand", session);
    assertThat(shown.exit()).isZero();
    assertThat(shown.out()).doesNotContain("prompt_delta").contains("\"question 1\"");
    Path log = Files.writeString(home.resolve("expanded.jsonl"), shown.out());
    Console verified = Console.run("verify", log.toString());
    assertThat(verified.exit()).as(verified.out()).isZero();
    assertThat(Console.run("diff", session, log.toString()).exit()).isZero();
  }

  @Test
  void expanded_text_is_refused() {
    Console shown = Console.run("show", "--expand", session);
    assertThat(shown.exit()).isEqualTo(2);
    assertThat(shown.err()).contains("--expand requires --format json");
  }

  @Test
  void converted_session_has_full_prompts_on_request() throws IOException {
    String out = home.resolve("out").toString();
    assertThat(Console.run("convert", session, out, "--to", "type", "--expand").exit())
        .isZero();
    assertThat(home.resolve("out/REPLAY.jsonl")).content().doesNotContain("prompt_delta");
    assertThat(Console.run("verify", out).exit()).isZero();
    assertThat(Console.run("diff", session, out).exit()).isZero();
  }
}

package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedModelCallTest {

  private static final String HALF = "half \ud83d";

  @TempDir
  Path directory;

  private final AtomicLong clock = new AtomicLong();
  private SessionRecorder session;

  record Sampling(double temperature, int seed) {}

  @BeforeEach
  void start() throws IOException {
    session = new RecordingStart(LocalDisk.INSTANCE, directory, RecorderOptions.defaults())
        .start(SessionStart.of("s"), clock::get);
  }

  @AfterEach
  void close() throws IOException {
    session.close();
  }

  @Test
  void text_and_its_answer_are_a_call_and_a_result_with_the_latency_between() throws IOException {
    PendingModelCall asked = session.modelCall("gpt", "Which file?");
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(7));
    WrittenEvent written = asked.answer("src/auth.rs", Completion.of("stop"), TokenCounts.of(3, 4));

    assertThat(asked.id()).isEqualTo("model-1");
    assertThat(written.isWritten()).isTrue();
    assertThat(calls()).singleElement().satisfies(call -> {
      assertThat(call.id()).isEqualTo("model-1");
      assertThat(call.model()).isEqualTo("gpt");
      assertThat(call.prompt().value()).isEqualTo(Prompt.of("Which file?").json());
      assertThat(call.parameters()).isEqualTo(Parameters.NONE);
    });
    assertThat(results()).singleElement().satisfies(result -> {
      assertThat(result.id()).isEqualTo("model-1");
      assertThat(result.answer().value()).isEqualTo(JsonValue.of("src/auth.rs"));
      assertThat(result.finish()).isEqualTo(Completion.of("stop"));
      assertThat(result.tokens()).isEqualTo(TokenCounts.of(3, 4));
      assertThat(result.latencyMillis()).isEqualTo(7);
    });
  }

  @Test
  void prompt_and_parameters_of_any_type_become_objects() throws IOException {
    Map<String, String> message = Map.of("role", "user", "content", "hi");
    Prompt prompt = Prompt.of("hi").withSystem("be short");
    JsonObject messages = JsonObject.of("messages", List.of(message));

    session.modelCall("m", List.of(message), new Sampling(0.5, 7));
    session.modelCall("m", new Object[] {message}, Map.of("seed", 1));
    session.modelCall("m", Map.of("messages", List.of(message), "tools", List.of()));
    session.modelCall("m", prompt, Parameters.NONE.withSeed(2));

    assertThat(calls())
        .extracting(call -> call.prompt().value())
        .containsExactly(messages, messages, messages.with("tools", List.of()), prompt.json());
    assertThat(calls())
        .extracting(call -> call.parameters().seed())
        .containsExactly(7L, 1L, null, 2L);
    assertThat(calls().get(0).parameters().temperature()).isEqualTo(0.5);
  }

  @Test
  void what_has_no_json_form_is_refused_with_its_place() throws IOException {
    List<Object> messages = Arrays.asList(Map.of("content", new Thread()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.modelCall("m", messages))
        .withMessageContaining("/prompt/messages/0/content: expected")
        .withMessageContaining("java.lang.Thread");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.modelCall("m", "?", Map.of("stop", new Thread())))
        .withMessageContaining("/parameters/stop: expected");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.modelCall("m", "?", List.of(1)))
        .withMessageContaining("/parameters: expected an object, found a JSON array");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.modelCall("m", 7))
        .withMessageContaining("/prompt: expected a text, messages or an object");
    assertThat(calls()).isEmpty();
  }

  @Test
  void text_that_is_cut_through_a_character_is_kept_exactly_as_in_an_output() throws IOException {
    session.modelCall("m", HALF, Map.of("stop", HALF)).answer(List.of(HALF));

    assertThat(calls().get(0).meta().extra().at("/utf16").asObject().names())
        .containsExactlyInAnyOrder("/prompt/messages/0/content", "/parameters/stop");
    assertThat(results().get(0).meta().extra().at("/utf16").asObject().names())
        .containsExactly("/answer/0");
  }

  @Test
  void failure_is_an_answer_that_ended_with_it() throws IOException {
    PendingModelCall asked = session.modelCall(ModelCall.of("mine", "m", Prompt.of("?")));
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(3));
    asked.failed(new IOException("no route " + HALF));

    assertThat(asked.id()).isEqualTo("mine");
    assertThat(results()).singleElement().satisfies(result -> {
      assertThat(result.answer().value()).isEqualTo(JsonNull.NULL);
      assertThat(result.finish())
          .isEqualTo(Completion.failed("java.io.IOException", "no route half \ufffd"));
      assertThat(result.latencyMillis()).isEqualTo(3);
    });
  }

  @Test
  void second_answer_is_refused_and_a_call_needs_an_id() throws IOException {
    PendingModelCall asked = session.modelCall("m", "?");
    asked.answer("!");

    assertThatThrownBy(() -> asked.answer("!!"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("model-1 has a result already");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.modelCall(ModelCall.of(" ", "m", Prompt.of("?"))));
    assertThat(results()).hasSize(1);
  }

  private List<ModelCall> calls() throws IOException {
    return events(ModelCall.class);
  }

  private List<ModelResult> results() throws IOException {
    return events(ModelResult.class);
  }

  private <E extends ReplayEvent> List<E> events(Class<E> type) throws IOException {
    List<E> events = new ArrayList<>();
    try (ReplayReader reader = session.session().readerWithFullPrompts()) {
      for (ReplayLine line : reader) {
        if (type.isInstance(line.event())) {
          events.add(type.cast(line.event()));
        }
      }
    }
    return events;
  }
}

package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Preview;
import org.junit.jupiter.api.Test;

class AttemptTest {

  @Test
  void next_attempt_has_the_same_effect() {
    assertThat(Attempt.first("e").next()).isEqualTo(new Attempt(2L, "e"));
    assertThat(new Attempt(7L, "e").next()).isEqualTo(new Attempt(8L, "e"));
    assertThat(new Attempt(null, "e").next()).isEqualTo(new Attempt(2L, "e"));
  }

  @Test
  void previews_are_those_of_the_members_that_are_texts() {
    String text = "x".repeat(12_000);

    assertThat(StreamPreviews.of(JsonObject.of("stdout", text, "stderr", 1)))
        .isEqualTo(new StreamPreviews(Preview.ofStream(text), null));
    assertThat(StreamPreviews.of(JsonObject.of("stderr", "no")))
        .isEqualTo(new StreamPreviews(null, "no"));
    assertThat(StreamPreviews.of(JsonObject.of("out", "a"))).isSameAs(StreamPreviews.NONE);
    assertThat(StreamPreviews.of(null)).isSameAs(StreamPreviews.NONE);
    assertThat(new StreamPreviews("a", null).or(new StreamPreviews("b", "c")))
        .isEqualTo(new StreamPreviews("a", "c"));
  }
}

package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class FailureTest {

  @Test
  void exception_is_recorded_with_class_message_and_causes() {
    Exception cause = new IOException("no route", new IllegalStateException());
    Failure failure = Failure.of(new IllegalArgumentException("outer", cause));

    assertThat(failure.json().names()).containsExactlyInAnyOrder("name", "message", "causes");
    assertThat(failure.name()).isEqualTo("java.lang.IllegalArgumentException");
    assertThat(failure.message()).isEqualTo("outer");
    assertThat(failure.causes())
        .containsExactly(
            Failure.of("java.io.IOException", "no route"),
            Failure.of("java.lang.IllegalStateException", "java.lang.IllegalStateException"));
    assertThat(failure.retryable()).isNull();
    assertThat(failure.stack()).isNull();
  }

  @Test
  void exception_without_a_cause_has_no_member_for_it() {
    assertThat(Failure.of(new IOException("no route")))
        .isEqualTo(Failure.of("java.io.IOException", "no route"));
  }

  @Test
  void number_of_causes_is_bounded() {
    Throwable deepest = new IOException("0");
    for (int i = 1; i <= 50; i++) {
      deepest = new IOException("" + i, deepest);
    }
    assertThat(Failure.of(deepest).causes())
        .extracting(Failure::message)
        .hasSize(10)
        .startsWith("49")
        .endsWith("40");
  }

  @Test
  void causes_that_form_a_circle_are_recorded_once() {
    Exception first = new Exception("first");
    Exception second = new Exception("second", first);
    first.initCause(second);

    assertThat(Failure.of(first).causes()).extracting(Failure::message).containsExactly("second");
  }

  @Test
  void long_messages_are_cut() {
    String text = "x".repeat(20_000);
    Failure failure = Failure.of(new UncheckedIOException(text, new IOException(text)));

    assertThat(failure.message()).hasSize(10_003).contains("x...x");
    assertThat(failure.causes().get(0).message()).hasSize(2_003);
  }

  @Test
  void unpaired_surrogates_are_replaced() {
    assertThat(Failure.of(new IOException("half \ud83d")).message()).isEqualTo("half \ufffd");
  }

  @Test
  void exception_whose_own_methods_fail_has_its_class_as_message() {
    @SuppressWarnings("serial")
    class Hostile extends RuntimeException {
      @Override
      public String getMessage() {
        throw new IllegalStateException("no message");
      }

      @Override
      public synchronized Throwable getCause() {
        throw new IllegalStateException("no cause");
      }
    }

    Failure failure = Failure.of(new Hostile());

    assertThat(failure.message()).isEqualTo(Hostile.class.getName());
    assertThat(failure.causes()).isEmpty();
  }

  @Test
  void stack_is_added_on_request_and_cut() {
    IOException thrown = new IOException("no route");
    Failure failure = Failure.of(thrown).withStack(thrown);

    assertThat(failure.stack())
        .startsWith("java.io.IOException: no route")
        .contains("FailureTest.stack_is_added_on_request_and_cut");
    assertThat(failure.withoutStack()).isEqualTo(Failure.of(thrown));
    IOException large = new IOException("x".repeat(30_000));
    assertThat(Failure.of(large).withStack(large).stack()).hasSize(10_003);
  }

  @Test
  void members_of_other_types_are_not_read_and_are_kept() {
    JsonObject json = JsonObject.of(
        "name", 1, "message", null, "retryable", "yes", "causes", JsonArray.of("a", 1), "x", 2);
    Failure failure = new Failure(json);

    assertThat(failure.name()).isNull();
    assertThat(failure.message()).isNull();
    assertThat(failure.retryable()).isNull();
    assertThat(failure.causes()).isEmpty();
    assertThat(failure.withRetryable(true).retryable()).isTrue();
    assertThat(failure.withRetryable(true).json().get("x")).isEqualTo(json.get("x"));
  }
}

package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.mock;
import static dev.agentreplay.langchain4j.Instruments.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.failure.RecordedFailureException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded failures happen again in a replay. */
class FailingReplayTest {

  /** An exception of an agent's own. */
  static final class Overloaded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Overloaded(String message) {
      super(message);
    }
  }

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();

  private static Stream<RuntimeException> known() {
    return Stream.of(
        new RateLimitException("slow down"),
        new TimeoutException((String) null),
        new InvalidRequestException("bad", new IOException("400")),
        new IllegalStateException("state"),
        new RuntimeException(new IOException("reset")),
        new UncheckedIOException(new NoSuchFileException("a.txt")),
        new DateTimeException("no date"),
        new NullPointerException());
  }

  private static Stream<RuntimeException> unknown() {
    return Stream.of(
        new Overloaded("too much"), new Overloaded(null), new HttpException(429, "later"));
  }

  private Agent failing(RuntimeException failure) {
    return instruments -> instruments
        .add(AiServices.builder(Assistant.class).chatModel(executed.model(request -> {
          throw failure;
        })))
        .build()
        .chat("go");
  }

  private Throwable again(RuntimeException failure) throws Exception {
    Session session = record(sessions, failing(failure));
    assertThat(executed.take()).containsExactly("model");
    ReplayReport report = mock(session, failing(failure));
    assertThat(executed.take()).isEmpty();
    assertIdentical(report);
    return report.failure();
  }

  @ParameterizedTest
  @MethodSource
  void known(RuntimeException failure) throws Exception {
    Throwable thrown = again(failure);

    assertThat(thrown)
        .hasSameClassAs(failure)
        .isNotSameAs(failure)
        .hasMessage(failure.getMessage());
    if (failure.getCause() == null) {
      assertThat(thrown).hasNoCause();
    } else {
      assertThat(thrown.getCause())
          .hasSameClassAs(failure.getCause())
          .hasMessage(failure.getCause().getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource
  void unknown(RuntimeException failure) throws Exception {
    Throwable thrown = again(failure);

    assertThat(thrown)
        .isInstanceOf(RecordedFailureException.class)
        .hasMessage(failure.getMessage())
        .hasToString(failure.toString());
    assertThat(((RecordedFailureException) thrown).name())
        .isEqualTo(failure.getClass().getName());
  }

  @Test
  void agent_that_tries_again_gets_the_failure_and_then_the_answer() throws Exception {
    List<String> answers = new ArrayList<>();
    Agent agent = instruments -> {
      Queue<RuntimeException> failures = new ArrayDeque<>(List.of(new RateLimitException("later")));
      Assistant assistant = instruments
          .add(AiServices.builder(Assistant.class).chatModel(executed.model(request -> {
            RuntimeException failure = failures.poll();
            if (failure != null) {
              throw failure;
            }
            return AiMessage.from("done");
          })))
          .build();
      try {
        assistant.chat("go");
      } catch (RateLimitException e) {
        answers.add(e.getMessage());
        answers.add(assistant.chat("go"));
      }
    };
    Session session = Instruments.recordShared(sessions.resolve("s"), agent);
    executed.take();

    assertIdentical(Instruments.replayShared(session, ReplayPolicy.of(ReplayMode.MOCK), agent));
    assertThat(executed.take()).isEmpty();
    assertThat(answers).containsExactly("later", "done", "later", "done");
  }
}

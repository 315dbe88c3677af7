package dev.agentreplay.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools that a recorder runs: what comes out of them reaches the caller, and the log. */
class RecordedRunTest {

  @TempDir
  private Path directory;

  private SessionRecorder session;

  @BeforeEach
  void start() throws IOException {
    session = SessionRecorder.start(directory, "s");
  }

  @AfterEach
  void close() throws IOException {
    session.close();
  }

  @Test
  void whatTheToolReturnsIsReturnedAndRecorded() throws Exception {
    List<Integer> output = session.run("tool", JsonObject.EMPTY, () -> List.of(1, 2));

    assertThat(output).containsExactly(1, 2);
    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of(List.of(1, 2)));
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.UNSTATED);
  }

  @Test
  void nothingReturnedIsRecordedAsNull() throws Exception {
    assertThat(session.<Object>run("tool", JsonObject.EMPTY, () -> null)).isNull();
    assertThat(onlyResult().output().value().isNull()).isTrue();
  }

  @Test
  void whatTheToolThrowsIsThrownAndRecorded() throws Exception {
    IOException failure = new IOException("no route");
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, throwing(failure)))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.failed("java.io.IOException", "no route"));
  }

  @Test
  void errorsAreRecordedToo() throws Exception {
    AssertionError failure = new AssertionError("bad");
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, () -> {
          throw failure;
        }))
        .isSameAs(failure);
    assertThat(onlyResult().outcome().succeeded()).isFalse();
  }

  @Test
  void outputWithoutAJsonFormIsRefusedAndRecorded() throws Exception {
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, Object::new))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Object");
    assertThat(onlyResult().outcome().succeeded()).isFalse();
    assertThat(onlyResult().output().value().asString()).contains("java.lang.Object");
  }

  @Test
  void whatTheToolThrowsIsThrownEvenIfItCannotBeRecorded() throws Exception {
    IOException failure = new IOException("no route");
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, () -> {
          session.end(Status.CANCELLED, 0.5); // by another thread, say
          throw failure;
        }))
        .isSameAs(failure);
    assertThat(failure.getSuppressed()).singleElement().isInstanceOf(IllegalStateException.class);
  }

  @Test
  void failureWhoseMessageIsCutThroughACharacterIsThrownAndRecorded() throws Exception {
    IOException failure = new IOException("cut \ud83d");
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, throwing(failure)))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of("cut ?"));
  }

  @Test
  void toolIsNotRunWhenItsCallCannotBeRecorded() throws Exception {
    session.end(Status.SUCCESS, 1.0);
    boolean[] ran = {false};
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, () -> ran[0] = true))
        .isInstanceOf(IllegalStateException.class);
    assertThat(ran[0]).isFalse();
  }

  private static Callable<Object> throwing(Exception failure) {
    return () -> {
      throw failure;
    };
  }

  private ToolResult onlyResult() throws IOException {
    List<ToolResult> results = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ToolResult result) {
          results.add(result);
        }
      }
    }
    assertThat(results).hasSize(1);
    return results.get(0);
  }
}

package dev.agentreplay.engine.replay.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.Failure;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.util.ConcurrentModificationException;
import java.util.UnknownFormatConversionException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestoredExceptionsTest {

  private static final RestoredExceptions JDK = RestoredExceptions.ofJdk();

  /** An exception with code that must not run. */
  public static final class Loaded extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static int instances;

    public Loaded(@Nullable String message) {
      super(message);
      instances++;
    }
  }

  static Stream<Exception> exceptions_of_the_jdk() {
    return Stream.of(
        new IOException("reset"),
        new IOException(null, new EOFException()),
        new NoSuchFileException("a.txt"),
        new AccessDeniedException("a.txt", null, "read-only"),
        new IllegalStateException("state", new DateTimeException("no date")),
        new NumberFormatException("For input string: \"a\""),
        new NullPointerException(),
        new ConcurrentModificationException(),
        new ClosedChannelException(),
        new ClassNotFoundException("com.example.Missing"),
        new UncheckedIOException(new IOException("full")),
        new ExecutionException(new CompletionException("later", new IOException("full"))));
  }

  @ParameterizedTest
  @MethodSource
  void exceptions_of_the_jdk(Exception recorded) {
    assertSame(JDK.restore(Failure.of(recorded)), recorded);
  }

  private static void assertSame(@Nullable Throwable restored, @Nullable Throwable recorded) {
    if (recorded == null) {
      assertThat(restored).isNull();
    } else {
      assertThat(restored)
          .isNotSameAs(recorded)
          .hasSameClassAs(recorded)
          .hasMessage(recorded.getMessage())
          .hasToString(recorded.toString());
      assertSame(restored.getCause(), recorded.getCause());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.agentreplay.engine.replay.failure.RestoredExceptionsTest$Loaded",
        "java.lang.StackOverflowError",
        "java.lang.Thread",
        "java.lang.String",
        "java.lang.Missing",
        "java.",
        "[Ljava.lang.Exception;",
        "sun.nio.fs.UnixException",
        "Timeout",
        ""
      })
  void classes_that_are_not_restored(String name) {
    Exception restored = JDK.restore(Failure.of(name, "text"));

    assertThat(restored)
        .isInstanceOfSatisfying(
            RecordedFailureException.class,
            failure -> assertThat(failure.name()).isEqualTo(name))
        .hasMessage("text")
        .hasToString(name + ": text");
    assertThat(Loaded.instances).isZero();
  }

  @Test
  void a_class_whose_message_is_a_different_one_is_not_restored() {
    Exception recorded = new UnknownFormatConversionException("q");

    assertThat(JDK.restore(Failure.of(recorded)))
        .isInstanceOf(RecordedFailureException.class)
        .hasMessage(recorded.getMessage())
        .hasToString(recorded.toString());
  }

  @Test
  void a_class_of_the_caller() {
    Failure failure = Failure.of(new Loaded("text"));
    Loaded.instances = 0;

    assertThat(JDK.with(Loaded.class, Loaded::new).restore(failure))
        .isExactlyInstanceOf(Loaded.class)
        .hasMessage("text");
    Loaded.instances = 0;
    assertThat(JDK.restore(failure)).isInstanceOf(RecordedFailureException.class);
  }
}

package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.convert.ConvertOptions;
import dev.agentreplay.convert.SessionConverter;
import dev.agentreplay.convert.SessionFormat;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.TestSessions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Logs that are plain, compressed, rotated or in a different dialect are compared equally. */
class WhereLogsAreTest {

  private static final String LONG = "x".repeat(100_000);

  @TempDir
  private Path directory;

  private Session left;
  private Session right;

  /** The form of a log. */
  enum Form {
    PLAIN,
    COMPRESSED,
    PARTS;

    Session keep(Session log, Path directory) throws IOException {
      byte[] bytes = Files.readAllBytes(log.log());
      Files.createDirectories(directory);
      if (this == COMPRESSED) {
        Files.write(directory.resolve(Session.COMPRESSED_LOG_NAME), gzip(bytes));
      } else if (this == PLAIN) {
        Files.write(directory.resolve(Session.LOG_NAME), bytes);
      } else {
        int first = lineEnd(bytes, bytes.length / 3);
        int second = lineEnd(bytes, 2 * bytes.length / 3);
        Path file = directory.resolve(Session.LOG_NAME);
        Files.write(file, Arrays.copyOf(bytes, first));
        Files.write(Path.of(file + ".2"), Arrays.copyOfRange(bytes, first, second));
        Files.write(Path.of(file + ".3"), Arrays.copyOfRange(bytes, second, bytes.length));
      }
      return Session.open(directory);
    }

    private static int lineEnd(byte[] bytes, int from) {
      int end = from;
      while (bytes[end] != '\n') {
        end++;
      }
      return end + 1;
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
      ByteArrayOutputStream compressed = new ByteArrayOutputStream();
      try (OutputStream out = new GZIPOutputStream(compressed)) {
        out.write(bytes);
      }
      return compressed.toByteArray();
    }
  }

  /**
   * The first call is answered last, and more calls differ than are compared at a time, so that
   * what is read again lies far ahead, and then behind.
   */
  @BeforeEach
  void writeLogs() throws IOException {
    left = log("left").write(directory.resolve("left"));
    right = log("right").write(directory.resolve("right"));
  }

  private static TestLog log(String output) {
    TestLog log = new TestLog();
    String late = log.start("late", 0);
    differing(log, 0, 200, output);
    equal(log, 0);
    differing(log, 200, 201, output);
    equal(log, 20);
    differing(log, 201, 202, output);
    return log.result(late, output);
  }

  private static void differing(TestLog log, int from, int to, String output) {
    for (int i = from; i < to; i++) {
      log.call("differs", i, output + " " + i);
    }
  }

  private static void equal(TestLog log, int from) {
    for (int i = from; i < from + 15; i++) {
      log.call("equal", i, LONG);
    }
  }

  @Test
  void divergences_that_lie_far_apart_and_behind_are_all_found() throws IOException {
    assertThat(Files.size(left.log())).isGreaterThan(2 << 20);
    SessionDiff diff = SessionDiff.between(left, right, all());

    assertThat(diff.summary().calls())
        .isEqualTo(TestResults.stepCounts(233, 233, 30, 203, 0, 0, 0));
    assertValues(diff, "left", "right");
    assertValues(SessionDiff.between(right, left, all()), "right", "left");
  }

  private static void assertValues(SessionDiff diff, String before, String after) {
    List<String> befores = new ArrayList<>(List.of(before));
    List<String> afters = new ArrayList<>(List.of(after));
    for (int i = 0; i < 202; i++) {
      befores.add(before + " " + i);
      afters.add(after + " " + i);
    }
    assertThat(diff.divergences())
        .extracting(one -> one.firstChange().before().asString())
        .containsExactlyElementsOf(befores);
    assertThat(diff.divergences())
        .extracting(one -> one.firstChange().after().asString())
        .containsExactlyElementsOf(afters);
    assertThat(diff.divergences()).allSatisfy(one -> {
      assertThat(one.changes().get(0).left().line()).isEqualTo(one.left().resultLine());
      assertThat(one.changes().get(0).right().line()).isEqualTo(one.right().resultLine());
    });
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource
  void log_is_compared_equally_in_every_form(Form form) throws IOException {
    SessionDiff plain = SessionDiff.between(left, right, all()).withNames("a", "b");
    SessionDiff back = SessionDiff.between(right, left, all()).withNames("b", "a");
    Session kept = form.keep(right, directory.resolve("kept"));
    Session keptLeft = form.keep(left, directory.resolve("kept-left"));

    assertThat(SessionDiff.between(left, kept, all()).withNames("a", "b")).isEqualTo(plain);
    assertThat(SessionDiff.between(kept, left, all()).withNames("b", "a")).isEqualTo(back);
    assertThat(SessionDiff.between(keptLeft, kept, all()).withNames("a", "b")).isEqualTo(plain);
    assertThat(SessionDiff.between(right, kept).isIdentical()).isTrue();
  }

  @Test
  void compressed_logs_of_different_lengths_lack_calls_at_the_end() throws IOException {
    Session shorter = new TestLog().calls("t", 0, 5).write(directory.resolve("shorter"));
    Session longer = new TestLog().calls("t", 0, 8).write(directory.resolve("longer"));
    SessionDiff diff = SessionDiff.between(
        Form.COMPRESSED.keep(shorter, directory.resolve("a")),
        Form.COMPRESSED.keep(longer, directory.resolve("b")));

    assertThat(diff.divergences()).extracting(one -> one.right().call()).containsExactly(5, 6, 7);
    assertThat(diff.divergences()).allMatch(one -> one.kind() == DivergenceKind.ADDED);
  }

  @TestFactory
  Stream<DynamicTest> session_is_identical_in_another_dialect() {
    return converted(TestSessions.bundled("sessions"));
  }

  @TestFactory
  Stream<DynamicTest> session_of_the_corpus_is_identical_in_another_dialect() {
    return converted(TestSessions.corpus().resolve("tau-bench"));
  }

  private Stream<DynamicTest> converted(Path sessions) {
    List<Path> ofEvent = TestSessions.directories(sessions).stream()
        .filter(WhereLogsAreTest::isOfDialectEvent)
        .toList();
    assertThat(ofEvent).isNotEmpty();
    return ofEvent.stream()
        .map(session -> DynamicTest.dynamicTest(
            session.getFileName().toString(), () -> assertIdenticalWhenConverted(session)));
  }

  private static boolean isOfDialectEvent(Path session) {
    try (ReplayReader reader = Session.open(session).reader()) {
      reader.read();
      return reader.dialect() == Dialect.EVENT;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertIdenticalWhenConverted(Path session) throws IOException {
    Session original = Session.open(session);
    Path log = directory.resolve(session.getFileName());
    SessionConverter.convert(
        original.log(), log, SessionFormat.TYPE, ConvertOptions.defaults().withForce(true));
    Session ofType = new Session(log, null);

    SessionDiff diff = SessionDiff.between(original, ofType);
    assertThat(diff.divergences()).isEmpty();
    assertThat(diff.summary().steps().matched()).isPositive();
    assertThat(SessionDiff.between(ofType, original).divergences()).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void files_are_closed_whatever_happens() throws IOException {
    try (InputStream open = Files.newInputStream(left.log())) {
      assertThat(open.read()).isPositive();
      assertThat(openFiles()).as("what is open is seen").containsExactly(left.log());
    }
    SessionDiff.between(left, right);
    assertThat(openFiles()).isEmpty();

    Session torn = torn();
    assertThatThrownBy(() -> SessionDiff.between(left, torn))
        .isInstanceOf(ReplayFormatException.class);
    assertThat(openFiles()).isEmpty();

    Session gone = new Session(directory.resolve("gone"), null);
    assertThatThrownBy(() -> SessionDiff.between(left, gone))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(openFiles()).isEmpty();

    SeverityPolicy failing = change -> {
      throw new IllegalStateException("no rating");
    };
    assertThatThrownBy(
            () -> SessionDiff.between(left, right, DiffOptions.defaults().withSeverity(failing)))
        .hasMessage("no rating");
    assertThat(openFiles()).isEmpty();
  }

  @Test
  void log_that_changes_while_it_is_compared_is_an_error() {
    SeverityPolicy cutting = change -> {
      try {
        Files.writeString(right.log(), "");
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      return SeverityPolicy.defaults().judge(change);
    };
    assertThatThrownBy(
            () -> SessionDiff.between(left, right, DiffOptions.defaults().withSeverity(cutting)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(right.log().toString());
  }

  private Session torn() throws IOException {
    Path torn = Files.copy(right.log(), directory.resolve("torn"));
    Files.writeString(torn, "{\"event\":", StandardOpenOption.APPEND);
    return new Session(torn, null);
  }

  private List<Path> openFiles() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> handles = Files.list(Path.of("/proc/self/fd"))) {
      for (Path handle : handles.toList()) {
        try {
          Path file = Files.readSymbolicLink(handle);
          if (file.startsWith(directory.toRealPath())) {
            found.add(file);
          }
        } catch (NoSuchFileException e) {
          // the handle that lists the others is closed by now
          continue;
        }
      }
    }
    return found;
  }

  private static DiffOptions all() {
    return DiffOptions.defaults().withMaxDivergences(Integer.MAX_VALUE);
  }
}

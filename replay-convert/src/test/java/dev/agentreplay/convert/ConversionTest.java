package dev.agentreplay.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs are converted to every other dialect and back: what is not restored is in the ledger. */
class ConversionTest {

  @TempDir
  Path directory;

  static Stream<Arguments> bundled() {
    return inEveryFormat(
        TestSessions.directories(TestSessions.bundledWith("replay-io", "sessions")));
  }

  static Stream<Arguments> corpus() {
    return inEveryFormat(TestSessions.corpusSessions());
  }

  private static Stream<Arguments> inEveryFormat(List<Path> sessions) {
    return sessions.stream().flatMap(session -> Stream.of(SessionFormat.values())
        .map(format -> Arguments.of(session.resolve(Session.LOG_NAME), format)));
  }

  @ParameterizedTest
  @MethodSource("bundled")
  void session_that_is_converted_and_back_is_what_the_ledgers_say(Path log, SessionFormat format)
      throws IOException {
    convertsThereAndBack(log, format);
  }

  @ParameterizedTest
  @MethodSource("corpus")
  void recorded_session_that_is_converted_and_back_is_what_the_ledgers_say(
      Path log, SessionFormat format) throws IOException {
    convertsThereAndBack(log, format);
  }

  private void convertsThereAndBack(Path log, SessionFormat format) throws IOException {
    Dialect dialect = dialectOf(log);
    SessionFormat back = SessionFormat.valueOf(dialect.name());
    Path there = directory.resolve("there");
    Path again = directory.resolve("again.jsonl");

    ConversionReport first =
        SessionConverter.convert(log, there, format, ConvertOptions.defaults());
    ConversionReport second =
        SessionConverter.convert(there, again, back, ConvertOptions.defaults());

    assertThat(first.isComplete()).isTrue();
    assertThat(second.isComplete()).isTrue();
    if (format == back) {
      assertThat(there).hasSameBinaryContentAs(log);
      assertThat(first.ledger().entries()).isEmpty();
    } else {
      assertThat(Ledgers.unexplained(
              dialect, lines(log), lines(again), first.ledger(), second.ledger()))
          .isEmpty();
    }
  }

  @Test
  void bundle_that_lacks_what_is_required_is_refused_with_each_of_it_named() throws IOException {
    Path bundle = Files.writeString(
        directory.resolve("bundle.json"),
        """
        {"header":{"version":"1.0.0"},"events":[
          {"type":"SessionStart"},{"type":"ToolCall","tool":"t","params":{}},7]}
        """,
        UTF_8);
    Path log = directory.resolve(Session.LOG_NAME);

    ConversionReport report =
        SessionConverter.convert(bundle, log, SessionFormat.DRAFT, ConvertOptions.defaults());

    assertThat(report.isComplete()).isFalse();
    assertThat(report.out()).isNull();
    assertThat(report.problems())
        .containsExactlyInAnyOrder(
            "/header: ReplayHeader: session_id is missing",
            "/header: ReplayHeader: started_at is missing",
            "/events/0: SessionStart: task is missing",
            "/events/1: ToolCall: id is missing, which identifies the event",
            "/events/2: must be an object, found number");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(bundle);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = SessionFormat.class,
      names = {"EVENT", "DRAFT"})
  void log_in_segments_is_converted_as_the_whole(SessionFormat to) throws IOException {
    byte[] whole =
        Files.readAllBytes(TestSessions.bundledWith("replay-io", "sessions/task-10_trial-2")
            .resolve(Session.LOG_NAME));
    Path one = Files.write(directory.resolve("one.jsonl"), whole);
    int cut = new String(whole, UTF_8).indexOf('\n', whole.length / 2) + 1;
    Path segments = Files.write(directory.resolve("segments.jsonl"), Arrays.copyOf(whole, cut));
    Files.write(
        directory.resolve("segments.jsonl.2"), Arrays.copyOfRange(whole, cut, whole.length));
    Path expected = directory.resolve("expected");
    SessionConverter.convert(one, expected, to, ConvertOptions.defaults());

    Path converted = directory.resolve("converted");
    ConversionReport report =
        SessionConverter.convert(segments, converted, to, ConvertOptions.defaults());
    assertThat(report.linesRead()).isEqualTo(lines(one).size());
    assertThat(converted).hasSameBinaryContentAs(expected);
    assertThat(directory.resolve("converted.2")).doesNotExist();
  }

  @Test
  void file_that_would_be_read_as_a_segment_of_the_result_is_left_and_refused() throws IOException {
    Path in =
        TestSessions.bundledWith("replay-io", "sessions/task-10_trial-2").resolve(Session.LOG_NAME);
    Path out = Files.writeString(directory.resolve("out"), "old");
    Path segment = Files.writeString(directory.resolve("out.2"), "old segment");
    assertThatThrownBy(() -> SessionConverter.convert(
            in, out, SessionFormat.EVENT, ConvertOptions.defaults().withOverwrite(true)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageStartingWith(segment.toString());
    assertThat(out).hasContent("old");
    assertThat(segment).hasContent("old segment");
  }

  @ParameterizedTest
  @EnumSource(SessionFormat.class)
  void source_is_not_replaced_by_the_result(SessionFormat to) throws IOException {
    Path in =
        TestSessions.bundledWith("replay-io", "sessions/task-10_trial-2").resolve(Session.LOG_NAME);
    Path source = Files.copy(in, directory.resolve("source"));
    Path link = Files.createLink(directory.resolve("link"), source);
    ConvertOptions options = ConvertOptions.defaults().withOverwrite(true);
    for (Path out : List.of(source, link)) {
      assertThatThrownBy(() -> SessionConverter.convert(source, out, to, options))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessage(out + ": it is the source; name a different file");
    }
    assertThat(source).hasSameBinaryContentAs(in);
  }

  @Test
  void bundle_is_not_replaced_in_its_directory() throws IOException {
    Path in =
        TestSessions.bundledWith("replay-io", "sessions/task-10_trial-2").resolve(Session.LOG_NAME);
    Path bundle = directory.resolve(SessionConverter.BUNDLE_NAME);
    SessionConverter.convert(in, bundle, SessionFormat.BUNDLE, ConvertOptions.defaults());
    assertThatThrownBy(() -> SessionConverter.convertInto(
            directory,
            Session.open(bundle),
            SessionFormat.BUNDLE,
            ConvertOptions.defaults().withOverwrite(true)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(bundle + ": it is the source; name a different file");
  }

  private static Dialect dialectOf(Path log) throws IOException {
    try (ReplayReader reader = ReplayReader.open(log)) {
      reader.read();
      return reader.dialect();
    }
  }

  private static List<JsonObject> lines(Path log) throws IOException {
    List<JsonObject> lines = new ArrayList<>();
    try (ReplayReader reader = ReplayReader.open(log)) {
      reader.forEach(line -> lines.add(line.json()));
    }
    return lines;
  }

  private static final class JsonFiles {
    static JsonObject read(Path file) throws IOException {
      return JsonText.parse(Files.readAllBytes(file)).asObject();
    }
  }
}

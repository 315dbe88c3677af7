package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that runs several times records each run in a directory of its own. */
class NewDirectoryTest {

  private static final RecorderOptions AT_TEN = RecorderOptions.defaults()
      .withWriter(WriterOptions.defaults()
          .withClock(Clock.fixed(Instant.parse("2026-01-13T10:00:00.9Z"), ZoneOffset.UTC)));

  @TempDir
  private Path parent;

  @Test
  void each_start_has_a_directory_named_by_id_and_time() throws IOException {
    for (int i = 0; i < 3; i++) {
      start("fix-auth");
    }
    start("other");

    List<String> names = List.of(
        "fix-auth-20260113T100000Z",
        "fix-auth-20260113T100000Z-2",
        "fix-auth-20260113T100000Z-3",
        "other-20260113T100000Z");
    assertThat(names()).isEqualTo(names);
    for (String name : names) {
      Session session = Session.open(sessions().resolve(name));
      assertThat(session.id()).isEqualTo(name);
      assertThat(session.receipt()).isNotNull();
    }
  }

  @Test
  void default_options_take_the_time_of_the_system() throws IOException {
    try (SessionRecorder session = SessionRecorder.startIn(sessions(), "fix-auth")) {
      assertThat(session.directory()).hasParent(sessions());
      assertThat(session.directory().getFileName().toString())
          .matches("fix-auth-[0-9]{8}T[0-9]{6}Z");
    }
  }

  @Test
  void threads_and_files_never_share_a_name() throws IOException {
    Files.createDirectories(sessions());
    Files.writeString(sessions().resolve("a-20260113T100000Z"), "a file");
    Set<Path> used = ConcurrentHashMap.newKeySet();

    IntStream.range(0, 16).parallel().forEach(i -> {
      try {
        used.add(start("a"));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });

    assertThat(used).hasSize(16);
    assertThat(sessions().resolve("a-20260113T100000Z")).hasContent("a file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "..\\up", "/", "a:b", "a\u0000", "line\nfeed", " ", "what?"})
  void name_that_no_file_can_have_is_refused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> start(name)).withMessageContaining(name);
    assertThat(sessions()).doesNotExist();
  }

  @Test
  void start_without_an_id_names_the_mistake() {
    SessionStart lost =
        SessionStart.of("a").withMeta(Meta.NONE.withExtra(JsonObject.of("team", "blue")));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SessionRecorder.startIn(sessions(), lost, AT_TEN))
        .withMessageStartingWith("a session needs an id: ")
        .withMessageContaining("begin with start.meta()");
  }

  @Test
  void directory_of_a_start_that_fails_is_deleted() {
    RecorderOptions failing = AT_TEN.withRedactor(event -> {
      throw new IllegalStateException("no rules");
    });

    assertThatThrownBy(() -> SessionRecorder.startIn(sessions(), SessionStart.of("a"), failing))
        .isInstanceOf(IOException.class);
    assertThat(sessions()).isEmptyDirectory();
  }

  private Path sessions() {
    return parent.resolve("sessions");
  }

  private Path start(String name) throws IOException {
    try (SessionRecorder session =
        SessionRecorder.startIn(sessions(), SessionStart.of(name), AT_TEN)) {
      session.end(Status.SUCCESS);
      return session.directory();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(sessions())) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }
}

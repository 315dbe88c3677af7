package dev.agentreplay.io.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.TestLogs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A session is found by its path, the name of its directory, or the id in its first lines. */
class SessionSearchTest {

  private static final String EVENT = "{\"event\":\"Note\"}\n";

  @TempDir
  private Path root;

  @BeforeEach
  void sessions() throws IOException {
    session("2026/one", "sess_abc123");
    session("2026/two", "sess_other");
    write("loose/run.jsonl", TestLogs.firstLine() + start("sess_loose"));
    gzip("packed/REPLAY.jsonl.gz", TestLogs.firstLine() + start("sess_gzip"));
    write(
        "draft/REPLAY.jsonl",
        "{\"session_id\":\"sess_draft\",\"started_at\":\"2026-01-13T10:00:00Z\","
            + "\"type\":\"ReplayHeader\",\"version\":\"1.0.0\"}\n");
    write("torn/REPLAY.jsonl", "not a log\n");
  }

  @ParameterizedTest
  @CsvSource({
    "sess_abc123, 2026/one",
    "sess_other, 2026/two",
    "sess_loose, loose/run.jsonl",
    "sess_gzip, packed",
    "sess_draft, draft",
    "one, 2026/one",
    "2026/one, 2026/one",
    "2026/one/REPLAY.jsonl, 2026/one/REPLAY.jsonl",
    "run.jsonl, loose/run.jsonl",
    "torn, torn",
    "2026, 2026"
  })
  void text_means_a_path_or_a_name_or_an_id(String text, String path) throws IOException {
    assertThat(root.relativize(Sessions.find(root, text))).isEqualTo(Path.of(path));
  }

  @Test
  void id_that_two_sessions_have_is_an_error_that_names_both() throws IOException {
    session("2027/three", "sess_abc123");
    assertMissing(
        "sess_abc123",
        "2 sessions have this id or name: %s, %s; name one by its path"
            .formatted(root.resolve("2026/one"), root.resolve("2027/three")));
  }

  @Test
  void id_that_is_the_name_of_a_different_session_is_ambiguous() throws IOException {
    session("2027/sess_abc123", "sess_new");
    assertMissing(
        "sess_abc123",
        "2 sessions have this id or name: %s, %s; name one by its path"
            .formatted(root.resolve("2026/one"), root.resolve("2027/sess_abc123")));
  }

  @Test
  void only_some_of_many_sessions_are_named() throws IOException {
    for (int i = 0; i < 7; i++) {
      session("many/" + i, "same");
    }
    assertThatThrownBy(() -> Sessions.find(root, "same"))
        .hasMessageContaining("7 sessions have this id or name: " + root.resolve("many/0"))
        .hasMessageContaining(root.resolve("many/4") + ", …; name one by its path");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sess_abc124", "sess_abc1234", "sess_acb123", "SESS_ABC123", "abc123"})
  void miss_names_the_directory_and_what_is_similar(String text) {
    assertMissing(
        text,
        "no such file or directory, and no session below %s has this id or name; similar:"
                .formatted(root)
            + " sess_abc123");
  }

  @Test
  void miss_without_anything_similar_names_the_directory() {
    assertMissing(
        "nothing-of-it",
        "no such file or directory, and no session below %s has this id or name".formatted(root));
    assertMissing(
        "\0",
        "no such file or directory, and no session below %s has this id or name".formatted(root));
  }

  @Test
  void directory_must_exist() {
    Path absent = root.resolve("absent");
    assertThatThrownBy(() -> Sessions.find(absent, "x"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage("x: no such session: not a directory: " + absent);
  }

  @Test
  void id_is_looked_for_in_the_first_lines_only() throws IOException {
    write("late/63/REPLAY.jsonl", TestLogs.firstLine() + EVENT.repeat(62) + start("in-line-64"));
    write("late/64/REPLAY.jsonl", TestLogs.firstLine() + EVENT.repeat(63) + start("in-line-65"));
    String wide = "{\"event\":\"Note\",\"text\":\"" + "x".repeat(1 << 20) + "\"}\n";
    write("late/wide/REPLAY.jsonl", TestLogs.firstLine() + wide + start("beyond-1-mib"));

    assertThat(Sessions.find(root, "in-line-64")).isEqualTo(root.resolve("late/63"));
    assertThatThrownBy(() -> Sessions.find(root, "in-line-65"))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Sessions.find(root, "beyond-1-mib"))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void damage_after_the_id_does_not_matter() throws IOException {
    write("damaged/REPLAY.jsonl", TestLogs.firstLine() + start("sess_damaged") + "torn\n");
    assertThat(Sessions.find(root, "sess_damaged")).isEqualTo(root.resolve("damaged"));
  }

  private void assertMissing(String text, String reason) {
    assertThatThrownBy(() -> Sessions.find(root, text))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(text + ": " + reason);
  }

  private static String start(String id) {
    return "{\"event\":\"SessionStart\",\"session_id\":\"%s\"}\n".formatted(id);
  }

  private void session(String directory, String id) throws IOException {
    write(directory + "/REPLAY.jsonl", TestLogs.firstLine() + start(id));
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void gzip(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}

package dev.agentreplay.engine.replay.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.files.RecordedFiles.Change;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The attribution of recorded changes of files to calls. */
class RecordedFilesTest {

  @TempDir
  Path directory;

  private RecordedFiles read(String... events) throws IOException {
    StringBuilder log =
        new StringBuilder("{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\","
            + "\"producer\":\"p\",\"replay_version\":1}\n");
    for (String event : events) {
      String[] words = event.split(" ");
      String lane = words.length > 2 ? "\"agent\":\"%s\",".formatted(words[2]) : "";
      String line =
          switch (words[0]) {
            case "call" -> "{%s\"event\":\"ToolCall\",\"id\":\"%s\",\"tool\":\"t\"}\n";
            case "result" -> "{%s\"event\":\"ToolResult\",\"id\":\"%s\"}\n";
            default -> "{%s\"event\":\"FileState\",\"hash_after\":null,\"path\":\"%s\"}\n";
          };
      log.append(line.formatted(lane, words[1]));
    }
    Path file = Files.writeString(directory.resolve(Session.LOG_NAME), log);
    RecordedFiles files = new RecordedFiles();
    try (ReplayReader reader = new Session(file, null).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        files.accept(line);
      }
    }
    return files;
  }

  private static List<String> paths(List<Change> changes) {
    return changes.stream().map(change -> change.state().path()).toList();
  }

  @Test
  void changes_belong_to_the_call_around_them_and_others_to_no_tool() throws IOException {
    RecordedFiles files = read(
        "file a",
        "call 1",
        "file b",
        "file c",
        "result 1",
        "file d",
        "call 2",
        "result 2",
        "file e");

    assertThat(paths(files.beforeCall(3))).containsExactly("a");
    assertThat(paths(files.ofCall(3))).containsExactly("b", "c");
    assertThat(paths(files.beforeCall(8))).containsExactly("d");
    assertThat(files.ofCall(8)).isEmpty();
    assertThat(paths(files.afterLast())).containsExactly("e");
    assertThat(paths(files.outsideOfTools())).containsExactlyInAnyOrder("a", "d", "e");
  }

  @Test
  void changes_belong_to_the_next_result_of_a_call_that_was_made_before() throws IOException {
    RecordedFiles files =
        read("call 1", "call 2", "file a", "result 2", "file b", "call 3", "result 3", "result 1");

    assertThat(paths(files.ofCall(3))).containsExactly("a");
    assertThat(files.ofCall(7)).isEmpty();
    assertThat(paths(files.ofCall(2))).containsExactly("b");
  }

  @Test
  void changes_belong_to_a_call_of_their_lane() throws IOException {
    RecordedFiles files =
        read("call 1", "call 2 x", "file a x", "file b", "file c y", "result 1", "result 2 x");

    assertThat(paths(files.ofCall(2))).containsExactly("b");
    assertThat(paths(files.ofCall(3))).containsExactly("a");
    assertThat(paths(files.afterLast())).containsExactly("c");
  }

  @Test
  void changes_of_a_call_without_a_result_belong_to_none() throws IOException {
    RecordedFiles files = read("call 1", "file a");

    assertThat(files.ofCall(2)).isEmpty();
    assertThat(files.outsideOfTools()).isEmpty();
  }
}

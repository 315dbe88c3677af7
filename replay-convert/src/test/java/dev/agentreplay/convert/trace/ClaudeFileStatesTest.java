package dev.agentreplay.convert.trace;

import static dev.agentreplay.convert.trace.ClaudeLines.ASK;
import static dev.agentreplay.convert.trace.ClaudeLines.answer;
import static dev.agentreplay.convert.trace.ClaudeLines.call;
import static dev.agentreplay.convert.trace.ClaudeLines.result;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The states of files that the results of tools of Claude Code state. */
class ClaudeFileStatesTest {

  @TempDir
  private Path directory;

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "s1.jsonl", lines);
  }

  private static final String NO_LINE_FEED = "\\ No newline at end of file";

  private int files;

  /** The change that the result of a tool with these members states; null if there is none. */
  private FileState changed(String result) throws IOException {
    List<FileState> states = ImportedEvents.of(
            directory,
            "f" + ++files + ".jsonl",
            ASK,
            answer("a1", "msg_1", call("t1")),
            result("r1", "t1", ",\"toolUseResult\":{" + result + "}"))
        .of(FileState.class);
    return states.isEmpty() ? null : states.get(0);
  }

  private static String patch(String... lines) {
    return "\"structuredPatch\":[" + JsonObject.of("lines", List.of(lines), "oldStart", 1) + "]";
  }

  private static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(UTF_8));
  }

  @Test
  void editStatesTheFileBeforeAndAfterIt() throws IOException {
    FileState state =
        changed("\"filePath\":\"/w/src/A.java\",\"oldString\":\"b\",\"newString\":\"x\","
            + "\"originalFile\":\"abab\",\"replaceAll\":true,"
            + patch("-abab", NO_LINE_FEED, "+axax", NO_LINE_FEED));

    assertThat(state.path()).isEqualTo("src/A.java");
    assertThat(state.before()).isEqualTo(hash("abab"));
    assertThat(state.after()).isEqualTo(hash("axax"));
    assertThat(state.bytes()).isEqualTo(4);
  }

  @Test
  void deletionOfALine_removesItsLineFeed() throws IOException {
    String edit = "\"filePath\":\"/w/A\",\"oldString\":\"b\",\"newString\":\"\",\"originalFile\":"
        + "\"a\\nb\\nc\\n\",";

    assertThat(changed(edit + patch(" a", "-b", " c")).after()).isEqualTo(hash("a\nc\n"));
    assertThat(changed(edit + patch(" a", "-b", "+", " c")).after()).isEqualTo(hash("a\n\nc\n"));
  }

  @Test
  void lineFeedAtTheEndIsThatOfThePatch() throws IOException {
    String edit = "\"filePath\":\"/w/A\",\"originalFile\":\"%s\",\"content\":\"%s\",";

    assertThat(changed(edit.formatted("a", "b\\n") + patch("-a", NO_LINE_FEED, "+b"))
            .after())
        .isEqualTo(hash("b\n"));
    assertThat(changed(edit.formatted("a\\n", "b") + patch("-a", "+b", NO_LINE_FEED))
            .after())
        .isEqualTo(hash("b"));
  }

  @Test
  void tabsThatThePatchShowsAsSpaces_areTabs() throws IOException {
    String edit = "\"filePath\":\"/w/A\",\"oldString\":\"b\",\"newString\":\"\\t\\tx\","
        + "\"originalFile\":\"\\ta\\tz\\nb\\n\",";

    assertThat(changed(edit + patch("   a\tz", "-b", "+    x")).after())
        .isEqualTo(hash("\ta\tz\n\t\tx\n"));
    assertThat(changed(edit + patch("   a z", "-b", "+    x"))).isNull();
  }

  @Test
  void editWhosePatchDisagrees_hasNoState() throws IOException {
    String edit =
        "\"filePath\":\"/w/A\",\"oldString\":\"b\",\"newString\":\"x\",\"originalFile\":\"b\\n\"";

    assertThat(changed(edit + "," + patch("-b", "+y"))).isNull();
    assertThat(changed(edit + "," + patch("-c", "+x"))).isNull();
    assertThat(changed(edit + ",\"structuredPatch\":[7]")).isNull();
    assertThat(changed(edit)).isNull();
    assertThat(changed(edit + ",\"userModified\":true," + patch("-b", "+x"))).isNull();
    assertThat(changed(edit + "," + patch("-b", "+x"))).isNotNull();
  }

  @Test
  void onlyAFileThatWasCreated_wasNotThereBefore() throws IOException {
    String write = ",\"filePath\":\"/w/A\",\"content\":\"x\",\"originalFile\":null";

    assertThat(changed("\"type\":\"create\"" + write).before()).isNull();
    assertThat(changed("\"type\":\"update\"" + write)).isNull();
    assertThat(changed("\"type\":\"create\",\"userModified\":true" + write)).isNull();
  }

  @Test
  void pathOutsideTheWorkspaceHasNoState() throws IOException {
    for (String path : List.of(
        "/other/A",
        "/w/../etc/A",
        "/w",
        "/w/",
        "/w//A",
        "/w/./A",
        "relative",
        "/w/a\\nb/../../etc/A",
        "/w/a\\u001b",
        "/w/a/..")) {
      assertThat(
              changed("\"type\":\"create\",\"content\":\"x\",\"originalFile\":null,\"filePath\":\""
                  + path + "\""))
          .as(path)
          .isNull();
    }
  }

  @Test
  void pathIsRelativeToTheFirstDirectory() throws IOException {
    String write =
        ",\"toolUseResult\":{\"type\":\"create\",\"content\":\"x\",\"filePath\":\"/w/src/A\"}";
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        result("r1", "t1", write).replace("\"cwd\":\"/w\"", "\"cwd\":\"/w/src\""));

    assertThat(imported.of(FileState.class)).extracting(FileState::path).containsExactly("src/A");
  }
}

package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code replay run}: circumstances that are compared, reported and required. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class RunCircumstancesTest {

  private static final String UNSAFE = "--unsafe-no-sandbox";

  @TempDir
  Path home;

  private Path record(Circumstances circumstances) throws Exception {
    Path session = home.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(
        session,
        SessionStart.of("recorded"),
        RecorderOptions.defaults().withCircumstances(circumstances))) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "Helo");
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    return session;
  }

  private static Circumstances stated() {
    return Circumstances.defaults()
        .withModel("gpt-5")
        .withVersion("app", "1")
        .withTool(ToolDescription.of("read_file").withReadOnly(true));
  }

  private static Console run(Path session, String... options) {
    List<String> words = new ArrayList<>(List.of("run", session.toString()));
    words.addAll(List.of(options));
    return Console.run(words.toArray(String[]::new));
  }

  private Path tools(String name, String effect) throws Exception {
    JsonObject tool = JsonObject.of("command", List.of("echo", "\"Helo\""), "effect", effect);
    return Files.writeString(
        home.resolve("tools.json"),
        JsonObject.of("tools", JsonObject.of(name, tool)).toString());
  }

  @ParameterizedTest
  @CsvSource({"model", "tools", "versions", "'locale,model'"})
  void what_is_recorded_and_not_known_now_refuses(String required) throws Exception {
    Path session = record(stated());

    Console refused = run(session, "--require-same", required);

    assertThat(run(session).exit()).isZero();
    assertThat(refused.exit()).isEqualTo(4);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .contains(" is recorded, and not stated now", "; --present, --tools and --workspace state");
    assertThat(run(session, "--require-same", required, "--force").out()).startsWith("unverified");
  }

  @ParameterizedTest
  @CsvSource({
    "modell, ; did you mean 'model'?",
    "worspace, ; did you mean 'workspace'?",
    "version.runtime, ; did you mean 'versions.runtime'?",
    "versions.ap, ; did you mean 'versions.app'?",
    "nonsense, ''"
  })
  void unknown_name_is_wrong_usage(String name, String suggestion) throws Exception {
    Console run = run(record(stated()), "--require-same", "locale," + name);

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("replay: --require-same: the recording states no circumstance \"" + name + '"'
            + suggestion + "\n");
  }

  @Test
  void circumstance_that_is_stated_is_compared() throws Exception {
    Path session = record(stated());
    String[] same = {"--present", "model=gpt-5", "--present", "versions.app=1"};

    Console run = run(session, same[0], same[1], same[2], same[3], "--require-same", "model");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).doesNotContain("differs");
    assertThat(run(session, same[2], same[3], "--require-same", "versions").exit())
        .isZero();

    Console other = run(session, "--present", "model=gpt-6", "--require-same", "model");
    assertThat(other.exit()).isEqualTo(4);
    assertThat(other.err())
        .contains("model differs from the recording: recorded \"gpt-5\", now \"gpt-6\"");
    assertThat(run(session, "--present", "gpt-6").err())
        .contains("--present: expected NAME=VALUE, found \"gpt-6\"");
  }

  @Test
  void tools_of_the_file_are_compared_with_the_recorded_ones() throws Exception {
    Path session = record(stated());
    String[] node = {"--mode", "node", UNSAFE, "--require-same", "tools", "--tools"};

    Console same = run(session, with(node, tools("read_file", "pure").toString()));
    assertThat(same.exit()).as(same.err()).isZero();

    Console other = run(session, with(node, tools("open_file", "pure").toString()));
    assertThat(other.exit()).isEqualTo(4);
    assertThat(other.err())
        .contains(
            "tools.read_file is recorded, and not stated now",
            "tool open_file is not among the recorded tools");
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void locale_of_the_process_is_compared_and_reports_do_not_depend_on_it() throws Exception {
    Path session = record(Circumstances.defaults());
    Locale present = Locale.getDefault();

    String same = process(present.toLanguageTag(), session);
    String other = process("de-CH", session);

    assertThat(same).startsWith("identical  ").doesNotContain("differs");
    assertThat(other)
        .startsWith("identical  ")
        .contains("differs     locale: locale differs from the recording")
        .containsPattern("in [0-9]+\\.[0-9]+ s");
  }

  private static String process(String tag, Path session) throws Exception {
    Locale locale = Locale.forLanguageTag(tag);
    List<String> options = List.of(
        "-XX:TieredStopAtLevel=1",
        "-Duser.language=" + locale.getLanguage(),
        "-Duser.country=" + locale.getCountry());
    Process process = CommandProcess.of(options, "run", session).start();
    try (InputStream out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void differences_are_printed_before_the_agent_starts() throws Exception {
    Path session = record(Circumstances.none().withVersion("app", "1").withModel("gpt-5"));
    String[] mock = {
      "--mode",
      "mock",
      UNSAFE,
      "--present",
      "versions.app=2",
      "--subject",
      "sh -c 'echo started >&2; exit 1'"
    };
    String difference = "versions.app differs from the recording: recorded \"1\", now \"2\"";

    assertThat(run(session, mock).err().lines())
        .startsWith("replay: differs: " + difference, "subject: started");
    assertThat(run(session, with(mock, "--quiet")).err()).doesNotContain("differs: ");
    assertThat(run(session, with(mock, "--log-format", "json")).err().lines())
        .filteredOn(line -> line.contains("\"replay.circumstance\"") || line.contains("started"))
        .element(1)
        .asString()
        .contains("\"level\":\"INFO\"");
  }

  @Test
  void workspace_with_different_files_is_a_circumstance() throws Exception {
    Path workspace = Files.createDirectory(home.resolve("project"));
    Files.writeString(workspace.resolve("a.txt"), "Helo");
    Path session = record(Circumstances.none().withWorkspace(SnapshotCapture.of(workspace)));
    Path other = Files.createDirectory(home.resolve("other"));
    Files.writeString(other.resolve("a.txt"), "Hello");
    Path same = Files.createDirectory(home.resolve("same"));
    Files.writeString(same.resolve("a.txt"), "Helo");
    String[] full = {
      "--mode", "full", UNSAFE, "--tools", tools("read_file", "pure").toString(), "--workspace"
    };

    Console differs = run(session, with(full, other.toString()));
    assertThat(differs.out())
        .contains("workspace: the files of the workspace differ from the recording: \"a.txt\"");
    Console refused = run(session, with(full, other.toString(), "--require-same", "workspace"));
    assertThat(refused.exit()).isEqualTo(4);
    assertThat(refused.err()).contains("files of the workspace differ from the recording", "a.txt");
    Console accepted = run(session, with(full, same.toString(), "--require-same", "workspace"));
    assertThat(accepted.exit()).as(accepted.err()).isZero();
    Console restored = run(
        session,
        "--mode",
        "full",
        UNSAFE,
        "--tools",
        home.resolve("tools.json").toString(),
        "--require-same",
        "workspace");
    assertThat(restored.exit()).as(restored.err()).isZero();
    assertThat(run(session, "--require-same", "workspace").exit()).isEqualTo(4);
  }
}

package dev.agentreplay.junit;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplaySettings.Unused;
import dev.agentreplay.junit.ReplaySettings.Update;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings that git checks out with {@code core.autocrlf}, as it does by default on Windows. */
class GitCheckoutTest {

  private static final String RECORDING = "src/test/resources/reads";

  @TempDir
  private Path root;

  private Path project;
  private Session actual;
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void accept() throws Exception {
    assumeTrue(hasGit(), "git is not installed");
    project = Files.createDirectory(root.resolve("project"));
    git(project, "init", "--quiet");
    Path folder = project.resolve("src/test/resources");
    Session planned = RecordingsFolder.planned(project.resolve(RECORDING));
    actual = Session.open(TestRun.record(root.resolve("actual"), "a line\nand another"));
    ReplaySettings settings = new ReplaySettings(
        project, folder, root.resolve("output"), Update.MISSING, Unused.NONE, false);

    assertThat(new Acceptance(new TestCommand(settings, null), notes::add)
            .offer(actual, planned, DiffOptions.defaults()))
        .isNull();
  }

  private static boolean hasGit() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(path -> Stream.of(new File(path, "git"), new File(path, "git.exe")))
        .anyMatch(File::canExecute);
  }

  /** Runs git without the settings of the user and the machine. */
  private void git(Path directory, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder
        .environment()
        .putAll(Map.of(
            "GIT_CONFIG_GLOBAL", root.resolve("none").toString(),
            "GIT_CONFIG_NOSYSTEM", "1",
            "GIT_AUTHOR_NAME", "a",
            "GIT_AUTHOR_EMAIL", "a@example.org",
            "GIT_COMMITTER_NAME", "a",
            "GIT_COMMITTER_EMAIL", "a@example.org"));
    Path out = root.resolve("git.txt");
    Process process =
        builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue())
        .as(String.join(" ", command) + "\n" + Files.readString(out, StandardCharsets.ISO_8859_1))
        .isZero();
  }

  /** The recording in a clone of what is committed, with the settings of Windows. */
  private Session clone(String name) throws Exception {
    git(project, "add", "--all");
    git(project, "commit", "--quiet", "--message", name);
    git(root, "clone", "--quiet", "--config", "core.autocrlf=true", "project", name);
    return Session.open(root.resolve(name).resolve(RECORDING));
  }

  @Test
  void tests_pass_with_the_attributes_that_accepting_wrote() throws Exception {
    Path attributes = project.resolve("src/test/resources/.gitattributes");
    Files.writeString(project.resolve("notes.txt"), "one\ntwo\n");
    assertThat(attributes).exists();
    assertThat(notes).anyMatch(note -> note.startsWith("replay: wrote " + attributes));

    Session recording = clone("windows");

    assertThat(root.resolve("windows/notes.txt")).content().isEqualTo("one\r\ntwo\r\n");
    assertThat(recording).isVerified();
    assertThat(actual).matches(recording);
  }

  @Test
  void tests_without_attributes_fail_with_the_remedy() throws Exception {
    Files.delete(project.resolve("src/test/resources/.gitattributes"));

    Session recording = clone("windows");

    assertThatThrownBy(() -> assertThat(actual).matches(recording))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the recording does not verify: ")
        .hasMessageContaining("LINE_ENDINGS_CONVERTED")
        .hasMessageContaining("git has converted the recording")
        .hasMessageContaining(".gitattributes")
        .hasMessageNotContaining("NOT_CANONICAL");
  }
}

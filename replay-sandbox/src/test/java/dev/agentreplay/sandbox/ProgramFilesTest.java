package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramFilesTest {

  private static final SystemFiles SYSTEM = new SystemFiles(List.of(
      new SystemFiles.Entry(Path.of("/usr"), null),
      new SystemFiles.Entry(Path.of("/bin"), "usr/bin")));

  @TempDir
  private Path directory;

  private Path home;
  private Path workspace;
  private SandboxOptions options;

  @BeforeEach
  void prepare() throws IOException {
    home = Files.createDirectories(directory.toRealPath().resolve("home/me"));
    workspace = Files.createDirectories(home.resolve("copy"));
    options = SandboxOptions.of(workspace).withWorkspaceAt(home.resolve("project"));
  }

  @Test
  void a_program_of_the_system_needs_nothing() throws Exception {
    assertThat(find("sh")).isEmpty();
    assertThat(find("/usr/bin/env")).isEmpty();
  }

  @Test
  void a_program_of_an_installation_is_shown_with_it() throws Exception {
    Path node = program("tools/node/v20/bin/node", "x");

    assertThat(find(node.toString())).containsExactly(home.resolve("tools/node/v20"));
  }

  @Test
  void a_program_is_found_in_PATH() throws Exception {
    program("tools/node/v20/bin/node", "x");
    String path = "/nowhere:" + home.resolve("tools/node/v20/bin") + ":/usr/bin";
    options = options.withEnvironment(Map.of("PATH", path));

    assertThat(find("node")).containsExactly(home.resolve("tools/node/v20"));
    assertThat(find("env")).isEmpty();
  }

  @Test
  void a_link_is_shown_with_its_target() throws Exception {
    Path real = program("sdk/java/17/bin/java", "x");
    Files.createSymbolicLink(home.resolve("sdk/java/current"), Path.of("17"));
    Files.createDirectories(home.resolve("links/deep"));
    Path link = Files.createSymbolicLink(home.resolve("links/deep/java"), real.toAbsolutePath());

    assertThat(find(home.resolve("sdk/java/current/bin/java").toString()))
        .containsExactly(home.resolve("sdk/java/current"), home.resolve("sdk/java/17"));
    assertThat(find(link.toString())).containsExactly(link, home.resolve("sdk/java/17"));
  }

  @Test
  void links_that_end_only_for_the_kernel_are_refused() throws Exception {
    Path real = program("elsewhere/loop", "x");
    Files.createDirectories(home.resolve("elsewhere/in"));
    Files.createDirectories(home.resolve("links"));
    Files.createSymbolicLink(home.resolve("links/d"), home.resolve("elsewhere/in"));
    Path loop = Files.createSymbolicLink(home.resolve("links/loop"), Path.of("d/../loop"));

    assertThat(loop.toRealPath()).isEqualTo(real);
    assertRefused(loop.toString(), "too many symbolic links: " + loop);
  }

  @Test
  void a_home_and_what_holds_more_than_programs_is_not_shown_as_a_whole() throws Exception {
    for (String name : List.of("bin/x", ".local/bin/x", ".cargo/bin/x")) {
      Path program = program(name, "x");
      assertThat(find(program.toString())).containsExactly(program);
    }
  }

  @Test
  void a_version_manager_is_shown_as_a_whole() throws Exception {
    Path python = program(".pyenv/shims/python", "x");
    Path cargo = program(".cargo/bin/cargo", "x");
    Files.createDirectories(home.resolve(".rustup/toolchains"));

    assertThat(find(python.toString())).containsExactly(home.resolve(".pyenv"));
    assertThat(find(cargo.toString())).containsExactly(cargo, home.resolve(".rustup"));
  }

  @Test
  void a_directory_above_the_workspace_is_not_shown() throws Exception {
    Path program = program("deep/all/bin/x", "x");
    Path copy = Files.createDirectories(home.resolve("deep/all/copies/7"));

    for (SandboxOptions each : List.of(
        options.withWorkspaceAt(home.resolve("deep/all/project")),
        SandboxOptions.of(copy).withWorkspaceAt(home.resolve("project")))) {
      options = each;
      assertThat(find(program.toString())).containsExactly(program);
    }
  }

  @Test
  void a_script_is_shown_with_its_interpreter() throws Exception {
    Path python = program("tools/python/3/bin/python", "x");
    Path script = program("scripts/run", "#! " + python + " -E\n");
    Path searched = program("scripts/search", "#!/usr/bin/env -S A=1 python -E\n");
    options = options.withEnvironment(
        Map.of("PATH", home.resolve("tools/python/3/bin").toString()));

    assertThat(find(script.toString())).containsExactly(script, home.resolve("tools/python/3"));
    assertThat(find(searched.toString())).containsExactly(searched, home.resolve("tools/python/3"));
  }

  @Test
  void a_program_of_the_workspace_is_found_in_the_copy() throws Exception {
    Path python = program("tools/python/3/bin/python", "x");
    Path script = workspace.resolve("run");
    Files.writeString(script, "#!" + python + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));

    // not the installation: the recording must not choose what is visible of this machine
    assertThat(find("./run")).containsExactly(python);
    assertThat(find(home.resolve("project/run").toString())).containsExactly(python);
  }

  @Test
  void a_link_of_the_workspace_shows_only_its_file() throws Exception {
    Path python = program("tools/python/3/bin/python", "x");
    Files.createSymbolicLink(workspace.resolve("run"), python);

    assertThat(find("./run")).containsExactly(python);
  }

  @Test
  void a_program_of_the_recorded_search_path_alone_is_shown_without_its_installation()
      throws Exception {
    Path node = program("tools/node/v20/bin/node", "x");
    options = options.withEnvironment(Map.of("PATH", node.getParent().toString()));

    assertThat(ProgramFiles.of("node", options, SYSTEM, List.of(home), "/usr/bin:/bin"))
        .containsExactly(node);
  }

  @Test
  void what_is_not_a_program_is_refused() throws Exception {
    Path text = program("scripts/text", "x");
    Files.setPosixFilePermissions(text, PosixFilePermissions.fromString("rw-r--r--"));
    Path broken = program("scripts/broken", "#!/no/such/interpreter\n");

    assertRefused("/no/such/program", "there is no program /no/such/program");
    assertRefused("no-such", "there is no program 'no-such' in PATH");
    assertRefused("a\0b", "not the name of a program: 'a\0b'");
    if (!Files.isExecutable(text)) {
      assertRefused(text.toString(), "the file " + text + " is not executable");
    }
    assertRefused(
        broken.toString(),
        "the interpreter of %s: there is no program /no/such/interpreter".formatted(broken));
    Path directory = Objects.requireNonNull(text.getParent());
    assertRefused(directory.toString(), directory + " is a directory");
  }

  private void assertRefused(String program, String message) {
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> find(program))
        .withMessage(message)
        .extracting(SandboxException::reason)
        .isEqualTo(SandboxException.Reason.NOT_STARTED);
  }

  private List<Path> find(String program) throws SandboxException {
    return ProgramFiles.of(
        program, options, SYSTEM, List.of(home), options.environment().get("PATH"));
  }

  private Path program(String name, String text) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }
}

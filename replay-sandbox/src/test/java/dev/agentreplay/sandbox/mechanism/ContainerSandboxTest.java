package dev.agentreplay.sandbox.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.Limiter;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import dev.agentreplay.sandbox.probe.ProbeSet;
import dev.agentreplay.sandbox.probe.SandboxReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs in containers of a real engine. Skipped, with a message, unless the system property
 * {@code replay.container} names an engine and an image, as in {@code podman:debian:12}. The image
 * must have the libraries of the Java runtime, which is mounted.
 */
class ContainerSandboxTest {

  private static final String PROPERTY = "replay.container";
  private static final Path PROJECT = Path.of("/home/dev/project");

  @TempDir
  Path directory;

  private Path workspace = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    workspace = Files.createDirectory(directory.toRealPath().resolve("w"));
  }

  private static SandboxChoice choice() {
    String name = System.getProperty(PROPERTY);
    if (name == null) {
      System.err.println("SKIPPED: containers are NOT TESTED: set the property " + PROPERTY);
    }
    assumeTrue(name != null, "no container is named");
    return SandboxChoice.parse(Objects.requireNonNull(name));
  }

  private static Sandbox sandbox() {
    SandboxChoice choice = choice();
    Machine machine = new Machine();
    Container.removeAbandoned(Objects.requireNonNull(choice.mechanism()), machine);
    return new CommandSandbox(new Container(
        choice.mechanism(), Objects.requireNonNull(choice.image()), machine.environment()));
  }

  private SandboxOptions options() {
    return SandboxOptions.of(workspace)
        .withWorkspaceAt(PROJECT)
        .withEnvironment(Map.of("PATH", "/usr/bin:/bin", "TOKEN", "it's a \"secret\""))
        .withIdentity(new HostIdentity("dev", 1000L, 1000L, "/home/dev", "box", "027", null));
  }

  private record Result(int exitCode, String out, @Nullable SandboxException fault) {}

  private static Result run(Sandbox sandbox, SandboxOptions options, String... command)
      throws Exception {
    try (SandboxedProcess program = sandbox.start(List.of(command), options)) {
      program.process().getOutputStream().close();
      String out =
          new String(program.process().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(program.process().waitFor(), out, program.fault());
    }
  }

  /** The containers of this test that the engine has. */
  private static String containers() {
    return Objects.requireNonNull(new Machine()
            .output(List.of(
                Objects.requireNonNull(choice().mechanism()).id(),
                "ps",
                "--all",
                "--filter=name=replay-sandbox-",
                "--format={{.Names}}")))
        .strip();
  }

  @Test
  void everything_is_isolated() {
    SandboxSelection selection = new Sandboxes(new Machine(), ProbeSet.FULL).choose(choice());

    assertThat(selection.used()).as(selection.attempts().toString()).isNotNull();
    SandboxReport report =
        Objects.requireNonNull(Objects.requireNonNull(selection.used()).report());
    assertThat(report.gaps()).isEmpty();
    assertThat(report.enforcement().memory()).isEqualTo(Limiter.CGROUP);
    assertThat(containers()).isEmpty();
  }

  @Test
  void program_sees_the_recorded_place_and_changes_the_workspace() throws Exception {
    String script = "pwd; hostname; umask; echo \"$TOKEN\"; echo x > file; exit 7";

    Result result = run(sandbox(), options(), "sh", "-c", script);

    assertThat(result.fault()).isNull();
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.out()).isEqualTo("/home/dev/project\nbox\n0027\nit's a \"secret\"\n");
    assertThat(workspace.resolve("file")).hasContent("x");
    assertThat(containers()).isEmpty();
  }

  @Test
  void variables_of_the_program_have_no_effect_on_the_client() throws Exception {
    // the dynamic loader of a program that has these variables writes a file
    Map<String, String> variables = Map.of(
        "PATH", "/usr/bin:/bin", "LD_DEBUG", "libs", "LD_DEBUG_OUTPUT", workspace + "/trace");

    Result result =
        run(sandbox(), options().withEnvironment(variables), "printenv", "LD_DEBUG_OUTPUT");

    assertThat(result.out()).endsWith(workspace + "/trace\n"); // after what the loader writes
    assertThat(workspace).isEmptyDirectory();
  }

  @Test
  void exit_codes_of_the_engine_are_also_those_of_programs() throws Exception {
    Sandbox sandbox = sandbox();
    for (int code : new int[] {125, 126, 127}) {
      Result result = run(sandbox, options(), "sh", "-c", "exit " + code);
      assertThat(result.exitCode()).isEqualTo(code);
      assertThat(result.fault()).isNull();
    }
  }

  @Test
  void program_that_is_missing_and_image_that_is_missing_are_different() throws Exception {
    assertReason(run(sandbox(), options(), "missing-program").fault(), Reason.NOT_STARTED);
    Sandbox missing = new CommandSandbox(new Container(
        Objects.requireNonNull(choice().mechanism()),
        "localhost/replay-missing-image",
        System.getenv()));

    assertReason(run(missing, options(), "true").fault(), Reason.SETUP);
  }

  @Test
  void program_that_uses_too_much_memory_reaches_a_limit() throws Exception {
    SandboxOptions options = options().withLimits(options().limits().withMemory(64 << 20));

    Result result = run(sandbox(), options, "sh", "-c", "head -c 4000000000 /dev/zero | tail");

    assertReason(result.fault(), Reason.LIMIT);
  }

  @Test
  void file_that_is_too_large_reaches_a_limit() throws Exception {
    SandboxOptions options = options().withLimits(options().limits().withTemporary(1 << 20));

    Result result = run(sandbox(), options, "sh", "-c", "exec head -c 4000000 /dev/zero > large");

    assertReason(result.fault(), Reason.LIMIT);
    assertThat(Files.size(workspace.resolve("large"))).isEqualTo(1 << 20);
  }

  @Test
  void closing_removes_the_container() throws Exception {
    SandboxedProcess program =
        sandbox().start(List.of("sh", "-c", "trap '' TERM; echo ready; sleep 300"), options());
    assertThat(program.process().getInputStream().read()).isEqualTo('r');

    program.close();

    assertThat(program.fault()).isNull();
    assertThat(containers()).isEmpty();
  }

  @Test
  void containers_that_are_closed_while_they_start_are_removed_at_last() throws Exception {
    Sandbox sandbox = sandbox();
    for (int count = 0; count < 5; count++) {
      sandbox.start(List.of("sleep", "300"), options()).close();
    }

    assertThat(containers()).isEmpty();
  }

  @Test
  void next_use_removes_the_container_of_a_killed_JVM() throws Exception {
    choice();
    Process jvm = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-D" + PROPERTY + "=" + System.getProperty(PROPERTY),
            "-cp",
            System.getProperty("java.class.path"),
            KilledJvm.class.getName(),
            workspace.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    assertThat(jvm.getInputStream().read()).isEqualTo('r');
    jvm.destroyForcibly().waitFor();
    assertThat(containers()).contains("replay-sandbox-");

    sandbox();

    assertThat(containers()).isEmpty();
  }

  /** A process that starts a program, and is killed. */
  static final class KilledJvm {

    private KilledJvm() {}

    public static void main(String[] arguments) throws Exception {
      sandbox()
          .start(
              List.of("sh", "-c", "trap '' TERM; echo ready; sleep 300"),
              SandboxOptions.of(Path.of(arguments[0])).withEnvironment(Map.of("PATH", "/bin")))
          .process()
          .getInputStream()
          .transferTo(System.out);
    }
  }

  private static void assertReason(@Nullable SandboxException fault, Reason reason) {
    assertThat(fault).isNotNull();
    assertThat(fault.reason()).isEqualTo(reason);
  }
}

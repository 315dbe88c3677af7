package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.InBubblewrap.Result;
import dev.agentreplay.sandbox.SandboxException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs under Landlock, with the control groups of this machine and without. Skipped, with a
 * message, where {@code setpriv} or the kernel has no Landlock.
 */
@EnabledOnOs(OS.LINUX)
class LandlockSandboxTest {

  private static final String BOMB = "f() { f | f & }; f; sleep 60";

  /**
   * Starts some 1,000 processes, and no more: nothing but a control group stops a bomb of root for
   * certain, since a monitor may be slower than it is.
   */
  private static final String BOUNDED_BOMB =
      "f() { [ $1 = 0 ] && exec sleep 60; f $(($1 - 1)) | f $(($1 - 1)) & wait; }; f 9";

  private static final SandboxLimits LIMITS = new SandboxLimits(64 << 20, 60, 32 << 20);

  @TempDir
  private Path home;

  private final String marker = "LANDLOCK_TEST=" + UUID.randomUUID();
  private Path workspace = Path.of("");
  private Path secret = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    home = home.toRealPath();
    workspace = Files.createDirectory(home.resolve("w"));
    secret = Files.writeString(home.resolve("secret"), "secret");
  }

  private static Sandbox sandbox(boolean hasGroups) throws IOException {
    try {
      return Landlock.find(hasGroups ? Cgroups.find() : Cgroups.NONE);
    } catch (SandboxException e) {
      System.err.println("SKIPPED: Landlock is NOT TESTED: " + e.getMessage());
      assumeTrue(false, String.valueOf(e.getMessage()));
      throw new AssertionError(e);
    }
  }

  private SandboxOptions options() {
    String[] variable = marker.split("=", -1);
    return SandboxOptions.of(workspace)
        .withEnvironment(Map.of("PATH", "/usr/bin:/bin", variable[0], variable[1]));
  }

  private static Result script(SandboxOptions options, String script) throws Exception {
    return InBubblewrap.run(sandbox(false), options, List.of("sh", "-c", script));
  }

  @Test
  void exit_code_output_umask_and_directory_are_those_of_the_program() throws Exception {
    Path below = Files.createDirectory(workspace.resolve("below"));
    SandboxOptions options = options()
        .withDirectory(below)
        .withIdentity(new HostIdentity(null, null, null, null, null, "027", null));

    Result result = script(options, "umask; pwd; echo error >&2; exit 7");

    assertThat(result.fault()).isNull();
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.out()).isEqualTo("0027\n" + below + "\n");
    assertThat(result.error()).isEqualTo("error\n");
  }

  @Test
  void umask_that_forbids_all_prevents_nothing() throws Exception {
    Result result = script(
        options().withIdentity(new HostIdentity(null, null, null, null, null, "777", null)),
        "umask");

    assertThat(result.fault()).isNull();
    assertThat(result.out()).isEqualTo("0777\n");
  }

  @Test
  void environment_is_complete_and_exact() throws Exception {
    Map<String, String> variables = new HashMap<>();
    variables.put("PATH", "/usr/bin:/bin");
    variables.put("QUOTED", "it's \"$HOME\" \\ `id`\nnext line\n");
    variables.put("with.dot", "a b");
    variables.put("PPID", "5");
    variables.put("PWD", "/elsewhere");
    variables.put("TMPDIR", workspace.toString());

    Result result = InBubblewrap.run(
        sandbox(false), options().withEnvironment(variables), List.of("env", "-0"));

    Map<String, String> found = new HashMap<>();
    for (String variable : result.out().split("\0", -1)) {
      if (!variable.isEmpty()) {
        found.put(variable.split("=", 2)[0], variable.split("=", 2)[1]);
      }
    }
    assertThat(found).isEqualTo(variables);
  }

  @Test
  void temporary_directory_is_writable_and_private() throws Exception {
    Result result = script(
        options(), "echo x > \"$TMPDIR/file\" && stat -c %a \"$TMPDIR\"; " + "echo \"$TMPDIR\"");

    assertThat(result.fault()).isNull();
    assertThat(result.out()).startsWith("7");
    assertThat(Path.of(result.out().lines().skip(1).findFirst().orElseThrow())).doesNotExist();
  }

  @Test
  void variables_of_the_dynamic_linker_have_no_effect_outside() throws Exception {
    Map<String, String> variables = Map.of(
        "PATH", "/usr/bin:/bin",
        "LD_DEBUG", "statistics",
        "LD_DEBUG_OUTPUT", home.resolve("loaded").toString());

    Result result = script(options().withEnvironment(variables), "exit 3");

    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(home).isDirectoryNotContaining("glob:**loaded*");
  }

  @Test
  void files_outside_are_neither_read_nor_changed() throws Exception {
    Path script = Files.writeString(
        workspace.resolve("attack.sh"),
        """
        cat "$1" /etc/shadow
        ls "$2" /root /
        echo x > "$1"
        echo x >> "$1"
        truncate -s 0 "$1"
        ln "$1" linked
        mv "$1" moved
        rm "$1"
        mkdir "$2/made"
        echo x > "$2/made-file"
        ln -s "$1" link && cat link
        echo x > /tmp/made-by-landlock-test
        echo 1 > /proc/sys/vm/overcommit_memory
        cat "/proc/$3/environ" "/proc/$3/cmdline"
        kill -9 -1
        true
        """);

    Result result = InBubblewrap.run(
        sandbox(true),
        options(),
        List.of(
            "sh",
            script.toString(),
            secret.toString(),
            home.toString(),
            Long.toString(ProcessHandle.current().pid())));

    assertThat(result.fault()).isNull();
    assertThat(result.out()).isEmpty();
    assertThat(secret).hasContent("secret");
    try (Stream<Path> files = Files.list(home)) {
      assertThat(files).containsExactlyInAnyOrder(workspace, secret);
    }
    assertThat(Path.of("/tmp/made-by-landlock-test")).doesNotExist();
  }

  @Test
  void workspace_can_be_changed_unless_it_is_read_only() throws Exception {
    String script =
        "mkdir d && echo x > d/a && ln d/a b && mv b d/b && ln -s a d/c && mkfifo p && rm -r d p";

    assertThat(script(options(), script).error()).isEmpty();
    Result refused = script(options().withWritable(false), "echo x > file");

    assertThat(refused.exitCode()).isNotZero();
    assertThat(workspace).isEmptyDirectory();
  }

  @Test
  void read_only_paths_are_read() throws Exception {
    Result result = script(options().withReadOnly(List.of(secret)), "cat " + secret);

    assertThat(result.out()).isEqualTo("secret");
  }

  @Test
  void workspace_at_a_different_path_is_refused() throws Exception {
    Sandbox sandbox = sandbox(false);

    assertThat(sandbox.mapsWorkspace()).isFalse();
    assertReason(
        Reason.SETUP,
        () -> sandbox.start(List.of("true"), options().withWorkspaceAt(Path.of("/recorded/path"))));
  }

  @Test
  void program_that_cannot_be_started_has_no_result() throws Exception {
    Sandbox sandbox = sandbox(false);
    Path script = Files.writeString(workspace.resolve("script"), "#!/missing/interpreter\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    for (String program : List.of("missing-program", script.toString(), "/usr/share")) {
      assertReason(Reason.NOT_STARTED, () -> sandbox.start(List.of(program), options()));
    }
  }

  @Test
  void exit_codes_of_a_shell_that_finds_no_program_are_results() throws Exception {
    Result result = script(options(), "missing-program");

    assertThat(result.fault()).isNull();
    assertThat(result.exitCode()).isEqualTo(127);
  }

  @Test
  void failure_of_setpriv_is_one_of_the_sandbox() throws Exception {
    sandbox(false);
    Setpriv found = new Setpriv(HostPrograms.find("setpriv"), List.of(), false);
    SandboxOptions missing = options().withReadOnly(List.of(home.resolve("missing")));
    Sandbox sandbox = new LandlockSandbox(
        found, HostPrograms.find("setsid"), Cgroups.NONE, SystemFiles.of(Path.of("/")), null);

    Result result = InBubblewrap.run(sandbox, missing, List.of("true"));

    assertThat(result.fault()).isNotNull().hasMessageContaining("setpriv: ");
    assertThat(result.fault().reason()).isEqualTo(Reason.SETUP);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void processes_that_a_program_has_left_are_gone_after_its_end(boolean hasGroups)
      throws Exception {
    String script = "(setsid sh -c ': > ready; sleep 300; :' </dev/null >/dev/null 2>&1 &);"
        + " until [ -e ready ]; do sleep 0.01; done; exit 7";

    Result result = InBubblewrap.run(sandbox(hasGroups), options(), List.of("sh", "-c", script));

    assertThat(result.fault()).isNull();
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(SandboxProcesses.with(marker)).isEmpty();
    assertThat(BubblewrapCleanupTest.leftBy(ProcessHandle.current().pid())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closing_kills_all_processes(boolean hasGroups) throws Exception {
    String script = "(setsid sh -c 'echo ready; sleep 300; :' &); sleep 300";
    SandboxedProcess program = sandbox(hasGroups).start(List.of("sh", "-c", script), options());
    assertThat(program.process().getInputStream().read()).isEqualTo('r');
    assertThat(SandboxProcesses.with(marker)).isNotEmpty();

    program.close();

    assertThat(program.fault()).isNull();
    assertThat(SandboxProcesses.with(marker)).isEmpty();
    assertThat(BubblewrapCleanupTest.leftBy(ProcessHandle.current().pid())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fork_bomb_ends_at_the_limit_and_leaves_no_process(boolean hasGroups) throws Exception {
    SandboxLimits limits = LIMITS.withMemory(512 << 20);

    Result result = InBubblewrap.run(
        sandbox(hasGroups),
        options().withLimits(limits),
        List.of("sh", "-c", hasGroups ? BOMB : BOUNDED_BOMB));

    assertLimit(result.fault());
    assertThat(SandboxProcesses.with(marker)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memory_and_files_are_limited(boolean hasGroups) throws Exception {
    SandboxOptions options = options().withLimits(LIMITS);
    Sandbox sandbox = sandbox(hasGroups);
    for (String script : List.of(
        "head -c 4000000000 /dev/zero | tail",
        "exec dd if=/dev/zero of=large bs=1M count=2048",
        "for i in 1 2 3 4; do head -c 12000000 /dev/zero > $TMPDIR/$i; done; sleep 30")) {
      Result result = InBubblewrap.run(sandbox, options, List.of("sh", "-c", script));
      assertLimit(result.fault());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void next_start_removes_what_a_killed_JVM_has_left(boolean hasGroups) throws Exception {
    sandbox(hasGroups);
    Process jvm = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            System.getProperty("java.class.path"),
            KilledJvm.class.getName(),
            workspace.toString(),
            marker,
            Boolean.toString(hasGroups))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    assertThat(jvm.getInputStream().read()).isEqualTo('r');
    List<ProcessHandle> inside = new ArrayList<>(SandboxProcesses.with(marker));
    inside.removeIf(process -> process.pid() == jvm.pid());
    assertThat(inside).hasSizeGreaterThan(1);

    jvm.destroyForcibly().waitFor();
    Landlock.find();

    for (ProcessHandle process : inside) {
      process.onExit().get(10, TimeUnit.SECONDS);
    }
    assertThat(BubblewrapCleanupTest.leftBy(jvm.pid())).isEmpty();
  }

  /** A process that starts a program, and is killed. */
  static final class KilledJvm {

    private KilledJvm() {}

    public static void main(String[] arguments) throws Exception {
      String[] variable = arguments[1].split("=", -1);
      SandboxOptions options = SandboxOptions.of(Path.of(arguments[0]))
          .withEnvironment(Map.of("PATH", "/usr/bin:/bin", variable[0], variable[1]));
      String script = "(setsid sh -c 'echo ready; sleep 300; :' &); sleep 300";
      sandbox(Boolean.parseBoolean(arguments[2]))
          .start(List.of("sh", "-c", script), options)
          .process()
          .getInputStream()
          .transferTo(System.out);
    }
  }

  private interface Start {
    void run() throws Exception;
  }

  private static void assertReason(Reason reason, Start start) {
    assertThatThrownBy(start::run)
        .isInstanceOfSatisfying(
            SandboxException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static void assertLimit(@Nullable SandboxException fault) {
    assertThat(fault).isNotNull();
    assertThat(fault.reason()).isEqualTo(Reason.LIMIT);
  }
}

package dev.agentreplay.sandbox;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.InBubblewrap.Result;
import dev.agentreplay.sandbox.SandboxException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class BubblewrapSandboxTest {

  private static final Path AT = Path.of("/home/me/project");
  private static final HostIdentity ME =
      new HostIdentity("me", 1234L, 1235L, "/home/me", "laptop", "027", null);

  @TempDir
  private Path workspace;

  private SandboxOptions options;

  @BeforeEach
  void prepare() {
    options = SandboxOptions.of(workspace)
        .withWorkspaceAt(AT)
        .withIdentity(ME)
        .withEnvironment(Map.of("PATH", "/usr/bin:/bin", "HOME", "/home/me"));
  }

  @Test
  void a_program_runs_and_its_exit_code_is_not_a_fault() throws Exception {
    Result result = InBubblewrap.script(options, "echo hello; echo problem >&2; exit 3");

    assertThat(result.out()).isEqualTo("hello\n");
    assertThat(result.error()).isEqualTo("problem\n");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.fault()).isNull();
  }

  @Test
  void the_environment_is_exact() throws Exception {
    Map<String, String> environment = Map.of("A", "1", "NOT-A-NAME", "x y\nz", "EMPTY", "");

    Result result =
        InBubblewrap.run(options.withEnvironment(environment), List.of("env", "--null"));

    assertThat(result.out().split("\0"))
        .containsExactlyInAnyOrder("A=1", "NOT-A-NAME=x y\nz", "EMPTY=");
  }

  @Test
  void a_recorded_PWD_is_kept() throws Exception {
    Result same =
        InBubblewrap.run(options.withEnvironment(Map.of("PWD", AT.toString())), List.of("env"));
    Result link = InBubblewrap.run(options.withEnvironment(Map.of("PWD", "/link")), List.of("env"));

    assertThat(same.out()).isEqualTo("PWD=/home/me/project\n");
    assertThat(link.out()).isEqualTo("PWD=/link\n");
  }

  @Test
  void user_host_umask_and_paths_are_those_of_the_recording() throws Exception {
    Result result = InBubblewrap.script(
        options, "pwd -P; id -u; id -g; id -un; hostname; umask; echo ~me; touch new");

    assertThat(result.out().lines())
        .containsExactly("/home/me/project", "1234", "1235", "me", "laptop", "0027", "/home/me");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(workspace.resolve("new"))))
        .isEqualTo("rw-r-----");
  }

  @Test
  void a_umask_that_forbids_all_does_not_hide_the_status() throws Exception {
    HostIdentity strict =
        new HostIdentity(ME.user(), ME.uid(), ME.gid(), ME.home(), ME.host(), "0777", null);

    Result result = InBubblewrap.script(options.withIdentity(strict), "umask; exit 3");

    assertThat(result.fault()).isNull();
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.out()).isEqualTo("0777\n");
  }

  @Test
  void a_workspace_can_be_among_temporary_files() throws Exception {
    for (String place : new String[] {"/tmp/a/b", "/var/tmp/a/b", "/var/tmp"}) {
      Result result = InBubblewrap.script(
          options.withWorkspaceAt(Path.of(place)), "pwd; touch x /tmp/x /var/tmp/x");

      assertThat(result.fault()).isNull();
      assertThat(result.out() + result.error()).isEqualTo(place + "\n");
    }
  }

  @Test
  void a_read_only_workspace_cannot_be_changed() throws Exception {
    Result result = InBubblewrap.script(options.withWritable(false), "echo x > file");

    assertThat(result.exitCode()).isNotZero();
    assertThat(result.error()).contains("Read-only file system");
    assertThat(workspace).isEmptyDirectory();
  }

  @Test
  void files_outside_the_workspace_cannot_be_written_and_the_home_is_empty() throws Exception {
    Result result = InBubblewrap.script(
        options,
        """
            for path in / /usr /etc /dev /home /proc /var; do
              touch $path/made 2> /dev/null && echo "written: $path"
            done
            ls -A ~; touch ~/mine /tmp/mine /dev/shm/mine && echo temporary
            cat /etc/shadow ~root/.profile 2> /dev/null && echo read
            ls -A /root /var/log /run 2> /dev/null
            echo end
            """);

    assertThat(result.out()).isEqualTo("project\ntemporary\nend\n");
  }

  @Test
  void there_is_no_network_but_loopback_and_no_other_process() throws Exception {
    Result result = InBubblewrap.script(
        options,
        """
            tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
            ls /proc | grep -c '^[0-9]' | awk '$1 < 7 {print "few"}'
            ls /proc/self/fd | tr '\\n' ' '
            """);

    assertThat(result.out()).isEqualTo("lo\nfew\n0 1 2 3 ");
  }

  @Test
  void a_pair_of_sockets_sends_to_its_other_end_only() throws Exception {
    assumeTrue(HostPrograms.find("perl") != null, "the attempt needs Perl");
    String script =
        """
        use Socket;
        socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) and print "connected\n";
        for my $type (SOCK_DGRAM, SOCK_RAW) {
            socketpair(my $c, my $d, AF_UNIX, $type, 0) ? print "datagrams\n" : print "$!\n";
        }
        """;

    Result result = InBubblewrap.run(options, List.of("perl", "-e", script));

    assertThat(result.out().lines())
        .containsExactly("connected", "Socket type not supported", "Socket type not supported");
  }

  @Test
  void there_are_no_capabilities_and_no_new_privileges_and_the_filter_is_active() throws Exception {
    Result result = InBubblewrap.script(
        options, "grep -E '^(CapPrm|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status");

    assertThat(result.out())
        .isEqualTo(
            """
            CapPrm:	0000000000000000
            CapBnd:	0000000000000000
            NoNewPrivs:	1
            Seccomp:	2
            """);
  }

  @Test
  void a_program_of_an_installation_elsewhere_is_shown_and_reported() throws Exception {
    Path tool = workspace.resolveSibling("tool-" + workspace.getFileName());
    Path program = Files.createDirectories(tool.resolve("bin")).resolve("greet");
    try {
      Files.writeString(program, "#!/bin/sh\ncat ${0%/*}/../text\n");
      Files.writeString(tool.resolve("text"), "from the installation\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));

      Result result = InBubblewrap.run(options, List.of(program.toString()));

      assertThat(result.out()).isEqualTo("from the installation\n");
      assertThat(result.enforcement().shown()).containsExactly(tool);
    } finally {
      Files.delete(program);
      Files.delete(tool.resolve("text"));
      Files.delete(program.getParent());
      Files.delete(tool);
    }
  }

  @Test
  @Timeout(20)
  void a_program_that_closes_its_output_is_seen_to_do_so() throws Exception {
    List<String> command = List.of("sh", "-c", "echo last; exec >&-; sleep 1000");

    try (SandboxedProcess sandboxed = InBubblewrap.sandbox().start(command, options)) {
      String out = new String(sandboxed.process().getInputStream().readAllBytes(), ISO_8859_1);

      assertThat(out).isEqualTo("last\n");
      assertThat(sandboxed.process().isAlive()).isTrue();
    }
  }

  @Test
  void a_program_has_the_given_variables_alone_whatever_their_names() throws Exception {
    for (Map<String, String> variables : List.of(
        Map.of("PATH", "/usr/bin:/bin", "SHLVL", "7"),
        Map.of("PATH", "/usr/bin:/bin", "PWD", AT.toString()),
        Map.of("PATH", "/usr/bin:/bin", "with.period", "1"))) {
      Result result = InBubblewrap.run(options.withEnvironment(variables), List.of("env"));

      assertThat(result.out().lines())
          .containsExactlyInAnyOrderElementsOf(variables.entrySet().stream()
              .map(variable -> variable.getKey() + "=" + variable.getValue())
              .toList());
    }
  }

  @Test
  void a_program_that_does_not_exist_is_not_started() {
    InBubblewrap.sandbox();
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> InBubblewrap.run(options, List.of("no-such-program")))
        .withMessage("there is no program 'no-such-program' in PATH")
        .extracting(SandboxException::reason)
        .isEqualTo(Reason.NOT_STARTED);
  }

  @Test
  void a_program_that_the_kernel_cannot_execute_is_not_started() throws Exception {
    Path broken = workspace.resolve("broken");
    String executable = Files.readString(Path.of("/usr/bin/true"), ISO_8859_1);
    Files.writeString(broken, executable.replace("/ld-linux", "/no-linux"), ISO_8859_1);
    Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rwxr-xr-x"));
    SandboxOptions direct = options.withEnvironment(Map.of("PWD", AT.toString()));

    for (SandboxOptions each : List.of(options, direct)) {
      SandboxException fault = InBubblewrap.run(each, List.of("./broken")).fault();
      assertThat(fault).isNotNull().hasMessageContaining("No such file or directory");
      assertThat(fault.reason()).isEqualTo(Reason.NOT_STARTED);
    }
  }

  @Test
  void a_sandbox_that_cannot_be_set_up_is_not_a_failure_of_the_program() throws Exception {
    SandboxOptions missing = options.withReadOnly(List.of(Path.of("/no/such/directory")));

    SandboxException fault = InBubblewrap.run(missing, List.of("true")).fault();

    assertThat(fault).isNotNull().hasMessageContaining("/no/such/directory");
    assertThat(fault.reason()).isEqualTo(Reason.SETUP);
  }

  @Test
  void a_fault_is_known_after_the_sandbox_was_closed() throws Exception {
    SandboxOptions missing = options.withReadOnly(List.of(Path.of("/no/such/directory")));

    SandboxedProcess process = InBubblewrap.sandbox().start(List.of("true"), missing);
    process.process().waitFor();
    process.close();

    assertThat(process.fault()).isNotNull().hasMessageContaining("/no/such/directory");
  }

  @Test
  void a_fault_does_not_take_standard_error_from_its_reader() throws Exception {
    SandboxOptions missing = options.withReadOnly(List.of(Path.of("/no/such/directory")));

    try (SandboxedProcess process = InBubblewrap.sandbox().start(List.of("true"), missing)) {
      SandboxException fault = process.fault();
      assertThat(fault).isNotNull();
      assertThat(new String(process.process().getErrorStream().readAllBytes()))
          .isEqualTo(fault.getMessage() + "\n");
    }
  }

  @Test
  void a_system_directory_is_refused_as_the_place_of_the_workspace() {
    InBubblewrap.sandbox(); // or the test is skipped

    for (String path :
        List.of("/", "/usr", "/etc", "/proc/self", "/dev/shm", "/home", "/lib", "/usr/bin")) {
      assertThatExceptionOfType(SandboxException.class)
          .isThrownBy(
              () -> InBubblewrap.run(options.withWorkspaceAt(Path.of(path)), List.of("true")))
          .withMessageContaining("a directory of the system");
    }
  }

  @Test
  void a_missing_directory_in_usr_is_named_with_the_remedy() {
    InBubblewrap.sandbox(); // or the test is skipped

    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> InBubblewrap.run(
            options.withWorkspaceAt(Path.of("/usr/src/no-such-app")), List.of("true")))
        .withMessageStartingWith("the workspace was at /usr/src/no-such-app, which is missing");
  }

  @Test
  void a_workspace_can_be_at_a_directory_in_usr() throws Exception {
    assertThat(InBubblewrap.run(options.withWorkspaceAt(Path.of("/usr/src")), List.of("pwd"))
            .out())
        .isEqualTo("/usr/src\n");
  }

  @Test
  void files_in_shared_memory_are_shown_and_the_workspace_can_be_there() throws Exception {
    Path memory = Path.of("/dev/shm");
    Path file = Files.createTempFile(memory, "shown", "");
    try {
      Files.writeString(file, "shown\n");
      Result result = InBubblewrap.run(
          options.withReadOnly(List.of(file)).withWorkspaceAt(memory.resolve("a/b")),
          List.of("sh", "-c", "pwd; cat " + file + "; touch /dev/shm/new"));

      assertThat(result.fault()).isNull();
      assertThat(result.out()).isEqualTo("/dev/shm/a/b\nshown\n");
      assertThat(result.exitCode()).isZero();
      assertThat(memory.resolve("new")).doesNotExist();
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void a_workspace_can_be_at_tmp_and_below_it() throws Exception {
    for (String path : List.of("/tmp", "/tmp/a/b", "/home/me", "/opt")) {
      Result result = InBubblewrap.script(
          options.withWorkspaceAt(Path.of(path)),
          "pwd; echo x > file; head -c 50000000 /dev/zero | cksum > sum; rm file");

      assertThat(result.fault()).isNull();
      assertThat(result.out()).isEqualTo(path + "\n");
      assertThat(result.exitCode()).isZero();
    }
  }
}

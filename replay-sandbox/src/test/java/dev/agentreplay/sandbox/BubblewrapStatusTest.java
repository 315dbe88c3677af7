package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BubblewrapStatusTest {

  private static final String STARTED =
      "{ \"child-pid\": 7391, \"mnt-namespace\": 4026532178, \"pid-namespace\": 4026532181 }\n";

  @Test
  void a_status_is_read_line_by_line() {
    assertThat(BubblewrapStatus.parse("")).isEqualTo(new BubblewrapStatus(0, false));
    assertThat(BubblewrapStatus.parse("{ \"child-pid\": 73"))
        .isEqualTo(new BubblewrapStatus(0, false));
    assertThat(BubblewrapStatus.parse(STARTED)).isEqualTo(new BubblewrapStatus(7391, false));
    assertThat(BubblewrapStatus.parse(STARTED + "{ \"exit-code\": 3 }\n"))
        .isEqualTo(new BubblewrapStatus(7391, true));
  }

  @Test
  void failures_of_bwrap_are_not_those_of_the_program() {
    BubblewrapStatus failed = BubblewrapStatus.parse(STARTED);

    assertFault(failed, 1, "bwrap: Can't mkdir /x: Read-only file system\n", "setup");
    assertFault(failed, 1, "bwrap: execvp ./x: No such file or directory\n", "not_started");
    assertFault(BubblewrapStatus.parse(""), 125, "", "setup");
  }

  @Test
  void exit_codes_and_messages_of_the_program_are_its_own() {
    BubblewrapStatus ended = BubblewrapStatus.parse(STARTED + "{ \"exit-code\": 127 }\n");

    assertFault(ended, 1, "bwrap: execvp ./x: No such file or directory\n", null);
    assertFault(ended, 127, "sh: 1: x: not found\n", null);
    assertFault(ended, 1, "env: 'x': No such file or directory\n", null);
    assertFault(ended, 127, "env: 'y': No such file or directory\n", null);
    assertFault(ended, 126, "prlimit: failed to execute y: Permission denied\n", null);
    assertFault(ended, 127, "/usr/bin/env: './x': No such file or directory\n", "not_started");
    assertFault(ended, 126, "prlimit: failed to execute ./x: Permission denied\n", "not_started");
  }

  @Test
  void processes_are_limited_to_what_this_process_may_set() {
    String limits =
        "Max file locks            unlimited            unlimited            locks     \n"
            + "Max processes             300                  350                  processes \n";

    assertThat(Bubblewrap.maxProcesses(limits)).isEqualTo(350);
    assertThat(Bubblewrap.maxProcesses(limits.replace("350", "9999999999")))
        .isEqualTo(Integer.MAX_VALUE);
    assertThat(Bubblewrap.maxProcesses(limits.replace("350", "unlimited")))
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void options_of_an_installed_bwrap_are_found_in_its_help() throws Exception {
    String base = " --json-status-fd FD x\n --clearenv  x\n --perms OCTAL x\n --seccomp FD x\n";
    Path bwrap = Path.of("/usr/bin/bwrap");

    assertThat(BubblewrapFeatures.of(bwrap, "bubblewrap 0.6.1", base))
        .isEqualTo(new BubblewrapFeatures(bwrap, "bubblewrap 0.6.1", false, false, false));
    assertThat(BubblewrapFeatures.of(
            bwrap,
            "bubblewrap 0.11.0",
            base + " --disable-userns  x\n --size BYTES x\n --overlay-src SRC x\n"))
        .isEqualTo(new BubblewrapFeatures(bwrap, "bubblewrap 0.11.0", true, true, true));
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> BubblewrapFeatures.of(bwrap, "bubblewrap 0.3.1", " --seccomp FD x\n"))
        .withMessage(
            "/usr/bin/bwrap, bubblewrap 0.3.1, has no option --json-status-fd; version 0.5 or"
                + " later is needed");
  }

  private static void assertFault(
      BubblewrapStatus status, int exitCode, String error, @Nullable String reason) {
    SandboxException fault =
        new BubblewrapCommand(List.of("bwrap"), "./x").fault(status, exitCode, () -> error);

    if (reason == null) {
      assertThat(fault).isNull();
    } else {
      assertThat(fault).isNotNull().hasMessageContaining(error.strip());
      assertThat(fault.reason().id()).isEqualTo(reason);
    }
  }
}

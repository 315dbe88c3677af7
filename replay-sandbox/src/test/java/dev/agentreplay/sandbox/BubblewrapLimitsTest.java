package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.sandbox.InBubblewrap.Result;
import dev.agentreplay.sandbox.SandboxException.Reason;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BubblewrapLimitsTest {

  private static final long MEGABYTE = 1 << 20;
  private static final SandboxLimits LIMITS = new SandboxLimits(64 * MEGABYTE, 60, 32 * MEGABYTE);

  @TempDir
  private Path workspace;

  private SandboxOptions options;

  @BeforeEach
  void prepare() {
    options = SandboxOptions.of(workspace)
        .withWorkspaceAt(Path.of("/home/me/project"))
        .withEnvironment(Map.of("HOME", "/home/me", "PWD", "/home/me/project"))
        .withLimits(LIMITS);
  }

  @Test
  void a_program_that_uses_too_much_memory_is_killed() throws Exception {
    Result result = InBubblewrap.script(options, "head -c 4000000000 /dev/zero | tail");

    assertLimit(result.fault(), "67108864 bytes of memory");
    assertThat(result.enforcement().memory()).isIn(Limiter.CGROUP, Limiter.MONITOR);
  }

  @Test
  void a_fork_bomb_is_killed() throws Exception {
    Result result = InBubblewrap.script(
        options, "(while :; do sleep 30 & done) 2> /dev/null; while :; do :; done");

    if (result.enforcement().processes() == Limiter.MONITOR) { // root without control groups
      assertThat(result.fault()).isNotNull(); // that of the memory may be reached before
      assertThat(result.fault().reason()).isEqualTo(SandboxException.Reason.LIMIT);
    } else {
      assertLimit(result.fault(), "60 processes and threads");
    }
  }

  @Test
  void a_large_file_is_cut_at_the_limit() throws Exception {
    Result result =
        InBubblewrap.script(options, "exec dd if=/dev/zero of=large bs=1M count=2048 2> /dev/null");

    assertLimit(result.fault(), "33554432 bytes of new files");
    assertThat(workspace.resolve("large").toFile().length()).isLessThanOrEqualTo(32 * MEGABYTE);
  }

  @Test
  void many_small_files_are_stopped() throws Exception {
    String script =
        """
        i=0
        while [ $i -lt 512 ]; do
          mkdir -p d/$i
          head -c 4000000 /dev/zero > d/$i/file
          i=$((i + 1))
        done
        """;

    assertLimit(InBubblewrap.script(options, script).fault(), "33554432 bytes of new files");
  }

  @Test
  void files_that_the_program_hides_are_found_in_the_free_space() throws Exception {
    String script =
        """
        mkdir d; cd d; chmod 300 .
        i=0
        while [ $i -lt 512 ]; do
          head -c 4000000 /dev/zero > $i
          i=$((i + 1))
        done
        """;

    SandboxException fault = InBubblewrap.script(options, script).fault();
    assertThat(workspace.resolve("d").toFile().setReadable(true)).isTrue();

    assertLimit(fault, "33554432 bytes of new files");
  }

  @Test
  void files_below_the_longest_path_are_found_in_the_free_space() throws Exception {
    String script =
        """
        name=$(printf %0100d 0)
        i=0
        while [ $i -lt 50 ]; do mkdir $name; cd -P $name; i=$((i + 1)); done
        i=0
        while [ $i -lt 512 ]; do
          head -c 4000000 /dev/zero > $i
          i=$((i + 1))
        done
        """;

    Result result = InBubblewrap.script(options, script);
    FileTree.delete(workspace.resolve("0".repeat(100))); // JUnit cannot

    assertLimit(result.fault(), "33554432 bytes of new files");
  }

  @Test
  void deleted_files_count_while_they_are_open() throws Exception {
    String script =
        """
        for i in 3 4 5 6 7 8 9; do
          eval "exec $i> file"
          rm file
          eval "head -c 30000000 /dev/zero >&$i"
        done
        sleep 30
        """;

    assertLimit(InBubblewrap.script(options, script).fault(), "33554432 bytes of new files");
  }

  @Test
  void empty_files_in_memory_count() throws Exception {
    String script =
        """
        mkdir /tmp/d /dev/shm/d; cd /tmp/d
        seq 40000 | xargs touch
        cd /dev/shm/d
        while :; do seq 40000 | xargs touch; done
        """;
    // a control group counts the memory of the kernel, too
    SandboxOptions ample = options.withLimits(LIMITS.withMemory(4L << 30));

    assertLimit(InBubblewrap.script(ample, script).fault(), "33554432 bytes of new files");
  }

  @Test
  void files_in_memory_count() throws Exception {
    String script =
        """
        head -c 14000000 /dev/zero > /tmp/one
        head -c 14000000 /dev/zero > /home/me/two
        head -c 14000000 /dev/zero > /dev/shm/three
        sleep 30
        """;

    assertLimit(InBubblewrap.script(options, script).fault(), "33554432 bytes of new files");
  }

  @Test
  void a_program_that_exits_because_its_memory_files_are_full_has_a_fault() throws Exception {
    String script =
        """
        sleep 1 # until the limits were checked once
        mkdir /tmp/a; i=0
        while [ $i -lt 64 ]; do
          head -c 1000000 /dev/zero > /tmp/a/$i || exit 9
          i=$((i + 1))
        done 2> /dev/null
        """;

    Result result = InBubblewrap.script(options, script);

    assertLimit(result.fault(), "33554432 bytes of new files");
  }

  @Test
  void a_program_within_its_limits_has_no_fault() throws Exception {
    Result result =
        InBubblewrap.script(options, "head -c 9000000 /dev/zero > file; cp file /tmp; rm file");

    assertThat(result.fault()).isNull();
    assertThat(result.exitCode()).isZero();
  }

  private static void assertLimit(@Nullable SandboxException fault, String limit) {
    assertThat(fault).isNotNull().hasMessage("the program reached the limit of " + limit);
    assertThat(fault.reason()).isEqualTo(Reason.LIMIT);
  }
}

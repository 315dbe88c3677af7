package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses directories in the place of those of the kernel. */
class CgroupsTest {

  @TempDir
  private Path root;

  @Test
  void a_delegated_group_of_version_2_is_the_nearest_with_both_controllers() throws Exception {
    Path slice = group("user.slice/user-7.slice/app.slice", "memory pids\n");
    group("user.slice/user-7.slice/app.slice/editor.scope", "\n");
    group("user.slice/user-7.slice", "cpu memory pids\n");

    Cgroups found = Cgroups.find(
        "30 23 0:26 / " + root + " rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
        "0::/user.slice/user-7.slice/app.slice/editor.scope\n");

    assertThat(found).isEqualTo(new Cgroups(slice, null, null));
  }

  @Test
  void a_group_of_version_2_without_controllers_is_not_used() throws Exception {
    group("", "cpu\n");
    group("session.scope", "\n");

    assertThat(Cgroups.find(
            "30 23 0:26 / " + root + " rw - cgroup2 cgroup2 rw\n", "0::/session.scope\n"))
        .isEqualTo(Cgroups.NONE);
  }

  @Test
  void groups_of_version_1_are_those_of_this_process() throws Exception {
    Path memory = group("memory/own", "");
    Path pids = group("pids", "");

    Cgroups found = Cgroups.find(
        """
            31 23 0:28 / %1$s rw,relatime - tmpfs tmpfs rw,mode=755
            35 31 0:32 / %1$s/memory rw,relatime - cgroup cgroup rw,memory
            39 31 0:36 / %1$s/pids rw,relatime - cgroup cgroup rw,pids
            """
            .formatted(root),
        "8:pids:/\n4:memory:/own\n0::/\n");

    assertThat(found).isEqualTo(new Cgroups(null, memory, pids));
  }

  @Test
  void a_group_has_the_limits_and_is_removed() throws Exception {
    Path slice = group("app.slice", "memory pids\n");
    SandboxLimits limits = SandboxLimits.defaults().withMemory(1000).withProcesses(7);

    Cgroup group = new Cgroups(slice, null, null).create(limits);

    Path made = group.memory();
    assertThat(made).isNotNull().isEqualTo(group.pids()).hasParent(slice);
    assertThat(made.resolve("memory.max")).hasContent("1000");
    assertThat(made.resolve("memory.swap.max")).hasContent("0");
    assertThat(made.resolve("pids.max")).hasContent("7");
    assertThat(group.joinFiles()).containsExactly(made.resolve("cgroup.procs").toString());
  }

  @Test
  void events_of_the_kernel_are_read() throws Exception {
    Path both = group("both", "");
    Cgroup group = new Cgroup(both, both);
    assertThat(group.hasReachedMemory()).isFalse();
    assertThat(group.hasReachedProcesses()).isFalse();

    Files.writeString(both.resolve("memory.events"), "low 0\noom 3\noom_kill 0\n");
    Files.writeString(both.resolve("pids.events"), "max 0\n");
    assertThat(group.hasReachedMemory()).isFalse();
    assertThat(group.hasReachedProcesses()).isFalse();

    Files.writeString(both.resolve("memory.events"), "low 0\noom 3\noom_kill 1\n");
    Files.writeString(both.resolve("pids.events"), "max 2\n");
    assertThat(group.hasReachedMemory()).isTrue();
    assertThat(group.hasReachedProcesses()).isTrue();
  }

  private Path group(String name, String controllers) throws IOException {
    Path directory = Files.createDirectories(root.resolve(name));
    Files.writeString(directory.resolve("cgroup.subtree_control"), controllers);
    Files.writeString(directory.resolve("cgroup.procs"), "");
    return directory;
  }
}

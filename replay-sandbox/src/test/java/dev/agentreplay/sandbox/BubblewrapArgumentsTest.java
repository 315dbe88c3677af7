package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BubblewrapArgumentsTest {

  private static final ProgramIdentity ME =
      new ProgramIdentity("me", 1000, 1001, "/home/me", "laptop", "022");
  private static final SystemFiles SYSTEM = new SystemFiles(List.of(
      new SystemFiles.Entry(Path.of("/usr"), null),
      new SystemFiles.Entry(Path.of("/bin"), "usr/bin"),
      new SystemFiles.Entry(Path.of("/etc/ssl/certs"), null),
      new SystemFiles.Entry(Path.of("/etc/localtime"), "../usr/share/zoneinfo/UTC")));
  private static final SandboxOptions OPTIONS = SandboxOptions.of(Path.of("/copies/7"))
      .withWorkspaceAt(Path.of("/home/me/project"))
      .withDirectory(Path.of("src"))
      .withEnvironment(Map.of("LANG", "C.UTF-8", "A", "1 2"))
      .withReadOnly(List.of(Path.of("/opt/data")))
      .withLimits(SandboxLimits.defaults().withTemporary(1_000_000));

  @Test
  void the_arguments_of_a_usual_program() throws Exception {
    assertThat(text(OPTIONS, List.of(Path.of("/home/me/.nvm/versions/20"))))
        .isEqualTo(
            """
            --unshare-user
            --unshare-pid
            --unshare-net
            --unshare-ipc
            --unshare-uts
            --unshare-cgroup-try
            --new-session
            --die-with-parent
            --disable-userns
            --cap-drop ALL
            --hostname laptop
            --uid 1000
            --gid 1001
            --clearenv
            --ro-bind /usr /usr
            --symlink usr/bin /bin
            --perms 0755
            --dir /etc
            --perms 0755
            --dir /etc/ssl
            --ro-bind /etc/ssl/certs /etc/ssl/certs
            --symlink ../usr/share/zoneinfo/UTC /etc/localtime
            --ro-bind /run7/passwd /etc/passwd
            --ro-bind /run7/group /etc/group
            --ro-bind /run7/hosts /etc/hosts
            --ro-bind /run7/nsswitch.conf /etc/nsswitch.conf
            --proc /proc
            --remount-ro /proc
            --dev /dev
            --perms 1777
            --size 1000000
            --tmpfs /dev/shm
            --remount-ro /dev
            --perms 1777
            --size 1000000
            --tmpfs /tmp
            --perms 0755
            --dir /var
            --perms 1777
            --size 1000000
            --tmpfs /var/tmp
            --perms 0755
            --dir /home
            --perms 0755
            --size 1000000
            --tmpfs /home/me
            --perms 0755
            --dir /home/me
            --perms 0755
            --dir /home/me/.nvm
            --perms 0755
            --dir /home/me/.nvm/versions
            --ro-bind /home/me/.nvm/versions/20 /home/me/.nvm/versions/20
            --bind /copies/7 /home/me/project
            --perms 0755
            --dir /opt
            --ro-bind /opt/data /opt/data
            --remount-ro /
            --chdir /home/me/project/src
            --setenv A 1 2
            --setenv LANG C.UTF-8
            """);
  }

  @Test
  void a_workspace_that_is_the_home_or_above_it_is_not_hidden() throws Exception {
    assertThat(text(OPTIONS.withWorkspaceAt(Path.of("/home/me")), List.of()))
        .contains("--bind /copies/7 /home/me\n")
        .doesNotContain("--tmpfs /home/me\n");
    assertThat(text(OPTIONS.withEnvironment(Map.of("HOME", "/home/me/project/.home")), List.of()))
        .doesNotContain("--tmpfs /home/me/project/.home");
  }

  @Test
  void a_home_in_a_directory_of_the_system_is_not_created() throws Exception {
    for (String home : List.of("/", "/usr/sbin", "/dev/null", "/home", "relative")) {
      ProgramIdentity daemon = new ProgramIdentity("d", 1, 1, home, "h", "022");
      assertThat(text(OPTIONS, daemon, List.of())).doesNotContain("--tmpfs " + home + "\n");
    }
    ProgramIdentity temporary = new ProgramIdentity("d", 1, 1, "/tmp", "h", "022");
    assertThat(text(OPTIONS, temporary, List.of())).containsOnlyOnce("--tmpfs /tmp\n");
  }

  @Test
  void a_read_only_workspace_is_bound_read_only() throws Exception {
    assertThat(text(OPTIONS.withWritable(false), List.of()))
        .contains("--ro-bind /copies/7 /home/me/project\n");
  }

  @Test
  void a_directory_above_the_workspace_is_bound_before_it() throws Exception {
    assertThat(text(OPTIONS.withReadOnly(List.of(Path.of("/home/me"))), List.of()))
        .contains(
            "--ro-bind /home/me /home/me\n--bind /copies/7 /home/me/project\n--remount-ro /\n");
  }

  @Test
  void features_that_bwrap_does_not_have_are_left_out() throws Exception {
    BubblewrapFeatures old =
        new BubblewrapFeatures(Path.of("/usr/bin/bwrap"), "0.6.1", false, false, false);

    assertThat(BubblewrapArguments.of(old, OPTIONS, ME, SYSTEM, List.of(), Path.of("/run7"))
            .list())
        .doesNotContain("--disable-userns", "--size");
  }

  private static String text(SandboxOptions options, List<Path> shown) throws Exception {
    return text(options, ME, shown);
  }

  private static String text(SandboxOptions options, ProgramIdentity identity, List<Path> shown)
      throws Exception {
    BubblewrapFeatures features =
        new BubblewrapFeatures(Path.of("/usr/bin/bwrap"), "0.8.0", true, true, false);
    BubblewrapArguments arguments =
        BubblewrapArguments.of(features, options, identity, SYSTEM, shown, Path.of("/run7"));
    return String.join(" ", arguments.list()).replace(" --", "\n--") + "\n";
  }
}

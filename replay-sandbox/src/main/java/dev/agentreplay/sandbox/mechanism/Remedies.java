package dev.agentreplay.sandbox.mechanism;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Remedies for a machine on which Bubblewrap cannot set a sandbox up. */
final class Remedies {

  private static final Path APPARMOR =
      Path.of("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  private static final Path MAX_NAMESPACES = Path.of("/proc/sys/user/max_user_namespaces");
  private static final Path UNPRIVILEGED = Path.of("/proc/sys/kernel/unprivileged_userns_clone");

  /** The errors of a temporary directory that is full or cannot be written. */
  private static final Pattern TEMPORARY_FAILURE = Pattern.compile(
      "no space left|quota exceeded|read-only file system|permission denied|no such file"
          + "|not a directory");

  private Remedies() {}

  /**
   * The remedies for a failure.
   *
   * @param failure the message, with the errors of {@code bwrap}
   */
  static List<String> of(String failure, Machine machine) {
    List<String> remedies = new ArrayList<>();
    String text = failure.toLowerCase(Locale.ROOT);
    if (text.contains("not installed")) {
      remedies.add("install Bubblewrap: apt-get install bubblewrap (Debian, Ubuntu), dnf install"
          + " bubblewrap (Fedora), apk add bubblewrap (Alpine), pacman -S bubblewrap (Arch)");
      return remedies;
    }
    if (text.contains("no network interface")) {
      remedies.add("the probes connect to listeners on the loopback interface, which is down:"
          + " ip link set lo up");
      return remedies;
    }
    if (!text.contains("bwrap")) { // an error of this process
      Path temporary = machine.temporary();
      if (TEMPORARY_FAILURE.matcher(text).find()) {
        remedies.add("the temporary directory is %s: free space in it, or set a writable one with"
                .formatted(temporary)
            + " REPLAY_JAVA_OPTS=-Djava.io.tmpdir=DIR");
      }
      return remedies;
    }
    if ("0".equals(machine.text(MAX_NAMESPACES))) {
      remedies.add("user namespaces are switched off: sysctl -w user.max_user_namespaces=15000,"
          + " and put the setting into a file of /etc/sysctl.d");
    }
    if ("0".equals(machine.text(UNPRIVILEGED))) {
      remedies.add("user namespaces are for the administrator only:"
          + " sysctl -w kernel.unprivileged_userns_clone=1, and put the setting into a file of"
          + " /etc/sysctl.d");
    }
    boolean isAppArmor = "1".equals(machine.text(APPARMOR));
    boolean isRefused = text.contains("rtm_newaddr") || text.contains("setting up uid map");
    if (isAppArmor || (isRefused && !isContainer(machine))) {
      remedies.add("AppArmor restricts user namespaces, as on Ubuntu 24.04; permit them to bwrap:"
          + " apt-get install apparmor-profiles && cp"
          + " /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ &&"
          + " apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict");
    }
    if (isContainer(machine)) {
      remedies.add("this is a container, whose engine forbids namespaces; start it with docker run"
          + " --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
          + " --security-opt systempaths=unconfined, or run the replay outside the container");
    }
    if (text.contains("enospc")) {
      remedies.add(
          "the limit of namespaces is reached, or this process is in a sandbox that permits"
              + " none: run the replay outside of it, or raise user.max_user_namespaces with sysctl");
    }
    if (text.contains("overflowuid")) {
      remedies.add("a hardened service hides /proc: set ProcSubset=all, ProtectProc=default and"
          + " RestrictNamespaces=no in the unit of systemd");
    }
    return remedies;
  }

  private static boolean isContainer(Machine machine) {
    return machine.exists(Path.of("/.dockerenv")) || machine.exists(Path.of("/run/.containerenv"));
  }
}
